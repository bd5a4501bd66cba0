//! What fits in a frame: the arithmetic behind the window rule. Every counter is charged at its longest, so that a
//! frame that fits when its newest turn is sealed fits for as long as it is sent.

use crate::{frame::TURN_COMMANDS_MAX, turn::HEADER_BITS_MAX};
use match_feed::duel::InputDelay;
use versus_codec::COMMAND_BITS_MAX;

/// Room kept for a checkpoint: its flag, number and trail.
pub const CHECKPOINT_RESERVE_BITS: usize = 1 + 4 + 16;
/// Type, paused, end, rxq and `to`.
const FIXED_BITS: usize = 2 + 1 + 2 + 3 + 16;

/// The bits of an unsigned Exp-Golomb number.
pub(crate) const fn ue_bits(value: u32) -> usize {
    2 * (value as usize + 1).ilog2() as usize + 1
}

/// The bits of a signed Exp-Golomb number.
const fn se_bits(value: i32) -> usize {
    let doubled = value.unsigned_abs() * 2;
    ue_bits(if value > 0 { doubled - 1 } else { doubled })
}

const fn longer(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// The lowest and highest `tickLag` a frame carries.
pub(crate) const fn tick_lag_bounds(delay: InputDelay) -> (i64, i64) {
    let d = delay.ticks() as i64;
    (-d - 1, d)
}

/// The lowest and highest `ack` a frame carries.
pub(crate) const fn ack_bounds(delay: InputDelay) -> (i64, i64) {
    let d = delay.ticks() as i64;
    (-2 * d - 1, 3 * d + 1)
}

/// The longest span that latency alone leaves: the empty turns in flight when nobody orders anything.
pub(crate) const fn latency_span(delay: InputDelay) -> u32 {
    2 * delay.ticks() + 1
}

const fn longest_se((low, high): (i64, i64)) -> usize {
    longer(se_bits(low as i32), se_bits(high as i32))
}

/// A frame's bits with no turn in it, reserve included, but for `nonEmpty`.
const fn base_bits(delay: InputDelay, span: u32) -> usize {
    let latency = latency_span(delay);
    let span = if span > latency { span } else { latency };
    FIXED_BITS
        + ue_bits(span)
        + longest_se(tick_lag_bounds(delay))
        + longest_se(ack_bounds(delay))
        + CHECKPOINT_RESERVE_BITS
}

/// The least capacity with which any command fits once everything before it is acknowledged, in bits.
///
/// Source: the specification's "Minimum capacity"; the format decisions, row `minCapacity(D)`.
#[must_use]
pub const fn min_capacity_bits(delay: InputDelay) -> usize {
    let latency = latency_span(delay);
    base_bits(delay, latency) + ue_bits(1) + ue_bits(latency) + ue_bits(0) + COMMAND_BITS_MAX
}

/// The longest a turn may be on a link of `capacity_bits`.
pub(crate) const fn turn_bits_max(capacity_bits: usize) -> usize {
    let room = capacity_bits.saturating_sub(HEADER_BITS_MAX);
    if room < crate::turn::TURN_BITS_MAX {
        room
    } else {
        crate::turn::TURN_BITS_MAX
    }
}

/// Adds up one frame's bits, turn by turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    delay: InputDelay,
    from: u32,
    next: u32,
    non_empty: u32,
    turn_bits: usize,
}

impl Fit {
    pub(crate) const fn new(delay: InputDelay, from: u32) -> Self {
        Self {
            delay,
            from,
            next: from,
            non_empty: 0,
            turn_bits: 0,
        }
    }

    pub(crate) const fn from(&self) -> u32 {
        self.from
    }

    /// Adds a turn that has commands; turns come in ascending order.
    pub(crate) const fn add(&mut self, turn: u32, commands: u8, bits: usize) {
        self.turn_bits += ue_bits(turn - self.next) + ue_bits(commands as u32 - 1) + bits;
        self.next = turn + 1;
        self.non_empty += 1;
    }

    /// The most bits the frame can come to if it ends at turn `to`.
    pub(crate) const fn bits(&self, to: u32) -> usize {
        base_bits(self.delay, to - self.from) + ue_bits(self.non_empty) + self.turn_bits
    }
}

/// A frame of one turn has at most 57 header bits (its flag included, its checkpoint's 20 bits not).
const _: () = {
    let longest = FIXED_BITS
        + ue_bits(0)
        + longest_se(tick_lag_bounds(InputDelay::MAX))
        + longest_se(ack_bounds(InputDelay::MAX))
        + ue_bits(1)
        + ue_bits(0)
        + ue_bits(TURN_COMMANDS_MAX as u32 - 1)
        + 1;
    assert!(longest == HEADER_BITS_MAX);
};

const _: () = {
    let expected = [175, 175, 177, 177, 183, 183];
    let mut d = InputDelay::MIN.ticks();
    while d <= InputDelay::MAX.ticks() {
        let Some(delay) = InputDelay::new(d as u8) else {
            panic!("3 to 8 ticks")
        };
        assert!(min_capacity_bits(delay) == expected[(d - InputDelay::MIN.ticks()) as usize]);
        d += 1;
    }
};
