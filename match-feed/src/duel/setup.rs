//! What the two players agreed to play.

use super::PerSide;
use serde::{Deserialize, Serialize};

/// How many mutators a mask can name.
pub const MUTATORS_MAX: usize = 12;

/// How many ticks pass between giving an order and both phones applying it: fixed for a match, 3…8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct InputDelay(u8);

impl InputDelay {
    /// The shortest.
    pub const MIN: Self = Self(3);
    /// The longest.
    pub const MAX: Self = Self(8);

    /// `ticks` of delay; `None` outside 3…8.
    #[must_use]
    pub const fn new(ticks: u8) -> Option<Self> {
        if ticks >= Self::MIN.0 && ticks <= Self::MAX.0 {
            Some(Self(ticks))
        } else {
            None
        }
    }

    /// How many ticks.
    #[must_use]
    pub const fn ticks(self) -> u32 {
        self.0 as u32
    }
}

impl From<InputDelay> for u8 {
    fn from(delay: InputDelay) -> Self {
        delay.0
    }
}

impl TryFrom<u8> for InputDelay {
    type Error = &'static str;
    fn try_from(ticks: u8) -> Result<Self, Self::Error> {
        Self::new(ticks).ok_or("an input delay is 3 to 8 ticks")
    }
}

/// Which map, as numbers of the game's catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum MapChoice {
    /// A hand-made map, by index.
    BuiltIn(u8),
    /// A random map: its biome's index and its own seed, so the map shown is the map played.
    Random {
        /// The biome's index.
        biome: u8,
        /// The map's seed.
        seed: u32,
    },
}

/// Everything that decides the world at tick 0. Equal on both phones; it does not say which side is local.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MatchSetup {
    /// The map.
    pub map: MapChoice,
    /// Bit i (least significant first) switches on mutator i of the game's catalogue; at most [`MUTATORS_MAX`] bits.
    pub mutators: u16,
    /// The seed of everything random within the match.
    pub seed: u32,
    /// Each side's opener by index; `None` where the setup leaves that side none.
    pub openers: PerSide<Option<u8>>,
}
