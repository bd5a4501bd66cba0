//! Finds a measurement in a recording that comes in pieces.

use super::{
    Measurement, MeasurementError, Probe, RATE_HZ, Report, Sweep,
    find::{Finder, Found},
    measurement::{LEAD_S, MARGIN_S, PAUSE_S, TAIL_S, at_rate},
    refusal::LIKENESS_MIN,
    trace::repeats,
};

/// The slowest recording that holds all of the measurement.
const RATE_MIN_HZ: u32 = 44_100;
/// The fastest.
const RATE_MAX_HZ: u32 = 384_000;
/// As little of the sweep's likeness, and another rate is tried: what fits well fits much better.
const DOUBTFUL: f64 = 0.3;
const BETTER: f64 = 1.5;
/// Rates that recorders know, of those that hold all of the measurement.
const RATES_HZ: [u32; 5] = [48_000, 44_100, 96_000, 88_200, 32_000];
/// Stretches of a recording without a sweep in which other rates are tried.
const TRIES: usize = 12;
/// Samples within this share of the loudest are as loud: no sine of the measurement stays so near its top for three.
const FLAT: f32 = 0.999;
/// This share of samples on flat tops is clipping.
const FLAT_SHARE_MAX: f64 = 2e-4;
/// Samples handed to a reader at a time.
const PIECE: usize = 1 << 14;
/// What a search moves on by; it looks at a sweep more.
const SEARCHED_S: f64 = 7.5;
/// Below this no label is doubted: no measurement was ever recorded so.
const RATE_DOUBTED_HZ: u32 = 8_000;

impl Measurement {
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
