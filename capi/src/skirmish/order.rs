//! Skirmish level: orders
//!
//! One structure for all twenty kinds of order. What breaks the rules does nothing, and comes back as an effect of kind
//! `DUEL_EFFECT_REFUSED` when its tick is stepped.

use crate::{
    handle::Fault,
    session::{duel::order_fault, duel_session},
    sized::{self, sized, slice},
    skirmish::duel::SkirmishDuel,
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
        let given = SkirmishDuel::of(this)?.session.give(time(now_us)?, command);
        given.map_err(order_fault)?;
        Ok(DUEL_OK)
    })
}

/// Writes this phone's own order number `index` (its AI's among them) of those that are given and not applied yet, in the
/// order they will be: what to show a player as done already, so that a second tap within the delay does what it would
/// without one. `DUEL_EMPTY` past the last. Fields that an order's kind does not name are zero; its units lie in the session:
/// read them before the next call. One that a newer one replaced is not among them, one of many units may be several, and
/// none are before the match and after its end.
///
/// Thread: the game's.
/// Realtime: no. Bounded by what waits.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `order` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_in_flight(
    session: *mut duel_session,
    index: u32,
    order: *mut duel_skirmish_order,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let duel = SkirmishDuel::of(this)?;
        let (mut found, mut at) = (None, 0);
        duel.session.in_flight(|command| {
            if at == index {
                found = Some(command);
            }
            at += 1;
        });
        let Some(command) = found else {
            return Ok(DUEL_EMPTY);
        };
        let out = order_of(duel.shown.insert(command));
        // SAFETY: the caller's promise.
        unsafe { sized::write(order, &out) }?;
        Ok(DUEL_OK)
    })
}

/// The units stay the command's.
fn order_of(command: &Command) -> duel_skirmish_order {
    let mut out = duel_skirmish_order {
        struct_size: 0,
        kind: command.type_index().into(),
        units: core::ptr::null(),
        unit_count: 0,
        object: 0,
        what: 0,
        x: 0,
        y: 0,
        here: 0,
    };
    let (mut units, mut place): (&[u32], _) = (&[], None);
    match command {
        Command::Move { unit_ids, at }
        | Command::AttackMove { unit_ids, at }
        | Command::Harvest { unit_ids, at } => {
            (units, place) = (unit_ids, Some(Point::of_cell(*at)));
        }
        Command::Stop { unit_ids }
        | Command::Anchor { unit_ids }
        | Command::PackUp { unit_ids } => units = unit_ids,
        Command::Attack {
            unit_ids,
            target_id: object,
        }
        | Command::Board {
            unit_ids,
            carrier_id: object,
        }
        | Command::Lift {
            unit_ids,
            goliath_id: object,
        } => (units, out.object) = (unit_ids, *object),
        Command::Unload { unit_ids, at } => {
            (units, place) = (unit_ids, at.map(Point::of_cell));
            out.here = at.is_none().into();
        }
        Command::Produce {
            building_id,
            unit_kind,
        }
        | Command::CancelProduce {
            building_id,
            unit_kind,
        } => (out.object, out.what) = (*building_id, unit_kind.0.into()),
        Command::StartBuilding { building_kind } => out.what = building_kind.0.into(),
        Command::PlaceBuilding { at } => place = Some(Point::of_tile(*at)),
        Command::Sell { building_id } => out.object = *building_id,
        Command::Rally { building_id, at } => {
            (out.object, place) = (*building_id, Some(Point::of_cell(*at)));
        }
        Command::Calldown { power, at } => {
            (out.what, place) = (power.0.into(), Some(Point::of_cell(*at)));
        }
        Command::CancelBuilding | Command::CallWave | Command::Resign => {}
    }
    if !units.is_empty() {
        (out.units, out.unit_count) = (units.as_ptr(), units.len() as u32);
    }
    if let Some(place) = place {
        (out.x, out.y) = (place.x, place.y);
    }
    out
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of order comes back out with what it went in with.
    #[test]
    fn an_order_on_its_way_says_what_was_given() {
        let units = [7, 9];
        for kind in DUEL_ORDER_MOVE..=DUEL_ORDER_RESIGN {
            let order = duel_skirmish_order {
                struct_size: 0,
                kind,
                units: units.as_ptr(),
                unit_count: 2,
                object: 5,
                what: 1,
                x: 3 * 1024 + 100,
                y: 2 * 1024 + 700,
                here: 0,
            };
            // SAFETY: the units are there.
            let command = unsafe { command_of(&order) }.ok().expect("an order");
            let again = order_of(&command);
            assert_eq!(again.kind, kind);
            // SAFETY: as above.
            let again = unsafe { command_of(&again) }.ok().expect("an order");
            assert_eq!(again, command);
        }
    }
}
