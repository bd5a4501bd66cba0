//! Sealing, pausing and waiting.

mod common;

use common::{Duel, DuelConfig};
use link_transport::Loss;

#[test]
fn a_tick_held_stalled_for_three_seconds_at_60_calls_a_second_seals_once_and_drains_once() {
    let mut duel = Duel::new(DuelConfig::default());
    duel.play(100, 60_000);
    duel.set_loss(Loss::All);
    duel.run_until(5_000, |duel| {
        duel.blue.status().stalled && duel.red.status().stalled
    });
    let (tick, seals, drains) = (duel.blue.tick(), duel.blue.seals, duel.blue.drains);
    let calls = duel.blue.stalled_calls;
    duel.run_ms(3000);
    assert_eq!(duel.blue.tick(), tick);
    assert!(duel.blue.stalled_calls - calls > 170);
    // The stalled tick was sealed before the first time it was held.
    assert_eq!((duel.blue.seals, duel.blue.drains), (seals, drains));
    assert_eq!(duel.blue.seals, tick.0 + 1);
    duel.set_loss(Loss::None);
    duel.play(200, 60_000);
    duel.assert_same_trails();
    assert_eq!(
        duel.blue.seals,
        duel.blue.tick().0 + u32::from(duel.blue.status().newest_sealed == duel.blue.tick().0 + 5)
    );
}

#[test]
fn nothing_is_sealed_while_paused_and_the_peer_hears_of_it() {
    let mut duel = Duel::new(DuelConfig::default());
    duel.play(100, 60_000);
    let now = duel.blue.now();
    duel.blue.lockstep.set_paused(now, true);
    let sealed = duel.blue.status().newest_sealed;
    duel.run_ms(20_000);
    assert_eq!(duel.blue.status().newest_sealed, sealed);
    let red = duel.red.status();
    assert!(red.peer_paused && red.stalled, "{red:?}");
    assert!(red.waiting.as_secs() >= 15);

    let now = duel.blue.now();
    duel.blue.lockstep.set_paused(now, false);
    duel.run_until(2_000, |duel| !duel.red.status().peer_paused);
    let red = duel.red.status();
    assert!(
        red.waiting.as_millis() < 100,
        "a paused peer owed no turn: {red:?}"
    );
    duel.play(300, 60_000);
    duel.assert_same_trails();
}

#[test]
fn pauses_in_any_order_on_both_phones() {
    let mut duel = Duel::new(DuelConfig {
        loss: Loss::Bernoulli(0.15),
        ..DuelConfig::default()
    });
    for round in 0..40_u64 {
        for (at, phone) in duel.phones().into_iter().enumerate() {
            let now = phone.now();
            phone.lockstep.set_paused(now, round % (at as u64 + 2) == 0);
        }
        duel.run_ms(300 + 170 * (round % 7));
    }
    for phone in duel.phones() {
        let now = phone.now();
        phone.lockstep.set_paused(now, false);
    }
    let ticks = duel.blue.tick().0;
    duel.play(ticks + 300, 60_000);
    duel.assert_same_trails();
}

#[test]
fn speeds_differ_by_the_slack_and_sum_to_two() {
    let mut duel = Duel::new(DuelConfig {
        delay: 8,
        ..DuelConfig::default()
    });
    duel.red.asleep_frames = 90;
    duel.run_ms(1500);
    duel.run_until(30_000, |duel| {
        duel.blue.lockstep.speed_permille() < 1000 && duel.red.lockstep.speed_permille() > 1000
            || duel.blue.lockstep.speed_permille() > 1000
                && duel.red.lockstep.speed_permille() < 1000
    });
    for _ in 0..600 {
        duel.frame();
        for phone in duel.phones() {
            assert!((900..=1100).contains(&phone.lockstep.speed_permille()));
        }
    }
}

#[test]
fn it_keeps_pace_on_both_plans_and_modes() {
    use link_transport::{Mode, Plan};
    let cases = [
        (Plan::High, Mode::Fast, 250, 6),
        (Plan::High, Mode::Robust, 350, 8),
        (Plan::Low, Mode::Fast, 350, 8),
    ];
    for (plan, mode, latency_ms, delay) in cases {
        let mut duel = Duel::new(DuelConfig {
            plan,
            mode,
            latency_ms,
            delay,
            ..DuelConfig::default()
        });
        duel.run_ms(10_000);
        let before = [duel.blue.tick().0, duel.red.tick().0];
        let stalls = [duel.blue.stall_ms(), duel.red.stall_ms()];
        duel.run_ms(180_000);
        for (at, phone) in duel.phones().into_iter().enumerate() {
            let per_second = f64::from(phone.tick().0 - before[at]) / 180.0;
            assert!(
                (per_second - 10.0).abs() <= 0.01,
                "{plan:?} {mode:?}: {per_second} ticks/s"
            );
            let stall = phone.stall_ms() - stalls[at];
            assert!(stall <= 150, "{plan:?} {mode:?}: {stall} ms of stall");
        }
    }
}

#[test]
fn waiting_counts_from_when_the_peer_stopped_saying_paused_if_that_is_later() {
    let mut lab = common::Lab::new(5);
    for _ in 0..10 {
        lab.tick();
    }
    let now = lab.now();
    lab.red.set_paused(now, true);
    lab.collect();
    lab.blue_hears();
    lab.ms += 5000;
    assert_eq!(lab.blue.status(lab.now()).waiting.as_millis(), 5100);
    let now = lab.now();
    lab.red.set_paused(now, false); // and no new turn yet
    lab.collect();
    lab.blue_hears();
    lab.ms += 300;
    let status = lab.blue.status(lab.now());
    assert_eq!(status.waiting.as_millis(), 300);
    assert_eq!(status.waiting_since, Some(now));
}
