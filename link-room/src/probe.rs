//! The measurement that rooms are judged by: known OFDM symbols out, the effective signal-to-noise ratio in.
//!
//! What limits an acoustic link on a table is not noise but echo that outlasts the cyclic prefix. A probe therefore
//! sends symbols of a given length and prefix and compares what arrives with a channel that stands still: what is left over is
//! noise, echo from the symbol before, and tones that lost their orthogonality.
//!
//! [`Probe::TABLE`] is the probe whose readings on a real table are the room's calibration (22.8 dB at 10 cm, 13.3 dB at
//! 30 cm); [`Probe::link`] has the dimensions of the link's own symbols. A [`Sweep`] says where the rest comes from: echo by
//! delay, harmonics by order, level by frequency. A [`Measurement`] is all of them in eight seconds, and what it reads, a
//! [`Report`], says what of the link will work there, and why.

mod clock;
mod find;
mod measurement;
mod recording;
mod refusal;
mod report;
mod sweep;
mod trace;
mod verdict;

pub use measurement::Measurement;
pub use recording::MeasurementReader;
pub use refusal::MeasurementError;
pub use report::{BandLevel, Report};
pub use sweep::{Harmonic, Sweep, SweepReading};
pub use trace::{Event, EventKind};
pub use verdict::{Cause, LinkReading, Outlook};

use crate::{
    config::RoomConfig, dice::Dice, disturbance::SIGNAL_RMS, kernel::turn, room::play_through,
};
use link_modem::params::Band;
use rustfft::{Fft, FftPlannerScalar, num_complex::Complex};
use std::{sync::Arc, time::Duration};

type Complex64 = Complex<f64>;

/// A recording is read at this rate, whatever its own is.
const RATE_HZ: u32 = 48_000;
/// A band of the reading.
const BAND_HZ: f64 = 1000.0;
/// How long before the strongest path the first one is looked for, and how strong it must be: the receiver's rule.
const FIRST_PATH_WITHIN_S: f64 = 0.015;
const FIRST_PATH_SHARE: f64 = 0.5;
/// Every such tone keeps its phase, as a pilot does.
const PILOT_EVERY: usize = 8;

/// A measurement signal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The useful part of a symbol; tones are its inverse apart.
    pub useful_ms: f64,
    /// The cyclic prefix.
    pub prefix_ms: f64,
    /// How long before the end of the prefix the receiver's window starts.
    pub backoff_ms: f64,
    /// The lowest tone.
    pub low_hz: f64,
    /// The highest tone.
    pub high_hz: f64,
    /// How many symbols there are.
    pub symbols: usize,
}

/// What a probe reads.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reading {
    /// Signal over everything that is not signal, dB, mean over the bands.
    pub snr_db: f64,
    /// The same for each 1 kHz band: where it starts, Hz, and dB.
    pub bands: Vec<(f64, f64)>,
    /// 1 / mean(phase error²) of the tones that keep their phase, from symbol to symbol, dB: what the modem calls its
    /// effective SNR.
    pub pilot_snr_db: f64,
    /// Where the first path of the first symbol's prefix was found.
    pub first_sample: usize,
}

impl Probe {
    /// The measurement page's probe: 21.3 ms symbols, 5.3 ms prefix, 4–20 kHz.
    pub const TABLE: Self = Self {
        useful_ms: 64.0 / 3.0,
        prefix_ms: 16.0 / 3.0,
        backoff_ms: 0.0,
        low_hz: 4000.0,
        high_hz: 20_000.0,
        symbols: 40,
    };

    /// The dimensions of the link's symbols in the high plan's host band.
    pub const HOST_BAND: Self = Self {
        useful_ms: 40.0,
        prefix_ms: 10.0,
        backoff_ms: 1.0,
        low_hz: 9525.0,
        high_hz: 12_500.0,
        symbols: 40,
    };

    /// Twelve of the link's own symbols in one of its bands.
    #[must_use]
    pub fn link(band: Band) -> Self {
        Self {
            low_hz: band.tone_hz(0),
            high_hz: band.tone_hz(band.tones() - 1),
            symbols: 12,
            ..Self::HOST_BAND
        }
    }

    fn samples(ms: f64, sample_rate_hz: u32) -> usize {
        (ms / 1000.0 * f64::from(sample_rate_hz)).round() as usize
    }

    fn tones(&self, sample_rate_hz: u32) -> std::ops::RangeInclusive<usize> {
        let useful = Self::samples(self.useful_ms, sample_rate_hz) as f64;
        let tone = |hz: f64| hz * useful / f64::from(sample_rate_hz);
        (tone(self.low_hz) - 1e-6).ceil() as usize..=(tone(self.high_hz) + 1e-6).floor() as usize
    }

    /// Each tone's value in each symbol: QPSK by a fixed seed, pilots constant.
    fn values(&self, sample_rate_hz: u32) -> Vec<Vec<Complex64>> {
        let mut dice = Dice::new(1, 64);
        let mut value = move || turn((dice.unit() * 4.0).floor() / 4.0 + 0.125);
        let mut values: Vec<Vec<(f64, f64)>> = Vec::new();
        let tones = self.tones(sample_rate_hz).count();
        for symbol in 0..self.symbols {
            let row = (0..tones)
                .map(|tone| {
                    if tone % PILOT_EVERY == 0 && symbol > 0 {
                        values[0][tone]
                    } else {
                        value()
                    }
                })
                .collect();
            values.push(row);
        }
        let complex = |&(re, im): &(f64, f64)| Complex64::new(re, im);
        values
            .iter()
            .map(|row| row.iter().map(complex).collect())
            .collect()
    }

    /// The signal to play.
    #[must_use]
    pub fn signal(&self, sample_rate_hz: u32) -> Vec<f32> {
        let useful = Self::samples(self.useful_ms, sample_rate_hz);
        let prefix = Self::samples(self.prefix_ms, sample_rate_hz);
        let tones = self.tones(sample_rate_hz);
        let amplitude = SIGNAL_RMS * (2.0 / tones.clone().count() as f64).sqrt();
        let inverse = FftPlannerScalar::new().plan_fft_inverse(useful);
        let mut signal = Vec::new();
        for row in self.values(sample_rate_hz) {
            let mut bins = vec![Complex64::ZERO; useful];
            for (tone, value) in tones.clone().zip(row) {
                bins[tone] = value * amplitude;
            }
            inverse.process(&mut bins);
            let samples = bins.iter().map(|bin| bin.re as f32);
            signal.extend(samples.clone().skip(useful - prefix).chain(samples));
        }
        signal
    }

    /// Reads a recording of [`Probe::signal`] made at the same rate and by the same clock; `None` if it is too short.
    #[must_use]
    pub fn read(&self, recording: &[f32], sample_rate_hz: u32) -> Option<Reading> {
        let first_sample = self.first_sample(recording, sample_rate_hz)?;
        let received = self.channel(recording, sample_rate_hz, first_sample)?;
        Some(self.reading(&received, sample_rate_hz, first_sample))
    }

    /// Where the first path of the first symbol's prefix is.
    fn first_sample(&self, recording: &[f32], sample_rate_hz: u32) -> Option<usize> {
        let symbol = Self::samples(self.useful_ms, sample_rate_hz)
            + Self::samples(self.prefix_ms, sample_rate_hz);
        first_path(
            recording,
            &self.signal(sample_rate_hz)[..symbol],
            sample_rate_hz,
        )
    }

    /// What the channel did to each tone in each symbol.
    fn channel(
        &self,
        recording: &[f32],
        sample_rate_hz: u32,
        first_sample: usize,
    ) -> Option<Vec<Vec<Complex64>>> {
        let useful = Self::samples(self.useful_ms, sample_rate_hz);
        let prefix = Self::samples(self.prefix_ms, sample_rate_hz);
        let backoff = Self::samples(self.backoff_ms, sample_rate_hz);
        let tones = self.tones(sample_rate_hz);
        let forward: Arc<dyn Fft<f64>> = FftPlannerScalar::new().plan_fft_forward(useful);
        let rows = self.values(sample_rate_hz).into_iter().enumerate();
        rows.map(|(symbol, row)| {
            let start = first_sample + symbol * (useful + prefix) + prefix - backoff;
            let mut bins = spectrum(recording.get(start..start + useful)?);
            forward.process(&mut bins);
            let tones = tones.clone().zip(row);
            Some(
                tones
                    .map(|(tone, value)| bins[tone] * value.conj())
                    .collect(),
            )
        })
        .collect()
    }

    /// Mean power of each tone in stretches of `recording` that are as long as a symbol's useful part.
    fn noise(&self, recording: &[f32], sample_rate_hz: u32) -> Vec<f64> {
        let useful = Self::samples(self.useful_ms, sample_rate_hz);
        let forward: Arc<dyn Fft<f64>> = FftPlannerScalar::new().plan_fft_forward(useful);
        let stretches = recording.chunks_exact(useful);
        let count = stretches.len().max(1) as f64;
        let mut powers = vec![0.0; self.tones(sample_rate_hz).count()];
        for stretch in stretches {
            let mut bins = spectrum(stretch);
            forward.process(&mut bins);
            for (power, tone) in powers.iter_mut().zip(self.tones(sample_rate_hz)) {
                *power += bins[tone].norm_sqr() / count;
            }
        }
        powers
    }

    /// The frequency of the probe's tone `tone`, 0 the lowest.
    fn tone_hz(&self, tone: usize, sample_rate_hz: u32) -> f64 {
        let useful = Self::samples(self.useful_ms, sample_rate_hz) as f64;
        (self.tones(sample_rate_hz).start() + tone) as f64 * f64::from(sample_rate_hz) / useful
    }

    fn reading(
        &self,
        received: &[Vec<Complex64>],
        sample_rate_hz: u32,
        first_sample: usize,
    ) -> Reading {
        // The first symbol has no other before it: it would read too well.
        let received = &received[1..];
        let powers = powers(received);
        let tone_hz = |tone: usize| self.tone_hz(tone, sample_rate_hz);
        let mut bands = Vec::new();
        let mut low_hz = (self.low_hz / BAND_HZ).floor() * BAND_HZ;
        while low_hz < self.high_hz {
            let inside = |&tone: &usize| (low_hz..low_hz + BAND_HZ).contains(&tone_hz(tone));
            let in_band = (0..powers.len()).filter(inside);
            let (signal, error) = in_band.fold((0.0, 0.0), |sum, tone| {
                (sum.0 + powers[tone].0, sum.1 + powers[tone].1)
            });
            if signal > 0.0 {
                bands.push((low_hz, decibels(signal / error)));
            }
            low_hz += BAND_HZ;
        }
        let snr_db = bands.iter().map(|band| band.1).sum::<f64>() / bands.len() as f64;
        Reading {
            snr_db,
            bands,
            pilot_snr_db: pilot_snr_db(received),
            first_sample,
        }
    }

    /// Plays the probe through a room, from A to B, with nothing else sounding, and reads it.
    ///
    /// # Panics
    /// If the phones differ in sample rate or clock: a probe follows no clock.
    #[must_use]
    pub fn measure(&self, config: &RoomConfig) -> Reading {
        let [from, to] = config.phones;
        assert!(
            from.sample_rate_hz == to.sample_rate_hz && from.skew_ppm == to.skew_ppm,
            "a probe follows no clock"
        );
        let signal = self.signal(from.sample_rate_hz);
        let [_, recording] = play_through(config, [&signal, &[]], Duration::from_millis(250));
        self.read(&recording, to.sample_rate_hz)
            .expect("a recording of the whole signal")
    }
}

/// What is told of a ratio, dB: nothing beyond 80 either way, which is as good as nothing or all.
fn told_db(power: f64, of: f64) -> f64 {
    decibels(power.max(1e-30) / of.max(1e-30)).clamp(-80.0, 80.0)
}

fn decibels(power: f64) -> f64 {
    10.0 * power.log10()
}

fn spectrum(signal: &[f32]) -> Vec<Complex64> {
    let real = signal.iter().map(|&x| Complex64::new(x.into(), 0.0));
    real.collect()
}

/// [`signal_and_error`] of every tone.
fn powers(received: &[Vec<Complex64>]) -> Vec<(f64, f64)> {
    let tones = 0..received.first().map_or(0, Vec::len);
    tones.map(|tone| signal_and_error(received, tone)).collect()
}

/// Power of a tone's mean over the symbols, and of what differs from it.
fn signal_and_error(received: &[Vec<Complex64>], tone: usize) -> (f64, f64) {
    let count = received.len() as f64;
    let mean = received.iter().map(|row| row[tone]).sum::<Complex64>() / count;
    let error = received
        .iter()
        .map(|row| (row[tone] - mean).norm_sqr())
        .sum::<f64>()
        / (count - 1.0);
    ((mean.norm_sqr() - error / count).max(0.0), error)
}

fn pilot_snr_db(received: &[Vec<Complex64>]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for pair in received.windows(2) {
        for tone in (0..pair[0].len()).step_by(PILOT_EVERY) {
            let change = pair[1][tone] * pair[0][tone].conj();
            sum += change.arg() * change.arg();
            count += 1.0;
        }
    }
    decibels(count / sum)
}

/// The spectrum of a signal with silence after it, `length` points in all.
fn padded_spectrum(
    signal: &[f32],
    length: usize,
    planner: &mut FftPlannerScalar<f64>,
) -> Vec<Complex64> {
    let mut bins: Vec<Complex64> = signal
        .iter()
        .map(|&x| Complex64::new(x.into(), 0.0))
        .collect();
    bins.resize(length, Complex64::ZERO);
    planner.plan_fft_forward(length).process(&mut bins);
    bins
}

/// Where `template` first arrives: the earliest place before the best match that matches at least half as well.
fn first_path(recording: &[f32], template: &[f32], sample_rate_hz: u32) -> Option<usize> {
    let length = (recording.len() + template.len()).next_power_of_two();
    let mut planner = FftPlannerScalar::new();
    let heard = padded_spectrum(recording, length, &mut planner);
    let sent = padded_spectrum(template, length, &mut planner);
    // Positive frequencies only: the match is an envelope, which does not swing with the carrier.
    let mut product: Vec<Complex64> = heard
        .iter()
        .zip(&sent)
        .enumerate()
        .map(|(bin, (heard, sent))| {
            if bin < length / 2 {
                heard * sent.conj()
            } else {
                Complex64::ZERO
            }
        })
        .collect();
    planner.plan_fft_inverse(length).process(&mut product);
    let matched: Vec<f64> = product[..recording.len()]
        .iter()
        .map(|value| value.norm())
        .collect();
    let (best, &peak) = matched
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(b.1))?;
    let earliest = best.saturating_sub((FIRST_PATH_WITHIN_S * f64::from(sample_rate_hz)) as usize);
    (earliest..=best).find(|&place| matched[place] >= FIRST_PATH_SHARE * peak)
}
