//! An AI's care for what it has: harvesters in danger, buildings about to fall, money for a defence, and the sense to
//! give up.

use super::{Ai, Timer};
use crate::{
    Activity, BuildingKind, Command, Point, SUBS_PER_TILE, UnitKind, UnitView, World, balance,
};
use alloc::{collections::BTreeMap, vec::Vec};

/// An armed enemy this near to a harvester or its ore is a danger, and this near to a building is at it.
const DANGER: i32 = 8 * SUBS_PER_TILE;
/// Ticks between looks at harvesters.
const FLEE_EVERY: u32 = 15;
/// A building with less than this percent of its hit points, the enemy at it, is as good as gone.
const LOST_PERCENT: i32 = 22;
/// So many armed enemies near home are no stray scouts.
const RAID: usize = 3;
/// A building so far on, in thousandths, is rather finished.
const WELL_BEGUN: u32 = 700;
/// Ticks between two looks at whether all is lost, and the first.
const HOPELESS_EVERY: u32 = 50;
const HOPELESS_FROM: u32 = 1500;
/// What money could still turn it.
const HOPELESS_CREDITS: u32 = 700;
/// All is lost against so many at the gates, with a command centre at less than this percent.
const HOPELESS_ODDS: usize = 5;
const HOPELESS_AGAINST: usize = 8;
const HOPELESS_PERCENT: i32 = 50;

#[derive(Clone, Debug, Default)]
pub(super) struct Care {
    harvesters: Timer,
    buildings: Timer,
    /// Each harvester's hit points at the last look.
    whole: BTreeMap<u32, i32>,
}

impl Ai {
    pub(super) fn run_care(&mut self, world: &World, orders: &mut Vec<Command>) {
        let now = world.tick().0;
        if self.care.harvesters.is_due(now) {
            let pause = FLEE_EVERY.max(self.habits.pause);
            self.care.harvesters.wait(now, pause);
            self.flee(world, orders);
        }
        if self.care.buildings.is_due(now) {
            self.care.buildings.wait(now, self.habits.pause);
            self.sell_the_lost(world, orders);
            self.raise_money(world, orders);
        }
    }

    /// True if an armed enemy in sight is that near.
    pub(super) fn is_dangerous(&self, world: &World, spot: Point) -> bool {
        world.units().any(|unit| {
            unit.side != self.side
                && unit.carrier.is_none()
                && balance::unit(unit.kind).weapon.is_some()
                && unit.at.within(spot, DANGER)
                && world.visible(self.side, unit.at.tile())
        })
    }

    /// Harvesters that are shot at run home; [`Self::send_idle_harvesters`] sends them out again.
    fn flee(&mut self, world: &World, orders: &mut Vec<Command>) {
        let own: Vec<UnitView> = world
            .units()
            .filter(|unit| unit.side == self.side && unit.kind == UnitKind::HARVESTER)
            .collect();
        let unit_ids: Vec<u32> = own
            .iter()
            .filter(|unit| {
                let before = self.care.whole.get(&unit.id).copied();
                before.is_some_and(|before| unit.hp < before)
                    && unit.activity == Activity::Harvesting
                    && !unit
                        .at
                        .within(Point::of_tile(world.home(self.side)), DANGER)
                    && self.is_dangerous(world, unit.at)
            })
            .map(|unit| unit.id)
            .collect();
        self.care.whole = own.iter().map(|unit| (unit.id, unit.hp)).collect();
        if !unit_ids.is_empty() {
            let home = Point::of_tile(world.home(self.side));
            orders.push(Command::Move {
                unit_ids,
                at: self.cell(world, home),
            });
        }
    }

    /// What is about to fall is worth more as credits.
    fn sell_the_lost(&self, world: &World, orders: &mut Vec<Command>) {
        let lost = world.buildings().find(|own| {
            own.side == self.side
                && balance::building(own.kind).cost.is_some()
                && own.hp * 100 < own.hp_whole * LOST_PERCENT
                && self.is_dangerous(world, own.middle)
        });
        if let Some(lost) = lost {
            orders.push(Command::Sell {
                building_id: lost.id,
            });
        }
    }

    /// Under attack and without money, a harvester in the queue or a building begun is worth more as fighters; when
    /// the ore is gone so is a refinery.
    fn raise_money(&mut self, world: &World, orders: &mut Vec<Command>) {
        let short = self.purse < balance::unit(UnitKind::TANK).cost;
        if self.is_raided() && short {
            // A harvester first; else what waits behind another: credits in a queue do not fight.
            let own = || world.buildings().filter(|own| own.side == self.side);
            let harvester = own()
                .find(|own| own.queue.contains(&UnitKind::HARVESTER))
                .map(|own| (own.id, UnitKind::HARVESTER));
            let waiting = own()
                .filter(|own| own.queue.len() > 1)
                .find_map(|own| Some((own.id, *own.queue.last()?)));
            if let Some((building_id, unit_kind)) = harvester.or(waiting) {
                orders.push(Command::CancelProduce {
                    building_id,
                    unit_kind,
                });
            }
        }
        // One thing is built at a time: under attack that should be a turret, or nothing while money is short.
        let begun = world
            .site(self.side)
            .filter(|&(kind, done)| kind != BuildingKind::TURRET && done < WELL_BEGUN);
        let raided = self.is_raided() && (self.wants_turret(world) || short);
        if raided && begun.is_some() {
            orders.push(Command::CancelBuilding);
        }
        let refinery = world
            .buildings()
            .find(|own| own.side == self.side && own.kind == BuildingKind::REFINERY);
        if world.ore_tiles().next().is_none()
            && let Some(refinery) = refinery
        {
            orders.push(Command::Sell {
                building_id: refinery.id,
            });
        }
    }

    /// Armed enemies are near home in earnest.
    pub(super) const fn is_raided(&self) -> bool {
        self.army.is_defending() && self.army.intruders() >= RAID
    }

    /// Under attack one turret more than usual is wanted.
    pub(super) fn wants_turret(&self, world: &World) -> bool {
        self.is_raided()
            && self.count(world, BuildingKind::TURRET) <= self.habits.turrets
            && self.count(world, BuildingKind::BARRACKS) > 0
            && !world.bans_building(BuildingKind::TURRET)
    }

    /// Nothing left that fights or could be made to; or, for one that knows when it is beaten, a burning command
    /// centre and an army at the gates that nothing can meet.
    pub(super) fn is_hopeless(&self, world: &World) -> bool {
        let now = world.tick().0;
        if now < HOPELESS_FROM
            || !now.is_multiple_of(HOPELESS_EVERY)
            || world.credits(self.side) >= HOPELESS_CREDITS
        {
            return false;
        }
        let armed = |unit: &UnitView| balance::unit(unit.kind).weapon.is_some();
        let own = world
            .units()
            .filter(|unit| unit.side == self.side && armed(unit))
            .count();
        let makes = |kind: BuildingKind| {
            matches!(
                kind,
                BuildingKind::BARRACKS | BuildingKind::FACTORY | BuildingKind::AIRFIELD
            )
        };
        let makers = world
            .buildings()
            .any(|building| building.side == self.side && makes(building.kind));
        let burning = world.buildings().any(|building| {
            building.side == self.side
                && building.kind == BuildingKind::HQ
                && building.hp * 100 < building.hp_whole * HOPELESS_PERCENT
        });
        let against = self.army.intruders();
        let beaten = burning && against >= HOPELESS_AGAINST && own * HOPELESS_ODDS < against;
        (own == 0 && !makers) || (self.habits.resigns && beaten)
    }
}
