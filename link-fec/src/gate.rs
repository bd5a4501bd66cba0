//! The agreement gate: does what was decoded look like what was heard?
//!
//! A checksum of 16 bits alone lets one garbage packet in 65,536 through for each start value tried. The decoded
//! bits are therefore encoded again and compared with the hard decisions: noise can only be fitted so well.

use crate::conv::Encoder;

/// Of how many coded bits one may disagree: 10 %. A real packet disagrees in 0–1 % at working signal-to-noise ratio
/// and 7–12 % at the edge of range; noise in 11.4 % at the least. Source: the specification's "Decoding", gate.
pub const CODED_BITS_PER_DISAGREEMENT: usize = 10;

/// How many erased bits weigh as much as one disagreement.
///
/// An erased bit (a soft value of zero) has no hard decision to disagree with. But each one frees the decoder to
/// fit the rest of a garbage packet better, by about one disagreement in five and a half erasures; charging a
/// quarter each keeps garbage at least as far over the gate as it is without erasures, whatever share is missing.
pub const ERASURES_PER_DISAGREEMENT: usize = 4;

/// True if a packet with this many disagreements is to be rejected.
#[must_use]
pub const fn rejects(disagreements: usize, coded_bits: usize) -> bool {
    disagreements * CODED_BITS_PER_DISAGREEMENT > coded_bits
}

/// How many of `soft` (positive = 0, in code order) disagree in sign with the code word of `info`, erasures charged.
#[must_use]
pub fn disagreements(info: &[u8], soft: &[f32]) -> usize {
    let mut encoder = Encoder::default();
    let (mut wrong, mut erased) = (0, 0);
    for (&bit, pair) in info.iter().zip(soft.chunks_exact(2)) {
        let (first, second) = encoder.push(bit);
        for (coded, &value) in [first, second].into_iter().zip(pair) {
            // Without a branch: on garbage every one would be guessed wrong half the time.
            let agreement = value * (1.0 - 2.0 * f32::from(coded));
            erased += usize::from(value == 0.0);
            wrong += usize::from(agreement < 0.0);
        }
    }
    wrong + erased.div_ceil(ERASURES_PER_DISAGREEMENT)
}
