//! The seam over a match: orders go in, a running match comes out.
//!
//! A game implements [`Game`]; whoever supplies the orders of each tick (a duel over a link, a saved record)
//! implements [`MatchFeed`]; [`Match`] runs the one on the other. This crate knows no link, no codec and no game,
//! reads no clock and stores no file.
//!
//! ```
//! use match_feed::*;
//!
//! /// The smallest game: each side owns a number, and the first to reach 10 wins.
//! #[derive(Default)]
//! struct Race(PerSide<u32>);
//! impl Game for Race {
//!     type Command = u32;
//!     fn step(&mut self, orders: &[Order<u32>]) {
//!         for order in orders { self.0[order.side] += order.command }
//!     }
//!     fn hash(&self) -> WorldHash {
//!         WorldHash::of(&[self.0.blue.to_le_bytes(), self.0.red.to_le_bytes()].concat())
//!     }
//!     fn outcome(&self) -> Option<Outcome> {
//!         Side::BOTH.into_iter().find(|&side| self.0[side] >= 10).map(Outcome::won)
//!     }
//! }
//!
//! let mut race = Race::default();
//! while race.outcome().is_none() {
//!     race.step(&compose_tick(Side::Red, [1], [3])); // red is local: blue's orders still come first
//! }
//! assert_eq!(race.outcome(), Some(Outcome::won(Side::Blue)));
//! ```
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod clock;
mod feed;
mod game;
mod kept;
mod rate;
mod record;
mod replay;
mod score;
mod seat;
mod setup;
mod side;
mod tick;

pub use clock::TickClock;
pub use feed::{Match, MatchFeed, Step};
pub use game::{EndReason, Game, LoadError, Order, Outcome, WorldHash, compose_tick};
pub use kept::{
    BUNDLE_BYTES_MAX, Comparison, DesyncBundle, DesyncWatch, INPUT_LOG_BYTES_MAX, InputDifference,
    InputDigests, InputLog, InputLogReport, InputTrack, KeptError, KeptState, NAME_BYTES_MAX,
    PART_NAME_MAX, PARTS_MAX, PeerReport, PlayedMatch, RING_SECONDS, RingEntry, SETUP_BYTES_MAX,
    TICK_INPUT_BYTES_MAX, TRACK_TICKS_MAX, Ticks, TrackError, WorldDifference, compare_bundles,
    replay_inputs,
};
pub use rate::{TickRate, TickRateError};
pub use record::{
    BattleRecord, HASH_EVERY, RECORD_BYTES_MAX, RecordEnd, RecordError, RecordHeader, RecordTurn,
    Recorder,
};
pub use replay::{HashDifference, ReplayFeed, ReplayReport, replay};
pub use score::{MatchScore, Medium, Score, ScoreBook};
pub use seat::{PerSeat, SEATS_MAX, Seat, SeatError, SeatSet};
pub use setup::{InputDelay, MUTATORS_MAX, MapChoice, MatchSetup};
pub use side::{PerSide, Side};
pub use tick::{TICK_MS, Tick};
