//! Whole duels over the packet link, from two strangers to two equal records, whatever the air loses.

mod common;

use common::*;
use link_transport::{AirConfig, Loss, Mode, Plan};
use match_feed::duel::{DuelOutcome, Side};
use std::time::Duration;
use versus_pairing::StartMode;
use versus_session::{MatchEnd, Sync};

/// Five minutes of match.
const FIVE_MINUTES: u32 = 3000;

fn assert_in_sync(ends: [MatchEnd; 2]) {
    for end in ends {
        let sync = matches!(
            end,
            MatchEnd::Decided {
                sync: Sync::InSync,
                ..
            }
        );
        assert!(sync, "{ends:?}");
    }
}

fn five_minutes(air: AirConfig, seed: u64, host_side: Side) -> Pair {
    let mut pair = Pair::new(Setup {
        air,
        seed,
        host_side,
        length: FIVE_MINUTES,
        ..Setup::default()
    });
    let ends = pair.finish(900_000);
    assert_in_sync(ends);
    assert_eq!(pair.assert_same_worlds(), FIVE_MINUTES as usize);
    let [host, guest] = pair.statuses().map(|s| s.lockstep.expect("played"));
    assert_eq!((host.trail, host.tick), (guest.trail, guest.tick));
    let record = pair.assert_equal_records();
    assert_eq!(record.end.ticks.0, FIVE_MINUTES);
    assert!(record.turns.len() > 500, "{} turns", record.turns.len());
    pair
}

#[test]
fn five_minutes_without_loss() {
    let pair = five_minutes(AirConfig::default(), 1, Side::Blue);
    for status in pair.statuses() {
        assert!(
            status.stall < Duration::from_secs(1),
            "stalled {:?}",
            status.stall
        );
        assert_eq!(status.frames_refused, 0);
    }
}

#[test]
fn five_minutes_at_ten_percent_loss() {
    let air = AirConfig::default().with_loss([Loss::Bernoulli(0.1); 2]);
    five_minutes(air, 2, Side::Red);
}

#[test]
fn five_minutes_at_thirty_percent_loss() {
    let air = AirConfig::default().with_loss([Loss::Bernoulli(0.3); 2]);
    five_minutes(air, 3, Side::Blue);
}

#[test]
fn five_minutes_through_dropouts_of_three_seconds() {
    let mut pair = Pair::new(Setup {
        length: FIVE_MINUTES,
        seed: 4,
        ..Setup::default()
    });
    pair.begin();
    for round in 0..5 {
        pair.run_ms(20_000);
        let both = round % 2 == 0;
        for (at, phone) in pair.phones().into_iter().enumerate() {
            if both || at == 0 {
                phone.session.transport_mut().end.set_loss(Loss::All);
            }
        }
        pair.run_ms(3_000);
        for phone in pair.phones() {
            phone.session.transport_mut().end.set_loss(Loss::None);
        }
    }
    assert_in_sync(pair.finish(400_000));
    assert_eq!(pair.assert_same_worlds(), FIVE_MINUTES as usize);
    pair.assert_equal_records();
    for status in pair.statuses() {
        // Five dropouts of 3 s, each with a round trip or two to recover, less what the delay hides.
        assert!(
            status.stall < Duration::from_secs(5 * 4),
            "stalled {:?}",
            status.stall
        );
        assert!(
            status.stall > Duration::from_secs(5),
            "stalled {:?}",
            status.stall
        );
    }
}

#[test]
fn both_plans_both_starting_modes_and_both_sides() {
    for (at, (plan, latency_ms)) in [(Plan::High, 250), (Plan::Low, 478)]
        .into_iter()
        .enumerate()
    {
        for mode in [Mode::Robust, Mode::Fast] {
            for host_side in Side::BOTH {
                let mut pair = Pair::new(Setup {
                    air: AirConfig::default()
                        .with_plan(plan)
                        .with_latency(Duration::from_millis(latency_ms)),
                    seed: 50 + at as u64,
                    length: 400,
                    host_side,
                    start_mode: StartMode::Fixed(mode),
                    ..Setup::default()
                });
                assert_in_sync(pair.finish(120_000));
                pair.assert_same_worlds();
                let record = pair.assert_equal_records();
                let seats = record.header.seats;
                let host_is = if seats.blue == "host" {
                    Side::Blue
                } else {
                    Side::Red
                };
                assert_eq!(host_is, host_side);
            }
        }
    }
}

#[test]
fn a_desync_is_caught_at_the_next_checkpoint_by_both() {
    for fault in [137, 500] {
        let mut pair = Pair::new(Setup {
            length: 1000,
            seed: fault.into(),
            ..Setup::default()
        });
        pair.guest.fault = Some(fault);
        let ends = pair.finish(200_000);
        for (phone, end) in [(&pair.host, ends[0]), (&pair.guest, ends[1])] {
            let MatchEnd::Desync { tick } = end else {
                panic!("{ends:?}");
            };
            // The checkpoint after the fault, or where this phone was when its peer told it.
            let stepped = phone.session.tick().0;
            assert!(tick.0 >= fault && tick.0 <= stepped, "{tick} at {stepped}");
            let checkpoint = (fault / 50 + 1) * 50;
            assert!(
                stepped < checkpoint + 30,
                "caught at {stepped}, fault at {fault}"
            );
        }
    }
}

#[test]
fn a_desync_in_the_last_ticks_is_caught_by_the_end_check() {
    let mut pair = Pair::new(Setup {
        length: 349,
        seed: 9,
        ..Setup::default()
    });
    pair.host.fault = Some(340);
    let ends = pair.finish(100_000);
    for end in ends {
        assert!(matches!(end, MatchEnd::Desync { .. }), "{ends:?}");
    }
}

#[test]
fn resigning_ends_both_worlds_at_the_same_tick() {
    for (resigning, winner) in [(0, Side::Red), (1, Side::Blue)] {
        let mut pair = Pair::new(Setup::default());
        for phone in pair.phones() {
            phone.player = idle; // opaque commands know no urgency: nothing may wait before it
        }
        pair.begin();
        pair.run_ms(10_000);
        let air_us = pair.air_us;
        let phone = pair
            .phones()
            .into_iter()
            .nth(resigning)
            .expect("two phones");
        let now = phone.now(air_us);
        let at = phone.session.tick();
        phone
            .session
            .give(now, command(&[RESIGN]))
            .expect("an order");
        let ends = pair.finish(30_000);
        assert_in_sync(ends);
        for end in ends {
            let MatchEnd::Decided { outcome, .. } = end else {
                unreachable!()
            };
            assert_eq!(
                outcome,
                DuelOutcome::resigned(resigning == 0, resigning == 1).expect("one did")
            );
            assert_eq!(outcome.winner, Some(winner));
        }
        let ticks = [pair.host.session.tick(), pair.guest.session.tick()];
        assert_eq!(ticks[0], ticks[1]);
        let delay = pair.statuses()[0].delay.expect("agreed").ticks();
        assert!(
            ticks[0].0 > at.0 + delay && ticks[0].0 <= at.0 + delay + 3,
            "{at} → {}",
            ticks[0]
        );
        pair.assert_equal_records();
    }
}

#[test]
fn both_resigning_at_once_is_a_draw() {
    let mut pair = Pair::new(Setup::default());
    let resign = |tick: match_feed::Tick, _| {
        if tick.0 == 60 {
            vec![vec![RESIGN]]
        } else {
            vec![]
        }
    };
    for phone in pair.phones() {
        phone.player = resign;
    }
    let ends = pair.finish(60_000);
    assert_in_sync(ends);
    let MatchEnd::Decided { outcome, .. } = ends[0] else {
        unreachable!()
    };
    assert_eq!(outcome.winner, None);
    pair.assert_equal_records();
}
