//! Convolution with long impulse responses, in blocks: uniformly partitioned overlap-save.

use link_modem::fft;
use rustfft::{Fft, num_complex::Complex32};
use std::{collections::VecDeque, sync::Arc};

/// Frames a block: input and output of one [`Convolver::process`].
pub(crate) const BLOCK: usize = 128;
const FFT: usize = 2 * BLOCK;
/// Bins that say all of a real signal, rounded up to whole vectors.
const HALF: usize = (FFT / 2 + 1).next_multiple_of(8);

/// Complex numbers as two arrays, which the compiler can multiply in vectors.
#[derive(Clone)]
struct Spectrum {
    re: [f32; FFT],
    im: [f32; FFT],
}

impl Spectrum {
    const ZERO: Self = Self {
        re: [0.0; FFT],
        im: [0.0; FFT],
    };

    fn of(bins: &[Complex32]) -> Self {
        Self {
            re: std::array::from_fn(|i| bins[i].re),
            im: std::array::from_fn(|i| bins[i].im),
        }
    }

    /// `self += a · b` over the first `BINS` bins.
    fn add_product<const BINS: usize>(&mut self, a: &Self, b: &Self) {
        for i in 0..BINS {
            self.re[i] += a.re[i] * b.re[i] - a.im[i] * b.im[i];
            self.im[i] += a.re[i] * b.im[i] + a.im[i] * b.re[i];
        }
    }

    /// Adds the spectrum of a real signal whose first half (and its middle) is in `half`.
    fn add_mirrored(&mut self, half: &Self) {
        for i in 0..=FFT / 2 {
            self.re[i] += half.re[i];
            self.im[i] += half.im[i];
        }
        for i in FFT / 2 + 1..FFT {
            self.re[i] += half.re[FFT - i];
            self.im[i] -= half.im[FFT - i];
        }
    }
}

/// One signal through two responses at once: the pair is one complex response, and so is its output.
pub(crate) struct Convolver {
    forward: Arc<dyn Fft<f32>>,
    inverse: Arc<dyn Fft<f32>>,
    /// Those of which both responses have something, then those that are real: what is long is the peer's.
    partitions: Vec<Spectrum>,
    complex: usize,
    /// Spectra of the newest inputs, newest first, as many as partitions.
    inputs: VecDeque<Spectrum>,
    previous: [f32; BLOCK],
    work: Vec<Complex32>,
    scratch: Vec<Complex32>,
}

impl Convolver {
    /// For the responses in the real and imaginary parts of `response`.
    pub(crate) fn new(response: &[Complex32]) -> Self {
        let (forward, inverse) = fft::pair(FFT);
        let scratch_len = forward
            .get_inplace_scratch_len()
            .max(inverse.get_inplace_scratch_len());
        let mut scratch = vec![Complex32::ZERO; scratch_len];
        let mut work = vec![Complex32::ZERO; FFT];
        let complex = response
            .iter()
            .rposition(|tap| tap.im != 0.0)
            .map_or(0, |last| last / BLOCK + 1);
        let partitions: Vec<Spectrum> = response
            .chunks(BLOCK)
            .map(|taps| {
                work.fill(Complex32::ZERO);
                // rustfft does not scale: the whole of 1/FFT goes here.
                for (out, tap) in work.iter_mut().zip(taps) {
                    *out = tap / FFT as f32;
                }
                forward.process_with_scratch(&mut work, &mut scratch);
                Spectrum::of(&work)
            })
            .collect();
        let inputs = vec![Spectrum::ZERO; partitions.len()].into();
        Self {
            forward,
            inverse,
            partitions,
            complex,
            inputs,
            previous: [0.0; BLOCK],
            work,
            scratch,
        }
    }

    /// The next block through both responses. Two transforms, and for each partition a product of half a spectrum or, where
    /// the response is not real, of a whole one.
    pub(crate) fn process(&mut self, block: &[f32; BLOCK]) -> [Complex32; BLOCK] {
        let both = self.previous.iter().chain(block);
        for (out, &sample) in self.work.iter_mut().zip(both) {
            *out = Complex32::new(sample, 0.0);
        }
        self.previous = *block;
        self.forward
            .process_with_scratch(&mut self.work, &mut self.scratch);
        self.inputs.rotate_right(1);
        self.inputs[0] = Spectrum::of(&self.work);

        let mut sum = Spectrum::ZERO;
        let mut half = Spectrum::ZERO;
        for (i, (partition, input)) in self.partitions.iter().zip(&self.inputs).enumerate() {
            if i < self.complex {
                sum.add_product::<FFT>(partition, input);
            } else {
                half.add_product::<HALF>(partition, input);
            }
        }
        sum.add_mirrored(&half);
        for (out, (&re, &im)) in self.work.iter_mut().zip(sum.re.iter().zip(&sum.im)) {
            *out = Complex32::new(re, im);
        }
        self.inverse
            .process_with_scratch(&mut self.work, &mut self.scratch);
        std::array::from_fn(|i| self.work[BLOCK + i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;

    #[test]
    fn it_is_the_sum_that_convolution_is() {
        let mut dice = Dice::new(1, 0);
        let response: Vec<Complex32> = (0..3 * BLOCK + 17)
            .map(|i| {
                // The second response ends first, within a block.
                let second = if i < BLOCK + 5 { dice.normal() } else { 0.0 };
                Complex32::new(dice.normal(), second)
            })
            .collect();
        let signal: Vec<f32> = (0..8 * BLOCK).map(|_| dice.normal()).collect();
        let mut convolver = Convolver::new(&response);
        let (blocks, _) = signal.as_chunks::<BLOCK>();
        let convolved: Vec<Complex32> = blocks
            .iter()
            .flat_map(|block| convolver.process(block))
            .collect();
        for (n, value) in convolved.iter().enumerate() {
            let slow: Complex32 = response
                .iter()
                .take(n + 1)
                .enumerate()
                .map(|(k, tap)| tap * signal[n - k])
                .sum();
            assert!(
                (value - slow).norm() < 1e-3,
                "frame {n}: {value} against {slow}"
            );
        }
    }
}
