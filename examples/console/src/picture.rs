//! The world as a picture: a PNG of its end, and both phones' views in the terminal while a duel runs.

use crate::{
    font,
    png::{self, Canvas},
};
use game_sim::{SUBS_PER_TILE, Terrain, World};
use match_feed::Side;
use plotters::prelude::*;
use std::{
    error::Error,
    fmt::Write as _,
    io::{self, Write as _},
    path::Path,
};
use versus_codec::kit::Tile;

type Rgb = (u8, u8, u8);

const UNSEEN: Rgb = (12, 14, 18);
const ORE: Rgb = (214, 170, 60);

fn side_colour(side: Side) -> Rgb {
    match side {
        Side::Blue => (70, 140, 255),
        Side::Red => (245, 75, 60),
    }
}

fn ground(world: &World, tile: Tile) -> Rgb {
    match world.tile(tile) {
        _ if world.ore(tile) > 0 => ORE,
        Terrain::Plain => (86, 104, 74),
        Terrain::Rough => (112, 104, 78),
        Terrain::Rock => (66, 62, 60),
        Terrain::Water => (44, 74, 104),
    }
}

fn mix(colour: Rgb, into: Rgb, percent: u32) -> Rgb {
    let mix =
        |a: u8, b: u8| ((u32::from(a) * (100 - percent) + u32::from(b) * percent) / 100) as u8;
    (
        mix(colour.0, into.0),
        mix(colour.1, into.1),
        mix(colour.2, into.2),
    )
}

/// Pixels a tile of the PNG.
const TILE_PX: i32 = 11;
/// Height of the line of text above the map.
const TITLE_PX: i32 = 34;

/// Width of a letter of a building's name.
const LETTER_PX: i32 = 6;

/// Draws the whole world, no fog, under a title.
pub fn map_png(path: &Path, world: &World, title: &str) -> Result<(), Box<dyn Error>> {
    font::register();
    let (columns, rows) = (world.map_size().width(), world.map_size().height());
    let size = (
        columns * TILE_PX as u32,
        rows * TILE_PX as u32 + TITLE_PX as u32,
    );
    png::save(path, size, |root| draw_map(root, world, title))
}

fn draw_map(root: &Canvas<'_>, world: &World, title: &str) -> Result<(), Box<dyn Error>> {
    let (columns, rows) = (world.map_size().width(), world.map_size().height());
    root.fill(&RGBColor(24, 26, 30))?;
    let style = TextStyle::from((font::NAME, 16).into_font()).color(&WHITE);
    root.draw_text(title, &style, (10, 8))?;
    let rgb = |(r, g, b): Rgb| RGBColor(r, g, b);
    let rectangle = |x: i32, y: i32, w: i32, h: i32, colour: Rgb| {
        Rectangle::new(
            [(x, y + TITLE_PX), (x + w, y + h + TITLE_PX)],
            rgb(colour).filled(),
        )
    };
    for ty in 0..rows {
        for tx in 0..columns {
            let (x, y) = (tx as i32 * TILE_PX, ty as i32 * TILE_PX);
            root.draw(&rectangle(
                x,
                y,
                TILE_PX,
                TILE_PX,
                ground(world, Tile { tx, ty }),
            ))?;
        }
    }
    let label = TextStyle::from((font::NAME, 11).into_font()).color(&WHITE);
    for building in world.buildings() {
        let (x, y) = (
            building.at.tx as i32 * TILE_PX,
            building.at.ty as i32 * TILE_PX,
        );
        let (w, h) = (
            building.tiles.0 as i32 * TILE_PX,
            building.tiles.1 as i32 * TILE_PX,
        );
        let colour = side_colour(building.side);
        root.draw(&rectangle(x, y, w, h, (10, 10, 10)))?;
        root.draw(&rectangle(
            x + 1,
            y + 1,
            w - 2,
            h - 2,
            mix(colour, (0, 0, 0), 35),
        ))?;
        let whole = building.hp.max(0) * (w - 4) / building.hp_whole.max(1);
        root.draw(&rectangle(x + 2, y + h - 4, whole, 2, (120, 230, 120)))?;
        let mut name = building.kind.to_string();
        name.truncate((w / LETTER_PX) as usize);
        root.draw_text(&name, &label, (x + 3, y + 2 + TITLE_PX))?;
    }
    for unit in world.units().filter(|unit| unit.carrier.is_none()) {
        let pixel = |subs: i32| subs * TILE_PX / SUBS_PER_TILE;
        let at = (pixel(unit.at.x), pixel(unit.at.y) + TITLE_PX);
        let radius = if unit.hp_whole >= 300 {
            TILE_PX / 2
        } else {
            TILE_PX / 3
        };
        root.draw(&Circle::new(at, radius + 1, BLACK.filled()))?;
        root.draw(&Circle::new(
            at,
            radius,
            rgb(side_colour(unit.side)).filled(),
        ))?;
    }
    Ok(())
}

/// Tiles to a character across, and to half a character down, in the terminal.
const SHRINK: u32 = 2;

/// Draws both phones' views, each under its own side's fog, over the last ones.
pub fn watch(views: [(&str, Side, Option<&World>); 2], heading: &str) {
    let mut text = String::from("\x1b[H");
    let _ = writeln!(text, "{heading}\x1b[K");
    let mut titles = String::new();
    let canvases: Vec<Vec<Vec<Rgb>>> = views
        .iter()
        .filter_map(|(name, side, world)| world.map(|world| (name, *side, world)))
        .map(|(name, side, world)| {
            let width = (world.map_size().width() / SHRINK) as usize;
            let title =
                format!("{name} ({side:?}) sees, {} credits", world.credits(side)).to_lowercase();
            let _ = write!(titles, "{title:<width$.width$}  ");
            canvas(world, side)
        })
        .collect();
    let _ = writeln!(text, "{titles}\x1b[K");
    for row in (0..canvases.iter().map(Vec::len).max().unwrap_or(0)).step_by(2) {
        for canvas in &canvases {
            let dark = vec![UNSEEN; canvas[0].len()];
            let lower = canvas.get(row + 1).unwrap_or(&dark);
            for ((r, g, b), (lr, lg, lb)) in canvas[row].iter().zip(lower) {
                let _ = write!(text, "\x1b[38;2;{r};{g};{b}m\x1b[48;2;{lr};{lg};{lb}m▀");
            }
            text.push_str("\x1b[0m  ");
        }
        text.push_str("\x1b[K\n");
    }
    text.push_str("\x1b[J");
    let _ = io::stdout().write_all(text.as_bytes()); // a terminal that went away needs no picture
}

/// Rows of pixels of what `side` sees: ground, then buildings, then units.
fn canvas(world: &World, side: Side) -> Vec<Vec<Rgb>> {
    let (columns, rows) = (world.map_size().width(), world.map_size().height());
    let mut pixels = vec![vec![UNSEEN; (columns / SHRINK) as usize]; (rows / SHRINK) as usize];
    let mut paint = |tile: Tile, colour: Rgb| {
        let row = pixels.get_mut((tile.ty / SHRINK) as usize);
        if let Some(pixel) = row.and_then(|row| row.get_mut((tile.tx / SHRINK) as usize)) {
            *pixel = colour;
        }
    };
    for ty in 0..rows {
        for tx in 0..columns {
            let tile = Tile { tx, ty };
            if world.visible(side, tile) {
                paint(tile, ground(world, tile));
            } else if world.explored(side, tile) {
                paint(tile, mix(ground(world, tile), UNSEEN, 60));
            }
        }
    }
    let seen = |of: Side, tile: Tile| of == side || world.visible(side, tile);
    for building in world
        .buildings()
        .filter(|building| seen(building.side, building.at))
    {
        for tx in building.at.tx..building.at.tx + building.tiles.0 {
            for ty in building.at.ty..building.at.ty + building.tiles.1 {
                paint(
                    Tile { tx, ty },
                    mix(side_colour(building.side), (0, 0, 0), 40),
                );
            }
        }
    }
    for unit in world.units().filter(|unit| unit.carrier.is_none()) {
        let tile = Tile {
            tx: (unit.at.x / SUBS_PER_TILE) as u32,
            ty: (unit.at.y / SUBS_PER_TILE) as u32,
        };
        if seen(unit.side, tile) {
            paint(tile, side_colour(unit.side));
        }
    }
    pixels
}
