//! What a phone of `play` keeps: records, debug information, its score. The only part of `play` that writes files.

use game_sim::Command;
use link_transport::Role;
use match_feed::duel::{BattleRecord, MatchScore, Medium, Score, ScoreBook};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::duel::role_name;

/// The score's file.
const SCORE: &str = "score.json";

/// Where a phone keeps what is left of its matches.
pub struct Store {
    /// `None` keeps nothing: a practice peer's.
    folder: Option<PathBuf>,
    medium: Medium,
    book: ScoreBook,
    /// The matches kept by this program.
    matches: u32,
}

impl Store {
    /// Keeps everything in `folder`, which must be there. A score that is there goes on.
    pub fn in_folder(folder: &Path, medium: Medium) -> Self {
        let old = fs::read_to_string(folder.join(SCORE)).ok();
        let book = old.and_then(|text| serde_json::from_str(&text).ok());
        Self {
            folder: Some(folder.into()),
            medium,
            book: book.unwrap_or_default(),
            matches: 0,
        }
    }

    /// Keeps nothing.
    pub fn nowhere() -> Self {
        Self {
            folder: None,
            medium: Medium::Practice,
            book: ScoreBook::default(),
            matches: 0,
        }
    }

    /// Over what is played.
    pub const fn medium(&self) -> Medium {
        self.medium
    }

    /// The score so far.
    pub const fn book(&self) -> &ScoreBook {
        &self.book
    }

    /// A match begins: its files have names of their own.
    pub fn begin(&mut self) -> MatchScore {
        self.matches += 1;
        MatchScore::new(self.medium)
    }

    fn path(&self, role: Role, what: &str) -> Option<PathBuf> {
        let number = match self.matches {
            0 | 1 => String::new(),
            number => format!("-{number}"),
        };
        let name = format!("{}{number}{what}", role_name(role));
        self.folder.as_ref().map(|folder| folder.join(name))
    }

    /// Saves a match's record: what was played, which later news of its end does not change.
    pub fn save_record(
        &self,
        role: Role,
        record: &BattleRecord<Command>,
    ) -> io::Result<Option<PathBuf>> {
        self.write(self.path(role, ".json"), &record.to_json())
    }

    /// Saves what explains a match that ended out of sync.
    pub fn save_debug(&self, role: Role, text: &str) -> io::Result<Option<PathBuf>> {
        self.write(self.path(role, "-debug.txt"), text)
    }

    /// Counts a match; a practice link's never does.
    pub fn count(&mut self, of: &mut MatchScore, score: Score) -> io::Result<()> {
        if of.ended(score, &mut self.book) {
            let path = self.folder.as_ref().map(|folder| folder.join(SCORE));
            let text = serde_json::to_string(&self.book).unwrap_or_default();
            self.write(path, &text)?;
        }
        Ok(())
    }

    fn write(&self, path: Option<PathBuf>, text: &str) -> io::Result<Option<PathBuf>> {
        if let Some(path) = &path {
            fs::write(path, text)?;
        }
        Ok(path)
    }
}
