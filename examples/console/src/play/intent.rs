//! What a player wants, and which keys and mouse buttons say so. Knows no app: only what kind of screen is up.

use super::field::FieldInput;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// What a player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Go on: start, tap, yes.
    Confirm,
    /// One step back.
    Back,
    /// Out of the program.
    Quit,
    /// The keys.
    Help,
    /// Menu: host.
    Host,
    /// Menu: join.
    Join,
    /// Menu: the next band plan.
    Plan,
    /// Menu: the next map.
    Map,
    /// Menu: this mutator on or off.
    Mutator(u8),
    /// Menu: the self-test.
    SelfTest,
    /// Lobby: the other role.
    SwitchRole,
    /// Lobby: the plan offered.
    Fallback,
    /// Lobby: pair again.
    Retry,
    /// Lobby: the opener at this place of those offered.
    Pick(u8),
    /// Match: the pause menu.
    Pause,
    /// Pause menu: give up.
    Resign,
    /// Pause menu: give up, and go when it is decided.
    ResignAndLeave,
    /// Leave without a result.
    Leave,
    /// Report: once more.
    Rematch,
    /// Report: to the menu.
    Menu,
    /// Match: something on the map.
    Field(FieldInput),
}

/// What kind of screen is up: the same key means different things on each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// The menu before sound runs.
    Menu,
    /// Anything with one button: opening, errors, covers, the self-test.
    Button,
    /// A cover over a match, with a way out.
    Cover,
    /// The lobby.
    Lobby,
    /// The match.
    Match,
    /// A list of the match: what to build, make or call.
    List,
    /// The pause menu.
    Pause,
    /// "Resign: are you sure?"
    Sure,
    /// The report.
    Report,
}

/// The keys of a list's entries, in their order.
pub const PLACES: &str = "1234567890-=";

/// The place in a list that a key means.
fn place(char: char) -> Option<u8> {
    PLACES.find(char).map(|place| place as u8)
}

/// The intent of an event of the terminal, if it means anything here.
pub fn intent(keys: Keys, event: &Event) -> Option<Intent> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(keys, *key),
        Event::Mouse(mouse) if matches!(keys, Keys::Match | Keys::List) => {
            of_mouse(*mouse).map(Intent::Field)
        }
        _ => None,
    }
}

fn of_key(keys: Keys, key: KeyEvent) -> Option<Intent> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c')).then_some(Intent::Quit);
    }
    let char = match key.code {
        KeyCode::Enter => return of_enter(keys),
        KeyCode::Esc => return of_escape(keys),
        KeyCode::Char(char) => char,
        code => return of_arrow(keys, code, key.modifiers),
    };
    match (keys, place(char)) {
        (Keys::Menu, Some(place)) => return Some(Intent::Mutator(place)),
        (Keys::List, Some(place)) => return Some(Intent::Field(FieldInput::Choose(place))),
        _ => {}
    }
    Some(match (keys, char) {
        (Keys::Match | Keys::List | Keys::Lobby | Keys::Report, '?') => Intent::Help,
        (Keys::Menu, 'h') => Intent::Host,
        (Keys::Menu, 'j') => Intent::Join,
        (Keys::Menu, 'b') => Intent::Plan,
        (Keys::Menu, 'm') => Intent::Map,
        (Keys::Menu, 's') => Intent::SelfTest,
        (Keys::Lobby, '1'..='4') => Intent::Pick(char as u8 - b'1'),
        (Keys::Lobby, 's') => Intent::SwitchRole,
        (Keys::Lobby, 'f') => Intent::Fallback,
        (Keys::Lobby, 'r') => Intent::Retry,
        (Keys::Cover | Keys::Pause | Keys::Match | Keys::List, 'L') => Intent::Leave,
        (Keys::Pause, 'r') => Intent::Resign,
        (Keys::Pause, 'R') => Intent::ResignAndLeave,
        (Keys::Pause, 'p') => Intent::Pause,
        (Keys::Sure, 'y') => Intent::Confirm,
        (Keys::Sure, 'n') => Intent::Back,
        (Keys::Report, 'r') => Intent::Rematch,
        (Keys::Report, 'm') => Intent::Menu,
        (Keys::Match, 'p') => Intent::Pause,
        (Keys::List, 'x') => Intent::Field(FieldInput::TakeBack),
        (Keys::Match | Keys::List, char) => Intent::Field(of_field_key(char)?),
        (Keys::Menu | Keys::Button | Keys::Lobby | Keys::Report, 'q') => Intent::Quit,
        _ => return None,
    })
}

fn of_enter(keys: Keys) -> Option<Intent> {
    Some(match keys {
        Keys::Match | Keys::List => Intent::Field(FieldInput::ActHere),
        Keys::Sure => return None, // a key pressed too often must not give the match up
        _ => Intent::Confirm,
    })
}

fn of_escape(keys: Keys) -> Option<Intent> {
    Some(match keys {
        Keys::List => Intent::Field(FieldInput::Cancel),
        _ => Intent::Back,
    })
}

fn of_arrow(keys: Keys, code: KeyCode, modifiers: KeyModifiers) -> Option<Intent> {
    if !matches!(keys, Keys::Match | Keys::List) {
        return None;
    }
    let (dx, dy) = match code {
        KeyCode::Left => (-1, 0),
        KeyCode::Right => (1, 0),
        KeyCode::Up => (0, -1),
        KeyCode::Down => (0, 1),
        KeyCode::Home => return Some(Intent::Field(FieldInput::Home)),
        KeyCode::Tab => return Some(Intent::Field(FieldInput::NextBuilding)),
        _ => return None,
    };
    let steps = if modifiers.contains(KeyModifiers::SHIFT) {
        5
    } else {
        1
    };
    Some(Intent::Field(FieldInput::Cursor(dx * steps, dy * steps)))
}

/// The keys of a match. Source of the help screen: [`HELP`].
fn of_field_key(char: char) -> Option<FieldInput> {
    Some(match char {
        ' ' => FieldInput::Select { add: false },
        '+' => FieldInput::Select { add: true },
        'v' => FieldInput::Corner,
        'e' => FieldInput::Army,
        'h' => FieldInput::Harvesters,
        'm' => FieldInput::Move,
        'a' => FieldInput::AttackMove,
        's' => FieldInput::Stop,
        'n' => FieldInput::Anchor,
        'u' => FieldInput::PackUp,
        'd' => FieldInput::Unload,
        'y' => FieldInput::Rally,
        'X' => FieldInput::Sell,
        'w' => FieldInput::Wave,
        'b' => FieldInput::Build,
        't' => FieldInput::Train,
        'o' => FieldInput::Powers,
        'c' => FieldInput::CancelBuilding,
        'z' => FieldInput::Zoom,
        _ => return None,
    })
}

fn of_mouse(mouse: MouseEvent) -> Option<FieldInput> {
    let at = (mouse.column, mouse.row);
    let add = mouse.modifiers.contains(KeyModifiers::SHIFT);
    Some(match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => FieldInput::Press(at),
        MouseEventKind::Drag(MouseButton::Left) => FieldInput::Drag(at),
        MouseEventKind::Up(MouseButton::Left) => FieldInput::Release { at, add },
        MouseEventKind::Down(MouseButton::Right) => FieldInput::Act(at),
        MouseEventKind::Moved => FieldInput::Hover(at),
        MouseEventKind::ScrollUp => FieldInput::Scroll(0, -3),
        MouseEventKind::ScrollDown => FieldInput::Scroll(0, 3),
        MouseEventKind::ScrollLeft => FieldInput::Scroll(-3, 0),
        MouseEventKind::ScrollRight => FieldInput::Scroll(3, 0),
        _ => return None,
    })
}

/// The keys of a match, for the help screen.
pub const HELP: &[(&str, &str)] = &[
    ("arrows", "move the cursor (Shift: five tiles)"),
    ("space, +", "select at the cursor, add to the selection"),
    ("v, arrows, v", "select a box"),
    ("e / h", "select the whole army / the harvesters"),
    ("Tab", "select the next building"),
    ("Enter", "act here: move, attack, mine, board, lift, place"),
    ("m / a", "move / attack-move to where Enter or a click says"),
    ("s", "stop"),
    ("n / u", "artillery: dig in / pack up"),
    ("d", "Condors: put down what they carry"),
    ("b / c", "build / give up the building begun"),
    ("t", "make units (x: take the last one back)"),
    ("y / X", "the building's rally point / sell it"),
    ("o / w", "powers / call a wave"),
    ("z, Home", "zoom, go home"),
    (
        "mouse",
        "left: select, drag a box; right: act; wheel: scroll",
    ),
    ("p, Esc", "pause, resign, leave"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::field::lists;
    use game_sim::World;
    use match_feed::duel::{MapChoice, MatchSetup, PerSide, Side};

    fn key(keys: Keys, code: KeyCode) -> Option<Intent> {
        intent(keys, &Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn char(keys: Keys, char: char) -> Option<Intent> {
        key(keys, KeyCode::Char(char))
    }

    #[test]
    fn every_screen_has_its_keys_and_no_others() {
        assert_eq!(char(Keys::Menu, 'h'), Some(Intent::Host));
        assert_eq!(char(Keys::Menu, 'j'), Some(Intent::Join));
        assert_eq!(char(Keys::Menu, '1'), Some(Intent::Mutator(0)));
        assert_eq!(char(Keys::Menu, '='), Some(Intent::Mutator(11)));
        assert_eq!(char(Keys::Lobby, '2'), Some(Intent::Pick(1)));
        assert_eq!(char(Keys::Lobby, 's'), Some(Intent::SwitchRole));
        assert_eq!(char(Keys::Lobby, 'f'), Some(Intent::Fallback));
        assert_eq!(char(Keys::Report, 'r'), Some(Intent::Rematch));
        assert_eq!(char(Keys::Report, 'm'), Some(Intent::Menu));
        assert_eq!(char(Keys::Button, 'h'), None);
        assert_eq!(key(Keys::Button, KeyCode::Enter), Some(Intent::Confirm));
        for keys in [Keys::Menu, Keys::Lobby, Keys::Match, Keys::Report] {
            assert_eq!(key(keys, KeyCode::Esc), Some(Intent::Back));
        }
    }

    #[test]
    fn every_entry_of_every_list_has_its_key() {
        let setup = MatchSetup {
            map: MapChoice::BuiltIn(0),
            mutators: 0,
            seed: 1,
            openers: PerSide::default(),
        };
        let world = World::new(&setup).unwrap();
        let lists = [
            lists::buildings(&world, Side::Blue).len(),
            lists::units(&world, Side::Blue).len(),
            lists::powers(&world, Side::Blue).len(),
        ];
        for entries in lists {
            assert!(PLACES.len() >= entries, "{entries}");
            for (place, key) in (0..).zip(PLACES.chars()).take(entries) {
                let chosen = Some(Intent::Field(FieldInput::Choose(place)));
                assert_eq!(char(Keys::List, key), chosen, "{key}");
            }
        }
        for (place, key) in (0..).zip(PLACES.chars()) {
            assert_eq!(char(Keys::Menu, key), Some(Intent::Mutator(place)), "{key}");
        }
    }

    #[test]
    fn giving_a_match_up_takes_a_yes_and_never_an_enter() {
        assert_eq!(char(Keys::Pause, 'r'), Some(Intent::Resign));
        assert_eq!(key(Keys::Sure, KeyCode::Enter), None);
        assert_eq!(char(Keys::Sure, 'y'), Some(Intent::Confirm));
        assert_eq!(key(Keys::Sure, KeyCode::Esc), Some(Intent::Back));
        assert_eq!(char(Keys::Match, 'r'), None, "not outside of the menu");
    }

    #[test]
    fn control_c_always_leaves_and_a_released_key_is_nothing() {
        let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        for keys in [Keys::Menu, Keys::Match, Keys::Cover, Keys::Sure] {
            assert_eq!(intent(keys, &Event::Key(control_c)), Some(Intent::Quit));
        }
        let released =
            KeyEvent::new_with_kind(KeyCode::Enter, KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(intent(Keys::Menu, &Event::Key(released)), None);
    }

    #[test]
    fn arrows_move_the_cursor_and_shift_makes_them_long() {
        let long = KeyEvent::new(KeyCode::Up, KeyModifiers::SHIFT);
        assert_eq!(
            intent(Keys::Match, &Event::Key(long)),
            Some(Intent::Field(FieldInput::Cursor(0, -5)))
        );
        assert_eq!(
            key(Keys::Match, KeyCode::Left),
            Some(Intent::Field(FieldInput::Cursor(-1, 0)))
        );
        assert_eq!(key(Keys::Lobby, KeyCode::Left), None);
    }

    #[test]
    fn the_mouse_selects_drags_and_acts_in_a_match_only() {
        let mouse = |kind, modifiers| {
            Event::Mouse(MouseEvent {
                kind,
                column: 7,
                row: 3,
                modifiers,
            })
        };
        let none = KeyModifiers::NONE;
        let down = mouse(MouseEventKind::Down(MouseButton::Left), none);
        let up = mouse(MouseEventKind::Up(MouseButton::Left), KeyModifiers::SHIFT);
        let right = mouse(MouseEventKind::Down(MouseButton::Right), none);
        let field = |input| Some(Intent::Field(input));
        assert_eq!(intent(Keys::Match, &down), field(FieldInput::Press((7, 3))));
        let released = FieldInput::Release {
            at: (7, 3),
            add: true,
        };
        assert_eq!(intent(Keys::Match, &up), field(released));
        assert_eq!(intent(Keys::List, &right), field(FieldInput::Act((7, 3))));
        assert_eq!(intent(Keys::Lobby, &right), None);
    }

    #[test]
    fn the_help_names_every_key_of_a_match() {
        let keys = HELP
            .iter()
            .flat_map(|(keys, _)| keys.split([' ', ',', '/']));
        let told: Vec<&str> = keys.collect();
        for char in ('a'..='z').chain('A'..='Z') {
            if of_field_key(char).is_some() {
                assert!(told.contains(&char.to_string().as_str()), "{char}");
            }
        }
    }
}
