//! What a room does to a click: image sources of a box with absorbing walls, drawn by seed.
//!
//! The model gives what phones on tables showed: a direct sound that falls with distance, a floor echo after
//! 4–5 ms, walls and ceiling at 8–15 ms, and a dense tail whose level does not depend on the distance. The walls' one
//! number is tuned so that a receiver reads what it read on a real table (the tests of [`crate::probe`]).

use crate::{
    config::RoomConfig,
    dice::Dice,
    kernel::{amplitude, kaiser},
};
use rustfft::num_complex::Complex32;
use std::f64::consts::PI;

/// Metres a second.
pub(crate) const SPEED_OF_SOUND: f64 = 343.0;

/// The direct sound 10 cm from a phone, against what its speaker was given. Own-path levels and noise are relative
/// to it; it only sets how full the microphones are: at 10 cm and +40 dB, one's own signal is at full level.
pub(crate) const GAIN_AT_10_CM_DB: f64 = -40.0;

/// What a wall, floor or ceiling reflects, as an amplitude. Tuned: see the tests of `probe`.
const REFLECTION: f64 = 0.755;

/// The response's length. By then echoes are 70 dB under the direct sound at 20 cm.
const RESPONSE_MS: f64 = 85.0;

/// Kernel half-length, samples, for placing an echo between samples.
const PLACE_HALF: i64 = 32;

/// A phone's own speaker at its own microphone: delays and levels of what follows the direct sound, from its case and the
/// table top.
const OWN_ECHOES: [(f64, f64); 5] = [
    (0.21, -14.0),
    (0.52, -17.0),
    (0.9, -22.0),
    (1.7, -26.0),
    (2.8, -30.0),
];

/// One arrival.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Echo {
    pub(crate) delay_s: f64,
    pub(crate) gain: f64,
}

/// The sound that takes the straight way of `distance_m`.
pub(crate) fn direct(distance_m: f64) -> Echo {
    Echo {
        delay_s: distance_m / SPEED_OF_SOUND,
        gain: 0.1 * amplitude(GAIN_AT_10_CM_DB) / distance_m,
    }
}

/// The peer's arrivals, the direct sound first.
pub(crate) fn peer(config: &RoomConfig) -> Vec<Echo> {
    let distance_m = config.distance_cm / 100.0;
    let gain_at_1_m = 0.1 * amplitude(GAIN_AT_10_CM_DB);
    let direct = direct(distance_m);
    let mut echoes = vec![direct];
    if config.echoes {
        echoes.extend(images(config, distance_m).map(|(path_m, reflected)| Echo {
            delay_s: path_m / SPEED_OF_SOUND,
            gain: gain_at_1_m / path_m * reflected,
        }));
    }
    if let Some(cluster_db) = config.cluster_db {
        echoes.extend(cluster(config.seed, direct, cluster_db));
    }
    echoes
}

/// A phone's own arrivals: `own_path_db` over the peer's direct sound.
pub(crate) fn own(config: &RoomConfig) -> Vec<Echo> {
    let direct = amplitude(GAIN_AT_10_CM_DB + config.own_path_db) * 10.0 / config.distance_cm;
    let mut echoes = vec![Echo {
        delay_s: 0.0,
        gain: direct,
    }];
    if config.echoes {
        echoes.extend(OWN_ECHOES.map(|(delay_ms, level_db)| Echo {
            delay_s: delay_ms / 1000.0,
            gain: direct * amplitude(level_db),
        }));
    }
    echoes
}

/// Path lengths (direct one left out) and reflected amplitudes of every image within the response.
fn images(config: &RoomConfig, distance_m: f64) -> impl Iterator<Item = (f64, f64)> {
    let mut dice = Dice::new(config.seed, 1);
    let size = [
        dice.between(3.2, 5.0),
        dice.between(2.8, 4.2),
        dice.between(2.4, 2.8),
    ];
    let table = [
        dice.between(1.2, size[0] - 1.2),
        dice.between(1.0, size[1] - 1.0),
        0.75,
    ];
    let (cos, sin) = crate::kernel::turn(dice.unit());
    let half = [cos * distance_m / 2.0, sin * distance_m / 2.0, 0.0];
    let speaker: [f64; 3] = std::array::from_fn(|axis| table[axis] - half[axis]);
    let microphone: [f64; 3] = std::array::from_fn(|axis| table[axis] + half[axis]);

    let reach_m = RESPONSE_MS / 1000.0 * SPEED_OF_SOUND;
    let count = size.map(|length| (reach_m / (2.0 * length)).ceil() as i32);
    let mut paths = Vec::new();
    for nx in -count[0]..=count[0] {
        for ny in -count[1]..=count[1] {
            for nz in -count[2]..=count[2] {
                for mirror in 0..8 {
                    let n = [nx, ny, nz];
                    let mirrored: [i32; 3] = std::array::from_fn(|axis| (mirror >> axis) & 1);
                    let reflections: i32 = (0..3)
                        .map(|axis| (n[axis] - mirrored[axis]).abs() + n[axis].abs())
                        .sum();
                    // A few centimetres of disorder: real walls are not flat, and no two images coincide.
                    let disorder_m = dice.between(-0.04, 0.04);
                    let square: f64 = (0..3)
                        .map(|axis| {
                            let image = f64::from(1 - 2 * mirrored[axis]) * speaker[axis]
                                + 2.0 * f64::from(n[axis]) * size[axis];
                            (image - microphone[axis]) * (image - microphone[axis])
                        })
                        .sum();
                    let path_m = libm::sqrt(square) + disorder_m;
                    if reflections > 0 && path_m < reach_m {
                        paths.push((path_m, libm::pow(REFLECTION, f64::from(reflections))));
                    }
                }
            }
        }
    }
    paths.into_iter()
}

/// A dozen arrivals 8–15 ms after the direct sound, of this power together.
fn cluster(seed: u64, direct: Echo, cluster_db: f64) -> Vec<Echo> {
    const ARRIVALS: usize = 12;
    let mut dice = Dice::new(seed, 2);
    let mut echoes: Vec<Echo> = (0..ARRIVALS)
        .map(|_| {
            let delay_s = direct.delay_s + dice.between(0.008, 0.015);
            let size = dice.between(0.5, 1.5);
            Echo {
                delay_s,
                gain: if dice.unit() < 0.5 { size } else { -size },
            }
        })
        .collect();
    let power: f64 = echoes.iter().map(|echo| echo.gain * echo.gain).sum();
    let scale = direct.gain * amplitude(cluster_db) / libm::sqrt(power);
    echoes.iter_mut().for_each(|echo| echo.gain *= scale);
    echoes
}

/// Both paths of a phone's sound as one complex impulse response at `sample_rate_hz`: real to the peer, imaginary
/// to itself. Everything is [`PLACE_HALF`] samples late.
pub(crate) fn response(peer: &[Echo], own: &[Echo], sample_rate_hz: f64) -> Vec<Complex32> {
    let (to_peer, to_itself) = (placed(peer, sample_rate_hz), placed(own, sample_rate_hz));
    let length = to_peer.len().max(to_itself.len());
    let tap = |taps: &[f64], i: usize| taps.get(i).copied().unwrap_or(0.0) as f32;
    (0..length)
        .map(|i| Complex32::new(tap(&to_peer, i), tap(&to_itself, i)))
        .collect()
}

/// Samples that [`response`] is late by.
pub(crate) const RESPONSE_DELAY: usize = PLACE_HALF as usize;

/// Thousands of echoes, each a kernel between samples: the window comes from a table, and the sine of every tap of an
/// echo is the same but for its sign.
fn placed(echoes: &[Echo], sample_rate_hz: f64) -> Vec<f64> {
    let last = echoes.iter().map(|echo| echo.delay_s).fold(0.0, f64::max);
    let mut taps = vec![0.0; (last * sample_rate_hz) as usize + 2 * PLACE_HALF as usize + 2];
    let window = Window::new();
    for echo in echoes {
        let place = echo.delay_s * sample_rate_hz + PLACE_HALF as f64;
        let whole = place as i64;
        let between = place - whole as f64;
        // sin(π(n − between)) for even n.
        let sine = -libm::sin(PI * between);
        for n in 1 - PLACE_HALF..=PLACE_HALF {
            let x = n as f64 - between;
            let sinc = if x.abs() < 1e-9 {
                1.0
            } else {
                (if n & 1 == 0 { sine } else { -sine }) / (PI * x)
            };
            taps[(whole + n) as usize] += echo.gain * sinc * window.at(x);
        }
    }
    taps
}

/// The Kaiser window over ±[`PLACE_HALF`], tabulated.
struct Window(Vec<f64>);

impl Window {
    /// Entries a sample: between them a straight line is 10⁻⁷ off at most.
    const STEPS: usize = 64;

    fn new() -> Self {
        let half = PLACE_HALF as f64;
        let at = |i| kaiser(i as f64 / Self::STEPS as f64 / half);
        Self(
            (0..=PLACE_HALF as usize * Self::STEPS + 1)
                .map(at)
                .collect(),
        )
    }

    fn at(&self, x: f64) -> f64 {
        let place = x.abs() * Self::STEPS as f64;
        let (below, share) = (place as usize, place.fract());
        self.0[below] + (self.0[below + 1] - self.0[below]) * share
    }
}
