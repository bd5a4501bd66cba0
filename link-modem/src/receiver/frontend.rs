//! Input samples in, the receive band's analytic signal out, decimated, with a few seconds of history.
//!
//! A band is at most 3 kHz of the 24 kHz or more that come in. Everything behind this filter (search, windows, tone
//! sums) runs on 6,000 complex samples a second instead of 48,000 real ones, an order of magnitude less work. The
//! tones keep their true frequencies: a sum over the decimated samples at `e^{−j2πft}` is the same sum, since the
//! decimated signal holds nothing but the band, and the window's own spectrum has fallen to −86 dB where the first
//! image lies. One's own band would alias straight onto the peer's; the filter takes 100 dB off it.

use super::{
    clicks::ClickWatch,
    steady_tones::{Canceller, Cancellers},
    tables::{BandTables, Tables},
};
use crate::{PIECE_FRAMES_MAX, params::Band};
use rustfft::num_complex::Complex32;
use std::sync::Arc;

/// Decimated samples of history: at least 2.39 s, a superframe and its sync with room to spare.
pub(crate) const HISTORY: usize = 1 << 14;

/// The longest jump that is filled with silence in the history.
const SILENCE_KEPT_MS: f64 = 100.0;

/// How far back a newly found steady tone is taken out: the time it takes to find one, a sync, and a packet.
const CLEANED_MS: f64 = 800.0;

/// Everything is heard over a floor this far under the whole input, as a microphone of finite range would hear it: one's own
/// band leaks through the filter 100 dB down, and in a recording that a phone has cut off above 7.5 kHz nothing else is
/// left in the peer's. On the low plan that leak falls on the peer's very tones, and one's own packets pass their CRC.
const FLOOR_SHARE: f32 = 1.6e-9;
/// The input's power is taken anew after so many samples.
const FLOOR_EVERY: u64 = 16;

/// The filter's state and the history of its output. Sample `m` stands for input frame `m · decimation`.
pub(crate) struct Frontend {
    tables: Arc<BandTables>,
    /// Input not yet filtered out of reach; `line[0]` is frame `line_start`.
    line: Vec<f32>,
    line_len: usize,
    line_start: u64,
    history: Vec<Complex32>,
    /// The first sample that is kept, and the next to come.
    first: u64,
    next: u64,
    /// Samples from here on may still be blanked.
    settled: u64,
    cancellers: Cancellers,
    clicks: ClickWatch,
    /// Amplitude of the floor.
    floor: f32,
}

impl Frontend {
    /// For `band` first, with room for every band of `tables`.
    pub(crate) fn new(tables: &Tables, band: Band) -> Self {
        let taps_max = tables.taps_max();
        Self {
            tables: Arc::clone(tables.of(band)),
            // The longest decimation is shorter than the filter.
            line: vec![0.0; 2 * taps_max + PIECE_FRAMES_MAX],
            line_len: 0,
            line_start: 0,
            history: vec![Complex32::default(); HISTORY],
            first: 0,
            next: 0,
            settled: 0,
            cancellers: Cancellers::default(),
            clicks: ClickWatch::new(),
            floor: 0.0,
        }
    }

    /// Of another band; [`Self::reset`] has to follow.
    pub(crate) fn tune(&mut self, tables: &Arc<BandTables>) {
        self.tables = Arc::clone(tables);
    }

    /// Forgets everything; the next input is frame `frame`.
    pub(crate) fn reset(&mut self, frame: u64) {
        self.next = frame.div_ceil(self.tables.decimation as u64);
        self.first = self.next;
        self.settled = self.next;
        self.cancellers.clear();
        self.clicks.restart(self.next);
        self.restart_line();
        // The line begins before `frame` with silence.
        self.pad_line(frame);
    }

    /// The input goes on at `frame`. A short stretch missed becomes silence; before a longer one nothing is kept, so
    /// that whoever reads the history passes over it in one step.
    pub(crate) fn jump(&mut self, frame: u64) {
        let landed = frame.div_ceil(self.tables.decimation as u64).max(self.next);
        if landed - self.next <= self.tables.decimated(SILENCE_KEPT_MS) {
            while self.next < landed {
                self.store(Complex32::default());
            }
        } else {
            self.next = landed;
            self.first = landed;
            self.settled = landed;
            self.clicks.restart(landed);
        }
        // A tone's phase after the jump is anyone's guess.
        self.cancellers.clear();
        self.restart_line();
        self.pad_line(frame);
    }

    fn restart_line(&mut self) {
        let center = self.next * self.tables.decimation as u64;
        self.line_start = center.saturating_sub(self.tables.reach as u64);
        self.line_len = 0;
    }

    fn pad_line(&mut self, frame: u64) {
        // A center rounded up past `frame` by less than the filter's reach keeps this from going negative.
        self.line_start = self.line_start.min(frame);
        self.line_len = (frame - self.line_start) as usize;
        self.line[..self.line_len].fill(0.0);
    }

    /// Filters the next `input`.
    pub(crate) fn push(&mut self, input: &[f32]) {
        self.line[self.line_len..][..input.len()].copy_from_slice(input);
        self.line_len += input.len();
        let tables = &*self.tables;
        let (decimation, reach) = (tables.decimation as u64, tables.reach as u64);
        let taps = tables.taps_re.len();
        loop {
            let center = self.next * decimation;
            // Near frame 0 the filter reaches before the first frame: such outputs are silence.
            let Some(from) = center
                .checked_sub(reach)
                .filter(|from| *from >= self.line_start)
            else {
                if self.line_start + self.line_len as u64 <= center + reach {
                    break;
                }
                self.store(Complex32::default());
                continue;
            };
            let from = (from - self.line_start) as usize;
            if from + taps > self.line_len {
                break;
            }
            let window = &self.line[from..from + taps];
            if self.next.is_multiple_of(FLOOR_EVERY) {
                let power = dot(window, window) / taps as f32;
                self.floor = if power.is_finite() {
                    (FLOOR_SHARE * power).sqrt()
                } else {
                    0.0
                };
            }
            let hiss = hiss(self.next);
            let value = Complex32::new(
                dot(window, &self.tables.taps_re),
                dot(window, &self.tables.taps_im),
            ) + hiss * self.floor;
            self.store(value);
        }
        let keep_from = (self.next * decimation).saturating_sub(reach);
        let spent = (keep_from.saturating_sub(self.line_start) as usize).min(self.line_len);
        self.line.copy_within(spent..self.line_len, 0);
        self.line_start += spent as u64;
        self.line_len -= spent;
    }

    fn store(&mut self, value: Complex32) {
        self.clean_history();
        let m = self.next;
        let value =
            self.cancellers
                .apply(value, m, self.tables.rate_hz(), self.tables.band.tones());
        self.history[m as usize % HISTORY] = value;
        self.next += 1;
        self.first = self.first.max(self.next.saturating_sub(HISTORY as u64));
        self.blank_clicks();
    }

    /// Takes a tone whose canceller starts now out of what came before: a sync that came with it may be on trial.
    fn clean_history(&mut self) {
        let Some(mut canceller) = self.cancellers.reversed_at(self.next) else {
            return;
        };
        let from = self
            .next
            .saturating_sub(self.tables.decimated(CLEANED_MS))
            .max(self.first);
        for m in (from..self.next).rev() {
            let value = &mut self.history[m as usize % HISTORY];
            match canceller.clean(*value, self.tables.rate_hz(), self.tables.band.tones()) {
                Some(rest) => *value = rest,
                None => return,
            }
        }
    }

    fn blank_clicks(&mut self) {
        let tables = &*self.tables;
        let spans = &tables.click_spans;
        let Some(m) = self
            .next
            .checked_sub(spans.reach + 1)
            .filter(|m| *m >= self.first + spans.reach)
        else {
            return;
        };
        // The history is a ring: what is near comes in two runs.
        let taps = &tables.in_band_taps;
        let start = (m - spans.reach) as usize % HISTORY;
        let older = &self.history[start..HISTORY.min(start + taps.len())];
        let (taps, newer_taps) = taps.split_at(older.len());
        let in_band = weighed(
            weighed(Complex32::default(), older, taps),
            &self.history,
            newer_taps,
        );
        if let Some(click) = self.clicks.push(spans, m, in_band.norm_sqr()) {
            for n in click.from.max(self.settled)..click.to {
                if self.clicks.blanks(&click, n) {
                    self.history[n as usize % HISTORY] = Complex32::default();
                }
            }
        }
        self.settled = self.settled.max(self.clicks.settled(spans, m));
    }

    /// Subtracts a tone from now on.
    pub(crate) fn cancel(&mut self, canceller: Canceller) {
        self.cancellers.add(canceller);
    }

    /// The oldest sample kept.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// The next sample to come, for readers: those before it are final.
    pub(crate) fn ready(&self) -> u64 {
        self.settled
    }

    /// The next sample to come out of the filter.
    pub(crate) fn newest(&self) -> u64 {
        self.next
    }

    /// Sample `m`, which must be kept.
    pub(crate) fn sample(&self, m: u64) -> Complex32 {
        debug_assert!((self.first..self.next).contains(&m));
        self.history[m as usize % HISTORY]
    }
}

/// Noise of unit power, the same for the same sample.
fn hiss(m: u64) -> Complex32 {
    let mut word = m.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word = (word ^ (word >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word ^= word >> 32;
    // Uniform over ±√1.5 either way.
    let side = |half: u64| (half as f32 / 2_147_483_648.0 - 1.0) * 1.224_744_9;
    Complex32::new(side(word & 0xFFFF_FFFF), side(word >> 32))
}

/// `sum` and each sample weighed by its tap.
fn weighed(sum: Complex32, samples: &[Complex32], taps: &[Complex32]) -> Complex32 {
    let pairs = samples.iter().zip(taps);
    pairs.fold(sum, |sum, (sample, tap)| sum + sample * tap)
}

/// Eight partial sums, so that the compiler can keep them in vector registers.
fn dot(samples: &[f32], taps: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    for (samples, taps) in samples.chunks_exact(8).zip(taps.chunks_exact(8)) {
        for ((sum, sample), tap) in sums.iter_mut().zip(samples).zip(taps) {
            *sum += sample * tap;
        }
    }
    sums.iter().sum()
}
