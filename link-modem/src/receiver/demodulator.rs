//! One windowed DFT over a set of evenly spaced tones, summed up as the samples come.
//!
//! Each tone is evaluated at its received frequency `f / (1 + ε̂)`, which an FFT cannot do: under a skew of 300 ppm
//! the edge tones turn by 0.1 radian against a bin over one window. Eight tones at a time keep phasor, step and sum
//! in vector registers over a run of samples; a symbol costs some 30,000 vector steps, 0.05 % of a core.

use super::{frontend::Frontend, tables::BandTables};
use crate::params::TONES_MAX;
use rustfft::num_complex::{Complex32, Complex64};
use std::{
    f64::consts::{PI, TAU},
    sync::Arc,
};

/// Tones summed side by side.
pub(crate) const LANES: usize = 8;
/// Samples windowed at a time.
const RUN: usize = 64;

/// Tones `first_hz + i · spacing_hz`, at the sender's clock.
#[derive(Clone, Copy)]
pub(crate) struct ToneComb {
    pub(crate) first_hz: f64,
    pub(crate) spacing_hz: f64,
    pub(crate) count: usize,
}

/// Where and how a window is taken, in input frames.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// The frame at which every tone's phase counts as zero.
    pub(crate) origin: f64,
    /// The nominal window's first frame.
    pub(crate) start: f64,
    /// How much slower the sender's clock runs, as a fraction.
    pub(crate) skew: f64,
}

#[derive(Clone, Copy, Default)]
struct Eight {
    phasor_re: [f32; LANES],
    phasor_im: [f32; LANES],
    step_re: [f32; LANES],
    step_im: [f32; LANES],
    sum_re: [f32; LANES],
    sum_im: [f32; LANES],
}

pub(crate) struct Demodulator {
    tables: Arc<BandTables>,
    eights: [Eight; TONES_MAX / LANES],
    used: usize,
    /// The first frame of the tapered window.
    from: f64,
    /// The next sample to sum, and the one after the last.
    next: u64,
    end: u64,
}

impl Demodulator {
    pub(crate) fn new(tables: &Arc<BandTables>) -> Self {
        Self {
            tables: Arc::clone(tables),
            eights: [Eight::default(); TONES_MAX / LANES],
            used: 0,
            from: 0.0,
            next: 0,
            end: 0,
        }
    }

    /// Of another band from now on.
    pub(crate) fn tune(&mut self, tables: &Arc<BandTables>) {
        self.tables = Arc::clone(tables);
    }

    /// Prepares a window.
    pub(crate) fn start(&mut self, comb: ToneComb, window: Window) {
        let timing = &self.tables.timing;
        let (rate_hz, decimation) = (
            f64::from(timing.sample_rate_hz),
            self.tables.decimation as f64,
        );
        self.from = window.start - (timing.taper / 2) as f64;
        // The taper's first sample is half a step in; see `weight`.
        self.next = ((self.from - 0.5) / decimation).ceil().max(0.0) as u64;
        let span = (timing.useful + timing.taper) as f64;
        self.end = ((self.from + span - 0.5) / decimation).ceil().max(0.0) as u64;

        let lag = (self.next as f64 * decimation - window.origin) / rate_hz;
        let turn = |hz: f64, seconds: f64| {
            Complex64::cis(-TAU * (hz / (1.0 + window.skew) * seconds).fract())
        };
        let step_s = decimation / rate_hz;
        let (mut phasor, phasor_up) = (turn(comb.first_hz, lag), turn(comb.spacing_hz, lag));
        let (mut step, step_up) = (turn(comb.first_hz, step_s), turn(comb.spacing_hz, step_s));
        self.used = comb.count.div_ceil(LANES);
        for eight in &mut self.eights[..self.used] {
            for lane in 0..LANES {
                (eight.phasor_re[lane], eight.phasor_im[lane]) =
                    (phasor.re as f32, phasor.im as f32);
                (eight.step_re[lane], eight.step_im[lane]) = (step.re as f32, step.im as f32);
                phasor *= phasor_up;
                step *= step_up;
            }
            eight.sum_re = [0.0; LANES];
            eight.sum_im = [0.0; LANES];
        }
    }

    /// Sums what has arrived, up to `budget` samples for eight tones each. True when the window is complete. What the history no longer
    /// holds counts as silence.
    pub(crate) fn advance(&mut self, front: &Frontend, budget: &mut usize) -> bool {
        if self.end <= front.first() {
            self.next = self.end;
        }
        let tables = &*self.tables;
        let shape = Shape {
            from: self.from,
            taper: tables.timing.taper as f64,
            span: (tables.timing.useful + tables.timing.taper) as f64,
            decimation: tables.decimation as f64,
        };
        while self.next < self.end {
            let ready = front
                .ready()
                .saturating_sub(self.next)
                .min(self.end - self.next) as usize;
            let run = ready.min(RUN).min(budget.div_ceil(self.used.max(1)));
            if run == 0 {
                return false;
            }
            let mut windowed = [Complex32::default(); RUN];
            for (i, value) in windowed[..run].iter_mut().enumerate() {
                let m = self.next + i as u64;
                if m >= front.first() {
                    *value = front.sample(m) * shape.weight(m);
                }
            }
            for eight in &mut self.eights[..self.used] {
                eight.sum(&windowed[..run]);
            }
            self.next += run as u64;
            *budget = budget.saturating_sub(run * self.used);
        }
        true
    }

    /// Tone `i` of the comb.
    pub(crate) fn tone(&self, i: usize) -> Complex32 {
        let eight = &self.eights[i / LANES];
        Complex32::new(eight.sum_re[i % LANES], eight.sum_im[i % LANES])
    }
}

/// A window's: flat, its first and last `taper` frames raised cosines that add up to one a symbol apart. All in frames.
struct Shape {
    from: f64,
    taper: f64,
    span: f64,
    decimation: f64,
}

impl Shape {
    /// How much of decimated sample `m` counts.
    #[inline]
    fn weight(&self, m: u64) -> f32 {
        let at = m as f64 * self.decimation - self.from + 0.5;
        let edge = at.min(self.span - at);
        if edge >= self.taper {
            1.0
        } else {
            (0.5 - 0.5 * (PI * edge.max(0.0) / self.taper).cos()) as f32
        }
    }
}

impl Eight {
    #[inline]
    fn sum(&mut self, samples: &[Complex32]) {
        let Self {
            mut phasor_re,
            mut phasor_im,
            step_re,
            step_im,
            mut sum_re,
            mut sum_im,
        } = *self;
        for sample in samples {
            for i in 0..LANES {
                let (re, im) = (phasor_re[i], phasor_im[i]);
                sum_re[i] += sample.re * re - sample.im * im;
                sum_im[i] += sample.re * im + sample.im * re;
                phasor_re[i] = re * step_re[i] - im * step_im[i];
                phasor_im[i] = re * step_im[i] + im * step_re[i];
            }
        }
        *self = Self {
            phasor_re,
            phasor_im,
            step_re,
            step_im,
            sum_re,
            sum_im,
        };
    }
}
