//! What the tests share: the four shapes, seeded noise, and soft values from slots.
#![allow(dead_code, reason = "each test file uses its own part")]

use link_fec::PacketShape;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub(crate) const SHAPES: [(&str, &str, PacketShape); 4] = [
    ("high", "fast", PacketShape::HIGH_FAST),
    ("high", "robust", PacketShape::HIGH_ROBUST),
    ("low", "fast", PacketShape::LOW_FAST),
    ("low", "robust", PacketShape::LOW_ROBUST),
];

pub(crate) fn shape(plan: &str, mode: &str) -> PacketShape {
    let (.., shape) = SHAPES
        .into_iter()
        .find(|&(p, m, _)| (p, m) == (plan, mode))
        .expect("a known shape");
    shape
}

/// Seeded randomness with the few draws the tests need.
pub(crate) struct Dice(Pcg64Mcg);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    pub(crate) fn payload(&mut self, shape: &PacketShape) -> [u8; 24] {
        let mut payload = [0; 24];
        self.0.fill_bytes(&mut payload);
        let spare = 8 * payload.len() - shape.payload_bits();
        payload[23] &= 0xFF << spare;
        payload
    }

    /// Uniform in (0, 1).
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 + f64::MIN_POSITIVE
    }

    /// Two independent normal deviates.
    pub(crate) fn normals(&mut self) -> [f64; 2] {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        let angle = std::f64::consts::TAU * self.unit();
        [radius * angle.cos(), radius * angle.sin()]
    }

    /// A bell-shaped deviate of unit variance from four uniform ones: its tails end at 3.5 σ, and it is quick.
    pub(crate) fn quick_normal(&mut self) -> f32 {
        let word = self.0.next_u64();
        let sum: f32 = [0, 16, 32, 48]
            .map(|shift| ((word >> shift) & 0xFFFF) as f32)
            .iter()
            .sum();
        (sum / 65536.0 - 2.0) * 3_f32.sqrt()
    }
}

/// +1 for a 0, −1 for a 1.
pub(crate) fn perfect(slots: &[u8]) -> Vec<f32> {
    slots
        .iter()
        .map(|&slot| 1.0 - 2.0 * f32::from(slot))
        .collect()
}
