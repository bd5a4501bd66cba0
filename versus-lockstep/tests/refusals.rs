//! Frames that no peer can have sent by now.

mod common;

use bitvec::prelude::*;
use common::{Lab, ToyCodec, ToyCommand::*};
use link_transport::FrameBits;
use match_feed::Tick;
use versus_codec::{BitWriter, CommandCodec, EncodeError};
use versus_lockstep::{End, Expect, FrameError, FrameTurn, GameFrame, TrailMark};

#[test]
fn a_frame_that_no_peer_can_have_sent_is_refused() {
    let mut lab = Lab::with_open_gate(5);
    lab.seal();
    let own = lab.blue.status(lab.now());
    let mark = |tick| TrailMark { tick, trail: 1 };

    let bits = lab.forged(|frame| frame.ack_through = own.newest_sealed + 1);
    assert!(matches!(lab.refuse(&bits), FrameError::AckAhead { .. }));
    let bits = lab.forged(|frame| {
        frame.tick = own.tick.plus(7);
        frame.to = frame.tick.0 + 5;
        frame.from = frame.to;
        frame.ack_through = own.newest_sealed;
    });
    assert!(matches!(lab.refuse(&bits), FrameError::TickAhead { .. }));
    let bits = lab.forged(|frame| frame.to += 1);
    assert!(
        matches!(lab.refuse(&bits), FrameError::Inconsistent { .. }),
        "sealed too far"
    );
    let bits = lab.forged(|frame| frame.ack_through = frame.tick.0 - 2);
    assert!(
        matches!(lab.refuse(&bits), FrameError::Inconsistent { .. }),
        "stepped without a turn"
    );
    let bits = lab.forged(|frame| frame.checkpoint = Some(mark(Tick(50))));
    assert!(matches!(lab.refuse(&bits), FrameError::MarkAhead { .. }));
    let bits = lab.forged(|frame| frame.end = End::Decided(mark(frame.tick)));
    assert!(matches!(lab.refuse(&bits), FrameError::MarkAhead { .. }));
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
    let empty = lab.forged(|_| {});
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
    let paused = lab.forged(|frame| frame.paused = true);
    let earlier_tick = lab.forged(|frame| {
        frame.tick.0 -= 1;
        frame.to -= 1;
        frame.from -= 1;
    });
    let earlier_ack = lab.forged(|frame| frame.ack_through -= 1);
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
    let again = lab.forged(|_| {});
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
        assert!(lab.try_forged(change).is_err());
    }
    let newest = lab.red.status(lab.now()).newest_sealed;
    for turns in [
        vec![turn(newest + 1, 1)],
        vec![turn(newest - 1, 1)],
        vec![turn(newest, 0)],
        vec![turn(newest, 1), turn(newest, 1)],
    ] {
        let refused = lab.try_forged(|frame| {
            frame.turns = turns.iter().copied().collect();
        });
        assert!(
            matches!(refused, Err(EncodeError::OutOfPlace { .. })),
            "{turns:?}"
        );
    }
}
