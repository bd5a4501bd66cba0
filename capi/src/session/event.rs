//! Match level: events
//!
//! What happened, in order, for a host that would rather be told than compare statuses.

use crate::{
    session::{
        duel_session,
        show::{end_word, phase_word, why_word},
    },
    sized::{self, sized},
    status::*,
    words::mode_word,
};
use core::ffi::c_char;
use versus_lockstep::GiveError;
use versus_session::SessionEvent;

sized! {
    duel_session_event to text;
}

/// Something that a host may want to tell its player: `DUEL_EVENT_…`.
pub type duel_session_event_kind = i32;
/// The session is in another phase: `value` is `DUEL_PHASE_…`.
pub const DUEL_EVENT_PHASE: i32 = 1;
/// The match waits, or goes on: `value` is `DUEL_WAIT_…`.
pub const DUEL_EVENT_WAITING: i32 = 2;
/// This phone sends in another mode: `value` is `DUEL_MODE_…`.
pub const DUEL_EVENT_MODE: i32 = 3;
/// An order was not taken: `value` is `DUEL_NOT_TAKEN_…`.
pub const DUEL_EVENT_ORDER_REFUSED: i32 = 4;
/// The match has ended, or more is known about its end: `value` is `DUEL_END_…`.
pub const DUEL_EVENT_END: i32 = 5;
/// The peer is back in the lobby: offer a rematch.
pub const DUEL_EVENT_PEER_IN_LOBBY: i32 = 6;

/// Why an order was not taken: `DUEL_NOT_TAKEN_…`.
pub type duel_not_taken = i32;
/// Too much waits already.
pub const DUEL_NOT_TAKEN_QUEUE_FULL: i32 = 1;
/// It is none that the game's orders can say.
pub const DUEL_NOT_TAKEN_NOT_ENCODABLE: i32 = 2;

fn refusal_word(error: &GiveError) -> duel_not_taken {
    match error {
        GiveError::QueueFull(_) => DUEL_NOT_TAKEN_QUEUE_FULL,
        _ => DUEL_NOT_TAKEN_NOT_ENCODABLE,
    }
}

/// Something that happened. Sized. `kind` and `value` say it all.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_session_event {
    /// `sizeof(duel_session_event)`.
    pub struct_size: u32,
    /// What, `DUEL_EVENT_…`.
    pub kind: i32,
    /// What it became, where the kind says so.
    pub value: i32,
    /// Zero.
    pub reserved: i32,
    /// The same in English, for a log. In the session, until its next call.
    pub text: *const c_char,
}

/// The next thing that happened; `DUEL_EMPTY` when there is no more. What nobody asks for is dropped, the oldest first.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `event` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_poll_event(
    session: *mut duel_session,
    event: *mut duel_session_event,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        // SAFETY: the caller's promise.
        unsafe { sized::check_out(event) }?;
        let Some(next) = this.take_event() else {
            return Ok(DUEL_EMPTY);
        };
        let (kind, value) = match next {
            SessionEvent::Phase(phase) => (DUEL_EVENT_PHASE, phase_word(phase)),
            SessionEvent::Waiting(why) => (DUEL_EVENT_WAITING, why_word(why)),
            SessionEvent::Mode(mode) => (DUEL_EVENT_MODE, mode_word(mode)),
            SessionEvent::OrderRefused(error) => (DUEL_EVENT_ORDER_REFUSED, refusal_word(&error)),
            SessionEvent::End(end) => (DUEL_EVENT_END, end_word(&end)),
            _ => (DUEL_EVENT_PEER_IN_LOBBY, 0),
        };
        let out = duel_session_event {
            struct_size: 0,
            kind,
            value,
            reserved: 0,
            text: this.event_text.as_ptr(),
        };
        unsafe { sized::write(event, &out) }?;
        Ok(DUEL_OK)
    })
}
