//! What each tone has come through: an average over the symbols whose phases are known, and the soft bits that a
//! packet yields against it.
//!
//! A differential product sets one noisy symbol against another. Once a packet has decoded, its phases are known, and
//! so are the tones' phases at its end: the next packet can be set against an average of many symbols instead. That is
//! worth some 2 dB. The plain rule remains for first packets, and as a second try.

use super::{
    response::Response,
    soft::{Erased, Products},
};
use crate::{
    modulation::quarter_turns,
    params::{
        DATA_TONES_MAX, PACKET_SYMBOLS_MAX, PILOT_SPACING, PILOTS_MAX, SUPERFRAME_SYMBOLS,
        TONE_SPACING_HZ, TONES_MAX, data_tone,
    },
    receiver::{clock::fit_slope, tables::BandTables},
};
use link_transport::Mode;
use rustfft::num_complex::{Complex32, Complex64};
use std::sync::Arc;

/// Symbols kept: a packet, the one before it, and room to count simply.
const KEPT: usize = 2 * PACKET_SYMBOLS_MAX;
/// The average's length in symbols. Longer ones lag behind a clock estimate that still settles.
const AVERAGED: f32 = 12.0;
/// Symbols averaged before the estimate beats a plain product.
const ENOUGH: u32 = 4;
/// Symbols without an update after which the estimate starts over.
const STALE_SYMBOLS: u32 = SUPERFRAME_SYMBOLS as u32;
/// A state that cannot be.
const NEVER: f32 = -1e30;

pub(crate) struct ChannelEstimate {
    tables: Arc<BandTables>,
    /// Each tone as it would arrive with phase zero; pilots with their own phase.
    tones: Products,
    averaged: u32,
    since_update: u32,
    /// Each data tone's quarter turns over its sync phase after the newest decoded packet, if the packet before the one
    /// at hand decoded.
    quarters: [u8; DATA_TONES_MAX],
    known: bool,
    /// Symbols by number in the superframe, their delay against `tones` taken out.
    kept: Box<[Products; KEPT]>,
}

impl ChannelEstimate {
    pub(crate) fn new(tables: &Arc<BandTables>) -> Self {
        let zero = [Complex32::new(0.0, 0.0); TONES_MAX];
        Self {
            tables: Arc::clone(tables),
            tones: zero,
            averaged: 0,
            since_update: 0,
            quarters: [0; DATA_TONES_MAX],
            known: false,
            kept: Box::new([zero; KEPT]),
        }
    }

    /// Of another band from now on.
    pub(crate) fn tune(&mut self, tables: &Arc<BandTables>) {
        self.tables = Arc::clone(tables);
    }

    pub(crate) fn forget(&mut self) {
        self.averaged = 0;
        self.known = false;
    }

    /// The response that the tones show, around a delay of `middle_s` after the place their phases count from. `None` if
    /// nothing is known.
    pub(crate) fn response(&self, middle_s: f64) -> Option<Response> {
        (self.averaged > 0).then(|| Response::of(self.tables.band, &self.tones, middle_s))
    }

    /// True if the phases before the packet at hand are known.
    pub(crate) fn knows_phases(&self) -> bool {
        self.known
    }

    /// True if packets are better set against this than against one another's symbols.
    pub(crate) fn is_worth_it(&self) -> bool {
        self.averaged >= ENOUGH
    }

    /// Keeps symbol `symbol` of the superframe.
    pub(crate) fn keep(&mut self, symbol: usize, tones: &Products) {
        let band = self.tables.band;
        self.since_update += 1;
        if self.since_update > STALE_SYMBOLS {
            self.forget();
        }
        let kept = &mut self.kept[symbol % KEPT];
        *kept = *tones;
        if self.averaged == 0 {
            return;
        }
        let mut pilots = [Complex32::default(); PILOTS_MAX];
        for (p, pilot) in pilots.iter_mut().enumerate().take(band.pilots()) {
            *pilot = tones[p * PILOT_SPACING] * self.tones[p * PILOT_SPACING].conj();
        }
        let (slope, _) = fit_slope(band, &pilots);
        let turn = |hz: f64| Complex64::cis(-slope * hz);
        let (mut phasor, up) = (turn(band.tone_hz(0)), turn(TONE_SPACING_HZ));
        for tone in &mut kept[..band.tones()] {
            *tone *= Complex32::new(phasor.re as f32, phasor.im as f32);
            phasor *= up;
        }
    }

    /// The superframe's sync has told its mode: every phase of symbol 0 is known.
    pub(crate) fn start_superframe(&mut self, mode: Mode) {
        self.quarters = [0; DATA_TONES_MAX];
        self.known = true;
        self.learn(mode, 0);
    }

    /// The superframe's sync was not read, or a packet failed: where the phases are is not known.
    pub(crate) fn lose_phases(&mut self) {
        self.known = false;
    }

    /// Averages in the `symbols` of a packet that has not decoded, from number `first` on, each tone at the phase that it
    /// seems to have. Good while most are right: for a stream of which nothing is known but its sync.
    pub(crate) fn learn_unread(&mut self, mode: Mode, first: usize, symbols: usize) {
        if self.averaged == 0 {
            return;
        }
        let quarters = self.quarters;
        for symbol in first..first + symbols {
            for (t, phasor) in self.tables.sync_phasors(mode).iter().enumerate() {
                let at = data_tone(t);
                let seen = self.kept[symbol % KEPT][at] * (self.tones[at] * phasor).conj();
                self.quarters[t] = nearest_quarter(mode, seen);
            }
            self.learn(mode, symbol);
        }
        self.quarters = quarters;
    }

    /// Averages in symbol `symbol`, at the phases `quarters`.
    fn learn(&mut self, mode: Mode, symbol: usize) {
        let band = self.tables.band;
        let share = 1.0 / (self.averaged as f32 + 1.0).min(AVERAGED);
        let kept = &self.kept[symbol % KEPT];
        for p in 0..band.pilots() {
            let at = p * PILOT_SPACING;
            let off = kept[at] - self.tones[at];
            self.tones[at] += off * share;
        }
        for (t, phasor) in self.tables.sync_phasors(mode).iter().enumerate() {
            let at = data_tone(t);
            let seen = kept[at] * (phasor * quarter_phasor(self.quarters[t])).conj();
            let off = seen - self.tones[at];
            self.tones[at] += off * share;
        }
        self.averaged += 1;
        self.since_update = 0;
    }

    /// A packet whose first symbol is number `first` has decoded to `slots`: its phases are known.
    pub(crate) fn learn_packet(
        &mut self,
        mode: Mode,
        first: usize,
        symbols: usize,
        erased: Erased,
        slots: &[u8],
    ) {
        let tones = self.tables.band.data_tones();
        let per_symbol = slots.len() / symbols;
        if self.averaged == 0 {
            return;
        }
        if !self.known {
            self.find_phases(mode, first, symbols, slots);
        }
        for symbol in 0..symbols {
            let slots = &slots[symbol * per_symbol..];
            for (t, quarters) in self.quarters[..tones].iter_mut().enumerate() {
                *quarters = (*quarters + quarter_turns(mode, slots, t)) & 3;
            }
            if !erased.symbol(symbol + 1) {
                self.learn(mode, first + symbol);
            }
        }
        self.known = true;
    }

    /// The phases before a packet that has decoded to `slots`: those that fit it best.
    fn find_phases(&mut self, mode: Mode, first: usize, symbols: usize, slots: &[u8]) {
        let per_symbol = slots.len() / symbols;
        for (t, phasor) in self.tables.sync_phasors(mode).iter().enumerate() {
            let reference = self.tones[data_tone(t)] * phasor;
            let (mut sum, mut quarters) = (Complex32::default(), 0);
            for symbol in 0..symbols {
                quarters = (quarters + quarter_turns(mode, &slots[symbol * per_symbol..], t)) & 3;
                let turned = self.kept[(first + symbol) % KEPT][data_tone(t)]
                    * quarter_phasor(quarters).conj();
                sum += turned * reference.conj();
            }
            let fits = |q: &u8| (sum * quarter_phasor(*q).conj()).re;
            self.quarters[t] = (0..4)
                .max_by(|a, b| fits(a).total_cmp(&fits(b)))
                .unwrap_or(0);
        }
    }

    /// Soft bits of the packet whose first symbol is number `first`, in slot order, each tone times its weight. Every
    /// tone is a little trellis of its phases; each bit is the best path with it 0 against the best with it 1.
    pub(crate) fn soften(
        &self,
        mode: Mode,
        first: usize,
        symbols: usize,
        weights: &[f32],
        soft: &mut [f32],
    ) {
        let (tones, phasors) = (
            self.tables.band.data_tones(),
            self.tables.sync_phasors(mode),
        );
        let bits = if mode == Mode::Fast { 2 } else { 1 };
        let step = if mode == Mode::Fast { 1 } else { 2 };
        for t in 0..tones {
            let reference = self.tones[data_tone(t)] * phasors[t];
            // How well symbol `first + s − 1` fits each phase.
            let fit = |s: usize| -> [f32; 4] {
                let seen = self.kept[(first + s - 1) % KEPT][data_tone(t)] * reference.conj();
                [seen.re, seen.im, -seen.re, -seen.im]
            };
            let mut before = if self.known {
                let mut known = [NEVER; 4];
                known[usize::from(self.quarters[t])] = 0.0;
                known
            } else {
                let [right, up, left, down] = fit(0);
                if mode == Mode::Fast {
                    [right, up, left, down]
                } else {
                    [right, NEVER, left, NEVER]
                }
            };
            let mut after = [[0.0_f32; 4]; PACKET_SYMBOLS_MAX + 1];
            for s in (1..symbols).rev() {
                let fits = fit(s + 1);
                let best = (0..4)
                    .step_by(step)
                    .map(|q| fits[q] + after[s + 1][q])
                    .fold(NEVER, f32::max);
                after[s] = [best; 4];
            }
            for s in 1..=symbols {
                let fits = fit(s);
                let mut best = [NEVER; 4];
                let mut reached = [NEVER; 4];
                for (from, start) in before.iter().enumerate() {
                    for turn in (0..4).step_by(step) {
                        let to = (from + turn) & 3;
                        let path = start + fits[to];
                        best[turn] = best[turn].max(path + after[s][to]);
                        reached[to] = reached[to].max(path);
                    }
                }
                before = reached;
                let out = &mut soft[((s - 1) * tones + t) * bits..][..bits];
                match mode {
                    Mode::Robust => out[0] = weights[t] * (best[0] - best[2]),
                    Mode::Fast => {
                        out[0] = weights[t] * (best[0].max(best[1]) - best[2].max(best[3]));
                        out[1] = weights[t] * (best[0].max(best[3]) - best[1].max(best[2]));
                    }
                }
            }
        }
    }
}

/// The phase of `mode` that `seen` is nearest to.
fn nearest_quarter(mode: Mode, seen: Complex32) -> u8 {
    match mode {
        Mode::Fast if seen.im.abs() > seen.re.abs() => {
            if seen.im > 0.0 {
                1
            } else {
                3
            }
        }
        _ => 2 * u8::from(seen.re < 0.0),
    }
}

fn quarter_phasor(quarters: u8) -> Complex32 {
    match quarters & 3 {
        0 => Complex32::new(1.0, 0.0),
        1 => Complex32::new(0.0, 1.0),
        2 => Complex32::new(-1.0, 0.0),
        _ => Complex32::new(0.0, -1.0),
    }
}
