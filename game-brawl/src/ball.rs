//! A ball.

use crate::rules::{BALL_KINDS, BallKind};

/// A ball on the stage. Positions are in 1/[`UNIT`](crate::rules::UNIT) of a world unit, speeds in units a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Ball {
    /// Which of [`BALL_KINDS`].
    pub kind: u8,
    /// Of its middle, from the stage's middle.
    pub x: i32,
    /// Of its lowest point, above the ground.
    pub y: i32,
    /// To the right.
    pub vx: i32,
    /// Upwards.
    pub vy: i32,
    /// Who has it in hand.
    pub holder: Option<u8>,
    /// Who threw or struck it: it spares them for a moment.
    pub thrower: Option<u8>,
    /// True while it hurts.
    pub live: bool,
    /// Ticks since anybody touched it.
    pub age: u16,
}

impl Ball {
    /// The numbers of its kind.
    #[must_use]
    pub fn numbers(&self) -> &'static BallKind {
        &BALL_KINDS[usize::from(self.kind) % BALL_KINDS.len()]
    }

    /// Its speed in either direction, units a second: exact to a unit.
    #[must_use]
    pub fn speed(&self) -> i32 {
        dmath::hypot(self.vx.into(), self.vy.into()) as i32
    }
}
