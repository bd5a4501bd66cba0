//! How much slower the sender's clock runs, from the phases of its pilots.
//!
//! A pilot never changes phase from symbol to symbol, so a turn between two symbols is a delay: `−2π f Δτ`.

use crate::{
    params::{Band, PILOT_SPACING, PILOTS_MAX},
    receiver::narrowband::outlier_weights,
};
use rustfft::num_complex::{Complex32, Complex64};
use std::f64::consts::TAU;

/// Skews at which a trial evaluates its pilots, as fractions. Their frequencies, not only their phases, must be right:
/// 700 ppm is half a tone spacing at 18 kHz. Neighbours overlap, so every skew up to ±950 ppm is within reach of one.
pub(crate) const HYPOTHESES: [f64; 5] = [0.0, 350e-6, -350e-6, 700e-6, -700e-6];
/// How far around a hypothesis its phases are searched.
const HYPOTHESIS_REACH: f64 = 250e-6;
const HYPOTHESIS_STEPS: i32 = 10;
const HEIGHTS: usize = 2 * HYPOTHESIS_STEPS as usize + 3;
/// The share of a symbol's slope that goes into the estimate.
const GAIN: f64 = 0.1;
/// A turn of this much in the middle of the band, in radians, means that the sender has moved: then the estimate follows at once.
/// Five times what the pilots scatter at the edge of range.
const MOVED_TURN: f64 = 0.6;
const MOVED_GAIN: f64 = 0.5;

/// Mean square phase error, in square radians, from which a symbol's pilots are noise and move the clock no more:
/// phases at random have 3.3, the edge of range 0.6. So the estimate outlasts a gap or a burst.
pub(crate) const ERROR_MAX: f32 = 1.6;

/// Products of a symbol's pilots with the symbol before.
pub(crate) type PilotProducts = [Complex32; PILOTS_MAX];

/// The slope of the pilots' phases through the origin, in radians per hertz: `−2π Δτ`. Also their mean square phase
/// error once it is removed.
pub(crate) fn fit_slope(band: Band, products: &PilotProducts) -> (f64, f32) {
    let products = &products[..band.pilots()];
    let mut magnitudes = [0.0; PILOTS_MAX];
    for (magnitude, product) in magnitudes.iter_mut().zip(products) {
        *magnitude = product.norm();
    }
    let weights = outlier_weights::<PILOTS_MAX>(&magnitudes[..products.len()], 2);
    let pilots = products
        .iter()
        .zip(weights)
        .enumerate()
        .map(|(p, (product, weight))| {
            (
                band.tone_hz(p * PILOT_SPACING),
                f64::from(product.arg()),
                f64::from(weight),
                product,
            )
        });
    let (mut along, mut square) = (0.0, 0.0);
    for (hz, arg, weight, product) in pilots.clone() {
        let weight = weight * f64::from(product.norm());
        along += weight * hz * arg;
        square += weight * hz * hz;
    }
    let slope = if square > 0.0 { along / square } else { 0.0 };
    let (mut error, mut total) = (0.0, 0.0);
    for (hz, arg, weight, _) in pilots {
        let off = wrap(arg - slope * hz);
        error += weight * off * off;
        total += weight;
    }
    (slope, (error / total.max(f64::MIN_POSITIVE)) as f32)
}

/// The change of the skew estimate that a symbol's slope asks for.
pub(crate) fn correction(band: Band, slope: f64, symbol_s: f64) -> f64 {
    let turn = (slope * band.tone_hz(band.tones() / 2)).abs();
    let gain = if turn > MOVED_TURN { MOVED_GAIN } else { GAIN };
    -gain * slope / (TAU * symbol_s)
}

/// The skew near `hypothesis` that lines the pilots up best, and how well: the height of their coherent sum, times its
/// share of what it would be if they all stood in line.
///
/// Every pilot's full phase counts, not only its slope, and so does its energy at the hypothesis' frequencies. A
/// wrong turn of 2π is 1,145 ppm away (in the high guest band), most of a tone spacing: it finds no energy. So the
/// turn needs no second sync to be told.
pub(crate) fn best_skew(
    band: Band,
    products: &PilotProducts,
    hypothesis: f64,
    symbol_s: f64,
) -> (f64, f64) {
    // A tone beside a pilot would outweigh all the others.
    let mut magnitudes = [0.0; PILOTS_MAX];
    for (magnitude, product) in magnitudes.iter_mut().zip(products) {
        *magnitude = product.norm();
    }
    let weights = outlier_weights::<PILOTS_MAX>(&magnitudes[..band.pilots()], 2);
    // The height at every step of the search and one beyond either end, each pilot turning by as much from step to step.
    let step = HYPOTHESIS_REACH / f64::from(HYPOTHESIS_STEPS);
    let mut heights = [0.0; HEIGHTS];
    for p in 0..band.pilots() {
        let turn =
            |offset: f64| Complex64::cis(TAU * band.tone_hz(p * PILOT_SPACING) * offset * symbol_s);
        let product = Complex64::new(f64::from(products[p].re), f64::from(products[p].im));
        let mut turned = product * f64::from(weights[p]) * turn(-HYPOTHESIS_REACH - step);
        let up = turn(step);
        for height in &mut heights {
            *height += turned.re;
            turned *= up;
        }
    }
    let inner = &heights[1..HEIGHTS - 1];
    let (best, peak) = inner
        .iter()
        .copied()
        .enumerate()
        .max_by(|x, y| x.1.total_cmp(&y.1))
        .expect("some steps");
    let offset = best as f64 * step - HYPOTHESIS_REACH;
    let (left, right) = (heights[best], heights[best + 2]);
    let curve = left - 2.0 * peak + right;
    let between = if curve < 0.0 {
        (0.5 * (left - right) / curve).clamp(-0.5, 0.5)
    } else {
        0.0
    };
    let in_line: f64 = (0..band.pilots())
        .map(|p| f64::from(weights[p] * magnitudes[p]))
        .sum();
    let score = peak * peak.abs() / in_line.max(f64::MIN_POSITIVE);
    (hypothesis + offset + between * step, score)
}

/// An angle within ±π.
fn wrap(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}
