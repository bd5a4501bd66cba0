//! A whole measurement: what to play, and what a recording of it says.

use super::{
    Complex64, LinkReading, Probe, RATE_HZ, Reading, Sweep, SweepReading,
    clock::{Delay, Interpolator, PPM_MAX, Part, resampled},
    find::{Finder, Found},
    first_path, told_db,
    trace::{Event, EventKind, Plan, Trace, cut_off_hz, repeats, trace},
    verdict::Circumstances,
};
use link_modem::params::Band;
use std::ops::Range;
use thiserror::Error;

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
/// What of the pause before the signals is taken for noise, and what of the one before each of the link's bands: an end
/// that the echo of what sounded before does not reach.
const NOISE_S: Range<f64> = -0.22..-0.02;
const NOISE_BEFORE_BAND_S: Range<f64> = -0.045..-0.005;
/// What is kept before and after the measurement: blocks lost on the way move its start.
const LEAD_S: f64 = 1.0;
/// A clock that wanders by less than this stands still, ppm.
const STEADY_PPM: f64 = 15.0;
/// As little of the sweep's likeness, and another rate is tried: what fits well fits much better.
const DOUBTFUL: f64 = 0.3;
const BETTER: f64 = 1.5;
/// Rates that recorders know, of those that hold all of the measurement.
const RATES_HZ: [u32; 5] = [48_000, 44_100, 96_000, 88_200, 32_000];
/// Stretches of a recording without a sweep in which other rates are tried.
const TRIES: usize = 12;
/// Rates at which devices capture, and what a cut-off must be of half of one.
const CAPTURE_HZ: [u32; 7] = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000];
const OF_HALF: Range<f64> = 0.92..1.01;
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
#[non_exhaustive]
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
    /// How far the recorder's clock wandered about that, ppm: 0 of one that stands still.
    pub wander_ppm: f64,
    /// The recording's loudest sample.
    pub peak: f32,
    /// What was lost, repeated or silenced on the way, in order.
    pub events: Vec<Event>,
    /// Above this nothing at all was recorded, Hz.
    pub cut_off_hz: Option<f64>,
    /// The rate that the recording was captured at, if that explains [`Self::cut_off_hz`]: it was raised later.
    pub capture_hz: Option<u32>,
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
    /// The samples were taken at another rate than the file says.
    #[error(
        "the file is labelled {labelled_hz} Hz, but the samples fit {fits_hz} Hz: the sample rate in its header is wrong. Read \
         it under that rate, or record again"
    )]
    WrongRate {
        /// The rate that the file states.
        labelled_hz: u32,
        /// The rate at which the measurement is there.
        fits_hz: u32,
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
        let lasts =
            |probe: &Probe| probe.symbols as f64 * (probe.useful_ms + probe.prefix_ms) / 1000.0;
        let table = PAUSE_S;
        let mut at = table + lasts(&Probe::TABLE) + PAUSE_S;
        let links = Band::ALL.map(|band| {
            let start = at;
            at += lasts(&Probe::link(band)) + SHORT_PAUSE_S;
            start
        });
        (table, links, at - SHORT_PAUSE_S + PAUSE_S)
    }

    /// The same in a recording that begins [`LEAD_S`] before it.
    fn plan() -> Plan {
        let (table, links, sweep) = Self::starts_s();
        let links = links.into_iter().zip(Band::ALL);
        let links = links.map(|(at_s, band)| (LEAD_S + at_s, Probe::link(band)));
        Plan {
            parts: std::iter::once((LEAD_S + table, Probe::TABLE))
                .chain(links)
                .collect(),
            sweep_s: LEAD_S + sweep,
        }
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
    /// lies. A few seconds' work at most for a minute's recording. [`MeasurementReader`] does the same for one that comes
    /// in pieces.
    ///
    /// # Errors
    /// [`MeasurementError`] says what is wrong with the recording, and what to do.
    pub fn read(self, recording: &[f32], sample_rate_hz: u32) -> Result<Report, MeasurementError> {
        let mut reader = MeasurementReader::new(sample_rate_hz);
        for piece in recording.chunks(PIECE) {
            reader.hear(piece);
        }
        reader.finish()
    }

    /// Reads `heard`, at [`RATE_HZ`], which begins [`LEAD_S`] before the measurement; `more` was seen in the recording itself.
    fn report(
        self,
        heard: &[f32],
        starts_s: f64,
        peak: f32,
        more: Vec<Event>,
    ) -> Result<Report, MeasurementError> {
        let plan = Self::plan();
        let read = Interpolator::new(1.0);
        let Trace {
            seen,
            mut jumps,
            mut events,
        } = trace(&plan, heard);
        let raw: Vec<(f64, f64)> = seen
            .iter()
            .map(|sighting| {
                let before = jumps.iter().filter(|(at_s, _)| *at_s <= sighting.at_s);
                let jumped: f64 = before.map(|(_, by_s)| by_s).sum();
                (sighting.at_s, sighting.late_s - jumped)
            })
            .collect();
        let echoed = (line_through(&raw).1 * 1e6).abs() > PPM_MAX && raw.len() > 8;
        if echoed {
            // Echo as strong as the direct sound stands for it here and there: nothing jumped.
            jumps.clear();
            events.retain(|event| event.kind == EventKind::Hole);
        }
        merge(&mut events, more);
        let jumped = |t: f64| -> f64 {
            let before = jumps.iter().filter(|(at_s, _)| *at_s <= t);
            before.map(|(_, by_s)| by_s).sum()
        };
        // Everything seen, the jumps taken off: the clock, and the strongest path's place.
        let mut smooth: Vec<(f64, f64)> = seen
            .iter()
            .map(|sighting| (sighting.at_s, sighting.late_s - jumped(sighting.at_s)))
            .collect();
        let (mut middle, mut slope) = line_through(&smooth);
        if echoed {
            // Echo as strong as the direct sound can stand for it in one band and not in another: the widest part decides.
            let table_ends_s = plan.parts[1].0;
            smooth.retain(|(t, _)| *t < table_ends_s);
            (middle, slope) = line_through(&smooth);
            if (slope * 1e6).abs() > PPM_MAX {
                return Err(MeasurementError::Clock { ppm: slope * 1e6 });
            }
        }
        let line = |t: f64| middle.1 + slope * (t - middle.0);
        let mut parts: Vec<(Part<'_>, f64, bool)> = Vec::new();
        for (at_s, probe) in &plan.parts {
            let symbol_s = (probe.useful_ms + probe.prefix_ms) / 1000.0;
            let ends_s = at_s + symbol_s * probe.symbols as f64;
            let inside: Vec<(f64, f64)> = smooth
                .iter()
                .copied()
                .filter(|(t, _)| (*at_s..ends_s).contains(t))
                .collect();
            let is_seen = 2 * inside.len() > probe.symbols;
            let (late_s, slope) = if is_seen {
                let (middle, local) = line_through(&inside);
                (middle.1 + local * (at_s - middle.0), local)
            } else {
                (line(*at_s), slope)
            };
            let starts_s: Vec<f64> = (0..probe.symbols)
                .map(|symbol| at_s + symbol as f64 * symbol_s)
                .map(|t| t + jumped(t))
                .collect();
            let is_hit: Vec<bool> = (0..probe.symbols)
                .map(|symbol| at_s + symbol as f64 * symbol_s)
                .map(|t| {
                    events
                        .iter()
                        .any(|event| event.touches(t - HIT_S, t + symbol_s + HIT_S))
                })
                .collect();
            // Where too much was hit to leave anything, all of it counts.
            let enough = is_hit.iter().filter(|hit| !**hit).count() >= 5;
            let part = Part {
                probe: *probe,
                starts_s,
                is_hit: if enough {
                    is_hit
                } else {
                    vec![false; probe.symbols]
                },
                heard,
                read: &read,
                delay: Delay::line(late_s, slope),
            };
            parts.push((part, *at_s, is_seen));
        }
        // The first path comes before the strongest, in every part by as much.
        let first_s = parts[0]
            .2
            .then(|| first_path_s(&parts[0].0))
            .flatten()
            .unwrap_or(0.0);
        for (part, _, _) in &mut parts {
            for start_s in &mut part.starts_s {
                *start_s += first_s;
            }
            part.follow();
        }
        let (clock_ppm, wander_ppm) = clock(&parts, slope);
        let steady = |t: f64| line(t) + first_s;
        let wandering = |t: f64| between(&smooth, t).unwrap_or_else(|| line(t)) + first_s;
        let late = |t: f64| {
            if wander_ppm > STEADY_PPM && !echoed {
                wandering(t)
            } else {
                steady(t)
            }
        };
        let sweep_part: Vec<f32> = {
            let length = place(Sweep::DEFAULT.seconds + 2.0 * MARGIN_S + TAIL_S);
            (0..length)
                .map(|i| plan.sweep_s - MARGIN_S + i as f64 / f64::from(RATE_HZ))
                .map(|t| read.at(heard, (t + jumped(t) + late(t)) * f64::from(RATE_HZ)))
                .collect()
        };
        let cut_off = MeasurementError::CutOff {
            start: false,
            missing: PAUSE_S,
        };
        let mut rows = parts.iter().map(|(part, _, _)| clean_rows(part));
        let received = rows.next().ok_or(cut_off)?;
        let table_s = parts[0].0.starts_s[0] + parts[0].0.delay.at(0.0);
        let mut reading = Probe::TABLE.reading(&received, RATE_HZ, 0);
        reading.first_sample =
            ((starts_s + table_s - LEAD_S).max(0.0) * f64::from(RATE_HZ)) as usize;
        let stretch = |at_s: f64, span: &Range<f64>| {
            let at = |s: f64| ((at_s + s).max(0.0) * f64::from(RATE_HZ)) as usize;
            let end = at(span.end).min(heard.len());
            &heard[at(span.start).min(end)..end]
        };
        let quiet = stretch(table_s, &NOISE_S);
        let table_powers = super::powers(&received[1..]);
        let bands = bands(&Probe::TABLE, &table_powers, quiet);
        let ranges = Band::ALL
            .map(|band| band.tone_hz(0) - EDGE_HZ..band.tone_hz(band.tones() - 1) + EDGE_HZ);
        let (sweep, late_db) = Sweep::DEFAULT
            .read(&sweep_part, RATE_HZ, DECAY_HZ, &ranges)
            .ok_or(cut_off)?;
        let by_tone: Vec<(f64, f64)> = table_powers
            .iter()
            .enumerate()
            .map(|(tone, power)| (Probe::TABLE.tone_hz(tone, RATE_HZ), power.0))
            .collect();
        let cut_off_hz = if parts[0].2 {
            cut_off_hz(&by_tone, &Probe::TABLE.noise(quiet, RATE_HZ))
        } else {
            // Nothing of the table arrives: it begins at 4 kHz, the sweep lower.
            let above = |step: usize| {
                let mut steps = sweep.response[step..].iter();
                steps.all(|step| step.1 < SWEEP_GONE_DB)
            };
            let edge = (1..sweep.response.len()).find(|step| above(*step));
            edge.map(|step| sweep.response[step].0)
        };
        let capture_hz = cut_off_hz.and_then(|hz| {
            let mut rates = CAPTURE_HZ.into_iter();
            rates.find(|rate_hz| OF_HALF.contains(&(hz / (0.5 * f64::from(*rate_hz)))))
        });
        // A tone as loud as most: what lies far under it is not there.
        let mut levels: Vec<f64> = table_powers.iter().map(|power| power.0).collect();
        levels.sort_by(f64::total_cmp);
        let loud = levels[levels.len() * 9 / 10];
        let scale = |band: Band| {
            // Fewer tones share the same level, over a longer window.
            let tones = |probe: &Probe| probe.tones(RATE_HZ).count() as f64;
            let (link, table) = (Probe::link(band), Probe::TABLE);
            (link.useful_ms / table.useful_ms).powi(2) * tones(&table) / tones(&link)
        };
        let circumstances = |band| Circumstances {
            loud_tone: loud * scale(band),
            cut_off_hz,
            capture_hz,
            events: &events,
            lasts_s: self.seconds(),
            wander_ppm,
        };
        let mut readings = Vec::with_capacity(Band::ALL.len());
        for ((index, band), received) in Band::ALL.into_iter().enumerate().zip(rows) {
            let probe = Probe::link(band);
            let start_s = parts[index + 1].0.starts_s[0] + parts[index + 1].0.delay.at(0.0);
            let before = stretch(start_s, &NOISE_BEFORE_BAND_S);
            let noise = [probe.noise(quiet, RATE_HZ), probe.noise(before, RATE_HZ)];
            // Whichever is louder: noise that comes and goes is noise.
            let total = |noise: &[f64]| noise.iter().sum::<f64>();
            let louder = usize::from(total(&noise[1]) > 4.0 * total(&noise[0]));
            readings.push(LinkReading::new(
                band,
                &received[1..],
                &noise[louder],
                &sweep,
                late_db[index],
                &circumstances(band),
            ));
        }
        for event in &mut events {
            event.at_s -= LEAD_S;
        }
        Ok(Report {
            reading,
            bands,
            links: readings.try_into().map_err(|_| cut_off)?,
            sweep,
            clock_ppm,
            wander_ppm,
            starts_s,
            peak,
            events,
            cut_off_hz,
            capture_hz,
        })
    }
}

/// Reads a measurement from a recording that comes in pieces, in memory that does not grow with it: nineteen seconds of
/// sound, and one transform of eleven.
pub struct MeasurementReader {
    rate_hz: u32,
    finder: Option<Finder>,
    /// The newest samples, and the place of the first of them in the recording.
    samples: Vec<f32>,
    from: u64,
    /// Where what was searched ends.
    searched: u64,
    heard: u64,
    best: Option<Best>,
    /// Another rate at which the sweep is there, and how well.
    other: Option<(u32, f64)>,
    tries: usize,
}

/// The best place for the sweep so far, with the measurement around it.
struct Best {
    found: Found,
    /// The sweep's place in the recording, samples.
    at: i64,
    /// The recording from here on, as far as it is wanted.
    from: u64,
    samples: Vec<f32>,
}

impl MeasurementReader {
    /// For a recording of one channel at this rate.
    #[must_use]
    pub fn new(sample_rate_hz: u32) -> Self {
        Self {
            rate_hz: sample_rate_hz,
            finder: None,
            samples: Vec::new(),
            from: 0,
            searched: 0,
            heard: 0,
            best: None,
            other: None,
            tries: 0,
        }
    }

    fn places(&self, seconds: f64) -> u64 {
        (seconds * f64::from(self.rate_hz)) as u64
    }

    fn is_possible(&self) -> bool {
        (RATE_MIN_HZ..=RATE_MAX_HZ).contains(&self.rate_hz)
    }

    /// Takes the next samples; what is no number is silence.
    pub fn hear(&mut self, samples: &[f32]) {
        self.heard += samples.len() as u64;
        if self.rate_hz > RATE_MAX_HZ || self.rate_hz < RATE_DOUBTED_HZ {
            return;
        }
        self.samples
            .extend(samples.iter().map(|x| if x.is_finite() { *x } else { 0.0 }));
        let wanted = self.wanted_after();
        if let Some(best) = &mut self.best {
            let end = (best.at + wanted as i64).max(0) as u64;
            let has = best.from + best.samples.len() as u64;
            let first = self.heard - samples.len() as u64;
            if has == first && has < end {
                let more = (end - has).min(samples.len() as u64) as usize;
                let start = self.samples.len() - samples.len();
                best.samples
                    .extend_from_slice(&self.samples[start..start + more]);
            }
        }
        while self.heard - self.searched >= self.places(SEARCHED_S + Sweep::DEFAULT.seconds) {
            self.search();
        }
    }

    /// Samples wanted from the sweep's start on.
    fn wanted_after(&self) -> u64 {
        self.places(Sweep::DEFAULT.seconds + TAIL_S + LEAD_S + PAUSE_S)
    }

    /// Looks for the sweep in the oldest stretch that was not searched.
    fn search(&mut self) {
        let start = (self.searched - self.from) as usize;
        let length = self.places(SEARCHED_S + Sweep::DEFAULT.seconds) as usize;
        let stretch = &self.samples[start..self.samples.len().min(start + length)];
        let finder = self
            .finder
            .get_or_insert_with(|| Finder::new(&Sweep::DEFAULT, RATE_HZ));
        let possible = (RATE_MIN_HZ..=RATE_MAX_HZ).contains(&self.rate_hz);
        let found = if possible {
            finder.find(&at_rate(stretch, self.rate_hz, RATE_HZ))
        } else {
            None
        };
        let likeness = found.map_or(0.0, |found| found.likeness);
        let loud = stretch.iter().any(|x| x.abs() > 1e-4);
        if likeness < DOUBTFUL && loud && self.tries < TRIES {
            self.tries += 1;
            for rate_hz in RATES_HZ
                .into_iter()
                .filter(|rate_hz| *rate_hz != self.rate_hz)
            {
                let other = finder
                    .find(&at_rate(stretch, rate_hz, RATE_HZ))
                    .map_or(0.0, |found| found.likeness);
                if other > self.other.map_or(0.0, |other| other.1) {
                    self.other = Some((rate_hz, other));
                }
            }
        }
        if let Some(found) = found.filter(|found| {
            self.best
                .as_ref()
                .is_none_or(|best| found.likeness > best.found.likeness)
        }) {
            let place = found.at as f64 * f64::from(self.rate_hz) / f64::from(RATE_HZ);
            let at = self.searched as i64 + place.round() as i64;
            let before = self.places(Measurement::starts_s().2 + LEAD_S) as i64;
            let from = (at - before).max(self.from as i64) as u64;
            let end =
                (at + self.wanted_after() as i64).clamp(from as i64, self.heard as i64) as u64;
            self.best = Some(Best {
                found,
                at,
                from,
                samples: self.samples[(from - self.from) as usize..(end - self.from) as usize]
                    .to_vec(),
            });
        }
        self.searched = (self.searched + self.places(SEARCHED_S)).min(self.heard);
        // What a sweep found later can still want.
        let keep = self.searched.saturating_sub(
            self.places(Measurement::starts_s().2 + LEAD_S + Sweep::DEFAULT.seconds),
        );
        self.samples.drain(..(keep - self.from.min(keep)) as usize);
        self.from = keep.max(self.from);
    }

    /// How much of the best place so far is like the sweep: 1 would be all. Tells which of several channels has it.
    #[must_use]
    pub fn likeness(&mut self) -> f64 {
        if self.heard > self.searched
            && self.rate_hz >= RATE_DOUBTED_HZ
            && self.rate_hz <= RATE_MAX_HZ
        {
            self.search();
        }
        self.best.as_ref().map_or(0.0, |best| best.found.likeness)
    }

    /// The recording has ended: what it says.
    ///
    /// # Errors
    /// [`MeasurementError`] says what is wrong with the recording, and what to do.
    pub fn finish(mut self) -> Result<Report, MeasurementError> {
        let rate_hz = self.rate_hz;
        if rate_hz > RATE_MAX_HZ {
            return Err(MeasurementError::RateTooHigh { rate_hz });
        }
        if self.heard > self.searched && rate_hz >= RATE_DOUBTED_HZ {
            self.search();
        }
        let likeness = self.likeness();
        if let Some((fits_hz, other)) = self.other
            && other > BETTER * likeness
            && other >= 2.0 * LIKENESS_MIN
        {
            return Err(MeasurementError::WrongRate {
                labelled_hz: rate_hz,
                fits_hz,
            });
        }
        if !self.is_possible() {
            return Err(MeasurementError::RateTooLow { rate_hz });
        }
        let seconds = self.heard as f64 / f64::from(rate_hz);
        if seconds < Sweep::DEFAULT.seconds {
            return Err(MeasurementError::TooShort {
                seconds,
                needed: Measurement.seconds(),
            });
        }
        let Some(best) = self.best.filter(|_| likeness >= LIKENESS_MIN) else {
            return Err(MeasurementError::NoSweep { likeness });
        };
        let (table, _, sweep) = Measurement::starts_s();
        let sweep_s = best.at as f64 / f64::from(rate_hz);
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
        // The measurement alone, [`LEAD_S`] before and after: what of that lies outside the recording is silence.
        let first_s = starts_s - LEAD_S;
        let of = |s: f64| (s * f64::from(rate_hz)).round() as i64 - best.from as i64;
        let whole = of(first_s)..of(sweep_s + Sweep::DEFAULT.seconds + TAIL_S + LEAD_S);
        let inside = whole.start.clamp(0, best.samples.len() as i64) as usize
            ..whole.end.clamp(0, best.samples.len() as i64) as usize;
        let measured = of(starts_s).max(0) as usize
            ..(of(starts_s + Measurement.seconds()).max(0) as usize).min(best.samples.len());
        let measured = &best.samples[measured.start.min(measured.end)..measured.end];
        let peak = unclipped(measured)?;
        let apart = |probe: &Probe| {
            let samples = |ms: f64| (ms / 1000.0 * f64::from(rate_hz)).round() as usize;
            (samples(probe.useful_ms), samples(probe.prefix_ms))
        };
        let mut more = repeats(
            measured,
            rate_hz,
            &[apart(&Probe::TABLE), apart(&Probe::HOST_BAND)],
        );
        for event in &mut more {
            event.at_s += LEAD_S;
        }
        let mut recording = vec![0.0; (inside.start as i64 - whole.start).max(0) as usize];
        recording.extend_from_slice(&best.samples[inside]);
        recording.resize((whole.end - whole.start).max(0) as usize, 0.0);
        let heard = at_rate(&recording, rate_hz, RATE_HZ);
        Measurement.report(&heard, starts_s, peak, more)
    }
}

/// What of the sweep lies so far under its loudest part has not arrived, dB.
const SWEEP_GONE_DB: f64 = -30.0;
/// Samples handed to a reader at a time.
const PIECE: usize = 1 << 14;
/// What a search moves on by; it looks at a sweep more.
const SEARCHED_S: f64 = 7.5;
/// Below this no label is doubted: no measurement was ever recorded so.
const RATE_DOUBTED_HZ: u32 = 8_000;
/// A symbol so near to an event suffers from it: echo.
const HIT_S: f64 = 0.004;
/// Events nearer to each other than this are one, seen in two ways.
const SAME_EVENT_S: f64 = 0.06;

/// Adds what was seen in the recording itself to what was seen of its timing.
fn merge(events: &mut Vec<Event>, more: Vec<Event>) {
    for event in more {
        let known = events
            .iter_mut()
            .find(|known| (known.at_s - event.at_s).abs() < SAME_EVENT_S);
        match known {
            // The recording itself tells the place.
            Some(known) => known.at_s = event.at_s,
            None => events.push(event),
        }
    }
    events.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
}

/// The line that most pairs of points agree on (Theil and Sen), through its middle.
fn line_through(points: &[(f64, f64)]) -> ((f64, f64), f64) {
    let median = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    };
    let mut slopes = Vec::new();
    let apart = points.len().div_ceil(3).max(1);
    for (one, other) in points.iter().zip(points.iter().skip(apart)) {
        slopes.push((other.1 - one.1) / (other.0 - one.0).max(1e-9));
    }
    let slope = median(&mut slopes);
    let at = points.iter().map(|point| point.0).sum::<f64>() / points.len().max(1) as f64;
    let mut levels: Vec<f64> = points
        .iter()
        .map(|point| point.1 - slope * (point.0 - at))
        .collect();
    ((at, median(&mut levels)), slope)
}

/// The value between points in order; `None` outside of them.
fn between(points: &[(f64, f64)], t: f64) -> Option<f64> {
    let next = points.partition_point(|point| point.0 < t);
    let (one, other) = (points.get(next.checked_sub(1)?)?, points.get(next)?);
    Some(one.1 + (other.1 - one.1) * (t - one.0) / (other.0 - one.0).max(1e-9))
}

/// How much earlier than the strongest path the first one comes, seconds: at most 0.
fn first_path_s(part: &Part<'_>) -> Option<f64> {
    let symbol = part.is_hit.iter().position(|hit| !hit)?;
    let signal = part.probe.signal(RATE_HZ);
    let length = signal.len() / part.probe.symbols;
    let template = &signal[symbol * length..(symbol + 1) * length];
    let t = symbol as f64 * length as f64 / f64::from(RATE_HZ);
    let from = (part.starts_s[symbol] + part.delay.at(t) - MARGIN_S) * f64::from(RATE_HZ);
    let from = from.max(0.0) as usize;
    let heard = part
        .heard
        .get(from..(from + length + 2 * place(MARGIN_S)).min(part.heard.len()))?;
    let first = first_path(heard, template, RATE_HZ)?;
    let first_s =
        (from + first) as f64 / f64::from(RATE_HZ) - part.starts_s[symbol] - part.delay.at(t);
    Some(first_s.clamp(-0.016, 0.002))
}

/// What the channel did to each tone in each symbol that nothing happened to, their common gain taken off: a step in the
/// microphone's costs the link nothing.
fn clean_rows(part: &Part<'_>) -> Vec<Vec<Complex64>> {
    let fft = rustfft::FftPlannerScalar::new()
        .plan_fft_forward(Probe::samples(part.probe.useful_ms, RATE_HZ));
    let rows = part.rows(&fft).into_iter().zip(&part.is_hit);
    let mut rows: Vec<Vec<Complex64>> =
        rows.filter(|(_, hit)| !**hit).map(|(row, _)| row).collect();
    let tones = rows.first().map_or(0, Vec::len);
    let mean: Vec<Complex64> = (0..tones)
        .map(|tone| rows.iter().map(|row| row[tone]).sum())
        .collect();
    let whole: f64 = mean.iter().map(Complex64::norm_sqr).sum::<f64>() / rows.len().max(1) as f64;
    for row in &mut rows {
        let along: f64 = row
            .iter()
            .zip(&mean)
            .map(|(value, mean)| (value * mean.conj()).re)
            .sum();
        let gain = along / whole.max(1e-30);
        if (0.05..20.0).contains(&gain) {
            row.iter_mut().for_each(|value| *value /= gain);
        }
    }
    rows
}

/// The clock over all parts seen, and how far it wanders, ppm.
fn clock(parts: &[(Part<'_>, f64, bool)], otherwise: f64) -> (f64, f64) {
    let seen = || parts.iter().filter(|(_, _, is_seen)| *is_seen);
    let slopes: Vec<f64> = seen()
        .map(|(part, _, _)| {
            part.delay.slope(
                0.5 * part.probe.symbols as f64 * (part.probe.useful_ms + part.probe.prefix_ms)
                    / 1000.0,
            )
        })
        .collect();
    if slopes.is_empty() {
        return (otherwise * 1e6, 0.0);
    }
    let mean = slopes.iter().sum::<f64>() / slopes.len() as f64;
    let furthest = slopes
        .iter()
        .map(|slope| (slope - mean).abs())
        .fold(0.0, f64::max);
    let wander = if furthest * 1e6 < STEADY_PPM {
        0.0
    } else {
        furthest * 1e6
    };
    // The table, which is widest and longest, tells a clock that stands still best.
    let table = seen()
        .next()
        .filter(|(part, _, _)| part.probe == Probe::TABLE);
    let steady = if wander == 0.0 {
        table.map(|_| slopes[0])
    } else {
        None
    };
    (steady.unwrap_or(mean) * 1e6, wander)
}

/// A sample's place.
fn place(seconds: f64) -> usize {
    (seconds * f64::from(RATE_HZ)).round() as usize
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
