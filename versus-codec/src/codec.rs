//! What lockstep knows of a game's commands.

use crate::{BitReader, BitWriter, DecodeError, EncodeError};
use alloc::vec::Vec;

/// `C_MAX`: the longest a command may be on the wire, its type included; longer ones are split. Any command of this
/// length fits an empty window.
pub const COMMAND_BITS_MAX: usize = 96;

/// What commands of one turn share: the unit list named last, so that the next may say "the same".
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TurnContext {
    /// The list named last in this turn of this frame; empty before the first.
    pub units: Vec<u32>,
}

/// A command that cannot be sent, and why. It is dropped, and whoever gave it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotEncodable {
    /// It names no unit.
    #[error("it names no unit")]
    NoUnits,
    /// An id of 2²⁴ or more.
    #[error("id {id} is not below 2^24")]
    Id {
        /// The id.
        id: u32,
    },
    /// An index outside its table.
    #[error("{what} {index} is outside its table")]
    OutsideTable {
        /// The table.
        what: &'static str,
        /// The index.
        index: u32,
    },
    /// A tile off the map.
    #[error("tile {tx}, {ty} is off the map")]
    OffMap {
        /// Column.
        tx: u32,
        /// Row.
        ty: u32,
    },
    /// Even one unit alone is too long.
    #[error("{bits} bits: the most is {COMMAND_BITS_MAX}")]
    TooLong {
        /// Its length.
        bits: usize,
    },
}

/// The units and other things a command names: two commands that share none cannot affect each other's order.
pub type Subjects = Vec<u32>;

/// A game's commands as lockstep needs them. Stateless across turns.
///
/// Laws, for every command `c` and every `k` that `canonicalize(c)` emits: `canonicalize(k)` emits exactly `k`;
/// `decode(encode(k)) == k`; `encode(k)` with a fresh context is at most [`COMMAND_BITS_MAX`] bits. Executing the
/// pieces in order is the same as executing `c`.
pub trait CommandCodec {
    /// What a player can order.
    type Command: Clone + PartialEq + core::fmt::Debug;

    /// Hands `command` in its canonical form, in pieces of at most [`COMMAND_BITS_MAX`] bits, to `emit`, in order.
    ///
    /// # Errors
    /// A command that cannot be encoded or would do nothing; nothing is emitted then.
    fn canonicalize(
        &self,
        command: Self::Command,
        emit: &mut dyn FnMut(Self::Command),
    ) -> Result<(), NotEncodable>;

    /// Writes a canonical command.
    ///
    /// # Errors
    /// It does not fit, or is not canonical.
    fn encode(
        &self,
        command: &Self::Command,
        turn: &mut TurnContext,
        out: &mut BitWriter<'_>,
    ) -> Result<(), EncodeError>;

    /// Reads a command: a legal one, or an error.
    ///
    /// # Errors
    /// Bits that are no legal command.
    fn decode(
        &self,
        turn: &mut TurnContext,
        input: &mut BitReader<'_>,
    ) -> Result<Self::Command, DecodeError>;

    /// Every unit the command names, carriers and lift targets included.
    fn subjects(&self, command: &Self::Command) -> Subjects;

    /// True if `newer` makes `older` pointless for every unit that both name. Lockstep adds the rest of the rule:
    /// the newer must name every unit of the older, and nothing queued between may name any of them.
    fn overrides(&self, newer: &Self::Command, older: &Self::Command) -> bool;

    /// True for a command that goes before everything that waits: a resignation.
    fn urgent(&self, command: &Self::Command) -> bool;
}

/// How long `command` is on the wire as the first of its turn, its type included.
///
/// # Errors
/// It is not canonical.
pub fn encoded_bits<C: CommandCodec>(
    codec: &C,
    command: &C::Command,
) -> Result<usize, EncodeError> {
    let mut out = BitWriter::counting();
    codec.encode(command, &mut TurnContext::default(), &mut out)?;
    Ok(out.len())
}
