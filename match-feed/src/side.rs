//! The two sides of a match.

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
