//! What the page calls. Everything lies in memory of this module's, until the next call of its kind.
#![allow(
    unsafe_code,
    reason = "an exported name is unsafe to choose; nothing else here is"
)]

use crate::{file, report};
use link_room::probe::Measurement;
use std::sync::{Mutex, MutexGuard, PoisonError};

static PLAYED: Mutex<Vec<f32>> = Mutex::new(Vec::new());
static RECORDED: Mutex<Vec<f32>> = Mutex::new(Vec::new());
static FILE: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static RATE_HZ: Mutex<u32> = Mutex::new(0);
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

/// Room for a file's bytes, for the page to fill: first its name in UTF-8, then what is in it.
#[unsafe(no_mangle)]
pub extern "C" fn probe_file(bytes: usize) -> *mut u8 {
    let mut file = held(&FILE);
    *file = vec![0; bytes];
    file.as_mut_ptr()
}

/// Opens the file that was put there, the first `name_bytes` of which are its name. Returns where its samples lie, which
/// [`probe_read`] reads too, or null: then [`probe_text`] says why.
#[unsafe(no_mangle)]
pub extern "C" fn probe_open(name_bytes: usize) -> *const f32 {
    let file = std::mem::take(&mut *held(&FILE));
    let (name, bytes) = file.split_at(name_bytes.min(file.len()));
    match file::wav(bytes, &String::from_utf8_lossy(name)) {
        Ok((samples, rate_hz)) => {
            let mut recorded = held(&RECORDED);
            *recorded = samples;
            *held(&RATE_HZ) = rate_hz;
            recorded.as_ptr()
        }
        Err(why) => {
            held(&RECORDED).clear();
            *held(&RATE_HZ) = 0;
            *held(&TEXT) = why;
            std::ptr::null()
        }
    }
}

/// Of what [`probe_open`] opened: its sample rate, or, where it could not, 0.
#[unsafe(no_mangle)]
pub extern "C" fn probe_rate() -> u32 {
    *held(&RATE_HZ)
}

/// How many samples of a recording there are, or, where a file could not be opened, bytes of text.
#[unsafe(no_mangle)]
pub extern "C" fn probe_length() -> usize {
    match *held(&RATE_HZ) {
        0 => held(&TEXT).len(),
        _ => held(&RECORDED).len(),
    }
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
