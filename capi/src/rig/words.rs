//! Link level: what a rig is told, asks for and is
//!
//! The words and structures of the next section.

use crate::sized::sized;
use core::ffi::c_char;

sized! {
    duel_rig_event to flag;
    duel_rig_action to mic_mode;
    duel_rig_status to next_wake_us;
}

/// How the microphone is asked for: `DUEL_MIC_…`.
pub type duel_mic_mode = i32;
/// Echo cancellation, noise suppression and gain control off, one channel.
pub const DUEL_MIC_RAW: i32 = 0;
/// The same with echo cancellation on.
pub const DUEL_MIC_ECHO_CANCELLING: i32 = 1;

/// What happened to the devices: `DUEL_RIG_…`.
pub type duel_rig_event_kind = i32;
/// `DUEL_DO_OPEN_AUDIO` is done: `id`, `rate_hz`, and `flag` 1 if it runs, 0 if the system wants a tap first.
pub const DUEL_RIG_AUDIO_OPENED: i32 = 1;
/// It failed: `id`, and `flag` 1 if the modem's audio half was what did not load.
pub const DUEL_RIG_AUDIO_FAILED: i32 = 2;
/// The device renders: `id`.
pub const DUEL_RIG_AUDIO_RUNNING: i32 = 3;
/// The device does not render, and may again by itself (a call came in): `id`.
pub const DUEL_RIG_AUDIO_STOPPED: i32 = 4;
/// The device is suspended and waits to be resumed (a call ended): `id`.
pub const DUEL_RIG_AUDIO_SUSPENDED: i32 = 5;
/// The device is gone for good: `id`.
pub const DUEL_RIG_AUDIO_BROKEN: i32 = 6;
/// `DUEL_DO_ASK_MICROPHONE` is done: `id`, and `rate_hz` where the system tells it, or 0.
pub const DUEL_RIG_MICROPHONE_OPENED: i32 = 7;
/// It was refused, or there is none: `id`, and `flag` 1 if someone said no.
pub const DUEL_RIG_MICROPHONE_FAILED: i32 = 8;
/// The microphone's stream ended: `id`.
pub const DUEL_RIG_MICROPHONE_ENDED: i32 = 9;
/// It delivers nothing for now: `id`.
pub const DUEL_RIG_MICROPHONE_MUTED: i32 = 10;
/// It delivers again: `id`.
pub const DUEL_RIG_MICROPHONE_UNMUTED: i32 = 11;
/// Headphones, Bluetooth or another device came or went.
pub const DUEL_RIG_DEVICES_CHANGED: i32 = 12;
/// A link runs on the rig's device: it was made, or `DUEL_DO_REBUILD_LINK` is done.
pub const DUEL_RIG_LINK_STARTED: i32 = 13;
/// The rig's link was closed by its owner.
pub const DUEL_RIG_LINK_CLOSED: i32 = 14;
/// `DUEL_DO_REBUILD_LINK` failed.
pub const DUEL_RIG_LINK_FAILED: i32 = 15;
/// The screen shows the game again.
pub const DUEL_RIG_SHOWN: i32 = 16;
/// The answer to `DUEL_DO_REQUEST_WAKE_LOCK`: `flag` 1 if the screen will stay on.
pub const DUEL_RIG_WAKE_LOCK: i32 = 17;

/// Something that happened. Sized.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_rig_event {
    /// `sizeof(duel_rig_event)`.
    pub struct_size: u32,
    /// What, `DUEL_RIG_…`.
    pub kind: i32,
    /// Which device or microphone: the number that the action named.
    pub id: u32,
    /// A sample rate, where the event has one.
    pub rate_hz: u32,
    /// 0 or 1, where the event has a flag.
    pub flag: i32,
}

/// What the host is to do: `DUEL_DO_…`.
pub type duel_rig_action_kind = i32;
/// Open audio device `id` at its own rate, for playing and recording, within the tap.
pub const DUEL_DO_OPEN_AUDIO: i32 = 1;
/// Let device `id` start or go on.
pub const DUEL_DO_RESUME_AUDIO: i32 = 2;
/// Close device `id` and whatever ran on it.
pub const DUEL_DO_CLOSE_AUDIO: i32 = 3;
/// Ask for microphone `id` in `mic_mode`, and connect it to the device.
pub const DUEL_DO_ASK_MICROPHONE: i32 = 4;
/// Stop microphone `id`. Always before another is asked for.
pub const DUEL_DO_RELEASE_MICROPHONE: i32 = 5;
/// Give the link a new modem on device `id`: `duel_link_reset`.
pub const DUEL_DO_REBUILD_LINK: i32 = 6;
/// Keep the screen on.
pub const DUEL_DO_REQUEST_WAKE_LOCK: i32 = 7;
/// Let it go.
pub const DUEL_DO_RELEASE_WAKE_LOCK: i32 = 8;

/// Something to do. Sized.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_rig_action {
    /// `sizeof(duel_rig_action)`.
    pub struct_size: u32,
    /// What, `DUEL_DO_…`.
    pub kind: i32,
    /// Which device or microphone.
    pub id: u32,
    /// How, `DUEL_MIC_…`, where a microphone is asked for.
    pub mic_mode: i32,
}

/// Where a rig is: `DUEL_RIG_IS_…`.
pub type duel_rig_state = i32;
/// Waiting for the device and the microphone.
pub const DUEL_RIG_IS_OPENING: i32 = 0;
/// All there, but the system wants a tap: "Tap to start sound".
pub const DUEL_RIG_IS_TAP_TO_START: i32 = 1;
/// Sound runs.
pub const DUEL_RIG_IS_LIVE: i32 = 2;
/// "Tap to reconnect the sound link".
pub const DUEL_RIG_IS_LOST: i32 = 3;
/// A tap is being worked on.
pub const DUEL_RIG_IS_RECONNECTING: i32 = 4;
/// Sound runs again, and the capture has to prove itself before the cover goes.
pub const DUEL_RIG_IS_RECOVERING: i32 = 5;
/// It could not open; everything is let go.
pub const DUEL_RIG_IS_FAILED: i32 = 6;
/// Closed by its owner.
pub const DUEL_RIG_IS_CLOSED: i32 = 7;

/// Why a live link was lost: `DUEL_LOST_…`.
pub type duel_lost = i32;
/// The microphone's stream ended.
pub const DUEL_LOST_MICROPHONE_ENDED: i32 = 1;
/// The microphone was muted for more than a second.
pub const DUEL_LOST_MICROPHONE_MUTED: i32 = 2;
/// The audio device did not run for more than half a second.
pub const DUEL_LOST_AUDIO_STOPPED: i32 = 3;
/// Headphones, Bluetooth or another device came or went.
pub const DUEL_LOST_DEVICES_CHANGED: i32 = 4;
/// The modem stopped.
pub const DUEL_LOST_MODEM: i32 = 5;

/// Why a rig could not open, or why a tap failed: `DUEL_RIG_ERROR_…`. Numbers go with some: `error_values`.
pub type duel_rig_error = i32;
/// It could, and none did.
pub const DUEL_RIG_ERROR_NONE: i32 = 0;
/// No audio device would open.
pub const DUEL_RIG_ERROR_NO_AUDIO: i32 = 1;
/// The modem's audio half did not load or start.
pub const DUEL_RIG_ERROR_NO_MODEM: i32 = 2;
/// The person or the system said no.
pub const DUEL_RIG_ERROR_MICROPHONE_REFUSED: i32 = 3;
/// There is no microphone, or another program holds it.
pub const DUEL_RIG_ERROR_NO_MICROPHONE: i32 = 4;
/// The device's sample rate is no multiple of 100 Hz: the rate.
pub const DUEL_RIG_ERROR_RATE_ODD: i32 = 5;
/// It is too slow for the plan: the rate, the slowest that would do, and `DUEL_PLAN_…`.
pub const DUEL_RIG_ERROR_RATE_TOO_SLOW: i32 = 6;
/// It is too fast: the rate, and the fastest that would do.
pub const DUEL_RIG_ERROR_RATE_TOO_FAST: i32 = 7;
/// The microphone's own sample rate is too slow (a Bluetooth headset): the rate.
pub const DUEL_RIG_ERROR_MICROPHONE_RATE: i32 = 8;
/// The device did not come back in time.
pub const DUEL_RIG_ERROR_TIMED_OUT: i32 = 9;
/// The modem stopped: `DUEL_FAULT_…`.
pub const DUEL_RIG_ERROR_MODEM: i32 = 10;
/// The link was lost again right after: `DUEL_LOST_…`.
pub const DUEL_RIG_ERROR_LOST_AGAIN: i32 = 11;
/// Something else.
pub const DUEL_RIG_ERROR_OTHER: i32 = 12;

/// What to try about it: `DUEL_TRY_…`.
pub type duel_try = i32;
/// There is nothing to be done.
pub const DUEL_TRY_NOTHING: i32 = 0;
/// Again with headphones and Bluetooth disconnected.
pub const DUEL_TRY_DISCONNECTING: i32 = 1;
/// Again with the microphone allowed.
pub const DUEL_TRY_ALLOWING_MICROPHONE: i32 = 2;
/// Again with other apps that use sound closed.
pub const DUEL_TRY_CLOSING_APPS: i32 = 3;

/// A rig, to draw. Sized.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_rig_status {
    /// `sizeof(duel_rig_status)`.
    pub struct_size: u32,
    /// Where it is, `DUEL_RIG_IS_…`.
    pub state: i32,
    /// Why it was lost, `DUEL_LOST_…`, or 0.
    pub lost: i32,
    /// 1: two taps have failed, and the cover offers to leave.
    pub offers_leave: i32,
    /// 1: the phone may lock its screen during a match.
    pub warns_of_auto_lock: i32,
    /// The microphone's mode, `DUEL_MIC_…`, or the one being switched to.
    pub mic_mode: i32,
    /// Why it could not open, or why the last tap failed, `DUEL_RIG_ERROR_…`.
    pub error: i32,
    /// The numbers that go with it.
    pub error_values: [i32; 3],
    /// What to try about it, `DUEL_TRY_…`.
    pub advice: i32,
    /// Zero.
    pub reserved: i32,
    /// Why it was lost, as a sentence; empty if it was not. In the rig, until its next call.
    pub lost_text: *const c_char,
    /// Why it could not open, or why the last tap failed, as a sentence; empty if neither did.
    pub error_text: *const c_char,
    /// What to try about it, as a sentence; empty if there is nothing.
    pub advice_text: *const c_char,
    /// How long capture has been free of gaps. A match begins after 1,500,000.
    pub capture_ok_us: u64,
    /// When to call `duel_rig_handle_time` at the latest, or -1.
    pub next_wake_us: i64,
}
