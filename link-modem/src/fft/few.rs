//! Transforms of any length out of few parts, for processors without vectors that the library knows, the web above all, where
//! code is time to load: the library's own planner brings unrolled code for every small prime and many sizes, more of it
//! than the whole modem.

use super::Transform;
use rustfft::{
    FftDirection,
    algorithm::{
        BluesteinsAlgorithm, MixedRadix, Radix4,
        butterflies::{
            Butterfly1, Butterfly2, Butterfly3, Butterfly4, Butterfly5, Butterfly7, Butterfly8,
        },
    },
};
use std::sync::Arc;

/// Plans transforms, each length and direction once.
pub(crate) struct Planner {
    planned: Vec<Transform>,
}

impl Planner {
    pub(crate) fn new() -> Self {
        let planned = Vec::new();
        Self { planned }
    }

    pub(crate) fn plan_fft_forward(&mut self, len: usize) -> Transform {
        self.plan(len, FftDirection::Forward)
    }

    pub(crate) fn plan_fft_inverse(&mut self, len: usize) -> Transform {
        self.plan(len, FftDirection::Inverse)
    }

    fn plan(&mut self, len: usize, direction: FftDirection) -> Transform {
        let same = |one: &&Transform| one.len() == len && one.fft_direction() == direction;
        if let Some(planned) = self.planned.iter().find(same) {
            return Arc::clone(planned);
        }
        let planned = transform(len, direction);
        self.planned.push(Arc::clone(&planned));
        planned
    }
}

/// Powers of two by fours; threes, fives and sevens around them; whatever is left, which common sample rates do not have,
/// as a convolution.
fn transform(len: usize, direction: FftDirection) -> Transform {
    let twos = len.trailing_zeros();
    let mut rest = len >> twos;
    let mut planned = power_of_two(twos, direction);
    for (factor, small) in [
        (3, Arc::new(Butterfly3::new(direction)) as Transform),
        (5, Arc::new(Butterfly5::new(direction))),
        (7, Arc::new(Butterfly7::new(direction))),
    ] {
        while rest.is_multiple_of(factor) {
            rest /= factor;
            planned = Arc::new(MixedRadix::new(Arc::clone(&small), planned));
        }
    }
    if rest > 1 {
        // Room for the convolution without its wrapping round.
        let inner = (2 * rest - 1).next_power_of_two().trailing_zeros();
        let odd = BluesteinsAlgorithm::new(rest, power_of_two(inner, direction));
        planned = Arc::new(MixedRadix::new(Arc::new(odd), planned));
    }
    planned
}

fn power_of_two(twos: u32, direction: FftDirection) -> Transform {
    match twos {
        0 => Arc::new(Butterfly1::new(direction)),
        1 => Arc::new(Butterfly2::new(direction)),
        2 => Arc::new(Butterfly4::new(direction)),
        3 => Arc::new(Butterfly8::new(direction)),
        _ => Arc::new(Radix4::new_with_base(
            twos / 2 - 1,
            power_of_two(2 + twos % 2, direction),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustfft::{FftPlanner, num_complex::Complex32};

    /// Symbols at common sample rates and at 44.2 kHz (8 · 13 · 17), searches, and every small length.
    #[test]
    fn they_agree_with_the_librarys_own_plans() {
        let (mut ours, mut whole) = (Planner::new(), FftPlanner::new());
        for len in (1..=70).chain([882, 960, 1024, 1764, 1768, 1920, 2048, 3528, 3840, 4096]) {
            let input: Vec<Complex32> = (0..len)
                .map(|i| Complex32::new((0.37 * i as f32).sin(), (1.91 * i as f32).cos()))
                .collect();
            for direction in [FftDirection::Forward, FftDirection::Inverse] {
                let (mut found, mut wanted) = (input.clone(), input.clone());
                let planned = match direction {
                    FftDirection::Forward => ours.plan_fft_forward(len),
                    FftDirection::Inverse => ours.plan_fft_inverse(len),
                };
                planned.process(&mut found);
                whole.plan_fft(len, direction).process(&mut wanted);
                let off: f32 = found
                    .iter()
                    .zip(&wanted)
                    .map(|(a, b)| (a - b).norm_sqr())
                    .sum();
                let power: f32 = wanted.iter().map(|z| z.norm_sqr()).sum();
                assert!(off < 1e-11 * power, "{len} {direction:?}: {off} of {power}");
            }
        }
        assert_eq!(ours.planned.len(), 160);
    }
}
