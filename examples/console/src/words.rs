//! The words of the command line that several verbs share.

use clap::ValueEnum;
use link_transport::{Mode, Plan, Role};
use match_feed::duel::Side;

/// A band plan.
#[derive(Clone, Copy, ValueEnum)]
pub enum PlanArg {
    /// 9.5–12.5 kHz and 16–19 kHz
    High,
    /// 5–6.5 kHz and 8–9.5 kHz, audible
    Low,
}

impl From<PlanArg> for Plan {
    fn from(plan: PlanArg) -> Self {
        match plan {
            PlanArg::High => Self::High,
            PlanArg::Low => Self::Low,
        }
    }
}

/// A modulation.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    /// Twice the symbols a packet
    Robust,
    /// Half the air time
    Fast,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Robust => Self::Robust,
            ModeArg::Fast => Self::Fast,
        }
    }
}

/// The mode of a match.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MatchModeArg {
    /// As the phones agree from what they hear
    Auto,
    /// Robust whatever they hear
    Robust,
    /// Fast whatever they hear
    Fast,
}

/// A phone's part.
#[derive(Clone, Copy, ValueEnum)]
pub enum RoleArg {
    /// The plan's lower band
    Host,
    /// The plan's upper band
    Guest,
}

impl From<RoleArg> for Role {
    fn from(role: RoleArg) -> Self {
        match role {
            RoleArg::Host => Self::Host,
            RoleArg::Guest => Self::Guest,
        }
    }
}

/// Whom to listen to.
#[derive(Clone, Copy, ValueEnum)]
pub enum ListenArg {
    /// A host of the plan named
    Host,
    /// A guest of the plan named
    Guest,
    /// A host of either plan, whichever is heard first
    Detect,
}

/// How strong an AI plays.
#[derive(Clone, Copy, ValueEnum)]
pub enum AiArg {
    /// Slow to act
    Easy,
    /// Plays a fair game
    Normal,
    /// Wastes nothing
    Hard,
}

/// A side of the match.
#[derive(Clone, Copy, ValueEnum)]
pub enum SideArg {
    /// Whose orders come first
    Blue,
    /// Whose orders come second
    Red,
}

impl From<SideArg> for Side {
    fn from(side: SideArg) -> Self {
        match side {
            SideArg::Blue => Self::Blue,
            SideArg::Red => Self::Red,
        }
    }
}
