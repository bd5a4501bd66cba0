//! Input samples in, the receive band's analytic signal out, decimated, with a few seconds of history.
//!
//! A band is at most 3 kHz of the 24 kHz or more that come in. Everything behind this filter (search, windows, tone
//! sums) runs on 6,000 complex samples a second instead of 48,000 real ones, an order of magnitude less work. The
//! tones keep their true frequencies: a sum over the decimated samples at `e^{−j2πft}` is the same sum, since the
//! decimated signal holds nothing but the band, and the window's own spectrum has fallen to −86 dB where the first
//! image lies. One's own band would alias straight onto the friend's; the filter takes 100 dB off it.

use super::tables::BandTables;
use crate::PIECE_FRAMES_MAX;
use rustfft::num_complex::Complex32;

/// Decimated samples of history: at least 2.39 s, a superframe and its sync with room to spare.
pub(crate) const HISTORY: usize = 1 << 14;

/// The longest jump that is filled with silence in the history.
const SILENCE_KEPT_MS: f64 = 100.0;

/// The filter's state and the history of its output. Sample `m` stands for input frame `m · decimation`.
pub(crate) struct Frontend {
    /// Input not yet filtered out of reach; `line[0]` is frame `line_start`.
    line: Vec<f32>,
    line_len: usize,
    line_start: u64,
    history: Vec<Complex32>,
    /// The first sample that is kept, and the next to come.
    first: u64,
    next: u64,
}

impl Frontend {
    pub(crate) fn new(taps_max: usize) -> Self {
        Self {
            // The longest decimation is shorter than the filter.
            line: vec![0.0; 2 * taps_max + PIECE_FRAMES_MAX],
            line_len: 0,
            line_start: 0,
            history: vec![Complex32::default(); HISTORY],
            first: 0,
            next: 0,
        }
    }

    /// Forgets everything; the next input is frame `frame`.
    pub(crate) fn reset(&mut self, tables: &BandTables, frame: u64) {
        self.next = frame.div_ceil(tables.decimation as u64);
        self.first = self.next;
        self.restart_line(tables);
        // The line begins before `frame` with silence.
        self.pad_line(frame);
    }

    /// The input goes on at `frame`. A short stretch missed becomes silence; before a longer one nothing is kept, so
    /// that whoever reads the history passes over it in one step.
    pub(crate) fn jump(&mut self, tables: &BandTables, frame: u64) {
        let landed = frame.div_ceil(tables.decimation as u64).max(self.next);
        if landed - self.next <= tables.decimated(SILENCE_KEPT_MS) {
            while self.next < landed {
                self.store(Complex32::default());
            }
        } else {
            self.next = landed;
            self.first = landed;
        }
        self.restart_line(tables);
        self.pad_line(frame);
    }

    fn restart_line(&mut self, tables: &BandTables) {
        let center = self.next * tables.decimation as u64;
        self.line_start = center.saturating_sub(tables.reach as u64);
        self.line_len = 0;
    }

    fn pad_line(&mut self, frame: u64) {
        // A center rounded up past `frame` by less than the filter's reach keeps this from going negative.
        self.line_start = self.line_start.min(frame);
        self.line_len = (frame - self.line_start) as usize;
        self.line[..self.line_len].fill(0.0);
    }

    /// Filters the next `input`.
    pub(crate) fn push(&mut self, tables: &BandTables, input: &[f32]) {
        self.line[self.line_len..][..input.len()].copy_from_slice(input);
        self.line_len += input.len();
        let taps = tables.taps_re.len();
        loop {
            let center = self.next * tables.decimation as u64;
            // Near frame 0 the filter reaches before the first frame: such outputs are silence.
            let Some(from) = center
                .checked_sub(tables.reach as u64)
                .filter(|from| *from >= self.line_start)
            else {
                if self.line_start + self.line_len as u64 <= center + tables.reach as u64 {
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
            let value = Complex32::new(dot(window, &tables.taps_re), dot(window, &tables.taps_im));
            self.store(value);
        }
        let keep_from = (self.next * tables.decimation as u64).saturating_sub(tables.reach as u64);
        let spent = (keep_from.saturating_sub(self.line_start) as usize).min(self.line_len);
        self.line.copy_within(spent..self.line_len, 0);
        self.line_start += spent as u64;
        self.line_len -= spent;
    }

    fn store(&mut self, value: Complex32) {
        self.history[self.next as usize % HISTORY] = value;
        self.next += 1;
        self.first = self.first.max(self.next.saturating_sub(HISTORY as u64));
    }

    /// The oldest sample kept.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// The next sample to come.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Sample `m`, which must be kept.
    pub(crate) fn sample(&self, m: u64) -> Complex32 {
        debug_assert!((self.first..self.next).contains(&m));
        self.history[m as usize % HISTORY]
    }
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
