//! The local win/loss record. Hosts store it; this is the arithmetic.

use super::{DuelOutcome, Side};
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
    pub fn of(outcome: DuelOutcome, local: Side) -> Self {
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

/// Over what the two phones play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Medium {
    /// The real thing: matches count.
    Sound,
    /// A loop or a relay, to try things out: matches never count.
    Practice,
}

impl Medium {
    /// What a report says of the medium, where it says anything.
    #[must_use]
    pub const fn note(self) -> Option<&'static str> {
        match self {
            Self::Sound => None,
            Self::Practice => Some("Practice link (no sound)"),
        }
    }
}

/// Counts one match in a [`ScoreBook`], at once whenever something becomes known, so that an app killed at any moment
/// has stored the truth as it then was.
///
/// Every call that changes the book says so: the host stores it then. Over a practice link none ever does. Source: the
/// specification's "Win/loss".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchScore {
    medium: Medium,
    counted: Option<Score>,
    /// What was counted is the match's own end, not a guess about a page that may never come back.
    ended: bool,
}

impl MatchScore {
    /// A match that has begun and counts as nothing yet.
    #[must_use]
    pub const fn new(medium: Medium) -> Self {
        Self {
            medium,
            counted: None,
            ended: false,
        }
    }

    /// How the match counts so far.
    #[must_use]
    pub const fn counted(&self) -> Option<Score> {
        self.counted
    }

    /// The app went into the background in mid-match: a phone that closes it there gives no further notice. True if the
    /// book has changed.
    pub fn hidden(&mut self, book: &mut ScoreBook) -> bool {
        !self.ended && self.count(Score::Abandoned, book)
    }

    /// How the match ended, or what has become known of its end since: decided, and then found to be out of sync. True
    /// if the book has changed.
    pub fn ended(&mut self, score: Score, book: &mut ScoreBook) -> bool {
        self.ended = true;
        self.count(score, book)
    }

    fn count(&mut self, score: Score, book: &mut ScoreBook) -> bool {
        if self.medium == Medium::Practice || self.counted == Some(score) {
            return false;
        }
        match self.counted.replace(score) {
            None => book.add(score),
            Some(before) => book.move_over(before, score),
        }
        true
    }
}
