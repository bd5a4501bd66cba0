//! One's own turns that the peer may not hold yet, cut into segments that each fit a frame.

use crate::{
    fit::{Fit, turn_bits_max},
    turn::{Turn, TurnRing},
};
use match_feed::duel::InputDelay;

/// The most segments there can be, whatever the input delay.
pub const SEGMENTS_MAX: usize = 4;

/// Turns kept on either side. One's own range from the oldest the peer may lack, D + 2 before the current tick, to
/// D past it; the peer's from the current tick to 2D + 1 past it.
pub(crate) const TURNS_KEPT: usize = 32;
const _: () = assert!(2 * InputDelay::MAX.ticks() as usize + 4 <= TURNS_KEPT);

/// Consecutive turns that go out in one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Its first turn as cut. Acks never move it: a moved key would make the rotation send it twice in a row.
    pub(crate) key: u32,
    /// Its last turn.
    pub(crate) end: u32,
}

/// Where a newly sealed turn goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Into the newest segment.
    Join,
    /// Into a segment of its own.
    Start,
}

/// The sender's side of the turn window. Source: the specification's "Window rule" and "Segments and rotation".
#[derive(Clone, Debug)]
pub(crate) struct Window {
    delay: InputDelay,
    capacity_bits: usize,
    turns: TurnRing<TURNS_KEPT>,
    newest_sealed: u32,
    peer_ack: u32,
    /// Never empty: with everything acknowledged, the newest turn is still described.
    segments: heapless::Vec<Segment, SEGMENTS_MAX>,
}

impl Window {
    pub(crate) fn new(delay: InputDelay, capacity_bits: usize) -> Self {
        let newest = delay.ticks() - 1;
        let mut segments = heapless::Vec::new();
        let first = Segment {
            key: newest,
            end: newest,
        };
        segments.push(first).expect("SEGMENTS_MAX is not 0");
        Self {
            delay,
            capacity_bits,
            turns: TurnRing::with_empty_before(delay.ticks()),
            newest_sealed: newest,
            peer_ack: newest,
            segments,
        }
    }

    pub(crate) const fn newest_sealed(&self) -> u32 {
        self.newest_sealed
    }

    pub(crate) const fn peer_ack(&self) -> u32 {
        self.peer_ack
    }

    pub(crate) const fn turn_bits_max(&self) -> usize {
        turn_bits_max(self.capacity_bits)
    }

    pub(crate) fn turn(&self, number: u32) -> Option<&Turn> {
        self.turns.find(number)
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// True while more than one segment waits for acknowledgement.
    pub(crate) fn rotates(&self) -> bool {
        self.segments.len() > 1
    }

    /// The turns that a segment's frame describes: what the peer is not known to hold, or the newest turn.
    pub(crate) fn described(&self, segment: Segment) -> (u32, u32) {
        let oldest = (self.peer_ack + 1).min(self.newest_sealed);
        (segment.key.max(oldest), segment.end)
    }

    /// Where the next turn fits, if it is `turn`; `None` if nowhere. An empty turn always joins.
    pub(crate) fn place(&self, turn: &Turn, may_start: bool) -> Option<Place> {
        let number = self.newest_sealed + 1;
        let newest = self.newest();
        let fits = |fit: Fit| self.fits(fit, number, turn);
        let mut joined = Fit::new(self.delay, newest.key.max(self.peer_ack + 1).min(number));
        for (older, held) in self.with_commands(joined.from(), newest.end) {
            joined.add(older, held.commands(), held.bits().len());
        }
        if turn.is_empty() || fits(joined) {
            Some(Place::Join)
        } else if may_start && fits(Fit::new(self.delay, number)) {
            Some(Place::Start)
        } else {
            None
        }
    }

    fn fits(&self, mut fit: Fit, number: u32, turn: &Turn) -> bool {
        fit.add(number, turn.commands(), turn.bits().len());
        fit.bits(number) <= self.capacity_bits
    }

    /// The turns from `from` to `to` that have commands.
    pub(crate) fn with_commands(&self, from: u32, to: u32) -> impl Iterator<Item = (u32, &Turn)> {
        (from..=to).filter_map(|number| {
            let turn = self.turns.find(number).filter(|turn| !turn.is_empty());
            turn.map(|turn| (number, turn))
        })
    }

    /// Seals the next turn.
    pub(crate) fn seal(&mut self, turn: Turn, place: Place) {
        let number = self.newest_sealed + 1;
        self.turns.put(number, turn);
        self.newest_sealed = number;
        let started = place == Place::Start
            && self
                .segments
                .push(Segment {
                    key: number,
                    end: number,
                })
                .is_ok();
        if !started && let Some(newest) = self.segments.last_mut() {
            newest.end = number;
        }
    }

    /// The peer holds one's turns through `ack`. True if that is news.
    pub(crate) fn acknowledge(&mut self, ack: u32) -> bool {
        debug_assert!(ack <= self.newest_sealed);
        if ack <= self.peer_ack {
            return false;
        }
        self.peer_ack = ack;
        let newest = self.newest();
        self.segments
            .retain(|segment| segment.end > ack || *segment == newest);
        true
    }

    /// The peer holds one's turns through `ack` and no further, whatever it was believed to. False, and nothing has
    /// changed, if the turns since are no longer kept or do not fit in [`SEGMENTS_MAX`] segments.
    pub(crate) fn rewind(&mut self, ack: u32) -> bool {
        let oldest = (ack + 1).min(self.newest_sealed);
        if (oldest..=self.newest_sealed).any(|number| self.turns.find(number).is_none()) {
            return false;
        }
        let mut segments = heapless::Vec::new();
        let mut next = Segment {
            key: oldest,
            end: oldest,
        };
        let mut fit = Fit::new(self.delay, oldest);
        for number in oldest..=self.newest_sealed {
            let turn = self.turns.find(number).copied().unwrap_or(Turn::EMPTY);
            let mut longer = fit;
            if !turn.is_empty() {
                longer.add(number, turn.commands(), turn.bits().len());
            }
            if longer.bits(number) > self.capacity_bits && number > next.key {
                if segments.push(next).is_err() {
                    return false;
                }
                next.key = number;
                fit = Fit::new(self.delay, number);
                if !turn.is_empty() {
                    fit.add(number, turn.commands(), turn.bits().len());
                }
            } else {
                fit = longer;
            }
            next.end = number;
        }
        if segments.push(next).is_err() {
            return false;
        }
        (self.segments, self.peer_ack) = (segments, ack);
        true
    }

    fn newest(&self) -> Segment {
        *self.segments.last().expect("never empty")
    }
}
