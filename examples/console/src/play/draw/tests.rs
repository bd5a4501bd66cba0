//! Every screen as a person sees it: the painter on a terminal of 80 by 24 that is only memory.

mod game;

use super::*;
use crate::play::{
    app::Offer,
    view::{FailedView, LobbyView, MenuView, Meters, ReportView, SelfTestView, Step},
};
use link_transport::{Plan, Role};
use match_feed::duel::Side;
use ratatui::{Terminal, backend::TestBackend, buffer::Buffer};
use std::{fmt::Write, time::Duration};

const COLUMNS: u16 = 80;
const ROWS: u16 = 24;

fn painted(view: &View<'_>, brush: Brush, (columns, rows): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| draw(frame, brush, view)).unwrap();
    terminal.backend().buffer().clone()
}

/// The characters of a view, row by row, spaces at the end of a row left out.
fn characters(view: &View<'_>) -> String {
    text(&painted(view, Brush::new(true), (COLUMNS, ROWS)))
}

fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for row in 0..buffer.area.height {
        let line: String = (0..buffer.area.width)
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
            peer_waits: false,
            leaving: false,
        };
    let page = |report: ReportView| view(Screen::Report(report));
    insta::assert_snapshot!(book(vec![
        (
            "victory",
            page(ReportView {
                peer_waits: true,
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
            peer_waits: false,
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
