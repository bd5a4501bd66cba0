//! The end of a match: how it ended, whether both phones agree, what is told of it, and where to go from there.

use super::{BAD, FAINT, GOOD, STRONG, WARN, keys};
use crate::play::view::ReportView;
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::{Paragraph, Wrap},
};

/// Paints it.
pub fn draw(frame: &mut Frame<'_>, area: Rect, view: &ReportView) {
    let style = match view.well {
        Some(true) => GOOD,
        Some(false) => BAD,
        None => WARN,
    };
    let mut lines = vec![Line::styled(view.title.as_str(), style.patch(STRONG))];
    if !view.how.is_empty() {
        lines.push(Line::raw(view.how.as_str()));
    }
    lines.push(Line::styled(view.line.as_str(), FAINT));
    if let Some(sync) = view.sync {
        lines.push(Line::styled(sync, STRONG));
    }
    lines.push(Line::raw(""));
    for (name, value) in &view.facts {
        lines.push(Line::from(vec![
            Span::styled(format!("{name:<20}"), FAINT),
            Span::raw(value.as_str()),
        ]));
    }
    lines.push(Line::raw(""));
    if view.leaving {
        lines.push(Line::raw("Saying goodbye…"));
    } else {
        if view.peer_waits {
            lines.push(Line::styled(
                "Your friend is back in the lobby: tap Rematch",
                GOOD,
            ));
        }
        lines.push(keys(&[("r", "rematch"), ("m", "menu"), ("q", "quit")]));
    }
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), area);
}
