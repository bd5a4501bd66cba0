//! Lobby, match and its ends.

use super::*;
use crate::play::field::FieldInput;
use link_room::{Fault, FaultKind, RoomConfig};
use match_feed::{Tick, duel::Medium};
use std::fs;
use versus_session::{MatchEnd, Overlay, Sync};

#[test]
fn a_person_hosts_picks_commands_resigns_and_plays_again_on_the_other_side() {
    let mut evening = Evening::new(want(Role::Host), 11);
    assert!(!evening.app().view().noise, "practice makes no noise");
    evening.begin();
    // An order by hand: the army marches, and it shows.
    let field = |input| Intent::Field(input);
    evening.tap(field(FieldInput::Army));
    let army = evening.app().duel().unwrap().field.selected.clone();
    assert!(!army.is_empty());
    let at = |app: &App<RoomSound>, id: u32| {
        let world = app.duel()?.session.game()?;
        Some(world.unit(id)?.at)
    };
    let one = *army.first().unwrap();
    let before = at(evening.app(), one);
    evening.tap(field(FieldInput::Cursor(8, 0)));
    evening.tap(field(FieldInput::AttackMove));
    evening.tap(field(FieldInput::ActHere));
    evening.pass(3);
    assert_ne!(
        at(evening.app(), one),
        before,
        "ordered, sent, and carried out"
    );

    // Resigning takes a yes, locks input, lands on both phones, and is verified.
    evening.tap(Intent::Pause);
    assert!(evening.app().duel().unwrap().menu.is_some());
    evening.pass(1);
    evening.tap(Intent::Resign);
    evening.tap(Intent::Confirm);
    assert!(evening.app().duel().unwrap().resigning);
    evening.until("report", 10, |app| title(app).is_some());
    assert_eq!(title(evening.app()).unwrap(), "You resigned · Defeat");
    let in_sync = |app: &App<RoomSound>| {
        let report = app.duel().and_then(|duel| duel.report.as_ref());
        report.is_some_and(|report| {
            matches!(
                report.end,
                MatchEnd::Decided {
                    sync: Sync::InSync,
                    ..
                }
            )
        })
    };
    evening.until("verdict", 12, in_sync);
    let [own, peer] = evening.both();
    assert_eq!(title(peer).unwrap(), "Your friend resigned · Victory");
    let record = |app: &App<RoomSound>| app.duel().unwrap().session.record().unwrap().to_json();
    assert_eq!(record(own), record(peer), "one record, on both phones");

    // The peer goes ahead, and this phone says so; the rematch swaps the sides.
    let peer_waits = |app: &App<RoomSound>| matches!(app.view().screen, Screen::Report(report) if report.peer_waits);
    evening.until("friend in the lobby", 20, peer_waits);
    evening.tap(Intent::Rematch);
    evening.until("opener to pick", 40, |app| picking(app).is_some());
    evening.tap(Intent::Pick(0));
    evening.until("rematch", 10, in_match);
    let agreed = evening
        .app()
        .duel()
        .unwrap()
        .session
        .agreed()
        .copied()
        .unwrap();
    assert_eq!(agreed.local_side(), Side::Red);
}

#[test]
fn a_score_that_cannot_be_written_does_not_cost_the_record() {
    let folder = std::env::temp_dir().join(format!("sound-duel-score-{}", std::process::id()));
    fs::create_dir_all(folder.join("score.json")).unwrap(); // a folder is no file to write
    let (want, store) = (want(Role::Host), Store::in_folder(&folder, Medium::Sound));
    let mut evening = Evening::new(want.clone(), 13);
    let room = RoomConfig::at_distance_cm(20.0).with_seed(13);
    evening.table = Table::practice_in(&room, want, AiLevel::Easy, store, 13);
    evening.begin();
    evening.tap(Intent::Pause);
    evening.tap(Intent::Resign);
    evening.tap(Intent::Confirm);
    evening.until("report", 10, |app| title(app).is_some());
    let report = evening.app().duel().unwrap().report.as_ref().unwrap();
    assert!(report.saved.problem.is_some());
    let record = report.saved.record.as_ref().expect("a record");
    assert!(record.exists());
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_guest_finds_the_low_plan_and_picks_for_itself_in_time() {
    let mut evening = Evening::new(want(Role::Guest), 12);
    let [_, peer] = evening.both();
    peer.want.plan = PlayPlan::Low;
    evening.tap(Intent::Confirm);
    let picks = evening.until("opener to pick", 40, |app| picking(app).is_some());
    assert!(picks.as_secs() < 30, "{picks:?}");
    let Screen::Lobby(lobby) = evening.app().view().screen else {
        panic!("a lobby");
    };
    assert_eq!(lobby.plan, Some("Low"));
    assert_eq!(lobby.side, Some(Side::Red));
    // Nobody picks: the time runs out, and the match begins all the same.
    let waited = evening.until("match", 40, in_match);
    assert!(waited.as_secs() >= 10, "{waited:?}");
}

#[test]
fn phones_of_different_versions_say_so() {
    let mut evening = Evening::new(want(Role::Host), 13);
    let [_, peer] = evening.both();
    peer.want.build = 0x5678;
    evening.tap(Intent::Confirm);
    let other = |app: &App<RoomSound>| matches!(step(app), Some(Step::OtherVersion(_)));
    evening.until("version mismatch", 30, other);
    let Some(Step::OtherVersion(text)) = step(evening.app()) else {
        panic!("said");
    };
    assert!(text.contains("1234 here, 5678 there"), "{text}");
}

#[test]
fn a_pause_shows_on_the_peer_a_silence_shows_on_both_and_each_can_be_left() {
    let mut evening = Evening::new(want(Role::Host), 14);
    evening.begin();
    let overlay = |app: &App<RoomSound>| match app.view().screen {
        Screen::Match(game) => Some(game.overlay),
        _ => None,
    };
    evening.tap(Intent::Pause);
    evening.pass(3);
    let [_, peer] = evening.both();
    assert_eq!(overlay(peer), Some(Overlay::PeerPaused));
    evening.tap(Intent::Pause);
    evening.pass(3);
    let [_, peer] = evening.both();
    assert_eq!(overlay(peer), Some(Overlay::None));

    // "Resign and leave" stands in the menu only while packets arrive.
    evening.tap(Intent::Pause);
    let can_resign = |app: &App<RoomSound>| match app.view().screen {
        Screen::Match(game) => game.resign_and_leave,
        _ => false,
    };
    assert!(can_resign(evening.app()));
    evening.tap(Intent::Pause);
    let [own, _] = evening.both();
    let at = Duration::from_micros(own.now().as_us());
    own.sound.inject(Fault {
        at,
        lasts: Duration::from_secs(60),
        kind: FaultKind::Dropout,
    });
    evening.until("signal lost", 20, |app| {
        overlay(app) == Some(Overlay::SignalLost)
    });
    evening.tap(Intent::Pause);
    assert!(!can_resign(evening.app()), "nobody would hear it");
    evening.tap(Intent::Leave);
    evening.frame();
    assert_eq!(title(evening.app()).as_deref(), Some("Signal lost"));
    evening.tap(Intent::Menu);
    evening.pass(3);
    assert!(matches!(evening.app().stage, Stage::Menu));
    assert_eq!(evening.app().rig_state(), None, "and the sound is off");
}

#[test]
fn a_peer_that_leaves_and_worlds_that_differ_end_a_match_without_a_result() {
    let mut evening = Evening::new(want(Role::Host), 15);
    evening.begin();
    let [_, peer] = evening.both();
    peer.handle(Intent::Pause);
    peer.handle(Intent::Quit);
    evening.until("report", 10, |app| title(app).is_some());
    assert_eq!(title(evening.app()).unwrap(), "Your friend left");

    let mut evening = Evening::new(want(Role::Host), 16);
    evening.begin();
    evening.pass(1);
    let [own, _] = evening.both();
    // A world changed behind the game's back: as a bug in the simulation would.
    let Stage::Duel(duel) = &mut own.stage else {
        panic!("a duel");
    };
    let world = duel.session.game_mut().unwrap();
    let mut other = world.clone();
    let order = match_feed::Order {
        seat: Side::Blue.seat(),
        command: game_sim::Command::CallWave,
    };
    match_feed::Game::step(&mut other, &[order]);
    *world = other;
    evening.until("report", 60, |app| title(app).is_some());
    assert_eq!(title(evening.app()).unwrap(), "Out of sync");
    assert!(evening.app().duel().unwrap().session.tick() > Tick(0));
}
