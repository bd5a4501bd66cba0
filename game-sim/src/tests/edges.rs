//! The edges of each command: empty lists, strangers among peers, points off the map, orders that meet in a tick.

use super::*;
use crate::{Activity, BuildingKind, Power, balance, state::Anchor};

#[test]
fn an_order_to_nobody_does_nothing() {
    let mut world = empty(0);
    let at = cell(20, 40);
    let nobody: Vec<u32> = Vec::new();
    for command in [
        Command::Move {
            unit_ids: nobody.clone(),
            at,
        },
        Command::AttackMove {
            unit_ids: nobody.clone(),
            at,
        },
        Command::Stop {
            unit_ids: nobody.clone(),
        },
        Command::Anchor {
            unit_ids: nobody.clone(),
        },
        Command::PackUp {
            unit_ids: nobody.clone(),
        },
        Command::Unload {
            unit_ids: nobody,
            at: None,
        },
    ] {
        let mut other = world.clone();
        world.step(&[]);
        assert_eq!(
            order(&mut other, BLUE, [command.clone()]),
            NONE,
            "{command:?}"
        );
        assert_eq!(other.hash(), world.hash(), "{command:?}");
    }
}

#[test]
fn strangers_in_a_list_are_refused_and_the_rest_goes() {
    let own = |world: &mut World| spawn(world, BLUE, UnitKind::TANK, 20, 40);
    let at = cell(26, 40);
    let orders: [fn(Vec<u32>, Cell) -> Command; 2] = [
        |unit_ids, at| Command::Move { unit_ids, at },
        |unit_ids, at| Command::AttackMove { unit_ids, at },
    ];
    for make in orders {
        let mut world = empty(0);
        let mine = own(&mut world);
        let theirs = spawn(&mut world, RED, UnitKind::HARVESTER, 50, 20);
        let list = vec![mine, theirs, 9999, mine];
        assert_eq!(
            order(&mut world, BLUE, [make(list, at)]),
            only(Refusal::NotYours)
        );
        assert_ne!(world.unit(mine).unwrap().activity, Activity::Idle);
        assert_eq!(world.unit(theirs).unwrap().activity, Activity::Idle);
    }
}

#[test]
fn a_point_off_the_map_is_the_nearest_on_it() {
    let mut world = empty(0);
    let plane = spawn(&mut world, BLUE, UnitKind::FIGHTER, 58, 58);
    let off = Cell {
        x: 60_000,
        y: 60_000,
    };
    let go = Command::Move {
        unit_ids: vec![plane],
        at: off,
    };
    assert_eq!(order(&mut world, BLUE, [go]), NONE);
    assert!(run_until(&mut world, 100, |world| near(
        world, plane, 63, 63
    )));
    let barracks = world.put_building(BLUE, BuildingKind::BARRACKS, tile(12, 58));
    let rally = Command::Rally {
        building_id: barracks,
        at: off,
    };
    assert_eq!(order(&mut world, BLUE, [rally]), NONE);
    let rally = world.building(barracks).unwrap().rally.unwrap();
    assert!(rally.tile() == tile(63, 63));
}

#[test]
fn a_goal_that_nobody_can_reach_ends_the_walk() {
    let mut world = empty(0);
    // In the middle of rock: the goal is the open ground nearest to it, on the rock's west side.
    let tank = spawn(&mut world, BLUE, UnitKind::TANK, 20, 40);
    let go = Command::Move {
        unit_ids: vec![tank],
        at: cell(15, 26),
    };
    assert_eq!(order(&mut world, BLUE, [go]), NONE);
    run(&mut world, 500);
    assert_eq!(world.unit(tank).unwrap().activity, Activity::Idle);
    let end = at(&world, tank).tile();
    assert_eq!((end.tx, end.ty), (13, 28));
}

#[test]
fn unarmed_units_attack_move_like_a_move_and_cannot_attack() {
    let mut world = empty(0);
    let repair = spawn(&mut world, BLUE, UnitKind::REPAIR, 20, 40);
    let foe = spawn(&mut world, RED, UnitKind::HARVESTER, 24, 40);
    world.look_around();
    let attack = Command::Attack {
        unit_ids: vec![repair],
        target_id: foe,
    };
    assert_eq!(
        order(&mut world, BLUE, [attack]),
        only(Refusal::CannotDoThat)
    );
    let go = Command::AttackMove {
        unit_ids: vec![repair],
        at: cell(30, 40),
    };
    assert_eq!(order(&mut world, BLUE, [go]), NONE);
    assert!(run_until(&mut world, 120, |world| near(
        world, repair, 30, 40
    )));
}

#[test]
fn an_attack_on_a_building_goes_to_its_nearest_wall() {
    let mut world = empty(0);
    let tank = spawn(&mut world, BLUE, UnitKind::TANK, 20, 40);
    let target = world.put_building(RED, BuildingKind::FACTORY, tile(28, 38));
    let scout = spawn(&mut world, BLUE, UnitKind::SCOUT, 26, 44);
    world.look_around();
    let attack = Command::Attack {
        unit_ids: vec![tank],
        target_id: target,
    };
    assert_eq!(order(&mut world, BLUE, [attack]), NONE);
    let hp = world.building(target).unwrap().hp;
    let hit = |world: &World| world.building(target).is_none_or(|own| own.hp < hp - 40);
    assert!(run_until(&mut world, 120, hit));
    assert!(world.unit(scout).is_some());
    // Straight at the wall that faces it, and no farther than its gun needs.
    let end = at(&world, tank).tile();
    assert_eq!((end.tx, end.ty), (23, 40));
}

#[test]
fn artillery_takes_back_digging_in() {
    let mut world = empty(0);
    let gun = spawn(&mut world, BLUE, UnitKind::ARTILLERY, 20, 40);
    let (anchor, pack_up) = (
        Command::Anchor {
            unit_ids: vec![gun],
        },
        Command::PackUp {
            unit_ids: vec![gun],
        },
    );
    assert_eq!(
        order(&mut world, BLUE, [pack_up.clone()]),
        only(Refusal::CannotDoThat)
    );
    let go = Command::Move {
        unit_ids: vec![gun],
        at: cell(30, 40),
    };
    order(&mut world, BLUE, [go.clone()]);
    assert_eq!(
        order(&mut world, BLUE, [anchor]),
        NONE,
        "it stops to dig in"
    );
    run(&mut world, 3);
    assert!(matches!(
        world.state.units[0].anchor,
        Anchor::DiggingIn { .. }
    ));
    assert_eq!(order(&mut world, BLUE, [pack_up.clone()]), NONE);
    assert_eq!(
        order(&mut world, BLUE, [pack_up]),
        only(Refusal::CannotDoThat),
        "it does already"
    );
    assert_eq!(
        order(&mut world, BLUE, [go.clone()]),
        only(Refusal::Anchored)
    );
    run(&mut world, u32::from(balance::ANCHOR_TICKS));
    assert_eq!(order(&mut world, BLUE, [go]), NONE);
    // Foreign guns are nobody's to order.
    let anchor = Command::Anchor {
        unit_ids: vec![gun],
    };
    assert_eq!(order(&mut world, RED, [anchor]), only(Refusal::NotYours));
}

#[test]
fn a_stop_leaves_dug_in_artillery_dug_in() {
    let mut world = empty(0);
    let gun = spawn(&mut world, BLUE, UnitKind::ARTILLERY, 20, 40);
    order(
        &mut world,
        BLUE,
        [Command::Anchor {
            unit_ids: vec![gun],
        }],
    );
    run(&mut world, 20);
    assert_eq!(
        order(
            &mut world,
            BLUE,
            [Command::Stop {
                unit_ids: vec![gun]
            }]
        ),
        NONE
    );
    assert!(world.unit(gun).unwrap().dug_in);
}

#[test]
fn a_harvest_keeps_what_is_aboard_and_takes_the_ore_that_is_left() {
    let mut world = empty(0);
    let miner = spawn(&mut world, BLUE, UnitKind::HARVESTER, 12, 46);
    world.state.units[0].load = 100;
    let harvest = |at| Command::Harvest {
        unit_ids: vec![miner],
        at,
    };
    assert_eq!(order(&mut world, BLUE, [harvest(cell(9, 42))]), NONE);
    assert_eq!(world.unit(miner).unwrap().load, 100);
    for ore in &mut world.state.ore {
        *ore = 0;
    }
    assert_eq!(
        order(&mut world, BLUE, [harvest(cell(9, 42))]),
        only(Refusal::NoOre)
    );
    assert!(run_until(&mut world, 300, |world| {
        let miner = world.unit(miner).unwrap();
        miner.load == 0 && miner.activity == Activity::Idle
    }));
    assert_eq!(
        order(&mut world, RED, [harvest(cell(9, 42))]),
        only(Refusal::NoOre)
    );
}

#[test]
fn cancelling_what_is_being_made_begins_the_next_anew() {
    let mut world = empty(0);
    let barracks = world.put_building(BLUE, BuildingKind::BARRACKS, tile(12, 58));
    let produce = |unit_kind| Command::Produce {
        building_id: barracks,
        unit_kind,
    };
    order(
        &mut world,
        BLUE,
        [produce(UnitKind::RIFLE), produce(UnitKind::ROCKET)],
    );
    run(&mut world, 20);
    let cancel = |unit_kind| Command::CancelProduce {
        building_id: barracks,
        unit_kind,
    };
    assert_eq!(order(&mut world, BLUE, [cancel(UnitKind::RIFLE)]), NONE);
    let ticks = u32::from(balance::unit(UnitKind::ROCKET).build);
    run(&mut world, ticks - 2);
    assert_eq!(world.units().count(), 0);
    run(&mut world, 2);
    assert_eq!(world.units().next().unwrap().kind, UnitKind::ROCKET);
    assert_eq!(
        order(&mut world, BLUE, [cancel(UnitKind::ROCKET)]),
        only(Refusal::NothingToCancel)
    );
    let gone = Command::CancelProduce {
        building_id: 9999,
        unit_kind: UnitKind::RIFLE,
    };
    assert_eq!(order(&mut world, BLUE, [gone]), only(Refusal::NotYours));
}

#[test]
fn a_finished_building_can_still_be_cancelled_and_a_refused_place_keeps_it() {
    let mut world = empty(0);
    let start = Command::StartBuilding {
        building_kind: BuildingKind::REACTOR,
    };
    order(&mut world, BLUE, [start]);
    run(&mut world, 80);
    let place = |at| Command::PlaceBuilding { at };
    assert_eq!(
        order(&mut world, BLUE, [place(tile(40, 40))]),
        only(Refusal::NoRoom)
    );
    assert_eq!(world.site(BLUE), Some((BuildingKind::REACTOR, 1000)));
    let credits = world.credits(BLUE);
    assert_eq!(order(&mut world, BLUE, [Command::CancelBuilding]), NONE);
    assert!(world.credits(BLUE) >= credits + 300);
    assert_eq!(
        order(&mut world, BLUE, [place(tile(12, 58))]),
        only(Refusal::NotReady)
    );
}

#[test]
fn a_side_has_so_many_buildings_and_no_more() {
    let mut world = empty(0);
    let more = balance::BUILDINGS_PER_SIDE_MAX as u32 - 3;
    for n in 0..more {
        world.put_building(
            BLUE,
            BuildingKind::TURRET,
            tile(16 + n % 10 * 2, 38 + n / 10 * 2),
        );
    }
    let start = Command::StartBuilding {
        building_kind: BuildingKind::REACTOR,
    };
    assert_eq!(order(&mut world, BLUE, [start]), only(Refusal::TooMany));
}

/// Whose order came first does not matter: neither gets the ground, and both their money back.
#[test]
fn two_buildings_on_the_same_ground_in_the_same_tick_are_both_given_back() {
    let mut world = empty(0);
    // A red outpost beside blue's base.
    world.put_building(RED, BuildingKind::TURRET, tile(20, 50));
    let start = |side: Side| Order {
        seat: side.seat(),
        command: Command::StartBuilding {
            building_kind: BuildingKind::REACTOR,
        },
    };
    world.step(&[start(BLUE), start(RED)]);
    run(&mut world, 80);
    let place = |side: Side, tx| Order {
        seat: side.seat(),
        command: Command::PlaceBuilding { at: tile(tx, 52) },
    };
    let before = Side::BOTH.map(|side| world.credits(side));
    let count = world.buildings().count();
    world.step(&[place(BLUE, 15), place(RED, 16)]);
    assert_eq!(world.buildings().count(), count);
    for side in Side::BOTH {
        assert!(world.credits(side) >= before[side.index()] + 300);
        let refused = FxEvent::Refused {
            side,
            command: 12,
            why: Refusal::NoRoom,
        };
        assert!(world.events().contains(&refused));
    }
}

#[test]
fn a_sale_counts_at_once_and_the_walls_go_when_all_orders_are_heard() {
    let mut world = empty(0);
    let uplink = world.put_building(BLUE, BuildingKind::UPLINK, tile(12, 58));
    let place = world.state.building_index(uplink).unwrap();
    world.state.buildings[place].hp /= 2;
    run(&mut world, 900);
    let before = world.credits(BLUE);
    let sell = Command::Sell {
        building_id: uplink,
    };
    let scan = Command::Calldown {
        power: Power::SCAN,
        at: cell(30, 30),
    };
    let refused = order(&mut world, BLUE, [sell.clone(), scan, sell]);
    assert_eq!(refused, vec![Refusal::Needs, Refusal::NotYours]);
    assert_eq!(world.credits(BLUE) - before, 700 / 2 / 2, "half of half");
    assert!(world.building(uplink).is_none());
    let sold = |event: &FxEvent| matches!(event, FxEvent::BuildingLost { sold: true, .. });
    assert!(world.events().iter().any(sold));
}

#[test]
fn waves_grow_with_the_match() {
    let mut world = empty(0);
    run(&mut world, 2 * balance::WAVE_GROWTH);
    world.state.sides.blue.credits = balance::WAVE_COST;
    assert_eq!(order(&mut world, BLUE, [Command::CallWave]), NONE);
    assert_eq!(world.units().count(), balance::WAVE_UNITS.len() + 2);
}

#[test]
fn a_drop_does_not_go_over_the_limit() {
    let mut world = empty(0);
    world.put_building(BLUE, BuildingKind::UPLINK, tile(12, 58));
    for n in 0..balance::UNITS_PER_SIDE_MAX as u32 - 3 {
        spawn(&mut world, BLUE, UnitKind::RIFLE, 20 + n % 10, 34 + n / 10);
    }
    run(&mut world, balance::power(Power::DROP).cooldown);
    let drop = Command::Calldown {
        power: Power::DROP,
        at: cell(24, 50),
    };
    assert_eq!(order(&mut world, BLUE, [drop]), only(Refusal::TooMany));
}

#[test]
fn boarding_ends_when_the_carrier_is_full_or_gone() {
    let mut world = empty(0);
    let condor = spawn(&mut world, BLUE, UnitKind::CONDOR, 20, 44);
    let rifle = spawn(&mut world, BLUE, UnitKind::RIFLE, 28, 44);
    let board = Command::Board {
        unit_ids: vec![rifle],
        carrier_id: condor,
    };
    assert_eq!(
        order(&mut world, RED, [board.clone()]),
        only(Refusal::NotYours)
    );
    assert_eq!(order(&mut world, BLUE, [board]), NONE);
    let place = world.state.unit_index(condor).unwrap();
    world.state.units[place].hp = 0;
    run(&mut world, 3);
    assert_eq!(world.unit(rifle).unwrap().activity, Activity::Idle);
}

#[test]
fn a_resignation_counts_whatever_else_is_ordered() {
    let mut world = empty(0);
    let refused = order(
        &mut world,
        BLUE,
        [
            Command::StartBuilding {
                building_kind: BuildingKind::BARRACKS,
            },
            Command::Resign,
            Command::Resign,
        ],
    );
    assert_eq!(refused, NONE);
    let resigned = FxEvent::Resigned { side: BLUE };
    assert_eq!(
        world
            .events()
            .iter()
            .filter(|event| **event == resigned)
            .count(),
        1
    );
    assert_eq!(world.outcome().unwrap().winning_side(), Some(RED));
}
