//! What a lockstep starts from, and what it refuses.

use crate::min_capacity_bits;
use link_transport::{FRAME_BITS_MAX, Mode, Plan, capacity_bits, packet_ms};
use match_feed::{
    WorldHash,
    duel::{InputDelay, Side},
};
use versus_codec::{EncodeError, NotEncodable};

/// The most pieces that can wait; more are refused to whoever gives them. Source: ours: at one 96-bit piece a packet
/// this is over a minute and a half of a link that carries nothing else.
pub const PENDING_MAX: usize = 1024;

/// The queue is full: the link has carried nothing for long, or orders come without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{PENDING_MAX} pieces of orders wait already")]
pub struct QueueFull;

/// What a match's two phones agreed, and which of them this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LockstepConfig {
    /// The side this phone commands.
    pub local: Side,
    /// The input delay, the same on both phones.
    pub delay: InputDelay,
    /// The most bits one frame may have: the link's capacity.
    pub capacity_bits: usize,
    /// How long one packet of one's own lasts; see [`Lockstep::set_packet_ms`](crate::Lockstep::set_packet_ms).
    pub packet_ms: u32,
    /// The hash of the world as set up, before any step.
    pub start: WorldHash,
}

impl LockstepConfig {
    /// Over the high plan in robust mode, in which every match starts that has measured nothing better.
    #[must_use]
    pub const fn new(local: Side, delay: InputDelay, start: WorldHash) -> Self {
        Self {
            local,
            delay,
            capacity_bits: capacity_bits(Plan::High),
            packet_ms: packet_ms(Plan::High, Mode::Robust),
            start,
        }
    }

    /// Sets [`Self::local`].
    #[must_use]
    pub const fn with_local(mut self, local: Side) -> Self {
        self.local = local;
        self
    }

    /// Sets [`Self::delay`].
    #[must_use]
    pub const fn with_delay(mut self, delay: InputDelay) -> Self {
        self.delay = delay;
        self
    }

    /// Sets [`Self::capacity_bits`].
    #[must_use]
    pub const fn with_capacity_bits(mut self, capacity_bits: usize) -> Self {
        self.capacity_bits = capacity_bits;
        self
    }

    /// Sets [`Self::packet_ms`].
    #[must_use]
    pub const fn with_packet_ms(mut self, packet_ms: u32) -> Self {
        self.packet_ms = packet_ms;
        self
    }

    /// Sets [`Self::start`].
    #[must_use]
    pub const fn with_start(mut self, start: WorldHash) -> Self {
        self.start = start;
        self
    }

    pub(crate) const fn check(&self) -> Result<(), LockstepError> {
        let (capacity_bits, delay) = (self.capacity_bits, self.delay);
        let min = min_capacity_bits(delay);
        if capacity_bits < min {
            return Err(LockstepError::CapacityTooSmall {
                capacity_bits,
                min,
                delay,
            });
        }
        if capacity_bits > FRAME_BITS_MAX {
            return Err(LockstepError::CapacityTooLarge { capacity_bits });
        }
        Ok(())
    }
}

/// A lockstep that cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LockstepError {
    /// Some command might never fit.
    #[error("a capacity of {capacity_bits} bits: an input delay of {} takes at least {min}", delay.ticks())]
    CapacityTooSmall {
        /// The capacity given.
        capacity_bits: usize,
        /// The least that works; see [`min_capacity_bits`].
        min: usize,
        /// The delay given.
        delay: InputDelay,
    },
    /// No frame can be that long.
    #[error("a capacity of {capacity_bits} bits: a frame has at most {FRAME_BITS_MAX}")]
    CapacityTooLarge {
        /// The capacity given.
        capacity_bits: usize,
    },
}

/// A command that will not be sent. Nothing of it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GiveError {
    /// The codec refuses it.
    #[error("not encodable: {0}")]
    NotEncodable(#[from] NotEncodable),
    /// The codec calls it canonical, but cannot write it.
    #[error("not encodable: {0}")]
    Encode(#[from] EncodeError),
    /// Too much waits already.
    #[error(transparent)]
    QueueFull(#[from] QueueFull),
}
