//! A fighter: where they are, what they do, and what may be done to them.

use crate::{
    Pad,
    rules::{
        AIR_KICK, BODY_HEIGHT, Blow, CROUCH_HEIGHT, GUARD, HEALTH, KICK, PUNCH, SWEEP, UNIT,
        UPPERCUT,
    },
};

/// What a fighter is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Act {
    /// Stands, walks, crouches, blocks or is in the air: whatever the pad says.
    #[default]
    Free,
    /// See [`PUNCH`](crate::rules::PUNCH).
    Punch,
    /// See [`KICK`](crate::rules::KICK).
    Kick,
    /// See [`SWEEP`](crate::rules::SWEEP).
    Sweep,
    /// See [`UPPERCUT`](crate::rules::UPPERCUT).
    Uppercut,
    /// See [`AIR_KICK`](crate::rules::AIR_KICK).
    AirKick,
    /// Reaches for a fighter or a ball.
    Grab,
    /// Holds the partner.
    Hold,
    /// Is held by the partner.
    Held,
    /// Throws a ball.
    Hurl,
    /// Was hit and can do nothing.
    Hurt,
    /// Has blocked and can do nothing else.
    Guarding,
    /// Flies through the air and will fall.
    Tumbling,
    /// Lies.
    Down,
    /// Gets up.
    Rising,
    /// Is out of the round.
    Out,
}

impl Act {
    /// Every act, by number.
    pub(crate) const ALL: [Self; 16] = [
        Self::Free,
        Self::Punch,
        Self::Kick,
        Self::Sweep,
        Self::Uppercut,
        Self::AirKick,
        Self::Grab,
        Self::Hold,
        Self::Held,
        Self::Hurl,
        Self::Hurt,
        Self::Guarding,
        Self::Tumbling,
        Self::Down,
        Self::Rising,
        Self::Out,
    ];

    /// The numbers of the blow it is, if it is one.
    #[must_use]
    pub const fn blow(self) -> Option<&'static Blow> {
        match self {
            Self::Punch => Some(&PUNCH),
            Self::Kick => Some(&KICK),
            Self::Sweep => Some(&SWEEP),
            Self::Uppercut => Some(&UPPERCUT),
            Self::AirKick => Some(&AIR_KICK),
            _ => None,
        }
    }
}

/// One of a match's fighters, by number: seat n plays fighter n, and nobody the dummy. Positions are in
/// 1/[`UNIT`](crate::rules::UNIT) of a world unit, speeds in units a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Fighter {
    /// From the stage's middle.
    pub x: i32,
    /// Of the feet, above the ground.
    pub y: i32,
    /// To the right.
    pub vx: i32,
    /// Upwards.
    pub vy: i32,
    /// −1 left, 1 right.
    pub facing: i32,
    /// What they do.
    pub act: Act,
    /// Ticks since they began it, 255 at the most.
    pub tick: u8,
    /// Ticks until it ends, of what is done to them: a hit, a block, a hold.
    pub left: u8,
    /// Knees given in a hold; 1 in a body that was thrown.
    pub count: u8,
    /// Whom this blow has hit already, a bit each.
    pub struck: u8,
    /// Whom they hold, or who holds them.
    pub partner: Option<u8>,
    /// Left of [`HEALTH`](crate::rules::HEALTH).
    pub health: i16,
    /// Left of [`GUARD`](crate::rules::GUARD).
    pub guard: i16,
    /// What the pad said in the last tick.
    pub pad: Pad,
    /// Rounds won.
    pub wins: u8,
}

impl Fighter {
    /// At the start of a round.
    pub(crate) fn at_start(x: i32, facing: i32, wins: u8) -> Self {
        Self {
            x,
            facing,
            wins,
            health: HEALTH,
            guard: GUARD,
            ..Self::default()
        }
    }

    /// True unless they are out of the round, or falling and will be.
    #[must_use]
    pub const fn stands(&self) -> bool {
        self.health > 0
    }

    /// True with the feet on the ground.
    #[must_use]
    pub const fn grounded(&self) -> bool {
        self.y == 0 && self.vy <= 0
    }

    /// True while crouching.
    #[must_use]
    pub fn crouching(&self) -> bool {
        match self.act {
            Act::Free | Act::Guarding => self.grounded() && self.pad.has(Pad::DOWN),
            Act::Sweep => true,
            Act::Uppercut => self.tick < UPPERCUT.startup,
            _ => false,
        }
    }

    /// True while blocking what comes from the front.
    #[must_use]
    pub fn blocking(&self) -> bool {
        matches!(self.act, Act::Free | Act::Guarding) && self.grounded() && self.pad.has(Pad::BLOCK)
    }

    /// How high the body is, units.
    #[must_use]
    pub fn height(&self) -> i32 {
        if self.crouching() {
            CROUCH_HEIGHT
        } else {
            BODY_HEIGHT
        }
    }

    /// True if blows, balls and grabs can reach them.
    #[must_use]
    pub const fn open(&self) -> bool {
        !matches!(
            self.act,
            Act::Held | Act::Tumbling | Act::Down | Act::Rising | Act::Out
        )
    }

    /// Position from the stage's middle, whole units.
    #[must_use]
    pub const fn unit_x(&self) -> i32 {
        self.x / UNIT
    }

    /// Position of the feet, whole units.
    #[must_use]
    pub const fn unit_y(&self) -> i32 {
        self.y / UNIT
    }

    pub(crate) fn begin(&mut self, act: Act) {
        self.act = act;
        self.tick = 0;
        self.left = 0;
        self.count = 0;
        self.struck = 0;
        self.partner = None;
    }

    /// Begins `act` for `left` ticks.
    pub(crate) fn suffer(&mut self, act: Act, left: u8) {
        self.begin(act);
        self.left = left;
    }

    /// True for the x positions in front, and where they stand.
    pub(crate) const fn faces(&self, x: i32) -> bool {
        (x - self.x) * self.facing >= 0
    }
}
