//! The sync test finds each of ten deliberately broken games and names the part; and says nothing of a sound one.

mod broken;

use broken::{Arena, CASES, Fault};
use match_feed::Seat;
use net_session::{Frame, FrameMismatch, Part, Request, StateRing, SyncTest};

fn run(fault: Fault, distance: u32, frames: u32) -> (Vec<FrameMismatch>, u32) {
    let (mut game, mut test) = (Arena::new(fault), SyncTest::new(2, distance));
    let mut ring = StateRing::new(distance as usize + 2, 256).unwrap();
    let mut steps = 0;
    for frame in 0..frames {
        for seat in Seat::all(2) {
            let pad = frame
                .wrapping_mul(0x9E37_79B9)
                .rotate_left(5 + 8 * u32::from(u8::from(seat))) as u8;
            test.set_input(seat, &[pad]);
        }
        test.advance();
        while let Some(request) = test.poll_request() {
            match request {
                Request::Save { frame } => {
                    ring.save(frame, |slot| game.save(slot)).unwrap();
                    test.put_state(frame, ring.get(frame).unwrap());
                }
                Request::Load { frame } => {
                    game.load(ring.get(frame).expect("a state that was saved"))
                }
                Request::Step { inputs, .. } => {
                    steps += 1;
                    let mut pads = inputs.iter().map(|(_, input)| input[0]);
                    game.step([pads.next().unwrap(), pads.next().unwrap()]);
                }
                Request::Hash { frame } => {
                    let parts = game.parts().map(|(name, hash)| Part { name, hash: hash.0 });
                    let all = parts
                        .iter()
                        .fold(0, |all: u64, part| all.rotate_left(7) ^ part.hash);
                    test.put_hash(frame, all, &parts);
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(test.frames(), frames);
    assert_eq!(test.mismatch_count(), test.mismatches().len() as u64);
    (test.mismatches().to_vec(), steps)
}

#[test]
fn a_sound_game_passes_at_every_distance() {
    for distance in [1, 2, 7, 60] {
        let (mismatches, steps) = run(Fault::None, distance, 200);
        assert_eq!(mismatches, [], "distance {distance}");
        // Every frame once, and as often again as the distance says.
        assert_eq!(steps, 200 + (200 - distance + 1) * distance);
    }
}

#[test]
fn each_broken_game_is_found_and_the_part_named() {
    for (fault, part) in CASES {
        let (mismatches, _) = run(fault, 7, 120);
        let first = mismatches
            .first()
            .unwrap_or_else(|| panic!("{fault:?} was not found"));
        assert_eq!(first.parts, [part], "{fault:?}: {first:?}");
        assert!(
            mismatches.iter().any(|it| it.frame != first.frame),
            "{fault:?}: all frames are listed"
        );
    }
}

#[test]
fn a_load_that_loses_something_hashed_is_told_from_a_step_that_goes_another_way() {
    let (lossy, _) = run(Fault::Float, 3, 20);
    assert_eq!(lossy[0].frame, lossy[0].loaded, "right after the load");
    let (other_way, _) = run(Fault::FieldNotSaved, 3, 20);
    assert!(
        other_way[0].frame > other_way[0].loaded,
        "only after a step"
    );
    assert_eq!(other_way[0].loaded, Frame(0));
}
