//! Match level: what to show
//!
//! One structure for the lobby, the head-up display and the end.

use crate::{
    session::{duel_session, words::duel_session_status},
    sized,
    status::*,
    words::time,
};

/// How the session stands at `now_us`.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `status` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_get_status(
    session: *mut duel_session,
    now_us: u64,
    status: *mut duel_session_status,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let now = time(now_us)?;
        let out = this.shown(now);
        // SAFETY: the caller's promise.
        unsafe { sized::write(status, &out) }?;
        Ok(DUEL_OK)
    })
}
