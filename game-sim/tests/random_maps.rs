//! Random maps: whatever the biome and the seed, everything can be reached, and neither side has the shorter way.
//!
//! The slice runs with the tests. All of it, 10,000 seeds of every biome:
//! `cargo test --release -p game-sim --test random_maps -- --ignored --nocapture`

use game_sim::{Terrain, World, biome_count, map_count, map_name};
use match_feed::duel::{MapChoice, MatchSetup, PerSide, Side};
use std::{cmp::Reverse, collections::BinaryHeap};
use versus_codec::kit::Tile;

/// A step's cost, straight and diagonal, in tenths of a tile's side; on rough ground half as much again.
const STRAIGHT: u32 = 10;
const DIAGONAL: u32 = 14;
const UNREACHED: u32 = u32::MAX;
/// The bar: how much longer a side's way may be, percent.
const UNFAIR_PERCENT: u32 = 5;
/// Sides of a map, tiles.
const SIDES: std::ops::RangeInclusive<u32> = 64..=128;

/// A map as ground units find it at the start of a match.
struct Ground {
    columns: usize,
    terrain: Vec<Terrain>,
    ore: Vec<(usize, u16)>,
    homes: PerSide<usize>,
}

impl Ground {
    fn of(map: MapChoice) -> Self {
        let setup = MatchSetup {
            map,
            mutators: 0,
            seed: 1,
            openers: PerSide::from_fn(|_| None),
        };
        let world = World::new(&setup).expect("the game has this map");
        let size = world.map_size();
        assert!(
            SIDES.contains(&size.width()) && SIDES.contains(&size.height()),
            "{map:?}: {size:?}"
        );
        let index = |tile: Tile| (tile.ty * size.width() + tile.tx) as usize;
        let tiles =
            (0..size.height()).flat_map(|ty| (0..size.width()).map(move |tx| Tile { tx, ty }));
        Self {
            columns: size.width() as usize,
            terrain: tiles.map(|tile| world.tile(tile)).collect(),
            ore: world
                .ore_tiles()
                .map(|(tile, ore)| (index(tile), ore))
                .collect(),
            homes: PerSide::from_fn(|side| index(world.home(side))),
        }
    }

    /// The same tile as the other side sees it.
    fn turned(&self, tile: usize) -> usize {
        self.terrain.len() - 1 - tile
    }

    /// What every tile costs to reach from `start` over open ground, corners not cut.
    fn costs_from(&self, start: usize) -> Vec<u32> {
        let mut costs = vec![UNREACHED; self.terrain.len()];
        let mut queue = BinaryHeap::from([Reverse((0, start))]);
        costs[start] = 0;
        while let Some(Reverse((cost, tile))) = queue.pop() {
            if cost > costs[tile] {
                continue;
            }
            for (dx, dy) in [
                (1, 0),
                (-1, 0),
                (0, 1),
                (0, -1),
                (1, 1),
                (1, -1),
                (-1, 1),
                (-1, -1),
            ] {
                let Some(next) = self.step(tile, dx, dy) else {
                    continue;
                };
                let around = [self.step(tile, dx, 0), self.step(tile, 0, dy)];
                if around.iter().any(Option::is_none) {
                    continue;
                }
                let far = if dx != 0 && dy != 0 {
                    DIAGONAL
                } else {
                    STRAIGHT
                };
                let onto = cost + far + far / 2 * u32::from(self.terrain[next] == Terrain::Rough);
                if onto < costs[next] {
                    costs[next] = onto;
                    queue.push(Reverse((onto, next)));
                }
            }
        }
        costs
    }

    /// The open tile a step away; the tile itself for no step.
    fn step(&self, tile: usize, dx: i32, dy: i32) -> Option<usize> {
        let rows = self.terrain.len() / self.columns;
        let x = (tile % self.columns).checked_add_signed(dx as isize)?;
        let y = (tile / self.columns).checked_add_signed(dy as isize)?;
        let next = y * self.columns + x;
        let open = |tile: usize| matches!(self.terrain[tile], Terrain::Plain | Terrain::Rough);
        (x < self.columns && y < rows && open(next)).then_some(next)
    }

    /// How much longer the worse side's ways are, in percent: to its nearest ore, to all ore, to the enemy.
    fn check(&self, name: &str) -> u32 {
        assert!(!self.ore.is_empty(), "{name}: no ore");
        let ways = Side::BOTH.map(|side| {
            let costs = self.costs_from(self.homes[side]);
            let enemy = costs[self.homes[side.other()]];
            assert_ne!(enemy, UNREACHED, "{name}: {side:?} cannot reach the enemy");
            let ore: Vec<u64> = self
                .ore
                .iter()
                .map(|&(tile, _)| costs[tile].into())
                .collect();
            assert!(
                ore.iter().all(|&cost| cost < UNREACHED.into()),
                "{name}: {side:?} cannot reach some of the ore"
            );
            let nearest = *ore.iter().min().expect("there is ore");
            [nearest, ore.iter().sum(), enemy.into()]
        });
        for tile in 0..self.terrain.len() {
            let other = self.turned(tile);
            assert_eq!(
                self.terrain[tile], self.terrain[other],
                "{name}: tile {tile}"
            );
        }
        for pair in self.ore.iter().zip(self.ore.iter().rev()) {
            assert_eq!(
                (pair.0.0, pair.0.1),
                (self.turned(pair.1.0), pair.1.1),
                "{name}: ore"
            );
        }
        let longer = |(one, other): (u64, u64)| {
            let (short, long) = (one.min(other).max(1), one.max(other));
            ((long - short) * 100).div_ceil(short) as u32
        };
        let [blue, red] = ways;
        let worst = blue.into_iter().zip(red).map(longer).max().unwrap_or(0);
        assert!(
            worst <= UNFAIR_PERCENT,
            "{name}: one side's way is {worst} % longer"
        );
        worst
    }
}

/// Checks seeds of every biome; returns the most that one side's way was longer, in percent.
fn check_seeds(seeds: impl Iterator<Item = u32> + Clone) -> u32 {
    let all = (0..biome_count()).flat_map(|biome| seeds.clone().map(move |seed| (biome, seed)));
    all.map(|(biome, seed)| {
        Ground::of(MapChoice::Random { biome, seed }).check(&format!("biome {biome}, seed {seed}"))
    })
    .max()
    .unwrap_or(0)
}

#[test]
fn every_hand_made_map_is_connected_and_fair() {
    for index in 0..map_count() {
        let map = MapChoice::BuiltIn(index);
        Ground::of(map).check(map_name(map).expect("it has a name"));
    }
}

#[test]
fn random_maps_are_connected_and_fair() {
    // Small seeds, as people type them, and some from everywhere.
    let seeds = (0..30).chain((0..10).map(|n| 0x9E37_79B9_u32.wrapping_mul(n)));
    check_seeds(seeds);
}

#[test]
#[ignore = "takes two minutes, and every run of the tests checks 200 such maps; 50,000 of them: cargo test --release -p game-sim --test random_maps -- --ignored --nocapture"]
fn ten_thousand_seeds_of_every_biome_are_connected_and_fair() {
    let worst = check_seeds(0..10_000);
    println!("50,000 random maps: all connected; the longer way is at most {worst} % longer");
}
