//! Match time.

use core::fmt;
use serde::{Deserialize, Serialize};

/// A step of the match: tick 0 is the first one stepped. As a position, "at tick t" means t ticks have been stepped
/// and tick t comes next. How long one lasts is the match's [`TickRate`](crate::TickRate).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Tick(pub u32);

impl Tick {
    /// The tick after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The tick `count` later.
    #[must_use]
    pub const fn plus(self, count: u32) -> Self {
        Self(self.0 + count)
    }
}

impl fmt::Display for Tick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
