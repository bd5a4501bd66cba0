//! A live link that survives its audio device: the modem underneath is replaced, the link goes on.

use link_modem::{
    ModemConfig, ModemLink, ModemPump, RateProblem, Reconfigure,
    half::{LinkGap, MESSAGE_BYTES_MAX, MessageError, ModemFault, StatsReport},
};
use link_transport::{
    FRAMES_MAX, LinkEvent, LinkStats, LinkTime, LinkTransport, Mode, OutFrame, Plan, SessionKey,
};
use std::collections::VecDeque;

/// Events of earlier modems kept until polled; the oldest is dropped. As many as one modem keeps of its own.
pub const EARLIER_MAX: usize = 512;

/// A [`LinkTransport`] over one [`ModemLink`] after another.
///
/// Its clock is the caller's and goes on through a rebuild; setup, gain, frames, mode and session key are replayed to
/// the new modem, counts go on from where they were. A Join that has found its plan is rebuilt on that plan, listening
/// to its host.
pub struct RigLink {
    link: ModemLink,
    frames: Vec<OutFrame>,
    mode: Option<Mode>,
    key: Option<SessionKey>,
    /// What earlier modems brought and nobody has polled yet, up to [`EARLIER_MAX`].
    earlier: VecDeque<LinkEvent>,
    rx_ok: u64,
    rx_bad: u64,
    last_rx: Option<LinkTime>,
    closed: bool,
}

impl RigLink {
    /// A link whose halves are joined by queues; the pump is the audio device's.
    ///
    /// # Errors
    /// [`RateProblem`] if the sound link cannot run at the rate.
    pub fn pair(config: ModemConfig) -> Result<(Self, ModemPump), RateProblem> {
        let (link, pump) = ModemLink::pair(config)?;
        Ok((Self::new(link), pump))
    }

    /// A link whose messages the host carries to a pump of its own.
    ///
    /// # Errors
    /// [`RateProblem`] if the sound link cannot run at the rate.
    pub fn alone(config: ModemConfig) -> Result<Self, RateProblem> {
        Ok(Self::new(ModemLink::alone(config)?))
    }

    fn new(link: ModemLink) -> Self {
        Self {
            link,
            frames: Vec::with_capacity(FRAMES_MAX),
            mode: None,
            key: None,
            earlier: VecDeque::new(),
            rx_ok: 0,
            rx_bad: 0,
            last_rx: None,
            closed: false,
        }
    }

    /// Replaces the modem by a new one at the new device's rate; the pump is that device's. The old pump closes.
    ///
    /// # Errors
    /// [`RateProblem`] if the sound link cannot run at the rate; then the old modem stays.
    pub fn rebuild(&mut self, sample_rate_hz: u32) -> Result<ModemPump, RateProblem> {
        let (link, pump) = ModemLink::pair(self.config_at(sample_rate_hz))?;
        self.replace(link);
        Ok(pump)
    }

    /// As [`RigLink::rebuild`], for a host that carries the messages; the new pump is set up as [`RigLink::config`] says.
    ///
    /// # Errors
    /// [`RateProblem`] if the sound link cannot run at the rate; then the old modem stays.
    pub fn rebuild_alone(&mut self, sample_rate_hz: u32) -> Result<(), RateProblem> {
        let link = ModemLink::alone(self.config_at(sample_rate_hz))?;
        self.replace(link);
        Ok(())
    }

    fn config_at(&self, sample_rate_hz: u32) -> ModemConfig {
        self.link.config().with_sample_rate_hz(sample_rate_hz)
    }

    fn replace(&mut self, link: ModemLink) {
        let now = self.link.now();
        while let Some(event) = self.link.poll(now) {
            if self.earlier.len() == EARLIER_MAX {
                self.earlier.pop_front();
            }
            self.earlier.push_back(event);
        }
        let old = self.link.stats();
        self.rx_ok += old.rx_ok;
        self.rx_bad += old.rx_bad;
        self.link.close();
        self.link = link.starting_at(now);
        if let Some(key) = self.key {
            self.link.set_session_key(key);
        }
        if let Some(mode) = self.mode {
            self.link.set_mode(mode);
        }
        self.link.send(&self.frames);
        if self.closed {
            self.link.close();
        }
    }

    /// The setup now, its plan the one found once it is.
    #[must_use]
    pub fn config(&self) -> ModemConfig {
        self.link.config()
    }

    /// Changes plan, roles or gain, for this modem and all that follow it.
    ///
    /// # Errors
    /// [`RateProblem`] if the plan does not fit the sample rate; then nothing changes.
    pub fn reconfigure(&mut self, change: Reconfigure) -> Result<(), RateProblem> {
        self.link.reconfigure(change)
    }

    /// Sets the loudness alone.
    pub fn set_gain(&mut self, gain: f32) {
        let change = Reconfigure::default().with_gain(gain);
        // Loudness alone fits every rate that fitted before.
        let _ = self.link.reconfigure(change);
    }

    /// The plan found, or the one configured; `None` while still detecting.
    #[must_use]
    pub fn detected_plan(&self) -> Option<Plan> {
        self.link.detected_plan()
    }

    /// Why the present modem stopped, if it did.
    #[must_use]
    pub fn stopped(&self) -> Option<ModemFault> {
        self.link.stopped()
    }

    /// The present audio half failed in a way it cannot tell of itself.
    pub fn pump_failed(&mut self) {
        self.link.pump_failed();
    }

    /// The present modem's newest statistics report and when it came.
    #[must_use]
    pub fn newest_report(&self) -> Option<(LinkTime, StatsReport)> {
        self.link.newest_report()
    }

    /// The next start or end of missing input.
    pub fn take_gap(&mut self) -> Option<LinkGap> {
        self.link.take_gap()
    }

    /// The next thing the modem refused.
    pub fn take_refusal(&mut self) -> Option<ModemFault> {
        self.link.take_refusal()
    }

    /// As [`ModemLink::poll_message`].
    pub fn poll_message(&mut self, bytes: &mut [u8; MESSAGE_BYTES_MAX]) -> Option<usize> {
        self.link.poll_message(bytes)
    }

    /// As [`ModemLink::push_message`].
    ///
    /// # Errors
    /// [`MessageError`] if the bytes are no report.
    pub fn push_message(&mut self, bytes: &[u8]) -> Result<(), MessageError> {
        self.link.push_message(bytes)
    }
}

impl LinkTransport for RigLink {
    fn capacity_bits(&self) -> usize {
        self.link.capacity_bits()
    }

    fn send(&mut self, frames: &[OutFrame]) {
        self.frames.clear();
        self.frames.extend(frames.iter().take(FRAMES_MAX));
        self.link.send(frames);
    }

    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        if self.closed {
            let _ = self.link.poll(now);
            return None;
        }
        let event = match self.earlier.pop_front() {
            Some(event) => Some(event),
            None => self.link.poll(now),
        };
        if let Some(LinkEvent::Packet(packet)) = &event {
            self.last_rx = Some(packet.at);
        }
        event
    }

    fn now(&self) -> LinkTime {
        self.link.now()
    }

    fn set_mode(&mut self, mode: Mode) {
        self.mode = Some(mode);
        self.link.set_mode(mode);
    }

    fn set_session_key(&mut self, key: SessionKey) {
        self.key = Some(key);
        self.link.set_session_key(key);
    }

    fn stats(&self) -> LinkStats {
        let mut stats = self.link.stats();
        stats.rx_ok += self.rx_ok;
        stats.rx_bad += self.rx_bad;
        stats.last_rx = self.last_rx;
        stats
    }

    fn close(&mut self) {
        self.closed = true;
        self.earlier.clear();
        self.link.close();
    }
}
