//! The trait every link implements, and what crosses it.

use crate::{FrameBits, LinkTime, Mode, Plan, SessionKey, capacity_bits};

/// The most frames one [`LinkTransport::send`] takes; the rest are ignored. A match uses at most 4 segments.
pub const FRAMES_MAX: usize = 8;

/// One frame to send, over and over, until a newer list replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutFrame {
    /// The frame; the packet's rest is zeros.
    pub bits: FrameBits,
    /// Its place in the rotation: the next packet carries the first frame whose key is greater than the last one sent.
    pub key: u32,
    /// True for a game frame: its CRC starts from the session key.
    pub keyed: bool,
}

/// One packet received whole: `capacity_bits` bits, the frame first, then zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkPacket {
    /// All the packet's payload bits, padding included.
    pub bits: FrameBits,
    /// The packet's effective signal-to-noise ratio, where the link measures one.
    pub snr_db: Option<f32>,
    /// When its last sample arrived here. It cannot have been decoded earlier.
    pub at: LinkTime,
    /// True if its CRC matched the session key, false if it matched the default start.
    pub session: bool,
}

/// One packet of one's own has started to go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// When its first sample left.
    pub at: LinkTime,
    /// The key of the frame it carries; `None` if it carries nothing (no frame, or one too long for the band).
    pub key: Option<u32>,
}

/// What [`LinkTransport::poll`] hands out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LinkEvent {
    /// A packet arrived.
    Packet(LinkPacket),
    /// A packet of one's own started.
    Slot(Slot),
}

/// How the link is doing; a snapshot as of the last `poll`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinkStats {
    /// The peer's signal is being followed.
    pub locked: bool,
    /// The newest packet's effective signal-to-noise ratio.
    pub snr_db: Option<f32>,
    /// Packets received whole.
    pub rx_ok: u64,
    /// Packets expected while locked, but not received.
    pub rx_bad: u64,
    /// The mode now on the air.
    pub tx_mode: Mode,
    /// The peer's mode; `None` before the first sync.
    pub rx_mode: Option<Mode>,
    /// When the newest packet arrived; `None` before the first.
    pub last_rx: Option<LinkTime>,
    /// This phone's own signal at its own microphone.
    pub own_snr_db: Option<f32>,
    /// From one's own speaker to one's own microphone, milliseconds.
    pub loopback_ms: Option<f32>,
    /// The peer's clock against one's own, parts per million.
    pub clock_ppm: Option<f32>,
    /// The band plan in use.
    pub plan: Plan,
}

impl LinkStats {
    /// Nothing heard and nothing sent yet: what a link of one's own starts from.
    #[must_use]
    pub const fn new(plan: Plan) -> Self {
        Self {
            locked: false,
            snr_db: None,
            rx_ok: 0,
            rx_bad: 0,
            tx_mode: Mode::Robust,
            rx_mode: None,
            last_rx: None,
            own_snr_db: None,
            loopback_ms: None,
            clock_ppm: None,
            plan,
        }
    }
}

/// A link to one peer, seen from one end. See [`crate::contract`] for the numbered promises behind each method.
pub trait LinkTransport {
    /// The most bits a frame can have now: constant while the plan is.
    fn capacity_bits(&self) -> usize {
        capacity_bits(self.stats().plan)
    }

    /// Replaces the frames being sent. Keys ascend; each packet carries one, in key rotation; every frame is
    /// repeated until the next call. At most [`FRAMES_MAX`].
    fn send(&mut self, frames: &[OutFrame]);

    /// The next thing that has happened up to `now`, in order of time, or `None` when there is no more.
    ///
    /// Call it until it says `None`: what is left is handed out by the next call, late. A `now` before the last one
    /// counts as the last one.
    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent>;

    /// The last `now` that `poll` was given.
    fn now(&self) -> LinkTime;

    /// Sends in `mode` from the next point at which the link can switch.
    fn set_mode(&mut self, mode: Mode);

    /// Frames marked `keyed` go out under `key`, and packets under it are reported with `session` true.
    fn set_session_key(&mut self, key: SessionKey);

    /// How the link is doing.
    fn stats(&self) -> LinkStats;

    /// Stops sending and receiving for good.
    fn close(&mut self);
}

/// The rotation every link shares: which of the newest frames a packet carries.
///
/// After a packet carrying key `k`, the next carries the first frame in the list whose key is greater than `k`,
/// wrapping to the first. Source: the specification's "Segments and rotation".
#[derive(Clone, Debug, Default)]
pub struct Rotation {
    frames: heapless::Vec<OutFrame, FRAMES_MAX>,
    last_key: Option<u32>,
}

impl Rotation {
    /// Replaces the list; the place in the rotation stays.
    pub fn set(&mut self, frames: &[OutFrame]) {
        self.frames.clear();
        self.frames.extend(frames.iter().take(FRAMES_MAX).copied());
        debug_assert!(
            self.frames.is_sorted_by_key(|frame| frame.key),
            "keys ascend"
        );
    }

    /// The frame of a packet that starts now and carries at most `capacity_bits`.
    ///
    /// `None` if there is none, or if the one whose turn it is does not fit: then the packet carries zeros and the
    /// rotation moves past that frame, since a frame cut to fit would still pass its CRC.
    pub fn latch(&mut self, capacity_bits: usize) -> Option<OutFrame> {
        let after_last = |frame: &&OutFrame| self.last_key.is_none_or(|last| frame.key > last);
        let frame = *self
            .frames
            .iter()
            .find(after_last)
            .or_else(|| self.frames.first())?;
        self.last_key = Some(frame.key);
        (frame.bits.len() <= capacity_bits).then_some(frame)
    }
}
