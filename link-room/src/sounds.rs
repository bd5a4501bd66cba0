//! Sound that is not a modem: noise, music and speech of a kind, by seed. A receiver must hear no packet in any of it.

use crate::{dice::Dice, kernel::amplitude};
use std::f64::consts::TAU;

/// What to listen to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SoundKind {
    /// White noise whose level goes up and down.
    Noise,
    /// Chords of sawtooth tones, plucked strings, drums and cymbals, at a beat.
    Music,
    /// Pulses through moving formants, hisses, and pauses.
    Speech,
}

impl SoundKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Noise, Self::Music, Self::Speech];
}

/// An endless source of one kind of sound, RMS about a tenth of full scale.
pub struct Sounds(Source);

enum Source {
    Noise(Noise),
    Music(Box<Music>),
    Speech(Box<Speech>),
}

impl Sounds {
    /// The sound of `seed` at `sample_rate_hz`.
    #[must_use]
    pub fn new(kind: SoundKind, sample_rate_hz: u32, seed: u64) -> Self {
        let (dice, rate_hz) = (Dice::new(seed, 112), f64::from(sample_rate_hz));
        Self(match kind {
            SoundKind::Noise => Source::Noise(Noise {
                dice,
                rate_hz,
                left: 0,
                level: 0.0,
            }),
            SoundKind::Music => Source::Music(Box::new(Music::new(dice, rate_hz))),
            SoundKind::Speech => Source::Speech(Box::new(Speech::new(dice, rate_hz))),
        })
    }

    /// Fills a block of any length.
    pub fn fill(&mut self, block: &mut [f32]) {
        for out in block {
            let sample = match &mut self.0 {
                Source::Noise(noise) => noise.next(),
                Source::Music(music) => music.next(),
                Source::Speech(speech) => speech.next(),
            };
            *out = sample.clamp(-1.0, 1.0) as f32;
        }
    }
}

struct Noise {
    dice: Dice,
    rate_hz: f64,
    left: usize,
    level: f64,
}

impl Noise {
    fn next(&mut self) -> f64 {
        if self.left == 0 {
            self.left = (self.dice.between(0.02, 3.0) * self.rate_hz) as usize;
            self.level = amplitude(self.dice.between(-50.0, -12.0));
        }
        self.left -= 1;
        self.level * f64::from(self.dice.normal())
    }
}

/// Notes of a scale over 110 Hz, as semitones.
const SCALE: [f64; 7] = [0.0, 2.0, 3.0, 5.0, 7.0, 8.0, 10.0];
const STRINGS: usize = 3;
const VOICES: usize = 4;

struct Music {
    dice: Dice,
    rate_hz: f64,
    /// Samples left of this beat, and how many a beat has.
    left: usize,
    beat: usize,
    beats: u32,
    chord: [(f64, f64); VOICES],
    chord_level: f64,
    strings: [Vec<f64>; STRINGS],
    at: [usize; STRINGS],
    drum_phase: f64,
    drum_hz: f64,
    drum_level: f64,
    snare_level: f64,
    cymbal_level: f64,
    last_noise: f64,
}

impl Music {
    fn new(mut dice: Dice, rate_hz: f64) -> Self {
        let beat = (rate_hz * dice.between(0.1, 0.3)) as usize;
        Self {
            dice,
            rate_hz,
            left: 0,
            beat,
            beats: 0,
            chord: [(0.0, 0.0); VOICES],
            chord_level: 0.0,
            strings: Default::default(),
            at: [0; STRINGS],
            drum_phase: 0.0,
            drum_hz: 0.0,
            drum_level: 0.0,
            snare_level: 0.0,
            cymbal_level: 0.0,
            last_noise: 0.0,
        }
    }

    fn note_hz(&mut self, octaves: f64) -> f64 {
        let step = SCALE[(self.dice.unit() * SCALE.len() as f64) as usize % SCALE.len()];
        let octave = (self.dice.unit() * octaves).floor();
        110.0 * libm::exp2(octave + step / 12.0)
    }

    fn strike(&mut self) {
        self.left = self.beat;
        if self.beats.is_multiple_of(64) {
            self.beat = (self.rate_hz * self.dice.between(0.1, 0.3)) as usize;
        }
        if self.beats.is_multiple_of(8) {
            for voice in 0..VOICES {
                self.chord[voice] = (self.note_hz(4.0) / self.rate_hz, self.dice.unit());
            }
            self.chord_level = 0.12;
        }
        if self.dice.unit() < 0.6 {
            let string = (self.dice.unit() * STRINGS as f64) as usize % STRINGS;
            let length = (self.rate_hz / self.note_hz(4.0)) as usize + 2;
            self.strings[string] = (0..length).map(|_| self.dice.between(-0.5, 0.5)).collect();
            self.at[string] = 0;
        }
        if self.beats.is_multiple_of(4) {
            (self.drum_hz, self.drum_level) = (160.0, 0.5);
        }
        if self.beats % 8 == 4 {
            self.snare_level = 0.3;
        }
        if self.dice.unit() < 0.7 {
            self.cymbal_level = 0.25;
        }
        self.beats += 1;
    }

    fn next(&mut self) -> f64 {
        if self.left == 0 {
            self.strike();
        }
        self.left -= 1;
        let mut sum = 0.0;
        for (step, phase) in &mut self.chord {
            *phase += *step;
            *phase -= phase.floor();
            sum += self.chord_level * (*phase - 0.5);
        }
        self.chord_level *= 1.0 - 1.0 / self.rate_hz;
        for (string, at) in self.strings.iter_mut().zip(&mut self.at) {
            if string.is_empty() {
                continue;
            }
            let next = (*at + 1) % string.len();
            let now = string[*at];
            string[*at] = 0.498 * (now + string[next]);
            *at = next;
            sum += now;
        }
        self.drum_phase += self.drum_hz / self.rate_hz;
        self.drum_hz = 45.0 + (self.drum_hz - 45.0) * (1.0 - 25.0 / self.rate_hz);
        self.drum_level *= 1.0 - 8.0 / self.rate_hz;
        sum += self.drum_level * libm::sin(TAU * self.drum_phase);
        let noise = f64::from(self.dice.normal());
        sum += self.snare_level * noise;
        self.snare_level *= 1.0 - 15.0 / self.rate_hz;
        // A difference of noise rises toward the top, as a cymbal does.
        sum += self.cymbal_level * (noise - self.last_noise);
        self.last_noise = noise;
        self.cymbal_level *= 1.0 - 12.0 / self.rate_hz;
        0.5 * sum
    }
}

/// Formants of a few vowels.
const VOWELS_HZ: [[f64; 4]; 5] = [
    [730.0, 1090.0, 2440.0, 3400.0],
    [530.0, 1840.0, 2480.0, 3500.0],
    [270.0, 2290.0, 3010.0, 3700.0],
    [570.0, 840.0, 2410.0, 3300.0],
    [300.0, 870.0, 2240.0, 3200.0],
];

enum Sounding {
    Vowel,
    Hiss,
    Pause,
}

struct Speech {
    dice: Dice,
    rate_hz: f64,
    left: usize,
    sounding: Sounding,
    pitch_hz: f64,
    pitch_step: f64,
    phase: f64,
    formants: [Resonator; 4],
    now_hz: [f64; 4],
    to_hz: [f64; 4],
    hiss: Resonator,
}

#[derive(Clone, Copy, Default)]
struct Resonator {
    a1: f64,
    a2: f64,
    gain: f64,
    y1: f64,
    y2: f64,
}

impl Resonator {
    fn tune(&mut self, hz: f64, width_hz: f64, rate_hz: f64) {
        let r = libm::exp(-std::f64::consts::PI * width_hz / rate_hz);
        self.a1 = 2.0 * r * libm::cos(TAU * hz / rate_hz);
        self.a2 = -r * r;
        self.gain = 1.0 - r;
    }

    fn next(&mut self, x: f64) -> f64 {
        let y = self.gain * x + self.a1 * self.y1 + self.a2 * self.y2;
        (self.y2, self.y1) = (self.y1, y);
        y
    }
}

impl Speech {
    fn new(dice: Dice, rate_hz: f64) -> Self {
        Self {
            dice,
            rate_hz,
            left: 0,
            sounding: Sounding::Pause,
            pitch_hz: 120.0,
            pitch_step: 0.0,
            phase: 0.0,
            formants: [Resonator::default(); 4],
            now_hz: VOWELS_HZ[0],
            to_hz: VOWELS_HZ[0],
            hiss: Resonator::default(),
        }
    }

    fn say_next(&mut self) {
        let draw = self.dice.unit();
        let seconds = if draw < 0.55 {
            self.sounding = Sounding::Vowel;
            let vowel = (self.dice.unit() * VOWELS_HZ.len() as f64) as usize % VOWELS_HZ.len();
            self.to_hz = VOWELS_HZ[vowel];
            self.pitch_hz = self.dice.between(90.0, 260.0);
            self.dice.between(0.06, 0.3)
        } else if draw < 0.85 {
            self.sounding = Sounding::Hiss;
            let (hz, width_hz) = (
                self.dice.between(3_500.0, 9_000.0),
                self.dice.between(1_000.0, 4_000.0),
            );
            self.hiss.tune(hz, width_hz, self.rate_hz);
            self.dice.between(0.03, 0.15)
        } else {
            self.sounding = Sounding::Pause;
            self.dice.between(0.05, 0.5)
        };
        self.left = (seconds * self.rate_hz) as usize;
        self.pitch_step = self.dice.between(-60.0, 40.0) / self.rate_hz;
    }

    fn next(&mut self) -> f64 {
        /// Formants glide, and are tuned anew this often, in samples.
        const TUNE_EVERY: usize = 64;
        if self.left == 0 {
            self.say_next();
        }
        self.left -= 1;
        if self.left.is_multiple_of(TUNE_EVERY) {
            for i in 0..4 {
                self.now_hz[i] += 0.03 * (self.to_hz[i] - self.now_hz[i]);
                let width_hz = 60.0 + 40.0 * i as f64;
                self.formants[i].tune(self.now_hz[i], width_hz, self.rate_hz);
            }
        }
        let mut pulse = 0.0;
        if matches!(self.sounding, Sounding::Vowel) {
            self.pitch_hz = (self.pitch_hz + self.pitch_step).max(60.0);
            self.phase += self.pitch_hz / self.rate_hz;
            if self.phase >= 1.0 {
                self.phase -= 1.0;
                pulse = 8.0;
            }
        }
        let voiced: f64 = self.formants.iter_mut().map(|f| f.next(pulse)).sum();
        let hissing = matches!(self.sounding, Sounding::Hiss);
        let breath = if hissing {
            f64::from(self.dice.normal())
        } else {
            0.0
        };
        voiced + 0.6 * self.hiss.next(breath) + 3e-4 * f64::from(self.dice.normal())
    }
}
