//! Whole matches of the toy game over `PacketAir`: whatever the air does, both worlds stay the same.

mod common;

use common::{Duel, DuelConfig, Faults};
use link_transport::{Loss, Mode, Plan};
use versus_lockstep::Verdict;

/// Five minutes of match time.
const TICKS: u32 = 3000;

fn five_minutes(config: DuelConfig, limit_ms: u64) -> Duel {
    let mut duel = Duel::new(config);
    duel.play(TICKS, limit_ms);
    duel.assert_same_trails();
    assert!(duel.blue.trails.len() > TICKS as usize && duel.red.trails.len() > TICKS as usize);
    for phone in duel.phones() {
        assert_eq!(phone.status().verdict, Verdict::Playing);
        assert_eq!(phone.refused, 0, "no frame of an honest peer is refused");
        assert!(phone.applied.len() > 300, "{} orders", phone.applied.len());
    }
    duel
}

#[test]
fn without_loss_it_runs_at_normal_speed_and_hardly_waits() {
    let mut duel = five_minutes(DuelConfig::default(), 301_000);
    for phone in duel.phones() {
        assert!(phone.stall_ms() <= 300, "{} ms", phone.stall_ms());
    }
}

#[test]
fn ten_percent_loss() {
    five_minutes(
        DuelConfig {
            loss: Loss::Bernoulli(0.1),
            ..DuelConfig::default()
        },
        330_000,
    );
}

#[test]
fn thirty_percent_loss() {
    five_minutes(
        DuelConfig {
            loss: Loss::Bernoulli(0.3),
            ..DuelConfig::default()
        },
        400_000,
    );
}

#[test]
fn loss_in_bursts() {
    let loss = Loss::GilbertElliott {
        to_bad: 0.02,
        to_good: 0.15,
        lost_in_good: 0.02,
        lost_in_bad: 0.9,
    };
    five_minutes(
        DuelConfig {
            loss,
            ..DuelConfig::default()
        },
        450_000,
    );
}

#[test]
fn a_dropout_of_three_seconds() {
    for seed in 1..=3 {
        let mut duel = Duel::new(DuelConfig {
            seed,
            ..DuelConfig::default()
        });
        duel.play(1000, 110_000);
        duel.set_loss(Loss::All);
        duel.run_ms(3000);
        let stalled = duel.blue.status();
        assert!(
            stalled.stalled && stalled.waiting.as_millis() >= 2500,
            "{stalled:?}"
        );
        duel.set_loss(Loss::None);
        duel.play(TICKS, 210_000);
        duel.assert_same_trails();
    }
}

#[test]
fn an_outage_one_way() {
    let mut duel = Duel::new(DuelConfig::default());
    duel.play(500, 60_000);
    duel.blue.air.set_loss(Loss::All);
    duel.run_ms(3000);
    duel.blue.air.set_loss(Loss::None);
    duel.red.air.set_loss(Loss::All);
    duel.run_ms(8000);
    duel.red.air.set_loss(Loss::None);
    duel.play(TICKS, 300_000);
    duel.assert_same_trails();
}

#[test]
fn packets_late_and_twice() {
    let faults = Faults {
        twice_percent: 20,
        late_percent: 20,
    };
    let loss = Loss::Bernoulli(0.1);
    let mut duel = Duel::new(DuelConfig {
        faults,
        loss,
        ..DuelConfig::default()
    });
    duel.play(TICKS, 450_000);
    duel.assert_same_trails();
}

#[test]
fn every_delay_plan_and_mode() {
    for delay in 3..=8 {
        for (plan, mode) in [
            (Plan::High, Mode::Fast),
            (Plan::High, Mode::Robust),
            (Plan::Low, Mode::Fast),
            (Plan::Low, Mode::Robust),
        ] {
            let loss = Loss::Bernoulli(0.05);
            let mut duel = Duel::new(DuelConfig {
                delay,
                plan,
                mode,
                loss,
                ..DuelConfig::default()
            });
            for phone in duel.phones() {
                phone.player.burst_every = Some(50);
            }
            duel.run_ms(60_000);
            duel.assert_same_trails();
            assert!(duel.blue.tick().0 > 150, "{:?}", duel.blue.status());
        }
    }
}

#[test]
fn a_phone_that_stands_still_for_two_seconds_catches_up() {
    let mut duel = Duel::new(DuelConfig::default());
    duel.play(300, 60_000);
    duel.red.asleep_frames = 120;
    duel.play(1000, 120_000);
    duel.assert_same_trails();
}
