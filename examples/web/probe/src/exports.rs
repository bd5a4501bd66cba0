//! What the page calls. Everything lies in memory of this module's, until the next call of its kind.
#![allow(
    unsafe_code,
    reason = "an exported name is unsafe to choose; nothing else here is"
)]

use crate::report;
use link_room::probe::Measurement;
use std::sync::{Mutex, MutexGuard, PoisonError};

static PLAYED: Mutex<Vec<f32>> = Mutex::new(Vec::new());
static RECORDED: Mutex<Vec<f32>> = Mutex::new(Vec::new());
static TEXT: Mutex<String> = Mutex::new(String::new());

/// What lies there, also after a panic.
fn held<T>(place: &'static Mutex<T>) -> MutexGuard<'static, T> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the signal to play at this rate, and returns how many samples it has.
#[unsafe(no_mangle)]
pub extern "C" fn probe_play(sample_rate_hz: u32) -> usize {
    let mut played = held(&PLAYED);
    *played = Measurement.signal(sample_rate_hz);
    played.len()
}

/// Where those samples lie.
#[unsafe(no_mangle)]
pub extern "C" fn probe_played() -> *const f32 {
    held(&PLAYED).as_ptr()
}

/// Room for a recording of so many samples, for the page to fill.
#[unsafe(no_mangle)]
pub extern "C" fn probe_room(samples: usize) -> *mut f32 {
    let mut recorded = held(&RECORDED);
    *recorded = vec![0.0; samples];
    recorded.as_mut_ptr()
}

/// Reads the recording that was put there, and returns how long the text at [`probe_text`] is: JSON.
#[unsafe(no_mangle)]
pub extern "C" fn probe_read(sample_rate_hz: u32) -> usize {
    let recorded = held(&RECORDED);
    let mut text = held(&TEXT);
    *text = report::json(&recorded, sample_rate_hz).to_string();
    text.len()
}

/// Where that text lies, in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn probe_text() -> *const u8 {
    held(&TEXT).as_ptr()
}
