//! A packet's differential products become soft bits: positive for 0, scaled by the packet's own mean.

use super::narrowband::{SteadyTones, neighbourhood_median, outlier_weights};
use crate::params::{Band, DATA_TONES_MAX, PACKET_SYMBOLS_MAX, TONES_MAX, data_tone};
use link_transport::Mode;
use rustfft::num_complex::Complex32;
use std::f32::consts::FRAC_PI_4;

/// The most a soft bit counts, in means.
const SOFT_MAX: f32 = 4.0;
/// Data tones on either side of one that make its neighbourhood.
const NEIGHBOURS: usize = 4;
/// The most one tone counts in the mean, against its neighbourhood's median.
const SHARE_MAX: f32 = 2.0;

/// One symbol's products with the symbol before, all tones of the band, residual slope removed.
pub(crate) type Products = [Complex32; TONES_MAX];

/// Which symbols of a packet were missing in the input: 0 is the one before its first.
#[derive(Clone, Copy, Default)]
pub(crate) struct Erased(u16);

impl Erased {
    pub(crate) fn add(&mut self, symbol: usize) {
        self.0 |= 1 << symbol;
    }

    pub(crate) fn is_any(self) -> bool {
        self.0 != 0
    }

    pub(crate) fn symbol(self, symbol: usize) -> bool {
        self.0 >> symbol & 1 == 1
    }

    /// A change of phase says nothing if either side of it is missing.
    fn change(self, symbol: usize) -> bool {
        self.symbol(symbol) || self.symbol(symbol - 1)
    }

    /// Changes of a packet of `symbols` that say nothing.
    pub(crate) fn changes(self, symbols: usize) -> usize {
        (1..=symbols).filter(|symbol| self.change(*symbol)).count()
    }

    /// Makes erasures of the soft bits, in slot order, of what says nothing.
    pub(crate) fn apply(self, symbols: usize, soft: &mut [f32]) {
        let bits = soft.len() / symbols;
        for (soft, symbol) in soft.chunks_exact_mut(bits).zip(1..) {
            if self.change(symbol) {
                soft.fill(0.0);
            }
        }
    }
}

/// How much each data tone of a packet counts, over the packet's mean magnitude. `None` if there is nothing to read.
pub(crate) fn tone_weights(
    band: Band,
    symbols: &heapless::Vec<&Products, PACKET_SYMBOLS_MAX>,
    steady: &SteadyTones,
) -> Option<[f32; DATA_TONES_MAX]> {
    let tones = band.data_tones();
    let mut means = [0.0_f32; DATA_TONES_MAX];
    for (t, mean) in means.iter_mut().enumerate().take(tones) {
        let sum: f32 = symbols
            .iter()
            .map(|products| products[data_tone(t)].norm())
            .sum();
        *mean = sum / symbols.len() as f32;
    }
    let means = &means[..tones];
    let mut weights = outlier_weights::<DATA_TONES_MAX>(means, NEIGHBOURS);
    let share = |t: usize| means[t].min(SHARE_MAX * neighbourhood_median(means, t, NEIGHBOURS));
    let mean = (0..tones).map(share).sum::<f32>() / tones as f32;
    if !(mean > 0.0 && mean.is_finite()) {
        return None;
    }
    for (t, weight) in weights.iter_mut().enumerate().take(tones) {
        *weight *= steady.weight(t) / mean;
    }
    Some(weights)
}

/// Writes the soft bits of a packet of `symbols` in slot order, each symbol set against the one before.
pub(crate) fn soften(
    band: Band,
    mode: Mode,
    symbols: &heapless::Vec<&Products, PACKET_SYMBOLS_MAX>,
    weights: &[f32],
    soft: &mut [f32],
) {
    let quarter_back = Complex32::cis(-FRAC_PI_4);
    let mut out = soft.iter_mut();
    let mut push = |value: f32| {
        if let Some(slot) = out.next() {
            *slot = value;
        }
    };
    for products in symbols {
        for (t, weight) in weights.iter().enumerate().take(band.data_tones()) {
            let product = products[data_tone(t)] * weight;
            match mode {
                Mode::Robust => push(product.re),
                Mode::Fast => {
                    let turned = product * quarter_back;
                    push(turned.re);
                    push(-turned.im);
                }
            }
        }
    }
}

/// Keeps soft bits of either kind within ±4 means.
pub(crate) fn clamp(soft: &mut [f32]) {
    for value in soft {
        *value = value.clamp(-SOFT_MAX, SOFT_MAX);
    }
}
