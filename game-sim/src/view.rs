//! The world as hosts and AIs read it. Read-only: nothing here changes anything.

use crate::{
    BuildingKind, Point, Power, Terrain, UnitKind, World, balance, fog,
    state::{Anchor, Building, NOBODY, Task, Unit},
};
use match_feed::{Tick, duel::Side};
use versus_codec::kit::Tile;

/// What a unit is doing, for labels and AIs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Nothing.
    Idle,
    /// Going somewhere.
    Moving,
    /// Going somewhere, fighting on the way.
    AttackMoving,
    /// Destroying something it was told to.
    Attacking,
    /// Mining, or bringing ore home.
    Harvesting,
    /// On its way aboard a Condor.
    Boarding,
    /// On its way to put down what it carries.
    Unloading,
    /// On its way to hook a Goliath.
    Lifting,
}

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitView {
    /// Its id.
    pub id: u32,
    /// Whose.
    pub side: Side,
    /// What.
    pub kind: UnitKind,
    /// Where.
    pub at: Point,
    /// Hit points left.
    pub hp: i32,
    /// Hit points when whole.
    pub hp_whole: i32,
    /// What it is doing.
    pub activity: Activity,
    /// What it shoots at.
    pub target: Option<u32>,
    /// Ore aboard, credits.
    pub load: u16,
    /// Dug in, or busy digging in or packing up.
    pub dug_in: bool,
    /// The Condor it is aboard of, or that carries it: it is not on the map.
    pub carrier: Option<u32>,
}

/// A building.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildingView<'a> {
    /// Its id.
    pub id: u32,
    /// Whose.
    pub side: Side,
    /// What.
    pub kind: BuildingKind,
    /// Its north-west tile.
    pub at: Tile,
    /// Columns and rows it covers.
    pub tiles: (u32, u32),
    /// Its middle.
    pub middle: Point,
    /// Hit points left.
    pub hp: i32,
    /// Hit points when whole.
    pub hp_whole: i32,
    /// What it is making, the first first.
    pub queue: &'a [UnitKind],
    /// How far the first of them is, in thousandths.
    pub progress_permille: u32,
    /// Where units made there go.
    pub rally: Option<Point>,
    /// What it shoots at.
    pub target: Option<u32>,
}

const fn somebody(id: u32) -> Option<u32> {
    if id == NOBODY { None } else { Some(id) }
}

fn unit_view(unit: &Unit) -> UnitView {
    UnitView {
        id: unit.id,
        side: unit.side,
        kind: unit.kind,
        at: unit.at,
        hp: unit.hp,
        hp_whole: balance::unit(unit.kind).hp,
        activity: match unit.task {
            Task::Idle => Activity::Idle,
            Task::Move { .. } => Activity::Moving,
            Task::AttackMove { .. } => Activity::AttackMoving,
            Task::Attack { .. } => Activity::Attacking,
            Task::Harvest { .. } => Activity::Harvesting,
            Task::Board { .. } => Activity::Boarding,
            Task::Unload { .. } => Activity::Unloading,
            Task::Lift { .. } => Activity::Lifting,
        },
        target: somebody(unit.target),
        load: unit.load,
        dug_in: unit.anchor != Anchor::Packed,
        carrier: somebody(unit.carrier),
    }
}

impl World {
    /// Every unit, by id.
    pub fn units(&self) -> impl Iterator<Item = UnitView> + '_ {
        self.state.units.iter().map(unit_view)
    }

    /// A unit.
    #[must_use]
    pub fn unit(&self, id: u32) -> Option<UnitView> {
        self.state.unit(id).map(unit_view)
    }

    /// Every building, by id.
    pub fn buildings(&self) -> impl Iterator<Item = BuildingView<'_>> {
        self.state
            .buildings
            .iter()
            .map(|building| self.building_view(building))
    }

    /// A building.
    #[must_use]
    pub fn building(&self, id: u32) -> Option<BuildingView<'_>> {
        self.state
            .building(id)
            .map(|building| self.building_view(building))
    }

    fn building_view<'a>(&self, building: &'a Building) -> BuildingView<'a> {
        BuildingView {
            id: building.id,
            side: building.side,
            kind: building.kind,
            at: building.at,
            tiles: balance::building(building.kind).tiles,
            middle: building.middle(),
            hp: building.hp,
            hp_whole: self.rules.whole(building.kind),
            queue: &building.queue,
            progress_permille: crate::economy::progress_permille(building),
            rally: building.rally,
            target: somebody(building.target),
        }
    }

    /// The terrain of a tile; rock off the map.
    #[must_use]
    pub fn tile(&self, tile: Tile) -> Terrain {
        if tile.is_on(self.map.size) {
            self.map.terrain[self.map.index(tile)]
        } else {
            Terrain::Rock
        }
    }

    /// The ore left in a tile, credits.
    #[must_use]
    pub fn ore(&self, tile: Tile) -> u16 {
        self.map
            .ore_slot(tile)
            .map_or(0, |slot| self.state.ore[slot])
    }

    /// Every tile with ore left, and how much.
    pub fn ore_tiles(&self) -> impl DoubleEndedIterator<Item = (Tile, u16)> + '_ {
        let left = self.map.ore_tiles.iter().zip(&self.state.ore);
        left.filter(|(_, ore)| **ore > 0)
            .map(|((tile, _), ore)| (*tile, *ore))
    }

    /// A side's credits.
    #[must_use]
    pub const fn credits(&self, side: Side) -> u32 {
        match side {
            Side::Blue => self.state.sides.blue.credits,
            Side::Red => self.state.sides.red.credits,
        }
    }

    /// Power supplied less power used; below zero everything is made more slowly.
    #[must_use]
    pub fn power(&self, side: Side) -> i32 {
        self.power_left(side)
    }

    /// True if the side sees the tile now.
    #[must_use]
    pub fn visible(&self, side: Side, tile: Tile) -> bool {
        tile.is_on(self.map.size) && self.lights(side, tile)
    }

    /// True if the side has ever seen the tile.
    #[must_use]
    pub fn explored(&self, side: Side, tile: Tile) -> bool {
        tile.is_on(self.map.size) && fog::is_set(&self.state.sides[side].explored, tile)
    }

    /// The tile at the middle of a side's home.
    #[must_use]
    pub fn home(&self, side: Side) -> Tile {
        self.map.homes[side]
    }

    /// The building a side has begun, and how far it is, in thousandths; 1000 waits to be placed.
    #[must_use]
    pub fn site(&self, side: Side) -> Option<(BuildingKind, u32)> {
        let site = self.state.sides[side].site?;
        let work = self.site_work(site.kind);
        Some((site.kind, crate::economy::permille(site.progress, work)))
    }

    /// True if a building of that kind may be placed with its north-west corner there.
    #[must_use]
    pub fn can_place(&self, side: Side, kind: BuildingKind, at: Tile) -> bool {
        kind.0 < BuildingKind::count() && at.is_on(self.map.size) && self.has_room(side, kind, at)
    }

    /// When a side's next wave can be called.
    #[must_use]
    pub fn wave_ready(&self, side: Side) -> Tick {
        self.state.sides[side].wave_ready
    }

    /// When a side can next use a power.
    #[must_use]
    pub fn power_ready(&self, side: Side, power: Power) -> Option<Tick> {
        let ready = self.state.sides[side].powers_ready;
        ready.get(usize::from(power.0)).copied()
    }

    /// True if the setup's mutators ban that unit.
    #[must_use]
    pub const fn bans_unit(&self, kind: UnitKind) -> bool {
        self.rules.bans_unit(kind)
    }

    /// True if the setup's mutators ban that building.
    #[must_use]
    pub const fn bans_building(&self, kind: BuildingKind) -> bool {
        self.rules.bans_building(kind)
    }
}
