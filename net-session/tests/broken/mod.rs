//! Ten games, each broken in its own way.

use match_feed::WorldHash;
use net_session::SAVED_BYTES;
use std::{cell::Cell, collections::HashMap, rc::Rc};

/// Each fault, and the part that it shows in first.
pub const CASES: [(Fault, &str); 10] = [
    (Fault::FieldNotSaved, "ball"),
    (Fault::GapInTheHash, "ball"),
    (Fault::Float, "energy"),
    (Fault::MapOrder, "units"),
    (Fault::EffectTwice, "hits"),
    (Fault::Ambient, "clock"),
    (Fault::Cache, "units"),
    (Fault::Garbage, SAVED_BYTES),
    (Fault::Rng, "dice"),
    (Fault::Outside, "score"),
];

/// What is wrong with a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    None,
    /// The ball's speed is not saved.
    FieldNotSaved,
    /// The wind moves the ball, and is neither hashed nor saved.
    GapInTheHash,
    /// Energy is a double while it runs, and is saved as a single.
    Float,
    /// Damage is given in the order of a hash map, which differs from map to map.
    MapOrder,
    /// A hit is counted outside of the world, and comes twice when it is stepped twice.
    EffectTwice,
    /// A counter of calls, as a clock would be.
    Ambient,
    /// A sum over the units is kept beside them, and `load` forgets to make it anew.
    Cache,
    /// The save's last bytes are what was in the buffer before.
    Garbage,
    /// The random generator's state is not saved.
    Rng,
    /// The score lies in a cell that all worlds share.
    Outside,
}

const UNITS: u64 = 6;

/// A small game with a bit of everything.
pub struct Arena {
    fault: Fault,
    ball: i64,
    speed: i64,
    wind: i64,
    energy: f64,
    units: HashMap<u64, i64>,
    health: i64,
    hits: i64,
    outside: Rc<Cell<i64>>,
    calls: Cell<i64>,
    clock: i64,
    total: i64,
    rng: u64,
    dice: u64,
    score: i64,
}

impl Arena {
    pub fn new(fault: Fault) -> Self {
        let units: HashMap<u64, i64> = (0..UNITS).map(|unit| (unit, 10 + unit as i64)).collect();
        Self {
            fault,
            ball: 0,
            speed: 1,
            wind: 1,
            energy: 1.0,
            total: units.values().sum(),
            units,
            health: 1 << 40,
            hits: 0,
            outside: Rc::default(),
            calls: Cell::new(0),
            clock: 0,
            rng: 1,
            dice: 0,
            score: 0,
        }
    }

    pub fn step(&mut self, pads: [u8; 2]) {
        self.speed = (self.speed * 3 + i64::from(pads[0])) % 1_000;
        self.wind = (self.wind * 5 + i64::from(pads[1])) % 97;
        self.ball += self.speed;
        if self.fault == Fault::GapInTheHash {
            self.ball += self.wind;
        }
        self.energy = self.energy * 1.000_1 + 0.1;
        if pads[0] > 100 {
            *self.units.get_mut(&(u64::from(pads[0]) % UNITS)).unwrap() += 1;
        }
        self.total = match self.fault {
            Fault::Cache if pads[0] <= 100 => self.total,
            Fault::Cache => self.total + 1,
            _ => self.units.values().sum(),
        };
        let mut order: Vec<_> = self.units.iter().collect();
        if self.fault != Fault::MapOrder {
            order.sort();
        }
        for (unit, strength) in order {
            self.health = self.health * 7 % 1_000_003 + *unit as i64 * strength;
        }
        if pads[1] > 200 {
            self.hits += 1;
            if self.fault == Fault::EffectTwice {
                self.outside.set(self.outside.get() + 1);
                self.hits = self.outside.get();
            }
        }
        self.calls.set(self.calls.get() + 1);
        self.clock += 1;
        if self.fault == Fault::Ambient {
            self.clock = self.calls.get() / 4;
        }
        self.rng = self.rng.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        self.dice = self.rng >> 60;
        self.score += i64::from(pads[0]);
        if self.fault == Fault::Outside {
            self.outside.set(self.outside.get() + i64::from(pads[0]));
            self.score = self.outside.get();
        }
    }

    pub fn parts(&self) -> [(&'static str, WorldHash); 7] {
        let of = |value: i64| WorldHash::of(&value.to_le_bytes());
        let units: Vec<u8> = (0..UNITS)
            .flat_map(|unit| self.units[&unit].to_le_bytes())
            .collect();
        [
            ("ball", of(self.ball)),
            ("energy", WorldHash(self.energy.to_bits())),
            (
                "units",
                WorldHash::of(
                    &[
                        units,
                        self.health.to_le_bytes().to_vec(),
                        self.total.to_le_bytes().to_vec(),
                    ]
                    .concat(),
                ),
            ),
            ("hits", of(self.hits)),
            ("clock", of(self.clock)),
            ("dice", of(self.dice as i64)),
            ("score", of(self.score)),
        ]
    }

    pub fn save(&self, buffer: &mut [u8]) -> usize {
        let without = |fault: Fault, value: i64| if self.fault == fault { 0 } else { value };
        let fields = [
            self.ball,
            without(Fault::FieldNotSaved, self.speed),
            without(Fault::GapInTheHash, self.wind),
            self.health,
            self.hits,
            self.clock,
            without(Fault::Rng, self.rng as i64),
            self.dice as i64,
            self.score,
            without(Fault::Cache, self.total),
            (if self.fault == Fault::Float {
                f64::from(self.energy as f32)
            } else {
                self.energy
            })
            .to_bits() as i64,
        ];
        let units = (0..UNITS).map(|unit| self.units[&unit]);
        let all = fields.into_iter().chain(units);
        let mut bytes = 0;
        for field in all {
            buffer[bytes..bytes + 8].copy_from_slice(&field.to_le_bytes());
            bytes += 8;
        }
        if self.fault == Fault::Garbage {
            // Eight bytes of padding that nobody wrote.
            buffer[bytes..bytes + 8].copy_from_slice(&self.calls.get().to_le_bytes());
            bytes += 8;
        }
        bytes
    }

    pub fn load(&mut self, saved: &[u8]) {
        let mut fields = saved
            .chunks_exact(8)
            .map(|bytes| i64::from_le_bytes(bytes.try_into().unwrap()));
        let mut next = || fields.next().unwrap();
        self.ball = next();
        self.speed = next();
        self.wind = next();
        self.health = next();
        self.hits = next();
        self.clock = next();
        let rng = next() as u64;
        if self.fault != Fault::Rng {
            self.rng = rng;
        }
        self.dice = next() as u64;
        self.score = next();
        let total = next();
        if self.fault != Fault::Cache {
            self.total = total;
        }
        self.energy = f64::from_bits(next() as u64);
        // A map of its own, with an order of its own.
        self.units = (0..UNITS).map(|unit| (unit, next())).collect();
    }
}
