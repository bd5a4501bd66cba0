//! What the second game costs, and how bots' matches of it go.

use super::{Effort, Figure};
use game_brawl::{Bot, BotLevel, BrawlSetup, Pad, SAVED_BYTES_MAX, World};
use match_feed::{Game, Order, Seat};
use std::{error::Error, hint::black_box, time::Instant};

/// Ticks of fights that are timed, and in how many to a piece: a clock's own cost is none of the game's.
const TICKS: usize = 36_000;
const PIECE: usize = 60;
/// Saves and loads to a piece.
const SAVES: usize = 1_000;
/// Matches for the shares.
const MATCHES: usize = 1_000;
/// Steps of a workload, and how often its saves and loads are done.
const WORKLOAD_STEPS: usize = 600;
const WORKLOAD_SAVES: usize = 1_000;

/// One tick's pads, a seat each.
type Pads = Vec<Order<Pad>>;

/// A match that bots play, so that its pads can be played again.
struct Recorded {
    setup: BrawlSetup,
    pads: Vec<Pads>,
    winner: Option<Seat>,
}

fn record(seats: u8, seed: u64, levels: &[BotLevel]) -> Result<Recorded, Box<dyn Error>> {
    let setup = BrawlSetup::new(seats, seed)?;
    let mut world = World::new(setup);
    let mut bots: Vec<(Seat, Bot)> = Seat::all(seats.into())
        .map(|seat| {
            let level = levels[seat.index() % levels.len()];
            (seat, Bot::new(seat, level, seed))
        })
        .collect();
    let mut pads = Vec::new();
    while world.outcome().is_none() {
        let tick: Pads = bots
            .iter_mut()
            .map(|(seat, bot)| Order {
                seat: *seat,
                command: bot.think(&world),
            })
            .collect();
        world.step(&tick);
        pads.push(tick);
    }
    let winner = world
        .outcome()
        .and_then(|outcome| outcome.winners.iter().next());
    Ok(Recorded {
        setup,
        pads,
        winner,
    })
}

/// The time of a step, and of the longest piece's, µs, over as many ticks as asked for.
fn step_us(seats: u8, ticks: usize) -> Result<(f64, f64), Box<dyn Error>> {
    let (mut pieces, mut seed) = (Vec::new(), 0);
    while pieces.len() * PIECE < ticks {
        let recorded = record(seats, seed, &[BotLevel::Hard])?;
        let mut world = World::new(recorded.setup);
        for piece in recorded.pads.chunks_exact(PIECE) {
            let started = Instant::now();
            for pads in piece {
                world.step(black_box(pads));
            }
            pieces.push(started.elapsed().as_secs_f64() * 1e6 / PIECE as f64);
        }
        seed += 1;
    }
    pieces.sort_by(f64::total_cmp);
    let mean = pieces.iter().sum::<f64>() / pieces.len() as f64;
    Ok((mean, pieces[(pieces.len() - 1) * 99 / 100]))
}

/// A world of eight with balls in play: the most there is to save.
fn full_world() -> Result<World, Box<dyn Error>> {
    let recorded = record(8, 1, &[BotLevel::Easy])?;
    let mut world = World::new(recorded.setup);
    let (mut fullest, mut most) = (world.clone(), 0);
    for pads in &recorded.pads {
        world.step(pads);
        let balls = world.balls().count();
        if balls > most {
            (fullest, most) = (world.clone(), balls);
        }
    }
    Ok(fullest)
}

/// Everything about the brawl.
pub fn figures(effort: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let (two, two_p99) = step_us(2, effort.of(TICKS))?;
    let (eight, eight_p99) = step_us(8, effort.of(TICKS))?;
    let mut figures = vec![
        Figure {
            name: "brawl.step_us_2",
            value: two,
            unit: "µs",
            against: format!(
                "a bar of 10 µs: mean of a step of two; 99th percentile of its seconds {two_p99:.2} µs"
            ),
        },
        Figure {
            name: "brawl.step_us_8",
            value: eight,
            unit: "µs",
            against: format!("a bar of 40 µs: of eight; 99th percentile {eight_p99:.2} µs"),
        },
    ];
    figures.extend(saving(effort)?);
    figures.extend(shares(effort)?);
    Ok(figures)
}

fn saving(effort: Effort) -> Result<[Figure; 4], Box<dyn Error>> {
    let mut world = full_world()?;
    let mut bytes = [0; SAVED_BYTES_MAX];
    let length = world.save_into(&mut bytes)?;
    let timed = |work: &mut dyn FnMut()| {
        let best = (0..effort.of(100)).map(|_| {
            let started = Instant::now();
            for _ in 0..SAVES {
                work();
            }
            started.elapsed().as_secs_f64() * 1e6 / SAVES as f64
        });
        best.fold(f64::INFINITY, f64::min)
    };
    let save = timed(&mut || {
        black_box(world.save_into(black_box(&mut bytes)).is_ok());
    });
    let hash = timed(&mut || {
        black_box(world.hash());
    });
    let load = timed(&mut || {
        black_box(world.load(black_box(&bytes[..length])).is_ok());
    });
    let figure = |name, value, unit, against: &str| Figure {
        name,
        value,
        unit,
        against: against.into(),
    };
    Ok([
        figure(
            "brawl.state_bytes",
            length as f64,
            "B",
            "a bar of 2048: eight fighters and their balls",
        ),
        figure("brawl.save_us", save, "µs", "a bar of 2 µs: the same"),
        figure("brawl.load_us", load, "µs", "a bar of 2 µs: the same"),
        figure("brawl.hash_us", hash, "µs", "the same"),
    ])
}

/// How bots' matches go.
fn shares(effort: Effort) -> Result<[Figure; 4], Box<dyn Error>> {
    let matches = effort.of(MATCHES);
    let (mut left, mut decided, mut hard, mut ticks) = (0, 0, 0, Vec::new());
    for seed in 0..matches as u64 {
        let even = record(2, seed, &[BotLevel::Normal])?;
        decided += usize::from(even.winner.is_some());
        left += usize::from(even.winner == Some(Seat::FIRST));
        ticks.push(even.pads.len());
        let hards = (seed % 2) as usize;
        let mut levels = [BotLevel::Easy; 2];
        levels[hards] = BotLevel::Hard;
        let uneven = record(2, seed, &levels)?;
        hard += usize::from(uneven.winner.map(Seat::index) == Some(hards));
    }
    ticks.sort_unstable();
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let figure = |name, value, against: String| Figure {
        name,
        value,
        unit: "%",
        against,
    };
    Ok([
        figure(
            "brawl.decided",
            share(decided, matches),
            format!("a bar of 100: of {matches} matches, normal against normal"),
        ),
        figure(
            "brawl.left_wins",
            share(left, decided),
            "a bar of 50 ± 3: of the same".into(),
        ),
        figure(
            "brawl.hard_beats_easy",
            share(hard, matches),
            format!("a bar of 85: of {matches}, on either side"),
        ),
        Figure {
            name: "brawl.match_s",
            value: ticks[ticks.len() / 2] as f64 / f64::from(World::RATE.hz()),
            unit: "s",
            against: "best of three, normal against normal: the median".into(),
        },
    ])
}

/// Steps of a fight, for counting instructions.
fn steps(seats: u8) -> Result<Box<dyn FnMut()>, Box<dyn Error>> {
    let recorded = record(seats, 1, &[BotLevel::Hard])?;
    let mut world = World::new(recorded.setup);
    let steps = recorded.pads.len().min(WORKLOAD_STEPS);
    if steps < WORKLOAD_STEPS {
        return Err(format!("the match of {seats} is over after {steps} ticks").into());
    }
    Ok(Box::new(move || {
        for pads in &recorded.pads[..steps] {
            world.step(black_box(pads));
        }
    }))
}

/// A fight of two.
pub fn workload_of_two() -> Result<Box<dyn FnMut()>, Box<dyn Error>> {
    steps(2)
}

/// A fight of eight.
pub fn workload_of_eight() -> Result<Box<dyn FnMut()>, Box<dyn Error>> {
    steps(8)
}

/// Saves of a full world.
pub fn workload_save() -> Result<Box<dyn FnMut()>, Box<dyn Error>> {
    let world = full_world()?;
    let mut bytes = [0; SAVED_BYTES_MAX];
    Ok(Box::new(move || {
        for _ in 0..WORKLOAD_SAVES {
            black_box(world.save_into(black_box(&mut bytes)).is_ok());
        }
    }))
}

/// Loads of a full world.
pub fn workload_load() -> Result<Box<dyn FnMut()>, Box<dyn Error>> {
    let mut world = full_world()?;
    let saved = world.save().ok_or("a brawl is saved")?;
    Ok(Box::new(move || {
        for _ in 0..WORKLOAD_SAVES {
            black_box(world.load(black_box(&saved)).is_ok());
        }
    }))
}
