//! What the two sides start with: bases, first units, and openers.

use crate::{BuildingKind, Point, SUBS_PER_TILE, UnitKind, World, balance};
use match_feed::duel::Side;
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
        let (dx, dy) = balance::START_PLACES[place % balance::START_PLACES.len()];
        let aside = Point {
            x: dx * SUBS_PER_TILE,
            y: dy * SUBS_PER_TILE,
        };
        let home = Point::of_tile(self.map.homes[side]);
        self.spawn(side, kind, home + aside.facing(side));
    }

    pub(crate) fn apply_opener(&mut self, side: Side, opener: u8) {
        let Some(opener) = balance::OPENERS.get(usize::from(opener)) else {
            return;
        };
        for &(kind, place) in opener.units {
            self.spawn_near_home(side, kind, place);
        }
        for &(kind, dx, dy) in opener.buildings {
            let at = self.home_tile(side, kind, dx, dy);
            self.put_building(side, kind, at);
        }
        self.make_way();
    }

    pub(crate) fn start_harvesters(&mut self) {
        for at in 0..self.state.units.len() {
            if self.state.units[at].kind == UnitKind::HARVESTER {
                self.send_mining(at);
            }
        }
    }
}
