//! A trial's first look at the sender's clock: a few pilot windows, each at a few possible skews and from a few possible
//! starts.
//!
//! All of one symbol before the next symbol: when the last one has arrived, little is left to do.

use super::{
    acquisition::PATHS_MAX,
    clock::{self, HYPOTHESES, PilotProducts},
    demodulator::{Demodulator, ToneComb, Window},
    tables::{BandTables, PILOT_SPACING_HZ},
};
use crate::{params::PILOTS_MAX, short_sort::sort_few};
use rustfft::num_complex::Complex32;
use std::sync::Arc;

/// The fewest and the most symbols after the sync that the estimate rests on: as many as the first packet has, so that
/// it does not hold the packet up.
const SYMBOLS_MIN: usize = 3;
const SYMBOLS_MAX: usize = 4;

/// Guesses that are handed on.
pub(crate) const GUESSES_MAX: usize = 5;
/// The first path is also tried with windows that start this much later: then they forgive echoes of 11 ms, at the price of
/// 3 ms of the symbol after. What a cluster as strong as the direct sound spoils otherwise is read so.
const LATE_MS: f64 = 4.0;
/// Guesses of one start are apart by more than this; the same skew is found from neighbouring hypotheses.
const SKEWS_APART: f64 = 300e-6;
/// A second skew of the first start is tried if its pilots stand this well, against the first.
const SECOND_SHARE: f64 = 0.3;

/// Where a stream may lie.
#[derive(Clone, Copy)]
pub(crate) struct Guess {
    /// The sync's window start.
    pub(crate) origin: f64,
    pub(crate) skew: f64,
    /// How much later its windows start, in frames.
    pub(crate) late: f64,
}

/// The guesses, in the order to try them in.
pub(crate) type Guesses = heapless::Vec<Guess, GUESSES_MAX>;

/// The pilots of one start at one skew.
#[derive(Clone, Copy)]
struct Pilots {
    products: PilotProducts,
    previous: PilotProducts,
}

/// The estimate in the making.
pub(crate) struct Estimate {
    tables: Arc<BandTables>,
    /// The sync's possible window starts.
    origins: heapless::Vec<f64, PATHS_MAX>,
    /// Symbols after the sync to use.
    symbols: usize,
    symbol: usize,
    origin: usize,
    hypothesis: usize,
    /// By start and skew.
    pilots: [[Pilots; HYPOTHESES.len()]; PATHS_MAX],
}

impl Estimate {
    pub(crate) fn new(tables: &Arc<BandTables>) -> Self {
        let zero = [Complex32::new(0.0, 0.0); PILOTS_MAX];
        let none = Pilots {
            products: zero,
            previous: zero,
        };
        Self {
            tables: Arc::clone(tables),
            origins: heapless::Vec::new(),
            symbols: 0,
            symbol: 0,
            origin: 0,
            hypothesis: 0,
            pilots: [[none; HYPOTHESES.len()]; PATHS_MAX],
        }
    }

    /// Of another band from now on.
    pub(crate) fn tune(&mut self, tables: &Arc<BandTables>) {
        self.tables = Arc::clone(tables);
    }

    /// Of a stream whose sync's window starts at one of `origins` and whose first packet has `packet_symbols`.
    pub(crate) fn begin(&mut self, origins: heapless::Vec<f64, PATHS_MAX>, packet_symbols: usize) {
        *self = Self::new(&self.tables);
        self.origins = origins;
        self.symbols = packet_symbols.clamp(SYMBOLS_MIN, SYMBOLS_MAX);
    }

    /// Prepares the next window.
    pub(crate) fn start_window(&self, demodulator: &mut Demodulator) {
        let skew = HYPOTHESES[self.hypothesis];
        let since_sync = (self.symbol * self.tables.timing.symbol) as f64 * (1.0 + skew);
        let origin = self.origins[self.origin] + since_sync;
        let comb = ToneComb {
            first_hz: self.tables.band.tone_hz(0),
            spacing_hz: PILOT_SPACING_HZ,
            count: self.tables.band.pilots(),
        };
        demodulator.start(
            comb,
            Window {
                origin,
                start: origin,
                skew,
            },
        );
    }

    /// The window is complete. The guesses, if it was the last one; otherwise the next window is to be started.
    pub(crate) fn finish_window(&mut self, demodulator: &Demodulator) -> Option<Guesses> {
        let Pilots { products, previous } = &mut self.pilots[self.origin][self.hypothesis];
        for p in 0..self.tables.band.pilots() {
            let tone = demodulator.tone(p);
            if self.symbol > 0 {
                products[p] += tone * previous[p].conj();
            }
            previous[p] = tone;
        }
        self.hypothesis += 1;
        if self.hypothesis < HYPOTHESES.len() {
            return None;
        }
        self.hypothesis = 0;
        self.origin += 1;
        if self.origin < self.origins.len() {
            return None;
        }
        self.origin = 0;
        self.symbol += 1;
        (self.symbol > self.symbols).then(|| self.guesses())
    }

    /// The first path's best skews, then those of the later paths: pilots tell the clock, but hardly where a window lies.
    fn guesses(&self) -> Guesses {
        let symbol_s = self.tables.timing.symbol_s();
        let mut guesses = Guesses::new();
        for (start, (&origin, pilots)) in self.origins.iter().zip(&self.pilots).enumerate() {
            let mut skews: [(f64, f64); HYPOTHESES.len()] = core::array::from_fn(|i| {
                clock::best_skew(
                    self.tables.band,
                    &pilots[i].products,
                    HYPOTHESES[i],
                    symbol_s,
                )
            });
            sort_few(&mut skews, |a, b| b.1.total_cmp(&a.1).is_lt());
            let (best, height) = skews[0];
            let guess = |skew: f64, late: f64| Guess { origin, skew, late };
            let _ = guesses.push(guess(best, 0.0));
            if start == 0 {
                let late = LATE_MS * f64::from(self.tables.timing.sample_rate_hz) / 1000.0;
                let _ = guesses.push(guess(best, late));
            }
            let another = skews.iter().find(|(skew, other)| {
                (skew - best).abs() > SKEWS_APART && *other > SECOND_SHARE * height
            });
            if let Some(&(skew, _)) = another.filter(|_| start == 0) {
                let _ = guesses.push(guess(skew, 0.0));
            }
        }
        guesses
    }
}
