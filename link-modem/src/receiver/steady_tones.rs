//! Takes steady tones out of the band before anything reads it: a whine, a monitor's whistle, a mains harmonic.
//!
//! A tone between two of the peer's leaks over the whole window's spectrum (the window is nearly rectangular): 26 dB
//! over one tone, it swamps six on either side. Weighting those down loses a tenth of the band. A phase-locked
//! canceller subtracts the tone itself and costs the peer only what lies within a hertz or two of it.

use rustfft::num_complex::{Complex32, Complex64};
use std::f64::consts::{PI, TAU};

/// Tones cancelled at once.
pub(crate) const TONES_CANCELLED_MAX: usize = 4;
/// The canceller's step, as a rate: a loop noise bandwidth of 1.5 Hz.
const STEP_HZ: f64 = 6.0;
/// Samples over which a new canceller's step falls from fast to final.
const SETTLE_SAMPLES: f64 = 500.0;
/// A canceller goes when its tone is no more than this over the mean of one of the peer's.
const GONE_OVER_ONE_TONE: f64 = 2.0;
/// Samples over which the rest of the band's power is averaged.
const REST_SAMPLES: f64 = 600.0;
/// The most one sample moves a canceller, in mean squares of the rest: a click is not a tone.
const ERROR_MAX: f64 = 16.0;
/// Blocks in a row that must show a tone.
const BLOCKS_MIN: u32 = 3;

/// One tone being subtracted.
#[derive(Clone, Copy)]
pub(crate) struct Canceller {
    /// The first sample it applies to.
    from: u64,
    /// The tone at the next sample.
    tone: Complex64,
    /// Its turn from one sample to the next, in radians.
    turn: f64,
    age: f64,
    /// Mean square of what is left.
    rest: f64,
}

impl Canceller {
    /// Subtracts the tone from sample `m`. `None` once it has gone.
    fn apply(
        &mut self,
        value: Complex32,
        m: u64,
        step_final: f64,
        band_tones: f64,
    ) -> Option<Complex32> {
        if m < self.from {
            return Some(value);
        }
        let rest = Complex64::new(f64::from(value.re), f64::from(value.im)) - self.tone;
        self.age += 1.0;
        let power = rest.norm_sqr().min(ERROR_MAX * self.rest);
        self.rest += (rest.norm_sqr().min(4.0 * ERROR_MAX * self.rest) - self.rest) / REST_SAMPLES;
        let error = rest * (power / rest.norm_sqr().max(f64::MIN_POSITIVE)).sqrt();
        let step = step_final.max(2.0 / (self.age + SETTLE_SAMPLES));
        let tone_power = self.tone.norm_sqr();
        if !(tone_power.is_finite() && tone_power * band_tones > GONE_OVER_ONE_TONE * self.rest) {
            return None;
        }
        // Critically damped in phase: the turn learns with a quarter of the step's square.
        self.turn += step * step / 4.0 * (error * self.tone.conj()).im / tone_power;
        self.tone = (self.tone + error * step) * Complex64::cis(self.turn);
        Some(Complex32::new(rest.re as f32, rest.im as f32))
    }
}

impl Canceller {
    /// Subtracts the tone from a sample of any index; see `apply`. A blanked sample is nothing to learn from.
    pub(crate) fn clean(
        &mut self,
        value: Complex32,
        rate_hz: f64,
        band_tones: usize,
    ) -> Option<Complex32> {
        if value == Complex32::default() {
            self.tone *= Complex64::cis(self.turn);
            return Some(value);
        }
        self.apply(value, self.from, STEP_HZ / rate_hz, band_tones as f64)
    }

    /// The same tone going back in time, from the sample before this one's first.
    fn reversed(&self) -> Self {
        Self {
            tone: self.tone * Complex64::cis(-self.turn),
            turn: -self.turn,
            from: 0,
            ..*self
        }
    }
}

/// The cancellers of one band.
#[derive(Default)]
pub(crate) struct Cancellers {
    active: heapless::Vec<Canceller, TONES_CANCELLED_MAX>,
}

impl Cancellers {
    pub(crate) fn clear(&mut self) {
        self.active.clear();
    }

    pub(crate) fn add(&mut self, canceller: Canceller) {
        let _ = self.active.push(canceller);
    }

    /// What is left of sample `m`.
    pub(crate) fn apply(
        &mut self,
        mut value: Complex32,
        m: u64,
        rate_hz: f64,
        band_tones: usize,
    ) -> Complex32 {
        self.active.retain_mut(|canceller| {
            let rest = canceller.apply(value, m, STEP_HZ / rate_hz, band_tones as f64);
            value = rest.unwrap_or(value);
            rest.is_some()
        });
        value
    }

    /// The canceller that starts at sample `m`, if one does, going back from there.
    pub(crate) fn reversed_at(&self, m: u64) -> Option<Canceller> {
        self.active
            .iter()
            .find(|canceller| canceller.from == m)
            .map(Canceller::reversed)
    }
}

/// A line seen in the search's spectra, that may be a steady tone.
#[derive(Clone, Copy)]
struct Suspect {
    /// Radians a sample.
    turn: f64,
    /// Phases count from here.
    origin: u64,
    amplitude: Complex64,
    blocks: u32,
    seen: bool,
}

/// Watches the search's blocks for lines that stay.
#[derive(Default)]
pub(crate) struct ToneWatch {
    suspects: heapless::Vec<Suspect, TONES_CANCELLED_MAX>,
}

impl ToneWatch {
    pub(crate) fn clear(&mut self) {
        self.suspects.clear();
    }

    /// A line of the block that starts at sample `start`: FFT bin `bin` with its neighbours' magnitudes.
    pub(crate) fn line(
        &mut self,
        bin: usize,
        magnitudes: [f32; 3],
        start: u64,
        block: impl Iterator<Item = Complex32> + Clone,
        fft_len: usize,
        hop: usize,
    ) {
        let bin_turn = TAU / fft_len as f64;
        let [below, at, above] = magnitudes.map(f64::from);
        let off = if above > below {
            above / (at + above)
        } else {
            -below / (at + below)
        };
        let turn = (bin as f64 + off) * bin_turn;
        let near = |suspect: &&mut Suspect| wrapped(suspect.turn - turn).abs() < 1.5 * bin_turn;
        match self.suspects.iter_mut().find(near) {
            Some(suspect) => {
                let seen = correlate(block.clone(), start, suspect.origin, suspect.turn);
                // The phase against the last block tells the frequency far better than a bin can.
                suspect.turn += (seen * suspect.amplitude.conj()).arg() / hop as f64;
                suspect.origin = start;
                suspect.amplitude = correlate(block, start, start, suspect.turn);
                suspect.blocks += 1;
                suspect.seen = true;
            }
            None => {
                let amplitude = correlate(block, start, start, turn);
                let _ = self.suspects.push(Suspect {
                    turn,
                    origin: start,
                    amplitude,
                    blocks: 1,
                    seen: true,
                });
            }
        }
    }

    /// The block is through: a canceller, from sample `from` on, for a line that has stayed long enough. Lines that
    /// were not seen again are dropped. `rest` is the mean square of the block without its lines.
    pub(crate) fn settle(&mut self, from: u64, rest: f64) -> Option<Canceller> {
        self.suspects.retain(|suspect| suspect.seen);
        for suspect in &mut self.suspects {
            suspect.seen = false;
        }
        let i = self
            .suspects
            .iter()
            .position(|suspect| suspect.blocks >= BLOCKS_MIN)?;
        let suspect = self.suspects.swap_remove(i);
        let turned = wrapped(suspect.turn * (from - suspect.origin) as f64);
        Some(Canceller {
            from,
            tone: suspect.amplitude * Complex64::cis(turned),
            turn: suspect.turn,
            age: 0.0,
            rest,
        })
    }
}

/// The mean of the block against a tone of `turn` radians a sample, its phase zero at sample `origin`.
fn correlate(
    block: impl Iterator<Item = Complex32>,
    start: u64,
    origin: u64,
    turn: f64,
) -> Complex64 {
    let mut phasor = Complex64::cis(-wrapped(turn * (start - origin) as f64));
    let step = Complex64::cis(-turn);
    let (mut sum, mut count) = (Complex64::default(), 0.0);
    for value in block {
        sum += Complex64::new(f64::from(value.re), f64::from(value.im)) * phasor;
        phasor *= step;
        count += 1.0;
    }
    sum / f64::max(count, 1.0)
}

fn wrapped(angle: f64) -> f64 {
    (angle + PI).rem_euclid(TAU) - PI
}
