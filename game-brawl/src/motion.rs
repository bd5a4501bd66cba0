//! How fighters move: falling, landing, walls, and bodies that make room for each other.

use crate::{
    Act, FxKind,
    rules::{BODY_HALF, CEILING, GRAVITY, RATE_HZ, SPEED_MAX, STAGE_WIDTH, UNIT},
    world::World,
};
use match_feed::SEATS_MAX;

/// Speed added each tick.
pub(crate) const FALL: i32 = GRAVITY / RATE_HZ as i32;
/// Where a body's middle may be.
pub(crate) const SIDE: i32 = (STAGE_WIDTH / 2 - BODY_HALF) * UNIT;
/// Bodies whose feet are further apart in height pass over each other.
const PASS_HEIGHT: i32 = 90 * UNIT;
/// How far two bodies part in a tick at the most, each.
const PART_MAX: i32 = 10 * UNIT;

impl World {
    pub(crate) fn move_fighters(&mut self) {
        for at in 0..self.state.setup.fighters() {
            let fighter = &mut self.state.fighters[at];
            if fighter.act == Act::Held {
                continue;
            }
            let flew = !fighter.grounded();
            if flew {
                fighter.vy -= FALL;
            } else if !matches!(fighter.act, Act::Free) {
                // Sliding on the ground.
                fighter.vx -= fighter.vx / 7;
                if fighter.vx.abs() < 20 {
                    fighter.vx = 0;
                }
            }
            fighter.vx = fighter.vx.clamp(-SPEED_MAX, SPEED_MAX);
            fighter.vy = fighter.vy.clamp(-SPEED_MAX, SPEED_MAX);
            fighter.x = (fighter.x + fighter.vx).clamp(-SIDE, SIDE);
            fighter.y = (fighter.y + fighter.vy).clamp(0, CEILING * UNIT);
            if fighter.y == 0 && fighter.vy <= 0 {
                fighter.vy = 0;
                if flew {
                    self.land(at);
                }
            }
        }
        self.make_room();
    }

    fn land(&mut self, at: usize) {
        let fighter = &mut self.state.fighters[at];
        let kind = match fighter.act {
            Act::Tumbling => {
                let (act, kind) = if fighter.stands() {
                    (Act::Down, FxKind::Fell)
                } else {
                    (Act::Out, FxKind::Out)
                };
                fighter.begin(act);
                kind
            }
            Act::Free | Act::AirKick => {
                fighter.begin(Act::Free);
                FxKind::Landed
            }
            _ => FxKind::Landed,
        };
        self.say_of(kind, at);
    }

    /// Pushes bodies that overlap apart, both alike and all at once; of two at one place the lower number goes left.
    fn make_room(&mut self) {
        let count = self.state.setup.fighters();
        let solid = |at: usize| {
            let fighter = &self.state.fighters[at];
            (fighter.open() && fighter.act != Act::Hold).then_some(fighter)
        };
        let mut moves = [0_i32; SEATS_MAX];
        for left in 0..count {
            for right in left + 1..count {
                let (Some(one), Some(other)) = (solid(left), solid(right)) else {
                    continue;
                };
                let apart = other.x - one.x;
                let overlap = 2 * BODY_HALF * UNIT - apart.abs();
                if overlap > 0 && (one.y - other.y).abs() < PASS_HEIGHT {
                    let part = (overlap / 4 + 1).min(PART_MAX);
                    let away = if apart >= 0 { part } else { -part };
                    moves[left] -= away;
                    moves[right] += away;
                }
            }
        }
        for (fighter, by) in self.fighters_mut().iter_mut().zip(moves) {
            fighter.x = (fighter.x + by).clamp(-SIDE, SIDE);
        }
    }
}
