//! The battle record: everything needed to play a duel again, and the hashes to prove it came out the same.

use super::{DuelOutcome, InputDelay, MatchSetup, PerSide, Side, TICK_RATE};
use crate::{
    Order, Outcome, RecordError, Recorded, Seat, SeatTurn, Tick, TickRate, WorldHash,
    record::{Log, check, hashes, text},
};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A world hash is kept every this many ticks.
pub const HASH_EVERY: u32 = 100;

const VERSION: u32 = 1;
/// What a record says of a match before its first tick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordHeader {
    /// The game's name, so that another game's record is refused.
    pub game: String,
    /// The build both phones ran.
    pub build: u16,
    /// What was played.
    pub setup: MatchSetup,
    /// The input delay, ticks.
    pub delay: InputDelay,
    /// Who played each side: `host` or `guest`.
    pub seats: PerSide<String>,
}

/// One side's commands of one tick, as stepped: tick, side, commands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordTurn<C>(pub Tick, pub Side, pub Vec<C>);

/// How a recorded match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordEnd {
    /// How many ticks were stepped.
    pub ticks: Tick,
    /// The result; `None` for a match that was aborted.
    pub outcome: Option<DuelOutcome>,
}

/// A whole match. Both phones' records of it are equal byte for byte: no timestamp, no local side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    bound(deserialize = "C: DeserializeOwned")
)]
pub struct BattleRecord<C> {
    v: u32,
    /// What was agreed.
    #[serde(rename = "match")]
    pub header: RecordHeader,
    /// The turns that hold commands, by tick, blue's before red's.
    pub turns: Vec<RecordTurn<C>>,
    /// The world hash before the first tick and after every [`HASH_EVERY`] ticks.
    #[serde(with = "hashes")]
    pub hashes: Vec<(Tick, WorldHash)>,
    /// How it ended.
    pub end: RecordEnd,
}

impl<C: Serialize + DeserializeOwned> BattleRecord<C> {
    /// The record as text: one line of JSON whose last field is a digest of everything before it.
    #[must_use]
    pub fn to_json(&self) -> String {
        text::write(self)
    }

    /// Reads what [`Self::to_json`] wrote and nothing else.
    ///
    /// # Errors
    /// A changed byte, an unknown field or version, ticks out of order, hashes that do not go with the ticks.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let record: Self = text::read(text, VERSION)?;
        check(&record)?;
        Ok(record)
    }

    /// As [`Self::parse`], but believes a text that was changed. For finding out what a change did.
    ///
    /// # Errors
    /// As [`Self::parse`], but for [`RecordError::Changed`].
    pub fn parse_unchecked(text: &str) -> Result<Self, RecordError> {
        let record: Self = text::read_unchecked(text, VERSION)?;
        check(&record)?;
        Ok(record)
    }
}

impl<C> Recorded for BattleRecord<C> {
    type Command = C;

    fn rate(&self) -> TickRate {
        TICK_RATE
    }
    fn hash_every(&self) -> u32 {
        HASH_EVERY
    }
    fn ticks(&self) -> Tick {
        self.end.ticks
    }
    fn outcome(&self) -> Option<Outcome> {
        self.end.outcome.map(Outcome::from)
    }
    fn turn(&self, nth: usize) -> Option<(Tick, Seat, &[C])> {
        let RecordTurn(tick, side, commands) = self.turns.get(nth)?;
        Some((*tick, side.seat(), commands))
    }
    fn hashes(&self) -> &[(Tick, WorldHash)] {
        &self.hashes
    }
}

/// Writes a record while a match runs. Grows by the commands stepped and one hash per [`HASH_EVERY`] ticks.
#[derive(Clone, Debug)]
pub struct BattleRecorder<C> {
    header: RecordHeader,
    log: Log<C>,
}

impl<C: Clone> BattleRecorder<C> {
    /// Starts a record of the world whose hash before its first tick is `start`.
    #[must_use]
    pub fn new(header: RecordHeader, start: WorldHash) -> Self {
        Self {
            header,
            log: Log::new(HASH_EVERY, start),
        }
    }

    /// Adds one stepped tick: its orders (blue's first) and the hash after it.
    pub fn stepped(&mut self, tick: Tick, orders: &[Order<C>], hash: WorldHash) {
        debug_assert!(
            orders.iter().all(|order| order.side().is_some()),
            "a duel has two seats"
        );
        self.log.stepped(tick, orders, hash);
    }

    /// The record so far, ended with `outcome` (`None`: aborted).
    #[must_use]
    pub fn finish(&self, outcome: Option<DuelOutcome>) -> BattleRecord<C> {
        let turn = |SeatTurn(tick, seat, commands): &SeatTurn<C>| {
            Some(RecordTurn(*tick, Side::of(*seat)?, commands.clone()))
        };
        BattleRecord {
            v: VERSION,
            header: self.header.clone(),
            turns: self.log.turns.iter().filter_map(turn).collect(),
            hashes: self.log.hashes.clone(),
            end: RecordEnd {
                ticks: self.log.ticks,
                outcome,
            },
        }
    }
}
