//! A player that is none: looks at the world and holds a pad. Its dice are its own and no part of the world.

use crate::{
    Act, Ball, Fighter, Pad, Phase, World,
    dice::Dice,
    rules::{BODY_HALF, GRAB_REACH, KICK, PICK_REACH, PUNCH, SWEEP, UNIT, UPPERCUT},
};
use match_feed::Seat;

/// How well a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotLevel {
    /// Stands there.
    Dummy,
    /// Slow, and seldom blocks.
    Easy,
    /// A fair match.
    Normal,
    /// Quick, blocks right, and punishes.
    Hard,
}

/// What tells levels apart.
struct Skill {
    /// Ticks between two decisions.
    every: u32,
    /// How often, in a hundred, a blow that comes is seen and blocked.
    block: u32,
    /// How often an open opponent is made use of.
    punish: u32,
    /// How often a chance to strike is taken.
    strike: u32,
    /// How often a hold is broken in time.
    escape: u32,
}

impl BotLevel {
    const fn skill(self) -> Skill {
        match self {
            Self::Dummy | Self::Easy => Skill {
                every: 22,
                block: 12,
                punish: 10,
                strike: 45,
                escape: 5,
            },
            Self::Normal => Skill {
                every: 12,
                block: 40,
                punish: 40,
                strike: 60,
                escape: 25,
            },
            Self::Hard => Skill {
                every: 5,
                block: 82,
                punish: 90,
                strike: 75,
                escape: 60,
            },
        }
    }
}

/// Plays one seat. Two bots of one level, seat and seed do the same in the same world.
#[derive(Clone, Debug)]
pub struct Bot {
    seat: Seat,
    level: BotLevel,
    dice: Dice,
    /// What is held until the next decision, and when that is.
    plan: Pad,
    until: u32,
    /// Buttons are let go for a tick between two presses.
    released: bool,
}

impl Bot {
    /// Plays `seat` at `level`; `seed` makes its choices.
    #[must_use]
    pub fn new(seat: Seat, level: BotLevel, seed: u64) -> Self {
        let salt = (seat.index() as u64 + 1) << 32 | level as u64;
        Self {
            seat,
            level,
            dice: Dice(seed ^ Dice(salt).next()),
            plan: Pad::NEUTRAL,
            until: 0,
            released: false,
        }
    }

    /// What it holds down in the next tick. Called once a tick.
    pub fn think(&mut self, world: &World) -> Pad {
        let at = self.seat.index();
        let Some(own) = world.fighters().get(at) else {
            return Pad::NEUTRAL;
        };
        if self.level == BotLevel::Dummy || world.phase() != Phase::Fight || !own.stands() {
            return Pad::NEUTRAL;
        }
        let Some(other) = self.opponent(world, own) else {
            return Pad::NEUTRAL;
        };
        let skill = self.level.skill();
        if world.tick() >= self.until || self.alarmed(world, own, &other) {
            self.until = world.tick() + 1 + self.dice.below(skill.every) + skill.every / 2;
            self.plan = self.decide(world, own, &other, &skill);
            self.released = false;
        } else if !self.released {
            // What is to be pressed again must be let go.
            let held = Pad::PUNCH
                .and(Pad::KICK)
                .and(Pad::GRAB)
                .and(Pad::THROW)
                .and(Pad::UP);
            self.plan = self.plan.without(held);
            self.released = true;
        }
        self.plan
    }

    /// The nearest who stands; of two as near, either.
    fn opponent(&mut self, world: &World, own: &Fighter) -> Option<Fighter> {
        let at = self.seat.index();
        let others = || {
            let fighters = world.fighters().iter().enumerate();
            fighters.filter(move |(index, fighter)| *index != at && fighter.stands())
        };
        let far = |fighter: &Fighter| (fighter.x - own.x).abs();
        let nearest = others().map(|(_, fighter)| far(fighter)).min()?;
        let as_near = || others().filter(|(_, fighter)| far(fighter) == nearest);
        let which = match as_near().count() {
            1 => 0,
            count => self.dice.below(count as u32) as usize,
        };
        as_near().nth(which).map(|(_, fighter)| *fighter)
    }

    /// True if something happens that a quick player sees before the next decision is due.
    fn alarmed(&self, world: &World, own: &Fighter, other: &Fighter) -> bool {
        self.level == BotLevel::Hard
            && !self.plan.has(Pad::BLOCK)
            && own.act == Act::Free
            && (threatens(own, other) || ball_comes(world, own))
    }

    fn decide(&mut self, world: &World, own: &Fighter, other: &Fighter, skill: &Skill) -> Pad {
        let towards = side(other.x - own.x, own);
        let away = towards.mirrored();
        let apart = (other.x - own.x).abs() / UNIT - 2 * BODY_HALF;
        if own.act == Act::Held {
            let breaks = self.dice.chance(skill.escape);
            return if breaks { Pad::GRAB } else { Pad::PUNCH };
        }
        if own.act == Act::Hold {
            return self.one_of(&[Pad::PUNCH, Pad::THROW, Pad::THROW.and(away)]);
        }
        if threatens(own, other) && self.dice.chance(skill.block) {
            return guard_against(other).and(towards);
        }
        if ball_comes(world, own) && self.dice.chance(skill.block) {
            // A pad says where to look: at the ball.
            let from = world
                .balls()
                .find(|ball| comes(ball, own))
                .map_or(0, |ball| ball.x - own.x);
            return Pad::BLOCK.and(side(from, own));
        }
        let armed = world.ball_of(self.seat.index()).is_some();
        if armed && apart > 120 {
            let aim = self.one_of(&[Pad::NEUTRAL, Pad::NEUTRAL, Pad::UP]);
            return if self.dice.chance(skill.strike) {
                Pad::THROW.and(towards).and(aim)
            } else {
                towards
            };
        }
        let lies = !other.open();
        if lies {
            return self.one_of(&[away, Pad::NEUTRAL, Pad::DOWN.and(Pad::BLOCK)]);
        }
        if helpless(other) && apart <= KICK.reach && self.dice.chance(skill.punish) {
            let strong = if other.blocking() {
                Pad::GRAB
            } else {
                Pad::KICK
            };
            return strong.and(towards);
        }
        if other.y > 70 * UNIT && apart <= UPPERCUT.reach + 30 && self.dice.chance(skill.punish) {
            return Pad::DOWN.and(Pad::PUNCH).and(towards);
        }
        if other.blocking() && apart <= GRAB_REACH && self.dice.chance(skill.punish) {
            return Pad::GRAB.and(towards);
        }
        if apart <= SWEEP.reach && self.dice.chance(skill.strike) {
            return self.close_up(other, apart, towards);
        }
        self.approach(world, own, apart, towards, armed)
    }

    fn close_up(&mut self, other: &Fighter, apart: i32, towards: Pad) -> Pad {
        let sweep = Pad::DOWN.and(Pad::KICK);
        let choices: [Pad; 6] = if apart <= GRAB_REACH {
            [
                Pad::PUNCH,
                Pad::PUNCH,
                Pad::KICK,
                sweep,
                Pad::GRAB,
                Pad::DOWN.and(Pad::PUNCH),
            ]
        } else if apart <= PUNCH.reach {
            [Pad::PUNCH, Pad::PUNCH, Pad::KICK, Pad::KICK, sweep, sweep]
        } else {
            [
                Pad::KICK,
                Pad::KICK,
                sweep,
                sweep,
                Pad::UP.and(towards),
                towards,
            ]
        };
        let choice = self.one_of(&choices);
        if self.level == BotLevel::Hard && choice == Pad::KICK && other.blocking() {
            return sweep.and(towards);
        }
        choice.and(towards)
    }

    fn approach(
        &mut self,
        world: &World,
        own: &Fighter,
        apart: i32,
        towards: Pad,
        armed: bool,
    ) -> Pad {
        if !armed {
            let near = world
                .balls()
                .filter(|ball| ball.holder.is_none() && !ball.live && ball.y < 80 * UNIT)
                .map(|ball| (ball.x - own.x, ball.numbers().radius))
                .min_by_key(|(way, _)| way.abs());
            if let Some((way, radius)) = near
                && way.abs() / UNIT < apart
            {
                let reach = BODY_HALF + PICK_REACH + radius - 8;
                let there = way.abs() / UNIT <= reach;
                let walk = side(way, own);
                return if there { Pad::GRAB.and(walk) } else { walk };
            }
        }
        if !own.grounded() {
            return Pad::KICK.and(towards);
        }
        let jump = Pad::UP.and(towards);
        let choices = [
            towards,
            towards,
            towards,
            towards,
            towards,
            jump,
            Pad::BLOCK,
            towards.mirrored(),
        ];
        self.one_of(&choices)
    }

    fn one_of(&mut self, choices: &[Pad]) -> Pad {
        choices[self.dice.below(choices.len() as u32) as usize]
    }
}

/// The pad that goes where `way` points; at no distance, where one looks.
fn side(way: i32, own: &Fighter) -> Pad {
    let right = if way == 0 { own.facing > 0 } else { way > 0 };
    if right { Pad::RIGHT } else { Pad::LEFT }
}

/// True if a blow of `other` is about to reach `own`.
fn threatens(own: &Fighter, other: &Fighter) -> bool {
    let Some(blow) = other.act.blow() else {
        return false;
    };
    let apart = (other.x - own.x).abs() / UNIT - 2 * BODY_HALF;
    other.tick < blow.startup + blow.active && other.faces(own.x) && apart <= blow.reach + 30
}

/// How what `other` does is blocked.
fn guard_against(other: &Fighter) -> Pad {
    if other.act == Act::Sweep {
        Pad::BLOCK.and(Pad::DOWN)
    } else {
        Pad::BLOCK
    }
}

/// True if `other` cannot do anything for a while.
fn helpless(other: &Fighter) -> bool {
    let recovers = other
        .act
        .blow()
        .is_some_and(|blow| other.tick >= blow.startup + blow.active);
    recovers || matches!(other.act, Act::Hurt | Act::Hurl | Act::Grab)
}

fn comes(ball: &Ball, own: &Fighter) -> bool {
    let way = own.x - ball.x;
    ball.live && ball.vx.signum() == way.signum() && way.abs() < 260 * UNIT && ball.y < 160 * UNIT
}

fn ball_comes(world: &World, own: &Fighter) -> bool {
    world.balls().any(|ball| comes(ball, own))
}
