//! The game half: a link like any other, whose modem is on another thread.

use super::{
    COMMANDS_MAX, MESSAGE_BYTES_MAX, REPORTS_MAX,
    clock_map::ClockMap,
    message::{Command, Frames, MessageError, ModemFault, Report, StatsReport},
    port::Port,
    pump::ModemPump,
};
use crate::{
    config::{Listen, ModemConfig, ModemStats, RateProblem, Reconfigure, RxPacket},
    params::{Timing, packet_shape},
};
use link_transport::{
    LinkEvent, LinkPacket, LinkStats, LinkTime, LinkTransport, Mode, OutFrame, Plan, Role,
    SessionKey, Slot, capacity_bits,
};
use std::{collections::VecDeque, time::Duration};

/// Statistics older than this say nothing of now.
const STALE: Duration = Duration::from_secs(1);
/// Events kept until polled; the oldest is dropped. As many as one look can bring.
const EVENTS_MAX: usize = REPORTS_MAX;
/// Gaps and refusals kept until taken; the oldest is dropped.
const NOTICES_MAX: usize = 32;

/// Missing input, on the link's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkGap {
    /// When it started.
    pub at: LinkTime,
    /// How long it was; `None` while it lasts.
    pub lasted: Option<Duration>,
}

/// The game half of a live modem: a [`LinkTransport`].
///
/// It never waits for the audio half. What is to be sent is kept as the newest state, so that a full queue delays it
/// and never loses it. Link time is whatever the caller counts, through suspensions and rebuilds of the device.
pub struct ModemLink {
    port: Port<Command, Report>,
    config: ModemConfig,
    clock: ClockMap,
    now: LinkTime,
    wanted: Wanted,
    events: VecDeque<LinkEvent>,
    /// When the newest of the events handed out or waiting happened: packets, and slots.
    last_packet: LinkTime,
    last_slot: LinkTime,
    last_rx: Option<LinkTime>,
    report: Option<(LinkTime, StatsReport)>,
    detected: Option<Plan>,
    gaps: VecDeque<LinkGap>,
    refusals: VecDeque<ModemFault>,
    stopped: Option<ModemFault>,
    closed: bool,
    /// `poll` has been called; before, even the time it starts at is a new one.
    looked: bool,
    /// Reports just received; kept only for its memory.
    incoming: Vec<Report>,
}

/// What the audio half has not been told yet.
#[derive(Default)]
struct Wanted {
    frames: Option<Frames>,
    mode: Option<Mode>,
    key: Option<SessionKey>,
    change: Option<Reconfigure>,
    /// How many changes of setup there have been.
    setup: u32,
    skip_frames: u64,
    close: bool,
}

impl ModemLink {
    /// Both halves of one modem, joined. Either may be dropped first, on any thread: a link whose pump is gone has
    /// stopped, and a pump whose link is gone is closed.
    ///
    /// # Errors
    /// [`RateProblem`] if the sound link cannot run at the rate.
    pub fn pair(config: ModemConfig) -> Result<(Self, ModemPump), RateProblem> {
        let (near, far) = Port::pair(COMMANDS_MAX, REPORTS_MAX);
        let pump = ModemPump::new(config, far)?;
        Ok((Self::new(config, near), pump))
    }

    /// A game half whose messages a host carries.
    ///
    /// # Errors
    /// [`RateProblem`] if the sound link cannot run at the rate.
    pub fn alone(config: ModemConfig) -> Result<Self, RateProblem> {
        match config.rate_problem() {
            Some(problem) => Err(problem),
            None => Ok(Self::new(config, Port::alone(COMMANDS_MAX, REPORTS_MAX))),
        }
    }

    fn new(config: ModemConfig, port: Port<Command, Report>) -> Self {
        Self {
            port,
            clock: ClockMap::new(config.sample_rate_hz),
            now: LinkTime::ZERO,
            wanted: Wanted::default(),
            events: VecDeque::with_capacity(EVENTS_MAX),
            last_packet: LinkTime::ZERO,
            last_slot: LinkTime::ZERO,
            last_rx: None,
            report: None,
            detected: known_plan(config.plan, config.rx),
            gaps: VecDeque::with_capacity(NOTICES_MAX),
            refusals: VecDeque::with_capacity(NOTICES_MAX),
            stopped: None,
            closed: false,
            looked: false,
            incoming: Vec::with_capacity(REPORTS_MAX),
            config,
        }
    }

    /// Starts the link's clock at `now` instead of zero: for a link that takes over from another one.
    #[must_use]
    pub fn starting_at(mut self, now: LinkTime) -> Self {
        (self.now, self.last_packet, self.last_slot) = (now, now, now);
        self
    }

    /// The setup as last asked for; once a plan has been detected, with that plan and its host's band.
    #[must_use]
    pub fn config(&self) -> ModemConfig {
        self.config
    }

    /// Changes plan, roles or gain from the next symbol boundary on, as [`crate::ModemCore::reconfigure`].
    ///
    /// # Errors
    /// [`RateProblem`] if the plan does not fit the sample rate; then nothing changes.
    pub fn reconfigure(&mut self, change: Reconfigure) -> Result<(), RateProblem> {
        let wanted = self
            .config
            .with_plan(change.plan.unwrap_or(self.config.plan))
            .with_tx(change.tx.unwrap_or(self.config.tx))
            .with_rx(change.rx.unwrap_or(self.config.rx))
            .with_gain(match change.gain {
                Some(gain) if !gain.is_nan() => gain,
                _ => self.config.gain,
            });
        if let Some(problem) = wanted.rate_problem() {
            return Err(problem);
        }
        if (wanted.plan, wanted.rx) != (self.config.plan, self.config.rx) {
            self.detected = known_plan(wanted.plan, wanted.rx);
            self.events
                .retain(|event| matches!(event, LinkEvent::Slot(_)));
        }
        self.config = wanted;
        let earlier = self.wanted.change.unwrap_or_default();
        self.wanted.setup = self.wanted.setup.wrapping_add(1);
        self.wanted.change = Some(
            Reconfigure::default()
                .with_plan(change.plan.or(earlier.plan))
                .with_tx(change.tx.or(earlier.tx))
                .with_rx(change.rx.or(earlier.rx))
                .with_gain(change.gain.filter(|gain| !gain.is_nan()).or(earlier.gain)),
        );
        self.flush();
        Ok(())
    }

    /// The plan found, or the one configured; `None` while still detecting.
    #[must_use]
    pub fn detected_plan(&self) -> Option<Plan> {
        self.detected
    }

    /// The modem's own statistics as of the last report; `None` once that is over a second old, or the modem stopped.
    #[must_use]
    pub fn modem_stats(&self) -> Option<ModemStats> {
        self.fresh().map(|report| report.modem)
    }

    /// The newest statistics report and when it came; never stale, so that each can be counted once.
    #[must_use]
    pub fn newest_report(&self) -> Option<(LinkTime, StatsReport)> {
        self.report
    }

    /// Why the modem stopped, if it did. Known before anything that came with the news is handed out.
    #[must_use]
    pub fn stopped(&self) -> Option<ModemFault> {
        self.stopped
    }

    /// The audio half failed in a way it cannot tell of itself (its thread or its wasm instance died).
    pub fn pump_failed(&mut self) {
        self.stopped = self.stopped.or(Some(ModemFault::Failed));
    }

    /// The next thing the modem refused. None of them stops it.
    pub fn take_refusal(&mut self) -> Option<ModemFault> {
        self.refusals.pop_front()
    }

    /// The next start or end of missing input.
    pub fn take_gap(&mut self) -> Option<LinkGap> {
        self.gaps.pop_front()
    }

    /// The next command as bytes, for a host that carries them; its length, or `None` if there is none. Always `None`
    /// while joined to a [`ModemPump`].
    pub fn poll_message(&mut self, bytes: &mut [u8; MESSAGE_BYTES_MAX]) -> Option<usize> {
        let length = self.port.carry_out().map(|command| command.encode(bytes));
        self.flush();
        length
    }

    /// A report as bytes, from the audio half's `poll_message`. It counts at the next `poll`. While the queue is full,
    /// or while joined to a [`ModemPump`], it is dropped.
    ///
    /// # Errors
    /// [`MessageError`] if the bytes are no report; they change nothing.
    pub fn push_message(&mut self, bytes: &[u8]) -> Result<(), MessageError> {
        let report = Report::decode(bytes)?;
        let _ = self.port.carry_in(report);
        Ok(())
    }

    /// Tells the audio half what it has not been told, as far as there is room.
    fn flush(&mut self) {
        let Wanted {
            frames,
            mode,
            key,
            change,
            setup,
            skip_frames,
            close,
        } = &mut self.wanted;
        let port = &mut self.port;
        if *close {
            *close = !port.send(Command::Close);
            return;
        }
        let serial = *setup;
        give(port, change, |change| Command::Configure { change, serial });
        give(port, key, Command::Session);
        give(port, mode, Command::Mode);
        give(port, frames, Command::Payloads);
        if *skip_frames > 0
            && port.send(Command::Skip {
                frames: *skip_frames,
            })
        {
            *skip_frames = 0;
        }
    }

    /// Takes in all that the audio half has told: first whether it has stopped, then the clock, then the rest.
    fn drain(&mut self) {
        // Asked before the queue is emptied, so that the last words of a half that goes are heard.
        let gone = self.port.is_abandoned();
        let mut incoming = std::mem::take(&mut self.incoming);
        while incoming.len() < REPORTS_MAX {
            match self.port.receive() {
                Some(report) => incoming.push(report),
                None => break,
            }
        }
        for report in &incoming {
            if let Report::Fault { fault, fatal: true } = report {
                self.stopped = self.stopped.or(Some(*fault));
            }
        }
        if gone {
            self.stopped = self.stopped.or(Some(ModemFault::Gone));
        }
        let mut frames = incoming.iter().filter_map(|report| match report {
            Report::Clock { frame } => Some(*frame),
            Report::Stats(report) => Some(report.modem.sample),
            _ => None,
        });
        if let Some(frame) = frames.next_back()
            && let Some(lost) = self.clock.read(self.now, frame)
        {
            self.wanted.skip_frames = self.wanted.skip_frames.saturating_add(lost);
        }
        for report in incoming.drain(..) {
            self.take_in(report);
        }
        self.incoming = incoming;
    }

    fn take_in(&mut self, report: Report) {
        match report {
            Report::Packet(packet) => self.take_in_packet(packet),
            Report::Slot(slot) => {
                let at = self.clock.time(slot.sample.into(), self.now);
                self.last_slot = self.last_slot.max(at);
                self.queue(LinkEvent::Slot(Slot {
                    at: self.last_slot,
                    key: slot.key,
                }));
            }
            Report::Stats(report) => {
                self.report = Some((self.now, report));
                self.note_detection(&report);
            }
            Report::Gap(gap) => {
                let lasted = Duration::from_secs_f64(
                    gap.frames as f64 / f64::from(self.config.sample_rate_hz.max(1)),
                );
                let gap = LinkGap {
                    at: self.clock.time(gap.sample.into(), self.now),
                    lasted: (gap.frames > 0).then_some(lasted),
                };
                push(&mut self.gaps, gap, NOTICES_MAX);
            }
            Report::Fault { fault, fatal } => {
                if !fatal {
                    push(&mut self.refusals, fault, NOTICES_MAX);
                }
            }
            Report::Clock { .. } => {}
        }
    }

    fn take_in_packet(&mut self, packet: RxPacket) {
        // One that was under way while the plan changed.
        if packet.bits.len() != self.capacity_bits() || self.detected != Some(packet.plan) {
            return;
        }
        let symbols = packet_shape(packet.plan, packet.mode).symbols;
        let rest = Timing::at(self.config.sample_rate_hz).window_to_end(symbols);
        let end = i128::from(packet.sample) + rest as i128;
        self.last_packet = self.last_packet.max(self.clock.time(end, self.now));
        self.queue(LinkEvent::Packet(LinkPacket {
            bits: packet.bits,
            snr_db: Some(packet.snr_db),
            at: self.last_packet,
            session: packet.session,
        }));
    }

    /// A Join's plan is known once a report of the modem's own shows it.
    fn note_detection(&mut self, report: &StatsReport) {
        let (None, Some(plan)) = (self.detected, report.detected) else {
            return;
        };
        // What it found under an earlier setup does not count.
        if report.setup == self.wanted.setup {
            self.detected = Some(plan);
            // As the modem itself goes on; what a link that takes over from this one starts with.
            (self.config.plan, self.config.rx) = (plan, Listen::Role(Role::Host));
        }
    }

    /// Events wait in order of time; those of one time in order of arrival.
    fn queue(&mut self, event: LinkEvent) {
        let later = self.events.iter().rev();
        let later = later.take_while(|waiting| at(waiting) > at(&event)).count();
        let place = self.events.len() - later;
        self.events.insert(place, event);
        if self.events.len() > EVENTS_MAX {
            self.events.pop_front();
        }
    }

    fn fresh(&self) -> Option<StatsReport> {
        let (came, report) = self.report?;
        let fresh = self.now.since(came) <= STALE && self.stopped.is_none() && !self.closed;
        fresh.then_some(report)
    }
}

impl LinkTransport for ModemLink {
    fn capacity_bits(&self) -> usize {
        capacity_bits(self.detected.unwrap_or(Plan::Low))
    }

    fn send(&mut self, frames: &[OutFrame]) {
        debug_assert!(frames.is_sorted_by_key(|frame| frame.key), "keys ascend");
        let kept = frames.iter().take(link_transport::FRAMES_MAX);
        self.wanted.frames = Some(kept.copied().collect());
        self.flush();
    }

    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        if now > self.now || !self.looked {
            (self.now, self.looked) = (self.now.max(now), true);
            self.drain();
            self.flush();
        }
        if self.closed {
            return None;
        }
        let event = self.events.pop_front();
        if let Some(LinkEvent::Packet(packet)) = &event {
            self.last_rx = Some(packet.at);
        }
        event
    }

    fn now(&self) -> LinkTime {
        self.now
    }

    fn set_mode(&mut self, mode: Mode) {
        self.wanted.mode = Some(mode);
        self.flush();
    }

    fn set_session_key(&mut self, key: SessionKey) {
        self.wanted.key = Some(key);
        self.flush();
    }

    /// Unlocked and without any signal-to-noise ratio once the newest report is over a second old, or the modem
    /// stopped.
    fn stats(&self) -> LinkStats {
        let newest = self.report.map(|(_, report)| report.modem);
        let fresh = self.fresh().map(|report| report.modem);
        let mut stats = LinkStats::new(self.detected.unwrap_or(self.config.plan));
        stats.last_rx = self.last_rx;
        if let Some(modem) = newest {
            stats.rx_ok = modem.rx_ok;
            stats.rx_bad = modem.rx_bad;
            stats.tx_mode = modem.tx_mode;
            stats.rx_mode = modem.rx_mode;
        }
        if let Some(modem) = fresh {
            stats.locked = modem.locked;
            stats.snr_db = modem.snr_db.filter(|_| modem.locked);
            stats.own_snr_db = modem.own_snr_db;
            stats.loopback_ms = modem.loopback_ms;
            stats.clock_ppm = modem.clock_ppm;
        }
        stats
    }

    /// The audio half plays silence from its next block on.
    fn close(&mut self) {
        self.closed = true;
        self.events.clear();
        self.wanted.close = true;
        self.flush();
    }
}

/// The plan of a link that does not have to find it.
fn known_plan(plan: Plan, rx: Listen) -> Option<Plan> {
    match rx {
        Listen::Role(_) => Some(plan),
        Listen::Detect => None,
    }
}

/// Sends what is wanted, if there is room; else it stays wanted.
fn give<T: Clone>(
    port: &mut Port<Command, Report>,
    wanted: &mut Option<T>,
    command: impl FnOnce(T) -> Command,
) {
    if let Some(value) = wanted
        && port.send(command(value.clone()))
    {
        *wanted = None;
    }
}

fn push<T>(queue: &mut VecDeque<T>, value: T, max: usize) {
    if queue.len() >= max {
        queue.pop_front();
    }
    queue.push_back(value);
}

fn at(event: &LinkEvent) -> LinkTime {
    match event {
        LinkEvent::Packet(packet) => packet.at,
        LinkEvent::Slot(slot) => slot.at,
        // Whatever else a link may come to tell, this one does not queue it.
        _ => LinkTime::ZERO,
    }
}
