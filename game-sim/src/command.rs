//! What a player can order.

use crate::{BuildingKind, Power, UnitKind};
use alloc::{vec, vec::Vec};
use serde::{Deserialize, Serialize};
use versus_codec::kit::{Cell, Tile};

/// The names of the commands, in wire order. Source: the format decisions, row "`COMMAND_TYPES` of the skirmish".
pub const COMMAND_TYPES: [&str; 20] = [
    "move",
    "attackMove",
    "harvest",
    "attack",
    "stop",
    "anchor",
    "packUp",
    "produce",
    "cancelProduce",
    "startBuilding",
    "cancelBuilding",
    "callWave",
    "placeBuilding",
    "sell",
    "rally",
    "calldown",
    "board",
    "unload",
    "lift",
    "resign",
];

/// A player's order. In a record it is an object whose `type` is its name in [`COMMAND_TYPES`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Command {
    /// Go there, firing only at what comes into range on the way.
    Move {
        /// Who.
        unit_ids: Vec<u32>,
        /// Where to.
        at: Cell,
    },
    /// Go there, stopping to fight whatever is met.
    AttackMove {
        /// Who.
        unit_ids: Vec<u32>,
        /// Where to.
        at: Cell,
    },
    /// Mine the ore there, then near there.
    Harvest {
        /// Which harvesters.
        unit_ids: Vec<u32>,
        /// Where.
        at: Cell,
    },
    /// Destroy that.
    Attack {
        /// Who.
        unit_ids: Vec<u32>,
        /// The unit or building to destroy.
        target_id: u32,
    },
    /// Drop what you are doing.
    Stop {
        /// Who.
        unit_ids: Vec<u32>,
    },
    /// Artillery: dig in, to fire far.
    Anchor {
        /// Which artillery.
        unit_ids: Vec<u32>,
    },
    /// Artillery: get ready to move.
    PackUp {
        /// Which artillery.
        unit_ids: Vec<u32>,
    },
    /// Queue a unit; its cost is paid now.
    Produce {
        /// The building that makes it.
        building_id: u32,
        /// What to make.
        unit_kind: UnitKind,
    },
    /// Take the unit of that kind that was queued last out of the queue; its cost comes back.
    CancelProduce {
        /// The building whose queue it is.
        building_id: u32,
        /// What not to make.
        unit_kind: UnitKind,
    },
    /// Begin a building; its cost is paid now. One at a time.
    StartBuilding {
        /// What to build.
        building_kind: BuildingKind,
    },
    /// Give up the building begun; its cost comes back.
    CancelBuilding,
    /// Call a reinforcement to the home edge.
    CallWave,
    /// Put the finished building down.
    PlaceBuilding {
        /// Its north-west tile.
        at: Tile,
    },
    /// Sell a building for part of its cost.
    Sell {
        /// Which.
        building_id: u32,
    },
    /// Where units made there go.
    Rally {
        /// The building that makes them.
        building_id: u32,
        /// Where to.
        at: Cell,
    },
    /// Use a power.
    Calldown {
        /// Which.
        power: Power,
        /// Where.
        at: Cell,
    },
    /// Infantry: get aboard that Condor.
    Board {
        /// Who.
        unit_ids: Vec<u32>,
        /// The Condor.
        carrier_id: u32,
    },
    /// Condors: put down what you carry, there or here.
    Unload {
        /// Which Condors.
        unit_ids: Vec<u32>,
        /// Where; `None` for the spot where each is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Cell>,
    },
    /// Condors: hook that Goliath and carry it. Never split: they lift together.
    Lift {
        /// The Condors.
        unit_ids: Vec<u32>,
        /// The Goliath.
        goliath_id: u32,
    },
    /// Give up the match.
    Resign,
}

impl Command {
    /// Its index in [`COMMAND_TYPES`].
    #[must_use]
    pub const fn type_index(&self) -> u8 {
        match self {
            Self::Move { .. } => 0,
            Self::AttackMove { .. } => 1,
            Self::Harvest { .. } => 2,
            Self::Attack { .. } => 3,
            Self::Stop { .. } => 4,
            Self::Anchor { .. } => 5,
            Self::PackUp { .. } => 6,
            Self::Produce { .. } => 7,
            Self::CancelProduce { .. } => 8,
            Self::StartBuilding { .. } => 9,
            Self::CancelBuilding => 10,
            Self::CallWave => 11,
            Self::PlaceBuilding { .. } => 12,
            Self::Sell { .. } => 13,
            Self::Rally { .. } => 14,
            Self::Calldown { .. } => 15,
            Self::Board { .. } => 16,
            Self::Unload { .. } => 17,
            Self::Lift { .. } => 18,
            Self::Resign => 19,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        COMMAND_TYPES[self.type_index() as usize]
    }

    /// The units it orders; `None` for a command that orders none. A board's carrier and a lift's Goliath are not
    /// among them.
    #[must_use]
    pub const fn units(&self) -> Option<&Vec<u32>> {
        match self {
            Self::Move { unit_ids, .. }
            | Self::AttackMove { unit_ids, .. }
            | Self::Harvest { unit_ids, .. }
            | Self::Attack { unit_ids, .. }
            | Self::Stop { unit_ids }
            | Self::Anchor { unit_ids }
            | Self::PackUp { unit_ids }
            | Self::Board { unit_ids, .. }
            | Self::Unload { unit_ids, .. }
            | Self::Lift { unit_ids, .. } => Some(unit_ids),
            Self::Produce { .. }
            | Self::CancelProduce { .. }
            | Self::StartBuilding { .. }
            | Self::CancelBuilding
            | Self::CallWave
            | Self::PlaceBuilding { .. }
            | Self::Sell { .. }
            | Self::Rally { .. }
            | Self::Calldown { .. }
            | Self::Resign => None,
        }
    }

    /// As [`Self::units`], to change them.
    pub const fn units_mut(&mut self) -> Option<&mut Vec<u32>> {
        match self {
            Self::Move { unit_ids, .. }
            | Self::AttackMove { unit_ids, .. }
            | Self::Harvest { unit_ids, .. }
            | Self::Attack { unit_ids, .. }
            | Self::Stop { unit_ids }
            | Self::Anchor { unit_ids }
            | Self::PackUp { unit_ids }
            | Self::Board { unit_ids, .. }
            | Self::Unload { unit_ids, .. }
            | Self::Lift { unit_ids, .. } => Some(unit_ids),
            Self::Produce { .. }
            | Self::CancelProduce { .. }
            | Self::StartBuilding { .. }
            | Self::CancelBuilding
            | Self::CallWave
            | Self::PlaceBuilding { .. }
            | Self::Sell { .. }
            | Self::Rally { .. }
            | Self::Calldown { .. }
            | Self::Resign => None,
        }
    }

    /// Cut as far as it goes: a piece for each unit it orders. A lift is never split, and what orders no units is its
    /// own only piece. In one tick the pieces do what the whole does.
    #[must_use]
    pub fn one_by_one(&self) -> Vec<Self> {
        match self.units() {
            Some(units) if !matches!(self, Self::Lift { .. }) => units
                .iter()
                .map(|&id| {
                    let mut piece = self.clone();
                    if let Some(units) = piece.units_mut() {
                        *units = vec![id];
                    }
                    piece
                })
                .collect(),
            _ => vec![self.clone()],
        }
    }

    /// The other thing it names by id: what to attack, board or lift, or the building that is to act.
    #[must_use]
    pub const fn object_id(&self) -> Option<u32> {
        match self {
            Self::Attack { target_id: id, .. }
            | Self::Board { carrier_id: id, .. }
            | Self::Lift { goliath_id: id, .. }
            | Self::Produce {
                building_id: id, ..
            }
            | Self::CancelProduce {
                building_id: id, ..
            }
            | Self::Sell { building_id: id }
            | Self::Rally {
                building_id: id, ..
            } => Some(*id),
            Self::Move { .. }
            | Self::AttackMove { .. }
            | Self::Harvest { .. }
            | Self::Stop { .. }
            | Self::Anchor { .. }
            | Self::PackUp { .. }
            | Self::StartBuilding { .. }
            | Self::CancelBuilding
            | Self::CallWave
            | Self::PlaceBuilding { .. }
            | Self::Calldown { .. }
            | Self::Unload { .. }
            | Self::Resign => None,
        }
    }

    pub(crate) const fn cell_mut(&mut self) -> Option<&mut Cell> {
        match self {
            Self::Move { at, .. }
            | Self::AttackMove { at, .. }
            | Self::Harvest { at, .. }
            | Self::Rally { at, .. }
            | Self::Calldown { at, .. } => Some(at),
            Self::Unload { at, .. } => at.as_mut(),
            Self::Attack { .. }
            | Self::Stop { .. }
            | Self::Anchor { .. }
            | Self::PackUp { .. }
            | Self::Produce { .. }
            | Self::CancelProduce { .. }
            | Self::StartBuilding { .. }
            | Self::CancelBuilding
            | Self::CallWave
            | Self::PlaceBuilding { .. }
            | Self::Sell { .. }
            | Self::Board { .. }
            | Self::Lift { .. }
            | Self::Resign => None,
        }
    }
}
