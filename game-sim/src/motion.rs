//! Getting from here to there: straight where nothing blocks, along a shared flow field elsewhere, and apart from
//! one another.

use crate::{
    Point, SUBS_PER_TILE, UnitKind, World,
    balance::{self, Gait},
    ground::STEP_COST,
    state::{Anchor, NOBODY, Task, Unit, nth_of_side},
};
use alloc::{vec, vec::Vec};
use match_feed::duel::Side;
use versus_codec::kit::Tile;

/// Near enough to count as there.
const ARRIVED: i32 = SUBS_PER_TILE * 3 / 10;
/// Straight ways are looked for up to this far.
const STRAIGHT: i32 = 9 * SUBS_PER_TILE;
/// Coming this much nearer counts as progress.
const PROGRESS: i32 = SUBS_PER_TILE / 16;
/// Within this of a crowded goal, no progress for [`CROWD_TICKS`] means arrived.
const CROWD: i32 = 4 * SUBS_PER_TILE;
const CROWD_TICKS: u16 = 10;
/// Anywhere, no progress for this long means there is no way through: longer than the last of a large army waits for
/// its turn at a narrow gap.
const GIVE_UP_TICKS: u16 = 250;
/// The most a crowd moves a unit in a tick.
const PUSH_MAX: i32 = 110;

impl World {
    /// Moves a unit on its way; true when it is there, or as near as it gets.
    pub(crate) fn go(&mut self, at: usize, to: Point) -> bool {
        let here = self.state.units[at].at;
        if here.within(to, ARRIVED) {
            return true;
        }
        let Some((heading, far)) = self.heading(at, to) else {
            return true;
        };
        let unit = &mut self.state.units[at];
        if far < unit.nearest.saturating_sub(PROGRESS) {
            unit.nearest = far;
            unit.stuck = 0;
        } else {
            unit.stuck = unit.stuck.saturating_add(1);
            let crowded = unit.stuck > CROWD_TICKS && here.within(to, CROWD);
            if crowded || unit.stuck > GIVE_UP_TICKS {
                return true;
            }
        }
        self.advance(at, heading);
        false
    }

    /// Moves a unit nearer to a point that may itself move.
    pub(crate) fn approach(&mut self, at: usize, to: Point) {
        if let Some((heading, _)) = self.heading(at, to) {
            self.advance(at, heading);
        }
    }

    /// Moves a unit straight toward a target until it is within `reach`; false if something is in the way.
    pub(crate) fn close_in(&mut self, at: usize, target: Point, reach: i32) -> bool {
        let unit = &self.state.units[at];
        let way = target - unit.at;
        let missing = way.with_length((way.length() - reach).max(0));
        let flies = balance::unit(unit.kind).gait == Gait::Air;
        let clear = flies || self.ground.is_clear(unit.at, unit.at + missing);
        if clear {
            self.advance(at, way);
        }
        clear
    }

    /// Moves a unit nearer to a target that something hides. Targets within the same two by two tiles share a flow
    /// field: chasing a crowd around a corner must not cost a field for each of it.
    pub(crate) fn go_around(&mut self, at: usize, target: Point) {
        let even = |Tile { tx, ty }| Tile {
            tx: tx & !1,
            ty: ty & !1,
        };
        let near = match self.state.units[at].side {
            Side::Blue => even(target.tile()),
            Side::Red => self.map.turned(even(self.map.turned(target.tile()))),
        };
        self.approach(at, Point::of_tile(near));
    }

    /// Which way to go, and how far it is; `None` if there is no way.
    fn heading(&mut self, at: usize, to: Point) -> Option<(Point, i32)> {
        let unit = &self.state.units[at];
        let here = unit.at;
        let straight = to - here;
        let flies = balance::unit(unit.kind).gait == Gait::Air;
        if flies || (here.within(to, STRAIGHT) && self.ground.is_clear(here, to)) {
            return Some((straight, straight.length()));
        }
        let way = self.fields.way(&self.ground, to.tile(), here.tile())?;
        let far = i32::from(way.cost) * SUBS_PER_TILE / i32::from(STEP_COST[0]);
        let (dx, dy) = way.step;
        if way.step == (0, 0) {
            return Some((straight, straight.length()));
        }
        let heading = Point {
            x: dx * SUBS_PER_TILE,
            y: dy * SUBS_PER_TILE,
        };
        Some((heading, far))
    }

    fn advance(&mut self, at: usize, heading: Point) {
        let unit = &self.state.units[at];
        let step = heading.at_most(self.speed(unit));
        let next = match balance::unit(unit.kind).gait {
            Gait::Ground => self.ground.walk(unit.at, step),
            Gait::Air => self.ground.fly(unit.at, step),
        };
        self.state.units[at].at = next;
    }

    fn speed(&self, unit: &Unit) -> i32 {
        let spec = balance::unit(unit.kind);
        let mut speed = spec.speed * self.rules.speed_percent / 100;
        if spec.gait == Gait::Ground && self.ground.is_rough(unit.at) {
            speed = speed * balance::ROUGH_SPEED_PERCENT / 100;
        }
        if unit.hauls != NOBODY {
            speed = speed * balance::LIFT_SPEED_PERCENT / 100;
        }
        speed
    }

    /// Units that overlap push each other apart: all pushes are found first, then made, so that nobody's place in
    /// the list gives an advantage.
    pub(crate) fn spread_out(&mut self) {
        let units = &self.state.units;
        let mut pushes: Vec<Point> = vec![Point::ZERO; units.len()];
        for (at, unit) in units.iter().enumerate() {
            if unit.carrier != NOBODY {
                continue;
            }
            let spec = balance::unit(unit.kind);
            // A tile and a half holds any two radii and a tick's movement since the squares were filled.
            for other_at in self.buckets.near(unit.at, SUBS_PER_TILE * 3 / 2) {
                if other_at <= at {
                    continue;
                }
                let other = &units[other_at];
                let other_spec = balance::unit(other.kind);
                if other.carrier != NOBODY
                    || other_spec.gait != spec.gait
                    || is_hauling_pair(unit, other)
                {
                    continue;
                }
                let apart = other.at - unit.at;
                let room = spec.radius + other_spec.radius;
                let far_squared = apart.length_squared();
                if far_squared >= i64::from(room) * i64::from(room) {
                    continue;
                }
                let overlap = room - far_squared.isqrt() as i32;
                let away = if far_squared == 0 {
                    by_id(unit.id).facing(unit.side)
                } else {
                    apart
                };
                let push = away.with_length(overlap / 2);
                if !passes_through(other) {
                    pushes[other_at] = pushes[other_at] + push;
                }
                if !passes_through(unit) {
                    pushes[at] = pushes[at] - push;
                }
            }
        }
        for (unit, push) in self.state.units.iter_mut().zip(pushes) {
            if push == Point::ZERO || unit.anchor != Anchor::Packed {
                continue;
            }
            let push = push.at_most(PUSH_MAX);
            unit.at = match balance::unit(unit.kind).gait {
                Gait::Ground => self.ground.walk(unit.at, push),
                Gait::Air => self.ground.fly(unit.at, push),
            };
        }
    }
}

/// Condors under one Goliath, and Condors gathering over one, hang together.
fn is_hauling_pair(one: &Unit, other: &Unit) -> bool {
    let gathers = |unit: &Unit| matches!(unit.task, Task::Lift { .. }) || unit.hauls != NOBODY;
    gathers(one) && gathers(other)
}

/// Harvesters at work squeeze past everybody, or they would block one another at the refinery.
fn passes_through(unit: &Unit) -> bool {
    unit.kind == UnitKind::HARVESTER && matches!(unit.task, Task::Harvest { .. })
}

/// Some direction for two that stand in exactly the same spot.
fn by_id(id: u32) -> Point {
    let (x, y) = crate::ground::NEIGHBOURS[nth_of_side(id) as usize % 8];
    Point { x, y }
}
