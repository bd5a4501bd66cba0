//! What cannot be written, and what is no command.

/// A value that cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// No room.
    #[error("does not fit in {capacity} bits")]
    Full {
        /// All the room there was.
        capacity: usize,
    },
    /// Beyond what its field can say.
    #[error("{value} is too large for its field")]
    TooLarge {
        /// The value.
        value: u64,
    },
    /// A value that no legal whole has there.
    #[error("{what} {value} is out of place")]
    OutOfPlace {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: u64,
    },
}

/// Bits that are no legal command. The whole frame is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bits end within a field.
    #[error("cut short at bit {at}: {needed} bits needed, {left} left")]
    CutShort {
        /// Where the field starts.
        at: usize,
        /// How long it is.
        needed: usize,
        /// How much is there.
        left: usize,
    },
    /// A number of more than [`crate::LEADING_ZEROS_MAX`] leading zeros.
    #[error("more than 24 leading zeros at bit {at}")]
    LeadingZeros {
        /// Where.
        at: usize,
    },
    /// An index outside its table.
    #[error("{what} {index} is outside its table of {len}")]
    OutsideTable {
        /// The table.
        what: &'static str,
        /// The index read.
        index: u64,
        /// The table's length.
        len: u64,
    },
    /// "The same units" as a list that was never named.
    #[error("sameAsPrevious with no previous list in this turn")]
    NoPreviousUnits,
    /// An id of 2²⁴ or more.
    #[error("id {id} is not below 2^24")]
    IdTooLarge {
        /// The id.
        id: u64,
    },
    /// More units than the bits left could name.
    #[error("{count} units in {left} bits")]
    TooManyUnits {
        /// The count read.
        count: u64,
        /// The bits left.
        left: usize,
    },
    /// A coordinate off the map.
    #[error("{what} {index} is off the map: it has {size}")]
    OffMap {
        /// The coordinate.
        what: &'static str,
        /// The value read.
        index: u64,
        /// How many there are.
        size: u64,
    },
    /// A studio's command of more bits than fit.
    #[error("an opaque command of {bits} bits: the most is {max}")]
    OpaqueTooLong {
        /// The length read.
        bits: u64,
        /// The most there can be.
        max: u64,
    },
}
