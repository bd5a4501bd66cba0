//! Where in a recording of any length a measurement's sweep lies: a matched filter, block by block.

use super::{Complex64, Sweep, spectrum};
use rustfft::FftPlannerScalar;

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

/// Looks for the sweep in all of `recording`, and for one that began before it.
pub(super) fn find(sweep: &Sweep, recording: &[f32], sample_rate_hz: u32) -> Option<Found> {
    let signal = sweep.signal(sample_rate_hz);
    let length = signal.len();
    let mut planner = FftPlannerScalar::new();
    let (forward, inverse) = (
        planner.plan_fft_forward(BLOCK),
        planner.plan_fft_inverse(BLOCK),
    );
    let block = |samples: &[f32]| {
        let mut bins = spectrum(samples);
        bins.resize(BLOCK, Complex64::ZERO);
        forward.process(&mut bins);
        bins
    };
    let key = block(&signal);
    let signal_norm = signal
        .iter()
        .map(|&x| f64::from(x).powi(2))
        .sum::<f64>()
        .sqrt();
    let bin_hz = f64::from(sample_rate_hz) / BLOCK as f64;
    let inside = (sweep.low_hz / bin_hz) as usize..(sweep.high_hz / bin_hz) as usize;
    let padded = [&vec![0.0; length], recording, &vec![0.0; length]].concat();
    // Whatever starts in the first part of a block lies in it whole.
    let places = BLOCK - length;
    let mut best: Option<Found> = None;
    for (start, from) in (0..).zip((0..recording.len() + length).step_by(places)) {
        let mut heard = block(&padded[from..padded.len().min(from + BLOCK)]);
        // Positive frequencies of the sweep's range only: rumble does not count, and values are envelopes.
        for (bin, value) in heard.iter_mut().enumerate() {
            if !inside.contains(&bin) {
                *value = Complex64::ZERO;
            }
        }
        let mut matched: Vec<Complex64> = heard
            .iter()
            .zip(&key)
            .map(|(heard, key)| heard * key.conj())
            .collect();
        inverse.process(&mut heard);
        inverse.process(&mut matched);
        let scale = 1.0 / BLOCK as f64;
        // Half the power of a real signal is at its positive frequencies.
        let power = |place: usize| 2.0 * heard[place].norm_sqr() * scale * scale;
        let mut energy: f64 = (0..length).map(power).sum();
        let whole: f64 = energy + (length..BLOCK).map(power).sum::<f64>();
        for (place, value) in matched.iter().enumerate().take(places) {
            // A block that is silent but for a trace is no sweep.
            let likeness = if energy > 1e-9 * whole && energy > 1e-12 {
                2.0 * value.norm() * scale / (signal_norm * energy.sqrt())
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
