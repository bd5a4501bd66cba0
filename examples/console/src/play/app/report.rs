//! How a match ended and what is left of it: the words of the end, what was saved, how it counts.

use super::{App, Stage};
use crate::{picture::Fights, play::sound::Sound};
use match_feed::{
    EndReason,
    duel::{DuelOutcome, MatchScore, PerSide, Score, Side},
};
use std::{io, path::PathBuf};
use versus_session::{MatchEnd, Sync};

/// The end of a match, as far as it is known.
pub struct Report {
    /// The end itself.
    pub end: MatchEnd,
    /// What it is called, and how it came about.
    pub headline: Headline,
    /// What was saved.
    pub saved: Saved,
    score: MatchScore,
}

/// The files of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// The record.
    pub record: Option<PathBuf>,
    /// What explains worlds that differ.
    pub debug: Option<PathBuf>,
    /// What could not be saved.
    pub problem: Option<String>,
}

/// The words of an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// "Victory", "Signal lost", …
    pub title: String,
    /// How.
    pub how: String,
    /// Whether both worlds agree, where that is a question.
    pub sync: Option<&'static str>,
    /// It went well for this player, badly, or neither.
    pub well: Option<bool>,
}

/// What happened on the map, as far as the end's words need it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Finale {
    /// Whose command centre fell.
    pub fallen: PerSide<bool>,
}

impl From<&Fights> for Finale {
    fn from(fights: &Fights) -> Self {
        Self {
            fallen: fights.fallen,
        }
    }
}

impl Headline {
    /// The words for an end as `local` sees it; `lost`: this player left because nothing came through.
    pub fn of(end: &MatchEnd, local: Side, finale: Finale, lost: bool) -> Self {
        let no_result = |title: &str, how: &str| Self {
            title: title.into(),
            how: how.into(),
            sync: None,
            well: None,
        };
        match end {
            MatchEnd::Decided { outcome, sync } => Self::decided(*outcome, *sync, local, finale),
            MatchEnd::Desync { tick } => no_result(
                "Out of sync",
                &format!(
                    "The two phones' worlds differ, found after tick {tick}. The match counts for nobody."
                ),
            ),
            MatchEnd::PeerLeft => no_result("Your friend left", "The match has no result."),
            MatchEnd::Left if lost => no_result(
                "Signal lost",
                "You left because the phones no longer heard each other. The match has no result.",
            ),
            MatchEnd::Left => no_result("You left", "The match has no result."),
            _ => no_result("The match is over", ""),
        }
    }

    fn decided(outcome: DuelOutcome, sync: Sync, local: Side, finale: Finale) -> Self {
        let score = Score::of(outcome, local);
        let (verdict, well) = match score {
            Score::Win => ("Victory", Some(true)),
            Score::Loss => ("Defeat", Some(false)),
            _ => ("Draw", None),
        };
        let (title, how) = match (outcome.reason, score) {
            (EndReason::Resign, Score::Win) => {
                (format!("Your friend resigned · {verdict}"), String::new())
            }
            (EndReason::Resign, Score::Loss) => {
                (format!("You resigned · {verdict}"), String::new())
            }
            (EndReason::Resign, _) => (format!("Both resigned · {verdict}"), String::new()),
            (EndReason::Decided, _) => {
                let how = match (finale.fallen[local], finale.fallen[local.other()]) {
                    (true, true) => "Both command centres fell.",
                    (true, false) => "Your command centre fell.",
                    (false, true) => "Your friend's command centre fell.",
                    (false, false) => "",
                };
                (verdict.into(), how.into())
            }
        };
        Self {
            title,
            how,
            sync: Some(match sync {
                Sync::Checking => "Checking sync…",
                Sync::InSync => "In sync ✓",
                Sync::NotVerified => "Not verified: your friend's phone has not said the same",
            }),
            well,
        }
    }
}

impl<S: Sound> App<S> {
    /// The match has ended, or more is known of its end: says so, saves, and counts, at once.
    pub(super) fn note_end(&mut self) {
        let now = self.now;
        let Stage::Duel(duel) = &mut self.stage else {
            return;
        };
        let Some(end) = duel.session.end(now) else {
            return;
        };
        if duel.report.as_ref().is_some_and(|report| report.end == end) {
            return;
        }
        let Some(local) = duel.session.agreed().map(|agreed| agreed.local_side()) else {
            return;
        };
        if let Some(world) = duel.session.game() {
            duel.fights.note(world);
        }
        (duel.menu, duel.resigning) = (None, false);
        let first = duel.report.is_none();
        let mut report = duel.report.take().unwrap_or_else(|| Report {
            end,
            headline: Headline::of(&end, local, Finale::default(), false),
            saved: Saved::default(),
            score: self.store.begin(),
        });
        report.end = end;
        report.headline = Headline::of(&end, local, Finale::from(&duel.fights), duel.lost);
        let role = duel.role();
        let mut save = || -> io::Result<()> {
            if first && let Some(record) = duel.session.record() {
                report.saved.record = self.store.save_record(role, &record)?;
            }
            if let (MatchEnd::Desync { .. }, Some(text)) = (end, duel.session.debug_info(now)) {
                report.saved.debug = self.store.save_debug(role, &text)?;
            }
            Ok(())
        };
        let saved = save();
        // Whatever becomes of the one, the other is kept.
        let counted = self.store.count(&mut report.score, end.score(local));
        if let Err(why) = saved.and(counted) {
            report.saved.problem = Some(why.to_string());
        }
        duel.report = Some(report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use match_feed::Tick;

    const BLUE: Side = Side::Blue;

    fn decided(winner: Option<Side>, reason: EndReason, sync: Sync) -> MatchEnd {
        let outcome = DuelOutcome { winner, reason };
        MatchEnd::Decided { outcome, sync }
    }

    #[test]
    fn every_end_has_its_words() {
        let none = Finale::default();
        let mut fell = none;
        fell.fallen[Side::Red] = true;
        let (red, resign) = (Some(Side::Red), EndReason::Resign);
        let cases = [
            (
                decided(Some(BLUE), EndReason::Decided, Sync::InSync),
                fell,
                false,
            ),
            (
                decided(red, EndReason::Decided, Sync::Checking),
                none,
                false,
            ),
            (
                decided(None, EndReason::Decided, Sync::NotVerified),
                none,
                false,
            ),
            (decided(Some(BLUE), resign, Sync::InSync), none, false),
            (decided(red, resign, Sync::InSync), none, false),
            (decided(None, resign, Sync::InSync), none, false),
            (MatchEnd::Desync { tick: Tick(99) }, none, false),
            (MatchEnd::PeerLeft, none, false),
            (MatchEnd::Left, none, false),
            (MatchEnd::Left, none, true),
        ];
        let mut told = String::new();
        for (end, finale, lost) in cases {
            let headline = Headline::of(&end, BLUE, finale, lost);
            let Headline {
                title, how, sync, ..
            } = headline;
            told += &format!("{title} | {how} | {}\n", sync.unwrap_or("-"));
        }
        insta::assert_snapshot!(told, @r"
        Victory | Your friend's command centre fell. | In sync ✓
        Defeat |  | Checking sync…
        Draw |  | Not verified: your friend's phone has not said the same
        Your friend resigned · Victory |  | In sync ✓
        You resigned · Defeat |  | In sync ✓
        Both resigned · Draw |  | In sync ✓
        Out of sync | The two phones' worlds differ, found after tick 99. The match counts for nobody. | -
        Your friend left | The match has no result. | -
        You left | The match has no result. | -
        Signal lost | You left because the phones no longer heard each other. The match has no result. | -
        ");
    }
}
