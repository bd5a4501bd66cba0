//! Plays AI against AI over many seeds, each also with sides swapped, and prints how the matches went: who won where,
//! how long they took, what was ordered and what a tick cost.
//!
//! `cargo run --release -p game-sim --example arena -- [--seeds 10] [--levels normal,normal] [--mutators 0]
//! [--map INDEX] [--first-seed 0] [--each]`

use game_sim::{
    Ai, AiLevel, COMMAND_TYPES, Command, SkirmishCodec, World, biome_count, map_count, map_name,
    map_size,
};
use match_feed::{
    EndReason, Game,
    duel::{MapChoice, MatchSetup, PerSide, Side, compose_tick},
};
use std::time::{Duration, Instant};
use versus_codec::{CommandCodec, encoded_bits};

/// Fifteen minutes, in which matches should be decided, and twenty, after which one is given up.
const TICKS_IN_TIME: u32 = 9000;
const TICKS_MAX: u32 = 12_000;

struct Played {
    map: MapChoice,
    ticks: u32,
    winner: Option<Side>,
    decided: bool,
    resigned: bool,
    steps: Vec<Duration>,
    think: Duration,
    units_most: usize,
    units_ticks: u64,
    bits: usize,
    used: [u32; COMMAND_TYPES.len()],
}

/// Who sits where: a level and a temper for each side.
type Seats = PerSide<(AiLevel, Side)>;

fn play(setup: &MatchSetup, seats: Seats) -> Played {
    let mut world = World::new(setup).expect("a legal setup");
    let codec = SkirmishCodec::new(world.map_size());
    let mut ais = PerSide::from_fn(|side| {
        let (level, temper_of) = seats[side];
        Ai::seated(side, temper_of, level, setup.seed)
    });
    let mut played = Played {
        map: setup.map,
        ticks: 0,
        winner: None,
        decided: false,
        resigned: false,
        steps: Vec::new(),
        think: Duration::ZERO,
        units_most: 0,
        units_ticks: 0,
        bits: 0,
        used: [0; COMMAND_TYPES.len()],
    };
    while world.outcome().is_none() && played.ticks < TICKS_MAX {
        let start = Instant::now();
        let mut orders = |side: Side| {
            let mut sent: Vec<Command> = Vec::new();
            for command in ais[side].think(&world) {
                let _ = codec.canonicalize(command, &mut |piece| {
                    played.bits += encoded_bits(&codec, &piece).expect("canonical pieces encode");
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
        played.steps.push(start.elapsed());
        played.ticks += 1;
        let units = world.units().count();
        played.units_most = played.units_most.max(units);
        played.units_ticks += units as u64;
    }
    let outcome = world.outcome();
    played.decided = outcome.is_some();
    played.winner = outcome.and_then(|outcome| outcome.winning_side());
    played.resigned = outcome.is_some_and(|outcome| outcome.reason == EndReason::Resign);
    played
}

struct Args {
    seeds: u32,
    first_seed: u32,
    levels: (AiLevel, AiLevel),
    mutators: u16,
    map: Option<u8>,
    each: bool,
}

fn args() -> Args {
    let level = |name: &str| match name {
        "easy" => AiLevel::Easy,
        "hard" => AiLevel::Hard,
        _ => AiLevel::Normal,
    };
    let mut args = Args {
        seeds: 10,
        first_seed: 0,
        levels: (AiLevel::Normal, AiLevel::Normal),
        mutators: 0,
        map: None,
        each: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_default();
        match word.as_str() {
            "--seeds" => args.seeds = value().parse().expect("a number of seeds"),
            "--first-seed" => args.first_seed = value().parse().expect("a seed"),
            "--levels" => {
                let pair = value();
                let (one, other) = pair.split_once(',').expect("two levels, as in hard,easy");
                args.levels = (level(one), level(other));
            }
            "--mutators" => args.mutators = value().parse().expect("a mask"),
            "--map" => args.map = Some(value().parse().expect("an index")),
            "--each" => args.each = true,
            _ => panic!("what is {word}?"),
        }
    }
    args
}

fn main() {
    let args = args();
    let mut all: Vec<Played> = Vec::new();
    // Wins of the first of the two levels, whichever side it plays.
    let mut first_won = 0;
    for seed in args.first_seed..args.first_seed + args.seeds {
        let built_in = (0..map_count()).map(MapChoice::BuiltIn);
        let random = (0..biome_count()).map(|biome| MapChoice::Random { biome, seed });
        for map in built_in.chain(random) {
            if args
                .map
                .is_some_and(|index| map != MapChoice::BuiltIn(index))
            {
                continue;
            }
            for swapped in [false, true] {
                let (one, other) = ((args.levels.0, Side::Blue), (args.levels.1, Side::Red));
                let opener = |n: u32| (args.mutators == 0).then_some((n % 3) as u8);
                let (first, second) = (opener(seed), opener(seed / 3));
                let (seats, openers) = if swapped {
                    (
                        PerSide {
                            blue: other,
                            red: one,
                        },
                        PerSide {
                            blue: second,
                            red: first,
                        },
                    )
                } else {
                    (
                        PerSide {
                            blue: one,
                            red: other,
                        },
                        PerSide {
                            blue: first,
                            red: second,
                        },
                    )
                };
                let setup = MatchSetup {
                    map,
                    mutators: args.mutators,
                    seed,
                    openers,
                };
                let played = play(&setup, seats);
                if args.each {
                    println!(
                        "{map:?} seed {seed} swapped {swapped}: {} ticks, {:?}, most {} units",
                        played.ticks, played.winner, played.units_most
                    );
                }
                let of_first = if swapped { Side::Red } else { Side::Blue };
                first_won += u32::from(played.winner == Some(of_first));
                all.push(played);
            }
        }
    }
    by_map(&all);
    lengths(&all);
    println!(
        "the first of {:?} won {first_won} of {}",
        args.levels,
        all.len()
    );
    cost(&all);
    orders(&all);
}

fn share(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn by_map(all: &[Played]) {
    let row = |name: &str, played: &[&Played]| {
        let count = |what: &dyn Fn(&Played) -> bool| played.iter().filter(|one| what(one)).count();
        let mut ticks: Vec<u32> = played.iter().map(|one| one.ticks).collect();
        ticks.sort_unstable();
        let at = |percent: usize| {
            ticks
                .get((ticks.len().max(1) - 1) * percent / 100)
                .copied()
                .unwrap_or(0)
        };
        let blue = count(&|one| one.winner == Some(Side::Blue));
        let won = count(&|one| one.winner.is_some());
        println!(
            "{name:24} {:6} {:6.1} % {:6.1} % {:6} {:6} {:7} {:6} {:6} {:6} {:6}",
            played.len(),
            share(
                count(&|one| one.decided && one.ticks <= TICKS_IN_TIME),
                played.len()
            ),
            share(blue, won),
            played.len() - won,
            count(&|one| one.resigned),
            at(0),
            at(25),
            at(50),
            at(95),
            at(100),
        );
    };
    println!(
        "{:24} matches in time    blue draws resigned  least    25%    50%    95%   most ticks",
        "map"
    );
    let same = |a: MapChoice, b: MapChoice| map_name(a) == map_name(b);
    let mut seen: Vec<MapChoice> = Vec::new();
    for played in all {
        if !seen.iter().any(|&map| same(map, played.map)) {
            seen.push(played.map);
            let of: Vec<&Played> = all.iter().filter(|one| same(one.map, played.map)).collect();
            let name = map_name(played.map).unwrap_or("?");
            let name = match (played.map, map_size(played.map)) {
                (MapChoice::BuiltIn(_), Some(size)) => {
                    format!("{name} {}x{}", size.width(), size.height())
                }
                _ => format!("{name} (random)"),
            };
            row(&name, &of);
        }
    }
    row("all", &all.iter().collect::<Vec<_>>());
}

fn lengths(all: &[Played]) {
    print!("minutes:");
    for minute in 0..=TICKS_MAX / 600 {
        let within = all.iter().filter(|one| one.ticks / 600 == minute).count();
        if within > 0 {
            print!(" {minute}: {:.1} %", share(within, all.len()));
        }
    }
    println!();
}

fn cost(all: &[Played]) {
    let mut times: Vec<Duration> = all
        .iter()
        .flat_map(|one| one.steps.iter().copied())
        .collect();
    times.sort_unstable();
    let ticks = times.len();
    let think: Duration = all.iter().map(|one| one.think).sum();
    let mean = times.iter().sum::<Duration>() / ticks.max(1) as u32;
    println!(
        "step: mean {mean:?}, median {:?}, p99 {:?}; both AIs' thoughts {:?} a tick; ten minutes in {:.2} s",
        times[ticks / 2],
        times[ticks * 99 / 100],
        think / ticks.max(1) as u32,
        (mean + think / ticks.max(1) as u32).as_secs_f64() * 6000.0
    );
}

fn orders(all: &[Played]) {
    let ticks: u32 = all.iter().map(|one| one.ticks).sum();
    let units: u64 = all.iter().map(|one| one.units_ticks).sum();
    let bits: usize = all.iter().map(|one| one.bits).sum();
    let most = all.iter().map(|one| one.units_most).max().unwrap_or(0);
    println!(
        "{} units on average, {most} at most; {:.1} bits of orders a second and side",
        units / u64::from(ticks.max(1)),
        bits as f64 * 5.0 / f64::from(ticks.max(1))
    );
    for (at, name) in COMMAND_TYPES.iter().enumerate() {
        let used: u32 = all.iter().map(|one| one.used[at]).sum();
        print!("{name} {used}, ");
    }
    println!();
}
