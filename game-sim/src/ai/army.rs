//! An AI's fighting: gather, assault, defend and scout.

use super::{Ai, Timer};
use crate::{
    Activity, BuildingKind, Command, Point, SUBS_PER_TILE, UnitKind, UnitView, World, balance,
};
use alloc::vec::Vec;
use match_feed::duel::Side;
use versus_codec::kit::{Cell, Tile};

/// Enemies this near to home are an attack.
const ALARM: i32 = 15 * SUBS_PER_TILE;
/// Ticks between two orders to the same assault.
const ASSAULT_PAUSE: u32 = 60;
/// Ticks between two calls to defend.
const DEFENCE_PAUSE: u32 = 40;
/// Ticks between looks for a use of powers and artillery.
const SPECIAL_PAUSE: u32 = 50;

/// Ticks of waiting after which an assault may be one unit smaller, down to the least that is sent.
const PATIENCE: u32 = 30;
const ASSAULT_LEAST: usize = 5;
/// How far from the enemy's home an assault gathers, how near to that place counts, and how long it waits.
const MUSTER_SHORT: i32 = 26 * SUBS_PER_TILE;
const MUSTERED: i32 = 7 * SUBS_PER_TILE;
const MUSTER_TICKS: u32 = 600;
/// So many at the gathering place with nothing to do but push are told to stand.
const JOSTLING: usize = 4;

/// How far around its front an assault counts peers and enemies, and what of its own strength, in percent, it takes
/// to make it fall back.
const MELEE: i32 = 12 * SUBS_PER_TILE;
const FALL_BACK_PERCENT: u32 = 180;
/// A percent more for so many ticks of the match: sooner or later somebody has to dare.
const DARING_TICKS: u32 = 10;
/// Ticks before one that fell back is sent again: it walks home, and others join it.
const REGROUP_TICKS: u32 = 450;

#[derive(Clone, Debug, Default)]
pub(super) struct Army {
    /// Units sent to the enemy.
    assault: Vec<u32>,
    /// How many assaults there have been.
    sent: usize,
    /// When the last one was sent.
    last_sent: u32,
    march: Timer,
    defence: Timer,
    special: Timer,
    scouting: Timer,
    /// After an assault fell back.
    regroups: Timer,
    /// The assault has gathered and goes for the enemy's base.
    strikes: bool,
    alarm: bool,
    /// Armed enemies in sight near home, and own fighters there.
    intruders: usize,
    defenders: usize,
    /// An attack was beaten off since the last assault was sent.
    beaten_off: bool,
}

impl Army {
    pub(super) const fn is_defending(&self) -> bool {
        self.alarm
    }

    /// More armed enemies are near home than fighters.
    pub(super) const fn is_outnumbered(&self) -> bool {
        self.alarm && self.intruders > self.defenders
    }

    /// Armed enemies in sight near home.
    pub(super) const fn intruders(&self) -> usize {
        self.intruders
    }

    /// The assault has gathered and goes for the enemy's base.
    pub(super) const fn is_striking(&self) -> bool {
        self.strikes && !self.assault.is_empty()
    }

    /// True for a unit sent to the enemy.
    pub(super) fn is_sent(&self, id: u32) -> bool {
        self.assault.contains(&id)
    }

    /// These fight at the front now.
    pub(super) fn enlist(&mut self, ids: &[u32]) {
        self.assault.extend(ids);
    }
}

/// What a fighter is worth as it is: its cost, by its hit points.
fn strength(unit: &UnitView) -> u32 {
    let spec = balance::unit(unit.kind);
    if spec.weapon.is_some() {
        spec.cost * unit.hp.max(0) as u32 / unit.hp_whole.max(1) as u32
    } else {
        0
    }
}

/// True for what can fight and be sent.
fn is_fighter(unit: &UnitView) -> bool {
    balance::unit(unit.kind).weapon.is_some() || unit.kind == UnitKind::REPAIR
}

impl Ai {
    pub(super) fn run_army(&mut self, world: &World, orders: &mut Vec<Command>) {
        let now = world.tick().0;
        let fighters: Vec<UnitView> = world
            .units()
            .filter(|unit| unit.side == self.side && unit.carrier.is_none() && is_fighter(unit))
            .collect();
        self.army
            .assault
            .retain(|id| fighters.iter().any(|unit| unit.id == *id));
        if self.army.defence.is_due(now) {
            self.army
                .defence
                .wait(now, DEFENCE_PAUSE.max(self.habits.pause));
            self.defend(world, &fighters, orders);
        }
        if self.army.march.is_due(now) {
            self.army
                .march
                .wait(now, ASSAULT_PAUSE.max(self.habits.pause));
            self.march(world, &fighters, orders);
        }
        if self.army.special.is_due(now) {
            self.army
                .special
                .wait(now, SPECIAL_PAUSE.max(self.habits.pause));
            self.use_specials(world, &fighters, orders);
        }
        if self.army.scouting.is_due(now) {
            self.army.scouting.wait(now, 300);
            self.scout(world, &fighters, orders);
        }
    }

    pub(super) fn reserve<'a>(
        &'a self,
        fighters: &'a [UnitView],
    ) -> impl Iterator<Item = &'a UnitView> {
        fighters
            .iter()
            .filter(|unit| !self.army.assault.contains(&unit.id))
    }

    fn defend(&mut self, world: &World, fighters: &[UnitView], orders: &mut Vec<Command>) {
        let home = Point::of_tile(world.home(self.side));
        let intruders: Vec<UnitView> = world
            .units()
            .filter(|unit| {
                unit.side != self.side
                    && unit.carrier.is_none()
                    && unit.at.within(home, ALARM)
                    && world.visible(self.side, unit.at.tile())
                    && balance::unit(unit.kind).weapon.is_some()
            })
            .collect();
        let intruder = intruders
            .iter()
            .min_by_key(|unit| unit.at.distance_squared(home));
        self.army.intruders = intruders.len();
        self.army.defenders = fighters
            .iter()
            .filter(|unit| unit.at.within(home, ALARM))
            .count();
        // An attack beaten off leaves the enemy weak: now is the time.
        self.army.beaten_off |= self.army.alarm && intruder.is_none();
        self.army.alarm = intruder.is_some();
        let Some(intruder) = intruder else { return };
        let unit_ids: Vec<u32> = self
            .reserve(fighters)
            .filter(|unit| unit.activity == Activity::Idle && unit.target.is_none() && !unit.dug_in)
            .map(|unit| unit.id)
            .collect();
        if !unit_ids.is_empty() {
            orders.push(Command::AttackMove {
                unit_ids,
                at: self.cell(world, intruder.at),
            });
        }
    }

    /// An assault gathers short of the enemy before it strikes: those who come one by one die one by one.
    fn march(&mut self, world: &World, fighters: &[UnitView], orders: &mut Vec<Command>) {
        let now = world.tick().0;
        let goal = self.goal(world);
        let muster = self.muster(world);
        let out: Vec<&UnitView> = fighters
            .iter()
            .filter(|unit| self.army.assault.contains(&unit.id) && !unit.dug_in)
            .collect();
        let at_muster = |unit: &&&UnitView| unit.at.within(Point::of_cell(muster), MUSTERED);
        if !self.army.strikes && !out.is_empty() {
            let there = out.iter().filter(at_muster).count();
            let late = now.saturating_sub(self.army.last_sent) > MUSTER_TICKS;
            self.army.strikes = late || there * 4 >= out.len() * 3;
            if self.army.strikes {
                let unit_ids = out.iter().map(|unit| unit.id).collect();
                orders.push(Command::AttackMove { unit_ids, at: goal });
                return;
            }
        }
        if self.falls_back(world, &out, orders) {
            return;
        }
        // Those who have nothing left to do go on.
        let idle: Vec<u32> = out
            .iter()
            .filter(|unit| unit.activity == Activity::Idle && unit.target.is_none())
            .filter(|unit| self.army.strikes || !at_muster(unit))
            .map(|unit| unit.id)
            .collect();
        if !idle.is_empty() {
            let at = if self.army.strikes { goal } else { muster };
            orders.push(Command::AttackMove { unit_ids: idle, at });
        }
        // Those who are there stand still instead of jostling for the very spot.
        let jostling: Vec<u32> = out
            .iter()
            .filter(|unit| !self.army.strikes && at_muster(unit))
            .filter(|unit| unit.activity == Activity::AttackMoving && unit.target.is_none())
            .filter(|unit| unit.at.within(Point::of_cell(muster), MUSTERED / 2))
            .map(|unit| unit.id)
            .collect();
        if jostling.len() >= JOSTLING {
            orders.push(Command::Stop { unit_ids: jostling });
        }
        self.launch(world, fighters, orders);
    }

    /// An assault that meets more than it can beat goes home, to come back as a larger one.
    fn falls_back(&mut self, world: &World, out: &[&UnitView], orders: &mut Vec<Command>) -> bool {
        let fights = out.iter().find(|unit| unit.target.is_some());
        let Some(front) = fights.map(|unit| unit.at) else {
            return false;
        };
        let near = |at: Point| at.within(front, MELEE);
        let own: u32 = out
            .iter()
            .filter(|unit| near(unit.at))
            .map(|unit| strength(unit))
            .sum();
        let units = world.units().filter(|unit| {
            unit.side != self.side
                && unit.carrier.is_none()
                && near(unit.at)
                && world.visible(self.side, unit.at.tile())
        });
        let units: u32 = units.map(|unit| strength(&unit)).sum();
        let turrets =
            self.memory.buildings().iter().filter(|known| {
                balance::building(known.kind).weapon.is_some() && near(known.middle)
            });
        let turrets = turrets.filter_map(|known| balance::building(known.kind).cost);
        let against = units + turrets.sum::<u32>();
        let daring = FALL_BACK_PERCENT + world.tick().0 / DARING_TICKS;
        if against * 100 < own * daring {
            return false;
        }
        let unit_ids = out.iter().map(|unit| unit.id).collect();
        orders.push(Command::Move {
            unit_ids,
            at: self.gathering(world),
        });
        self.army.assault.clear();
        self.army.strikes = false;
        self.army.last_sent = world.tick().0;
        self.army.regroups.wait(world.tick().0, REGROUP_TICKS);
        true
    }

    fn launch(&mut self, world: &World, fighters: &[UnitView], orders: &mut Vec<Command>) {
        let now = world.tick().0;
        let ride = self.lifts && self.has_condors(world);
        let ready: Vec<u32> = self
            .reserve(fighters)
            .filter(|unit| {
                unit.kind != UnitKind::SCOUT && !unit.dug_in && unit.activity != Activity::Boarding
            })
            .filter(|unit| unit.kind != UnitKind::GOLIATH || !ride)
            .map(|unit| unit.id)
            .collect();
        let wanted = self.habits.first_assault + self.habits.growth * self.army.sent;
        let wanted = if self.army.beaten_off {
            wanted / 2
        } else {
            wanted
        };
        // The longer nothing happens, the fewer have to do: waiting for an army that the economy no longer carries
        // would hand the match to the clock.
        let waited = now.saturating_sub(self.army.last_sent) / PATIENCE;
        let wanted = wanted.saturating_sub(waited as usize).max(ASSAULT_LEAST);
        // An army at the cap goes, however large an assault was hoped for.
        let wanted = wanted.min(balance::UNITS_PER_SIDE_MAX / 2);
        let musters = !self.army.strikes && !self.army.assault.is_empty();
        let regroups = !self.army.regroups.is_due(now);
        if ready.len() < wanted || self.army.alarm || musters || regroups {
            return;
        }
        // What follows an assault that is still fighting goes straight to it.
        let joins = self.army.strikes && self.army.assault.len() >= ASSAULT_LEAST;
        self.army.strikes = joins;
        self.army.sent += 1;
        self.army.beaten_off = false;
        self.army.last_sent = now;
        self.army.assault.extend(&ready);
        let at = if joins {
            self.goal(world)
        } else {
            self.muster(world)
        };
        orders.push(Command::AttackMove {
            unit_ids: ready,
            at,
        });
    }

    /// Where an assault gathers: on the way, out of the reach of a base's guns.
    pub(super) fn muster(&self, world: &World) -> Cell {
        let home = Point::of_tile(world.home(self.side));
        let enemy = Point::of_tile(world.home(self.side.other()));
        self.cell(world, enemy + (home - enemy).with_length(MUSTER_SHORT))
    }

    /// Where an assault goes: the command centre; where its home must be while that has not been seen.
    pub(super) fn goal(&self, world: &World) -> Cell {
        let known = self.memory.buildings();
        let centre = known.iter().find(|known| known.kind == BuildingKind::HQ);
        let home = Point::of_tile(world.home(self.side.other()));
        self.cell(world, centre.map_or(home, |known| known.middle))
    }

    /// Idle scouts look at somewhere new.
    fn scout(&mut self, world: &World, fighters: &[UnitView], orders: &mut Vec<Command>) {
        let scouts: Vec<u32> = fighters
            .iter()
            .filter(|unit| unit.kind == UnitKind::SCOUT && unit.activity == Activity::Idle)
            .map(|unit| unit.id)
            .collect();
        if scouts.is_empty() {
            return;
        }
        let size = world.map_size();
        let (tx, ty) = (
            self.dice.below(size.width()),
            self.dice.below(size.height()),
        );
        let at = match self.side {
            Side::Blue => Tile { tx, ty },
            Side::Red => Tile {
                tx: size.width() - 1 - tx,
                ty: size.height() - 1 - ty,
            },
        };
        orders.push(Command::Move {
            unit_ids: scouts,
            at: self.cell(world, Point::of_tile(at)),
        });
    }
}
