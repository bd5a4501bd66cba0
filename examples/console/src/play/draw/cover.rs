//! What lies over a match: what it waits for, the pause menu, the keys, the cover of a lost sound link.

use super::{BAD, FAINT, KEY, STRONG, WARN, keys, popup};
use crate::play::{
    intent::HELP,
    view::{Cover, MatchView},
};
use link_rig::RigState;
use ratatui::{
    Frame,
    style::Style,
    text::{Line, Span},
};
use versus_session::Overlay;

/// What the match waits for, the pause menu, the keys: at most one of them.
pub fn overlays(frame: &mut Frame<'_>, view: &MatchView<'_>) {
    if view.help {
        help(frame);
    } else if let Some(menu) = view.menu {
        if menu.sure {
            let lines = vec![
                Line::raw("Your friend wins. Are you sure?"),
                Line::raw(""),
                keys(&[("y", "resign"), ("n", "go on")]),
            ];
            popup(frame, "Resign", WARN, lines);
        } else {
            pause(frame, view);
        }
    } else {
        waiting(frame, view);
    }
}

fn pause(frame: &mut Frame<'_>, view: &MatchView<'_>) {
    let mut lines = vec![
        Line::styled(format!("vs your friend · 🔊 {} ms", view.delay_ms), FAINT),
        Line::raw(""),
        keys(&[("Enter", "go on")]),
        keys(&[("r", "resign")]),
    ];
    if view.resign_and_leave {
        lines.push(keys(&[("R", "resign and leave")]));
    }
    if view.leave {
        lines.push(keys(&[("L", "leave (no result)")]));
    }
    popup(frame, "Paused", Style::new(), lines);
}

fn waiting(frame: &mut Frame<'_>, view: &MatchView<'_>) {
    let (text, style) = match view.overlay {
        Overlay::None => return,
        Overlay::Waiting => ("Waiting for your friend…", FAINT),
        Overlay::Loading => ("Waiting for your friend to load…", FAINT),
        Overlay::PeerPaused => ("Friend paused", FAINT),
        Overlay::SignalLost => ("Signal lost: bring the phones closer", WARN),
    };
    let mut lines = vec![Line::raw(text)];
    if view.leave {
        lines.push(keys(&[("L", "leave (no result)")]));
    }
    popup(frame, "…", style, lines);
}

fn help(frame: &mut Frame<'_>) {
    let mut lines: Vec<Line<'_>> = HELP
        .iter()
        .map(|(key, does)| {
            Line::from(vec![
                Span::styled(format!("{key:<13}"), KEY),
                Span::raw(*does),
            ])
        })
        .collect();
    lines.push(Line::styled("? or Esc closes", FAINT));
    popup(frame, "Keys", Style::new(), lines);
}

/// The sound link is gone, or being brought back.
pub fn rig(frame: &mut Frame<'_>, cover: &Cover) {
    let (title, reason, button) = match cover.state {
        RigState::TapToStart => ("Tap to start sound", None, Some("start")),
        RigState::Lost(reason) => (
            "Tap to reconnect the sound link",
            Some(reason),
            Some("reconnect"),
        ),
        RigState::Reconnecting(reason) => ("Reconnecting…", Some(reason), None),
        RigState::Recovering(reason) => ("The sound is back: listening…", Some(reason), None),
        _ => return,
    };
    let mut lines = Vec::new();
    if let Some(reason) = reason {
        lines.push(Line::styled(format!("{reason}."), STRONG));
    }
    if let Some((error, advice)) = &cover.error {
        lines.push(Line::styled(format!("{error}."), BAD));
        lines.push(Line::raw(*advice));
    }
    if let Some(button) = button {
        lines.push(Line::raw(""));
        lines.push(keys(&[("Enter", button)]));
    }
    if cover.leave {
        lines.push(keys(&[("L", "leave (no result)")]));
    }
    popup(frame, title, WARN, lines);
}
