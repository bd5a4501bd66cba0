//! What was fought of late, and what it has cost so far: gathered from a match's events, for pictures of it.

use game_sim::{BuildingKind, FxEvent, Point, World};
use match_feed::{
    Tick,
    duel::{PerSide, Side},
};
use std::collections::VecDeque;

/// How long a mark is remembered, ticks: pictures that cover less show fewer.
const REMEMBERED_TICKS: u32 = 50;
/// How many are: a battle of hundreds fires some 40 shots a tick.
const MARKS_MAX: usize = 4096;

/// Something that happened at a place.
#[derive(Clone, Copy)]
pub struct Mark {
    /// After which tick.
    pub tick: Tick,
    /// Who did it, or whose it was.
    pub side: Side,
    /// What.
    pub what: What,
}

/// What happened.
#[derive(Clone, Copy)]
pub enum What {
    /// A shot.
    Shot {
        /// From here.
        from: Point,
        /// To here.
        to: Point,
    },
    /// A unit was destroyed here.
    UnitLost(Point),
    /// A building was destroyed here.
    BuildingLost(Point),
    /// A strike fell here.
    Strike(Point),
}

/// The fights of a match, from its first tick on.
#[derive(Clone, Default)]
pub struct Fights {
    /// The last tick taken in.
    noted: Tick,
    marks: VecDeque<Mark>,
    /// Units lost, by side.
    pub units_lost: PerSide<u32>,
    /// Buildings destroyed, by side; those sold do not count.
    pub buildings_lost: PerSide<u32>,
    /// Whose command centre fell, if any.
    pub fallen: PerSide<bool>,
    /// Who gave up.
    pub resigned: PerSide<bool>,
}

impl Fights {
    /// Takes in what happened in the world's last tick, once however often it is called after that tick.
    pub fn note(&mut self, world: &World) {
        let tick = world.tick();
        if tick <= self.noted {
            return;
        }
        self.noted = tick;
        for event in world.events() {
            let (side, what) = match *event {
                FxEvent::Shot { side, from, to, .. } => (side, What::Shot { from, to }),
                FxEvent::UnitLost { side, at, .. } => {
                    self.units_lost[side] += 1;
                    (side, What::UnitLost(at))
                }
                FxEvent::BuildingLost {
                    side,
                    kind,
                    at,
                    sold: false,
                    ..
                } => {
                    self.buildings_lost[side] += 1;
                    self.fallen[side] |= kind == BuildingKind::HQ;
                    (side, What::BuildingLost(at))
                }
                FxEvent::StrikeFell { side, at } => (side, What::Strike(at)),
                FxEvent::Resigned { side } => {
                    self.resigned[side] = true;
                    continue;
                }
                _ => continue,
            };
            self.marks.push_back(Mark { tick, side, what });
        }
        while self.marks.len() > MARKS_MAX
            || self
                .marks
                .front()
                .is_some_and(|mark| mark.tick.0 + REMEMBERED_TICKS < tick.0)
        {
            self.marks.pop_front();
        }
    }

    /// What happened in the last `ticks` ticks up to `now`.
    pub fn recent(&self, now: Tick, ticks: u32) -> impl Iterator<Item = &Mark> {
        self.marks
            .iter()
            .filter(move |mark| mark.tick.0 + ticks > now.0)
    }
}
