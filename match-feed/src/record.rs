//! The battle record: everything needed to play a match again, and the hashes to prove it came out the same.

use crate::{InputDelay, MatchSetup, Order, Outcome, PerSide, Side, Tick, WorldHash};
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Write as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

/// A world hash is kept every this many ticks.
pub const HASH_EVERY: u32 = 100;

const VERSION: u32 = 1;
/// The last field of a record's text: an xxh3-64 of everything before it, as sixteen hexadecimal digits.
const CHECK_FIELD: &str = ",\"check\":\"";
const CHECK_DIGITS: usize = 16;
/// The longest text that is taken for a record, bytes: many hours of play with orders in every tick.
pub const RECORD_BYTES_MAX: usize = 64 << 20;

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
    pub outcome: Option<Outcome>,
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
    #[serde(serialize_with = "write_hashes", deserialize_with = "read_hashes")]
    pub hashes: Vec<(Tick, WorldHash)>,
    /// How it ended.
    pub end: RecordEnd,
}

/// Why a record was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The text does not end in a check field.
    #[error("not a battle record: it does not end in a check field")]
    NoCheck,
    /// The text is not what was written.
    #[error("the record was changed: it says check {stored}, its text gives {computed}")]
    Changed {
        /// The digest in the text.
        stored: String,
        /// The digest of the text.
        computed: String,
    },
    /// The text is not a record.
    #[error("not a battle record: {0}")]
    Malformed(String),
    /// A later version of this software wrote it.
    #[error("record version {found}; this build reads {VERSION}")]
    Version {
        /// What the record says.
        found: u32,
    },
    /// Ticks out of order, or past the end.
    #[error("the record's {what} are out of order at tick {at}")]
    Order {
        /// `turns` or `hashes`.
        what: &'static str,
        /// Where.
        at: Tick,
    },
    /// A hash is missing, or one is too many: there is one before the first tick and one every [`HASH_EVERY`] ticks.
    #[error("{found} hashes for a match of {ticks} ticks: there have to be {expected}")]
    HashCount {
        /// How many there are.
        found: usize,
        /// How many that many ticks come with.
        expected: usize,
        /// How many ticks were stepped.
        ticks: Tick,
    },
    /// Too long to be one match.
    #[error("a record of {bytes} bytes: the longest accepted is {RECORD_BYTES_MAX}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
}

impl<C: Serialize + DeserializeOwned> BattleRecord<C> {
    /// The record as text: one line of JSON whose last field is a digest of everything before it.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string(self).expect("a record has only plain fields");
        text.pop(); // the closing brace
        let check = digest(&text);
        let _ = writeln!(text, "{CHECK_FIELD}{check}\"}}");
        text
    }

    /// Reads what [`Self::to_json`] wrote and nothing else.
    ///
    /// # Errors
    /// A changed byte, an unknown field or version, ticks out of order, hashes that do not go with the ticks.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let (body, stored) = split_check(text)?;
        let computed = digest(body);
        if stored != computed {
            return Err(RecordError::Changed {
                stored: stored.to_owned(),
                computed,
            });
        }
        Self::parse_body(body)
    }

    /// As [`Self::parse`], but believes a text that was changed. For finding out what a change did.
    ///
    /// # Errors
    /// As [`Self::parse`], but for [`RecordError::Changed`].
    pub fn parse_unchecked(text: &str) -> Result<Self, RecordError> {
        let (body, _) = split_check(text)?;
        Self::parse_body(body)
    }

    fn parse_body(body: &str) -> Result<Self, RecordError> {
        #[derive(Deserialize)]
        struct Version {
            v: u32,
        }
        let mut json = body.to_owned();
        json.push('}');
        let malformed = |error: serde_json::Error| RecordError::Malformed(error.to_string());
        let found = serde_json::from_str::<Version>(&json).map_err(malformed)?.v;
        if found != VERSION {
            return Err(RecordError::Version { found });
        }
        let record: Self = serde_json::from_str(&json).map_err(malformed)?;
        record.check_order()?;
        Ok(record)
    }

    fn check_order(&self) -> Result<(), RecordError> {
        let mut last = None;
        for RecordTurn(tick, side, _) in &self.turns {
            let this = Some((*tick, *side));
            if this <= last || *tick >= self.end.ticks {
                return Err(RecordError::Order {
                    what: "turns",
                    at: *tick,
                });
            }
            last = this;
        }
        for (at, &(tick, _)) in self.hashes.iter().enumerate() {
            if tick.0 as usize != at * HASH_EVERY as usize {
                return Err(RecordError::Order {
                    what: "hashes",
                    at: tick,
                });
            }
        }
        // Without this a record cut short of hashes would prove less than it seems to.
        let (found, ticks) = (self.hashes.len(), self.end.ticks);
        let expected = 1 + (ticks.0 / HASH_EVERY) as usize;
        if found == expected {
            Ok(())
        } else {
            Err(RecordError::HashCount {
                found,
                expected,
                ticks,
            })
        }
    }
}

fn split_check(text: &str) -> Result<(&str, &str), RecordError> {
    if text.len() > RECORD_BYTES_MAX {
        return Err(RecordError::TooLong { bytes: text.len() });
    }
    let unclosed = text
        .trim_end()
        .strip_suffix("\"}")
        .ok_or(RecordError::NoCheck)?;
    let (body, stored) = unclosed
        .rsplit_once(CHECK_FIELD)
        .ok_or(RecordError::NoCheck)?;
    if stored.len() == CHECK_DIGITS {
        Ok((body, stored))
    } else {
        Err(RecordError::NoCheck)
    }
}

fn digest(text: &str) -> String {
    WorldHash::of(text.as_bytes()).to_string()
}

fn write_hashes<S: Serializer>(hashes: &[(Tick, WorldHash)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(hashes.iter().map(|(tick, hash)| (tick, hash.to_string())))
}

fn read_hashes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(Tick, WorldHash)>, D::Error> {
    let parse = |(tick, digits): (Tick, String)| {
        let plain = digits.len() == 16
            && digits
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        let hash = plain
            .then(|| u64::from_str_radix(&digits, 16).ok())
            .flatten();
        hash.map(|hash| (tick, WorldHash(hash)))
            .ok_or_else(|| serde::de::Error::custom("a hash is 16 digits of 0-9a-f"))
    };
    Vec::<(Tick, String)>::deserialize(from)?
        .into_iter()
        .map(parse)
        .collect()
}

/// Writes a record while a match runs. Grows by the commands stepped and one hash per [`HASH_EVERY`] ticks.
#[derive(Clone, Debug)]
pub struct Recorder<C> {
    header: RecordHeader,
    turns: Vec<RecordTurn<C>>,
    hashes: Vec<(Tick, WorldHash)>,
    ticks: Tick,
}

impl<C: Clone> Recorder<C> {
    /// Starts a record of the world whose hash before its first tick is `start`.
    #[must_use]
    pub fn new(header: RecordHeader, start: WorldHash) -> Self {
        Self {
            header,
            turns: Vec::new(),
            hashes: alloc::vec![(Tick(0), start)],
            ticks: Tick(0),
        }
    }

    /// Adds one stepped tick: its orders (blue's first) and the hash after it.
    pub fn stepped(&mut self, tick: Tick, orders: &[Order<C>], hash: WorldHash) {
        debug_assert_eq!(tick, self.ticks, "ticks are recorded in order");
        for side in Side::BOTH {
            let of_side = |order: &&Order<C>| order.side == side;
            let commands: Vec<C> = orders
                .iter()
                .filter(of_side)
                .map(|order| order.command.clone())
                .collect();
            if !commands.is_empty() {
                self.turns.push(RecordTurn(tick, side, commands));
            }
        }
        self.ticks = tick.next();
        if self.ticks.0.is_multiple_of(HASH_EVERY) {
            self.hashes.push((self.ticks, hash));
        }
    }

    /// The record so far, ended with `outcome` (`None`: aborted).
    #[must_use]
    pub fn finish(&self, outcome: Option<Outcome>) -> BattleRecord<C> {
        BattleRecord {
            v: VERSION,
            header: self.header.clone(),
            turns: self.turns.clone(),
            hashes: self.hashes.clone(),
            end: RecordEnd {
                ticks: self.ticks,
                outcome,
            },
        }
    }
}
