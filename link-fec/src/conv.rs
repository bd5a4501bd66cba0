//! The convolutional code: rate ½, constraint length 7, generators 133 and 171 (octal).
//!
//! The newest bit is at each generator's most significant tap. The state here keeps the newest bit *lowest*, so
//! the generators appear bit-reversed; [`crate::viterbi`] then reads its trellis in order.

/// States of the encoder: the last six bits.
pub const STATES: usize = 64;

/// 133 octal, reversed: delays 0, 2, 3, 5, 6.
const GENERATOR_0: u8 = reversed(0o133);
/// 171 octal, reversed: delays 0, 1, 2, 3, 6.
const GENERATOR_1: u8 = reversed(0o171);

const fn reversed(generator: u8) -> u8 {
    generator.reverse_bits() >> 1
}

// The butterfly of the decoder needs both branches into and out of a state to be complements.
const _: () = assert!(GENERATOR_0 & GENERATOR_1 & 0b100_0001 == 0b100_0001);

/// The two coded bits for a register of seven bits, newest lowest: coded bit `2i`, then `2i + 1`.
#[must_use]
pub const fn outputs(register: u8) -> (u8, u8) {
    OUTPUTS[register as usize % OUTPUTS.len()]
}

/// Every register's output: looking up is quicker than counting bits where the machine has no instruction for it.
const OUTPUTS: [(u8, u8); 2 * STATES] = {
    let mut outputs = [(0, 0); 2 * STATES];
    let mut register = 0;
    while register < outputs.len() {
        outputs[register] = (
            ((register as u8 & GENERATOR_0).count_ones() & 1) as u8,
            ((register as u8 & GENERATOR_1).count_ones() & 1) as u8,
        );
        register += 1;
    }
    outputs
};

/// The encoder, one bit at a time, from the zero state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoder {
    state: u8,
}

impl Encoder {
    /// Takes one bit (0 or 1) and gives two.
    pub const fn push(&mut self, bit: u8) -> (u8, u8) {
        let register = (self.state << 1) | (bit & 1);
        self.state = register & (STATES as u8 - 1);
        outputs(register)
    }
}
