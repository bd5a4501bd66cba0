//! What a player wants to play, and how.

use clap::ValueEnum;
use game_sim::AiLevel;
use link_transport::{Plan, Role};
use match_feed::duel::{MapChoice, Side};
use versus_pairing::StartMode;
use versus_session::ModePolicy;

/// A band plan, or whichever works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlayPlan {
    /// High, and low is offered where high does not work
    Auto,
    /// 9.5–12.5 kHz and 16–19 kHz
    High,
    /// 5–6.5 kHz and 8–9.5 kHz, audible
    Low,
}

impl PlayPlan {
    /// Where to start.
    pub fn first(self) -> Plan {
        match self {
            Self::Auto | Self::High => Plan::High,
            Self::Low => Plan::Low,
        }
    }
}

/// What a player wants to play, and how.
#[derive(Clone, Debug)]
pub struct Want {
    /// Host or join.
    pub role: Role,
    /// The band plan.
    pub plan: PlayPlan,
    /// A host's map.
    pub map: MapChoice,
    /// A host's mutators.
    pub mutators: u16,
    /// The side the host plays.
    pub host_side: Side,
    /// How the starting mode is chosen.
    pub start_mode: StartMode,
    /// Whether the mode may change in the match.
    pub modes: ModePolicy,
    /// The opener, if it is settled.
    pub opener: Option<u8>,
    /// An AI plays for the player.
    pub ai: Option<AiLevel>,
    /// How loud.
    pub gain: f32,
    /// The build both phones must run.
    pub build: u16,
}
