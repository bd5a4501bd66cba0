//! What each unit does in a tick, by its task. Moves nothing by itself: see `motion`.

use crate::{
    FxEvent, Point, SUBS_PER_TILE, UnitKind, World,
    balance::{self, Armour},
    state::{Anchor, HarvestPhase, NOBODY, Task, Unit, nth_of_side},
    world::Place,
};
use alloc::vec::Vec;
use match_feed::duel::Side;
use versus_codec::kit::Tile;

/// An idle unit pushed farther than this from its post walks back.
const ASTRAY: i32 = 2 * SUBS_PER_TILE;

impl World {
    /// A tick of every unit.
    pub(crate) fn act(&mut self) {
        self.places.clear();
        self.places
            .extend(self.state.units.iter().map(|unit| Place {
                at: unit.at,
                carried: unit.carrier != NOBODY,
            }));
        for at in 0..self.state.units.len() {
            let unit = self.state.units[at];
            if unit.carrier != NOBODY || self.change_anchor(at) {
                continue;
            }
            if let Some((leader, rank)) = self.leader_if_follower(&unit) {
                let beside = Point {
                    x: rank * SUBS_PER_TILE / 2,
                    y: 0,
                };
                self.approach(at, leader + beside.facing(unit.side));
                continue;
            }
            match unit.task {
                Task::Idle => self.idle(at),
                Task::Move { to } => {
                    if self.go(at, to) {
                        self.state.units[at].rest();
                    }
                }
                Task::AttackMove { to } => {
                    if !self.engage(at) && self.go(at, to) {
                        self.state.units[at].rest();
                    }
                }
                Task::Attack { target } => self.pursue(at, target),
                Task::Harvest { ore, phase } => self.harvester(at, ore, phase),
                Task::Board { carrier } => self.boarding(at, carrier),
                Task::Unload { to } => {
                    if unit.at.within(to, balance::DOCK / 2) || self.go(at, to) {
                        self.put_down(at);
                    }
                }
                Task::Lift { goliath } => self.hooking(at, goliath),
            }
            if unit.kind == UnitKind::REPAIR
                && (self.state.tick.0 + nth_of_side(unit.id)).is_multiple_of(balance::REPAIR_EVERY)
            {
                self.repair(at);
            }
        }
        self.settle_carried();
    }

    /// Digging in and packing up; true while dug in or busy with it.
    fn change_anchor(&mut self, at: usize) -> bool {
        let anchor = &mut self.state.units[at].anchor;
        *anchor = match *anchor {
            Anchor::DiggingIn { left: 0 } => Anchor::Anchored,
            Anchor::DiggingIn { left } => Anchor::DiggingIn { left: left - 1 },
            Anchor::PackingUp { left: 0 } => Anchor::Packed,
            Anchor::PackingUp { left } => Anchor::PackingUp { left: left - 1 },
            still => still,
        };
        *anchor != Anchor::Packed
    }

    fn idle(&mut self, at: usize) {
        let unit = &self.state.units[at];
        if !unit.at.within(unit.post, balance::LEASH) {
            self.state.units[at].target = NOBODY;
        }
        if self.engage(at) {
            return;
        }
        let unit = &self.state.units[at];
        if !unit.at.within(unit.post, ASTRAY) && unit.kind != UnitKind::HARVESTER {
            let post = unit.post;
            self.approach(at, post);
        }
    }

    /// Closes in on the target until it is in range; false without a target.
    fn engage(&mut self, at: usize) -> bool {
        let unit = self.state.units[at];
        if unit.target == NOBODY {
            return false;
        }
        let Some(point) = self.point_before(unit.target, unit.at) else {
            return false;
        };
        let range = self.weapon_of(&unit).map_or(0, |weapon| weapon.range);
        // A little inside the range, so that a target that edges away is not lost at once.
        let reach = range - range / 16;
        if unit.at.within(point, reach) || self.close_in(at, point, reach) {
            return true;
        }
        // Something is in the way: who is under way goes on, who is not goes around it.
        if matches!(unit.task, Task::AttackMove { .. }) {
            return false;
        }
        self.go_around(at, point);
        true
    }

    fn pursue(&mut self, at: usize, target: u32) {
        let side = self.state.units[at].side;
        if self.saw(side, target) {
            self.state.units[at].target = target;
            self.engage(at);
        } else {
            self.state.units[at].rest();
        }
    }

    fn harvester(&mut self, at: usize, ore: Tile, phase: HarvestPhase) {
        let unit = self.state.units[at];
        match phase {
            HarvestPhase::Mine => {
                let spot = Point::of_tile(ore);
                let there = unit.at.within(spot, balance::DOCK);
                if unit.load >= balance::HARVESTER_LOAD || (there && self.mine(at, ore)) {
                    self.next_round(at, ore);
                } else if !there && self.go(at, spot) {
                    self.send_mining(at); // it cannot be reached
                }
            }
            HarvestPhase::Return => {
                let Some((refinery, far)) = self.nearest_refinery(unit.side, unit.at) else {
                    return; // waits for a refinery
                };
                if far <= balance::DOCK {
                    if self.hand_over(at) {
                        self.go_mining(at, ore);
                    }
                } else {
                    let door = self.state.buildings[refinery].middle();
                    self.approach(at, door);
                }
            }
        }
    }

    /// Full, or the tile is empty: home with a worthwhile load, else to other ore.
    fn next_round(&mut self, at: usize, ore: Tile) {
        let unit = &mut self.state.units[at];
        if unit.load >= balance::HARVESTER_LOAD / 2 {
            unit.begin(Task::Harvest {
                ore,
                phase: HarvestPhase::Return,
            });
        } else if let Some(other) = self.best_ore(at) {
            self.go_mining(at, other);
        } else {
            let unit = &mut self.state.units[at];
            if unit.load > 0 {
                unit.begin(Task::Harvest {
                    ore,
                    phase: HarvestPhase::Return,
                });
            } else {
                unit.rest();
            }
        }
    }

    /// Back to the same ore while it lasts, else to the best.
    fn go_mining(&mut self, at: usize, ore: Tile) {
        let left = self
            .map
            .ore_slot(ore)
            .map_or(0, |slot| self.state.ore[slot]);
        if left > 0 {
            self.state.units[at].begin(Task::Harvest {
                ore,
                phase: HarvestPhase::Mine,
            });
        } else {
            self.send_mining(at);
        }
    }

    fn boarding(&mut self, at: usize, carrier: u32) {
        let unit = self.state.units[at];
        let condor = self.state.unit(carrier).copied();
        let Some(condor) = condor.filter(|condor| condor.hauls == NOBODY) else {
            self.state.units[at].rest();
            return;
        };
        if !unit.at.within(condor.at, balance::DOCK) {
            self.approach(at, condor.at);
        } else if self.passengers(carrier).count() < balance::CONDOR_SEATS {
            let unit = &mut self.state.units[at];
            unit.rest();
            unit.carrier = carrier;
        } else {
            self.state.units[at].rest();
        }
    }

    /// A Condor puts down its passengers around it, or its Goliath under it.
    fn put_down(&mut self, at: usize) {
        let condor = self.state.units[at];
        self.state.units[at].rest();
        if condor.hauls != NOBODY {
            self.release(condor.hauls);
        }
        let Some(spot) = self.ground.nearest_open(condor.at.tile()) else {
            return;
        };
        let spot = if self.ground.is_free(condor.at) {
            condor.at
        } else {
            Point::of_tile(spot)
        };
        let mut place = 0;
        for unit in &mut self.state.units {
            if unit.carrier == condor.id {
                unit.carrier = NOBODY;
                // Two rows of three, a third of a tile apart; `motion` spreads them out from there.
                let aside = Point {
                    x: (place % 3 - 1) * SUBS_PER_TILE / 3,
                    y: (place / 3 * 2 - 1) * SUBS_PER_TILE / 6,
                };
                unit.at = self.ground.walk(spot, aside.facing(condor.side));
                unit.rest();
                place += 1;
            }
        }
    }

    fn hooking(&mut self, at: usize, goliath: u32) {
        match self.state.unit(goliath).copied() {
            Some(heavy) if heavy.carrier == NOBODY => {
                if !self.state.units[at].at.within(heavy.at, balance::HOOK / 2) {
                    self.approach(at, heavy.at);
                }
            }
            _ => self.state.units[at].rest(),
        }
    }

    /// The Condors that carry a Goliath, by id.
    fn haulers(&self, goliath: u32) -> impl Iterator<Item = &Unit> {
        self.state
            .units
            .iter()
            .filter(move |unit| unit.hauls == goliath && goliath != NOBODY)
    }

    /// For a Condor that carries with others and does not lead them: where the leader is, and its own rank.
    fn leader_if_follower(&self, unit: &Unit) -> Option<(Point, i32)> {
        if unit.hauls == NOBODY {
            return None;
        }
        let rank = self.haulers(unit.hauls).position(|own| own.id == unit.id)?;
        let leader = self.haulers(unit.hauls).next()?;
        (rank > 0).then_some((leader.at, rank as i32))
    }

    /// The Condor that decides where this one flies: itself, unless it carries with others.
    pub(crate) fn leader_of(&self, at: usize) -> usize {
        let hauls = self.state.units[at].hauls;
        self.haulers(hauls)
            .next()
            .and_then(|leader| self.state.unit_index(leader.id))
            .unwrap_or(at)
    }

    /// Hooks Goliaths whose Condors are all there, keeps what is carried under its carrier, and drops a Goliath that
    /// too few carry.
    fn settle_carried(&mut self) {
        let is_heavy = |unit: &&Unit| unit.kind == UnitKind::GOLIATH;
        let heavies: Vec<Unit> = self.state.units.iter().filter(is_heavy).copied().collect();
        for heavy in heavies {
            if heavy.carrier == NOBODY {
                self.hook(&heavy);
            } else if self.haulers(heavy.id).count() < balance::LIFT_CONDORS {
                self.release(heavy.id);
            } else {
                let leader = self.haulers(heavy.id).next().map(|unit| unit.id);
                if let Some(at) = self.state.unit_index(heavy.id) {
                    self.state.units[at].carrier = leader.unwrap_or(NOBODY);
                }
            }
        }
        for at in 0..self.state.units.len() {
            let carrier = self.state.units[at].carrier;
            if let Some(condor) = self.state.unit(carrier) {
                self.state.units[at].at = condor.at;
            }
        }
    }

    fn hook(&mut self, heavy: &Unit) {
        let goliath = heavy.id;
        let near = |unit: &&Unit| {
            unit.task == Task::Lift { goliath } && unit.at.within(heavy.at, balance::HOOK)
        };
        let ready: Vec<u32> = self
            .state
            .units
            .iter()
            .filter(near)
            .map(|unit| unit.id)
            .collect();
        if ready.len() < balance::LIFT_CONDORS {
            return;
        }
        for unit in &mut self.state.units {
            if ready.contains(&unit.id) {
                unit.rest();
                unit.hauls = goliath;
            } else if unit.id == goliath {
                unit.rest();
                unit.carrier = ready[0];
            }
        }
        self.events.push(FxEvent::GoliathHooked {
            id: goliath,
            side: heavy.side,
            up: true,
        });
    }

    /// Puts a carried Goliath down at the open ground nearest to where it is.
    fn release(&mut self, goliath: u32) {
        for unit in &mut self.state.units {
            if unit.hauls == goliath {
                unit.hauls = NOBODY;
            }
            if unit.id == goliath {
                if !self.ground.is_free(unit.at)
                    && let Some(spot) = self.ground.nearest_open(unit.at.tile())
                {
                    unit.at = Point::of_tile(spot);
                }
                unit.carrier = NOBODY;
                unit.rest();
                self.events.push(FxEvent::GoliathHooked {
                    id: goliath,
                    side: unit.side,
                    up: false,
                });
            }
        }
    }

    /// A repair unit mends the most damaged thing of plate or walls near it.
    fn repair(&mut self, at: usize) {
        let (side, here, own) = {
            let unit = &self.state.units[at];
            (unit.side, unit.at, unit.id)
        };
        let missing_unit = |unit: &Unit| balance::unit(unit.kind).hp - unit.hp;
        let worst = self
            .state
            .units
            .iter()
            .enumerate()
            .filter(|(_, unit)| {
                unit.side == side
                    && unit.id != own
                    && unit.carrier == NOBODY
                    && balance::unit(unit.kind).armour == Armour::Plate
                    && unit.at.within(here, balance::REPAIR_REACH)
            })
            .max_by_key(|(place, unit)| (missing_unit(unit), core::cmp::Reverse(*place)))
            .map(|(place, _)| place);
        if let Some(place) = worst
            && missing_unit(&self.state.units[place]) > 0
        {
            let unit = &mut self.state.units[place];
            unit.hp = (unit.hp + balance::REPAIR_HP).min(balance::unit(unit.kind).hp);
            return;
        }
        let rules = self.rules;
        let wall = self.state.buildings.iter_mut().find(|building| {
            building.side == side
                && building.hp < rules.whole(building.kind)
                && building
                    .nearest_point(here)
                    .within(here, balance::REPAIR_REACH)
        });
        if let Some(building) = wall {
            building.hp = (building.hp + balance::REPAIR_HP).min(rules.whole(building.kind));
        }
    }

    /// As [`Self::target_point`], of where the unit was when the tick began.
    fn point_before(&self, id: u32, from: Point) -> Option<Point> {
        match self.state.unit_index(id) {
            Some(at) => (!self.places[at].carried).then_some(self.places[at].at),
            None => self.target_point(id, from),
        }
    }

    /// As [`Self::sees`], of where the unit was when the tick began.
    fn saw(&self, side: Side, id: u32) -> bool {
        match self.state.unit_index(id) {
            Some(at) => {
                let place = self.places[at];
                !place.carried && self.lights(side, place.at.tile())
            }
            None => self.sees(side, id),
        }
    }

    /// True if the side has something that sees that unit or building now.
    pub(crate) fn sees(&self, side: Side, id: u32) -> bool {
        if let Some(unit) = self.state.unit(id) {
            return unit.carrier == NOBODY && self.lights(side, unit.at.tile());
        }
        self.state
            .building(id)
            .is_some_and(|building| building.footprint().any(|tile| self.lights(side, tile)))
    }

    pub(crate) fn lights(&self, side: Side, tile: Tile) -> bool {
        crate::fog::is_set(&self.fog.visible[side], tile)
    }
}
