//! An AI's use of what is special: artillery, powers, bombers, Condors and Goliaths.

use super::Ai;
use crate::{
    Activity, BuildingKind, Command, Point, Power, SUBS_PER_TILE, UnitKind, UnitView, World,
    balance,
};
use alloc::vec::Vec;

/// Infantry this near to a Condor is taken along, and so many make a raid worth it.
const NEAR_CONDOR: i32 = 12 * SUBS_PER_TILE;
const RAIDERS: usize = 4;
/// Ticks that a Condor waits for its passengers.
const BOARDING_TICKS: u32 = 150;

/// Credits that a scan and a drop leave for the army.
const SCAN_KEEP: u32 = 300;
const DROP_KEEP: u32 = 400;

/// What the Condors are about.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Raid {
    /// Nothing.
    #[default]
    None,
    /// Infantry is getting aboard.
    Boarding { condor: u32, until: u32 },
    /// On the way to where it gets off.
    Flying { condor: u32 },
}

impl Ai {
    pub(super) fn use_specials(
        &mut self,
        world: &World,
        fighters: &[UnitView],
        orders: &mut Vec<Command>,
    ) {
        self.artillery(world, fighters, orders);
        if !self.habits.powers {
            return;
        }
        self.powers(world, fighters, orders);
        self.bomb(world, fighters, orders);
        let condors: Vec<UnitView> = world
            .units()
            .filter(|unit| unit.side == self.side && unit.kind == UnitKind::CONDOR)
            .collect();
        if !condors.is_empty() && !self.lift(world, fighters, &condors, orders) {
            self.raid(world, fighters, &condors, orders);
        }
    }

    /// Bombers with nothing to do go for the command centre once somebody sees it.
    fn bomb(&self, world: &World, fighters: &[UnitView], orders: &mut Vec<Command>) {
        let known = self.memory.buildings().iter();
        let mut centres = known.filter(|known| {
            known.kind == BuildingKind::HQ && world.visible(self.side, known.middle.tile())
        });
        let unit_ids: Vec<u32> = fighters
            .iter()
            .filter(|unit| unit.kind == UnitKind::BOMBER && unit.activity != Activity::Attacking)
            .map(|unit| unit.id)
            .collect();
        if let Some(centre) = centres.next().filter(|_| !unit_ids.is_empty()) {
            orders.push(Command::Attack {
                unit_ids,
                target_id: centre.id,
            });
        }
    }

    /// A Condor takes infantry behind the enemy's lines.
    fn raid(
        &mut self,
        world: &World,
        fighters: &[UnitView],
        condors: &[UnitView],
        orders: &mut Vec<Command>,
    ) {
        let now = world.tick().0;
        let alive = |id: u32| condors.iter().any(|condor| condor.id == id);
        let aboard = |id: u32| -> Vec<u32> {
            let passengers = world.units().filter(|unit| unit.carrier == Some(id));
            passengers.map(|unit| unit.id).collect()
        };
        match self.raid {
            Raid::None => {
                if self.lifts && condors.len() <= balance::LIFT_CONDORS {
                    return; // they wait for a Goliath
                }
                let free = condors.iter().find(|condor| {
                    condor.activity == Activity::Idle && aboard(condor.id).is_empty()
                });
                let Some(condor) = free.filter(|_| !self.army.is_defending()) else {
                    return;
                };
                let unit_ids: Vec<u32> = self
                    .reserve(fighters)
                    .filter(|unit| {
                        balance::unit(unit.kind).armour == balance::Armour::Foot
                            && unit.activity == Activity::Idle
                            && unit.at.within(condor.at, NEAR_CONDOR)
                    })
                    .take(balance::CONDOR_SEATS)
                    .map(|unit| unit.id)
                    .collect();
                if unit_ids.len() >= RAIDERS {
                    self.raid = Raid::Boarding {
                        condor: condor.id,
                        until: now + BOARDING_TICKS,
                    };
                    orders.push(Command::Board {
                        unit_ids,
                        carrier_id: condor.id,
                    });
                }
            }
            Raid::Boarding { condor, until } => {
                let passengers = aboard(condor).len();
                if !alive(condor) || (now >= until && passengers == 0) {
                    self.raid = Raid::None;
                } else if now >= until || passengers >= RAIDERS {
                    self.raid = Raid::Flying { condor };
                    orders.push(Command::Unload {
                        unit_ids: [condor].into(),
                        at: Some(self.cell(world, self.raid_target(world))),
                    });
                    self.army.enlist(&aboard(condor));
                }
            }
            Raid::Flying { condor } => {
                if !alive(condor) || aboard(condor).is_empty() {
                    self.raid = Raid::None;
                    if alive(condor) {
                        orders.push(Command::Move {
                            unit_ids: [condor].into(),
                            at: self.gathering(world),
                        });
                    }
                }
            }
        }
    }

    /// A refinery, where there are harvesters; else the enemy's home.
    fn raid_target(&self, world: &World) -> Point {
        let known = self.memory.buildings().iter();
        let mut refineries = known.filter(|known| known.kind == BuildingKind::REFINERY);
        refineries.next().map_or_else(
            || Point::of_tile(world.home(self.side.other())),
            |known| known.middle,
        )
    }

    /// True with Condors enough for a Goliath.
    pub(super) fn has_condors(&self, world: &World) -> bool {
        let condors = world
            .units()
            .filter(|unit| unit.side == self.side && unit.kind == UnitKind::CONDOR);
        condors.count() >= balance::LIFT_CONDORS
    }

    /// Two Condors take a Goliath to where assaults gather: by itself it would be days on the way. True while they do.
    fn lift(
        &mut self,
        world: &World,
        fighters: &[UnitView],
        condors: &[UnitView],
        orders: &mut Vec<Command>,
    ) -> bool {
        let with = |activity: Activity| -> Vec<u32> {
            let doing = condors.iter().filter(|condor| condor.activity == activity);
            doing.map(|condor| condor.id).collect()
        };
        let up = world.units().find(|unit| {
            unit.side == self.side && unit.kind == UnitKind::GOLIATH && unit.carrier.is_some()
        });
        let idle = with(Activity::Idle);
        if let Some(goliath) = up {
            if idle.len() >= balance::LIFT_CONDORS {
                self.army.enlist(&[goliath.id]);
                orders.push(Command::Unload {
                    unit_ids: idle,
                    at: Some(self.muster(world)),
                });
            }
            return true;
        }
        let lifting = with(Activity::Lifting);
        if lifting.len() == 1 {
            orders.push(Command::Stop { unit_ids: lifting }); // it waits for a Condor that is no more
            return false;
        }
        let waits = |unit: &&UnitView| {
            unit.kind == UnitKind::GOLIATH
                && unit.activity == Activity::Idle
                && unit.target.is_none()
        };
        let goliath = self.reserve(fighters).find(waits).map(|unit| unit.id);
        if !lifting.is_empty() {
            return true;
        }
        if let Some(goliath_id) = goliath.filter(|_| idle.len() >= balance::LIFT_CONDORS) {
            orders.push(Command::Lift {
                unit_ids: idle[..balance::LIFT_CONDORS].into(),
                goliath_id,
            });
            return true;
        }
        false
    }

    /// Artillery near something to shell digs in; when nothing is left in reach it packs up.
    fn artillery(&self, world: &World, fighters: &[UnitView], orders: &mut Vec<Command>) {
        let Some(gun) = balance::unit(UnitKind::ARTILLERY).anchored else {
            return;
        };
        let in_reach = |unit: &UnitView| {
            let building = self
                .memory
                .buildings()
                .iter()
                .any(|known| known.middle.within(unit.at, gun.range - SUBS_PER_TILE));
            let seen = world.units().any(|other| {
                other.side != self.side
                    && other.at.within(unit.at, gun.range)
                    && world.visible(self.side, other.at.tile())
            });
            building || seen
        };
        let guns = || {
            fighters
                .iter()
                .filter(|unit| unit.kind == UnitKind::ARTILLERY)
        };
        let dig: Vec<u32> = guns()
            .filter(|unit| !unit.dug_in && in_reach(unit))
            .map(|unit| unit.id)
            .collect();
        let pack: Vec<u32> = guns()
            .filter(|unit| unit.dug_in && unit.target.is_none() && !in_reach(unit))
            .map(|unit| unit.id)
            .collect();
        if !dig.is_empty() {
            orders.push(Command::Anchor { unit_ids: dig });
        }
        if !pack.is_empty() {
            orders.push(Command::PackUp { unit_ids: pack });
        }
    }

    fn powers(&self, world: &World, fighters: &[UnitView], orders: &mut Vec<Command>) {
        let uplink = world
            .buildings()
            .any(|building| building.side == self.side && building.kind == BuildingKind::UPLINK);
        if !uplink {
            return;
        }
        let ready = |power: Power| {
            self.purse >= balance::power(power).cost
                && world
                    .power_ready(self.side, power)
                    .is_some_and(|tick| tick <= world.tick())
        };
        if ready(Power::STRIKE)
            && let Some(at) = self.strike_target(world)
        {
            orders.push(Command::Calldown {
                power: Power::STRIKE,
                at: self.cell(world, at),
            });
            return;
        }
        // A look at what the assault is about to meet: strikes, bombers and artillery need eyes.
        let goal = self.goal(world);
        if ready(Power::SCAN)
            && self.army.is_striking()
            && !world.visible(self.side, goal.tile())
            && self.purse >= balance::power(Power::SCAN).cost + SCAN_KEEP
        {
            orders.push(Command::Calldown {
                power: Power::SCAN,
                at: goal,
            });
            return;
        }
        // A squad where the assault is fighting.
        let front = fighters.iter().find(|unit| {
            self.army.is_sent(unit.id)
                && unit.target.is_some()
                && balance::unit(unit.kind).gait == balance::Gait::Ground
        });
        if let Some(front) = front.filter(|_| ready(Power::DROP) && self.army.is_striking())
            && self.purse >= balance::power(Power::DROP).cost + DROP_KEEP
        {
            orders.push(Command::Calldown {
                power: Power::DROP,
                at: self.cell(world, front.at),
            });
            return;
        }
        let hurt = fighters
            .iter()
            .filter(|unit| unit.target.is_some() && unit.hp * 2 < unit.hp_whole);
        if ready(Power::MEND) && hurt.clone().count() >= 4 {
            for unit in hurt.take(1) {
                orders.push(Command::Calldown {
                    power: Power::MEND,
                    at: self.cell(world, unit.at),
                });
            }
        }
    }

    /// A turret in the way, a command centre within reach, or a crowd.
    fn strike_target(&self, world: &World) -> Option<Point> {
        let seen = |at: Point| world.visible(self.side, at.tile());
        let known = self.memory.buildings().iter();
        let mut walls = known.filter(|known| {
            matches!(known.kind, BuildingKind::TURRET | BuildingKind::HQ) && seen(known.middle)
        });
        if let Some(known) = walls.next() {
            return Some(known.middle);
        }
        let radius = balance::power(Power::STRIKE).radius;
        let enemies: Vec<UnitView> = world
            .units()
            .filter(|unit| unit.side != self.side && seen(unit.at))
            .collect();
        let crowd = |unit: &UnitView| {
            enemies
                .iter()
                .filter(|other| other.at.within(unit.at, radius))
                .count()
        };
        let densest = enemies.iter().max_by_key(|unit| crowd(unit))?;
        (crowd(densest) >= 5).then_some(densest.at)
    }
}
