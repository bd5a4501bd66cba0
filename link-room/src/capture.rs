//! What a phone does to what its microphone heard before it hands it over: clips it, filters it, turns the gain up and
//! down, loses some of it.

use crate::{
    config::RoomConfig,
    dice::Dice,
    kernel::{TAPS_TIMES_WIDTH, amplitude, dot, lowpass},
    troubles::{Agc, Blocks, Dropouts},
};
use std::collections::VecDeque;

/// The cut-off's transition, Hz.
const TRANSITION_HZ: f64 = 500.0;

/// One phone's capture chain.
pub(crate) struct Capture {
    clip_level: f32,
    cutoff: Option<Cutoff>,
    agc: Option<AgcMachine>,
    dropouts: Option<DropoutMachine>,
    codec: Option<CodecMachine>,
    blocks: Option<BlockMachine>,
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
            codec: config.codec.map(|codec| CodecMachine {
                share: amplitude(codec.noise_db) as f32,
                power: 0.0,
                forget: (1.0 / (CODEC_S * sample_rate_hz)) as f32,
                dice: Dice::new(config.seed, 128 + purpose),
            }),
            blocks: config.blocks.map(|blocks| {
                let dice = Dice::new(config.seed, 136 + purpose);
                BlockMachine::new(blocks, dice, sample_rate_hz)
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
        if let Some(codec) = &mut self.codec {
            sample = codec.next(sample);
        }
        if self.dropouts.as_mut().is_some_and(DropoutMachine::next) {
            sample = 0.0;
        }
        match &mut self.blocks {
            Some(blocks) => blocks.next(sample),
            None => sample,
        }
    }
}

/// A codec measures the sound over so long.
const CODEC_S: f64 = 0.02;

struct CodecMachine {
    share: f32,
    power: f32,
    forget: f32,
    dice: Dice,
}

impl CodecMachine {
    fn next(&mut self, sample: f32) -> f32 {
        self.power += self.forget * (sample * sample - self.power);
        sample + self.share * self.power.sqrt() * self.dice.normal()
    }
}

/// What becomes of a block.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Heard,
    /// The one before comes in its place.
    Replaced,
    /// The one before comes once more, and this one after it.
    Doubled,
}

struct BlockMachine {
    blocks: Blocks,
    dice: Dice,
    chance_a_block: f64,
    /// What is in hand, oldest first.
    frames: VecDeque<f32>,
    /// The block before, and what of this one has been handed over.
    last: Vec<f32>,
    now: Vec<f32>,
    fate: Fate,
    /// Whether a block is in hand that can be left out.
    has_spare: bool,
}

impl BlockMachine {
    fn new(blocks: Blocks, dice: Dice, sample_rate_hz: f64) -> Self {
        let frames = blocks.frames.max(1);
        Self {
            blocks,
            dice,
            chance_a_block: blocks.per_second * frames as f64 / sample_rate_hz,
            frames: std::iter::repeat_n(0.0, frames).collect(),
            last: vec![0.0; frames],
            now: Vec::with_capacity(frames),
            fate: Fate::Heard,
            has_spare: true,
        }
    }

    fn next(&mut self, sample: f32) -> f32 {
        self.frames.push_back(sample);
        if self.now.is_empty() {
            self.decide();
        }
        let old = self.last[self.now.len()];
        let heard = match self.fate {
            Fate::Doubled => old,
            Fate::Heard => self.frames.pop_front().unwrap_or(0.0),
            Fate::Replaced => {
                self.frames.pop_front();
                old
            }
        };
        self.now.push(heard);
        if self.now.len() == self.last.len() {
            std::mem::swap(&mut self.now, &mut self.last);
            self.now.clear();
        }
        heard
    }

    fn decide(&mut self) {
        self.fate = Fate::Heard;
        if self.dice.unit() >= self.chance_a_block {
            return;
        }
        if self.blocks.replaced {
            self.fate = Fate::Replaced;
        } else if self.has_spare {
            self.frames.drain(..self.last.len());
            self.has_spare = false;
        } else {
            self.fate = Fate::Doubled;
            self.has_spare = true;
        }
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
