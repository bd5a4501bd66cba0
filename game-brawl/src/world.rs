//! What a world holds, and how it is looked at. How it is stepped: `game.rs`.

use crate::{
    Ball, BrawlSetup, Fighter, Fx, FxKind, Phase,
    dice::Dice,
    event::FX_MAX,
    rules::{BALLS_MAX, UNIT},
};
use match_feed::SEATS_MAX;

/// Everything that decides the future.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) setup: BrawlSetup,
    /// Steps made.
    pub(crate) tick: u32,
    pub(crate) dice: Dice,
    pub(crate) phase: Phase,
    /// Ticks in this phase.
    pub(crate) clock: u16,
    /// Rounds that are over.
    pub(crate) round: u8,
    /// Of the last round that was decided.
    pub(crate) round_winner: Option<u8>,
    /// As many as the setup says; the rest as they are by default.
    pub(crate) fighters: [Fighter; SEATS_MAX],
    pub(crate) balls: [Option<Ball>; BALLS_MAX],
}

/// A brawl: see [`match_feed::Game`]. Stepping, saving and loading allocate nothing.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) state: State,
    pub(crate) fx: heapless::Vec<Fx, FX_MAX>,
}

impl World {
    /// What it was set up with.
    #[must_use]
    pub const fn setup(&self) -> &BrawlSetup {
        &self.state.setup
    }

    /// Steps made.
    #[must_use]
    pub const fn tick(&self) -> u32 {
        self.state.tick
    }

    /// Where the round is.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.state.phase
    }

    /// Ticks that this phase has lasted.
    #[must_use]
    pub const fn clock(&self) -> u16 {
        self.state.clock
    }

    /// The round, from 0.
    #[must_use]
    pub const fn round(&self) -> u8 {
        self.state.round
    }

    /// The fighter who won the last round that was decided, if anybody did.
    #[must_use]
    pub const fn round_winner(&self) -> Option<u8> {
        self.state.round_winner
    }

    /// Every fighter: seat n plays fighter n.
    #[must_use]
    pub fn fighters(&self) -> &[Fighter] {
        &self.state.fighters[..self.state.setup.fighters()]
    }

    /// Every ball.
    pub fn balls(&self) -> impl Iterator<Item = &Ball> {
        self.state.balls.iter().flatten()
    }

    /// The ball that fighter `at` has in hand.
    #[must_use]
    pub fn ball_of(&self, at: usize) -> Option<&Ball> {
        self.balls()
            .find(|ball| ball.holder.map(usize::from) == Some(at))
    }

    /// What happened in the last step, for eyes and ears.
    #[must_use]
    pub fn fx(&self) -> &[Fx] {
        &self.fx
    }

    pub(crate) fn fighters_mut(&mut self) -> &mut [Fighter] {
        &mut self.state.fighters[..self.state.setup.fighters()]
    }

    /// Tells a host what happened at a place in parts of a unit; the least of many is left out.
    pub(crate) fn say(&mut self, kind: FxKind, fighter: Option<u8>, x: i32, y: i32) {
        let _ = self.fx.push(Fx {
            kind,
            fighter,
            x: x / UNIT,
            y: y / UNIT,
        });
    }

    /// What happened to fighter `at`, where they are.
    pub(crate) fn say_of(&mut self, kind: FxKind, at: usize) {
        let Fighter { x, y, .. } = self.state.fighters[at];
        self.say(kind, Some(at as u8), x, y + 70 * UNIT);
    }
}
