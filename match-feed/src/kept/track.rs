//! The inputs of all seats over a stretch of ticks, kept as what changed.

use super::bytes::{KeptError, Reader, Writer};
use crate::{SEATS_MAX, Seat, Tick};
use alloc::vec::Vec;

/// The longest input of one seat in one tick, bytes.
pub const TICK_INPUT_BYTES_MAX: usize = 4_096;
/// The most ticks of a track: a day at the fastest rate.
pub const TRACK_TICKS_MAX: u32 = 24 * 3_600 * 240;
/// Tick, seat and length.
const CHANGE_BYTES: usize = 7;

/// An input that cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrackError {
    /// Ticks are kept in order, none left out.
    #[error("tick {given} was given where tick {expected} comes next")]
    Order {
        /// The tick given.
        given: Tick,
        /// The tick that comes next.
        expected: Tick,
    },
    /// Too few seats, or too many.
    #[error("{given} seats' inputs were given in a match of {expected}")]
    Seats {
        /// How many were given.
        given: usize,
        /// How many there are.
        expected: usize,
    },
    /// An input that is too long.
    #[error("an input of {bytes} bytes: the longest has {TICK_INPUT_BYTES_MAX}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The file would get too long.
    #[error("the inputs take {max} bytes already")]
    Full {
        /// How many may be taken.
        max: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    tick: Tick,
    seat: Seat,
    start: usize,
    length: usize,
}

/// The inputs of every seat from one tick to another. An input holds until another takes its place; before the first, each
/// seat's is empty, which is neutral. So a pad that is held costs nothing, and an order costs itself and the return to none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputTrack {
    seats: u8,
    from: Tick,
    end: Tick,
    changes: Vec<Change>,
    bytes: Vec<u8>,
    bytes_max: usize,
    /// Each seat's newest change.
    newest: [Option<Change>; SEATS_MAX],
}

impl InputTrack {
    /// The inputs of `seats` seats, 1 to [`SEATS_MAX`], from the tick `from` on; at most `bytes_max` bytes of a file.
    #[must_use]
    pub fn new(seats: u8, from: Tick, bytes_max: usize) -> Self {
        assert!(
            (1..=SEATS_MAX).contains(&usize::from(seats)),
            "1 to 8 seats"
        );
        Self {
            seats,
            from,
            end: from,
            changes: Vec::new(),
            bytes: Vec::new(),
            bytes_max,
            newest: [None; SEATS_MAX],
        }
    }

    /// The first tick.
    #[must_use]
    pub const fn from(&self) -> Tick {
        self.from
    }

    /// The tick after the last.
    #[must_use]
    pub const fn end(&self) -> Tick {
        self.end
    }

    /// How many seats.
    #[must_use]
    pub const fn seats(&self) -> u8 {
        self.seats
    }

    /// Adds the inputs of the next tick, one a seat, the lowest seat's first.
    ///
    /// # Errors
    /// Another tick than the next, another number of seats, an input that is too long, or no room: then nothing is added.
    pub fn push(&mut self, tick: Tick, inputs: &[&[u8]]) -> Result<(), TrackError> {
        if tick != self.end {
            return Err(TrackError::Order {
                given: tick,
                expected: self.end,
            });
        }
        if inputs.len() != usize::from(self.seats) {
            return Err(TrackError::Seats {
                given: inputs.len(),
                expected: self.seats.into(),
            });
        }
        if let Some(input) = inputs
            .iter()
            .find(|input| input.len() > TICK_INPUT_BYTES_MAX)
        {
            return Err(TrackError::TooLong { bytes: input.len() });
        }
        let changed = Seat::all(inputs.len())
            .zip(inputs)
            .filter(|(seat, input)| self.newest(*seat) != **input);
        let more: usize = changed.map(|(_, input)| CHANGE_BYTES + input.len()).sum();
        let bytes = self.changes.len() * CHANGE_BYTES + self.bytes.len();
        if bytes + more > self.bytes_max
            || tick.0 - self.from.0 >= TRACK_TICKS_MAX
            || tick.0 == u32::MAX
        {
            return Err(TrackError::Full {
                max: self.bytes_max,
            });
        }
        for (seat, input) in Seat::all(inputs.len()).zip(inputs) {
            if self.newest(seat) != *input {
                self.add(tick, seat, input);
            }
        }
        self.end = tick.next();
        Ok(())
    }

    /// Forgets what lies before `tick`, which becomes the first.
    pub fn drop_before(&mut self, tick: Tick) {
        let tick = tick.clamp(self.from, self.end);
        let mut kept = Self::new(self.seats, tick, self.bytes_max);
        // A seat's last change before it is what it holds then.
        let mut held = [None; SEATS_MAX];
        for change in self.changes.iter().take_while(|it| it.tick <= tick) {
            held[change.seat.index()] = Some(change).filter(|it| it.length > 0 && tick < self.end);
        }
        for change in held.into_iter().flatten() {
            kept.add(tick, change.seat, self.input(change));
        }
        for change in self.changes.iter().filter(|it| it.tick > tick) {
            kept.add(change.tick, change.seat, self.input(change));
        }
        kept.end = self.end;
        *self = kept;
    }

    /// Every tick and its inputs, one a seat, the lowest seat's first.
    #[must_use]
    pub fn ticks(&self) -> Ticks<'_> {
        Ticks {
            track: self,
            tick: self.from,
            next: 0,
            held: [&[]; SEATS_MAX],
        }
    }

    fn add(&mut self, tick: Tick, seat: Seat, input: &[u8]) {
        let change = Change {
            tick,
            seat,
            start: self.bytes.len(),
            length: input.len(),
        };
        self.changes.push(change);
        self.bytes.extend(input);
        self.newest[seat.index()] = Some(change);
    }

    fn input(&self, change: &Change) -> &[u8] {
        &self.bytes[change.start..change.start + change.length]
    }

    fn newest(&self, seat: Seat) -> &[u8] {
        let newest = self.newest[seat.index()].as_ref();
        newest.map_or(&[], |change| self.input(change))
    }

    pub(super) fn write(&self, to: &mut Writer) {
        to.u32(self.from.0);
        to.u32(self.end.0);
        to.count(self.changes.len());
        for change in &self.changes {
            to.u32(change.tick.0);
            to.u8(change.seat.into());
            to.u16(change.length as u16);
            to.bytes(self.input(change));
        }
    }

    pub(super) fn read(from: &mut Reader, seats: u8, bytes_max: usize) -> Result<Self, KeptError> {
        let mut track = Self::new(seats, Tick(from.u32("first tick")?), bytes_max);
        track.end = Tick(from.u32("last tick")?);
        if track.end < track.from || track.end.0 - track.from.0 > TRACK_TICKS_MAX {
            return Err(from.range("last tick"));
        }
        let mut last = None;
        for _ in 0..from.count("number of inputs", CHANGE_BYTES)? {
            let tick = Tick(from.u32("input's tick")?);
            let seat = Seat::new(from.u8("input's seat")?).ok_or(from.range("input's seat"))?;
            let length = usize::from(from.u16("input's length")?);
            let this = Some((tick, seat));
            let legal = (track.from..track.end).contains(&tick)
                && seat.index() < usize::from(seats)
                && this > last
                && length <= TICK_INPUT_BYTES_MAX;
            if !legal {
                return Err(from.range("input"));
            }
            last = this;
            let input = from.bytes("input", length)?;
            if track.newest(seat) == input {
                return Err(from.range("input that changes nothing"));
            }
            track.add(tick, seat, input);
        }
        Ok(track)
    }
}

/// Iterates over the ticks of an [`InputTrack`].
#[derive(Clone, Debug)]
pub struct Ticks<'a> {
    track: &'a InputTrack,
    tick: Tick,
    next: usize,
    held: [&'a [u8]; SEATS_MAX],
}

impl<'a> Ticks<'a> {
    /// The next tick and its inputs, or `None` after the last.
    pub fn next_tick(&mut self) -> Option<(Tick, &[&'a [u8]])> {
        if self.tick >= self.track.end {
            return None;
        }
        let tick = self.tick;
        while let Some(change) = self
            .track
            .changes
            .get(self.next)
            .filter(|it| it.tick <= tick)
        {
            self.held[change.seat.index()] = self.track.input(change);
            self.next += 1;
        }
        self.tick = tick.next();
        Some((tick, &self.held[..usize::from(self.track.seats)]))
    }
}
