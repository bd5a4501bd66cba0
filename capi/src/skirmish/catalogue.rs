//! Skirmish level: the catalogue
//!
//! What there is to choose from and to build, by index and by name. Indices never change.

use crate::{
    handle::Fault,
    session::{duel_map, duel_session},
    sized::{self, put, sized},
    skirmish::seen::world,
    status::*,
    text::Text,
    words::*,
};
use core::ffi::c_char;
use game_sim::{BuildingKind, COMMAND_TYPES, Power, UnitKind, balance};
use match_feed::duel::MapChoice;

/// A table of names: `DUEL_NAMES_…`.
pub type duel_names = i32;
/// Hand-made maps.
pub const DUEL_NAMES_MAPS: i32 = 0;
/// Biomes of random maps.
pub const DUEL_NAMES_BIOMES: i32 = 1;
/// Mutators, by bit.
pub const DUEL_NAMES_MUTATORS: i32 = 2;
/// Openers.
pub const DUEL_NAMES_OPENERS: i32 = 3;
/// Kinds of units.
pub const DUEL_NAMES_UNITS: i32 = 4;
/// Kinds of buildings.
pub const DUEL_NAMES_BUILDINGS: i32 = 5;
/// Powers.
pub const DUEL_NAMES_POWERS: i32 = 6;
/// Kinds of orders.
pub const DUEL_NAMES_ORDERS: i32 = 7;
/// Why an order did nothing, as sentences.
pub const DUEL_NAMES_REFUSALS: i32 = 8;

/// A kind of unit: `DUEL_UNIT_…`.
pub type duel_unit_kind = i32;
/// Mines ore and brings it to a refinery.
pub const DUEL_UNIT_HARVESTER: i32 = 0;
/// Fast and far-sighted, weak in a fight.
pub const DUEL_UNIT_SCOUT: i32 = 1;
/// Line infantry.
pub const DUEL_UNIT_RIFLE: i32 = 2;
/// Anti-armour infantry that also reaches aircraft.
pub const DUEL_UNIT_ROCKET: i32 = 3;
/// The line vehicle.
pub const DUEL_UNIT_TANK: i32 = 4;
/// Fires far, but only while anchored.
pub const DUEL_UNIT_ARTILLERY: i32 = 5;
/// Repairs vehicles and buildings nearby.
pub const DUEL_UNIT_REPAIR: i32 = 6;
/// Shoots at aircraft, from the ground.
pub const DUEL_UNIT_FLAK: i32 = 7;
/// Fast aircraft against aircraft and light targets.
pub const DUEL_UNIT_FIGHTER: i32 = 8;
/// Slow aircraft against buildings and vehicles.
pub const DUEL_UNIT_BOMBER: i32 = 9;
/// Air carrier: takes infantry aboard, and lifts a Goliath together with another.
pub const DUEL_UNIT_CONDOR: i32 = 10;
/// Slow heavy tank that Condors can carry.
pub const DUEL_UNIT_GOLIATH: i32 = 11;

/// A kind of building: `DUEL_BUILDING_…`.
pub type duel_building_kind = i32;
/// The command centre: a side that loses it is beaten.
pub const DUEL_BUILDING_HQ: i32 = 0;
/// Supplies power.
pub const DUEL_BUILDING_REACTOR: i32 = 1;
/// Takes in ore; comes with a harvester.
pub const DUEL_BUILDING_REFINERY: i32 = 2;
/// Trains infantry.
pub const DUEL_BUILDING_BARRACKS: i32 = 3;
/// Builds vehicles.
pub const DUEL_BUILDING_FACTORY: i32 = 4;
/// Builds aircraft.
pub const DUEL_BUILDING_AIRFIELD: i32 = 5;
/// Shoots at ground units.
pub const DUEL_BUILDING_TURRET: i32 = 6;
/// Enables the powers and sees far.
pub const DUEL_BUILDING_UPLINK: i32 = 7;

/// A power, called down on a point: `DUEL_POWER_…`.
pub type duel_power = i32;
/// Heavy damage in a small circle, after a delay.
pub const DUEL_POWER_STRIKE: i32 = 0;
/// Repairs one's own in a circle.
pub const DUEL_POWER_MEND: i32 = 1;
/// Reveals a large circle for a while.
pub const DUEL_POWER_SCAN: i32 = 2;
/// Drops a squad of rifles.
pub const DUEL_POWER_DROP: i32 = 3;

/// What a unit, a building or a power costs and is. Sized. Zero where it does not apply.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_skirmish_spec {
    /// `sizeof(duel_skirmish_spec)`.
    pub struct_size: u32,
    /// What it costs, or -1 for what cannot be built.
    pub cost: i32,
    /// Ticks to make one at full power; of a power, ticks between two uses.
    pub build_ticks: u32,
    /// Hit points when whole.
    pub hp: i32,
    /// How far it sees, tiles.
    pub sight_tiles: u32,
    /// How far it shoots, anchored if it can anchor; of a power, the radius of its circle.
    pub range: i32,
    /// Distance a tick on plain ground.
    pub speed: i32,
    /// Half of a unit's width.
    pub radius: i32,
    /// 1: it flies.
    pub flies: i32,
    /// 1: it is infantry, and fits a Condor.
    pub boards: i32,
    /// The building that makes it, or -1.
    pub made_in: i32,
    /// The building its side must own besides, or -1.
    pub needs: i32,
    /// Tiles a building covers, east and south.
    pub tiles: [u32; 2],
    /// Power a building supplies, or uses below 0.
    pub power: i32,
}

sized! {
    duel_skirmish_spec to power;
}

/// What the names of refusals are, in their order.
const REFUSALS: [&str; 20] = [
    "no such unit or building of yours",
    "it cannot do that",
    "it is being carried",
    "it is dug in: pack up first",
    "it waits to be hooked",
    "no such target in sight",
    "it is on your side",
    "no ore there",
    "not enough credits",
    "the queue is full",
    "nothing to cancel",
    "a building is already begun",
    "no building is finished",
    "a building it depends on is missing",
    "it does not fit there",
    "it cools down",
    "it is full",
    "it carries nothing",
    "the mutators ban it",
    "as many as a side may have",
];

fn name(table: i32, index: usize) -> Result<Option<&'static str>, Fault> {
    let choice = u8::try_from(index).ok();
    Ok(match table {
        DUEL_NAMES_MAPS => choice.and_then(|index| game_sim::map_name(MapChoice::BuiltIn(index))),
        DUEL_NAMES_BIOMES => {
            choice.and_then(|biome| game_sim::map_name(MapChoice::Random { biome, seed: 0 }))
        }
        DUEL_NAMES_MUTATORS => game_sim::mutator_names().get(index).copied(),
        DUEL_NAMES_OPENERS => game_sim::opener_names().get(index).copied(),
        DUEL_NAMES_UNITS => UnitKind::NAMES.get(index).copied(),
        DUEL_NAMES_BUILDINGS => BuildingKind::NAMES.get(index).copied(),
        DUEL_NAMES_POWERS => Power::NAMES.get(index).copied(),
        DUEL_NAMES_ORDERS => COMMAND_TYPES.get(index).copied(),
        DUEL_NAMES_REFUSALS => REFUSALS.get(index).copied(),
        other => return Err(Fault::argument(format_args!("table {other}: 0 to 8"))),
    })
}

/// Writes the name at an index of a table (`DUEL_NAMES_…`), cut to `bytes`; `DUEL_EMPTY` past its end. In English.
///
/// Thread: any.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `to` points to `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_name(
    table: duel_names,
    index: u32,
    to: *mut c_char,
    bytes: usize,
) -> duel_status {
    crate::handle::enter!(core::ptr::null_mut(), 0 => {
        if to.is_null() {
            return Err(Fault::null("to"));
        }
        let Some(name) = name(table, index as usize)? else {
            return Ok(DUEL_EMPTY);
        };
        // SAFETY: the caller's promise.
        unsafe { Text::of(name).copy_to(to, bytes) };
        Ok(DUEL_OK)
    })
}

/// Writes a map's size in tiles; `DUEL_REFUSED` if there is no such map.
///
/// Thread: any.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_map_size(
    map: *const duel_map,
    width: *mut u32,
    height: *mut u32,
) -> duel_status {
    crate::handle::enter!(core::ptr::null_mut(), 0 => {
        if map.is_null() || width.is_null() || height.is_null() {
            return Err(Fault::null("map, width or height"));
        }
        // SAFETY: the caller's promise.
        let choice = unsafe { map.read() }.choice()?;
        let Some(size) = game_sim::map_size(choice) else {
            return Err(Fault::new(DUEL_REFUSED, "there is no such map"));
        };
        unsafe {
            put(width, size.width(), "width")?;
            put(height, size.height(), "height")?;
        }
        Ok(DUEL_OK)
    })
}

/// What a kind of unit (`DUEL_NAMES_UNITS`), building (`DUEL_NAMES_BUILDINGS`) or power (`DUEL_NAMES_POWERS`) costs and
/// is.
///
/// Thread: any.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `spec` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_get_spec(
    table: duel_names,
    index: u32,
    spec: *mut duel_skirmish_spec,
) -> duel_status {
    crate::handle::enter!(core::ptr::null_mut(), 0 => {
        let known = matches!(
            table,
            DUEL_NAMES_UNITS | DUEL_NAMES_BUILDINGS | DUEL_NAMES_POWERS
        );
        if !known || name(table, index as usize)?.is_none() {
            return Err(Fault::argument(format_args!(
                "table {table}, index {index}: a kind of unit, building or power"
            )));
        }
        let index = index as u8;
        let out = match table {
            DUEL_NAMES_UNITS => unit_spec(UnitKind(index)),
            DUEL_NAMES_BUILDINGS => building_spec(BuildingKind(index)),
            _ => power_spec(Power(index)),
        };
        // SAFETY: the caller's promise.
        unsafe { sized::write(spec, &out) }?;
        Ok(DUEL_OK)
    })
}

const NOTHING: duel_skirmish_spec = duel_skirmish_spec {
    struct_size: 0,
    cost: DUEL_NONE,
    build_ticks: 0,
    hp: 0,
    sight_tiles: 0,
    range: 0,
    speed: 0,
    radius: 0,
    flies: 0,
    boards: 0,
    made_in: DUEL_NONE,
    needs: DUEL_NONE,
    tiles: [0; 2],
    power: 0,
};

fn unit_spec(kind: UnitKind) -> duel_skirmish_spec {
    let spec = balance::unit(kind);
    let weapon = spec.anchored.or(spec.weapon);
    duel_skirmish_spec {
        cost: spec.cost as i32,
        build_ticks: spec.build.into(),
        hp: spec.hp,
        sight_tiles: spec.sight,
        range: weapon.map_or(0, |weapon| weapon.range),
        speed: spec.speed,
        radius: spec.radius,
        flies: (spec.gait == balance::Gait::Air).into(),
        boards: (spec.armour == balance::Armour::Foot).into(),
        made_in: spec.made_in.0.into(),
        needs: spec.needs.map_or(DUEL_NONE, |kind| kind.0.into()),
        ..NOTHING
    }
}

fn building_spec(kind: BuildingKind) -> duel_skirmish_spec {
    let spec = balance::building(kind);
    duel_skirmish_spec {
        cost: spec.cost.map_or(DUEL_NONE, |cost| cost as i32),
        build_ticks: spec.build.into(),
        hp: spec.hp,
        sight_tiles: spec.sight,
        range: spec.weapon.map_or(0, |weapon| weapon.range),
        needs: spec.needs.map_or(DUEL_NONE, |kind| kind.0.into()),
        tiles: [spec.tiles.0, spec.tiles.1],
        power: spec.power,
        ..NOTHING
    }
}

fn power_spec(power: Power) -> duel_skirmish_spec {
    let spec = balance::power(power);
    duel_skirmish_spec {
        cost: spec.cost as i32,
        build_ticks: spec.cooldown,
        range: spec.radius,
        ..NOTHING
    }
}

/// Writes which kinds of units and of buildings this match's mutators ban: bit `i` for kind `i`.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `units` and `buildings` are NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_bans(
    session: *mut duel_session,
    units: *mut u32,
    buildings: *mut u32,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        if units.is_null() || buildings.is_null() {
            return Err(Fault::null("units or buildings"));
        }
        let world = world(this)?;
        let units_banned = UnitKind::all()
            .filter(|&kind| world.bans_unit(kind))
            .fold(0, |mask, kind| mask | 1 << kind.0);
        let buildings_banned = BuildingKind::all()
            .filter(|&kind| world.bans_building(kind))
            .fold(0, |mask, kind| mask | 1 << kind.0);
        // SAFETY: the caller's promise.
        unsafe {
            put(units, units_banned, "units")?;
            put(buildings, buildings_banned, "buildings")?;
        }
        Ok(DUEL_OK)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skirmish::*;

    #[test]
    fn every_number_has_the_games_own_name() {
        let named = |table: i32, pairs: &[(i32, &str)], len: usize| {
            assert_eq!(pairs.len(), len, "table {table} has grown: add constants");
            for &(number, expected) in pairs {
                let found = name(table, number as usize).ok().flatten();
                assert_eq!(found, Some(expected), "table {table}, number {number}");
            }
        };
        named(
            DUEL_NAMES_UNITS,
            &[
                (DUEL_UNIT_HARVESTER, "harvester"),
                (DUEL_UNIT_SCOUT, "scout"),
                (DUEL_UNIT_RIFLE, "rifle"),
                (DUEL_UNIT_ROCKET, "rocket"),
                (DUEL_UNIT_TANK, "tank"),
                (DUEL_UNIT_ARTILLERY, "artillery"),
                (DUEL_UNIT_REPAIR, "repair"),
                (DUEL_UNIT_FLAK, "flak"),
                (DUEL_UNIT_FIGHTER, "fighter"),
                (DUEL_UNIT_BOMBER, "bomber"),
                (DUEL_UNIT_CONDOR, "condor"),
                (DUEL_UNIT_GOLIATH, "goliath"),
            ],
            UnitKind::NAMES.len(),
        );
        named(
            DUEL_NAMES_BUILDINGS,
            &[
                (DUEL_BUILDING_HQ, "hq"),
                (DUEL_BUILDING_REACTOR, "reactor"),
                (DUEL_BUILDING_REFINERY, "refinery"),
                (DUEL_BUILDING_BARRACKS, "barracks"),
                (DUEL_BUILDING_FACTORY, "factory"),
                (DUEL_BUILDING_AIRFIELD, "airfield"),
                (DUEL_BUILDING_TURRET, "turret"),
                (DUEL_BUILDING_UPLINK, "uplink"),
            ],
            BuildingKind::NAMES.len(),
        );
        named(
            DUEL_NAMES_POWERS,
            &[
                (DUEL_POWER_STRIKE, "strike"),
                (DUEL_POWER_MEND, "mend"),
                (DUEL_POWER_SCAN, "scan"),
                (DUEL_POWER_DROP, "drop"),
            ],
            Power::NAMES.len(),
        );
        named(
            DUEL_NAMES_ORDERS,
            &[
                (DUEL_ORDER_MOVE, "move"),
                (DUEL_ORDER_ATTACK_MOVE, "attackMove"),
                (DUEL_ORDER_HARVEST, "harvest"),
                (DUEL_ORDER_ATTACK, "attack"),
                (DUEL_ORDER_STOP, "stop"),
                (DUEL_ORDER_ANCHOR, "anchor"),
                (DUEL_ORDER_PACK_UP, "packUp"),
                (DUEL_ORDER_PRODUCE, "produce"),
                (DUEL_ORDER_CANCEL_PRODUCE, "cancelProduce"),
                (DUEL_ORDER_START_BUILDING, "startBuilding"),
                (DUEL_ORDER_CANCEL_BUILDING, "cancelBuilding"),
                (DUEL_ORDER_CALL_WAVE, "callWave"),
                (DUEL_ORDER_PLACE_BUILDING, "placeBuilding"),
                (DUEL_ORDER_SELL, "sell"),
                (DUEL_ORDER_RALLY, "rally"),
                (DUEL_ORDER_CALLDOWN, "calldown"),
                (DUEL_ORDER_BOARD, "board"),
                (DUEL_ORDER_UNLOAD, "unload"),
                (DUEL_ORDER_LIFT, "lift"),
                (DUEL_ORDER_RESIGN, "resign"),
            ],
            COMMAND_TYPES.len(),
        );
    }
}
