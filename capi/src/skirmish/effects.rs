//! Skirmish level: effects
//!
//! What happened in the ticks just stepped, for the eye and the ear. Nothing of it feeds back into the world.

use crate::{sized::sized, words::*};
use game_sim::{FxEvent, Point, Refusal, World};
use match_feed::{Tick, duel::Side};
use std::collections::VecDeque;

/// Something that happened: `DUEL_EFFECT_…`.
pub type duel_effect_kind = i32;
/// A shot from `x`, `y` at `to_x`, `to_y`; `flag` 1 if it bursts.
pub const DUEL_EFFECT_SHOT: i32 = 1;
/// A unit `id` of kind `what` came into the world.
pub const DUEL_EFFECT_UNIT_MADE: i32 = 2;
/// A unit was destroyed.
pub const DUEL_EFFECT_UNIT_LOST: i32 = 3;
/// A building `id` of kind `what` was put down.
pub const DUEL_EFFECT_BUILDING_PLACED: i32 = 4;
/// A building is gone; `flag` 1 if it was sold.
pub const DUEL_EFFECT_BUILDING_LOST: i32 = 5;
/// A building of kind `what` is finished and waits to be placed.
pub const DUEL_EFFECT_BUILDING_READY: i32 = 6;
/// A reinforcement arrived.
pub const DUEL_EFFECT_WAVE: i32 = 7;
/// Power `what` was called down.
pub const DUEL_EFFECT_POWER: i32 = 8;
/// A strike fell.
pub const DUEL_EFFECT_STRIKE: i32 = 9;
/// Goliath `id` was lifted (`flag` 1) or put down (0).
pub const DUEL_EFFECT_GOLIATH: i32 = 10;
/// An order of kind `what` did nothing, for reason `id` of `DUEL_NAMES_REFUSALS`.
pub const DUEL_EFFECT_REFUSED: i32 = 11;
/// A side gave up.
pub const DUEL_EFFECT_RESIGNED: i32 = 12;

/// An effect. Sized.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_skirmish_effect {
    /// `sizeof(duel_skirmish_effect)`.
    pub struct_size: u32,
    /// What, `DUEL_EFFECT_…`.
    pub kind: i32,
    /// The tick it happened in.
    pub tick: u32,
    /// Whose.
    pub side: i32,
    /// Which, by id, or -1.
    pub id: i32,
    /// A kind of unit, building, power or order, or -1.
    pub what: i32,
    /// 0 or 1.
    pub flag: i32,
    /// Which sides saw the place: 1 blue, 2 red, added up; 3 where there is no place.
    pub seen_by: u32,
    /// Where.
    pub x: i32,
    /// Where.
    pub y: i32,
    /// Where to.
    pub to_x: i32,
    /// Where to.
    pub to_y: i32,
}

sized! {
    duel_skirmish_effect to to_y;
}

/// Effects kept for a host that does not ask; the oldest go first.
const EFFECTS_MAX: usize = 1024;

/// What happened and was not asked for yet.
pub(crate) struct Effects {
    pub(crate) queue: VecDeque<duel_skirmish_effect>,
    /// The ticks whose events are in here.
    collected: Tick,
}

impl Effects {
    pub(crate) fn new() -> Self {
        Self {
            queue: VecDeque::with_capacity(EFFECTS_MAX),
            collected: Tick(0),
        }
    }

    /// Takes over what happened in the world's last tick, once.
    pub(crate) fn collect(&mut self, world: &World) {
        if world.tick() <= self.collected {
            return;
        }
        self.collected = world.tick();
        for event in world.events() {
            if let Some(effect) = effect_of(world, event) {
                if self.queue.len() >= EFFECTS_MAX {
                    self.queue.pop_front();
                }
                self.queue.push_back(effect);
            }
        }
    }

    /// Forgets everything: the world is at another tick.
    pub(crate) fn restart(&mut self, at: Tick) {
        self.queue.clear();
        self.collected = at;
    }
}

fn effect_of(world: &World, event: &FxEvent) -> Option<duel_skirmish_effect> {
    let mut out = duel_skirmish_effect {
        struct_size: 0,
        kind: 0,
        tick: world.tick().0.saturating_sub(1),
        side: DUEL_NONE,
        id: DUEL_NONE,
        what: DUEL_NONE,
        flag: 0,
        seen_by: 3,
        x: 0,
        y: 0,
        to_x: 0,
        to_y: 0,
    };
    let id_of = |id: u32| i32::try_from(id).unwrap_or(DUEL_NONE);
    let (kind, side, at) = match *event {
        FxEvent::Shot {
            side,
            from,
            to,
            splash,
        } => {
            (out.to_x, out.to_y, out.flag) = (to.x, to.y, splash.into());
            (DUEL_EFFECT_SHOT, side, Some(from))
        }
        FxEvent::UnitMade { id, side, kind, at } => {
            (out.id, out.what) = (id_of(id), kind.0.into());
            (DUEL_EFFECT_UNIT_MADE, side, Some(at))
        }
        FxEvent::UnitLost { id, side, kind, at } => {
            (out.id, out.what) = (id_of(id), kind.0.into());
            (DUEL_EFFECT_UNIT_LOST, side, Some(at))
        }
        FxEvent::BuildingPlaced { id, side, kind, at } => {
            (out.id, out.what) = (id_of(id), kind.0.into());
            (DUEL_EFFECT_BUILDING_PLACED, side, Some(at))
        }
        FxEvent::BuildingLost {
            id,
            side,
            kind,
            at,
            sold,
        } => {
            (out.id, out.what, out.flag) = (id_of(id), kind.0.into(), sold.into());
            (DUEL_EFFECT_BUILDING_LOST, side, Some(at))
        }
        FxEvent::BuildingReady { side, kind } => {
            out.what = kind.0.into();
            (DUEL_EFFECT_BUILDING_READY, side, None)
        }
        FxEvent::WaveArrived { side, at } => (DUEL_EFFECT_WAVE, side, Some(at)),
        FxEvent::PowerUsed { side, power, at } => {
            out.what = power.0.into();
            (DUEL_EFFECT_POWER, side, Some(at))
        }
        FxEvent::StrikeFell { side, at } => (DUEL_EFFECT_STRIKE, side, Some(at)),
        FxEvent::GoliathHooked { id, side, up } => {
            (out.id, out.flag) = (id_of(id), up.into());
            let at = world.unit(id).map(|unit| unit.at);
            (DUEL_EFFECT_GOLIATH, side, at)
        }
        FxEvent::Refused { side, command, why } => {
            (out.what, out.id) = (command.into(), refusal_word(why));
            (DUEL_EFFECT_REFUSED, side, None)
        }
        FxEvent::Resigned { side } => (DUEL_EFFECT_RESIGNED, side, None),
        _ => return None,
    };
    (out.kind, out.side) = (kind, side_word(side));
    if let Some(at) = at {
        (out.x, out.y) = (at.x, at.y);
        out.seen_by = seen_by(world, at);
    }
    Some(out)
}

fn seen_by(world: &World, at: Point) -> u32 {
    let sees = |side: Side| u32::from(world.visible(side, at.tile())) << side.index();
    sees(Side::Blue) | sees(Side::Red)
}

fn refusal_word(why: Refusal) -> i32 {
    match why {
        Refusal::NotYours => 0,
        Refusal::CannotDoThat => 1,
        Refusal::Carried => 2,
        Refusal::Anchored => 3,
        Refusal::Hooking => 4,
        Refusal::NoTarget => 5,
        Refusal::OwnSide => 6,
        Refusal::NoOre => 7,
        Refusal::Credits => 8,
        Refusal::QueueFull => 9,
        Refusal::NothingToCancel => 10,
        Refusal::Busy => 11,
        Refusal::NotReady => 12,
        Refusal::Needs => 13,
        Refusal::NoRoom => 14,
        Refusal::Cooling => 15,
        Refusal::Full => 16,
        Refusal::Empty => 17,
        Refusal::Banned => 18,
        Refusal::TooMany => 19,
        _ => DUEL_NONE,
    }
}
