//! What the two players agreed to play.

use crate::PerSide;
use serde::{Deserialize, Serialize};

/// How many mutators a mask can name.
pub const MUTATORS_MAX: usize = 12;

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
