//! The world of a match: set up, stepped a tick at a time, hashed, saved and loaded.

use crate::{
    BuildingKind, Command, FxEvent, Point, SUBS_PER_TILE, SetupError, UnitKind,
    balance::{self, Gait},
    buckets::Buckets,
    canon::{Canon, Filling, Reader, Sink},
    dice::Dice,
    fields::Fields,
    fog::{self, Fog},
    ground::Ground,
    hit::Hit,
    map::Map,
    setup::{self, Rules},
    state::{Anchor, Building, NOBODY, SideState, State, Task, Unit},
};
use alloc::{vec, vec::Vec};
use core::fmt;
use match_feed::{
    Game, LoadError, Order, Outcome, SaveError, Tick, WorldHash,
    duel::{DuelOutcome, MapSize, MatchSetup, PerSide, Side},
};
use versus_codec::kit::Tile;

/// The PCG stream of a match's dice.
const MATCH_STREAM: u64 = 0x6D61_7463;
/// A saved world ends in its hash.
const HASH_BYTES: usize = 8;

/// A match of the skirmish. Equal setups and equal orders give equal worlds on every machine.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) setup: MatchSetup,
    pub(crate) rules: Rules,
    pub(crate) map: Map,
    pub(crate) state: State,
    // What follows is derived from the above and is neither hashed nor saved.
    pub(crate) ground: Ground,
    pub(crate) fields: Fields,
    pub(crate) fog: Fog,
    pub(crate) buckets: Buckets,
    pub(crate) places: Vec<Place>,
    pub(crate) hits: Vec<Hit>,
    pub(crate) events: Vec<FxEvent>,
}

/// Where a unit was when the tick began, and whether aboard something: what others go by while all move, so that
/// nobody gains by his place in the list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) at: Point,
    pub(crate) carried: bool,
}

impl World {
    /// The world before its first tick: the map drawn, both bases set up, both openers applied (blue's first), and
    /// both sides' sight computed once.
    ///
    /// # Errors
    /// A map, mutator or opener the game does not have, or an opener the mutators block.
    pub fn new(setup: &MatchSetup) -> Result<Self, SetupError> {
        let map = setup::check(setup)?;
        let rules = Rules::of(setup.mutators);
        let ore = map.ore_tiles.iter().map(|&(_, credits)| {
            u16::try_from(u32::from(credits) * rules.ore_percent / 100).unwrap_or(u16::MAX)
        });
        let side_state = |_| SideState {
            credits: rules.start_credits,
            site: None,
            wave_ready: Tick(balance::WAVE_COOLDOWN),
            powers_ready: crate::Power::all_cooldowns(),
            explored: vec![0; map.height() as usize],
        };
        let state = State {
            tick: Tick(0),
            next_id: PerSide { blue: 1, red: 2 },
            dice: PerSide::from_fn(|_| Dice::new(setup.seed.into(), MATCH_STREAM)),
            units: Vec::new(),
            buildings: Vec::new(),
            ore: ore.collect(),
            sides: PerSide::from_fn(side_state),
            strikes: Vec::new(),
            scans: Vec::new(),
            outcome: None,
        };
        let mut world = Self {
            setup: *setup,
            rules,
            ground: Ground::of(&map),
            fog: Fog::dark(map.size),
            buckets: Buckets::default(),
            map,
            state,
            fields: Fields::default(),
            places: Vec::new(),
            hits: Vec::new(),
            events: Vec::new(),
        };
        for side in Side::BOTH {
            world.found_base(side);
        }
        for side in Side::BOTH {
            if let Some(opener) = setup.openers[side] {
                world.apply_opener(side, opener);
            }
        }
        world.start_harvesters();
        world.look_around();
        world.events.clear();
        Ok(world)
    }

    /// What was agreed to play.
    #[must_use]
    pub const fn setup(&self) -> &MatchSetup {
        &self.setup
    }

    /// The map's size.
    #[must_use]
    pub const fn map_size(&self) -> MapSize {
        self.map.size
    }

    /// How many ticks have been stepped.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.state.tick
    }

    /// What happened in the last tick.
    #[must_use]
    pub fn events(&self) -> &[FxEvent] {
        &self.events
    }

    fn take_id(&mut self, side: Side) -> u32 {
        let next = &mut self.state.next_id[side];
        let id = *next;
        *next += 2;
        id
    }

    /// Puts a building down and blocks its ground. Units in its way stay there until [`Self::make_way`].
    pub(crate) fn put_building(&mut self, side: Side, kind: BuildingKind, at: Tile) -> u32 {
        let id = self.take_id(side);
        let building = Building {
            id,
            side,
            kind,
            at,
            hp: self.rules.whole(kind),
            queue: Vec::new(),
            progress: 0,
            rally: None,
            target: NOBODY,
            reload: 0,
        };
        self.events.push(FxEvent::BuildingPlaced {
            id,
            side,
            kind,
            at: building.middle(),
        });
        self.set_ground(&building, false);
        let place = self.state.buildings.partition_point(|own| own.id < id);
        self.state.buildings.insert(place, building);
        id
    }

    /// Units under buildings just put down step aside.
    pub(crate) fn make_way(&mut self) {
        for unit in &mut self.state.units {
            let walks = balance::unit(unit.kind).gait == Gait::Ground && unit.carrier == NOBODY;
            if walks
                && !self.ground.is_free(unit.at)
                && let Some(aside) = self.ground.nearest_open(unit.at.tile())
            {
                unit.at = Point::of_tile(aside);
            }
        }
    }

    /// Opens or blocks the tiles under a building.
    pub(crate) fn set_ground(&mut self, building: &Building, open: bool) {
        for tile in building.footprint() {
            self.ground.set_open(tile, open);
        }
        self.fields.changed(&self.ground, building.footprint());
    }

    /// Makes a unit at the free spot nearest to `at`.
    pub(crate) fn spawn(&mut self, side: Side, kind: UnitKind, at: Point) -> u32 {
        let at = self.ground.clamp(at).off_lines(side);
        let at = match balance::unit(kind).gait {
            Gait::Ground if !self.ground.is_free(at) => self
                .ground
                .nearest_open(at.tile())
                .map_or(at, Point::of_tile),
            Gait::Ground | Gait::Air => at,
        };
        let id = self.take_id(side);
        let unit = Unit {
            id,
            side,
            kind,
            at,
            hp: balance::unit(kind).hp,
            task: Task::Idle,
            post: at,
            target: NOBODY,
            reload: 0,
            anchor: Anchor::Packed,
            load: 0,
            carrier: NOBODY,
            hauls: NOBODY,
            nearest: i32::MAX,
            stuck: 0,
        };
        let place = self.state.units.partition_point(|other| other.id < id);
        self.state.units.insert(place, unit);
        self.events.push(FxEvent::UnitMade { id, side, kind, at });
        id
    }

    /// Recomputes what both sides see: once a tick, and once at the start for both openers together.
    pub(crate) fn look_around(&mut self) {
        let size = self.map.size;
        for side in Side::BOTH {
            let visible = &mut self.fog.visible[side];
            let dark = if self.rules.no_fog { u128::MAX } else { 0 };
            visible.fill(dark);
            if !self.rules.no_fog {
                for unit in &self.state.units {
                    if unit.side == side && unit.carrier == NOBODY {
                        let sight = balance::unit(unit.kind).sight;
                        fog::light(visible, size, unit.at.tile(), sight);
                    }
                }
                for building in &self.state.buildings {
                    if building.side == side {
                        let sight = balance::building(building.kind).sight;
                        fog::light(visible, size, building.middle().tile(), sight);
                    }
                }
                let radius = balance::power(crate::Power::SCAN).radius / SUBS_PER_TILE;
                for scan in self.state.scans.iter().filter(|scan| scan.side == side) {
                    fog::light(visible, size, scan.at, radius as u32);
                }
            }
            let explored = &mut self.state.sides[side].explored;
            for (ever, now) in explored.iter_mut().zip(visible.iter()) {
                *ever |= now;
            }
        }
    }

    /// Decides the match when a command centre has fallen.
    fn judge(&mut self) {
        if self.state.outcome.is_some() {
            return;
        }
        let stands = |side| self.state.owns(side, BuildingKind::HQ);
        self.state.outcome = match (stands(Side::Blue), stands(Side::Red)) {
            (true, true) => None,
            (true, false) => Some(DuelOutcome::won(Side::Blue)),
            (false, true) => Some(DuelOutcome::won(Side::Red)),
            (false, false) => Some(DuelOutcome::draw()),
        };
    }

    fn resignations(&mut self, orders: &[Order<Command>]) {
        let resigned = PerSide::from_fn(|side| {
            orders
                .iter()
                .any(|order| order.side() == Some(side) && order.command == Command::Resign)
        });
        for side in Side::BOTH {
            if resigned[side] {
                self.events.push(FxEvent::Resigned { side });
            }
        }
        self.state.outcome = DuelOutcome::resigned(resigned.blue, resigned.red);
    }

    /// Writes the canonical bytes: what is hashed.
    fn canonical(&self, to: &mut impl Sink) {
        self.setup.write(to);
        self.state.write(to);
    }
}

impl Game for World {
    type Command = Command;

    fn step(&mut self, orders: &[Order<Command>]) {
        self.events.clear();
        if self.state.outcome.is_some() {
            return;
        }
        self.apply(orders);
        self.resignations(orders);
        if self.state.outcome.is_none() {
            self.work();
            self.buckets
                .fill(self.map.size, self.state.units.iter().map(|unit| unit.at));
            self.find_targets();
            self.act();
            self.spread_out();
            self.fire();
            self.fall_and_burn();
            self.bury();
            self.judge();
        }
        self.state.tick = self.state.tick.next();
        self.look_around();
    }

    fn hash(&self) -> WorldHash {
        // About 60 bytes a unit: room for a battle without growing.
        let mut bytes = Vec::with_capacity(24 << 10);
        self.canonical(&mut bytes);
        WorldHash::of(&bytes)
    }

    fn hash_parts(&self, part: &mut dyn FnMut(&'static str, WorldHash)) {
        self.each_part_hash(part);
    }

    fn describe_part(&self, part: &str, to: &mut dyn fmt::Write) -> fmt::Result {
        self.write_part(part, to)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome.map(Outcome::from)
    }

    /// The canonical bytes, closed by their hash. Allocates nothing.
    fn save_into(&self, buffer: &mut [u8]) -> Result<usize, SaveError> {
        let mut filling = Filling::new(buffer);
        self.canonical(&mut filling);
        let body = filling.given();
        let needed = body + HASH_BYTES;
        if needed > buffer.len() {
            return Err(SaveError::TooSmall { needed });
        }
        let hash = WorldHash::of(&buffer[..body]);
        buffer[body..needed].copy_from_slice(&hash.0.to_le_bytes());
        Ok(needed)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), LoadError> {
        let body = saved
            .len()
            .checked_sub(HASH_BYTES)
            .ok_or(LoadError::Damaged { at: saved.len() })?;
        let (bytes, hash) = saved.split_at(body);
        if WorldHash::of(bytes).0.to_le_bytes() != hash {
            return Err(LoadError::Damaged { at: body });
        }
        let mut from = Reader::new(bytes);
        let damaged = |at| LoadError::Damaged { at };
        let setup = MatchSetup::read(&mut from).ok_or_else(|| damaged(from.at()))?;
        let mut world = Self::new(&setup).map_err(|_| damaged(0))?;
        let state = State::read(&mut from).ok_or_else(|| damaged(from.at()))?;
        if from.left() > 0 || !state.is_sound(&world.map) {
            return Err(damaged(from.at()));
        }
        world.ground = Ground::of(&world.map);
        world.fields.clear();
        world.state = state;
        for building in world.state.buildings.clone() {
            world.set_ground(&building, false);
        }
        world.look_around();
        *self = world;
        Ok(())
    }
}

impl Unit {
    /// Sets out on a task.
    pub(crate) const fn begin(&mut self, task: Task) {
        self.task = task;
        self.target = NOBODY;
        self.nearest = i32::MAX;
        self.stuck = 0;
        self.post = self.at;
    }

    /// Has nothing to do and stays here.
    pub(crate) const fn rest(&mut self) {
        self.begin(Task::Idle);
    }
}

impl Building {
    /// The tiles it covers.
    pub(crate) fn footprint(&self) -> impl Iterator<Item = Tile> + use<> {
        let (width, height) = balance::building(self.kind).tiles;
        let at = self.at;
        (0..height).flat_map(move |dy| {
            (0..width).map(move |dx| Tile {
                tx: at.tx + dx,
                ty: at.ty + dy,
            })
        })
    }

    /// Its middle. That of an even number of tiles lies between two: on the side's own side of the line, so that
    /// the tile it lies in is the same to both sides when the map is turned.
    pub(crate) fn middle(&self) -> Point {
        let (width, height) = balance::building(self.kind).tiles;
        let middle = |from: u32, tiles: u32| (2 * from + tiles) as i32 * SUBS_PER_TILE / 2;
        Point {
            x: middle(self.at.tx, width),
            y: middle(self.at.ty, height),
        }
        .off_lines(self.side)
    }

    /// Its point nearest to `from`.
    pub(crate) fn nearest_point(&self, from: Point) -> Point {
        let (width, height) = balance::building(self.kind).tiles;
        let (x, y) = (
            self.at.tx as i32 * SUBS_PER_TILE,
            self.at.ty as i32 * SUBS_PER_TILE,
        );
        Point {
            x: from.x.clamp(x + 1, x + width as i32 * SUBS_PER_TILE - 1),
            y: from.y.clamp(y + 1, y + height as i32 * SUBS_PER_TILE - 1),
        }
    }
}
