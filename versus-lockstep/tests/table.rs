//! What rotation buys and what it costs, as one table a person can judge.

mod common;

use common::{Duel, DuelConfig};
use link_transport::{Loss, Mode, Plan};
use std::fmt::Write as _;

struct Row {
    stall_ms: u64,
    mean_tenths: u64,
    max_ticks: u32,
    queue_ticks: u32,
}

/// Three minutes in which each player orders 30 units every 5 s, and a few at a time besides.
fn measure(config: DuelConfig) -> Row {
    let mut duel = Duel::new(config);
    for phone in duel.phones() {
        phone.player.burst_every = Some(50);
        phone.player.every = 30;
    }
    let mut queue_ticks = 0;
    for _ in 0..180 * 60 {
        duel.frame();
        for phone in duel.phones() {
            queue_ticks = queue_ticks.max(phone.status().queued_ticks);
        }
    }
    duel.assert_same_trails();
    let [blue, red] = duel
        .phones()
        .map(|phone| (phone.stall_ms(), phone.status().order_delay));
    let pieces = blue.1.pieces + red.1.pieces;
    Row {
        stall_ms: blue.0.max(red.0),
        mean_tenths: (blue.1.total_ticks + red.1.total_ticks) * 10 / pieces,
        max_ticks: blue.1.max_ticks.max(red.1.max_ticks),
        queue_ticks,
    }
}

#[test]
fn rotation_shortens_orders_and_costs_no_stall_without_loss() {
    let cases = [
        (Plan::High, Mode::Fast, 160, 4),
        (Plan::High, Mode::Fast, 160, 5),
        (Plan::High, Mode::Fast, 160, 6),
        (Plan::High, Mode::Fast, 160, 7),
        (Plan::High, Mode::Fast, 250, 7),
        (Plan::High, Mode::Robust, 260, 8),
        (Plan::Low, Mode::Fast, 260, 8),
        (Plan::Low, Mode::Robust, 460, 8),
    ];
    let mut table = String::from(
        "plan mode   latency D loss | one segment: stall   mean    max  queue | rotation: stall   mean    max  queue\n",
    );
    for (plan, mode, latency_ms, delay) in cases {
        for loss_percent in [0, 5] {
            let loss = Loss::Bernoulli(f64::from(loss_percent) / 100.0);
            let config = DuelConfig {
                plan,
                mode,
                latency_ms,
                delay,
                loss,
                segments_max: 1,
                ..DuelConfig::default()
            };
            let one = measure(config);
            let rotated = measure(DuelConfig {
                segments_max: 4,
                ..config
            });
            if loss_percent == 0 {
                assert!(
                    rotated.stall_ms <= one.stall_ms,
                    "{config:?}: {} ms against {} ms",
                    rotated.stall_ms,
                    one.stall_ms
                );
            }
            write!(
                table,
                "{plan:?} {mode:6?} {latency_ms:4} ms {delay} {loss_percent:2} % |"
            )
            .unwrap();
            for row in [one, rotated] {
                let (whole, tenth) = (row.mean_tenths / 10, row.mean_tenths % 10);
                write!(
                    table,
                    " {:12} ms {whole:4}.{tenth} {:6} {:6} |",
                    row.stall_ms, row.max_ticks, row.queue_ticks
                )
                .unwrap();
            }
            table.push('\n');
        }
    }
    insta::assert_snapshot!(table);
}
