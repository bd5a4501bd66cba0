//! A phone's voice: what its case and second speaker make of the sound, and treble that does not keep its phase. Linear,
//! the same for the peer's ear and one's own.

use crate::{
    config::RoomConfig,
    dice::Dice,
    kernel::{amplitude, dot, kaiser, lowpass, turn},
    troubles::{SecondSpeaker, Treble},
};

/// Half the treble kernel: edges within 1.5 kHz.
const HALF_S: f64 = 0.002;
/// The second speaker's kernel, in frames, for placing it between frames.
const PLACE_HALF: f64 = 16.0;
/// The longest way between two speakers of a phone.
const SECOND_DELAY_MAX_MS: f64 = 2.0;
/// Steps in which a response is given, a share of the sample rate.
const GRID: usize = 2048;
/// Arrivals of what comes and goes, after the steady part.
const FLUTTER_DELAYS_MS: [f64; 3] = [0.15, 0.5, 1.1];
/// Each one's gain is a sum of this many slow swings.
const SWINGS: usize = 5;
const SWING_HZ: std::ops::Range<f64> = 2.0..12.0;
/// What the unsteady part loses for each hertz below [`FLUTTER_TOP_HZ`].
const FLUTTER_DB_A_HZ: f64 = 3.6e-3;
const FLUTTER_TOP_HZ: f64 = 19_500.0;

/// The treble's corners.
const LEVEL_UNTIL_HZ: f64 = 9_000.0;
const MIDDLE_HZ: std::ops::Range<f64> = 10_000.0..13_500.0;
const TOP_FROM_HZ: f64 = 14_500.0;

/// Filters one phone's sound, [`Voice::delay`] frames late.
pub(crate) struct Voice {
    kernel: Vec<f32>,
    flutter: Option<Flutter>,
    input: Vec<f32>,
    delay: usize,
}

struct Flutter {
    kernel: Vec<f32>,
    /// Delay in frames, and frequency (turns a frame) and start of each swing.
    arrivals: Vec<(usize, [(f64, f64); SWINGS])>,
    output: Vec<f32>,
    frame: u64,
}

impl Voice {
    /// `None` for a phone with one good speaker.
    pub(crate) fn new(config: &RoomConfig, sample_rate_hz: f64, purpose: u64) -> Option<Self> {
        if config.treble.is_none() && config.second_speaker.is_none() {
            return None;
        }
        let half = (HALF_S * sample_rate_hz) as usize;
        let steady = match config.treble {
            Some(treble) => kernel(half, |share| treble.steady_db(share * sample_rate_hz)),
            None => kernel(half, |_| 0.0),
        };
        let flutter = config.treble.and_then(|treble| {
            treble.flutter_db?;
            let mut dice = Dice::new(config.seed, 64 + purpose);
            Some(Flutter {
                kernel: reversed(&kernel(half, |share| {
                    treble.flutter_at_db(share * sample_rate_hz)
                })),
                arrivals: FLUTTER_DELAYS_MS
                    .map(|delay_ms| {
                        let swing = |_| {
                            let hz = dice.between(SWING_HZ.start, SWING_HZ.end);
                            (hz / sample_rate_hz, dice.unit())
                        };
                        let swings = std::array::from_fn(swing);
                        ((delay_ms / 1000.0 * sample_rate_hz) as usize, swings)
                    })
                    .into(),
                output: vec![0.0; latest(sample_rate_hz)],
                frame: 0,
            })
        });
        let kernel = match config.second_speaker {
            Some(second) => reversed(&doubled(&steady, second, sample_rate_hz)),
            None => reversed(&steady),
        };
        let remembered = kernel
            .len()
            .max(flutter.as_ref().map_or(0, |flutter| flutter.kernel.len()))
            - 1;
        Some(Self {
            kernel,
            flutter,
            input: vec![0.0; remembered],
            delay: half,
        })
    }

    /// Frames that the direct sound of the first speaker is late.
    pub(crate) const fn delay(&self) -> usize {
        self.delay
    }

    /// Replaces `block` by what leaves the phone.
    pub(crate) fn process(&mut self, block: &mut [f32]) {
        self.input.extend_from_slice(block);
        filter(&self.input, &self.kernel, block);
        if let Some(flutter) = &mut self.flutter {
            flutter.add_to(block, &self.input);
        }
        self.input.drain(..block.len());
    }
}

impl Flutter {
    fn add_to(&mut self, block: &mut [f32], input: &[f32]) {
        let known = self.output.len();
        self.output.resize(known + block.len(), 0.0);
        filter(input, &self.kernel, &mut self.output[known..]);
        for (i, out) in block.iter_mut().enumerate() {
            for (delay, swings) in &self.arrivals {
                let gain: f64 = swings
                    .iter()
                    .map(|(turns, start)| turn(self.frame as f64 * turns + start).0)
                    .sum();
                *out += gain as f32 * self.output[known + i - delay];
            }
            self.frame += 1;
        }
        self.output.drain(..block.len());
    }
}

impl Treble {
    fn steady_db(&self, hz: f64) -> f64 {
        let between = |low: f64, high: f64, from_db: f64, to_db: f64| {
            from_db + (to_db - from_db) * (hz - low) / (high - low)
        };
        if hz < LEVEL_UNTIL_HZ {
            0.0
        } else if hz < MIDDLE_HZ.start {
            between(LEVEL_UNTIL_HZ, MIDDLE_HZ.start, 0.0, self.middle_db)
        } else if hz < MIDDLE_HZ.end {
            self.middle_db
        } else if hz < TOP_FROM_HZ {
            between(MIDDLE_HZ.end, TOP_FROM_HZ, self.middle_db, self.top_db)
        } else {
            self.top_db
        }
    }

    /// Level of each arrival's swings: their sum has the power that the setting names.
    fn flutter_at_db(&self, hz: f64) -> f64 {
        let shares = (FLUTTER_DELAYS_MS.len() * SWINGS) as f64 / 2.0;
        let over_db =
            self.flutter_db.unwrap_or(-200.0) - (FLUTTER_TOP_HZ - hz).max(0.0) * FLUTTER_DB_A_HZ;
        self.steady_db(hz) + over_db - 10.0 * libm::log10(shares)
    }
}

/// `out[i]` is the kernel (reversed in time) on the input that ends with the block's frame `i`.
fn filter(input: &[f32], reversed: &[f32], out: &mut [f32]) {
    let before = input.len() - out.len() + 1 - reversed.len();
    for (out, frames) in out.iter_mut().zip(input[before..].windows(reversed.len())) {
        *out = dot(frames, reversed);
    }
}

fn reversed(kernel: &[f64]) -> Vec<f32> {
    kernel.iter().rev().map(|&tap| tap as f32).collect()
}

/// Frames of the latest arrival.
fn latest(sample_rate_hz: f64) -> usize {
    (FLUTTER_DELAYS_MS[FLUTTER_DELAYS_MS.len() - 1] / 1000.0 * sample_rate_hz) as usize + 1
}

/// A kernel of `2 half + 1` taps, symmetric, with the level `level_db(share of the sample rate)`: sampled and windowed.
fn kernel(half: usize, level_db: impl Fn(f64) -> f64) -> Vec<f64> {
    let levels: Vec<f64> = (0..=GRID)
        .map(|i| amplitude(level_db(0.5 * i as f64 / GRID as f64)))
        .collect();
    let tap = |lag: usize| {
        // The integral over half the circle, by trapezoids.
        let inner: f64 = (1..GRID)
            .map(|i| levels[i] * turn(0.5 * (i * lag) as f64 / GRID as f64).0)
            .sum();
        let ends = 0.5 * (levels[0] + levels[GRID] * turn(0.5 * lag as f64).0);
        (inner + ends) / GRID as f64
    };
    let taps: Vec<f64> = (0..=half)
        .map(|lag| tap(lag) * kaiser(lag as f64 / (half + 1) as f64))
        .collect();
    (0..=2 * half).map(|i| taps[i.abs_diff(half)]).collect()
}

/// The kernel, and the same again `second` later.
fn doubled(kernel: &[f64], second: SecondSpeaker, sample_rate_hz: f64) -> Vec<f64> {
    let delay_ms = second.delay_ms.clamp(0.0, SECOND_DELAY_MAX_MS);
    let (delay, level) = (
        delay_ms / 1000.0 * sample_rate_hz,
        amplitude(second.level_db),
    );
    let reach = PLACE_HALF as usize;
    let mut taps = kernel.to_vec();
    taps.resize(kernel.len() + delay as usize + reach + 1, 0.0);
    let whole = delay as i64;
    for (i, &tap) in (0_i64..).zip(kernel) {
        for offset in whole - reach as i64 + 1..=whole + reach as i64 {
            let place = lowpass(offset as f64 - delay, 0.5, PLACE_HALF);
            if let Some(out) = usize::try_from(i + offset)
                .ok()
                .and_then(|at| taps.get_mut(at))
            {
                *out += level * tap * place;
            }
        }
    }
    taps
}
