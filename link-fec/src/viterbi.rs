//! The soft Viterbi decoder of the code in [`crate::conv`]: zero state to zero state.
//!
//! Sixteen-bit metrics, laid out so that the compiler turns the trellis step into vector instructions: reads are two
//! contiguous halves, and both branches of a butterfly are one addition and one subtraction of the same number.

use core::array;

use crate::{
    INFO_BITS_MAX,
    conv::{STATES, outputs},
};

/// Half the states: the butterflies of one trellis step.
const BUTTERFLIES: usize = STATES / 2;

/// Metrics that fit one 128-bit vector.
const LANES: usize = 8;
type Lane = [i16; LANES];

/// The largest quantised soft bit.
///
/// The best metric grows by at most two of these a step, and no state falls behind it by more than 24 of them (12
/// coded bits lead from any state to any other, and each can cost what the other gained): no metric needs
/// normalising in a block of [`INFO_BITS_MAX`] steps. With 77 at four times the mean, rounding adds 33 dB less
/// noise than there is at 3 dB per bit: the frame error rate stays that of a float decoder.
pub const SOFT_MAX: i16 = 77;

/// The start metric of the states a packet cannot start in: out of reach after the six steps that forget them.
const UNREACHABLE: i16 = -25 * SOFT_MAX;

const _: () = assert!(2 * INFO_BITS_MAX as i32 * SOFT_MAX as i32 <= i16::MAX as i32);
const _: () = assert!(UNREACHABLE as i32 - 24 * SOFT_MAX as i32 > i16::MIN as i32);

/// +1 where the first coded bit of the branch from butterfly `j` with input 0 is 0, else −1.
const SIGN_0: [i16; BUTTERFLIES] = signs(false);
/// The same for the second coded bit.
const SIGN_1: [i16; BUTTERFLIES] = signs(true);

const fn signs(second: bool) -> [i16; BUTTERFLIES] {
    let mut signs = [0; BUTTERFLIES];
    let mut j = 0;
    while j < BUTTERFLIES {
        let (first_bit, second_bit) = outputs(2 * j as u8);
        signs[j] = 1 - 2 * (if second { second_bit } else { first_bit }) as i16;
        j += 1;
    }
    signs
}

/// One trellis step's survivors: nonzero where state `2j + input` was reached from the upper half (`j + 32`).
#[derive(Clone, Copy)]
struct Survivors {
    of_input: [[i8; BUTTERFLIES]; 2],
}

/// Room for one block's survivors: 13 kB, no heap.
#[derive(Clone)]
pub struct Viterbi {
    survivors: [Survivors; INFO_BITS_MAX],
}

impl Default for Viterbi {
    fn default() -> Self {
        Self::new()
    }
}

impl Viterbi {
    /// An idle decoder.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            survivors: [Survivors {
                of_input: [[0; BUTTERFLIES]; 2],
            }; INFO_BITS_MAX],
        }
    }

    /// Decodes `soft` (two values a bit, positive = 0, at most [`SOFT_MAX`] in magnitude) into `info` (one bit a byte,
    /// tail included).
    ///
    /// # Panics
    /// If there are more than [`INFO_BITS_MAX`] bits, or not two soft values for each.
    pub fn decode(&mut self, soft: &[i16], info: &mut [u8]) {
        assert_eq!(soft.len(), 2 * info.len(), "two soft values a bit");
        let survivors = &mut self.survivors[..info.len()];
        debug_assert!(
            soft.iter()
                .all(|value| value.unsigned_abs() <= SOFT_MAX.unsigned_abs())
        );

        let mut metrics = [UNREACHABLE; STATES];
        metrics[0] = 0;
        for (pair, survivors) in soft.chunks_exact(2).zip(survivors.iter_mut()) {
            metrics = step(&metrics, pair[0], pair[1], survivors);
        }

        let mut state = 0_usize;
        for (bit, survivors) in info.iter_mut().zip(survivors.iter()).rev() {
            let input = state & 1;
            *bit = input as u8;
            let upper = survivors.of_input[input][state >> 1] != 0;
            state = (state >> 1) + if upper { BUTTERFLIES } else { 0 };
        }
    }
}

/// One step of the trellis: from state `j` or `j + 32` to `2j` (input 0) or `2j + 1` (input 1).
///
/// Every one of the four branches of a butterfly has plus or minus the same metric. Nothing here can overflow (see
/// [`SOFT_MAX`]); the arithmetic wraps so that overflow checks do not keep test builds from using vectors.
#[inline]
fn step(
    metrics: &[i16; STATES],
    first: i16,
    second: i16,
    survivors: &mut Survivors,
) -> [i16; STATES] {
    let mut next = [0; STATES];
    for base in (0..BUTTERFLIES).step_by(LANES) {
        let lane = |from: &[i16], at: usize| -> Lane { array::from_fn(|i| from[at + i]) };
        let (lower, upper) = (lane(metrics, base), lane(metrics, base + BUTTERFLIES));
        let (sign_0, sign_1) = (lane(&SIGN_0, base), lane(&SIGN_1, base));
        let branch: Lane = array::from_fn(|i| {
            first
                .wrapping_mul(sign_0[i])
                .wrapping_add(second.wrapping_mul(sign_1[i]))
        });
        let zero_low: Lane = array::from_fn(|i| lower[i].wrapping_add(branch[i]));
        let zero_up: Lane = array::from_fn(|i| upper[i].wrapping_sub(branch[i]));
        let one_low: Lane = array::from_fn(|i| lower[i].wrapping_sub(branch[i]));
        let one_up: Lane = array::from_fn(|i| upper[i].wrapping_add(branch[i]));
        let zero: Lane = array::from_fn(|i| zero_low[i].max(zero_up[i]));
        let one: Lane = array::from_fn(|i| one_low[i].max(one_up[i]));
        for i in 0..LANES {
            survivors.of_input[0][base + i] = i8::from(zero_up[i] > zero_low[i]).wrapping_neg();
            survivors.of_input[1][base + i] = i8::from(one_up[i] > one_low[i]).wrapping_neg();
            next[2 * (base + i)] = zero[i];
            next[2 * (base + i) + 1] = one[i];
        }
    }
    next
}
