//! Tones that stand out of their neighbourhood: what a steady interferer does to a packet, and how little to trust it.

use crate::{params::DATA_TONES_MAX, short_sort::sort_few};
use rustfft::num_complex::Complex32;

/// A tone may be this many times its neighbourhood's median before it is suspected.
const OUTLIER: f32 = 2.0;
/// Symbols over which a tone's steady share is a plain mean; beyond them it is a running one.
const STEADY_SYMBOLS: u32 = 32;
/// Symbols before the steady share is believed.
const STEADY_SYMBOLS_MIN: u32 = 16;
/// A signal this many times over the steady share is left alone.
const STEADY_CLEAR: f32 = 2.0;
/// How far, in expected squares, the steady share must stand over what scatter alone leaves in a mean.
const STEADY_SIGNIFICANCE: f32 = 4.0;

/// The median of `values`' neighbourhood of `i`, `reach` on either side, cut off at the ends.
pub(crate) fn neighbourhood_median(values: &[f32], i: usize, reach: usize) -> f32 {
    let from = i.saturating_sub(reach);
    let near = &values[from..values.len().min(i + reach + 1)];
    let mut sorted = [0.0; 9];
    let sorted = &mut sorted[..near.len().min(9)];
    sorted.copy_from_slice(&near[..sorted.len()]);
    sort_few(sorted, |a, b| a.total_cmp(b).is_lt());
    sorted[sorted.len() / 2]
}

/// `(2/r)³` for values over twice (`r` times) their neighbourhood's median, 1 for the others.
pub(crate) fn outlier_weights<const N: usize>(values: &[f32], reach: usize) -> [f32; N] {
    let mut weights = [1.0; N];
    for (i, weight) in weights.iter_mut().enumerate().take(values.len()) {
        let limit = OUTLIER * neighbourhood_median(values, i, reach);
        if values[i] > limit {
            *weight = (limit / values[i]).powi(3);
        }
    }
    weights
}

/// The steady share of each data tone's products. Scrambled data averages out of it, a steady interferer does not.
pub(crate) struct SteadyTones {
    mean: [Complex32; DATA_TONES_MAX],
    scatter: [f32; DATA_TONES_MAX],
    symbols: u32,
}

impl SteadyTones {
    pub(crate) const fn new() -> Self {
        Self {
            mean: [Complex32::new(0.0, 0.0); DATA_TONES_MAX],
            scatter: [0.0; DATA_TONES_MAX],
            symbols: 0,
        }
    }

    /// Learns from one symbol's products, in data-tone order.
    pub(crate) fn learn(&mut self, products: impl Iterator<Item = Complex32>) {
        self.symbols = self.symbols.saturating_add(1);
        let share = 1.0 / self.symbols.min(STEADY_SYMBOLS) as f32;
        for ((mean, scatter), product) in self.mean.iter_mut().zip(&mut self.scatter).zip(products)
        {
            let off = product - *mean;
            *mean += off * share;
            *scatter += (off.norm_sqr() - *scatter) * share;
        }
    }

    /// How much to trust data tone `t`: 1 unless a steady interferer is at least half as strong as the signal.
    pub(crate) fn weight(&self, t: usize) -> f32 {
        if self.symbols < STEADY_SYMBOLS_MIN {
            return 1.0;
        }
        // What scatter leaves in a plain mean of n; a running mean's α / (2 − α) once it is one.
        let left = if self.symbols <= STEADY_SYMBOLS {
            1.0 / self.symbols as f32
        } else {
            let alpha = 1.0 / STEADY_SYMBOLS as f32;
            alpha / (2.0 - alpha)
        };
        let steady = self.mean[t].norm_sqr();
        if steady <= STEADY_SIGNIFICANCE * left * self.scatter[t] {
            return 1.0;
        }
        let over_clear = (self.scatter[t] / steady).sqrt() / STEADY_CLEAR;
        if over_clear < 1.0 {
            over_clear * over_clear
        } else {
            1.0
        }
    }
}
