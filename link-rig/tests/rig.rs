//! The rig's opening, its losses and its count of capture, rule by rule, against fake devices.

mod fake;
use fake::{Fake, MISSING, REFUSED, asks, opens, resumes};
use link_modem::half::ModemFault;
use link_rig::{
    Action, CAPTURE_OK, DeviceId, Event, LostReason, MUTED, MicrophoneId, RigError, RigState,
    STOPPED,
};
use std::time::Duration;

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
