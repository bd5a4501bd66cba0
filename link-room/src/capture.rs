//! What a phone does to what its microphone heard before it hands it over: clips it, filters it, turns the gain up and
//! down, loses some of it.

use crate::{
    config::RoomConfig,
    dice::Dice,
    kernel::{TAPS_TIMES_WIDTH, amplitude, dot, lowpass},
    troubles::{Agc, Dropouts},
};

/// The cut-off's transition, Hz.
const TRANSITION_HZ: f64 = 500.0;

/// One phone's capture chain.
pub(crate) struct Capture {
    clip_level: f32,
    cutoff: Option<Cutoff>,
    agc: Option<AgcMachine>,
    dropouts: Option<DropoutMachine>,
}

struct Cutoff {
    kernel: Vec<f32>,
    /// The newest frames twice over, so that the last `kernel.len()` always lie in one piece.
    frames: Vec<f32>,
    at: usize,
}

struct AgcMachine {
    agc: Agc,
    dice: Dice,
    sample_rate_hz: f64,
    left: usize,
    low: bool,
}

struct DropoutMachine {
    dice: Dice,
    chance_a_sample: f64,
    samples: usize,
    left: usize,
}

impl Capture {
    pub(crate) fn new(config: &RoomConfig, sample_rate_hz: f64, purpose: u64) -> Self {
        Self {
            clip_level: config.clip_level,
            cutoff: config
                .capture_cutoff_hz
                .map(|hz| Cutoff::new(hz, sample_rate_hz)),
            agc: config.agc.map(|agc| {
                AgcMachine::new(agc, Dice::new(config.seed, 72 + purpose), sample_rate_hz)
            }),
            dropouts: config.dropouts.map(|dropouts| {
                let dice = Dice::new(config.seed, 80 + purpose);
                DropoutMachine::new(dropouts, dice, sample_rate_hz)
            }),
        }
    }

    /// What the phone hands over for a frame in which its microphone heard `sound`.
    pub(crate) fn next(&mut self, sound: f32) -> f32 {
        let mut sample = sound.clamp(-self.clip_level, self.clip_level);
        if let Some(cutoff) = &mut self.cutoff {
            sample = cutoff.next(sample);
        }
        if let Some(agc) = &mut self.agc {
            sample *= agc.next();
        }
        if self.dropouts.as_mut().is_some_and(DropoutMachine::next) {
            sample = 0.0;
        }
        sample
    }
}

impl Cutoff {
    fn new(cutoff_hz: f64, sample_rate_hz: f64) -> Self {
        let half = (0.5 * TAPS_TIMES_WIDTH * sample_rate_hz / TRANSITION_HZ) as i32;
        let middle = (cutoff_hz - TRANSITION_HZ / 2.0) / sample_rate_hz;
        let kernel: Vec<f32> = (-half..=half)
            .map(|i| lowpass(f64::from(i), middle, f64::from(half)) as f32)
            .collect();
        Self {
            frames: vec![0.0; 2 * kernel.len()],
            kernel,
            at: 0,
        }
    }

    fn next(&mut self, sample: f32) -> f32 {
        let taps = self.kernel.len();
        self.frames[self.at] = sample;
        self.frames[self.at + taps] = sample;
        self.at = (self.at + 1) % taps;
        dot(&self.frames[self.at..][..taps], &self.kernel)
    }
}

impl AgcMachine {
    fn new(agc: Agc, dice: Dice, sample_rate_hz: f64) -> Self {
        let mut machine = Self {
            agc,
            dice,
            sample_rate_hz,
            left: 0,
            low: false,
        };
        machine.left = machine.wait();
        machine
    }

    fn wait(&mut self) -> usize {
        let seconds = self.agc.every_s * self.dice.between(0.5, 1.5);
        (seconds * self.sample_rate_hz) as usize
    }

    /// The gain of the next frame.
    fn next(&mut self) -> f32 {
        if self.left == 0 {
            self.low = !self.low;
            self.left = self.wait().max(1);
        }
        self.left -= 1;
        if self.low {
            amplitude(-self.agc.step_db) as f32
        } else {
            1.0
        }
    }
}

impl DropoutMachine {
    fn new(dropouts: Dropouts, dice: Dice, sample_rate_hz: f64) -> Self {
        Self {
            dice,
            chance_a_sample: dropouts.per_second / sample_rate_hz,
            samples: (dropouts.lasts_ms / 1000.0 * sample_rate_hz) as usize,
            left: 0,
        }
    }

    /// True if the next frame is missing.
    fn next(&mut self) -> bool {
        if self.left == 0 {
            if self.dice.unit() >= self.chance_a_sample {
                return false;
            }
            self.left = self.samples.max(1);
        }
        self.left -= 1;
        true
    }
}
