//! A loudspeaker: a curve without memory, run at a higher rate so that harmonics do not fold back into the bands.

use crate::{
    config::Harmonics,
    kernel::{amplitude, dot, lowpass},
};

/// Frames (of the phone's rate) that the two filters delay the sound by.
pub(crate) const DELAY: usize = 36;

/// The amplitude for which harmonics are stated.
const STATED_AMPLITUDE: f64 = 0.5;

/// Taps of one phase.
const TAPS: usize = DELAY + 1;
/// The same with zeros before the oldest, so that sums are whole vectors; frames of input looked at.
const PADDED: usize = TAPS.next_multiple_of(8);

/// Adds harmonics to a signal, [`DELAY`] frames late.
pub(crate) struct Speaker {
    /// y = x·(c₁ + x·(c₂ + x·(c₃ + x²·c₅)))
    curve: Option<[f32; 4]>,
    factor: usize,
    /// The interpolator's phases, each reversed in time.
    phases: Vec<[f32; PADDED]>,
    /// The decimator, reversed in time (and symmetric), with zeros before it to fill vectors.
    decimator: Vec<f32>,
    input: Vec<f32>,
    oversampled: Vec<f32>,
}

impl Speaker {
    /// For a phone at `sample_rate_hz`.
    pub(crate) fn new(harmonics: Option<Harmonics>, sample_rate_hz: u32) -> Self {
        // The fifth harmonic of 19 kHz is 95 kHz: it must not fold to below 24 kHz.
        let factor = if sample_rate_hz > 64_000 { 2 } else { 3 };
        let length = factor * DELAY + 1;
        let padding = length.next_multiple_of(8) - length;
        let middle = (length / 2) as f64;
        let kernel = |i: usize| lowpass(i as f64 - middle, 0.5 / factor as f64, middle);
        let phases = (0..factor)
            .map(|phase| {
                std::array::from_fn(|tap| {
                    let i = factor * (PADDED - 1 - tap) + phase;
                    if i < length {
                        (factor as f64 * kernel(i)) as f32
                    } else {
                        0.0
                    }
                })
            })
            .collect();
        Self {
            curve: harmonics.map(curve),
            factor,
            phases,
            decimator: std::iter::repeat_n(0.0, padding)
                .chain((0..length).map(|i| kernel(i) as f32))
                .collect(),
            input: vec![0.0; PADDED - 1],
            oversampled: vec![0.0; length + padding - 1],
        }
    }

    /// Replaces `block` by what the speaker makes of what was put in [`DELAY`] frames ago.
    pub(crate) fn process(&mut self, block: &mut [f32]) {
        self.input.extend_from_slice(block);
        for frame in self.input.windows(PADDED) {
            for phase in &self.phases {
                let x = dot(frame, phase);
                self.oversampled.push(match self.curve {
                    Some([c1, c2, c3, c5]) => x * (c1 + x * (c2 + x * (c3 + x * x * c5))),
                    None => x,
                });
            }
        }
        let length = self.decimator.len();
        for (out, at) in block.iter_mut().zip((0..).step_by(self.factor)) {
            *out = dot(&self.oversampled[at..][..length], &self.decimator);
        }
        self.input.drain(..block.len());
        self.oversampled.drain(..self.factor * block.len());
    }
}

/// The polynomial whose Chebyshev terms are the wanted harmonics at [`STATED_AMPLITUDE`]; no direct current.
fn curve(harmonics: Harmonics) -> [f32; 4] {
    let [h2, h3, h5] = [harmonics.second_db, harmonics.third_db, harmonics.fifth_db].map(amplitude);
    let a = STATED_AMPLITUDE;
    // a·(h₂·2u² + h₃·(4u³ − 3u) + h₅·(16u⁵ − 20u³ + 5u)), u = x/a
    [
        1.0 - 3.0 * h3 + 5.0 * h5,
        2.0 * h2 / a,
        (4.0 * h3 - 20.0 * h5) / (a * a),
        16.0 * h5 / (a * a * a * a),
    ]
    .map(|c| c as f32)
}
