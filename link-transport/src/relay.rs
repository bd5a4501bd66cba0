//! A link of messages over any byte stream: a socket, a pipe. Knows packets; opens nothing, reads no clock.
//!
//! ```text
//!  session ── LinkTransport ── Relay ── poll_message() ──▶ bytes ─ the host's socket or pipe ─▶ handle_bytes() ── Relay
//! ```
//!
//! A packet goes out every period of the plan and mode, whether or not its frame changed, as a modem's would. One
//! packet is one message:
//!
//! | Bytes | Holds |
//! |---|---|
//! | 1 | how many bytes follow, the checksum included: [`BODY_MIN`]…[`BODY_MAX`] |
//! | 1 | the version (high half, [`VERSION`]), then plan (low = 4), mode (fast = 2), keyed (1) |
//! | 1 | the packet's number, counting up, modulo 256: a gap is packets lost |
//! | 1 | how many bits the packet has |
//! | ⌈bits / 8⌉ | the bits, most significant first |
//! | 2 | CRC-16 of the three header bytes and the bits, most significant first |
//!
//! Bare frames have no modem to check them, so the message carries the modem's checksum: its start value is that of
//! the frame's own kind, 0xFFFF for a lobby frame and the sender's session key for a game frame. The kind is told, not
//! guessed from which start matches: a session key may be 0xFFFF itself. Source: the specification's "Transports
//! without the modem's CRC".
//!
//! ```
//! use link_transport::{FrameBits, LinkEvent, LinkTime, LinkTransport, OutFrame, Role, relay::{Relay, RelayConfig}};
//!
//! let mut host = Relay::new(RelayConfig::new(Role::Host), 1);
//! let mut guest = Relay::new(RelayConfig::new(Role::Guest), 1);
//! host.send(&[OutFrame { bits: FrameBits::from_bytes(&[0b1010_0000], 3), key: 0, keyed: false }]);
//! let mut heard = None;
//! for ms in (0..1000).step_by(10) {
//!     let now = LinkTime::from_ms(ms);
//!     while host.poll(now).is_some() {}
//!     while let Some(message) = host.poll_message() {
//!         guest.handle_bytes(now, &message)?; // through a socket …
//!     }
//!     while let Some(event) = guest.poll(now) {
//!         if let LinkEvent::Packet(packet) = event { heard = Some(packet) }
//!     }
//! }
//! assert!(heard.unwrap().bits.starts_with(&FrameBits::from_bytes(&[0b1010_0000], 3)));
//! # Ok::<(), link_transport::relay::RelayError>(())
//! ```

use crate::{
    CRC_START_DEFAULT, FRAME_BITS_MAX, FrameBits, LinkEvent, LinkPacket, LinkStats, LinkTime,
    LinkTransport, Mode, OutFrame, Plan, Role, Rotation, SessionKey, Slot, capacity_bits,
    packet_ms,
};
use core::time::Duration;
use crc::{CRC_16_IBM_3740, Crc};
use heapless::{Deque, Vec};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

/// The version of the message, in its high half byte.
pub const VERSION: u8 = 1;
/// The shortest body: a packet of no bits.
pub const BODY_MIN: usize = HEADER + CHECKSUM;
/// The longest body: a packet of as many bits as a frame can have.
pub const BODY_MAX: usize = HEADER + FRAME_BITS_MAX / 8 + CHECKSUM;

const HEADER: usize = 3;
const CHECKSUM: usize = 2;
const KEYED: u8 = 1;
const FAST: u8 = 2;
const LOW: u8 = 4;

/// Messages on their way: as many as start within the longest latency, with some to spare.
const FLYING_MAX: usize = 64;
/// Events kept for a host that does not poll; the oldest go first.
const EVENTS_MAX: usize = 64;
/// Nothing is on its way for longer than this. Source: the specification's clamp of a practice link's latency.
const LATENCY_MAX: Duration = Duration::from_millis(2000);
/// The peer counts as followed for this long after a packet, as a modem's lock does.
const LOCKED: Duration = Duration::from_secs(2);
/// A host that polls this late was held up, and the packets it would have sent meanwhile were never on the air.
const HELD_UP: Duration = Duration::from_secs(1);

const _: () = assert!(BODY_MAX <= u8::MAX as usize);
const _: () = assert!(FLYING_MAX as u128 > 2 * LATENCY_MAX.as_millis() / 100);

static CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_3740);

/// One end of a relay.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RelayConfig {
    /// This end's role.
    pub role: Role,
    /// The band plan that is played on: it gives the packet periods and the capacity.
    pub plan: Plan,
    /// From a packet's start to its last byte handed over; at least what the packet takes, at most 2 s.
    pub latency: Duration,
    /// The share of this end's packets that get lost.
    pub loss: f64,
    /// What it reports as the signal-to-noise ratio of what it hears.
    pub snr_db: f32,
}

impl RelayConfig {
    /// Sets [`Self::role`].
    #[must_use]
    pub const fn with_role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// Sets [`Self::plan`].
    #[must_use]
    pub const fn with_plan(mut self, plan: Plan) -> Self {
        self.plan = plan;
        self
    }

    /// Sets [`Self::latency`].
    #[must_use]
    pub const fn with_latency(mut self, latency: Duration) -> Self {
        self.latency = latency;
        self
    }

    /// Sets [`Self::loss`].
    #[must_use]
    pub const fn with_loss(mut self, loss: f64) -> Self {
        self.loss = loss;
        self
    }

    /// Sets [`Self::snr_db`].
    #[must_use]
    pub const fn with_snr_db(mut self, snr_db: f32) -> Self {
        self.snr_db = snr_db;
        self
    }

    /// The high plan, no latency beyond the packet's own, no loss, 21 dB.
    #[must_use]
    pub const fn new(role: Role) -> Self {
        Self {
            role,
            plan: Plan::High,
            latency: Duration::ZERO,
            loss: 0.0,
            snr_db: 21.0,
        }
    }
}

/// Bytes that are no relay's. A stream that has lost its framing cannot find it again: the link is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RelayError {
    /// A message that cannot be.
    #[error("not a relay's message: {found} bytes long, where {BODY_MIN} to {BODY_MAX} can be")]
    Length {
        /// The length it claims.
        found: u8,
    },
    /// A message of another version.
    #[error(
        "the other end's relay is of version {found}, this one's of {VERSION}, or the stream is damaged"
    )]
    Version {
        /// Its version.
        found: u8,
    },
    /// The other end plays on another plan.
    #[error("the other end is on the {theirs} plan, this one on the {ours} plan")]
    OtherPlan {
        /// Its plan.
        theirs: Plan,
        /// This end's.
        ours: Plan,
    },
}

/// One whole message, its length byte included.
pub type RelayMessage = Vec<u8, { 1 + BODY_MAX }>;

/// A link over a byte stream that the host moves.
///
/// Hand it what arrives with [`Self::handle_bytes`], poll it as any link, and write out what [`Self::poll_message`]
/// gives. Every buffer is bounded: it allocates nothing, whatever the other end sends.
#[derive(Clone, Debug)]
pub struct Relay {
    config: RelayConfig,
    now: LinkTime,
    rng: Pcg32,
    rotation: Rotation,
    mode: Mode,
    on_air: Mode,
    key: Option<SessionKey>,
    next_start: Option<LinkTime>,
    number: u8,
    flying: Deque<(LinkTime, RelayMessage), FLYING_MAX>,
    slots: Deque<Slot, EVENTS_MAX>,
    inbox: Deque<LinkPacket, EVENTS_MAX>,
    incoming: RelayMessage,
    broken: Option<RelayError>,
    last_number: u8,
    rx_ok: u64,
    rx_bad: u64,
    rx_mode: Option<Mode>,
    last_rx: Option<LinkTime>,
    closed: bool,
}

impl Relay {
    /// An end whose packets start at a moment within the first period that `seed` decides, as it decides the losses.
    #[must_use]
    pub fn new(config: RelayConfig, seed: u64) -> Self {
        Self {
            config,
            now: LinkTime::ZERO,
            rng: Pcg32::seed_from_u64(seed ^ (config.role.index() as u64) << 63),
            rotation: Rotation::default(),
            mode: Mode::Robust,
            on_air: Mode::Robust,
            key: None,
            next_start: None,
            number: 0,
            flying: Deque::new(),
            slots: Deque::new(),
            inbox: Deque::new(),
            incoming: Vec::new(),
            broken: None,
            last_number: 0,
            rx_ok: 0,
            rx_bad: 0,
            rx_mode: None,
            last_rx: None,
            closed: false,
        }
    }

    /// Bytes have arrived at `now`, cut anywhere. A message whose checksum fails is dropped and counted.
    ///
    /// # Errors
    /// The stream is not, or no more, a relay's; then every later call says so again.
    pub fn handle_bytes(&mut self, now: LinkTime, bytes: &[u8]) -> Result<(), RelayError> {
        let at = self.now.max(now);
        for &byte in bytes {
            if let Some(error) = self.broken {
                return Err(error);
            }
            if !self.closed {
                self.broken = self.handle_byte(at, byte).err();
            }
        }
        self.broken.map_or(Ok(()), Err)
    }

    /// The next message to write out, once it is due by the last `poll`.
    pub fn poll_message(&mut self) -> Option<RelayMessage> {
        let due = self.flying.front()?.0;
        if due > self.now {
            return None;
        }
        self.flying.pop_front().map(|(_, message)| message)
    }

    fn handle_byte(&mut self, at: LinkTime, byte: u8) -> Result<(), RelayError> {
        if self.incoming.is_empty() && !(BODY_MIN..=BODY_MAX).contains(&usize::from(byte)) {
            return Err(RelayError::Length { found: byte });
        }
        // There is room: a length that leaves none was refused.
        let _ = self.incoming.push(byte);
        if self.incoming.len() > usize::from(self.incoming[0]) {
            let message = core::mem::take(&mut self.incoming);
            self.handle_message(at, &message[1..])?;
        }
        Ok(())
    }

    fn handle_message(&mut self, at: LinkTime, body: &[u8]) -> Result<(), RelayError> {
        let (sealed, checksum) = body.split_at(body.len() - CHECKSUM);
        let (header, bytes) = sealed.split_at(HEADER);
        let [flags, number, nbits] = [header[0], header[1], header[2]];
        if flags >> 4 != VERSION {
            return Err(RelayError::Version { found: flags >> 4 });
        }
        let (theirs, ours) = (plan(flags), self.config.plan);
        if theirs != ours {
            return Err(RelayError::OtherPlan { theirs, ours });
        }
        let nbits = usize::from(nbits);
        let keyed = flags & KEYED != 0;
        let start = self.start_value(keyed, self.config.role.other());
        let whole = bytes.len() == nbits.div_ceil(8) && nbits == self.capacity_bits();
        if self.is_locked(at) {
            self.rx_bad += lost_between(self.last_number, number);
        }
        self.last_number = number;
        if !(whole && start.is_some_and(|start| checksum == crc(start, sealed))) {
            self.rx_bad += u64::from(self.is_locked(at));
            return Ok(());
        }
        self.rx_ok += 1;
        self.rx_mode = Some(if flags & FAST != 0 {
            Mode::Fast
        } else {
            Mode::Robust
        });
        self.last_rx = Some(at);
        let packet = LinkPacket {
            bits: FrameBits::from_bytes(bytes, nbits),
            snr_db: Some(self.config.snr_db),
            at,
            session: keyed,
        };
        push_bounded(&mut self.inbox, packet);
        Ok(())
    }

    /// Where a checksum starts that `sender` makes; `None` for a game frame without a session.
    fn start_value(&self, keyed: bool, sender: Role) -> Option<u16> {
        if keyed {
            self.key.map(|key| key.crc_start(sender))
        } else {
            Some(CRC_START_DEFAULT)
        }
    }

    /// Starts every packet that is due.
    fn advance(&mut self) {
        let first_period_us = u64::from(packet_ms(self.config.plan, Mode::Robust)) * 1000;
        let mut start = match self.next_start {
            Some(start) => start,
            None => {
                self.now + Duration::from_micros(u64::from(self.rng.next_u32()) % first_period_us)
            }
        };
        if self.now.since(start) > HELD_UP {
            start = self.now;
        }
        while start <= self.now {
            start = self.start_packet(start);
        }
        self.next_start = Some(start);
    }

    /// Starts a packet; returns when the next one starts.
    fn start_packet(&mut self, start: LinkTime) -> LinkTime {
        self.on_air = self.mode;
        let period = Duration::from_millis(packet_ms(self.config.plan, self.on_air).into());
        let capacity = self.capacity_bits();
        let lost = f64::from(self.rng.next_u32()) / 4_294_967_296.0 < self.config.loss;
        let frame = self.rotation.latch(capacity);
        push_bounded(
            &mut self.slots,
            Slot {
                at: start,
                key: frame.map(|frame| frame.key),
            },
        );
        self.number = self.number.wrapping_add(1);
        if !lost && let Some(message) = self.message(frame, capacity) {
            let flight = self.config.latency.min(LATENCY_MAX).max(period);
            push_bounded(&mut self.flying, (start + flight, message));
        }
        start + period
    }

    /// `None`: a game frame before there is a session. Nobody could read it.
    fn message(&self, frame: Option<OutFrame>, capacity: usize) -> Option<RelayMessage> {
        let keyed = frame.is_some_and(|frame| frame.keyed);
        let crc_start = self.start_value(keyed, self.config.role)?;
        let bits = frame.map_or(FrameBits::zeros(capacity), |frame| {
            frame.bits.resized(capacity)
        });
        let flags = VERSION << 4
            | if keyed { KEYED } else { 0 }
            | if self.on_air == Mode::Fast { FAST } else { 0 }
            | if self.config.plan == Plan::Low {
                LOW
            } else {
                0
            };
        let mut message = RelayMessage::new();
        let length = HEADER + bits.as_bytes().len() + CHECKSUM;
        let header = [length as u8, flags, self.number, capacity as u8];
        message.extend_from_slice(&header).ok()?;
        message.extend_from_slice(bits.as_bytes()).ok()?;
        let checksum = crc(crc_start, &message[1..]);
        message.extend_from_slice(&checksum).ok()?;
        Some(message)
    }

    fn is_locked(&self, now: LinkTime) -> bool {
        self.last_rx.is_some_and(|at| now.since(at) <= LOCKED)
    }
}

impl LinkTransport for Relay {
    fn capacity_bits(&self) -> usize {
        capacity_bits(self.config.plan)
    }

    fn send(&mut self, frames: &[OutFrame]) {
        self.rotation.set(frames);
    }

    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        self.now = self.now.max(now);
        if self.closed {
            return None;
        }
        self.advance();
        let slot = self.slots.front().map(|slot| slot.at);
        let packet = self.inbox.front().map(|packet| packet.at);
        if slot.is_some_and(|slot| packet.is_none_or(|packet| slot <= packet)) {
            return self.slots.pop_front().map(LinkEvent::Slot);
        }
        packet.filter(|&at| at <= self.now)?;
        self.inbox.pop_front().map(LinkEvent::Packet)
    }

    fn now(&self) -> LinkTime {
        self.now
    }

    fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
    }

    fn set_session_key(&mut self, key: SessionKey) {
        self.key = Some(key);
    }

    fn stats(&self) -> LinkStats {
        let locked = self.is_locked(self.now) && !self.closed;
        LinkStats {
            locked,
            snr_db: locked.then_some(self.config.snr_db),
            rx_ok: self.rx_ok,
            rx_bad: self.rx_bad,
            tx_mode: self.on_air,
            rx_mode: self.rx_mode,
            last_rx: self.last_rx,
            ..LinkStats::new(self.config.plan)
        }
    }

    fn close(&mut self) {
        self.closed = true;
        self.flying.clear();
        self.slots.clear();
        self.inbox.clear();
    }
}

const fn plan(flags: u8) -> Plan {
    if flags & LOW != 0 {
        Plan::Low
    } else {
        Plan::High
    }
}

/// Packets that never came between two that did. A gap longer than a lock lasts is no loss but another sender's count.
fn lost_between(last: u8, number: u8) -> u64 {
    let lost = u64::from(number.wrapping_sub(last).wrapping_sub(1));
    if lost > LOCKED.as_millis() as u64 / 100 {
        return 0;
    }
    lost
}

fn crc(start: u16, bytes: &[u8]) -> [u8; CHECKSUM] {
    let mut digest = CRC.digest_with_initial(start);
    digest.update(bytes);
    digest.finalize().to_be_bytes()
}

fn push_bounded<T, const N: usize>(queue: &mut Deque<T, N>, item: T) {
    if queue.is_full() {
        queue.pop_front();
    }
    let _ = queue.push_back(item);
}
