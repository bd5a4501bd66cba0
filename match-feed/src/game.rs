//! What a game must do to be played in step on two machines.

use crate::Side;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};

/// One side's command within a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order<C> {
    /// Who gives it. Stamped by the receiver: a peer cannot order the other side's units.
    pub side: Side,
    /// What it says.
    pub command: C,
}

/// The orders of one tick in the order every machine applies them: blue's, then red's, whichever side is local.
pub fn compose_tick<C>(
    local: Side,
    mine: impl IntoIterator<Item = C>,
    theirs: impl IntoIterator<Item = C>,
) -> Vec<Order<C>> {
    let mut mine = mine.into_iter().map(|command| Order {
        side: local,
        command,
    });
    let mut theirs = theirs.into_iter().map(|command| Order {
        side: local.other(),
        command,
    });
    match local {
        Side::Blue => mine.by_ref().chain(theirs.by_ref()).collect(),
        Side::Red => theirs.by_ref().chain(mine.by_ref()).collect(),
    }
}

/// A digest of everything that can affect a world's future.
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

/// How a match was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// By what happened in the world.
    Decided,
    /// A side (or both at once) resigned.
    Resign,
}

/// The result of a decided match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The winning side; `None` for a draw.
    pub winner: Option<Side>,
    /// How it came about.
    pub reason: EndReason,
}

impl Outcome {
    /// `side` won in the world.
    #[must_use]
    pub const fn won(side: Side) -> Self {
        Self {
            winner: Some(side),
            reason: EndReason::Decided,
        }
    }

    /// Nobody won.
    #[must_use]
    pub const fn draw() -> Self {
        Self {
            winner: None,
            reason: EndReason::Decided,
        }
    }

    /// The outcome of the sides in `resigned` (blue, red) having resigned in the same tick; `None` if neither did.
    #[must_use]
    pub const fn resigned(blue: bool, red: bool) -> Option<Self> {
        let winner = match (blue, red) {
            (false, false) => return None,
            (true, false) => Some(Side::Red),
            (false, true) => Some(Side::Blue),
            (true, true) => None,
        };
        Some(Self {
            winner,
            reason: EndReason::Resign,
        })
    }
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

    /// Runs one tick under `orders`, given in the order of [`compose_tick`].
    fn step(&mut self, orders: &[Order<Self::Command>]);

    /// A digest of everything that can affect the future. Called once before the first step and once after each.
    fn hash(&self) -> WorldHash;

    /// The result, from the step that decided the match on; it never changes afterwards.
    fn outcome(&self) -> Option<Outcome>;

    /// The whole world as bytes, or `None` if this game cannot be saved.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Becomes the world that [`Game::save`] wrote; unchanged on error.
    fn load(&mut self, _saved: &[u8]) -> Result<(), LoadError> {
        Err(LoadError::Unsupported)
    }
}
