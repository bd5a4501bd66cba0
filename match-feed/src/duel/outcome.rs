//! A duel's result by sides.

use super::Side;
use crate::{EndReason, Outcome, SeatSet};
use serde::{Deserialize, Serialize};

/// The result of a decided duel: an [`Outcome`] with at most one winner.
///
/// ```
/// use match_feed::{Outcome, Seat, duel::{DuelOutcome, Side}};
/// let red = DuelOutcome::won(Side::Red);
/// assert_eq!(DuelOutcome::try_from(Outcome::from(red)), Ok(red));
/// let third = Outcome::won(Seat::new(2).expect("0 to 7"));
/// assert!(DuelOutcome::try_from(third).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DuelOutcome {
    /// The winning side; `None` for a draw.
    pub winner: Option<Side>,
    /// How it came about.
    pub reason: EndReason,
}

impl DuelOutcome {
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

impl Outcome {
    /// The side that won alone; `None` for a draw, and for what is no duel's outcome.
    #[must_use]
    pub fn winning_side(&self) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.winners == SeatSet::from(side))
    }
}

impl From<DuelOutcome> for Outcome {
    fn from(outcome: DuelOutcome) -> Self {
        Self {
            winners: outcome.winner.map_or(SeatSet::EMPTY, SeatSet::from),
            reason: outcome.reason,
        }
    }
}

impl TryFrom<Outcome> for DuelOutcome {
    type Error = NotADuelOutcome;
    fn try_from(outcome: Outcome) -> Result<Self, NotADuelOutcome> {
        let (winner, Outcome { winners, reason }) = (outcome.winning_side(), outcome);
        if winner.is_none() && !winners.is_empty() {
            return Err(NotADuelOutcome { winners });
        }
        Ok(Self { winner, reason })
    }
}

/// No duel ends so: one side wins, or nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("seats {winners:?} cannot win a duel: it is seat 0, seat 1 or nobody")]
pub struct NotADuelOutcome {
    /// Who is said to have won.
    pub winners: SeatSet,
}
