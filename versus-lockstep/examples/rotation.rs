//! What rotation buys and what it costs without loss, over many seeds: one segment against as many as the slack gate lets
//! out, in matches of two minutes with an order to 30 units from each side every 5 s.
//!
//! `cargo run --release -p versus-lockstep --example rotation -- [SEEDS] [FIRST SEED]`. Fails if rotation raised the stall
//! of any match.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Duel, DuelConfig, Opponent, Pair, Player};
use link_transport::{Mode, Plan};
use std::process::ExitCode;

const TICKS: u32 = 1_200;
/// An order to 30 units from each side every 5 s.
const BURST_EVERY: u32 = 50;
/// Every input delay at which a second segment is allowed, over the latencies that pairing picks it for and shorter ones.
const ROWS: [(Plan, Mode, u64, u8); 15] = [
    (Plan::High, Mode::Fast, 160, 5),
    (Plan::High, Mode::Fast, 130, 6),
    (Plan::High, Mode::Fast, 160, 6),
    (Plan::High, Mode::Fast, 200, 6),
    (Plan::High, Mode::Fast, 250, 6),
    (Plan::High, Mode::Fast, 250, 5),
    (Plan::High, Mode::Fast, 160, 7),
    (Plan::High, Mode::Fast, 250, 7),
    (Plan::High, Mode::Fast, 250, 8),
    (Plan::High, Mode::Robust, 210, 7),
    (Plan::High, Mode::Robust, 260, 8),
    (Plan::Low, Mode::Fast, 260, 7),
    (Plan::Low, Mode::Fast, 260, 8),
    (Plan::Low, Mode::Fast, 440, 8),
    (Plan::Low, Mode::Robust, 460, 8),
];

#[derive(Clone, Copy, Default)]
struct Cost {
    stall_ms: u64,
    pieces: u64,
    ticks: u64,
    max_ticks: u32,
}

/// Who gives the orders to 30 units, and what else they order.
#[derive(Clone, Copy)]
enum Workload {
    /// Nothing else, in the toy game.
    Bursts,
    /// An order to up to twelve units every 3 s or so, in the toy game.
    Others,
    /// What an AI of the reference game orders.
    Ais,
}

impl Workload {
    const ALL: [Self; 3] = [Self::Bursts, Self::Others, Self::Ais];

    const fn name(self) -> &'static str {
        match self {
            Self::Bursts => "bursts",
            Self::Others => "bursts, others",
            Self::Ais => "bursts, AIs",
        }
    }

    fn play(self, config: DuelConfig) -> Cost {
        if let Self::Ais = self {
            let mut duel = Pair::<Opponent>::new(config);
            for phone in duel.phones() {
                phone.player.burst_every = BURST_EVERY;
            }
            return measure(duel);
        }
        let mut duel = Duel::new(config);
        for phone in duel.phones() {
            phone.player.burst_every = Some(BURST_EVERY);
            phone.player.every = match self {
                Self::Others => 30,
                _ => 0,
            };
        }
        measure(duel)
    }
}

fn measure<P: Player>(mut duel: Pair<P>) -> Cost {
    duel.play(TICKS, 300_000);
    duel.assert_same_trails();
    let mut cost = Cost::default();
    for phone in duel.phones() {
        let delay = phone.status().order_delay;
        cost.stall_ms = cost.stall_ms.max(phone.stall_ms());
        cost.pieces += delay.pieces;
        cost.ticks += delay.total_ticks;
        cost.max_ticks = cost.max_ticks.max(delay.max_ticks);
    }
    cost
}

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut number = |otherwise| match numbers.next() {
        Some(Ok(number)) => number,
        _ => otherwise,
    };
    let (seeds, first) = (number(36), number(1));
    println!(
        "{seeds} matches a row and workload from seed {first}; order delay in ticks, mean and longest\n\
         plan mode   latency D orders          one segment     rotation        stall rose in"
    );
    let (mut matches, mut rose) = (0, 0);
    for (plan, mode, latency_ms, delay) in ROWS {
        for workload in Workload::ALL {
            let mut sums = [Cost::default(); 2];
            let (mut worse, mut most_ms) = (0, 0);
            for seed in first..first + seeds {
                let costs = [1, 4].map(|segments_max| {
                    let config = DuelConfig {
                        plan,
                        mode,
                        latency_ms,
                        delay,
                        segments_max,
                        seed,
                        ..DuelConfig::default()
                    };
                    workload.play(config)
                });
                for (sum, cost) in sums.iter_mut().zip(costs) {
                    sum.pieces += cost.pieces;
                    sum.ticks += cost.ticks;
                    sum.max_ticks = sum.max_ticks.max(cost.max_ticks);
                }
                let more = costs[1].stall_ms.saturating_sub(costs[0].stall_ms);
                worse += u32::from(more > 0);
                most_ms = most_ms.max(more);
            }
            let mean = |cost: &Cost| cost.ticks as f64 / cost.pieces as f64;
            let [one, rotated] = &sums;
            let orders = workload.name();
            println!(
                "{plan:4?} {mode:6?} {latency_ms:4} ms {delay} {orders:14} {:7.2} {:6} {:7.2} {:6}   {worse:3}{}",
                mean(one),
                one.max_ticks,
                mean(rotated),
                rotated.max_ticks,
                if worse > 0 {
                    format!(", by {most_ms} ms at most")
                } else {
                    String::new()
                }
            );
            matches += seeds;
            rose += worse;
        }
    }
    println!("{{\"matches\":{matches},\"first_seed\":{first},\"stall_rose\":{rose}}}");
    if rose == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
