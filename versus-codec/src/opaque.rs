//! Commands that are a studio's own bits: never split, never overriding, never urgent.

use crate::{
    BitReader, BitWriter, COMMAND_BITS_MAX, CommandCodec, DecodeError, EncodeError, NotEncodable,
    Subjects, TurnContext,
};
use alloc::{format, string::String};
use bitvec::{order::Msb0, slice::BitSlice, view::BitView};
use core::fmt;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The longest opaque command: with its length in front it is exactly [`COMMAND_BITS_MAX`] bits.
pub const OPAQUE_BITS_MAX: usize = 83;
/// `UE(83)` takes 13 bits.
const _: () =
    assert!(OPAQUE_BITS_MAX + 2 * (OPAQUE_BITS_MAX + 1).ilog2() as usize + 1 == COMMAND_BITS_MAX);

const BYTES: usize = OPAQUE_BITS_MAX.div_ceil(8);

/// Up to [`OPAQUE_BITS_MAX`] bits that mean something to the studio's game alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OpaqueCommand {
    bytes: [u8; BYTES],
    len: u8,
}

impl OpaqueCommand {
    /// The first `len` bits of `bytes`, most significant first.
    ///
    /// # Errors
    /// [`NotEncodable::TooLong`] above [`OPAQUE_BITS_MAX`] bits, with the length it would have had on the wire.
    ///
    /// # Panics
    /// If `bytes` holds fewer than `len` bits.
    pub fn from_bytes(bytes: &[u8], len: usize) -> Result<Self, NotEncodable> {
        if len > OPAQUE_BITS_MAX {
            return Err(NotEncodable::TooLong {
                bits: len + 2 * (len + 1).ilog2() as usize + 1,
            });
        }
        Ok(Self::from_bitslice(&bytes.view_bits()[..len]))
    }

    fn from_bitslice(bits: &BitSlice<u8, Msb0>) -> Self {
        let mut command = Self {
            bytes: [0; BYTES],
            len: bits.len() as u8,
        };
        BitWriter::new(command.bytes.view_bits_mut())
            .copy(bits)
            .expect("at most OPAQUE_BITS_MAX bits");
        command
    }

    /// The bits.
    #[must_use]
    pub fn as_bitslice(&self) -> &BitSlice<u8, Msb0> {
        &self.bytes.view_bits()[..self.len.into()]
    }

    /// The bytes that hold the bits, filled with zeros.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.bit_len().div_ceil(8)]
    }

    /// How many bits it has.
    #[must_use]
    pub const fn bit_len(&self) -> usize {
        self.len as usize
    }
}

impl fmt::Debug for OpaqueCommand {
    /// Hexadecimal digits and the length: `c0de/16`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.as_bytes() {
            write!(f, "{byte:02x}")?;
        }
        write!(f, "/{}", self.len)
    }
}

impl Serialize for OpaqueCommand {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{self:?}"))
    }
}

impl<'de> Deserialize<'de> for OpaqueCommand {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        parse(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is not HEX/NBITS")))
    }
}

/// Strictly what [`fmt::Debug`] writes, so that one command has one text.
fn parse(text: &str) -> Option<OpaqueCommand> {
    let (hex, len) = text.split_once('/')?;
    let len: usize = len.parse().ok().filter(|&len| len <= OPAQUE_BITS_MAX)?;
    if hex.len() != 2 * len.div_ceil(8) || !hex.is_ascii() {
        return None;
    }
    let mut bytes = [0; BYTES];
    for (at, byte) in bytes.iter_mut().enumerate().take(len.div_ceil(8)) {
        *byte = u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).ok()?;
    }
    let command = OpaqueCommand::from_bytes(&bytes, len).ok()?;
    (format!("{command:?}") == text).then_some(command)
}

/// The codec of [`OpaqueCommand`].
#[derive(Clone, Copy, Debug, Default)]
pub struct OpaqueCodec;

impl CommandCodec for OpaqueCodec {
    type Command = OpaqueCommand;

    fn canonicalize(
        &self,
        command: OpaqueCommand,
        emit: &mut dyn FnMut(OpaqueCommand),
    ) -> Result<(), NotEncodable> {
        emit(command);
        Ok(())
    }

    fn encode(
        &self,
        command: &OpaqueCommand,
        _turn: &mut TurnContext,
        out: &mut BitWriter<'_>,
    ) -> Result<(), EncodeError> {
        out.ue(command.bit_len() as u64)?;
        out.copy(command.as_bitslice())
    }

    fn decode(
        &self,
        _turn: &mut TurnContext,
        input: &mut BitReader<'_>,
    ) -> Result<OpaqueCommand, DecodeError> {
        let bits = input.ue()?;
        if bits > OPAQUE_BITS_MAX as u64 {
            return Err(DecodeError::OpaqueTooLong {
                bits,
                max: OPAQUE_BITS_MAX as u64,
            });
        }
        let from = input.at();
        for _ in 0..bits {
            input.flag()?;
        }
        Ok(OpaqueCommand::from_bitslice(input.since(from)))
    }

    fn subjects(&self, _command: &OpaqueCommand) -> Subjects {
        Subjects::new()
    }

    fn overrides(&self, _newer: &OpaqueCommand, _older: &OpaqueCommand) -> bool {
        false
    }

    fn urgent(&self, _command: &OpaqueCommand) -> bool {
        false
    }
}
