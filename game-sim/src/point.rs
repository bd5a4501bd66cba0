//! Positions: integers on the codec's grid, so that a cell's centre is exact. Knows no unit and no map.

use core::ops::{Add, Sub};
use match_feed::duel::Side;
use versus_codec::kit::{CELLS_PER_TILE, Cell, Tile};

/// Position units to a tile along each axis.
pub const SUBS_PER_TILE: i32 = 1024;
/// Position units to a cell along each axis.
pub const SUBS_PER_CELL: i32 = SUBS_PER_TILE / CELLS_PER_TILE as i32;
const _: () = assert!(
    SUBS_PER_CELL % 2 == 0,
    "a cell's centre is a whole position"
);

/// A position or an offset, in 1024ths of a tile; x grows eastward, y southward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Point {
    /// Eastward.
    pub x: i32,
    /// Southward.
    pub y: i32,
}

impl Point {
    /// The origin.
    pub const ZERO: Self = Self { x: 0, y: 0 };

    /// The centre of a cell.
    #[must_use]
    pub const fn of_cell(cell: Cell) -> Self {
        Self {
            x: centre_of(cell.x),
            y: centre_of(cell.y),
        }
    }

    /// The centre of a tile.
    #[must_use]
    pub const fn of_tile(tile: Tile) -> Self {
        Self {
            x: tile.tx as i32 * SUBS_PER_TILE + SUBS_PER_TILE / 2,
            y: tile.ty as i32 * SUBS_PER_TILE + SUBS_PER_TILE / 2,
        }
    }

    /// The cell it lies in; negative coordinates count as 0.
    #[must_use]
    pub const fn cell(self) -> Cell {
        Cell {
            x: not_negative(self.x) / SUBS_PER_CELL as u32,
            y: not_negative(self.y) / SUBS_PER_CELL as u32,
        }
    }

    /// The tile it lies in; negative coordinates count as 0.
    #[must_use]
    pub const fn tile(self) -> Tile {
        Tile {
            tx: not_negative(self.x) / SUBS_PER_TILE as u32,
            ty: not_negative(self.y) / SUBS_PER_TILE as u32,
        }
    }

    /// The square of its length.
    #[must_use]
    pub const fn length_squared(self) -> i64 {
        self.x as i64 * self.x as i64 + self.y as i64 * self.y as i64
    }

    /// Its length, rounded down.
    #[must_use]
    pub const fn length(self) -> i32 {
        self.length_squared().isqrt() as i32
    }

    /// The square of the distance to `other`.
    #[must_use]
    pub const fn distance_squared(self, other: Self) -> i64 {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
        }
        .length_squared()
    }

    /// The distance to `other`, rounded down.
    #[must_use]
    pub const fn distance(self, other: Self) -> i32 {
        self.distance_squared(other).isqrt() as i32
    }

    /// True if `other` is at most `reach` away.
    #[must_use]
    pub const fn within(self, other: Self, reach: i32) -> bool {
        self.distance_squared(other) <= reach as i64 * reach as i64
    }

    /// The same direction with length `length` (or a little less, by rounding toward zero); zero stays zero.
    #[must_use]
    pub const fn with_length(self, length: i32) -> Self {
        let own = self.length_squared().isqrt();
        if own == 0 {
            return Self::ZERO;
        }
        Self {
            x: (self.x as i64 * length as i64 / own) as i32,
            y: (self.y as i64 * length as i64 / own) as i32,
        }
    }

    /// An offset as that side sees it: red's are turned by 180°.
    #[must_use]
    pub(crate) const fn facing(self, side: Side) -> Self {
        match side {
            Side::Blue => self,
            Side::Red => Self {
                x: -self.x,
                y: -self.y,
            },
        }
    }

    /// Off the lines between tiles, where it would belong to the tile after the line and, on the turned map, to the
    /// one before: back toward `from`, which is on no line.
    #[must_use]
    pub(crate) const fn short_of_lines(self, from: Self) -> Self {
        const fn short(to: i32, from: i32) -> i32 {
            if to % SUBS_PER_TILE == 0 {
                to - (to - from).signum()
            } else {
                to
            }
        }
        Self {
            x: short(self.x, from.x),
            y: short(self.y, from.y),
        }
    }

    /// Off the lines between tiles, on the side's own side of them.
    #[must_use]
    pub(crate) fn off_lines(self, side: Side) -> Self {
        let off = |v: i32| {
            let aside = if side == Side::Blue { -1 } else { 1 };
            if v % SUBS_PER_TILE == 0 { v + aside } else { v }
        };
        Self {
            x: off(self.x),
            y: off(self.y),
        }
    }

    /// As it is, or shortened to `length`.
    #[must_use]
    pub const fn at_most(self, length: i32) -> Self {
        if self.length_squared() <= length as i64 * length as i64 {
            self
        } else {
            self.with_length(length)
        }
    }
}

const fn centre_of(k: u32) -> i32 {
    k as i32 * SUBS_PER_CELL + SUBS_PER_CELL / 2
}

const fn not_negative(v: i32) -> u32 {
    if v < 0 { 0 } else { v as u32 }
}

impl Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

impl Sub for Point {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}
