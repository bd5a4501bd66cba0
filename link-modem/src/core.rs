//! The modem itself: one block of input in, one block of output out, and what was heard in between.

use crate::params::PIECE_FRAMES_MAX;
use crate::{
    config::{
        Gap, Listen, ModemConfig, ModemStats, RateProblem, Reconfigure, RxPacket, SlotEvent,
        rx_band, sane_gain,
    },
    fft::Planner,
    gaps::{GapLog, GapWatch},
    level::peak,
    params::{Band, Timing, rate_min_hz},
    receiver::{Heard, Receiver, Tables},
    restart::RestartRule,
    self_monitor::SelfMonitor,
    transmitter::Transmitter,
};
use heapless::Deque;
use link_transport::{Mode, OutFrame, Plan, Role, SessionKey, capacity_bits};
use std::sync::Arc;

/// Packets kept until taken; the oldest is dropped. More than three seconds of the fastest.
const PACKETS_MAX: usize = 32;
/// Gaps kept until taken.
const GAPS_MAX: usize = 32;

/// Frame counts are taken modulo this: 11 years at 48 kHz, and a double still tells 1/500 of a frame apart.
const COUNT_WRAP: u64 = 1 << 44;

/// A modem for one phone: transmits in one band, receives another, all the time.
///
/// Everything is allocated by [`ModemCore::new`]. [`ModemCore::process`] belongs on the audio thread.
pub struct ModemCore {
    sample_rate_hz: u32,
    plan: Plan,
    rx: Listen,
    gain: f32,
    tx: Role,
    transmitter: Transmitter,
    /// The peer's band; while detecting, the high plan's host band.
    receiver: Receiver,
    /// While detecting, the low plan's host band.
    second: Receiver,
    self_monitor: SelfMonitor,
    restart_rule: RestartRule,
    /// Which of the two receivers are in use.
    searching: Searching,
    key: Option<SessionKey>,
    gap_watch: GapWatch,
    gap_log: GapLog,
    clean: Vec<f32>,
    /// The frame expected next, in the caller's counting.
    next_frame: Option<u64>,
    /// Frames that `skip` has put between the caller's counting and the modem's own.
    skipped: u64,
    /// What the caller's count has over the modem's, modulo 2⁶⁴: whole wraps less the skipped frames.
    base: u64,
    packets: Deque<RxPacket, PACKETS_MAX>,
    gaps: Deque<Gap, GAPS_MAX>,
    input_peak: f32,
}

/// Which receivers work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Searching {
    /// The band is known.
    Known,
    /// Both plans' host bands, until one locks.
    Both,
    /// Only the low plan fits the sample rate.
    LowOnly,
}

impl ModemCore {
    /// A modem that has heard nothing yet; its first superframe starts with the first block.
    ///
    /// # Errors
    /// [`RateProblem`] if the sound link cannot run at the rate.
    pub fn new(config: ModemConfig) -> Result<Self, RateProblem> {
        if let Some(problem) = config.rate_problem() {
            return Err(problem);
        }
        let timing = Timing::at(config.sample_rate_hz);
        let plan = config.first_plan();
        let gain = sane_gain(config.gain, 1.0);
        let mut planner = Planner::new();
        let tables = Arc::new(Tables::new(timing, &mut planner));
        let band = rx_band(plan, config.rx).unwrap_or(Band::new(plan, Role::Host));
        let mut core = Self {
            sample_rate_hz: config.sample_rate_hz,
            plan,
            rx: config.rx,
            gain,
            tx: config.tx,
            transmitter: Transmitter::new(timing, Band::new(plan, config.tx), gain, &mut planner),
            receiver: Receiver::new(Arc::clone(&tables), band),
            second: Receiver::new(Arc::clone(&tables), Band::new(Plan::Low, Role::Host)),
            self_monitor: SelfMonitor::new(tables, Band::new(plan, config.tx)),
            restart_rule: RestartRule::default(),
            searching: Searching::Known,
            key: None,
            gap_watch: GapWatch::new(u64::from(config.sample_rate_hz)),
            gap_log: GapLog::default(),
            clean: vec![0.0; PIECE_FRAMES_MAX],
            next_frame: None,
            skipped: 0,
            base: 0,
            packets: Deque::new(),
            gaps: Deque::new(),
            input_peak: 0.0,
        };
        core.tune(0);
        Ok(core)
    }

    /// Takes one block of input and fills one of output, `first_frame` being the count of the first frame of both.
    ///
    /// Blocks have any length; they are worked on in pieces of at most [`PIECE_FRAMES_MAX`] frames. Allocates
    /// nothing, never panics on any sample value. A count that jumps forward means frames that were never captured
    /// nor played: the receiver takes them as a gap, the transmitter skips them. One that goes back makes the
    /// receiver start over.
    pub fn process(&mut self, input: &[f32], output: &mut [f32], first_frame: u64) {
        debug_assert_eq!(input.len(), output.len(), "input and output run together");
        let len = input.len().min(output.len());
        output[len..].fill(0.0);
        let mut frame = first_frame;
        let pieces = input[..len]
            .chunks(PIECE_FRAMES_MAX)
            .zip(output[..len].chunks_mut(PIECE_FRAMES_MAX));
        for (input, output) in pieces {
            self.process_piece(input, output, frame);
            frame = frame.wrapping_add(input.len() as u64);
        }
    }

    fn process_piece(&mut self, input: &[f32], output: &mut [f32], caller_frame: u64) {
        let frame = caller_frame % COUNT_WRAP + self.skipped;
        self.base = caller_frame.wrapping_sub(frame);
        self.follow_count(frame);
        self.next_frame = Some(frame + input.len() as u64);

        let audible = self.transmitter.is_audible();
        let (gaps, base) = (&mut self.gaps, self.base);
        let clean = &mut self.clean[..input.len()];
        self.gap_watch
            .watch(input, clean, frame, audible, &mut self.gap_log, |gap| {
                keep_gap(gaps, gap, base)
            });
        self.note_peak();
        self.receive(input.len(), frame);
        self.transmitter.process(output, frame);
    }

    /// Compares the frame count with the one expected.
    fn follow_count(&mut self, frame: u64) {
        match self.next_frame {
            None => self.restart_receivers(frame),
            Some(expected) if frame > expected => {
                let (gaps, base) = (&mut self.gaps, self.base);
                self.gap_watch
                    .jumped(expected, frame, &mut self.gap_log, |gap| {
                        keep_gap(gaps, gap, base)
                    });
                self.receiver.jump(frame, frame - expected);
                self.second.jump(frame, frame - expected);
                self.self_monitor.jump(frame);
            }
            Some(expected) if frame < expected => self.restart_receivers(frame),
            Some(_) => {}
        }
    }

    fn restart_receivers(&mut self, frame: u64) {
        self.gap_log.clear();
        self.gap_watch.restart();
        self.receiver.reset(frame);
        self.second.reset(frame);
        self.self_monitor.reset(frame);
        self.restart_rule.forget();
    }

    fn note_peak(&mut self) {
        // Falls by half in about a second, so that a person can read it.
        let decay = 0.5_f32.powf(self.clean.len() as f32 / self.sample_rate_hz as f32);
        self.input_peak = peak(&self.clean).max(self.input_peak * decay);
    }

    fn receive(&mut self, len: usize, frame: u64) {
        let now = frame + len as u64;
        let (packets, base, rule) = (&mut self.packets, self.base, &mut self.restart_rule);
        let (own_start, sample_rate_hz) = (self.transmitter.last_restart(), self.sample_rate_hz);
        let mut restart = false;
        let mut hear = |heard: Heard| match heard {
            Heard::Locked { sync, superframe } => {
                restart |= rule.locked(now, sync, superframe, own_start, sample_rate_hz);
            }
            Heard::Packet(packet) => {
                rule.heard(now);
                if packets.is_full() {
                    packets.pop_front();
                }
                let _ = packets.push_back(RxPacket {
                    sample: packet.sample.wrapping_add(base),
                    ..packet
                });
            }
        };
        let clean = &self.clean[..len];
        let mut heavy = 1;
        if self.searching != Searching::LowOnly {
            self.receiver
                .process(clean, &self.gap_log, &mut heavy, &mut hear);
        }
        if self.searching != Searching::Known {
            self.second
                .process(clean, &self.gap_log, &mut heavy, &mut hear);
        }
        if restart {
            self.transmitter.restart();
        }
        if self.transmitter.is_audible() {
            self.self_monitor
                .process(clean, frame, &self.transmitter, &mut heavy);
        }
        let found = self.searching != Searching::Known
            && (self.receiver.is_locked() || self.second.is_locked());
        if found {
            self.settle_plan();
        }
    }

    /// A plan has been detected: goes on with its receiver alone, and transmits in its band.
    fn settle_plan(&mut self) {
        if self.second.is_locked() {
            core::mem::swap(&mut self.receiver, &mut self.second);
        }
        self.searching = Searching::Known;
        self.plan = self.receiver.band().plan;
        self.rx = Listen::Role(self.receiver.band().role);
        self.transmitter
            .reconfigure(Band::new(self.plan, self.tx), self.gain);
    }

    /// Points the receivers at what is to be received, from frame `frame` on.
    fn tune(&mut self, frame: u64) {
        self.restart_rule.forget();
        match rx_band(self.plan, self.rx) {
            Some(band) => {
                self.searching = Searching::Known;
                self.receiver.retune(band, self.key, frame);
            }
            None => {
                let high_fits = self.sample_rate_hz >= rate_min_hz(Plan::High);
                self.searching = if high_fits {
                    Searching::Both
                } else {
                    Searching::LowOnly
                };
                self.receiver
                    .retune(Band::new(Plan::High, Role::Host), self.key, frame);
                self.second
                    .retune(Band::new(Plan::Low, Role::Host), self.key, frame);
            }
        }
    }

    /// Replaces the frames being sent: each packet carries one, in key rotation. At most
    /// [`link_transport::FRAMES_MAX`], keys ascending.
    pub fn set_payloads(&mut self, frames: &[OutFrame]) {
        self.transmitter.set_payloads(frames);
    }

    /// Sends in `mode` from the next superframe on.
    pub fn set_tx_mode(&mut self, mode: Mode) {
        self.transmitter.set_mode(mode);
    }

    /// Frames marked `keyed` go out under `key`, and packets are first tried under it.
    pub fn set_session_key(&mut self, key: SessionKey) {
        self.key = Some(key);
        self.transmitter.set_session_key(key);
        self.receiver.set_session_key(self.key);
        self.second.set_session_key(self.key);
    }

    /// Changes plan, roles or gain, what is sent from the next symbol boundary on.
    ///
    /// A band that stays the same goes on undisturbed: its superframes, its lock. A plan that does not fit the
    /// sample rate is not taken, and neither is anything else with it.
    ///
    /// # Errors
    /// [`RateProblem`] if the plan does not fit the sample rate.
    pub fn reconfigure(&mut self, change: Reconfigure) -> Result<(), RateProblem> {
        let wanted = ModemConfig::new(self.sample_rate_hz, change.tx.unwrap_or(self.tx))
            .with_plan(change.plan.unwrap_or(self.plan))
            .with_rx(change.rx.unwrap_or(self.rx))
            .with_gain(sane_gain(change.gain.unwrap_or(self.gain), self.gain));
        if let Some(problem) = wanted.rate_problem() {
            return Err(problem);
        }
        let heard_before = (self.searching, rx_band(self.plan, self.rx));
        self.plan = wanted.first_plan();
        (self.tx, self.rx, self.gain) = (wanted.tx, wanted.rx, wanted.gain);
        self.transmitter
            .reconfigure(Band::new(self.plan, self.tx), self.gain);
        if heard_before.1 != rx_band(self.plan, self.rx) {
            self.tune(self.next_frame.unwrap_or(0));
        }
        Ok(())
    }

    /// The device stopped for `frames` frames without its count saying so (a suspended audio context): taken as a
    /// jump of the count.
    pub fn skip(&mut self, frames: u64) {
        self.skipped = self.skipped.saturating_add(frames) % COUNT_WRAP;
    }

    /// The most bits a frame can have now: 188 on the high plan, 186 on the low one and while detecting.
    #[must_use]
    pub fn capacity_bits(&self) -> usize {
        match self.searching {
            Searching::Known => capacity_bits(self.plan),
            Searching::Both | Searching::LowOnly => capacity_bits(Plan::Low),
        }
    }

    /// The plan the peer was found on, or the one configured; `None` while still detecting.
    #[must_use]
    pub fn detected_plan(&self) -> Option<Plan> {
        (self.searching == Searching::Known).then_some(self.plan)
    }

    /// The next packet received, in order of arrival.
    pub fn take_packet(&mut self) -> Option<RxPacket> {
        self.packets.pop_front()
    }

    /// The next packet of one's own that has started to go out.
    pub fn take_slot(&mut self) -> Option<SlotEvent> {
        let slot = self.transmitter.take_slot()?;
        Some(SlotEvent {
            sample: slot.sample.wrapping_add(self.base),
            ..slot
        })
    }

    /// The next stretch of missing input.
    pub fn take_gap(&mut self) -> Option<Gap> {
        self.gaps.pop_front()
    }

    /// While input is missing: the first missing frame that [`ModemCore::take_gap`] has not told of yet.
    #[must_use]
    pub fn missing_since(&self) -> Option<u64> {
        let frame = self.gap_watch.missing_since()?;
        Some(frame.wrapping_add(self.base))
    }

    /// True while it follows a peer.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.receiver.is_locked()
    }

    /// The lowest and the highest frequency that it listens to now: a band, or the hosts' bands of both plans.
    #[must_use]
    pub fn received_hz(&self) -> (f64, f64) {
        let edges = |band: Band| (band.tone_hz(0), band.tone_hz(band.tones() - 1));
        match self.searching {
            Searching::Known => edges(self.receiver.band()),
            Searching::LowOnly => edges(self.second.band()),
            Searching::Both => (edges(self.second.band()).0, edges(self.receiver.band()).1),
        }
    }

    /// The sample rate it runs at.
    #[must_use]
    pub fn sample_rate_hz(&self) -> u32 {
        self.sample_rate_hz
    }

    /// How it is doing. Counts run from the start.
    #[must_use]
    pub fn stats(&self) -> ModemStats {
        let [a, b] = [self.receiver.counts, self.second.counts];
        ModemStats {
            sample: self
                .next_frame
                .map_or(0, |frame| frame.wrapping_add(self.base)),
            locked: self.receiver.is_locked(),
            plan: self.plan,
            rx_mode: self.receiver.mode,
            tx_mode: self.transmitter.mode(),
            snr_db: self.receiver.snr_db,
            rx_ok: a.ok + b.ok,
            rx_bad: a.bad + b.bad,
            syncs: a.syncs + b.syncs,
            clock_ppm: self.receiver.clock_ppm(),
            tx_packets: self.transmitter.packets,
            own_snr_db: self.self_monitor.own_snr_db(),
            loopback_ms: self.self_monitor.loopback_ms(),
            clips: self.transmitter.clips,
            input_peak: self.input_peak,
        }
    }
}

fn keep_gap<const N: usize>(gaps: &mut Deque<Gap, N>, gap: Gap, base: u64) {
    if gaps.is_full() {
        gaps.pop_front();
    }
    let _ = gaps.push_back(Gap {
        sample: gap.sample.wrapping_add(base),
        ..gap
    });
}
