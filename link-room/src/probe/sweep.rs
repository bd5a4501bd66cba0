//! The other half of a measurement: a swept sine, which tells echo by delay, and harmonics by order.
//!
//! A sine whose pitch rises by equal ratios in equal times is its own key (A. Farina, "Simultaneous measurement of impulse
//! response and distortion with a swept-sine technique", 2000): divided by it, a recording becomes the click response, and
//! what a loudspeaker made of order n stands `n`'s logarithm earlier, as a response of its own.

use super::{FIRST_PATH_SHARE, FIRST_PATH_WITHIN_S, padded_spectrum};
use crate::kernel::turn;
use rustfft::{FftPlannerScalar, num_complex::Complex};
use std::{f64::consts::PI, ops::Range};

type Complex64 = Complex<f64>;

/// Its first and last milliseconds rise and fall.
const FADE_S: f64 = 0.01;
/// The edges of a band that is looked at on its own.
const EDGE_HZ: f64 = 500.0;
/// Where the sweep has less than this share of its mean power, nothing can be told.
const POWER_SHARE_MIN: f64 = 1e-4;
/// A harmonic's own response: from this long before its place to this long after.
const HARMONIC_S: Range<f64> = -0.002..0.025;
/// Between the first and the second order there is only noise: here, as an order.
const NOISE_ORDER: f64 = 1.5;
/// Delays are told apart to this.
const BIN_MS: f64 = 1.0;
/// Delays looked at.
const BINS: usize = 40;
/// Before the direct sound there is only noise: this stretch of it is the floor.
const FLOOR_MS: Range<f64> = -30.0..-5.0;
/// Echo that the link's windows forgive. Source: the specification's guard.
pub(super) const FORGIVEN_MS: f64 = 7.1;
/// The fundamentals that harmonics are told of start here: below, they are not the link's.
const FUNDAMENTAL_FROM_HZ: f64 = 3000.0;
/// Orders that are told.
const ORDERS: [u32; 4] = [2, 3, 4, 5];

/// A swept sine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// Where it starts.
    pub low_hz: f64,
    /// Where it ends.
    pub high_hz: f64,
    /// How long it takes.
    pub seconds: f64,
    /// Its amplitude; harmonics are told for it.
    pub amplitude: f64,
}

/// One harmonic of the loudspeaker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Harmonic {
    /// 2 for the octave.
    pub order: u32,
    /// Against the fundamental, dB, mean over what of it lies below the sweep's end; the recording's noise is taken off. Far
    /// below anything audible if there is none.
    pub level_db: f64,
}

/// What a sweep reads.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweepReading {
    /// Energy by delay after the direct sound, in steps of 1 ms: the step's middle, ms, and its energy over the direct
    /// sound's (which is the step at 0), dB.
    pub decay: Vec<(f64, f64)>,
    /// What [`SweepReading::decay`] cannot show: a step of noise alone, dB.
    pub floor_db: f64,
    /// The second to the fifth harmonic.
    pub harmonics: Vec<Harmonic>,
    /// Level by frequency, in steps of 1 kHz within the sweep, direct sound and echoes together: where it starts, Hz, and dB
    /// against the loudest. The first and last kilohertz, in which the sweep fades, are left out.
    pub response: Vec<(f64, f64)>,
}

impl Sweep {
    /// 1 to 20 kHz in 3 s, at half of full scale: the level that the room's harmonics are stated for.
    pub const DEFAULT: Self = Self {
        low_hz: 1000.0,
        high_hz: 20_000.0,
        seconds: 3.0,
        amplitude: 0.5,
    };

    /// The time in which the pitch rises by e.
    fn rise_s(&self) -> f64 {
        self.seconds / (self.high_hz / self.low_hz).ln()
    }

    /// The signal to play.
    #[must_use]
    pub fn signal(&self, sample_rate_hz: u32) -> Vec<f32> {
        let rate_hz = f64::from(sample_rate_hz);
        let rise_s = self.rise_s();
        let samples = (self.seconds * rate_hz) as usize;
        (0..samples)
            .map(|i| {
                let t = i as f64 / rate_hz;
                let turns = self.low_hz * rise_s * libm::expm1(t / rise_s);
                let edge = (t.min(self.seconds - t) / FADE_S).clamp(0.0, 1.0);
                let fade = 0.5 - 0.5 * libm::cos(PI * edge);
                (self.amplitude * fade * turn(turns).1) as f32
            })
            .collect()
    }

    /// Reads a recording of [`Sweep::signal`] made at the same rate, with at least 0.1 s after it; `None` if it is too short or
    /// silent. `band_hz` is what the decay is told of. And, for each of `bands_hz`, what echo the link's windows do not
    /// forgive there, as [`SweepReading::beyond_db`].
    pub(super) fn read(
        &self,
        recording: &[f32],
        sample_rate_hz: u32,
        band_hz: Range<f64>,
        bands_hz: &[Range<f64>],
    ) -> Option<(SweepReading, Vec<f64>)> {
        let rate_hz = f64::from(sample_rate_hz);
        let signal = self.signal(sample_rate_hz);
        if recording.len() < signal.len() {
            return None;
        }
        // Harmonics stand before the recording's start: leave room for them, round the circle.
        let length = (recording.len() + 2 * signal.len()).next_power_of_two();
        let mut planner = FftPlannerScalar::new();
        let mut quotient = padded_spectrum(recording, length, &mut planner);
        let key = padded_spectrum(&signal, length, &mut planner);
        let bin_hz = rate_hz / length as f64;
        let inside = (self.low_hz / bin_hz) as usize..(self.high_hz / bin_hz) as usize;
        let mean = key[inside.clone()]
            .iter()
            .map(Complex64::norm_sqr)
            .sum::<f64>()
            / inside.len() as f64;
        for (bin, (value, key)) in quotient.iter_mut().zip(&key).enumerate() {
            let power = key.norm_sqr();
            *value = if inside.contains(&bin) && power > POWER_SHARE_MIN * mean {
                *value * key.conj() / power
            } else {
                Complex64::ZERO
            };
        }
        let mut click = |band_hz: &Range<f64>| {
            let mut bins: Vec<Complex64> = quotient
                .iter()
                .enumerate()
                .map(|(bin, value)| value * 2.0 * inside_band(bin as f64 * bin_hz, band_hz))
                .collect();
            planner.plan_fft_inverse(length).process(&mut bins);
            bins
        };
        let response = click(&band_hz);
        let first = first_path(&response[..recording.len()], rate_hz)?;
        let (decay_steps, floor_db) = decay(&response, first, rate_hz)?;
        let mut late_db = Vec::new();
        for band_hz in bands_hz {
            let (steps, floor_db) = decay(&click(band_hz), first, rate_hz)?;
            late_db.push(beyond_db(&steps, floor_db, FORGIVEN_MS));
        }
        let whole = click(&(self.low_hz..self.high_hz));
        let mut pieces = Pieces {
            planner,
            click: whole,
            rate_hz,
            bin_hz,
        };
        let fundamental = pieces.spectrum_at(first as f64);
        let reading = SweepReading {
            decay: decay_steps,
            floor_db,
            harmonics: self.harmonics(&fundamental, &mut pieces, first),
            response: self.response(&fundamental, bin_hz),
        };
        Some((reading, late_db))
    }

    fn harmonics(
        &self,
        fundamental: &[Complex64],
        pieces: &mut Pieces,
        first: usize,
    ) -> Vec<Harmonic> {
        let (bin_hz, rate_hz) = (pieces.bin_hz, pieces.rate_hz);
        let from_hz = FUNDAMENTAL_FROM_HZ.max(self.low_hz);
        let place = |order: f64| first as f64 - self.rise_s() * order.ln() * rate_hz;
        let noise = pieces.spectrum_at(place(NOISE_ORDER));
        let orders = ORDERS.into_iter().filter(|order| {
            // Half an octave of fundamentals at least.
            self.high_hz / f64::from(*order) > 1.2 * from_hz
        });
        orders
            .map(|order| {
                let harmonic = pieces.spectrum_at(place(order.into()));
                let to_hz = self.high_hz / f64::from(order);
                let bins = (from_hz / bin_hz) as usize..(to_hz / bin_hz) as usize;
                let (mut one, mut many) = (0.0, 0.0);
                for bin in bins {
                    one += fundamental[bin].norm_sqr();
                    let at = bin * order as usize;
                    many += harmonic[at].norm_sqr() - noise[at].norm_sqr();
                }
                Harmonic {
                    order,
                    level_db: decibels(many / one),
                }
            })
            .collect()
    }

    fn response(&self, fundamental: &[Complex64], bin_hz: f64) -> Vec<(f64, f64)> {
        const STEP_HZ: f64 = 1000.0;
        let steps = ((self.high_hz - self.low_hz) / STEP_HZ) as usize;
        let powers: Vec<(f64, f64)> = (1..steps.saturating_sub(1))
            .map(|step| {
                let low_hz = self.low_hz + step as f64 * STEP_HZ;
                let bins = (low_hz / bin_hz) as usize..((low_hz + STEP_HZ) / bin_hz) as usize;
                let power = fundamental[bins].iter().map(Complex64::norm_sqr).sum();
                (low_hz, power)
            })
            .collect();
        let loudest = powers.iter().map(|step| step.1).fold(0.0, f64::max);
        powers
            .into_iter()
            .map(|(low_hz, power)| (low_hz, decibels(power / loudest)))
            .collect()
    }
}

impl SweepReading {
    /// Energy that comes later than `prefix_ms` after the direct sound, over what comes until then, both without the
    /// recording's noise: what a symbol's prefix leaves as interference, dB. The link's forgives 7.1 ms.
    #[must_use]
    pub fn beyond_db(&self, prefix_ms: f64) -> f64 {
        beyond_db(&self.decay, self.floor_db, prefix_ms)
    }
}

fn beyond_db(decay: &[(f64, f64)], floor_db: f64, prefix_ms: f64) -> f64 {
    let power = |db: f64| 10.0_f64.powf(db / 10.0);
    let energy = |late: bool| -> f64 {
        let steps = decay.iter();
        let steps = steps.filter(|(delay_ms, _)| (*delay_ms > prefix_ms) == late);
        let energies = steps.map(|(_, level_db)| power(*level_db) - power(floor_db));
        energies.sum::<f64>().max(0.0)
    };
    decibels(energy(true) / energy(false).max(1e-30)).clamp(-80.0, 80.0)
}

/// Cuts single responses out of the whole.
struct Pieces {
    planner: FftPlannerScalar<f64>,
    click: Vec<Complex64>,
    rate_hz: f64,
    bin_hz: f64,
}

impl Pieces {
    /// The spectrum of the response whose direct sound stands at `place` (round the circle), on the whole's bins.
    fn spectrum_at(&mut self, place: f64) -> Vec<Complex64> {
        let length = self.click.len();
        let from = (place + HARMONIC_S.start * self.rate_hz).round() as i64;
        let count = ((HARMONIC_S.end - HARMONIC_S.start) * self.rate_hz) as usize;
        let mut bins = vec![Complex64::ZERO; length];
        for (i, out) in (0..).zip(bins.iter_mut().take(count)) {
            *out = self.click[(from + i).rem_euclid(length as i64) as usize];
        }
        self.planner.plan_fft_forward(length).process(&mut bins);
        bins
    }
}

fn decibels(power: f64) -> f64 {
    10.0 * power.max(1e-30).log10()
}

/// 1 inside the band, 0 outside, a raised cosine at its edges: no ringing to be taken for echo.
fn inside_band(hz: f64, band_hz: &Range<f64>) -> f64 {
    let edge = ((hz - band_hz.start).min(band_hz.end - hz) / EDGE_HZ).clamp(0.0, 1.0);
    0.5 - 0.5 * libm::cos(PI * edge)
}

fn first_path(click: &[Complex64], rate_hz: f64) -> Option<usize> {
    let (best, peak) = click
        .iter()
        .map(|value| value.norm())
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    if peak <= 0.0 {
        return None;
    }
    let earliest = best.saturating_sub((FIRST_PATH_WITHIN_S * rate_hz) as usize);
    let near = (earliest..=best).find(|&place| click[place].norm() >= FIRST_PATH_SHARE * peak)?;
    // The rule's place is on the flank: its own summit is the direct sound.
    let summit_within = (0.0005 * rate_hz) as usize;
    (near..=(near + summit_within).min(best))
        .max_by(|a, b| click[*a].norm().total_cmp(&click[*b].norm()))
}

/// Energy by delay, and that of a step before the direct sound.
fn decay(click: &[Complex64], first: usize, rate_hz: f64) -> Option<(Vec<(f64, f64)>, f64)> {
    let energy = |from_ms: f64, to_ms: f64| -> f64 {
        let place = |ms: f64| (first as f64 + ms / 1000.0 * rate_hz).round() as i64;
        (place(from_ms)..place(to_ms))
            .map(|i| click[i.rem_euclid(click.len() as i64) as usize].norm_sqr())
            .sum()
    };
    let direct = energy(-BIN_MS / 2.0, BIN_MS / 2.0);
    if direct <= 0.0 {
        return None;
    }
    let steps = (0..BINS)
        .map(|step| {
            let middle_ms = step as f64 * BIN_MS;
            let level = energy(middle_ms - BIN_MS / 2.0, middle_ms + BIN_MS / 2.0) / direct;
            (middle_ms, decibels(level))
        })
        .collect();
    let floor_steps = (FLOOR_MS.end - FLOOR_MS.start) / BIN_MS;
    let floor = energy(FLOOR_MS.start, FLOOR_MS.end) / floor_steps / direct;
    Some((steps, decibels(floor)))
}
