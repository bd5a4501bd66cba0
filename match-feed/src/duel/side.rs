//! The two sides of a duel.

use crate::{Order, Seat, SeatSet};
use alloc::vec::Vec;
use core::ops::{Index, IndexMut};
use serde::{Deserialize, Serialize};

/// A side. Colours are fixed: blue is blue on both phones, whoever plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Acts first within a tick. The host plays it unless a rematch swapped the sides.
    Blue,
    /// Acts second.
    Red,
}

impl Side {
    /// Both, in the order in which everything that must agree on two machines visits them.
    pub const BOTH: [Self; 2] = [Self::Blue, Self::Red];

    /// The opposing side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Blue => Self::Red,
            Self::Red => Self::Blue,
        }
    }

    /// 0 for blue, 1 for red.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Blue => 0,
            Self::Red => 1,
        }
    }

    /// Its seat: 0 for blue, 1 for red.
    #[must_use]
    pub const fn seat(self) -> Seat {
        Seat::new(self.index() as u8).expect("a duel's two seats are the first")
    }

    /// The side of `seat`; `None` for a seat that a duel does not have.
    #[must_use]
    pub const fn of(seat: Seat) -> Option<Self> {
        match seat.index() {
            0 => Some(Self::Blue),
            1 => Some(Self::Red),
            _ => None,
        }
    }
}

impl From<Side> for Seat {
    fn from(side: Side) -> Self {
        side.seat()
    }
}

impl From<Side> for SeatSet {
    fn from(side: Side) -> Self {
        Self::only(side.seat())
    }
}

impl<C> Order<C> {
    /// The side that gives it; `None` for a seat that a duel does not have.
    #[must_use]
    pub const fn side(&self) -> Option<Side> {
        Side::of(self.seat)
    }
}

/// One value for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerSide<T> {
    /// Blue's.
    pub blue: T,
    /// Red's.
    pub red: T,
}

impl<T> PerSide<T> {
    /// Makes both values, blue's first.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> Self {
        Self {
            blue: make(Side::Blue),
            red: make(Side::Red),
        }
    }
}

impl<T> Index<Side> for PerSide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::Blue => &self.blue,
            Side::Red => &self.red,
        }
    }
}

impl<T> IndexMut<Side> for PerSide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Blue => &mut self.blue,
            Side::Red => &mut self.red,
        }
    }
}

/// The orders of one tick in the order every machine applies them: blue's, then red's, whichever side is local.
pub fn compose_tick<C>(
    local: Side,
    mine: impl IntoIterator<Item = C>,
    theirs: impl IntoIterator<Item = C>,
) -> Vec<Order<C>> {
    let of = |side: Side| {
        move |command| Order {
            seat: side.seat(),
            command,
        }
    };
    let mine = mine.into_iter().map(of(local));
    let theirs = theirs.into_iter().map(of(local.other()));
    match local {
        Side::Blue => mine.chain(theirs).collect(),
        Side::Red => theirs.chain(mine).collect(),
    }
}
