//! Every number of the rules, once. Lengths are world units unless said otherwise, speeds units a second, times ticks.

/// Ticks a second.
pub const RATE_HZ: u8 = 60;
/// Positions are kept in so many parts of a unit, so that a speed in units a second is what is added each tick.
pub const UNIT: i32 = RATE_HZ as i32;
/// How wide the stage is; its middle is x = 0.
pub const STAGE_WIDTH: i32 = 12_000;
/// Nothing flies higher.
pub const CEILING: i32 = 8_000;
/// Walking.
pub const WALK_SPEED: i32 = 1_060;
/// How far in front of the body a punch reaches: the shortest reach of all blows.
pub const PUNCH_REACH: i32 = 58;
/// What everything falls by, units/s².
pub const GRAVITY: i32 = 2_400;
/// Upwards, on jumping.
pub const JUMP_SPEED: i32 = 1_000;
/// No speed exceeds it.
pub const SPEED_MAX: i32 = 4_000;
/// From the middle of a body to its front.
pub const BODY_HALF: i32 = 22;
/// Standing.
pub const BODY_HEIGHT: i32 = 120;
/// Crouching.
pub const CROUCH_HEIGHT: i32 = 76;
/// Between neighbours when a round begins: two fighters, and at most all eight within 2,800.
pub const START_GAP: [i32; 9] = [0, 0, 640, 560, 520, 480, 440, 420, 400];

/// A fighter's health when a round begins.
pub const HEALTH: i16 = 100;
/// What a guard takes before it breaks.
pub const GUARD: i16 = 60;
/// A guard grows back by one in so many ticks.
pub const GUARD_EVERY: u32 = 4;
/// A broken guard leaves one open for so long.
pub const GUARD_BROKEN_TICKS: u8 = 48;
/// A blow that was blocked.
pub const BLOCK_TICKS: u8 = 11;
/// Health that it costs all the same.
pub const CHIP: i16 = 1;
/// Lying on the ground; then rising. Neither can be hit.
pub const DOWN_TICKS: u8 = 24;
/// See [`DOWN_TICKS`].
pub const RISE_TICKS: u8 = 14;

/// Before a round's fight.
pub const READY_TICKS: u16 = 60;
/// After a round.
pub const AFTER_TICKS: u16 = 100;
/// When time is up, everyone loses a point of health in so many ticks.
pub const WEAR_EVERY: u16 = 12;

/// How a blow must be blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Height {
    /// Only crouching.
    Low,
    /// Standing or crouching.
    Middle,
    /// Only standing.
    Overhead,
}

/// A blow's numbers.
#[derive(Clone, Copy, Debug)]
pub struct Blow {
    /// Ticks before it can hit.
    pub startup: u8,
    /// Ticks in which it hits.
    pub active: u8,
    /// Ticks until the fighter can do something else.
    pub recovery: u8,
    /// From the body's front.
    pub reach: i32,
    /// From the feet: where it hits.
    pub from: i32,
    /// See `from`.
    pub to: i32,
    /// Health it takes.
    pub damage: i16,
    /// Ticks for which who is hit can do nothing.
    pub stun: u8,
    /// Speed away from the blow.
    pub push: i32,
    /// Speed upwards: what is lifted falls and lies.
    pub lift: i32,
    /// How it is blocked.
    pub height: Height,
    /// Speed it gives a ball of mass 4.
    pub ball_speed: i32,
}

impl Blow {
    /// Ticks in all.
    #[must_use]
    pub const fn ticks(&self) -> u8 {
        self.startup + self.active + self.recovery
    }

    /// True in the ticks that hit; `tick` counts from 0.
    #[must_use]
    pub const fn hits_at(&self, tick: u8) -> bool {
        tick >= self.startup && tick < self.startup + self.active
    }
}

/// Quick and short.
pub const PUNCH: Blow = Blow {
    startup: 4,
    active: 3,
    recovery: 9,
    reach: PUNCH_REACH,
    from: 78,
    to: 104,
    damage: 6,
    stun: 15,
    push: 320,
    lift: 0,
    height: Height::Middle,
    ball_speed: 900,
};
/// Slow and long.
pub const KICK: Blow = Blow {
    startup: 8,
    active: 4,
    recovery: 14,
    reach: 86,
    from: 44,
    to: 82,
    damage: 10,
    stun: 20,
    push: 560,
    lift: 0,
    height: Height::Middle,
    ball_speed: 1_700,
};
/// From a crouch, under a standing block.
pub const SWEEP: Blow = Blow {
    startup: 7,
    active: 4,
    recovery: 18,
    reach: 78,
    from: 0,
    to: 30,
    damage: 8,
    stun: 0,
    push: 240,
    lift: 340,
    height: Height::Low,
    ball_speed: 1_300,
};
/// From a crouch, against what comes from above.
pub const UPPERCUT: Blow = Blow {
    startup: 6,
    active: 6,
    recovery: 20,
    reach: 44,
    from: 70,
    to: 200,
    damage: 11,
    stun: 0,
    push: 200,
    lift: 820,
    height: Height::Middle,
    ball_speed: 1_100,
};
/// In the air, over a crouching block.
pub const AIR_KICK: Blow = Blow {
    startup: 5,
    active: 12,
    recovery: 8,
    reach: 60,
    from: 10,
    to: 56,
    damage: 9,
    stun: 19,
    push: 420,
    lift: 0,
    height: Height::Overhead,
    ball_speed: 1_500,
};

/// Reaching for somebody or something: through a block, not through a blow.
pub const GRAB_STARTUP: u8 = 5;
/// See [`GRAB_STARTUP`].
pub const GRAB_ACTIVE: u8 = 3;
/// See [`GRAB_STARTUP`].
pub const GRAB_RECOVERY: u8 = 16;
/// From the body's front.
pub const GRAB_REACH: i32 = 46;
/// A hold ends by itself.
pub const HOLD_TICKS: u8 = 50;
/// Who is held breaks free at once in so many ticks, by [`Pad::GRAB`](crate::Pad::GRAB).
pub const BREAK_TICKS: u8 = 10;
/// A hold is shorter by so much for each button that who is held presses.
pub const STRUGGLE_TICKS: u8 = 4;
/// Between two knees.
pub const KNEE_TICKS: u8 = 12;
/// Knees a hold.
pub const KNEES_MAX: u8 = 2;
/// A knee's damage.
pub const KNEE_DAMAGE: i16 = 4;
/// A throw's.
pub const THROW_DAMAGE: i16 = 11;
/// What a thrown body does to those it hits.
pub const BODY_DAMAGE: i16 = 6;
/// A thrown body's speed, along and up.
pub const THROW_SPEED: (i32, i32) = (1_150, 520);
/// Two who part.
pub const PART_SPEED: i32 = 420;

/// Balls there can be.
pub const BALLS_MAX: usize = 8;
/// Balls come in so many ticks, a pair at a time.
pub const BALLS_EVERY: u16 = 330;
/// How high they come from, and how far apart at most.
pub const BALL_DROP: (i32, i32) = (700, 1_400);
/// A ball that nobody touches goes.
pub const BALL_TICKS: u16 = 900;
/// A ball that is slower hurts nobody.
pub const BALL_LIVE_SPEED: i32 = 420;
/// Ticks of throwing before the ball leaves the hand, and in all.
pub const HURL_TICKS: (u8, u8) = (7, 20);
/// Ticks in which it cannot hit its thrower.
pub const THROWER_SAFE_TICKS: u16 = 14;
/// How near a ball must be to be picked up: from the body's front to the ball's rim.
pub const PICK_REACH: i32 = 52;

/// A kind of ball.
#[derive(Clone, Copy, Debug)]
pub struct BallKind {
    /// Its name.
    pub name: &'static str,
    /// Its radius.
    pub radius: i32,
    /// Its mass: what pushes it moves it less, and it pushes harder.
    pub mass: i32,
    /// What of its speed is left on bouncing, in thousandths.
    pub bounce: i32,
    /// How fast it is thrown.
    pub speed: i32,
    /// Health it takes at that speed.
    pub damage: i16,
}

/// Every kind, by number.
pub const BALL_KINDS: [BallKind; 5] = [
    BallKind {
        name: "soccer ball",
        radius: 38,
        mass: 4,
        bounce: 720,
        speed: 1_700,
        damage: 10,
    },
    BallKind {
        name: "basketball",
        radius: 42,
        mass: 6,
        bounce: 800,
        speed: 1_450,
        damage: 12,
    },
    BallKind {
        name: "beach ball",
        radius: 56,
        mass: 1,
        bounce: 860,
        speed: 1_200,
        damage: 5,
    },
    BallKind {
        name: "medicine ball",
        radius: 34,
        mass: 12,
        bounce: 300,
        speed: 1_050,
        damage: 18,
    },
    BallKind {
        name: "tennis ball",
        radius: 16,
        mass: 1,
        bounce: 780,
        speed: 2_300,
        damage: 6,
    },
];

const _: () = assert!(GRAVITY % UNIT == 0 && UNIT == RATE_HZ as i32);
const _: () = assert!(START_GAP[8] * 7 < STAGE_WIDTH);
