//! When the next tick is due.

use crate::TickRate;
use core::time::Duration;

/// A tick in the clock's units: a microsecond fills in as many as there are ticks a second, so that every rate is exact.
const TICK: u64 = 1_000_000;
/// How full the clock stays while a tick waits: the pose is held just short of the next one, and no burst follows.
const STALLED: u64 = TICK * 999 / 1000;
/// The most ticks one call may make due at a slow rate, so that a host that was away for a minute does not run 600 ticks
/// at once; at a fast rate it is the ticks of a quarter of a second, or a host that draws seldom could not keep up.
const DUE_MAX: u64 = 5;

/// Turns elapsed real time and a speed into due ticks.
#[derive(Clone, Debug)]
pub struct TickClock {
    hz: u64,
    filled: u64,
}

impl TickClock {
    /// A clock of `rate` ticks a second, at the start of a tick.
    #[must_use]
    pub const fn new(rate: TickRate) -> Self {
        Self {
            hz: rate.hz() as u64,
            filled: 0,
        }
    }

    /// Lets `elapsed` pass at `speed_permille` thousandths of normal speed. Makes at most 5 ticks due, or a quarter of a
    /// second's if those are more.
    pub fn advance(&mut self, elapsed: Duration, speed_permille: u32) {
        let most = DUE_MAX.max(self.hz / 4) * TICK;
        let us = u64::try_from(elapsed.as_micros())
            .unwrap_or(u64::MAX)
            .min(most * 10 / self.hz);
        let passed = us * u64::from(speed_permille) / 1000;
        self.filled = self
            .filled
            .saturating_add(passed.saturating_mul(self.hz))
            .min(most);
    }

    /// True while a tick is due.
    #[must_use]
    pub const fn is_due(&self) -> bool {
        self.filled >= TICK
    }

    /// The due tick was stepped.
    pub const fn stepped(&mut self) {
        self.filled = self.filled.saturating_sub(TICK);
    }

    /// The due tick could not be stepped: hold the pose.
    pub const fn stalled(&mut self) {
        self.filled = STALLED;
    }

    /// How far the pose is between the last tick and the next, in thousandths.
    #[must_use]
    pub fn permille(&self) -> u32 {
        (self.filled.min(TICK) * 1000 / TICK) as u32
    }

    /// How long until a tick is due at `speed_permille`.
    #[must_use]
    pub const fn until_due(&self, speed_permille: u32) -> Duration {
        let missing = TICK.saturating_sub(self.filled) * 1000;
        Duration::from_micros(if speed_permille == 0 {
            u64::MAX / 2
        } else {
            missing.div_ceil(speed_permille as u64 * self.hz)
        })
    }
}
