//! Segments: where they are cut, what their frames say, and when another may be started.

mod common;

use common::{Lab, ToyCodec, long};
use link_transport::LinkTime;
use match_feed::WorldHash;
use versus_lockstep::{Expect, GameFrame, Leave};

#[test]
fn segments_are_cut_when_sealed_and_keyed_by_their_first_turn() {
    let mut lab = Lab::with_open_gate(8);
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
        lab.blue_hears();
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
    let mut lab = Lab::with_open_gate(8);
    lab.give(long(1));
    lab.give(long(2));
    lab.seal();
    lab.blue_hears();
    lab.step();
    lab.seal();
    // The second segment starts at the newest turn, and grows by empty ones.
    let key = lab.blue_frames[1].key;
    assert_eq!(key, lab.blue.status(lab.now()).newest_sealed);
    let halfway = lab.blue_frames.clone();
    for _ in 0..2 {
        lab.blue_hears();
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
    lab.blue_hears();
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
    let mut lab = Lab::with_open_gate(8);
    lab.give(long(1));
    lab.give(long(2));
    lab.seal();
    lab.blue_hears();
    lab.step();
    lab.seal();
    assert_eq!(lab.blue_frames.len(), 2);
    lab.ms += 700;
    let before = lab.red.status(lab.now());
    let now = lab.now();
    let [first, second] = [lab.blue_frames[0].bits, lab.blue_frames[1].bits];
    lab.red.handle_frame(now, second.as_bitslice()).unwrap();
    let with_gap = lab.red.status(now);
    assert_eq!(with_gap.ack_through, before.ack_through);
    assert!(with_gap.turns_held > before.turns_held);
    // A turn that leaves a gap is none that was waited for.
    assert_eq!(with_gap.waiting, before.waiting);
    assert!(with_gap.waiting.as_millis() >= 700);
    lab.red.handle_frame(now, first.as_bitslice()).unwrap();
    let whole = lab.red.status(now);
    assert_eq!(whole.ack_through, lab.blue.status(now).newest_sealed);
    assert!(whole.waiting.is_zero());
}

#[test]
fn a_second_segment_needs_sixteen_frames_of_slack() {
    for frames in [15, 16] {
        let mut lab = Lab::new(8);
        for _ in 0..frames {
            // One frame of red a tick.
            lab.seal();
            lab.red_hears();
            lab.blue_hears();
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
    let mut lab = Lab::with_open_gate(8);
    disturb(&mut lab);
    for _ in 0..frames {
        lab.seal();
        lab.red_hears();
        lab.blue_hears();
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
        lab.blue_hears();
        lab.red.set_paused(now, false);
        lab.collect();
    };
    let stall_blue = |lab: &mut Lab| {
        for _ in 0..12 {
            lab.seal();
            lab.red_hears(); // and nothing comes back
            lab.step();
        }
        lab.blue_hears();
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
    let mut lab = Lab::with_open_gate(3);
    lab.give(long(1));
    lab.give(long(2));
    lab.seal();
    lab.step();
    lab.seal();
    assert_eq!(lab.blue_frames.len(), 1);
}

#[test]
fn the_end_report_rides_only_in_the_newest_segments_frame_and_left_rides_in_all() {
    let ended = |end: fn(&mut Lab, LinkTime)| {
        let mut lab = Lab::with_open_gate(8);
        lab.give(long(1));
        lab.give(long(2));
        lab.seal();
        lab.blue_hears();
        lab.step();
        lab.seal();
        assert_eq!(lab.blue_frames.len(), 2);
        lab.blue_hears();
        let now = lab.now();
        end(&mut lab, now);
        lab.collect();
        let red = lab.red.status(now);
        let expect = Expect {
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
    let left = ended(|lab, _| lab.blue.leave(Leave::Left));
    assert_eq!(left, [1, 1]);
    let decided = ended(|lab, now| {
        let tick = lab.blue_tick();
        assert!(lab.blue.orders(tick).is_some());
        lab.blue
            .stepped(now, tick, WorldHash(1), Some(match_feed::Outcome::draw()));
    });
    assert_eq!(decided, [0, 3]);
}

/// Blue's frames do not reach red until red stands still, and blue hears that it does.
fn until_red_stalls(lab: &mut Lab) {
    for _ in 0..14 {
        lab.seal();
        lab.blue_hears();
        lab.step();
    }
    assert!(lab.red.status(lab.now()).stalled);
}

/// Whether blue still starts a second segment, once everything has been quiet for long.
fn still_rotates(lab: &mut Lab) -> bool {
    for _ in 0..60 {
        lab.tick();
    }
    lab.give(long(1));
    lab.give(long(2));
    lab.seal();
    lab.step();
    lab.seal();
    lab.blue_frames.len() == 2
}

#[test]
fn one_strike_the_peer_stalls_during_a_rotation_and_there_is_none_for_the_rest_of_the_match() {
    let mut lab = Lab::with_open_gate(8);
    until_red_stalls(&mut lab);
    assert!(
        still_rotates(&mut lab),
        "a stall without a rotation is no strike"
    );

    let mut lab = Lab::with_open_gate(8);
    lab.give(long(1));
    lab.give(long(2));
    lab.seal();
    lab.step();
    lab.seal();
    assert_eq!(lab.blue_frames.len(), 2);
    until_red_stalls(&mut lab);
    assert!(!still_rotates(&mut lab));
}

#[test]
fn a_stall_within_two_d_ticks_of_a_rotation_is_a_strike_and_later_none() {
    for (quiet_ticks, strikes) in [(4, true), (40, false)] {
        let mut lab = Lab::with_open_gate(8);
        lab.give(long(1));
        lab.give(long(2));
        lab.seal();
        lab.step();
        lab.seal();
        lab.red_hears();
        lab.blue_hears(); // the rotation is over
        assert_eq!(lab.blue_frames.len(), 1);
        for _ in 0..quiet_ticks {
            lab.tick();
        }
        until_red_stalls(&mut lab);
        assert_eq!(
            still_rotates(&mut lab),
            !strikes,
            "after {quiet_ticks} ticks"
        );
    }
}

#[test]
fn a_starving_peer_gets_the_oldest_segment_alone_until_it_holds_it() {
    let mut lab = Lab::with_open_gate(8);
    lab.give(long(1));
    lab.give(long(2));
    lab.seal();
    lab.step();
    lab.seal();
    let (oldest, _, oldest_end, _) = lab.described(&lab.blue_frames[0]);
    until_red_stalls(&mut lab);
    // (2 segments + 1) packets of 100 ms and 2D ticks after the last ack.
    while lab.blue_frames.len() == 2 {
        assert!(lab.ms < 10_000);
        lab.ms += 100;
        lab.blue_hears();
    }
    let alone = lab.blue_frames.clone();
    assert_eq!(alone.len(), 1);
    assert_eq!(alone[0].key, oldest);
    assert_eq!(lab.described(&alone[0]).2, oldest_end);
    lab.red_hears();
    lab.blue_hears();
    assert!(lab.blue.status(lab.now()).peer_ack >= oldest_end);
    let newest = lab.blue.status(lab.now()).newest_sealed;
    let listed = lab.blue_frames.last().unwrap();
    assert_eq!(
        lab.described(listed).2,
        newest,
        "the newest turn is described again"
    );
}

#[test]
fn a_thirty_unit_order_at_d_7_is_sealed_within_five_ticks() {
    let mut duel = common::Duel::new(common::DuelConfig {
        delay: 7,
        ..Default::default()
    });
    for phone in duel.phones() {
        phone.player.every = 0;
    }
    duel.play(60, 20_000);
    for phone in duel.phones() {
        phone.player.burst_every = Some(100);
    }
    duel.play(1200, 130_000);
    for phone in duel.phones() {
        let delay = phone.status().order_delay;
        assert!(delay.pieces >= 30 && delay.max_ticks - 7 <= 5, "{delay:?}");
    }
}

/// From the order to the tick that it is applied in, over all pieces that both phones gave in `seeds` matches of two
/// minutes at D = 6 in fast mode: an order to 30 units from each every 5 s, and one to a few units every `every` ticks or so.
fn mean_delay_at_d_6(latency_ms: u64, every: u32, segments_max: usize, seeds: u64) -> f64 {
    let (mut ticks, mut pieces) = (0, 0);
    for seed in 1..=seeds {
        let mut duel = common::Duel::new(common::DuelConfig {
            delay: 6,
            latency_ms,
            segments_max,
            seed,
            ..Default::default()
        });
        for phone in duel.phones() {
            phone.player.every = every;
        }
        // The slack gate first has to see 16 frames.
        duel.play(20, 20_000);
        for phone in duel.phones() {
            phone.player.burst_every = Some(50);
        }
        duel.play(1200, 130_000);
        for phone in duel.phones() {
            let delay = phone.status().order_delay;
            (ticks, pieces) = (ticks + delay.total_ticks, pieces + delay.pieces);
        }
    }
    ticks as f64 / pieces as f64
}

/// A turn has room for one piece of 96 bits, not for two, so the three pieces of a 30-unit order take 6, 7 and 8 ticks at
/// the least: it is 7 exactly, and nothing is wasted.
#[test]
fn at_d_6_fast_orders_take_seven_ticks_on_average() {
    for latency_ms in [130, 160] {
        let mean = mean_delay_at_d_6(latency_ms, 0, 4, 2);
        assert!(mean <= 7.0, "{latency_ms} ms: {mean}");
    }
}

/// With smaller orders among them: the specification's 9.4 ticks with one segment, and 6.9 with rotation.
#[test]
fn at_d_6_fast_rotation_gains_what_the_specification_measured() {
    let one = mean_delay_at_d_6(130, 30, 1, 4);
    let rotated = mean_delay_at_d_6(130, 30, 4, 4);
    assert!((9.2..10.0).contains(&one), "{one}");
    assert!(rotated <= 6.9, "{rotated}");
}
