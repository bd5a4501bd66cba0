//! Follows one sender from a sync symbol on: windows, clock, superframes, packets.
//!
//! A tracker reads the front end's history at its own pace, so the same code tries a candidate that is half a second
//! old and follows a lock live. Everything it decides depends on the signal alone, never on how the input was cut
//! into blocks.

mod reading;

use super::{
    acquisition::{Acquisition, Candidate},
    channel_estimate::ChannelEstimate,
    clock,
    demodulator::{Demodulator, ToneComb, Window},
    estimate::{Estimate, Guess, Guesses},
    frontend::Frontend,
    narrowband::SteadyTones,
    soft::Products,
    tables::BandTables,
};
use crate::{
    config::RxPacket,
    gaps::GapLog,
    params::{
        DATA_SYMBOLS, DATA_TONES_MAX, PACKET_SYMBOLS_MAX, PILOT_SPACING, PILOTS_MAX,
        SUPERFRAME_SYMBOLS, TONE_SPACING_HZ, TONES_MAX, data_tone, packet_shape,
    },
};
use link_fec::{CODED_BITS_MAX, PacketDecoder};
use link_transport::Mode;
use rustfft::num_complex::{Complex32, Complex64};
use std::sync::Arc;

/// How far from its expected place a superframe's sync is looked for.
const SYNC_REACH_MS: f64 = 5.0;
/// The least correlation at which an expected sync is read.
const SYNC_RHO_MIN: f32 = 0.3;
/// The most one sync moves the window.
const SYNC_STEP_MAX_MS: f64 = 0.5;
/// Packets in a row that may fail after an unread sync.
const FAILURES_MAX: u32 = 4;
/// Data symbols without a good packet, whatever the syncs look like: 8 s. One's own sync leaks, 100 dB down, as a sync
/// on the peer's grid into a band that is otherwise silent.
const BARREN_SYMBOLS_MAX: usize = 4 * DATA_SYMBOLS;

/// What a tracker reads from.
pub(crate) struct Air<'a> {
    pub(crate) front: &'a Frontend,
    pub(crate) acquisition: &'a Acquisition,
    pub(crate) gaps: &'a GapLog,
}

/// What a receiver's trackers share for decoding.
pub(crate) struct Decoding {
    pub(crate) decoder: PacketDecoder,
    pub(crate) soft: [f32; CODED_BITS_MAX],
    /// The CRC starts to try: the session's, if there is one, then the default.
    pub(crate) crc_starts: heapless::Vec<u16, 2>,
}

/// What may still be done in this piece of input.
pub(crate) struct Effort {
    /// Decimated samples to demodulate, times the eights of tones they are summed for.
    pub(crate) samples: usize,
    /// Heavy jobs: an FFT block or a Viterbi run each.
    pub(crate) heavy: usize,
}

/// What has happened.
#[derive(Debug)]
pub(crate) enum TrackEvent {
    /// A packet decoded.
    Packet(RxPacket),
    /// A packet did not decode; it overlapped missing input if `erased`.
    Failed { erased: bool },
    /// A superframe's sync told its mode.
    SyncRead,
    /// No pattern was found where a sync should have been.
    SyncUnread,
}

#[derive(Clone, Copy)]
enum Stage {
    Estimating,
    /// Summing up the window of the current symbol.
    Summing,
    /// Waiting for the correlation of the superframe's sync.
    ReadingSync,
    /// Packets that end with the symbol just finished are to be decoded.
    Decoding {
        robust: bool,
        fast: bool,
    },
}

pub(crate) struct Tracker {
    tables: Arc<BandTables>,
    stage: Stage,
    estimate: Estimate,
    demodulator: Demodulator,
    /// The current symbol: 0 is the sync.
    symbol: usize,
    /// The frame at which the current symbol's tones count as phase zero, at the received clock.
    origin: f64,
    /// The window's start against `origin`: what syncs have corrected. Phases never see it.
    shift: f64,
    /// How much later than there it starts, beside echoes that it would not forgive otherwise. Timing never sees it.
    late: f64,
    skew: f64,
    /// The window start of the superframe's sync, and so of its useful part.
    sync_start: f64,
    first_superframe: bool,
    /// The superframe's mode; `None` while its sync was not read.
    mode: Option<Mode>,
    failures: u32,
    /// Data symbols of failed packets since the last good one.
    barren: usize,
    previous: Products,
    products: Box<[Products; PACKET_SYMBOLS_MAX]>,
    starts: [f64; PACKET_SYMBOLS_MAX],
    phase_errors: [f32; PACKET_SYMBOLS_MAX],
    steady: SteadyTones,
    channel: ChannelEstimate,
    /// The packet at hand has failed by one rule; the other is its second try.
    second_try: Option<reading::Rule>,
    /// A packet has decoded.
    proven: bool,
    /// Where else the stream may lie, best last.
    guesses: Guesses,
    /// The mode its first sync announced.
    announced: Mode,
}

impl Tracker {
    pub(crate) fn new(tables: &Arc<BandTables>) -> Self {
        let zero = Complex32::new(0.0, 0.0);
        Self {
            tables: Arc::clone(tables),
            stage: Stage::Estimating,
            estimate: Estimate::new(tables),
            demodulator: Demodulator::new(tables),
            symbol: 0,
            origin: 0.0,
            shift: 0.0,
            late: 0.0,
            skew: 0.0,
            sync_start: 0.0,
            first_superframe: true,
            mode: None,
            failures: 0,
            barren: 0,
            previous: [zero; TONES_MAX],
            products: Box::new([[zero; TONES_MAX]; PACKET_SYMBOLS_MAX]),
            starts: [0.0; PACKET_SYMBOLS_MAX],
            phase_errors: [0.0; PACKET_SYMBOLS_MAX],
            steady: SteadyTones::new(),
            channel: ChannelEstimate::new(tables),
            second_try: None,
            proven: false,
            guesses: Guesses::new(),
            announced: Mode::Robust,
        }
    }

    /// Follows streams of another band from the next [`Self::begin`] on.
    pub(crate) fn tune(&mut self, tables: &Arc<BandTables>) {
        self.tables = Arc::clone(tables);
        self.estimate.tune(tables);
        self.demodulator.tune(tables);
        self.channel.tune(tables);
    }

    /// Starts on a candidate.
    pub(crate) fn begin(&mut self, candidate: &Candidate) {
        self.announced = candidate.sighting.mode;
        self.guesses.clear();
        self.proven = false;
        let backoff = self.tables.timing.backoff as f64;
        let origins = candidate.paths.iter().map(|path| path - backoff).collect();
        let packet_symbols = packet_shape(self.tables.band.plan, self.announced).symbols;
        self.estimate.begin(origins, packet_symbols);
        self.estimate.start_window(&mut self.demodulator);
        self.stage = Stage::Estimating;
    }

    /// Nothing has decoded where the stream was thought to lie: starts over from the next likely place. False if there is
    /// none.
    pub(crate) fn try_another(&mut self) -> bool {
        let guess = self.guesses.pop();
        if let Some(guess) = &guess {
            self.follow(guess);
        }
        guess.is_some()
    }

    /// Starts over from the sync, where `guess` has it.
    fn follow(&mut self, guess: &Guess) {
        self.symbol = 0;
        self.origin = guess.origin;
        self.shift = 0.0;
        self.late = guess.late;
        self.skew = guess.skew;
        self.sync_start = self.origin;
        self.first_superframe = true;
        self.mode = Some(self.announced);
        self.failures = 0;
        self.barren = 0;
        self.steady = SteadyTones::new();
        self.channel.forget();
        self.second_try = None;
        self.start_window();
    }

    /// The mode of the superframe at hand, if its sync was read.
    pub(crate) fn mode(&self) -> Option<Mode> {
        self.mode
    }

    /// How much slower the sender's clock runs, as a fraction.
    pub(crate) fn skew(&self) -> f64 {
        self.skew
    }

    /// The frame at which the superframe's sync's useful part starts.
    pub(crate) fn sync_useful(&self) -> f64 {
        self.sync_start + self.tables.timing.backoff as f64
    }

    /// A received superframe's length in frames.
    pub(crate) fn superframe_frames(&self) -> f64 {
        (SUPERFRAME_SYMBOLS * self.tables.timing.symbol) as f64 * (1.0 + self.skew)
    }

    /// Its newest packet has decoded.
    pub(crate) fn is_hearing(&self) -> bool {
        self.barren == 0
    }

    /// Too many packets in a row have failed since a sync could not be read, or too many altogether.
    pub(crate) fn is_lost(&self) -> bool {
        self.mode.is_none() && self.failures >= FAILURES_MAX || self.barren > BARREN_SYMBOLS_MAX
    }

    /// Works until something happens, the input ends, or the effort is spent. Call it until it says `None`.
    pub(crate) fn advance(
        &mut self,
        air: &Air,
        decoding: &mut Decoding,
        effort: &mut Effort,
    ) -> Option<TrackEvent> {
        loop {
            match self.stage {
                Stage::Estimating => {
                    if !self.demodulator.advance(air.front, &mut effort.samples) {
                        return None;
                    }
                    if let Some(guesses) = self.estimate.finish_window(&self.demodulator) {
                        // Each is tried in turn, and the best once more if none bears a packet.
                        self.guesses = guesses;
                        let best = self.guesses[0];
                        if self.guesses.len() > 1 {
                            self.guesses.rotate_left(1);
                            self.guesses.reverse();
                        } else {
                            self.guesses.clear();
                        }
                        self.follow(&best);
                    } else {
                        self.estimate.start_window(&mut self.demodulator);
                    }
                }
                Stage::Summing => {
                    if !self.demodulator.advance(air.front, &mut effort.samples) {
                        return None;
                    }
                    self.finish_symbol();
                }
                Stage::ReadingSync => {
                    let reach = self.tables.decimated(SYNC_REACH_MS);
                    let expected = self.sync_useful() / self.tables.decimation as f64;
                    let expected = expected.round().max(0.0) as u64;
                    if !air.acquisition.covers(expected + reach) {
                        return None;
                    }
                    return Some(self.read_sync(air, expected, reach));
                }
                Stage::Decoding {
                    robust: false,
                    fast: false,
                } => self.next_window(),
                Stage::Decoding { robust, fast } => {
                    let mode = if fast { Mode::Fast } else { Mode::Robust };
                    let event = self.decode(mode, air, decoding, effort)?;
                    self.stage = Stage::Decoding {
                        robust: robust && fast,
                        fast: false,
                    };
                    if self.note_outcome(mode, &event) {
                        return Some(event);
                    }
                }
            }
        }
    }

    fn start_window(&mut self) {
        let comb = ToneComb {
            first_hz: self.tables.band.tone_hz(0),
            spacing_hz: TONE_SPACING_HZ,
            count: self.tables.band.tones(),
        };
        let window = Window {
            origin: self.origin,
            start: self.origin + self.shift + self.late,
            skew: self.skew,
        };
        self.demodulator.start(comb, window);
        self.stage = Stage::Summing;
    }

    /// The current symbol's window is complete.
    fn finish_symbol(&mut self) {
        let tones = self.tables.band.tones();
        let is_sync = self.symbol == 0;
        if is_sync {
            self.sync_start = self.origin + self.shift;
        }
        let at = (self.symbol + PACKET_SYMBOLS_MAX - 1) % PACKET_SYMBOLS_MAX;
        let products = &mut self.products[at];
        for (i, (product, previous)) in products
            .iter_mut()
            .zip(&mut self.previous)
            .enumerate()
            .take(tones)
        {
            let tone = self.demodulator.tone(i);
            *product = tone * previous.conj();
            *previous = tone;
        }
        // A sync symbol's data tones do not continue the symbol before.
        if !is_sync {
            self.starts[at] = self.origin + self.shift;
            self.follow_clock(at);
        }
        self.channel.keep(self.symbol, &self.previous);
        if let Some(mode) = self.mode.filter(|_| is_sync && self.first_superframe) {
            self.channel.start_superframe(mode);
        }
        match self.symbol {
            0 => self.next_window(),
            1 if !self.first_superframe => self.stage = Stage::ReadingSync,
            _ => self.look_for_packet_end(),
        }
    }

    /// Fits the pilots' slope, takes it out of every product, and lets the clock follow.
    fn follow_clock(&mut self, at: usize) {
        let band = self.tables.band;
        let products = &mut self.products[at];
        let mut pilots = [Complex32::default(); PILOTS_MAX];
        for (p, pilot) in pilots.iter_mut().enumerate().take(band.pilots()) {
            *pilot = products[p * PILOT_SPACING];
        }
        let (slope, error) = clock::fit_slope(band, &pilots);
        self.phase_errors[at] = error;
        let (mut turn, up) = (
            Complex64::cis(-slope * band.tone_hz(0)),
            Complex64::cis(-slope * TONE_SPACING_HZ),
        );
        for product in &mut products[..band.tones()] {
            *product *= Complex32::new(turn.re as f32, turn.im as f32);
            turn *= up;
        }
        if error < clock::ERROR_MAX {
            self.skew += clock::correction(band, slope, self.tables.timing.symbol_s());
        }
        let products = &self.products[at];
        self.steady
            .learn((0..band.data_tones().min(DATA_TONES_MAX)).map(|t| products[data_tone(t)]));
    }

    fn look_for_packet_end(&mut self) {
        let ends = |mode: Mode| {
            self.symbol
                .is_multiple_of(packet_shape(self.tables.band.plan, mode).symbols)
        };
        let (robust, fast) = match self.mode {
            Some(Mode::Robust) => (ends(Mode::Robust), false),
            Some(Mode::Fast) => (false, ends(Mode::Fast)),
            None => (ends(Mode::Robust), ends(Mode::Fast)),
        };
        if robust || fast {
            self.stage = Stage::Decoding { robust, fast };
        } else {
            self.next_window();
        }
    }

    fn next_window(&mut self) {
        self.origin += self.tables.timing.symbol as f64 * (1.0 + self.skew);
        self.symbol += 1;
        if self.symbol > DATA_SYMBOLS {
            self.symbol = 0;
            self.first_superframe = false;
        }
        self.start_window();
    }

    /// The superframe's sync has been correlated: its mode, and a small step of the window.
    fn read_sync(&mut self, air: &Air, expected: u64, reach: u64) -> TrackEvent {
        let sighting = air
            .acquisition
            .strongest_near(expected, reach, SYNC_RHO_MIN);
        let event = if let Some(sighting) = sighting {
            let step_max = SYNC_STEP_MAX_MS * f64::from(self.tables.timing.sample_rate_hz) / 1000.0;
            let step = (sighting.useful - self.sync_useful()).clamp(-step_max, step_max);
            self.shift += step;
            self.sync_start += step;
            self.mode = Some(sighting.mode);
            self.failures = 0;
            self.channel.start_superframe(sighting.mode);
            TrackEvent::SyncRead
        } else {
            self.mode = None;
            self.failures = 0;
            self.channel.lose_phases();
            TrackEvent::SyncUnread
        };
        self.look_for_packet_end();
        event
    }

    /// Draws the conclusions from a decoding. False if the event stays inside.
    fn note_outcome(&mut self, mode: Mode, event: &TrackEvent) -> bool {
        if matches!(event, TrackEvent::Failed { .. }) {
            self.channel.lose_phases();
        }
        match event {
            TrackEvent::Packet(_) => {
                // It passed, so that is the superframe's mode, whatever the sync said or did not say.
                self.mode = Some(mode);
                self.failures = 0;
                self.barren = 0;
                self.stage = Stage::Decoding {
                    robust: false,
                    fast: false,
                };
                true
            }
            // In an unread superframe each stretch is tried both ways; the longer, robust try counts for both.
            TrackEvent::Failed { .. } if self.mode.is_none() && mode == Mode::Fast => false,
            TrackEvent::Failed { erased } => {
                if !erased {
                    self.failures += 1;
                    self.barren += packet_shape(self.tables.band.plan, mode).symbols;
                }
                true
            }
            TrackEvent::SyncRead | TrackEvent::SyncUnread => true,
        }
    }
}
