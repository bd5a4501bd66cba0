//! What the game costs: a step, a hash and a save while armies fight, how a step grows with them, and a whole match.

use super::{
    Effort, Figure,
    watch::{CoreWatch, best_of},
};
use game_sim::{Ai, AiLevel, World, map_count};
use match_feed::{
    Game,
    duel::{MapChoice, MatchSetup, PerSide, Side, TICK_MS, compose_tick},
};
use std::{
    error::Error,
    hint::black_box,
    time::{Duration, Instant},
};

/// Units in the battles of the growth table, both sides together.
const ARMIES: [(usize, &str); 5] = [
    (50, "sim.step_us_50"),
    (100, "sim.step_us_100"),
    (200, "sim.step_us_200"),
    (400, "sim.step_us_400"),
    (800, "sim.step_us_800"),
];
/// The battle that the bars are for.
const BAR_ARMY: usize = 400;
/// Battles of each size, each on the next map.
const BATTLES: usize = 20;
/// Ticks until the armies have met, and the most that are then measured. A battle is over, and the next begins, when
/// a quarter of its units are gone.
const MEETING_TICKS: usize = 30;
const BATTLE_TICKS: usize = 100;
/// A hash and a save are measured every so many ticks.
const SAVED_EVERY: usize = 5;
/// Each battle is fought so often, the same each time, and each tick's shortest time counts: what another program took
/// is none of the game's.
const BATTLE_RUNS: usize = 3;
/// Fighters a side of the workload, how long they fight, and what they draw from.
const WORKLOAD_ARMY: usize = 200;
const WORKLOAD_STEPS: usize = 60;
const WORKLOAD_SEED: u32 = 1;
/// A ten-minute match.
const MATCH_TICKS: u32 = 10 * 60 * 1000 / TICK_MS as u32;
/// Runs of it of which the shortest counts.
const MATCH_RUNS: usize = 3;

fn setup(map: u8, seed: u32) -> MatchSetup {
    MatchSetup {
        map: MapChoice::BuiltIn(map % map_count()),
        mutators: 0,
        seed,
        openers: PerSide::from_fn(|_| None),
    }
}

/// A battle's steps and hashes, for counting instructions: drawn up, not played for, so that an AI's mind does not count.
pub fn workload() -> Result<Box<dyn FnMut()>, Box<dyn Error>> {
    let mut world = World::with_armies(&setup(0, WORKLOAD_SEED), WORKLOAD_ARMY)?;
    Ok(Box::new(move || {
        for _ in 0..WORKLOAD_STEPS {
            world.step(&[]);
            black_box(world.hash());
        }
    }))
}

/// Everything about the game.
pub fn figures(effort: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut figures = Vec::new();
    for (units, name) in ARMIES {
        let mut battle = Battle::fight(units, effort.of(BATTLES))?;
        figures.push(battle.step(name, units));
        if units == BAR_ARMY {
            figures.extend(battle.bars());
        }
    }
    figures.push(whole_match(effort)?);
    Ok(figures)
}

/// The times that ticks of battles took.
#[derive(Default)]
struct Battle {
    steps: Vec<Duration>,
    hashes: Vec<Duration>,
    saves: Vec<Duration>,
    /// Units on the map, summed over the ticks measured.
    units: usize,
}

fn timed<T>(times: &mut Vec<Duration>, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let done = black_box(work());
    times.push(started.elapsed());
    done
}

impl Battle {
    fn fight(units: usize, battles: usize) -> Result<Self, Box<dyn Error>> {
        let mut all = Self::default();
        for round in 0..battles {
            let mut best = Self::round(units, round)?;
            for _ in 1..BATTLE_RUNS {
                best.keep_shortest(&Self::round(units, round)?);
            }
            all.units += best.units;
            all.steps.extend(best.steps);
            all.hashes.extend(best.hashes);
            all.saves.extend(best.saves);
        }
        if all.hashes.is_empty() {
            return Err(format!("the battle of {units} was over before it was measured").into());
        }
        for times in [&mut all.steps, &mut all.hashes, &mut all.saves] {
            times.sort_unstable();
        }
        Ok(all)
    }

    /// One battle, its times in the order of its ticks.
    fn round(units: usize, round: usize) -> Result<Self, Box<dyn Error>> {
        let mut battle = Self::default();
        let mut world = World::with_armies(&setup(round as u8, round as u32), units / 2)?;
        for _ in 0..MEETING_TICKS {
            world.step(&[]);
        }
        for tick in 0..BATTLE_TICKS {
            let alive = world.units().count();
            if alive * 4 < units * 3 || world.outcome().is_some() {
                break;
            }
            battle.units += alive;
            timed(&mut battle.steps, || world.step(&[]));
            if tick.is_multiple_of(SAVED_EVERY) {
                timed(&mut battle.hashes, || world.hash());
                timed(&mut battle.saves, || world.save());
            }
        }
        Ok(battle)
    }

    fn keep_shortest(&mut self, again: &Self) {
        let pairs = [
            (&mut self.steps, &again.steps),
            (&mut self.hashes, &again.hashes),
            (&mut self.saves, &again.saves),
        ];
        for (best, again) in pairs {
            for (best, again) in best.iter_mut().zip(again) {
                *best = (*best).min(*again);
            }
        }
    }

    fn step(&self, name: &'static str, units: usize) -> Figure {
        let bar = if units == BAR_ARMY {
            "a bar of 500 µs: "
        } else {
            ""
        };
        Figure {
            name,
            value: mean_us(&self.steps),
            unit: "µs",
            against: format!(
                "{bar}mean over {} ticks of {} units fighting; p99 {:.0} µs",
                self.steps.len(),
                self.units / self.steps.len(),
                percentile_us(&self.steps, 99)
            ),
        }
    }

    /// What else has a bar in this battle.
    fn bars(&mut self) -> [Figure; 3] {
        let figure = |name, value, against: &str| Figure {
            name,
            value,
            unit: "µs",
            against: against.into(),
        };
        let step = percentile_us(&self.steps, 99);
        let (hash, save) = (mean_us(&self.hashes), mean_us(&self.saves));
        [
            figure(
                "sim.step_p99_us_400",
                step,
                "a bar of 2000 µs: the 99th percentile of the same ticks",
            ),
            figure(
                "sim.hash_us",
                hash,
                "a bar of 30 µs: mean, in the same battles",
            ),
            figure(
                "sim.save_us",
                save,
                "a bar of 100 µs: mean, in the same battles",
            ),
        ]
    }
}

fn mean_us(times: &[Duration]) -> f64 {
    times.iter().sum::<Duration>().as_secs_f64() * 1e6 / times.len() as f64
}

/// Of sorted times.
fn percentile_us(times: &[Duration], percent: usize) -> f64 {
    times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e6
}

/// Ten minutes of AI against AI, thinking included: a match, and where it is decided sooner the next.
fn whole_match(effort: Effort) -> Result<Figure, Box<dyn Error>> {
    let mut failed = None;
    let mut matches = 0;
    let seconds = best_of(effort.of(MATCH_RUNS), || {
        let watch = CoreWatch::start();
        match play_match() {
            Ok(count) => matches = count,
            Err(why) => failed = Some(why),
        }
        watch.seconds()
    });
    if let Some(why) = failed {
        return Err(why);
    }
    Ok(Figure {
        name: "sim.match_10min_s",
        value: seconds,
        unit: "s",
        against: format!(
            "a bar of 2 s: {MATCH_TICKS} ticks, AI against AI, {matches} {}",
            if matches == 1 { "match" } else { "matches" }
        ),
    })
}

fn play_match() -> Result<u32, Box<dyn Error>> {
    let (mut ticks, mut matches) = (0, 0);
    while ticks < MATCH_TICKS {
        matches += 1;
        // Scatter: the largest map, where matches last the longest.
        let mut world = World::new(&setup(3, matches))?;
        let mut ais = PerSide::from_fn(|side| Ai::new(side, AiLevel::Normal, matches));
        while world.outcome().is_none() && ticks < MATCH_TICKS {
            let (blue, red) = (ais.blue.think(&world), ais.red.think(&world));
            world.step(&compose_tick(Side::Blue, blue, red));
            ticks += 1;
        }
    }
    Ok(matches)
}
