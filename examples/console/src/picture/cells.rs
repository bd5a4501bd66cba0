//! The world as coloured cells of a terminal: two pixels a cell, one above the other, at whatever size there is.

use super::{
    BLACK, DEATH, Eyes, Fights, Rgb, SHOT, UNSEEN, fights::What, ground, mix, shows, side_colour,
    tiles,
};
use game_sim::{Point, UnitKind, World};
use match_feed::duel::Side;
use versus_codec::kit::Tile;

/// How long a shot and a death show, ticks.
const SHOTS_TICKS: u32 = 4;
const DEATHS_TICKS: u32 = 12;

/// A picture of cells.
pub struct Cells {
    /// Cells beside each other.
    pub columns: usize,
    /// Cells above each other.
    pub rows: usize,
    /// Row by row, two rows of pixels for each of cells.
    pixels: Vec<Rgb>,
}

impl Cells {
    /// The upper and the lower pixel of a cell.
    pub fn at(&self, column: usize, row: usize) -> [Rgb; 2] {
        [2 * row, 2 * row + 1].map(|y| self.pixels[y * self.columns + column])
    }
}

/// Draws the whole map into at most `columns` by `rows` cells, in its own proportions: a tile is a pixel or several,
/// or a pixel several tiles.
pub fn draw(world: &World, fights: &Fights, eyes: Eyes, columns: usize, rows: usize) -> Cells {
    let scale = Scale::of(world, columns.max(1), rows.max(1));
    let mut pixels = vec![[0_u32; 4]; scale.width * scale.height];
    for tile in tiles(world) {
        let (r, g, b) = ground(world, eyes, tile);
        for at in scale.pixels(tile) {
            let sum = &mut pixels[at];
            for (sum, part) in sum.iter_mut().zip([r.into(), g.into(), b.into(), 1]) {
                *sum += part;
            }
        }
    }
    let mean = |[r, g, b, count]: [u32; 4]| {
        let part = |sum: u32| (sum / count.max(1)) as u8;
        (part(r), part(g), part(b))
    };
    let mut pixels: Vec<Rgb> = pixels.into_iter().map(mean).collect();
    let mut paint = |tile: Tile, colour: Rgb| {
        for at in scale.pixels(tile) {
            pixels[at] = colour;
        }
    };
    for building in world.buildings() {
        if !shows(world, eyes, building.side, building.middle.tile()) {
            continue;
        }
        let colour = mix(side_colour(building.side), BLACK, 45);
        for ty in building.at.ty..building.at.ty + building.tiles.1 {
            for tx in building.at.tx..building.at.tx + building.tiles.0 {
                paint(Tile { tx, ty }, colour);
            }
        }
    }
    for unit in world.units().filter(|unit| unit.carrier.is_none()) {
        let tile = unit.at.tile();
        if shows(world, eyes, unit.side, tile) {
            let colour = side_colour(unit.side);
            let colour = if unit.kind == UnitKind::HARVESTER {
                mix(colour, (255, 220, 90), 50)
            } else {
                colour
            };
            paint(tile, colour);
        }
    }
    let now = world.tick();
    let seen = |at: Point| eyes.is_none_or(|eyes: Side| world.visible(eyes, at.tile()));
    for mark in fights.recent(now, DEATHS_TICKS) {
        let age = now.0 - mark.tick.0;
        match mark.what {
            What::Shot { to, .. } if age < SHOTS_TICKS && seen(to) => paint(to.tile(), SHOT),
            What::UnitLost(at) if seen(at) => {
                paint(at.tile(), mix(DEATH, UNSEEN, age * 100 / DEATHS_TICKS));
            }
            What::BuildingLost(at) | What::Strike(at) if seen(at) => {
                let middle = at.tile();
                for (dx, dy) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)] {
                    let tile = Tile {
                        tx: middle.tx.saturating_add_signed(dx),
                        ty: middle.ty.saturating_add_signed(dy),
                    };
                    if tile.is_on(world.map_size()) {
                        paint(tile, mix(DEATH, UNSEEN, age * 100 / DEATHS_TICKS));
                    }
                }
            }
            _ => {}
        }
    }
    Cells {
        columns: scale.width,
        rows: scale.height / 2,
        pixels,
    }
}

/// How tiles become pixels.
struct Scale {
    /// The map, tiles.
    columns: usize,
    rows: usize,
    /// The picture, pixels; the height is even.
    width: usize,
    height: usize,
}

impl Scale {
    fn of(world: &World, cells_across: usize, cells_down: usize) -> Self {
        let size = world.map_size();
        let (columns, rows) = (size.width() as usize, size.height() as usize);
        let (across, down) = (cells_across, 2 * cells_down);
        let times = (across / columns).min(down / rows);
        let (width, height) = if times >= 1 {
            (columns * times, rows * times)
        } else if across * rows <= down * columns {
            (across, (across * rows).div_ceil(columns))
        } else {
            ((down * columns).div_ceil(rows).min(across), down)
        };
        Self {
            columns,
            rows,
            width: width.max(1),
            height: height.max(2).next_multiple_of(2),
        }
    }

    /// The pixels that show a tile, at least one.
    fn pixels(&self, tile: Tile) -> impl Iterator<Item = usize> + use<> {
        let span = |at: usize, tiles: usize, pixels: usize| {
            let from = at * pixels / tiles;
            from..((at + 1) * pixels / tiles).max(from + 1).min(pixels)
        };
        let xs = span(tile.tx as usize, self.columns, self.width);
        let ys = span(tile.ty as usize, self.rows, self.height);
        let width = self.width;
        ys.flat_map(move |y| xs.clone().map(move |x| y * width + x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use match_feed::duel::{MapChoice, MatchSetup, PerSide};

    #[test]
    fn a_picture_fits_whatever_room_there_is_and_keeps_the_maps_proportions() {
        for map in 0..game_sim::map_count() {
            let world = World::new(&MatchSetup {
                map: MapChoice::BuiltIn(map),
                mutators: 0,
                seed: 1,
                openers: PerSide::from_fn(|_| None),
            })
            .expect("the game has this map");
            let (width, height) = (world.map_size().width(), world.map_size().height());
            for (columns, rows) in [(1, 1), (7, 3), (40, 8), (80, 20), (200, 60), (400, 150)] {
                let cells = draw(&world, &Fights::default(), None, columns, rows);
                assert!(cells.columns <= columns && cells.rows <= rows);
                // Every cell can be read, and the map is nowhere squeezed by more than a cell.
                let _ = cells.at(cells.columns - 1, cells.rows - 1);
                let wide = cells.columns as f64 * f64::from(height);
                let high = 2.0 * cells.rows as f64 * f64::from(width);
                let slack = f64::from(width.max(height)) * 2.0;
                assert!((wide - high).abs() <= slack, "{columns} × {rows}");
            }
        }
    }
}
