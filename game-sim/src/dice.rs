//! Seeded randomness whose whole state is two numbers.

use crate::canon::{Canon, Reader, Sink};
use core::fmt;
use rand_core::Rng as _;
use rand_pcg::Lcg64Xsh32;

/// A PCG-32 generator that knows how often it was asked, so that it can be saved and restored.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Dice {
    seed: u64,
    stream: u64,
    drawn: u64,
    rng: Lcg64Xsh32,
}

impl Dice {
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let rng = Lcg64Xsh32::new(seed, stream);
        Self {
            seed,
            stream,
            drawn: 0,
            rng,
        }
    }

    /// A number below `end`, which is not 0. Draws once; the bias is below `end` in 2³².
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        // The generator's period is 2⁶⁴ too, so the count stays exact when it wraps.
        self.drawn = self.drawn.wrapping_add(1);
        ((u64::from(self.rng.next_u32()) * u64::from(end)) >> 32) as u32
    }

    /// A number in `low..=high`.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low) as u32 + 1) as i32
    }
}

impl fmt::Debug for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dice({:x}, {} drawn)", self.seed, self.drawn)
    }
}

impl Canon for Dice {
    fn write(&self, out: &mut impl Sink) {
        self.seed.write(out);
        self.stream.write(out);
        self.drawn.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let mut dice = Self::new(u64::read(from)?, u64::read(from)?);
        dice.drawn = u64::read(from)?;
        dice.rng.advance(dice.drawn);
        Some(dice)
    }
}
