//! A whole measurement: what to play, and what a recording of it says.

use super::{
    LinkReading, Probe, Reading, Sweep, SweepReading,
    clock::{COARSE_SYMBOLS, FINE_SYMBOLS, PPM_MAX, ppm_of, resampled},
    find::find,
    told_db,
};
use link_modem::params::Band;
use std::ops::Range;
use thiserror::Error;

/// Everything is read at this rate, whatever a recording's is.
const RATE_HZ: u32 = 48_000;
/// The slowest recording that holds all of the measurement.
const RATE_MIN_HZ: u32 = 44_100;
/// The fastest.
const RATE_MAX_HZ: u32 = 384_000;
/// Before, between and after the signals.
const PAUSE_S: f64 = 0.25;
/// Between the link's bands, which do not disturb each other.
const SHORT_PAUSE_S: f64 = 0.1;
/// What is heard before and after a part is looked at too.
const MARGIN_S: f64 = 0.03;
/// What of the pause before the signals is taken for noise.
const NOISE_S: Range<f64> = -0.22..-0.02;
/// What the decay is told of: both plans' bands.
const DECAY_HZ: Range<f64> = 4500.0..19_500.0;
/// Beside a band, where its filter rises.
const EDGE_HZ: f64 = 500.0;
/// The echo told of after the sweep.
const TAIL_S: f64 = 0.15;
/// A sweep is there if at least this share of what is heard is like it. Noise comes to 0.02, echoes leave 0.2.
const LIKENESS_MIN: f64 = 0.05;
/// Samples within this share of the loudest are as loud: no sine of the measurement stays so near its top for three.
const FLAT: f32 = 0.999;
/// This share of samples on flat tops is clipping.
const FLAT_SHARE_MAX: f64 = 2e-4;

/// A whole measurement, played once and recorded: [`Probe::TABLE`], the link's own symbols in each of its four bands, and
/// [`Sweep::DEFAULT`], with pauses. Eight seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measurement;

/// What a whole measurement reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Signal-to-noise ratios in short symbols, as the measurement page's.
    pub reading: Reading,
    /// By steps of 1 kHz from 4 to 20 kHz.
    pub bands: Vec<BandLevel>,
    /// Each of the link's bands in its own symbols, in [`Band::ALL`]'s order.
    pub links: [LinkReading; 4],
    /// Echo by delay, harmonics, frequency response.
    pub sweep: SweepReading,
    /// How much faster the recording's clock ran than the player's.
    pub clock_ppm: f64,
    /// Where in the recording the measurement starts, seconds.
    pub starts_s: f64,
    /// The recording's loudest sample.
    pub peak: f32,
}

/// A stretch of 1 kHz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandLevel {
    /// Where it starts.
    pub low_hz: f64,
    /// How loud it arrives, dB against the loudest of them.
    pub level_db: f64,
    /// Signal over noise, dB: what a listener would have without echoes.
    pub noise_snr_db: f64,
    /// Signal over everything else, echo that outlasts a short symbol's prefix included, dB.
    pub snr_db: f64,
}

/// Why a recording cannot be read as a measurement. Each says what to do.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeasurementError {
    /// The recording misses the upper bands.
    #[error(
        "{rate_hz} Hz is too low a sample rate for the measurement, which reaches 20 kHz: record at 48,000 Hz (44,100 at \
         least); where a phone offers no more, only the low band plan can work on it"
    )]
    RateTooLow {
        /// The recording's rate.
        rate_hz: u32,
    },
    /// No recorder is that fast.
    #[error("{rate_hz} Hz is no sample rate of a recording: 44,100 to 384,000 are")]
    RateTooHigh {
        /// The recording's rate.
        rate_hz: u32,
    },
    /// There is less of it than of the signal.
    #[error(
        "the recording lasts {seconds:.1} s, the measurement {needed:.1} s: start recording before it is played, and stop \
         after"
    )]
    TooShort {
        /// The recording's length.
        seconds: f64,
        /// The measurement's.
        needed: f64,
    },
    /// Nothing in it is the sweep.
    #[error(
        "no sweep found (the best place is {:.0} % like it, {:.0} % are needed): play the measurement's own WAV, unchanged \
         and loud, and record it with voice processing off; a WAV whose stated sample rate is not the one it was recorded at \
         shows no sweep either",
        100.0 * likeness, 100.0 * LIKENESS_MIN
    )]
    NoSweep {
        /// How much of the best place is like the sweep: 1 would be all.
        likeness: f64,
    },
    /// It begins or ends within the measurement.
    #[error(
        "the recording {} {missing:.1} s of the measurement: start recording before it is played, and stop after",
        if *start { "starts too late and misses the first" } else { "ends too early and misses the last" }
    )]
    CutOff {
        /// True if it is the start that is missing.
        start: bool,
        /// Seconds missing.
        missing: f64,
    },
    /// The microphone was driven into its limit.
    #[error(
        "the recording is clipped: {samples} samples stand flat at {peak:.2} of full scale. Turn the volume down, or put the \
         devices further apart, and measure again"
    )]
    Clipped {
        /// Samples that stand flat.
        samples: usize,
        /// Where.
        peak: f32,
    },
    /// The rate in the file is not the one it was recorded at.
    #[error(
        "the recording's clock is {ppm:+.0} ppm off the player's, which no two devices are: the stated sample rate is wrong, \
         or the sound was changed on its way"
    )]
    Clock {
        /// How far.
        ppm: f64,
    },
}

impl Measurement {
    /// The parts, each where it starts, seconds from the signal's first sample.
    fn starts_s() -> (f64, [f64; 4], f64) {
        let lasts = |probe: &Probe| probe.signal(RATE_HZ).len() as f64 / f64::from(RATE_HZ);
        let table = PAUSE_S;
        let mut at = table + lasts(&Probe::TABLE) + PAUSE_S;
        let links = Band::ALL.map(|band| {
            let start = at;
            at += lasts(&Probe::link(band)) + SHORT_PAUSE_S;
            start
        });
        (table, links, at - SHORT_PAUSE_S + PAUSE_S)
    }

    /// How long the signal is.
    #[must_use]
    pub fn seconds(self) -> f64 {
        Self::starts_s().2 + Sweep::DEFAULT.seconds + PAUSE_S
    }

    /// The signal to play.
    #[must_use]
    pub fn signal(self, sample_rate_hz: u32) -> Vec<f32> {
        let (table, links, sweep) = Self::starts_s();
        let mut signal = vec![0.0; place(self.seconds())];
        let mut put = |at_s: f64, part: Vec<f32>| {
            signal[place(at_s)..][..part.len()].copy_from_slice(&part);
        };
        put(table, Probe::TABLE.signal(RATE_HZ));
        for (at_s, band) in links.into_iter().zip(Band::ALL) {
            put(at_s, Probe::link(band).signal(RATE_HZ));
        }
        put(sweep, Sweep::DEFAULT.signal(RATE_HZ));
        at_rate(&signal, RATE_HZ, sample_rate_hz)
    }

    /// Reads a recording of [`Measurement::signal`] made at any rate from 44.1 kHz and by any clock, wherever in it the signal
    /// lies. A few seconds' work at most for a minute's recording.
    ///
    /// # Errors
    /// [`MeasurementError`] says what is wrong with the recording, and what to do.
    pub fn read(self, recording: &[f32], sample_rate_hz: u32) -> Result<Report, MeasurementError> {
        if sample_rate_hz < RATE_MIN_HZ {
            return Err(MeasurementError::RateTooLow {
                rate_hz: sample_rate_hz,
            });
        }
        if sample_rate_hz > RATE_MAX_HZ {
            return Err(MeasurementError::RateTooHigh {
                rate_hz: sample_rate_hz,
            });
        }
        let seconds = recording.len() as f64 / f64::from(sample_rate_hz);
        if seconds < Sweep::DEFAULT.seconds {
            return Err(MeasurementError::TooShort {
                seconds,
                needed: self.seconds(),
            });
        }
        let finite = |&x: &f32| if x.is_finite() { x } else { 0.0 };
        let recording: Vec<f32> = recording.iter().map(finite).collect();
        let heard = at_rate(&recording, sample_rate_hz, RATE_HZ);
        let found = find(&Sweep::DEFAULT, &heard, RATE_HZ);
        let likeness = found.map_or(0.0, |found| found.likeness);
        let Some(found) = found.filter(|_| likeness >= LIKENESS_MIN) else {
            return Err(MeasurementError::NoSweep { likeness });
        };
        let (table, _, sweep) = Self::starts_s();
        let sweep_s = found.at as f64 / f64::from(RATE_HZ);
        let starts_s = sweep_s - sweep;
        if starts_s + table < MARGIN_S {
            return Err(MeasurementError::CutOff {
                start: true,
                missing: MARGIN_S - starts_s - table,
            });
        }
        let missing = sweep_s + Sweep::DEFAULT.seconds + TAIL_S - seconds;
        if missing > 0.0 {
            return Err(MeasurementError::CutOff {
                start: false,
                missing,
            });
        }
        let of = |s: f64, rate_hz: u32| (s.max(0.0) * f64::from(rate_hz)) as usize;
        let ends_s = (starts_s + self.seconds()).min(seconds);
        let part = |samples: &[f32], rate_hz: u32| {
            let end = of(ends_s, rate_hz).min(samples.len());
            samples[of(starts_s, rate_hz).min(end)..end].to_vec()
        };
        let peak = unclipped(&part(&recording, sample_rate_hz))?;
        self.report(&part(&heard, RATE_HZ), starts_s, peak)
    }

    /// Reads the measurement alone, at [`RATE_HZ`] but by another clock; a start that is missing is silence.
    fn report(self, heard: &[f32], starts_s: f64, peak: f32) -> Result<Report, MeasurementError> {
        let mut heard = heard.to_vec();
        // Pauses before and after may lie outside the recording.
        let before = vec![0.0; place((-starts_s).max(0.0))];
        heard.splice(0..0, before);
        heard.resize(place(self.seconds() + PAUSE_S), 0.0);
        let (table, links, sweep) = Self::starts_s();
        let cut_off = MeasurementError::CutOff {
            start: false,
            missing: PAUSE_S,
        };
        let probe = Probe::TABLE;
        let mut clock_ppm = 0.0;
        let mut on_time = heard.clone();
        for apart in [COARSE_SYMBOLS, FINE_SYMBOLS] {
            let part = piece(&on_time, table, probe.signal(RATE_HZ).len());
            let received = probe
                .first_sample(part, RATE_HZ)
                .and_then(|first| probe.channel(part, RATE_HZ, first));
            clock_ppm += ppm_of(&probe, &received.ok_or(cut_off)?, apart, RATE_HZ);
            if clock_ppm.abs() > PPM_MAX {
                return Err(MeasurementError::Clock { ppm: clock_ppm });
            }
            on_time = resampled(&heard, 1.0 + clock_ppm * 1e-6);
            on_time.resize(heard.len(), 0.0);
        }
        let part = piece(&on_time, table, probe.signal(RATE_HZ).len());
        let first = probe.first_sample(part, RATE_HZ).ok_or(cut_off)?;
        let received = probe.channel(part, RATE_HZ, first).ok_or(cut_off)?;
        let reading = probe.reading(&received, RATE_HZ, first);
        let noise = &on_time[place(table + NOISE_S.start)..place(table + NOISE_S.end)];
        let bands = bands(&probe, &super::powers(&received[1..]), noise);
        let part = piece(&on_time, sweep, Sweep::DEFAULT.signal(RATE_HZ).len());
        let ranges = Band::ALL
            .map(|band| band.tone_hz(0) - EDGE_HZ..band.tone_hz(band.tones() - 1) + EDGE_HZ);
        let (sweep, late_db) = Sweep::DEFAULT
            .read(part, RATE_HZ, DECAY_HZ, &ranges)
            .ok_or(cut_off)?;
        // Once the clocks agree, a part's place follows from the table's, also where the part cannot be heard.
        let table_at = place(table - MARGIN_S) + first;
        let mut readings = Vec::with_capacity(Band::ALL.len());
        for (band, (at_s, late_db)) in Band::ALL.into_iter().zip(links.into_iter().zip(late_db)) {
            let probe = Probe::link(band);
            let at = table_at + place(at_s) - place(table);
            let received = probe.channel(&on_time, RATE_HZ, at).ok_or(cut_off)?;
            readings.push(LinkReading::new(
                band,
                &super::powers(&received[1..]),
                &probe.noise(noise, RATE_HZ),
                &sweep,
                late_db,
            ));
        }
        Ok(Report {
            reading,
            bands,
            links: readings.try_into().map_err(|_| cut_off)?,
            sweep,
            clock_ppm,
            starts_s,
            peak,
        })
    }
}

/// A sample's place.
fn place(seconds: f64) -> usize {
    (seconds * f64::from(RATE_HZ)).round() as usize
}

/// A part of the measurement, with what is heard just before and after.
fn piece(heard: &[f32], at_s: f64, length: usize) -> &[f32] {
    let from = place(at_s - MARGIN_S).min(heard.len());
    let to = (from + length + place(MARGIN_S + TAIL_S)).min(heard.len());
    &heard[from..to]
}

/// The same sound at another rate.
fn at_rate(sound: &[f32], from_hz: u32, to_hz: u32) -> Vec<f32> {
    if from_hz == to_hz {
        return sound.to_vec();
    }
    resampled(sound, f64::from(from_hz) / f64::from(to_hz))
}

/// The loudest sample, unless many are as loud as it.
fn unclipped(heard: &[f32]) -> Result<f32, MeasurementError> {
    let peak = heard.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    let runs = heard.chunk_by(|a, b| {
        let flat = |x: &f32| x.abs() >= FLAT * peak;
        flat(a) && flat(b) && a.is_sign_positive() == b.is_sign_positive()
    });
    let samples = runs.map(<[f32]>::len).filter(|&run| run >= 3).sum();
    if samples as f64 > FLAT_SHARE_MAX * heard.len() as f64 && peak > 0.0 {
        return Err(MeasurementError::Clipped { samples, peak });
    }
    Ok(peak)
}

/// The table's bands with their levels and their noise, from each tone's power and its errors'.
fn bands(probe: &Probe, powers: &[(f64, f64)], noise: &[f32]) -> Vec<BandLevel> {
    let noise = probe.noise(noise, RATE_HZ);
    let steps = ((probe.high_hz - probe.low_hz) / super::BAND_HZ) as usize;
    let sums: Vec<_> = (0..steps)
        .map(|step| {
            let low_hz = probe.low_hz + step as f64 * super::BAND_HZ;
            let hz = low_hz..low_hz + super::BAND_HZ;
            let tones =
                (0..powers.len()).filter(|&tone| hz.contains(&probe.tone_hz(tone, RATE_HZ)));
            let (mut signal, mut error, mut noise_only) = (0.0, 0.0, 0.0);
            for tone in tones {
                signal += powers[tone].0;
                error += powers[tone].1;
                noise_only += noise[tone];
            }
            (low_hz, signal, error, noise_only)
        })
        .collect();
    let loudest = sums.iter().map(|band| band.1).fold(0.0, f64::max);
    sums.into_iter()
        .map(|(low_hz, signal, error, noise)| BandLevel {
            low_hz,
            level_db: told_db(signal, loudest),
            noise_snr_db: told_db(signal, noise),
            snr_db: told_db(signal, error),
        })
        .collect()
}
