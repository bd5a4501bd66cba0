//! Link level: the audio half
//!
//! One call a block: microphone in, speaker out. It runs on the audio thread (or in an AudioWorklet, an instance of its
//! own), and never allocates, locks, waits, logs or reads a clock. Blocks may have any length.
//!
//! Where the two halves share no memory, the host carries their messages: after each block, `duel_pump_poll_message`
//! until it is empty, each to `duel_link_push_message`; and before the next block the other way round.

use crate::{
    handle::{self, Fault, kind},
    link::{message::poll_message, words::*},
    sized::{self, put, slice, slice_mut},
    status::*,
};
use core::ffi::c_char;
use link_modem::ModemPump;

/// The most channels of input that are looked at.
pub const DUEL_CHANNELS_MAX: u32 = 8;

kind! {
    duel_pump = ModemPump, 2;
}

/// Makes an audio half on its own, whose messages the host carries to a link made without one. Both are made with the
/// same configuration.
///
/// Thread: any; on the web, in the audio thread's instance.
/// Realtime: no.
/// Owns: the caller owns it.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_pump_new(
    config: *const duel_link_config,
    why: *mut c_char,
    why_bytes: usize,
    pump: *mut *mut duel_pump,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        // SAFETY: the caller's promise.
        let config = modem_config(&unsafe { sized::read(config) }?)?;
        if pump.is_null() {
            return Err(Fault::null("pump"));
        }
        let made = ModemPump::alone(config).map_err(bad_rate)?;
        unsafe { put(pump, handle::new(made)?, "pump") }?;
        Ok(DUEL_OK)
    })
}

/// Frees an audio half; NULL is fine. Stop the device first. Its link has stopped then, until it is reset.
///
/// Thread: any, once the audio thread no longer uses it.
/// Realtime: no.
/// Owns: takes the handle.
/// Since: ABI 1.
///
/// # Safety
/// `pump` is NULL or a handle that nobody uses afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_pump_free(pump: *mut duel_pump) -> duel_status {
    crate::handle::enter!(free pump)
}

/// Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
///
/// Thread: audio.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `pump` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_pump_detail(pump: *mut duel_pump) -> *const c_char {
    crate::handle::enter!(detail pump)
}

/// Takes a block of input and fills one of output, both `frames` long. `input` holds a pointer for each channel; of
/// several channels the louder one is heard. With `channels` 0 input is missing, and silence is taken for it.
/// `first_frame` is the device's count of the block's first frame: a count that jumps tells of frames that were lost.
/// `output` is mono, at most −15 dB of full scale loud (RMS): copy it to every channel of the speaker. Input and output
/// must not overlap.
///
/// `DUEL_CLOSED`: the link is closed or freed, `output` is silence, and the caller may stop.
///
/// Thread: audio.
/// Realtime: yes. Bounded work; at most one heavy job for every 512 frames.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `pump` is NULL or a handle; `input` points to `channels` pointers to `frames` samples each, `output` to `frames`.
/// Input and output must not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_pump_process(
    pump: *mut duel_pump,
    input: *const *const f32,
    channels: u32,
    output: *mut f32,
    frames: u32,
    first_frame: u64,
) -> duel_status {
    crate::handle::enter!(pump, |this| {
        if channels > DUEL_CHANNELS_MAX {
            return Err(Fault::argument(format_args!(
                "{channels} channels: at most {DUEL_CHANNELS_MAX}"
            )));
        }
        let mut heard: [&[f32]; DUEL_CHANNELS_MAX as usize] = [&[]; _];
        // SAFETY: the caller's promise, here and below.
        let input = unsafe { slice(input, channels as usize, "input") }?;
        for (heard, &channel) in heard.iter_mut().zip(input) {
            *heard = unsafe { slice(channel, frames as usize, "input channel") }?;
        }
        let output = unsafe { slice_mut(output, frames as usize, "output") }?;
        let goes_on = this.process(&heard[..channels as usize], output, first_frame);
        Ok(if goes_on { DUEL_OK } else { DUEL_CLOSED })
    })
}

/// As `duel_pump_process`, for input whose channels alternate: frame by frame, `channels` samples each. Input and output
/// must not overlap.
///
/// Thread: audio.
/// Realtime: yes. Bounded work; at most one heavy job for every 512 frames.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `pump` is NULL or a handle; `input` points to `channels * frames` samples, `output` to `frames`. Input and output
/// must not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_pump_process_interleaved(
    pump: *mut duel_pump,
    input: *const f32,
    channels: u32,
    output: *mut f32,
    frames: u32,
    first_frame: u64,
) -> duel_status {
    crate::handle::enter!(pump, |this| {
        if channels > DUEL_CHANNELS_MAX {
            return Err(Fault::argument(format_args!(
                "{channels} channels: at most {DUEL_CHANNELS_MAX}"
            )));
        }
        let samples = channels as usize * frames as usize;
        // SAFETY: the caller's promise.
        let (input, output) = unsafe {
            (
                slice(input, samples, "input")?,
                slice_mut(output, frames as usize, "output")?,
            )
        };
        let goes_on = this.process_interleaved(input, channels as usize, output, first_frame);
        Ok(if goes_on { DUEL_OK } else { DUEL_CLOSED })
    })
}

/// The next message for the game's half (`duel_link_push_message`); `DUEL_EMPTY` when there is none. `bytes` has room
/// for `DUEL_MESSAGE_BYTES`. Nothing for a pump made with its link.
///
/// Thread: audio.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `pump` is NULL or a handle; `bytes` points to `capacity` bytes; `length` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_pump_poll_message(
    pump: *mut duel_pump,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> duel_status {
    crate::handle::enter!(pump, |this| {
        // SAFETY: the caller's promise.
        unsafe {
            poll_message(bytes, capacity, length, |message| {
                this.poll_message(message)
            })
        }
    })
}

/// A message of the game's half (`duel_link_poll_message`), whole.
///
/// Thread: audio.
/// Realtime: yes.
/// Owns: nothing; the bytes are copied.
/// Since: ABI 1.
///
/// # Safety
/// `pump` is NULL or a handle; `bytes` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_pump_push_message(
    pump: *mut duel_pump,
    bytes: *const u8,
    length: usize,
) -> duel_status {
    crate::handle::enter!(pump, |this| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice(bytes, length, "bytes") }?;
        match this.push_message(bytes) {
            Ok(()) => Ok(DUEL_OK),
            Err(error) => Err(Fault::new(DUEL_BAD_DATA, error)),
        }
    })
}

/// Reports left behind because nobody took them, and messages dropped likewise; 0 for no handle.
///
/// Thread: audio.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `pump` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_pump_dropped(pump: *mut duel_pump) -> u64 {
    crate::handle::enter!(pump, 0, |this| { this.dropped() })
}
