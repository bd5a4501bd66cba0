//! Link time: the monotonic clock of one end of a link.

use core::{
    ops::{Add, Sub},
    time::Duration,
};

/// A moment on one end's monotonic clock, counted in microseconds from wherever that clock starts.
///
/// The two ends' clocks are unrelated: never compare a time of one with a time of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LinkTime(u64);

impl LinkTime {
    /// Where the clock starts.
    pub const ZERO: Self = Self(0);

    /// `ms` milliseconds after the clock's start.
    #[must_use]
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms * 1000)
    }

    /// `us` microseconds after the clock's start.
    #[must_use]
    pub const fn from_us(us: u64) -> Self {
        Self(us)
    }

    /// Whole milliseconds since the clock's start, rounded down.
    #[must_use]
    pub const fn as_ms(self) -> u64 {
        self.0 / 1000
    }

    /// Microseconds since the clock's start.
    #[must_use]
    pub const fn as_us(self) -> u64 {
        self.0
    }

    /// How long after `earlier` this is; zero if it is not after.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for LinkTime {
    type Output = Self;
    fn add(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_add(u64::try_from(span.as_micros()).unwrap_or(u64::MAX)),
        )
    }
}

impl Sub for LinkTime {
    type Output = Duration;
    /// As [`LinkTime::since`]: never negative.
    fn sub(self, earlier: Self) -> Duration {
        self.since(earlier)
    }
}
