//! Where ground units can go: terrain plus buildings, straight lines, and shared flow fields with integer costs.
//! Everything here is derived from the map and the buildings; none of it is hashed.

use crate::{
    Point, SUBS_PER_TILE,
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
/// No direction.
const AT_GOAL: u8 = 8;
/// Fields kept. More than a battle's groups have goals.
const FIELDS_MAX: usize = 64;

/// Which tiles are open.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) size: MapSize,
    terrain: Vec<Terrain>,
    open: Vec<bool>,
}

impl Ground {
    pub(crate) fn of(map: &Map) -> Self {
        Self {
            size: map.size,
            terrain: map.terrain.clone(),
            open: map.terrain.iter().map(|tile| tile.is_open()).collect(),
        }
    }

    fn index(&self, tile: Tile) -> usize {
        (tile.ty * self.size.width() + tile.tx) as usize
    }

    pub(crate) fn set_open(&mut self, tile: Tile, open: bool) {
        let at = self.index(tile);
        self.open[at] = open;
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

    /// The open tile nearest to `tile`, searched ring by ring; `None` if the map has none within 24 tiles.
    pub(crate) fn nearest_open(&self, tile: Tile) -> Option<Tile> {
        let (x, y) = (tile.tx as i32, tile.ty as i32);
        for ring in 0..24_i32 {
            let mut best: Option<(i32, Tile)> = None;
            for dy in -ring..=ring {
                let edge = dy.abs() == ring;
                let step = if edge || ring == 0 { 1 } else { 2 * ring };
                let mut dx = -ring;
                while dx <= ring {
                    if self.is_open_at(x + dx, y + dy) {
                        let found = Tile {
                            tx: (x + dx) as u32,
                            ty: (y + dy) as u32,
                        };
                        let far = dx * dx + dy * dy;
                        if best.is_none_or(|(nearest, _)| far < nearest) {
                            best = Some((far, found));
                        }
                    }
                    dx += step;
                }
            }
            if let Some((_, tile)) = best {
                return Some(tile);
            }
        }
        None
    }
}

/// The way to one goal from everywhere.
#[derive(Clone, Debug)]
struct Field {
    goal: Tile,
    used: u64,
    cost: Vec<u16>,
    toward: Vec<u8>,
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
        let index = ground.index(from);
        let cost = field.cost[index];
        let step = NEIGHBOURS
            .get(usize::from(field.toward[index]))
            .copied()
            .unwrap_or((0, 0));
        (cost != UNREACHED).then_some(Way { cost, step })
    }

    fn add(&mut self, ground: &Ground, goal: Tile) -> Option<usize> {
        let seed = ground.nearest_open(goal)?;
        let at = if self.fields.len() < FIELDS_MAX {
            self.fields.push(Field {
                goal,
                used: 0,
                cost: Vec::new(),
                toward: Vec::new(),
            });
            self.fields.len() - 1
        } else {
            let oldest = (0..self.fields.len()).min_by_key(|&at| self.fields[at].used)?;
            self.fields[oldest].goal = goal;
            oldest
        };
        self.fill(ground, at, seed);
        Some(at)
    }

    /// Dijkstra's algorithm over a ring of buckets.
    fn fill(&mut self, ground: &Ground, at: usize, seed: Tile) {
        let field = &mut self.fields[at];
        let tiles = ground.open.len();
        field.cost.clear();
        field.cost.resize(tiles, UNREACHED);
        field.toward.clear();
        field.toward.resize(tiles, AT_GOAL);
        if self.ring.is_empty() {
            self.ring = vec![Vec::new(); RING];
        }
        let (width, height) = (ground.size.width() as i32, ground.size.height() as i32);
        let start = ground.index(seed);
        field.cost[start] = 0;
        self.ring[0].push(start as u32);
        let mut waiting = 1_usize;
        let mut cost = 0_u16;
        while waiting > 0 {
            let bucket = usize::from(cost) % RING;
            while let Some(index) = self.ring[bucket].pop() {
                waiting -= 1;
                let index = index as usize;
                if field.cost[index] != cost {
                    continue; // reached more cheaply since
                }
                let (x, y) = (index as i32 % width, index as i32 / width);
                for (direction, &(dx, dy)) in NEIGHBOURS.iter().enumerate() {
                    let (nx, ny) = (x + dx, y + dy);
                    if nx < 0 || ny < 0 || nx >= width || ny >= height {
                        continue;
                    }
                    let next = (ny * width + nx) as usize;
                    if !ground.open[next] {
                        continue;
                    }
                    let diagonal = dx != 0 && dy != 0;
                    if diagonal
                        && !(ground.open[(y * width + nx) as usize]
                            && ground.open[(ny * width + x) as usize])
                    {
                        continue; // no cutting of corners
                    }
                    let mut step = STEP_COST[usize::from(diagonal)];
                    if ground.terrain[next] == Terrain::Rough {
                        step += step / 2;
                    }
                    let total = cost.saturating_add(step).min(UNREACHED - 1);
                    if total < field.cost[next] {
                        field.cost[next] = total;
                        field.toward[next] = (direction as u8 + 4) % 8;
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
