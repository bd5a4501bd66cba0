//! The world as a picture: as a PNG, as a sheet of them, and as coloured cells in a terminal. Changes no world.

mod cells;
mod fights;
mod map;
mod marks;
mod sheet;

pub use cells::{Cells, draw as draw_cells};
pub use fights::Fights;
pub use map::{figures, save as save_map};
pub use sheet::{FRAMES_MAX, Frame, save as save_sheet};

use map::MapPicture;

use game_sim::{Terrain, World};
use match_feed::duel::Side;
use versus_codec::kit::Tile;

/// Red, green and blue.
pub type Rgb = (u8, u8, u8);

/// Ground that nobody has looked at yet.
pub const UNSEEN: Rgb = (12, 14, 18);
/// Where a shot was fired from and where it went.
pub const SHOT: Rgb = (255, 236, 150);
/// Where something was destroyed.
pub const DEATH: Rgb = (255, 255, 255);
const ORE: Rgb = (214, 170, 60);
const BLACK: Rgb = (0, 0, 0);

/// A side's colour.
pub const fn side_colour(side: Side) -> Rgb {
    match side {
        Side::Blue => (70, 140, 255),
        Side::Red => (245, 75, 60),
    }
}

/// Whose eyes see the picture: a side's, or everybody's at once.
pub type Eyes = Option<Side>;

/// How well a tile is seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Light {
    /// Now.
    Seen,
    /// Some time ago; to everybody's eyes, ground that neither side sees now.
    Remembered,
    /// Never.
    Dark,
}

fn light(world: &World, eyes: Eyes, tile: Tile) -> Light {
    match eyes {
        Some(side) if world.visible(side, tile) => Light::Seen,
        Some(side) if world.explored(side, tile) => Light::Remembered,
        Some(_) => Light::Dark,
        None if Side::BOTH.into_iter().any(|side| world.visible(side, tile)) => Light::Seen,
        None => Light::Remembered,
    }
}

/// Whether something of `side`'s at a tile is on the picture.
fn shows(world: &World, eyes: Eyes, side: Side, tile: Tile) -> bool {
    eyes.is_none_or(|eyes| eyes == side || world.visible(eyes, tile))
}

/// The colour of a tile's ground, darkened as far as it is not seen.
fn ground(world: &World, eyes: Eyes, tile: Tile) -> Rgb {
    let bare = match world.tile(tile) {
        _ if world.ore(tile) > 0 => ORE,
        Terrain::Plain => (86, 104, 74),
        Terrain::Rough => (112, 104, 78),
        Terrain::Rock => (66, 62, 60),
        Terrain::Water => (44, 74, 104),
    };
    match (light(world, eyes, tile), eyes) {
        (Light::Seen, _) => bare,
        (Light::Remembered, None) => mix(bare, UNSEEN, 40),
        (Light::Remembered, Some(_)) => mix(bare, UNSEEN, 60),
        (Light::Dark, _) => UNSEEN,
    }
}

/// `percent` of `into` in `colour`.
const fn mix(colour: Rgb, into: Rgb, percent: u32) -> Rgb {
    const fn part(a: u8, b: u8, percent: u32) -> u8 {
        ((a as u32 * (100 - percent) + b as u32 * percent) / 100) as u8
    }
    (
        part(colour.0, into.0, percent),
        part(colour.1, into.1, percent),
        part(colour.2, into.2, percent),
    )
}

/// Every tile of a map, row by row.
fn tiles(world: &World) -> impl Iterator<Item = Tile> + use<> {
    let (columns, rows) = (world.map_size().width(), world.map_size().height());
    (0..rows).flat_map(move |ty| (0..columns).map(move |tx| Tile { tx, ty }))
}
