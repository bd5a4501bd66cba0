//! What a tick costs while armies of growing size fight: step, hash and save, in microseconds on one core.
//!
//! `cargo run --release -p game-sim --example battle -- [map] [ticks]`

use game_sim::{World, map_count};
use match_feed::{Game, MapChoice, MatchSetup, PerSide};
use std::time::{Duration, Instant};

const RUNS: usize = 5;

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|n| n.parse().ok());
    let map = args.next().unwrap_or(0_u32) as u8 % map_count();
    let ticks = args.next().unwrap_or(300) as usize;
    println!("map {map}, {ticks} ticks: microseconds");
    println!("units  left | step p50   mean    p99    max | hash p50 | save p50");
    for per_side in [25, 50, 100, 200, 400] {
        let setup = MatchSetup {
            map: MapChoice::BuiltIn(map),
            mutators: 0,
            seed: 1,
            openers: PerSide {
                blue: None,
                red: None,
            },
        };
        // The least of some runs of each tick: what else the machine does is not the game's cost.
        let (mut steps, mut hashes, mut saves) = (Vec::new(), Vec::new(), Vec::new());
        let mut left = 0;
        for run in 0..RUNS {
            let mut world = World::with_armies(&setup, per_side).expect("a legal setup");
            for tick in 0..ticks {
                let timed = |times: &mut Vec<Duration>, work: &mut dyn FnMut()| {
                    let start = Instant::now();
                    work();
                    let took = start.elapsed();
                    if run == 0 {
                        times.push(took);
                    } else {
                        times[tick] = times[tick].min(took);
                    }
                };
                timed(&mut steps, &mut || world.step(&[]));
                timed(&mut hashes, &mut || {
                    std::hint::black_box(world.hash());
                });
                timed(&mut saves, &mut || {
                    std::hint::black_box(world.save());
                });
            }
            left = world.units().count();
        }
        let micros = |time: Duration| time.as_nanos() as f64 / 1e3;
        let mean = micros(steps.iter().sum::<Duration>() / steps.len() as u32);
        for times in [&mut steps, &mut hashes, &mut saves] {
            times.sort_unstable();
        }
        let at =
            |times: &[Duration], percent: usize| micros(times[(times.len() - 1) * percent / 100]);
        println!(
            "{:5} {:5} | {:8.1} {mean:6.1} {:6.1} {:6.1} | {:8.1} | {:8.1}",
            2 * per_side,
            left,
            at(&steps, 50),
            at(&steps, 99),
            at(&steps, 100),
            at(&hashes, 50),
            at(&saves, 50)
        );
    }
}
