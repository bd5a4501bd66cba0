//! What a microphone hears besides the two phones: its own noise, tones, taps on the screen.

use crate::{
    config::{RoomConfig, Taps},
    dice::Dice,
    echoes::GAIN_AT_10_CM_DB,
    kernel::{amplitude, turn},
    sounds::{SoundKind, Sounds},
};

/// RMS of a phone's signal at gain 1: −15 dB of full scale.
pub(crate) const SIGNAL_RMS: f64 = 0.1778;

/// The band that noise and taps are stated in: one band of the high plan.
pub(crate) const SIGNAL_BAND_HZ: f64 = 3000.0;

/// Tones in that band.
const BAND_TONES: f64 = 120.0;

/// What [`Sounds`] come to.
const SPEECH_RMS: f64 = 0.1;
/// A tap's decay by e.
const TAP_DECAY_MS: f64 = 0.5;
/// When a tap is over.
const TAP_LENGTH_MS: f64 = 2.0;

/// Everything a microphone adds, sample by sample.
pub(crate) struct Disturbance {
    noise: Dice,
    noise_rms: f32,
    /// Frequency and amplitude.
    tones: Vec<(f64, f64)>,
    taps: Option<TapMachine>,
    talker: Option<(Box<Sounds>, f32)>,
}

struct TapMachine {
    dice: Dice,
    chance_a_sample: f64,
    amplitude: f64,
    decay: f64,
    samples: usize,
    /// Samples left of the tap that sounds, and its level now.
    left: usize,
    level: f64,
}

impl Disturbance {
    /// For one microphone; `purpose` keeps the two apart.
    pub(crate) fn new(config: &RoomConfig, sample_rate_hz: f64, purpose: u64) -> Self {
        let at_10_cm = SIGNAL_RMS * amplitude(GAIN_AT_10_CM_DB);
        let peer = at_10_cm * 10.0 / config.distance_cm;
        // White noise of RMS σ has σ²·3000 / (rate/2) in the band.
        let whole_band = libm::sqrt(sample_rate_hz / 2.0 / SIGNAL_BAND_HZ);
        let one_tone = peer * libm::sqrt(2.0 / BAND_TONES);
        Self {
            noise: Dice::new(config.seed, 16 + purpose),
            noise_rms: (at_10_cm * amplitude(-config.noise_snr10_db) * whole_band) as f32,
            tones: config
                .tones
                .iter()
                .map(|tone| {
                    (
                        tone.frequency_hz,
                        one_tone * amplitude(tone.over_peer_tone_db),
                    )
                })
                .collect(),
            talker: config.talker.map(|talker| {
                let sounds = Sounds::new(
                    SoundKind::Speech,
                    sample_rate_hz as u32,
                    config.seed ^ purpose,
                );
                let level = peer * amplitude(talker.over_peer_db) / SPEECH_RMS;
                (Box::new(sounds), level as f32)
            }),
            taps: config.taps.map(|taps| {
                TapMachine::new(
                    taps,
                    config.seed,
                    purpose,
                    peer * whole_band,
                    sample_rate_hz,
                )
            }),
        }
    }

    /// What is added to the sample taken at `room_s`.
    pub(crate) fn next(&mut self, room_s: f64) -> f32 {
        let mut sample = self.noise_rms * self.noise.normal();
        for &(frequency_hz, amplitude) in &self.tones {
            sample += (amplitude * turn(frequency_hz * room_s).0) as f32;
        }
        if let Some((sounds, level)) = &mut self.talker {
            let mut spoken = [0.0];
            sounds.fill(&mut spoken);
            sample += *level * spoken[0];
        }
        if let Some(taps) = &mut self.taps {
            sample += taps.next();
        }
        sample
    }
}

impl TapMachine {
    fn new(taps: Taps, seed: u64, purpose: u64, peer_white_rms: f64, sample_rate_hz: f64) -> Self {
        // Mean power of the first millisecond of e^(−2t/0.5 ms): (1 − e⁻⁴) / 4.
        let first_ms = libm::sqrt((1.0 - libm::exp(-2.0 / TAP_DECAY_MS)) * TAP_DECAY_MS / 2.0);
        Self {
            dice: Dice::new(seed, 32 + purpose),
            chance_a_sample: taps.per_second / sample_rate_hz,
            amplitude: peer_white_rms * amplitude(taps.over_peer_db) / first_ms,
            decay: libm::exp(-1000.0 / (TAP_DECAY_MS * sample_rate_hz)),
            samples: (TAP_LENGTH_MS / 1000.0 * sample_rate_hz) as usize,
            left: 0,
            level: 0.0,
        }
    }

    fn next(&mut self) -> f32 {
        if self.dice.unit() < self.chance_a_sample {
            (self.left, self.level) = (self.samples, self.amplitude);
        }
        if self.left == 0 {
            return 0.0;
        }
        self.left -= 1;
        let level = self.level as f32;
        self.level *= self.decay;
        level * self.dice.normal()
    }
}
