//! The catalogue: which maps, mutators and openers there are, and what a setup makes of the rules.

use crate::{
    BuildingKind, UnitKind,
    balance::{self, mutators as numbers},
    map::Map,
    maps, random_map,
};
use match_feed::duel::{MapChoice, MapSize, MatchSetup, Side};

/// The mutators, in mask order.
pub const MUTATORS: [&str; 12] = [
    "blitz",
    "bonanza",
    "famine",
    "glass",
    "stout",
    "grounded",
    "disarmed",
    "rush",
    "clearSkies",
    "swift",
    "powerless",
    "waveless",
];

/// Bits of the mutator mask; what each changes is in [`MUTATORS`]' order in `docs/RULES.md`.
pub mod mutator {
    /// `blitz`.
    pub const BLITZ: u16 = 1;
    /// `bonanza`.
    pub const BONANZA: u16 = 1 << 1;
    /// `famine`.
    pub const FAMINE: u16 = 1 << 2;
    /// `glass`.
    pub const GLASS: u16 = 1 << 3;
    /// `stout`.
    pub const STOUT: u16 = 1 << 4;
    /// `grounded`.
    pub const GROUNDED: u16 = 1 << 5;
    /// `disarmed`.
    pub const DISARMED: u16 = 1 << 6;
    /// `rush`.
    pub const RUSH: u16 = 1 << 7;
    /// `clearSkies`.
    pub const CLEAR_SKIES: u16 = 1 << 8;
    /// `swift`.
    pub const SWIFT: u16 = 1 << 9;
    /// `powerless`.
    pub const POWERLESS: u16 = 1 << 10;
    /// `waveless`.
    pub const WAVELESS: u16 = 1 << 11;
}
/// Every bit that means something.
const MUTATORS_MASK: u16 = (1 << MUTATORS.len()) - 1;

/// The openers, in pick order.
pub const OPENERS: [&str; balance::OPENERS.len()] = ["prospector", "raiders", "fortress"];

/// A setup that is no match of this game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// No such hand-made map.
    #[error("there is no map {index}: the game has {count}", count = map_count())]
    Map {
        /// The index.
        index: u8,
    },
    /// No such biome.
    #[error("there is no biome {index}: the game has {count}", count = biome_count())]
    Biome {
        /// The index.
        index: u8,
    },
    /// A bit that names no mutator.
    #[error("mutators {mask:#06x} name one the game does not have")]
    Mutators {
        /// The mask.
        mask: u16,
    },
    /// An opener that does not exist or that the mutators block.
    #[error("{side:?} cannot open with {index} under this setup")]
    Opener {
        /// Whose.
        side: Side,
        /// The index.
        index: u8,
    },
}

/// How many hand-made maps there are.
#[must_use]
pub const fn map_count() -> u8 {
    maps::COUNT
}

/// How many biomes random maps come in.
#[must_use]
pub const fn biome_count() -> u8 {
    random_map::BIOME_COUNT
}

/// A map's size; `None` if there is no such map. Cheap: nothing is drawn.
#[must_use]
pub fn map_size(choice: MapChoice) -> Option<MapSize> {
    let (width, height) = match choice {
        MapChoice::BuiltIn(index) => maps::sides(index),
        MapChoice::Random { biome, seed } => random_map::sides(biome, seed),
    }?;
    MapSize::new(width, height)
}

/// A map's name, or its biome's; `None` if there is no such map.
#[must_use]
pub fn map_name(choice: MapChoice) -> Option<&'static str> {
    match choice {
        MapChoice::BuiltIn(index) => maps::name(index),
        MapChoice::Random { biome, .. } => random_map::biome_name(biome),
    }
}

/// The mutators, in mask order.
#[must_use]
pub const fn mutator_names() -> &'static [&'static str] {
    &MUTATORS
}

/// The openers, in pick order.
#[must_use]
pub const fn opener_names() -> &'static [&'static str] {
    &OPENERS
}

/// True if a side may open with `opener` under `setup` (whose own openers are not looked at). The same for both
/// sides: no map favours one.
#[must_use]
pub const fn opener_allowed(setup: &MatchSetup, _side: Side, opener: u8) -> bool {
    let blocked_by = match opener {
        0 => mutator::FAMINE | mutator::BLITZ,
        1 => 0,
        2 => mutator::DISARMED | mutator::BLITZ,
        _ => return false,
    };
    setup.mutators & blocked_by == 0
}

pub(crate) fn check(setup: &MatchSetup) -> Result<Map, SetupError> {
    let map = match setup.map {
        MapChoice::BuiltIn(index) => maps::draw(index).ok_or(SetupError::Map { index })?,
        MapChoice::Random { biome, seed } => {
            random_map::draw(biome, seed).ok_or(SetupError::Biome { index: biome })?
        }
    };
    if setup.mutators & !MUTATORS_MASK != 0 {
        return Err(SetupError::Mutators {
            mask: setup.mutators,
        });
    }
    for side in Side::BOTH {
        if let Some(index) = setup.openers[side]
            && !opener_allowed(setup, side, index)
        {
            return Err(SetupError::Opener { side, index });
        }
    }
    Ok(map)
}

/// What the mutators make of the rules. Derived from the setup, so no part of the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Percent of every map's ore.
    pub(crate) ore_percent: u32,
    /// Percent of all damage.
    pub(crate) damage_percent: i32,
    /// Percent of all speeds.
    pub(crate) speed_percent: i32,
    /// How much faster things are made, percent.
    pub(crate) build_percent: u32,
    /// Percent of the command centres' hit points.
    pub(crate) hq_percent: i32,
    /// Credits to start with.
    pub(crate) start_credits: u32,
    /// More of each starting fighter.
    pub(crate) start_extra: usize,
    /// When walls begin to crumble and command centres to burn.
    pub(crate) crumble_from: u32,
    pub(crate) burn_from: u32,
    pub(crate) burn_hp: i32,
    pub(crate) no_fog: bool,
    pub(crate) no_powers: bool,
    pub(crate) no_waves: bool,
    no_air: bool,
    no_turrets: bool,
}

impl Rules {
    pub(crate) const fn of(mutators: u16) -> Self {
        let blitz = mutators & mutator::BLITZ != 0;
        Self {
            ore_percent: percent(mutators, mutator::BONANZA, numbers::BONANZA_ORE_PERCENT)
                * percent(mutators, mutator::FAMINE, numbers::FAMINE_ORE_PERCENT)
                / 100,
            damage_percent: (percent(mutators, mutator::GLASS, numbers::GLASS_DAMAGE_PERCENT)
                * percent(mutators, mutator::STOUT, numbers::STOUT_DAMAGE_PERCENT)
                / 100) as i32,
            speed_percent: percent(mutators, mutator::SWIFT, numbers::SWIFT_SPEED_PERCENT) as i32,
            build_percent: percent(mutators, mutator::RUSH, numbers::RUSH_BUILD_PERCENT),
            hq_percent: percent(mutators, mutator::BLITZ, numbers::BLITZ_HQ_PERCENT) as i32,
            start_credits: if blitz {
                numbers::BLITZ_CREDITS
            } else {
                balance::START_CREDITS
            },
            start_extra: if blitz { numbers::BLITZ_EXTRA_UNITS } else { 0 },
            crumble_from: if blitz {
                numbers::BLITZ_CRUMBLE_FROM
            } else {
                balance::CRUMBLE_FROM
            },
            burn_from: if blitz {
                numbers::BLITZ_BURN_FROM
            } else {
                balance::BURN_FROM
            },
            burn_hp: if blitz {
                numbers::BLITZ_BURN_HP
            } else {
                balance::BURN_HP
            },
            no_fog: mutators & mutator::CLEAR_SKIES != 0,
            no_powers: mutators & mutator::POWERLESS != 0,
            no_waves: mutators & mutator::WAVELESS != 0,
            no_air: mutators & mutator::GROUNDED != 0,
            no_turrets: mutators & mutator::DISARMED != 0,
        }
    }

    /// A building's hit points when whole.
    pub(crate) fn whole(&self, kind: BuildingKind) -> i32 {
        let hp = balance::building(kind).hp;
        if kind == BuildingKind::HQ {
            hp * self.hq_percent / 100
        } else {
            hp
        }
    }

    pub(crate) const fn bans_unit(&self, kind: UnitKind) -> bool {
        let air = matches!(
            kind,
            UnitKind::FIGHTER | UnitKind::BOMBER | UnitKind::CONDOR
        );
        self.no_air && air
    }

    pub(crate) const fn bans_building(&self, kind: BuildingKind) -> bool {
        match kind {
            BuildingKind::AIRFIELD => self.no_air,
            BuildingKind::TURRET => self.no_turrets,
            _ => false,
        }
    }
}

const fn percent(mutators: u16, bit: u16, when_on: u32) -> u32 {
    if mutators & bit != 0 { when_on } else { 100 }
}
