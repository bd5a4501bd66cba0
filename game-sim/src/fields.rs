//! Shared flow fields: the way to a goal from wherever somebody asks, with integer costs. A cache: what it holds never
//! changes what it answers, so none of it is hashed or saved.
//!
//! A field grows outward from its goal only as far as somebody asks, and is mended around ground that changes instead
//! of being found anew: a tick in which a building stands or falls costs what the neighbourhood costs.

use crate::{
    balance,
    ground::{Ground, NEIGHBOURS, STEP_COST, STEP_COST_MAX},
};
use alloc::{collections::BinaryHeap, vec, vec::Vec};
use core::cmp::Reverse;
use versus_codec::kit::Tile;

/// A step costs less than this, so that a ring of this many buckets can hold the open set.
const RING: usize = 32;
const _: () = assert!((STEP_COST_MAX as usize) < RING);
const UNREACHED: u16 = u16::MAX;
/// How much farther than asked a field grows: ten plain tiles, so that a crowd does not ask one by one.
const MARGIN: u16 = 10 * STEP_COST[0];
/// A diagonal's length by its side's, in 1024ths: to compare directions by.
const DIAGONAL: i64 = 724;
/// Fields kept: every unit may have a goal of its own, and none may push out another's that is still in use.
const FIELDS_MAX: usize = 2 * balance::UNITS_PER_SIDE_MAX + 32;
/// A field that was not asked for so many questions is not mended but forgotten.
const FORGOTTEN_AFTER: u64 = 20_000;

/// What a field says about a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// The cost to the goal, in [`STEP_COST`].
    pub(crate) cost: u16,
    /// Where to go next, in whole steps; zero at the goal.
    pub(crate) step: (i32, i32),
}

/// The way to one goal.
#[derive(Clone, Debug)]
struct Field {
    goal: Tile,
    used: u64,
    /// The open tiles nearest to the goal, by index: the goal itself where it is open.
    seeds: Vec<usize>,
    /// Costs below this are final; others are the best known from those, and final once this has passed them.
    settled: u16,
    cost: Vec<u16>,
}

impl Field {
    fn begin(&mut self, ground: &Ground, goal: Tile, seeds: Vec<usize>) {
        self.goal = goal;
        self.settled = 0;
        self.cost.clear();
        self.cost.resize(ground.tiles(), UNREACHED);
        for &seed in &seeds {
            self.cost[seed] = 0;
        }
        self.seeds = seeds;
    }

    /// The next step from an open tile: of those that are equally cheap, the one that leads most directly to the
    /// goal, then the one clockwise of it, so that no side of the map is favoured. Zero at the goal.
    fn step(&self, ground: &Ground, from: Tile) -> (i32, i32) {
        let here = ground.index(from);
        let (x, y) = (from.tx as i32, from.ty as i32);
        let (gx, gy) = (
            i64::from(self.goal.tx as i32 - x),
            i64::from(self.goal.ty as i32 - y),
        );
        let mut best = ((i64::MIN, i64::MIN), (0, 0));
        for (direction, next) in ground.steps_from(here) {
            let cost = ground.step_cost(here, direction);
            if self.cost[next].saturating_add(cost) != self.cost[here] {
                continue;
            }
            let (dx, dy) = NEIGHBOURS[direction];
            let length = if direction % 2 == 1 { DIAGONAL } else { 1024 };
            let toward = (gx * i64::from(dx) + gy * i64::from(dy)) * length;
            let clockwise = gx * i64::from(dy) - gy * i64::from(dx);
            if (toward, clockwise) > best.0 {
                best = ((toward, clockwise), (dx, dy));
            }
        }
        best.1
    }

    /// The least cost of a tile that its settled neighbours give it.
    fn by_neighbours(&self, ground: &Ground, at: usize) -> u16 {
        ground
            .steps_from(at)
            .filter(|&(_, next)| self.cost[next] < self.settled)
            .map(|(direction, next)| {
                self.cost[next].saturating_add(ground.step_cost(at, direction))
            })
            .min()
            .unwrap_or(UNREACHED)
    }

    /// Dijkstra's algorithm over a ring of buckets, until `until` is settled and [`MARGIN`] more.
    fn grow(&mut self, ground: &Ground, ring: &mut [Vec<u32>], until: usize) {
        let mut waiting = 0;
        for (index, &cost) in self.cost.iter().enumerate() {
            if cost >= self.settled && cost != UNREACHED {
                ring[usize::from(cost) % RING].push(index as u32);
                waiting += 1;
            }
        }
        let mut stop = UNREACHED - 1;
        let mut cost = self.settled;
        while waiting > 0 && cost < stop {
            let bucket = usize::from(cost) % RING;
            while let Some(index) = ring[bucket].pop() {
                waiting -= 1;
                let index = index as usize;
                if self.cost[index] != cost {
                    continue; // reached more cheaply since
                }
                if index == until {
                    stop = cost.saturating_add(MARGIN).min(UNREACHED - 1);
                }
                for (direction, next) in ground.steps_from(index) {
                    let total = cost.saturating_add(ground.step_cost(next, direction));
                    if total < self.cost[next] {
                        self.cost[next] = total;
                        ring[usize::from(total) % RING].push(next as u32);
                        waiting += 1;
                    }
                }
            }
            cost += 1;
        }
        // Costs near the end of the numbers would be ways of thousands of tiles; what is left stays as it is.
        let through = waiting == 0 || cost == UNREACHED - 1;
        self.settled = if through { UNREACHED } else { cost };
        for bucket in ring {
            bucket.clear();
        }
    }

    /// The ground at `changed`, and what may step from around there, is no longer what it was.
    fn mend(&mut self, ground: &Ground, changed: &[usize]) {
        let lost = self.take_back(ground, changed);
        // What is lost or newly open is settled again from its neighbours, and what that makes cheaper with it.
        let mut open = BinaryHeap::new();
        for &at in lost.iter().chain(changed) {
            let cost = self.by_neighbours(ground, at);
            if cost < self.cost[at] {
                self.cost[at] = cost;
                open.push(Reverse((cost, at)));
            }
        }
        while let Some(Reverse((cost, at))) = open.pop() {
            if cost >= self.settled {
                break;
            }
            if self.cost[at] != cost {
                continue;
            }
            for (direction, next) in ground.steps_from(at) {
                let total = cost.saturating_add(ground.step_cost(next, direction));
                if total < self.cost[next] {
                    self.cost[next] = total;
                    open.push(Reverse((total, next)));
                }
            }
        }
        // Beyond what is settled, what was known by way of what is lost is known anew.
        let beside: Vec<usize> = lost
            .iter()
            .chain(changed)
            .flat_map(|&at| ground.around(ground.tile(at)))
            .map(|tile| ground.index(tile))
            .collect();
        for at in beside {
            if self.cost[at] >= self.settled {
                self.cost[at] = self.by_neighbours(ground, at);
            }
        }
    }

    /// Forgets the settled costs that no neighbour bears out any more, nearest to the goal first, and lists them.
    fn take_back(&mut self, ground: &Ground, changed: &[usize]) -> Vec<usize> {
        let mut lost = Vec::new();
        let doubtful =
            |field: &Self, at: usize| field.cost[at] < field.settled && field.cost[at] > 0;
        let mut doubts: BinaryHeap<Reverse<(u16, usize)>> = changed
            .iter()
            .filter(|&&at| doubtful(self, at))
            .map(|&at| Reverse((self.cost[at], at)))
            .collect();
        while let Some(Reverse((cost, at))) = doubts.pop() {
            if self.cost[at] != cost || self.by_neighbours(ground, at) == cost {
                continue;
            }
            // Cheaper than before by ground newly open: nothing depends on it that the next stage does not mend.
            if self.by_neighbours(ground, at) < cost {
                continue;
            }
            self.cost[at] = UNREACHED;
            lost.push(at);
            for next in ground.around(ground.tile(at)) {
                let next = ground.index(next);
                if doubtful(self, next) && self.cost[next] > cost {
                    doubts.push(Reverse((self.cost[next], next)));
                }
            }
        }
        lost
    }
}

/// The ways to the goals in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    fields: Vec<Field>,
    clock: u64,
    ring: Vec<Vec<u32>>,
}

impl Fields {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.fields.clear();
    }

    /// The ground of these tiles opened or closed.
    pub(crate) fn changed(&mut self, ground: &Ground, tiles: impl Iterator<Item = Tile>) {
        let clock = self.clock;
        self.fields
            .retain(|field| clock - field.used < FORGOTTEN_AFTER);
        if self.fields.is_empty() {
            return;
        }
        // Whether a corner may be cut changes beside a tile too.
        let mut changed: Vec<usize> = tiles
            .flat_map(|tile| ground.around(tile))
            .map(|tile| ground.index(tile))
            .collect();
        changed.sort_unstable();
        changed.dedup();
        for field in &mut self.fields {
            let seeds = seeds(ground, field.goal);
            if seeds == field.seeds {
                field.mend(ground, &changed);
            } else {
                field.begin(ground, field.goal, seeds);
            }
        }
    }

    /// The way from `from` to `goal` (or to the open tile nearest to it); `None` if there is none. The first question
    /// for a far goal on the largest map costs about a millisecond, others next to nothing.
    pub(crate) fn way(&mut self, ground: &Ground, goal: Tile, from: Tile) -> Option<Way> {
        self.clock += 1;
        let found = self.fields.iter().position(|field| field.goal == goal);
        let at = match found {
            Some(at) => at,
            None => self.add(ground, goal)?,
        };
        if self.ring.is_empty() {
            self.ring = vec![Vec::new(); RING];
        }
        let field = &mut self.fields[at];
        field.used = self.clock;
        let here = ground.index(from);
        if field.cost[here] >= field.settled && field.settled != UNREACHED {
            field.grow(ground, &mut self.ring, here);
        }
        let cost = field.cost[here];
        (cost != UNREACHED).then(|| Way {
            cost,
            step: field.step(ground, from),
        })
    }

    fn add(&mut self, ground: &Ground, goal: Tile) -> Option<usize> {
        let seeds = seeds(ground, goal);
        if seeds.is_empty() {
            return None;
        }
        let at = if self.fields.len() < FIELDS_MAX {
            self.fields.push(Field {
                goal,
                used: 0,
                seeds: Vec::new(),
                settled: 0,
                cost: Vec::new(),
            });
            self.fields.len() - 1
        } else {
            (0..self.fields.len()).min_by_key(|&at| self.fields[at].used)?
        };
        self.fields[at].begin(ground, goal, seeds);
        Some(at)
    }
}

fn seeds(ground: &Ground, goal: Tile) -> Vec<usize> {
    let ring = ground.nearest_ring(goal).into_iter();
    ring.map(|tile| ground.index(tile)).collect()
}
