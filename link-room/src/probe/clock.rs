//! Two clocks in a measurement: how much faster the recorder's ran, and the recording as the player's would have made it.

use super::{Complex64, Probe};
use crate::kernel::lowpass;
use std::f64::consts::TAU;

/// Clocks further apart than this belong to no two devices that work. Found among a few more, so as to be told.
pub(super) const PPM_MAX: f64 = 1000.0;
const PPM_STEP: f64 = 10.0;
/// Symbols between which the clock is told coarsely, then finely: over twenty, 47 ppm are half a turn.
pub(super) const COARSE_SYMBOLS: usize = 1;
pub(super) const FINE_SYMBOLS: usize = 20;
/// Rounds of a straight line through phases that are already near it.
const ROUNDS: usize = 4;

/// How much faster the recording's clock ran than the signal's, parts per million: the tones' phases turn by it from each
/// symbol to the one `apart` later, the more the higher the tone.
pub(super) fn ppm_of(
    probe: &Probe,
    received: &[Vec<Complex64>],
    apart: usize,
    sample_rate_hz: u32,
) -> f64 {
    let tones = received.first().map_or(0, Vec::len);
    let symbol_s = (probe.useful_ms + probe.prefix_ms) / 1000.0;
    let turned: Vec<(f64, Complex64)> = (0..tones)
        .map(|tone| {
            // A faster clock makes everything last longer: each symbol comes later than the window that reads it.
            let per_ppm =
                -TAU * probe.tone_hz(tone, sample_rate_hz) * symbol_s * apart as f64 * 1e-6;
            let pairs = received.iter().zip(received.iter().skip(apart));
            let sum = pairs
                .map(|(one, other)| other[tone] * one[tone].conj())
                .sum();
            (per_ppm, sum)
        })
        .collect();
    let agreement = |ppm: f64| -> f64 {
        let aligned = turned
            .iter()
            .map(|(per_ppm, sum)| (sum * Complex64::from_polar(1.0, -per_ppm * ppm)).re);
        aligned.sum()
    };
    // Beyond half a turn of the highest tone there are others that look the same.
    let steepest = turned
        .iter()
        .map(|(per_ppm, _)| per_ppm.abs())
        .fold(0.0, f64::max);
    let within = (0.5 * TAU / steepest.max(1e-12)).min(1.5 * PPM_MAX);
    let steps = (within / PPM_STEP).ceil() as i32;
    let candidates = (-steps..=steps).map(|step| f64::from(step) * within / f64::from(steps));
    let mut ppm = candidates
        .max_by(|a, b| agreement(*a).total_cmp(&agreement(*b)))
        .unwrap_or(0.0);
    for _ in 0..ROUNDS {
        let (mut slope, mut weight) = (0.0, 0.0);
        for (per_ppm, sum) in &turned {
            let off = (sum * Complex64::from_polar(1.0, -per_ppm * ppm)).arg();
            slope += sum.norm() * per_ppm * off;
            weight += sum.norm() * per_ppm * per_ppm;
        }
        if weight > 0.0 {
            ppm += slope / weight;
        }
    }
    ppm
}

/// Kernels for places between two samples; between kernels, values are interpolated linearly.
const PHASES: usize = 512;
/// Samples on either side that a value rests on: the transition is then 2.9 kHz at 48 kHz.
const HALF: usize = 48;

/// The recording as read every `step` of its samples: `step` over 1 makes it shorter.
pub(super) fn resampled(recording: &[f32], step: f64) -> Vec<f32> {
    let half = (HALF as f64 * step.max(1.0)).ceil() as usize;
    let taps = 2 * half;
    let cutoff = 0.5 / step.max(1.0);
    let kernels: Vec<f32> = (0..=PHASES)
        .flat_map(|phase| {
            (0..taps).map(move |tap| {
                let x = tap as f64 - (half as f64 - 1.0) - phase as f64 / PHASES as f64;
                lowpass(x, cutoff, half as f64) as f32
            })
        })
        .collect();
    let count = (recording.len() as f64 / step) as usize;
    let mut padded = vec![0.0; half];
    padded.extend_from_slice(recording);
    padded.resize(recording.len() + 2 * half + 1, 0.0);
    (0..count)
        .map(|i| {
            let place = i as f64 * step;
            let whole = place.floor();
            let window = &padded[whole as usize + 1..][..taps];
            let phase = (place - whole) * PHASES as f64;
            let index = (phase as usize).min(PHASES - 1);
            let kernel = |index: usize| -> f32 {
                let kernel = &kernels[index * taps..][..taps];
                window.iter().zip(kernel).map(|(x, k)| x * k).sum()
            };
            let (below, above) = (kernel(index), kernel(index + 1));
            below + (above - below) * (phase - index as f64) as f32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resampled_tone_is_the_tone_at_another_rate() {
        let tone =
            |hz: f64, rate_hz: f64| move |i: usize| (TAU * hz * i as f64 / rate_hz).sin() as f32;
        for hz in [1_000.0, 19_500.0] {
            let at_44: Vec<f32> = (0..44_100).map(tone(hz, 44_100.0)).collect();
            let heard = resampled(&at_44, 44_100.0 / 48_000.0);
            assert_eq!(heard.len(), 48_000);
            let wanted = tone(hz, 48_000.0);
            let off = (1_000..47_000).map(|i| (heard[i] - wanted(i)).abs());
            assert!(off.fold(0.0, f32::max) < 0.01, "{hz} Hz");
        }
    }
}
