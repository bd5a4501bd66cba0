//! What each side sees. A function of where its units and buildings are; only what it has ever seen is state.

use alloc::{vec, vec::Vec};
use match_feed::duel::{MapSize, PerSide};
use versus_codec::kit::Tile;

/// A bit for each tile: a row of bits for each row of tiles.
pub(crate) type Mask = Vec<u128>;

/// Maps are at most this wide, so that a row of tiles fits a mask's row.
pub(crate) const WIDTH_MAX: u32 = 128;

#[derive(Clone, Debug)]
pub(crate) struct Fog {
    pub(crate) visible: PerSide<Mask>,
}

impl Fog {
    pub(crate) fn dark(size: MapSize) -> Self {
        let mask = || vec![0; size.height() as usize];
        Self {
            visible: PerSide::from_fn(|_| mask()),
        }
    }
}

/// True if the tile's bit is set; false off the map.
pub(crate) fn is_set(mask: &[u128], tile: Tile) -> bool {
    tile.tx < WIDTH_MAX
        && mask
            .get(tile.ty as usize)
            .is_some_and(|row| row >> tile.tx & 1 == 1)
}

/// Sets the bits within `radius` tiles of `middle`.
pub(crate) fn light(mask: &mut [u128], size: MapSize, middle: Tile, radius: u32) {
    let (x, y) = (middle.tx as i32, middle.ty as i32);
    let radius = radius as i32;
    // The rows as far north as south of the middle are lit alike.
    for dy in 0..=radius {
        // Half a tile more than the radius makes the circle round.
        let half = ((radius * radius + radius - dy * dy) as u32).isqrt() as i32;
        let west = (x - half).max(0) as u32;
        let east = (x + half).min(size.width() as i32 - 1) as u32;
        if west > east {
            continue;
        }
        let lit = u128::MAX >> (WIDTH_MAX - 1 - (east - west)) << west;
        for row in [y - dy, y + dy] {
            if let Some(row) = usize::try_from(row).ok().and_then(|ty| mask.get_mut(ty)) {
                *row |= lit;
            }
        }
    }
}
