//! Where each symbol of a measurement stands in a recording, and what happened to the recording on the way: samples lost,
//! repeated, or replaced by silence.

use super::{Complex64, Probe, RATE_HZ, Sweep, padded_spectrum};
use rustfft::FftPlannerScalar;
use std::{collections::HashMap, ops::Range};

/// How far from its place a symbol is looked for, seconds.
const REACH_S: f64 = 0.12;
/// A symbol is there if this share of the power heard is like it: noise comes to 0.05.
const LIKENESS_MIN: f64 = 0.12;
/// Symbols that jump by less than this, seconds, have not jumped: echo moves the strongest path about.
const JUMP_MIN_S: f64 = 0.0012;
/// The clock may move symbols by this besides, a share of the time between them.
const DRIFT_MAX: f64 = 0.001;
/// A stretch of one value from this long on is no sound, seconds.
const HOLE_S: f64 = 0.002;
/// As many samples the same as before are no accident.
const SAME: usize = 24;
/// … if at least so many of them differ from one another.
const DISTINCT: usize = 12;
/// Places remembered are so far apart.
const REMEMBERED: usize = 16;
/// Stretches of the sweep that are placed on their own.
const SWEEP_PIECES: usize = 12;
/// Of these the first are too low and too narrow to be placed.
const SWEEP_FROM: usize = 4;

/// What happened to a recording on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// When in the measurement, seconds from its first sample.
    pub at_s: f64,
    /// How long a stretch, seconds.
    pub lasts_s: f64,
    /// What.
    pub kind: EventKind,
}

/// What can happen to a stretch of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// It is missing, and what follows comes earlier.
    Lost,
    /// It comes again, or something else comes in between.
    Repeated,
    /// It is silent.
    Hole,
}

impl Event {
    /// Whether it reaches into this stretch of time.
    pub(super) fn touches(&self, from_s: f64, to_s: f64) -> bool {
        // What is lost takes no time any more.
        let lasts_s = if self.kind == EventKind::Lost {
            0.0
        } else {
            self.lasts_s
        };
        self.at_s < to_s && self.at_s + lasts_s > from_s
    }
}

/// One thing looked for: where it should start and what it sounds like.
struct Mark {
    at_s: f64,
    sound: Vec<f32>,
}

/// Where in the recording something of the measurement was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sighting {
    /// Where it should be, and how long it is.
    pub(super) at_s: f64,
    pub(super) lasts_s: f64,
    /// How much later it is.
    pub(super) late_s: f64,
}

/// Everything that was seen of a measurement's timing.
pub(super) struct Trace {
    /// By [`Sighting::at_s`].
    pub(super) seen: Vec<Sighting>,
    /// Jumps only: where, and how much later all is from there on.
    pub(super) jumps: Vec<(f64, f64)>,
    pub(super) events: Vec<Event>,
}

/// The parts of a measurement: each one's start, seconds, and what it is.
pub(super) struct Plan {
    pub(super) parts: Vec<(f64, Probe)>,
    pub(super) sweep_s: f64,
}

impl Plan {
    /// Stretches in which something sounds.
    fn sounding(&self) -> Vec<Range<f64>> {
        let parts = self.parts.iter().map(|(at_s, probe)| {
            let lasts_s = probe.symbols as f64 * (probe.useful_ms + probe.prefix_ms) / 1000.0;
            *at_s..at_s + lasts_s
        });
        let sweep = self.sweep_s..self.sweep_s + Sweep::DEFAULT.seconds;
        parts.chain([sweep]).collect()
    }

    fn marks(&self) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (at_s, probe) in &self.parts {
            let signal = probe.signal(RATE_HZ);
            let symbol = signal.len() / probe.symbols;
            for (index, sound) in signal.chunks_exact(symbol).enumerate() {
                marks.push(Mark {
                    at_s: at_s + (index * symbol) as f64 / f64::from(RATE_HZ),
                    sound: sound.to_vec(),
                });
            }
        }
        let signal = Sweep::DEFAULT.signal(RATE_HZ);
        let piece = signal.len() / SWEEP_PIECES;
        for (index, sound) in signal.chunks_exact(piece).enumerate().skip(SWEEP_FROM) {
            marks.push(Mark {
                at_s: self.sweep_s + (index * piece) as f64 / f64::from(RATE_HZ),
                sound: sound.to_vec(),
            });
        }
        marks
    }
}

impl Mark {
    /// Where near its place it is, by the envelope of the match, and how much of what is heard there is it.
    fn find(
        &self,
        heard: &[f32],
        expected_late_s: f64,
        planner: &mut FftPlannerScalar<f64>,
    ) -> Option<Sighting> {
        let rate = f64::from(RATE_HZ);
        let reach = (REACH_S * rate) as i64;
        let nominal = (self.at_s * rate).round() as i64;
        let from = nominal + (expected_late_s * rate).round() as i64 - reach;
        let length = self.sound.len();
        let window: Vec<f32> = (from..from + 2 * reach + length as i64)
            .map(|place| {
                usize::try_from(place)
                    .ok()
                    .and_then(|place| heard.get(place))
                    .copied()
                    .unwrap_or(0.0)
            })
            .collect();
        let size = (window.len() + length).next_power_of_two();
        let bins = padded_spectrum(&window, size, planner);
        let key = padded_spectrum(&self.sound, size, planner);
        // Only what the mark holds counts as heard: rumble and the other bands do not.
        let most = key.iter().map(Complex64::norm_sqr).fold(0.0, f64::max);
        let (mut matched, mut inside) = (vec![Complex64::ZERO; size], vec![Complex64::ZERO; size]);
        for bin in 1..size / 2 {
            if key[bin].norm_sqr() > 1e-3 * most {
                matched[bin] = bins[bin] * key[bin].conj();
                inside[bin] = bins[bin];
            }
        }
        let inverse = planner.plan_fft_inverse(size);
        inverse.process(&mut matched);
        inverse.process(&mut inside);
        let best = (0..2 * reach as usize)
            .max_by(|a, b| matched[*a].norm_sqr().total_cmp(&matched[*b].norm_sqr()))?;
        let own: f64 = self.sound.iter().map(|x| f64::from(*x).powi(2)).sum();
        let energy: f64 = inside[best..best + length]
            .iter()
            .map(Complex64::norm_sqr)
            .sum::<f64>()
            / (size * size) as f64;
        // Half the power of a real signal is at its positive frequencies.
        let likeness =
            matched[best].norm_sqr() / (size * size) as f64 / (0.5 * own * energy.max(1e-30));
        let late_s = (from + best as i64 - nominal) as f64 / rate;
        (likeness >= LIKENESS_MIN && energy > 1e-9).then_some(Sighting {
            at_s: self.at_s,
            lasts_s: length as f64 / rate,
            late_s,
        })
    }
}

/// Looks for everything of the measurement in `heard`, which begins where the measurement should.
pub(super) fn trace(plan: &Plan, heard: &[f32]) -> Trace {
    let mut planner = FftPlannerScalar::new();
    // From the sweep outwards, whose place is known: each near where its neighbours were, however much was lost on the way.
    let marks = plan.marks();
    let sweep = marks.partition_point(|mark| mark.at_s < plan.sweep_s);
    let mut follow = |marks: &mut dyn Iterator<Item = &Mark>| -> Vec<Sighting> {
        let mut seen: Vec<Sighting> = Vec::new();
        for mark in marks {
            let late_s = median(&seen[seen.len().saturating_sub(3)..]);
            seen.extend(mark.find(heard, late_s, &mut planner));
        }
        seen
    };
    let mut seen = follow(&mut marks[..sweep].iter().rev());
    seen.reverse();
    seen.extend(follow(&mut marks[sweep..].iter()));
    let mut jumps: Vec<(f64, f64)> = Vec::new();
    let mut events = Vec::new();
    let mut run = 0;
    let mut next = 1;
    while next < seen.len() {
        let before = median(&seen[next.saturating_sub(3).max(run)..next]);
        // What comes after must agree with itself: a lone symbol somewhere else is damage, not a jump.
        let after = &seen[next..(next + 3).min(seen.len())];
        let later = median(after);
        let apart_s = seen[next].at_s - seen[next - 1].at_s;
        let allowed_s = JUMP_MIN_S + DRIFT_MAX * (apart_s + 0.15);
        let agree = after
            .iter()
            .filter(|sighting| (sighting.late_s - later).abs() < JUMP_MIN_S)
            .count();
        let here = (seen[next].late_s - later).abs() < JUMP_MIN_S;
        if (later - before).abs() > allowed_s && here && agree >= 2.min(seen.len() - next) {
            let at_s = 0.5 * (seen[next - 1].at_s + seen[next - 1].lasts_s + seen[next].at_s);
            jumps.push((at_s, later - before));
            events.push(Event {
                at_s,
                lasts_s: (later - before).abs(),
                kind: if later < before {
                    EventKind::Lost
                } else {
                    EventKind::Repeated
                },
            });
            run = next;
        }
        next += 1;
    }
    for hole in holes(heard, &plan.sounding()) {
        events.push(hole);
    }
    events.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    Trace {
        seen,
        jumps,
        events,
    }
}

fn median(seen: &[Sighting]) -> f64 {
    let mut late: Vec<f64> = seen.iter().map(|sighting| sighting.late_s).collect();
    late.sort_by(f64::total_cmp);
    late.get(late.len() / 2).copied().unwrap_or(0.0)
}

/// Stretches of silence where something sounds: one value for milliseconds, or next to nothing.
fn holes(heard: &[f32], sounding: &[Range<f64>]) -> Vec<Event> {
    let rate = f64::from(RATE_HZ);
    let least = (HOLE_S * rate) as usize;
    let mut found = Vec::new();
    let power = |stretch: &[f32]| {
        let sum: f64 = stretch.iter().map(|x| f64::from(*x).powi(2)).sum();
        sum / stretch.len().max(1) as f64
    };
    let place = |s: f64| ((s * rate) as usize).min(heard.len());
    let loudest = sounding
        .iter()
        .map(|span| power(&heard[place(span.start)..place(span.end)]))
        .fold(0.0, f64::max);
    for span in sounding {
        // What is heard at the edges depends on the way.
        let from = ((span.start + 0.02) * rate) as usize;
        let to = (((span.end - 0.02) * rate) as usize).min(heard.len());
        let Some(stretch) = heard.get(from..to) else {
            continue;
        };
        let mean = power(stretch);
        // Of a band that does not arrive nothing can be missing.
        if mean < 3e-3 * loudest {
            continue;
        }
        // 46 dB under the rest: no interference of tones stays there.
        let silent = (mean * 2.5e-5).sqrt() as f32;
        let mut start = None;
        for (place, sample) in stretch.iter().chain(&[f32::INFINITY]).enumerate() {
            match (sample.abs() <= silent, start) {
                (true, None) => start = Some(place),
                (false, Some(since)) => {
                    if place - since >= least && place < stretch.len() {
                        found.push(Event {
                            at_s: (from + since) as f64 / rate,
                            lasts_s: (place - since) as f64 / rate,
                            kind: EventKind::Hole,
                        });
                    }
                    start = None;
                }
                _ => {}
            }
        }
    }
    found
}

/// Stretches that are, sample for sample, what was there before: a recorder that fills up with its last block. `forgiven`
/// are distances at which a signal repeats itself, and for how long.
pub(super) fn repeats(recorded: &[f32], rate_hz: u32, forgiven: &[(usize, usize)]) -> Vec<Event> {
    let bits: Vec<u32> = recorded.iter().map(|x| x.to_bits()).collect();
    let mut places: HashMap<u64, usize> = HashMap::new();
    let mut found: Vec<Event> = Vec::new();
    let hash = |window: &[u32]| {
        window.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, bits| {
            (hash ^ u64::from(*bits)).wrapping_mul(0x100_0000_01B3)
        })
    };
    let mut at = 0;
    while at + SAME <= bits.len() {
        let window = &bits[at..at + SAME];
        if is_dull(window) {
            at += 1;
            continue;
        }
        let key = hash(window);
        if let Some(&before) = places.get(&key) {
            let ahead = bits[before..].iter().zip(&bits[at..]);
            let same = ahead.take_while(|(one, other)| one == other).count();
            let behind = bits[..before].iter().rev().zip(bits[..at].iter().rev());
            let same = same + behind.take_while(|(one, other)| one == other).count();
            let apart = at - before;
            let is_own = forgiven
                .iter()
                .any(|(distance, length)| apart.abs_diff(*distance) <= 2 && same <= length + 8);
            if same >= SAME && !is_own {
                found.push(Event {
                    at_s: at as f64 / f64::from(rate_hz),
                    lasts_s: same as f64 / f64::from(rate_hz),
                    kind: EventKind::Repeated,
                });
                at += same.max(1);
                continue;
            }
        }
        if at.is_multiple_of(REMEMBERED) {
            places.insert(key, at);
        }
        at += 1;
    }
    found
}

/// Too few different values to mean anything: silence, or the last bit's play.
fn is_dull(window: &[u32]) -> bool {
    let mut sorted: [u32; SAME] = std::array::from_fn(|i| window[i]);
    sorted.sort_unstable();
    1 + sorted.windows(2).filter(|pair| pair[0] != pair[1]).count() < DISTINCT
}

/// Where a recording is cut off: the frequency above which nothing of the signal is left, Hz, though it sounds just below.
/// `signal` is its power by frequency, in order, and `noise` that of a pause.
pub(super) fn cut_off_hz(signal: &[(f64, f64)], noise: &[f64]) -> Option<f64> {
    const STEP_HZ: f64 = 250.0;
    /// So much less above than in the steps below, but for those next to the edge.
    const DROP: f64 = 2.5e-3;
    const NEXT: usize = 3;
    const COMPARED: usize = 4;
    let from_hz = signal.first()?.0;
    let step = |hz: f64| ((hz - from_hz) / STEP_HZ) as usize;
    let mut steps = vec![(0.0, 0.0); step(signal.last()?.0) + 1];
    for ((hz, power), noise) in signal.iter().zip(noise) {
        let sum: &mut (f64, f64) = &mut steps[step(*hz)];
        *sum = (sum.0 + power, sum.1 + noise);
    }
    let above = |edge: usize| steps[edge..].iter().map(|step| step.0).fold(0.0, f64::max);
    let edge = (COMPARED + NEXT..steps.len() - 1).find(|&edge| {
        let below = &steps[edge - NEXT - COMPARED..edge - NEXT];
        let least = below
            .iter()
            .map(|step| step.0)
            .fold(f64::INFINITY, f64::min);
        above(edge) < DROP * least
    })?;
    // The first step of which next to nothing is left.
    let below = steps[..edge - NEXT].iter().map(|step| step.0).sum::<f64>() / (edge - NEXT) as f64;
    let edge = (edge - NEXT..=edge).find(|&edge| above(edge) < 0.1 * below)?;
    // A microphone's noise that goes on above the edge was recorded: then it is the speaker that plays nothing there.
    let mean = |steps: &[(f64, f64)]| {
        steps.iter().map(|step| step.1).sum::<f64>() / steps.len().max(1) as f64
    };
    let behind = (edge + NEXT).min(steps.len() - 1);
    let (noise_below, noise_above) = (mean(&steps[..edge]), mean(&steps[behind..]));
    let goes_on = noise_above > 0.1 * noise_below && noise_below > QUANTISED * below;
    (!goes_on).then_some(from_hz + edge as f64 * STEP_HZ)
}

/// Noise this far under the signal may be the file's own, of its last bit.
const QUANTISED: f64 = 1e-7;
