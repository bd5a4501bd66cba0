//! What goes into a turn and when, and what comes out of it when it is stepped.

mod common;

use common::{Duel, DuelConfig, Lab, ToyCodec, ToyCommand, ToyCommand::*, long, walk};
use link_transport::Loss;
use match_feed::{Outcome, Tick, WorldHash, duel::Side};
use versus_lockstep::{Expect, GameFrame, Leave, Verdict};

#[test]
fn nothing_is_sealed_or_stepped_once_the_match_has_ended() {
    type Ending = fn(&mut Lab);
    type Expected = fn(Verdict) -> bool;
    let endings: [(Ending, Expected); 3] = [
        (|lab| lab.blue.leave(Leave::Left), |v| v == Verdict::Left),
        (
            |lab| lab.blue.leave(Leave::Desync),
            |v| matches!(v, Verdict::Desync { .. }),
        ),
        (
            |lab| {
                let (now, tick) = (lab.now(), lab.blue_tick());
                assert!(lab.blue.orders(tick).is_some());
                lab.blue
                    .stepped(now, tick, WorldHash(1), Some(Outcome::draw()));
            },
            |v| v == Verdict::Checking,
        ),
    ];
    for (end, expected) in endings {
        let mut lab = Lab::new(5);
        for _ in 0..10 {
            lab.tick();
        }
        lab.seal();
        lab.blue_hears();
        end(&mut lab);
        let before = lab.blue.status(lab.now());
        assert!(expected(before.verdict), "{before:?}");
        let now = lab.now();
        assert_eq!(lab.blue.give(now, walk(1)), Ok(()), "dropped in silence");
        assert!(!lab.blue.is_seal_due() && !lab.blue.seal(now));
        assert_eq!(lab.blue.orders(before.tick), None);
        let after = lab.blue.status(now);
        assert_eq!(
            (after.newest_sealed, after.queued, after.tick),
            (before.newest_sealed, 0, before.tick)
        );
    }
}

#[test]
fn a_turn_is_as_full_as_turn_max_allows_and_no_fuller() {
    // The specification's `TURN_MAX`: what a frame has left beside its longest header. The window rule keeps room for a
    // checkpoint and for the turns in flight besides, so it always is the tighter of the two.
    let turn_max = 188 - 57;
    let mut lab = Lab::new(5);
    let mut fullest = 0;
    for tick in 0..400_u32 {
        // Lists of every length, so that turns end everywhere.
        let unit_count = tick % 9 + 1;
        let units = (0..unit_count)
            .map(|at| tick % 7 + at * (1 + tick % 23))
            .collect();
        lab.give(Attack {
            units,
            target: tick,
        });
        lab.give(Produce {
            kind: (tick % 20) as u8,
        });
        lab.seal();
        let red = lab.red.status(lab.now());
        let expect = Expect {
            to: red.ack_through,
            tick: red.tick,
        };
        for frame in &lab.blue_frames {
            let frame =
                GameFrame::decode(frame.bits.as_bitslice(), expect, &ToyCodec).expect("blue's own");
            let longest = frame.turns.iter().map(|turn| turn.bits.len()).max();
            fullest = fullest.max(longest.unwrap_or(0));
        }
        lab.red_hears();
        lab.blue_hears();
        lab.step();
    }
    assert!((96..=turn_max).contains(&fullest), "{fullest} bits");
}

#[test]
fn a_tick_runs_blues_orders_then_reds_each_under_its_senders_side() {
    let mut lab = Lab::new(4);
    for _ in 0..3 {
        lab.tick();
    }
    let now = lab.now();
    // Red's first, so that neither order of giving nor whose phone it is decides.
    lab.red.give(now, walk(7)).expect("legal");
    lab.red.give(now, Produce { kind: 3 }).expect("legal");
    lab.blue.give(now, walk(2)).expect("legal");
    let expected = [
        (Side::Blue, walk(2)),
        (Side::Red, walk(7)),
        (Side::Red, Produce { kind: 3 }),
    ];
    for _ in 0..8 {
        lab.seal();
        lab.red_hears();
        lab.blue_hears();
        let tick = lab.blue_tick();
        let orders = [&mut lab.blue, &mut lab.red].map(|phone| {
            let orders = phone.orders(tick).expect("both turns are here");
            let told = |order: &match_feed::Order<ToyCommand>| {
                (order.side().expect("a duel"), order.command.clone())
            };
            orders.iter().map(told).collect::<Vec<_>>()
        });
        assert_eq!(orders[0], orders[1]);
        if !orders[0].is_empty() {
            assert_eq!((tick, orders[0].as_slice()), (Tick(7), &expected[..]));
            return;
        }
        lab.step();
    }
    panic!("the orders never landed");
}

#[test]
fn a_player_is_told_of_orders_that_have_waited_for_over_two_seconds() {
    let mut lab = Lab::new(5);
    lab.blue.limit_segments(1);
    for _ in 0..10 {
        lab.tick();
    }
    for first in 0..60 {
        lab.give(long(first));
    }
    let mut told_at = None;
    for tick in 0..80 {
        lab.tick();
        let status = lab.blue.status(lab.now());
        assert_eq!(status.orders_queued(), status.queued_ticks > 20);
        if status.orders_queued() {
            told_at = told_at.or(Some(tick));
        }
    }
    // All were given at once, so the last of them has waited for 20 ticks after 20 ticks.
    assert!(
        told_at.is_some_and(|tick| (19..=21).contains(&tick)),
        "{told_at:?}"
    );
    lab.drain();
    let status = lab.blue.status(lab.now());
    assert_eq!(
        (status.orders_queued(), status.queued, status.queued_ticks),
        (false, 0, 0)
    );
}

#[test]
fn a_turn_held_is_never_replaced() {
    let mut lab = Lab::new(5);
    for _ in 0..10 {
        lab.tick();
    }
    lab.red.give(lab.now(), walk(3)).expect("legal");
    lab.seal();
    lab.blue_hears();
    let held = lab.blue.status(lab.now()).ack_through;
    // The same turn again, said to be empty.
    let empty = lab.forged(|_| {});
    let now = lab.now();
    lab.blue
        .handle_frame(now, empty.as_bitslice())
        .expect("legal");
    assert_eq!(lab.blue.status(now).ack_through, held);
    let mut applied = Vec::new();
    for _ in 0..8 {
        applied.extend(lab.step());
        lab.seal();
        lab.red_hears();
        lab.blue_hears();
    }
    assert_eq!(applied.len(), 1, "{applied:?}");
    assert_eq!(applied[0].command, walk(3));
}

#[test]
fn the_two_phones_are_never_more_than_d_plus_one_ticks_apart() {
    for (delay, loss) in [(3, 0.0), (5, 0.1), (8, 0.3)] {
        let mut duel = Duel::new(DuelConfig {
            delay,
            loss: Loss::Bernoulli(loss),
            seed: u64::from(delay),
            ..DuelConfig::default()
        });
        let mut widest = 0;
        for frame in 0..6_000 {
            if frame % 700 == 300 {
                duel.red.asleep_frames = 120;
            }
            duel.frame();
            widest = widest.max(duel.blue.tick().0.abs_diff(duel.red.tick().0));
        }
        assert!(widest <= u32::from(delay) + 1, "{widest} at D = {delay}");
        assert!(
            widest >= u32::from(delay),
            "one that sleeps was waited for at {widest}"
        );
    }
}

#[test]
fn a_checkpoint_heard_before_its_tick_is_stepped_is_compared_then() {
    let mut lab = Lab::new(5);
    for _ in 0..50 {
        lab.tick();
    }
    // Red steps tick 50, whose checkpoint says something else than blue's will; blue has not stepped it yet.
    lab.seal();
    lab.red_hears();
    lab.blue_hears();
    let now = lab.now();
    assert!(lab.red.orders(Tick(50)).is_some());
    lab.red.stepped(now, Tick(50), WorldHash(0xBAD), None);
    for _ in 0..3 {
        lab.ms += 100;
        let now = lab.now();
        lab.red.seal(now);
        lab.red.set_rxq((lab.ms / 100 % 8) as u8);
        lab.collect();
        lab.blue_hears();
    }
    let now = lab.now();
    let status = lab.blue.status(now);
    assert_eq!((status.tick, status.verdict), (Tick(50), Verdict::Playing));
    assert!(lab.blue.orders(Tick(50)).is_some());
    lab.blue.stepped(now, Tick(50), WorldHash(50), None);
    let verdict = lab.blue.status(now).verdict;
    assert_eq!(verdict, Verdict::Desync { tick: Tick(50) });
    // And it says so: red learns of it.
    lab.collect();
    for _ in 0..2 {
        lab.red_hears();
        lab.ms += 100;
    }
    assert!(matches!(
        lab.red.status(lab.now()).verdict,
        Verdict::Desync { .. }
    ));
}

#[test]
fn a_decided_phone_that_hears_of_a_desync_ends_its_check_as_one() {
    let mut lab = Lab::new(5);
    for _ in 0..20 {
        lab.tick();
    }
    lab.seal();
    lab.red_hears();
    lab.blue_hears();
    let (now, tick) = (lab.now(), lab.blue_tick());
    assert!(lab.blue.orders(tick).is_some());
    lab.blue
        .stepped(now, tick, WorldHash(1), Some(Outcome::draw()));
    assert_eq!(lab.blue.status(now).verdict, Verdict::Checking);
    lab.red.leave(Leave::Desync);
    lab.collect();
    for _ in 0..2 {
        lab.blue_hears();
        lab.ms += 100;
    }
    assert!(matches!(
        lab.blue.status(lab.now()).verdict,
        Verdict::Desync { .. }
    ));
}
