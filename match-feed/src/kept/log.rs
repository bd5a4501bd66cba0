//! The log of a match's inputs: seed, setup and every confirmed input, with hashes to prove that it came out the same.

use super::{
    bytes::{KeptError, Kind, Reader, Writer},
    played::PlayedMatch,
    track::{InputTrack, TrackError},
};
use crate::{Tick, WorldHash};
use alloc::vec::Vec;

/// The longest log, bytes.
pub const INPUT_LOG_BYTES_MAX: usize = 64 << 20;

const KIND: Kind = Kind {
    magic: b"sdinput",
    version: 1,
    what: "an input log",
    bytes_max: INPUT_LOG_BYTES_MAX,
};
/// Tick and hash.
const HASH_BYTES: usize = 12;

/// A match as its inputs. Equal on every machine that played it, byte for byte: no time of day, no local seat.
///
/// ```
/// use match_feed::*;
/// let played = PlayedMatch { game: "race".into(), game_id: 1, rate: TickRate::MIN, seats: 2, seed: 7, setup: Vec::new() };
/// let mut log = InputLog::new(played);
/// log.push(Tick(0), &[b"go", b""])?;
/// log.push_hash(Tick(1), WorldHash(42));
/// let again = InputLog::decode(&log.encode()).expect("what was written is read");
/// let report = replay_inputs(&again, WorldHash(0), |inputs| { assert_eq!(inputs[0], b"go"); WorldHash(42) });
/// assert!(report.agrees());
/// # Ok::<(), TrackError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputLog {
    played: PlayedMatch,
    inputs: InputTrack,
    hashes: Vec<(Tick, WorldHash)>,
}

impl InputLog {
    /// A log without a tick yet.
    ///
    /// # Panics
    /// A field of `played` is out of its bounds.
    #[must_use]
    pub fn new(played: PlayedMatch) -> Self {
        assert!(
            played.is_bounded(),
            "the match's description is within its bounds"
        );
        // Half of the file for inputs leaves room for a hash each tick of a day at 240 ticks a second, and more.
        let inputs = InputTrack::new(played.seats, Tick(0), INPUT_LOG_BYTES_MAX / 2);
        Self {
            played,
            inputs,
            hashes: Vec::new(),
        }
    }

    /// What was played.
    #[must_use]
    pub const fn played(&self) -> &PlayedMatch {
        &self.played
    }

    /// Every input.
    #[must_use]
    pub const fn inputs(&self) -> &InputTrack {
        &self.inputs
    }

    /// World hashes, each with the number of ticks stepped before it.
    #[must_use]
    pub fn hashes(&self) -> &[(Tick, WorldHash)] {
        &self.hashes
    }

    /// Adds the confirmed inputs of the next tick, one a seat, the lowest seat's first.
    ///
    /// # Errors
    /// As [`InputTrack::push`]; then nothing is added.
    pub fn push(&mut self, tick: Tick, inputs: &[&[u8]]) -> Result<(), TrackError> {
        self.inputs.push(tick, inputs)
    }

    /// Adds the hash of the world after `stepped` ticks. One of a tick no later than the last hash's, or for which there is no
    /// room, is left out.
    pub fn push_hash(&mut self, stepped: Tick, hash: WorldHash) {
        let later = self.hashes.last().is_none_or(|last| last.0 < stepped);
        let room = self.hashes.len() < HASHES_MAX;
        if later && room {
            self.hashes.push((stepped, hash));
        }
    }

    /// As bytes.
    ///
    /// # Panics
    /// A hash lies behind the last input.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let last = self.hashes.last().map_or(Tick(0), |last| last.0);
        assert!(
            last <= self.inputs.end(),
            "a hash of a tick whose inputs are not here"
        );
        let mut to = Writer::new(&KIND);
        self.played.write(&mut to);
        self.inputs.write(&mut to);
        to.count(self.hashes.len());
        for (tick, hash) in &self.hashes {
            to.u32(tick.0);
            to.u64(hash.0);
        }
        to.finish()
    }

    /// Reads what [`Self::encode`] wrote and nothing else. Allocates no more than the file is long.
    ///
    /// # Errors
    /// Anything else, with the first field that cannot be.
    pub fn decode(file: &[u8]) -> Result<Self, KeptError> {
        let mut from = Reader::new(&KIND, file)?;
        let played = PlayedMatch::read(&mut from)?;
        let inputs = InputTrack::read(&mut from, played.seats, INPUT_LOG_BYTES_MAX / 2)?;
        if inputs.from() != Tick(0) {
            return Err(from.range("first tick"));
        }
        let count = from.count("number of hashes", HASH_BYTES)?;
        let mut hashes: Vec<(Tick, WorldHash)> = Vec::with_capacity(count);
        for _ in 0..count {
            let tick = Tick(from.u32("hash's tick")?);
            let ordered = hashes.last().is_none_or(|last| last.0 < tick);
            if !ordered || tick > inputs.end() {
                return Err(from.range("hash's tick"));
            }
            hashes.push((tick, WorldHash(from.u64("hash")?)));
        }
        if count > HASHES_MAX {
            return Err(from.range("number of hashes"));
        }
        from.finish()?;
        Ok(Self {
            played,
            inputs,
            hashes,
        })
    }
}

const HASHES_MAX: usize = (INPUT_LOG_BYTES_MAX / 2 - 4_096) / HASH_BYTES;

/// What playing a log again found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputLogReport {
    /// How many ticks were stepped.
    pub ticks: Tick,
    /// Hashes that agreed before the first that does not.
    pub hashes_equal: usize,
    /// The first that differs: after how many ticks, what the log says, what was computed.
    pub difference: Option<(Tick, WorldHash, WorldHash)>,
}

impl InputLogReport {
    /// True if every hash came out as logged.
    #[must_use]
    pub const fn agrees(&self) -> bool {
        self.difference.is_none()
    }
}

/// Plays `log` again: `start` is the hash of the world before its first tick, `step` steps the world under one input a seat and
/// returns its hash. Goes on after a difference, to the log's end.
pub fn replay_inputs(
    log: &InputLog,
    start: WorldHash,
    mut step: impl FnMut(&[&[u8]]) -> WorldHash,
) -> InputLogReport {
    let mut report = InputLogReport {
        ticks: Tick(0),
        hashes_equal: 0,
        difference: None,
    };
    let mut hashes = log.hashes.iter().copied().peekable();
    let mut compare = |report: &mut InputLogReport, computed: WorldHash| {
        if let Some((at, logged)) = hashes.next_if(|(at, _)| *at == report.ticks)
            && report.difference.is_none()
        {
            if logged == computed {
                report.hashes_equal += 1;
            } else {
                report.difference = Some((at, logged, computed));
            }
        }
    };
    compare(&mut report, start);
    let mut ticks = log.inputs.ticks();
    while let Some((tick, inputs)) = ticks.next_tick() {
        let computed = step(inputs);
        report.ticks = tick.next();
        compare(&mut report, computed);
    }
    report
}
