//! The rig's state machine against fake devices, rule by rule.

use link_modem::{Listen, half::ModemFault};
use link_rig::{
    Action, CAPTURE_OK, DeviceId, Event, LostReason, MUTED, MicMode, MicrophoneId, RECOVERED, Rig,
    RigError, RigState, STOPPED, TAP_TIMEOUT,
};
use link_transport::{LinkTime, Plan, Role};
use std::time::Duration;

/// A phone whose devices do as they are told, at once, unless a test says otherwise.
struct Fake {
    rig: Rig,
    now: LinkTime,
    /// The rates that devices open at, one after another; the last stays.
    rates_hz: Vec<u32>,
    /// The same for microphones.
    microphones: Vec<Result<Option<u32>, Event>>,
    /// Whether devices start without a tap, and after one.
    starts: bool,
    resumes: bool,
    /// Whether a new modem starts.
    builds: bool,
    device: DeviceId,
    microphone: MicrophoneId,
    done: Vec<Action>,
}

impl Fake {
    fn opening() -> Self {
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
    fn live() -> Self {
        let mut fake = Self::opening();
        fake.obey();
        assert_eq!(fake.rig.state(), RigState::Live);
        fake.tell(Event::LinkStarted);
        fake.pass(Duration::from_secs(30));
        fake.done.clear();
        fake
    }

    fn obey(&mut self) {
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

    fn tell(&mut self, event: Event) {
        self.rig.handle_event(self.now, event);
        self.obey();
    }

    fn tap(&mut self) {
        self.rig.handle_tap(self.now);
        self.obey();
    }

    /// Time jumps to each wake on the way.
    fn pass(&mut self, time: Duration) {
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

    fn lost(&self) -> Option<LostReason> {
        match self.rig.state() {
            RigState::Lost(reason) => Some(reason),
            _ => None,
        }
    }

    fn did(&self, wanted: fn(&Action) -> bool) -> usize {
        self.done.iter().filter(|action| wanted(action)).count()
    }
}

const REFUSED: Result<Option<u32>, Event> = Err(Event::MicrophoneFailed {
    microphone: MicrophoneId(0),
    refused: true,
});
const MISSING: Result<Option<u32>, Event> = Err(Event::MicrophoneFailed {
    microphone: MicrophoneId(0),
    refused: false,
});

fn opens(action: &Action) -> bool {
    matches!(action, Action::OpenAudio(_))
}
fn asks(action: &Action) -> bool {
    matches!(action, Action::AskMicrophone { .. })
}
fn rebuilds(action: &Action) -> bool {
    matches!(action, Action::RebuildLink(_))
}
fn resumes(action: &Action) -> bool {
    matches!(action, Action::ResumeAudio(_))
}

#[test]
fn opens_device_wake_lock_and_microphone_in_that_order() {
    let mut fake = Fake::opening();
    fake.obey();
    let kinds = [opens, |a: &Action| *a == Action::RequestWakeLock, asks];
    assert_eq!(fake.done.len(), 3, "{:?}", fake.done);
    assert!(fake.done.iter().zip(kinds).all(|(action, is)| is(action)));
    assert_eq!(fake.rig.state(), RigState::Live);
}

#[test]
fn a_device_that_waits_for_a_tap_starts_by_a_tap_or_by_itself() {
    for by_itself in [true, false] {
        let mut fake = Fake::opening();
        (fake.starts, fake.resumes) = (false, false);
        fake.obey();
        assert_eq!(fake.rig.state(), RigState::TapToStart);
        assert_eq!(
            fake.did(resumes),
            1,
            "asked again once the microphone is in"
        );
        if by_itself {
            fake.tell(Event::AudioRunning(fake.device));
        } else {
            fake.resumes = true;
            fake.tap();
        }
        assert_eq!(fake.rig.state(), RigState::Live);
    }
}

#[test]
fn a_refusal_lets_everything_go() {
    for (answer, error) in [
        (REFUSED, RigError::MicrophoneRefused),
        (MISSING, RigError::NoMicrophone),
    ] {
        let mut fake = Fake::opening();
        fake.microphones = vec![answer];
        fake.obey();
        assert_eq!(fake.rig.state(), RigState::Failed(error));
        assert!(fake.done.contains(&Action::CloseAudio(fake.device)));
        assert!(fake.done.contains(&Action::ReleaseWakeLock));
        fake.done.clear();
        fake.tap();
        fake.tell(Event::Shown);
        assert!(fake.done.is_empty(), "over is over: {:?}", fake.done);
    }
    assert_eq!(
        RigError::MicrophoneRefused.to_string(),
        "Microphone refused"
    );
}

#[test]
fn a_device_or_a_modem_that_does_not_open_is_an_error_of_its_own() {
    for (modem, error) in [(false, RigError::NoAudio), (true, RigError::NoModem)] {
        let mut fake = Fake::opening();
        let Some(Action::OpenAudio(device)) = fake.rig.poll_action() else {
            panic!("the device first")
        };
        fake.tell(Event::AudioFailed { device, modem });
        assert_eq!(fake.rig.state(), RigState::Failed(error));
    }
}

#[test]
fn a_slow_device_gets_a_second_try_once_the_microphone_is_in() {
    let mut fake = Fake::opening();
    fake.rates_hz = vec![16_000, 48_000];
    fake.obey();
    assert_eq!(fake.rig.state(), RigState::Live);
    assert_eq!((fake.did(opens), fake.did(asks)), (2, 1));
    // The microphone is asked for again if its own format was fixed low.
    let mut fake = Fake::opening();
    fake.rates_hz = vec![16_000, 48_000];
    fake.microphones = vec![Ok(Some(16_000)), Ok(Some(48_000))];
    fake.obey();
    assert_eq!(fake.rig.state(), RigState::Live);
    assert_eq!((fake.did(opens), fake.did(asks)), (2, 2));
}

#[test]
fn a_rate_still_too_low_is_named_as_the_devices_or_the_microphones() {
    let mut fake = Fake::opening();
    fake.rates_hz = vec![16_000];
    fake.obey();
    let RigState::Failed(error @ RigError::Rate(_)) = fake.rig.state() else {
        panic!("{:?}", fake.rig.state())
    };
    assert!(error.to_string().contains("16000 Hz"), "{error}");
    assert!(error.advice().contains("Bluetooth"));
    let mut fake = Fake::opening();
    fake.microphones = vec![Ok(Some(8_000))];
    fake.obey();
    let error = RigError::MicrophoneRate { rate_hz: 8_000 };
    assert_eq!(fake.rig.state(), RigState::Failed(error));
    assert!(error.to_string().contains("8000 Hz"));
}

#[test]
fn each_loss_has_its_reason_and_its_time() {
    let mut fake = Fake::live();
    fake.tell(Event::MicrophoneEnded(fake.microphone));
    assert_eq!(fake.lost(), Some(LostReason::MicrophoneEnded), "at once");

    let mut fake = Fake::live();
    fake.tell(Event::DevicesChanged);
    assert_eq!(fake.lost(), Some(LostReason::DevicesChanged), "at once");

    let mut fake = Fake::live();
    fake.tell(Event::ModemStopped(ModemFault::Failed));
    assert_eq!(fake.lost(), Some(LostReason::Modem(ModemFault::Failed)));

    for (event, limit, reason) in [
        (
            Event::MicrophoneMuted(MicrophoneId(1)),
            MUTED,
            LostReason::MicrophoneMuted,
        ),
        (
            Event::AudioStopped(DeviceId(1)),
            STOPPED,
            LostReason::AudioStopped,
        ),
    ] {
        let mut fake = Fake::live();
        fake.tell(event);
        fake.pass(limit - Duration::from_millis(1));
        assert_eq!(fake.rig.state(), RigState::Live);
        fake.pass(Duration::from_millis(1));
        assert_eq!(fake.lost(), Some(reason));
    }
    assert_eq!((MUTED.as_millis(), STOPPED.as_millis()), (1_000, 500));
}

#[test]
fn what_passes_in_time_is_no_loss() {
    let mut fake = Fake::live();
    for _ in 0..5 {
        fake.tell(Event::MicrophoneMuted(fake.microphone));
        fake.pass(Duration::from_millis(900));
        fake.tell(Event::MicrophoneUnmuted(fake.microphone));
        fake.tell(Event::AudioStopped(fake.device));
        fake.pass(Duration::from_millis(400));
        fake.tell(Event::AudioRunning(fake.device));
    }
    assert_eq!(fake.rig.state(), RigState::Live);
    // Nor is a modem that stops without a link, which is the lobby's.
    fake.tell(Event::LinkClosed);
    fake.tell(Event::ModemStopped(ModemFault::Failed));
    assert_eq!(fake.rig.state(), RigState::Live);
}

#[test]
fn capture_counts_from_the_latest_of_microphone_gap_and_start() {
    let mut fake = Fake::live();
    assert!(fake.rig.capture_ok(fake.now) >= Duration::from_secs(30));
    fake.tell(Event::GapStarted);
    fake.pass(Duration::from_secs(2));
    assert_eq!(fake.rig.capture_ok(fake.now), Duration::ZERO, "in a gap");
    fake.tell(Event::GapEnded);
    fake.pass(Duration::from_millis(700));
    assert_eq!(fake.rig.capture_ok(fake.now).as_millis(), 700);
    fake.tell(Event::AudioStopped(fake.device));
    assert_eq!(fake.rig.capture_ok(fake.now), Duration::ZERO, "stopped");
    fake.tell(Event::AudioRunning(fake.device));
    fake.pass(Duration::from_millis(300));
    assert_eq!(fake.rig.capture_ok(fake.now).as_millis(), 300);
    assert_eq!(CAPTURE_OK.as_millis(), 1_500);
}

#[test]
fn a_tap_keeps_the_modem_and_asks_only_for_the_microphone() {
    let mut fake = Fake::live();
    fake.tell(Event::MicrophoneEnded(fake.microphone));
    fake.tap();
    assert_eq!(
        (fake.did(asks), fake.did(opens), fake.did(rebuilds)),
        (1, 0, 0)
    );
    let recovering = RigState::Recovering(LostReason::MicrophoneEnded);
    assert_eq!(fake.rig.state(), recovering);
    fake.pass(Duration::from_millis(1_000));
    // A gap starts the 1.5 s over.
    fake.tell(Event::GapStarted);
    fake.pass(Duration::from_millis(100));
    fake.tell(Event::GapEnded);
    fake.pass(Duration::from_millis(1_400));
    assert_eq!(fake.rig.state(), recovering);
    fake.pass(Duration::from_millis(100));
    assert_eq!(fake.rig.state(), RigState::Live);
}

#[test]
fn a_broken_device_or_a_stopped_modem_is_rebuilt_by_the_tap() {
    for event in [
        Event::AudioBroken(DeviceId(1)),
        Event::ModemStopped(ModemFault::Gone),
    ] {
        let mut fake = Fake::live();
        fake.tell(event);
        assert!(
            fake.lost().is_some() && fake.did(opens) == 0,
            "not before the tap"
        );
        // The rebuilt device gets the same second try.
        fake.rates_hz = vec![16_000, 48_000];
        fake.tap();
        assert_eq!((fake.did(opens), fake.did(rebuilds)), (2, 1));
        assert!(fake.done.contains(&Action::CloseAudio(DeviceId(1))));
        assert!(fake.done.contains(&Action::RebuildLink(DeviceId(3))));
        fake.pass(CAPTURE_OK);
        assert_eq!(fake.rig.state(), RigState::Live);
    }
}

#[test]
fn a_device_that_runs_again_by_itself_is_kept() {
    let mut fake = Fake::live();
    fake.tell(Event::AudioStopped(fake.device));
    fake.pass(Duration::from_secs(3));
    assert_eq!(fake.lost(), Some(LostReason::AudioStopped));
    fake.tell(Event::AudioRunning(fake.device));
    assert_eq!(
        fake.rig.state(),
        RigState::Recovering(LostReason::AudioStopped)
    );
    fake.pass(CAPTURE_OK);
    assert_eq!(fake.rig.state(), RigState::Live);
    assert!(fake.done.is_empty(), "{:?}", fake.done);
    // A call ended: the device is suspended and wants resuming.
    fake.tell(Event::AudioStopped(fake.device));
    fake.pass(Duration::from_secs(3));
    fake.tell(Event::AudioSuspended(fake.device));
    assert_eq!(fake.done, [Action::ResumeAudio(fake.device)]);
    fake.pass(CAPTURE_OK);
    assert_eq!(fake.rig.state(), RigState::Live);
}

#[test]
fn two_failed_taps_offer_leave_and_say_why() {
    let mut fake = Fake::live();
    fake.tell(Event::MicrophoneEnded(fake.microphone));
    fake.microphones = vec![REFUSED, MISSING, Ok(None)];
    fake.tap();
    assert_eq!(fake.rig.last_error(), Some(RigError::MicrophoneRefused));
    assert!(!fake.rig.offers_leave(), "one");
    fake.tap();
    assert_eq!(fake.rig.last_error(), Some(RigError::NoMicrophone));
    assert!(fake.rig.offers_leave(), "two");
    fake.tap();
    fake.pass(RECOVERED + Duration::from_secs(1));
    assert_eq!(fake.rig.state(), RigState::Live);
    // A link that held starts the count over.
    fake.tell(Event::DevicesChanged);
    assert!(!fake.rig.offers_leave() && fake.rig.last_error().is_none());
}

#[test]
fn a_link_lost_again_within_10_s_counts_as_a_failed_tap() {
    let mut fake = Fake::live();
    fake.tell(Event::ModemStopped(ModemFault::Failed));
    for (after_ms, leave) in [(2_000, false), (9_999, true)] {
        fake.tap();
        fake.pass(Duration::from_millis(after_ms));
        assert_eq!(fake.rig.state(), RigState::Live);
        fake.tell(Event::ModemStopped(ModemFault::Failed));
        let again = RigError::LostAgain(LostReason::Modem(ModemFault::Failed));
        assert_eq!(fake.rig.last_error(), Some(again));
        assert_eq!(fake.rig.offers_leave(), leave);
    }
    fake.tap();
    fake.pass(RECOVERED);
    fake.tell(Event::ModemStopped(ModemFault::Failed));
    assert!(!fake.rig.offers_leave(), "10 s is long enough");
}

#[test]
fn a_tap_that_leaves_sound_or_modem_stopped_fails_in_time() {
    let mut fake = Fake::live();
    fake.tell(Event::AudioStopped(fake.device));
    fake.pass(STOPPED);
    fake.resumes = false;
    fake.tap();
    fake.pass(TAP_TIMEOUT);
    assert_eq!(fake.rig.last_error(), Some(RigError::TimedOut));

    let mut fake = Fake::live();
    fake.builds = false;
    fake.tell(Event::ModemStopped(ModemFault::Failed));
    fake.tap();
    fake.tell(Event::ModemStopped(ModemFault::Failed));
    assert_eq!(
        fake.rig.last_error(),
        Some(RigError::Modem(ModemFault::Failed))
    );
    fake.tap();
    fake.tell(Event::LinkFailed(RigError::NoModem));
    assert_eq!(fake.rig.last_error(), Some(RigError::NoModem));
    assert!(fake.rig.offers_leave());
    fake.builds = true;
    fake.tap();
    fake.pass(CAPTURE_OK);
    assert_eq!(fake.rig.state(), RigState::Live);
}

#[test]
fn a_slow_microphone_fails_the_tap_and_is_asked_for_again_by_the_next() {
    let mut fake = Fake::live();
    fake.tell(Event::MicrophoneEnded(fake.microphone));
    fake.microphones = vec![Ok(Some(16_000)), Ok(Some(48_000))];
    fake.tap();
    let slow = RigError::MicrophoneRate { rate_hz: 16_000 };
    assert_eq!(fake.rig.last_error(), Some(slow));
    assert!(
        fake.done
            .contains(&Action::ReleaseMicrophone(MicrophoneId(2)))
    );
    fake.tap();
    fake.pass(CAPTURE_OK);
    assert_eq!(fake.rig.state(), RigState::Live);
}

#[test]
fn a_switch_of_mode_lets_the_old_microphone_go_first() {
    let mut fake = Fake::live();
    fake.rig.set_mic_mode(fake.now, MicMode::EchoCancelling);
    fake.obey();
    let ask = Action::AskMicrophone {
        microphone: MicrophoneId(2),
        mode: MicMode::EchoCancelling,
    };
    assert_eq!(fake.done, [Action::ReleaseMicrophone(MicrophoneId(1)), ask]);
    assert_eq!(fake.rig.mic_mode(), MicMode::EchoCancelling);
    assert_eq!(fake.rig.state(), RigState::Live);
}

#[test]
fn a_failed_switch_falls_back_to_the_mode_before() {
    for failure in [REFUSED, Ok(Some(8_000))] {
        let mut fake = Fake::live();
        fake.microphones = vec![failure, Ok(Some(48_000))];
        fake.rig.set_mic_mode(fake.now, MicMode::EchoCancelling);
        fake.obey();
        assert_eq!(fake.did(asks), 2);
        assert_eq!(fake.rig.mic_mode(), MicMode::Raw);
        assert_eq!(fake.rig.state(), RigState::Live);
        // If that fails too, the microphone is gone.
        fake.microphones = vec![REFUSED];
        fake.rig.set_mic_mode(fake.now, MicMode::EchoCancelling);
        fake.obey();
        assert_eq!(fake.lost(), Some(LostReason::MicrophoneEnded));
        assert_eq!(fake.rig.last_error(), Some(RigError::MicrophoneRefused));
    }
}

#[test]
fn switches_run_one_at_a_time_and_the_newest_wins() {
    let mut fake = Fake::live();
    let now = fake.now;
    fake.rig.set_mic_mode(now, MicMode::EchoCancelling);
    let first: Vec<Action> = std::iter::from_fn(|| fake.rig.poll_action()).collect();
    assert_eq!(first.len(), 2);
    for mode in [MicMode::Raw, MicMode::EchoCancelling, MicMode::Raw] {
        fake.rig.set_mic_mode(now, mode);
        assert_eq!(fake.rig.poll_action(), None, "the first is not done");
    }
    fake.tell(Event::MicrophoneOpened {
        microphone: MicrophoneId(2),
        rate_hz: None,
    });
    let last = Action::AskMicrophone {
        microphone: MicrophoneId(3),
        mode: MicMode::Raw,
    };
    assert_eq!(fake.done.last(), Some(&last));
}

#[test]
fn close_during_a_rebuild_closes_what_opens_later() {
    let mut fake = Fake::live();
    fake.tell(Event::AudioBroken(fake.device));
    fake.rig.handle_tap(fake.now);
    while fake.rig.poll_action().is_some() {}
    fake.rig.close(fake.now);
    while fake.rig.poll_action().is_some() {}
    fake.tell(Event::AudioOpened {
        device: DeviceId(2),
        rate_hz: 48_000,
        running: true,
    });
    assert_eq!(fake.done, [Action::CloseAudio(DeviceId(2))]);
    fake.tell(Event::MicrophoneOpened {
        microphone: MicrophoneId(2),
        rate_hz: None,
    });
    assert_eq!(fake.done[1..], [Action::ReleaseMicrophone(MicrophoneId(2))]);
    assert_eq!(fake.rig.state(), RigState::Closed);
    assert_eq!(fake.rig.next_wake(), None);
}

#[test]
fn events_of_devices_let_go_change_nothing() {
    let mut fake = Fake::live();
    fake.tell(Event::AudioBroken(DeviceId(1)));
    fake.tap();
    fake.pass(CAPTURE_OK);
    for old in [
        Event::AudioBroken(DeviceId(1)),
        Event::AudioStopped(DeviceId(1)),
        Event::MicrophoneEnded(MicrophoneId(0)),
    ] {
        fake.tell(old);
        fake.pass(Duration::from_secs(2));
        assert_eq!(fake.rig.state(), RigState::Live);
    }
}

#[test]
fn without_a_wake_lock_it_warns_and_asks_again_when_shown() {
    let mut fake = Fake::live();
    assert!(!fake.rig.warns_of_auto_lock(), "not known yet");
    fake.tell(Event::WakeLock { held: false });
    assert!(fake.rig.warns_of_auto_lock());
    fake.tell(Event::Shown);
    assert_eq!(fake.done, [Action::RequestWakeLock]);
    fake.tell(Event::WakeLock { held: true });
    assert!(!fake.rig.warns_of_auto_lock());
}
