//! What a recorded measurement says: clock, echo, levels, and each of the link's bands.

use super::{
    Complex64, LinkReading, Measurement, MeasurementError, Probe, RATE_HZ, Reading, Sweep,
    SweepReading,
    clock::{Delay, Interpolator, PPM_MAX, Part},
    first_path,
    measurement::{LEAD_S, MARGIN_S, PAUSE_S, TAIL_S, place},
    told_db,
    trace::{Event, EventKind, Trace, cut_off_hz, trace},
    verdict::Circumstances,
};
use link_modem::params::Band;
use std::ops::Range;

/// What of the pause before the signals is taken for noise, and what of the one before each of the link's bands: an end
/// that the echo of what sounded before does not reach.
const NOISE_S: Range<f64> = -0.22..-0.02;
const NOISE_BEFORE_BAND_S: Range<f64> = -0.045..-0.005;
/// A clock that wanders by less than this stands still, ppm.
const STEADY_PPM: f64 = 15.0;
/// Rates at which devices capture, and what a cut-off must be of half of one.
const CAPTURE_HZ: [u32; 7] = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000];
const OF_HALF: Range<f64> = 0.92..1.01;
/// What the decay is told of: both plans' bands.
const DECAY_HZ: Range<f64> = 4500.0..19_500.0;
/// Beside a band, where its filter rises.
const EDGE_HZ: f64 = 500.0;
/// What of the sweep lies so far under its loudest part has not arrived, dB.
const SWEEP_GONE_DB: f64 = -30.0;
/// A symbol so near to an event suffers from it: echo.
const HIT_S: f64 = 0.004;
/// Events nearer to each other than this are one, seen in two ways.
const SAME_EVENT_S: f64 = 0.06;

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

impl Measurement {
    /// Reads `heard`, at [`RATE_HZ`], which begins [`LEAD_S`] before the measurement; `more` was seen in the recording itself.
    pub(super) fn report(
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
