//! What happens to the sound, and what the player sees and does about it.

use super::*;
use crate::play::sound::room::Troubles;
use link_rig::{LostReason, RigError};
use link_room::RoomConfig;

fn rig(app: &App<RoomSound>) -> Option<RigState> {
    app.rig_state()
}

#[test]
fn every_way_not_to_open_says_what_to_try() {
    let refused = Troubles {
        refused: true,
        ..Troubles::default()
    };
    let none = Troubles {
        no_microphone: true,
        ..Troubles::default()
    };
    for (troubles, error) in [
        (refused, RigError::MicrophoneRefused),
        (none, RigError::NoMicrophone),
    ] {
        let mut evening = Evening::new(want(Role::Host), 21);
        let [own, _] = evening.both();
        own.sound.set_troubles(troubles);
        evening.tap(Intent::Confirm);
        evening.pass(1);
        let Screen::Failed(failed) = evening.app().view().screen else {
            panic!("failed");
        };
        assert_eq!(failed.why, error.to_string());
        assert_eq!(failed.advice, error.advice());
        evening.tap(Intent::Confirm);
        assert!(matches!(evening.app().stage, Stage::Menu));
    }
}

#[test]
fn a_device_too_slow_for_the_plan_is_named() {
    let mut room = RoomConfig::default();
    room.phones[0] = room.phones[0].with_sample_rate_hz(16_000);
    let [sound, _] = RoomSound::pair(&room);
    let mut app = App::new(sound, want(Role::Host), Store::nowhere(), 1);
    app.handle(Intent::Confirm);
    for ms in 0..100 {
        app.tick(LinkTime::from_ms(10 * ms));
    }
    let Screen::Failed(failed) = app.view().screen else {
        panic!("failed");
    };
    assert!(failed.why.contains("16000 Hz"), "{}", failed.why);
    assert!(failed.advice.contains("Bluetooth"), "{}", failed.advice);
}

#[test]
fn a_device_that_wants_a_tap_gets_one() {
    let mut evening = Evening::new(want(Role::Host), 22);
    let [own, _] = evening.both();
    own.sound.set_troubles(Troubles {
        waits_for_tap: true,
        ..Troubles::default()
    });
    evening.tap(Intent::Confirm);
    evening.pass(1);
    assert_eq!(rig(evening.app()), Some(RigState::TapToStart));
    assert!(evening.app().view().cover.is_some());
    let [own, _] = evening.both();
    own.sound.set_troubles(Troubles::default());
    evening.tap(Intent::Confirm);
    evening.until("listening", 5, |app| step(app) == Some(Step::Listening));
}

#[test]
fn a_phone_alone_tests_itself_and_a_mute_one_fails() {
    let mut evening = Evening::new(want(Role::Guest), 23);
    evening.tap(Intent::SelfTest);
    let verdict = |app: &App<RoomSound>| match app.view().screen {
        Screen::SelfTest(test) => test.verdict,
        _ => None,
    };
    evening.until("verdict", 10, |app| verdict(app).is_some());
    assert_eq!(verdict(evening.app()), Some(true));
    evening.tap(Intent::Back);
    assert!(matches!(evening.app().stage, Stage::Menu));

    let mut silent = want(Role::Guest);
    silent.gain = 0.0;
    let mut evening = Evening::new(silent, 24);
    evening.tap(Intent::SelfTest);
    evening.until("verdict", 20, |app| verdict(app).is_some());
    assert_eq!(verdict(evening.app()), Some(false));
}

#[test]
fn a_phone_alone_is_offered_the_other_role_and_then_tips() {
    let room = RoomConfig::default();
    let [sound, _] = RoomSound::pair(&room);
    let mut app = App::new(sound, want(Role::Host), Store::nowhere(), 2);
    app.handle(Intent::Confirm);
    let mut seen = Vec::new();
    for frame in 0..1600 {
        app.tick(LinkTime::from_ms(20 * frame));
        if let Screen::Lobby(lobby) = app.view().screen {
            let hints = (lobby.switch_role, lobby.tips);
            if seen.last() != Some(&hints) {
                seen.push(hints);
            }
        }
    }
    assert_eq!(seen, [(false, false), (true, false), (false, true)]);
    // Tapped before, it changes seats.
    app.handle(Intent::SwitchRole);
    app.tick(LinkTime::from_ms(33_000));
    assert_eq!(app.duel().unwrap().role(), Role::Guest);
}

#[test]
fn a_band_that_a_phone_cannot_play_is_named_with_what_was_measured_and_the_other_role_is_offered() {
    // Microphones that end at 14 kHz: the guest's own band is above.
    let room = RoomConfig::at_distance_cm(20.0).with_capture_cutoff_hz(14_000.0);
    let mut evening = Evening::new(want(Role::Guest), 25);
    let (own, peer) = (want(Role::Guest), AiLevel::Easy);
    evening.table = Table::practice_in(&room, own, peer, Store::nowhere(), 25);
    evening.tap(Intent::Confirm);
    evening.until("an offer", 60, |app| app.offer().is_some());
    let offer = evening.app().offer().unwrap();
    assert!(offer.role && offer.plan.is_none(), "{offer:?}");
    assert!(offer.reason.contains("16–19 kHz"), "{offer:?}");
    evening.tap(Intent::SwitchRole);
    evening.frame();
    assert_eq!(evening.app().duel().unwrap().role(), Role::Host);
}

#[test]
fn a_phone_that_is_loud_in_its_own_microphone_turns_itself_down_and_says_so() {
    // 20 dB louder than phones are: it peaks near full scale.
    let room = RoomConfig::at_distance_cm(20.0).with_own_path_db(60.0);
    let mut evening = Evening::new(want(Role::Host), 28);
    let (own, peer) = (want(Role::Host), AiLevel::Easy);
    evening.table = Table::practice_in(&room, own, peer, Store::nowhere(), 28);
    evening.tap(Intent::Confirm);
    let lobby = |app: &App<RoomSound>| match app.view().screen {
        Screen::Lobby(lobby) => Some((lobby.warning?, lobby.meters.gain)),
        _ => None,
    };
    evening.until("a warning", 15, |app| lobby(app).is_some());
    let (words, gain) = lobby(evening.app()).unwrap();
    assert!((gain - 0.708).abs() < 0.001, "3 dB down: {gain}");
    assert!(words.contains("plays at 71 % now"), "{words}");
    evening.pass(3);
    let (_, gain) = lobby(evening.app()).unwrap();
    assert!((0.5..0.708).contains(&gain), "down again: {gain}");
}

#[test]
fn a_host_that_is_not_heard_is_offered_the_low_plan_and_its_peer_follows() {
    let mut evening = Evening::new(want(Role::Host), 27);
    let [own, _] = evening.both();
    own.sound.inject(link_room::Fault {
        at: Duration::ZERO,
        lasts: Duration::from_secs(25),
        kind: link_room::FaultKind::Unheard(link_room::Phone::A),
    });
    evening.tap(Intent::Confirm);
    evening.until("an offer", 30, |app| app.offer().is_some());
    let offer = evening.app().offer().unwrap();
    assert_eq!(offer.plan, Some(link_transport::Plan::Low), "{offer:?}");
    evening.tap(Intent::Fallback);
    evening.until("opener to pick", 60, |app| picking(app).is_some());
    let Screen::Lobby(lobby) = evening.app().view().screen else {
        panic!("a lobby");
    };
    assert_eq!(lobby.plan, Some("Low"));
}

#[test]
fn a_match_survives_a_stopped_device_a_pulled_plug_and_a_broken_device() {
    let mut evening = Evening::new(want(Role::Host), 26);
    evening.begin();
    let tick = |app: &App<RoomSound>| app.duel().unwrap().session.tick();
    let live = |app: &App<RoomSound>| rig(app) == Some(RigState::Live);

    // A call comes in and ends: it comes back by itself.
    let [own, _] = evening.both();
    own.sound.stop(true);
    evening.pass(2);
    let stopped = RigState::Lost(LostReason::AudioStopped);
    assert_eq!(rig(evening.app()), Some(stopped));
    assert!(evening.app().view().cover.is_some());
    let [own, _] = evening.both();
    own.sound.stop(false);
    evening.until("sound", 5, live);
    let before = tick(evening.app());
    evening.pass(4);
    assert!(tick(evening.app()) > before, "the match goes on");

    // The plug is pulled: taps fail and say why, and the second offers to leave; plugged in again, a tap helps.
    let [own, _] = evening.both();
    own.sound.unplug();
    own.sound.set_troubles(Troubles {
        no_microphone: true,
        ..Troubles::default()
    });
    evening.frame();
    let pulled = RigState::Lost(LostReason::MicrophoneEnded);
    assert_eq!(rig(evening.app()), Some(pulled));
    for offers in [false, true] {
        evening.tap(Intent::Confirm);
        evening.frame();
        let cover = evening.app().view().cover.unwrap();
        assert_eq!(cover.error.unwrap().0, "No microphone found");
        assert_eq!(cover.leave, offers);
    }
    let [own, _] = evening.both();
    own.sound.set_troubles(Troubles::default());
    evening.tap(Intent::Confirm);
    evening.until("sound", 5, live);

    // The device breaks: a tap opens another one and gives the link a new modem.
    evening.pass(4);
    let [own, _] = evening.both();
    own.sound.break_device();
    evening.frame();
    assert_eq!(rig(evening.app()), Some(stopped));
    evening.tap(Intent::Confirm);
    evening.until("sound", 5, live);
    let before = tick(evening.app());
    evening.pass(5);
    assert!(tick(evening.app()) > before, "over a new modem");
}
