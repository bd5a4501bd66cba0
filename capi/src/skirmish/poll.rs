//! Skirmish level: what happened
//!
//! The effects of the section before, one by one.

use crate::{
    session::duel_session,
    sized,
    skirmish::{effects::duel_skirmish_effect, seen::effects},
    status::*,
};

/// The next effect of the ticks stepped; `DUEL_EMPTY` when there is no more. The last 1,024 are kept.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `effect` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_poll_effect(
    session: *mut duel_session,
    effect: *mut duel_skirmish_effect,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        // SAFETY: the caller's promise.
        unsafe { sized::check_out(effect) }?;
        let Some(next) = effects(this)?.queue.pop_front() else {
            return Ok(DUEL_EMPTY);
        };
        unsafe { sized::write(effect, &next) }?;
        Ok(DUEL_OK)
    })
}
