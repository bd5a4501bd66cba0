//! The build that phones compare in the lobby, where the game's maker gives none.

use crate::OPENERS_MAX;
use link_transport::hash32;
use match_feed::duel::{Catalogue, MapChoice, MatchSetup, PerSide, Side};

/// The build that a phone says it runs: `build` itself, or if that is 0 a digest of the game's name and catalogue, never
/// 0. So two different games refuse each other in the lobby, even where their makers number no builds.
///
/// The digest covers how many maps, biomes, mutators and openers there are, the size of every built-in map, and which
/// mutator blocks which opener. It does not see the game's rules: a maker who changes those changes `build`.
#[must_use]
pub fn build_or_digest(build: u16, game: &str, catalogue: &impl Catalogue) -> u16 {
    if build != 0 {
        return build;
    }
    let mut digest = hash32(&[game.len() as u32]);
    let mut fold = |word: u32| digest = hash32(&[digest, word]);
    game.bytes().for_each(|byte| fold(byte.into()));
    let (maps, mutators) = (catalogue.built_in_maps(), catalogue.mutators());
    for count in [maps, catalogue.biomes(), mutators] {
        fold(count.into());
    }
    for map in (0..maps).map(MapChoice::BuiltIn) {
        let size = catalogue.map_size(map);
        let (width, height) = size.map_or((0, 0), |size| (size.width(), size.height()));
        fold(width);
        fold(height);
    }
    // Without a mutator, then with each alone.
    let alone = (0..u32::from(mutators.min(u16::BITS as u8))).map(|bit| 1 << bit);
    for mask in core::iter::once(0_u16).chain(alone) {
        let setup = MatchSetup {
            map: MapChoice::BuiltIn(0),
            mutators: mask,
            seed: 0,
            openers: PerSide::default(),
        };
        for side in Side::BOTH {
            let open = |opener| u32::from(catalogue.opener_allowed(&setup, side, opener)) << opener;
            fold((0..OPENERS_MAX).map(open).sum());
        }
    }
    match (digest ^ digest >> 16) as u16 {
        0 => 1,
        digest => digest,
    }
}
