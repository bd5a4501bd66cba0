//! The world as bytes: what is saved and what is hashed. One list of fields serves both ways.

use crate::{
    Act, Ball, BrawlSetup, Fighter, Pad, Phase,
    dice::Dice,
    rules::{
        AFTER_TICKS, BALL_KINDS, BALL_TICKS, BALLS_MAX, CEILING, GUARD, HEALTH, READY_TICKS,
        SPEED_MAX, STAGE_WIDTH, UNIT,
    },
    setup::SETUP_BYTES,
    world::State,
};
use match_feed::SEATS_MAX;

const COURSE_BYTES: usize = 17;
const FIGHTER_BYTES: usize = 26;
/// A slot without a ball takes one byte.
const BALL_BYTES: usize = 19;
/// No saved world is longer, bytes: eight fighters, and every ball there can be.
pub const SAVED_BYTES_MAX: usize =
    SETUP_BYTES + COURSE_BYTES + SEATS_MAX * FIGHTER_BYTES + BALLS_MAX * BALL_BYTES;
const _: () = assert!(SAVED_BYTES_MAX < 2048);

/// Of anything that moves, in parts of a unit.
const X_MAX: i32 = STAGE_WIDTH / 2 * UNIT;
const Y_MAX: i32 = CEILING * UNIT;
/// Stands for nobody.
const NOBODY: u8 = 255;

/// A value is out of its range, or the bytes end.
pub(crate) struct Refused;

/// Passes over the fields in order: writes each, or reads each.
pub(crate) trait Pass {
    fn bytes(&mut self, value: &mut [u8]) -> Result<(), Refused>;
}

/// Fills a buffer, and counts also what no longer fits.
pub(crate) struct Writing<'a> {
    pub(crate) buffer: &'a mut [u8],
    pub(crate) given: usize,
}

impl Pass for Writing<'_> {
    #[inline]
    fn bytes(&mut self, value: &mut [u8]) -> Result<(), Refused> {
        let end = self.given + value.len();
        if let Some(room) = self.buffer.get_mut(self.given..end) {
            room.copy_from_slice(value);
        }
        self.given = end;
        Ok(())
    }
}

/// What is left to read.
pub(crate) struct Reading<'a> {
    pub(crate) bytes: &'a [u8],
    /// Where the newest value began.
    pub(crate) from: usize,
    /// What comes next.
    pub(crate) at: usize,
}

impl Pass for Reading<'_> {
    #[inline]
    fn bytes(&mut self, value: &mut [u8]) -> Result<(), Refused> {
        self.from = self.at;
        let from = self.bytes.get(self.at..self.at + value.len());
        value.copy_from_slice(from.ok_or(Refused)?);
        self.at += value.len();
        Ok(())
    }
}

/// A number of a fixed width, little-endian.
trait Number: Copy + PartialOrd {
    fn pass(self, pass: &mut impl Pass) -> Result<Self, Refused>;
}

macro_rules! numbers {
    ($($T:ty),*) => {$(
        impl Number for $T {
            #[inline]
            fn pass(self, pass: &mut impl Pass) -> Result<Self, Refused> {
                let mut bytes = self.to_le_bytes();
                pass.bytes(&mut bytes)?;
                Ok(Self::from_le_bytes(bytes))
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, i16, i32);

#[inline]
fn number<T: Number>(
    pass: &mut impl Pass,
    value: &mut T,
    least: T,
    most: T,
) -> Result<(), Refused> {
    *value = value.pass(pass)?;
    if (least..=most).contains(value) {
        Ok(())
    } else {
        Err(Refused)
    }
}

fn somebody(pass: &mut impl Pass, who: &mut Option<u8>, fighters: u8) -> Result<(), Refused> {
    let mut at = who.unwrap_or(NOBODY);
    number(pass, &mut at, 0, NOBODY)?;
    if at != NOBODY && at >= fighters {
        return Err(Refused);
    }
    *who = (at != NOBODY).then_some(at);
    Ok(())
}

fn flag(pass: &mut impl Pass, value: &mut bool) -> Result<(), Refused> {
    let mut bit = u8::from(*value);
    number(pass, &mut bit, 0, 1)?;
    *value = bit == 1;
    Ok(())
}

pub(crate) fn setup(pass: &mut impl Pass, setup: &mut BrawlSetup) -> Result<(), Refused> {
    let mut bytes: [u8; SETUP_BYTES] = setup.encode();
    pass.bytes(&mut bytes)?;
    *setup = BrawlSetup::decode(&bytes).map_err(|_| Refused)?;
    Ok(())
}

/// The round and the chances.
pub(crate) fn course(pass: &mut impl Pass, state: &mut State) -> Result<(), Refused> {
    let rounds_max = state.setup.rounds_max();
    number(pass, &mut state.tick, 0, u32::MAX)?;
    let Dice(mut dice) = state.dice;
    number(pass, &mut dice, 0, u64::MAX)?;
    state.dice = Dice(dice);
    let mut phase = state.phase as u8;
    number(pass, &mut phase, 0, 3)?;
    state.phase = Phase::ALL[usize::from(phase)];
    let clock_max = match state.phase {
        Phase::Ready => READY_TICKS - 1,
        Phase::Fight => u16::MAX,
        Phase::After => AFTER_TICKS - 1,
        Phase::Over => 0,
    };
    number(pass, &mut state.clock, 0, clock_max)?;
    number(pass, &mut state.round, 0, rounds_max - 1)?;
    somebody(pass, &mut state.round_winner, state.setup.fighters() as u8)
}

pub(crate) fn fighters(pass: &mut impl Pass, state: &mut State) -> Result<(), Refused> {
    let count = state.setup.fighters();
    let wins_max = state.setup.wins();
    for fighter in &mut state.fighters[..count] {
        one_fighter(pass, fighter, count as u8, wins_max)?;
    }
    state.fighters[count..].fill(Fighter::default());
    let each = || state.fighters[..count].iter().zip(0_u8..);
    let partners_agree = each().all(|(fighter, at)| {
        let wants = match fighter.act {
            Act::Hold => Act::Held,
            Act::Held => Act::Hold,
            _ => return fighter.partner.is_none(),
        };
        fighter.partner.is_some_and(|partner| {
            let partner = &state.fighters[usize::from(partner)];
            partner.act == wants && partner.partner == Some(at)
        })
    });
    if partners_agree { Ok(()) } else { Err(Refused) }
}

fn one_fighter(
    pass: &mut impl Pass,
    fighter: &mut Fighter,
    count: u8,
    wins_max: u8,
) -> Result<(), Refused> {
    number(pass, &mut fighter.x, -X_MAX, X_MAX)?;
    number(pass, &mut fighter.y, 0, Y_MAX)?;
    let (mut vx, mut vy) = (fighter.vx as i16, fighter.vy as i16);
    number(pass, &mut vx, -SPEED_MAX as i16, SPEED_MAX as i16)?;
    number(pass, &mut vy, -SPEED_MAX as i16, SPEED_MAX as i16)?;
    (fighter.vx, fighter.vy) = (vx.into(), vy.into());
    let mut right = fighter.facing > 0;
    flag(pass, &mut right)?;
    fighter.facing = if right { 1 } else { -1 };
    let mut act = fighter.act as u8;
    number(pass, &mut act, 0, Act::ALL.len() as u8 - 1)?;
    fighter.act = Act::ALL[usize::from(act)];
    number(pass, &mut fighter.tick, 0, u8::MAX)?;
    number(pass, &mut fighter.left, 0, u8::MAX)?;
    number(pass, &mut fighter.count, 0, u8::MAX)?;
    number(pass, &mut fighter.struck, 0, u8::MAX)?;
    somebody(pass, &mut fighter.partner, count)?;
    number(pass, &mut fighter.health, 0, HEALTH)?;
    number(pass, &mut fighter.guard, 0, GUARD)?;
    let mut pad = fighter.pad.bits();
    number(pass, &mut pad, 0, u16::MAX)?;
    fighter.pad = Pad::from_bits(pad);
    if fighter.pad.bits() != pad {
        return Err(Refused);
    }
    number(pass, &mut fighter.wins, 0, wins_max)?;
    Ok(())
}

pub(crate) fn balls(pass: &mut impl Pass, state: &mut State) -> Result<(), Refused> {
    let count = state.setup.fighters() as u8;
    let mut held = [false; SEATS_MAX];
    for slot in &mut state.balls {
        let mut there = slot.is_some();
        flag(pass, &mut there)?;
        if !there {
            *slot = None;
            continue;
        }
        let ball = slot.get_or_insert_default();
        one_ball(pass, ball, count)?;
        if let Some(holder) = ball.holder {
            // Two hands, one ball.
            if core::mem::replace(&mut held[usize::from(holder)], true) {
                return Err(Refused);
            }
        }
    }
    Ok(())
}

fn one_ball(pass: &mut impl Pass, ball: &mut Ball, count: u8) -> Result<(), Refused> {
    number(pass, &mut ball.kind, 0, BALL_KINDS.len() as u8 - 1)?;
    number(pass, &mut ball.x, -X_MAX, X_MAX)?;
    number(pass, &mut ball.y, 0, Y_MAX)?;
    let (mut vx, mut vy) = (ball.vx as i16, ball.vy as i16);
    number(pass, &mut vx, -SPEED_MAX as i16, SPEED_MAX as i16)?;
    number(pass, &mut vy, -SPEED_MAX as i16, SPEED_MAX as i16)?;
    (ball.vx, ball.vy) = (vx.into(), vy.into());
    somebody(pass, &mut ball.holder, count)?;
    somebody(pass, &mut ball.thrower, count)?;
    flag(pass, &mut ball.live)?;
    number(pass, &mut ball.age, 0, BALL_TICKS)?;
    Ok(())
}
