//! Aircraft, passengers, and Goliaths under Condors.

use super::*;
use crate::{Activity, balance};

fn is_up(world: &World, id: u32) -> bool {
    world.unit(id).unwrap().carrier.is_some()
}

#[test]
fn infantry_boards_flies_and_gets_off() {
    let mut world = empty(0);
    let condor = spawn(&mut world, BLUE, UnitKind::CONDOR, 20, 44);
    let squad: Vec<u32> = (0..7)
        .map(|n| spawn(&mut world, BLUE, UnitKind::RIFLE, 18 + n % 4, 46))
        .collect();
    let tank = spawn(&mut world, BLUE, UnitKind::TANK, 22, 44);
    let board = |unit_ids: Vec<u32>, carrier_id: u32| Command::Board {
        unit_ids,
        carrier_id,
    };
    assert_eq!(
        order(&mut world, BLUE, [board(vec![tank], condor)]),
        only(Refusal::CannotDoThat)
    );
    assert_eq!(
        order(&mut world, BLUE, [board(squad.clone(), tank)]),
        only(Refusal::CannotDoThat)
    );
    assert_eq!(
        order(&mut world, BLUE, [board(squad.clone(), 9999)]),
        only(Refusal::NotYours)
    );
    let empty_one = Command::Unload {
        unit_ids: vec![condor],
        at: None,
    };
    assert_eq!(order(&mut world, BLUE, [empty_one]), only(Refusal::Empty));
    assert_eq!(
        order(&mut world, BLUE, [board(squad.clone(), condor)]),
        NONE
    );
    run(&mut world, 120);
    let aboard: Vec<u32> = squad
        .iter()
        .copied()
        .filter(|&id| is_up(&world, id))
        .collect();
    assert_eq!(aboard.len(), balance::CONDOR_SEATS, "the seventh stays");
    let called = Command::Stop {
        unit_ids: vec![aboard[0]],
    };
    assert_eq!(order(&mut world, BLUE, [called]), only(Refusal::Carried));
    // Over the rocks, where nobody could walk.
    let there = Command::Unload {
        unit_ids: vec![condor, tank],
        at: Some(cell(47, 36)),
    };
    assert_eq!(
        order(&mut world, BLUE, [there]),
        only(Refusal::CannotDoThat),
        "the tank cannot"
    );
    assert!(run_until(&mut world, 300, |world| aboard
        .iter()
        .all(|&id| !is_up(world, id))));
    for &id in &aboard {
        assert!(world.ground.is_free(at(&world, id)));
        assert!(at(&world, id).within(at(&world, condor), 3 * crate::SUBS_PER_TILE));
    }
}

#[test]
fn a_condor_unloads_where_it_is_without_a_point() {
    let mut world = empty(0);
    let condor = spawn(&mut world, BLUE, UnitKind::CONDOR, 20, 44);
    let rifle = spawn(&mut world, BLUE, UnitKind::RIFLE, 20, 45);
    order(
        &mut world,
        BLUE,
        [Command::Board {
            unit_ids: vec![rifle],
            carrier_id: condor,
        }],
    );
    assert!(run_until(&mut world, 40, |world| is_up(world, rifle)));
    assert_eq!(
        order(
            &mut world,
            BLUE,
            [Command::Unload {
                unit_ids: vec![condor],
                at: None
            }]
        ),
        NONE
    );
    run(&mut world, 2);
    assert!(!is_up(&world, rifle));
}

#[test]
fn passengers_fall_with_their_condor() {
    let mut world = empty(0);
    let condor = spawn(&mut world, BLUE, UnitKind::CONDOR, 20, 44);
    let rifle = spawn(&mut world, BLUE, UnitKind::RIFLE, 20, 45);
    order(
        &mut world,
        BLUE,
        [Command::Board {
            unit_ids: vec![rifle],
            carrier_id: condor,
        }],
    );
    assert!(run_until(&mut world, 40, |world| is_up(world, rifle)));
    world.state.units[0].hp = 0;
    run(&mut world, 1);
    assert_eq!(world.units().count(), 0);
}

/// Two Condors and a Goliath, the lift ordered.
fn lifting() -> (World, [u32; 2], u32) {
    let mut world = empty(0);
    let goliath = spawn(&mut world, BLUE, UnitKind::GOLIATH, 20, 44);
    let condors = [14, 26].map(|tx| spawn(&mut world, BLUE, UnitKind::CONDOR, tx, 44));
    let lift = Command::Lift {
        unit_ids: condors.to_vec(),
        goliath_id: goliath,
    };
    assert_eq!(order(&mut world, BLUE, [lift]), NONE);
    (world, condors, goliath)
}

#[test]
fn two_condors_carry_a_goliath_over_rock_and_put_it_down() {
    let (mut world, condors, goliath) = lifting();
    assert!(run_until(&mut world, 60, |world| is_up(world, goliath)));
    let fly = Command::Move {
        unit_ids: condors.to_vec(),
        at: cell(44, 30),
    };
    assert_eq!(order(&mut world, BLUE, [fly]), NONE);
    assert!(run_until(&mut world, 300, |world| near(
        world, condors[0], 44, 30
    )));
    assert_eq!(at(&world, goliath), at(&world, condors[0]));
    assert!(at(&world, condors[1]).within(at(&world, condors[0]), 2 * crate::SUBS_PER_TILE));
    let rifle = spawn(&mut world, BLUE, UnitKind::RIFLE, 44, 31);
    let board = Command::Board {
        unit_ids: vec![rifle],
        carrier_id: condors[0],
    };
    assert_eq!(order(&mut world, BLUE, [board]), only(Refusal::Full));
    let again = Command::Lift {
        unit_ids: condors.to_vec(),
        goliath_id: goliath,
    };
    assert_eq!(order(&mut world, BLUE, [again]), only(Refusal::Carried));
    // Told over rock, it lands on the nearest open ground.
    let down = Command::Unload {
        unit_ids: vec![condors[1]],
        at: Some(cell(47, 36)),
    };
    assert_eq!(order(&mut world, BLUE, [down]), NONE);
    assert!(run_until(&mut world, 300, |world| !is_up(world, goliath)));
    assert!(world.ground.is_free(at(&world, goliath)));
    let walk = Command::Move {
        unit_ids: vec![goliath],
        at: cell(52, 36),
    };
    assert_eq!(order(&mut world, BLUE, [walk]), NONE);
}

#[test]
fn a_lift_refuses_what_cannot_lift_or_be_lifted() {
    let mut world = empty(0);
    let goliath = spawn(&mut world, BLUE, UnitKind::GOLIATH, 20, 44);
    let tank = spawn(&mut world, BLUE, UnitKind::TANK, 24, 44);
    let condor = spawn(&mut world, BLUE, UnitKind::CONDOR, 26, 44);
    let mut lift = |unit_ids: Vec<u32>, goliath_id| {
        order(
            &mut world,
            BLUE,
            [Command::Lift {
                unit_ids,
                goliath_id,
            }],
        )
    };
    assert_eq!(lift(vec![condor], tank), only(Refusal::CannotDoThat));
    assert_eq!(lift(vec![condor], 9999), only(Refusal::NotYours));
    assert_eq!(lift(vec![tank], goliath), only(Refusal::CannotDoThat));
    assert_eq!(
        lift(vec![condor], goliath),
        NONE,
        "one hooks and waits for another"
    );
    run(&mut world, 100);
    assert!(!is_up(&world, goliath));
}

#[test]
fn a_goliath_falls_to_the_ground_when_too_few_carry_it() {
    let (mut world, condors, goliath) = lifting();
    assert!(run_until(&mut world, 60, |world| is_up(world, goliath)));
    let place = world.state.unit_index(condors[0]).unwrap();
    world.state.units[place].hp = 0;
    run(&mut world, 2);
    assert!(!is_up(&world, goliath));
    assert!(world.unit(condors[1]).is_some());
}

#[test]
fn a_hooking_goliath_waits_unless_its_condors_are_named() {
    let (mut world, condors, goliath) = lifting();
    let alone = Command::Move {
        unit_ids: vec![goliath],
        at: cell(30, 50),
    };
    assert_eq!(order(&mut world, BLUE, [alone]), only(Refusal::Hooking));
    assert_eq!(world.unit(goliath).unwrap().activity, Activity::Idle);
    assert_eq!(
        world.unit(condors[0]).unwrap().activity,
        Activity::Lifting,
        "the lift goes on"
    );
    let all = Command::Move {
        unit_ids: vec![goliath, condors[0], condors[1]],
        at: cell(30, 50),
    };
    assert_eq!(order(&mut world, BLUE, [all]), NONE);
    assert_eq!(world.unit(goliath).unwrap().activity, Activity::Moving);
}

/// Cuts a unit list into the lists of pieces.
type Cut = fn(Vec<u32>) -> Vec<Vec<u32>>;

/// The specification's rule: pieces applied in one tick equal the whole command.
#[test]
fn a_split_order_frees_a_hooking_goliath_like_the_whole() {
    let whole = |ids: Vec<u32>| vec![ids];
    let cuts: [Cut; 4] = [
        whole,
        |ids| ids.chunks(1).map(<[u32]>::to_vec).collect(),
        |ids| ids.chunks(2).map(<[u32]>::to_vec).collect(),
        |ids| ids.chunks(1).rev().map(<[u32]>::to_vec).collect(),
    ];
    let hashes = cuts.map(|cut| {
        let (mut world, condors, goliath) = lifting();
        let pieces = cut(vec![goliath, condors[0], condors[1]]);
        let moves = pieces.into_iter().map(|unit_ids| Command::Move {
            unit_ids,
            at: cell(30, 50),
        });
        order(&mut world, BLUE, moves);
        assert_eq!(world.unit(goliath).unwrap().activity, Activity::Moving);
        run(&mut world, 5);
        world.hash()
    });
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

#[test]
fn what_a_goliath_remembers_is_gone_with_the_tick() {
    let (mut world, condors, goliath) = lifting();
    order(
        &mut world,
        BLUE,
        [Command::Move {
            unit_ids: vec![goliath],
            at: cell(30, 50),
        }],
    );
    order(
        &mut world,
        BLUE,
        [Command::Stop {
            unit_ids: condors.to_vec(),
        }],
    );
    run(&mut world, 5);
    assert_eq!(world.unit(goliath).unwrap().activity, Activity::Idle);
}

#[test]
fn aircraft_fly_over_rock_and_only_some_weapons_reach_them() {
    let mut world = empty(0);
    let bomber = spawn(&mut world, BLUE, UnitKind::BOMBER, 12, 26);
    order(
        &mut world,
        BLUE,
        [Command::Move {
            unit_ids: vec![bomber],
            at: cell(22, 26),
        }],
    );
    assert!(
        run_until(&mut world, 60, |world| near(world, bomber, 22, 26)),
        "straight across the ridge"
    );
    let tank = spawn(&mut world, RED, UnitKind::TANK, 24, 26);
    run(&mut world, 12);
    assert_eq!(world.unit(tank).unwrap().target, None);
    let flak = spawn(&mut world, RED, UnitKind::FLAK, 25, 26);
    run(&mut world, 12);
    assert_eq!(world.unit(flak).unwrap().target, Some(bomber));
}
