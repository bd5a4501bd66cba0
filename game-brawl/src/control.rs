//! What pads make fighters do. Each fighter's own: nobody else is looked at.

use crate::{
    Act, Fighter, FxKind, Pad,
    rules::{
        DOWN_TICKS, GRAB_ACTIVE, GRAB_RECOVERY, GRAB_STARTUP, GUARD, GUARD_EVERY, HURL_TICKS,
        JUMP_SPEED, RISE_TICKS, WALK_SPEED,
    },
    world::World,
};
use match_feed::SEATS_MAX;

/// What steering in the air adds to the speed each tick.
const AIR_STEER: i32 = 36;

impl World {
    /// Lets every fighter's act go on and begin. Returns which buttons went down this tick.
    pub(crate) fn control(&mut self, pads: [Pad; SEATS_MAX]) -> [Pad; SEATS_MAX] {
        let mut pressed = [Pad::NEUTRAL; SEATS_MAX];
        let guard_grows = self.state.tick.is_multiple_of(GUARD_EVERY);
        for at in 0..self.state.setup.fighters() {
            let armed = self.ball_of(at).is_some();
            let fighter = &mut self.state.fighters[at];
            let pad = pads[at];
            pressed[at] = pad.without(fighter.pad);
            fighter.pad = pad;
            if guard_grows && !fighter.blocking() {
                fighter.guard = (fighter.guard + 1).min(GUARD);
            }
            fighter.advance();
            if fighter.act == Act::Free && fighter.choose(pressed[at], armed) {
                self.say_of(FxKind::Jumped, at);
            }
        }
        pressed
    }
}

impl Fighter {
    /// Lets the act go on, and ends one that is over.
    fn advance(&mut self) {
        self.tick = self.tick.saturating_add(1);
        self.left = self.left.saturating_sub(1);
        let over = match self.act {
            Act::Free | Act::Hold | Act::Held | Act::Tumbling | Act::Out => false,
            Act::Grab => self.tick >= GRAB_STARTUP + GRAB_ACTIVE + GRAB_RECOVERY,
            Act::Hurl => self.tick >= HURL_TICKS.1,
            Act::Hurt | Act::Guarding => self.left == 0,
            Act::Down if self.tick >= DOWN_TICKS => {
                self.begin(Act::Rising);
                false
            }
            Act::Down => false,
            Act::Rising => self.tick >= RISE_TICKS,
            blow => blow.blow().is_none_or(|blow| self.tick >= blow.ticks()),
        };
        if over {
            self.begin(Act::Free);
        }
    }

    /// Does what the pad says. True if that was a jump.
    fn choose(&mut self, pressed: Pad, armed: bool) -> bool {
        let direction = self.pad.direction();
        if !self.grounded() {
            self.vx = (self.vx + direction * AIR_STEER).clamp(-WALK_SPEED, WALK_SPEED);
            if armed && (pressed.has(Pad::PUNCH) || pressed.has(Pad::THROW)) {
                self.begin(Act::Hurl);
            } else if pressed.has(Pad::PUNCH) || pressed.has(Pad::KICK) {
                self.begin(Act::AirKick);
            }
            return false;
        }
        if direction != 0 {
            self.facing = direction;
        }
        let crouching = self.pad.has(Pad::DOWN);
        let still = crouching || self.pad.has(Pad::BLOCK);
        self.vx = if still { 0 } else { direction * WALK_SPEED };
        let act = match () {
            () if armed && (pressed.has(Pad::PUNCH) || pressed.has(Pad::THROW)) => Act::Hurl,
            () if pressed.has(Pad::GRAB) && !armed => Act::Grab,
            () if pressed.has(Pad::PUNCH) && crouching => Act::Uppercut,
            () if pressed.has(Pad::PUNCH) => Act::Punch,
            () if pressed.has(Pad::KICK) && crouching => Act::Sweep,
            () if pressed.has(Pad::KICK) => Act::Kick,
            () if pressed.has(Pad::UP) => {
                self.vy = JUMP_SPEED;
                return true;
            }
            () => return false,
        };
        self.begin(act);
        self.vx /= 2; // a step into the blow
        false
    }
}
