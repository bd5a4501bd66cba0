//! Skirmish level: the world, for drawing
//!
//! Read-only: nothing here changes anything. Draw it after `duel_session_run`, moving units between their last position
//! and this one by `pose_permille`.

use crate::{
    handle::Fault,
    session::duel_session,
    sized::{self, put, sized, slice_mut},
    skirmish::{order::building_kind, seen::world},
    status::*,
    words::*,
};
use game_sim::{Activity, BuildingView, Power, SUBS_PER_TILE, Terrain, UnitView, World, balance};
use match_feed::duel::Side;
use versus_codec::kit::Tile;

/// Position units to a tile.
pub const DUEL_SUBS_PER_TILE: i32 = 1024;
const _: () = assert!(DUEL_SUBS_PER_TILE == SUBS_PER_TILE);
/// The most units a building queues.
pub const DUEL_QUEUE_MAX: usize = 5;
const _: () = assert!(DUEL_QUEUE_MAX == balance::QUEUE_MAX);

/// What a tile is made of: `DUEL_TERRAIN_…`.
pub type duel_terrain = i32;
/// Open ground.
pub const DUEL_TERRAIN_PLAIN: i32 = 0;
/// Slows what drives or walks.
pub const DUEL_TERRAIN_ROUGH: i32 = 1;
/// Blocks the ground.
pub const DUEL_TERRAIN_ROCK: i32 = 2;
/// Blocks the ground.
pub const DUEL_TERRAIN_WATER: i32 = 3;

/// What a unit is doing: `DUEL_ACTIVITY_…`.
pub type duel_activity = i32;
/// Nothing.
pub const DUEL_ACTIVITY_IDLE: i32 = 0;
/// Going somewhere.
pub const DUEL_ACTIVITY_MOVING: i32 = 1;
/// Going somewhere, fighting on the way.
pub const DUEL_ACTIVITY_ATTACK_MOVING: i32 = 2;
/// Destroying something it was told to.
pub const DUEL_ACTIVITY_ATTACKING: i32 = 3;
/// Mining, or bringing ore home.
pub const DUEL_ACTIVITY_HARVESTING: i32 = 4;
/// On its way aboard a Condor.
pub const DUEL_ACTIVITY_BOARDING: i32 = 5;
/// On its way to put down what it carries.
pub const DUEL_ACTIVITY_UNLOADING: i32 = 6;
/// On its way to hook a Goliath.
pub const DUEL_ACTIVITY_LIFTING: i32 = 7;

/// The world at a glance. Sized. Pairs are blue's and red's.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_skirmish_world {
    /// `sizeof(duel_skirmish_world)`.
    pub struct_size: u32,
    /// How many ticks have been stepped.
    pub tick: u32,
    /// The map's size in tiles.
    pub width: u32,
    /// The map's size in tiles.
    pub height: u32,
    /// How many units there are.
    pub units: u32,
    /// How many buildings there are.
    pub buildings: u32,
    /// Credits.
    pub credits: [u32; 2],
    /// Power supplied less power used; below 0 everything is made at half speed.
    pub power: [i32; 2],
    /// The building begun, a kind, or -1.
    pub site: [i32; 2],
    /// How far it is, in thousandths; 1000 waits to be placed.
    pub site_permille: [u32; 2],
    /// The tick from which the next wave can be called.
    pub wave_ready: [u32; 2],
    /// The tick from which each power can be used: blue's four, then red's.
    pub powers_ready: [[u32; 4]; 2],
    /// The tile at the middle of each home: x, y.
    pub homes: [[u32; 2]; 2],
    /// What a wave costs.
    pub wave_cost: u32,
    /// Zero.
    pub reserved: u32,
}

/// A unit. Frozen.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_skirmish_unit {
    /// Its id, for as long as it lives.
    pub id: u32,
    /// Whose.
    pub side: i32,
    /// What, `DUEL_UNIT_…`.
    pub kind: i32,
    /// Where.
    pub x: i32,
    /// Where.
    pub y: i32,
    /// Hit points left.
    pub hp: i32,
    /// Hit points when whole.
    pub hp_whole: i32,
    /// What it does, `DUEL_ACTIVITY_…`.
    pub activity: i32,
    /// What it shoots at: an id, or -1.
    pub target: i32,
    /// The Condor it is aboard of, or that carries it, or -1: then it is not on the map.
    pub carrier: i32,
    /// Ore aboard, credits.
    pub load: u32,
    /// 1: dug in, or busy digging in or packing up.
    pub dug_in: i32,
}

/// A building. Frozen.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_skirmish_building {
    /// Its id, for as long as it stands.
    pub id: u32,
    /// Whose.
    pub side: i32,
    /// What, `DUEL_BUILDING_…`.
    pub kind: i32,
    /// Its north-west tile.
    pub tile_x: u32,
    /// Its north-west tile.
    pub tile_y: u32,
    /// Tiles it covers, east.
    pub tiles_x: u32,
    /// Tiles it covers, south.
    pub tiles_y: u32,
    /// Hit points left.
    pub hp: i32,
    /// Hit points when whole.
    pub hp_whole: i32,
    /// What it shoots at: an id, or -1.
    pub target: i32,
    /// 1: units made there go to `rally_x`, `rally_y`.
    pub has_rally: i32,
    /// Where.
    pub rally_x: i32,
    /// Where.
    pub rally_y: i32,
    /// How many units it has in its queue.
    pub queued: u32,
    /// Their kinds, the first first; -1 after the last.
    pub queue: [i32; 5],
    /// How far the first is, in thousandths.
    pub progress_permille: u32,
}

sized! {
    duel_skirmish_world to reserved;
}

/// Reads the world at a glance.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `glance` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_get_world(
    session: *mut duel_session,
    glance: *mut duel_skirmish_world,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let world = world(this)?;
        let size = world.map_size();
        let site = |side| world.site(side);
        let ready = |side: Side| {
            core::array::from_fn(|power| {
                world
                    .power_ready(side, Power(power as u8))
                    .map_or(0, |at| at.0)
            })
        };
        let home = |side: Side| {
            let tile = world.home(side);
            [tile.tx, tile.ty]
        };
        let out = duel_skirmish_world {
            struct_size: 0,
            tick: world.tick().0,
            width: size.width(),
            height: size.height(),
            units: world.units().count() as u32,
            buildings: world.buildings().count() as u32,
            credits: Side::BOTH.map(|side| world.credits(side)),
            power: Side::BOTH.map(|side| world.power(side)),
            site: Side::BOTH.map(|side| site(side).map_or(DUEL_NONE, |(kind, _)| kind.0.into())),
            site_permille: Side::BOTH.map(|side| site(side).map_or(0, |(_, permille)| permille)),
            wave_ready: Side::BOTH.map(|side| world.wave_ready(side).0),
            powers_ready: Side::BOTH.map(ready),
            homes: Side::BOTH.map(home),
            wave_cost: balance::WAVE_COST,
            reserved: 0,
        };
        // SAFETY: the caller's promise.
        unsafe { sized::write(glance, &out) }?;
        Ok(DUEL_OK)
    })
}

/// A side of C's, or -1 for everybody.
fn looker(seen_by: i32) -> Result<Option<Side>, Fault> {
    if seen_by == DUEL_NONE {
        return Ok(None);
    }
    Side::word(seen_by).map(Some)
}

/// Fills an array of C's with as many as there are and fit, and writes how many there are.
///
/// # Safety
/// `to` points to `capacity` values; `count` is null or writable.
unsafe fn fill<T>(
    values: impl Iterator<Item = T>,
    to: *mut T,
    capacity: usize,
    count: *mut usize,
    what: &str,
) -> Result<duel_status, Fault> {
    if count.is_null() {
        return Err(Fault::null("count"));
    }
    // SAFETY: the caller's promise.
    let to = unsafe { slice_mut(to, capacity, what) }?;
    let mut there = 0;
    for value in values {
        if let Some(to) = to.get_mut(there) {
            *to = value;
        }
        there += 1;
    }
    // SAFETY: the caller's promise.
    unsafe { put(count, there, "count") }?;
    Ok(DUEL_OK)
}

/// Reads the units, by id: at most `capacity`, and writes how many there are. With `seen_by` a side, only its own and
/// those of its enemy that it sees; with -1 all.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `units` points to `capacity` units; `count` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_get_units(
    session: *mut duel_session,
    seen_by: i32,
    units: *mut duel_skirmish_unit,
    capacity: usize,
    count: *mut usize,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let looker = looker(seen_by)?;
        let world = world(this)?;
        let seen = |unit: &UnitView| {
            looker.is_none_or(|side| unit.side == side || world.visible(side, unit.at.tile()))
        };
        let all = world.units().filter(seen).map(|unit| unit_of(&unit));
        // SAFETY: the caller's promise.
        unsafe { fill(all, units, capacity, count, "units") }
    })
}

fn id_word(id: Option<u32>) -> i32 {
    id.and_then(|id| i32::try_from(id).ok())
        .unwrap_or(DUEL_NONE)
}

fn unit_of(unit: &UnitView) -> duel_skirmish_unit {
    duel_skirmish_unit {
        id: unit.id,
        side: side_word(unit.side),
        kind: unit.kind.0.into(),
        x: unit.at.x,
        y: unit.at.y,
        hp: unit.hp,
        hp_whole: unit.hp_whole,
        activity: match unit.activity {
            Activity::Idle => DUEL_ACTIVITY_IDLE,
            Activity::Moving => DUEL_ACTIVITY_MOVING,
            Activity::AttackMoving => DUEL_ACTIVITY_ATTACK_MOVING,
            Activity::Attacking => DUEL_ACTIVITY_ATTACKING,
            Activity::Harvesting => DUEL_ACTIVITY_HARVESTING,
            Activity::Boarding => DUEL_ACTIVITY_BOARDING,
            Activity::Unloading => DUEL_ACTIVITY_UNLOADING,
            Activity::Lifting => DUEL_ACTIVITY_LIFTING,
        },
        target: id_word(unit.target),
        carrier: id_word(unit.carrier),
        load: unit.load.into(),
        dug_in: unit.dug_in.into(),
    }
}

/// Reads the buildings, by id: at most `capacity`, and writes how many there are. With `seen_by` a side, only its own and
/// those of its enemy of which it sees a tile; with -1 all.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `buildings` points to `capacity` buildings; `count` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_get_buildings(
    session: *mut duel_session,
    seen_by: i32,
    buildings: *mut duel_skirmish_building,
    capacity: usize,
    count: *mut usize,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let looker = looker(seen_by)?;
        let world = world(this)?;
        let seen = |building: &BuildingView<'_>| {
            looker.is_none_or(|side| {
                building.side == side || footprint(building).any(|tile| world.visible(side, tile))
            })
        };
        let all = world
            .buildings()
            .filter(seen)
            .map(|building| building_of(&building));
        // SAFETY: the caller's promise.
        unsafe { fill(all, buildings, capacity, count, "buildings") }
    })
}

fn footprint(building: &BuildingView<'_>) -> impl Iterator<Item = Tile> + use<> {
    let (at, tiles) = (building.at, building.tiles);
    (0..tiles.1).flat_map(move |dy| {
        (0..tiles.0).map(move |dx| Tile {
            tx: at.tx + dx,
            ty: at.ty + dy,
        })
    })
}

fn building_of(building: &BuildingView<'_>) -> duel_skirmish_building {
    let kind = |at: usize| {
        building
            .queue
            .get(at)
            .map_or(DUEL_NONE, |kind| kind.0.into())
    };
    let rally = building.rally.unwrap_or_default();
    duel_skirmish_building {
        id: building.id,
        side: side_word(building.side),
        kind: building.kind.0.into(),
        tile_x: building.at.tx,
        tile_y: building.at.ty,
        tiles_x: building.tiles.0,
        tiles_y: building.tiles.1,
        hp: building.hp,
        hp_whole: building.hp_whole,
        target: id_word(building.target),
        has_rally: building.rally.is_some().into(),
        rally_x: rally.x,
        rally_y: rally.y,
        queued: building.queue.len() as u32,
        queue: core::array::from_fn(kind),
        progress_permille: building.progress_permille,
    }
}

/// Every tile of the map, row by row from the north.
fn tiles(world: &World) -> impl Iterator<Item = Tile> + use<> {
    let size = world.map_size();
    (0..size.height()).flat_map(move |ty| (0..size.width()).map(move |tx| Tile { tx, ty }))
}

/// Fills an array of C's that holds a value for each tile.
///
/// # Safety
/// `to` points to `capacity` values.
unsafe fn fill_tiles<T>(
    world: &World,
    of: impl Fn(Tile) -> T,
    to: *mut T,
    capacity: usize,
) -> Result<duel_status, Fault> {
    let size = world.map_size();
    let needed = (size.width() * size.height()) as usize;
    if capacity < needed {
        return Err(Fault::new(
            DUEL_TOO_SMALL,
            format_args!("room for {capacity} tiles: the map has {needed}"),
        ));
    }
    // SAFETY: the caller's promise.
    let to = unsafe { slice_mut(to, capacity, "tiles") }?;
    for (to, tile) in to.iter_mut().zip(tiles(world)) {
        *to = of(tile);
    }
    Ok(DUEL_OK)
}

/// Reads the ground, `DUEL_TERRAIN_…` for each tile, row by row from the north-west: width × height bytes. It does not
/// change within a match.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `tiles` points to `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_get_terrain(
    session: *mut duel_session,
    tiles: *mut u8,
    capacity: usize,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let world = world(this)?;
        let terrain = |tile| match world.tile(tile) {
            Terrain::Plain => DUEL_TERRAIN_PLAIN as u8,
            Terrain::Rough => DUEL_TERRAIN_ROUGH as u8,
            Terrain::Rock => DUEL_TERRAIN_ROCK as u8,
            Terrain::Water => DUEL_TERRAIN_WATER as u8,
        };
        // SAFETY: the caller's promise.
        unsafe { fill_tiles(world, terrain, tiles, capacity) }
    })
}

/// Reads the ore left, in credits, for each tile as `duel_skirmish_get_terrain`.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `tiles` points to `capacity` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_get_ore(
    session: *mut duel_session,
    tiles: *mut u16,
    capacity: usize,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let world = world(this)?;
        // SAFETY: the caller's promise.
        unsafe { fill_tiles(world, |tile| world.ore(tile), tiles, capacity) }
    })
}

/// Reads what a side sees, for each tile as `duel_skirmish_get_terrain`: 0 never seen, 1 seen before, 2 in sight.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `tiles` points to `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_get_fog(
    session: *mut duel_session,
    side: duel_side,
    tiles: *mut u8,
    capacity: usize,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let side = Side::word(side)?;
        let world = world(this)?;
        let seen = |tile| {
            if world.visible(side, tile) {
                2
            } else {
                world.explored(side, tile).into()
            }
        };
        // SAFETY: the caller's promise.
        unsafe { fill_tiles(world, seen, tiles, capacity) }
    })
}

/// Writes 1 if a building of that kind may be placed with its north-west tile there, 0 if not.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `may` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_can_place(
    session: *mut duel_session,
    side: duel_side,
    kind: i32,
    tile_x: u32,
    tile_y: u32,
    may: *mut i32,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let (side, kind) = (Side::word(side)?, building_kind(kind)?);
        let at = Tile {
            tx: tile_x,
            ty: tile_y,
        };
        let found = world(this)?.can_place(side, kind, at);
        // SAFETY: the caller's promise.
        unsafe { put(may, found.into(), "may") }?;
        Ok(DUEL_OK)
    })
}
