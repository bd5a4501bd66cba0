//! Frames that no friend can have sent by now.

mod common;

use bitvec::prelude::*;
use common::{Lab, ToyCodec, ToyCommand::*};
use link_transport::FrameBits;
use match_feed::Tick;
use versus_codec::{BitWriter, CommandCodec, EncodeError};
use versus_lockstep::{End, Expect, FrameError, FrameTurn, GameFrame, TrailMark};

/// A frame of red as it would be, with one thing changed.
fn forged(lab: &Lab, change: impl FnOnce(&mut GameFrame<'_>)) -> FrameBits {
    try_forged(lab, change).unwrap()
}

fn try_forged(
    lab: &Lab,
    change: impl FnOnce(&mut GameFrame<'_>),
) -> Result<FrameBits, EncodeError> {
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
    frame.encode(&mut out)?;
    let len = out.len();
    Ok(FrameBits::from_bitslice(&bits[..len]).unwrap())
}

#[test]
fn a_frame_that_no_friend_can_have_sent_is_refused() {
    let mut lab = Lab::with_open_gate(5);
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

    assert_eq!(
        format!("{:?}", lab.blue),
        before,
        "a refused frame changes nothing"
    );
}

#[test]
fn a_turn_longer_than_any_sealed_is_refused() {
    let mut lab = Lab::with_open_gate(5);
    let mut commands = bitvec![u8, Msb0; 0; 140];
    let mut out = BitWriter::new(&mut commands);
    for _ in 0..13 {
        CommandCodec::encode(
            &ToyCodec,
            &Produce { kind: 3 },
            &mut Default::default(),
            &mut out,
        )
        .unwrap();
    }
    for _ in 0..2 {
        CommandCodec::encode(&ToyCodec, &Resign, &mut Default::default(), &mut out).unwrap();
    }
    let len = out.len();
    assert_eq!(len, 140);
    // As its bits and not through `forged`, which cannot lend a frame bits that live no longer than the change.
    let newest = lab.red.status(lab.now()).newest_sealed;
    let turn = FrameTurn {
        turn: newest,
        commands: 15,
        bits: &commands[..len],
    };
    let empty = forged(&lab, |_| {});
    let expect = Expect {
        to: newest,
        tick: Tick(0),
    };
    let mut frame = GameFrame::decode(empty.as_bitslice(), expect, &ToyCodec).unwrap();
    frame.turns.push(turn).unwrap();
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
    let mut lab = Lab::with_open_gate(5);
    let paused = forged(&lab, |frame| frame.paused = true);
    let earlier_tick = forged(&lab, |frame| {
        frame.tick.0 -= 1;
        frame.to -= 1;
        frame.from -= 1;
    });
    let earlier_ack = forged(&lab, |frame| frame.ack_through -= 1);
    let now = lab.now();
    lab.blue.handle_frame(now, paused.as_bitslice()).unwrap();
    let before = lab.blue.status(now);
    assert!(before.peer_paused);
    for old in [lab.red_frames[0].bits, earlier_tick, earlier_ack] {
        lab.blue.handle_frame(now, old.as_bitslice()).unwrap();
        let after = lab.blue.status(now);
        assert_eq!(after.peer_ack, before.peer_ack);
        assert_eq!(
            (after.peer_paused, after.peer_tick),
            (true, before.peer_tick)
        );
    }
    let again = forged(&lab, |_| {});
    lab.blue.handle_frame(now, again.as_bitslice()).unwrap();
    assert!(
        !lab.blue.status(now).peer_paused,
        "as new as the newest counts"
    );
}

#[test]
fn a_frame_that_is_none_cannot_be_written() {
    let lab = Lab::new(5);
    let turn = |turn, commands| FrameTurn {
        turn,
        commands,
        bits: BitSlice::empty(),
    };
    let changes: [fn(&mut GameFrame<'_>); 2] =
        [|frame| frame.from = frame.to + 1, |frame| frame.rxq = 8];
    for change in changes {
        assert!(try_forged(&lab, change).is_err());
    }
    let newest = lab.red.status(lab.now()).newest_sealed;
    for turns in [
        vec![turn(newest + 1, 1)],
        vec![turn(newest - 1, 1)],
        vec![turn(newest, 0)],
        vec![turn(newest, 1), turn(newest, 1)],
    ] {
        let refused = try_forged(&lab, |frame| {
            frame.turns = turns.iter().copied().collect();
        });
        assert!(
            matches!(refused, Err(EncodeError::OutOfPlace { .. })),
            "{turns:?}"
        );
    }
}
