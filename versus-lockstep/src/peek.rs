//! A game frame's first bits: what can be told of it before anything that depends on the match.

use bitvec::{order::Msb0, slice::BitSlice};
use versus_codec::{BitReader, BitWriter, DecodeError, EncodeError};

/// The first two bits of a game frame.
const TYPE_GAME: u64 = 0b01;

/// What a phone says of its end of the match, without the report that follows elsewhere in the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndKind {
    /// It plays on.
    Playing,
    /// It left.
    Left,
    /// It found the two worlds to differ.
    Desync,
    /// Its world was decided.
    Decided,
}

impl EndKind {
    /// The wire's number for it, 0…3.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Playing => 0,
            Self::Left => 1,
            Self::Desync => 2,
            Self::Decided => 3,
        }
    }
}

/// Why first bits are no game frame's.
pub(crate) enum PeekError {
    /// They say that it is something else.
    NotAGameFrame {
        /// The two bits.
        found: u8,
    },
    /// A field is cut short.
    Field {
        /// Which.
        field: &'static str,
        /// What is wrong with it.
        cause: DecodeError,
    },
}

/// A game frame's first five bits: enough to tell that the peer has begun, or has left, before there is a codec to read
/// the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePeek {
    /// The sender has paused.
    pub paused: bool,
    /// The sender's end of the match.
    pub end: EndKind,
}

impl GamePeek {
    /// What the packet's first bits say; `None` if they are no game frame's.
    #[must_use]
    pub fn of(bits: &BitSlice<u8, Msb0>) -> Option<Self> {
        Self::read(&mut BitReader::new(bits)).ok()
    }

    pub(crate) fn read(input: &mut BitReader<'_>) -> Result<Self, PeekError> {
        let field = |field| move |cause| PeekError::Field { field, cause };
        let found = input.bits(2).map_err(field("type"))?;
        if found != TYPE_GAME {
            return Err(PeekError::NotAGameFrame { found: found as u8 });
        }
        let paused = input.flag().map_err(field("paused"))?;
        let end = match input.bits(2).map_err(field("end"))? {
            0 => EndKind::Playing,
            1 => EndKind::Left,
            2 => EndKind::Desync,
            _ => EndKind::Decided,
        };
        Ok(Self { paused, end })
    }

    pub(crate) fn write(self, out: &mut BitWriter<'_>) -> Result<(), EncodeError> {
        out.bits(TYPE_GAME, 2)?;
        out.flag(self.paused)?;
        out.bits(self.end.code().into(), 2)
    }
}
