//! What a game must do to be played in step on several machines.

use crate::{Outcome, Seat};
use alloc::{vec, vec::Vec};
use core::fmt;

/// One seat's command within a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order<C> {
    /// Who gives it. Stamped by the receiver: a peer cannot order another seat's units.
    pub seat: Seat,
    /// What it says.
    pub command: C,
}

/// A digest of everything that can affect a world's future, or a named part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct WorldHash(pub u64);

impl WorldHash {
    /// The xxh3-64 of a world's canonical bytes.
    #[must_use]
    pub fn of(canonical: &[u8]) -> Self {
        Self(xxhash_rust::xxh3::xxh3_64(canonical))
    }

    /// The low 32 bits, which the hash trail folds in.
    #[must_use]
    pub const fn low32(self) -> u32 {
        self.0 as u32
    }
}

impl fmt::Display for WorldHash {
    /// Sixteen hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for WorldHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A world could not be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The game has no save form.
    #[error("this game cannot be saved or loaded")]
    Unsupported,
    /// The buffer is too small; what is in it now means nothing.
    #[error("the saved world needs {needed} bytes")]
    TooSmall {
        /// The bytes that this world needs as it is now.
        needed: usize,
    },
}

/// A saved world could not be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The game has no save form.
    #[error("this game cannot be saved or loaded")]
    Unsupported,
    /// The bytes are not a world this game saved.
    #[error("the saved world is damaged at byte {at}")]
    Damaged {
        /// The first byte that makes no sense.
        at: usize,
    },
}

/// A deterministic simulation: equal setups and equal orders give equal hashes on every machine.
///
/// No floats, hash-map order, clocks or ambient randomness may reach what [`Game::hash`] covers.
pub trait Game {
    /// What a player can order.
    type Command;

    /// Runs one tick under the orders of all seats, the lowest seat's first, each seat's in the order given. An order of
    /// a seat that the game does not have counts for nothing.
    fn step(&mut self, orders: &[Order<Self::Command>]);

    /// A digest of everything that can affect the future. Called once before the first step and once after each.
    fn hash(&self) -> WorldHash;

    /// Tells `part` the name and the digest of each of the world's parts, always the same parts in the same order.
    ///
    /// Between them the parts cover what [`Self::hash`] covers: when two machines' hashes differ, the first part that
    /// differs says where to look. A game that does not divide its world has one part, `world`.
    fn hash_parts(&self, part: &mut dyn FnMut(&'static str, WorldHash)) {
        part("world", self.hash());
    }

    /// Writes the fields of the part named so, for a person who looks for what differs. Writes nothing for a part that
    /// it cannot or need not print.
    ///
    /// # Errors
    /// Those of `to`.
    fn describe_part(&self, _part: &str, _to: &mut dyn fmt::Write) -> fmt::Result {
        Ok(())
    }

    /// The result, from the step that decided the match on; it never changes afterwards.
    fn outcome(&self) -> Option<Outcome>;

    /// Writes the whole world to the start of `buffer` and returns its length, bytes.
    ///
    /// # Errors
    /// This game cannot be saved, or `buffer` is too small for the world as it is now.
    fn save_into(&self, _buffer: &mut [u8]) -> Result<usize, SaveError> {
        Err(SaveError::Unsupported)
    }

    /// Becomes the world that [`Game::save_into`] wrote; unchanged on error.
    ///
    /// # Errors
    /// This game cannot be loaded, or `saved` is no world of its.
    fn load(&mut self, _saved: &[u8]) -> Result<(), LoadError> {
        Err(LoadError::Unsupported)
    }

    /// The whole world as bytes of its own, or `None` if this game cannot be saved. Asks [`Self::save_into`] twice.
    fn save(&self) -> Option<Vec<u8>> {
        let mut saved = match self.save_into(&mut []) {
            Ok(_) => Vec::new(),
            Err(SaveError::TooSmall { needed }) => vec![0; needed],
            Err(SaveError::Unsupported) => return None,
        };
        let length = self.save_into(&mut saved).ok()?;
        saved.truncate(length);
        Some(saved)
    }
}
