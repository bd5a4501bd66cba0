//! What a side calls for from outside: powers and reinforcements.

use crate::{
    FxEvent, Point, Power, Refusal, UnitKind, World, balance,
    state::{Scan, Strike},
};
use match_feed::{Tick, duel::Side};
use versus_codec::kit::{Cell, Tile};

impl World {
    pub(crate) fn calldown(&mut self, side: Side, power: Power, cell: Cell) -> Result<(), Refusal> {
        if power.0 >= Power::count() {
            return Err(Refusal::CannotDoThat);
        }
        if self.rules.no_powers {
            return Err(Refusal::Banned);
        }
        if !self.state.owns(side, crate::BuildingKind::UPLINK) {
            return Err(Refusal::Needs);
        }
        let spec = balance::power(power);
        let now = self.state.tick;
        let at = self.point(cell);
        if self.state.sides[side].powers_ready[usize::from(power.0)] > now {
            return Err(Refusal::Cooling);
        }
        if power == Power::DROP {
            if !self.ground.is_free(at) {
                return Err(Refusal::NoRoom);
            }
            if self.units_of(side) + balance::DROP_SQUAD > balance::UNITS_PER_SIDE_MAX {
                return Err(Refusal::TooMany);
            }
        }
        self.pay(side, spec.cost)?;
        self.state.sides[side].powers_ready[usize::from(power.0)] = now.plus(spec.cooldown);
        self.events.push(FxEvent::PowerUsed { side, power, at });
        match power {
            Power::STRIKE => self.state.strikes.push(Strike {
                side,
                at,
                falls: now.plus(balance::STRIKE_DELAY),
            }),
            Power::MEND => self.mend(side, at, spec.radius),
            Power::SCAN => self.state.scans.push(Scan {
                side,
                at: at.tile(),
                until: now.plus(balance::SCAN_TICKS),
            }),
            // drop: the table has no fifth
            _ => {
                for place in 0..balance::DROP_SQUAD {
                    let aside = Point {
                        x: (place as i32 % 2 * 2 - 1) * spec.radius / 4,
                        y: (place as i32 / 2 * 2 - 1) * spec.radius / 4,
                    };
                    self.spawn(side, UnitKind::RIFLE, at + aside.facing(side));
                }
            }
        }
        Ok(())
    }

    fn mend(&mut self, side: Side, at: Point, radius: i32) {
        for unit in &mut self.state.units {
            if unit.side == side && unit.at.within(at, radius) {
                unit.hp = (unit.hp + balance::MEND_HP).min(balance::unit(unit.kind).hp);
            }
        }
        for building in &mut self.state.buildings {
            if building.side == side && building.nearest_point(at).within(at, radius) {
                let whole = self.rules.whole(building.kind);
                building.hp = (building.hp + balance::MEND_HP).min(whole);
            }
        }
    }

    pub(crate) fn call_wave(&mut self, side: Side) -> Result<(), Refusal> {
        if self.rules.no_waves {
            return Err(Refusal::Banned);
        }
        let now = self.state.tick;
        if self.state.sides[side].wave_ready > now {
            return Err(Refusal::Cooling);
        }
        let more = (now.0 / balance::WAVE_GROWTH) as usize;
        let come = balance::WAVE_UNITS.len() + more;
        if self.units_of(side) + come > balance::UNITS_PER_SIDE_MAX {
            return Err(Refusal::TooMany);
        }
        self.pay(side, balance::WAVE_COST)?;
        self.state.sides[side].wave_ready = now.plus(balance::WAVE_COOLDOWN);
        let edge = self.home_edge(side);
        let kinds = balance::WAVE_UNITS.iter().copied();
        let kinds = kinds.chain(core::iter::repeat_n(UnitKind::TANK, more));
        for (place, kind) in kinds.enumerate() {
            let aside = Point {
                x: (place as i32 % 4) * crate::SUBS_PER_TILE * 3 / 4,
                y: (place as i32 / 4) * crate::SUBS_PER_TILE * 3 / 4,
            };
            self.spawn(side, kind, edge + aside.facing(side));
        }
        self.events.push(FxEvent::WaveArrived { side, at: edge });
        Ok(())
    }

    /// Where reinforcements arrive: the side's corner of the map.
    fn home_edge(&self, side: Side) -> Point {
        let blue = Tile {
            tx: 1,
            ty: self.map.height() - 5,
        };
        Point::of_tile(match side {
            Side::Blue => blue,
            Side::Red => self.map.turned(blue),
        })
    }

    pub(crate) fn units_of(&self, side: Side) -> usize {
        self.state
            .units
            .iter()
            .filter(|unit| unit.side == side)
            .count()
    }

    pub(crate) fn pay(&mut self, side: Side, cost: u32) -> Result<(), Refusal> {
        let credits = &mut self.state.sides[side].credits;
        *credits = credits.checked_sub(cost).ok_or(Refusal::Credits)?;
        Ok(())
    }
}

impl Power {
    /// When each can first be used.
    pub(crate) fn all_cooldowns() -> [Tick; 4] {
        let mut ready = [Tick(0); 4];
        for power in Self::all() {
            ready[usize::from(power.0)] = Tick(balance::power(power).cooldown);
        }
        ready
    }
}
