//! Every screen as a person sees it: the painter on a terminal of 80 by 24 that is only memory.

use super::*;
use crate::{
    picture::Fights,
    play::{
        app::{Offer, PauseMenu},
        field::{Field, FieldInput, TOP_ROWS, lists},
        view::{
            Cover, FailedView, LobbyView, MatchView, MenuView, Meters, ReportView, SelfTestView,
            Step,
        },
    },
};
use game_sim::{UnitKind, World};
use link_rig::{LostReason, RigState};
use link_transport::{Plan, Role};
use match_feed::{MapChoice, MatchSetup, PerSide, Side};
use ratatui::{Terminal, backend::TestBackend};
use std::{fmt::Write, time::Duration};
use versus_session::Overlay;

/// The characters of a view, row by row, spaces at the end of a row left out.
fn characters(view: &View<'_>) -> String {
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    terminal
        .draw(|frame| draw(frame, Brush::new(true), view))
        .unwrap();
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for row in 0..24 {
        let line: String = (0..80)
            .map(|column| buffer[(column, row)].symbol())
            .collect();
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn view(screen: Screen<'_>) -> View<'_> {
    View {
        noise: true,
        devices: "Speakers, Headset, 48000 Hz".into(),
        notice: None,
        screen,
        cover: None,
    }
}

/// Several screens under their names, as one snapshot.
fn book(pages: Vec<(&str, View<'_>)>) -> String {
    let mut text = String::new();
    for (name, page) in pages {
        let _ = writeln!(text, "──── {name} ────\n{}", characters(&page));
    }
    text
}

fn menu(role: Role) -> MenuView {
    let names = game_sim::mutator_names().iter();
    MenuView {
        role,
        plan: "High, and Low where High does not work",
        mic: "raw",
        map: "Crossing".into(),
        mutators: names.map(|name| (*name, *name == "blitz")).collect(),
        score: Some((3, 1, 0)),
    }
}

fn meters() -> Meters {
    Meters {
        heard: 6,
        snr_db: Some(20.4),
        good_percent: Some(99),
        hears_me: Some(5),
        own_snr_db: Some(50.0),
        round_trip: Some(Duration::from_millis(579)),
        peak: 0.3,
        gain: 1.0,
    }
}

fn lobby(step: Step) -> LobbyView {
    LobbyView {
        role: Role::Host,
        rematch: false,
        plan: Some("High"),
        step,
        what: Some(("Crossing".into(), "blitz, swift".into())),
        side: None,
        meters: meters(),
        warning: None,
        offer: None,
        switch_role: false,
        tips: false,
        auto_lock: false,
    }
}

#[test]
fn before_a_match() {
    let test = |verdict| SelfTestView {
        band: "9.5–12.5 kHz",
        good: 12,
        bad: 0,
        snr_db: Some(51.2),
        loopback_ms: Some(61.0),
        verdict,
    };
    insta::assert_snapshot!(book(vec![
        ("the menu, hosting", view(Screen::Menu(menu(Role::Host)))),
        (
            "the menu, joining, in practice",
            View {
                noise: false,
                devices: "a simulated room, 48000 Hz".into(),
                ..view(Screen::Menu(MenuView {
                    score: None,
                    ..menu(Role::Guest)
                }))
            }
        ),
        ("opening", view(Screen::Opening)),
        (
            "refused",
            view(Screen::Failed(FailedView {
                why: "Microphone refused".into(),
                advice: "Allow the microphone for this game, then try again.",
            }))
        ),
        ("self-test", view(Screen::SelfTest(test(Some(true))))),
        (
            "self-test, deaf",
            view(Screen::SelfTest(SelfTestView {
                good: 0,
                snr_db: None,
                loopback_ms: None,
                ..test(Some(false))
            }))
        ),
    ]));
}

#[test]
fn every_step_of_a_lobby() {
    let nothing = Meters {
        gain: 1.0,
        ..Meters::default()
    };
    let listening = || LobbyView {
        meters: nothing,
        ..lobby(Step::Listening)
    };
    let joining = LobbyView {
        role: Role::Guest,
        plan: None,
        what: None,
        switch_role: true,
        ..listening()
    };
    let route =
        "This phone can't hear its own signal: sound may be going to the earpiece or Bluetooth.";
    let picking = Step::Picking {
        openers: vec!["prospector", "raiders", "fortress"],
        left: Duration::from_millis(12_300),
    };
    insta::assert_snapshot!(book(vec![
        ("listening", view(Screen::Lobby(listening()))),
        (
            "nothing heard: the other role",
            view(Screen::Lobby(joining))
        ),
        (
            "nothing heard for long: tips",
            view(Screen::Lobby(LobbyView {
                tips: true,
                ..listening()
            }))
        ),
        (
            "measuring, with the route warning",
            view(Screen::Lobby(LobbyView {
                warning: Some(route.into()),
                auto_lock: true,
                ..lobby(Step::Measuring)
            }))
        ),
        (
            "the low plan offered",
            view(Screen::Lobby(LobbyView {
                offer: Some(Offer {
                    reason:
                        "This phone hears itself, but only 12 % of its friend's packets (4 dB)."
                            .into(),
                    plan: Some(Plan::Low),
                    role: true,
                }),
                ..lobby(Step::Measuring)
            }))
        ),
        (
            "picking",
            view(Screen::Lobby(LobbyView {
                side: Some(Side::Red),
                rematch: true,
                ..lobby(picking)
            }))
        ),
        (
            "picked",
            view(Screen::Lobby(lobby(Step::Picked("raiders"))))
        ),
        ("starting", view(Screen::Lobby(lobby(Step::Starting)))),
        (
            "another version",
            view(Screen::Lobby(lobby(Step::OtherVersion(
                "The phones run different versions of the game (1234 here, 5678 there).".into()
            ))))
        ),
        (
            "goodbye",
            View {
                notice: Some("Pairing starts over.".into()),
                ..view(Screen::Lobby(lobby(Step::Leaving)))
            }
        ),
    ]));
}

fn world() -> World {
    World::new(&MatchSetup {
        map: MapChoice::BuiltIn(0),
        mutators: 0,
        seed: 7,
        openers: PerSide::default(),
    })
    .unwrap()
}

/// A match at its start, under `change`.
fn with_match(change: impl FnOnce(&mut MatchView<'_>, &mut Field), cover: Option<Cover>) -> String {
    let world = world();
    let fights = Fights::default();
    let mut field = Field::at_home(&world, Side::Blue);
    let empty = Field::default();
    let mut game = MatchView {
        world: &world,
        side: Side::Blue,
        field: &empty,
        fights: &fights,
        overlay: Overlay::None,
        leave: false,
        resign_and_leave: false,
        menu: None,
        queued: false,
        resigning: false,
        ai: false,
        delay_ms: 500,
        meters: meters(),
        help: false,
    };
    change(&mut game, &mut field);
    game.field = &field;
    characters(&View {
        cover,
        ..view(Screen::Match(game))
    })
}

/// The boxes on screens, under their names: what lies under them is the game's, whose numbers may change.
fn boxes(pages: Vec<(&str, String)>) -> String {
    let edge = ['╭', '│', '╰'];
    pages
        .into_iter()
        .fold(String::new(), |mut text, (name, page)| {
            let _ = writeln!(text, "──── {name} ────");
            for line in page.lines().filter(|line| line.contains(edge)) {
                let from = line.find(edge).unwrap_or(0);
                let to = line
                    .rfind(['╮', '│', '╯'])
                    .map_or(line.len(), |at| at + '│'.len_utf8());
                let _ = writeln!(text, "{}", &line[from..to]);
            }
            text
        })
}

fn after(inputs: &'static [FieldInput]) -> String {
    with_match(
        |game, field| {
            for input in inputs {
                let _ = field.handle(*input, game.world, game.side);
            }
        },
        None,
    )
}

#[test]
fn a_match_shows_the_world_and_the_selection() {
    let page = with_match(
        |game, field| {
            let _ = field.handle(FieldInput::Army, game.world, game.side);
            (game.queued, game.ai, game.resigning) = (true, true, true);
        },
        None,
    );
    let world = world();
    let lines: Vec<&str> = page.lines().collect();
    assert!(lines[0].contains(&format!("{} credits", world.credits(Side::Blue))));
    assert!(lines[0].contains("Orders queued") && lines[0].contains("Resigning…"));
    // Each own unit's two letters stand where the camera has its tile.
    let field = Field::at_home(&world, Side::Blue);
    for unit in world.units().filter(|unit| unit.side == Side::Blue) {
        let tile = unit.at.tile();
        let row = TOP_ROWS as usize + (tile.ty - field.camera.top) as usize;
        let column = 2 * (tile.tx - field.camera.left) as usize;
        let first = unit.kind.name().unwrap().chars().next().unwrap();
        let shown = lines[row].chars().nth(column);
        // Two units on one tile: the later one shows.
        assert!(
            shown.is_some_and(|shown| shown.is_ascii_uppercase()),
            "{first} at {tile:?}\n{page}"
        );
    }
    let soldiers = world
        .units()
        .filter(|unit| unit.side == Side::Blue && unit.kind == UnitKind::RIFLE)
        .count();
    assert!(page.contains(&format!("{soldiers} rifle")), "{page}");
    assert!(page.contains("hq") && page.contains("a attack-move"));
}

#[test]
fn a_match_from_far_shows_two_tiles_a_character_and_nothing_off_the_map() {
    let page = after(&[FieldInput::Zoom]);
    let world = world();
    let columns = world.map_size().width() as usize;
    for line in page.lines().skip(1).take(17) {
        assert_eq!(line.chars().count(), columns, "{page}");
        assert!(line.chars().all(|char| char == '▀'));
    }
}

#[test]
fn the_lists_name_everything_with_its_key_its_cost_and_why_not() {
    let world = world();
    let flat = |page: String| page.split_whitespace().collect::<Vec<_>>().join(" ");
    let build = flat(after(&[FieldInput::Build]));
    for (entry, key) in lists::buildings(&world, Side::Blue)
        .iter()
        .zip("123456789".chars())
    {
        let why = entry
            .why_not
            .as_ref()
            .map_or(String::new(), |why| format!(" ({why})"));
        let told = format!("{key} {} {}{why}", entry.name, entry.cost);
        assert!(build.contains(&told), "{told}: {build}");
    }
    let make = flat(after(&[FieldInput::Train]));
    assert!(make.contains("1 harvester"), "{make}");
    let armed = flat(after(&[FieldInput::Army, FieldInput::AttackMove]));
    assert!(armed.contains("Attack-move where?"), "{armed}");
    let building = flat(after(&[FieldInput::NextBuilding]));
    assert!(building.contains("rally point"), "{building}");
}

#[test]
fn every_overlay_and_cover() {
    let overlay = |overlay: Overlay, leave: bool| {
        with_match(
            move |game, _| (game.overlay, game.leave) = (overlay, leave),
            None,
        )
    };
    let menu = |sure: bool, resign_and_leave: bool, leave: bool| {
        with_match(
            move |game, _| {
                game.menu = Some(PauseMenu { sure, leave });
                (game.resign_and_leave, game.leave) = (resign_and_leave, leave);
            },
            None,
        )
    };
    let cover = |state: RigState, error: Option<(String, &'static str)>, leave: bool| {
        with_match(
            |_, _| {},
            Some(Cover {
                state,
                error,
                leave,
            }),
        )
    };
    let ended = LostReason::MicrophoneEnded;
    let no_microphone = (
        "No microphone found".to_owned(),
        "Try again with headphones and Bluetooth disconnected.",
    );
    insta::assert_snapshot!(boxes(vec![
        ("waiting", overlay(Overlay::Waiting, false)),
        ("loading", overlay(Overlay::Loading, false)),
        ("friend paused", overlay(Overlay::FriendPaused, false)),
        (
            "signal lost, half a minute",
            overlay(Overlay::SignalLost, true)
        ),
        ("paused, packets arrive", menu(false, true, false)),
        ("paused, nothing arrives", menu(false, false, true)),
        ("sure?", menu(true, true, false)),
        (
            "resigning",
            with_match(|game, _| game.resigning = true, None)
        ),
        ("keys", with_match(|game, _| game.help = true, None)),
        ("tap to start", cover(RigState::TapToStart, None, false)),
        ("lost", cover(RigState::Lost(ended), None, false)),
        (
            "two taps failed",
            cover(RigState::Lost(ended), Some(no_microphone), true)
        ),
        (
            "reconnecting",
            cover(RigState::Reconnecting(ended), None, false)
        ),
        (
            "recovering",
            cover(RigState::Recovering(ended), None, false)
        ),
    ]));
}

#[test]
fn every_end() {
    let report =
        |title: &str, how: &str, sync: Option<&'static str>, well: Option<bool>| ReportView {
            title: title.into(),
            how: how.into(),
            well,
            sync,
            line: "vs your friend · Crossing · 6:08 · over sound".into(),
            facts: vec![
                ("Link", "3609 good packets, 2 bad (99.9 %, 22 dB)".into()),
                ("Waiting on the link", "0.2 s".into()),
                ("Order delay", "0.5 s".into()),
                ("Slowest order", "0.9 s".into()),
                ("Record", "duel-out/host.json".into()),
            ],
            friend_waits: false,
            leaving: false,
        };
    let page = |report: ReportView| view(Screen::Report(report));
    insta::assert_snapshot!(book(vec![
        (
            "victory",
            page(ReportView {
                friend_waits: true,
                ..report(
                    "Victory",
                    "Your friend's command centre fell.",
                    Some("In sync ✓"),
                    Some(true)
                )
            })
        ),
        (
            "defeat, checking",
            page(report("Defeat", "", Some("Checking sync…"), Some(false)))
        ),
        (
            "both resigned, not verified",
            page(report(
                "Both resigned · Draw",
                "",
                Some("Not verified: your friend's phone has not said the same"),
                None,
            ))
        ),
        (
            "out of sync",
            page(ReportView {
                facts: vec![("Debug info", "duel-out/host-debug.txt".into())],
                ..report(
                    "Out of sync",
                    "The two phones' worlds differ, found after tick 99. The match counts for nobody.",
                    None,
                    None
                )
            })
        ),
        (
            "friend left",
            page(report(
                "Your friend left",
                "The match has no result.",
                None,
                None
            ))
        ),
        (
            "left, saying goodbye",
            page(ReportView {
                leaving: true,
                ..report("You left", "The match has no result.", None, None)
            })
        ),
        (
            "signal lost",
            page(report(
                "Signal lost",
                "You left because the phones no longer heard each other. The match has no result.",
                None,
                None,
            ))
        ),
    ]));
}

#[test]
fn the_warning_stands_on_every_step_of_a_sound_link_before_any_sound_and_on_none_of_a_practice_link()
 {
    let pages = |noise: bool| {
        let report = ReportView {
            title: "Victory".into(),
            how: String::new(),
            well: Some(true),
            sync: None,
            line: String::new(),
            facts: Vec::new(),
            friend_waits: false,
            leaving: false,
        };
        let steps = [
            Screen::Menu(menu(Role::Host)),
            Screen::Opening,
            Screen::Lobby(lobby(Step::Listening)),
            Screen::Lobby(lobby(Step::Measuring)),
            Screen::Lobby(lobby(Step::Picked("raiders"))),
            Screen::Lobby(lobby(Step::Starting)),
            Screen::Report(report),
        ];
        steps.map(|screen| {
            characters(&View {
                noise,
                ..view(screen)
            })
        })
    };
    for page in pages(true) {
        let words: Vec<&str> = page.split_whitespace().collect();
        assert!(words.join(" ").contains(NOISE), "{page}");
    }
    for page in pages(false) {
        assert!(
            !page.contains("unpleasant") && page.contains("Practice link"),
            "{page}"
        );
    }
}

#[test]
fn a_terminal_too_small_says_so() {
    let mut terminal = Terminal::new(TestBackend::new(50, 10)).unwrap();
    let view = view(Screen::Opening);
    terminal
        .draw(|frame| draw(frame, Brush::new(false), &view))
        .unwrap();
    let shown = terminal.backend().to_string();
    assert!(shown.contains("play needs 60 × 20"), "{shown}");
}
