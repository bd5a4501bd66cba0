//! What a host shows and plays of a tick. Never hashed or saved: it changes nothing.

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FxKind {
    /// A blow, a body or a ball hit a fighter.
    Hit {
        /// Health it took.
        damage: i16,
    },
    /// It was blocked.
    Blocked,
    /// A guard broke.
    GuardBroken,
    /// A fighter was grabbed.
    Grabbed,
    /// A hold was broken, or two grabbed each other.
    Parted,
    /// A fighter or a ball was thrown.
    Thrown,
    /// A ball was picked up.
    Picked,
    /// A ball was caught in its flight.
    Caught,
    /// A fighter jumped.
    Jumped,
    /// A fighter came down on their feet.
    Landed,
    /// A fighter fell.
    Fell,
    /// A ball bounced.
    Bounced,
    /// A fighter is out of the round.
    Out,
    /// The fight of a round begins.
    Fight,
    /// A round is over.
    RoundOver,
}

/// Something that happened in the last tick, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fx {
    /// What.
    pub kind: FxKind,
    /// The fighter it concerns, by number; whom it was done to, where there are two. None for balls and rounds.
    pub fighter: Option<u8>,
    /// World units from the stage's middle.
    pub x: i32,
    /// World units above the ground.
    pub y: i32,
}

/// Events kept of a tick; more than that nobody could see.
pub(crate) const FX_MAX: usize = 48;
