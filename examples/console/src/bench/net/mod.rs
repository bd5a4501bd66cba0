//! Sessions over the simulated internet: what they keep of 60 frames a second, what they send, and what they cost.
//!
//! All but `net.rollback8_us` is virtual time and seeded, so it comes out the same on every machine.

mod crafted;
mod crowd;
pub mod model;
pub mod ours;
pub mod post;
pub mod toy;

use super::{Effort, Figure, memory};
use model::{Case, Outcome, RATE, Run, median, play};
use net_transport::Loss;
use std::{error::Error, hint::black_box, time::Instant};
use toy::Toy;

/// Seeds and virtual seconds of a row.
const SEEDS: usize = 10;
const SECONDS: u64 = 120;
/// Frames whose time is measured.
const TIMED_FRAMES: usize = 6_000;
/// Frames of the counted piece of work.
const WORKLOAD_FRAMES: u64 = 300;

/// Loss in bursts of four packets on average.
const fn bursts(share: f64) -> Loss {
    Loss::PacketBursts {
        share,
        mean_packets: 4.0,
    }
}

fn no_clock(_: u64) {}

/// What the seeds of a row come to.
struct Row(Vec<Outcome>);

impl Row {
    fn play(effort: Effort, case: Case) -> Result<Self, Box<dyn Error>> {
        let outcomes = (1..=effort.of(SEEDS) as u64)
            .map(|seed| {
                play(case, ours::make, seed, SECONDS, no_clock).ok_or("a match did not start")
            })
            .collect::<Result<_, _>>()?;
        Ok(Self(outcomes))
    }

    fn median(&self, value: impl Fn(&Outcome) -> f64) -> f64 {
        median(&self.0, value)
    }

    fn fps(&self) -> f64 {
        self.median(|it| it.fps)
    }

    /// A figure of frames a second, with the share of stalled frames beside it.
    fn figure(&self, name: &'static str, bar: &str) -> Figure {
        let (stalled, seeds) = (self.median(|it| it.stalled), self.0.len());
        let against =
            format!("{bar}; {stalled:.2} % stalled, {SECONDS} s, median of {seeds} seeds");
        Figure {
            name,
            value: self.fps(),
            unit: "fps",
            against,
        }
    }
}

/// Frames kept, and what is sent for them.
pub fn pace(effort: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let calm = Row::play(effort, Case::lockstep(Loss::None))?;
    let loss10 = Row::play(effort, Case::lockstep(Loss::Bernoulli(0.10)))?;
    let loss25 = Row::play(effort, Case::lockstep(Loss::Bernoulli(0.25)))?;
    let adaptive = Case {
        delay_max: 8,
        ..Case::lockstep(bursts(0.10))
    };
    let burst10 = Row::play(effort, adaptive)?;
    let by_time = Loss::TimeBursts {
        share: 0.10,
        mean_ms: 4_000.0 / RATE as f64,
    };
    let timed = Row::play(
        effort,
        Case {
            link: adaptive.link.loss(by_time),
            ..adaptive
        },
    )?;
    let burst25 = Row::play(effort, Case::rollback(bursts(0.25)))?;
    let skew = Row::play(
        effort,
        Case {
            skew_ppm: 5_000,
            slew: true,
            ..Case::rollback(Loss::None)
        },
    )?;
    let damaged_link = adaptive.link.loss(Loss::None).damage(0.02);
    let damaged = Row::play(
        effort,
        Case {
            link: damaged_link,
            ..Case::lockstep(Loss::None)
        },
    )?;
    let lost2 = Row::play(effort, Case::lockstep(Loss::Bernoulli(0.02)))?;
    let burst_bar = format!(
        "a bar of 59.0, input delay 6 to 8; {:.2} where bursts are stepped by time",
        timed.fps()
    );
    let skipped = skew.median(|it| it.skipped);
    let damaged_bar = format!("{:.2} with 2 % of packets lost instead", lost2.fps());
    let plain = |name, value, unit, against: String| Figure {
        name,
        value,
        unit,
        against,
    };
    Ok(vec![
        calm.figure("net.lockstep_fps_loss0", "a bar of 59.9, GGRS 36.0"),
        loss10.figure("net.lockstep_fps_loss10", "a bar of 59.9, GGRS 36.1"),
        loss25.figure("net.lockstep_fps_loss25", "a bar of 59.5, GGRS 35.1"),
        burst10.figure("net.lockstep_fps_burst10", &burst_bar),
        burst25.figure("net.rollback_fps_burst25", "a bar of 59.6, GGRS 59.6"),
        plain(
            "net.longest_freeze",
            burst25.median(|it| it.freeze as f64),
            "frames",
            "a bar of 12, the same matches".into(),
        ),
        plain(
            "net.skew_depth_gap",
            skew.median(|it| (it.depth[0] - it.depth[1]).abs()),
            "frames",
            format!("a bar of 0.5 with one clock 0.5 % fast; {skipped:.2} % of frames skipped"),
        ),
        damaged.figure("net.damaged_fps", &damaged_bar),
        plain(
            "net.packet_bytes",
            calm.median(|it| it.packet_bytes),
            "B",
            "a bar of 22, tag included; GGRS 62.7".into(),
        ),
        plain(
            "net.packets_per_s",
            calm.median(|it| it.packets),
            "/s",
            format!(
                "a bar of 62; {:.1} at 10 % loss (a bar of 124)",
                loss10.median(|it| it.packets)
            ),
        ),
        plain(
            "net.kb_per_s",
            calm.median(Outcome::kb),
            "kB",
            format!(
                "a bar of 3.2 with UDP and IP; {:.2} at 10 % loss (a bar of 5.6)",
                loss10.median(Outcome::kb)
            ),
        ),
    ])
}

/// What a frame costs in which eight are rolled back, and what it allocates.
pub fn cost(effort: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut run = eight_back()?;
    let frames = effort.of(TIMED_FRAMES);
    let mut times_ns = Vec::with_capacity(4 * frames);
    let mut allocations = 0;
    run.frames(frames as u64, |frame| {
        let before = memory::allocations();
        let start = Instant::now();
        frame();
        let took = start.elapsed();
        allocations += memory::allocations() - before;
        times_ns.push(took.as_nanos() as f64);
    });
    let game_ns = game_alone();
    times_ns.sort_by(f64::total_cmp);
    let p50_us = (times_ns[times_ns.len() / 2] - game_ns) / 1_000.0;
    let depth = run.outcome().depth[0];
    Ok(vec![
        Figure {
            name: "net.rollback8_us",
            value: p50_us,
            unit: "µs",
            against: format!(
                "a bar of 2.0 at p50, {depth:.1} frames back each frame; the game's own {game_ns:.0} ns subtracted"
            ),
        },
        Figure {
            name: "net.allocations",
            value: allocations as f64 / times_ns.len() as f64,
            unit: "/frame",
            against: "a bar of 0, the same frames".into(),
        },
    ])
}

/// Crafted packets, many seats, and coming in late.
pub fn trouble(effort: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let matches = effort.of(200);
    let desyncs = crowd::desyncs(matches as u64)?;
    let joined = crowd::join(effort.of(3_600) as u64)?;
    Ok(vec![
        Figure {
            name: "net.crafted_alloc_bytes",
            value: crafted::worst_allocation(effort)? as f64,
            unit: "B",
            against: "a bar of 0, the most that one of many crafted packets makes us allocate; GGRS 1 TiB".into(),
        },
        Figure {
            name: "net.seats_desyncs",
            value: desyncs as f64,
            unit: "",
            against: format!("a bar of 0: matches of 3 to 8 seats that differ, hang or end, of {matches}; each link loses 0 to 25 %"),
        },
        Figure {
            name: "net.join_s",
            value: joined.took_s,
            unit: "s",
            against: format!(
                "a bar of 2 from the first datagram to the first own frame, {} s into a match of 64 KiB, 1 Mbit/s, RTT 100; the others stalled {} frames",
                joined.after_s, joined.stalled
            ),
        },
    ])
}

/// A match in which every frame rolls eight back, some seconds in.
fn eight_back() -> Result<Run, Box<dyn Error>> {
    let mut run =
        Run::start(Case::eight_back(), ours::make, 1, no_clock).ok_or("a match did not start")?;
    run.frames(4 * RATE, |frame| frame());
    Ok(run)
}

/// Frames of both peers of such a match, simulated internet and game included.
pub fn workload() -> Result<Box<dyn FnMut()>, Box<dyn Error>> {
    let mut run = eight_back()?;
    Ok(Box::new(move || {
        run.frames(WORKLOAD_FRAMES, |frame| frame())
    }))
}

/// What the game costs in such a frame without a session, nanoseconds.
fn game_alone() -> f64 {
    let (mut game, mut slots) = (Toy::default(), [[0; Toy::BYTES]; 9]);
    let mut times_ns: Vec<f64> = (0..2_000_u16)
        .map(|pad| {
            let start = Instant::now();
            assert!(game.load(black_box(&slots[0])));
            for slot in &mut slots {
                game.save(slot);
                game.step([pad, !pad].into_iter());
            }
            black_box(&slots);
            start.elapsed().as_nanos() as f64
        })
        .collect();
    times_ns.sort_by(f64::total_cmp);
    times_ns[times_ns.len() / 2]
}

#[cfg(test)]
mod tests;
