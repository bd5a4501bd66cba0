//! One's own signal at one's own microphone: how well it comes through, and how long it takes.
//!
//! Both ends share one clock, so there is nothing to track: each sync that comes back sets where the windows are,
//! and the pilots' phase errors between symbols are the effective signal-to-noise ratio. A route check reads it (a
//! phone playing into headphones does not hear itself).

use crate::{
    params::{Band, PILOT_SPACING, PILOTS_MAX, SUPERFRAME_SYMBOLS},
    receiver::{
        Tables,
        acquisition::{Acquisition, Candidate},
        clock::{PilotProducts, fit_slope},
        demodulator::{Demodulator, ToneComb, Window},
        frontend::Frontend,
        tables::{BandTables, PILOT_SPACING_HZ},
    },
    transmitter::Transmitter,
};
use rustfft::num_complex::Complex32;
use std::sync::Arc;

/// Symbols averaged for one reading: one second.
const READING_SYMBOLS: u32 = 20;
/// Superframes without an own sync heard, after which the readings are withdrawn.
const SUPERFRAMES_MAX: f64 = 2.5;
/// The least correlation of one's own sync. No packet confirms it, so it must be beyond what noise and random data
/// reach; at 0 dB of signal to noise it is 0.66.
const OWN_RHO_MIN: f32 = 0.6;
/// The least mean square phase error that is told apart (90 dB).
const ERROR_MIN: f32 = 1e-9;

/// Listens to one's own band, pilots only.
pub(crate) struct SelfMonitor {
    /// Those of every band, and of one's own.
    all_tables: Arc<Tables>,
    tables: Arc<BandTables>,
    front: Frontend,
    acquisition: Acquisition,
    demodulator: Demodulator,
    /// The frame expected next; a modem that plays nothing does not call.
    next_frame: u64,
    following: Option<Following>,
    own_snr_db: Option<f32>,
    loopback_ms: Option<f32>,
}

/// One's own stream, from a sync on.
struct Following {
    /// The current window's start.
    origin: f64,
    /// The newest sync's window start.
    sync: f64,
    previous: Option<PilotProducts>,
    error_sum: f32,
    symbols: u32,
}

impl SelfMonitor {
    pub(crate) fn new(tables: Arc<Tables>, band: Band) -> Self {
        let all_tables = tables;
        let tables = Arc::clone(all_tables.of(band));
        Self {
            front: Frontend::new(&all_tables, band),
            acquisition: Acquisition::new(&all_tables, band),
            demodulator: Demodulator::new(&tables),
            next_frame: 0,
            following: None,
            own_snr_db: None,
            loopback_ms: None,
            all_tables,
            tables,
        }
    }

    /// The effective signal-to-noise ratio of one's own pilots.
    pub(crate) fn own_snr_db(&self) -> Option<f32> {
        self.own_snr_db
    }

    /// From a sync's emission to its detection.
    pub(crate) fn loopback_ms(&self) -> Option<f32> {
        self.loopback_ms
    }

    /// Forgets everything; the input goes on at `frame`.
    pub(crate) fn reset(&mut self, frame: u64) {
        self.front.reset(frame);
        self.acquisition.reset(&self.front);
        self.next_frame = frame;
        self.forget();
    }

    /// The input goes on at `frame`, later than expected.
    pub(crate) fn jump(&mut self, frame: u64) {
        self.front.jump(frame);
        self.acquisition.jump(&self.front);
        self.next_frame = frame;
        self.following = None;
    }

    fn forget(&mut self) {
        self.following = None;
        self.own_snr_db = None;
        self.loopback_ms = None;
    }

    /// Takes in the piece of input that starts at `frame`; may do one of the `heavy` jobs.
    pub(crate) fn process(
        &mut self,
        input: &[f32],
        frame: u64,
        transmitter: &Transmitter,
        heavy: &mut usize,
    ) {
        if self.tables.band != transmitter.band() || self.next_frame != frame {
            self.tables = Arc::clone(self.all_tables.of(transmitter.band()));
            self.front.tune(&self.tables);
            self.acquisition.tune(&self.tables);
            self.demodulator.tune(&self.tables);
            self.reset(frame);
        }
        self.next_frame = frame + input.len() as u64;
        self.front.push(input);
        if *heavy > 0 && self.acquisition.block_is_ready(&self.front) {
            self.acquisition.run_block(&mut self.front);
            *heavy -= 1;
        }
        while let Some(Candidate { sighting, .. }) = self.acquisition.next_candidate(false) {
            let emitted = transmitter
                .syncs()
                .find(|sync| *sync as f64 <= sighting.useful + self.tables.decimation as f64);
            let Some(emitted) = emitted.filter(|_| sighting.rho >= OWN_RHO_MIN) else {
                continue;
            };
            let loopback_s =
                (sighting.useful - emitted as f64) / f64::from(self.tables.timing.sample_rate_hz);
            self.loopback_ms = Some((loopback_s * 1000.0).max(0.0) as f32);
            self.follow(sighting.useful - self.tables.timing.backoff as f64);
        }
        self.read_pilots();
    }

    fn follow(&mut self, origin: f64) {
        let (error_sum, symbols) = self
            .following
            .as_ref()
            .map_or((0.0, 0), |old| (old.error_sum, old.symbols));
        self.following = Some(Following {
            origin,
            sync: origin,
            previous: None,
            error_sum,
            symbols,
        });
        self.start_window(origin);
    }

    fn start_window(&mut self, origin: f64) {
        let comb = ToneComb {
            first_hz: self.tables.band.tone_hz(0),
            spacing_hz: PILOT_SPACING_HZ,
            count: self.tables.band.pilots(),
        };
        self.demodulator.start(
            comb,
            Window {
                origin,
                start: origin,
                skew: 0.0,
            },
        );
    }

    fn read_pilots(&mut self) {
        let mut budget = usize::MAX;
        while let Some(following) = &mut self.following {
            if !self.demodulator.advance(&self.front, &mut budget) {
                return;
            }
            let mut tones = [Complex32::default(); PILOTS_MAX];
            for (p, tone) in tones.iter_mut().enumerate().take(self.tables.band.pilots()) {
                *tone = self.demodulator.tone(p);
            }
            if let Some(previous) = following.previous.replace(tones) {
                for (tone, previous) in tones.iter_mut().zip(previous) {
                    *tone *= previous.conj();
                }
                let (_, error) = fit_slope(self.tables.band, &tones);
                following.error_sum += error;
                following.symbols += 1;
            }
            if following.symbols == READING_SYMBOLS {
                let error = following.error_sum / READING_SYMBOLS as f32;
                self.own_snr_db = Some(-10.0 * error.max(ERROR_MIN).log10());
                (following.error_sum, following.symbols) = (0.0, 0);
            }
            let symbol = self.tables.timing.symbol as f64;
            following.origin += symbol;
            let (origin, sync) = (following.origin, following.sync);
            if origin - sync > SUPERFRAMES_MAX * SUPERFRAME_SYMBOLS as f64 * symbol {
                self.forget();
            } else {
                self.start_window(origin);
            }
        }
    }
}

const _: () = assert!(PILOT_SPACING as f64 * crate::params::TONE_SPACING_HZ == PILOT_SPACING_HZ);
