//! Holds a proposal against a game's catalogue. Knows no map, mutator or opener by name.

use crate::{BIOMES_MAX, BUILT_IN_MAPS_MAX, LobbyConfig, Opener};
use match_feed::duel::{Catalogue, MUTATORS_MAX, MapChoice, MatchSetup, Side};

/// Openers that the wire can name.
pub const OPENERS_MAX: u8 = 3;

/// A proposal that the catalogue does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// No such built-in map.
    #[error("built-in map {index}: the catalogue has {count}")]
    Map {
        /// Its index.
        index: u8,
        /// How many there are.
        count: u8,
    },
    /// No such biome.
    #[error("biome {biome}: the catalogue has {count}")]
    Biome {
        /// Its index.
        biome: u8,
        /// How many there are.
        count: u8,
    },
    /// A bit past the last mutator.
    #[error("mutators {mask:#05x}: the catalogue has {count}")]
    Mutators {
        /// The mask.
        mask: u16,
        /// How many there are.
        count: u8,
    },
    /// The catalogue counts the map but has no size for it.
    #[error("the catalogue has no map {map:?}")]
    NoMap {
        /// The map.
        map: MapChoice,
    },
}

/// Refuses a map or mutator that the catalogue does not hold.
///
/// # Errors
/// Naming what it does not hold.
pub fn check_choice(
    catalogue: &impl Catalogue,
    map: MapChoice,
    mutators: u16,
) -> Result<(), CatalogueError> {
    match map {
        MapChoice::BuiltIn(index) => {
            let count = catalogue.built_in_maps().min(BUILT_IN_MAPS_MAX);
            if index >= count {
                return Err(CatalogueError::Map { index, count });
            }
        }
        MapChoice::Random { biome, .. } => {
            let count = catalogue.biomes().min(BIOMES_MAX);
            if biome >= count {
                return Err(CatalogueError::Biome { biome, count });
            }
        }
    }
    let count = catalogue.mutators().min(MUTATORS_MAX as u8);
    if mutators >> count != 0 {
        return Err(CatalogueError::Mutators {
            mask: mutators,
            count,
        });
    }
    if catalogue.map_size(map).is_none() {
        return Err(CatalogueError::NoMap { map });
    }
    Ok(())
}

/// The openers `side` may pick: those not blocked, or "none" if every one is.
pub(crate) fn allowed(
    catalogue: &impl Catalogue,
    setup: &MatchSetup,
    side: Side,
) -> impl Iterator<Item = Opener> {
    let open: heapless::Vec<Opener, { OPENERS_MAX as usize }> = (0..OPENERS_MAX)
        .filter(|&opener| catalogue.opener_allowed(setup, side, opener))
        .map(Some)
        .collect();
    let none = open.is_empty().then_some(None);
    open.into_iter().chain(none)
}

/// True if `config` can be played from this catalogue.
pub(crate) fn check_config(
    catalogue: &impl Catalogue,
    config: &LobbyConfig,
) -> Result<(), CatalogueError> {
    check_choice(catalogue, config.map, config.mutators)
}
