//! The state machine of a live link's audio: opening, losses, taps, rebuilds. Knows no device; events in, actions out.

use crate::{
    LostReason, RigError,
    event::{Action, DeviceId, MicMode, MicrophoneId, RigState},
};
use link_modem::{Listen, ModemConfig, params::rate_min_hz};
use link_transport::{LinkTime, Plan, Role};
use std::{collections::VecDeque, time::Duration};

/// A microphone muted for longer is lost.
pub const MUTED: Duration = Duration::from_secs(1);
/// A device that does not run for longer is lost.
pub const STOPPED: Duration = Duration::from_millis(500);
/// Gap-free capture before lockstep may start and before a reconnect cover goes.
pub const CAPTURE_OK: Duration = Duration::from_millis(1_500);
/// A link lost again this soon after a tap brought it back was not brought back.
pub const RECOVERED: Duration = Duration::from_secs(10);
/// Failed taps after which the cover offers to leave.
pub const LEAVE_AFTER: u32 = 2;
/// How long a tap waits for a device or a modem; a person answering for the microphone has all the time.
pub const TAP_TIMEOUT: Duration = Duration::from_secs(5);
/// A device that opens slower gets a second try once the microphone is in.
const RATE_WANTED_HZ: u32 = rate_min_hz(Plan::High);

mod events;
mod look;

/// The audio device, as far as the rig knows.
#[derive(Clone, Copy, PartialEq)]
enum Audio {
    Gone,
    Opening,
    Open {
        rate_hz: u32,
        /// Since when it has not run; `None` while it runs.
        stopped: Option<LinkTime>,
        broken: bool,
    },
}

#[derive(Clone, Copy, PartialEq)]
enum Microphone {
    Gone,
    Asked,
    Open {
        rate_hz: Option<u32>,
        muted: Option<LinkTime>,
    },
}

/// The link's modem.
#[derive(Clone, Copy, PartialEq)]
enum Modem {
    /// No link has been made on this rig, or it was closed.
    None,
    Live,
    /// It stopped, or its device is gone: only a new one brings it back.
    Stopped,
    Building,
}

/// A rig: opened within a tap, closed by its owner.
///
/// Feed it every event and tap; after each call, and at [`Rig::next_wake`], drain [`Rig::poll_action`] and draw
/// [`Rig::state`]. It never suspends its own device.
pub struct Rig {
    wanted: ModemConfig,
    mode: MicMode,
    /// A switch of the microphone's mode under way: the mode to fall back to, unless this is the fall back already.
    switching: Option<Option<MicMode>>,
    next_mode: Option<MicMode>,
    state: RigState,
    /// When the state was entered.
    since: LinkTime,
    device: DeviceId,
    audio: Audio,
    second_try: bool,
    microphone_id: MicrophoneId,
    microphone: Microphone,
    modem: Modem,
    capturing: Capture,
    failures: u32,
    last_error: Option<RigError>,
    /// When a tap last brought the link back.
    reconnected: Option<LinkTime>,
    wake_lock: Option<bool>,
    actions: VecDeque<Action>,
    now: LinkTime,
}

/// How long capture has been free of gaps: from the latest of the microphone's connection, the last gap's end and
/// the device's start.
#[derive(Clone, Copy, Default)]
struct Capture {
    from: Option<LinkTime>,
    in_gap: bool,
}

impl Rig {
    /// Opens within a tap, for a link on `plan` that listens to `rx`.
    #[must_use]
    pub fn open(now: LinkTime, plan: Plan, rx: Listen, mode: MicMode) -> Self {
        let wanted = ModemConfig::new(0, Role::Host).with_plan(plan).with_rx(rx);
        let mut rig = Self {
            wanted,
            mode,
            switching: None,
            next_mode: None,
            state: RigState::Opening,
            since: now,
            device: DeviceId(0),
            audio: Audio::Gone,
            second_try: false,
            microphone_id: MicrophoneId(0),
            microphone: Microphone::Gone,
            modem: Modem::None,
            capturing: Capture::default(),
            failures: 0,
            last_error: None,
            reconnected: None,
            wake_lock: None,
            actions: VecDeque::new(),
            now,
        };
        rig.open_audio();
        rig.actions.push_back(Action::RequestWakeLock);
        rig.ask_microphone();
        rig
    }

    /// What the link needs has changed: another plan, or a Join that found its own.
    pub fn set_plan(&mut self, plan: Plan, rx: Listen) {
        (self.wanted.plan, self.wanted.rx) = (plan, rx);
    }

    /// Where it is.
    #[must_use]
    pub fn state(&self) -> RigState {
        self.state
    }

    /// Why the last tap failed, while the link is lost.
    #[must_use]
    pub fn last_error(&self) -> Option<RigError> {
        self.last_error
    }

    /// True once two taps have failed: the cover offers Leave.
    #[must_use]
    pub fn offers_leave(&self) -> bool {
        self.failures >= LEAVE_AFTER && matches!(self.state, RigState::Lost(_))
    }

    /// How long capture has been free of gaps. Lockstep starts after [`CAPTURE_OK`].
    #[must_use]
    pub fn capture_ok(&self, now: LinkTime) -> Duration {
        match (self.capturing.from, self.capturing.in_gap) {
            (Some(from), false) if self.is_running() => now.since(from),
            _ => Duration::ZERO,
        }
    }

    /// True if the phone may lock its screen during a match: no wake lock, or it was refused. The lobby says to set
    /// Auto-Lock to Never.
    #[must_use]
    pub fn warns_of_auto_lock(&self) -> bool {
        self.wake_lock == Some(false)
    }

    /// The microphone's mode, or the one being switched to.
    #[must_use]
    pub fn mic_mode(&self) -> MicMode {
        self.next_mode.unwrap_or(self.mode)
    }

    /// What to do next.
    pub fn poll_action(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    /// When to call [`Rig::handle_time`] at the latest, if nothing happens before.
    #[must_use]
    pub fn next_wake(&self) -> Option<LinkTime> {
        let stopped = match self.audio {
            Audio::Open { stopped, .. } => stopped.map(|at| at + STOPPED),
            _ => None,
        };
        let muted = match self.microphone {
            Microphone::Open { muted, .. } => muted.map(|at| at + MUTED),
            _ => None,
        };
        match self.state {
            RigState::Live => [stopped, muted].into_iter().flatten().min(),
            RigState::Recovering(_) => {
                // While the device stands still, capture proves nothing however long one waits.
                let proves = self.is_running() && !self.capturing.in_gap;
                let proven = self.capturing.from.filter(|_| proves);
                let proven = proven.map(|from| from + CAPTURE_OK);
                [stopped, muted, proven].into_iter().flatten().min()
            }
            RigState::Reconnecting(_) if self.microphone != Microphone::Asked => {
                Some(self.since + TAP_TIMEOUT)
            }
            _ => None,
        }
    }

    /// Time has passed.
    pub fn handle_time(&mut self, now: LinkTime) {
        self.now = self.now.max(now);
        self.look();
    }

    /// The person tapped: to start sound, or to reconnect.
    pub fn handle_tap(&mut self, now: LinkTime) {
        self.now = self.now.max(now);
        match self.state {
            RigState::TapToStart => self.actions.push_back(Action::ResumeAudio(self.device)),
            RigState::Lost(reason) => {
                self.enter(RigState::Reconnecting(reason));
                self.last_error = None;
                let usable = matches!(self.audio, Audio::Open { broken: false, .. });
                if !usable || self.modem == Modem::Stopped {
                    self.second_try = false;
                    self.reopen_audio();
                } else if !self.is_running() {
                    self.actions.push_back(Action::ResumeAudio(self.device));
                }
                if self.microphone == Microphone::Gone {
                    self.ask_microphone();
                }
            }
            _ => {}
        }
        self.look();
    }

    /// Switches the microphone's mode: the old microphone goes first. Switches run one at a time, the newest wins; one
    /// that fails falls back to the mode before.
    pub fn set_mic_mode(&mut self, now: LinkTime, mode: MicMode) {
        self.now = self.now.max(now);
        self.next_mode = (mode != self.mode).then_some(mode);
        self.look();
    }

    /// Lets everything go. What is still opening is closed as soon as it has opened.
    pub fn close(&mut self, now: LinkTime) {
        self.now = self.now.max(now);
        self.let_go();
        self.enter(RigState::Closed);
    }

    fn is_over(&self) -> bool {
        matches!(self.state, RigState::Failed(_) | RigState::Closed)
    }

    fn is_running(&self) -> bool {
        matches!(self.audio, Audio::Open { stopped: None, .. })
    }

    fn is_asked(&self, id: MicrophoneId) -> bool {
        id == self.microphone_id && self.microphone == Microphone::Asked
    }

    fn enter(&mut self, state: RigState) {
        (self.state, self.since) = (state, self.now);
    }

    fn restart_capture(&mut self) {
        self.capturing.from = Some(self.now);
    }

    fn open_audio(&mut self) {
        self.device.0 += 1;
        self.audio = Audio::Opening;
        self.actions.push_back(Action::OpenAudio(self.device));
    }

    /// A new device, and with it a new modem.
    fn reopen_audio(&mut self) {
        if self.audio != Audio::Gone {
            self.actions.push_back(Action::CloseAudio(self.device));
        }
        if self.modem != Modem::None {
            self.modem = Modem::Stopped;
        }
        self.capturing.in_gap = false;
        self.open_audio();
    }

    fn ask_microphone(&mut self) {
        self.microphone_id.0 += 1;
        self.microphone = Microphone::Asked;
        self.actions.push_back(Action::AskMicrophone {
            microphone: self.microphone_id,
            mode: self.mode,
        });
    }

    fn release_microphone(&mut self) {
        if matches!(self.microphone, Microphone::Open { .. }) {
            self.actions
                .push_back(Action::ReleaseMicrophone(self.microphone_id));
        }
        self.microphone = Microphone::Gone;
    }

    fn let_go(&mut self) {
        if self.is_over() {
            return;
        }
        self.release_microphone();
        if self.audio != Audio::Gone {
            self.actions.push_back(Action::CloseAudio(self.device));
            self.audio = Audio::Gone;
        }
        self.actions.push_back(Action::ReleaseWakeLock);
        self.modem = Modem::None;
    }

    /// The opening, or a tap, failed.
    fn fail(&mut self, error: RigError) {
        match self.state {
            RigState::Opening | RigState::TapToStart => {
                self.let_go();
                self.enter(RigState::Failed(error));
            }
            RigState::Reconnecting(reason) => {
                self.failures += 1;
                self.last_error = Some(error);
                if self.modem == Modem::Building {
                    self.modem = Modem::Stopped;
                }
                self.enter(RigState::Lost(reason));
            }
            _ => {}
        }
    }

    /// A live link is lost. Soon after a tap, that tap failed.
    fn lose(&mut self, reason: LostReason) {
        match self.state {
            RigState::Live | RigState::Recovering(_) => {}
            _ => return,
        }
        match self.reconnected.take() {
            Some(at) if self.now.since(at) < RECOVERED => {
                self.failures += 1;
                self.last_error = Some(RigError::LostAgain(reason));
            }
            _ => {
                self.failures = 0;
                self.last_error = None;
            }
        }
        self.switching = None;
        self.next_mode = None;
        self.enter(RigState::Lost(reason));
    }

    fn is_too_slow(&self, rate_hz: u32) -> bool {
        let at_rate = self
            .wanted
            .with_sample_rate_hz(rate_hz.next_multiple_of(100));
        at_rate.rate_problem().is_some()
    }

    /// A device that opened slow, perhaps because the session's rate was stale, is opened anew once.
    fn may_try_again(&self, rate_hz: u32) -> bool {
        rate_hz < RATE_WANTED_HZ && !self.second_try
    }
}
