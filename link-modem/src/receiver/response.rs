//! The response that a channel's tones amount to, over delay: what many symbols agree on, where the search has one noisy
//! symbol. Tells where the first path lies, and whether a later window meets less of the neighbouring symbols.

use super::acquisition::{FIRST_PATH_MS, FIRST_PATH_SHARE};
use crate::params::{
    Band, PILOT_SPACING, PILOTS_MAX, TONE_SPACING_HZ, TONES_MAX, Timing, is_pilot,
};
use rustfft::num_complex::{Complex32, Complex64};
use std::f64::consts::TAU;

/// Delays looked at: so many steps either way, 16 ms. The response repeats itself after 40 ms.
const AROUND: usize = 64;
const STEP_S: f64 = 250e-6;
const DELAYS: usize = 2 * AROUND + 1;
/// The first path is looked for as far before the strongest as the search does.
const BEFORE_PEAK_STEPS: usize = (FIRST_PATH_MS / 1000.0 / STEP_S) as usize;
/// The Hamming window's raised cosine, which leaves sidelobes of a hundredth: they are no paths.
const HAMMING: [f64; 2] = [0.54, 0.46];
/// What is no lobe of a stronger path's, as a share of the highest: without pilots those are a seventh.
const STANDS_OUT: f64 = 0.25;
/// Rounds after which pilots put in for missing ones change nothing that matters.
const ROUNDS: usize = 4;
/// Where a path counts as begun, as a share of its height: the search's rule for the first path.
const BEGUN_SHARE: f32 = FIRST_PATH_SHARE;

/// Heights over delay.
pub(crate) struct Response {
    heights: [f32; DELAYS],
    /// The delay in the middle, in seconds.
    middle_s: f64,
}

impl Response {
    /// Of `tones`, each data tone at phase zero, up to 16 ms either way of `middle_s`.
    ///
    /// Which phase a sender gives its pilots is its own affair. Left out, they would let each path stand again every 5 ms, a
    /// seventh as high; so each is put in as what the paths that stand out come to at its frequency, until that settles
    /// (Papoulis, "A new algorithm in spectral analysis and band-limited extrapolation", 1975).
    pub(crate) fn of(band: Band, tones: &[Complex32; TONES_MAX], middle_s: f64) -> Self {
        let mut data = [Complex64::default(); TONES_MAX];
        for (i, (out, tone)) in data.iter_mut().zip(&tones[..band.tones()]).enumerate() {
            let across = (i as f64 + 0.5) / band.tones() as f64;
            let share = HAMMING[0] - HAMMING[1] * (TAU * across).cos();
            if !is_pilot(i) {
                *out = Complex64::new(tone.re.into(), tone.im.into()) * share;
            }
        }
        let data = over_delay(band, &data[..band.tones()], 1, middle_s);
        let mut paths = data;
        for _ in 0..ROUNDS {
            let pilots = pilots_of(band, &paths, middle_s);
            let pilots = over_delay(band, &pilots[..band.pilots()], PILOT_SPACING, middle_s);
            paths = core::array::from_fn(|at| data[at] + pilots[at]);
        }
        let heights = paths.map(|path| path.norm() as f32);
        Self { heights, middle_s }
    }

    /// When the first path of at least `share` of the strongest begins, in seconds, looked for from `earliest_s` on.
    pub(crate) fn first_path_s(&self, share: f32, earliest_s: f64) -> Option<f64> {
        let heights = &self.heights;
        let (peak, highest) = heights
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(b.1))?;
        let at_least = share * highest;
        let summit = (peak.saturating_sub(BEFORE_PEAK_STEPS)..=peak).find(|&at| {
            heights[at] >= at_least
                && delay_s(self.middle_s, at) >= earliest_s
                && heights.get(at + 1).is_none_or(|next| *next <= heights[at])
        })?;
        let begun = BEGUN_SHARE * heights[summit];
        let below = (0..summit).rev().find(|at| heights[*at] < begun);
        let Some(below) = below else {
            return Some(earliest_s.max(delay_s(self.middle_s, summit)));
        };
        // Between the steps by a straight line.
        let share = (begun - heights[below]) / (heights[below + 1] - heights[below]);
        let begins_s = delay_s(self.middle_s, below) + f64::from(share) * STEP_S;
        Some(begins_s.max(earliest_s))
    }

    /// True if a window that starts `late_s` after where the first path, `first_path_s`, asks for it meets less of the
    /// symbols before and after its own than one that starts there.
    pub(crate) fn is_better_late(&self, timing: &Timing, first_path_s: f64, late_s: f64) -> bool {
        let seconds = |frames: usize| frames as f64 / f64::from(timing.sample_rate_hz);
        let (ahead_s, taper_s) = (seconds(timing.backoff), seconds(timing.taper / 2));
        // Echo that a window forgives. Source: the specification's guard.
        let forgiven_s = seconds(timing.prefix - timing.fade) - ahead_s - taper_s;
        let met = |late_s: f64| -> f64 {
            let paths = self.heights.iter().enumerate().map(|(at, height)| {
                let after_s = delay_s(self.middle_s, at) - first_path_s;
                let next = (late_s - ahead_s - after_s).max(0.0);
                let before = (after_s - forgiven_s - late_s).max(0.0);
                f64::from(height * height) * (next + before)
            });
            paths.sum()
        };
        met(late_s) < met(0.0)
    }
}

/// What tones add up to at each delay: every `spacing`th of the band's, from its first on.
fn over_delay(
    band: Band,
    tones: &[Complex64],
    spacing: usize,
    middle_s: f64,
) -> [Complex64; DELAYS] {
    let up_hz = TONE_SPACING_HZ * spacing as f64;
    core::array::from_fn(|at| {
        let delay_s = delay_s(middle_s, at);
        let turn = |hz: f64| Complex64::cis(TAU * (hz * delay_s).fract());
        let (mut phasor, up) = (turn(band.tone_hz(0)), turn(up_hz));
        let mut sum = Complex64::default();
        for tone in tones {
            sum += tone * phasor;
            phasor *= up;
        }
        sum
    })
}

/// What the paths that stand out come to at each pilot.
fn pilots_of(band: Band, paths: &[Complex64; DELAYS], middle_s: f64) -> [Complex64; PILOTS_MAX] {
    let highest = paths.iter().map(|path| path.norm()).fold(0.0, f64::max);
    core::array::from_fn(|p| {
        let hz = band.tone_hz(p * PILOT_SPACING);
        let standing = paths.iter().enumerate();
        let standing = standing.filter(|(_, path)| path.norm() >= STANDS_OUT * highest);
        let turned = standing
            .map(|(at, path)| path * Complex64::cis(-TAU * (hz * delay_s(middle_s, at)).fract()));
        turned.sum::<Complex64>() * (TONE_SPACING_HZ * STEP_S)
    })
}

fn delay_s(middle_s: f64, at: usize) -> f64 {
    middle_s + (at as f64 - AROUND as f64) * STEP_S
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_transport::{Plan, Role};

    const LOW_GUEST: Band = Band::new(Plan::Low, Role::Guest);

    /// The tones of paths with these delays in ms and gains; pilots at phases that no sender has told.
    fn tones(paths: &[(f64, f64)]) -> [Complex32; TONES_MAX] {
        let mut tones = [Complex32::default(); TONES_MAX];
        for (i, out) in tones.iter_mut().enumerate().take(LOW_GUEST.tones()) {
            let pilot = if is_pilot(i) { 0.618 * i as f64 } else { 0.0 };
            let sum: Complex64 = paths
                .iter()
                .map(|(delay_ms, gain)| {
                    let turns = pilot - LOW_GUEST.tone_hz(i) * delay_ms / 1000.0;
                    Complex64::from_polar(*gain, TAU * turns)
                })
                .sum();
            *out = Complex32::new(sum.re as f32, sum.im as f32);
        }
        tones
    }

    #[test]
    fn the_first_path_is_found_under_a_stronger_one() {
        let response = Response::of(LOW_GUEST, &tones(&[(1.5, 0.4), (11.2, 1.0)]), 1e-3);
        // It begins half a main lobe before its summit: 0.9 ms for 1.5 kHz under a Hamming window, half of it at half its height.
        let first_ms = 1e3 * response.first_path_s(0.3, f64::NEG_INFINITY).unwrap();
        assert!((0.7..1.5).contains(&first_ms), "{first_ms} ms");
        let first_ms = 1e3 * response.first_path_s(0.5, f64::NEG_INFINITY).unwrap();
        assert!((10.4..11.2).contains(&first_ms), "{first_ms} ms");
        let first_ms = 1e3 * response.first_path_s(0.3, 5e-3).unwrap();
        assert!((10.4..11.2).contains(&first_ms), "{first_ms} ms");
    }

    #[test]
    fn later_windows_are_better_only_beside_what_the_others_do_not_forgive() {
        let timing = Timing::at(48_000);
        let is_better = |paths: &[(f64, f64)]| {
            Response::of(LOW_GUEST, &tones(paths), 1e-3).is_better_late(&timing, 1e-3, 4e-3)
        };
        assert!(!is_better(&[(1.0, 1.0)]));
        assert!(!is_better(&[(1.0, 1.0), (6.0, 0.7)]));
        assert!(is_better(&[(1.0, 1.0), (13.0, 1.4)]));
    }
}
