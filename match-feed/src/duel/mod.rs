//! What only a duel has: two sides, openers, an input delay, ten ticks a second, a score, and the battle record.
//!
//! A duel is a match of two seats: blue is seat 0, red is seat 1. Its game is a [`Game`](crate::Game) like any other.
//!
//! ```
//! use match_feed::{Game, Order, Outcome, WorldHash, duel::*};
//!
//! /// The smallest duel: each side owns a number, and the first to reach 10 wins.
//! #[derive(Default)]
//! struct Race(PerSide<u32>);
//! impl Game for Race {
//!     type Command = u32;
//!     fn step(&mut self, orders: &[Order<u32>]) {
//!         for order in orders {
//!             if let Some(side) = order.side() { self.0[side] += order.command }
//!         }
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

mod catalogue;
mod outcome;
mod record;
mod score;
mod setup;
mod side;

pub use catalogue::{Catalogue, MAP_SIDE_MAX, MapSize};
pub use outcome::{DuelOutcome, NotADuelOutcome};
pub use record::{BattleRecord, BattleRecorder, HASH_EVERY, RecordEnd, RecordHeader, RecordTurn};
pub use score::{MatchScore, Medium, Score, ScoreBook};
pub use setup::{InputDelay, MUTATORS_MAX, MapChoice, MatchSetup};
pub use side::{PerSide, Side, compose_tick};

use crate::{Tick, TickRate};

/// Ticks a second. Source: the specification's "Decisions", row "Network model".
pub const TICK_RATE: TickRate = TickRate::new(10).expect("1 to 240");

/// How long a tick lasts at normal speed, milliseconds.
pub const TICK_MS: u64 = 1000 / TICK_RATE.hz() as u64;
const _: () = assert!(
    TICK_MS * TICK_RATE.hz() as u64 == 1000,
    "a duel's tick is whole"
);

/// Match time at the start of a duel's `tick`, milliseconds.
#[must_use]
pub const fn start_ms(tick: Tick) -> u64 {
    tick.0 as u64 * TICK_MS
}
