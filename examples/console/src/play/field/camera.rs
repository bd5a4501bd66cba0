//! What part of the map the terminal shows, and which tile lies under which character. Knows no units.

use game_sim::World;
use match_feed::duel::{MapSize, Side};
use versus_codec::kit::Tile;

/// Rows above the map, and below it.
pub const TOP_ROWS: u16 = 1;
/// Rows of the panel below the map.
pub const PANEL_ROWS: u16 = 6;

/// A view of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Camera {
    /// The terminal.
    pub size: (u16, u16),
    /// A tile is two characters wide and one high, with letters in it; else one character shows two tiles.
    pub near: bool,
    /// The tile in the upper left corner.
    pub left: u32,
    /// The tile in the upper left corner.
    pub top: u32,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            size: (80, 24),
            near: true,
            left: 0,
            top: 0,
        }
    }
}

impl Camera {
    /// Characters the map has, across and down.
    pub fn cells(&self) -> (u16, u16) {
        let rows = self.size.1.saturating_sub(TOP_ROWS + PANEL_ROWS);
        (self.size.0, rows)
    }

    /// Tiles that fit, across and down.
    pub fn tiles(&self) -> (u32, u32) {
        let (columns, rows) = self.cells();
        if self.near {
            (u32::from(columns) / 2, rows.into())
        } else {
            (columns.into(), u32::from(rows) * 2)
        }
    }

    /// The tile under a character of the terminal, if the map is there.
    pub fn tile_at(&self, map: MapSize, (column, row): (u16, u16)) -> Option<Tile> {
        let (columns, rows) = self.cells();
        let row = row.checked_sub(TOP_ROWS).filter(|row| *row < rows)?;
        if column >= columns {
            return None;
        }
        let (across, down) = if self.near {
            (u32::from(column) / 2, row.into())
        } else {
            (column.into(), u32::from(row) * 2)
        };
        let tile = Tile {
            tx: self.left + across,
            ty: self.top + down,
        };
        tile.is_on(map).then_some(tile)
    }

    /// Moves the view, and keeps it on the map.
    pub fn scroll(&mut self, map: MapSize, dx: i32, dy: i32) {
        let (across, down) = self.tiles();
        let most = |side: u32, shown: u32| side.saturating_sub(shown);
        self.left = (self.left.saturating_add_signed(dx)).min(most(map.width(), across));
        self.top = (self.top.saturating_add_signed(dy)).min(most(map.height(), down));
        if !self.near {
            self.top &= !1; // two rows of tiles a character
        }
    }

    /// Moves the view so that a tile is in its middle, as far as the map allows.
    pub fn centre(&mut self, map: MapSize, tile: Tile) {
        let (across, down) = self.tiles();
        (self.left, self.top) = (0, 0);
        let to = |at: u32, shown: u32| at.saturating_sub(shown / 2) as i32;
        self.scroll(map, to(tile.tx, across), to(tile.ty, down));
    }

    /// Moves the view as little as possible so that a tile is on it.
    pub fn keep(&mut self, map: MapSize, tile: Tile) {
        let (across, down) = self.tiles();
        let by = |at: u32, from: u32, shown: u32| {
            if at < from {
                at as i32 - from as i32
            } else if at >= from + shown {
                (at + 1 - from - shown) as i32
            } else {
                0
            }
        };
        let (dx, dy) = (by(tile.tx, self.left, across), by(tile.ty, self.top, down));
        self.scroll(map, dx, dy);
    }

    /// Looks at a side's home.
    pub fn home(&mut self, world: &World, side: Side) {
        self.centre(world.map_size(), world.home(side));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_the_tile_that_is_drawn_there() {
        let map = MapSize::new(64, 48).unwrap();
        let mut camera = Camera::default();
        assert_eq!(camera.tiles(), (40, 17));
        let tile = |tx, ty| Some(Tile { tx, ty });
        assert_eq!(camera.tile_at(map, (0, 1)), tile(0, 0));
        assert_eq!(camera.tile_at(map, (5, 3)), tile(2, 2));
        assert_eq!(camera.tile_at(map, (5, 0)), None, "the line above the map");
        assert_eq!(camera.tile_at(map, (5, 18)), None, "the panel");
        camera.scroll(map, 10, 100);
        assert_eq!(
            (camera.left, camera.top),
            (10, 31),
            "no further than the map"
        );
        camera.near = false;
        camera.scroll(map, 0, 0);
        assert_eq!((camera.left, camera.top), (0, 14));
        assert_eq!(camera.tile_at(map, (63, 17)), tile(63, 46));
        assert_eq!(camera.tile_at(map, (64, 17)), None, "right of the map");
    }

    #[test]
    fn the_view_follows_what_leaves_it_and_no_more() {
        let map = MapSize::new(64, 48).unwrap();
        let mut camera = Camera::default();
        camera.keep(map, Tile { tx: 39, ty: 16 });
        assert_eq!((camera.left, camera.top), (0, 0));
        camera.keep(map, Tile { tx: 41, ty: 20 });
        assert_eq!((camera.left, camera.top), (2, 4));
        camera.centre(map, Tile { tx: 63, ty: 0 });
        assert_eq!((camera.left, camera.top), (24, 0));
    }
}
