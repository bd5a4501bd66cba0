//! What happened in a tick, for hosts to show and hear. Never feeds back into the world.

use crate::{BuildingKind, Point, Power, UnitKind};
use match_feed::duel::Side;

/// Something that happened in the last tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FxEvent {
    /// A shot.
    Shot {
        /// Who shot.
        side: Side,
        /// From where.
        from: Point,
        /// At what.
        to: Point,
        /// Whether it bursts.
        splash: bool,
    },
    /// A unit came into the world.
    UnitMade {
        /// Its id.
        id: u32,
        /// Whose.
        side: Side,
        /// What.
        kind: UnitKind,
        /// Where.
        at: Point,
    },
    /// A unit was destroyed.
    UnitLost {
        /// Its id.
        id: u32,
        /// Whose.
        side: Side,
        /// What.
        kind: UnitKind,
        /// Where.
        at: Point,
    },
    /// A building was put down.
    BuildingPlaced {
        /// Its id.
        id: u32,
        /// Whose.
        side: Side,
        /// What.
        kind: BuildingKind,
        /// Its middle.
        at: Point,
    },
    /// A building is gone.
    BuildingLost {
        /// Its id.
        id: u32,
        /// Whose.
        side: Side,
        /// What.
        kind: BuildingKind,
        /// Its middle.
        at: Point,
        /// Sold, not destroyed.
        sold: bool,
    },
    /// A building is finished and waits to be placed.
    BuildingReady {
        /// Whose.
        side: Side,
        /// What.
        kind: BuildingKind,
    },
    /// A reinforcement arrived.
    WaveArrived {
        /// Whose.
        side: Side,
        /// Where.
        at: Point,
    },
    /// A power was called down.
    PowerUsed {
        /// Whose.
        side: Side,
        /// Which.
        power: Power,
        /// Where.
        at: Point,
    },
    /// A strike fell.
    StrikeFell {
        /// Whose.
        side: Side,
        /// Where.
        at: Point,
    },
    /// A Goliath was lifted, or put down.
    GoliathHooked {
        /// Its id.
        id: u32,
        /// Whose.
        side: Side,
        /// Up, or down again.
        up: bool,
    },
    /// A command, or part of it, was against the rules and did nothing.
    Refused {
        /// Whose.
        side: Side,
        /// The command's index in [`crate::COMMAND_TYPES`].
        command: u8,
        /// Why.
        why: Refusal,
    },
    /// A side gave up.
    Resigned {
        /// Which.
        side: Side,
    },
}

/// Why a command did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// No such unit or building, or the other side's.
    NotYours,
    /// Units of this kind, or such a building, cannot do that.
    CannotDoThat,
    /// It is aboard a Condor or carried by Condors.
    Carried,
    /// It is dug in: pack up first.
    Anchored,
    /// A Goliath that Condors are hooking waits for them.
    Hooking,
    /// There is no such target, or it is not in sight.
    NoTarget,
    /// It is on the same side.
    OwnSide,
    /// No ore there or near there.
    NoOre,
    /// Not enough credits.
    Credits,
    /// The queue is full.
    QueueFull,
    /// None of that kind is queued, or no building is begun.
    NothingToCancel,
    /// A building is already begun.
    Busy,
    /// No building is finished.
    NotReady,
    /// A building it depends on is missing.
    Needs,
    /// It does not fit there, or lies too far from the base.
    NoRoom,
    /// It cools down.
    Cooling,
    /// The Condor is full, or carries already.
    Full,
    /// It carries nothing.
    Empty,
    /// The setup's mutators ban it.
    Banned,
    /// As many as a side may have.
    TooMany,
}
