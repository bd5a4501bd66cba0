//! A minimal acoustic path for the modem's own tests: one delay, a clock skew, another sample rate, noise.
//! The room with echoes, distortion and clicks is `link-room`'s.

use link_modem::{ModemCore, RxPacket};
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;
use std::f64::consts::PI;

/// `samples`, played at `from_hz`, as heard by a clock that runs at `to_hz`: windowed sinc, 48 points a side. Good to
/// 20 kHz; the bands end below 19.
pub fn resample(samples: &[f32], from_hz: f64, to_hz: f64) -> Vec<f32> {
    const REACH: usize = 48;
    let step = from_hz / to_hz;
    let window: Vec<(f64, f64)> = (0..2 * REACH)
        .map(|i| (PI * (i as f64 + 1.0 - REACH as f64) / REACH as f64).sin_cos())
        .collect();
    let len = ((samples.len() - 2 * REACH) as f64 / step) as usize;
    (0..len)
        .map(|n| {
            let at = n as f64 * step;
            let (middle, fraction) = (at.floor() as usize, at.fract());
            let Some(first) = (middle + 1).checked_sub(REACH) else {
                return 0.0;
            };
            if fraction < 1e-12 {
                return samples[middle];
            }
            // t = fraction − k: sin(πt) alternates in sign, and the window's cosine is one of a difference.
            let sine = (PI * fraction).sin() / PI;
            let (window_sin, window_cos) = (PI * fraction / REACH as f64).sin_cos();
            let near = samples[first..].iter().zip(&window).enumerate();
            let sum: f64 = near
                .map(|(i, (sample, (sin, cos)))| {
                    let k = i as f64 + 1.0 - REACH as f64;
                    let sign = if (i + 1 + REACH).is_multiple_of(2) {
                        1.0
                    } else {
                        -1.0
                    };
                    let taper = 0.5 + 0.5 * (window_cos * cos + window_sin * sin);
                    f64::from(*sample) * sign * taper / (fraction - k)
                })
                .sum();
            (sum * sine) as f32
        })
        .collect()
}

/// Gaussian noise of standard deviation `sigma`.
pub fn noise(rng: &mut Pcg64Mcg, len: usize, sigma: f32) -> Vec<f32> {
    let mut uniform = || (rng.next_u32() as f32 + 0.5) / 4_294_967_296.0;
    (0..len)
        .map(|_| sigma * (-2.0 * uniform().ln()).sqrt() * (std::f32::consts::TAU * uniform()).cos())
        .collect()
}

/// `into += gain · what`, from frame `at` on.
pub fn mix(into: &mut [f32], what: &[f32], at: usize, gain: f32) {
    for (into, what) in into.iter_mut().skip(at).zip(what) {
        *into += gain * what;
    }
}

/// Runs `core` over `heard` in blocks of `block_frames`, its own output added to its next block's input at
/// `own_gain`: its speaker is that much louder than the peer's in `heard`.
pub fn full_duplex(
    core: &mut ModemCore,
    heard: &[f32],
    block_frames: usize,
    own_gain: f32,
) -> Vec<RxPacket> {
    let mut packets = Vec::new();
    let mut own = vec![0.0; block_frames];
    let mut frame = core.stats().sample;
    for block in heard.chunks(block_frames) {
        let mut input = block.to_vec();
        mix(&mut input, &own, 0, own_gain);
        own.resize(block.len(), 0.0);
        core.process(&input, &mut own, frame);
        frame += block.len() as u64;
        while let Some(packet) = core.take_packet() {
            packets.push(packet);
        }
    }
    packets
}
