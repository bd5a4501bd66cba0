//! `duel --watch`: what both phones see, side by side, each under its own side's fog.

use crate::{
    picture::{self, Fights},
    screen::{Brush, Key, Screen, line},
};
use game_sim::World;
use match_feed::duel::Side;
use ratatui::{
    Frame,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line, Span},
};
use std::{
    error::Error,
    time::{Duration, Instant},
};

/// One phone's view.
pub struct View<'a> {
    /// `host` or `guest`.
    pub name: &'static str,
    /// The side it plays.
    pub side: Side,
    /// Its world, once there is one.
    pub world: Option<&'a World>,
    /// What was fought in it.
    pub fights: &'a Fights,
}

/// Columns between two views.
const GAP: u16 = 2;
/// Lines above a view: whose it is.
const TITLE_ROWS: u16 = 1;

/// A terminal that shows a duel.
pub struct Watch {
    screen: Screen,
    /// How many times faster than real time, at most.
    pace: f64,
    drawn: Instant,
}

/// The pace a person can follow, to begin with, and what the keys make of it.
const PACE: f64 = 8.0;
const PACES: (f64, f64) = (1.0, 64.0);

impl Watch {
    /// How often a view is drawn, milliseconds of play.
    pub const EVERY_MS: u128 = 200;

    /// Takes the terminal over.
    pub fn open() -> Result<Self, Box<dyn Error>> {
        let instead = "without --watch the duel saves a record that `replay --map-png` draws";
        Ok(Self {
            screen: Screen::open(instead)?,
            pace: PACE,
            drawn: Instant::now(),
        })
    }

    /// Draws both views under a heading, and waits as long as the pace asks for.
    ///
    /// # Errors
    /// The person has had enough.
    pub fn draw(&mut self, views: &[View<'_>; 2], heading: &str) -> Result<(), Box<dyn Error>> {
        let heading = format!("≤ {} × (+ - q)  {heading}", self.pace);
        self.screen.draw(|frame, brush| {
            let area = frame.area();
            let bold = Style::new().add_modifier(Modifier::BOLD);
            line(frame, area, 0, Line::styled(heading, bold));
            let rest = Rect {
                y: area.y + 1,
                height: area.height - 1,
                ..area
            };
            for (view, area) in views.iter().zip(halves(rest)) {
                draw_view(frame, brush, area, view);
            }
        })?;
        let wait = Duration::from_millis(Self::EVERY_MS as u64).div_f64(self.pace);
        loop {
            let left = wait.saturating_sub(self.drawn.elapsed());
            match self.screen.key(left)? {
                Some(Key::Quit) => return Err("left before the match was decided".into()),
                Some(Key::Char('+' | '=')) => self.pace = (self.pace * 2.0).min(PACES.1),
                Some(Key::Char('-' | '_')) => self.pace = (self.pace / 2.0).max(PACES.0),
                _ if left.is_zero() => break,
                _ => {}
            }
        }
        self.drawn = Instant::now();
        Ok(())
    }
}

/// Two areas: beside each other where that leaves the larger pictures, else one above the other. A cell is about
/// twice as high as it is wide.
fn halves(area: Rect) -> [Rect; 2] {
    let width = area.width.saturating_sub(GAP) / 2;
    let height = area.height / 2;
    let beside = width.min(2 * area.height.saturating_sub(TITLE_ROWS));
    let stacked = area.width.min(2 * height.saturating_sub(TITLE_ROWS));
    if beside >= stacked {
        let left = Rect { width, ..area };
        let right = Rect {
            x: area.x + width + GAP,
            ..left
        };
        [left, right]
    } else {
        let upper = Rect { height, ..area };
        let lower = Rect {
            y: area.y + height,
            ..upper
        };
        [upper, lower]
    }
}

fn draw_view(frame: &mut Frame<'_>, brush: Brush, area: Rect, view: &View<'_>) {
    let Some(world) = view.world else { return };
    let style = Style::new().fg(brush.colour(picture::side_colour(view.side)));
    let units = world.units().filter(|unit| unit.side == view.side).count();
    let title = format!(
        "{}: {units} units, {} cr",
        view.name,
        world.credits(view.side)
    );
    line(frame, area, 0, Span::styled(title, style));
    let cells = picture::draw_cells(
        world,
        view.fights,
        Some(view.side),
        area.width.into(),
        area.height.saturating_sub(TITLE_ROWS).into(),
    );
    brush.cells(frame.buffer_mut(), (area.x, area.y + TITLE_ROWS), &cells);
}
