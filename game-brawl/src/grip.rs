//! Grabs, holds and throws, and picking balls up: all of a tick decided from one moment.

use crate::{
    Act, Fighter, FxKind, Pad,
    rules::{
        BODY_HALF, BREAK_TICKS, GRAB_ACTIVE, GRAB_REACH, GRAB_STARTUP, HOLD_TICKS, KNEE_DAMAGE,
        KNEE_TICKS, KNEES_MAX, PART_SPEED, PICK_REACH, STRUGGLE_TICKS, THROW_DAMAGE, THROW_SPEED,
        UNIT,
    },
    world::World,
};
use match_feed::SEATS_MAX;

/// Ticks for which two who part can do nothing.
const PART_TICKS: u8 = 12;
/// Ticks of a hold before a throw.
const THROW_AFTER: u8 = 8;
/// Between the middles of who holds and who is held.
const HOLD_GAP: i32 = 40 * UNIT;
/// A ball that two reach for flies up.
const CONTESTED_SPEED: i32 = 640;
/// Feet at most so high above each other.
const GRAB_HEIGHT: i32 = 40 * UNIT;

impl World {
    /// Lets holds go on and grabs take hold. `pressed`: the buttons that went down this tick.
    pub(crate) fn grip(&mut self, pressed: &[Pad; SEATS_MAX]) {
        for at in 0..self.state.setup.fighters() {
            if self.state.fighters[at].act == Act::Hold {
                self.go_on_holding(at, pressed);
            }
        }
        self.take_hold();
        self.pick_up();
    }

    fn go_on_holding(&mut self, at: usize, pressed: &[Pad; SEATS_MAX]) {
        let holder = self.state.fighters[at];
        let Some(held) = holder.partner.map(usize::from) else {
            return;
        };
        let (own, other) = (pressed[at], pressed[held]);
        if holder.tick <= BREAK_TICKS && other.has(Pad::GRAB) {
            return self.part_pair(at, held);
        }
        let (ready, throw) = (
            holder.tick >= THROW_AFTER,
            own.has(Pad::THROW) || own.has(Pad::GRAB),
        );
        if throw && ready {
            return self.throw(at, held);
        }
        if own.has(Pad::PUNCH)
            && holder.count < KNEES_MAX
            && holder.tick >= KNEE_TICKS * (holder.count + 1)
        {
            self.state.fighters[at].count += 1;
            let victim = &mut self.state.fighters[held];
            victim.health = (victim.health - KNEE_DAMAGE).max(0);
            self.say_of(
                FxKind::Hit {
                    damage: KNEE_DAMAGE,
                },
                held,
            );
        }
        let struggled = other.bits().count_ones() as u8 * STRUGGLE_TICKS;
        let holder = &mut self.state.fighters[at];
        holder.left = holder.left.saturating_sub(struggled);
        if holder.left == 0 {
            return self.part_pair(at, held);
        }
        let (x, y, facing) = (holder.x, holder.y, holder.facing);
        let victim = &mut self.state.fighters[held];
        victim.x = (x + facing * HOLD_GAP).clamp(-crate::motion::SIDE, crate::motion::SIDE);
        (victim.y, victim.vx, victim.vy) = (y, 0, 0);
        victim.facing = -facing;
        if !victim.stands() {
            self.let_go(at);
        }
    }

    fn throw(&mut self, at: usize, held: usize) {
        let holder = &mut self.state.fighters[at];
        let direction = holder.pad.direction();
        if direction != 0 {
            holder.facing = direction;
        }
        let facing = holder.facing;
        holder.suffer(Act::Hurt, PART_TICKS);
        let victim = &mut self.state.fighters[held];
        victim.begin(Act::Tumbling);
        victim.count = 1;
        victim.struck = 1 << at | 1 << held;
        victim.health = (victim.health - THROW_DAMAGE).max(0);
        (victim.vx, victim.vy) = (facing * THROW_SPEED.0, THROW_SPEED.1);
        self.say_of(
            FxKind::Hit {
                damage: THROW_DAMAGE,
            },
            held,
        );
        self.say_of(FxKind::Thrown, held);
    }

    /// Both step back.
    fn part_pair(&mut self, at: usize, held: usize) {
        self.part(at);
        self.part(held);
        self.say_of(FxKind::Parted, at);
    }

    fn part(&mut self, at: usize) {
        let fighter = &mut self.state.fighters[at];
        fighter.suffer(Act::Hurt, PART_TICKS);
        fighter.vx = -fighter.facing * PART_SPEED;
    }

    /// Whom fighter `at` holds is free, if anybody.
    pub(crate) fn let_go(&mut self, at: usize) {
        let fighter = &mut self.state.fighters[at];
        if fighter.act != Act::Hold {
            return;
        }
        let partner = fighter.partner.map(usize::from);
        fighter.begin(Act::Free);
        if let Some(partner) = partner {
            self.state.fighters[partner].begin(Act::Free);
        }
    }

    /// A grab takes hold where nobody else grabs the same one or the one who grabs; others part.
    fn take_hold(&mut self) {
        let before = self.state.fighters;
        let fighters = &before[..self.state.setup.fighters()];
        let mut wants = [None; SEATS_MAX];
        let mut wanted = [0_u8; SEATS_MAX];
        for (at, want) in wants.iter_mut().enumerate().take(fighters.len()) {
            *want = nearest_victim(fighters, at);
            if let Some(victim) = *want {
                wanted[victim] += 1;
            }
        }
        for (at, want) in wants.into_iter().enumerate() {
            let Some(victim) = want else { continue };
            if wanted[at] == 0 && wanted[victim] == 1 {
                self.drop_ball_of(victim);
                self.state.fighters[at].suffer(Act::Hold, HOLD_TICKS);
                self.state.fighters[at].partner = Some(victim as u8);
                self.state.fighters[at].vx = 0;
                self.state.fighters[victim].begin(Act::Held);
                self.state.fighters[victim].partner = Some(at as u8);
                self.say_of(FxKind::Grabbed, victim);
            }
        }
        for (at, want) in wants.into_iter().enumerate() {
            if want.is_some() && self.state.fighters[at].act == Act::Grab {
                self.part(at);
                self.say_of(FxKind::Parted, at);
            }
        }
    }

    /// A ball that one reaches for is theirs; one that two reach for flies up.
    fn pick_up(&mut self) {
        let mut takers: [Option<usize>; SEATS_MAX] = [None; SEATS_MAX];
        for (at, fighter) in self.fighters().iter().enumerate() {
            if reaches(fighter) && self.ball_of(at).is_none() {
                takers[at] = self.nearest_ball(fighter);
            }
        }
        for slot in 0..self.state.balls.len() {
            let mut by = (0..takers.len()).filter(|at| takers[*at] == Some(slot));
            let (Some(first), second) = (by.next(), by.next()) else {
                continue;
            };
            let Some(ball) = &mut self.state.balls[slot] else {
                continue;
            };
            (ball.vx, ball.vy, ball.age, ball.live) = (0, 0, 0, false);
            if second.is_some() {
                ball.vy = CONTESTED_SPEED;
                continue;
            }
            ball.holder = Some(first as u8);
            ball.thrower = None;
            self.state.fighters[first].begin(Act::Free);
            self.say_of(FxKind::Picked, first);
        }
    }

    /// The nearest ball in front that nobody holds; the lower slot's of two as near.
    fn nearest_ball(&self, fighter: &Fighter) -> Option<usize> {
        let near = |slot: &usize| {
            let ball = self.state.balls[*slot].as_ref()?;
            let far = (ball.x - fighter.x) * fighter.facing;
            let reach = (BODY_HALF + PICK_REACH + ball.numbers().radius) * UNIT;
            let low = (ball.y - fighter.y).abs() <= fighter.height() * UNIT;
            (ball.holder.is_none() && !ball.live && (0..=reach).contains(&far) && low)
                .then_some(far)
        };
        (0..self.state.balls.len())
            .filter_map(|slot| near(&slot).map(|far| (far, slot)))
            .min()
            .map(|(_, slot)| slot)
    }
}

/// True while a grab can take hold.
pub(crate) fn reaches(fighter: &Fighter) -> bool {
    fighter.act == Act::Grab && (GRAB_STARTUP..GRAB_STARTUP + GRAB_ACTIVE).contains(&fighter.tick)
}

/// Whom fighter `at` grabs now: the nearest in front on the ground; nobody of two as near.
fn nearest_victim(fighters: &[Fighter], at: usize) -> Option<usize> {
    let fighter = &fighters[at];
    if !reaches(fighter) {
        return None;
    }
    let reach = (GRAB_REACH + 2 * BODY_HALF) * UNIT;
    let far = |victim: usize| {
        let other = &fighters[victim];
        let far = (other.x - fighter.x) * fighter.facing;
        (victim != at
            && other.open()
            && other.act != Act::Hold
            && other.stands()
            && (other.y - fighter.y).abs() <= GRAB_HEIGHT
            && (0..=reach).contains(&far))
        .then_some(far)
    };
    let nearest = (0..fighters.len()).filter_map(far).min()?;
    let mut as_near = (0..fighters.len()).filter(|victim| far(*victim) == Some(nearest));
    let (first, second) = (as_near.next(), as_near.next());
    first.filter(|_| second.is_none())
}
