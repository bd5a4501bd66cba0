//! What one band's receiver needs to know in advance, computed once: filter, sync templates, band mask.

use super::clicks::ClickSpans;
use crate::{
    fft::Planner,
    params::{Band, PILOT_SPACING, TONE_SPACING_HZ, Timing, data_tone, rate_min_hz, sync_turns},
};
use link_transport::{Mode, Plan, Role};
use rustfft::{
    Fft,
    num_complex::{Complex32, Complex64},
};
use std::{
    f64::consts::{PI, TAU},
    sync::Arc,
};

/// Points of an acquisition FFT. At the decimated rate (6 to 6.9 kHz, or 3 to 3.4 kHz for the low plan's band, which
/// uses half as many points) a block is about 85 ms, of which 45 ms are new.
pub(crate) const FFT_MAX: usize = 512;

/// Stopband of the band filter. One's own band, up to 60 dB over the peer's, would alias right onto it.
const STOPBAND_DB: f64 = 100.0;

/// Where the filter that judges clicks stops, as a share of the way from the band's edge to half the decimated rate,
/// and by how much.
const BESIDE_SHARE: f64 = 0.4;
const BESIDE_DB: f64 = 40.0;

/// The tables of one band at one sample rate.
pub(crate) struct BandTables {
    pub(crate) band: Band,
    pub(crate) timing: Timing,
    /// Input frames per decimated sample.
    pub(crate) decimation: usize,
    /// Real and imaginary filter taps in input order, centred, padded with zeros to a multiple of eight.
    pub(crate) taps_re: Vec<f32>,
    pub(crate) taps_im: Vec<f32>,
    /// Frames before and after the output's own frame that the filter reaches.
    pub(crate) reach: usize,
    /// A filter over decimated samples that leaves the band alone, centred: what a click is judged by.
    pub(crate) in_band_taps: Vec<Complex32>,
    pub(crate) click_spans: ClickSpans,
    /// Decimated samples of a sync template.
    pub(crate) template_len: usize,
    pub(crate) fft_len: usize,
    /// The data tones' phases in sync pattern A and B.
    sync_phasors: [Vec<Complex32>; 2],
    /// Conjugate spectra of the templates of pattern A and B, divided by `fft_len · ‖template‖`.
    pub(crate) templates: [Vec<Complex32>; 2],
    /// The FFT bins inside the band.
    pub(crate) in_band: Vec<bool>,
    pub(crate) forward: Arc<dyn Fft<f32>>,
    pub(crate) inverse: Arc<dyn Fft<f32>>,
}

/// The tables of every band that fits the sample rate.
pub(crate) struct Tables {
    /// By [`Role::index`]. A modem runs at no rate that the low plan does not fit.
    low: [Arc<BandTables>; 2],
    high: Option<[Arc<BandTables>; 2]>,
}

impl Tables {
    /// For a rate that the low plan fits, at least.
    pub(crate) fn new(timing: Timing, planner: &mut Planner) -> Self {
        let mut both = |plan| {
            let mut tables =
                |role| Arc::new(BandTables::new(Band::new(plan, role), timing, planner));
            [Role::Host, Role::Guest].map(&mut tables)
        };
        let high_fits = timing.sample_rate_hz >= rate_min_hz(Plan::High);
        Self {
            high: high_fits.then(|| both(Plan::High)),
            low: both(Plan::Low),
        }
    }

    /// The tables of `band`; those of the low plan's if it does not fit the sample rate.
    pub(crate) fn of(&self, band: Band) -> &Arc<BandTables> {
        let low = &self.low;
        let plan = match band.plan {
            Plan::High => self.high.as_ref().unwrap_or(low),
            Plan::Low => low,
        };
        &plan[band.role.index()]
    }

    fn all(&self) -> impl Iterator<Item = &BandTables> {
        let high = self.high.iter().flatten();
        high.chain(&self.low).map(|tables| &**tables)
    }

    /// Scratch space that every band's FFTs fit into.
    pub(crate) fn fft_scratch_len(&self) -> usize {
        let lens = self.all().map(|tables| {
            tables
                .forward
                .get_inplace_scratch_len()
                .max(tables.inverse.get_inplace_scratch_len())
        });
        lens.max().unwrap_or(0)
    }

    /// The longest filter, in taps.
    pub(crate) fn taps_max(&self) -> usize {
        self.all()
            .map(|tables| tables.taps_re.len())
            .max()
            .unwrap_or(0)
    }
}

impl BandTables {
    fn new(band: Band, timing: Timing, planner: &mut Planner) -> Self {
        // Twice the bandwidth of an analytic signal: room for the filter's skirt, and two samples to a correlation peak.
        let (rate_wanted_hz, fft_len) = match band.tones() {
            120 => (6000, FFT_MAX),
            _ => (3000, FFT_MAX / 2),
        };
        let rate_hz = f64::from(timing.sample_rate_hz);
        let decimation = timing.sample_rate_hz as usize / rate_wanted_hz;
        let decimated_hz = rate_hz / decimation as f64;
        let edge_hz = band.half_width_hz() + TONE_SPACING_HZ;
        let own = FilterGoal {
            stop_hz: decimated_hz - edge_hz,
            stopband_db: STOPBAND_DB,
        };
        let (taps_re, taps_im, reach) = band_filter(band.center_hz(), edge_hz, own, rate_hz);
        let beside = FilterGoal {
            stop_hz: edge_hz + BESIDE_SHARE * (decimated_hz / 2.0 - edge_hz),
            stopband_db: BESIDE_DB,
        };
        let (beside_re, beside_im, beside_reach) =
            band_filter(band.center_hz(), edge_hz, beside, decimated_hz);
        let in_band_taps = beside_re.iter().zip(&beside_im).take(2 * beside_reach + 1);
        let in_band_taps = in_band_taps
            .map(|(re, im)| Complex32::new(*re, *im) / 2.0)
            .collect();

        let template_len = timing.useful.div_ceil(decimation);
        let forward = planner.plan_fft_forward(fft_len);
        let templates = [1.0, -1.0].map(|sign| {
            let samples = sync_template(band, sign, template_len, decimated_hz);
            let norm = samples
                .iter()
                .map(|z| f64::from(z.norm_sqr()))
                .sum::<f64>()
                .sqrt();
            let mut spectrum = samples;
            spectrum.resize(fft_len, Complex32::default());
            forward.process(&mut spectrum);
            let scale = (1.0 / (norm * fft_len as f64)) as f32;
            spectrum.iter().map(|z| z.conj() * scale).collect()
        });
        let in_band = (0..fft_len)
            .map(|bin| {
                let hz = bin as f64 * decimated_hz / fft_len as f64;
                let turns = (hz - band.center_hz()) / decimated_hz;
                (turns - turns.round()).abs() * decimated_hz <= edge_hz
            })
            .collect();
        Self {
            band,
            timing,
            decimation,
            taps_re,
            taps_im,
            reach,
            in_band_taps,
            click_spans: ClickSpans::at(decimated_hz / 1000.0, beside_reach),
            template_len,
            fft_len,
            sync_phasors: [1.0, -1.0].map(|sign| {
                let phasor = |t| Complex64::cis(TAU * sign * sync_turns(band, t).fract());
                (0..band.data_tones())
                    .map(phasor)
                    .map(|z| Complex32::new(z.re as f32, z.im as f32))
                    .collect()
            }),
            templates,
            in_band,
            forward,
            inverse: planner.plan_fft_inverse(fft_len),
        }
    }

    /// The data tones' phases in the sync symbol that announces `mode`.
    pub(crate) fn sync_phasors(&self, mode: Mode) -> &[Complex32] {
        match mode {
            Mode::Robust => &self.sync_phasors[0],
            Mode::Fast => &self.sync_phasors[1],
        }
    }

    /// Decimated samples a second.
    pub(crate) fn rate_hz(&self) -> f64 {
        f64::from(self.timing.sample_rate_hz) / self.decimation as f64
    }

    /// Decimated samples in `ms` milliseconds, rounded to the nearest.
    pub(crate) fn decimated(&self, ms: f64) -> u64 {
        (ms * f64::from(self.timing.sample_rate_hz) / 1000.0 / self.decimation as f64).round()
            as u64
    }
}

/// The analytic sync symbol, pilots left out, over the useful part.
fn sync_template(band: Band, sign: f64, len: usize, rate_hz: f64) -> Vec<Complex32> {
    (0..len)
        .map(|n| {
            let value: Complex64 = (0..band.data_tones())
                .map(|t| {
                    let cycles = band.tone_hz(data_tone(t)) * n as f64 / rate_hz;
                    Complex64::cis(TAU * (cycles.fract() + sign * sync_turns(band, t).fract()))
                })
                .sum();
            Complex32::new(value.re as f32, value.im as f32)
        })
        .collect()
}

/// What a filter must reach.
#[derive(Clone, Copy)]
struct FilterGoal {
    stop_hz: f64,
    stopband_db: f64,
}

/// A Kaiser-windowed band filter that keeps positive frequencies only: real input, analytic output.
fn band_filter(
    center_hz: f64,
    pass_hz: f64,
    goal: FilterGoal,
    rate_hz: f64,
) -> (Vec<f32>, Vec<f32>, usize) {
    let FilterGoal {
        stop_hz,
        stopband_db,
    } = goal;
    let transition = TAU * (stop_hz - pass_hz) / rate_hz;
    let reach = ((stopband_db - 8.0) / (2.285 * transition) / 2.0).ceil() as usize;
    // Kaiser's formulas for the window's shape.
    let beta = if stopband_db > 50.0 {
        0.1102 * (stopband_db - 8.7)
    } else {
        0.5842 * (stopband_db - 21.0).powf(0.4) + 0.07886 * (stopband_db - 21.0)
    };
    let cutoff = (pass_hz + stop_hz) / 2.0 / rate_hz;
    let len = (2 * reach + 1).next_multiple_of(8);
    let (mut re, mut im) = (vec![0.0; len], vec![0.0; len]);
    for (i, (re, im)) in re.iter_mut().zip(&mut im).enumerate().take(2 * reach + 1) {
        let t = i as f64 - reach as f64;
        let sinc = if t == 0.0 {
            2.0 * cutoff
        } else {
            (TAU * cutoff * t).sin() / (PI * t)
        };
        let edge = t / reach as f64;
        let kaiser = bessel_i0(beta * (1.0 - edge * edge).max(0.0).sqrt()) / bessel_i0(beta);
        // Twice the real filter, since half of a real tone's amplitude sits at its negative frequency.
        let tap = Complex64::cis(-TAU * center_hz * t / rate_hz) * (2.0 * sinc * kaiser);
        (*re, *im) = (tap.re as f32, tap.im as f32);
    }
    (re, im, reach)
}

/// The modified Bessel function of the first kind, order 0.
fn bessel_i0(x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..64 {
        term *= (x / (2.0 * f64::from(k))).powi(2);
        sum += term;
    }
    sum
}

/// The pilots' spacing as a frequency.
pub(crate) const PILOT_SPACING_HZ: f64 = TONE_SPACING_HZ * PILOT_SPACING as f64;
