//! What the two sides start with: bases, first units, and openers.

use crate::{BuildingKind, Point, SUBS_PER_TILE, UnitKind, World, balance};
use match_feed::Side;
use versus_codec::kit::Tile;

impl World {
    pub(crate) fn found_base(&mut self, side: Side) {
        let home = self.map.homes[side];
        let middle = Tile {
            tx: home.tx - 1,
            ty: home.ty - 1,
        };
        self.put_building(side, BuildingKind::HQ, middle);
        for &(kind, dx, dy) in balance::START_BUILDINGS {
            let at = self.home_tile(side, kind, dx, dy);
            self.put_building(side, kind, at);
        }
        for (place, &kind) in balance::START_UNITS.iter().enumerate() {
            self.spawn_near_home(side, kind, place);
            if balance::unit(kind).weapon.is_some() {
                for _ in 0..self.rules.start_extra {
                    self.spawn_near_home(side, kind, place);
                }
            }
        }
    }

    /// The north-west tile of a building whose offset from home blue sees as `(dx, dy)`.
    pub(crate) fn home_tile(&self, side: Side, kind: BuildingKind, dx: i32, dy: i32) -> Tile {
        let (width, height) = balance::building(kind).tiles;
        let home = self.map.homes[side];
        let (x, y) = match side {
            Side::Blue => (home.tx as i32 + dx, home.ty as i32 + dy),
            Side::Red => (
                home.tx as i32 - dx - width as i32 + 1,
                home.ty as i32 - dy - height as i32 + 1,
            ),
        };
        Tile {
            tx: x.max(0) as u32,
            ty: y.max(0) as u32,
        }
    }

    pub(crate) fn spawn_near_home(&mut self, side: Side, kind: UnitKind, place: usize) {
        // Around the command centre, toward the middle of the map.
        const PLACES: [(i32, i32); 8] = [
            (4, 0),
            (4, 2),
            (6, -2),
            (0, -4),
            (-2, -4),
            (-3, -5),
            (6, 1),
            (0, -6),
        ];
        let (dx, dy) = PLACES[place % PLACES.len()];
        let aside = Point {
            x: dx * SUBS_PER_TILE,
            y: dy * SUBS_PER_TILE,
        };
        let home = Point::of_tile(self.map.homes[side]);
        self.spawn(side, kind, home + aside.facing(side));
    }

    pub(crate) fn apply_opener(&mut self, side: Side, opener: u8) {
        match opener {
            // prospector: one more harvester
            0 => self.spawn_near_home(side, UnitKind::HARVESTER, 3),
            // raiders: a fast fighting party
            1 => {
                for (place, kind) in [
                    (4, UnitKind::RIFLE),
                    (5, UnitKind::RIFLE),
                    (6, UnitKind::SCOUT),
                ] {
                    self.spawn_near_home(side, kind, place);
                }
            }
            // fortress: a turret on the way in, and the barracks to build more
            _ => {
                for (kind, dx, dy) in [
                    (BuildingKind::TURRET, 6, -6),
                    (BuildingKind::BARRACKS, -6, -2),
                ] {
                    let at = self.home_tile(side, kind, dx, dy);
                    self.put_building(side, kind, at);
                }
            }
        }
    }

    pub(crate) fn start_harvesters(&mut self) {
        for at in 0..self.state.units.len() {
            if self.state.units[at].kind == UnitKind::HARVESTER {
                self.send_mining(at);
            }
        }
    }
}
