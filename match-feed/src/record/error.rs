//! Why a record was refused.

use crate::{Seat, Tick};
use alloc::string::String;

/// The longest text that is taken for a record, bytes: many hours of play with orders in every tick.
pub const RECORD_BYTES_MAX: usize = 64 << 20;

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
    /// Another kind of record, or a later version of this software wrote it.
    #[error("record version {found}; this build reads {reads}")]
    Version {
        /// What the record says.
        found: u32,
        /// What was expected.
        reads: u32,
    },
    /// Ticks out of order, or past the end.
    #[error("the record's {what} are out of order at tick {at}")]
    Order {
        /// `turns` or `hashes`.
        what: &'static str,
        /// Where.
        at: Tick,
    },
    /// A hash is missing, or one is too many: there is one before the first tick and one every so many ticks.
    #[error("{found} hashes for a match of {ticks} ticks: there have to be {expected}")]
    HashCount {
        /// How many there are.
        found: usize,
        /// How many that many ticks come with.
        expected: usize,
        /// How many ticks were stepped.
        ticks: Tick,
    },
    /// A hash every 0 ticks.
    #[error("the record keeps a hash every 0 ticks")]
    NoHashes,
    /// No match has so many seats, or none.
    #[error("a match of {seats} seats: 1 to 8 are possible")]
    Seats {
        /// What the record says.
        seats: u8,
    },
    /// A turn of a seat that the match does not have.
    #[error("seat {seat} has a turn in tick {at}, but the match does not have it")]
    NoSeat {
        /// Which.
        seat: Seat,
        /// Where.
        at: Tick,
    },
    /// Too long to be one match.
    #[error("a record of {bytes} bytes: the longest accepted is {RECORD_BYTES_MAX}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
}
