//! What a phone hands its link and when, what its frames say of now, and the pace that follows from what was on the air.

mod common;

use bitvec::prelude::*;
use common::{Lab, ToyCodec, long, walk};
use link_transport::Slot;
use versus_lockstep::{Expect, GameFrame, Leave};

/// A frame as the other phone reads it.
fn read(lab: &Lab, bits: &BitSlice<u8, Msb0>, check: impl FnOnce(GameFrame<'_>)) {
    let red = lab.red.status(lab.now());
    let expect = Expect {
        to: red.ack_through,
        tick: red.tick,
    };
    check(GameFrame::decode(bits, expect, &ToyCodec).expect("blue's own"));
}

/// Whether blue has another list to hand over; if so it is on the air now.
fn is_new(lab: &mut Lab) -> bool {
    let frames = lab.blue.poll_frames().map(<[_]>::to_vec);
    let is_new = frames.is_some();
    lab.blue_frames = frames.unwrap_or(lab.blue_frames.clone());
    is_new
}

/// Blue hears what red has on the air, and hands nothing over yet.
fn hear(lab: &mut Lab) {
    let now = lab.now();
    for frame in lab.red_frames.clone() {
        lab.blue
            .handle_frame(now, frame.bits.as_bitslice())
            .expect("red's own");
    }
}

#[test]
fn frames_are_handed_over_when_something_they_say_has_changed_and_only_then() {
    let mut lab = Lab::new(5);
    for _ in 0..10 {
        lab.tick();
    }
    let now = lab.now();
    is_new(&mut lab);
    assert!(!is_new(&mut lab), "the link repeats them by itself");
    assert!(lab.blue.seal(now) && is_new(&mut lab), "a turn was sealed");
    assert!(!lab.blue.seal(now) && !is_new(&mut lab));
    lab.red.seal(now);
    lab.red_frames = lab.red.poll_frames().expect("sealed").to_vec();
    hear(&mut lab);
    assert!(is_new(&mut lab), "red's turn is acknowledged");
    hear(&mut lab);
    assert!(!is_new(&mut lab), "heard again: nothing new to say");
    lab.red_hears();
    hear(&mut lab);
    assert_eq!(
        lab.blue.status(now).peer_ack,
        lab.blue.status(now).newest_sealed
    );
    // The newest turn is still described, so this may leave every bit as it was.
    is_new(&mut lab);
    lab.blue.set_paused(now, true);
    assert!(is_new(&mut lab), "paused");
    lab.blue.set_paused(now, true);
    assert!(!is_new(&mut lab));
    lab.blue.set_paused(now, false);
    assert!(is_new(&mut lab), "plays on");
    lab.blue.leave(Leave::Left);
    assert!(is_new(&mut lab), "left");
}

#[test]
fn a_stalled_phones_peer_hears_how_well_it_is_heard() {
    let mut lab = Lab::new(5);
    for _ in 0..10 {
        lab.tick();
    }
    lab.blue.set_rxq(6);
    lab.collect();
    read(&lab, lab.blue_frames[0].bits.as_bitslice(), |frame| {
        assert_eq!(frame.rxq, 6)
    });
    lab.blue.set_rxq(6);
    assert!(lab.blue.poll_frames().is_none(), "the same again");
    lab.red_hears();
    assert_eq!(lab.red.status(lab.now()).peer_rxq, Some(6));
}

/// While blue's turns do not get through, its oldest segments fall ever further behind what it knows.
#[test]
fn what_a_frame_says_of_ticks_and_acknowledgements_stays_within_its_bounds() {
    for d in [4_u8, 6, 8] {
        let mut lab = Lab::with_open_gate(d);
        let d = i64::from(d);
        for first in 1..9 {
            lab.give(long(first));
        }
        let mut segments = 0;
        for tick in 0..40 {
            lab.seal();
            lab.blue_hears();
            lab.step();
            // Red hears only every sixth list, and of it only the newest segment.
            if tick % 6 == 5 {
                let now = lab.now();
                let newest = lab.blue_frames.last().expect("a frame").bits;
                lab.red
                    .handle_frame(now, newest.as_bitslice())
                    .expect("blue's own");
                lab.collect();
            }
            let held = i64::from(lab.blue.status(lab.now()).ack_through);
            segments = segments.max(lab.blue_frames.len());
            for frame in &lab.blue_frames {
                read(&lab, frame.bits.as_bitslice(), |frame| {
                    let lag = i64::from(frame.to) - i64::from(frame.tick.0);
                    let ack = i64::from(frame.ack_through) - i64::from(frame.to);
                    assert!((-d - 1..=d).contains(&lag), "tick lag {lag} at D = {d}");
                    assert!(
                        (-2 * d - 1..=3 * d + 1).contains(&ack),
                        "ack {ack} at D = {d}"
                    );
                    assert!(
                        i64::from(frame.ack_through) <= held,
                        "says it holds more than it does"
                    );
                });
            }
        }
        assert!(segments >= 2, "{segments} segments at D = {d}");
    }
}

#[test]
fn the_pace_compares_what_both_had_on_the_air_not_what_this_phone_knows_by_now() {
    let mut lab = Lab::new(8);
    for _ in 0..20 {
        lab.tick();
    }
    let on_air = |lab: &mut Lab| {
        lab.collect();
        let (at, key) = (lab.now(), lab.blue_frames[0].key);
        lab.blue.handle_slot(Slot { at, key: Some(key) });
    };
    lab.seal();
    on_air(&mut lab);
    let before = lab.blue.status(lab.now());
    // Red's next turn comes: this phone could step one tick more, but its packet on the air does not say so yet.
    lab.blue_hears();
    let after = lab.blue.status(lab.now());
    assert_eq!(after.ack_through, before.ack_through + 1);
    assert_eq!(after.slack, before.slack, "as the newest packet said");
    let speed = lab.blue.speed_permille();
    on_air(&mut lab);
    let told = lab.blue.status(lab.now());
    assert_eq!(told.slack, before.slack + 1);
    let peer = told.peer_slack.expect("red was heard");
    let expected = (1000 + 20 * (told.slack - peer)).clamp(900, 1100);
    assert_eq!(lab.blue.speed_permille(), expected as u32);
    assert_eq!(
        lab.blue.speed_permille(),
        speed + 20,
        "one tick of slack more"
    );
}

#[test]
fn before_the_first_packet_the_slack_is_what_this_phone_holds() {
    let mut lab = Lab::new(6);
    let status = lab.blue.status(lab.now());
    assert_eq!(status.slack, 5, "turns 0 to 5 are empty and held");
    assert_eq!((status.peer_slack, lab.blue.speed_permille()), (None, 1000));
    // Turns heard count at once as long as nothing was on the air.
    lab.red.give(lab.now(), walk(1)).expect("legal");
    lab.seal();
    lab.blue_hears();
    assert_eq!(lab.blue.status(lab.now()).slack, 6);
}
