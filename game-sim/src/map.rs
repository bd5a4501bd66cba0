//! The ground a match is played on: terrain, ore and the two homes. Fixed for a match; mined ore is the world's.

use alloc::{vec, vec::Vec};
use match_feed::duel::{MapSize, PerSide, Side};
use versus_codec::kit::Tile;

/// What a tile is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terrain {
    /// Open ground.
    Plain,
    /// Slows what drives or walks; can be built on.
    Rough,
    /// Blocks the ground.
    Rock,
    /// Blocks the ground.
    Water,
}

impl Terrain {
    /// True if ground units can cross it.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Plain | Self::Rough)
    }
}

/// The ground, the same to both sides when turned by 180°.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Map {
    pub(crate) size: MapSize,
    pub(crate) terrain: Vec<Terrain>,
    /// Ore in each tile, in credits, while the map is drawn.
    pub(crate) ore: Vec<u16>,
    /// The tiles with ore and how much, in tile order; filled by [`Self::finish`].
    pub(crate) ore_tiles: Vec<(Tile, u16)>,
    /// The tile at the middle of each side's command centre.
    pub(crate) homes: PerSide<Tile>,
}

/// How far around a home's middle tile nothing blocks.
pub(crate) const HOME_CLEAR: i32 = 7;
/// How far a home's middle is from the map's edges.
pub(crate) const HOME_INSET: u32 = 8;

impl Map {
    /// Open plain, homes in the south-west (blue) and north-east (red).
    pub(crate) fn plain(width: u32, height: u32) -> Option<Self> {
        let size = MapSize::new(width, height)?;
        let tiles = (width * height) as usize;
        let blue = Tile {
            tx: HOME_INSET,
            ty: height - 1 - HOME_INSET,
        };
        let red = Tile {
            tx: width - 1 - HOME_INSET,
            ty: HOME_INSET,
        };
        Some(Self {
            size,
            terrain: vec![Terrain::Plain; tiles],
            ore: vec![0; tiles],
            ore_tiles: Vec::new(),
            homes: PerSide { blue, red },
        })
    }

    pub(crate) const fn width(&self) -> u32 {
        self.size.width()
    }

    pub(crate) const fn height(&self) -> u32 {
        self.size.height()
    }

    pub(crate) const fn index(&self, tile: Tile) -> usize {
        (tile.ty * self.size.width() + tile.tx) as usize
    }

    /// The tile at these coordinates, if it is on the map.
    pub(crate) fn tile_at(&self, x: i32, y: i32) -> Option<Tile> {
        let tile = Tile {
            tx: u32::try_from(x).ok()?,
            ty: u32::try_from(y).ok()?,
        };
        tile.is_on(self.size).then_some(tile)
    }

    /// The same tile as the other side sees it.
    pub(crate) const fn turned(&self, tile: Tile) -> Tile {
        Tile {
            tx: self.size.width() - 1 - tile.tx,
            ty: self.size.height() - 1 - tile.ty,
        }
    }

    /// Sets a tile's terrain and its counterpart's. Homes stay open.
    pub(crate) fn paint(&mut self, x: i32, y: i32, terrain: Terrain) {
        let Some(tile) = self.tile_at(x, y) else {
            return;
        };
        if !terrain.is_open() && self.near_home(tile) {
            return;
        }
        for tile in [tile, self.turned(tile)] {
            let at = self.index(tile);
            self.terrain[at] = terrain;
            if !terrain.is_open() {
                self.ore[at] = 0;
            }
        }
    }

    /// Puts ore into a tile and its counterpart, opening them.
    pub(crate) fn put_ore(&mut self, x: i32, y: i32, credits: u16) {
        let Some(tile) = self.tile_at(x, y) else {
            return;
        };
        for tile in [tile, self.turned(tile)] {
            let at = self.index(tile);
            self.terrain[at] = Terrain::Plain;
            self.ore[at] = credits;
        }
    }

    fn near_home(&self, tile: Tile) -> bool {
        Side::BOTH.into_iter().any(|side| {
            let home = self.homes[side];
            home.tx.abs_diff(tile.tx) <= HOME_CLEAR as u32
                && home.ty.abs_diff(tile.ty) <= HOME_CLEAR as u32
        })
    }

    /// The map is drawn: lists its ore.
    pub(crate) fn finish(mut self) -> Self {
        let width = self.size.width();
        let tile = |at: usize| Tile {
            tx: at as u32 % width,
            ty: at as u32 / width,
        };
        let with_ore = self.ore.iter().enumerate().filter(|(_, ore)| **ore > 0);
        self.ore_tiles = with_ore.map(|(at, &ore)| (tile(at), ore)).collect();
        self
    }

    /// The place of a tile in [`Self::ore_tiles`].
    pub(crate) fn ore_slot(&self, tile: Tile) -> Option<usize> {
        let key = (tile.ty, tile.tx);
        self.ore_tiles
            .binary_search_by_key(&key, |(tile, _)| (tile.ty, tile.tx))
            .ok()
    }

    /// The tiles that can be reached over open ground from `start`, as a mask.
    pub(crate) fn reached_from(&self, start: Tile) -> Vec<bool> {
        let mut reached = vec![false; self.terrain.len()];
        let mut queue = vec![start];
        reached[self.index(start)] = true;
        while let Some(tile) = queue.pop() {
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let Some(next) = self.tile_at(tile.tx as i32 + dx, tile.ty as i32 + dy) else {
                    continue;
                };
                let at = self.index(next);
                if self.terrain[at].is_open() && !reached[at] {
                    reached[at] = true;
                    queue.push(next);
                }
            }
        }
        reached
    }
}
