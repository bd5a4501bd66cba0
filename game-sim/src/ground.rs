//! Where ground units can go: terrain plus buildings, and straight lines. `fields` finds ways around.
//! Everything here is derived from the map and the buildings; none of it is hashed.

use crate::{
    Point, SUBS_PER_TILE,
    map::{Map, Terrain},
};
use alloc::{vec, vec::Vec};
use match_feed::duel::MapSize;
use versus_codec::kit::Tile;

/// The eight neighbours; opposite directions are four apart.
pub(crate) const NEIGHBOURS: [(i32, i32); 8] = [
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
];
/// Cost of a step onto plain ground, straight and diagonal; rough ground costs half as much again.
pub(crate) const STEP_COST: [u16; 2] = [10, 14];
/// No step costs more than this.
pub(crate) const STEP_COST_MAX: u16 = onto_rough(STEP_COST[1]);

const fn onto_rough(cost: u16) -> u16 {
    cost + cost / 2
}

/// How far open ground is looked for around a blocked goal, tiles.
const RINGS: i32 = 24;

/// Which tiles are open.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) size: MapSize,
    terrain: Vec<Terrain>,
    open: Vec<bool>,
    /// For each tile, a bit for each of [`NEIGHBOURS`] that a unit may step to: open, and no corner cut.
    steps: Vec<u8>,
    /// For each of [`NEIGHBOURS`], how far on it is in the lists above.
    offsets: [isize; 8],
}

impl Ground {
    pub(crate) fn of(map: &Map) -> Self {
        let width = map.width() as i32;
        let mut ground = Self {
            size: map.size,
            terrain: map.terrain.clone(),
            open: map.terrain.iter().map(|tile| tile.is_open()).collect(),
            steps: vec![0; map.terrain.len()],
            offsets: NEIGHBOURS.map(|(dx, dy)| (dy * width + dx) as isize),
        };
        for y in 0..map.height() as i32 {
            for x in 0..width {
                ground.find_steps(x, y);
            }
        }
        ground
    }

    pub(crate) fn index(&self, tile: Tile) -> usize {
        (tile.ty * self.size.width() + tile.tx) as usize
    }

    pub(crate) fn set_open(&mut self, tile: Tile, open: bool) {
        let at = self.index(tile);
        self.open[at] = open;
        for dy in -1..=1 {
            for dx in -1..=1 {
                self.find_steps(tile.tx as i32 + dx, tile.ty as i32 + dy);
            }
        }
    }

    fn find_steps(&mut self, x: i32, y: i32) {
        let (Ok(tx), Ok(ty)) = (u32::try_from(x), u32::try_from(y)) else {
            return;
        };
        let tile = Tile { tx, ty };
        if !tile.is_on(self.size) {
            return;
        }
        let may_step = |&(dx, dy): &(i32, i32)| {
            self.is_open_at(x + dx, y + dy)
                && self.is_open_at(x + dx, y)
                && self.is_open_at(x, y + dy)
        };
        // A blocked tile has no steps of its own, and straight steps look at their goal twice: it does no harm.
        let mut steps = 0;
        if self.is_open(tile) {
            for (direction, neighbour) in NEIGHBOURS.iter().enumerate() {
                steps |= u8::from(may_step(neighbour)) << direction;
            }
        }
        let at = self.index(tile);
        self.steps[at] = steps;
    }

    pub(crate) fn is_open(&self, tile: Tile) -> bool {
        tile.is_on(self.size) && self.open[self.index(tile)]
    }

    fn is_open_at(&self, x: i32, y: i32) -> bool {
        match (u32::try_from(x), u32::try_from(y)) {
            (Ok(tx), Ok(ty)) => self.is_open(Tile { tx, ty }),
            _ => false,
        }
    }

    /// True if a ground unit can stand there.
    pub(crate) fn is_free(&self, at: Point) -> bool {
        at.x >= 0 && at.y >= 0 && self.is_open(at.tile())
    }

    pub(crate) fn is_rough(&self, at: Point) -> bool {
        let tile = at.tile();
        tile.is_on(self.size) && self.terrain[self.index(tile)] == Terrain::Rough
    }

    /// The nearest point on the map.
    pub(crate) fn clamp(&self, at: Point) -> Point {
        Point {
            x: at.x.clamp(1, self.size.width() as i32 * SUBS_PER_TILE - 1),
            y: at.y.clamp(1, self.size.height() as i32 * SUBS_PER_TILE - 1),
        }
    }

    /// `at` moved by `by`, sliding along what blocks.
    pub(crate) fn walk(&self, at: Point, by: Point) -> Point {
        let whole = (at + by).short_of_lines(at);
        if self.is_free(whole) {
            return whole;
        }
        let along_x = Point {
            x: whole.x,
            y: at.y,
        };
        let along_y = Point {
            x: at.x,
            y: whole.y,
        };
        let (first, second) = if by.x.abs() >= by.y.abs() {
            (along_x, along_y)
        } else {
            (along_y, along_x)
        };
        if self.is_free(first) {
            first
        } else if self.is_free(second) {
            second
        } else {
            at
        }
    }

    /// `at` moved by `by` through the air, on the map.
    pub(crate) fn fly(&self, at: Point, by: Point) -> Point {
        self.clamp(at + by).short_of_lines(at)
    }

    /// True if nothing blocks the straight way. Looks at two points a tile.
    pub(crate) fn is_clear(&self, from: Point, to: Point) -> bool {
        let way = to - from;
        let steps = way.x.abs().max(way.y.abs()) * 2 / SUBS_PER_TILE + 1;
        (1..=steps).all(|step| {
            let on = Point {
                x: from.x + way.x * step / steps,
                y: from.y + way.y * step / steps,
            };
            self.is_free(on.short_of_lines(from))
        })
    }

    /// The open tile nearest to `tile`; `None` if the map has none within [`RINGS`] tiles. Of equals the one nearer
    /// to the middle of the map, then the one clockwise of the middle: a choice that is the same to both sides.
    pub(crate) fn nearest_open(&self, tile: Tile) -> Option<Tile> {
        let (x, y) = (tile.tx as i32, tile.ty as i32);
        // From the tile to the middle, in half tiles.
        let to_middle = (
            self.size.width() as i32 - 1 - 2 * x,
            self.size.height() as i32 - 1 - 2 * y,
        );
        let key = |open: &Tile| {
            let (dx, dy) = (open.tx as i32 - x, open.ty as i32 - y);
            let (mx, my) = (to_middle.0 - 2 * dx, to_middle.1 - 2 * dy);
            let clockwise = to_middle.0 * dy - to_middle.1 * dx;
            (dx * dx + dy * dy, mx * mx + my * my, -clockwise)
        };
        self.nearest_ring(tile).into_iter().min_by_key(key)
    }

    /// The open tiles of the first square ring around `tile` that has any; `tile` itself if it is open.
    pub(crate) fn nearest_ring(&self, tile: Tile) -> Vec<Tile> {
        let (x, y) = (tile.tx as i32, tile.ty as i32);
        for ring in 0..RINGS {
            let mut found = Vec::new();
            for dy in -ring..=ring {
                let whole_row = dy.abs() == ring;
                for dx in -ring..=ring {
                    if (whole_row || dx.abs() == ring) && self.is_open_at(x + dx, y + dy) {
                        found.push(Tile {
                            tx: (x + dx) as u32,
                            ty: (y + dy) as u32,
                        });
                    }
                }
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The cost of a step onto a tile in a direction, an index of [`NEIGHBOURS`]: the odd ones are diagonal.
    pub(crate) fn step_cost(&self, onto: usize, direction: usize) -> u16 {
        let cost = STEP_COST[direction % 2];
        if self.terrain[onto] == Terrain::Rough {
            onto_rough(cost)
        } else {
            cost
        }
    }

    /// How many tiles there are.
    pub(crate) const fn tiles(&self) -> usize {
        self.open.len()
    }

    /// The tile with that index.
    pub(crate) fn tile(&self, index: usize) -> Tile {
        let width = self.size.width() as usize;
        Tile {
            tx: (index % width) as u32,
            ty: (index / width) as u32,
        }
    }

    /// The tiles of the map within one of `tile`, itself too.
    pub(crate) fn around(&self, tile: Tile) -> impl Iterator<Item = Tile> + use<> {
        let size = self.size;
        let (x, y) = (tile.tx as i32, tile.ty as i32);
        (-1..=1)
            .flat_map(move |dy| (-1..=1).map(move |dx| (x + dx, y + dy)))
            .filter_map(move |(x, y)| {
                let tile = Tile {
                    tx: u32::try_from(x).ok()?,
                    ty: u32::try_from(y).ok()?,
                };
                tile.is_on(size).then_some(tile)
            })
    }

    /// The directions in which a unit may step from a tile, and the tiles they lead to.
    pub(crate) fn steps_from(&self, at: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut left = self.steps[at];
        core::iter::from_fn(move || {
            let direction = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                (direction, at.wrapping_add_signed(self.offsets[direction]))
            })
        })
    }
}
