//! Link level: the audio life of a live link
//!
//! A device is opened, a microphone asked for, a call comes in, headphones are pulled, the person taps, sound goes on: a
//! rig knows what to do next, and does nothing itself. Tell it what happened (`duel_rig_handle_event`), do what it says
//! (`duel_rig_poll_action`), draw what it is (`duel_rig_get_status`).
//!
//! Each device and each request for the microphone has a number, so that what comes too late is known as such.

use crate::{
    handle::{self, Fault, kind},
    link::{Link, duel_link, modem_fault_word},
    rig::*,
    sized::{self, put},
    status::*,
    text::Text,
    words::*,
};
use core::ffi::c_char;
use link_modem::{RateProblem, half::ModemFault};
use link_rig::{
    Action, DeviceId, Event, LostReason, MicMode, MicrophoneId, Remedy, Rig, RigError, RigState,
};
use link_transport::{LinkTime, Plan, Role};

/// The audio life of a live link.
pub struct duel_rig {
    _opaque: (),
}

/// Gap-free capture that a match or the end of a reconnect cover waits for.
pub const DUEL_CAPTURE_OK_US: u64 = 1_500_000;
const _: () = assert!(link_rig::CAPTURE_OK.as_micros() == DUEL_CAPTURE_OK_US as u128);

kind! {
    duel_rig = RigBody, 4;
}

pub(crate) struct RigBody {
    rig: Rig,
    /// The fault that the rig has been told of.
    told: Option<ModemFault>,
    lost_text: Text,
    error_text: Text,
    advice_text: Text,
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
            rig: Rig::open(time(now_us)?, plan, rx, MicMode::word(mic_mode)?),
            told: None,
            lost_text: Text::EMPTY,
            error_text: Text::EMPTY,
            advice_text: Text::EMPTY,
        };
        // SAFETY: the caller's promise.
        unsafe { put(rig, handle::new(made)?, "rig") }?;
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

/// Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
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
        this.rig.handle_event(time(now_us)?, event);
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
        this.rig.handle_tap(time(now_us)?);
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
        this.rig.handle_time(time(now_us)?);
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
        let now = time(now_us)?;
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
        (this.lost_text, this.error_text, this.advice_text) =
            (Text::EMPTY, Text::EMPTY, Text::EMPTY);
        if let Some(lost) = lost {
            this.lost_text.set(lost);
        }
        if let Some(error) = error {
            this.error_text.set(error);
            this.advice_text.set(error.advice());
        }
        let (code, error_values) = error.map_or((DUEL_RIG_ERROR_NONE, [0; 3]), error_word);
        let out = duel_rig_status {
            struct_size: 0,
            state,
            lost: lost.map_or(0, lost_word),
            offers_leave: this.rig.offers_leave().into(),
            warns_of_auto_lock: this.rig.warns_of_auto_lock().into(),
            mic_mode: mic_word(this.rig.mic_mode()),
            error: code,
            error_values,
            advice: error.map_or(DUEL_TRY_NOTHING, |error| try_word(error.remedy())),
            reserved: 0,
            capture_ok_us: this.rig.capture_ok(time(now_us)?).as_micros() as u64,
            next_wake_us: this
                .rig
                .next_wake()
                .map_or(DUEL_NONE.into(), |at| at.as_us() as i64),
            lost_text: this.lost_text.as_ptr(),
            error_text: this.error_text.as_ptr(),
            advice_text: this.advice_text.as_ptr(),
        };
        // SAFETY: the caller's promise.
        unsafe { sized::write(status, &out) }?;
        Ok(DUEL_OK)
    })
}

/// An error's number, and the numbers that go with it.
fn error_word(error: RigError) -> (duel_rig_error, [i32; 3]) {
    match error {
        RigError::NoAudio => (DUEL_RIG_ERROR_NO_AUDIO, [0; 3]),
        RigError::NoModem => (DUEL_RIG_ERROR_NO_MODEM, [0; 3]),
        RigError::MicrophoneRefused => (DUEL_RIG_ERROR_MICROPHONE_REFUSED, [0; 3]),
        RigError::NoMicrophone => (DUEL_RIG_ERROR_NO_MICROPHONE, [0; 3]),
        RigError::Rate(problem) | RigError::Modem(ModemFault::Rate(problem)) => rate_word(problem),
        RigError::MicrophoneRate { rate_hz } => {
            (DUEL_RIG_ERROR_MICROPHONE_RATE, [hz(rate_hz), 0, 0])
        }
        RigError::TimedOut => (DUEL_RIG_ERROR_TIMED_OUT, [0; 3]),
        RigError::Modem(fault) => (DUEL_RIG_ERROR_MODEM, [modem_fault_word(fault), 0, 0]),
        RigError::LostAgain(lost) => (DUEL_RIG_ERROR_LOST_AGAIN, [lost_word(lost), 0, 0]),
        _ => (DUEL_RIG_ERROR_OTHER, [0; 3]),
    }
}

fn rate_word(problem: RateProblem) -> (duel_rig_error, [i32; 3]) {
    match problem {
        RateProblem::NotMultipleOf100 { rate_hz } => (DUEL_RIG_ERROR_RATE_ODD, [hz(rate_hz), 0, 0]),
        RateProblem::TooSlow {
            rate_hz,
            plan,
            min_hz,
        } => (
            DUEL_RIG_ERROR_RATE_TOO_SLOW,
            [hz(rate_hz), hz(min_hz), plan_word(plan)],
        ),
        RateProblem::TooFast { rate_hz, max_hz } => {
            (DUEL_RIG_ERROR_RATE_TOO_FAST, [hz(rate_hz), hz(max_hz), 0])
        }
        _ => (DUEL_RIG_ERROR_OTHER, [0; 3]),
    }
}

fn hz(rate_hz: u32) -> i32 {
    i32::try_from(rate_hz).unwrap_or(i32::MAX)
}

fn try_word(advice: Remedy) -> duel_try {
    match advice {
        Remedy::Disconnect => DUEL_TRY_DISCONNECTING,
        Remedy::AllowMicrophone => DUEL_TRY_ALLOWING_MICROPHONE,
        Remedy::CloseApps => DUEL_TRY_CLOSING_APPS,
    }
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
        this.rig.set_mic_mode(time(now_us)?, mode);
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
        this.rig.close(time(now_us)?);
        Ok(DUEL_OK)
    })
}
