//! Moving, fighting, mining and artillery.

use super::*;
use crate::{Activity, BuildingKind, balance};

#[test]
fn a_move_arrives_around_obstacles_and_rests() {
    let mut world = empty(0);
    // Map 0's middle ridge lies between.
    let id = spawn(&mut world, BLUE, UnitKind::TANK, 27, 38);
    let told = order(
        &mut world,
        BLUE,
        [Command::Move {
            unit_ids: vec![id],
            at: cell(27, 24),
        }],
    );
    assert_eq!(told, NONE);
    assert!(
        run_until(&mut world, 400, |world| near(world, id, 27, 24)),
        "at {:?}",
        at(&world, id)
    );
    run(&mut world, 30);
    assert_eq!(world.unit(id).unwrap().activity, Activity::Idle);
}

#[test]
fn a_crowd_moves_as_one_and_comes_to_rest() {
    let mut world = empty(0);
    let unit_ids: Vec<u32> = (0..36)
        .map(|n| {
            spawn(
                &mut world,
                BLUE,
                if n % 3 == 0 {
                    UnitKind::TANK
                } else {
                    UnitKind::RIFLE
                },
                20 + n % 6,
                38 + n / 6,
            )
        })
        .collect();
    order(
        &mut world,
        BLUE,
        [Command::Move {
            unit_ids: unit_ids.clone(),
            at: cell(44, 14),
        }],
    );
    run(&mut world, 700);
    for &id in &unit_ids {
        let unit = world.unit(id).unwrap();
        assert_eq!(unit.activity, Activity::Idle, "{unit:?}");
        let far = unit.at.distance(Point::of_tile(tile(44, 14)));
        assert!(far < 5 * crate::SUBS_PER_TILE, "{unit:?} is {far} away");
        assert!(world.ground.is_free(unit.at));
    }
}

#[test]
fn a_move_goes_on_under_fire_and_an_attack_move_stops_to_fight() {
    let reach = |make: fn(Vec<u32>, Cell) -> Command| {
        let mut world = empty(0);
        let id = spawn(&mut world, BLUE, UnitKind::TANK, 20, 40);
        let enemy = spawn(&mut world, RED, UnitKind::HARVESTER, 30, 38);
        order(&mut world, BLUE, [make(vec![id], cell(44, 36))]);
        let there = |world: &World| near(world, id, 44, 36);
        assert!(run_until(&mut world, 900, there));
        (world.tick().0, world.unit(enemy).is_some())
    };
    let (moved, spared) = reach(|unit_ids, at| Command::Move { unit_ids, at });
    let (fought, left) = reach(|unit_ids, at| Command::AttackMove { unit_ids, at });
    assert!(
        spared,
        "a tank that drives past has no time to kill a harvester"
    );
    assert!(!left, "an attack-move ends what it meets");
    assert!(fought > moved + 50, "{fought} against {moved} ticks");
}

#[test]
fn attack_follows_its_target_and_ends_with_it() {
    let mut world = empty(0);
    let tank = spawn(&mut world, BLUE, UnitKind::TANK, 20, 40);
    let prey = spawn(&mut world, RED, UnitKind::HARVESTER, 25, 40);
    world.look_around();
    assert_eq!(
        order(
            &mut world,
            BLUE,
            [Command::Attack {
                unit_ids: vec![tank],
                target_id: prey
            }]
        ),
        NONE
    );
    assert_eq!(world.unit(tank).unwrap().activity, Activity::Attacking);
    order(
        &mut world,
        RED,
        [Command::Move {
            unit_ids: vec![prey],
            at: cell(34, 44),
        }],
    );
    assert!(run_until(&mut world, 600, |world| world
        .unit(prey)
        .is_none()));
    run(&mut world, 2);
    assert_eq!(world.unit(tank).unwrap().activity, Activity::Idle);
}

#[test]
fn attack_refuses_what_it_cannot_mean() {
    let mut world = empty(0);
    let tank = spawn(&mut world, BLUE, UnitKind::TANK, 20, 40);
    let mate = spawn(&mut world, BLUE, UnitKind::TANK, 21, 40);
    let miner = spawn(&mut world, BLUE, UnitKind::HARVESTER, 22, 40);
    let plane = spawn(&mut world, RED, UnitKind::FIGHTER, 23, 40);
    let hidden = spawn(&mut world, RED, UnitKind::RIFLE, 60, 20);
    let rifle = spawn(&mut world, RED, UnitKind::RIFLE, 24, 40);
    world.look_around();
    let mut attack = |unit_ids: Vec<u32>, target_id: u32| {
        order(
            &mut world,
            BLUE,
            [Command::Attack {
                unit_ids,
                target_id,
            }],
        )
    };
    assert_eq!(attack(vec![tank], mate), only(Refusal::OwnSide));
    assert_eq!(attack(vec![tank], hidden), only(Refusal::NoTarget));
    assert_eq!(attack(vec![tank], 9999), only(Refusal::NoTarget));
    assert_eq!(attack(vec![tank], plane), only(Refusal::CannotDoThat));
    assert_eq!(attack(vec![miner], rifle), only(Refusal::CannotDoThat));
    assert_eq!(attack(vec![rifle, 9999], rifle), only(Refusal::NotYours));
    assert_eq!(
        attack(vec![tank, miner], rifle),
        only(Refusal::CannotDoThat),
        "the tank goes all the same"
    );
    assert_eq!(world.unit(tank).unwrap().activity, Activity::Attacking);
}

#[test]
fn stop_ends_what_a_unit_was_about() {
    let mut world = empty(0);
    let id = spawn(&mut world, BLUE, UnitKind::SCOUT, 20, 40);
    order(
        &mut world,
        BLUE,
        [Command::Move {
            unit_ids: vec![id],
            at: cell(40, 40),
        }],
    );
    assert_eq!(
        order(&mut world, BLUE, [Command::Stop { unit_ids: vec![id] }]),
        NONE
    );
    let here = at(&world, id);
    run(&mut world, 20);
    assert_eq!(at(&world, id), here);
    assert_eq!(
        order(&mut world, RED, [Command::Stop { unit_ids: vec![id] }]),
        only(Refusal::NotYours)
    );
}

#[test]
fn an_idle_unit_aims_at_what_comes_near_and_does_not_chase_for_ever() {
    let mut world = empty(0);
    let guard = spawn(&mut world, BLUE, UnitKind::TANK, 20, 40);
    let raider = spawn(&mut world, RED, UnitKind::SCOUT, 26, 40);
    run(&mut world, 8);
    assert!(world.unit(guard).unwrap().target.is_some());
    order(
        &mut world,
        RED,
        [Command::Move {
            unit_ids: vec![raider],
            at: cell(58, 50),
        }],
    );
    run(&mut world, 300);
    let post = Point::of_tile(tile(20, 40));
    assert!(at(&world, guard).within(post, balance::LEASH + 2 * crate::SUBS_PER_TILE));
    assert_eq!(world.unit(guard).unwrap().target, None);
}

#[test]
fn harvesters_mine_and_return_by_themselves() {
    let mut world = World::new(&setup(0)).unwrap();
    let ore = |world: &World| {
        world
            .ore_tiles()
            .map(|(_, ore)| u64::from(ore))
            .sum::<u64>()
    };
    let (before, credits) = (ore(&world), world.credits(BLUE));
    run(&mut world, 600);
    let mined = before - ore(&world);
    let earned = world.credits(BLUE) - credits - 60 * balance::STIPEND;
    assert!(
        earned >= 4 * u32::from(balance::HARVESTER_LOAD),
        "{earned} in a minute"
    );
    let aboard: u64 = world.units().map(|unit| u64::from(unit.load)).sum();
    let red = world.credits(RED) - credits - 60 * balance::STIPEND;
    assert_eq!(
        mined,
        u64::from(earned) + u64::from(red) + aboard,
        "no ore is made or lost"
    );
}

#[test]
fn harvest_picks_ore_near_the_point_and_refuses_without() {
    let mut world = empty(0);
    let miner = spawn(&mut world, BLUE, UnitKind::HARVESTER, 12, 50);
    let tank = spawn(&mut world, BLUE, UnitKind::TANK, 12, 52);
    let mut harvest =
        |unit_ids: Vec<u32>, at: Cell| order(&mut world, BLUE, [Command::Harvest { unit_ids, at }]);
    assert_eq!(harvest(vec![miner], cell(21, 56)), NONE);
    assert_eq!(harvest(vec![miner], cell(30, 50)), only(Refusal::NoOre));
    assert_eq!(
        harvest(vec![tank], cell(21, 56)),
        only(Refusal::CannotDoThat)
    );
    assert!(run_until(&mut world, 200, |world| world
        .unit(miner)
        .unwrap()
        .load
        > 0));
    assert!(
        near(&world, miner, 21, 56)
            || at(&world, miner).within(Point::of_tile(tile(21, 56)), 4 * crate::SUBS_PER_TILE)
    );
}

#[test]
fn artillery_fires_far_only_while_anchored_and_moves_only_packed_up() {
    let mut world = empty(0);
    let gun = spawn(&mut world, BLUE, UnitKind::ARTILLERY, 20, 40);
    let spotter = spawn(&mut world, BLUE, UnitKind::SCOUT, 26, 43);
    let target = world.put_building(RED, BuildingKind::REACTOR, tile(29, 39));
    let tank = spawn(&mut world, BLUE, UnitKind::TANK, 18, 40);
    order(
        &mut world,
        BLUE,
        [Command::Stop {
            unit_ids: vec![spotter],
        }],
    );
    let whole = world.building(target).unwrap().hp;
    run(&mut world, 60);
    assert_eq!(
        at(&world, gun),
        Point::of_tile(tile(20, 40)),
        "out of its packed range it waits"
    );
    let hurt_by_scout = whole - world.building(target).unwrap().hp;
    assert_eq!(
        order(
            &mut world,
            BLUE,
            [Command::Anchor {
                unit_ids: vec![gun]
            }]
        ),
        NONE
    );
    assert_eq!(
        order(
            &mut world,
            BLUE,
            [Command::Anchor {
                unit_ids: vec![gun]
            }]
        ),
        only(Refusal::Anchored)
    );
    assert_eq!(
        order(
            &mut world,
            BLUE,
            [Command::Anchor {
                unit_ids: vec![tank]
            }]
        ),
        only(Refusal::CannotDoThat)
    );
    run(&mut world, 60);
    let hurt = whole - world.building(target).unwrap().hp;
    assert!(hurt > hurt_by_scout + 80, "{hurt} after {hurt_by_scout}");
    let away = Command::Move {
        unit_ids: vec![gun],
        at: cell(14, 44),
    };
    assert_eq!(
        order(&mut world, BLUE, [away.clone()]),
        only(Refusal::Anchored)
    );
    assert_eq!(
        order(
            &mut world,
            BLUE,
            [Command::PackUp {
                unit_ids: vec![gun]
            }]
        ),
        NONE
    );
    assert_eq!(
        order(
            &mut world,
            BLUE,
            [Command::PackUp {
                unit_ids: vec![gun, tank]
            }]
        ),
        only(Refusal::CannotDoThat)
    );
    run(&mut world, u32::from(balance::ANCHOR_TICKS) + 1);
    assert_eq!(order(&mut world, BLUE, [away]), NONE);
    assert!(run_until(&mut world, 200, |world| near(world, gun, 14, 44)));
}

#[test]
fn a_repair_unit_mends_plate_near_it() {
    let mut world = empty(0);
    spawn(&mut world, BLUE, UnitKind::REPAIR, 20, 40);
    let tank = spawn(&mut world, BLUE, UnitKind::TANK, 21, 40);
    let rifle = spawn(&mut world, BLUE, UnitKind::RIFLE, 20, 41);
    for unit in &mut world.state.units {
        unit.hp = 50;
    }
    run(&mut world, 100);
    assert_eq!(world.unit(tank).unwrap().hp, 50 + 10 * balance::REPAIR_HP);
    assert_eq!(world.unit(rifle).unwrap().hp, 50, "flesh is not plate");
}

#[test]
fn shots_land_together_so_that_equals_die_together() {
    let mut world = empty(0);
    let one = spawn(&mut world, BLUE, UnitKind::RIFLE, 20, 40);
    let other = spawn(&mut world, RED, UnitKind::RIFLE, 22, 40);
    for unit in &mut world.state.units {
        unit.hp = 1;
    }
    world.look_around();
    // Both are told, so that neither waits for its turn to look around.
    let orders = [(BLUE, one, other), (RED, other, one)].map(|(side, id, target_id)| Order {
        seat: side.seat(),
        command: Command::Attack {
            unit_ids: vec![id],
            target_id,
        },
    });
    world.step(&orders);
    assert_eq!(world.units().count(), 0);
}
