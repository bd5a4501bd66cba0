//! Building, producing, selling, waves and powers.

use super::*;
use crate::{BuildingKind, Power, balance};

/// Builds and places with all the rules; the site must be free.
fn erect(world: &mut World, side: Side, building_kind: BuildingKind, at: Tile) -> u32 {
    assert_eq!(
        order(world, side, [Command::StartBuilding { building_kind }]),
        NONE
    );
    assert!(run_until(world, 400, |world| world
        .site(side)
        .is_some_and(|(_, done)| done == 1000)));
    assert_eq!(order(world, side, [Command::PlaceBuilding { at }]), NONE);
    let last = world.buildings().last().unwrap();
    assert_eq!((last.kind, last.side, last.at), (building_kind, side, at));
    last.id
}

#[test]
fn a_building_is_paid_for_built_and_placed_near_its_base() {
    let mut world = empty(0);
    let place = |at| Command::PlaceBuilding { at };
    let start = |building_kind| Command::StartBuilding { building_kind };
    let mut tell = |command| order(&mut world, BLUE, [command]);
    assert_eq!(tell(place(tile(12, 50))), only(Refusal::NotReady));
    assert_eq!(
        tell(Command::CancelBuilding),
        only(Refusal::NothingToCancel)
    );
    assert_eq!(tell(start(BuildingKind::HQ)), only(Refusal::CannotDoThat));
    assert_eq!(tell(start(BuildingKind(99))), only(Refusal::CannotDoThat));
    assert_eq!(tell(start(BuildingKind::FACTORY)), only(Refusal::Needs));
    assert_eq!(tell(start(BuildingKind::BARRACKS)), NONE);
    assert_eq!(tell(start(BuildingKind::REACTOR)), only(Refusal::Busy));
    assert_eq!(tell(place(tile(12, 54))), only(Refusal::NotReady));
    let credits = world.credits(BLUE);
    assert_eq!(credits, 20_000 - 400);
    run(&mut world, 80);
    assert_eq!(world.site(BLUE), Some((BuildingKind::BARRACKS, 1000)));
    let mut tell = |command| order(&mut world, BLUE, [command]);
    for (at, what) in [
        (tile(30, 50), "far from the base"),
        (tile(8, 54), "on the command centre"),
        (tile(9, 43), "on ore"),
        (tile(63, 63), "over the edge"),
        (tile(14, 33), "on rock"),
    ] {
        assert_eq!(tell(place(at)), only(Refusal::NoRoom), "{what}");
    }
    assert_eq!(tell(place(tile(12, 54))), NONE);
    assert_eq!(world.site(BLUE), None);
    assert!(!world.ground.is_open(tile(13, 55)), "it blocks its ground");
}

#[test]
fn a_cancelled_building_gives_its_cost_back() {
    let mut world = empty(0);
    order(
        &mut world,
        BLUE,
        [Command::StartBuilding {
            building_kind: BuildingKind::BARRACKS,
        }],
    );
    assert_eq!(order(&mut world, BLUE, [Command::CancelBuilding]), NONE);
    assert_eq!(world.credits(BLUE), 20_000);
    assert_eq!(world.site(BLUE), None);
    world.state.sides.blue.credits = 100;
    let poor = order(
        &mut world,
        BLUE,
        [Command::StartBuilding {
            building_kind: BuildingKind::BARRACKS,
        }],
    );
    assert_eq!(poor, only(Refusal::Credits));
}

#[test]
fn a_building_put_down_on_units_makes_them_step_aside() {
    let mut world = empty(0);
    let id = spawn(&mut world, BLUE, UnitKind::RIFLE, 12, 54);
    erect(&mut world, BLUE, BuildingKind::BARRACKS, tile(12, 54));
    assert!(world.ground.is_free(at(&world, id)));
}

#[test]
fn units_are_queued_made_and_sent_to_the_rally_point() {
    let mut world = empty(0);
    let barracks = erect(&mut world, BLUE, BuildingKind::BARRACKS, tile(12, 54));
    let reactor = world
        .buildings()
        .find(|own| own.kind == BuildingKind::REACTOR && own.side == BLUE)
        .unwrap()
        .id;
    let rally = |building_id, at| Command::Rally { building_id, at };
    let produce = |building_id, unit_kind| Command::Produce {
        building_id,
        unit_kind,
    };
    let mut tell = |command| order(&mut world, BLUE, [command]);
    assert_eq!(
        tell(rally(reactor, cell(20, 50))),
        only(Refusal::CannotDoThat)
    );
    assert_eq!(tell(rally(9999, cell(20, 50))), only(Refusal::NotYours));
    assert_eq!(tell(rally(barracks, cell(20, 50))), NONE);
    assert_eq!(
        tell(produce(barracks, UnitKind::TANK)),
        only(Refusal::CannotDoThat)
    );
    assert_eq!(
        tell(produce(barracks, UnitKind(31))),
        only(Refusal::CannotDoThat)
    );
    assert_eq!(
        tell(produce(9999, UnitKind::RIFLE)),
        only(Refusal::NotYours)
    );
    for _ in 0..balance::QUEUE_MAX {
        assert_eq!(tell(produce(barracks, UnitKind::RIFLE)), NONE);
    }
    assert_eq!(
        tell(produce(barracks, UnitKind::RIFLE)),
        only(Refusal::QueueFull)
    );
    assert!(run_until(&mut world, 40, |world| world.units().count() == 1));
    let made = world.units().next().unwrap();
    assert_eq!((made.kind, made.side), (UnitKind::RIFLE, BLUE));
    assert!(run_until(&mut world, 200, |world| near(
        world, made.id, 20, 50
    )));
    world.state.sides.blue.credits = 10;
    assert_eq!(
        order(&mut world, BLUE, [produce(barracks, UnitKind::ROCKET)]),
        only(Refusal::Credits)
    );
}

#[test]
fn a_cancelled_unit_gives_its_cost_back() {
    let mut world = empty(0);
    let barracks = erect(&mut world, BLUE, BuildingKind::BARRACKS, tile(12, 54));
    let produce = |unit_kind| Command::Produce {
        building_id: barracks,
        unit_kind,
    };
    let cancel = |unit_kind| Command::CancelProduce {
        building_id: barracks,
        unit_kind,
    };
    let queue = [UnitKind::RIFLE, UnitKind::ROCKET, UnitKind::RIFLE];
    order(&mut world, BLUE, queue.map(produce));
    let credits = world.credits(BLUE);
    assert_eq!(order(&mut world, BLUE, [cancel(UnitKind::RIFLE)]), NONE);
    assert_eq!(
        world.building(barracks).unwrap().queue,
        [UnitKind::RIFLE, UnitKind::ROCKET],
        "the last goes"
    );
    assert!(world.credits(BLUE) >= credits + 100);
    assert_eq!(
        order(&mut world, BLUE, [cancel(UnitKind::TANK)]),
        only(Refusal::NothingToCancel)
    );
    assert_eq!(
        order(&mut world, RED, [cancel(UnitKind::RIFLE)]),
        only(Refusal::NotYours)
    );
}

#[test]
fn technology_is_needed_first() {
    let mut world = empty(0);
    erect(&mut world, BLUE, BuildingKind::BARRACKS, tile(12, 54));
    let factory = erect(&mut world, BLUE, BuildingKind::FACTORY, tile(12, 57));
    let goliath = Command::Produce {
        building_id: factory,
        unit_kind: UnitKind::GOLIATH,
    };
    assert_eq!(
        order(&mut world, BLUE, [goliath.clone()]),
        only(Refusal::Needs)
    );
    erect(&mut world, BLUE, BuildingKind::UPLINK, tile(5, 50));
    assert_eq!(order(&mut world, BLUE, [goliath]), NONE);
}

#[test]
fn a_refinery_comes_with_a_harvester_at_work() {
    let mut world = empty(0);
    erect(&mut world, BLUE, BuildingKind::REFINERY, tile(14, 53));
    let made = world.units().next().unwrap();
    assert_eq!(
        (made.kind, made.activity),
        (UnitKind::HARVESTER, crate::Activity::Harvesting)
    );
}

#[test]
fn a_power_shortage_halves_the_pace() {
    let ticks = |short: bool| {
        let mut world = empty(0);
        if short {
            for tx in [20, 24, 28, 32] {
                world.put_building(BLUE, BuildingKind::AIRFIELD, tile(tx, 60));
            }
        }
        assert_eq!(world.power(BLUE) < 0, short);
        order(
            &mut world,
            BLUE,
            [Command::StartBuilding {
                building_kind: BuildingKind::REACTOR,
            }],
        );
        assert!(run_until(&mut world, 400, |world| world.site(BLUE)
            == Some((BuildingKind::REACTOR, 1000))));
        world.tick().0
    };
    assert_eq!(ticks(true), 2 * ticks(false));
}

#[test]
fn a_sale_returns_half_and_opens_the_ground() {
    let mut world = empty(0);
    let barracks = erect(&mut world, BLUE, BuildingKind::BARRACKS, tile(12, 54));
    let hq = world
        .buildings()
        .find(|own| own.kind == BuildingKind::HQ && own.side == BLUE)
        .unwrap()
        .id;
    order(
        &mut world,
        BLUE,
        [Command::Produce {
            building_id: barracks,
            unit_kind: UnitKind::RIFLE,
        }],
    );
    let sell = |building_id| Command::Sell { building_id };
    assert_eq!(
        order(&mut world, RED, [sell(barracks)]),
        only(Refusal::NotYours)
    );
    assert_eq!(
        order(&mut world, BLUE, [sell(hq)]),
        only(Refusal::CannotDoThat)
    );
    let before = world.credits(BLUE);
    assert_eq!(order(&mut world, BLUE, [sell(barracks)]), NONE);
    assert_eq!(
        world.credits(BLUE) - before,
        200 + 100,
        "half its cost, and the queued rifle's"
    );
    assert!(world.building(barracks).is_none());
    assert!(world.ground.is_open(tile(12, 54)));
}

#[test]
fn a_wave_costs_cools_down_and_comes_to_the_home_edge() {
    let mut world = empty(0);
    assert_eq!(
        order(&mut world, RED, [Command::CallWave]),
        only(Refusal::Cooling)
    );
    run(&mut world, balance::WAVE_COOLDOWN);
    let before = world.credits(RED);
    assert_eq!(order(&mut world, RED, [Command::CallWave]), NONE);
    assert_eq!(before - world.credits(RED), balance::WAVE_COST);
    assert_eq!(world.units().count(), balance::WAVE_UNITS.len());
    assert!(
        world
            .units()
            .all(|unit| unit.side == RED && near(&world, unit.id, 61, 3))
    );
    assert_eq!(
        order(&mut world, RED, [Command::CallWave]),
        only(Refusal::Cooling)
    );
    world.state.sides.blue.credits = 999;
    assert_eq!(
        order(&mut world, BLUE, [Command::CallWave]),
        only(Refusal::Credits)
    );
}

#[test]
fn a_full_army_refuses_more() {
    let mut world = empty(0);
    let barracks = erect(&mut world, BLUE, BuildingKind::BARRACKS, tile(12, 54));
    for n in 0..balance::UNITS_PER_SIDE_MAX as u32 {
        spawn(&mut world, BLUE, UnitKind::RIFLE, 20 + n % 10, 36 + n / 10);
    }
    run(&mut world, balance::WAVE_COOLDOWN);
    let rifle = Command::Produce {
        building_id: barracks,
        unit_kind: UnitKind::RIFLE,
    };
    assert_eq!(order(&mut world, BLUE, [rifle]), only(Refusal::TooMany));
    assert_eq!(
        order(&mut world, BLUE, [Command::CallWave]),
        only(Refusal::TooMany)
    );
}

#[test]
fn powers_need_an_uplink_cost_and_cool_down() {
    let mut world = empty(0);
    let call = |power| Command::Calldown {
        power,
        at: cell(40, 40),
    };
    let cooldown = |power: Power| balance::power(power).cooldown;
    assert_eq!(
        order(&mut world, BLUE, [call(Power::SCAN)]),
        only(Refusal::Needs)
    );
    world.put_building(BLUE, BuildingKind::UPLINK, tile(5, 50));
    assert_eq!(
        order(&mut world, BLUE, [call(Power::SCAN)]),
        only(Refusal::Cooling)
    );
    assert_eq!(
        order(&mut world, BLUE, [call(Power(7))]),
        only(Refusal::CannotDoThat)
    );
    run(&mut world, cooldown(Power::STRIKE));
    world.state.sides.blue.credits = 0;
    assert_eq!(
        order(&mut world, BLUE, [call(Power::SCAN)]),
        only(Refusal::Credits)
    );
    world.state.sides.blue.credits = 5000;
    // Scan: sees for a while.
    assert!(!world.visible(BLUE, tile(40, 40)));
    assert_eq!(order(&mut world, BLUE, [call(Power::SCAN)]), NONE);
    assert_eq!(
        order(&mut world, BLUE, [call(Power::SCAN)]),
        only(Refusal::Cooling)
    );
    assert!(world.visible(BLUE, tile(40, 40)) && !world.visible(RED, tile(40, 40)));
    run(&mut world, balance::SCAN_TICKS);
    assert!(!world.visible(BLUE, tile(40, 40)) && world.explored(BLUE, tile(40, 40)));
    // Drop: a squad, on open ground only.
    assert_eq!(
        order(
            &mut world,
            BLUE,
            [Command::Calldown {
                power: Power::DROP,
                at: cell(15, 24)
            }]
        ),
        only(Refusal::NoRoom)
    );
    assert_eq!(order(&mut world, BLUE, [call(Power::DROP)]), NONE);
    assert_eq!(
        world
            .units()
            .filter(|unit| near(&world, unit.id, 40, 40))
            .count(),
        balance::DROP_SQUAD
    );
    // Mend: own units in the circle.
    for unit in &mut world.state.units {
        unit.hp = 5;
    }
    let foe = spawn(&mut world, RED, UnitKind::HARVESTER, 41, 41);
    let place = world.state.unit_index(foe).unwrap();
    world.state.units[place].hp = 200;
    assert_eq!(order(&mut world, BLUE, [call(Power::MEND)]), NONE);
    assert!(
        world
            .units()
            .filter(|unit| unit.side == BLUE)
            .all(|unit| unit.hp == unit.hp_whole)
    );
    assert!(world.unit(foe).unwrap().hp <= 200);
    // Strike: falls after a delay, on the enemy alone.
    order(&mut world, BLUE, [Command::Stop { unit_ids: vec![1] }]);
    assert_eq!(order(&mut world, BLUE, [call(Power::STRIKE)]), NONE);
    assert!(world.unit(foe).is_some());
    run(&mut world, balance::STRIKE_DELAY);
    assert!(world.unit(foe).is_none());
    assert_eq!(
        world.units().filter(|unit| unit.side == BLUE).count(),
        balance::DROP_SQUAD
    );
}
