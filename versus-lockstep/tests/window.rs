//! The window rule, acks and the end report, in exact situations.

mod common;

use common::{Lab, ToyCodec, ToyCommand::*, long, walk};
use link_transport::FRAME_BITS_MAX;
use match_feed::{
    Tick, WorldHash,
    duel::{InputDelay, Side},
};
use versus_lockstep::{
    Expect, GameFrame, Lockstep, LockstepConfig, LockstepError, min_capacity_bits,
};

fn delay(ticks: u8) -> InputDelay {
    InputDelay::new(ticks).unwrap()
}

#[test]
fn the_least_capacity_is_what_the_format_says() {
    let least: Vec<_> = (3..=8).map(|d| min_capacity_bits(delay(d))).collect();
    assert_eq!(least, [175, 175, 177, 177, 183, 183]);
}

#[test]
fn a_capacity_that_could_lock_a_command_out_is_an_error() {
    let config = |capacity_bits, d| {
        LockstepConfig::new(Side::Blue, delay(d), WorldHash(0))
            .with_capacity_bits(capacity_bits)
            .with_packet_ms(100)
    };
    for d in 3..=8 {
        let min = min_capacity_bits(delay(d));
        assert!(Lockstep::new(config(min, d), ToyCodec).is_ok());
        let error = Lockstep::new(config(min - 1, d), ToyCodec).unwrap_err();
        assert_eq!(
            error,
            LockstepError::CapacityTooSmall {
                capacity_bits: min - 1,
                min,
                delay: delay(d)
            }
        );
    }
    let error = Lockstep::new(config(FRAME_BITS_MAX + 1, 3), ToyCodec).unwrap_err();
    assert!(matches!(error, LockstepError::CapacityTooLarge { .. }));
}

#[test]
fn any_command_fits_an_empty_window_at_the_least_capacity() {
    for d in 3..=8 {
        let mut lab = Lab::with_capacity(d, min_capacity_bits(delay(d)));
        let mut given = vec![];
        for first in [0, 1 << 23, 5] {
            lab.give(long(first));
        }
        while let Some(applied) = (lab.blue_tick().0 < 60).then(|| lab.tick()) {
            given.extend(applied);
        }
        let units: usize = given.iter().map(|order| order.command.units().len()).sum();
        assert_eq!(units, 21, "D = {d}: {given:?}");
    }
}

#[test]
fn turns_zero_to_d_less_one_are_empty_and_everything_starts_there() {
    for d in 3..=8 {
        let lab = Lab::new(d);
        let status = lab.blue.status(lab.now());
        let start = u32::from(d) - 1;
        assert_eq!(
            (status.newest_sealed, status.ack_through, status.peer_ack),
            (start, start, start)
        );
        assert_eq!(
            lab.described(&lab.blue_frames[0]),
            (start, start, start, vec![])
        );
    }
}

#[test]
fn with_everything_acknowledged_the_newest_turn_is_still_described() {
    let mut lab = Lab::new(5);
    lab.give(walk(1));
    for _ in 0..4 {
        lab.tick();
    }
    let status = lab.blue.status(lab.now());
    assert_eq!(status.peer_ack, status.newest_sealed);
    let newest = status.newest_sealed;
    let (_, from, to, _) = lab.described(&lab.blue_frames[0]);
    assert_eq!((from, to), (newest, newest));
}

#[test]
fn turns_are_repeated_until_acknowledged() {
    let mut lab = Lab::new(5);
    lab.give(walk(1));
    lab.seal();
    let (_, from, to, turns) = lab.described(&lab.blue_frames[0]);
    assert_eq!((from, to, turns), (5, 5, vec![5]));
    lab.blue_hears(); // red's turn 5, without having heard of blue's
    lab.step();
    lab.seal();
    let (_, from, to, turns) = lab.described(&lab.blue_frames[0]);
    assert_eq!((from, to, turns), (5, 6, vec![5]));
    lab.red_hears();
    lab.blue_hears();
    let (_, from, to, turns) = lab.described(&lab.blue_frames[0]);
    assert_eq!((from, to, turns), (6, 6, vec![]));
}

#[test]
fn what_does_not_fit_waits_until_acks_shrink_the_window() {
    let mut lab = Lab::new(5);
    lab.blue.limit_segments(1);
    lab.give(long(1));
    lab.give(long(2));
    lab.seal();
    assert_eq!(lab.blue.status(lab.now()).queued, 1);
    for _ in 0..4 {
        lab.blue_hears();
        lab.step();
        lab.seal(); // red hears nothing of it
    }
    assert_eq!(lab.blue.status(lab.now()).queued, 1);
    lab.red_hears();
    lab.blue_hears();
    lab.step();
    lab.seal();
    assert_eq!(lab.blue.status(lab.now()).queued, 0);
}

#[test]
fn the_checkpoint_rides_in_every_frame_where_it_fits() {
    let mut lab = Lab::new(5);
    for _ in 0..60 {
        lab.tick();
    }
    let red = lab.red.status(lab.now());
    let expect = Expect {
        to: red.ack_through,
        tick: red.tick,
    };
    let frame =
        GameFrame::decode(lab.blue_frames[0].bits.as_bitslice(), expect, &ToyCodec).unwrap();
    assert_eq!(frame.checkpoint.map(|mark| mark.tick), Some(Tick(50)));
}

/// What fits when it is sealed still fits, checkpoint and all, when the empty turns that latency leaves have joined it.
#[test]
fn every_frame_has_room_for_the_checkpoint_however_long_its_turns_wait() {
    for variant in 0..150_u32 {
        let mut lab = Lab::new(5);
        for _ in 0..52 {
            lab.tick();
        }
        // As much as a turn takes, in lists of every length.
        for order in 0..4 {
            let count = (variant + 3 * order) % 6 + 1;
            let units = (0..count).map(|at| variant + order + at * (1 + variant % 40));
            lab.give(Attack {
                units: units.collect(),
                target: variant << order,
            });
        }
        // Red hears nothing of it, and blue goes on as far as it can.
        for _ in 0..14 {
            lab.seal();
            let red = lab.red.status(lab.now());
            let expect = Expect {
                to: red.ack_through,
                tick: red.tick,
            };
            for frame in &lab.blue_frames {
                let frame = GameFrame::decode(frame.bits.as_bitslice(), expect, &ToyCodec).unwrap();
                assert!(frame.checkpoint.is_some(), "variant {variant}: {frame:?}");
            }
            lab.blue_hears();
            lab.step();
        }
        let blue = lab.blue.status(lab.now());
        let span = blue.newest_sealed - (blue.peer_ack + 1);
        assert_eq!(span, 2 * 5 + 1, "as long as latency makes it");
    }
}

#[test]
fn the_end_report_yields_to_the_turns_until_it_fits_beside_them() {
    let mut lab = Lab::new(8);
    for _ in 0..10 {
        lab.tick();
    }
    // Turn 18 is as full as a turn gets, and red does not hear of it before blue's world is decided: blue can go on for
    // D ticks, until every counter is long.
    lab.give(Attack {
        units: (0..7).map(|at| 1 + 20 * at).collect(),
        target: 8191,
    });
    lab.give(Produce { kind: 1 });
    lab.seal();
    assert_eq!(lab.blue.status(lab.now()).queued, 0);
    while lab.blue_tick() < Tick(26) {
        lab.blue_hears();
        lab.step();
        lab.seal();
    }
    lab.blue_hears();
    let now = lab.now();
    assert!(lab.blue.orders(Tick(26)).is_some());
    lab.blue.stepped(
        now,
        Tick(26),
        WorldHash(1),
        Some(match_feed::Outcome::draw()),
    );
    lab.collect();
    let decode = |lab: &Lab| {
        let red = lab.red.status(lab.now());
        let expect = Expect {
            to: red.ack_through,
            tick: red.tick,
        };
        let frame =
            GameFrame::decode(lab.blue_frames[0].bits.as_bitslice(), expect, &ToyCodec).unwrap();
        (frame.end.code(), frame.turns.len())
    };
    assert_eq!(decode(&lab), (0, 1), "the turn comes first");
    lab.red_hears();
    lab.blue_hears();
    assert_eq!(decode(&lab), (3, 0));
}

#[test]
fn a_match_longer_than_its_counters_on_the_wire() {
    let mut lab = Lab::new(4);
    let mut applied = 0;
    for tick in 0..70_000_u32 {
        if tick % 100 == 0 {
            lab.give(walk(tick / 100 % 64));
        }
        applied += lab.tick().len();
    }
    let (blue, red) = (lab.blue.status(lab.now()), lab.red.status(lab.now()));
    assert_eq!((blue.tick, red.tick), (Tick(70_000), Tick(70_000)));
    assert_eq!(applied, 700);
    assert_eq!(
        (blue.trail, blue.verdict),
        (red.trail, versus_lockstep::Verdict::Playing)
    );
}
