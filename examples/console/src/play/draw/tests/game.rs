//! The match on the screen: world, lists, overlays, covers.

use super::{COLUMNS, ROWS, meters, painted, text, view};
use crate::{
    picture::Fights,
    play::{
        app::PauseMenu,
        draw::{COLUMNS_MIN, ROWS_MIN},
        field::{Field, FieldInput, TOP_ROWS, lists},
        intent::PLACES,
        view::{Cover, MatchView, Screen, View},
    },
    screen::Brush,
};
use game_sim::{UnitKind, World};
use link_rig::{LostReason, RigState};
use match_feed::duel::{MapChoice, MatchSetup, PerSide, Side};
use ratatui::{buffer::Buffer, style::Color};
use std::fmt::Write;
use versus_session::Overlay;

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
    text(&match_on(Brush::new(true), (COLUMNS, ROWS), change, cover))
}

/// The same on another terminal.
fn match_on(
    brush: Brush,
    size: (u16, u16),
    change: impl FnOnce(&mut MatchView<'_>, &mut Field),
    cover: Option<Cover>,
) -> Buffer {
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
    let view = View {
        cover,
        ..view(Screen::Match(game))
    };
    painted(&view, brush, size)
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
fn every_unit_is_on_the_list_of_the_smallest_terminal() {
    let size = (COLUMNS_MIN, ROWS_MIN);
    let world = world();
    let open = |_: &mut MatchView<'_>, field: &mut Field| {
        field.resize(Some(&world), size);
        let _ = field.handle(FieldInput::Train, &world, Side::Blue);
    };
    let page = text(&match_on(Brush::new(true), size, open, None));
    let shown = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for (entry, key) in lists::units(&world, Side::Blue).iter().zip(PLACES.chars()) {
        let told = format!("{key} {} {}", entry.name, entry.cost);
        assert!(shown.contains(&told), "{told}:\n{page}");
    }
}

#[test]
fn a_terminal_of_256_colours_is_sent_no_other() {
    let world = world();
    let inputs: [&[FieldInput]; 4] = [
        &[FieldInput::Army],
        &[FieldInput::Army, FieldInput::Zoom],
        &[FieldInput::Corner, FieldInput::Cursor(3, 2)],
        &[FieldInput::NextBuilding],
    ];
    for inputs in inputs {
        let change = |_: &mut MatchView<'_>, field: &mut Field| {
            for input in inputs {
                let _ = field.handle(*input, &world, Side::Blue);
            }
        };
        let buffer = match_on(Brush::new(false), (COLUMNS, ROWS), change, None);
        for cell in &buffer.content {
            let any = matches!(cell.fg, Color::Rgb(..)) || matches!(cell.bg, Color::Rgb(..));
            assert!(!any, "{inputs:?}: {cell:?}");
        }
    }
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
        ("friend paused", overlay(Overlay::PeerPaused, false)),
        (
            "signal lost, half a minute",
            overlay(Overlay::SignalLost, true)
        ),
        ("paused, packets arrive", menu(false, true, false)),
        ("paused, nothing arrives", menu(false, false, true)),
        ("sure?", menu(true, true, false)),
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
