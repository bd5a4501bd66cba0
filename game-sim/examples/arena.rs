//! Plays AI against AI over many seeds and prints how the matches went: length, winners, cost, order traffic.
//!
//! `cargo run --release -p game-sim --example arena -- [seeds a map] [blue level] [red level] [mutators] [map]`

use game_sim::{Ai, AiLevel, COMMAND_TYPES, Command, SkirmishCodec, World, map_count};
use match_feed::{Game, MapChoice, MatchSetup, PerSide, Side, compose_tick};
use std::time::{Duration, Instant};
use versus_codec::{CommandCodec, encoded_bits};

const TICKS_MAX: u32 = 12_000;

struct Played {
    ticks: u32,
    winner: Option<Side>,
    decided: bool,
    step: Duration,
    step_times: Vec<Duration>,
    think: Duration,
    hash: Duration,
    units_most: usize,
    bits: PerSide<usize>,
    commands: usize,
    used: [u32; COMMAND_TYPES.len()],
    units_ticks: u64,
}

fn play(setup: &MatchSetup, levels: PerSide<AiLevel>) -> Played {
    let mut world = World::new(setup).expect("a legal setup");
    let codec = SkirmishCodec::new(world.map_size());
    let mut ais = PerSide::from_fn(|side| Ai::new(side, levels[side], setup.seed));
    let mut played = Played {
        ticks: 0,
        winner: None,
        decided: false,
        step: Duration::ZERO,
        step_times: Vec::new(),
        think: Duration::ZERO,
        hash: Duration::ZERO,
        units_most: 0,
        bits: PerSide { blue: 0, red: 0 },
        commands: 0,
        used: [0; COMMAND_TYPES.len()],
        units_ticks: 0,
    };
    while world.outcome().is_none() && played.ticks < TICKS_MAX {
        let start = Instant::now();
        let mut orders = |side: Side| {
            let mut sent: Vec<Command> = Vec::new();
            for command in ais[side].think(&world) {
                let _ = codec.canonicalize(command, &mut |piece| {
                    played.bits[side] += encoded_bits(&codec, &piece).unwrap();
                    played.commands += 1;
                    played.used[usize::from(piece.type_index())] += 1;
                    sent.push(piece);
                });
            }
            sent
        };
        let (blue, red) = (orders(Side::Blue), orders(Side::Red));
        played.think += start.elapsed();
        let start = Instant::now();
        world.step(&compose_tick(Side::Blue, blue, red));
        let took = start.elapsed();
        played.step += took;
        played.step_times.push(took);
        let start = Instant::now();
        std::hint::black_box(world.hash());
        played.hash += start.elapsed();
        played.ticks += 1;
        let units = world.units().count();
        played.units_most = played.units_most.max(units);
        played.units_ticks += units as u64;
    }
    played.decided = world.outcome().is_some();
    played.winner = world.outcome().and_then(|outcome| outcome.winner);
    played
}

fn level(name: Option<String>) -> AiLevel {
    match name.as_deref() {
        Some("easy") => AiLevel::Easy,
        Some("hard") => AiLevel::Hard,
        _ => AiLevel::Normal,
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let seeds: u32 = args.next().and_then(|n| n.parse().ok()).unwrap_or(8);
    let levels = PerSide {
        blue: level(args.next()),
        red: level(args.next()),
    };
    let mutators: u16 = args.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let only: Option<u8> = args.next().and_then(|n| n.parse().ok());
    let mut all: Vec<Played> = Vec::new();
    let maps = (0..map_count())
        .map(MapChoice::BuiltIn)
        .chain((0..2).map(|biome| MapChoice::Random { biome, seed: 5 }));
    for map in maps.filter(|&map| only.is_none_or(|index| map == MapChoice::BuiltIn(index))) {
        for seed in 0..seeds {
            let setup = MatchSetup {
                map,
                mutators,
                seed: seed * 7919 + 13,
                openers: PerSide {
                    blue: None,
                    red: None,
                },
            };
            let played = play(&setup, levels);
            println!(
                "{map:?} seed {seed}: {} ticks, {:?}, most {} units, step {:.0} us, think {:.0} us, hash {:.0} us, {} + {} bits/s",
                played.ticks,
                played.winner,
                played.units_most,
                played.step.as_micros() as f64 / f64::from(played.ticks),
                played.think.as_micros() as f64 / f64::from(played.ticks),
                played.hash.as_micros() as f64 / f64::from(played.ticks),
                played.bits.blue * 10 / played.ticks as usize,
                played.bits.red * 10 / played.ticks as usize,
            );
            all.push(played);
        }
    }
    let count = all.len();
    let mut ticks: Vec<u32> = all.iter().map(|played| played.ticks).collect();
    ticks.sort_unstable();
    let decided = all.iter().filter(|played| played.decided).count();
    let in_time = all
        .iter()
        .filter(|played| played.decided && played.ticks <= 9000)
        .count();
    let won = |side| {
        all.iter()
            .filter(|played| played.winner == Some(side))
            .count()
    };
    println!(
        "{count} matches: {decided} decided, {in_time} within 15 min; ticks min {} / quartile {} / median {} / quartile {} / p95 {} / max {}; blue {} red {}",
        ticks[0],
        ticks[count / 4],
        ticks[count / 2],
        ticks[count * 3 / 4],
        ticks[count * 95 / 100],
        ticks[count - 1],
        won(Side::Blue),
        won(Side::Red)
    );
    let mut times: Vec<Duration> = all
        .iter()
        .flat_map(|played| played.step_times.clone())
        .collect();
    times.sort_unstable();
    println!(
        "step: mean {:?}, p99 {:?}, p99.9 {:?}, longest {:?}",
        times.iter().sum::<Duration>() / times.len() as u32,
        times[times.len() * 99 / 100],
        times[times.len() * 999 / 1000],
        times[times.len() - 1]
    );
    let commands: usize = all.iter().map(|played| played.commands).sum();
    let total: u32 = all.iter().map(|played| played.ticks).sum();
    let units: u64 = all.iter().map(|played| played.units_ticks).sum();
    println!(
        "{:.2} commands/s a side; {} units on average",
        commands as f64 * 5.0 / f64::from(total),
        units / u64::from(total)
    );
    for (at, name) in COMMAND_TYPES.iter().enumerate() {
        let used: u32 = all.iter().map(|played| played.used[at]).sum();
        print!("{name} {used}, ");
    }
    println!();
}
