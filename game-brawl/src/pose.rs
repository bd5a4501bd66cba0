//! How a fighter is drawn: where head, hands and feet are. Of the world's state, and of no effect on it.

use crate::{
    Act, Fighter,
    rules::{BODY_HALF, UNIT},
};
use dmath::{cos, sin};

/// A place, world units: x from the stage's middle, y above the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Spot {
    /// To the right.
    pub x: i32,
    /// Upwards.
    pub y: i32,
}

/// A fighter's body: lines from neck to hip, neck over elbow to hand, hip over knee to foot; the nearer limb first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Limbs {
    /// The head's middle; its radius is [`Limbs::HEAD`].
    pub head: Spot,
    /// Where arms begin.
    pub neck: Spot,
    /// Where legs begin.
    pub hip: Spot,
    /// Front and back.
    pub elbows: [Spot; 2],
    /// Front and back.
    pub hands: [Spot; 2],
    /// Front and back.
    pub knees: [Spot; 2],
    /// Front and back.
    pub feet: [Spot; 2],
}

impl Limbs {
    /// The head's radius.
    pub const HEAD: i32 = 15;
}

/// A stride, both feet: what one walks while the legs swing once.
const STRIDE: i32 = 150;

/// Where they are. Pure: the same fighter has the same limbs.
#[must_use]
pub fn limbs(fighter: &Fighter) -> Limbs {
    let pose = pose(fighter);
    let at = |(along, up): (i32, i32)| Spot {
        x: fighter.unit_x() + fighter.facing * along,
        y: fighter.unit_y() + up,
    };
    let bent = |one: (i32, i32), other: (i32, i32), by: i32| {
        ((one.0 + other.0) / 2 + by, (one.1 + other.1) / 2)
    };
    Limbs {
        head: at(pose.head),
        neck: at(pose.neck),
        hip: at(pose.hip),
        elbows: pose.hands.map(|hand| at(bent(pose.neck, hand, -6))),
        hands: pose.hands.map(at),
        knees: pose.feet.map(|foot| at(bent(pose.hip, foot, 8))),
        feet: pose.feet.map(at),
    }
}

/// Along the facing, and up from the feet.
type Offset = (i32, i32);

struct Pose {
    head: Offset,
    neck: Offset,
    hip: Offset,
    hands: [Offset; 2],
    feet: [Offset; 2],
}

const STANDING: Pose = Pose {
    head: (4, 106),
    neck: (2, 88),
    hip: (-2, 52),
    hands: [(26, 76), (16, 70)],
    feet: [(16, 0), (-16, 0)],
};
const CROUCHING: Pose = Pose {
    head: (8, 66),
    neck: (4, 50),
    hip: (-8, 24),
    hands: [(28, 46), (18, 40)],
    feet: [(18, 0), (-16, 0)],
};
const LYING: Pose = Pose {
    head: (-48, 12),
    neck: (-32, 10),
    hip: (4, 9),
    hands: [(-22, 4), (-40, 4)],
    feet: [(48, 4), (44, 2)],
};

fn pose(fighter: &Fighter) -> Pose {
    let base = if fighter.crouching() {
        CROUCHING
    } else {
        STANDING
    };
    if let Some(blow) = fighter.act.blow() {
        let tip = BODY_HALF + blow.reach;
        let height = (blow.from + blow.to) / 2;
        // Out while it hits, half way before and after.
        let out = if blow.hits_at(fighter.tick) { 10 } else { 4 };
        let share = tip * out / 10;
        return match fighter.act {
            Act::Punch => Pose {
                hands: [(share, height), base.hands[1]],
                ..base
            },
            Act::Uppercut => Pose {
                hands: [(share / 2, 60 + 10 * out), base.hands[1]],
                ..base
            },
            Act::Sweep => Pose {
                feet: [(share, 6), base.feet[1]],
                ..CROUCHING
            },
            Act::AirKick => Pose {
                feet: [(share, height), (-10, 34)],
                ..base
            },
            _ => Pose {
                feet: [(share, height), base.feet[1]],
                head: (-8, 104),
                ..base
            },
        };
    }
    match fighter.act {
        Act::Free if !fighter.grounded() => Pose {
            feet: [(18, 30), (-8, 14)],
            hands: [(24, 96), (-22, 92)],
            ..base
        },
        Act::Free | Act::Guarding if fighter.blocking() => Pose {
            hands: [(20, base.neck.1 + 12), (22, base.neck.1 - 6)],
            ..base
        },
        Act::Free if fighter.vx != 0 => {
            let angle = (fighter.unit_x() * fighter.facing).rem_euclid(STRIDE) as u32
                * (u32::MAX / STRIDE as u32);
            let swing = ((i64::from(sin(angle)) * 30) >> 30) as i32;
            let lift = ((i64::from(cos(angle)) * 14) >> 30) as i32;
            Pose {
                feet: [(swing, lift.max(0)), (-swing, (-lift).max(0))],
                hands: [(20 - swing / 2, 72), (16 + swing / 2, 68)],
                ..base
            }
        }
        Act::Grab | Act::Hold => Pose {
            hands: [(58, 84), (54, 66)],
            ..base
        },
        Act::Hurl => {
            let out = if fighter.tick >= crate::rules::HURL_TICKS.0 {
                60
            } else {
                -24
            };
            Pose {
                hands: [(out, 96), base.hands[1]],
                ..base
            }
        }
        Act::Hurt | Act::Held => Pose {
            head: (-14, 102),
            neck: (-8, 86),
            hands: [(8, 60), (-20, 62)],
            ..base
        },
        Act::Tumbling => Pose {
            head: (-40, 46),
            neck: (-26, 40),
            hip: (4, 30),
            hands: [(-10, 60), (-36, 20)],
            feet: [(40, 44), (34, 14)],
        },
        Act::Down | Act::Out => LYING,
        Act::Rising => CROUCHING,
        _ => base,
    }
}

/// The ground that a fighter stands on, for a shadow.
impl Fighter {
    /// Straight below, world units.
    #[must_use]
    pub const fn shadow(&self) -> Spot {
        Spot {
            x: self.x / UNIT,
            y: 0,
        }
    }
}
