//! One band's receiver: filter, search, a few trials beside at most one lock.

pub(crate) mod acquisition;
mod channel_estimate;
mod clicks;
pub(crate) mod clock;
pub(crate) mod demodulator;
mod estimate;
pub(crate) mod frontend;
mod narrowband;
mod response;
mod soft;
mod steady_tones;
pub(crate) mod tables;
mod tracker;

pub(crate) use tables::Tables;

use crate::{config::RxPacket, gaps::GapLog, params::Band};
use acquisition::{Acquisition, Sighting};
use demodulator::LANES;
use frontend::Frontend;
use heapless::Deque;
use link_fec::{CODED_BITS_MAX, PacketDecoder};
use link_transport::{CRC_START_DEFAULT, Mode, SessionKey};
use std::sync::Arc;
use tables::BandTables;
use tracker::{Air, Decoding, Effort, TrackEvent, Tracker};

/// Demodulation that one frame of input pays for, against keeping up with it: a trial catches up this fast.
const CATCH_UP: usize = 6;
/// The longest jump over which a lock's timing is kept, in seconds. Beyond it a residual 20 ppm is over half a ms.
const JUMP_KEPT_S: u64 = 30;
/// A sighting this close to the lock's own sync is the lock's.
const SAME_SYNC_MS: f64 = 5.0;
/// Deliveries against which a new one is compared.
const DUPLICATES: usize = 8;

/// Candidates tried at once: on the low plan random data passes for a sync about once a superframe, and must not keep
/// the true one waiting.
const TRIALS: usize = 2;
/// Packets that a candidate may fail before it is dropped, as long as nothing else is heard: the first, read wherever it
/// may lie, and three more. Beside strong echoes one packet in ten of a true stream fails while nothing of its channel
/// is known.
const TRIAL_PACKETS_MAX: u32 = 4;

/// What a receiver has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) ok: u64,
    pub(crate) bad: u64,
    pub(crate) syncs: u64,
}

/// What a receiver hands up.
pub(crate) enum Heard {
    /// A packet, not heard before.
    Packet(RxPacket),
    /// A lock: its sync symbol's useful part starts at frame `sync`, its superframes are that many frames long.
    Locked { sync: f64, superframe: f64 },
}

pub(crate) struct Receiver {
    /// Those of every band, and of the one that is heard.
    all_tables: Arc<Tables>,
    tables: Arc<BandTables>,
    front: Frontend,
    acquisition: Acquisition,
    /// Boxed, like every large part: a modem is moved about on small stacks.
    trackers: [Box<Tracker>; 1 + TRIALS],
    /// Which tracker follows the peer, and which try candidates, oldest first.
    locked: Option<usize>,
    trials: heapless::Vec<Trial, TRIALS>,
    decoding: Box<Decoding>,
    /// Window starts of the newest deliveries.
    delivered: Deque<u64, DUPLICATES>,
    pub(crate) counts: Counts,
    pub(crate) snr_db: Option<f32>,
    pub(crate) mode: Option<Mode>,
}

/// A tracker on trial.
#[derive(Clone, Copy)]
struct Trial {
    tracker: usize,
    /// Its packets that have failed, and whether any reading has.
    packets_failed: u32,
    has_failed: bool,
}

impl Receiver {
    pub(crate) fn new(tables: Arc<Tables>, band: Band) -> Self {
        let all_tables = tables;
        let tables = Arc::clone(all_tables.of(band));
        Self {
            front: Frontend::new(&all_tables, band),
            acquisition: Acquisition::new(&all_tables, band),
            trackers: core::array::from_fn(|_| Box::new(Tracker::new(&tables))),
            locked: None,
            trials: heapless::Vec::new(),
            decoding: Box::new(Decoding {
                decoder: PacketDecoder::new(),
                soft: [0.0; CODED_BITS_MAX],
                crc_starts: heapless::Vec::from_array([CRC_START_DEFAULT]),
            }),
            delivered: Deque::new(),
            counts: Counts::default(),
            snr_db: None,
            mode: None,
            all_tables,
            tables,
        }
    }

    pub(crate) fn band(&self) -> Band {
        self.tables.band
    }

    pub(crate) fn is_locked(&self) -> bool {
        self.locked.is_some()
    }

    /// How much slower the peer's clock runs, in parts per million.
    pub(crate) fn clock_ppm(&self) -> Option<f32> {
        self.locked
            .map(|lock| (self.trackers[lock].skew() * 1e6) as f32)
    }

    /// Receives `band` from frame `frame` on, as new. `None` as a key tries the default CRC start alone.
    pub(crate) fn retune(&mut self, band: Band, key: Option<SessionKey>, frame: u64) {
        self.tables = Arc::clone(self.all_tables.of(band));
        self.front.tune(&self.tables);
        self.acquisition.tune(&self.tables);
        for tracker in &mut self.trackers {
            tracker.tune(&self.tables);
        }
        self.snr_db = None;
        self.mode = None;
        self.set_session_key(key);
        self.reset(frame);
    }

    pub(crate) fn set_session_key(&mut self, key: Option<SessionKey>) {
        self.decoding.crc_starts.clear();
        if let Some(key) = key {
            let _ = self
                .decoding
                .crc_starts
                .push(key.crc_start(self.tables.band.role));
        }
        let _ = self.decoding.crc_starts.push(CRC_START_DEFAULT);
    }

    /// Forgets the signal; the input goes on at `frame`.
    pub(crate) fn reset(&mut self, frame: u64) {
        self.front.reset(frame);
        self.acquisition.reset(&self.front);
        self.locked = None;
        self.trials.clear();
        self.delivered.clear();
    }

    /// Input frames up to `frame` never came, `missed` of them.
    pub(crate) fn jump(&mut self, frame: u64, missed: u64) {
        if missed > JUMP_KEPT_S * u64::from(self.tables.timing.sample_rate_hz) {
            self.locked = None;
            self.trials.clear();
        }
        self.front.jump(frame);
        self.acquisition.jump(&self.front);
    }

    /// Takes in a piece of input and does the work it pays for. `heavy` jobs may be done.
    pub(crate) fn process(
        &mut self,
        input: &[f32],
        gaps: &GapLog,
        heavy: &mut usize,
        mut hear: impl FnMut(Heard),
    ) {
        self.front.push(input);
        let samples = CATCH_UP
            * (input.len() / self.tables.decimation + 1)
            * self.tables.band.tones().div_ceil(LANES);
        let mut effort = Effort {
            samples,
            heavy: *heavy,
        };

        self.follow_lock(gaps, &mut effort, &mut hear);
        if effort.heavy > 0 && self.acquisition.block_is_ready(&self.front) {
            self.acquisition.run_block(&mut self.front);
            effort.heavy -= 1;
        }
        self.look_for_candidate();
        self.follow_trials(gaps, &mut effort, &mut hear);
        *heavy = effort.heavy;
    }

    fn follow_lock(&mut self, gaps: &GapLog, effort: &mut Effort, hear: &mut impl FnMut(Heard)) {
        while let Some(lock) = self.locked {
            let Some(event) = self.advance(lock, gaps, effort) else {
                return;
            };
            self.mode = self.trackers[lock].mode().or(self.mode);
            match event {
                TrackEvent::Packet(packet) => self.deliver(packet, hear),
                TrackEvent::Failed { .. } => self.counts.bad += 1,
                TrackEvent::SyncRead => self.counts.syncs += 1,
                TrackEvent::SyncUnread => {}
            }
            if self.trackers[lock].is_lost() {
                self.locked = None;
            }
        }
    }

    fn look_for_candidate(&mut self) {
        // One that has failed already makes room for one that has not.
        while !self.trials.is_full() || self.trials.iter().any(|trial| trial.has_failed) {
            let hears = |lock: usize| self.trackers[lock].is_hearing();
            let searching = !self.locked.is_some_and(hears);
            let Some(candidate) = self.acquisition.next_candidate(searching) else {
                return;
            };
            let sighting = &candidate.sighting;
            if self.is_locks_own(sighting) {
                continue;
            }
            if self.trials.is_full()
                && let Some(failed) = self.trials.iter().position(|trial| trial.has_failed)
            {
                self.trials.remove(failed);
            }
            let is_free = |tracker: &usize| {
                self.locked != Some(*tracker)
                    && self.trials.iter().all(|trial| trial.tracker != *tracker)
            };
            let Some(tracker) = (0..self.trackers.len()).find(is_free) else {
                return;
            };
            self.trackers[tracker].begin(&candidate);
            let _ = self.trials.push(Trial {
                tracker,
                packets_failed: 0,
                has_failed: false,
            });
        }
    }

    fn is_locks_own(&self, sighting: &Sighting) -> bool {
        let Some(lock) = self.locked else {
            return false;
        };
        let superframe = self.trackers[lock].superframe_frames();
        let off = sighting.useful - self.trackers[lock].sync_useful();
        let off = off - superframe * (off / superframe).round();
        let tolerance = SAME_SYNC_MS * f64::from(self.tables.timing.sample_rate_hz) / 1000.0;
        off.abs() <= tolerance
    }

    fn follow_trials(&mut self, gaps: &GapLog, effort: &mut Effort, hear: &mut impl FnMut(Heard)) {
        let mut i = 0;
        while let Some(&Trial { tracker, .. }) = self.trials.get(i) {
            match self.advance(tracker, gaps, effort) {
                None => i += 1,
                Some(TrackEvent::Packet(packet)) => {
                    self.locked = Some(tracker);
                    self.trials.remove(i);
                    self.counts.syncs += 1;
                    self.mode = Some(packet.mode);
                    let tracker = &self.trackers[tracker];
                    hear(Heard::Locked {
                        sync: tracker.sync_useful(),
                        superframe: tracker.superframe_frames(),
                    });
                    self.deliver(packet, hear);
                }
                Some(_) => {
                    let hears = |lock: usize| self.trackers[lock].is_hearing();
                    let others_heard = self.locked.is_some_and(hears);
                    let trial = &mut self.trials[i];
                    trial.has_failed = true;
                    if !self.trackers[tracker].try_another() {
                        trial.packets_failed += 1;
                    }
                    if others_heard || trial.packets_failed >= TRIAL_PACKETS_MAX {
                        self.trials.remove(i);
                    }
                }
            }
        }
    }

    fn advance(
        &mut self,
        tracker: usize,
        gaps: &GapLog,
        effort: &mut Effort,
    ) -> Option<TrackEvent> {
        let air = Air {
            front: &self.front,
            acquisition: &self.acquisition,
            gaps,
        };
        self.trackers[tracker].advance(&air, &mut self.decoding, effort)
    }

    /// Hands a packet up unless it is one of the last few again, as after a step in timing.
    fn deliver(&mut self, packet: RxPacket, hear: &mut impl FnMut(Heard)) {
        // Three quarters of the shortest packet.
        let shortest = crate::params::packet_shape(self.tables.band.plan, Mode::Fast).symbols
            * self.tables.timing.symbol;
        let near = (shortest * 3 / 4) as u64;
        if self
            .delivered
            .iter()
            .any(|sample| sample.abs_diff(packet.sample) < near)
        {
            return;
        }
        if self.delivered.is_full() {
            self.delivered.pop_front();
        }
        let _ = self.delivered.push_back(packet.sample);
        self.counts.ok += 1;
        self.snr_db = Some(packet.snr_db);
        hear(Heard::Packet(packet));
    }
}
