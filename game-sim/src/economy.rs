//! Making things: queues, building sites, money, and the rules of where a building may stand.

use crate::{
    BuildingKind, Command, FxEvent, Point, Refusal, SUBS_PER_TILE, UnitKind, World, balance,
    state::{Building, HarvestPhase, NOBODY, Site, Task},
};
use alloc::vec::Vec;
use match_feed::duel::Side;
use versus_codec::kit::{Cell, Tile};

/// Progress is kept in hundredths of a tick.
const WHOLE: u32 = 100;

/// A building that a side puts down this tick, and where its north-west tile is to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    side: Side,
    kind: BuildingKind,
    at: Tile,
}

impl Placed {
    fn overlaps(&self, other: &Self) -> bool {
        let ((w, h), (other_w, other_h)) = (
            balance::building(self.kind).tiles,
            balance::building(other.kind).tiles,
        );
        self.at.tx < other.at.tx + other_w
            && other.at.tx < self.at.tx + w
            && self.at.ty < other.at.ty + other_h
            && other.at.ty < self.at.ty + h
    }
}

/// A part in thousandths of the whole, at most all of it.
pub(crate) fn permille(part: u32, whole: u32) -> u32 {
    let thousandths = u64::from(part) * 1000 / u64::from(whole.max(1));
    thousandths.min(1000) as u32
}

/// How far a building is with the first of its queue, in thousandths.
pub(crate) fn progress_permille(building: &Building) -> u32 {
    building.queue.first().map_or(0, |&kind| {
        let whole = u32::from(balance::unit(kind).build) * WHOLE;
        permille(building.progress, whole)
    })
}

impl World {
    /// A side's own building, to be ordered.
    fn own_building(&self, side: Side, id: u32) -> Result<usize, Refusal> {
        self.state
            .building_index(id)
            .filter(|&at| self.state.buildings[at].side == side && self.state.buildings[at].hp > 0)
            .ok_or(Refusal::NotYours)
    }

    pub(crate) fn produce(&mut self, side: Side, id: u32, kind: UnitKind) -> Result<(), Refusal> {
        let at = self.own_building(side, id)?;
        self.may_produce(side, at, kind)?;
        self.pay(side, balance::unit(kind).cost)?;
        self.state.buildings[at].queue.push(kind);
        Ok(())
    }

    fn may_produce(&self, side: Side, at: usize, kind: UnitKind) -> Result<(), Refusal> {
        let building = &self.state.buildings[at];
        if kind.0 >= UnitKind::count() || balance::unit(kind).made_in != building.kind {
            return Err(Refusal::CannotDoThat);
        }
        if self.rules.bans_unit(kind) {
            return Err(Refusal::Banned);
        }
        let needs = balance::unit(kind).needs;
        if needs.is_some_and(|needed| !self.state.owns(side, needed)) {
            return Err(Refusal::Needs);
        }
        if building.queue.len() >= balance::QUEUE_MAX {
            return Err(Refusal::QueueFull);
        }
        if self.units_of(side) >= balance::UNITS_PER_SIDE_MAX {
            return Err(Refusal::TooMany);
        }
        Ok(())
    }

    pub(crate) fn cancel_produce(
        &mut self,
        side: Side,
        id: u32,
        kind: UnitKind,
    ) -> Result<(), Refusal> {
        let at = self.own_building(side, id)?;
        let building = &mut self.state.buildings[at];
        let last = building.queue.iter().rposition(|&queued| queued == kind);
        let last = last.ok_or(Refusal::NothingToCancel)?;
        building.queue.remove(last);
        if last == 0 {
            building.progress = 0;
        }
        self.state.sides[side].credits += balance::unit(kind).cost;
        Ok(())
    }

    pub(crate) fn start_building(&mut self, side: Side, kind: BuildingKind) -> Result<(), Refusal> {
        let cost = self.may_start(side, kind)?;
        self.pay(side, cost)?;
        self.state.sides[side].site = Some(Site { kind, progress: 0 });
        Ok(())
    }

    fn may_start(&self, side: Side, kind: BuildingKind) -> Result<u32, Refusal> {
        if kind.0 >= BuildingKind::count() {
            return Err(Refusal::CannotDoThat);
        }
        let spec = balance::building(kind);
        let cost = spec.cost.ok_or(Refusal::CannotDoThat)?;
        if self.rules.bans_building(kind) {
            return Err(Refusal::Banned);
        }
        if self.state.sides[side].site.is_some() {
            return Err(Refusal::Busy);
        }
        if spec
            .needs
            .is_some_and(|needed| !self.state.owns(side, needed))
        {
            return Err(Refusal::Needs);
        }
        if self.state.buildings_of(side).count() >= balance::BUILDINGS_PER_SIDE_MAX {
            return Err(Refusal::TooMany);
        }
        Ok(cost)
    }

    pub(crate) fn cancel_building(&mut self, side: Side) -> Result<(), Refusal> {
        let state = &mut self.state.sides[side];
        let site = state.site.take().ok_or(Refusal::NothingToCancel)?;
        state.credits += balance::building(site.kind).cost.unwrap_or(0);
        Ok(())
    }

    /// The finished building is to stand there: see [`Self::put_down_placed`].
    pub(crate) fn place_building(
        &mut self,
        side: Side,
        at: Tile,
        placed: &mut Vec<Placed>,
    ) -> Result<(), Refusal> {
        let site = self.state.sides[side].site.ok_or(Refusal::NotReady)?;
        if site.progress < self.site_work(site.kind) {
            return Err(Refusal::NotReady);
        }
        if !self.has_room(side, site.kind, at) {
            return Err(Refusal::NoRoom);
        }
        self.state.sides[side].site = None;
        placed.push(Placed {
            side,
            kind: site.kind,
            at,
        });
        Ok(())
    }

    /// Once all of a tick's orders are heard: what was sold goes, and what was placed stands. Two buildings placed
    /// over each other in the same tick are both given back, so that it does not matter whose order came first.
    pub(crate) fn put_down_placed(&mut self, placed: &[Placed]) {
        self.clear_away(true);
        let mut standing = Vec::new();
        for one in placed {
            if placed
                .iter()
                .any(|other| one.side != other.side && one.overlaps(other))
            {
                let cost = balance::building(one.kind).cost.unwrap_or(0);
                self.state.sides[one.side].credits += cost;
                self.events.push(FxEvent::Refused {
                    side: one.side,
                    command: Command::PlaceBuilding { at: one.at }.type_index(),
                    why: Refusal::NoRoom,
                });
            } else {
                standing.push((one.side, self.put_building(one.side, one.kind, one.at)));
            }
        }
        if !standing.is_empty() {
            self.make_way();
        }
        for (side, id) in standing {
            let Some(at) = self.state.building_index(id) else {
                continue;
            };
            if self.state.buildings[at].kind == BuildingKind::REFINERY {
                let exit = self.exit_of(side, at);
                let made = self.spawn(side, UnitKind::HARVESTER, exit);
                self.set_to_work(made, None);
            }
        }
    }

    /// A unit just made goes mining if it can, else to where it is wanted.
    fn set_to_work(&mut self, id: u32, rally: Option<Point>) {
        let Some(at) = self.state.unit_index(id) else {
            return;
        };
        if self.state.units[at].kind == UnitKind::HARVESTER {
            self.send_mining(at);
        } else if let Some(to) = rally {
            self.state.units[at].begin(Task::Move { to });
        }
    }

    /// Removes buildings without hit points and opens their ground.
    pub(crate) fn clear_away(&mut self, sold: bool) {
        let fallen = |building: &&Building| building.hp <= 0;
        while let Some(building) = self.state.buildings.iter().find(fallen).cloned() {
            self.state.buildings.retain(|other| other.id != building.id);
            self.set_ground(&building, true);
            self.events.push(FxEvent::BuildingLost {
                id: building.id,
                side: building.side,
                kind: building.kind,
                at: building.middle(),
                sold,
            });
        }
    }

    /// True if a building of that kind may stand with its north-west corner there: on open ground without ore, clear
    /// of buildings, and near the side's own.
    pub(crate) fn has_room(&self, side: Side, kind: BuildingKind, at: Tile) -> bool {
        let (width, height) = balance::building(kind).tiles;
        let fits = (0..height).all(|dy| {
            (0..width).all(|dx| {
                let tile = Tile {
                    tx: at.tx.saturating_add(dx),
                    ty: at.ty.saturating_add(dy),
                };
                self.ground.is_open(tile) && self.map.ore_slot(tile).is_none()
            })
        });
        let near = |own: &crate::state::Building| {
            let (w, h) = balance::building(own.kind).tiles;
            let apart = |a: u32, a_len: u32, b: u32, b_len: u32| {
                (a.saturating_sub(b + b_len)).max(b.saturating_sub(a + a_len))
            };
            apart(at.tx, width, own.at.tx, w) <= balance::PLACE_REACH
                && apart(at.ty, height, own.at.ty, h) <= balance::PLACE_REACH
        };
        fits && self.state.buildings_of(side).any(near)
    }

    pub(crate) fn sell(&mut self, side: Side, id: u32) -> Result<(), Refusal> {
        let at = self.own_building(side, id)?;
        let building = self.state.buildings[at].clone();
        let cost = balance::building(building.kind)
            .cost
            .ok_or(Refusal::CannotDoThat)?;
        let whole = self.rules.whole(building.kind).max(1) as u32;
        let worth = cost * balance::SELL_PERCENT / 100 * building.hp.max(0) as u32 / whole;
        let queued = building.queue.iter().map(|&kind| balance::unit(kind).cost);
        self.state.sides[side].credits += worth + queued.sum::<u32>();
        // It goes when all of the tick's orders are heard: see `put_down_placed`.
        self.state.buildings[at].hp = 0;
        Ok(())
    }

    pub(crate) fn rally(&mut self, side: Side, id: u32, to: Cell) -> Result<(), Refusal> {
        let at = self.own_building(side, id)?;
        let building = &mut self.state.buildings[at];
        let makes = UnitKind::all().any(|kind| balance::unit(kind).made_in == building.kind);
        if !makes {
            return Err(Refusal::CannotDoThat);
        }
        building.rally = Some(Point::of_cell(to.clamp_to(self.map.size)));
        Ok(())
    }

    /// Power supplied less power used.
    pub(crate) fn power_left(&self, side: Side) -> i32 {
        let power = |kind| balance::building(kind).power;
        self.state
            .buildings_of(side)
            .map(|building| power(building.kind))
            .sum()
    }

    /// Work done in a tick: less when power is short.
    fn pace(&self, side: Side) -> u32 {
        if self.power_left(side) < 0 {
            self.rules.build_percent * balance::SHORT_POWER_PERCENT / 100
        } else {
            self.rules.build_percent
        }
    }

    pub(crate) fn site_work(&self, kind: BuildingKind) -> u32 {
        u32::from(balance::building(kind).build) * WHOLE
    }

    /// A tick of every site, queue and purse.
    pub(crate) fn work(&mut self) {
        for side in Side::BOTH {
            let pace = self.pace(side);
            self.build(side, pace);
            self.make_units(side, pace);
            if self.state.tick.0 % 10 == 9 {
                self.state.sides[side].credits += balance::STIPEND;
            }
        }
        let now = self.state.tick;
        self.state.scans.retain(|scan| scan.until > now);
    }

    fn build(&mut self, side: Side, pace: u32) {
        let Some(mut site) = self.state.sides[side].site else {
            return;
        };
        let work = self.site_work(site.kind);
        if site.progress < work {
            site.progress = (site.progress + pace).min(work);
            self.state.sides[side].site = Some(site);
            if site.progress == work {
                self.events.push(FxEvent::BuildingReady {
                    side,
                    kind: site.kind,
                });
            }
        }
    }

    fn make_units(&mut self, side: Side, pace: u32) {
        for at in 0..self.state.buildings.len() {
            let building = &mut self.state.buildings[at];
            let Some(&kind) = building.queue.first().filter(|_| building.side == side) else {
                continue;
            };
            building.progress += pace;
            if building.progress < u32::from(balance::unit(kind).build) * WHOLE
                || self.units_of(side) >= balance::UNITS_PER_SIDE_MAX
            {
                continue; // a full army keeps the finished unit waiting
            }
            let building = &mut self.state.buildings[at];
            building.progress = 0;
            building.queue.remove(0);
            let rally = building.rally;
            let exit = self.exit_of(side, at);
            let made = self.spawn(side, kind, exit);
            self.set_to_work(made, rally);
        }
    }

    /// Where a building's units come out: below it for blue, above it for red.
    fn exit_of(&self, side: Side, at: usize) -> Point {
        let building = &self.state.buildings[at];
        let (_, height) = balance::building(building.kind).tiles;
        let away = (height as i32 + 1) * SUBS_PER_TILE / 2;
        let middle = building.middle();
        let y = match side {
            Side::Blue => middle.y + away,
            Side::Red => middle.y - away,
        };
        self.ground.clamp(Point { x: middle.x, y })
    }

    /// Sends a harvester to the ore that suits it best; it rests if there is none.
    pub(crate) fn send_mining(&mut self, at: usize) {
        let task = self.best_ore(at).map_or(Task::Idle, |ore| Task::Harvest {
            ore,
            phase: HarvestPhase::Mine,
        });
        self.state.units[at].begin(task);
    }

    /// The ore tile with the shortest round from here by way of a refinery, those that others mine put off.
    pub(crate) fn best_ore(&self, at: usize) -> Option<Tile> {
        let unit = &self.state.units[at];
        let left = self.map.ore_tiles.iter().zip(&self.state.ore);
        let with_ore = left
            .filter(|(_, ore)| **ore > 0)
            .map(|((tile, _), _)| *tile);
        let round = |&tile: &Tile| {
            let spot = Point::of_tile(tile);
            let home = self
                .nearest_refinery(unit.side, spot)
                .map_or(0, |(_, far)| far);
            let others = self.state.units.iter().filter(|other| {
                other.side == unit.side
                    && other.id != unit.id
                    && matches!(other.task, Task::Harvest { ore, .. } if ore == tile)
            });
            unit.at.distance(spot) + home + balance::CROWDED_ORE * others.count() as i32
        };
        // Of equals each side takes the one that it sees first: the map is the same to both when turned.
        match unit.side {
            Side::Blue => with_ore.min_by_key(round),
            Side::Red => with_ore.rev().min_by_key(round),
        }
    }

    /// The ore tile nearest to `tile`, within reach of the order; of equals the one that the side sees first.
    pub(crate) fn ore_near(&self, side: Side, tile: Tile) -> Option<Tile> {
        let left = self.map.ore_tiles.iter().zip(&self.state.ore);
        let spot = Point::of_tile(tile);
        let near = left
            .filter(|(_, ore)| **ore > 0)
            .map(|((tile, _), _)| (Point::of_tile(*tile).distance_squared(spot), *tile))
            .filter(|(far, _)| *far <= i64::from(balance::HARVEST_REACH).pow(2));
        let nearest = match side {
            Side::Blue => near.min_by_key(|(far, _)| *far),
            Side::Red => near.rev().min_by_key(|(far, _)| *far),
        };
        nearest.map(|(_, tile)| tile)
    }

    /// The side's refinery nearest to a point, and how far its walls are.
    pub(crate) fn nearest_refinery(&self, side: Side, from: Point) -> Option<(usize, i32)> {
        let buildings = self.state.buildings.iter().enumerate();
        buildings
            .filter(|(_, own)| own.side == side && own.kind == BuildingKind::REFINERY)
            .map(|(at, own)| (at, own.nearest_point(from).distance(from)))
            .min_by_key(|(_, far)| *far)
    }

    /// A harvester at its refinery hands over ore; true when it is empty.
    pub(crate) fn hand_over(&mut self, at: usize) -> bool {
        let unit = &mut self.state.units[at];
        let some = unit.load.min(balance::UNLOAD_RATE);
        unit.load -= some;
        let side = unit.side;
        let empty = unit.load == 0;
        self.state.sides[side].credits += u32::from(some);
        empty
    }

    /// A harvester at its ore takes some; true if it should take no more.
    pub(crate) fn mine(&mut self, at: usize, ore: Tile) -> bool {
        let Some(slot) = self.map.ore_slot(ore) else {
            return true;
        };
        let unit = &mut self.state.units[at];
        let left = &mut self.state.ore[slot];
        let room = balance::HARVESTER_LOAD.saturating_sub(unit.load);
        let some = balance::MINE_RATE.min(room).min(*left);
        *left -= some;
        unit.load += some;
        unit.load >= balance::HARVESTER_LOAD || *left == 0
    }

    /// What a Condor carries.
    pub(crate) fn passengers(&self, condor: u32) -> impl Iterator<Item = &crate::state::Unit> {
        self.state.units.iter().filter(move |unit| {
            condor != NOBODY && unit.carrier == condor && unit.kind != UnitKind::GOLIATH
        })
    }
}
