//! Turns, acks, segments and frames in exact situations.

mod common;

use bitvec::prelude::*;
use common::{Lab, ToyCodec, ToyCommand, ToyCommand::*};
use link_transport::{FRAME_BITS_MAX, FrameBits, LinkTime};
use match_feed::{InputDelay, Side, Tick, WorldHash};
use versus_codec::{BitWriter, kit::Cell};
use versus_lockstep::{
    End, FrameError, FrameTurn, GameFrame, Lockstep, LockstepConfig, LockstepError, TrailMark,
    min_capacity_bits,
};

fn delay(ticks: u8) -> InputDelay {
    InputDelay::new(ticks).unwrap()
}

/// A command of three units that takes a middling number of bits.
fn walk(first: u32) -> ToyCommand {
    Move {
        units: vec![first, first + 900, first + 1900],
        to: Cell { x: 5, y: 5 },
    }
}

/// One of the longest there are.
fn long(first: u32) -> ToyCommand {
    Move {
        units: (0..7).map(|at| first + 20 * at).collect(),
        to: Cell { x: 5, y: 5 },
    }
}

#[test]
fn the_least_capacity_is_what_the_format_says() {
    let least: Vec<_> = (3..=8).map(|d| min_capacity_bits(delay(d))).collect();
    assert_eq!(least, [175, 175, 177, 177, 183, 183]);
}

#[test]
fn a_capacity_that_could_lock_a_command_out_is_an_error() {
    let config = |capacity_bits, d| LockstepConfig {
        local: Side::Blue,
        delay: delay(d),
        capacity_bits,
        packet_ms: 100,
        start: WorldHash(0),
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
    lab.to_blue(); // red's turn 5, without having heard of blue's
    lab.step();
    lab.seal();
    let (_, from, to, turns) = lab.described(&lab.blue_frames[0]);
    assert_eq!((from, to, turns), (5, 6, vec![5]));
    lab.to_red();
    lab.to_blue();
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
        lab.to_blue();
        lab.step();
        lab.seal(); // red hears nothing of it
    }
    assert_eq!(lab.blue.status(lab.now()).queued, 1);
    lab.to_red();
    lab.to_blue();
    lab.step();
    lab.seal();
    assert_eq!(lab.blue.status(lab.now()).queued, 0);
}

/// Blue with red's slack known to be ample: 16 of its frames have said so.
fn with_open_gate(d: u8) -> Lab {
    let mut lab = Lab::new(d);
    for _ in 0..20 {
        lab.tick();
    }
    lab
}

#[test]
fn segments_are_cut_when_sealed_and_keyed_by_their_first_turn() {
    let mut lab = with_open_gate(8);
    for first in [1, 2, 3, 4, 5, 6] {
        lab.give(long(first));
    }
    let mut keys = vec![];
    for sealed in 0..5 {
        lab.seal();
        keys.push(lab.blue.status(lab.now()).newest_sealed);
        let listed: Vec<_> = lab.blue_frames.iter().map(|frame| frame.key).collect();
        // The first joins the segment there was; each further one takes its own, four in all.
        let expected = (sealed + 1_usize).min(4);
        assert_eq!(listed.len(), expected, "{listed:?}");
        assert_eq!(listed[1..], keys[1..expected]);
        lab.to_blue();
        lab.step();
    }
    // Together they describe everything that is not acknowledged, without a gap.
    let status = lab.blue.status(lab.now());
    let mut next = status.peer_ack + 1;
    for frame in &lab.blue_frames {
        let (key, from, to, _) = lab.described(frame);
        assert_eq!(from, next);
        assert!(key <= from);
        next = to + 1;
    }
    assert_eq!(next, status.newest_sealed + 1);
}

#[test]
fn an_ack_in_mid_segment_leaves_its_key_unchanged() {
    let mut lab = with_open_gate(8);
    lab.give(long(1));
    lab.give(long(2));
    lab.seal();
    lab.to_blue();
    lab.step();
    lab.seal();
    // The second segment starts at the newest turn, and grows by empty ones.
    let key = lab.blue_frames[1].key;
    assert_eq!(key, lab.blue.status(lab.now()).newest_sealed);
    let halfway = lab.blue_frames.clone();
    for _ in 0..2 {
        lab.to_blue();
        lab.step();
        lab.seal();
    }
    assert_eq!(
        lab.described(&lab.blue_frames[1]),
        (key, key, key + 2, vec![key])
    );
    let now = lab.now();
    for frame in halfway {
        lab.red.handle_frame(now, frame.bits.as_bitslice()).unwrap();
    }
    lab.collect();
    lab.to_blue();
    assert_eq!(lab.blue.status(lab.now()).peer_ack, key);
    assert_eq!(
        lab.blue_frames.len(),
        1,
        "the first segment is acknowledged whole"
    );
    assert_eq!(
        lab.described(&lab.blue_frames[0]),
        (key, key + 1, key + 2, vec![])
    );
}

#[test]
fn segments_heard_out_of_order_are_kept() {
    let mut lab = with_open_gate(8);
    lab.give(long(1));
    lab.give(long(2));
    lab.seal();
    lab.to_blue();
    lab.step();
    lab.seal();
    assert_eq!(lab.blue_frames.len(), 2);
    let before = lab.red.status(lab.now());
    let now = lab.now();
    let [first, second] = [lab.blue_frames[0].bits, lab.blue_frames[1].bits];
    lab.red.handle_frame(now, second.as_bitslice()).unwrap();
    let with_gap = lab.red.status(now);
    assert_eq!(with_gap.ack_through, before.ack_through);
    assert!(with_gap.turns_held > before.turns_held);
    lab.red.handle_frame(now, first.as_bitslice()).unwrap();
    assert_eq!(
        lab.red.status(now).ack_through,
        lab.blue.status(now).newest_sealed
    );
}

#[test]
fn a_second_segment_needs_sixteen_frames_of_slack() {
    for frames in [15, 16] {
        let mut lab = Lab::new(8);
        for _ in 0..frames {
            // One frame of red a tick.
            lab.seal();
            lab.to_red();
            lab.to_blue();
            lab.step();
        }
        lab.give(long(1));
        lab.give(long(2));
        lab.seal();
        lab.step();
        lab.seal();
        let expected = if frames == 16 { 2 } else { 1 };
        assert_eq!(lab.blue_frames.len(), expected, "after {frames} frames");
    }
}

/// How many segments two long orders are cut into after `disturb` and `frames` more frames of red.
fn segments_after(disturb: impl Fn(&mut Lab), frames: u32) -> usize {
    let mut lab = with_open_gate(8);
    disturb(&mut lab);
    for _ in 0..frames {
        lab.seal();
        lab.to_red();
        lab.to_blue();
        lab.step();
    }
    lab.give(long(1));
    lab.give(long(2));
    lab.seal();
    lab.step();
    lab.seal();
    lab.blue_frames.len()
}

#[test]
fn the_slack_window_starts_over_when_either_phone_pauses_or_this_one_stalls_or_its_period_changes()
{
    let pause_blue = |lab: &mut Lab| {
        let now = lab.now();
        lab.blue.set_paused(now, true);
        lab.blue.set_paused(now, false);
    };
    let pause_red = |lab: &mut Lab| {
        let now = lab.now();
        lab.red.set_paused(now, true);
        lab.collect();
        lab.to_blue();
        lab.red.set_paused(now, false);
        lab.collect();
    };
    let stall_blue = |lab: &mut Lab| {
        for _ in 0..12 {
            lab.seal();
            lab.to_red(); // and nothing comes back
            lab.step();
        }
        lab.to_blue();
    };
    let other_period = |lab: &mut Lab| {
        lab.blue.set_packet_ms(200);
        lab.blue.set_packet_ms(100);
    };
    let same_period = |lab: &mut Lab| lab.blue.set_packet_ms(100);
    assert_eq!(segments_after(|_| {}, 5), 2);
    assert_eq!(segments_after(same_period, 5), 2);
    assert_eq!(segments_after(pause_blue, 10), 1);
    assert_eq!(segments_after(pause_red, 10), 1);
    assert_eq!(segments_after(stall_blue, 10), 1);
    assert_eq!(segments_after(other_period, 10), 1);
    assert_eq!(segments_after(pause_blue, 17), 2);
    assert_eq!(segments_after(pause_red, 17), 2);
    assert_eq!(segments_after(other_period, 17), 2);
}

#[test]
fn the_gate_counts_the_senders_own_period() {
    // Slack 8 bears one packet more of 400 ms at 4 + 3, but not of 500.
    assert_eq!(segments_after(|lab| lab.blue.set_packet_ms(400), 17), 2);
    assert_eq!(segments_after(|lab| lab.blue.set_packet_ms(500), 17), 1);
}

#[test]
fn at_d_3_there_is_one_segment() {
    let mut lab = with_open_gate(3);
    lab.give(long(1));
    lab.give(long(2));
    lab.seal();
    lab.step();
    lab.seal();
    assert_eq!(lab.blue_frames.len(), 1);
}

/// A frame of red as it would be, with one thing changed.
fn forged(lab: &Lab, change: impl FnOnce(&mut GameFrame<'_>)) -> FrameBits {
    let red = lab.red.status(lab.now());
    let mut frame = GameFrame {
        paused: false,
        end: End::Playing,
        rxq: 0,
        from: red.newest_sealed,
        to: red.newest_sealed,
        tick: red.tick,
        ack_through: red.ack_through,
        turns: Default::default(),
        checkpoint: None,
    };
    change(&mut frame);
    let mut bits = bitvec![u8, Msb0; 0; 256];
    let mut out = BitWriter::new(&mut bits);
    frame.encode(&mut out).unwrap();
    let len = out.len();
    FrameBits::from_bitslice(&bits[..len]).unwrap()
}

#[test]
fn a_frame_that_no_friend_can_have_sent_is_refused() {
    let mut lab = with_open_gate(5);
    lab.seal();
    let before = format!("{:?}", lab.blue);
    let own = lab.blue.status(lab.now());
    let mark = |tick| TrailMark { tick, trail: 1 };

    let bits = forged(&lab, |frame| frame.ack_through = own.newest_sealed + 1);
    assert!(matches!(lab.refuse(&bits), FrameError::AckAhead { .. }));
    let bits = forged(&lab, |frame| {
        frame.tick = own.tick.plus(7);
        frame.to = frame.tick.0 + 5;
        frame.from = frame.to;
        frame.ack_through = own.newest_sealed;
    });
    assert!(matches!(lab.refuse(&bits), FrameError::TickAhead { .. }));
    let bits = forged(&lab, |frame| frame.to += 1);
    assert!(
        matches!(lab.refuse(&bits), FrameError::Inconsistent { .. }),
        "sealed too far"
    );
    let bits = forged(&lab, |frame| frame.ack_through = frame.tick.0 - 2);
    assert!(
        matches!(lab.refuse(&bits), FrameError::Inconsistent { .. }),
        "stepped without a turn"
    );
    let bits = forged(&lab, |frame| frame.checkpoint = Some(mark(Tick(50))));
    assert!(matches!(lab.refuse(&bits), FrameError::MarkAhead { .. }));
    let bits = forged(&lab, |frame| frame.end = End::Decided(mark(frame.tick)));
    assert!(matches!(lab.refuse(&bits), FrameError::MarkAhead { .. }));

    let commands = bitvec![u8, Msb0; 0; 140];
    // `Move` of nobody: type 0, then a list; 140 bits of opaque length are too many for any sender.
    let turn = FrameTurn {
        turn: lab.red.status(lab.now()).newest_sealed,
        commands: 1,
        bits: &commands,
    };
    let red = lab.red.status(lab.now());
    let frame = GameFrame {
        paused: false,
        end: End::Playing,
        rxq: 0,
        from: turn.turn,
        to: turn.turn,
        tick: red.tick,
        ack_through: red.ack_through,
        turns: [turn].into_iter().collect(),
        checkpoint: None,
    };
    let mut bits = bitvec![u8, Msb0; 0; 256];
    frame.encode(&mut BitWriter::new(&mut bits)).unwrap();
    assert!(
        lab.refuse(&FrameBits::from_bitslice(&bits).unwrap())
            .to_string()
            .contains("command")
    );
    assert_eq!(
        format!("{:?}", lab.blue),
        before,
        "a refused frame changes nothing"
    );
}

#[test]
fn a_turn_longer_than_any_sealed_is_refused() {
    let mut lab = with_open_gate(5);
    let mut commands = bitvec![u8, Msb0; 0; 140];
    let mut out = BitWriter::new(&mut commands);
    for _ in 0..13 {
        versus_codec::CommandCodec::encode(
            &ToyCodec,
            &Produce { kind: 3 },
            &mut Default::default(),
            &mut out,
        )
        .unwrap();
    }
    for _ in 0..2 {
        versus_codec::CommandCodec::encode(&ToyCodec, &Resign, &mut Default::default(), &mut out)
            .unwrap();
    }
    let len = out.len();
    assert_eq!(len, 140);
    let red = lab.red.status(lab.now());
    let turn = FrameTurn {
        turn: red.newest_sealed,
        commands: 15,
        bits: &commands[..len],
    };
    let frame = GameFrame {
        paused: false,
        end: End::Playing,
        rxq: 0,
        from: turn.turn,
        to: turn.turn,
        tick: red.tick,
        ack_through: red.ack_through,
        turns: [turn].into_iter().collect(),
        checkpoint: None,
    };
    let mut bits = bitvec![u8, Msb0; 0; 256];
    frame.encode(&mut BitWriter::new(&mut bits)).unwrap();
    let refused = lab.refuse(&FrameBits::from_bitslice(&bits).unwrap());
    assert!(
        matches!(refused, FrameError::TurnTooLong { bits: 140, .. }),
        "{refused}"
    );
}

#[test]
fn peer_ack_only_increases_and_an_old_frame_says_nothing_of_now() {
    let mut lab = with_open_gate(5);
    let old = lab.red_frames.clone();
    for _ in 0..3 {
        lab.tick();
    }
    let now = lab.now();
    lab.red.set_paused(now, true);
    lab.collect();
    lab.to_blue();
    let before = lab.blue.status(now);
    assert!(before.peer_paused);
    lab.blue
        .handle_frame(now, old[0].bits.as_bitslice())
        .unwrap();
    let after = lab.blue.status(now);
    assert_eq!(
        (after.peer_ack, after.peer_paused, after.peer_tick),
        (before.peer_ack, true, before.peer_tick)
    );
}

#[test]
fn the_checkpoint_rides_in_every_frame_where_it_fits() {
    let mut lab = Lab::new(5);
    for _ in 0..60 {
        lab.tick();
    }
    let red = lab.red.status(lab.now());
    let expect = versus_lockstep::Expect {
        to: red.ack_through,
        tick: red.tick,
    };
    let frame =
        GameFrame::decode(lab.blue_frames[0].bits.as_bitslice(), expect, &ToyCodec).unwrap();
    assert_eq!(frame.checkpoint.map(|mark| mark.tick), Some(Tick(50)));
}

#[test]
fn the_end_report_rides_only_in_the_newest_segments_frame_and_left_rides_in_all() {
    let ended = |end: fn(&mut Lab, LinkTime)| {
        let mut lab = with_open_gate(8);
        lab.give(long(1));
        lab.give(long(2));
        lab.seal();
        lab.to_blue();
        lab.step();
        lab.seal();
        assert_eq!(lab.blue_frames.len(), 2);
        lab.to_blue();
        let now = lab.now();
        end(&mut lab, now);
        lab.collect();
        let red = lab.red.status(now);
        let expect = versus_lockstep::Expect {
            to: red.ack_through,
            tick: red.tick,
        };
        let ends: Vec<_> = lab
            .blue_frames
            .iter()
            .map(|frame| {
                GameFrame::decode(frame.bits.as_bitslice(), expect, &ToyCodec)
                    .unwrap()
                    .end
                    .code()
            })
            .collect();
        ends
    };
    let left = ended(|lab, _| lab.blue.leave(versus_lockstep::Leave::Left));
    assert_eq!(left, [1, 1]);
    let decided = ended(|lab, now| {
        let tick = lab.blue_tick();
        assert!(lab.blue.orders(tick).is_some());
        lab.blue
            .stepped(now, tick, WorldHash(1), Some(match_feed::Outcome::draw()));
    });
    assert_eq!(decided, [0, 3]);
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
        lab.to_blue();
        lab.step();
        lab.seal();
    }
    lab.to_blue();
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
        let expect = versus_lockstep::Expect {
            to: red.ack_through,
            tick: red.tick,
        };
        let frame =
            GameFrame::decode(lab.blue_frames[0].bits.as_bitslice(), expect, &ToyCodec).unwrap();
        (frame.end.code(), frame.turns.len())
    };
    assert_eq!(decode(&lab), (0, 1), "the turn comes first");
    lab.to_red();
    lab.to_blue();
    assert_eq!(decode(&lab), (3, 0));
}
