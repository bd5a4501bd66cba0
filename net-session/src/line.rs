//! One seat: its inputs, who gives them, and what is predicted where they are missing.

use crate::{
    input_ring::{InputRing, Put},
    wire::{CommitSeat, INPUT_BYTES_MAX, NO_FRAME, NO_MEMBER, fold_input},
};

/// A seat's inputs over time. Frames before `end` are the former owner's; from `end` to before `from` empty; from `from` on
/// `owner`'s.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) ring: InputRing,
    pub(crate) seat: CommitSeat,
    /// Who passes on what is missing before `end`.
    pub(crate) source: u8,
    /// Nothing counts as known from here on, while a change of members is being agreed.
    pub(crate) hold: u32,
    /// Nothing is taken from the owner any more: it is to go.
    pub(crate) frozen: bool,
    /// Of the inputs of all frames that were handed out as confirmed.
    pub(crate) digest: u64,
    predicted: [u8; INPUT_BYTES_MAX],
    predicted_len: u8,
}

impl Line {
    pub(crate) fn new(frames: usize, stride: usize) -> Self {
        Self {
            ring: InputRing::new(frames, stride),
            seat: CommitSeat::NOBODY,
            source: NO_MEMBER,
            hold: NO_FRAME,
            frozen: false,
            digest: 0,
            predicted: [0; INPUT_BYTES_MAX],
            predicted_len: 0,
        }
    }

    /// All frames before this one are known.
    pub(crate) fn known(&self) -> u32 {
        let CommitSeat { end, from, .. } = self.seat;
        if self.ring.next() >= end && from == NO_FRAME {
            self.hold
        } else {
            self.ring.next().min(self.hold)
        }
    }

    /// True if the frame lies between two owners.
    const fn is_empty(&self, frame: u32) -> bool {
        frame >= self.seat.end && frame < self.seat.from
    }

    /// The frame's input, if it is there.
    pub(crate) fn input(&self, frame: u32) -> Option<&[u8]> {
        if self.is_empty(frame) {
            Some(&[])
        } else {
            self.ring.get(frame)
        }
    }

    /// The frame's input if known, else what is predicted for it.
    pub(crate) fn input_or_predicted(&self, frame: u32) -> &[u8] {
        if self.is_empty(frame) {
            &[]
        } else if frame < self.ring.next() {
            self.ring.get(frame).unwrap_or(&[])
        } else {
            self.predicted()
        }
    }

    pub(crate) fn predicted(&self) -> &[u8] {
        &self.predicted[..usize::from(self.predicted_len)]
    }

    /// From now on the newest known input is predicted for all that are missing.
    pub(crate) fn predict_newest(&mut self) {
        let next = self.ring.next();
        let newest = next.checked_sub(1).and_then(|newest| self.ring.get(newest));
        let newest = newest.unwrap_or(&[]);
        self.predicted_len = newest.len() as u8;
        self.predicted[..newest.len()].copy_from_slice(newest);
    }

    /// Keeps an input. `first_wrong` becomes the first frame before `stepped` for which another one was predicted.
    pub(crate) fn put(
        &mut self,
        frame: u32,
        input: &[u8],
        stepped: u32,
        first_wrong: &mut u32,
    ) -> Put {
        let before = self.ring.next();
        let put = self.ring.put(frame, input);
        for known in before..self.ring.next().min(stepped) {
            if self.ring.get(known) != Some(self.predicted()) {
                *first_wrong = known.min(*first_wrong);
                break;
            }
        }
        self.settle();
        put
    }

    /// Once the former owner's inputs are complete, writes down the empty ones behind them.
    pub(crate) fn settle(&mut self) {
        let CommitSeat { end, from, .. } = self.seat;
        if from != NO_FRAME && self.ring.next() >= end && self.ring.next() < from {
            self.ring.fill_to(from);
        }
    }

    /// The seat changes hands as agreed.
    pub(crate) fn commit(
        &mut self,
        seat: CommitSeat,
        source: u8,
        stepped: u32,
        first_wrong: &mut u32,
    ) {
        let was_empty_from = if self.seat.from == NO_FRAME {
            self.seat.end
        } else {
            NO_FRAME
        };
        if seat != self.seat {
            // What lies ahead of a gap came from who is gone: nobody agreed on it.
            self.ring.forget_from(self.ring.next());
        }
        self.seat = seat;
        self.source = source;
        self.hold = NO_FRAME;
        self.frozen = false;
        let empty = seat.end.max(self.ring.next());
        if empty < seat.from.min(stepped).min(was_empty_from) && !self.predicted().is_empty() {
            *first_wrong = empty.min(*first_wrong);
        }
        self.settle();
    }

    /// Folds a confirmed frame into the digest.
    pub(crate) fn digest(&mut self, frame: u32) {
        let input = if self.is_empty(frame) {
            &[][..]
        } else {
            self.ring.get(frame).unwrap_or(&[])
        };
        self.digest = fold_input(self.digest, frame, input);
    }
}
