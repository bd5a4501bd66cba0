//! A computer player. It lives outside the world and its hash, sees what its side sees, and issues commands like
//! anybody; the same seed and the same worlds give the same commands.
//!
//! It is frugal: orders travel over a link that may carry only some hundred bits a second, so it orders groups, and
//! nothing when nothing changes.

mod army;
mod base;
mod care;
mod memory;
mod special;

use crate::{Command, Point, SUBS_PER_TILE, World, dice::Dice};
use alloc::vec::Vec;
use army::Army;
use base::Base;
use care::Care;
use match_feed::duel::Side;
use memory::Memory;
use special::Raid;
use versus_codec::kit::{CELLS_PER_TILE, Cell};

/// The PCG stream of AIs.
const AI_STREAM: u64 = 0x6169;

/// What an AI's dice begin with: blue's and red's differ, so that equal seeds do not make them twins, and have nothing
/// to do with each other. The finalizer of SplitMix64.
const fn temper(seed: u32, side: Side) -> u64 {
    let mut mixed = (seed as u64) << 1 | side.index() as u64;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// How well an AI plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AiLevel {
    /// Slow to act, and poor.
    Easy,
    /// A fair opponent.
    #[default]
    Normal,
    /// Quick, and well supplied.
    Hard,
}

/// What a level means, in numbers.
#[derive(Clone, Copy, Debug)]
struct Habits {
    /// Ticks between two decisions of one kind: an order takes up to a second to be applied, and deciding anew
    /// before it shows would order it twice.
    pause: u32,
    /// Harvesters for each refinery.
    harvesters: usize,
    /// Refineries wanted.
    refineries: usize,
    /// Barracks and factories wanted when rich.
    barracks: usize,
    factories: usize,
    turrets: usize,
    /// Fighters in the first assault, and how many more in each that follows.
    first_assault: usize,
    growth: usize,
    /// Whether it uses powers, aircraft and reinforcements.
    powers: bool,
    /// Whether it gives up a match that is lost.
    resigns: bool,
}

impl AiLevel {
    const fn habits(self) -> Habits {
        match self {
            Self::Easy => Habits {
                pause: 70,
                harvesters: 2,
                refineries: 1,
                barracks: 1,
                factories: 1,
                turrets: 1,
                first_assault: 7,
                growth: 1,
                powers: false,
                resigns: false,
            },
            Self::Normal => Habits {
                pause: 25,
                harvesters: 3,
                refineries: 2,
                barracks: 2,
                factories: 2,
                turrets: 1,
                first_assault: 10,
                growth: 4,
                powers: true,
                resigns: false,
            },
            Self::Hard => Habits {
                pause: 15,
                harvesters: 4,
                refineries: 3,
                barracks: 2,
                factories: 3,
                turrets: 2,
                first_assault: 12,
                growth: 4,
                powers: true,
                resigns: true,
            },
        }
    }
}

/// A computer player of one side.
#[derive(Clone, Debug)]
pub struct Ai {
    side: Side,
    habits: Habits,
    dice: Dice,
    /// Credits not yet spent in this tick's orders.
    purse: u32,
    memory: Memory,
    base: Base,
    army: Army,
    raid: Raid,
    care: Care,
    /// Whether it saves its Condors for Goliaths: a matter of temper.
    lifts: bool,
}

impl Ai {
    /// A player of `side`.
    #[must_use]
    pub fn new(side: Side, level: AiLevel, seed: u32) -> Self {
        Self::seated(side, side, level, seed)
    }

    /// A player of `side` with the temper that [`Self::new`] gives a player of `temper_of`: to play a match again
    /// with sides swapped, turned by 180° from the first order to the last.
    #[must_use]
    pub fn seated(side: Side, temper_of: Side, level: AiLevel, seed: u32) -> Self {
        let mut dice = Dice::new(temper(seed, temper_of), AI_STREAM);
        Self {
            side,
            habits: level.habits(),
            memory: Memory::default(),
            base: Base::new(&mut dice),
            lifts: dice.below(2) == 0,
            dice,
            purse: 0,
            army: Army::default(),
            raid: Raid::None,
            care: Care::default(),
        }
    }

    /// The side it plays.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// What it orders now. Call once a tick, before the tick is stepped; most ticks it orders nothing.
    pub fn think(&mut self, world: &World) -> Vec<Command> {
        let mut orders = Vec::new();
        self.memory.look(world, self.side);
        self.purse = world.credits(self.side);
        if self.is_hopeless(world) {
            orders.push(Command::Resign);
            return orders;
        }
        self.run_care(world, &mut orders);
        self.run_base(world, &mut orders);
        self.run_army(world, &mut orders);
        orders
    }

    /// The cell a point lies in. A point on a line between two cells belongs to the one that lies north-west of it as
    /// the side sees the map.
    fn cell(&self, world: &World, point: Point) -> Cell {
        match self.side {
            Side::Blue => point.cell(),
            Side::Red => {
                let size = world.map_size();
                let turned = |v: i32, tiles: u32| tiles as i32 * SUBS_PER_TILE - v;
                let seen = Point {
                    x: turned(point.x, size.width()),
                    y: turned(point.y, size.height()),
                };
                let Cell { x, y } = seen.cell().clamp_to(size);
                Cell {
                    x: size.width() * CELLS_PER_TILE - 1 - x,
                    y: size.height() * CELLS_PER_TILE - 1 - y,
                }
            }
        }
    }

    /// Of equals in tile order, what the side sees first.
    fn first_least<T, K: Ord>(
        &self,
        mut items: impl DoubleEndedIterator<Item = T>,
        key: impl Fn(&T) -> K,
    ) -> Option<T> {
        match self.side {
            Side::Blue => items.min_by_key(key),
            Side::Red => items.by_ref().rev().min_by_key(key),
        }
    }
}

/// When something may be decided again.
#[derive(Clone, Copy, Debug, Default)]
struct Timer {
    due: u32,
}

impl Timer {
    const fn is_due(self, now: u32) -> bool {
        now >= self.due
    }

    const fn wait(&mut self, now: u32, ticks: u32) {
        self.due = now + ticks;
    }
}
