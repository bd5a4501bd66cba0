//! Skirmish level: orders
//!
//! One structure for all twenty kinds of order. What breaks the rules does nothing, and comes back as an effect of kind
//! `DUEL_EFFECT_REFUSED` when its tick is stepped.

use crate::{
    any_session::order_fault,
    handle::Fault,
    session::duel_session,
    sized::{self, sized, slice},
    skirmish::duel,
    status::*,
    words::{flag, time},
};
use game_sim::{BuildingKind, Command, Point, Power, UnitKind};

/// A kind of order: `DUEL_ORDER_…`.
pub type duel_order_kind = i32;
/// `units` go to the place, firing only at what comes into range.
pub const DUEL_ORDER_MOVE: i32 = 0;
/// `units` go to the place, stopping to fight whatever is met.
pub const DUEL_ORDER_ATTACK_MOVE: i32 = 1;
/// `units`, harvesters, mine the ore at the place, then near it.
pub const DUEL_ORDER_HARVEST: i32 = 2;
/// `units` destroy `object`.
pub const DUEL_ORDER_ATTACK: i32 = 3;
/// `units` drop what they do.
pub const DUEL_ORDER_STOP: i32 = 4;
/// `units`, artillery, dig in to fire far.
pub const DUEL_ORDER_ANCHOR: i32 = 5;
/// `units`, artillery, get ready to move.
pub const DUEL_ORDER_PACK_UP: i32 = 6;
/// Building `object` queues a unit of kind `what`.
pub const DUEL_ORDER_PRODUCE: i32 = 7;
/// Building `object` takes the newest unit of kind `what` out of its queue.
pub const DUEL_ORDER_CANCEL_PRODUCE: i32 = 8;
/// Begin a building of kind `what`; one at a time.
pub const DUEL_ORDER_START_BUILDING: i32 = 9;
/// Give up the building begun.
pub const DUEL_ORDER_CANCEL_BUILDING: i32 = 10;
/// Call a reinforcement to the home edge.
pub const DUEL_ORDER_CALL_WAVE: i32 = 11;
/// Put the finished building down, its north-west tile at the place.
pub const DUEL_ORDER_PLACE_BUILDING: i32 = 12;
/// Sell building `object`.
pub const DUEL_ORDER_SELL: i32 = 13;
/// Units made in building `object` go to the place.
pub const DUEL_ORDER_RALLY: i32 = 14;
/// Use power `what` on the place.
pub const DUEL_ORDER_CALLDOWN: i32 = 15;
/// `units`, infantry, get aboard Condor `object`.
pub const DUEL_ORDER_BOARD: i32 = 16;
/// `units`, Condors, put down what they carry: at the place, or (`here`) where each is.
pub const DUEL_ORDER_UNLOAD: i32 = 17;
/// `units`, Condors, lift Goliath `object` together.
pub const DUEL_ORDER_LIFT: i32 = 18;
/// Give up the match; `duel_session_resign` does the same ahead of everything that waits.
pub const DUEL_ORDER_RESIGN: i32 = 19;

/// The most units one order names.
pub const DUEL_ORDER_UNITS_MAX: u32 = 200;

/// An order. Sized. Which fields count depends on its kind.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_skirmish_order {
    /// `sizeof(duel_skirmish_order)`.
    pub struct_size: u32,
    /// Which, `DUEL_ORDER_…`.
    pub kind: i32,
    /// Who: ids of one's own units.
    pub units: *const u32,
    /// How many.
    pub unit_count: u32,
    /// The other thing it names by id: a target, a building, a Condor, a Goliath.
    pub object: u32,
    /// A kind of unit or building, or a power.
    pub what: i32,
    /// The place, 1024ths of a tile.
    pub x: i32,
    /// The place.
    pub y: i32,
    /// Unload: 1 for where each Condor is.
    pub here: i32,
}

sized! {
    duel_skirmish_order to here;
}

/// Gives an order: it is applied on both phones a few ticks later. `DUEL_REFUSED`: it names no unit, or too much waits.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing; the units are copied.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `order` is NULL or one whose `struct_size` is true and whose units are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_give(
    session: *mut duel_session,
    now_us: u64,
    order: *const duel_skirmish_order,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        // SAFETY: the caller's promise.
        let command = unsafe { command_of(&sized::read(order)?) }?;
        let given = duel(this)?.session.give(time(now_us)?, command);
        given.map_err(order_fault)?;
        Ok(DUEL_OK)
    })
}

/// # Safety
/// The order's units are there.
unsafe fn command_of(order: &duel_skirmish_order) -> Result<Command, Fault> {
    if order.unit_count > DUEL_ORDER_UNITS_MAX {
        return Err(Fault::argument(format_args!(
            "{} units: at most {DUEL_ORDER_UNITS_MAX}",
            order.unit_count
        )));
    }
    // SAFETY: the caller's promise.
    let units = unsafe { slice(order.units, order.unit_count as usize, "units") }?;
    let unit_ids = units.to_vec();
    let place = Point {
        x: order.x,
        y: order.y,
    };
    let (at, object) = (place.cell(), order.object);
    Ok(match order.kind {
        DUEL_ORDER_MOVE => Command::Move { unit_ids, at },
        DUEL_ORDER_ATTACK_MOVE => Command::AttackMove { unit_ids, at },
        DUEL_ORDER_HARVEST => Command::Harvest { unit_ids, at },
        DUEL_ORDER_ATTACK => Command::Attack {
            unit_ids,
            target_id: object,
        },
        DUEL_ORDER_STOP => Command::Stop { unit_ids },
        DUEL_ORDER_ANCHOR => Command::Anchor { unit_ids },
        DUEL_ORDER_PACK_UP => Command::PackUp { unit_ids },
        DUEL_ORDER_PRODUCE => Command::Produce {
            building_id: object,
            unit_kind: UnitKind(kind(order.what, UnitKind::count(), "unit kind")?),
        },
        DUEL_ORDER_CANCEL_PRODUCE => Command::CancelProduce {
            building_id: object,
            unit_kind: UnitKind(kind(order.what, UnitKind::count(), "unit kind")?),
        },
        DUEL_ORDER_START_BUILDING => Command::StartBuilding {
            building_kind: building_kind(order.what)?,
        },
        DUEL_ORDER_CANCEL_BUILDING => Command::CancelBuilding,
        DUEL_ORDER_CALL_WAVE => Command::CallWave,
        DUEL_ORDER_PLACE_BUILDING => Command::PlaceBuilding { at: place.tile() },
        DUEL_ORDER_SELL => Command::Sell {
            building_id: object,
        },
        DUEL_ORDER_RALLY => Command::Rally {
            building_id: object,
            at,
        },
        DUEL_ORDER_CALLDOWN => Command::Calldown {
            power: Power(kind(order.what, Power::count(), "power")?),
            at,
        },
        DUEL_ORDER_BOARD => Command::Board {
            unit_ids,
            carrier_id: object,
        },
        DUEL_ORDER_UNLOAD => Command::Unload {
            unit_ids,
            at: (!flag(order.here, "here")?).then_some(at),
        },
        DUEL_ORDER_LIFT => Command::Lift {
            unit_ids,
            goliath_id: object,
        },
        DUEL_ORDER_RESIGN => Command::Resign,
        other => return Err(Fault::argument(format_args!("order kind {other}: 0 to 19"))),
    })
}

fn kind(number: i32, count: u8, what: &str) -> Result<u8, Fault> {
    match u8::try_from(number) {
        Ok(kind) if kind < count => Ok(kind),
        _ => Err(Fault::argument(format_args!(
            "{what} {number}: 0 to {}",
            count - 1
        ))),
    }
}

pub(crate) fn building_kind(number: i32) -> Result<BuildingKind, Fault> {
    kind(number, BuildingKind::count(), "building kind").map(BuildingKind)
}
