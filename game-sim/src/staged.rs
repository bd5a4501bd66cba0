//! A battle set up for benches and pictures: two armies face to face, without the match that would raise them.

use crate::{Point, SUBS_PER_TILE, SetupError, UnitKind, World, state::Task};
use match_feed::duel::{MatchSetup, Side};

/// Who stands in an army, over and over.
const RANKS: [UnitKind; 12] = [
    UnitKind::RIFLE,
    UnitKind::TANK,
    UnitKind::ROCKET,
    UnitKind::RIFLE,
    UnitKind::TANK,
    UnitKind::SCOUT,
    UnitKind::RIFLE,
    UnitKind::FLAK,
    UnitKind::ROCKET,
    UnitKind::GOLIATH,
    UnitKind::FIGHTER,
    UnitKind::BOMBER,
];
/// Units in a row of an army, and how far the first row stands from the middle of the map.
const ROW: usize = 20;
const APART: i32 = 5 * SUBS_PER_TILE;

impl World {
    /// The world of `setup` with `per_side` fighters more on each side, drawn up on either side of the map's middle
    /// and marching on the other's home. The usual limit of a side's units does not hold for them.
    ///
    /// # Errors
    /// As [`World::new`].
    pub fn with_armies(setup: &MatchSetup, per_side: usize) -> Result<Self, SetupError> {
        let mut world = Self::new(setup)?;
        for side in Side::BOTH {
            let size = world.map.size;
            let middle = Point {
                x: size.width() as i32 * SUBS_PER_TILE / 2,
                y: size.height() as i32 * SUBS_PER_TILE / 2,
            };
            let sign = if side == Side::Blue { 1 } else { -1 };
            let to = Point::of_tile(world.map.homes[side.other()]);
            for place in 0..per_side {
                let (row, column) = ((place / ROW) as i32, (place % ROW) as i32);
                let aside = Point {
                    x: (2 * column - ROW as i32 + 1) * SUBS_PER_TILE / 2,
                    y: APART + row * SUBS_PER_TILE,
                };
                let at = middle
                    + Point {
                        x: sign * aside.x,
                        y: sign * aside.y,
                    };
                let id = world.spawn(side, RANKS[place % RANKS.len()], at);
                if let Some(at) = world.state.unit_index(id) {
                    world.state.units[at].begin(Task::AttackMove { to });
                }
            }
        }
        world.look_around();
        world.events.clear();
        Ok(world)
    }
}
