//! The ways out of a duel, and what comes after it.

use super::{App, Next, Stage};
use crate::play::sound::Sound;
use link_transport::Plan;
use link_transport::{LinkTransport, Role};
use versus_lockstep::Leave;
use versus_pairing::Rematch;
use versus_session::{Overlay, SIGNAL_LOST, SessionPhase};

/// Where a player goes from a duel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Going {
    /// To the menu.
    Menu,
    /// Out of the program.
    Quit,
    /// Once more with the same peer.
    Rematch,
    /// The same lobby in the other role.
    SwitchRole,
    /// The same lobby on another plan.
    Plan(Plan),
}

/// Which ways out there are now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// "Resign and leave": packets arrive, so the peer will learn of it.
    pub resign_and_leave: bool,
    /// "Leave (no result)".
    pub leave: bool,
}

impl<S: Sound> App<S> {
    /// The ways out of the match.
    pub fn ways(&self) -> Ways {
        let Some(duel) = self.duel() else {
            return Ways::default();
        };
        let status = duel.session.status(self.now);
        if status.phase != SessionPhase::Playing {
            return Ways::default();
        }
        let cover = self.rig.as_ref().is_some_and(|rig| rig.offers_leave());
        // A paused phone waits for no turn, so what counts then is whether anything is heard.
        let heard = status.lockstep.and_then(|lockstep| lockstep.last_frame_at);
        let silent = heard.is_none_or(|at| self.now.since(at) >= SIGNAL_LOST);
        let in_menu = duel.menu.is_some_and(|menu| menu.leave || silent);
        Ways {
            resign_and_leave: status.resign_and_leave && !duel.resigning,
            leave: cover || in_menu || status.overlay_leave,
        }
    }

    /// Leaves the match without a result; the report says why.
    pub(super) fn leave(&mut self, leave: Leave) {
        let now = self.now;
        let lost = self.rig.as_ref().is_some_and(|rig| rig.offers_leave());
        if let Stage::Duel(duel) = &mut self.stage {
            let status = duel.session.status(now);
            duel.lost = lost || duel.menu.is_some() || status.overlay == Overlay::SignalLost;
            duel.menu = None;
            duel.session.leave(now, leave);
        }
    }

    /// Says goodbye for as long as it takes, and goes there then.
    pub(super) fn leave_for(&mut self, going: Going) {
        if let Stage::Duel(duel) = &mut self.stage {
            duel.going = Some(going);
            duel.session.leave(self.now, Leave::Left);
        }
        self.go_on();
    }

    /// Goes where the player wanted to, once everything is said.
    pub(super) fn go_on(&mut self) {
        let Stage::Duel(duel) = &mut self.stage else {
            return;
        };
        let Some(going) = duel.going.filter(|_| duel.session.closable(self.now)) else {
            return;
        };
        let rematch = duel.session.agreed().map(Rematch::of);
        let role = duel.role;
        duel.session.transport_mut().close();
        self.stage = Stage::Menu;
        match (going, rematch) {
            (Going::Quit, _) => {
                self.silence();
                self.stage = Stage::Closed;
            }
            (Going::Rematch, Some(rematch)) => {
                self.want.host_side = rematch.host_side;
                self.open(Next::Rematch(rematch));
            }
            (Going::SwitchRole, _) => {
                self.want.role = role.other();
                self.open(Next::Duel);
            }
            (Going::Plan(plan), _) => {
                debug_assert_eq!(role, Role::Host, "a guest finds its plan");
                self.want.plan = plan.into();
                self.open(Next::Duel);
            }
            (Going::Menu | Going::Rematch, _) => self.silence(),
        }
    }
}
