//! The record of a match: everything needed to play it again, and the hashes to prove it came out the same.

mod error;
pub(crate) mod hashes;
mod log;
pub(crate) mod text;

pub use error::{RECORD_BYTES_MAX, RecordError};
pub(crate) use log::{Log, check};

use crate::{Order, Outcome, SEATS_MAX, Seat, Tick, TickRate, WorldHash};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Version 1 is the duel's: [`crate::duel::BattleRecord`].
const VERSION: u32 = 2;

/// A match written down, whatever its text looks like: what [`replay`](crate::replay) plays.
pub trait Recorded {
    /// What a player can order.
    type Command;

    /// Ticks a second.
    fn rate(&self) -> TickRate;

    /// A hash was kept before the first tick and after every so many.
    fn hash_every(&self) -> u32;

    /// How many ticks were stepped.
    fn ticks(&self) -> Tick;

    /// The result; `None` for a match that was broken off.
    fn outcome(&self) -> Option<Outcome>;

    /// The turns that hold commands, counted from 0: by tick, the lowest seat's first. `None` past the last.
    fn turn(&self, nth: usize) -> Option<(Tick, Seat, &[Self::Command])>;

    /// The hashes kept, by how many ticks had been stepped.
    fn hashes(&self) -> &[(Tick, WorldHash)];
}

/// What a record says of a match before its first tick. `S` is the game's setup: whatever decides the world at tick 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MatchHeader<S> {
    /// The game's name, so that another game's record is refused.
    pub game: String,
    /// The build all machines ran: a digest of the game.
    #[serde(with = "hashes::one")]
    pub build: WorldHash,
    /// Ticks a second.
    pub rate: TickRate,
    /// How many seats there are, 1 to [`SEATS_MAX`].
    pub seats: u8,
    /// A world hash is kept every this many ticks, 1 or more.
    pub hash_every: u32,
    /// What was played.
    pub setup: S,
}

/// One seat's commands of one tick, as stepped: tick, seat, commands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatTurn<C>(pub Tick, pub Seat, pub Vec<C>);

/// A whole match of any game: 1 to [`SEATS_MAX`] seats at any rate. All machines' records of it are equal byte for byte:
/// no timestamp, no local seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    bound(deserialize = "S: DeserializeOwned, C: DeserializeOwned")
)]
pub struct MatchRecord<S, C> {
    v: u32,
    /// What was agreed.
    #[serde(rename = "match")]
    pub header: MatchHeader<S>,
    /// The turns that hold commands, by tick, the lowest seat's first.
    pub turns: Vec<SeatTurn<C>>,
    /// The world hash before the first tick and after every [`MatchHeader::hash_every`] ticks.
    #[serde(with = "hashes")]
    pub hashes: Vec<(Tick, WorldHash)>,
    /// How many ticks were stepped.
    pub ticks: Tick,
    /// The result; `None` for a match that was broken off.
    pub outcome: Option<Outcome>,
}

impl<S: Serialize + DeserializeOwned, C: Serialize + DeserializeOwned> MatchRecord<S, C> {
    /// The record as text: one line of JSON whose last field is a digest of everything before it.
    #[must_use]
    pub fn to_json(&self) -> String {
        text::write(self)
    }

    /// Reads what [`Self::to_json`] wrote and nothing else.
    ///
    /// # Errors
    /// A changed byte, an unknown field or version, a seat that the match does not have, ticks out of order, hashes that
    /// do not go with the ticks.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let record: Self = text::read(text, VERSION)?;
        let (seats, every) = (record.header.seats, record.header.hash_every);
        if !(1..=SEATS_MAX).contains(&seats.into()) {
            return Err(RecordError::Seats { seats });
        }
        if every == 0 {
            return Err(RecordError::NoHashes);
        }
        let foreign = |turn: &&SeatTurn<C>| turn.1.index() >= seats.into();
        if let Some(&SeatTurn(at, seat, _)) = record.turns.iter().find(foreign) {
            return Err(RecordError::NoSeat { seat, at });
        }
        check(&record)?;
        Ok(record)
    }
}

impl<S, C> Recorded for MatchRecord<S, C> {
    type Command = C;

    fn rate(&self) -> TickRate {
        self.header.rate
    }
    fn hash_every(&self) -> u32 {
        self.header.hash_every
    }
    fn ticks(&self) -> Tick {
        self.ticks
    }
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
    fn turn(&self, nth: usize) -> Option<(Tick, Seat, &[C])> {
        let SeatTurn(tick, seat, commands) = self.turns.get(nth)?;
        Some((*tick, *seat, commands))
    }
    fn hashes(&self) -> &[(Tick, WorldHash)] {
        &self.hashes
    }
}

/// Writes a record while a match runs. Grows by the commands stepped and one hash per [`MatchHeader::hash_every`] ticks.
#[derive(Clone, Debug)]
pub struct Recorder<S, C> {
    header: MatchHeader<S>,
    log: Log<C>,
}

impl<S: Clone, C: Clone> Recorder<S, C> {
    /// Starts a record of the world whose hash before its first tick is `start`.
    ///
    /// # Panics
    /// If the header says a hash every 0 ticks.
    #[must_use]
    pub fn new(header: MatchHeader<S>, start: WorldHash) -> Self {
        let log = Log::new(header.hash_every, start);
        Self { header, log }
    }

    /// Adds one stepped tick: its orders (the lowest seat's first) and the hash after it.
    pub fn stepped(&mut self, tick: Tick, orders: &[Order<C>], hash: WorldHash) {
        self.log.stepped(tick, orders, hash);
    }

    /// The record so far, ended with `outcome` (`None`: broken off).
    #[must_use]
    pub fn finish(&self, outcome: Option<Outcome>) -> MatchRecord<S, C> {
        MatchRecord {
            v: VERSION,
            header: self.header.clone(),
            turns: self.log.turns.clone(),
            hashes: self.log.hashes.clone(),
            ticks: self.log.ticks,
            outcome,
        }
    }
}
