//! The reference game with an AI on each phone, as the specification measures it.

use super::{DuelConfig, Player, shuffled_units};
use game_sim::{Ai, AiLevel, Command, SkirmishCodec, World, map_size};
use match_feed::{
    Tick,
    duel::{MapChoice, MatchSetup, PerSide, Side},
};
use rand_core::SeedableRng;
use rand_pcg::Pcg32;

/// An AI that also moves an army now and then, as a person does.
pub struct Opponent {
    ai: Ai,
    side: Side,
    rng: Pcg32,
    /// Every so many ticks an order that names 30 of the first sixty units that its side comes to have, there or not: a
    /// long one from the first minute on, though armies are small then.
    pub burst_every: u32,
}

fn setup(seed: u64) -> MatchSetup {
    MatchSetup {
        map: MapChoice::BuiltIn((seed % 3) as u8),
        mutators: 0,
        seed: seed as u32,
        openers: PerSide {
            blue: None,
            red: None,
        },
    }
}

impl Player for Opponent {
    type World = World;
    type Codec = SkirmishCodec;

    fn sit_down(config: &DuelConfig, side: Side) -> (Self, World, SkirmishCodec) {
        let setup = setup(config.seed);
        let ai = Ai::new(side, AiLevel::Normal, config.seed as u32);
        let codec = SkirmishCodec::new(map_size(setup.map).unwrap());
        let player = Self {
            ai,
            side,
            rng: Pcg32::seed_from_u64(config.seed * 2 + side.index() as u64),
            burst_every: 300,
        };
        (player, World::new(&setup).unwrap(), codec)
    }

    fn orders(&mut self, world: &World, tick: Tick) -> Vec<Command> {
        let mut orders = self.ai.think(world);
        if tick.0 % self.burst_every == self.burst_every / 2 {
            // The toy's ids count from 0.
            let units = shuffled_units(self.side, 30, &mut self.rng);
            let unit_ids = units.into_iter().map(|id| id + 1).collect();
            let at = world.home(self.side.other()).centre();
            orders.push(Command::AttackMove { unit_ids, at });
        }
        orders
    }
}
