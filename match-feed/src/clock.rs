//! When the next tick is due.

use crate::TICK_MS;
use core::time::Duration;

const TICK_US: u64 = TICK_MS * 1000;
/// How full the clock stays while a tick waits: the pose is held just short of the next one, and no burst follows.
const STALLED_US: u64 = TICK_US * 999 / 1000;
/// The most ticks one call may make due, so that a host that was away for a minute does not run 600 ticks at once.
const DUE_MAX: u64 = 5;

/// Turns elapsed real time and a speed into due ticks.
#[derive(Clone, Debug, Default)]
pub struct TickClock {
    filled_us: u64,
}

impl TickClock {
    /// Lets `elapsed` pass at `speed_permille` thousandths of normal speed.
    pub fn advance(&mut self, elapsed: Duration, speed_permille: u32) {
        let us = u64::try_from(elapsed.as_micros())
            .unwrap_or(u64::MAX)
            .min(DUE_MAX * TICK_US * 10);
        self.filled_us =
            (self.filled_us + us * u64::from(speed_permille) / 1000).min(DUE_MAX * TICK_US);
    }

    /// True while a tick is due.
    #[must_use]
    pub const fn is_due(&self) -> bool {
        self.filled_us >= TICK_US
    }

    /// The due tick was stepped.
    pub const fn stepped(&mut self) {
        self.filled_us = self.filled_us.saturating_sub(TICK_US);
    }

    /// The due tick could not be stepped: hold the pose.
    pub const fn stalled(&mut self) {
        self.filled_us = STALLED_US;
    }

    /// How far the pose is between the last tick and the next, in thousandths.
    #[must_use]
    pub fn permille(&self) -> u32 {
        (self.filled_us.min(TICK_US) * 1000 / TICK_US) as u32
    }

    /// How long until a tick is due at `speed_permille`.
    #[must_use]
    pub const fn until_due(&self, speed_permille: u32) -> Duration {
        let missing = TICK_US.saturating_sub(self.filled_us) * 1000;
        Duration::from_micros(if speed_permille == 0 {
            u64::MAX / 2
        } else {
            missing.div_ceil(speed_permille as u64)
        })
    }
}
