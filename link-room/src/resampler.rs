//! Reads a signal between its frames: one phone's sound on the other phone's clock.

use crate::{
    history::History,
    kernel::{dot_two, lowpass},
};

/// Kernels kept for places between two frames; between kernels, values are interpolated linearly (−110 dB).
const PHASES: usize = 512;

/// Frames on either side that a value rests on, when not reducing the rate: the transition is then 4.3 kHz at 48 kHz.
const HALF_LENGTH: usize = 32;

/// A fractional reader that passes what both rates can carry. Flat to 19 kHz and 90 dB down where it would alias or
/// image into that, from 44.1 kHz up; to 9.5 kHz at 24 kHz.
pub(crate) struct Resampler {
    half: usize,
    /// Kernel `p` at `p · 2 · half`.
    kernels: Vec<f32>,
}

impl Resampler {
    pub(crate) fn new(from_hz: f64, to_hz: f64) -> Self {
        let half = (HALF_LENGTH as f64 * (from_hz / to_hz).max(1.0)).ceil() as usize;
        let cutoff = 0.5 * (to_hz / from_hz).min(1.0);
        let kernels = (0..=PHASES)
            .flat_map(|phase| {
                (0..2 * half).map(move |tap| {
                    let x = tap as f64 - (half as f64 - 1.0) - phase as f64 / PHASES as f64;
                    lowpass(x, cutoff, half as f64) as f32
                })
            })
            .collect();
        Self { half, kernels }
    }

    /// The last frame that [`Resampler::at`] needs for `place`.
    pub(crate) fn needs(&self, place: f64) -> i64 {
        place.floor() as i64 + self.half as i64
    }

    /// The signal at frame `place`; `None` where the history does not reach.
    pub(crate) fn at(&self, signal: &History, place: f64) -> Option<f32> {
        let taps = 2 * self.half;
        let whole = place.floor();
        let frames = signal.window(whole as i64 - (self.half as i64 - 1), taps)?;
        let phase = (place - whole) * PHASES as f64;
        let index = (phase as usize).min(PHASES - 1);
        let kernels = &self.kernels[index * taps..][..2 * taps];
        let [below, above] = dot_two(frames, &kernels[..taps], &kernels[taps..]);
        Some(below + (above - below) * (phase - index as f64) as f32)
    }
}
