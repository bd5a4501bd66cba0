//! A game small enough to see through: units that walk, hit and ride, and a result by resigning or by the clock.

use super::{DuelConfig, Player};
use match_feed::{
    Game, Order, Outcome, Tick, WorldHash,
    duel::{DuelOutcome, MapSize, Side},
};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use versus_codec::kit::{self, Cell};
use versus_codec::{
    BitReader, BitWriter, CommandCodec, DecodeError, EncodeError, NotEncodable, Subjects,
    TurnContext, encoded_bits,
};

/// Units of each side: blue's ids are even, red's odd.
const UNITS_EACH: u32 = 60;
/// Ids are spread so that a 30-unit order takes about 190 bits, three pieces, as in the specification.
const ID_STEP: u32 = 2;

pub fn map() -> MapSize {
    MapSize::new(64, 48).unwrap()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToyCommand {
    Move { units: Vec<u32>, to: Cell },
    Attack { units: Vec<u32>, target: u32 },
    Stop { units: Vec<u32> },
    Board { units: Vec<u32>, carrier: u32 },
    Produce { kind: u8 },
    Resign,
}
use ToyCommand::{Attack, Board, Move, Produce, Resign, Stop};

impl ToyCommand {
    fn index(&self) -> u8 {
        match self {
            Move { .. } => 0,
            Attack { .. } => 3,
            Stop { .. } => 4,
            Produce { .. } => 7,
            Board { .. } => 16,
            Resign => 19,
        }
    }

    pub fn units(&self) -> &[u32] {
        match self {
            Move { units, .. } | Attack { units, .. } | Stop { units } | Board { units, .. } => {
                units
            }
            Produce { .. } | Resign => &[],
        }
    }

    fn with_units(&self, list: &[u32]) -> Self {
        let mut command = self.clone();
        if let Move { units, .. } | Attack { units, .. } | Stop { units } | Board { units, .. } =
            &mut command
        {
            *units = list.to_vec();
        }
        command
    }
}

/// A command of three units that takes a middling number of bits.
pub fn walk(first: u32) -> ToyCommand {
    Move {
        units: vec![first, first + 900, first + 1900],
        to: Cell { x: 5, y: 5 },
    }
}

/// One of the longest there are.
pub fn long(first: u32) -> ToyCommand {
    Move {
        units: (0..7).map(|at| first + 20 * at).collect(),
        to: Cell { x: 5, y: 5 },
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ToyCodec;

impl CommandCodec for ToyCodec {
    type Command = ToyCommand;

    fn canonicalize(
        &self,
        mut command: ToyCommand,
        emit: &mut dyn FnMut(ToyCommand),
    ) -> Result<(), NotEncodable> {
        if let Move { to, .. } = &mut command {
            *to = to.clamp_to(map());
        }
        if matches!(command, Produce { .. } | Resign) {
            emit(command);
            return Ok(());
        }
        let mut units = command.units().to_vec();
        kit::canonical_units(&mut units)?;
        let bits = |units: &[u32]| encoded_bits(self, &command.with_units(units)).unwrap();
        kit::split_units(&units, bits, |piece| emit(command.with_units(piece)))
    }

    fn encode(
        &self,
        command: &ToyCommand,
        turn: &mut TurnContext,
        out: &mut BitWriter<'_>,
    ) -> Result<(), EncodeError> {
        kit::write_enum(command.index(), 5, out)?;
        match command {
            Move { units, to } => {
                kit::write_units(units, turn, out)?;
                kit::write_cell(*to, map(), out)
            }
            Attack { units, target: id } | Board { units, carrier: id } => {
                kit::write_units(units, turn, out)?;
                kit::write_id(*id, out)
            }
            Stop { units } => kit::write_units(units, turn, out),
            Produce { kind } => kit::write_enum(*kind, 5, out),
            Resign => Ok(()),
        }
    }

    fn decode(
        &self,
        turn: &mut TurnContext,
        input: &mut BitReader<'_>,
    ) -> Result<ToyCommand, DecodeError> {
        let index = kit::read_enum("command type", 20, 5, input)?;
        Ok(match index {
            0 => Move {
                units: kit::read_units(turn, input)?,
                to: kit::read_cell(map(), input)?,
            },
            3 => Attack {
                units: kit::read_units(turn, input)?,
                target: kit::read_id(input)?,
            },
            4 => Stop {
                units: kit::read_units(turn, input)?,
            },
            7 => Produce {
                kind: kit::read_enum("kind", 20, 5, input)?,
            },
            16 => Board {
                units: kit::read_units(turn, input)?,
                carrier: kit::read_id(input)?,
            },
            19 => Resign,
            other => {
                return Err(DecodeError::OutsideTable {
                    what: "toy command",
                    index: other.into(),
                    len: 20,
                });
            }
        })
    }

    fn subjects(&self, command: &ToyCommand) -> Subjects {
        let mut named = command.units().to_vec();
        if let Board { carrier, .. } = command {
            named.push(*carrier);
        }
        named
    }

    fn overrides(&self, newer: &ToyCommand, older: &ToyCommand) -> bool {
        match newer {
            Move { .. } => matches!(older, Move { .. } | Attack { .. } | Stop { .. }),
            Attack { .. } => matches!(older, Attack { .. }),
            Stop { .. } => matches!(older, Stop { .. }),
            _ => false,
        }
    }

    fn urgent(&self, command: &ToyCommand) -> bool {
        *command == Resign
    }
}

#[derive(Clone, Debug)]
struct Unit {
    id: u32,
    side: Side,
    at: Cell,
    to: Cell,
    health: u32,
    rides: u32,
}

/// The world. Sensitive to the order of orders, so that any difference shows at once.
#[derive(Clone, Debug)]
pub struct Toy {
    units: Vec<Unit>,
    tick: Tick,
    mixed: u64,
    resigned: [bool; 2],
    /// Blue wins after stepping this tick.
    pub decided_at: Option<Tick>,
}

impl Toy {
    pub fn new() -> Self {
        let unit = |at: u32| {
            let side = Side::BOTH[at as usize % 2];
            let cell = Cell {
                x: (at * 37) % 1024,
                y: (at * 91) % 768,
            };
            Unit {
                id: at / 2 * ID_STEP + at % 2,
                side,
                at: cell,
                to: cell,
                health: 100,
                rides: 0,
            }
        };
        Self {
            units: (0..2 * UNITS_EACH).map(unit).collect(),
            tick: Tick(0),
            mixed: 1,
            resigned: [false; 2],
            decided_at: None,
        }
    }

    pub fn units_of(side: Side) -> Vec<u32> {
        (0..UNITS_EACH)
            .map(|at| at * ID_STEP + side.index() as u32)
            .collect()
    }

    /// Makes this world differ from its twin from now on.
    pub fn tamper(&mut self) {
        self.mixed ^= 0x10;
    }

    fn own(&mut self, side: Side, ids: &[u32]) -> impl Iterator<Item = &mut Unit> {
        self.units
            .iter_mut()
            .filter(move |unit| unit.side == side && ids.contains(&unit.id))
    }

    fn apply(&mut self, order: &Order<ToyCommand>) {
        let side = order.side().expect("a duel");
        let digit = u64::from(order.command.index()) * 2 + side.index() as u64 + 1;
        self.mixed = self
            .mixed
            .rotate_left(7)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(digit);
        match &order.command {
            Move { units, to } => self.own(side, units).for_each(|unit| unit.to = *to),
            Attack { units, target } => {
                let strength = self.own(side, units).count() as u32;
                let hit = |unit: &&mut Unit| unit.id == *target;
                if let Some(unit) = self.units.iter_mut().find(hit) {
                    unit.health = unit.health.saturating_sub(strength);
                }
            }
            Stop { units } => self.own(side, units).for_each(|unit| unit.to = unit.at),
            Board { units, carrier } => {
                self.own(side, units).for_each(|unit| unit.rides = *carrier);
            }
            Produce { kind } => self.mixed ^= u64::from(*kind) << 20,
            Resign => self.resigned[side.index()] = true,
        }
    }
}

impl Game for Toy {
    type Command = ToyCommand;

    fn step(&mut self, orders: &[Order<ToyCommand>]) {
        for order in orders {
            self.apply(order);
        }
        for unit in &mut self.units {
            let toward = |at: u32, to: u32| {
                if at < to {
                    at + 1
                } else {
                    at - u32::from(at > to)
                }
            };
            unit.at.x = toward(unit.at.x, unit.to.x);
            unit.at.y = toward(unit.at.y, unit.to.y);
        }
        self.tick = self.tick.next();
    }

    fn hash(&self) -> WorldHash {
        let mut bytes = Vec::with_capacity(self.units.len() * 16 + 16);
        bytes.extend(self.mixed.to_le_bytes());
        bytes.extend(self.tick.0.to_le_bytes());
        bytes.extend(self.resigned.map(u8::from));
        for unit in &self.units {
            for number in [unit.at.x, unit.at.y, unit.health, unit.rides] {
                bytes.extend(number.to_le_bytes());
            }
        }
        WorldHash::of(&bytes)
    }

    fn outcome(&self) -> Option<Outcome> {
        let resigned = DuelOutcome::resigned(self.resigned[0], self.resigned[1]).map(Outcome::from);
        let by_clock = self.decided_at.filter(|&at| self.tick > at);
        resigned.or(by_clock.map(|_| Outcome::won(Side::Blue)))
    }
}

/// Orders at random, as a busy player does.
#[derive(Clone, Debug)]
pub struct ToyPlayer {
    rng: Pcg32,
    side: Side,
    /// An order every so many ticks, on average.
    pub every: u32,
    /// And 30 units at once every so many ticks, exactly.
    pub burst_every: Option<u32>,
}

pub fn shuffled_units(side: Side, count: usize, rng: &mut impl Rng) -> Vec<u32> {
    let mut ids = Toy::units_of(side);
    for at in (1..ids.len()).rev() {
        ids.swap(at, rng.next_u32() as usize % (at + 1));
    }
    ids.truncate(count);
    ids
}

impl ToyPlayer {
    pub fn new(side: Side, seed: u64) -> Self {
        Self {
            rng: Pcg32::seed_from_u64(seed * 2 + side.index() as u64),
            side,
            every: 12,
            burst_every: None,
        }
    }

    fn cell(&mut self) -> Cell {
        // Off the map at times: canonicalizing brings it back.
        let (x, y) = (self.rng.next_u32() % 1100, self.rng.next_u32() % 800);
        Cell { x, y }
    }

    fn order(&mut self, count: usize) -> ToyCommand {
        let units = shuffled_units(self.side, count, &mut self.rng);
        match self.rng.next_u32() % 8 {
            0 | 1 => Attack {
                target: self.rng.next_u32() % 60 * ID_STEP + self.side.other().index() as u32,
                units,
            },
            2 => Stop { units },
            3 => Board {
                carrier: units[0],
                units,
            },
            4 => Produce {
                kind: (self.rng.next_u32() % 20) as u8,
            },
            _ => Move {
                units,
                to: self.cell(),
            },
        }
    }
}

impl Player for ToyPlayer {
    type World = Toy;
    type Codec = ToyCodec;

    fn sit_down(config: &DuelConfig, side: Side) -> (Self, Toy, ToyCodec) {
        (Self::new(side, config.seed), Toy::new(), ToyCodec)
    }

    fn orders(&mut self, _world: &Toy, tick: Tick) -> Vec<ToyCommand> {
        let mut orders = Vec::new();
        if self.every > 0 && self.rng.next_u32().is_multiple_of(self.every) {
            let count = 1 + self.rng.next_u32() as usize % 12;
            orders.push(self.order(count));
        }
        let burst = |every: u32| tick.0 % every == 7 + 3 * self.side.index() as u32;
        if self.burst_every.is_some_and(burst) {
            let units = shuffled_units(self.side, 30, &mut self.rng);
            let to = self.cell();
            orders.push(Move { units, to });
        }
        orders
    }
}
