//! A minimal acoustic path for the modem's own tests: one delay, a clock skew, another sample rate, noise.
//! The room with echoes, distortion and clicks is `link-room`'s.

use link_modem::{ModemCore, RxPacket};
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;
use std::f64::consts::PI;

/// `samples`, played at `from_hz`, as heard by a clock that runs at `to_hz`: windowed sinc, 64 points a side.
pub fn resample(samples: &[f32], from_hz: f64, to_hz: f64) -> Vec<f32> {
    const REACH: i64 = 48;
    let step = from_hz / to_hz;
    // Anti-alias when going down: the bands end below 19 kHz, 44.1 kHz is as low as it gets.
    let len = ((samples.len() as f64 - REACH as f64) / step) as usize;
    (0..len)
        .map(|n| {
            let at = n as f64 * step;
            let middle = at.floor() as i64;
            let mut sum = 0.0;
            for i in middle - REACH + 1..=middle + REACH {
                let Some(&sample) = usize::try_from(i).ok().and_then(|i| samples.get(i)) else {
                    continue;
                };
                let t = at - i as f64;
                let sinc = if t == 0.0 {
                    1.0
                } else {
                    (PI * t).sin() / (PI * t)
                };
                let window = 0.5 + 0.5 * (PI * t / REACH as f64).cos();
                sum += f64::from(sample) * sinc * window;
            }
            sum as f32
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
/// `own_gain`: its speaker is that much louder than the friend's in `heard`.
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
