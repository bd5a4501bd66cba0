//! What a duel's game has to choose from. Knows no map, mutator or opener by name.

use super::{MapChoice, MatchSetup, Side};

/// The largest map, tiles a side.
pub const MAP_SIDE_MAX: u32 = 4096;

/// A map's size in tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MapSize {
    width: u32,
    height: u32,
}

impl MapSize {
    /// `width × height` tiles; `None` unless both are 1…[`MAP_SIDE_MAX`].
    #[must_use]
    pub fn new(width: u32, height: u32) -> Option<Self> {
        let sides = 1..=MAP_SIDE_MAX;
        (sides.contains(&width) && sides.contains(&height)).then_some(Self { width, height })
    }

    /// Columns.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub const fn height(self) -> u32 {
        self.height
    }
}

/// A game's maps, mutators and openers, written once for every host and every way to play. All machines run the same
/// build, so all hold the same catalogue.
pub trait Catalogue {
    /// How many built-in maps there are, at most what the lobby's frames can name.
    fn built_in_maps(&self) -> u8;

    /// How many biomes of random maps there are, at most what the lobby's frames can name.
    fn biomes(&self) -> u8;

    /// How many mutators there are, at most [`MUTATORS_MAX`](super::MUTATORS_MAX).
    fn mutators(&self) -> u8;

    /// The size of a map; `None` if there is no such map.
    fn map_size(&self, map: MapChoice) -> Option<MapSize>;

    /// True if `side` may start with `opener` in the match of `setup`, whose own openers are still empty.
    fn opener_allowed(&self, setup: &MatchSetup, side: Side, opener: u8) -> bool;
}

impl<K: Catalogue + ?Sized> Catalogue for &K {
    fn built_in_maps(&self) -> u8 {
        (**self).built_in_maps()
    }
    fn biomes(&self) -> u8 {
        (**self).biomes()
    }
    fn mutators(&self) -> u8 {
        (**self).mutators()
    }
    fn map_size(&self, map: MapChoice) -> Option<MapSize> {
        (**self).map_size(map)
    }
    fn opener_allowed(&self, setup: &MatchSetup, side: Side, opener: u8) -> bool {
        (**self).opener_allowed(setup, side, opener)
    }
}
