//! The player's hands on the map: cursor, selection, lists, and what becomes an order. Sees the world, changes nothing
//! in it: orders come out.

mod camera;
mod context;
pub mod lists;
#[cfg(test)]
mod tests;

pub use camera::{Camera, PANEL_ROWS, TOP_ROWS};

use game_sim::{BuildingKind, Command, Point, Power, SUBS_PER_TILE, UnitKind, UnitView, World};
use match_feed::duel::Side;
use std::collections::BTreeSet;
use versus_codec::kit::{Cell, Tile};

/// How far from a click a unit may stand, in tiles.
const REACH_TILES: i32 = 1;

/// What keys and mouse say about the map. Places are characters of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldInput {
    /// Move the cursor, in tiles.
    Cursor(i32, i32),
    /// Move the view, in tiles.
    Scroll(i32, i32),
    /// The mouse is here.
    Hover((u16, u16)),
    /// The left button goes down.
    Press((u16, u16)),
    /// It moves, held.
    Drag((u16, u16)),
    /// It is let go.
    Release {
        /// Where.
        at: (u16, u16),
        /// Adds to the selection.
        add: bool,
    },
    /// The right button: do what makes sense there.
    Act((u16, u16)),
    /// Do what makes sense at the cursor, or what was armed.
    ActHere,
    /// Select at the cursor.
    Select {
        /// Adds to the selection.
        add: bool,
    },
    /// A corner of a box, at the cursor; the second one selects.
    Corner,
    /// Select every fighting unit.
    Army,
    /// Select every harvester.
    Harvesters,
    /// Select the next building.
    NextBuilding,
    /// Arm: move there.
    Move,
    /// Arm: attack-move there.
    AttackMove,
    /// Stop.
    Stop,
    /// Dig in.
    Anchor,
    /// Pack up.
    PackUp,
    /// Arm: put down what is aboard there.
    Unload,
    /// Arm: the selected building's rally point.
    Rally,
    /// Sell the selected building.
    Sell,
    /// Call a wave.
    Wave,
    /// The list of buildings; with one finished, arm: place it.
    Build,
    /// The list of units.
    Train,
    /// The list of powers.
    Powers,
    /// Give up the building begun.
    CancelBuilding,
    /// This entry of the list.
    Choose(u8),
    /// Take the last one of the chosen kind of unit out of its queue.
    TakeBack,
    /// Close the list, disarm, drop the selection.
    Cancel,
    /// The other zoom.
    Zoom,
    /// Look at home.
    Home,
}

/// A list that is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Buildings.
    Build,
    /// Units.
    Train,
    /// Powers.
    Powers,
}

/// What the next click or Enter does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Armed {
    /// Moves.
    Move,
    /// Attack-moves.
    AttackMove,
    /// Puts down what is aboard.
    Unload,
    /// Sets the rally point.
    Rally,
    /// Calls this down.
    Power(Power),
    /// Places the finished building.
    Place(BuildingKind),
}

/// The player's hands.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// What is shown.
    pub camera: Camera,
    /// The tile the cursor is on.
    pub cursor: Cursor,
    /// Units selected.
    pub selected: BTreeSet<u32>,
    /// The building selected.
    pub building: Option<u32>,
    /// The list that is up.
    pub list: Option<List>,
    /// What the next click does.
    pub armed: Option<Armed>,
    /// One corner of a box being drawn.
    pub corner: Option<Cursor>,
    /// The unit kind made last.
    trained: Option<UnitKind>,
}

/// A tile the cursor is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Its column.
    pub tx: u32,
    /// Its row.
    pub ty: u32,
}

impl Cursor {
    /// As a tile.
    pub const fn tile(self) -> Tile {
        Tile {
            tx: self.tx,
            ty: self.ty,
        }
    }

    const fn of(tile: Tile) -> Self {
        Self {
            tx: tile.tx,
            ty: tile.ty,
        }
    }
}

/// What an input came to: orders, or why not.
pub type Orders = Result<Vec<Command>, String>;

impl Field {
    /// Hands over a side's home.
    pub fn at_home(world: &World, side: Side) -> Self {
        let mut field = Self {
            cursor: Cursor::of(world.home(side)),
            ..Self::default()
        };
        field.camera.home(world, side);
        field
    }

    /// The world has moved on: what is gone is no longer selected.
    pub fn follow(&mut self, world: &World, side: Side) {
        self.selected
            .retain(|id| world.unit(*id).is_some_and(|unit| unit.side == side));
        self.building = self.building.filter(|id| {
            world
                .building(*id)
                .is_some_and(|building| building.side == side)
        });
        if let Some(Armed::Place(_)) = self.armed
            && world.site(side).is_none()
        {
            self.armed = None;
        }
    }

    /// The terminal has this many columns and rows.
    pub fn resize(&mut self, world: Option<&World>, size: (u16, u16)) {
        self.camera.size = size;
        if let Some(world) = world {
            self.camera.scroll(world.map_size(), 0, 0);
            self.camera.keep(world.map_size(), self.cursor.tile());
        }
    }

    /// The units selected, as they are.
    pub fn units<'a>(&'a self, world: &'a World) -> impl Iterator<Item = UnitView> + 'a {
        self.selected.iter().filter_map(|id| world.unit(*id))
    }

    /// Takes an input in.
    ///
    /// # Errors
    /// Why nothing comes of it, in words.
    pub fn handle(&mut self, input: FieldInput, world: &World, side: Side) -> Orders {
        match input {
            FieldInput::Cursor(dx, dy) => {
                let (map, tile) = (world.map_size(), self.cursor);
                self.cursor = Cursor {
                    tx: tile.tx.saturating_add_signed(dx).min(map.width() - 1),
                    ty: tile.ty.saturating_add_signed(dy).min(map.height() - 1),
                };
                self.camera.keep(map, self.cursor.tile());
            }
            FieldInput::Scroll(dx, dy) => self.camera.scroll(world.map_size(), dx, dy),
            FieldInput::Hover(at) | FieldInput::Drag(at) => self.point(world, at),
            FieldInput::Press(at) => {
                self.point(world, at);
                if self.armed.is_none() {
                    self.corner = Some(self.cursor);
                }
            }
            FieldInput::Release { at, add } => {
                self.point(world, at);
                if self.armed.is_some() {
                    return self.act(world, side);
                }
                self.close_box(world, side, add);
            }
            FieldInput::Act(at) => {
                self.point(world, at);
                if self.armed.take().is_none() {
                    return self.act(world, side);
                }
            }
            FieldInput::ActHere => return self.act(world, side),
            FieldInput::Select { add } => {
                self.corner = Some(self.cursor);
                self.close_box(world, side, add);
            }
            FieldInput::Corner if self.corner.is_some() => self.close_box(world, side, false),
            FieldInput::Corner => self.corner = Some(self.cursor),
            FieldInput::Army => self.select(world, side, |unit| unit.kind != UnitKind::HARVESTER),
            FieldInput::Harvesters => {
                self.select(world, side, |unit| unit.kind == UnitKind::HARVESTER);
            }
            FieldInput::NextBuilding => self.next_building(world, side),
            FieldInput::Zoom => {
                self.camera.near = !self.camera.near;
                self.camera.centre(world.map_size(), self.cursor.tile());
            }
            FieldInput::Home => {
                self.cursor = Cursor::of(world.home(side));
                self.camera.home(world, side);
            }
            FieldInput::Cancel => self.cancel(),
            FieldInput::Build => return self.open_build(world, side),
            FieldInput::Train => self.list = Some(List::Train),
            FieldInput::Powers => self.list = Some(List::Powers),
            FieldInput::Move => self.arm(Armed::Move)?,
            FieldInput::AttackMove => self.arm(Armed::AttackMove)?,
            FieldInput::Unload => self.arm(Armed::Unload)?,
            FieldInput::Rally => {
                self.building.ok_or("Select a building first (Tab).")?;
                self.armed = Some(Armed::Rally);
            }
            FieldInput::Choose(place) => return self.choose(place.into(), world, side),
            FieldInput::Stop
            | FieldInput::Anchor
            | FieldInput::PackUp
            | FieldInput::Sell
            | FieldInput::Wave
            | FieldInput::CancelBuilding
            | FieldInput::TakeBack => return self.at_once(input, world, side),
        }
        Ok(Vec::new())
    }

    /// The mouse points at a character.
    fn point(&mut self, world: &World, at: (u16, u16)) {
        if let Some(tile) = self.camera.tile_at(world.map_size(), at) {
            self.cursor = Cursor::of(tile);
        }
    }

    fn arm(&mut self, armed: Armed) -> Result<(), String> {
        if self.selected.is_empty() {
            return Err("Select units first.".into());
        }
        self.armed = Some(armed);
        Ok(())
    }

    fn cancel(&mut self) {
        if self.list.take().is_some() || self.armed.take().is_some() || self.corner.take().is_some()
        {
            return;
        }
        self.selected.clear();
        self.building = None;
    }

    fn select(&mut self, world: &World, side: Side, of: impl Fn(&UnitView) -> bool) {
        let units = world
            .units()
            .filter(|unit| unit.side == side && unit.carrier.is_none());
        self.selected = units.filter(of).map(|unit| unit.id).collect();
        self.building = None;
    }

    fn next_building(&mut self, world: &World, side: Side) {
        let own: Vec<_> = world
            .buildings()
            .filter(|building| building.side == side)
            .collect();
        let after = self.building.unwrap_or(0);
        let next = own
            .iter()
            .find(|building| building.id > after)
            .or(own.first());
        if let Some(building) = next {
            self.building = Some(building.id);
            self.selected.clear();
            self.cursor = Cursor::of(building.middle.tile());
            self.camera.keep(world.map_size(), self.cursor.tile());
        }
    }

    /// Selects what the box from the corner to the cursor holds; a box of one tile, what stands nearest to it.
    fn close_box(&mut self, world: &World, side: Side, add: bool) {
        let Some(corner) = self.corner.take() else {
            return;
        };
        let (from, to) = (corner, self.cursor);
        let found = if from == to {
            self.at_click(world, side)
        } else {
            in_box(world, side, from, to)
        };
        if !add {
            self.selected.clear();
        }
        self.building = None;
        if found.is_empty() {
            let tile = self.cursor.tile();
            let own = world.buildings().find(|building| {
                building.side == side && covers(building.at, building.tiles, tile)
            });
            self.building = own.map(|building| building.id);
        } else {
            self.selected.extend(found);
        }
    }

    fn at_click(&self, world: &World, side: Side) -> Vec<u32> {
        let here = Point::of_tile(self.cursor.tile());
        let units = world
            .units()
            .filter(|unit| unit.side == side && unit.carrier.is_none());
        let near = units.filter(|unit| unit.at.within(here, REACH_TILES * SUBS_PER_TILE));
        let nearest = near.min_by_key(|unit| (unit.at.distance_squared(here), unit.id));
        nearest.map(|unit| unit.id).into_iter().collect()
    }

    /// The cell an order at the cursor means.
    fn cell(&self) -> Cell {
        self.cursor.tile().centre()
    }
}

/// True if a rectangle of tiles covers one.
pub fn covers(at: Tile, (columns, rows): (u32, u32), tile: Tile) -> bool {
    (at.tx..at.tx + columns).contains(&tile.tx) && (at.ty..at.ty + rows).contains(&tile.ty)
}

/// Fighting units in a box; where there are none, harvesters.
fn in_box(world: &World, side: Side, from: Cursor, to: Cursor) -> Vec<u32> {
    let columns = from.tx.min(to.tx)..=from.tx.max(to.tx);
    let rows = from.ty.min(to.ty)..=from.ty.max(to.ty);
    let inside: Vec<UnitView> = world
        .units()
        .filter(|unit| {
            let tile = unit.at.tile();
            unit.side == side
                && unit.carrier.is_none()
                && columns.contains(&tile.tx)
                && rows.contains(&tile.ty)
        })
        .collect();
    let fights = |unit: &&UnitView| unit.kind != UnitKind::HARVESTER;
    let any = inside.iter().any(|unit| fights(&unit));
    let chosen = inside.iter().filter(|unit| !any || fights(unit));
    chosen.map(|unit| unit.id).collect()
}
