//! Packets damaged beyond what their CRC can tell: one alone ends nothing, and what it broke is mended or told.

mod common;

use common::Lab;
use link_transport::{FrameBits, LinkTime};
use match_feed::{Outcome, Tick, WorldHash};
use versus_lockstep::{End, FrameError, LEFT_UNHEARD, Leave, TrailMark, Verdict};

fn verdict(lab: &Lab) -> Verdict {
    lab.blue.status(lab.now()).verdict
}

/// 60 ticks in, so that there is a checkpoint.
fn under_way() -> Lab {
    let mut lab = Lab::new(5);
    for _ in 0..60 {
        lab.tick();
    }
    lab
}

/// Frames of red's that would end the match, one of each kind.
fn lies(lab: &Lab) -> Vec<(FrameBits, Verdict)> {
    let tick = lab.red.status(lab.now()).tick;
    let wrong = |tick| TrailMark { tick, trail: 0xBAD };
    let before = Tick(tick.0 - 1);
    vec![
        (lab.forged(|frame| frame.end = End::Left), Verdict::PeerLeft),
        (
            lab.forged(|frame| frame.end = End::Desync),
            Verdict::Desync { tick },
        ),
        (
            lab.forged(|frame| frame.end = End::Decided(wrong(before))),
            Verdict::Desync { tick: before },
        ),
        (
            lab.forged(|frame| frame.checkpoint = Some(wrong(Tick(50)))),
            Verdict::Desync { tick: Tick(50) },
        ),
    ]
}

#[test]
fn one_packet_alone_ends_no_match() {
    for (lie, _) in lies(&under_way()) {
        let mut lab = under_way();
        lab.blue_hears_at(0, &lie).unwrap();
        // Twice out of the link, but heard once.
        lab.blue_hears_at(0, &lie).unwrap();
        assert_eq!(verdict(&lab), Verdict::Playing);
        for _ in 0..60 {
            lab.tick();
        }
        assert_eq!(verdict(&lab), Verdict::Playing);
        assert_eq!(lab.blue_tick(), Tick(120));
        assert_eq!(lab.blue.status(lab.now()).end, End::Playing);
    }
}

#[test]
fn two_packets_end_it() {
    for (said, ended) in lies(&under_way()) {
        let mut lab = under_way();
        lab.blue_hears_at(0, &said).unwrap();
        lab.blue_hears_at(100, &said).unwrap();
        assert_eq!(verdict(&lab), ended);
        let own = lab.blue.status(lab.now()).end;
        let told = if ended == Verdict::PeerLeft {
            End::Left
        } else {
            End::Desync
        };
        assert_eq!(own, told, "the peer is told, in case it is still there");
    }
}

#[test]
fn what_a_newer_packet_contradicts_is_forgotten() {
    for (lie, _) in lies(&under_way()).into_iter().take(2) {
        let mut lab = under_way();
        for ms in 0..20 {
            lab.blue_hears_at(200 * ms, &lie).unwrap();
            let truth = lab.forged(|_| {});
            lab.blue_hears_at(200 * ms + 100, &truth).unwrap();
        }
        assert_eq!(verdict(&lab), Verdict::Playing);
    }
}

#[test]
fn a_peer_heard_to_leave_once_and_then_not_at_all_has_left() {
    let mut lab = under_way();
    lab.red.leave(Leave::Left);
    lab.collect();
    lab.blue_hears();
    let heard = lab.now();
    lab.blue.seal(heard + LEFT_UNHEARD / 2);
    assert_eq!(verdict(&lab), Verdict::Playing);
    lab.blue.seal(heard + LEFT_UNHEARD);
    assert_eq!(verdict(&lab), Verdict::PeerLeft);
}

#[test]
fn a_report_that_agrees_counts_at_once() {
    for blue_first in [true, false] {
        let mut lab = under_way();
        lab.seal();
        lab.red_hears();
        lab.blue_hears();
        let now = lab.now();
        let decide = |lab: &mut Lab| {
            for phone in [&mut lab.blue, &mut lab.red] {
                assert!(phone.orders(Tick(60)).is_some());
                phone.stepped(now, Tick(60), WorldHash(7), Some(Outcome::draw()));
            }
            lab.collect();
        };
        if blue_first {
            decide(&mut lab);
            lab.blue_hears();
        } else {
            let mut red = lab.red.clone();
            red.stepped(now, Tick(60), WorldHash(7), Some(Outcome::draw()));
            let frames = red.poll_frames().unwrap().to_vec();
            lab.blue
                .handle_frame(now, frames.last().unwrap().bits.as_bitslice())
                .unwrap();
            assert_eq!(verdict(&lab), Verdict::Playing);
            decide(&mut lab);
        }
        assert_eq!(verdict(&lab), Verdict::InSync);
    }
}

#[test]
fn a_turn_acknowledged_that_never_arrived_is_sent_again() {
    let mut lab = under_way();
    lab.seal();
    let newest = lab.blue.status(lab.now()).newest_sealed;
    // What red never said: it holds everything.
    let lie = lab.forged(|frame| frame.ack_through = newest);
    lab.blue_hears_at(0, &lie).unwrap();
    assert_eq!(lab.blue.status(lab.now()).peer_ack, newest);
    // Red stands, and says so; blue believes the one packet for a second, and then red.
    let mut ms = 0;
    while lab.red.status(lab.now()).tick < Tick(100) {
        lab.tick();
        ms += 100;
        assert!(
            ms < 8_000,
            "stands for ever: {:#?}",
            lab.red.status(lab.now())
        );
    }
    assert_eq!(verdict(&lab), Verdict::Playing);
}

#[test]
fn a_peer_that_insists_on_holding_what_was_never_sent_is_heard() {
    let mut lab = under_way();
    lab.seal();
    let newest = lab.blue.status(lab.now()).newest_sealed;
    let astray = lab.forged(|frame| frame.ack_through = newest + 1);
    for packet in 0..30 {
        let heard = lab.blue_hears_at(100 * packet, &astray);
        assert_eq!(heard.is_ok(), packet >= 10, "packet {packet}: {heard:?}");
    }
    assert_eq!(lab.blue.status(lab.now()).peer_ack, newest);
    assert_eq!(verdict(&lab), Verdict::Playing);
}

/// A frame of red that has stepped a turn which blue never sealed, though it acknowledges no more than blue did seal.
fn stepped_what_was_never_sealed(lab: &Lab) -> FrameBits {
    let newest = lab.blue.status(lab.now()).newest_sealed;
    lab.forged(|frame| {
        frame.tick = frame.tick.plus(7);
        (frame.from, frame.to) = (frame.to + 1, frame.to + 1);
        frame.ack_through = newest;
    })
}

#[test]
fn a_peer_that_has_stepped_what_was_never_sent_is_out_of_sync() {
    let mut lab = under_way();
    lab.seal();
    let astray = stepped_what_was_never_sealed(&lab);
    for packet in 0..60 {
        let refused = lab.blue_hears_at(100 * packet, &astray);
        assert!(matches!(refused, Err(FrameError::TickAhead { .. })));
        let now = LinkTime::from_ms(lab.ms + 100 * packet);
        let playing = lab.blue.status(now).verdict == Verdict::Playing;
        assert_eq!(playing, packet < 50, "after {packet} packets");
    }
    assert_eq!(lab.blue.status(lab.now()).end, End::Desync);
}

#[test]
fn a_peer_that_also_acknowledges_what_it_stepped_is_out_of_sync() {
    let mut lab = under_way();
    lab.seal();
    let astray = lab.forged(|frame| {
        let ahead = 8;
        frame.tick = frame.tick.plus(ahead);
        (frame.from, frame.to) = (frame.to + ahead, frame.to + ahead);
        frame.ack_through = frame.tick.0 - 1;
    });
    for packet in 0..60 {
        let refused = lab.blue_hears_at(100 * packet, &astray);
        assert!(matches!(refused, Err(FrameError::TickAhead { .. })));
    }
    assert_eq!(lab.blue.status(lab.now()).end, End::Desync);
}

#[test]
fn a_peer_that_holds_turns_not_sealed_is_not_taken_for_one_that_stepped_them() {
    // Seven packets of either claim over 6.5 s: eight of one would be a desync, and fourteen of both are none.
    let mut lab = under_way();
    lab.seal();
    let newest = lab.blue.status(lab.now()).newest_sealed;
    let holds = lab.forged(|frame| frame.ack_through = newest + 1);
    let stepped = stepped_what_was_never_sealed(&lab);
    for packet in 0..14 {
        if packet % 2 == 0 {
            let _ = lab.blue_hears_at(500 * packet, &holds);
        } else {
            let refused = lab.blue_hears_at(500 * packet, &stepped);
            assert!(matches!(refused, Err(FrameError::TickAhead { .. })));
        }
        assert_eq!(verdict(&lab), Verdict::Playing, "after packet {packet}");
    }
    lab.blue_hears_at(7_000, &stepped).unwrap_err();
    assert_eq!(
        lab.blue.status(lab.now()).end,
        End::Desync,
        "the eighth of one claim"
    );
}

#[test]
fn a_peer_that_stepped_what_was_never_sealed_is_not_believed_to_hold_it() {
    let mut lab = under_way();
    lab.seal();
    let newest = lab.blue.status(lab.now()).newest_sealed;
    let holds = lab.forged(|frame| frame.ack_through = newest + 1);
    let stepped = stepped_what_was_never_sealed(&lab);
    for ms in [0, 600, 1_200] {
        lab.blue_hears_at(ms, &stepped).unwrap_err();
    }
    // The first of its claim, though the fourth that is astray.
    let refused = lab.blue_hears_at(1_800, &holds);
    assert!(matches!(refused, Err(FrameError::AckAhead { .. })));
}

#[test]
fn recordings_do_not_vouch_for_a_peer_that_is_out_of_sync() {
    let mut lab = under_way();
    lab.seal();
    let recording = lab.forged(|_| {});
    let astray = stepped_what_was_never_sealed(&lab);
    for packet in 0..100 {
        // One packet in three is a recording.
        if packet % 3 == 0 {
            lab.blue_hears_at(100 * packet, &recording).unwrap();
        } else {
            lab.blue_hears_at(100 * packet, &astray).unwrap_err();
        }
    }
    assert_eq!(lab.blue.status(lab.now()).end, End::Desync);
}

#[test]
fn one_packet_that_is_late_does_not_bring_a_peer_back() {
    // The goodbye, a late packet from before it that says nothing new, and then silence.
    let mut lab = under_way();
    let late = lab.forged(|_| {});
    lab.red.leave(Leave::Left);
    lab.collect();
    lab.blue_hears();
    lab.blue_hears_at(100, &late).unwrap();
    let heard = LinkTime::from_ms(lab.ms + 100);
    lab.blue.seal(heard + LEFT_UNHEARD / 2);
    assert_eq!(verdict(&lab), Verdict::Playing);
    lab.blue.seal(heard + LEFT_UNHEARD);
    assert_eq!(verdict(&lab), Verdict::PeerLeft);
}

#[test]
fn a_peer_that_was_ahead_for_a_moment_is_not_out_of_sync() {
    let mut lab = under_way();
    lab.seal();
    let astray = stepped_what_was_never_sealed(&lab);
    let sane = lab.forged(|_| {});
    for packet in 0..200 {
        if packet % 2 == 0 {
            lab.blue_hears_at(100 * packet, &sane).unwrap();
        } else {
            let refused = lab.blue_hears_at(100 * packet, &astray);
            assert!(matches!(refused, Err(FrameError::TickAhead { .. })));
        }
    }
    assert_eq!(verdict(&lab), Verdict::Playing);
}

#[test]
fn a_peer_that_moves_on_between_packets_that_are_astray_is_not_out_of_sync() {
    // Each round two packets are astray and one or more are newer than all before: those clear what was counted, where
    // one that says nothing new takes back one packet only.
    let mut lab = under_way();
    for _ in 0..70 {
        lab.seal();
        let astray = stepped_what_was_never_sealed(&lab);
        for _ in 0..2 {
            lab.ms += 10;
            let refused = lab.blue_hears_at(0, &astray);
            assert!(matches!(refused, Err(FrameError::TickAhead { .. })));
        }
        lab.tick();
    }
    assert_eq!(lab.blue_tick(), Tick(130));
    assert_eq!(verdict(&lab), Verdict::Playing);
}
