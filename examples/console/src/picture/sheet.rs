//! A contact sheet: one match as a series of small pictures, so that it can be taken in at a glance.

use super::{Eyes, Fights, MapPicture, map, marks::rgb, mix, side_colour};
use crate::{font, png, term};
use game_sim::World;
use match_feed::duel::{Side, start_ms};
use std::{error::Error, path::Path};

/// The most pictures on a sheet.
pub const FRAMES_MAX: usize = 48;
/// How wide a small picture is to be, pixels; its tiles are as large as fit.
const FRAME_PX: i32 = 400;
const GAP_PX: i32 = 10;
const TITLE_PX: i32 = 40;
const CAPTION_PX: i32 = 50;
/// How many stand beside each other at the most.
const COLUMNS_MAX: usize = 4;

/// A moment of the match.
pub struct Frame {
    /// The world.
    pub world: World,
    /// What was fought until then.
    pub fights: Fights,
}

/// Draws the moments in their order, each under its time and both sides' figures.
pub fn save(path: &Path, frames: &[Frame], eyes: Eyes, title: &str) -> Result<(), Box<dyn Error>> {
    let Some(first) = frames.first() else {
        return Err("no moment of the match to draw".into());
    };
    font::register();
    let columns = frames.len().clamp(1, COLUMNS_MAX);
    let rows = frames.len().div_ceil(columns) as i32;
    let tile_px = (FRAME_PX / first.world.map_size().width() as i32).max(3);
    let picture = |frame| picture(frame, eyes, tile_px);
    let (width, height) = picture(first).size();
    let cell = (width + GAP_PX, height + CAPTION_PX + GAP_PX);
    let size = (
        (columns as i32 * cell.0 + GAP_PX) as u32,
        (rows * cell.1 + TITLE_PX) as u32,
    );
    png::save(path, size, |root| {
        root.fill(&rgb((24, 26, 30)))?;
        root.draw_text(title, &font::letters(18, (240, 240, 240)), (GAP_PX, 10))?;
        for (at, frame) in frames.iter().enumerate() {
            let x = GAP_PX + (at % columns) as i32 * cell.0;
            let y = TITLE_PX + (at / columns) as i32 * cell.1;
            let tick = frame.world.tick();
            let time = format!("{}  tick {tick}", term::clock(start_ms(tick)));
            root.draw_text(&time, &font::letters(14, (240, 240, 240)), (x, y))?;
            for (line, side) in Side::BOTH.into_iter().enumerate() {
                let colour = mix(side_colour(side), (255, 255, 255), 25);
                let text = map::figures(&frame.world, &frame.fights, side);
                root.draw_text(
                    &text,
                    &font::letters(12, colour),
                    (x, y + 17 + 15 * line as i32),
                )?;
            }
            picture(frame).draw(root, (x, y + CAPTION_PX))?;
        }
        Ok(())
    })
}

fn picture(frame: &Frame, eyes: Eyes, tile_px: i32) -> MapPicture<'_> {
    MapPicture {
        world: &frame.world,
        fights: &frame.fights,
        eyes,
        tile_px,
        names: false,
    }
}
