//! Match level: the match
//!
//! From the agreed match to its end and the next one.

use crate::{
    handle::Fault,
    session::{
        duel::order_fault,
        duel_session,
        game::{OwnGame, duel_game, duel_order, order_of},
        own::OwnDuel,
    },
    sized::{self, put, slice},
    status::*,
    words::{flag, time},
};
use versus_codec::OpaqueCodec;
use versus_lockstep::Leave;

/// Begins the agreed match with your game, set up and not stepped yet. (The skirmish begins with
/// `duel_skirmish_begin`.)
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing; the game's `userdata` stays the caller's.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `game` is NULL or a game whose functions work.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_begin(
    session: *mut duel_session,
    now_us: u64,
    game: *const duel_game,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        // SAFETY: the caller's promise.
        let game = OwnGame::new(unsafe { sized::read(game) }?)?;
        let now = time(now_us)?;
        let session = &mut OwnDuel::of(&mut *this.duel)?.session;
        let begun = session.begin_match(now, game, OpaqueCodec);
        begun.map_err(|error| Fault::new(DUEL_NOT_NOW, error))?;
        this.settle();
        Ok(DUEL_OK)
    })
}

/// Steps every tick that is due, and writes how many (`ticks` may be NULL). `DUEL_STALLED`: the next one waits for the
/// peer. Nothing happens outside of a match.
///
/// Thread: the game's. Your game's functions are called from here.
/// Realtime: no. At most 5 ticks a call.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `ticks` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_run(
    session: *mut duel_session,
    now_us: u64,
    ticks: *mut u32,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let now = time(now_us)?;
        let stepped = this.run(now);
        this.settle();
        if !ticks.is_null() {
            // SAFETY: the caller's promise.
            unsafe { ticks.write(stepped) };
        }
        Ok(if this.is_waiting(now) {
            DUEL_STALLED
        } else {
            DUEL_OK
        })
    })
}

/// Gives an order of your own game: the first `bit_count` bits of `bits`, 1 to `DUEL_ORDER_BITS`. Orders keep their order.
/// `first` 1: it goes ahead of everything that waits. `DUEL_REFUSED`: too much waits already.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing; the bits are copied.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `bits` points to as many bytes as hold `bit_count` bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_order(
    session: *mut duel_session,
    now_us: u64,
    bits: *const u8,
    bit_count: u32,
    first: i32,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let first = flag(first, "first")?;
        let bytes = (bit_count.min(1024) as usize).div_ceil(8);
        // SAFETY: the caller's promise.
        let command = order_of(unsafe { slice(bits, bytes, "bits") }?, bit_count)?;
        let now = time(now_us)?;
        let session = &mut OwnDuel::of(&mut *this.duel)?.session;
        let given = if first {
            session.give_first(now, command)
        } else {
            session.give(now, command)
        };
        given.map_err(order_fault)?;
        Ok(DUEL_OK)
    })
}

/// Writes this phone's own order number `index` of those that are given and not applied yet, in the order they will be: what
/// to show a player as done already. `DUEL_EMPTY` past the last. One that a newer one replaced is not among them; none are
/// before the match and after its end.
///
/// Thread: the game's.
/// Realtime: no. Bounded by what waits.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `order` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_in_flight(
    session: *mut duel_session,
    index: u32,
    order: *mut duel_order,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let (mut found, mut at) = (None, 0);
        let session = &OwnDuel::of(&mut *this.duel)?.session;
        session.in_flight(|command| {
            // An order of no bits is a resignation, of which the game knows nothing.
            if command.bit_len() > 0 {
                if at == index {
                    found = Some(command);
                }
                at += 1;
            }
        });
        let side = session.agreed().map(|agreed| agreed.local_side());
        let (Some(command), Some(side)) = (found, side) else {
            return Ok(DUEL_EMPTY);
        };
        // SAFETY: the caller's promise.
        unsafe { put(order, duel_order::of(side, &command), "order") }?;
        Ok(DUEL_OK)
    })
}

/// Gives up the match: it goes ahead of everything that waits, and both phones end it in the same tick.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_resign(
    session: *mut duel_session,
    now_us: u64,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let now = time(now_us)?;
        this.duel.resign(now)?;
        Ok(DUEL_OK)
    })
}

/// Pauses (1) or resumes (0) this phone: what a hidden window does. The peer stalls and is told why.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_set_paused(
    session: *mut duel_session,
    now_us: u64,
    paused: i32,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let paused = flag(paused, "paused")?;
        let now = time(now_us)?;
        this.set_paused(now, paused);
        this.settle();
        Ok(DUEL_OK)
    })
}

/// Leaves: the peer is told. Keep pumping until the status says `closable`, about 2 s; then close or free. `desync` 1:
/// ends the match as out of sync, which you found out by other means.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_leave(
    session: *mut duel_session,
    now_us: u64,
    desync: i32,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let leave = if flag(desync, "desync")? {
            Leave::Desync
        } else {
            Leave::Left
        };
        let now = time(now_us)?;
        this.duel.live()?.leave(now, leave);
        this.settle();
        Ok(DUEL_OK)
    })
}

/// Closes the link for good, whether or not everything is said. What is known of the match stays.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_close(session: *mut duel_session) -> duel_status {
    crate::handle::enter!(session, |this| {
        this.duel.live()?.close();
        Ok(DUEL_OK)
    })
}

/// Opens the lobby again on the same link, for a rematch: sides swap; roles, map and mutators stay. Both phones call it
/// after their match. `seed` as in the configuration, another than before. The status says `rematch_over` once nothing
/// was heard for a minute.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing; the game of the match before is no longer used.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_reset(
    session: *mut duel_session,
    now_us: u64,
    seed: u64,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        this.rematch(time(now_us)?, seed)?;
        Ok(DUEL_OK)
    })
}
