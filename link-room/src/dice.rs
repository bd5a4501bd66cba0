//! Seeded chance: one generator for each use, so that switching one on changes no other.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Seeded draws.
pub(crate) struct Dice(Pcg64Mcg);

impl Dice {
    /// The generator for one use of `seed`; `purpose` is a different number for each.
    pub(crate) fn new(seed: u64, purpose: u64) -> Self {
        // An odd multiplier keeps (seed, purpose) pairs apart.
        Self(Pcg64Mcg::seed_from_u64(
            seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ purpose,
        ))
    }

    /// Uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A normal deviate as the sum of twelve uniform ones: tails to 6 σ, and no transcendental function a sample.
    pub(crate) fn normal(&mut self) -> f32 {
        let mut sum = 0;
        for _ in 0..3 {
            let word = self.0.next_u64();
            // Four 16-bit numbers added at once: the even and the odd ones, side by side.
            let pairs = (word & 0x0000_FFFF_0000_FFFF) + ((word >> 16) & 0x0000_FFFF_0000_FFFF);
            sum += (pairs & 0xFFFF_FFFF) + (pairs >> 32);
        }
        sum as f32 / 65_536.0 - (6.0 - 12.0 / 131_072.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_deviates_have_their_moments() {
        let mut dice = Dice::new(1, 0);
        let count = 1_000_000;
        let mut moments = [0.0; 4];
        for _ in 0..count {
            let x = f64::from(dice.normal());
            for (power, moment) in (1..).zip(&mut moments) {
                *moment += x.powi(power) / f64::from(count);
            }
        }
        // Twelve uniform ones: kurtosis 3 − 1.2/12.
        for (moment, wanted) in moments.into_iter().zip([0.0, 1.0, 0.0, 2.9]) {
            assert!((moment - wanted).abs() < 0.02, "{moments:?}");
        }
    }

    #[test]
    fn purposes_are_independent() {
        let mut draws: Vec<u64> = (0..4)
            .flat_map(|seed| (0..64).map(move |purpose| Dice::new(seed, purpose).unit().to_bits()))
            .collect();
        draws.sort_unstable();
        draws.dedup();
        assert_eq!(draws.len(), 4 * 64);
    }
}
