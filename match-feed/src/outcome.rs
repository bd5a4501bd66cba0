//! How a match was decided.

use crate::{Seat, SeatSet};
use serde::{Deserialize, Serialize};

/// Why a match is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// By what happened in the world.
    Decided,
    /// So many resigned that nobody was left to beat.
    Resign,
}

/// The result of a decided match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The seats that won; none for a draw.
    pub winners: SeatSet,
    /// How it came about.
    pub reason: EndReason,
}

impl Outcome {
    /// `winners` (a [`Seat`], a set of them, or a duel's side) won in the world.
    pub fn won(winners: impl Into<SeatSet>) -> Self {
        Self {
            winners: winners.into(),
            reason: EndReason::Decided,
        }
    }

    /// Nobody won.
    #[must_use]
    pub const fn draw() -> Self {
        Self {
            winners: SeatSet::EMPTY,
            reason: EndReason::Decided,
        }
    }
}

impl From<Seat> for SeatSet {
    fn from(seat: Seat) -> Self {
        Self::only(seat)
    }
}
