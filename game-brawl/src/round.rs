//! Rounds and the series: who starts where, when a round is over, who has won.

use crate::{
    Fighter, FxKind, Phase,
    rules::{AFTER_TICKS, RATE_HZ, READY_TICKS, START_GAP, UNIT, WEAR_EVERY},
    world::World,
};
use match_feed::{Outcome, Seat};

impl World {
    /// Puts everyone in place for a round: seats from left to right, facing the middle.
    pub(crate) fn begin_round(&mut self) {
        let count = self.state.setup.fighters();
        for (at, fighter) in self.state.fighters[..count].iter_mut().enumerate() {
            let from_middle = 2 * at as i32 - (count as i32 - 1); // in half gaps
            let x = from_middle * START_GAP[count] / 2 * UNIT;
            let facing = if from_middle > 0 { -1 } else { 1 };
            *fighter = Fighter::at_start(x, facing, fighter.wins);
        }
        self.state.balls = Default::default();
        (self.state.phase, self.state.clock) = (Phase::Ready, 0);
    }

    /// Lets time pass in the round. True while pads count.
    pub(crate) fn tick_round(&mut self) -> bool {
        self.state.clock = self.state.clock.saturating_add(1);
        match self.state.phase {
            Phase::Ready if self.state.clock >= READY_TICKS => {
                (self.state.phase, self.state.clock) = (Phase::Fight, 0);
                self.say(FxKind::Fight, None, 0, 0);
            }
            Phase::After if self.state.clock >= AFTER_TICKS => {
                // A loaded world may claim one round too many.
                self.state.round = (self.state.round + 1).min(self.state.setup.rounds_max() - 1);
                self.begin_round();
            }
            _ => {}
        }
        self.state.phase == Phase::Fight
    }

    /// Once time is up everyone wears down alike; what is left decides.
    pub(crate) fn wear_down(&mut self) {
        let limit = u16::from(self.state.setup.round_seconds()) * u16::from(RATE_HZ);
        if let Some(over) = self.state.clock.checked_sub(limit)
            && over.is_multiple_of(WEAR_EVERY)
        {
            for fighter in self
                .fighters_mut()
                .iter_mut()
                .filter(|fighter| fighter.stands())
            {
                fighter.health -= 1;
            }
        }
    }

    /// Ends the round when at most one stands, and the match when that decides it.
    pub(crate) fn judge(&mut self) {
        if self.state.phase != Phase::Fight {
            return;
        }
        let mut standing = self.fighters().iter().zip(0_u8..);
        let mut standing = standing.by_ref().filter(|(fighter, _)| fighter.stands());
        let (winner, more) = (standing.next().map(|(_, at)| at), standing.next());
        if more.is_some() {
            return;
        }
        self.state.round_winner = winner;
        let mut decided = self.state.round + 1 >= self.state.setup.rounds_max();
        if let Some(winner) = winner {
            let wins = &mut self.state.fighters[usize::from(winner)].wins;
            *wins = (*wins + 1).min(self.state.setup.wins());
            decided |= *wins >= self.state.setup.wins();
        }
        self.state.phase = if decided { Phase::Over } else { Phase::After };
        self.state.clock = 0;
        self.say(FxKind::RoundOver, winner, 0, 0);
    }

    /// Who has won most, if the match is over: nobody where two have, or where it was the dummy.
    pub(crate) fn result(&self) -> Option<Outcome> {
        if self.state.phase != Phase::Over {
            return None;
        }
        let most = self.fighters().iter().map(|fighter| fighter.wins).max();
        let mut best = self
            .fighters()
            .iter()
            .zip(0_u8..)
            .filter(|(fighter, _)| fighter.wins > 0 && Some(fighter.wins) == most);
        let (first, tied) = (best.next(), best.next());
        let winner = first
            .filter(|(_, at)| tied.is_none() && usize::from(*at) < self.state.setup.seats())
            .and_then(|(_, at)| Seat::new(at));
        Some(winner.map_or_else(Outcome::draw, Outcome::won))
    }
}
