//! Ten ticks a second, whatever the plan, the mode and the latency: the two phones' speeds balance to 1.

mod common;

use common::*;
use link_transport::{AirConfig, Mode, Plan};
use std::time::Duration;
use versus_pairing::StartMode;
use versus_session::{ModePolicy, SessionStatus};

/// One line of the table that a failure prints, and whether it holds.
struct Row {
    text: String,
    rate: f64,
    stalled: Duration,
}

fn three_minutes(plan: Plan, mode: Mode, latency_ms: u64) -> Vec<Row> {
    let mut pair = Pair::new(Setup {
        air: AirConfig {
            plan,
            latency: Duration::from_millis(latency_ms),
            ..AirConfig::default()
        },
        seed: latency_ms,
        start_mode: StartMode::Fixed(mode),
        modes: ModePolicy::Keep,
        ..Setup::default()
    });
    pair.begin();
    pair.run_ms(2_000);
    let start = pair
        .statuses()
        .map(|s| (s.lockstep.expect("plays").tick.0, s.stall));
    pair.run_ms(180_000);
    pair.assert_same_worlds();
    let row = |(status, (tick, stall)): (SessionStatus, (u32, Duration))| {
        let rate = f64::from(status.lockstep.expect("plays").tick.0 - tick) / 180.0;
        let stalled = status.stall - stall;
        let delay = status.delay.expect("agreed").ticks();
        let text = format!(
            "{plan:?} {mode:?} {latency_ms} ms: D {delay}, {rate:.3} ticks/s, stalled {stalled:?}"
        );
        Row {
            text,
            rate,
            stalled,
        }
    };
    pair.statuses().into_iter().zip(start).map(row).collect()
}

#[test]
fn ten_ticks_a_second_over_three_minutes_within_a_hundredth() {
    let high = [200, 230, 250, 330];
    let low = [400, 440, 478];
    let high_modes = high.map(|ms| [(Plan::High, Mode::Fast, ms), (Plan::High, Mode::Robust, ms)]);
    let cases = high_modes
        .into_iter()
        .flatten()
        .chain(low.map(|ms| (Plan::Low, Mode::Fast, ms)));
    for (plan, mode, latency_ms) in cases {
        for row in three_minutes(plan, mode, latency_ms) {
            assert!((row.rate - 10.0).abs() <= 0.01, "{}", row.text);
            assert!(row.stalled <= Duration::from_millis(150), "{}", row.text);
        }
    }
}

/// A packet of 400 ms that waits up to 400 ms for its start leaves nothing of the longest delay, 800 ms.
#[test]
fn low_robust_stalls_a_little_at_the_longest_delay() {
    for latency_ms in [400, 440, 478] {
        for row in three_minutes(Plan::Low, Mode::Robust, latency_ms) {
            assert!(row.rate > 9.5, "{}", row.text);
            assert!(row.stalled < Duration::from_secs(18), "{}", row.text);
        }
    }
}
