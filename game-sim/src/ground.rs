//! Where ground units can go: terrain plus buildings, straight lines, and shared flow fields with integer costs.
//! Everything here is derived from the map and the buildings; none of it is hashed.

use crate::{
    Point, SUBS_PER_TILE, balance,
    map::{Map, Terrain},
};
use alloc::{vec, vec::Vec};
use versus_codec::kit::{MapSize, Tile};

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
const STEP_COST: [u16; 2] = [10, 14];
/// Costs are below this, so that a ring of this many buckets can hold the open set.
const RING: usize = 32;
const UNREACHED: u16 = u16::MAX;
/// How far open ground is looked for around a blocked goal, tiles.
const RINGS: i32 = 24;
/// A diagonal's length by its side's, in 1024ths: to compare directions by.
const DIAGONAL: i64 = 724;
/// Fields kept: every unit may have a goal of its own, and none may push out another's that is still in use.
const FIELDS_MAX: usize = 2 * balance::UNITS_PER_SIDE_MAX + 32;

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

    fn index(&self, tile: Tile) -> usize {
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
        if !self.size.holds(tile) {
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
        self.size.holds(tile) && self.open[self.index(tile)]
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
        self.size.holds(tile) && self.terrain[self.index(tile)] == Terrain::Rough
    }

    /// The nearest point on the map.
    pub(crate) fn clamp(&self, at: Point) -> Point {
        Point {
            x: at.x.clamp(0, self.size.width() as i32 * SUBS_PER_TILE - 1),
            y: at.y.clamp(0, self.size.height() as i32 * SUBS_PER_TILE - 1),
        }
    }

    /// `at` moved by `by`, sliding along what blocks.
    pub(crate) fn walk(&self, at: Point, by: Point) -> Point {
        let whole = at + by;
        if self.is_free(whole) {
            return whole;
        }
        let along_x = Point {
            x: at.x + by.x,
            y: at.y,
        };
        let along_y = Point {
            x: at.x,
            y: at.y + by.y,
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

    /// True if nothing blocks the straight way. Looks at two points a tile.
    pub(crate) fn is_clear(&self, from: Point, to: Point) -> bool {
        let way = to - from;
        let steps = way.x.abs().max(way.y.abs()) * 2 / SUBS_PER_TILE + 1;
        (1..=steps).all(|step| {
            self.is_free(Point {
                x: from.x + way.x * step / steps,
                y: from.y + way.y * step / steps,
            })
        })
    }

    /// The open tile nearest to `tile`; `None` if the map has none within [`RINGS`] tiles.
    pub(crate) fn nearest_open(&self, tile: Tile) -> Option<Tile> {
        let apart = |open: &Tile, x: i32, y: i32| {
            let (dx, dy) = (open.tx as i32 - x, open.ty as i32 - y);
            dx * dx + dy * dy
        };
        let (x, y) = (tile.tx as i32, tile.ty as i32);
        let (width, height) = (self.size.width() as i32, self.size.height() as i32);
        // Of equals the one nearer to the middle of the map, so that neither side is favoured.
        self.nearest_ring(tile)
            .into_iter()
            .min_by_key(|open| (apart(open, x, y), apart(open, width / 2, height / 2)))
    }

    /// The open tiles of the first square ring around `tile` that has any; `tile` itself if it is open.
    fn nearest_ring(&self, tile: Tile) -> Vec<Tile> {
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
    fn step_cost(&self, onto: usize, direction: usize) -> u16 {
        let cost = STEP_COST[direction % 2];
        if self.terrain[onto] == Terrain::Rough {
            cost + cost / 2
        } else {
            cost
        }
    }

    /// The directions in which a unit may step from a tile, and the tiles they lead to.
    fn steps_from(&self, at: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
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

/// The way to one goal from everywhere.
#[derive(Clone, Debug)]
struct Field {
    goal: Tile,
    used: u64,
    cost: Vec<u16>,
}

impl Field {
    /// The next step from an open tile: of those that are equally cheap, the one that leads most directly to the
    /// goal, so that the way back is the way there and no side of the map is favoured. Zero at the goal.
    fn step(&self, ground: &Ground, from: Tile) -> (i32, i32) {
        let here = ground.index(from);
        let (x, y) = (from.tx as i32, from.ty as i32);
        let (gx, gy) = (
            i64::from(self.goal.tx as i32 - x),
            i64::from(self.goal.ty as i32 - y),
        );
        let mut best = (i64::MIN, (0, 0));
        for (direction, next) in ground.steps_from(here) {
            let cost = ground.step_cost(here, direction);
            if self.cost[next].saturating_add(cost) != self.cost[here] {
                continue;
            }
            let (dx, dy) = NEIGHBOURS[direction];
            let length = if direction % 2 == 1 { DIAGONAL } else { 1024 };
            let toward = (gx * i64::from(dx) + gy * i64::from(dy)) * length;
            if toward > best.0 {
                best = (toward, (dx, dy));
            }
        }
        best.1
    }
}

/// The ways to the goals in use. A cache: what it holds never changes what it answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    fields: Vec<Field>,
    clock: u64,
    ring: Vec<Vec<u32>>,
}

/// What a field says about a tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// The cost to the goal: 10 for each plain tile.
    pub(crate) cost: u16,
    /// Where to go next, in whole steps; zero at the goal.
    pub(crate) step: (i32, i32),
}

impl Fields {
    /// The ground changed.
    pub(crate) fn clear(&mut self) {
        self.fields.clear();
    }

    /// The way from `from` to `goal` (or to the open tile nearest to it); `None` if there is none. Computes a field,
    /// about 0.2 ms, when the goal is new.
    pub(crate) fn way(&mut self, ground: &Ground, goal: Tile, from: Tile) -> Option<Way> {
        self.clock += 1;
        let clock = self.clock;
        let found = self.fields.iter().position(|field| field.goal == goal);
        let at = match found {
            Some(at) => at,
            None => self.add(ground, goal)?,
        };
        let field = &mut self.fields[at];
        field.used = clock;
        let cost = field.cost[ground.index(from)];
        (cost != UNREACHED).then(|| Way {
            cost,
            step: field.step(ground, from),
        })
    }

    fn add(&mut self, ground: &Ground, goal: Tile) -> Option<usize> {
        let seeds = ground.nearest_ring(goal);
        if seeds.is_empty() {
            return None;
        }
        let at = if self.fields.len() < FIELDS_MAX {
            self.fields.push(Field {
                goal,
                used: 0,
                cost: Vec::new(),
            });
            self.fields.len() - 1
        } else {
            let oldest = (0..self.fields.len()).min_by_key(|&at| self.fields[at].used)?;
            self.fields[oldest].goal = goal;
            oldest
        };
        self.fill(ground, at, &seeds);
        Some(at)
    }

    /// Dijkstra's algorithm over a ring of buckets.
    fn fill(&mut self, ground: &Ground, at: usize, seeds: &[Tile]) {
        let field = &mut self.fields[at];
        let tiles = ground.open.len();
        field.cost.clear();
        field.cost.resize(tiles, UNREACHED);
        if self.ring.is_empty() {
            self.ring = vec![Vec::new(); RING];
        }
        for &seed in seeds {
            let start = ground.index(seed);
            field.cost[start] = 0;
            self.ring[0].push(start as u32);
        }
        let mut waiting = seeds.len();
        let mut cost = 0_u16;
        while waiting > 0 {
            let bucket = usize::from(cost) % RING;
            while let Some(index) = self.ring[bucket].pop() {
                waiting -= 1;
                let index = index as usize;
                if field.cost[index] != cost {
                    continue; // reached more cheaply since
                }
                for (direction, next) in ground.steps_from(index) {
                    let step = ground.step_cost(next, direction);
                    let total = cost.saturating_add(step).min(UNREACHED - 1);
                    if total < field.cost[next] {
                        field.cost[next] = total;
                        self.ring[usize::from(total) % RING].push(next as u32);
                        waiting += 1;
                    }
                }
            }
            cost = cost.saturating_add(1);
            if cost == UNREACHED - 1 {
                // Costs this high would be ways of thousands of tiles; what is left stays as it is.
                for bucket in &mut self.ring {
                    bucket.clear();
                }
                break;
            }
        }
    }
}
