//! Windowed-sinc kernels and the dot product that applies them.

use libm::{cos, exp, sin, sqrt};
use std::f64::consts::PI;

/// The Kaiser window's shape: 90 dB down outside the transition band.
pub(crate) const KAISER_BETA: f64 = 8.96;

/// Taps × transition width (as a share of the sample rate) of a kernel with [`KAISER_BETA`]. (90 − 7.95) / 14.36.
pub(crate) const TAPS_TIMES_WIDTH: f64 = 5.72;

/// The modified Bessel function I₀, by its series.
fn bessel_i0(x: f64) -> f64 {
    let (mut sum, mut term, mut k) = (1.0, 1.0, 1.0);
    while term > 1e-12 * sum {
        term *= (x / (2.0 * k)) * (x / (2.0 * k));
        sum += term;
        k += 1.0;
    }
    sum
}

/// The window at `x` from −1 to 1; zero outside.
pub(crate) fn kaiser(x: f64) -> f64 {
    if x.abs() >= 1.0 {
        0.0
    } else {
        bessel_i0(KAISER_BETA * sqrt(1.0 - x * x)) / bessel_i0(KAISER_BETA)
    }
}

/// A low-pass kernel at `x` samples from its middle: cut-off as a share of the sample rate, unit gain at DC.
pub(crate) fn lowpass(x: f64, cutoff: f64, half_length: f64) -> f64 {
    let angle = 2.0 * PI * cutoff * x;
    let sinc = if angle.abs() < 1e-9 {
        1.0
    } else {
        sin(angle) / angle
    };
    2.0 * cutoff * sinc * kaiser(x / half_length)
}

/// Σ a·b, in eight running sums so that it vectorises.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    let (a, b) = (&a[..a.len().min(b.len())], &b[..a.len().min(b.len())]);
    let mut sums = [0.0_f32; LANES];
    let (blocks_a, blocks_b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = blocks_a
        .remainder()
        .iter()
        .zip(blocks_b.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (block_a, block_b) in blocks_a.zip(blocks_b) {
        for ((sum, a), b) in sums.iter_mut().zip(block_a).zip(block_b) {
            *sum += a * b;
        }
    }
    rest + sums.iter().sum::<f32>()
}

/// `dot(a, b)` and `dot(a, c)` at once: `a` is read once.
pub(crate) fn dot_two(a: &[f32], b: &[f32], c: &[f32]) -> [f32; 2] {
    const LANES: usize = 8;
    let len = a.len().min(b.len()).min(c.len());
    let ((a, rest_a), (b, rest_b), (c, rest_c)) = (
        a[..len].as_chunks::<LANES>(),
        b[..len].as_chunks::<LANES>(),
        c[..len].as_chunks::<LANES>(),
    );
    let (mut with_b, mut with_c) = ([0.0_f32; LANES], [0.0_f32; LANES]);
    for ((a, b), c) in a.iter().zip(b).zip(c) {
        for i in 0..LANES {
            with_b[i] += a[i] * b[i];
            with_c[i] += a[i] * c[i];
        }
    }
    let rest = |other: &[f32]| rest_a.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
    [
        rest(rest_b) + with_b.iter().sum::<f32>(),
        rest(rest_c) + with_c.iter().sum::<f32>(),
    ]
}

/// A ratio of amplitudes from decibels.
pub(crate) fn amplitude(db: f64) -> f64 {
    exp(db * std::f64::consts::LN_10 / 20.0)
}

/// `(cos, sin)` of `turns` whole turns.
pub(crate) fn turn(turns: f64) -> (f64, f64) {
    let angle = 2.0 * PI * (turns - turns.floor());
    (cos(angle), sin(angle))
}
