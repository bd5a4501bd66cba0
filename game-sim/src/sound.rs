//! Is a world that was read from bytes one that could have been written? Whatever the bytes, stepping it must not
//! panic.

use crate::{
    BuildingKind, Point, SUBS_PER_TILE, UnitKind, balance,
    map::Map,
    state::{Building, State, Task, Unit},
};
use match_feed::duel::Side;

/// Far beyond what a match can reach; sums of a few of these do not overflow.
pub(crate) const AMOUNT_MAX: u32 = 1 << 28;
/// A match of a day and more. What grows with the match, as damage to walls does, is within its numbers until then
/// and long after.
pub(crate) const TICK_MAX: u32 = 1 << 20;

impl State {
    pub(crate) fn is_sound(&self, map: &Map) -> bool {
        let ids_ascend = self.units.is_sorted_by(|a, b| a.id < b.id)
            && self.buildings.is_sorted_by(|a, b| a.id < b.id);
        let odd = |side: Side| u32::from(side == Side::Blue);
        let given = |side: Side, id: u32| 0 < id && id < self.next_id[side] && id % 2 == odd(side);
        ids_ascend
            && Side::BOTH.into_iter().all(|side| {
                let next = self.next_id[side];
                0 < next && next < AMOUNT_MAX && next % 2 == odd(side)
            })
            && self.tick.0 < TICK_MAX
            && self
                .units
                .iter()
                .all(|unit| given(unit.side, unit.id) && unit_is_sound(unit, map))
            && self.buildings.iter().all(|building| {
                given(building.side, building.id) && building_is_sound(building, map)
            })
            && self.ore.len() == map.ore_tiles.len()
            && self.strikes.iter().all(|strike| on_map(strike.at, map))
            && self.scans.iter().all(|scan| scan.at.is_on(map.size))
            && Side::BOTH.into_iter().all(|side| {
                let state = &self.sides[side];
                let site = state.site.is_none_or(|site| {
                    site.kind.0 < BuildingKind::count() && site.progress < AMOUNT_MAX
                });
                site && state.credits < AMOUNT_MAX && state.explored.len() == map.height() as usize
            })
    }
}

fn on_map(at: Point, map: &Map) -> bool {
    (0..map.width() as i32 * SUBS_PER_TILE).contains(&at.x)
        && (0..map.height() as i32 * SUBS_PER_TILE).contains(&at.y)
}

fn unit_is_sound(unit: &Unit, map: &Map) -> bool {
    let task = match unit.task {
        Task::Move { to } | Task::AttackMove { to } | Task::Unload { to } => on_map(to, map),
        Task::Harvest { ore, .. } => map.ore_slot(ore).is_some(),
        Task::Idle | Task::Attack { .. } | Task::Board { .. } | Task::Lift { .. } => true,
    };
    task && unit.kind.0 < UnitKind::count()
        && on_map(unit.at, map)
        && on_map(unit.post, map)
        && (1..=balance::unit(unit.kind).hp).contains(&unit.hp)
        && unit.nearest >= 0
}

fn building_is_sound(building: &Building, map: &Map) -> bool {
    building.kind.0 < BuildingKind::count()
        && building.footprint().all(|tile| tile.is_on(map.size))
        && (1..=balance::building(building.kind).hp).contains(&building.hp)
        && building.queue.len() <= balance::QUEUE_MAX
        && building.queue.iter().all(|kind| kind.0 < UnitKind::count())
        && building.progress < AMOUNT_MAX
        && building.rally.is_none_or(|rally| on_map(rally, map))
}
