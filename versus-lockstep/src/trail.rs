//! The hash trail: one number that tells two histories apart, and its checkpoints.

use crate::{CHECKPOINT_EVERY, TrailMark};
use link_transport::LinkTime;
use match_feed::{Tick, WorldHash};

/// How many of one's own checkpoints are kept: a peer is never further away than a few ticks.
const CHECKPOINTS_KEPT: usize = 8;
const TRAIL_START: u32 = 0x811C_9DC5;
const TRAIL_PRIME: u32 = 0x0100_0193;

/// The trail folded over every world hash so far. Source: the specification's "Hash trail and the end of the match".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trail(u32);

impl Trail {
    /// The trail of a world that is set up and not stepped.
    #[must_use]
    pub const fn new(start: WorldHash) -> Self {
        Self(TRAIL_START).then(start)
    }

    /// The trail one world later.
    #[must_use]
    pub const fn then(self, world: WorldHash) -> Self {
        Self((self.0 ^ world.low32()).wrapping_mul(TRAIL_PRIME))
    }

    /// All 32 bits.
    #[must_use]
    pub const fn value(self) -> u32 {
        self.0
    }

    /// What frames carry of it.
    #[must_use]
    pub const fn low16(self) -> u16 {
        self.0 as u16
    }
}

/// The trail after tick `tick`, shortened for the wire.
pub(crate) const fn mark(tick: Tick, trail: Trail) -> TrailMark {
    TrailMark {
        tick,
        trail: trail.low16(),
    }
}

/// One's own newest checkpoints.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checkpoints {
    kept: heapless::Deque<TrailMark, CHECKPOINTS_KEPT>,
}

impl Checkpoints {
    /// `tick` was stepped, and the trail is now `trail`.
    pub(crate) fn stepped(&mut self, tick: Tick, trail: Trail) {
        if !tick.0.is_multiple_of(CHECKPOINT_EVERY) {
            return;
        }
        if self.kept.is_full() {
            self.kept.pop_front();
        }
        let pushed = self.kept.push_back(mark(tick, trail));
        debug_assert!(pushed.is_ok(), "room was made");
    }

    pub(crate) fn newest(&self) -> Option<TrailMark> {
        self.kept.back().copied()
    }

    /// The trail kept for `tick`; `None` if it is no checkpoint, too old, or not stepped yet.
    pub(crate) fn at(&self, tick: Tick) -> Option<u16> {
        let found = self.kept.iter().find(|mark| mark.tick == tick);
        found.map(|mark| mark.trail)
    }
}

/// The peer's newest checkpoint, and whether two packets have said it.
///
/// A checkpoint that one packet alone says may be a damaged packet's that passed its CRC; the peer repeats a true
/// one in every packet of five seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Witnessed {
    mark: TrailMark,
    since: LinkTime,
    twice: bool,
}

impl Witnessed {
    /// What is held once a frame says `mark`: the newest checkpoint, as the last frame with it has it.
    pub(crate) fn hear(held: Option<Self>, now: LinkTime, mark: TrailMark) -> Self {
        match held {
            Some(held) if held.mark == mark => Self {
                twice: held.twice || now > held.since,
                ..held
            },
            Some(held) if held.mark.tick > mark.tick => held,
            _ => Self {
                mark,
                since: now,
                twice: false,
            },
        }
    }

    /// The tick after which the worlds are known to differ, if they are.
    pub(crate) fn differs_from(self, own: &Checkpoints) -> Option<Tick> {
        let Self { mark, twice, .. } = self;
        let differs = own.at(mark.tick).is_some_and(|own| own != mark.trail);
        (differs && twice).then_some(mark.tick)
    }
}
