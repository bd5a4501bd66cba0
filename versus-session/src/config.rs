//! What a session is told before it starts, and why a call on it may be refused.

use crate::ModePolicy;
use alloc::string::String;
use link_transport::Plan;
use match_feed::Tick;
use versus_lockstep::LockstepError;
use versus_pairing::Entry;

/// What a host says of the duel it wants.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionConfig {
    /// Host this match, or join one.
    pub entry: Entry,
    /// The band plan to start on.
    pub plan: Plan,
    /// The build both phones must run, which you number; the reference hosts derive it from their sources. 0: a digest of
    /// the game's name and catalogue, so that at least different games refuse each other; see
    /// [`versus_pairing::build_or_digest`].
    pub build: u16,
    /// The game's name, as records carry it.
    pub game: String,
    /// Where nonces are drawn from: unpredictable, and never the same twice.
    pub seed: u64,
    /// Whether this phone's mode follows what its peer hears.
    pub modes: ModePolicy,
}

impl SessionConfig {
    /// On the high plan, in the mode that its peer's hearing asks for.
    #[must_use]
    pub fn new(entry: Entry, build: u16, game: impl Into<String>, seed: u64) -> Self {
        Self {
            entry,
            plan: Plan::High,
            build,
            game: game.into(),
            seed,
            modes: ModePolicy::Adapt,
        }
    }

    /// Sets [`Self::plan`].
    #[must_use]
    pub fn with_plan(mut self, plan: Plan) -> Self {
        self.plan = plan;
        self
    }

    /// Sets [`Self::modes`].
    #[must_use]
    pub fn with_modes(mut self, modes: ModePolicy) -> Self {
        self.modes = modes;
        self
    }
}

/// A match that cannot begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BeginError {
    /// Nothing is agreed yet.
    #[error("no match is agreed yet")]
    NotAgreed,
    /// There is one already.
    #[error("the match has begun: tick {tick} is next")]
    Begun {
        /// Where it is.
        tick: Tick,
    },
    /// This phone has left.
    #[error("this phone has left")]
    Left,
    /// The link cannot carry it.
    #[error(transparent)]
    Lockstep(#[from] LockstepError),
}

/// An order that was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// No match is in play.
    #[error("no match is in play")]
    NotPlaying,
    /// It cannot be sent.
    #[error(transparent)]
    Refused(#[from] versus_lockstep::GiveError),
}
