//! Reads a recording at places between its samples, and tells how much later or earlier than they should a part's symbols
//! come: the recorder's clock against the player's, also where it wanders.

use super::{Complex64, Probe, RATE_HZ};
use crate::kernel::lowpass;
use rustfft::{Fft, FftPlannerScalar};
use std::{f64::consts::TAU, sync::Arc};

/// Clocks further apart than this belong to no two devices that work. Found among a few more, so as to be told.
pub(super) const PPM_MAX: f64 = 1000.0;
/// How finely a clock is looked for.
const PPM_STEP: f64 = 10.0;
/// Rounds of reading a part again by what the round before has told.
const ROUNDS: usize = 3;
/// A part's delay is a polynomial of this many terms: a clock that wanders slowly is no more within a second.
const TERMS: usize = 4;

/// Kernels for places between two samples; between kernels, values are interpolated linearly.
const PHASES: usize = 512;
/// Samples on either side that a value rests on: the transition is then 2.9 kHz at 48 kHz.
const HALF: usize = 48;

/// Reads samples at any places, `step` of them apart.
pub(super) struct Interpolator {
    half: usize,
    kernels: Vec<f32>,
}

impl Interpolator {
    /// For steps of about `step` samples: over 1 the band narrows with it.
    pub(super) fn new(step: f64) -> Self {
        let half = (HALF as f64 * step.max(1.0)).ceil() as usize;
        let cutoff = 0.5 / step.max(1.0);
        let kernels = (0..=PHASES)
            .flat_map(|phase| {
                (0..2 * half).map(move |tap| {
                    let x = tap as f64 - (half as f64 - 1.0) - phase as f64 / PHASES as f64;
                    lowpass(x, cutoff, half as f64) as f32
                })
            })
            .collect();
        Self { half, kernels }
    }

    /// The signal at `place`; before its start and after its end it is silent.
    pub(super) fn at(&self, signal: &[f32], place: f64) -> f32 {
        let taps = 2 * self.half;
        let whole = place.floor();
        let first = whole as i64 - (self.half as i64 - 1);
        let phase = (place - whole) * PHASES as f64;
        let index = (phase as usize).min(PHASES - 1);
        let share = (phase - index as f64) as f32;
        let kernel = |index: usize| &self.kernels[index * taps..][..taps];
        let (below, above) = (kernel(index), kernel(index + 1));
        let sum = |window: &[f32], from: usize| {
            let kernels = below[from..].iter().zip(&above[from..]);
            let terms = window.iter().zip(kernels);
            terms
                .map(|(x, (below, above))| x * (below + (above - below) * share))
                .sum::<f32>()
        };
        let end = first + taps as i64;
        if first >= 0 && end <= signal.len() as i64 {
            return sum(&signal[first as usize..end as usize], 0);
        }
        let from = first.clamp(0, signal.len() as i64);
        let to = end.clamp(from, signal.len() as i64);
        sum(&signal[from as usize..to as usize], (from - first) as usize)
    }
}

/// The recording as read every `step` of its samples: `step` over 1 makes it shorter.
pub(super) fn resampled(recording: &[f32], step: f64) -> Vec<f32> {
    let read = Interpolator::new(step);
    let count = (recording.len() as f64 / step) as usize;
    (0..count)
        .map(|i| read.at(recording, i as f64 * step))
        .collect()
}

/// How late a part's symbols come: seconds, by seconds from its first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Delay([f64; TERMS]);

impl Delay {
    pub(super) fn line(at_start_s: f64, slope: f64) -> Self {
        Self([at_start_s, slope, 0.0, 0.0])
    }

    pub(super) fn at(&self, t: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, term| sum * t + term)
    }

    /// How fast it grows: the clock's error there.
    pub(super) fn slope(&self, t: f64) -> f64 {
        let [_, one, two, three] = self.0;
        one + t * (2.0 * two + t * 3.0 * three)
    }
}

/// One part of the measurement being read: symbols of a [`Probe`], the first starting at `start_s`.
pub(super) struct Part<'a> {
    pub(super) probe: Probe,
    /// Where each symbol begins in the recording but for [`Self::delay`], seconds: blocks lost or repeated are in it.
    pub(super) starts_s: Vec<f64>,
    /// Symbols that something happened to.
    pub(super) is_hit: Vec<bool>,
    pub(super) heard: &'a [f32],
    pub(super) read: &'a Interpolator,
    pub(super) delay: Delay,
}

impl Part<'_> {
    fn symbol_s(&self) -> f64 {
        (self.probe.useful_ms + self.probe.prefix_ms) / 1000.0
    }

    /// What the channel did to each tone in each symbol, the windows following [`Self::delay`].
    pub(super) fn rows(&self, fft: &Arc<dyn Fft<f64>>) -> Vec<Vec<Complex64>> {
        let rate = f64::from(RATE_HZ);
        let useful = Probe::samples(self.probe.useful_ms, RATE_HZ);
        let lead_s = (self.probe.prefix_ms - self.probe.backoff_ms) / 1000.0;
        let tones = self.probe.tones(RATE_HZ);
        let values = self.probe.values(RATE_HZ).into_iter().enumerate();
        values
            .map(|(symbol, row)| {
                let t = symbol as f64 * self.symbol_s() + lead_s;
                let place = (self.starts_s[symbol] + lead_s + self.delay.at(t)) * rate;
                let step = 1.0 + self.delay.slope(t + self.probe.useful_ms / 2000.0);
                let mut bins: Vec<Complex64> = (0..useful)
                    .map(|i| self.read.at(self.heard, place + i as f64 * step))
                    .map(|x| Complex64::new(x.into(), 0.0))
                    .collect();
                fft.process(&mut bins);
                let tones = tones.clone().zip(row);
                tones
                    .map(|(tone, value)| bins[tone] * value.conj())
                    .collect()
            })
            .collect()
    }

    /// Finds [`Self::delay`]'s course by the tones' phases: first from symbol to symbol, then against their mean. Where it
    /// starts stays as it is.
    pub(super) fn follow(&mut self) {
        let fft =
            FftPlannerScalar::new().plan_fft_forward(Probe::samples(self.probe.useful_ms, RATE_HZ));
        let tones = self.probe.tones(RATE_HZ).count();
        let turn: Vec<f64> = (0..tones)
            .map(|tone| TAU * self.probe.tone_hz(tone, RATE_HZ))
            .collect();
        for round in 0..ROUNDS {
            let rows = self.rows(&fft);
            let symbols: Vec<usize> = (0..rows.len())
                .filter(|&symbol| !self.is_hit[symbol])
                .collect();
            let pairs: Vec<(usize, Vec<Complex64>)> = symbols
                .windows(2)
                .filter(|pair| pair[1] == pair[0] + 1)
                .map(|pair| {
                    let [one, other] = [&rows[pair[0]], &rows[pair[1]]];
                    (
                        pair[0],
                        one.iter()
                            .zip(other)
                            .map(|(one, other)| other * one.conj())
                            .collect(),
                    )
                })
                .collect();
            if pairs.len() < 3 {
                return;
            }
            if round == 0 {
                self.delay.0[1] += self.common_slope(&pairs, &turn);
                continue;
            }
            // How much later each symbol comes than the one before, then where each stands.
            let later: Vec<(f64, f64, f64)> = pairs
                .iter()
                .map(|(symbol, turned)| {
                    let (delay, weight) = delay_of(turned, &turn);
                    (
                        (*symbol as f64 + 0.5) * self.symbol_s(),
                        delay / self.symbol_s(),
                        weight,
                    )
                })
                .collect();
            let slope = polynomial::<{ TERMS - 1 }>(&later);
            for (term, slope) in slope.into_iter().enumerate() {
                self.delay.0[term + 1] += slope / (term + 1) as f64;
            }
        }
        let rows = self.rows(&fft);
        let kept = || {
            rows.iter()
                .enumerate()
                .filter(|(symbol, _)| !self.is_hit[*symbol])
        };
        let mut mean = vec![Complex64::ZERO; tones];
        for (_, row) in kept() {
            mean.iter_mut()
                .zip(row)
                .for_each(|(mean, value)| *mean += value);
        }
        let stand: Vec<(f64, f64, f64)> = kept()
            .map(|(symbol, row)| {
                let turned: Vec<Complex64> = row
                    .iter()
                    .zip(&mean)
                    .map(|(value, mean)| value * mean.conj())
                    .collect();
                let (delay, weight) = delay_of(&turned, &turn);
                (symbol as f64 * self.symbol_s(), delay, weight)
            })
            .collect();
        let rest = polynomial::<TERMS>(&stand);
        for (term, rest) in self.delay.0.iter_mut().zip(rest).skip(1) {
            *term += rest;
        }
    }

    /// The one slope that agrees best with all pairs of neighbouring symbols.
    fn common_slope(&self, pairs: &[(usize, Vec<Complex64>)], turn: &[f64]) -> f64 {
        let mut sums = vec![Complex64::ZERO; turn.len()];
        for (_, turned) in pairs {
            sums.iter_mut()
                .zip(turned)
                .for_each(|(sum, value)| *sum += value);
        }
        let agreement = |slope: f64| -> f64 {
            let terms = sums.iter().zip(turn);
            terms
                .map(|(sum, turn)| {
                    (sum * Complex64::from_polar(1.0, turn * slope * self.symbol_s())).re
                })
                .sum()
        };
        // Beyond half a turn of the highest tone there are others that look the same.
        let steepest = turn.iter().copied().fold(1.0, f64::max) * self.symbol_s();
        let within = (0.5 * TAU / steepest * 1e6).min(1.5 * PPM_MAX);
        let steps = (within / PPM_STEP).ceil() as i32;
        (-steps..=steps)
            .map(|step| f64::from(step) * within / f64::from(steps) * 1e-6)
            .max_by(|a, b| agreement(*a).total_cmp(&agreement(*b)))
            .unwrap_or(0.0)
    }
}

/// The delay that turns tones as these are turned, seconds, and how much it is to be believed.
fn delay_of(turned: &[Complex64], turn: &[f64]) -> (f64, f64) {
    let (mut slope, mut weight) = (0.0, 1e-30);
    for (value, turn) in turned.iter().zip(turn) {
        // A symbol that comes later than its window lags in phase.
        slope -= value.norm() * turn * value.arg();
        weight += value.norm() * turn * turn;
    }
    (slope / weight, weight)
}

/// The polynomial of `N` terms through (place, value, weight), least squares.
fn polynomial<const N: usize>(points: &[(f64, f64, f64)]) -> [f64; N] {
    let mut rows = [[0.0; N]; N];
    let mut right = [0.0; N];
    let most = points.iter().map(|point| point.2).fold(1e-30, f64::max);
    let span = points
        .iter()
        .map(|point| point.0.abs())
        .fold(1e-9, f64::max);
    for (place, value, weight) in points {
        let powers: [f64; N] = std::array::from_fn(|power| (place / span).powi(power as i32));
        for (i, row) in rows.iter_mut().enumerate() {
            row.iter_mut()
                .zip(powers)
                .for_each(|(cell, power)| *cell += weight / most * powers[i] * power);
            right[i] += weight / most * powers[i] * value;
        }
    }
    for i in 0..N {
        // A little of nothing where there are fewer points than terms.
        rows[i][i] += 1e-9;
        for j in i + 1..N {
            let share = rows[j][i] / rows[i][i];
            let above = rows[i];
            for (cell, above) in rows[j].iter_mut().zip(above).skip(i) {
                *cell -= share * above;
            }
            right[j] -= share * right[i];
        }
    }
    let mut terms = [0.0; N];
    for i in (0..N).rev() {
        let rest: f64 = (i + 1..N).map(|k| rows[i][k] * terms[k]).sum();
        terms[i] = (right[i] - rest) / rows[i][i];
    }
    std::array::from_fn(|power| terms[power] / span.powi(power as i32))
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

    #[test]
    fn a_polynomial_is_found_again() {
        let points: Vec<(f64, f64, f64)> = (0..20)
            .map(|i| f64::from(i) / 20.0)
            .map(|t| (t, 1.0 - 2.0 * t + 3.0 * t * t, 1.0 + t))
            .collect();
        let found = polynomial::<4>(&points);
        for (found, wanted) in found.into_iter().zip([1.0, -2.0, 3.0, 0.0]) {
            assert!((found - wanted).abs() < 1e-4, "{found} {wanted}");
        }
    }
}
