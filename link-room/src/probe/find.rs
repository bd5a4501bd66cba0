//! Where in a recording of any length a measurement's sweep lies: a matched filter, block by block.

use super::{Complex64, Sweep, spectrum};
use rustfft::{Fft, FftPlannerScalar};
use std::{ops::Range, sync::Arc};

/// Samples a transform takes in: eleven seconds.
const BLOCK: usize = 1 << 19;

/// The best place for the sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    /// Where the sweep starts: before the recording, if that begins within it.
    pub(super) at: i64,
    /// How much of what is heard there, within the sweep's range, is the sweep: 1 for a perfect copy.
    pub(super) likeness: f64,
}

/// Looks for one sweep in many stretches.
pub(super) struct Finder {
    length: usize,
    norm: f64,
    key: Vec<Complex64>,
    inside: Range<usize>,
    forward: Arc<dyn Fft<f64>>,
    inverse: Arc<dyn Fft<f64>>,
}

impl Finder {
    pub(super) fn new(sweep: &Sweep, sample_rate_hz: u32) -> Self {
        let signal = sweep.signal(sample_rate_hz);
        let mut planner = FftPlannerScalar::new();
        let (forward, inverse) = (
            planner.plan_fft_forward(BLOCK),
            planner.plan_fft_inverse(BLOCK),
        );
        let energy = signal.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>();
        let mut key = spectrum(&signal);
        key.resize(BLOCK, Complex64::ZERO);
        forward.process(&mut key);
        let bin_hz = f64::from(sample_rate_hz) / BLOCK as f64;
        Self {
            length: signal.len(),
            norm: energy.sqrt(),
            key,
            inside: (sweep.low_hz / bin_hz) as usize..(sweep.high_hz / bin_hz) as usize,
            forward,
            inverse,
        }
    }

    /// Looks for the sweep in all of `recording`, and for one that began before it.
    pub(super) fn find(&self, recording: &[f32]) -> Option<Found> {
        let length = self.length;
        let block = |samples: &[f32]| {
            let mut bins = spectrum(samples);
            bins.resize(BLOCK, Complex64::ZERO);
            self.forward.process(&mut bins);
            bins
        };
        let padded = [&vec![0.0; length], recording, &vec![0.0; length]].concat();
        // Whatever starts in the first part of a block lies in it whole.
        let places = BLOCK - length;
        let mut best: Option<Found> = None;
        for (start, from) in (0..).zip((0..recording.len() + length).step_by(places)) {
            let mut heard = block(&padded[from..padded.len().min(from + BLOCK)]);
            // Positive frequencies of the sweep's range only: rumble does not count, and values are envelopes.
            for (bin, value) in heard.iter_mut().enumerate() {
                if !self.inside.contains(&bin) {
                    *value = Complex64::ZERO;
                }
            }
            let mut matched: Vec<Complex64> = heard
                .iter()
                .zip(&self.key)
                .map(|(heard, key)| heard * key.conj())
                .collect();
            self.inverse.process(&mut heard);
            self.inverse.process(&mut matched);
            let scale = 1.0 / BLOCK as f64;
            // Half the power of a real signal is at its positive frequencies.
            let power = |place: usize| 2.0 * heard[place].norm_sqr() * scale * scale;
            let mut energy: f64 = (0..length).map(power).sum();
            let whole: f64 = energy + (length..BLOCK).map(power).sum::<f64>();
            for (place, value) in matched.iter().enumerate().take(places) {
                // A block that is silent but for a trace is no sweep.
                let likeness = if energy > 1e-9 * whole && energy > 1e-12 {
                    2.0 * value.norm() * scale / (self.norm * energy.sqrt())
                } else {
                    0.0
                };
                if likeness > best.map_or(0.0, |best| best.likeness) {
                    let at = (start * places + place) as i64 - length as i64;
                    best = Some(Found { at, likeness });
                }
                energy += power(place + length) - power(place);
            }
        }
        best
    }
}
