//! The way between two phones that move: its length, and so the direct sound's delay and level, at any time.

use crate::{
    dice::Dice,
    echoes::{Echo, direct},
    troubles::Motion,
};

/// The phones never come closer than this share of their configured distance.
const CLOSEST_SHARE: f64 = 0.1;

/// A distance that goes up and down at one speed.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    middle_m: f64,
    reach_m: f64,
    speed_m_s: f64,
    /// Where in its cycle it starts, as a share of it.
    start: f64,
}

impl Way {
    pub(crate) fn new(motion: Motion, distance_cm: f64, seed: u64) -> Self {
        let reach_max_cm = distance_cm * (1.0 - CLOSEST_SHARE);
        Self {
            middle_m: distance_cm / 100.0,
            reach_m: motion.reach_cm.clamp(0.0, reach_max_cm) / 100.0,
            speed_m_s: motion.speed_m_s.max(0.0),
            start: Dice::new(seed, 88).unit(),
        }
    }

    /// The direct sound that leaves at `room_s`.
    pub(crate) fn direct(&self, room_s: f64) -> Echo {
        // A cycle is four reaches long: out, back, in, back.
        let cycles = if self.reach_m > 0.0 {
            self.start + room_s * self.speed_m_s / (4.0 * self.reach_m)
        } else {
            0.25
        };
        let phase = cycles - cycles.floor();
        let departure = 1.0 - 4.0 * (phase - 0.5).abs();
        direct(self.middle_m + self.reach_m * departure)
    }
}
