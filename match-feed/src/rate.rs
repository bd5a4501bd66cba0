//! How many ticks a second a match runs.

use crate::Tick;
use core::fmt;
use serde::{Deserialize, Serialize};

const SECOND_US: u128 = 1_000_000;

/// Ticks a second at normal speed, 1 to 240: fixed for a match and equal on every machine.
///
/// A tick's start is computed from its number, never by adding lengths up, so that 60 Hz does not drift although its
/// tick is no whole number of microseconds.
///
/// ```
/// use match_feed::{Tick, TickRate};
/// let rate = TickRate::new(60).expect("1 to 240");
/// assert_eq!(rate.start_us(Tick(1)), 16_666);
/// assert_eq!(rate.start_us(Tick(60)), 1_000_000);
/// assert_eq!(rate.tick_at(999_999), Tick(59));
/// assert_eq!(TickRate::new(241), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct TickRate(u8);

impl TickRate {
    /// The slowest: one tick a second.
    pub const MIN: Self = Self(1);
    /// The fastest.
    pub const MAX: Self = Self(240);

    /// `hz` ticks a second; `None` outside 1 to 240.
    #[must_use]
    pub const fn new(hz: u8) -> Option<Self> {
        if hz >= Self::MIN.0 && hz <= Self::MAX.0 {
            Some(Self(hz))
        } else {
            None
        }
    }

    /// Ticks a second.
    #[must_use]
    pub const fn hz(self) -> u8 {
        self.0
    }

    /// When `tick` starts at normal speed, microseconds since tick 0 started, rounded down. Tick `hz × n` starts at
    /// exactly n seconds.
    #[must_use]
    pub const fn start_us(self, tick: Tick) -> u64 {
        (tick.0 as u128 * SECOND_US / self.0 as u128) as u64
    }

    /// The tick that runs `us` microseconds after tick 0 started, the last one that can be named at most: the newest
    /// whose [`TickRate::start_us`] is not after `us`.
    #[must_use]
    pub const fn tick_at(self, us: u64) -> Tick {
        let tick = ((us as u128 + 1) * self.0 as u128 - 1) / SECOND_US;
        Tick(if tick > u32::MAX as u128 {
            u32::MAX
        } else {
            tick as u32
        })
    }
}

impl From<TickRate> for u8 {
    fn from(rate: TickRate) -> Self {
        rate.0
    }
}

impl TryFrom<u8> for TickRate {
    type Error = TickRateError;
    fn try_from(hz: u8) -> Result<Self, TickRateError> {
        Self::new(hz).ok_or(TickRateError { hz })
    }
}

impl fmt::Display for TickRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} Hz", self.0)
    }
}

/// A number that is no tick rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a match cannot run {hz} ticks a second: only 1 to 240")]
pub struct TickRateError {
    /// The number.
    pub hz: u8,
}
