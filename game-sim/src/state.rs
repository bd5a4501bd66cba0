//! Everything that can affect a world's future, in one canonical form. No behaviour.

use crate::{
    BuildingKind, Point, UnitKind,
    canon::{canon_enum, canon_struct},
    dice::Dice,
};
use alloc::vec::Vec;
use match_feed::{
    Tick,
    duel::{DuelOutcome, PerSide, Side},
};
use versus_codec::kit::Tile;

/// No unit or building has this id.
pub(crate) const NOBODY: u32 = 0;

/// How many ids a side had been given with this one: what is done by turns goes by it, the same for both sides.
pub(crate) const fn nth_of_side(id: u32) -> u32 {
    id.div_ceil(2)
}

/// What a unit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Idle,
    Move {
        to: Point,
    },
    AttackMove {
        to: Point,
    },
    Attack {
        target: u32,
    },
    Harvest {
        ore: Tile,
        phase: HarvestPhase,
    },
    Board {
        carrier: u32,
    },
    /// Of a Condor: fly there and put down what it carries.
    Unload {
        to: Point,
    },
    /// Of a Condor: hook that Goliath.
    Lift {
        goliath: u32,
    },
}
canon_enum!(Task {
    0 => Idle,
    1 => Move { to },
    2 => AttackMove { to },
    3 => Attack { target },
    4 => Harvest { ore, phase },
    5 => Board { carrier },
    6 => Unload { to },
    7 => Lift { goliath },
});

/// Where in its round a harvester is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HarvestPhase {
    /// On the way to the ore, or at it.
    Mine,
    /// On the way to a refinery, or unloading at it.
    Return,
}
canon_enum!(HarvestPhase { 0 => Mine, 1 => Return });

/// Whether artillery is dug in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Packed,
    DiggingIn { left: u16 },
    Anchored,
    PackingUp { left: u16 },
}
canon_enum!(Anchor {
    0 => Packed,
    1 => DiggingIn { left },
    2 => Anchored,
    3 => PackingUp { left },
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) id: u32,
    pub(crate) side: Side,
    pub(crate) kind: UnitKind,
    pub(crate) at: Point,
    pub(crate) hp: i32,
    pub(crate) task: Task,
    /// Where it stood when it became idle: it does not chase far from there.
    pub(crate) post: Point,
    /// What it shoots at.
    pub(crate) target: u32,
    /// Ticks until it can shoot.
    pub(crate) reload: u16,
    pub(crate) anchor: Anchor,
    /// Credits of ore in a harvester.
    pub(crate) load: u16,
    /// The Condor it is aboard of, or that carries it.
    pub(crate) carrier: u32,
    /// The Goliath a Condor carries with others.
    pub(crate) hauls: u32,
    /// The nearest it has been to where it goes, and for how many ticks it has come no nearer.
    pub(crate) nearest: i32,
    pub(crate) stuck: u16,
}
canon_struct!(Unit {
    id,
    side,
    kind,
    at,
    hp,
    task,
    post,
    target,
    reload,
    anchor,
    load,
    carrier,
    hauls,
    nearest,
    stuck
});

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Building {
    pub(crate) id: u32,
    pub(crate) side: Side,
    pub(crate) kind: BuildingKind,
    /// The north-west tile.
    pub(crate) at: Tile,
    pub(crate) hp: i32,
    pub(crate) queue: Vec<UnitKind>,
    /// Work done on the queue's first, in hundredths of a tick.
    pub(crate) progress: u32,
    pub(crate) rally: Option<Point>,
    pub(crate) target: u32,
    pub(crate) reload: u16,
}
canon_struct!(Building {
    id,
    side,
    kind,
    at,
    hp,
    queue,
    progress,
    rally,
    target,
    reload
});

/// A building begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) kind: BuildingKind,
    /// Work done, in hundredths of a tick.
    pub(crate) progress: u32,
}
canon_struct!(Site { kind, progress });

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SideState {
    pub(crate) credits: u32,
    pub(crate) site: Option<Site>,
    pub(crate) wave_ready: Tick,
    pub(crate) powers_ready: [Tick; 4],
    /// Tiles ever seen: a row of bits for each row of tiles.
    pub(crate) explored: Vec<u128>,
}
canon_struct!(SideState {
    credits,
    site,
    wave_ready,
    powers_ready,
    explored
});

/// A strike on its way down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strike {
    pub(crate) side: Side,
    pub(crate) at: Point,
    pub(crate) falls: Tick,
}
canon_struct!(Strike { side, at, falls });

/// A circle that a scan reveals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    pub(crate) side: Side,
    pub(crate) at: Tile,
    pub(crate) until: Tick,
}
canon_struct!(Scan { side, at, until });

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// Ticks stepped.
    pub(crate) tick: Tick,
    /// Each side's next id: blue's are odd and red's even, so that what goes by ids is the same to both.
    pub(crate) next_id: PerSide<u32>,
    /// Each side's dice, alike: the hundredth shot of one has the luck of the other's hundredth.
    pub(crate) dice: PerSide<Dice>,
    /// By id, ascending.
    pub(crate) units: Vec<Unit>,
    /// By id, ascending.
    pub(crate) buildings: Vec<Building>,
    /// Ore left in each ore tile of the map, in tile order.
    pub(crate) ore: Vec<u16>,
    pub(crate) sides: PerSide<SideState>,
    pub(crate) strikes: Vec<Strike>,
    pub(crate) scans: Vec<Scan>,
    pub(crate) outcome: Option<DuelOutcome>,
}
canon_struct!(State {
    tick,
    next_id,
    dice,
    units,
    buildings,
    ore,
    sides,
    strikes,
    scans,
    outcome
});

impl State {
    pub(crate) fn unit_index(&self, id: u32) -> Option<usize> {
        self.units.binary_search_by_key(&id, |unit| unit.id).ok()
    }

    pub(crate) fn unit(&self, id: u32) -> Option<&Unit> {
        self.unit_index(id).map(|at| &self.units[at])
    }

    pub(crate) fn building_index(&self, id: u32) -> Option<usize> {
        self.buildings
            .binary_search_by_key(&id, |building| building.id)
            .ok()
    }

    pub(crate) fn building(&self, id: u32) -> Option<&Building> {
        self.building_index(id).map(|at| &self.buildings[at])
    }

    pub(crate) fn buildings_of(&self, side: Side) -> impl Iterator<Item = &Building> {
        // One without hit points is sold or about to fall, and of no more use.
        self.buildings
            .iter()
            .filter(move |building| building.side == side && building.hp > 0)
    }

    pub(crate) fn owns(&self, side: Side, kind: BuildingKind) -> bool {
        self.buildings_of(side)
            .any(|building| building.kind == kind)
    }
}
