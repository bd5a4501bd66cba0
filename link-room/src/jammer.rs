//! Game audio from a phone's own speaker: bursts of noise with nothing above a cut-off, as after the guard filter.

use crate::{
    config::Jammer,
    dice::Dice,
    kernel::{TAPS_TIMES_WIDTH, amplitude, dot, lowpass},
};

/// The guard's transition, Hz.
const TRANSITION_HZ: f64 = 1000.0;
/// A burst or a pause lasts between this and twice this.
const BURST_S: f64 = 0.15;

/// Makes one phone's game audio.
pub(crate) struct GameAudio {
    dice: Dice,
    rms: f32,
    kernel: Vec<f32>,
    white: Vec<f32>,
    sample_rate_hz: f64,
    left: usize,
    loud: bool,
}

impl GameAudio {
    pub(crate) fn new(jammer: Jammer, seed: u64, purpose: u64, sample_rate_hz: f64) -> Self {
        let half = 0.5 * TAPS_TIMES_WIDTH * sample_rate_hz / TRANSITION_HZ;
        let cutoff = (jammer.cutoff_hz - TRANSITION_HZ / 2.0) / sample_rate_hz;
        let kernel: Vec<f32> = (0..2 * half as i32 + 1)
            .map(|i| lowpass(f64::from(i) - half.floor(), cutoff, half) as f32)
            .collect();
        let power: f32 = kernel.iter().map(|tap| tap * tap).sum();
        Self {
            dice: Dice::new(seed, 48 + purpose),
            rms: amplitude(jammer.level_dbfs) as f32 / power.sqrt(),
            white: vec![0.0; kernel.len() - 1],
            kernel,
            sample_rate_hz,
            left: 0,
            loud: false,
        }
    }

    /// Adds the game audio to what the phone plays.
    pub(crate) fn add_to(&mut self, block: &mut [f32]) {
        for _ in 0..block.len() {
            if self.left == 0 {
                self.loud = !self.loud;
                self.left =
                    (self.dice.between(BURST_S, 2.0 * BURST_S) * self.sample_rate_hz) as usize;
            }
            self.left -= 1;
            // Switching the white noise, not the filtered, keeps the edges inside the filter.
            let white = self.dice.normal();
            self.white
                .push(if self.loud { self.rms * white } else { 0.0 });
        }
        for (out, noise) in block.iter_mut().zip(self.white.windows(self.kernel.len())) {
            *out += dot(noise, &self.kernel);
        }
        self.white.drain(..block.len());
    }
}
