//! What a session and a head-up display need to know of a running lockstep.

use crate::{End, Verdict};
use core::time::Duration;
use link_transport::LinkTime;
use match_feed::{
    Tick,
    duel::{InputDelay, TICK_MS},
};

/// Orders that waited longer than this are worth telling the player: "Orders queued".
pub const QUEUED_TICKS_SHOWN: u32 = 20;

/// How long orders take from being given to being applied on both phones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct OrderDelay {
    /// Canonical pieces sealed so far.
    pub pieces: u64,
    /// Their delays added up, ticks.
    pub total_ticks: u64,
    /// The longest, ticks.
    pub max_ticks: u32,
}

impl OrderDelay {
    /// The mean delay, ticks; 0 before the first order.
    #[must_use]
    pub fn mean_ticks(&self) -> f64 {
        if self.pieces == 0 {
            0.0
        } else {
            self.total_ticks as f64 / self.pieces as f64
        }
    }

    pub(crate) fn add(&mut self, ticks: u32) {
        self.pieces += 1;
        self.total_ticks += u64::from(ticks);
        self.max_ticks = self.max_ticks.max(ticks);
    }
}

/// A snapshot of a lockstep.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LockstepStatus {
    /// How many ticks have been stepped: the tick that comes next.
    pub tick: Tick,
    /// The input delay.
    pub delay: InputDelay,
    /// The trail over every world so far.
    pub trail: u32,
    /// One's own newest turn.
    pub newest_sealed: u32,
    /// The peer's newest turn held without a gap.
    pub ack_through: u32,
    /// One's own newest turn that the peer is known to hold without a gap.
    pub peer_ack: u32,
    /// The peer's turns held, those past a gap included.
    pub turns_held: u32,
    /// The next tick's turn of the peer was asked for and is not there.
    pub stalled: bool,
    /// This phone is paused.
    pub paused: bool,
    /// The peer's newest frame says that it is paused.
    pub peer_paused: bool,
    /// The peer's tick, by its newest frame; `None` before the first.
    pub peer_tick: Option<Tick>,
    /// How well the peer hears this phone, 0…7; `None` before its first frame.
    pub peer_rxq: Option<u8>,
    /// When the peer's last frame was accepted.
    pub last_frame_at: Option<LinkTime>,
    /// Since when there is no new turn of the peer, or since it stopped saying paused if that is later; `None` before
    /// the first call that says what time it is.
    pub waiting_since: Option<LinkTime>,
    /// How long that is by now.
    pub waiting: Duration,
    /// Pieces of orders that are not sealed yet.
    pub queued: usize,
    /// How long the longest-waiting unit or order has waited, ticks.
    pub queued_ticks: u32,
    /// How long orders took so far.
    pub order_delay: OrderDelay,
    /// How many segments the unacknowledged turns are cut into.
    pub segments: usize,
    /// What this phone's frames say of its end.
    pub end: End,
    /// What the peer's frames said of its end.
    pub peer_end: End,
    /// Whether the worlds agree.
    pub verdict: Verdict,
    /// How many ticks this phone could step without hearing anything more, as its newest packet says.
    pub slack: i32,
    /// The same of the peer, by its newest frame; `None` before the first.
    pub peer_slack: Option<i32>,
}

impl LockstepStatus {
    /// The input delay in milliseconds of match time.
    #[must_use]
    pub const fn delay_ms(&self) -> u64 {
        self.delay.ticks() as u64 * TICK_MS
    }

    /// True while the player should be told that orders wait for the link.
    #[must_use]
    pub const fn orders_queued(&self) -> bool {
        self.queued_ticks > QUEUED_TICKS_SHOWN
    }
}
