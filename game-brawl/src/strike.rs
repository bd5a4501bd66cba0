//! Blows: who hits whom, all at once, and what that does to them.

use crate::{
    Act, Fighter, FxKind, Pad,
    motion::FALL,
    rules::{
        BLOCK_TICKS, BODY_DAMAGE, BODY_HALF, Blow, CHIP, GUARD, GUARD_BROKEN_TICKS, Height,
        SPEED_MAX, UNIT,
    },
    world::World,
};
use match_feed::SEATS_MAX;

/// What comes over one fighter in a tick, of all sides together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Impact {
    pub(crate) damage: i16,
    /// Speeds it gives.
    pub(crate) push: i32,
    pub(crate) lift: i32,
    pub(crate) stun: u8,
    /// What was blocked, which costs guard.
    pub(crate) blocked: i16,
    pub(crate) hit: bool,
}

/// Of every fighter.
pub(crate) type Impacts = [Impact; SEATS_MAX];

/// What a blow, a body or a ball would do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Force {
    pub(crate) damage: i16,
    pub(crate) push: i32,
    pub(crate) lift: i32,
    pub(crate) stun: u8,
    pub(crate) height: Height,
    /// Where it comes from, in parts of a unit.
    pub(crate) from_x: i32,
}

impl Impact {
    /// Adds `force` to what comes over `victim`. True if it was blocked.
    pub(crate) fn add(&mut self, victim: &Fighter, force: &Force) -> bool {
        let low = victim.pad.has(Pad::DOWN);
        let right_height = match force.height {
            Height::Low => low,
            Height::Middle => true,
            Height::Overhead => !low,
        };
        let blocked = victim.blocking() && victim.faces(force.from_x) && right_height;
        if blocked {
            self.blocked += 3 * force.damage;
            self.push += force.push / 2;
        } else {
            self.hit = true;
            self.damage += force.damage;
            self.push += force.push;
            self.lift = self.lift.max(force.lift);
            self.stun = self.stun.max(force.stun);
        }
        blocked
    }
}

impl Blow {
    const fn force(&self, attacker: &Fighter) -> Force {
        Force {
            damage: self.damage,
            push: attacker.facing * self.push,
            lift: self.lift,
            stun: self.stun,
            height: self.height,
            from_x: attacker.x,
        }
    }
}

impl World {
    /// Adds up what blows and thrown bodies do this tick; balls in their way fly.
    pub(crate) fn strike(&mut self, impacts: &mut Impacts) {
        let before = self.state.fighters;
        let count = self.state.setup.fighters();
        for (attacker, fighter) in before[..count].iter().enumerate() {
            let Some(reach) = Reach::of(fighter) else {
                continue;
            };
            for (victim, other) in before[..count].iter().enumerate() {
                let bit = 1 << victim;
                if victim == attacker
                    || !other.open()
                    || fighter.struck & bit != 0
                    || !reach.touches(other)
                {
                    continue;
                }
                self.state.fighters[attacker].struck |= bit;
                let blocked = impacts[victim].add(other, &reach.force);
                if blocked && fighter.act.blow().is_some() {
                    // Who hits a guard is pushed back too.
                    self.state.fighters[attacker].vx -= reach.force.push / 2;
                }
            }
        }
        self.strike_balls(&before[..count]);
    }

    fn strike_balls(&mut self, fighters: &[Fighter]) {
        for ball in self.state.balls.iter_mut().flatten() {
            if ball.holder.is_some() {
                continue;
            }
            let numbers = ball.numbers();
            let (mut push, mut thrower, mut strikers) = (0, None, 0);
            for (fighter, at) in fighters.iter().zip(0_u8..) {
                let Some(blow) = fighter.act.blow().filter(|blow| blow.hits_at(fighter.tick))
                else {
                    continue;
                };
                let middle = ball.y + numbers.radius * UNIT;
                let reach = Reach::of_blow(fighter, blow);
                if reach.touches_circle(ball.x, middle, numbers.radius * UNIT) {
                    push += fighter.facing * blow.ball_speed * 8 / (4 + numbers.mass);
                    thrower = Some(at);
                    strikers += 1;
                }
            }
            if strikers > 0 {
                ball.vx = push.clamp(-SPEED_MAX, SPEED_MAX);
                ball.vy = 8 * FALL;
                ball.live = true;
                ball.age = 0;
                // What two strike is nobody's.
                ball.thrower = thrower.filter(|_| strikers == 1);
            }
        }
    }

    /// Does to everyone what came over them.
    pub(crate) fn suffer(&mut self, impacts: &Impacts) {
        for (at, &impact) in impacts.iter().enumerate() {
            if impact.hit {
                self.take_hit(at, impact);
            } else if impact.blocked > 0 {
                self.take_block(at, impact);
            }
        }
    }

    fn take_hit(&mut self, at: usize, impact: Impact) {
        self.let_go(at);
        self.drop_ball_of(at);
        let fighter = &mut self.state.fighters[at];
        fighter.health = (fighter.health - impact.damage).max(0);
        fighter.vx = impact.push.clamp(-SPEED_MAX, SPEED_MAX);
        if impact.lift > 0 || !fighter.grounded() || !fighter.stands() {
            fighter.begin(Act::Tumbling);
            fighter.vy = impact.lift.max(260);
        } else {
            fighter.suffer(Act::Hurt, impact.stun.max(1));
        }
        let damage = impact.damage;
        self.say_of(FxKind::Hit { damage }, at);
    }

    fn take_block(&mut self, at: usize, impact: Impact) {
        let fighter = &mut self.state.fighters[at];
        // The last point of health is not lost behind a guard.
        fighter.health = (fighter.health - CHIP).max(1);
        fighter.guard -= impact.blocked;
        fighter.vx = impact.push.clamp(-SPEED_MAX, SPEED_MAX);
        let kind = if fighter.guard <= 0 {
            fighter.guard = GUARD;
            fighter.suffer(Act::Hurt, GUARD_BROKEN_TICKS);
            FxKind::GuardBroken
        } else {
            fighter.suffer(Act::Guarding, BLOCK_TICKS);
            FxKind::Blocked
        };
        self.say_of(kind, at);
    }

    /// Lets those tumble whom something else than a blow has cost the last of their health.
    pub(crate) fn drop_out(&mut self) {
        for at in 0..self.state.setup.fighters() {
            let fighter = &self.state.fighters[at];
            if fighter.stands() || matches!(fighter.act, Act::Tumbling | Act::Out) {
                continue;
            }
            self.let_go(at);
            self.drop_ball_of(at);
            let fighter = &mut self.state.fighters[at];
            if fighter.act == Act::Held {
                continue; // the holder lets go in the next tick
            }
            fighter.begin(Act::Tumbling);
            fighter.vy = 260;
        }
    }
}

/// Where a blow or a flying body hits, in parts of a unit, and what it does.
struct Reach {
    left: i32,
    right: i32,
    from: i32,
    to: i32,
    force: Force,
}

impl Reach {
    fn of(fighter: &Fighter) -> Option<Self> {
        if let Some(blow) = fighter.act.blow() {
            return blow
                .hits_at(fighter.tick)
                .then(|| Self::of_blow(fighter, blow));
        }
        (fighter.act == Act::Tumbling && fighter.count == 1).then(|| Self {
            left: fighter.x - BODY_HALF * UNIT,
            right: fighter.x + BODY_HALF * UNIT,
            from: fighter.y,
            to: fighter.y + 60 * UNIT,
            force: Force {
                damage: BODY_DAMAGE,
                push: fighter.vx / 2,
                lift: 300,
                stun: 0,
                height: Height::Middle,
                from_x: fighter.x - fighter.vx,
            },
        })
    }

    fn of_blow(fighter: &Fighter, blow: &Blow) -> Self {
        let tip = fighter.x + fighter.facing * (BODY_HALF + blow.reach) * UNIT;
        Self {
            left: fighter.x.min(tip),
            right: fighter.x.max(tip),
            from: fighter.y + blow.from * UNIT,
            to: fighter.y + blow.to * UNIT,
            force: blow.force(fighter),
        }
    }

    fn touches(&self, other: &Fighter) -> bool {
        let half = BODY_HALF * UNIT;
        self.left <= other.x + half
            && self.right >= other.x - half
            && self.from <= other.y + other.height() * UNIT
            && self.to >= other.y
    }

    fn touches_circle(&self, x: i32, y: i32, radius: i32) -> bool {
        let nearest = (x.clamp(self.left, self.right), y.clamp(self.from, self.to));
        within(x - nearest.0, y - nearest.1, radius)
    }
}

/// True if (`x`, `y`) is at most `radius` long.
pub(crate) fn within(x: i32, y: i32, radius: i32) -> bool {
    let square = |side: i32| i64::from(side) * i64::from(side);
    square(x) + square(y) <= square(radius)
}
