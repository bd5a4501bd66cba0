//! A rig with fake devices, on a clock that jumps from wake to wake.
#![allow(dead_code, reason = "each test file uses its own part")]

use link_modem::Listen;
use link_rig::{Action, DeviceId, Event, LostReason, MicMode, MicrophoneId, Rig, RigState};
use link_transport::{LinkTime, Plan, Role};
use std::time::Duration;

/// A phone whose devices do as they are told, at once, unless a test says otherwise.
pub(crate) struct Fake {
    pub(crate) rig: Rig,
    pub(crate) now: LinkTime,
    /// The rates that devices open at, one after another; the last stays.
    pub(crate) rates_hz: Vec<u32>,
    /// The same for microphones.
    pub(crate) microphones: Vec<Result<Option<u32>, Event>>,
    /// Whether devices start without a tap, and after one.
    pub(crate) starts: bool,
    pub(crate) resumes: bool,
    /// Whether a new modem starts.
    pub(crate) builds: bool,
    pub(crate) device: DeviceId,
    pub(crate) microphone: MicrophoneId,
    pub(crate) done: Vec<Action>,
}

impl Fake {
    pub(crate) fn opening() -> Self {
        let now = LinkTime::from_ms(1_000);
        Self {
            rig: Rig::open(now, Plan::High, Listen::Role(Role::Guest), MicMode::Raw),
            now,
            rates_hz: vec![48_000],
            microphones: vec![Ok(Some(48_000))],
            starts: true,
            resumes: true,
            builds: true,
            device: DeviceId(0),
            microphone: MicrophoneId(0),
            done: Vec::new(),
        }
    }

    /// Live, with a link, for half a minute.
    pub(crate) fn live() -> Self {
        let mut fake = Self::opening();
        fake.obey();
        assert_eq!(fake.rig.state(), RigState::Live);
        fake.tell(Event::LinkStarted);
        fake.pass(Duration::from_secs(30));
        fake.done.clear();
        fake
    }

    pub(crate) fn obey(&mut self) {
        while let Some(action) = self.rig.poll_action() {
            self.done.push(action);
            match action {
                Action::OpenAudio(device) => {
                    self.device = device;
                    let rate_hz = self.rates_hz[0];
                    if self.rates_hz.len() > 1 {
                        self.rates_hz.remove(0);
                    }
                    let running = self.starts;
                    self.rig.handle_event(
                        self.now,
                        Event::AudioOpened {
                            device,
                            rate_hz,
                            running,
                        },
                    );
                }
                Action::ResumeAudio(device) if self.resumes => {
                    self.rig.handle_event(self.now, Event::AudioRunning(device));
                }
                Action::AskMicrophone { microphone, .. } => {
                    self.microphone = microphone;
                    let answer = self.microphones[0];
                    if self.microphones.len() > 1 {
                        let _ = self.microphones.remove(0);
                    }
                    let event = match answer {
                        Ok(rate_hz) => Event::MicrophoneOpened {
                            microphone,
                            rate_hz,
                        },
                        Err(Event::MicrophoneFailed { refused, .. }) => Event::MicrophoneFailed {
                            microphone,
                            refused,
                        },
                        Err(other) => other,
                    };
                    self.rig.handle_event(self.now, event);
                }
                Action::RebuildLink(_) if self.builds => {
                    self.rig.handle_event(self.now, Event::LinkStarted);
                }
                _ => {}
            }
        }
    }

    pub(crate) fn tell(&mut self, event: Event) {
        self.rig.handle_event(self.now, event);
        self.obey();
    }

    pub(crate) fn tap(&mut self) {
        self.rig.handle_tap(self.now);
        self.obey();
    }

    /// Time jumps to each wake on the way.
    pub(crate) fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while let Some(wake) = self.rig.next_wake().filter(|wake| *wake <= until) {
            self.now = self.now.max(wake);
            let before = self.rig.state();
            self.rig.handle_time(self.now);
            self.obey();
            assert!(
                self.rig.state() != before || self.rig.next_wake() != Some(wake),
                "a wake that changes nothing"
            );
        }
        self.now = until;
        self.rig.handle_time(until);
        self.obey();
    }

    pub(crate) fn lost(&self) -> Option<LostReason> {
        match self.rig.state() {
            RigState::Lost(reason) => Some(reason),
            _ => None,
        }
    }

    pub(crate) fn did(&self, wanted: fn(&Action) -> bool) -> usize {
        self.done.iter().filter(|action| wanted(action)).count()
    }
}

pub(crate) const REFUSED: Result<Option<u32>, Event> = Err(Event::MicrophoneFailed {
    microphone: MicrophoneId(0),
    refused: true,
});
pub(crate) const MISSING: Result<Option<u32>, Event> = Err(Event::MicrophoneFailed {
    microphone: MicrophoneId(0),
    refused: false,
});

pub(crate) fn opens(action: &Action) -> bool {
    matches!(action, Action::OpenAudio(_))
}
pub(crate) fn asks(action: &Action) -> bool {
    matches!(action, Action::AskMicrophone { .. })
}
pub(crate) fn rebuilds(action: &Action) -> bool {
    matches!(action, Action::RebuildLink(_))
}
pub(crate) fn resumes(action: &Action) -> bool {
    matches!(action, Action::ResumeAudio(_))
}
