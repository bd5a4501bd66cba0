//! The way between two phones that move: its length, and so the direct sound's delay and level, at any time.

use crate::{
    dice::Dice,
    echoes::{Echo, direct},
    troubles::Motion,
};

/// The phones never come closer than this share of their configured distance.
const CLOSEST_SHARE: f64 = 0.1;

/// Turning round takes this long: nothing that is held stops dead.
const TURN_S: f64 = 0.3;

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
        if self.reach_m <= 0.0 || self.speed_m_s <= 0.0 {
            return direct(self.middle_m);
        }
        // A cycle is four reaches long: out, back, in, back.
        let cycle_s = 4.0 * self.reach_m / self.speed_m_s;
        let cycles = self.start + room_s / cycle_s;
        let phase = cycles - cycles.floor();
        // Straight between the turns, a parabola through each.
        let half_turn = (TURN_S / 2.0 / cycle_s).min(0.25);
        let (side, from_turn) = if (0.25..0.75).contains(&phase) {
            (1.0, (phase - 0.5).abs())
        } else {
            (-1.0, (phase - phase.round()).abs())
        };
        let departure = side
            * if from_turn < half_turn {
                1.0 - 2.0 * half_turn - 2.0 * from_turn * from_turn / half_turn
            } else {
                1.0 - 4.0 * from_turn
            };
        direct(self.middle_m + self.reach_m * departure)
    }
}
