//! An AI's economy: what to build next and where, what to train, and when to call for help.

use super::{Ai, Timer};
use crate::{
    BuildingKind, BuildingView, Command, Point, SUBS_PER_TILE, UnitKind, World, balance, dice::Dice,
};
use alloc::{collections::BTreeMap, vec::Vec};
use versus_codec::kit::{Cell, Tile};

#[derive(Clone, Debug, Default)]
pub(super) struct Base {
    build: Timer,
    train: Timer,
    wave: Timer,
    mining: Timer,
    /// Buildings whose rally point is set.
    rallied: Vec<u32>,
    /// What each building makes next, once there are credits for it.
    wishes: BTreeMap<u32, UnitKind>,
    /// When it wants an airfield: a matter of temper.
    airfield_from: u32,
    /// What is saved for: nothing else may eat these credits.
    reserve: u32,
}

impl Base {
    pub(super) fn new(dice: &mut Dice) -> Self {
        Self {
            airfield_from: 900 + dice.below(1500),
            ..Self::default()
        }
    }
}

/// Credits with which a building is begun even while the enemy is stronger at home.
const START_UNDER_FIRE: u32 = 1000;
/// How far from home it looks for room, tiles.
const SPREAD: i32 = 14;

impl Ai {
    pub(super) fn run_base(&mut self, world: &World, orders: &mut Vec<Command>) {
        let now = world.tick().0;
        if self.base.build.is_due(now) {
            self.base.build.wait(now, self.habits.pause);
            self.build(world, orders);
        }
        if self.base.train.is_due(now) {
            self.base.train.wait(now, self.habits.pause);
            self.train(world, orders);
            self.rally(world, orders);
        }
        if self.base.wave.is_due(now) {
            self.base.wave.wait(now, 4 * self.habits.pause);
            let rich = self.purse >= balance::WAVE_COST + self.base.reserve;
            if self.habits.powers && rich && world.wave_ready(self.side) <= world.tick() {
                self.purse -= balance::WAVE_COST;
                orders.push(Command::CallWave);
            }
        }
        if self.base.mining.is_due(now) {
            self.base.mining.wait(now, 3 * self.habits.pause);
            self.send_idle_harvesters(world, orders);
        }
    }

    pub(super) fn count(&self, world: &World, kind: BuildingKind) -> usize {
        let own = |building: &BuildingView<'_>| building.side == self.side && building.kind == kind;
        world.buildings().filter(own).count()
    }

    fn count_units(&self, world: &World, kind: UnitKind) -> usize {
        let own = |unit: &crate::UnitView| unit.side == self.side && unit.kind == kind;
        world.units().filter(own).count()
    }

    fn build(&mut self, world: &World, orders: &mut Vec<Command>) {
        match world.site(self.side) {
            Some((kind, 1000)) => {
                orders.push(match self.find_room(world, kind) {
                    Some(at) => Command::PlaceBuilding { at },
                    None => Command::CancelBuilding,
                });
            }
            Some(_) => {}
            None => {
                // With the enemy at home and nothing to spare, what is not a turret can wait.
                let spare = self.purse >= START_UNDER_FIRE || !self.army.is_outnumbered();
                let next = self
                    .next_building(world)
                    .filter(|&kind| kind == BuildingKind::TURRET || spare);
                let cost = next.and_then(|kind| balance::building(kind).cost);
                self.base.reserve = cost.unwrap_or(0);
                if let (Some(building_kind), Some(cost)) = (next, cost)
                    && self.purse >= cost
                {
                    self.purse -= cost;
                    self.base.reserve = 0;
                    orders.push(Command::StartBuilding { building_kind });
                }
            }
        }
    }

    /// The first thing missing from what a base should have by now.
    fn next_building(&self, world: &World) -> Option<BuildingKind> {
        let habits = &self.habits;
        let have = |kind| self.count(world, kind);
        let rich = |credits: u32| world.credits(self.side) >= credits;
        let after = |tick: u32| world.tick().0 >= tick;
        let wanted = [
            (
                BuildingKind::TURRET,
                habits.turrets + 1,
                self.wants_turret(world),
            ),
            (BuildingKind::REFINERY, 1, true),
            (BuildingKind::BARRACKS, 1, true),
            (BuildingKind::FACTORY, 1, true),
            (BuildingKind::REFINERY, 2.min(habits.refineries), true),
            (BuildingKind::TURRET, 1.min(habits.turrets), after(600)),
            (BuildingKind::FACTORY, habits.factories, rich(1200)),
            (BuildingKind::UPLINK, 1, habits.powers && after(700)),
            (
                BuildingKind::AIRFIELD,
                1,
                habits.powers && after(self.base.airfield_from),
            ),
            (BuildingKind::BARRACKS, habits.barracks, rich(1200)),
            (BuildingKind::REFINERY, habits.refineries, rich(1400)),
            (BuildingKind::TURRET, habits.turrets, rich(1000)),
        ];
        let missing = wanted.into_iter().find(|&(kind, count, when)| {
            when && have(kind) < count
                && !world.bans_building(kind)
                && self.has_ore_for(world, kind)
        });
        let (kind, ..) = missing?;
        let short = world.power(self.side) + balance::building(kind).power < 0;
        Some(if short { BuildingKind::REACTOR } else { kind })
    }

    /// Refineries are for ore: none is wanted where little is left.
    fn has_ore_for(&self, world: &World, kind: BuildingKind) -> bool {
        let left = || {
            world
                .ore_tiles()
                .map(|(_, ore)| u32::from(ore))
                .sum::<u32>()
        };
        kind != BuildingKind::REFINERY || left() > 4000
    }

    /// Where a building should stand: turrets toward the enemy, refineries by ore, the rest close to home; with a
    /// lane around it, so that the base does not wall itself in.
    fn find_room(&self, world: &World, kind: BuildingKind) -> Option<Tile> {
        let home = Point::of_tile(world.home(self.side));
        let enemy = Point::of_tile(world.home(self.side.other()));
        let standing: Vec<BuildingView<'_>> = world.buildings().collect();
        let mut best: Option<(i32, Tile)> = None;
        for dy in -SPREAD..=SPREAD {
            for dx in -SPREAD..=SPREAD {
                // Both sides go through the same places as each sees them.
                let at = world.home_tile(self.side, kind, dx, dy);
                let walled_in = standing.iter().any(|other| touches(other, kind, at));
                if walled_in || !world.can_place(self.side, kind, at) {
                    continue;
                }
                let spot = middle_of(kind, at);
                let from_home = spot.distance(home);
                let score = match kind {
                    BuildingKind::TURRET => {
                        spot.distance(enemy) + 2 * (from_home - 7 * SUBS_PER_TILE).abs()
                    }
                    BuildingKind::REFINERY => nearest_ore(world, spot) * 2 + from_home,
                    _ => 2 * from_home - spot.distance(enemy),
                };
                if best.is_none_or(|(least, _)| score < least) {
                    best = Some((score, at));
                }
            }
        }
        best.map(|(_, at)| at)
    }

    fn train(&mut self, world: &World, orders: &mut Vec<Command>) {
        let harvesters = self.count_units(world, UnitKind::HARVESTER);
        // Condors that wait for a Goliath should have one, and the credits for it come from what others would make.
        let rides = self.lifts
            && self.has_condors(world)
            && self.count_units(world, UnitKind::GOLIATH) == 0
            && self.count(world, BuildingKind::UPLINK) > 0;
        let refineries = self.count(world, BuildingKind::REFINERY);
        let mut wants_harvester = !self.is_raided()
            && harvesters < refineries * self.habits.harvesters
            && world.ore_tiles().next().is_some();
        let makers: Vec<(u32, BuildingKind, usize)> = world
            .buildings()
            .filter(|building| building.side == self.side)
            .map(|building| (building.id, building.kind, building.queue.len()))
            .collect();
        for (building_id, maker, queued) in makers {
            if queued > 1 {
                continue;
            }
            if rides && maker == BuildingKind::FACTORY {
                self.base.wishes.insert(building_id, UnitKind::GOLIATH);
            }
            let wish = self.base.wishes.get(&building_id).copied();
            let kind = if maker == BuildingKind::FACTORY && wants_harvester && queued == 0 {
                wants_harvester = false;
                Some(UnitKind::HARVESTER)
            } else {
                wish.or_else(|| self.choose(world, maker))
            };
            let Some(unit_kind) = kind else { continue };
            if unit_kind != UnitKind::HARVESTER {
                self.base.wishes.insert(building_id, unit_kind);
            }
            let cost = balance::unit(unit_kind).cost;
            // Two ahead only when rich: credits in a queue are credits that do not fight.
            let saved = if rides && unit_kind != UnitKind::GOLIATH {
                balance::unit(UnitKind::GOLIATH).cost
            } else {
                0
            };
            let keep = self.base.reserve + saved + if queued == 0 { 0 } else { 800 };
            let urgent = unit_kind == UnitKind::HARVESTER || self.army.is_defending();
            if self.purse >= cost + if urgent { 0 } else { keep } {
                self.purse -= cost;
                self.base.wishes.remove(&building_id);
                orders.push(Command::Produce {
                    building_id,
                    unit_kind,
                });
            }
        }
    }

    /// A fighter that this building can make, by weight.
    fn choose(&mut self, world: &World, maker: BuildingKind) -> Option<UnitKind> {
        let air = world.units().filter(|unit| {
            unit.side != self.side
                && balance::unit(unit.kind).armour == balance::Armour::Air
                && world.visible(self.side, unit.at.tile())
        });
        let flak = if air.count() > 0 { 30 } else { 3 };
        let own = |kind: UnitKind| self.count_units(world, kind);
        let condor = if own(UnitKind::CONDOR) < balance::LIFT_CONDORS {
            60
        } else {
            0
        };
        let goliath = if self.lifts { 20 } else { 10 };
        let scout = if own(UnitKind::SCOUT) == 0 { 15 } else { 0 };
        #[rustfmt::skip]
        let weights: [(UnitKind, u32); 11] = [
            (UnitKind::RIFLE, 50), (UnitKind::ROCKET, 50),
            (UnitKind::TANK, 60), (UnitKind::FLAK, flak), (UnitKind::ARTILLERY, 8), (UnitKind::GOLIATH, goliath),
            (UnitKind::REPAIR, 3), (UnitKind::SCOUT, scout),
            (UnitKind::FIGHTER, 35), (UnitKind::BOMBER, 45), (UnitKind::CONDOR, condor),
        ];
        let owns = |kind: BuildingKind| self.count(world, kind) > 0;
        let able: Vec<(UnitKind, u32)> = weights
            .into_iter()
            .filter(|&(kind, _)| {
                let spec = balance::unit(kind);
                spec.made_in == maker && !world.bans_unit(kind) && spec.needs.is_none_or(owns)
            })
            .collect();
        let total: u32 = able.iter().map(|(_, weight)| weight).sum();
        if total == 0 {
            return None;
        }
        let mut draw = self.dice.below(total);
        able.into_iter().find_map(|(kind, weight)| {
            if draw < weight {
                return Some(kind);
            }
            draw -= weight;
            None
        })
    }

    /// New buildings send what they make to the gathering place.
    fn rally(&mut self, world: &World, orders: &mut Vec<Command>) {
        let makers = [
            BuildingKind::BARRACKS,
            BuildingKind::FACTORY,
            BuildingKind::AIRFIELD,
        ];
        let new = world.buildings().find(|building| {
            building.side == self.side
                && makers.contains(&building.kind)
                && !self.base.rallied.contains(&building.id)
        });
        if let Some(building) = new {
            self.base.rallied.push(building.id);
            orders.push(Command::Rally {
                building_id: building.id,
                at: self.gathering(world),
            });
        }
    }

    /// The gathering place: ten tiles from home toward the enemy.
    pub(super) fn gathering(&self, world: &World) -> Cell {
        let home = Point::of_tile(world.home(self.side));
        let enemy = Point::of_tile(world.home(self.side.other()));
        let toward = (enemy - home).with_length(9 * SUBS_PER_TILE);
        self.cell(world, home + toward)
    }

    /// Idle harvesters go to the ore nearest to home that no enemy stands at.
    fn send_idle_harvesters(&self, world: &World, orders: &mut Vec<Command>) {
        let idle: Vec<u32> = world
            .units()
            .filter(|unit| {
                unit.side == self.side
                    && unit.kind == UnitKind::HARVESTER
                    && unit.activity == crate::Activity::Idle
            })
            .map(|unit| unit.id)
            .collect();
        if idle.is_empty() {
            return;
        }
        let home = Point::of_tile(world.home(self.side));
        let tiles = world
            .ore_tiles()
            .map(|(tile, _)| tile)
            .filter(|&tile| !self.is_dangerous(world, Point::of_tile(tile)));
        let ore = self.first_least(tiles, |&tile| Point::of_tile(tile).distance_squared(home));
        if let Some(tile) = ore {
            orders.push(Command::Harvest {
                unit_ids: idle,
                at: self.cell(world, Point::of_tile(tile)),
            });
        }
    }
}

/// True if a building of `kind` at `at` would stand wall to wall with `other`.
fn touches(other: &BuildingView<'_>, kind: BuildingKind, at: Tile) -> bool {
    let (width, height) = balance::building(kind).tiles;
    let (w, h) = other.tiles;
    at.tx <= other.at.tx + w
        && other.at.tx <= at.tx + width
        && at.ty <= other.at.ty + h
        && other.at.ty <= at.ty + height
}

fn middle_of(kind: BuildingKind, at: Tile) -> Point {
    let (width, height) = balance::building(kind).tiles;
    Point {
        x: (2 * at.tx + width) as i32 * SUBS_PER_TILE / 2,
        y: (2 * at.ty + height) as i32 * SUBS_PER_TILE / 2,
    }
}

fn nearest_ore(world: &World, spot: Point) -> i32 {
    world
        .ore_tiles()
        .map(|(tile, _)| Point::of_tile(tile).distance(spot))
        .min()
        .unwrap_or(0)
}
