//! The pending queue, one test a rule.

mod common;

use common::{Lab, ToyCommand, ToyCommand::*, map};
use link_transport::LinkTime;
use versus_codec::NotEncodable;
use versus_codec::kit::Cell;
use versus_lockstep::{GiveError, PENDING_MAX};

const D: u8 = 5;

fn cell(x: u32) -> Cell {
    Cell { x, y: 5 }
}

fn walk(units: &[u32], x: u32) -> ToyCommand {
    Move {
        units: units.to_vec(),
        to: cell(x),
    }
}

fn attack(units: &[u32]) -> ToyCommand {
    Attack {
        units: units.to_vec(),
        target: 999,
    }
}

fn stop(units: &[u32]) -> ToyCommand {
    Stop {
        units: units.to_vec(),
    }
}

fn board(units: &[u32], carrier: u32) -> ToyCommand {
    Board {
        units: units.to_vec(),
        carrier,
    }
}

/// Gives all of it before one seal; what is applied, in order.
fn applied(given: &[ToyCommand]) -> Vec<ToyCommand> {
    let mut lab = Lab::new(D);
    for command in given {
        lab.give(command.clone());
    }
    lab.drain().into_iter().map(|applied| applied.1).collect()
}

/// 30 units whose list takes three pieces, and the ids of each piece.
fn thirty(first: u32) -> Vec<u32> {
    (0..30).map(|at| first + at * 5).collect()
}

#[test]
fn first_in_first_out() {
    let given = [
        Produce { kind: 3 },
        walk(&[1], 5),
        Produce { kind: 1 },
        stop(&[2]),
        attack(&[3, 4]),
    ];
    assert_eq!(applied(&given), given);
}

#[test]
fn a_resignation_goes_to_the_front_and_lands_d_ticks_later() {
    let mut lab = Lab::new(D);
    for first in [0, 1000, 2000] {
        lab.give(walk(&thirty(first), 9));
    }
    lab.give(Resign);
    lab.give(Resign);
    let applied = lab.drain();
    assert_eq!(applied[0], (u32::from(D), Resign));
    assert_eq!(
        applied.iter().filter(|applied| applied.1 == Resign).count(),
        1,
        "once is enough"
    );
}

#[test]
fn a_newer_move_replaces_a_queued_move_attack_and_stop() {
    for older in [walk(&[1, 2], 5), attack(&[1, 2]), stop(&[1, 2])] {
        assert_eq!(applied(&[older, walk(&[1, 2], 7)]), [walk(&[1, 2], 7)]);
    }
    // What was replaced stands between nothing any more.
    assert_eq!(
        applied(&[walk(&[1, 2], 5), attack(&[1, 2]), walk(&[1, 2, 3], 7)]),
        [walk(&[1, 2, 3], 7)]
    );
}

#[test]
fn an_attack_replaces_only_attacks_and_a_stop_only_stops() {
    assert_eq!(applied(&[attack(&[1]), attack(&[1, 2])]), [attack(&[1, 2])]);
    assert_eq!(applied(&[stop(&[1]), stop(&[1])]), [stop(&[1])]);
    for kept in [
        [walk(&[1], 5), attack(&[1])],
        [stop(&[1]), attack(&[1])],
        [walk(&[1], 5), stop(&[1])],
        [attack(&[1]), stop(&[1])],
    ] {
        assert_eq!(applied(&kept), kept);
    }
}

#[test]
fn it_replaces_only_what_it_names_every_unit_of() {
    let kept = [walk(&[1, 2, 3], 5), walk(&[1, 2], 7)];
    assert_eq!(applied(&kept), kept);
    // Whole commands only: of two queued ones the covered one goes.
    assert_eq!(
        applied(&[walk(&[1, 2], 5), walk(&[3, 4], 6), walk(&[1, 2, 3], 7)]),
        [walk(&[3, 4], 6), walk(&[1, 2, 3], 7)]
    );
}

#[test]
fn nothing_queued_in_between_may_name_any_of_its_units() {
    let kept = [walk(&[1, 2], 5), board(&[2, 8], 9), walk(&[1, 2], 7)];
    assert_eq!(applied(&kept), kept);
    // A carrier counts as named.
    let kept = [walk(&[1, 9], 5), board(&[7, 8], 9), walk(&[1, 9], 7)];
    assert_eq!(applied(&kept), kept);
    // Others in between do not matter.
    assert_eq!(
        applied(&[
            walk(&[1, 2], 5),
            board(&[7, 8], 9),
            Produce { kind: 1 },
            walk(&[1, 2], 7)
        ]),
        [board(&[7, 8], 9), Produce { kind: 1 }, walk(&[1, 2], 7)]
    );
}

#[test]
fn a_split_order_counts_as_one_when_it_replaces() {
    let units = thirty(0);
    // The queued command's units fall into two pieces of the newer order.
    let across = [units[0], units[29]];
    let applied = applied(&[attack(&across), walk(&units, 7)]);
    assert!(
        applied.len() >= 3 && applied.iter().all(|command| matches!(command, Move { .. })),
        "{applied:?}"
    );
}

#[test]
fn pieces_whose_units_have_waited_longest_go_first() {
    let mut lab = Lab::new(D);
    let units = thirty(0);
    lab.give(walk(&units, 5));
    let before = lab.blue.status(lab.now()).queued;
    assert_eq!(before, 3);
    lab.seal(); // the first piece leaves
    assert_eq!(lab.blue.status(lab.now()).queued, 2);
    lab.red_hears();
    lab.blue_hears();
    lab.step();
    lab.give(walk(&units, 6)); // replaces the two that wait
    assert_eq!(lab.blue.status(lab.now()).queued, 3);
    assert_eq!(
        lab.blue.status(lab.now()).queued_ticks,
        1,
        "they wait since the first order"
    );
    let applied: Vec<_> = lab.drain().into_iter().map(|applied| applied.1).collect();
    let firsts: Vec<u32> = applied.iter().map(|command| command.units()[0]).collect();
    assert_eq!(applied.len(), 4);
    let [first, second, third] = [firsts[0], firsts[1], firsts[2]];
    assert!(
        first == 0 && second > first && third > second && firsts[3] == 0,
        "{firsts:?}"
    );
}

#[test]
fn no_unit_waits_for_ever_while_orders_come_faster_than_the_link_carries_them() {
    let mut lab = Lab::new(D);
    let units = thirty(0);
    let mut last_ordered = std::collections::BTreeMap::new();
    for x in 0..200 {
        lab.give(walk(&units, x));
        let tick = lab.blue_tick().0;
        for order in lab.tick() {
            for unit in order.command.units() {
                last_ordered.insert(*unit, tick);
            }
        }
        assert!(lab.blue.status(lab.now()).queued <= 4, "nothing piles up");
        assert!(lab.blue.status(lab.now()).queued_ticks <= 8);
    }
    assert_eq!(last_ordered.len(), 30);
    assert!(
        last_ordered.values().all(|tick| *tick > 180),
        "{last_ordered:?}"
    );
}

#[test]
fn a_command_that_cannot_be_sent_is_an_error_and_nothing_of_it_is_queued() {
    let mut lab = Lab::new(D);
    let now = lab.now();
    for units in [vec![], vec![1, 1 << 24]] {
        let refused = lab.blue.give(now, Stop { units });
        assert!(matches!(
            refused,
            Err(GiveError::NotEncodable(
                NotEncodable::NoUnits | NotEncodable::Id { .. }
            ))
        ));
    }
    let refused = lab.blue.give(now, Produce { kind: 200 });
    assert!(matches!(refused, Err(GiveError::Encode(_))), "{refused:?}");
    assert_eq!(lab.blue.status(now).queued, 0);
}

#[test]
fn the_queue_is_bounded_but_a_resignation_always_gets_in() {
    let mut lab = Lab::new(D);
    let now = lab.now();
    for _ in 0..PENDING_MAX {
        lab.give(Produce { kind: 1 });
    }
    assert!(matches!(
        lab.blue.give(now, Produce { kind: 2 }),
        Err(GiveError::QueueFull(_))
    ));
    lab.give(Resign);
    assert_eq!(lab.blue.status(now).queued, PENDING_MAX + 1);
    // Giving again what waits is no order more.
    lab.give(Resign);
    assert_eq!(lab.blue.give_first(now, Produce { kind: 1 }), Ok(()));
    assert_eq!(lab.blue.status(now).queued, PENDING_MAX + 1);
    assert!(matches!(
        lab.blue.give_first(now, Produce { kind: 2 }),
        Err(GiveError::QueueFull(_))
    ));
    assert_eq!(lab.blue.status(now).queued, PENDING_MAX + 1);
}

#[test]
fn an_off_grid_order_plays_identically_at_its_sender() {
    let mut lab = Lab::new(D);
    lab.give(Move {
        units: vec![9, 2, 2, 5],
        to: Cell { x: 5000, y: 5000 },
    });
    let (mut by_blue, mut by_red) = (vec![], vec![]);
    for _ in 0..10 {
        lab.seal();
        lab.red_hears();
        lab.blue_hears();
        for (phone, applied) in [(&mut lab.blue, &mut by_blue), (&mut lab.red, &mut by_red)] {
            let tick = phone.status(LinkTime::ZERO).tick;
            applied.extend(phone.orders(tick).unwrap().to_vec());
        }
        lab.step();
    }
    let to = Cell { x: 5000, y: 5000 }.clamp_to(map());
    assert_eq!(by_blue.len(), 1);
    assert_eq!(
        by_blue[0].command,
        Move {
            units: vec![2, 5, 9],
            to
        }
    );
    assert_eq!(by_blue, by_red);
}

#[test]
fn a_turn_holds_fifteen_commands_at_most() {
    let mut lab = Lab::new(D);
    for _ in 0..16 {
        lab.give(Resign);
        lab.give(stop(&[1])); // replaced each time but the last
    }
    for kind in 0..16 {
        lab.give(Produce { kind });
    }
    for (tick, count) in lab
        .drain()
        .chunk_by(|a, b| a.0 == b.0)
        .map(|turn| (turn[0].0, turn.len()))
    {
        assert!(count <= 15, "{count} in turn {tick}");
    }
}

fn in_flight(lab: &Lab) -> Vec<ToyCommand> {
    let mut seen = vec![];
    lab.blue.in_flight(|command| seen.push(command));
    seen
}

#[test]
fn orders_given_and_not_applied_yet_are_in_flight_as_they_will_be_applied() {
    let mut lab = Lab::new(D);
    assert_eq!(in_flight(&lab), []);
    lab.give(Produce { kind: 3 });
    lab.give(walk(&thirty(1), 5)); // three pieces: not all of it fits the turn
    lab.tick();
    let expected: Vec<ToyCommand> = in_flight(&lab);
    assert_eq!(expected[0], Produce { kind: 3 });
    let units: Vec<u32> = expected[1..]
        .iter()
        .flat_map(|piece| piece.units().to_vec())
        .collect();
    assert_eq!(units, thirty(1), "sealed or waiting");
    // What the queue dropped is gone from it; what is off the map is shown where it will be.
    let off = Cell { x: 5000, y: 5000 };
    let gone: ToyCommand = stop(&[1000, 1001]);
    lab.give(gone.clone());
    assert!(in_flight(&lab).contains(&gone));
    lab.give(Move {
        units: vec![1001, 1000],
        to: off,
    });
    let replaced = Move {
        units: vec![1000, 1001],
        to: off.clamp_to(map()),
    };
    assert!(!in_flight(&lab).contains(&gone));
    assert_eq!(in_flight(&lab).last(), Some(&replaced));
    // One by one they land, and nothing is left.
    let mut landed = vec![];
    let before = in_flight(&lab);
    while !in_flight(&lab).is_empty() {
        let applied = lab.tick();
        landed.extend(applied.into_iter().map(|order| order.command));
        assert_eq!(in_flight(&lab), before[landed.len()..]);
    }
    assert_eq!(landed, before);
}

#[test]
fn a_match_that_is_over_has_nothing_in_flight() {
    let mut lab = Lab::new(D);
    lab.give(Produce { kind: 3 });
    lab.tick();
    assert_eq!(in_flight(&lab).len(), 1);
    lab.blue.leave(versus_lockstep::Leave::Left);
    assert_eq!(in_flight(&lab), []);
}
