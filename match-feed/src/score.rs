//! The local win/loss record. Hosts store it; this is the arithmetic.

use crate::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// How one match counts for this phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Score {
    /// This phone's side won.
    Win,
    /// The other side won.
    Loss,
    /// Nobody won.
    Draw,
    /// The match ended without a result: a phone left, or the link was lost.
    Abandoned,
    /// The two worlds differed.
    NoContest,
}

impl Score {
    /// What `outcome` means for `local`.
    #[must_use]
    pub fn of(outcome: Outcome, local: Side) -> Self {
        match outcome.winner {
            Some(side) if side == local => Self::Win,
            Some(_) => Self::Loss,
            None => Self::Draw,
        }
    }
}

/// The tally of a phone's matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScoreBook {
    /// Matches won.
    pub wins: u32,
    /// Matches lost.
    pub losses: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches without a result.
    pub abandoned: u32,
    /// Matches whose worlds differed.
    pub no_contest: u32,
}

impl ScoreBook {
    /// Counts a match.
    pub const fn add(&mut self, score: Score) {
        let count = self.count(score);
        *count = count.saturating_add(1);
    }

    /// Moves a match already counted: a decided match whose end check failed, or an abandoned one that went on.
    pub const fn move_over(&mut self, from: Score, to: Score) {
        let count = self.count(from);
        *count = count.saturating_sub(1);
        self.add(to);
    }

    const fn count(&mut self, score: Score) -> &mut u32 {
        match score {
            Score::Win => &mut self.wins,
            Score::Loss => &mut self.losses,
            Score::Draw => &mut self.draws,
            Score::Abandoned => &mut self.abandoned,
            Score::NoContest => &mut self.no_contest,
        }
    }
}
