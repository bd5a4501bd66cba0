//! A trial's first look at the sender's clock: a few pilot windows at each of a few possible skews.

use super::{
    clock::{self, HYPOTHESES, PilotProducts},
    demodulator::{Demodulator, ToneComb, Window},
    tables::{BandTables, PILOT_SPACING_HZ},
};
use crate::params::PILOTS_MAX;
use rustfft::num_complex::Complex32;

/// The fewest and the most symbols after the sync that the estimate rests on: as many as the first packet has, so that
/// it does not hold the packet up.
const SYMBOLS_MIN: usize = 3;
const SYMBOLS_MAX: usize = 4;

/// The estimate in the making.
#[derive(Clone, Copy)]
pub(crate) struct Estimate {
    /// The sync's window start.
    origin: f64,
    /// Symbols after the sync to use.
    symbols: usize,
    hypothesis: usize,
    symbol: usize,
    products: PilotProducts,
    previous: PilotProducts,
    /// The best skew so far, and its height.
    best: (f64, f64),
}

impl Estimate {
    /// Of a stream whose sync's window starts at `origin` and whose first packet has `packet_symbols`.
    pub(crate) fn new(origin: f64, packet_symbols: usize) -> Self {
        let zero = [Complex32::new(0.0, 0.0); PILOTS_MAX];
        Self {
            origin,
            symbols: packet_symbols.clamp(SYMBOLS_MIN, SYMBOLS_MAX),
            hypothesis: 0,
            symbol: 0,
            products: zero,
            previous: zero,
            best: (0.0, f64::MIN),
        }
    }

    /// Prepares the next window.
    pub(crate) fn start_window(&self, tables: &BandTables, demodulator: &mut Demodulator) {
        let skew = HYPOTHESES[self.hypothesis];
        let origin = self.origin + (self.symbol * tables.timing.symbol) as f64 * (1.0 + skew);
        let comb = ToneComb {
            first_hz: tables.band.tone_hz(0),
            spacing_hz: PILOT_SPACING_HZ,
            count: tables.band.pilots(),
        };
        demodulator.start(
            tables,
            comb,
            Window {
                origin,
                start: origin,
                skew,
            },
        );
    }

    /// The window is complete. The skew, if it was the last one; otherwise the next window is to be started.
    pub(crate) fn finish_window(
        &mut self,
        tables: &BandTables,
        demodulator: &Demodulator,
    ) -> Option<f64> {
        for p in 0..tables.band.pilots() {
            let tone = demodulator.tone(p);
            if self.symbol > 0 {
                self.products[p] += tone * self.previous[p].conj();
            }
            self.previous[p] = tone;
        }
        self.symbol += 1;
        if self.symbol <= self.symbols {
            return None;
        }
        let hypothesis = HYPOTHESES[self.hypothesis];
        let (skew, height) = clock::best_skew(
            tables.band,
            &self.products,
            hypothesis,
            tables.timing.symbol_s(),
        );
        if height > self.best.1 {
            self.best = (skew, height);
        }
        self.hypothesis += 1;
        self.symbol = 0;
        self.products = [Complex32::default(); PILOTS_MAX];
        (self.hypothesis == HYPOTHESES.len()).then_some(self.best.0)
    }
}
