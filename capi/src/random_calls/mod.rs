//! Any sequence of calls as a careless host might make it: behind the feature `random-calls`, for the fuzzer.
//!
//! The sequence is written in bytes, one operation after another. Handles are NULL, live, freed, of another kind, or any number; numbers are
//! anything; memory is as long as it is said to be. Whatever is called, nothing may panic, every status has a name, and a
//! call that fails writes nothing.

mod chance;
mod life;
mod link;
mod session;
mod sound;
mod wild;

use crate::*;
use core::{
    ffi::{CStr, c_char},
    ptr::null_mut,
};
use session::Counter;
use wild::Wild;

/// Operations of one sequence.
const CALLS_MAX: usize = 96;
/// An operation from here on calls any function of the header; below, what a host would do.
const ANY: u8 = 240;
/// Samples and bytes that a call is handed at most.
const BUFFER: usize = 512;

/// Runs the sequence that `data` describes.
///
/// # Panics
/// If a law is broken.
pub fn random_calls(data: &[u8]) {
    let mut host = Host::new(data);
    for _ in 0..CALLS_MAX {
        if host.bytes.is_empty() {
            break;
        }
        host.call();
    }
}

/// A careless host and all it holds.
struct Host<'a> {
    bytes: &'a [u8],
    now_us: u64,
    frame: u64,
    links: [*mut duel_link; 2],
    pumps: [*mut duel_pump; 2],
    sessions: [*mut duel_session; 2],
    guard: *mut duel_guard,
    rig: *mut duel_rig,
    advice: *mut duel_advice,
    room: *mut duel_room,
    games: [Box<Counter>; 2],
    why: [c_char; 64],
    wild: Wild,
}

/// A status that no bug may cause.
fn lawful(status: duel_status) -> bool {
    assert_ne!(status, DUEL_PANICKED, "the library panicked");
    let name = duel_status_name(status);
    // SAFETY: a static string.
    assert_ne!(
        unsafe { CStr::from_ptr(name) },
        c"DUEL_UNKNOWN",
        "status {status}"
    );
    status == DUEL_OK
}

impl<'a> Host<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let counter = || {
            Box::new(Counter {
                orders: 0,
                ticks: 0,
            })
        };
        Self {
            bytes,
            now_us: 0,
            frame: 0,
            links: [null_mut(); 2],
            pumps: [null_mut(); 2],
            sessions: [null_mut(); 2],
            guard: null_mut(),
            rig: null_mut(),
            advice: null_mut(),
            room: null_mut(),
            games: [counter(), counter()],
            why: [0; 64],
            wild: Wild::new(),
        }
    }

    fn call(&mut self) {
        self.now_us += u64::from(self.byte()) * 1_000;
        let which = usize::from(self.byte() & 1);
        let operation = self.byte();
        // SAFETY: whatever the handles are, pointers are NULL or as long as they are said to be.
        unsafe {
            match operation % 12 {
                _ if operation >= ANY => self.call_any(),
                0 => self.make(which),
                1 => self.free(which),
                2 | 3 => self.call_link(which),
                4 => self.call_pump(which),
                5..=7 => self.call_session(which),
                8 => self.call_rig(which),
                9 => self.call_room(),
                10 => self.carry(),
                _ => self.call_guard(),
            };
        }
    }
}

impl Drop for Host<'_> {
    fn drop(&mut self) {
        // SAFETY: every handle is NULL or live, and nobody else has it.
        unsafe {
            for at in 0..2 {
                lawful(duel_session_free(self.sessions[at]));
                lawful(duel_link_free(self.links[at]));
                lawful(duel_pump_free(self.pumps[at]));
            }
            lawful(duel_guard_free(self.guard));
            lawful(duel_rig_free(self.rig));
            lawful(duel_advice_free(self.advice));
            lawful(duel_room_free(self.room));
        }
    }
}
