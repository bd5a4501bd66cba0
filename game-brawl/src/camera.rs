//! What of the stage is shown: a camera of each viewer's own, which the world knows nothing of.

use crate::{
    World,
    rules::{BODY_HEIGHT, STAGE_WIDTH},
};

/// Fighters fill so much of the height, percent, or of the width where that is what limits.
const SAFE_PERCENT: i32 = 83;
/// Least and most height shown, units.
const HEIGHT: (i32, i32) = (300, 2_400);
/// Below the ground.
const GROUND_PERCENT: i32 = 8;
/// The camera goes this part of its way each frame.
const EASE: i32 = 8;
/// Kept in so many parts of a unit, so that it does not stop short.
const PART: i32 = 64;

/// Follows everyone who stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Camera {
    x: i32,
    height: i32,
    placed: bool,
}

impl Camera {
    /// Goes on towards what shows everyone who stands, on a screen of `aspect_permille` (width by height, thousandths):
    /// once a frame. The first time it is there at once.
    pub fn follow(&mut self, world: &World, aspect_permille: i32) {
        let aspect = aspect_permille.clamp(200, 8_000);
        let standing = || world.fighters().iter().filter(|fighter| fighter.stands());
        let (Some(left), Some(right)) = (
            standing().map(|fighter| fighter.unit_x()).min(),
            standing().map(|fighter| fighter.unit_x()).max(),
        ) else {
            return;
        };
        let top = standing()
            .map(|fighter| fighter.unit_y())
            .max()
            .unwrap_or(0)
            + BODY_HEIGHT;
        let wide = (right - left + 2 * BODY_HEIGHT) * 1000 / aspect;
        let height = (wide.max(top) * 100 / SAFE_PERCENT).clamp(HEIGHT.0, HEIGHT.1);
        let half = height * aspect / 2000;
        let most = (STAGE_WIDTH / 2 - half).max(0);
        let goal = (
            ((left + right) / 2).clamp(-most, most) * PART,
            height * PART,
        );
        if !self.placed {
            (self.x, self.height, self.placed) = (goal.0, goal.1, true);
            return;
        }
        self.x += (goal.0 - self.x) / EASE;
        self.height += (goal.1 - self.height) / EASE;
    }

    /// The middle of what is shown, units from the stage's.
    #[must_use]
    pub const fn x(&self) -> i32 {
        self.x / PART
    }

    /// How high what is shown is, units.
    #[must_use]
    pub const fn height(&self) -> i32 {
        self.height / PART
    }

    /// Of what is shown, the lowest, units above the ground: below zero.
    #[must_use]
    pub const fn bottom(&self) -> i32 {
        -self.height() * GROUND_PERCENT / 100
    }
}
