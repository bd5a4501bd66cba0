//! Keeps a game's own sound out of the peer's band: a filter in front of the speaker. Knows nothing of the modem.
//!
//! ```text
//!  game ─┬─► high-pass 300 Hz ─► cut ─► limiter ─► low-pass FIR ─┐ crossfade ─► add the modem's output ─► speaker
//!        └─► the same delay ─────────────────────────────────────┘
//! ```
//!
//! Source: the specification's "Game audio guard".

use link_transport::Plan;
use std::f64::consts::PI;

/// How much quieter the game plays beside the link. Loud game audio hurts it also below the stop band: through the
/// speaker's curve, and by pushing the microphone towards clipping.
pub const GUARD_CUT_DB: f32 = 10.0;
/// What the speaker of a phone cannot play anyway, and would only clip.
pub const HIGH_PASS_HZ: f32 = 300.0;

/// The limiter: a compressor without knee, in front of it the makeup gain taken back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimiterFigures {
    /// Where it sets in, dB of full scale at its input.
    pub threshold_db: f32,
    /// Decibels in for one out, above the threshold.
    pub ratio: f32,
    /// How fast it closes.
    pub attack_s: f32,
    /// How fast it opens.
    pub release_s: f32,
    /// Its gain below the threshold, as Web Audio's compressor has it at these settings.
    pub makeup_db: f32,
}

/// The guard's limiter.
pub const GUARD_LIMITER: LimiterFigures = LimiterFigures {
    threshold_db: -30.0,
    ratio: 20.0,
    attack_s: 0.002,
    release_s: 0.15,
    makeup_db: 17.1,
};

/// How long switching on or off takes.
pub const CROSSFADE_S: f32 = 0.05;
/// The most channels a guard takes.
pub const CHANNELS_MAX: usize = 8;
/// Frames filtered at a time; longer blocks are cut.
const CHUNK: usize = 128;
/// Asked of the design beyond what is promised, since Kaiser's formula is an estimate.
const MARGIN_DB: f64 = 2.0;

/// What the filter must do under a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuardBand {
    /// Flat up to here.
    pub pass_hz: f64,
    /// Silent from here on.
    pub stop_hz: f64,
    /// How silent.
    pub stop_db: f64,
}

impl GuardBand {
    /// The edges under `plan`: the stop band begins just under the host's lowest tone.
    #[must_use]
    pub const fn of(plan: Plan) -> Self {
        match plan {
            Plan::High => Self {
                pass_hz: 8_000.0,
                stop_hz: 9_500.0,
                stop_db: 70.0,
            },
            Plan::Low => Self {
                pass_hz: 4_000.0,
                stop_hz: 5_000.0,
                stop_db: 60.0,
            },
        }
    }
}

/// The taps of the guard's filter: a sinc in a Kaiser window, an odd number of them, symmetric. One tap of 1 at a rate
/// that cannot carry anything in the stop band.
///
/// Source: J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", 1974.
#[must_use]
pub fn guard_taps(plan: Plan, sample_rate_hz: u32) -> Vec<f32> {
    let band = GuardBand::of(plan);
    let rate_hz = f64::from(sample_rate_hz);
    if rate_hz / 2.0 <= band.stop_hz {
        return vec![1.0];
    }
    let attenuation_db = band.stop_db + MARGIN_DB;
    let width = 2.0 * PI * (band.stop_hz - band.pass_hz) / rate_hz;
    let half = ((attenuation_db - 7.95) / (2.285 * width) / 2.0).ceil() as i32;
    let beta = 0.1102 * (attenuation_db - 8.7);
    let cutoff = (band.pass_hz + band.stop_hz) / 2.0 / rate_hz;
    let tap = |i: i32| {
        let (t, x) = (f64::from(i), f64::from(i) / f64::from(half));
        let sinc = if i == 0 {
            2.0 * cutoff
        } else {
            (2.0 * PI * cutoff * t).sin() / (PI * t)
        };
        sinc * bessel_i0(beta * (1.0 - x * x).max(0.0).sqrt()) / bessel_i0(beta)
    };
    let taps: Vec<f64> = (-half..=half).map(tap).collect();
    let sum: f64 = taps.iter().sum();
    taps.iter().map(|tap| (tap / sum) as f32).collect()
}

/// The modified Bessel function of order 0, by its power series.
fn bessel_i0(x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..60 {
        term *= (x / 2.0 / f64::from(k)).powi(2);
        sum += term;
    }
    sum
}

/// The guard, for the game's mix just before the modem's output is added to it.
///
/// ```
/// use link_modem::guard::GameAudioGuard;
/// use link_transport::Plan;
///
/// let mut guard = GameAudioGuard::new(Plan::High, 48_000, 2);
/// guard.set_on(true);
/// let mut mix = [0.25; 2 * 512];
/// guard.process(&mut mix);
/// assert!(guard.latency_frames() < 80);
/// ```
pub struct GameAudioGuard {
    sample_rate_hz: u32,
    channels: usize,
    taps: Vec<f32>,
    high_pass: HighPass,
    states: Vec<Channel>,
    cut: f32,
    /// What the limiter follows: the loudest channel's level.
    envelope: f32,
    attack: f32,
    release: f32,
    /// 0 dry to 1 guarded, and where that is going.
    share: f32,
    on: bool,
    /// What arrives at the filter, and what the game gave, of one channel each: the frames before, then the chunk.
    wet: Vec<Vec<f32>>,
    dry: Vec<Vec<f32>>,
}

#[derive(Clone, Copy, Default)]
struct Channel {
    x: [f32; 2],
    y: [f32; 2],
}

impl GameAudioGuard {
    /// A guard for frames of `channels` samples each (at most [`CHANNELS_MAX`]), switched off: it delays and does
    /// nothing else. All it ever allocates is allocated here.
    ///
    /// # Panics
    /// If `channels` or the rate is 0, or there are too many channels.
    #[must_use]
    pub fn new(plan: Plan, sample_rate_hz: u32, channels: usize) -> Self {
        assert!(
            (1..=CHANNELS_MAX).contains(&channels),
            "a guard for {channels} channels"
        );
        assert!(sample_rate_hz > 0, "a guard without a sample rate");
        let taps = guard_taps(plan, sample_rate_hz);
        let buffer = vec![0.0; taps.len() - 1 + CHUNK];
        let per_frame = |seconds: f32| 1.0 - (-1.0 / (seconds * sample_rate_hz as f32)).exp();
        Self {
            sample_rate_hz,
            channels,
            high_pass: HighPass::new(sample_rate_hz as f32),
            states: vec![Channel::default(); channels],
            cut: decibels(-GUARD_CUT_DB - GUARD_LIMITER.makeup_db),
            envelope: 0.0,
            attack: per_frame(GUARD_LIMITER.attack_s),
            release: per_frame(GUARD_LIMITER.release_s),
            share: 0.0,
            on: false,
            wet: vec![buffer.clone(); channels],
            dry: vec![buffer; channels],
            taps,
        }
    }

    /// Switches the guard on or off, over [`CROSSFADE_S`]. Off, the mix passes as it is, only delayed: the dry sound
    /// and the filtered never comb.
    pub fn set_on(&mut self, on: bool) {
        self.on = on;
    }

    /// By how many frames the mix comes later, on or off: half the filter's length.
    #[must_use]
    pub fn latency_frames(&self) -> usize {
        self.taps.len() / 2
    }

    /// Guards a block of whole frames in place. Allocates nothing; what is not a number counts as silence, and
    /// samples after the last whole frame are left alone.
    pub fn process(&mut self, interleaved: &mut [f32]) {
        for chunk in interleaved.chunks_mut(CHUNK * self.channels) {
            self.process_chunk(chunk);
        }
    }

    fn process_chunk(&mut self, chunk: &mut [f32]) {
        let (channels, before) = (self.channels, self.taps.len() - 1);
        let frames = chunk.len() / channels;
        for (i, frame) in chunk.chunks_exact(channels).enumerate() {
            let mut filtered = [0.0; CHANNELS_MAX];
            let mut level = 0.0_f32;
            for (channel, &sample) in frame.iter().enumerate() {
                let sample = if sample.is_finite() { sample } else { 0.0 };
                self.dry[channel][before + i] = sample;
                let passed = self.high_pass.next(&mut self.states[channel], sample) * self.cut;
                filtered[channel] = passed;
                level = level.max(passed.abs());
            }
            let gain = self.limit(level);
            for (wet, sample) in self.wet.iter_mut().zip(filtered) {
                wet[before + i] = sample * gain;
            }
        }
        let step = 1.0 / (CROSSFADE_S * self.sample_rate_hz as f32);
        for (i, frame) in chunk.chunks_exact_mut(channels).enumerate() {
            let target = f32::from(u8::from(self.on));
            self.share += (target - self.share).clamp(-step, step);
            for (channel, out) in frame.iter_mut().enumerate() {
                let dry = self.dry[channel][i + before / 2];
                *out = if self.share == 0.0 {
                    dry
                } else {
                    let window = &self.wet[channel][i..=i + before];
                    let guarded: f32 = window.iter().zip(&self.taps).map(|(x, tap)| x * tap).sum();
                    guarded * self.share + dry * (1.0 - self.share)
                };
            }
        }
        for buffer in self.wet.iter_mut().chain(&mut self.dry) {
            buffer.copy_within(frames..frames + before, 0);
        }
    }

    /// The limiter's gain for a frame whose loudest sample is `level`, its makeup included.
    fn limit(&mut self, level: f32) -> f32 {
        let pace = if level > self.envelope {
            self.attack
        } else {
            self.release
        };
        self.envelope += pace * (level - self.envelope);
        let over_db = 20.0 * self.envelope.max(1e-9).log10() - GUARD_LIMITER.threshold_db;
        let reduction_db = over_db.max(0.0) * (1.0 - 1.0 / GUARD_LIMITER.ratio);
        decibels(GUARD_LIMITER.makeup_db - reduction_db)
    }
}

/// A Butterworth high-pass of second order.
struct HighPass {
    b: f32,
    a: [f32; 2],
}

impl HighPass {
    fn new(sample_rate_hz: f32) -> Self {
        // Bilinear transform, pre-warped; a rate too low for it leaves the corner at a quarter of the rate.
        let corner = HIGH_PASS_HZ.min(sample_rate_hz / 4.0);
        let k = (std::f32::consts::PI * corner / sample_rate_hz).tan();
        let norm = 1.0 / (1.0 + std::f32::consts::SQRT_2 * k + k * k);
        Self {
            b: norm,
            a: [
                2.0 * (k * k - 1.0) * norm,
                (1.0 - std::f32::consts::SQRT_2 * k + k * k) * norm,
            ],
        }
    }

    fn next(&self, state: &mut Channel, x: f32) -> f32 {
        // Beyond this nothing is sound, and a filter that has seen it would not come back.
        let x = x.clamp(-1e3, 1e3);
        let y = self.b * (x - 2.0 * state.x[0] + state.x[1])
            - self.a[0] * state.y[0]
            - self.a[1] * state.y[1];
        // Denormals would cost a hundred times as much as sound.
        let y = if y.abs() < 1e-20 { 0.0 } else { y };
        state.x = [x, state.x[0]];
        state.y = [y, state.y[0]];
        y
    }
}

fn decibels(db: f32) -> f32 {
    10.0_f32.powf(db / 20.0)
}
