//! Finding targets, shooting, taking hits and dying.

use crate::{
    BuildingKind, FxEvent, Point, SUBS_PER_TILE, World,
    balance::{self, Armour, Weapon},
    hit::Hit,
    state::{Anchor, NOBODY, Task, Unit, nth_of_side},
};
use match_feed::duel::{PerSide, Side};

impl World {
    /// What a unit shoots with as it is now.
    pub(crate) fn weapon_of(&self, unit: &Unit) -> Option<&'static Weapon> {
        let spec = balance::unit(unit.kind);
        match unit.anchor {
            Anchor::Packed => spec.weapon.as_ref(),
            Anchor::Anchored => spec.anchored.as_ref(),
            Anchor::DiggingIn { .. } | Anchor::PackingUp { .. } => None,
        }
    }

    /// Whose that is, and what it is made of.
    pub(crate) fn armour_of(&self, id: u32) -> Option<(Side, Armour)> {
        if let Some(unit) = self.state.unit(id) {
            return Some((unit.side, balance::unit(unit.kind).armour));
        }
        let building = self.state.building(id)?;
        Some((building.side, Armour::Wall))
    }

    /// The point of that unit or building nearest to `from`; `None` if it is gone or carried.
    pub(crate) fn target_point(&self, id: u32, from: Point) -> Option<Point> {
        if let Some(unit) = self.state.unit(id) {
            return (unit.carrier == NOBODY).then_some(unit.at);
        }
        self.state
            .building(id)
            .map(|building| building.nearest_point(from))
    }

    /// Everyone who can shoot gives up lost targets and, every few ticks, looks for a better one.
    pub(crate) fn find_targets(&mut self) {
        let now = self.state.tick.0;
        for at in 0..self.state.units.len() {
            let unit = &self.state.units[at];
            let Some(weapon) = self.weapon_of(unit).filter(|_| unit.carrier == NOBODY) else {
                self.state.units[at].target = NOBODY;
                continue;
            };
            let looks = match unit.task {
                Task::Idle | Task::AttackMove { .. } | Task::Move { .. } => true,
                Task::Attack { .. } => continue, // its target is its order
                _ => false,
            };
            let stays = matches!(unit.task, Task::Move { .. }) || unit.anchor == Anchor::Anchored;
            let beyond = if stays { 0 } else { balance::LOOK_BEYOND };
            let keeps = self.keeps_target(unit.side, unit.at, unit.target, weapon, stays);
            let mut target = if keeps && looks { unit.target } else { NOBODY };
            let due = (now + nth_of_side(unit.id)).is_multiple_of(balance::LOOK_EVERY);
            if looks && due && !self.is_firing_at_threat(unit, weapon) {
                let reach = weapon.range + beyond;
                target = self
                    .best_target(unit.side, unit.at, weapon, reach)
                    .unwrap_or(target);
            }
            self.state.units[at].target = target;
        }
        for at in 0..self.state.buildings.len() {
            let building = &self.state.buildings[at];
            let Some(weapon) = &balance::building(building.kind).weapon else {
                continue;
            };
            let (side, from) = (building.side, building.middle());
            let mut target = building.target;
            if !self.keeps_target(side, from, target, weapon, true) {
                target = NOBODY;
            }
            if target == NOBODY
                && (now + nth_of_side(building.id)).is_multiple_of(balance::LOOK_EVERY)
            {
                let found = self.best_target(side, from, weapon, weapon.range);
                target = found.unwrap_or(NOBODY);
            }
            self.state.buildings[at].target = target;
        }
    }

    fn keeps_target(
        &self,
        side: Side,
        from: Point,
        target: u32,
        weapon: &Weapon,
        stays: bool,
    ) -> bool {
        let reach = weapon.range + if stays { 0 } else { balance::LOSE_BEYOND };
        self.sees(side, target)
            && self
                .target_point(target, from)
                .is_some_and(|point| from.within(point, reach))
    }

    /// True for a unit in the middle of a fight that matters: a new look would change nothing.
    fn is_firing_at_threat(&self, unit: &Unit, weapon: &Weapon) -> bool {
        self.state.unit(unit.target).is_some_and(|target| {
            target.carrier == NOBODY && unit.at.within(target.at, weapon.range)
        })
    }

    /// The enemy in sight and within `reach` that is nearest, what shoots back preferred to walls.
    fn best_target(&self, side: Side, from: Point, weapon: &Weapon, reach: i32) -> Option<u32> {
        let mut best: Option<(i32, u32)> = None;
        let mut offer = |score: i32, id: u32| {
            // Of equals the oldest, not the first in a bucket.
            if best.is_none_or(|least| (score, id) < least) {
                best = Some((score, id));
            }
        };
        for at in self.buckets.near(from, reach) {
            let unit = &self.state.units[at];
            let spec = balance::unit(unit.kind);
            if unit.side == side
                || unit.carrier != NOBODY
                || weapon.versus[spec.armour as usize] == 0
                || !from.within(unit.at, reach)
                || from.within(unit.at, weapon.min_range - 1)
                || !self.lights(side, unit.at.tile())
            {
                continue;
            }
            let threat = if spec.weapon.is_some() {
                balance::THREAT_NEARER
            } else {
                0
            };
            offer(from.distance(unit.at) - threat, unit.id);
        }
        if weapon.versus[Armour::Wall as usize] > 0 {
            for building in &self.state.buildings {
                if building.side == side {
                    continue;
                }
                let point = building.nearest_point(from);
                if from.within(point, reach) && self.sees(side, building.id) {
                    let armed = balance::building(building.kind).weapon.is_some();
                    let worth = match building.kind {
                        BuildingKind::HQ => 0, // what the fight is about
                        _ if armed => -balance::THREAT_NEARER,
                        _ => balance::WALL_FARTHER,
                    };
                    offer(from.distance(point) + worth, building.id);
                }
            }
        }
        best.map(|(_, id)| id)
    }

    /// Everyone whose weapon is ready and whose target is in range shoots; then all shots land at once, so that
    /// nobody is saved by his place in the list.
    pub(crate) fn fire(&mut self) {
        self.hits.clear();
        for at in 0..self.state.units.len() {
            let unit = &mut self.state.units[at];
            unit.reload = unit.reload.saturating_sub(1);
            let unit = &self.state.units[at];
            if unit.reload > 0 || unit.target == NOBODY || unit.carrier != NOBODY {
                continue;
            }
            if let Some(weapon) = self.weapon_of(unit) {
                let (id, side, from, target) = (unit.id, unit.side, unit.at, unit.target);
                if self.shoot(id, side, from, target, weapon) {
                    self.state.units[at].reload = weapon.reload;
                }
            }
        }
        for at in 0..self.state.buildings.len() {
            let side = self.state.buildings[at].side;
            // Without power, turrets reload only now and then.
            let slow = !self
                .state
                .tick
                .0
                .is_multiple_of(balance::SHORT_POWER_RELOAD_EVERY);
            let building = &self.state.buildings[at];
            let Some(weapon) = &balance::building(building.kind).weapon else {
                continue;
            };
            if building.reload > 0 && !(slow && self.power_left(side) < 0) {
                self.state.buildings[at].reload -= 1;
            }
            let building = &self.state.buildings[at];
            if building.reload == 0 && building.target != NOBODY {
                let (id, from, target) = (building.id, building.middle(), building.target);
                if self.shoot(id, side, from, target, weapon) {
                    self.state.buildings[at].reload = weapon.reload;
                }
            }
        }
        let hits = core::mem::take(&mut self.hits);
        for hit in &hits {
            self.land(hit);
        }
        self.hits = hits;
    }

    /// Fires if the target is in range.
    fn shoot(&mut self, by: u32, side: Side, from: Point, target: u32, weapon: &Weapon) -> bool {
        let Some(to) = self.target_point(target, from) else {
            return false;
        };
        let Some((whose, armour)) = self.armour_of(target) else {
            return false;
        };
        let versus = weapon.versus[armour as usize];
        if whose == side
            || versus == 0
            || !from.within(to, weapon.range)
            || (weapon.min_range > 0 && from.within(to, weapon.min_range - 1))
        {
            return false;
        }
        let spread = self.state.dice[side].between(-balance::DAMAGE_SPREAD, balance::DAMAGE_SPREAD);
        let damage = weapon.damage * (100 + spread) / 100;
        self.hits.push(Hit {
            by,
            target,
            damage: damage * versus / 100,
        });
        if weapon.splash > 0 {
            let around = damage * balance::SPLASH_PERCENT / 100;
            self.splash(by, side, to, target, weapon, around);
        }
        self.events.push(FxEvent::Shot {
            side,
            from,
            to,
            splash: weapon.splash > 0,
        });
        true
    }

    /// The part of the damage that the enemy's others around a burst take.
    fn splash(
        &mut self,
        by: u32,
        side: Side,
        at: Point,
        spared: u32,
        weapon: &Weapon,
        damage: i32,
    ) {
        let reach = weapon.splash;
        let near = self.buckets.near(at, reach + SUBS_PER_TILE / 2);
        for other in near.map(|place| &self.state.units[place]) {
            if other.side != side
                && other.id != spared
                && other.carrier == NOBODY
                && other.at.within(at, reach)
            {
                let versus = weapon.versus[balance::unit(other.kind).armour as usize];
                self.hits.push(Hit {
                    by,
                    target: other.id,
                    damage: damage * versus / 100,
                });
            }
        }
    }

    fn land(&mut self, hit: &Hit) {
        let damage = hit.damage * self.rules.damage_percent / 100;
        if let Some(at) = self.state.unit_index(hit.target) {
            self.state.units[at].hp -= damage;
            self.retaliate(at, hit.by);
        } else if let Some(at) = self.state.building_index(hit.target) {
            self.state.buildings[at].hp -= self.on_walls(damage);
        }
    }

    /// Damage to walls, which crumble as the match grows long.
    fn on_walls(&self, damage: i32) -> i32 {
        let late = self.state.tick.0.saturating_sub(self.rules.crumble_from);
        let more = late * balance::CRUMBLE_PERCENT / 600;
        damage * (100 + more as i32) / 100
    }

    /// One that is shot at while it has nothing better to do shoots back.
    fn retaliate(&mut self, at: usize, by: u32) {
        let unit = &self.state.units[at];
        let free = matches!(unit.task, Task::Idle | Task::AttackMove { .. });
        if !free || unit.target != NOBODY {
            return;
        }
        let side = unit.side;
        let can_hit = self
            .weapon_of(unit)
            .zip(self.armour_of(by))
            .is_some_and(|(weapon, (_, armour))| weapon.versus[armour as usize] > 0);
        if can_hit && self.sees(side, by) {
            self.state.units[at].target = by;
        }
    }

    /// Strikes that fall now, and the burning that ends long matches.
    pub(crate) fn fall_and_burn(&mut self) {
        let now = self.state.tick;
        for place in 0..self.state.strikes.len() {
            let strike = self.state.strikes[place];
            if strike.falls == now {
                self.strike(strike.side, strike.at);
            }
        }
        self.state.strikes.retain(|strike| strike.falls > now);
        if now.0 >= self.rules.burn_from && now.0.is_multiple_of(10) {
            self.burn();
        }
    }

    /// Both command centres burn; the weaker side's faster, so that a long match goes to the stronger.
    fn burn(&mut self) {
        let worth = PerSide::from_fn(|side| self.worth(side));
        for building in &mut self.state.buildings {
            if building.kind == BuildingKind::HQ {
                let weaker = worth[building.side] < worth[building.side.other()];
                let times = if weaker {
                    balance::BURN_WEAKER_TIMES
                } else {
                    1
                };
                building.hp -= self.rules.burn_hp * times;
            }
        }
    }

    /// What everything a side has has cost.
    fn worth(&self, side: Side) -> u32 {
        let units = self.state.units.iter().filter(|unit| unit.side == side);
        let units = units.map(|unit| balance::unit(unit.kind).cost);
        let buildings = self.state.buildings_of(side);
        let buildings = buildings.filter_map(|building| balance::building(building.kind).cost);
        units.sum::<u32>() + buildings.sum::<u32>()
    }

    fn strike(&mut self, side: Side, at: Point) {
        let radius = balance::power(crate::Power::STRIKE).radius;
        self.events.push(FxEvent::StrikeFell { side, at });
        let at_distance = |far: i32| {
            let full = balance::STRIKE_DAMAGE;
            full - full / 2 * far / radius
        };
        for unit in &mut self.state.units {
            if unit.side != side && unit.carrier == NOBODY && unit.at.within(at, radius) {
                unit.hp -= at_distance(unit.at.distance(at));
            }
        }
        for building in &mut self.state.buildings {
            let point = building.nearest_point(at);
            if building.side != side && point.within(at, radius) {
                building.hp -= at_distance(point.distance(at));
            }
        }
    }

    /// Removes what has no hit points left, passengers with their Condor.
    pub(crate) fn bury(&mut self) {
        if self.state.units.iter().any(|unit| unit.hp <= 0) {
            for at in 0..self.state.units.len() {
                let (carrier, heavy) = {
                    let unit = &self.state.units[at];
                    (unit.carrier, unit.kind == crate::UnitKind::GOLIATH)
                };
                let lost = |condor: &Unit| condor.hp <= 0;
                if !heavy && self.state.unit(carrier).is_some_and(lost) {
                    self.state.units[at].hp = 0;
                }
            }
            let events = &mut self.events;
            self.state.units.retain(|unit| {
                if unit.hp <= 0 {
                    events.push(FxEvent::UnitLost {
                        id: unit.id,
                        side: unit.side,
                        kind: unit.kind,
                        at: unit.at,
                    });
                }
                unit.hp > 0
            });
        }
        self.clear_away(false);
    }
}
