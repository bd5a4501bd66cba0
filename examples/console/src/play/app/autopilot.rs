//! A player who is no person: what a phone without a screen does, and the peer of a practice link. It answers for
//! the player and nothing else; the match itself is an AI's.

use super::{App, Stage};
use crate::play::{intent::Intent, sound::Sound};
use link_rig::RigState;
use link_transport::LinkTime;
use std::time::Duration;
use versus_pairing::PairingPhase;
use versus_session::SessionPhase;

/// What a person needs to read a cover, before a tap on it.
const TAPS_AFTER: Duration = Duration::from_secs(1);
/// How long it looks at a report before it goes on.
const READS: Duration = Duration::from_secs(4);

/// The player's stand-in.
#[derive(Clone, Debug)]
pub struct Autopilot {
    rematches: u32,
    /// It has started its (only) duel from the menu.
    started: bool,
    again: bool,
    /// Since when a cover waits for a tap.
    covered: Option<LinkTime>,
    /// Since when the end is settled.
    settled: Option<LinkTime>,
}

impl Autopilot {
    /// Plays one duel, and so many rematches.
    pub const fn new(rematches: u32) -> Self {
        Self {
            rematches,
            started: false,
            again: false,
            covered: None,
            settled: None,
        }
    }

    /// Plays on for as long as it is asked to: after each duel, starts another.
    pub const fn forever() -> Self {
        Self {
            again: true,
            ..Self::new(u32::MAX)
        }
    }

    /// What it wants now.
    pub fn next<S: Sound>(&mut self, app: &App<S>) -> Option<Intent> {
        let now = app.now();
        let waits = matches!(
            app.rig_state(),
            Some(RigState::Lost(_) | RigState::TapToStart)
        );
        self.covered = waits.then(|| self.covered.unwrap_or(now));
        if self.covered.is_some_and(|at| now.since(at) >= TAPS_AFTER) {
            self.covered = None;
            return Some(Intent::Confirm);
        }
        match &app.stage {
            Stage::Menu if !self.started || self.again => {
                self.started = true;
                Some(Intent::Confirm)
            }
            // Who plays one duel reports why there is none, instead of trying for ever.
            Stage::Failed(_) if self.again => Some(Intent::Confirm),
            Stage::Duel(duel) if duel.going.is_none() => self.in_duel(app, duel),
            _ => None,
        }
    }

    fn in_duel<S: Sound>(&mut self, app: &App<S>, duel: &super::Duel) -> Option<Intent> {
        let now = app.now();
        let status = duel.session.status(now);
        if app.offer().is_some_and(|offer| offer.plan.is_some()) {
            return Some(Intent::Fallback);
        }
        if status.phase == SessionPhase::Lobby {
            self.settled = None;
            let picking = matches!(status.pairing.phase, PairingPhase::Picking { .. });
            return picking.then_some(Intent::Pick(0));
        }
        // A report whose peer does not answer settles too, as not verified.
        let settled = duel
            .report
            .as_ref()
            .is_some_and(|report| report.end.is_settled());
        if !settled {
            return None;
        }
        let since = *self.settled.get_or_insert(now);
        if now.since(since) < READS {
            return None;
        }
        self.settled = None;
        Some(if self.rematches > 0 {
            self.rematches = self.rematches.saturating_sub(1);
            Intent::Rematch
        } else {
            Intent::Menu
        })
    }
}
