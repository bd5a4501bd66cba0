//! What an input comes to as orders: at the cursor, at once, or from a list.

use super::{Armed, Field, FieldInput, List, Orders, covers, lists};
use game_sim::{Command, Point, SUBS_PER_TILE, UnitKind, World, balance};
use match_feed::duel::Side;

/// How far from the cursor a target may stand, in tiles.
const AIM_TILES: i32 = 1;

/// What stands at the cursor.
enum Target {
    Enemy(u32),
    OwnCondor(u32),
    OwnGoliath(u32),
    Ore,
    Ground,
}

impl Field {
    /// What was armed, or what makes sense at the cursor.
    pub(super) fn act(&mut self, world: &World, side: Side) -> Orders {
        let at = self.cell();
        let unit_ids: Vec<u32> = self.selected.iter().copied().collect();
        let Some(armed) = self.armed else {
            return self.by_context(world, side);
        };
        if let Armed::Place(kind) = armed {
            let tile = self.cursor.tile();
            if !world.can_place(side, kind, tile) {
                return Err(format!("No room for a {kind} there."));
            }
            self.armed = None;
            return Ok(vec![Command::PlaceBuilding { at: tile }]);
        }
        self.armed = None;
        Ok(match armed {
            Armed::Move => vec![Command::Move { unit_ids, at }],
            Armed::AttackMove => vec![Command::AttackMove { unit_ids, at }],
            Armed::Unload => vec![Command::Unload {
                unit_ids: self.of_kind(world, |kind| kind == UnitKind::CONDOR),
                at: Some(at),
            }],
            Armed::Power(power) => vec![Command::Calldown { power, at }],
            Armed::Rally => {
                let building_id = self.building.ok_or("The building is gone.")?;
                vec![Command::Rally { building_id, at }]
            }
            Armed::Place(_) => Vec::new(),
        })
    }

    fn of_kind(&self, world: &World, wanted: impl Fn(UnitKind) -> bool) -> Vec<u32> {
        let units = self.units(world).filter(|unit| wanted(unit.kind));
        units.map(|unit| unit.id).collect()
    }

    fn by_context(&self, world: &World, side: Side) -> Orders {
        let at = self.cell();
        if self.selected.is_empty() {
            let makes = |id: &u32| {
                let kind = world.building(*id).map(|building| building.kind);
                kind.is_some_and(|kind| {
                    UnitKind::all().any(|unit| balance::unit(unit).made_in == kind)
                })
            };
            return match self.building.filter(makes) {
                Some(building_id) => Ok(vec![Command::Rally { building_id, at }]),
                None => Err("Select units first.".into()),
            };
        }
        let all: Vec<u32> = self.selected.iter().copied().collect();
        let harvesters = self.of_kind(world, |kind| kind == UnitKind::HARVESTER);
        let foot = self.of_kind(world, |kind| {
            balance::unit(kind).armour == balance::Armour::Foot
        });
        let condors = self.of_kind(world, |kind| kind == UnitKind::CONDOR);
        let target = self.target(world, side);
        Ok(match target {
            Target::Enemy(target_id) => vec![Command::Attack {
                unit_ids: all,
                target_id,
            }],
            Target::OwnCondor(carrier_id) if !foot.is_empty() => vec![Command::Board {
                unit_ids: foot,
                carrier_id,
            }],
            Target::OwnGoliath(goliath_id) if condors.len() >= balance::LIFT_CONDORS => {
                vec![Command::Lift {
                    unit_ids: condors,
                    goliath_id,
                }]
            }
            Target::Ore if !harvesters.is_empty() => {
                let others: Vec<u32> = all
                    .into_iter()
                    .filter(|id| !harvesters.contains(id))
                    .collect();
                let mut orders = vec![Command::Harvest {
                    unit_ids: harvesters,
                    at,
                }];
                if !others.is_empty() {
                    orders.push(Command::Move {
                        unit_ids: others,
                        at,
                    });
                }
                orders
            }
            _ => vec![Command::Move { unit_ids: all, at }],
        })
    }

    fn target(&self, world: &World, side: Side) -> Target {
        let tile = self.cursor.tile();
        let here = Point::of_tile(tile);
        let near = world.units().filter(|unit| {
            unit.carrier.is_none()
                && !self.selected.contains(&unit.id)
                && unit.at.within(here, AIM_TILES * SUBS_PER_TILE)
        });
        let shown = near.filter(|unit| unit.side == side || world.visible(side, unit.at.tile()));
        let nearest = shown.min_by_key(|unit| {
            let own = unit.side == side;
            (own, unit.at.distance_squared(here), unit.id)
        });
        match nearest {
            Some(unit) if unit.side != side => return Target::Enemy(unit.id),
            Some(unit) if unit.kind == UnitKind::CONDOR => return Target::OwnCondor(unit.id),
            Some(unit) if unit.kind == UnitKind::GOLIATH => return Target::OwnGoliath(unit.id),
            _ => {}
        }
        let enemy = world.buildings().find(|building| {
            let seen = world.visible(side, building.middle.tile());
            building.side != side && seen && covers(building.at, building.tiles, tile)
        });
        match enemy {
            Some(building) => Target::Enemy(building.id),
            None if world.ore(tile) > 0 && world.explored(side, tile) => Target::Ore,
            None => Target::Ground,
        }
    }

    /// Orders that need no place.
    pub(super) fn at_once(&mut self, input: FieldInput, world: &World, side: Side) -> Orders {
        let unit_ids: Vec<u32> = self.selected.iter().copied().collect();
        let some = |unit_ids: Vec<u32>, why: &str| {
            let any = !unit_ids.is_empty();
            any.then_some(unit_ids).ok_or_else(|| why.to_owned())
        };
        let artillery = || {
            let guns = self.of_kind(world, |kind| balance::unit(kind).anchored.is_some());
            some(guns, "Select artillery first.")
        };
        Ok(vec![match input {
            FieldInput::Stop => Command::Stop {
                unit_ids: some(unit_ids, "Select units first.")?,
            },
            FieldInput::Anchor => Command::Anchor {
                unit_ids: artillery()?,
            },
            FieldInput::PackUp => Command::PackUp {
                unit_ids: artillery()?,
            },
            FieldInput::Sell => Command::Sell {
                building_id: self.building.ok_or("Select a building first (Tab).")?,
            },
            FieldInput::Wave if world.wave_ready(side) > world.tick() => {
                return Err("The next wave is not ready.".into());
            }
            FieldInput::Wave => Command::CallWave,
            FieldInput::CancelBuilding => {
                world.site(side).ok_or("Nothing is being built.")?;
                self.armed = None;
                Command::CancelBuilding
            }
            FieldInput::TakeBack => {
                let kind = self.trained.ok_or("Nothing was made yet.")?;
                let queued = world
                    .buildings()
                    .filter(|building| building.side == side)
                    .find(|building| building.queue.contains(&kind));
                Command::CancelProduce {
                    building_id: queued.ok_or(format!("No {kind} is queued."))?.id,
                    unit_kind: kind,
                }
            }
            _ => return Ok(Vec::new()),
        }])
    }

    /// The list of buildings, or, with one finished, its place.
    pub(super) fn open_build(&mut self, world: &World, side: Side) -> Orders {
        match world.site(side) {
            Some((kind, 1000)) => {
                (self.list, self.armed) = (None, Some(Armed::Place(kind)));
            }
            Some((kind, done)) => {
                return Err(format!("A {kind} is being built: {} %.", done / 10));
            }
            None => self.list = Some(List::Build),
        }
        Ok(Vec::new())
    }

    /// An entry of the list.
    pub(super) fn choose(&mut self, place: usize, world: &World, side: Side) -> Orders {
        fn entry<K: Copy>(entries: &[lists::Entry<K>], place: usize) -> Result<K, String> {
            let entry = entries.get(place).ok_or("There is no such entry.")?;
            match &entry.why_not {
                Some(why) => Err(format!("{}: {why}.", entry.name)),
                None => Ok(entry.kind),
            }
        }
        Ok(match self.list {
            None => Vec::new(),
            Some(List::Build) => {
                let building_kind = entry(&lists::buildings(world, side), place)?;
                self.list = None;
                vec![Command::StartBuilding { building_kind }]
            }
            // It stays up: units are made in numbers.
            Some(List::Train) => {
                let unit_kind = entry(&lists::units(world, side), place)?;
                let building_id =
                    lists::maker(world, side, unit_kind).ok_or("Nothing makes that.")?;
                self.trained = Some(unit_kind);
                vec![Command::Produce {
                    building_id,
                    unit_kind,
                }]
            }
            Some(List::Powers) => {
                let power = entry(&lists::powers(world, side), place)?;
                (self.list, self.armed) = (None, Some(Armed::Power(power)));
                Vec::new()
            }
        })
    }
}
