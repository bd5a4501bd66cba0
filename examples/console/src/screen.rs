//! The whole terminal as a screen: taken over, drawn on, asked for keys, and given back however the program ends.

use crate::picture::{Cells, Rgb};
use ratatui::{
    DefaultTerminal, Frame,
    buffer::Buffer,
    crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers},
    layout::{Alignment, Rect},
    style::Color,
    text::Line,
    widgets::{Paragraph, Wrap},
};
use std::{
    env,
    error::Error,
    io::{self, IsTerminal},
    time::Duration,
};

/// The smallest terminal that shows a match.
pub const COLUMNS_MIN: u16 = 40;
pub const ROWS_MIN: u16 = 12;

/// What a person pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A letter or sign.
    Char(char),
    /// An arrow.
    Left,
    /// An arrow.
    Right,
    /// Enough of it: `q`, Escape or Ctrl-C.
    Quit,
}

/// The terminal, taken over.
pub struct Screen {
    terminal: DefaultTerminal,
    brush: Brush,
}

impl Screen {
    /// Takes the terminal over; a panic gives it back too.
    ///
    /// # Errors
    /// Standard output is no terminal, with what to do `instead`.
    pub fn open(instead: &str) -> Result<Self, Box<dyn Error>> {
        if !io::stdout().is_terminal() {
            return Err(format!(
                "--watch draws on a terminal, and standard output is none: {instead}"
            )
            .into());
        }
        Ok(Self {
            terminal: ratatui::try_init()?,
            brush: Brush::of_environment(),
        })
    }

    /// Draws anew; only what changed is sent. On a terminal that is too small it says what to do instead.
    pub fn draw(&mut self, paint: impl FnOnce(&mut Frame<'_>, Brush)) -> io::Result<()> {
        let brush = self.brush;
        self.terminal.draw(|frame| {
            let area = frame.area();
            if area.width < COLUMNS_MIN || area.height < ROWS_MIN {
                let text = format!(
                    "A match needs {COLUMNS_MIN} × {ROWS_MIN} characters. Here are {} × {}: make the window larger, or \
                     its letters smaller. q leaves.",
                    area.width, area.height
                );
                let text = Paragraph::new(text).wrap(Wrap { trim: true });
                frame.render_widget(text.alignment(Alignment::Left), area);
            } else {
                paint(frame, brush);
            }
        })?;
        Ok(())
    }

    /// Waits at most so long for a key. A resized window counts as nothing: the next picture fits it.
    pub fn key(&mut self, wait: Duration) -> io::Result<Option<Key>> {
        if !event::poll(wait)? {
            return Ok(None);
        }
        let Event::Key(key) = event::read()? else {
            return Ok(None);
        };
        if key.kind == KeyEventKind::Release {
            return Ok(None);
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        Ok(match key.code {
            KeyCode::Char('c') if control => Some(Key::Quit),
            KeyCode::Char('q') | KeyCode::Esc => Some(Key::Quit),
            KeyCode::Char(sign) => Some(Key::Char(sign)),
            KeyCode::Left => Some(Key::Left),
            KeyCode::Right => Some(Key::Right),
            _ => None,
        })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Colours as this terminal can show them.
#[derive(Clone, Copy)]
pub struct Brush {
    true_colour: bool,
}

impl Brush {
    /// For a terminal that can show any colour, or only 256 of them.
    pub const fn new(true_colour: bool) -> Self {
        Self { true_colour }
    }

    /// For the terminal this program runs on, by its own word.
    pub fn of_environment() -> Self {
        let depth = env::var("COLORTERM").unwrap_or_default();
        Self::new(depth == "truecolor" || depth == "24bit")
    }

    /// A colour: itself, or the nearest of the 256 that nearly every terminal has.
    pub fn colour(self, (r, g, b): Rgb) -> Color {
        if self.true_colour {
            return Color::Rgb(r, g, b);
        }
        // 16 to 231 are a cube of six steps: 0, 95, 135, 175, 215, 255.
        let step = |part: u8| match part {
            0..48 => 0,
            48..115 => 1,
            _ => (part - 35) / 40,
        };
        Color::Indexed(16 + 36 * step(r) + 6 * step(g) + step(b))
    }

    /// Puts a picture of cells at a place.
    pub fn cells(self, buffer: &mut Buffer, at: (u16, u16), cells: &Cells) {
        for row in 0..cells.rows {
            for column in 0..cells.columns {
                let place = (at.0 + column as u16, at.1 + row as u16);
                let [upper, lower] = cells.at(column, row);
                if let Some(cell) = buffer.cell_mut(place) {
                    cell.set_char('▀')
                        .set_fg(self.colour(upper))
                        .set_bg(self.colour(lower));
                }
            }
        }
    }
}

/// A line of text at a row of an area, cut at its end.
pub fn line<'a>(frame: &mut Frame<'_>, area: Rect, row: u16, text: impl Into<Line<'a>>) {
    let at = Rect {
        y: area.y + row,
        height: 1,
        ..area
    };
    if row < area.height {
        frame.render_widget(text.into(), at);
    }
}
