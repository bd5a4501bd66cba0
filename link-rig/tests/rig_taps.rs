//! Taps, rebuilds, switches and the end: how a rig comes back, against fake devices.

mod fake;
use fake::{Fake, MISSING, REFUSED, asks, opens, rebuilds};
use link_modem::half::ModemFault;
use link_rig::{
    Action, CAPTURE_OK, DeviceId, Event, LostReason, MicMode, MicrophoneId, RECOVERED, RigError,
    RigState, STOPPED, TAP_TIMEOUT,
};
use std::time::Duration;

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
fn a_device_that_stops_while_capture_is_proven_wakes_nobody_for_nothing() {
    let mut fake = Fake::live();
    fake.tell(Event::MicrophoneEnded(fake.microphone));
    fake.tap();
    fake.pass(Duration::from_millis(1_400));
    fake.tell(Event::AudioStopped(fake.device));
    // The proof would have been complete after 100 ms; what comes next is the loss, after 500 ms.
    assert_eq!(fake.rig.next_wake(), Some(fake.now + STOPPED));
    fake.pass(Duration::from_secs(1));
    assert_eq!(fake.lost(), Some(LostReason::AudioStopped));
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
