//! What a session asks of its host, tells it, and ends with.

use crate::{
    Frame,
    wire::{INPUT_BYTES_MAX, Mismatch, SEATS_MAX},
};
use match_feed::{Seat, SeatSet};

/// How a step's inputs came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct StepFlags {
    /// Not all inputs are known: the frame may be stepped again with others.
    pub predicted: bool,
    /// The frame was stepped before, with other inputs.
    pub resimulated: bool,
    /// All inputs are known: the frame will never be stepped again. The opposite of `predicted`.
    pub confirmed: bool,
}

/// One frame's inputs by seat.
#[derive(Clone, Debug)]
pub struct StepInputs {
    pub(crate) bytes: [[u8; INPUT_BYTES_MAX]; SEATS_MAX],
    pub(crate) lengths: [u8; SEATS_MAX],
    pub(crate) seats: u8,
}

impl StepInputs {
    pub(crate) const fn new(seats: u8) -> Self {
        Self {
            bytes: [[0; INPUT_BYTES_MAX]; SEATS_MAX],
            lengths: [0; SEATS_MAX],
            seats,
        }
    }

    pub(crate) fn set(&mut self, seat: usize, input: &[u8]) {
        self.lengths[seat] = input.len() as u8;
        self.bytes[seat][..input.len()].copy_from_slice(input);
    }

    /// The seat's input, 0 to 64 bytes; empty is neutral, and so is a seat that the match has not.
    #[must_use]
    pub fn seat(&self, seat: Seat) -> &[u8] {
        let at = seat.index();
        &self.bytes[at][..usize::from(self.lengths[at])]
    }

    /// All seats' inputs, lowest seat first.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &[u8])> {
        Seat::all(usize::from(self.seats)).map(|seat| (seat, self.seat(seat)))
    }
}

/// What the host is to do next, in this order and at once.
#[derive(Debug)]
#[non_exhaustive]
pub enum Request<'a> {
    /// Keep the game's state as that before `frame`. At most `prediction + 2` states are asked for again. Rollback only.
    Save {
        /// The position.
        frame: Frame,
    },
    /// Go back to the state saved for `frame`. Rollback only.
    Load {
        /// The position.
        frame: Frame,
    },
    /// Step the game by one frame.
    Step {
        /// Which.
        frame: Frame,
        /// Its inputs.
        inputs: &'a StepInputs,
        /// How they came about.
        flags: StepFlags,
    },
    /// Hash the game's state now and call `Session::put_hash`. A host that writes desync bundles keeps the state too, until
    /// `Session::agreed` passes it: the newest agreed one stays. May be asked again for the same frame after a `Load`.
    Hash {
        /// The position.
        frame: Frame,
    },
    /// Write the game's state down and call `Session::put_snapshot`. May be asked again for the same frame after a `Load`.
    Snapshot {
        /// The position.
        frame: Frame,
    },
    /// Read the game's state from `state`, which another member wrote. If it cannot be read, leave the match.
    Restore {
        /// The position.
        frame: Frame,
        /// What its host gave to `Session::put_snapshot`.
        state: &'a [u8],
    },
    /// All inputs of `frame` are known, and the frame is stepped with them: write it to the log. Every frame comes once, in
    /// order; after a `Restore` from its frame on.
    Confirmed {
        /// Which.
        frame: Frame,
        /// Its inputs.
        inputs: &'a StepInputs,
    },
}

/// Why a member went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// Its player left.
    Left,
    /// The connection closed or broke.
    Lost,
    /// It said nothing for 5 s.
    Silent,
    /// It sent what nobody honest sends.
    Garbage,
    /// The others agreed on it; this end still heard it.
    Agreed,
}

/// How a session ended. Texts are the host's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The match was played to its end, and all members hold the same hash for it.
    Ended {
        /// The position at which the game ended.
        frame: Frame,
    },
    /// Another player went, and the match does not go on without it.
    Gone {
        /// Its lowest seat.
        member: u8,
        /// Why.
        cause: Cause,
    },
    /// This end's player left.
    YouLeft,
    /// The others went on without this end, or it is in the smaller part of a match that fell apart.
    Cut,
    /// The state before `frame` differs between members. `Session::desync` says how.
    Desync {
        /// The position.
        frame: Frame,
    },
    /// The games do not fit.
    Version {
        /// In what.
        what: Mismatch,
        /// Whose: the other member's number as it said.
        member: u8,
    },
    /// Not everyone could be reached within the time for it.
    NoPath,
    /// No seat or place, or a token that is not the one.
    Refused,
}

/// What happened. In the order in which it happened; at most 64 wait, and older ones make room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Everyone is there and agrees; `Session::seed` and `Session::setup` hold the host's. Make the game before the first
    /// step.
    Agreed,
    /// The match runs, or this end has caught up with it and its seats are alive.
    Going,
    /// The input delay is another from `frame` on.
    Delay {
        /// Frames.
        frames: u8,
        /// From when on.
        frame: Frame,
    },
    /// A player is out; its seats' inputs are its own up to before `frame`.
    Dropped {
        /// Its number.
        member: u8,
        /// Why, as this end saw it.
        cause: Cause,
    },
    /// Seats are empty or a bot's from `frame` on.
    SeatEnded {
        /// Which.
        seat: Seat,
        /// From when on.
        frame: Frame,
    },
    /// This end gives these seats' inputs from now on: let a bot play them.
    BotSeats {
        /// Which.
        seats: SeatSet,
    },
    /// A player comes in.
    Joined {
        /// Its number.
        member: u8,
        /// Its seats.
        seats: SeatSet,
        /// Its first frame.
        frame: Frame,
    },
    /// A player is away (or back): its inputs are neutral.
    Away {
        /// Its number.
        member: u8,
        /// Away or back.
        away: bool,
    },
    /// Hashes of the state before `frame` agree among all.
    HashesAgree {
        /// The position.
        frame: Frame,
    },
    /// The session is over: `Session::outcome`.
    Over,
}
