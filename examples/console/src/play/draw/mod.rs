//! Paints a view: a pure function from what is to be shown to the characters of a terminal.

mod cover;
mod field;
mod lobby;
mod panel;
mod report;
#[cfg(test)]
mod tests;

use super::view::{Screen, View};
use crate::screen::Brush;
use match_feed::duel::Medium;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::{Block, BorderType, Clear, Paragraph, Wrap},
};

/// The smallest terminal that `play` can be used on.
pub const COLUMNS_MIN: u16 = 60;
/// The smallest terminal that `play` can be used on.
pub const ROWS_MIN: u16 = 20;

/// Stands under the title of every step, from before the first sound on.
pub const NOISE: &str = "⚠ Warning: unpleasant noise. The sound link plays a constant high-pitched noise for the whole \
                         match. Many people find it unpleasant, and it may even cause headaches. Stop if it bothers you.";

pub(super) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
pub(super) const FAINT: Style = Style::new().fg(Color::DarkGray);
pub(super) const GOOD: Style = Style::new().fg(Color::Green);
pub(super) const BAD: Style = Style::new().fg(Color::Red);
pub(super) const WARN: Style = Style::new().fg(Color::Yellow);
pub(super) const KEY: Style = Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD);

/// Paints the whole screen.
pub fn draw(frame: &mut Frame<'_>, brush: Brush, view: &View<'_>) {
    let area = frame.area();
    if area.width < COLUMNS_MIN || area.height < ROWS_MIN {
        let text = format!(
            "play needs {COLUMNS_MIN} × {ROWS_MIN} characters. Here are {} × {}: make the window larger, or its letters \
             smaller.",
            area.width, area.height
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    match &view.screen {
        Screen::Match(game) => {
            field::draw(frame, brush, game);
            panel::draw(frame, game, view.notice.as_deref());
            cover::overlays(frame, game);
        }
        screen => sheet(frame, view, screen),
    }
    if let Some(cover) = &view.cover {
        cover::rig(frame, cover);
    }
}

/// Everything but the match: a title, the warning, the step.
fn sheet(frame: &mut Frame<'_>, view: &View<'_>, screen: &Screen<'_>) {
    let area = frame.area();
    let width = area.width.min(100);
    let area = Rect {
        x: (area.width - width) / 2,
        width,
        ..area
    };
    let noise = if view.noise { 3 } else { 1 };
    let [title, warning, body, foot] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Length(noise),
        Constraint::Min(5),
        Constraint::Length(1),
    ])
    .areas(area);
    let devices = Span::styled(format!("  {}", view.devices), FAINT);
    let name = Span::styled("Sound Duel", STRONG);
    frame.render_widget(Line::from(vec![name, devices]), title);
    let warning_text = if view.noise {
        Paragraph::new(NOISE).style(WARN)
    } else {
        Paragraph::new(Medium::Practice.note().unwrap_or_default()).style(FAINT)
    };
    frame.render_widget(warning_text.wrap(Wrap { trim: true }), warning);
    match screen {
        Screen::Menu(menu) => lobby::menu(frame, body, menu),
        Screen::Opening => lobby::opening(frame, body),
        Screen::Failed(failed) => lobby::failed(frame, body, failed),
        Screen::SelfTest(test) => lobby::self_test(frame, body, test),
        Screen::Lobby(view) => lobby::lobby(frame, body, view),
        Screen::Report(view) => report::draw(frame, body, view),
        Screen::Match(_) => {}
    }
    if let Some(notice) = &view.notice {
        frame.render_widget(Line::styled(notice.as_str(), WARN), foot);
    }
}

/// A key and what it does.
fn key<'a>(key: &'a str, does: &'a str) -> [Span<'a>; 3] {
    [
        Span::styled(key, KEY),
        Span::raw(" "),
        Span::raw(does.to_owned() + "   "),
    ]
}

/// Several keys in a line.
fn keys<'a>(pairs: &[(&'a str, &'a str)]) -> Line<'a> {
    Line::from_iter(pairs.iter().flat_map(|(name, does)| key(name, does)))
}

/// A box in the middle of the screen, over everything.
fn popup(frame: &mut Frame<'_>, title: &str, style: Style, lines: Vec<Line<'_>>) {
    let area = frame.area();
    let width = area.width.saturating_sub(4).min(74);
    let inner = usize::from(width.saturating_sub(4)).max(1);
    let rows: usize = lines
        .iter()
        .map(|line| line.width().div_ceil(inner).max(1))
        .sum();
    let height = (rows as u16 + 2).min(area.height);
    let place = Rect {
        x: (area.width - width) / 2,
        y: (area.height - height) / 2,
        width,
        height,
    };
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(style)
        .title(Span::styled(
            format!(" {title} "),
            style.add_modifier(Modifier::BOLD),
        ))
        .padding(ratatui::widgets::Padding::horizontal(1));
    frame.render_widget(Clear, place);
    let text = Paragraph::new(lines).wrap(Wrap { trim: true });
    frame.render_widget(text.block(block), place);
}

/// Bars of eighths: `▮▮▮▮▯▯▯`.
fn bar(level: u8, of: u8) -> String {
    (0..of)
        .map(|at| if at < level { '▮' } else { '▯' })
        .collect()
}
