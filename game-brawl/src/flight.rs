//! Balls: they come, fly, bounce, are thrown, and hit.

use crate::{
    Act, Ball, FxKind, Pad,
    grip::reaches,
    motion::FALL,
    rules::{
        BALL_DROP, BALL_KINDS, BALL_LIVE_SPEED, BALL_TICKS, BALLS_EVERY, BODY_HALF, CEILING,
        HURL_TICKS, Height, SPEED_MAX, STAGE_WIDTH, THROWER_SAFE_TICKS, UNIT,
    },
    strike::{Force, Impacts, within},
    world::World,
};

/// Where a ball's middle may be.
const SIDE: i32 = STAGE_WIDTH / 2 * UNIT;
/// A slower bounce is none.
const REST_SPEED: i32 = 150;
/// Where a hand is, from the feet's middle.
const HAND: (i32, i32) = (34 * UNIT, 62 * UNIT);
/// What aiming up or down adds to the upward speed, in thousandths of the throw's, and a level throw's own.
const AIM: (i32, i32, i32) = (700, -250, 120);

impl World {
    /// Lets a pair of balls of one kind fall, both as far from the middle of those who stand.
    pub(crate) fn drop_balls(&mut self) {
        if !self.state.clock.is_multiple_of(BALLS_EVERY) {
            return;
        }
        let kind = self.state.dice.below(BALL_KINDS.len() as u32) as u8;
        let far = self.state.dice.below(BALL_DROP.1 as u32 / 2) as i32 * UNIT;
        let (sum, count) = self
            .fighters()
            .iter()
            .filter(|fighter| fighter.stands())
            .fold((0_i64, 0), |(sum, count), fighter| {
                (sum + i64::from(fighter.x), count + 1)
            });
        let middle = (sum / i64::max(count, 1)) as i32;
        let free = self
            .state
            .balls
            .iter()
            .filter(|slot| slot.is_none())
            .count();
        if free < 2 {
            return;
        }
        for x in [middle - far, middle + far] {
            let slot = self.state.balls.iter_mut().find(|slot| slot.is_none());
            if let Some(slot) = slot {
                *slot = Some(Ball {
                    kind,
                    x: x.clamp(-SIDE, SIDE),
                    y: BALL_DROP.0 * UNIT,
                    ..Ball::default()
                });
            }
        }
    }

    /// Releases what is thrown, and moves every ball.
    pub(crate) fn fly_balls(&mut self) {
        for slot in 0..self.state.balls.len() {
            let Some(mut ball) = self.state.balls[slot] else {
                continue;
            };
            match ball.holder {
                Some(holder) => self.carry(&mut ball, usize::from(holder)),
                None => self.fly(&mut ball),
            }
            let goes = ball.holder.is_none() && ball.age >= BALL_TICKS;
            self.state.balls[slot] = (!goes).then_some(ball);
        }
    }

    fn carry(&mut self, ball: &mut Ball, holder: usize) {
        let fighter = self.state.fighters[holder];
        ball.x = (fighter.x + fighter.facing * HAND.0).clamp(-SIDE, SIDE);
        let lift = if fighter.crouching() {
            HAND.1 / 2
        } else {
            HAND.1
        };
        ball.y = fighter.y + lift;
        if fighter.act != Act::Hurl || fighter.tick != HURL_TICKS.0 {
            return;
        }
        let speed = ball.numbers().speed;
        let share = match () {
            () if fighter.pad.has(Pad::UP) => AIM.0,
            () if fighter.pad.has(Pad::DOWN) => AIM.1,
            () => AIM.2,
        };
        ball.vx = (fighter.facing * speed + fighter.vx / 2).clamp(-SPEED_MAX, SPEED_MAX);
        ball.vy = speed * share / 1000;
        ball.holder = None;
        ball.thrower = Some(holder as u8);
        (ball.live, ball.age) = (true, 0);
        self.say(FxKind::Thrown, None, ball.x, ball.y);
    }

    fn fly(&mut self, ball: &mut Ball) {
        let numbers = ball.numbers();
        ball.age = (ball.age + 1).min(BALL_TICKS);
        ball.vy = (ball.vy - FALL).max(-SPEED_MAX);
        ball.x += ball.vx;
        ball.y = (ball.y + ball.vy).min(CEILING * UNIT);
        if ball.x.abs() > SIDE {
            ball.x = ball.x.clamp(-SIDE, SIDE);
            ball.vx = -ball.vx * numbers.bounce / 1000;
        }
        if ball.y <= 0 {
            ball.y = 0;
            ball.vx -= ball.vx / 24;
            let up = -ball.vy * numbers.bounce / 1000;
            if up > REST_SPEED {
                ball.vy = up;
                self.say(FxKind::Bounced, None, ball.x, 0);
            } else {
                ball.vy = 0;
            }
        }
        ball.live &= ball.speed() >= BALL_LIVE_SPEED;
    }

    /// Adds what live balls do to those in their way; a ball that hits bounces off, and may be caught.
    pub(crate) fn hit_with_balls(&mut self, impacts: &mut Impacts) {
        let count = self.state.setup.fighters();
        for slot in 0..self.state.balls.len() {
            let Some(mut ball) = self.state.balls[slot].filter(|ball| ball.live) else {
                continue;
            };
            let force = ball.force();
            let (mut hits, mut blocks, mut catcher, mut catchers) = (0, 0, None, 0);
            for (at, impact) in impacts.iter_mut().enumerate().take(count) {
                if !self.touches(&ball, at) {
                    continue;
                }
                let fighter = &self.state.fighters[at];
                if reaches(fighter) && fighter.faces(ball.x) && self.ball_of(at).is_none() {
                    (catcher, catchers) = (Some(at), catchers + 1);
                } else if impact.add(fighter, &force) {
                    blocks += 1;
                } else {
                    hits += 1;
                }
            }
            if let Some(catcher) = catcher.filter(|_| catchers == 1) {
                (ball.holder, ball.live, ball.age) = (Some(catcher as u8), false, 0);
                (ball.vx, ball.vy) = (0, 0);
                self.state.fighters[catcher].begin(Act::Free);
                self.say_of(FxKind::Caught, catcher);
            } else if blocks > 0 {
                // It flies back, and whoever threw it had better look out.
                ball.vx = -ball.vx * 7 / 10;
                ball.vy = 300;
                (ball.thrower, ball.age) = (None, 0);
            } else if hits + catchers > 0 {
                ball.vx = -ball.vx / 4;
                ball.vy = 360;
                ball.live = false;
            }
            self.state.balls[slot] = Some(ball);
        }
    }

    fn touches(&self, ball: &Ball, at: usize) -> bool {
        let fighter = &self.state.fighters[at];
        let safe = ball.thrower.map(usize::from) == Some(at) && ball.age < THROWER_SAFE_TICKS;
        let radius = ball.numbers().radius * UNIT;
        let middle = ball.y + radius;
        let half = BODY_HALF * UNIT;
        let nearest = (
            ball.x.clamp(fighter.x - half, fighter.x + half),
            middle.clamp(fighter.y, fighter.y + fighter.height() * UNIT),
        );
        !safe && fighter.open() && within(ball.x - nearest.0, middle - nearest.1, radius)
    }

    /// What fighter `at` has in hand falls.
    pub(crate) fn drop_ball_of(&mut self, at: usize) {
        for ball in self.state.balls.iter_mut().flatten() {
            if ball.holder.map(usize::from) == Some(at) {
                ball.holder = None;
                (ball.vx, ball.vy, ball.live, ball.age) = (0, 240, false, 0);
            }
        }
    }
}

impl Ball {
    /// What it does to whom it hits: the faster, the more.
    fn force(&self) -> Force {
        let numbers = self.numbers();
        let share = (self.speed() * 100 / numbers.speed).clamp(40, 130);
        Force {
            damage: (i32::from(numbers.damage) * share / 100) as i16,
            push: self.vx.signum() * (160 + 50 * numbers.mass),
            lift: if numbers.mass >= 10 { 320 } else { 0 },
            stun: 16,
            height: Height::Middle,
            from_x: self.x - self.vx,
        }
    }
}
