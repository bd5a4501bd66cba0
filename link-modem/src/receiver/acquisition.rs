//! Finds sync symbols: correlates the band with both sync patterns, always, and names the moments worth a trial.
//!
//! `ρ` is the envelope of the normalised correlation, by FFT overlap-save over the decimated signal: four small FFTs
//! in 45 ms. Its history spans more than a superframe, so following a lock is a look-up, not another correlation.

use super::{
    frontend::{Frontend, HISTORY},
    steady_tones::ToneWatch,
    tables::{BandTables, FFT_MAX, Tables},
};
use crate::{heavy, params::Band};
use link_transport::Mode;
use rustfft::num_complex::Complex32;
use std::sync::Arc;

/// The least `ρ` of a candidate while a peer is heard. Noise stays under 0.25 on the high plan; the low plan's random
/// data reaches this about once a superframe, which the first packet's trial rejects.
const RHO_MIN: f32 = 0.4;
/// And while none is: beside echoes stronger than the direct sound a true sync may read no more. What passes besides
/// costs trials, and there is nothing better to do.
const RHO_MIN_SEARCHING: f32 = 0.34;
/// Only of a sync of this many tones: half as many reach it by chance several times a second.
const SEARCHING_TONES_MIN: usize = 100;
/// By how much a candidate's pattern beats the other.
const PATTERN_MARGIN: f32 = 0.15;
const PATTERN_MARGIN_SEARCHING: f32 = 0.1;
/// A candidate is the highest within this on either side.
pub(crate) const ALONE_MS: f64 = 50.0;
/// The first path is at most this long before the strongest.
pub(crate) const FIRST_PATH_MS: f64 = 15.0;
/// The first path's share of the strongest.
pub(crate) const FIRST_PATH_SHARE: f32 = 0.5;
/// The least share of a path that is tried besides the first.
const OTHER_PATH_SHARE: f32 = 0.4;
/// Paths closer than this are one.
const SAME_PATH_MS: f64 = 1.5;
/// Paths that a candidate's timing is tried at.
pub(crate) const PATHS_MAX: usize = 4;
/// A bin of this many times the median of the band is a steady tone, not the peer.
const EXCISION_OVER_MEDIAN: f32 = 30.0;
/// A line of this many times the median may be cancelled. A pilot's line stands about 6 times over it; a fading room
/// lifts one to 30 and more, and cancelling a pilot costs its phase.
const LINE_OVER_MEDIAN: f32 = 60.0;
/// Mean square below which there is nothing to correlate (−140 dB of full scale).
const SILENCE: f64 = 1e-14;

/// Decimated samples between a block's end and the start of a canceller it gave rise to.
const CANCEL_AFTER: u64 = 128;

/// A sync symbol, perhaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sighting {
    /// The input frame at which the first path's useful part starts.
    pub(crate) useful: f64,
    /// The mode its pattern announces.
    pub(crate) mode: Mode,
    pub(crate) rho: f32,
}

/// A sighting worth a trial.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) sighting: Sighting,
    /// Where its sync may lie, in input frames: the first path's useful part by the rule, and then others.
    pub(crate) paths: heapless::Vec<f64, PATHS_MAX>,
}

pub(crate) struct Acquisition {
    tables: Arc<BandTables>,
    /// `ρ` of pattern A and B at each decimated sample.
    rho: [Vec<f32>; 2],
    /// The oldest and the next sample with a `ρ`.
    first: u64,
    filled: u64,
    /// The next sample to look at for candidates.
    search: u64,
    block: Vec<Complex32>,
    product: Vec<Complex32>,
    scratch: Vec<Complex32>,
    powers: Vec<f32>,
    energies: Vec<f64>,
    tone_watch: ToneWatch,
}

impl Acquisition {
    /// For `band` first, with room for every band of `tables`.
    pub(crate) fn new(tables: &Tables, band: Band) -> Self {
        let scratch_len = tables.fft_scratch_len();
        Self {
            tables: Arc::clone(tables.of(band)),
            rho: [vec![0.0; HISTORY], vec![0.0; HISTORY]],
            first: 0,
            filled: 0,
            search: 0,
            block: vec![Complex32::default(); FFT_MAX],
            product: vec![Complex32::default(); FFT_MAX],
            scratch: vec![Complex32::default(); scratch_len],
            powers: vec![0.0; FFT_MAX],
            energies: vec![0.0; FFT_MAX + 1],
            tone_watch: ToneWatch::default(),
        }
    }

    /// Of another band; [`Self::reset`] has to follow.
    pub(crate) fn tune(&mut self, tables: &Arc<BandTables>) {
        self.tables = Arc::clone(tables);
    }

    /// Starts over at the front end's present.
    pub(crate) fn reset(&mut self, front: &Frontend) {
        self.first = front.ready();
        self.filled = self.first;
        self.search = self.first;
        self.tone_watch.clear();
    }

    /// The front end has jumped. If it dropped what was yet to be correlated, no sync spans the landing.
    pub(crate) fn jump(&mut self, front: &Frontend) {
        let landed = front.first();
        if self.filled >= landed {
            return;
        }
        let blank = (landed - self.filled).min(HISTORY as u64);
        for m in landed - blank..landed {
            self.rho[0][m as usize % HISTORY] = 0.0;
            self.rho[1][m as usize % HISTORY] = 0.0;
        }
        self.filled = landed;
        self.tone_watch.clear();
        self.first = self.first.max(landed.saturating_sub(HISTORY as u64));
    }

    /// True if [`Acquisition::run_block`] has something to do.
    pub(crate) fn block_is_ready(&self, front: &Frontend) -> bool {
        front.ready() >= self.filled + self.tables.fft_len as u64
    }

    /// True once `ρ` is known up to and including sample `m`.
    pub(crate) fn covers(&self, m: u64) -> bool {
        m < self.filled
    }

    /// Correlates one block: one heavy job.
    pub(crate) fn run_block(&mut self, front: &mut Frontend) {
        heavy::note();
        let tables = &*self.tables;
        let fft_len = tables.fft_len;
        let start = self.filled;
        let hop = fft_len - tables.template_len + 1;
        let block = &mut self.block[..fft_len];
        let mut power = 0.0;
        for (i, value) in block.iter_mut().enumerate() {
            *value = front.sample(start + i as u64);
            power += f64::from(value.norm_sqr());
        }
        let silent = power < SILENCE * fft_len as f64 || !power.is_finite();
        if silent {
            for i in 0..hop {
                let at = (start + i as u64) as usize % HISTORY;
                (self.rho[0][at], self.rho[1][at]) = (0.0, 0.0);
            }
        } else {
            tables
                .forward
                .process_with_scratch(block, &mut self.scratch);
            self.excise(front);
            self.sum_energies();
            for pattern in 0..2 {
                self.correlate(pattern, start, hop);
            }
        }
        self.filled += hop as u64;
        self.first = self.first.max(self.filled.saturating_sub(HISTORY as u64));
    }

    /// Zeroes the block's bins outside the band, and those of a steady tone inside it, which is then watched.
    fn excise(&mut self, front: &mut Frontend) {
        let tables = &*self.tables;
        let fft_len = tables.fft_len;
        let mut count = 0;
        for (value, in_band) in self.block[..fft_len].iter_mut().zip(&tables.in_band) {
            if *in_band {
                self.powers[count] = value.norm_sqr();
                count += 1;
            } else {
                *value = Complex32::default();
            }
        }
        let (_, median, _) = self.powers[..count].select_nth_unstable_by(count / 2, f32::total_cmp);
        let median = *median;
        let limit = EXCISION_OVER_MEDIAN * median;
        let rest = f64::from(median) * count as f64 / (fft_len * fft_len) as f64;
        self.watch_tones(front, LINE_OVER_MEDIAN * median, rest);
        for value in &mut self.block[..fft_len] {
            if value.norm_sqr() > limit {
                *value = Complex32::default();
            }
        }
    }

    /// Reports the block's lines over `limit` to the watch; one that stays is cancelled from now on.
    fn watch_tones(&mut self, front: &mut Frontend, limit: f32, rest: f64) {
        let fft_len = self.tables.fft_len;
        let (start, hop) = (self.filled, fft_len - self.tables.template_len + 1);
        let block = &self.block[..fft_len];
        for bin in 0..fft_len {
            let near = [(bin + fft_len - 1) % fft_len, bin, (bin + 1) % fft_len]
                .map(|bin| block[bin].norm_sqr());
            if near[1] > limit && near[1] >= near[0] && near[1] > near[2] {
                let samples = (start..start + fft_len as u64).map(|m| front.sample(m));
                self.tone_watch
                    .line(bin, near.map(f32::sqrt), start, samples, fft_len, hop);
            }
        }
        // A fixed while after the block, so that it does not matter when within it the block was worked on.
        let from = start + fft_len as u64 + self.tables.click_spans.lag() + CANCEL_AFTER;
        if let Some(canceller) = self.tone_watch.settle(from.max(front.newest()), rest) {
            front.cancel(canceller);
        }
    }

    /// Running sums of the band-passed block's energy.
    fn sum_energies(&mut self) {
        let fft_len = self.tables.fft_len;
        let product = &mut self.product[..fft_len];
        product.copy_from_slice(&self.block[..fft_len]);
        self.tables
            .inverse
            .process_with_scratch(product, &mut self.scratch);
        let scale = 1.0 / (fft_len * fft_len) as f64;
        let mut sum = 0.0;
        self.energies[0] = 0.0;
        for (value, total) in product.iter().zip(&mut self.energies[1..]) {
            sum += f64::from(value.norm_sqr()) * scale;
            *total = sum;
        }
    }

    fn correlate(&mut self, pattern: usize, start: u64, hop: usize) {
        let tables = &*self.tables;
        let (fft_len, template_len) = (tables.fft_len, tables.template_len);
        let product = &mut self.product[..fft_len];
        for ((out, value), template) in product
            .iter_mut()
            .zip(&self.block)
            .zip(&tables.templates[pattern])
        {
            *out = value * template;
        }
        tables
            .inverse
            .process_with_scratch(product, &mut self.scratch);
        let floor = SILENCE * template_len as f64;
        for (i, value) in product[..hop].iter().enumerate() {
            let energy = self.energies[i + template_len] - self.energies[i];
            let rho = if energy > floor {
                value.norm() / (energy as f32).sqrt()
            } else {
                0.0
            };
            self.rho[pattern][(start + i as u64) as usize % HISTORY] = rho;
        }
    }

    fn rho_at(&self, pattern: usize, m: u64) -> f32 {
        if (self.first..self.filled).contains(&m) {
            self.rho[pattern][m as usize % HISTORY]
        } else {
            0.0
        }
    }

    /// The next candidate whose neighbourhood is known, in order of time; the search goes on `ALONE_MS` after it. `searching`
    /// if no peer is heard.
    pub(crate) fn next_candidate(&mut self, searching: bool) -> Option<Candidate> {
        let (rho_min, margin) = if searching && self.tables.band.tones() >= SEARCHING_TONES_MIN {
            (RHO_MIN_SEARCHING, PATTERN_MARGIN_SEARCHING)
        } else {
            (RHO_MIN, PATTERN_MARGIN)
        };
        let alone = self.tables.decimated(ALONE_MS);
        self.search = self.search.max(self.first);
        while self.search + alone < self.filled {
            let m = self.search;
            self.search += 1;
            let [a, b] = [self.rho_at(0, m), self.rho_at(1, m)];
            let (pattern, rho, other) = if a >= b { (0, a, b) } else { (1, b, a) };
            if rho < rho_min || rho - other < margin {
                continue;
            }
            let around = m.saturating_sub(alone)..=m + alone;
            let highest = around
                .into_iter()
                .all(|n| self.rho_at(0, n) <= rho && self.rho_at(1, n) <= rho);
            if highest {
                self.search = m + alone;
                let earliest = m.saturating_sub(self.tables.decimated(FIRST_PATH_MS));
                let first = self.sighting(pattern, m, earliest);
                return Some(self.candidate(pattern, first, m));
            }
        }
        None
    }

    /// A sighting's first path, and the later summits up to `peak` that may be it: on the low plan, what is left of the
    /// symbol before can pass for a path.
    fn candidate(&self, pattern: usize, first: Sighting, peak: u64) -> Candidate {
        let mut paths = heapless::Vec::from_array([first.useful]);
        let frames = self.tables.decimation as f64;
        let apart = SAME_PATH_MS * f64::from(self.tables.timing.sample_rate_hz) / 1000.0;
        let least = OTHER_PATH_SHARE * first.rho;
        let within = (first.useful / frames) as u64..=peak;
        for _ in 1..PATHS_MAX {
            let is_new = |m: &u64| {
                let at = *m as f64 * frames;
                paths.iter().all(|path: &f64| (path - at).abs() > apart)
            };
            let summit = |m: &u64| {
                let rho = self.rho_at(pattern, *m);
                rho >= least
                    && rho >= self.rho_at(pattern, m.saturating_sub(1))
                    && rho >= self.rho_at(pattern, m + 1)
            };
            let strongest = within
                .clone()
                .filter(|m| summit(m) && is_new(m))
                .max_by(|a, b| {
                    self.rho_at(pattern, *a)
                        .total_cmp(&self.rho_at(pattern, *b))
                });
            let Some(summit) = strongest else { break };
            let rise = summit.saturating_sub(2);
            let path = self.sighting(pattern, summit, rise).useful;
            let _ = paths.push(path);
        }
        Candidate {
            sighting: first,
            paths,
        }
    }

    /// The strongest correlation within `reach` samples of `expected`, if any pattern reaches `rho_min`.
    pub(crate) fn strongest_near(
        &self,
        expected: u64,
        reach: u64,
        rho_min: f32,
    ) -> Option<Sighting> {
        let earliest = expected.saturating_sub(reach);
        let all = (earliest..=expected + reach).flat_map(|m| [(m, 0), (m, 1)]);
        let (peak, pattern) =
            all.max_by(|x, y| self.rho_at(x.1, x.0).total_cmp(&self.rho_at(y.1, y.0)))?;
        (self.rho_at(pattern, peak) >= rho_min).then(|| self.sighting(pattern, peak, earliest))
    }

    /// Applies the first-path rule to a peak: the earliest sample with half its height, between samples by a straight
    /// line. The rule sees a path some 0.2 ms early (half a correlation peak's width); the backoff is none the worse.
    fn sighting(&self, pattern: usize, peak: u64, earliest: u64) -> Sighting {
        let rho = self.rho_at(pattern, peak);
        let threshold = FIRST_PATH_SHARE * rho;
        let first = (earliest..=peak)
            .find(|m| self.rho_at(pattern, *m) >= threshold)
            .unwrap_or(peak);
        let (before, at) = (
            self.rho_at(pattern, first.saturating_sub(1)),
            self.rho_at(pattern, first),
        );
        let past = if at > before && before < threshold {
            (at - threshold) / (at - before)
        } else {
            0.0
        };
        Sighting {
            useful: (first as f64 - f64::from(past)) * self.tables.decimation as f64,
            rho,
            mode: if pattern == 0 {
                Mode::Robust
            } else {
                Mode::Fast
            },
        }
    }
}
