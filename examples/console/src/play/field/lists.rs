//! What can be built, made and called down now: the lists of the build bar, with why something cannot.

use game_sim::{BuildingKind, Power, UnitKind, World, balance};
use match_feed::duel::Side;

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<K> {
    /// What.
    pub kind: K,
    /// What it is called.
    pub name: String,
    /// What it costs.
    pub cost: u32,
    /// Why it cannot be had now.
    pub why_not: Option<String>,
}

fn owns(world: &World, side: Side, kind: BuildingKind) -> bool {
    world
        .buildings()
        .any(|building| building.side == side && building.kind == kind)
}

fn why_not(
    world: &World,
    side: Side,
    banned: bool,
    cost: u32,
    needs: impl IntoIterator<Item = BuildingKind>,
) -> Option<String> {
    if banned {
        return Some("not in this match".into());
    }
    let missing = needs.into_iter().find(|kind| !owns(world, side, *kind));
    match missing {
        Some(kind) => Some(format!("needs {kind}")),
        None if world.credits(side) < cost => Some("too dear".into()),
        None => None,
    }
}

/// What can be built.
pub fn buildings(world: &World, side: Side) -> Vec<Entry<BuildingKind>> {
    let spec = |kind| balance::building(kind);
    let kinds = BuildingKind::all().filter_map(|kind| spec(kind).cost.map(|cost| (kind, cost)));
    kinds
        .map(|(kind, cost)| Entry {
            kind,
            name: kind.to_string(),
            cost,
            why_not: why_not(
                world,
                side,
                world.bans_building(kind),
                cost,
                spec(kind).needs,
            ),
        })
        .collect()
}

/// What units can be made.
pub fn units(world: &World, side: Side) -> Vec<Entry<UnitKind>> {
    UnitKind::all()
        .map(|kind| {
            let spec = balance::unit(kind);
            let needs = [spec.made_in].into_iter().chain(spec.needs);
            Entry {
                kind,
                name: kind.to_string(),
                cost: spec.cost,
                why_not: why_not(world, side, world.bans_unit(kind), spec.cost, needs),
            }
        })
        .collect()
}

/// What can be called down.
pub fn powers(world: &World, side: Side) -> Vec<Entry<Power>> {
    Power::all()
        .map(|kind| {
            let cost = balance::power(kind).cost;
            let ready = world.power_ready(side, kind);
            let cools = ready.is_some_and(|ready| ready > world.tick());
            let why = match why_not(world, side, false, cost, [BuildingKind::UPLINK]) {
                None if cools => Some("cools down".into()),
                why => why,
            };
            Entry {
                kind,
                name: kind.to_string(),
                cost,
                why_not: why,
            }
        })
        .collect()
}

/// The building that would make such a unit soonest: the one with the shortest queue.
pub fn maker(world: &World, side: Side, kind: UnitKind) -> Option<u32> {
    let made_in = balance::unit(kind).made_in;
    let makers = world
        .buildings()
        .filter(|building| building.side == side && building.kind == made_in);
    let soonest = makers.min_by_key(|building| (building.queue.len(), building.id));
    soonest.map(|building| building.id)
}
