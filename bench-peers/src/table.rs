//! The table: every library on every row of the model, in one run.

use crate::{
    clock,
    model::{Case, Make, Outcome, RATE, Run, median, play},
    other_fortress, other_ggrs, ours,
    toy::Toy,
};
use net_transport::Loss;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::{alloc::System, cell::Cell};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Whom we play beside.
const LIBRARIES: [(&str, Make); 3] = [
    ("ours", ours::make),
    ("GGRS 0.13", other_ggrs::make),
    ("fortress 0.13", other_fortress::make),
];

/// Loss in bursts of four packets on average.
const fn bursts(share: f64) -> Loss {
    Loss::PacketBursts {
        share,
        mean_packets: 4.0,
    }
}

/// The rows, and what is shown of each.
fn rows() -> Vec<(&'static str, Case)> {
    let adaptive = Case {
        delay_max: 8,
        ..Case::lockstep(bursts(0.10))
    };
    let skew = |slew| Case {
        skew_ppm: 5_000,
        slew,
        ..Case::rollback(Loss::None)
    };
    let by_time = Loss::TimeBursts {
        share: 0.10,
        mean_ms: 4_000.0 / RATE as f64,
    };
    vec![
        ("lockstep, D 6, no loss", Case::lockstep(Loss::None)),
        (
            "lockstep, D 6, loss 10 %",
            Case::lockstep(Loss::Bernoulli(0.10)),
        ),
        (
            "lockstep, D 6, loss 25 %",
            Case::lockstep(Loss::Bernoulli(0.25)),
        ),
        ("lockstep, D 6 to 8, bursts 10 %", adaptive),
        (
            "the same, bursts stepped by time",
            Case {
                link: adaptive.link.loss(by_time),
                ..adaptive
            },
        ),
        ("rollback, D 2, bursts 10 %", Case::rollback(bursts(0.10))),
        ("rollback, D 2, bursts 25 %", Case::rollback(bursts(0.25))),
        ("rollback, D 2, one clock 0.5 % fast", skew(true)),
    ]
}

/// Measures and prints everything. `quick`: a fifth of the seeds and a quarter of the time.
pub fn print(quick: bool) {
    let (seeds, seconds) = if quick { (2, 30) } else { (10, 120) };
    println!(
        "Two peers at {RATE} Hz, RTT 100 ± 10 ms, polled once a frame, {seconds} s of virtual time, median of {seeds} seeds."
    );
    println!(
        "GGRS takes no clock: this program answers clock_gettime itself, so GGRS is not changed in a line. fortress runs on"
    );
    println!(
        "its ProtocolConfig.clock. Loss in bursts is Gilbert–Elliott, stepped per packet, 4 on average, unless a row says otherwise.\n"
    );
    println!(
        "{:<37}{:<15}{:>8}{:>10}{:>10}{:>8}{:>14}{:>8}{:>8}{:>8}",
        "", "", "fps", "stalled %", "skipped %", "freeze", "depth", "B", "pkt/s", "kB/s"
    );
    for (row, case) in rows() {
        for (library, make) in LIBRARIES {
            let outcomes: Vec<Outcome> = (1..=seeds)
                .filter_map(|seed| play(case, make, seed, seconds, clock::set_us))
                .collect();
            let of = |value: fn(&Outcome) -> f64| median(&outcomes, value);
            let depth = format!("{:.2} / {:.2}", of(|it| it.depth[0]), of(|it| it.depth[1]));
            println!(
                "{row:<37}{library:<15}{:>8.2}{:>10.2}{:>10.2}{:>8.0}{depth:>14}{:>8.1}{:>8.1}{:>8.2}{}",
                of(|it| it.fps),
                of(|it| it.stalled),
                of(|it| it.skipped),
                of(|it| it.freeze as f64),
                of(|it| it.packet_bytes),
                of(|it| it.packets),
                of(Outcome::kb),
                if outcomes.len() == seeds as usize {
                    ""
                } else {
                    "  some did not start"
                },
            );
        }
    }
    times(if quick { 600 } else { 6_000 });
}

/// What a frame costs in which 8 are rolled back.
fn times(frames: u64) {
    println!(
        "\nEight frames rolled back in every frame: the library's time, the game's own subtracted"
    );
    println!(
        "{:<15}{:>10}{:>10}{:>10}{:>14}{:>14}",
        "", "p50 µs", "p99 µs", "ratio", "frames back", "allocations"
    );
    let game = game_alone();
    let mut first = None;
    for (library, make) in LIBRARIES {
        let Some(mut run) = Run::start(Case::eight_back(), make, 1, clock::set_us) else {
            println!("{library:<15} did not start");
            continue;
        };
        run.frames(4 * RATE, |frame| frame());
        let mut times = Vec::with_capacity(4 * frames as usize);
        let allocations = Cell::new(0);
        run.frames(frames, |frame| {
            let region = Region::new(ALLOCATOR);
            let start = clock::real_ns();
            frame();
            times.push(clock::real_ns() - start);
            let change = region.change();
            allocations.set(allocations.get() + change.allocations + change.reallocations);
        });
        times.sort_unstable();
        let us = |share: usize| (times[times.len() * share / 100] as f64 - game) / 1_000.0;
        let ratio = us(50) / *first.get_or_insert(us(50));
        let depth = run.outcome().depth[0];
        println!(
            "{library:<15}{:>10.2}{:>10.2}{ratio:>10.2}{depth:>14.2}{:>14.2}",
            us(50),
            us(99),
            allocations.get() as f64 / times.len() as f64,
        );
    }
    println!(
        "The game alone, with nine saves, nine steps and a load, {game:.0} ns: what is subtracted, with the reading of the clock."
    );
}

/// What the game costs without a library, nanoseconds.
fn game_alone() -> f64 {
    let (mut game, mut slots) = (Toy::default(), [[0; Toy::BYTES]; 9]);
    let mut times: Vec<u64> = (0..2_000_u16)
        .map(|pad| {
            let start = clock::real_ns();
            assert!(game.load(std::hint::black_box(&slots[0])));
            for slot in &mut slots {
                game.save(slot);
                game.step([pad, !pad].into_iter());
            }
            std::hint::black_box(&slots);
            clock::real_ns() - start
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2] as f64
}
