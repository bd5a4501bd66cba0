//! What each command does, and why it is refused when it is. Every command type has its arm; none is passed over.

use crate::{
    Command, FxEvent, Point, Refusal, UnitKind, World,
    balance::{self, Armour},
    economy::Placed,
    state::{Anchor, HarvestPhase, NOBODY, Task, Unit},
};
use alloc::vec::Vec;
use match_feed::{Order, duel::Side};
use versus_codec::kit::{Cell, Tile};

/// Orders that hooking Goliaths could not take yet: they hold for the rest of the tick.
type Remembered = Vec<(u32, Task)>;

impl World {
    /// Carries out a tick's orders, in order.
    pub(crate) fn apply(&mut self, orders: &[Order<Command>]) {
        // What is still remembered when the tick ends is lost, as it would be had the order not been split.
        let mut remembered = Remembered::new();
        let mut placed = Vec::new();
        for order in orders {
            if let Some(side) = order.side() {
                self.apply_one(side, &order.command, &mut remembered, &mut placed);
            }
        }
        self.put_down_placed(&placed);
    }

    fn apply_one(
        &mut self,
        side: Side,
        command: &Command,
        remembered: &mut Remembered,
        placed: &mut Vec<Placed>,
    ) {
        let mut refusals = Refusals::default();
        let any = |_: &Unit| false;
        let done = match command {
            Command::Move { unit_ids, at } => {
                let to = self.point(*at);
                self.order_units(
                    side,
                    unit_ids,
                    Task::Move { to },
                    any,
                    &mut refusals,
                    remembered,
                );
                Ok(())
            }
            Command::AttackMove { unit_ids, at } => {
                let task = Task::AttackMove {
                    to: self.point(*at),
                };
                self.order_units(side, unit_ids, task, any, &mut refusals, remembered);
                Ok(())
            }
            Command::Stop { unit_ids } => {
                self.order_units(side, unit_ids, Task::Idle, any, &mut refusals, remembered);
                Ok(())
            }
            Command::Attack {
                unit_ids,
                target_id,
            } => self.attack(side, unit_ids, *target_id, &mut refusals, remembered),
            Command::Harvest { unit_ids, at } => {
                let tile = at.clamp_to(self.map.size).tile();
                self.harvest(side, unit_ids, tile, &mut refusals)
            }
            Command::Anchor { unit_ids } => self.anchor(side, unit_ids, &mut refusals),
            Command::PackUp { unit_ids } => self.pack_up(side, unit_ids, &mut refusals),
            Command::Board {
                unit_ids,
                carrier_id,
            } => self.board(side, unit_ids, *carrier_id, &mut refusals),
            Command::Unload { unit_ids, at } => self.unload(side, unit_ids, *at, &mut refusals),
            Command::Lift {
                unit_ids,
                goliath_id,
            } => self.lift(side, unit_ids, *goliath_id, &mut refusals),
            Command::Produce {
                building_id,
                unit_kind,
            } => self.produce(side, *building_id, *unit_kind),
            Command::CancelProduce {
                building_id,
                unit_kind,
            } => self.cancel_produce(side, *building_id, *unit_kind),
            Command::StartBuilding { building_kind } => self.start_building(side, *building_kind),
            Command::CancelBuilding => self.cancel_building(side),
            Command::PlaceBuilding { at } => self.place_building(side, *at, placed),
            Command::Sell { building_id } => self.sell(side, *building_id),
            Command::Rally { building_id, at } => self.rally(side, *building_id, *at),
            Command::CallWave => self.call_wave(side),
            Command::Calldown { power, at } => self.calldown(side, *power, *at),
            Command::Resign => Ok(()), // all of a tick's resignations count at once: see `resignations`
        };
        if let Err(why) = done {
            refusals.note(why);
        }
        let name = command.type_index();
        let refused = refusals.seen.into_iter().map(|why| FxEvent::Refused {
            side,
            command: name,
            why,
        });
        self.events.extend(refused);
        self.release_goliaths(remembered);
    }

    pub(crate) fn point(&self, cell: Cell) -> Point {
        Point::of_cell(cell.clamp_to(self.map.size))
    }

    /// The places in the unit list of those named that are the side's own and not aboard anything.
    fn own(&self, side: Side, ids: &[u32], refusals: &mut Refusals) -> Vec<usize> {
        let mut found = Vec::with_capacity(ids.len());
        for &id in ids {
            match self.state.unit_index(id) {
                Some(at) if self.state.units[at].side == side => {
                    if self.state.units[at].carrier == NOBODY {
                        found.push(at);
                    } else {
                        refusals.note(Refusal::Carried);
                    }
                }
                _ => refusals.note(Refusal::NotYours),
            }
        }
        found
    }

    /// Gives a task that any unit can have, except what is dug in or waits for its Condors.
    fn order_units(
        &mut self,
        side: Side,
        ids: &[u32],
        task: Task,
        cannot: impl Fn(&Unit) -> bool,
        refusals: &mut Refusals,
        remembered: &mut Remembered,
    ) {
        for at in self.own(side, ids, refusals) {
            let at = self.leader_of(at);
            let unit = &self.state.units[at];
            let moves = matches!(task, Task::Move { .. } | Task::AttackMove { .. });
            if cannot(unit) {
                refusals.note(Refusal::CannotDoThat);
            } else if unit.kind == UnitKind::GOLIATH && self.waits_for_others(unit.id, ids) {
                let id = unit.id;
                remembered.retain(|(goliath, _)| *goliath != id);
                remembered.push((id, task));
                refusals.note(Refusal::Hooking);
            } else if moves && unit.anchor != Anchor::Packed {
                refusals.note(Refusal::Anchored);
            } else {
                self.state.units[at].begin(task);
            }
        }
    }

    /// True if Condors not among `ids` are hooking that Goliath.
    fn waits_for_others(&self, goliath: u32, ids: &[u32]) -> bool {
        self.state
            .units
            .iter()
            .any(|unit| unit.task == Task::Lift { goliath } && !ids.contains(&unit.id))
    }

    /// Goliaths whose lift was called off within this tick take the order they could not take before.
    fn release_goliaths(&mut self, remembered: &mut Remembered) {
        remembered.retain(|&(goliath, task)| {
            if self.waits_for_others(goliath, &[]) {
                return true;
            }
            if let Some(at) = self.state.unit_index(goliath)
                && self.state.units[at].carrier == NOBODY
            {
                self.state.units[at].begin(task);
            }
            false
        });
    }

    fn attack(
        &mut self,
        side: Side,
        ids: &[u32],
        target: u32,
        refusals: &mut Refusals,
        remembered: &mut Remembered,
    ) -> Result<(), Refusal> {
        let (whose, armour) = self.armour_of(target).ok_or(Refusal::NoTarget)?;
        if whose == side {
            return Err(Refusal::OwnSide);
        }
        if !self.sees(side, target) {
            return Err(Refusal::NoTarget);
        }
        let can_hit = |weapon: balance::Weapon| weapon.versus[armour as usize] > 0;
        let cannot = |unit: &Unit| {
            let spec = balance::unit(unit.kind);
            !(spec.weapon.is_some_and(can_hit) || spec.anchored.is_some_and(can_hit))
        };
        let task = Task::Attack { target };
        self.order_units(side, ids, task, cannot, refusals, remembered);
        Ok(())
    }

    fn harvest(
        &mut self,
        side: Side,
        ids: &[u32],
        tile: Tile,
        refusals: &mut Refusals,
    ) -> Result<(), Refusal> {
        let ore = self.ore_near(side, tile).ok_or(Refusal::NoOre)?;
        for at in self.own(side, ids, refusals) {
            let unit = &mut self.state.units[at];
            if unit.kind == UnitKind::HARVESTER {
                unit.begin(Task::Harvest {
                    ore,
                    phase: HarvestPhase::Mine,
                });
            } else {
                refusals.note(Refusal::CannotDoThat);
            }
        }
        Ok(())
    }

    fn anchor(&mut self, side: Side, ids: &[u32], refusals: &mut Refusals) -> Result<(), Refusal> {
        for at in self.own(side, ids, refusals) {
            let unit = &mut self.state.units[at];
            if balance::unit(unit.kind).anchored.is_none() {
                refusals.note(Refusal::CannotDoThat);
            } else if unit.anchor == Anchor::Packed {
                unit.rest();
                unit.anchor = Anchor::DiggingIn {
                    left: balance::ANCHOR_TICKS,
                };
            } else {
                refusals.note(Refusal::Anchored);
            }
        }
        Ok(())
    }

    fn pack_up(&mut self, side: Side, ids: &[u32], refusals: &mut Refusals) -> Result<(), Refusal> {
        for at in self.own(side, ids, refusals) {
            let unit = &mut self.state.units[at];
            match unit.anchor {
                Anchor::DiggingIn { .. } | Anchor::Anchored => {
                    unit.rest();
                    unit.anchor = Anchor::PackingUp {
                        left: balance::ANCHOR_TICKS,
                    };
                }
                Anchor::Packed | Anchor::PackingUp { .. } => refusals.note(Refusal::CannotDoThat),
            }
        }
        Ok(())
    }

    fn board(
        &mut self,
        side: Side,
        ids: &[u32],
        carrier: u32,
        refusals: &mut Refusals,
    ) -> Result<(), Refusal> {
        let condor = self
            .state
            .unit(carrier)
            .filter(|unit| unit.side == side)
            .ok_or(Refusal::NotYours)?;
        if condor.kind != UnitKind::CONDOR {
            return Err(Refusal::CannotDoThat);
        }
        if condor.hauls != NOBODY {
            return Err(Refusal::Full);
        }
        for at in self.own(side, ids, refusals) {
            let unit = &mut self.state.units[at];
            if balance::unit(unit.kind).armour == Armour::Foot {
                unit.begin(Task::Board { carrier });
            } else {
                refusals.note(Refusal::CannotDoThat);
            }
        }
        Ok(())
    }

    fn unload(
        &mut self,
        side: Side,
        ids: &[u32],
        to: Option<Cell>,
        refusals: &mut Refusals,
    ) -> Result<(), Refusal> {
        for at in self.own(side, ids, refusals) {
            let unit = &self.state.units[at];
            let (id, here) = (unit.id, unit.at);
            if unit.kind != UnitKind::CONDOR {
                refusals.note(Refusal::CannotDoThat);
            } else if unit.hauls == NOBODY && self.passengers(id).next().is_none() {
                refusals.note(Refusal::Empty);
            } else {
                let to = to.map_or(here, |cell| self.point(cell));
                let at = self.leader_of(at);
                self.state.units[at].begin(Task::Unload { to });
            }
        }
        Ok(())
    }

    fn lift(
        &mut self,
        side: Side,
        ids: &[u32],
        goliath: u32,
        refusals: &mut Refusals,
    ) -> Result<(), Refusal> {
        let heavy = self
            .state
            .unit(goliath)
            .filter(|unit| unit.side == side)
            .ok_or(Refusal::NotYours)?;
        if heavy.kind != UnitKind::GOLIATH {
            return Err(Refusal::CannotDoThat);
        }
        if heavy.carrier != NOBODY {
            return Err(Refusal::Carried);
        }
        let mut begun = false;
        for at in self.own(side, ids, refusals) {
            let unit = &self.state.units[at];
            let id = unit.id;
            if unit.kind != UnitKind::CONDOR {
                refusals.note(Refusal::CannotDoThat);
            } else if unit.hauls != NOBODY || self.passengers(id).next().is_some() {
                refusals.note(Refusal::Full);
            } else {
                self.state.units[at].begin(Task::Lift { goliath });
                begun = true;
            }
        }
        if begun && let Some(at) = self.state.unit_index(goliath) {
            self.state.units[at].rest(); // it waits for them
        }
        Ok(())
    }
}

/// A command's reasons to do nothing, each once.
#[derive(Default)]
struct Refusals {
    seen: Vec<Refusal>,
}

impl Refusals {
    fn note(&mut self, why: Refusal) {
        if !self.seen.contains(&why) {
            self.seen.push(why);
        }
    }
}
