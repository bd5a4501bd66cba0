//! Who is near: unit indices by coarse square. Rebuilt every tick; no part of the state.

use crate::{Point, SUBS_PER_TILE};
use alloc::vec::Vec;
use match_feed::duel::MapSize;

/// A square's side, tiles.
const SQUARE: i32 = 2;

/// Indices into the unit list, sorted by square. Within a square they ascend.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets {
    columns: i32,
    rows: i32,
    /// Where each square's indices begin; one more than there are squares.
    starts: Vec<u32>,
    indices: Vec<u32>,
}

impl Buckets {
    /// Counting sort of the positions.
    pub(crate) fn fill(&mut self, size: MapSize, at: impl ExactSizeIterator<Item = Point> + Clone) {
        self.columns = (size.width() as i32 + SQUARE - 1) / SQUARE;
        self.rows = (size.height() as i32 + SQUARE - 1) / SQUARE;
        let squares = (self.columns * self.rows) as usize;
        self.starts.clear();
        self.starts.resize(squares + 1, 0);
        self.indices.clear();
        self.indices.resize(at.len(), 0);
        for point in at.clone() {
            let square = self.square(point);
            self.starts[square + 1] += 1;
        }
        for square in 0..squares {
            self.starts[square + 1] += self.starts[square];
        }
        // Filling moves each start up to the next square's, so afterwards all shift by one.
        let mut next = core::mem::take(&mut self.starts);
        for (index, point) in at.enumerate() {
            let square = self.square(point);
            self.indices[next[square] as usize] = index as u32;
            next[square] += 1;
        }
        next.rotate_right(1);
        next[0] = 0;
        self.starts = next;
    }

    fn square(&self, at: Point) -> usize {
        let side = SQUARE * SUBS_PER_TILE;
        let column = (at.x / side).clamp(0, self.columns - 1);
        let row = (at.y / side).clamp(0, self.rows - 1);
        (row * self.columns + column) as usize
    }

    /// The indices of all in squares that `reach` around `at` touches, row by row.
    pub(crate) fn near(&self, at: Point, reach: i32) -> impl Iterator<Item = usize> + '_ {
        let side = SQUARE * SUBS_PER_TILE;
        let west = ((at.x - reach) / side).clamp(0, self.columns - 1);
        let east = ((at.x + reach) / side).clamp(0, self.columns - 1);
        let north = ((at.y - reach) / side).clamp(0, self.rows - 1);
        let south = ((at.y + reach) / side).clamp(0, self.rows - 1);
        (north..=south).flat_map(move |row| {
            let first = self.starts[(row * self.columns + west) as usize] as usize;
            let last = self.starts[(row * self.columns + east) as usize + 1] as usize;
            self.indices[first..last]
                .iter()
                .map(|&index| index as usize)
        })
    }
}
