//! Playing matches in tests.
#![allow(dead_code, reason = "each test uses a part of it")]

use game_brawl::{Bot, BotLevel, BrawlSetup, Pad, World};
use match_feed::{Game, Order, Seat};

/// A multiplicative generator.
pub struct Draw(pub u64);

impl Draw {
    pub fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

pub fn seat(at: usize) -> Seat {
    Seat::new(at as u8).unwrap()
}

pub fn step(world: &mut World, pads: &[Pad]) {
    let orders: Vec<Order<Pad>> = pads
        .iter()
        .enumerate()
        .map(|(at, &command)| Order {
            seat: seat(at),
            command,
        })
        .collect();
    world.step(&orders);
}

/// Steps `ticks` times under the same pads.
pub fn hold(world: &mut World, ticks: usize, pads: &[Pad]) {
    for _ in 0..ticks {
        step(world, pads);
    }
}

/// Two fighters in a fight that has just begun.
pub fn fight() -> World {
    let mut world = World::new(BrawlSetup::new(2, 1).unwrap());
    hold(&mut world, 60, &[]);
    assert_eq!(world.phase(), game_brawl::Phase::Fight);
    world
}

/// Plays bots to the end; the winner, if there is one, and the ticks it took.
pub fn play(setup: BrawlSetup, levels: &[BotLevel], seed: u64) -> (Option<usize>, u32) {
    let mut world = World::new(setup);
    let mut bots: Vec<Bot> = levels
        .iter()
        .enumerate()
        .map(|(at, &level)| Bot::new(seat(at), level, seed))
        .collect();
    while world.outcome().is_none() {
        let pads: Vec<Pad> = bots.iter_mut().map(|bot| bot.think(&world)).collect();
        step(&mut world, &pads);
        assert!(world.tick() < 60 * 60 * 20, "a match without an end");
    }
    let winner = world.outcome().unwrap().winners.iter().next();
    (winner.map(Seat::index), world.tick())
}
