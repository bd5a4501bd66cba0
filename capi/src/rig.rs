//! Link level: the audio life of a live link
//!
//! A device is opened, a microphone asked for, a call comes in, headphones are pulled, the person taps, sound goes on: a
//! rig knows what to do next, and does nothing itself. Tell it what happened (`duel_rig_handle_event`), do what it says
//! (`duel_rig_poll_action`), draw what it is (`duel_rig_get_status`).
//!
//! Each device and each request for the microphone has a number, so that what comes too late is known as such.

use crate::{
    handle::{self, Fault, kind},
    link::{Link, duel_link},
    sized::{self, put, sized},
    status::*,
    text::Text,
    words::*,
};
use core::ffi::c_char;
use link_modem::half::ModemFault;
use link_rig::{
    Action, DeviceId, Event, LostReason, MicMode, MicrophoneId, Rig, RigError, RigState,
};
use link_transport::{LinkTime, Plan, Role};

/// The audio life of a live link.
pub struct duel_rig {
    _opaque: (),
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
    /// Why it was lost, as a sentence; empty if it was not. In the rig, until its next call.
    pub lost_text: *const c_char,
    /// Why it could not open, or why the last tap failed, as a sentence; empty if neither did.
    pub error_text: *const c_char,
    /// What to try about it; empty if there is nothing.
    pub error_advice: *const c_char,
    /// How long capture has been free of gaps. A match begins after 1,500,000.
    pub capture_ok_us: u64,
    /// When to call `duel_rig_handle_time` at the latest, or -1.
    pub next_wake_us: i64,
}

/// Gap-free capture that a match or the end of a reconnect cover waits for.
pub const DUEL_CAPTURE_OK_US: u64 = 1_500_000;
const _: () = assert!(link_rig::CAPTURE_OK.as_micros() == DUEL_CAPTURE_OK_US as u128);

sized! {
    duel_rig_event to flag;
    duel_rig_action to mic_mode;
    duel_rig_status to next_wake_us;
}

kind! {
    duel_rig = RigBody, 0x04;
}

pub(crate) struct RigBody {
    rig: Rig,
    /// The fault that the rig has been told of.
    told: Option<ModemFault>,
    lost_text: Text,
    error_text: Text,
    error_advice: Text,
}

impl Word for MicMode {
    const NAME: &'static str = "microphone mode";
    const ALL: &'static [Self] = &[Self::Raw, Self::EchoCancelling];
}

fn mic_word(mode: MicMode) -> i32 {
    match mode {
        MicMode::Raw => DUEL_MIC_RAW,
        MicMode::EchoCancelling => DUEL_MIC_ECHO_CANCELLING,
    }
}

/// Begins a rig within a tap, for a link of this role on this plan. Actions wait at once.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: the caller owns it.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_rig_new(
    now_us: u64,
    plan: duel_plan,
    role: duel_role,
    listen: duel_listen,
    mic_mode: duel_mic_mode,
    why: *mut c_char,
    why_bytes: usize,
    rig: *mut *mut duel_rig,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        if rig.is_null() {
            return Err(Fault::null("rig"));
        }
        let (plan, role) = (Plan::word(plan)?, Role::word(role)?);
        let rx = crate::words::listen(listen, role)?;
        let made = RigBody {
            rig: Rig::open(LinkTime::from_us(now_us), plan, rx, MicMode::word(mic_mode)?),
            told: None,
            lost_text: Text::EMPTY,
            error_text: Text::EMPTY,
            error_advice: Text::EMPTY,
        };
        // SAFETY: the caller's promise.
        unsafe { put(rig, handle::new(made), "rig") }?;
        Ok(DUEL_OK)
    })
}

/// Frees a rig; NULL is fine. It does nothing to devices: `duel_rig_close` first, and do what it says.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: takes the handle.
/// Since: ABI 1.
///
/// # Safety
/// `rig` is NULL or a handle that nobody uses afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_rig_free(rig: *mut duel_rig) -> duel_status {
    crate::handle::enter!(free rig)
}

/// Why the newest call on this handle that failed did so. The string lies in the handle: read it before the next call.
///
/// Thread: the game's.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `rig` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_rig_detail(rig: *mut duel_rig) -> *const c_char {
    crate::handle::enter!(detail rig)
}

/// Tells what happened to the devices. Actions may follow.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `rig` is NULL or a handle; `event` is NULL or an event whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_rig_handle_event(
    rig: *mut duel_rig,
    now_us: u64,
    event: *const duel_rig_event,
) -> duel_status {
    crate::handle::enter!(rig, |this| {
        // SAFETY: the caller's promise.
        let event = event_of(&unsafe { sized::read(event) }?)?;
        if event == Event::LinkStarted {
            this.told = None;
        }
        this.rig.handle_event(LinkTime::from_us(now_us), event);
        Ok(DUEL_OK)
    })
}

fn event_of(event: &duel_rig_event) -> Result<Event, Fault> {
    let (device, microphone) = (DeviceId(event.id), MicrophoneId(event.id));
    let flag = flag(event.flag, "flag")?;
    Ok(match event.kind {
        DUEL_RIG_AUDIO_OPENED => Event::AudioOpened {
            device,
            rate_hz: event.rate_hz,
            running: flag,
        },
        DUEL_RIG_AUDIO_FAILED => Event::AudioFailed {
            device,
            modem: flag,
        },
        DUEL_RIG_AUDIO_RUNNING => Event::AudioRunning(device),
        DUEL_RIG_AUDIO_STOPPED => Event::AudioStopped(device),
        DUEL_RIG_AUDIO_SUSPENDED => Event::AudioSuspended(device),
        DUEL_RIG_AUDIO_BROKEN => Event::AudioBroken(device),
        DUEL_RIG_MICROPHONE_OPENED => Event::MicrophoneOpened {
            microphone,
            rate_hz: (event.rate_hz > 0).then_some(event.rate_hz),
        },
        DUEL_RIG_MICROPHONE_FAILED => Event::MicrophoneFailed {
            microphone,
            refused: flag,
        },
        DUEL_RIG_MICROPHONE_ENDED => Event::MicrophoneEnded(microphone),
        DUEL_RIG_MICROPHONE_MUTED => Event::MicrophoneMuted(microphone),
        DUEL_RIG_MICROPHONE_UNMUTED => Event::MicrophoneUnmuted(microphone),
        DUEL_RIG_DEVICES_CHANGED => Event::DevicesChanged,
        DUEL_RIG_LINK_STARTED => Event::LinkStarted,
        DUEL_RIG_LINK_CLOSED => Event::LinkClosed,
        DUEL_RIG_LINK_FAILED => Event::LinkFailed(RigError::NoModem),
        DUEL_RIG_SHOWN => Event::Shown,
        DUEL_RIG_WAKE_LOCK => Event::WakeLock { held: flag },
        other => return Err(Fault::argument(format_args!("event kind {other}: 1 to 17"))),
    })
}

/// The person tapped: to start sound, or to reconnect.
///
/// Thread: the game's, within the tap.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `rig` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_rig_handle_tap(rig: *mut duel_rig, now_us: u64) -> duel_status {
    crate::handle::enter!(rig, |this| {
        this.rig.handle_tap(LinkTime::from_us(now_us));
        Ok(DUEL_OK)
    })
}

/// Lets time come: call it every frame, or at `next_wake_us`.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `rig` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_rig_handle_time(rig: *mut duel_rig, now_us: u64) -> duel_status {
    crate::handle::enter!(rig, |this| {
        this.rig.handle_time(LinkTime::from_us(now_us));
        Ok(DUEL_OK)
    })
}

/// Looks at the rig's link: takes its gaps (`duel_link_poll_gap` has nothing left then), notices that its modem stopped
/// and that its plan was found, and lets time come. Call it every frame, after the link or its session was polled.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `rig` and `link` are NULL or handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_rig_watch(
    rig: *mut duel_rig,
    now_us: u64,
    link: *mut duel_link,
) -> duel_status {
    crate::handle::enter!(rig, |this| {
        let now = LinkTime::from_us(now_us);
        let looked = crate::handle::enter!(link, |link| {
            this.watch(now, link)?;
            Ok(DUEL_OK)
        });
        match looked {
            DUEL_OK => Ok(DUEL_OK),
            status => Err(Fault::new(status, "the link cannot be watched")),
        }
    })
}

impl RigBody {
    fn watch(&mut self, now: LinkTime, link: &mut Link) -> Result<(), Fault> {
        let rig = &mut self.rig;
        let (stopped, config) = link.modem(|link| {
            while let Some(gap) = link.take_gap() {
                rig.handle_event(
                    now,
                    match gap.lasted {
                        None => Event::GapStarted,
                        Some(_) => Event::GapEnded,
                    },
                );
            }
            (link.stopped(), link.config())
        })?;
        rig.set_plan(config.plan, config.rx);
        if let Some(fault) = stopped
            && self.told != stopped
        {
            rig.handle_event(now, Event::ModemStopped(fault));
        }
        self.told = stopped;
        rig.handle_time(now);
        Ok(())
    }
}

/// What to do next; `DUEL_EMPTY` when there is nothing. Call it after every other call, until then.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `rig` is NULL or a handle; `action` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_rig_poll_action(
    rig: *mut duel_rig,
    action: *mut duel_rig_action,
) -> duel_status {
    crate::handle::enter!(rig, |this| {
        // SAFETY: the caller's promise.
        unsafe { sized::check_out(action) }?;
        let Some(next) = this.rig.poll_action() else {
            return Ok(DUEL_EMPTY);
        };
        let (kind, id, mode) = match next {
            Action::OpenAudio(device) => (DUEL_DO_OPEN_AUDIO, device.0, MicMode::Raw),
            Action::ResumeAudio(device) => (DUEL_DO_RESUME_AUDIO, device.0, MicMode::Raw),
            Action::CloseAudio(device) => (DUEL_DO_CLOSE_AUDIO, device.0, MicMode::Raw),
            Action::AskMicrophone { microphone, mode } => {
                (DUEL_DO_ASK_MICROPHONE, microphone.0, mode)
            }
            Action::ReleaseMicrophone(microphone) => {
                (DUEL_DO_RELEASE_MICROPHONE, microphone.0, MicMode::Raw)
            }
            Action::RebuildLink(device) => (DUEL_DO_REBUILD_LINK, device.0, MicMode::Raw),
            Action::RequestWakeLock => (DUEL_DO_REQUEST_WAKE_LOCK, 0, MicMode::Raw),
            Action::ReleaseWakeLock => (DUEL_DO_RELEASE_WAKE_LOCK, 0, MicMode::Raw),
            _ => return Err(Fault::new(DUEL_UNSUPPORTED, "an action that has no number")),
        };
        let out = duel_rig_action {
            struct_size: 0,
            kind,
            id,
            mic_mode: mic_word(mode),
        };
        unsafe { sized::write(action, &out) }?;
        Ok(DUEL_OK)
    })
}

/// How it is, to draw. The texts are in English, and lie in the rig until its next call.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `rig` is NULL or a handle; `status` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_rig_get_status(
    rig: *mut duel_rig,
    now_us: u64,
    status: *mut duel_rig_status,
) -> duel_status {
    crate::handle::enter!(rig, |this| {
        let (state, lost, failed) = match this.rig.state() {
            RigState::Opening => (DUEL_RIG_IS_OPENING, None, None),
            RigState::TapToStart => (DUEL_RIG_IS_TAP_TO_START, None, None),
            RigState::Live => (DUEL_RIG_IS_LIVE, None, None),
            RigState::Lost(lost) => (DUEL_RIG_IS_LOST, Some(lost), None),
            RigState::Reconnecting(lost) => (DUEL_RIG_IS_RECONNECTING, Some(lost), None),
            RigState::Recovering(lost) => (DUEL_RIG_IS_RECOVERING, Some(lost), None),
            RigState::Failed(error) => (DUEL_RIG_IS_FAILED, None, Some(error)),
            _ => (DUEL_RIG_IS_CLOSED, None, None),
        };
        let error = failed.or(this.rig.last_error());
        (this.lost_text, this.error_text, this.error_advice) =
            (Text::EMPTY, Text::EMPTY, Text::EMPTY);
        if let Some(lost) = lost {
            this.lost_text.set(lost);
        }
        if let Some(error) = error {
            this.error_text.set(error);
            this.error_advice.set(error.advice());
        }
        let out = duel_rig_status {
            struct_size: 0,
            state,
            lost: lost.map_or(0, lost_word),
            offers_leave: this.rig.offers_leave().into(),
            warns_of_auto_lock: this.rig.warns_of_auto_lock().into(),
            mic_mode: mic_word(this.rig.mic_mode()),
            capture_ok_us: this.rig.capture_ok(LinkTime::from_us(now_us)).as_micros() as u64,
            next_wake_us: this
                .rig
                .next_wake()
                .map_or(DUEL_NONE.into(), |at| at.as_us() as i64),
            lost_text: this.lost_text.as_ptr(),
            error_text: this.error_text.as_ptr(),
            error_advice: this.error_advice.as_ptr(),
        };
        // SAFETY: the caller's promise.
        unsafe { sized::write(status, &out) }?;
        Ok(DUEL_OK)
    })
}

fn lost_word(lost: LostReason) -> i32 {
    match lost {
        LostReason::MicrophoneEnded => DUEL_LOST_MICROPHONE_ENDED,
        LostReason::MicrophoneMuted => DUEL_LOST_MICROPHONE_MUTED,
        LostReason::AudioStopped => DUEL_LOST_AUDIO_STOPPED,
        LostReason::DevicesChanged => DUEL_LOST_DEVICES_CHANGED,
        _ => DUEL_LOST_MODEM,
    }
}

/// Switches the microphone's mode: the old microphone goes first. A switch that fails falls back by itself.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `rig` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_rig_set_mic_mode(
    rig: *mut duel_rig,
    now_us: u64,
    mic_mode: duel_mic_mode,
) -> duel_status {
    crate::handle::enter!(rig, |this| {
        let mode = MicMode::word(mic_mode)?;
        this.rig.set_mic_mode(LinkTime::from_us(now_us), mode);
        Ok(DUEL_OK)
    })
}

/// Lets everything go: actions say what to close.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `rig` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_rig_close(rig: *mut duel_rig, now_us: u64) -> duel_status {
    crate::handle::enter!(rig, |this| {
        this.rig.close(LinkTime::from_us(now_us));
        Ok(DUEL_OK)
    })
}
