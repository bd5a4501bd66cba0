//! The toy game: small enough to play by the thousand, and touchy enough that nothing lost goes unseen.

use match_feed::{
    Game, Order, Outcome, Tick, WorldHash,
    duel::{Catalogue, DuelOutcome, MapChoice, MapSize, MatchSetup, Side},
};
use versus_codec::{OpaqueCodec, OpaqueCommand};

#[derive(Clone, Copy, Debug)]
pub struct ToyCatalogue;

impl Catalogue for ToyCatalogue {
    fn built_in_maps(&self) -> u8 {
        2
    }
    fn biomes(&self) -> u8 {
        1
    }
    fn mutators(&self) -> u8 {
        4
    }
    fn map_size(&self, _map: MapChoice) -> Option<MapSize> {
        MapSize::new(64, 48)
    }
    fn opener_allowed(&self, _setup: &MatchSetup, _side: Side, _opener: u8) -> bool {
        true
    }
}

pub const RESIGN: u8 = 0xFF;

/// A world of one number that every order and every tick stirs, so that an order lost, late, doubled or out of place
/// changes every hash after it.
#[derive(Clone, Debug)]
pub struct Toy {
    tick: u32,
    state: u64,
    outcome: Option<Outcome>,
    /// Decided by its state after this many ticks.
    pub length: u32,
    /// Stirs once more at this tick: a fault of this machine.
    pub fault: Option<u32>,
}

impl Toy {
    pub fn new(setup: &MatchSetup, length: u32) -> Self {
        let openers = [setup.openers.blue, setup.openers.red].map(|o| o.map_or(9, u64::from));
        Self {
            tick: 0,
            state: u64::from(setup.seed) ^ openers[0] << 40 ^ openers[1] << 48,
            outcome: None,
            length,
            fault: None,
        }
    }

    fn stir(&mut self, with: u64) {
        self.state = (self.state ^ with)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(23);
    }
}

impl Game for Toy {
    type Command = OpaqueCommand;

    fn step(&mut self, orders: &[Order<OpaqueCommand>]) {
        let mut resigned = [false; 2];
        for order in orders {
            let (bytes, side) = (order.command.as_bytes(), order.side().expect("a duel"));
            self.stir(side.index() as u64 + 1);
            self.stir(order.command.bit_len() as u64);
            bytes.iter().for_each(|&byte| self.stir(byte.into()));
            resigned[side.index()] |= bytes == [RESIGN];
        }
        if self.fault == Some(self.tick) {
            self.stir(1);
        }
        self.stir(0);
        self.tick += 1;
        self.outcome = DuelOutcome::resigned(resigned[0], resigned[1]).map(Outcome::from);
        if self.outcome.is_none() && self.tick >= self.length {
            self.outcome = Some(match self.state % 3 {
                0 => Outcome::draw(),
                odd => Outcome::won(Side::BOTH[(odd % 2) as usize]),
            });
        }
    }

    fn hash(&self) -> WorldHash {
        WorldHash::of(&[self.state.to_le_bytes(), u64::from(self.tick).to_le_bytes()].concat())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}

/// Now and then an order or a few: about one a second.
pub fn busy(tick: Tick, side: Side) -> Vec<Vec<u8>> {
    let draw = link_transport::hash32(&[tick.0, side.index() as u32, 99]);
    let count = if draw.is_multiple_of(10) {
        1 + draw / 16 % 4
    } else {
        0
    };
    let order = |at: u32| {
        let bytes = 1 + (draw >> 8 ^ at) % 10;
        (0..bytes)
            .map(|b| (link_transport::hash32(&[draw, at, b]) % 250) as u8)
            .collect()
    };
    (0..count).map(order).collect()
}

pub fn idle(_tick: Tick, _side: Side) -> Vec<Vec<u8>> {
    Vec::new()
}

pub fn command(bytes: &[u8]) -> OpaqueCommand {
    OpaqueCommand::from_bytes(bytes, 8 * bytes.len()).expect("a short command")
}
