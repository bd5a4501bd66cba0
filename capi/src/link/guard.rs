//! Link level: the game's own audio
//!
//! A filter in front of the speaker that keeps a game's sound out of the peer's band: high-pass, 10 dB cut, limiter,
//! low-pass. Run the game's mix through it, then add the pump's output.

use crate::{
    handle::{self, Fault, kind, own_bytes},
    sized::{put, slice_mut},
    status::*,
    words::{Word, duel_plan, flag},
};
use core::ffi::c_char;
use link_modem::{GameAudioGuard, RATE_MAX_HZ, guard::CHANNELS_MAX};
use link_transport::Plan;

/// A filter for the game's own audio.
pub struct duel_guard {
    _opaque: (),
}

kind! {
    duel_guard = GameAudioGuard, 3;
}

/// Taps of the filter grow with the rate: this many for each hertz, of the wider design. Held by a test.
const TAPS_A_HERTZ: f64 = 0.0045;

fn check(sample_rate_hz: u32, channels: u32) -> Result<(), Fault> {
    if !(1..=CHANNELS_MAX as u32).contains(&channels) {
        return Err(Fault::argument(format_args!(
            "{channels} channels: 1 to {CHANNELS_MAX}"
        )));
    }
    if !(8_000..=RATE_MAX_HZ).contains(&sample_rate_hz) {
        return Err(Fault::new(
            DUEL_BAD_RATE,
            format_args!("{sample_rate_hz} Hz: 8000 to {RATE_MAX_HZ}"),
        ));
    }
    Ok(())
}

/// Writes how many bytes `duel_guard_new` allocates at most.
///
/// Thread: any.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `bytes` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_guard_memory_bytes(
    sample_rate_hz: u32,
    channels: u32,
    bytes: *mut u64,
) -> duel_status {
    crate::handle::enter!(core::ptr::null_mut(), 0 => {
        check(sample_rate_hz, channels)?;
        let taps = (f64::from(sample_rate_hz) * TAPS_A_HERTZ) as u64 + 16;
        // The taps, while designed in doubles, and two buffers of taps and a chunk for each channel.
        let channels = u64::from(channels);
        let samples = 4 * taps + 2 * (channels + 1) * (taps + 128) + 32 * channels;
        // SAFETY: the caller's promise.
        unsafe { put(bytes, own_bytes::<duel_guard>() as u64 + 4 * samples, "bytes") }?;
        Ok(DUEL_OK)
    })
}

/// Makes a filter for a mix of `channels` interleaved channels, 1 to 8, switched off.
///
/// Thread: any.
/// Realtime: no.
/// Owns: the caller owns it.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_guard_new(
    plan: duel_plan,
    sample_rate_hz: u32,
    channels: u32,
    why: *mut c_char,
    why_bytes: usize,
    guard: *mut *mut duel_guard,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        check(sample_rate_hz, channels)?;
        let plan = Plan::word(plan)?;
        if guard.is_null() {
            return Err(Fault::null("guard"));
        }
        let made = GameAudioGuard::new(plan, sample_rate_hz, channels as usize);
        // SAFETY: the caller's promise.
        unsafe { put(guard, handle::new(made)?, "guard") }?;
        Ok(DUEL_OK)
    })
}

/// Frees a filter; NULL is fine.
///
/// Thread: any, once the audio thread no longer uses it.
/// Realtime: no.
/// Owns: takes the handle.
/// Since: ABI 1.
///
/// # Safety
/// `guard` is NULL or a handle that nobody uses afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_guard_free(guard: *mut duel_guard) -> duel_status {
    crate::handle::enter!(free guard)
}

/// Switches the filter on (1) or off (0), over 50 ms. Off, the mix only comes later.
///
/// Thread: audio.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `guard` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_guard_set_on(guard: *mut duel_guard, on: i32) -> duel_status {
    crate::handle::enter!(guard, |this| {
        this.set_on(flag(on, "on")?);
        Ok(DUEL_OK)
    })
}

/// By how many frames the mix comes later, on or off; 0 for no handle.
///
/// Thread: audio.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `guard` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_guard_latency_frames(guard: *mut duel_guard) -> u32 {
    crate::handle::enter!(guard, 0, |this| { this.latency_frames() as u32 })
}

/// Filters a block in place: `samples` of all channels together, a whole number of frames.
///
/// Thread: audio.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `guard` is NULL or a handle; `mix` points to `samples` samples.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_guard_process(
    guard: *mut duel_guard,
    mix: *mut f32,
    samples: usize,
) -> duel_status {
    crate::handle::enter!(guard, |this| {
        // SAFETY: the caller's promise.
        this.process(unsafe { slice_mut(mix, samples, "mix") }?);
        Ok(DUEL_OK)
    })
}
