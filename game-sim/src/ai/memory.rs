//! What an AI has seen of its enemy's buildings and remembers.

use crate::{BuildingKind, Point, World};
use alloc::vec::Vec;
use match_feed::duel::Side;
use versus_codec::kit::Tile;

/// A building seen once and not yet seen gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) id: u32,
    pub(super) kind: BuildingKind,
    pub(super) middle: Point,
}

/// Buildings are looked for every this many ticks.
const LOOK_EVERY: u32 = 10;

#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    known: Vec<Known>,
}

impl Memory {
    pub(super) fn look(&mut self, world: &World, side: Side) {
        if !world.tick().0.is_multiple_of(LOOK_EVERY) {
            return;
        }
        self.known.retain(|known| {
            world.building(known.id).is_some() || !world.visible(side, known.middle.tile())
        });
        for building in world.buildings() {
            let (width, height) = building.tiles;
            let seen = (0..height).any(|dy| {
                (0..width).any(|dx| {
                    let tile = Tile {
                        tx: building.at.tx + dx,
                        ty: building.at.ty + dy,
                    };
                    world.visible(side, tile)
                })
            });
            let new =
                building.side != side && self.known.iter().all(|known| known.id != building.id);
            if new && seen {
                self.known.push(Known {
                    id: building.id,
                    kind: building.kind,
                    middle: building.middle,
                });
            }
        }
    }

    pub(super) fn buildings(&self) -> &[Known] {
        &self.known
    }
}
