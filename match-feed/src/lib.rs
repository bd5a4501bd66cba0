//! The seam over a match: orders go in, a running match comes out.
//!
//! A game implements [`Game`]; whoever supplies the orders of each tick (a duel over a link, a session over the
//! internet, a saved record) implements [`MatchFeed`]; [`Match`] runs the one on the other. A match has 1 to
//! [`SEATS_MAX`] seats and runs at a [`TickRate`] of its own. What only a duel of two sides over sound has lies in
//! [`duel`]. This crate knows no link, no codec and no game, reads no clock and stores no file.
//!
//! ```
//! use match_feed::*;
//!
//! /// The smallest game: each seat owns a number, and the first to reach 10 wins.
//! struct Race(PerSeat<u32>);
//! impl Game for Race {
//!     type Command = u32;
//!     fn step(&mut self, orders: &[Order<u32>]) {
//!         for order in orders {
//!             if let Some(run) = self.0.get_mut(order.seat) { *run += order.command }
//!         }
//!     }
//!     fn hash(&self) -> WorldHash {
//!         WorldHash::of(&self.0.iter().flat_map(|(_, run)| run.to_le_bytes()).collect::<Vec<_>>())
//!     }
//!     fn outcome(&self) -> Option<Outcome> {
//!         self.0.iter().find(|&(_, &run)| run >= 10).map(|(seat, _)| Outcome::won(seat))
//!     }
//! }
//!
//! let seats = [0, 1, 2].map(|index| Seat::new(index).expect("0 to 7"));
//! let mut race = Race(PerSeat::from_fn(seats.len(), |_| 0).expect("1 to 8 seats"));
//! while race.outcome().is_none() {
//!     race.step(&seats.map(|seat| Order { seat, command: 1 + seat.index() as u32 })); // lowest seat first
//! }
//! assert_eq!(race.outcome(), Some(Outcome::won(seats[2])));
//! ```
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod clock;
pub mod duel;
mod feed;
mod game;
mod kept;
mod outcome;
mod rate;
mod record;
mod replay;
mod seat;
mod tick;

pub use clock::TickClock;
pub use feed::{HostTime, Match, MatchFeed, Step};
pub use game::{Game, LoadError, Order, SaveError, WorldHash};
pub use kept::{
    BUNDLE_BYTES_MAX, Comparison, DesyncBundle, DesyncWatch, INPUT_LOG_BYTES_MAX, InputDifference,
    InputDigests, InputLog, InputLogReport, InputTrack, KeptError, KeptState, NAME_BYTES_MAX,
    PART_NAME_MAX, PARTS_MAX, PeerReport, PlayedMatch, RING_SECONDS, RingEntry, SETUP_BYTES_MAX,
    TICK_INPUT_BYTES_MAX, TRACK_TICKS_MAX, Ticks, TrackError, WorldDifference, compare_bundles,
    replay_inputs,
};
pub use outcome::{EndReason, Outcome};
pub use rate::{TickRate, TickRateError};
pub use record::{
    MatchHeader, MatchRecord, RECORD_BYTES_MAX, RecordError, Recorded, Recorder, SeatTurn,
};
pub use replay::{HashDifference, ReplayFeed, ReplayReport, replay};
pub use seat::{PerSeat, SEATS_MAX, Seat, SeatError, SeatSet};
pub use tick::Tick;
