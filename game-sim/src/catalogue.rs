//! The skirmish as a duel's lobby knows it: one catalogue for every host and every way to play.

use crate::{biome_count, map_count, map_size, mutator_names, opener_allowed};
use match_feed::duel::{Catalogue, MapChoice, MapSize, MatchSetup, Side};

/// The game's name, as records and lobbies carry it.
pub const NAME: &str = "skirmish";

/// What the skirmish offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Skirmish;

impl Catalogue for Skirmish {
    fn built_in_maps(&self) -> u8 {
        map_count()
    }

    fn biomes(&self) -> u8 {
        biome_count()
    }

    fn mutators(&self) -> u8 {
        mutator_names().len() as u8
    }

    fn map_size(&self, map: MapChoice) -> Option<MapSize> {
        map_size(map)
    }

    fn opener_allowed(&self, setup: &MatchSetup, side: Side, opener: u8) -> bool {
        opener_allowed(setup, side, opener)
    }
}
