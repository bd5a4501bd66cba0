//! The soft Viterbi decoder of the code in [`crate::conv`]: zero state to zero state.
//!
//! Sixteen-bit metrics, laid out so that the compiler turns the trellis step into vector instructions: reads are two
//! contiguous halves, and both branches of a butterfly are one addition and one subtraction of the same number.

use crate::{
    INFO_BITS_MAX,
    conv::{STATES, outputs},
};

/// Half the states: the butterflies of one trellis step.
const BUTTERFLIES: usize = STATES / 2;

/// The largest quantised soft bit.
///
/// The best metric grows by at most two of these a step, and no state falls behind it by more than 24 of them (12
/// coded bits lead from any state to any other, and each can cost what the other gained): no metric needs normalising in a block of
/// [`INFO_BITS_MAX`] steps. At 77 for four times the mean, the rounding error is −27 dB of the noise at the edge of
/// range: the frame error rate stays that of a float decoder.
pub const SOFT_MAX: i16 = 77;

/// The start metric of the states a packet cannot start in: out of reach after the six steps that forget them.
const UNREACHABLE: i16 = -25 * SOFT_MAX;

const _: () = assert!(2 * INFO_BITS_MAX as i32 * SOFT_MAX as i32 <= i16::MAX as i32);
const _: () = assert!(2 * UNREACHABLE as i32 - 24 * SOFT_MAX as i32 > i16::MIN as i32);

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
    of_input: [[u8; BUTTERFLIES]; 2],
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
/// Every one of the four branches of a butterfly has plus or minus the same metric.
#[inline]
fn step(
    metrics: &[i16; STATES],
    first: i16,
    second: i16,
    survivors: &mut Survivors,
) -> [i16; STATES] {
    let (lower, upper) = metrics.split_at(BUTTERFLIES);
    let (lower, upper): (&[i16; BUTTERFLIES], &[i16; BUTTERFLIES]) = (
        lower.try_into().expect("half"),
        upper.try_into().expect("half"),
    );
    let mut next = [0; STATES];
    let [of_zero, of_one] = &mut survivors.of_input;
    for j in 0..BUTTERFLIES {
        let branch = first * SIGN_0[j] + second * SIGN_1[j];
        let (zero_low, zero_up) = (lower[j] + branch, upper[j] - branch);
        let (one_low, one_up) = (lower[j] - branch, upper[j] + branch);
        of_zero[j] = u8::from(zero_up > zero_low);
        of_one[j] = u8::from(one_up > one_low);
        next[2 * j] = zero_low.max(zero_up);
        next[2 * j + 1] = one_low.max(one_up);
    }
    next
}
