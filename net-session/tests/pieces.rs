//! What hosts take who do not want to write it: saved states, effects, hot seat.

use match_feed::{Seat, SeatSet};
use net_session::{
    Effects, Frame, LocalSession, Outcome, Place, Request, STATE_BYTES_MAX, Secret, SessionConfig,
    StateRing, StateRingError,
};
use net_transport::NetTime;

#[test]
fn a_ring_keeps_the_newest_states_and_those_that_are_pinned() {
    let mut ring = StateRing::new(4, 8).unwrap();
    for frame in 0..100_u32 {
        ring.put(Frame(frame), &frame.to_le_bytes()).unwrap();
        if frame == 60 {
            assert!(ring.pin_only(Frame(60)));
        }
    }
    for frame in [60, 97, 98, 99_u32] {
        assert_eq!(
            ring.get(Frame(frame)),
            Some(&frame.to_le_bytes()[..]),
            "{frame}"
        );
    }
    assert_eq!(
        ring.get(Frame(96)),
        None,
        "one slot is taken by the pinned one"
    );
    assert!(
        !ring.pin_only(Frame(5)),
        "a state that is not here pins and unpins nothing"
    );
    ring.put(Frame(60), b"again").unwrap();
    (100..104).for_each(|frame| ring.put(Frame(frame), b"").unwrap());
    assert_eq!(
        ring.get(Frame(60)),
        Some(&b"again"[..]),
        "saved again, it stays pinned"
    );
    assert!(ring.unpin(Frame(60)));
    ring.put(Frame(104), b"").unwrap();
    assert_eq!(ring.get(Frame(60)), None);
    ring.clear();
    assert_eq!(ring.get(Frame(104)), None);
}

#[test]
fn a_ring_says_what_it_cannot_do_and_goes_on() {
    assert_eq!(
        StateRing::new(0, 8).unwrap_err(),
        StateRingError::Slots { slots: 0 }
    );
    assert_eq!(
        StateRing::new(129, 8).unwrap_err(),
        StateRingError::Slots { slots: 129 }
    );
    let bytes = STATE_BYTES_MAX + 1;
    assert_eq!(
        StateRing::new(1, bytes).unwrap_err(),
        StateRingError::TooLarge {
            bytes,
            max: STATE_BYTES_MAX
        }
    );
    let mut ring = StateRing::new(2, 8).unwrap();
    ring.put(Frame(1), b"one").unwrap();
    assert_eq!(
        ring.put(Frame(2), b"too long!"),
        Err(StateRingError::TooLarge { bytes: 9, max: 8 })
    );
    // A host's `save` that says that it wrote more than it was given.
    for lie in [9, usize::MAX] {
        assert_eq!(
            ring.save(Frame(2), |_| lie),
            Err(StateRingError::TooLarge { bytes: lie, max: 8 })
        );
        assert_eq!(ring.get(Frame(2)), None);
    }
    assert_eq!(
        ring.get(Frame(1)),
        Some(&b"one"[..]),
        "the other slot is untouched"
    );
    ring.put(Frame(2), b"two").unwrap();
    assert!(ring.pin(Frame(1)) && ring.pin(Frame(2)));
    assert_eq!(
        ring.put(Frame(3), b""),
        Err(StateRingError::AllPinned {
            frame: Frame(3),
            slots: 2
        })
    );
}

#[test]
fn the_largest_states_fit() {
    let mut ring = StateRing::new(2, STATE_BYTES_MAX).unwrap();
    ring.save(Frame(1), |slot| slot.len()).unwrap();
    assert_eq!(ring.get(Frame(1)).map(<[u8]>::len), Some(STATE_BYTES_MAX));
}

/// Steps a frame with these effects; what is started and what is cancelled.
fn step(effects: &mut Effects<u8>, frame: u32, keys: &[u8]) -> (Vec<u8>, Vec<u8>) {
    effects.begin(Frame(frame));
    let started = keys
        .iter()
        .copied()
        .filter(|key| effects.emit(*key).unwrap())
        .collect();
    let mut gone = Vec::new();
    effects.end(|effect| gone.push(effect.key));
    (started, gone)
}

#[test]
fn an_effect_starts_once_is_cancelled_if_mispredicted_and_confirmed_once() {
    let mut effects = Effects::new(16);
    assert_eq!(step(&mut effects, 1, &[1, 2]), (vec![1, 2], vec![]));
    assert_eq!(
        step(&mut effects, 2, &[1]),
        (vec![1], vec![]),
        "the same key in another frame is another effect"
    );
    assert_eq!(
        step(&mut effects, 1, &[2, 3, 2]),
        (vec![3], vec![1]),
        "rolled back: 2 is not played again"
    );
    assert_eq!(step(&mut effects, 2, &[]), (vec![], vec![1]));
    assert_eq!(
        step(&mut effects, 2, &[1]),
        (vec![1], vec![]),
        "what was cancelled can start again"
    );
    let mut sure = Vec::new();
    effects.confirm(Frame(1), |effect| sure.push((effect.frame.0, effect.key)));
    assert_eq!(sure, [(1, 2), (1, 3)]);
    effects.confirm(Frame(1), |_| panic!("confirmed twice"));
    assert_eq!(
        step(&mut effects, 1, &[2, 3, 9]),
        (vec![], vec![]),
        "a confirmed frame starts nothing more"
    );
    effects.confirm(Frame(2), |effect| sure.push((effect.frame.0, effect.key)));
    assert_eq!(sure, [(1, 2), (1, 3), (2, 1)]);
    assert_eq!(effects.waiting(), 0);
}

#[test]
fn effects_are_bounded() {
    let mut effects = Effects::new(2);
    effects.begin(Frame(1));
    assert_eq!((effects.emit(1), effects.emit(2)), (Ok(true), Ok(true)));
    assert_eq!(effects.emit(3).map_err(|full| full.max), Err(2));
    assert_eq!(effects.emit(1), Ok(false), "what is known needs no room");
    effects.end(|_| panic!("nothing is cancelled"));
    let mut gone = 0;
    effects.clear(|_| gone += 1);
    assert_eq!(gone, 2);
}

fn config(seats: u8, own: SeatSet) -> SessionConfig {
    SessionConfig::new(seats, Place::Player(own), Secret::new([1; 16]), 1, [2; 16]).input_delay(0)
}

#[test]
fn hot_seat_runs_through_the_requests_of_a_session() {
    let both: SeatSet = Seat::all(2).collect();
    let mut session = LocalSession::new(config(2, both)).unwrap();
    let (mut stepped, mut confirmed, mut hashed) = (Vec::new(), Vec::new(), 0);
    for ms in 0..4_000_u64 {
        for (seat, value) in Seat::all(2).zip([ms / 500, 100 + ms / 700]) {
            session.set_input(seat, &[value as u8]).unwrap();
        }
        session.advance(NetTime::from_ms(ms));
        while let Some(request) = session.poll_request() {
            match request {
                Request::Step {
                    frame,
                    inputs,
                    flags,
                } => {
                    assert!(flags.confirmed && !flags.predicted && !flags.resimulated);
                    let inputs: Vec<u8> = inputs
                        .iter()
                        .map(|(_, input)| input.first().copied().unwrap_or(0))
                        .collect();
                    stepped.push((frame, inputs));
                }
                Request::Confirmed { frame, .. } => confirmed.push(frame),
                Request::Hash { frame } => {
                    hashed += 1;
                    session.put_hash(frame, 1, &[]);
                }
                other => panic!("hot seat asks for {other:?}"),
            }
        }
    }
    assert!(
        (239..=241).contains(&stepped.len()),
        "{} frames in 4 s",
        stepped.len()
    );
    assert!(
        stepped
            .iter()
            .zip(0..)
            .all(|(step, frame)| step.0 == Frame(frame))
    );
    let last = &stepped.last().unwrap().1;
    assert_eq!(last[..], [7, 105], "the inputs of both seats, as they are");
    assert_eq!(confirmed.len(), stepped.len());
    assert!(hashed >= 2);
    assert_eq!(session.outcome(), None);
    session.leave();
    assert_eq!(session.outcome(), Some(Outcome::YouLeft));
}

#[test]
fn hot_seat_needs_every_seat() {
    let why = LocalSession::new(config(2, SeatSet::only(Seat::FIRST))).unwrap_err();
    assert_eq!(why.field, "place");
}
