//! What a player expects of units without saying so: they do not jam, they shoot back, they choose sensibly, and
//! harvesters look after themselves.

use super::*;
use crate::{
    Activity, BuildingKind, SUBS_PER_TILE, balance, mutator,
    state::{Anchor, Task},
};
use match_feed::Tick;

/// Blocks a row of tiles from edge to edge but for `gap`.
fn wall(world: &mut World, ty: u32, gap: core::ops::Range<u32>) {
    let row = (0..world.map_size().width()).filter(|tx| !gap.contains(tx));
    let row: Vec<Tile> = row.map(|tx| tile(tx, ty)).collect();
    for &at in &row {
        world.ground.set_open(at, false);
    }
    world.fields.changed(&world.ground, row.into_iter());
}

fn attack_move(unit_ids: Vec<u32>, at: Cell) -> Command {
    Command::AttackMove { unit_ids, at }
}

#[test]
fn forty_units_pass_a_gap_of_two_tiles_and_all_arrive() {
    for make in [
        |unit_ids, at| Command::Move { unit_ids, at },
        attack_move as fn(Vec<u32>, Cell) -> Command,
    ] {
        let mut world = empty(0);
        wall(&mut world, 40, 20..22);
        let unit_ids: Vec<u32> = (0..40)
            .map(|n| {
                let kind = match n % 4 {
                    0 => UnitKind::TANK,
                    1 => UnitKind::ROCKET,
                    2 => UnitKind::FLAK,
                    _ => UnitKind::RIFLE,
                };
                spawn(&mut world, BLUE, kind, 14 + n % 8, 46 + n / 8)
            })
            .collect();
        order(&mut world, BLUE, [make(unit_ids.clone(), cell(24, 35))]);
        let goal = Point::of_tile(tile(24, 35));
        let arrived = |world: &World| {
            unit_ids.iter().all(|&id| {
                let unit = world.unit(id).unwrap();
                unit.activity == Activity::Idle && unit.at.within(goal, 6 * SUBS_PER_TILE)
            })
        };
        // Alone the slowest takes some 150 ticks.
        let done = run_until(&mut world, 500, arrived);
        let late: Vec<_> = world
            .units()
            .filter(|unit| !unit.at.within(goal, 6 * SUBS_PER_TILE))
            .map(|unit| (unit.kind, unit.at.tile(), unit.activity))
            .collect();
        assert!(done, "{} have not arrived: {late:?}", late.len());
    }
}

#[test]
fn two_streams_pass_in_a_gap() {
    let mut world = empty(0);
    wall(&mut world, 32, 30..32);
    // Harvesters of one side under way south and north: nobody stops to shoot.
    let mut ids = Vec::new();
    for n in 0..10 {
        let (blue, red) = (
            spawn(
                &mut world,
                BLUE,
                UnitKind::HARVESTER,
                28 + n % 5,
                38 + n / 5,
            ),
            spawn(
                &mut world,
                BLUE,
                UnitKind::HARVESTER,
                28 + n % 5,
                25 + n / 5,
            ),
        );
        ids.push((blue, red));
    }
    let (south, north): (Vec<u32>, Vec<u32>) = ids.into_iter().unzip();
    let go = |unit_ids: &Vec<u32>, at| Command::Move {
        unit_ids: unit_ids.clone(),
        at,
    };
    order(
        &mut world,
        BLUE,
        [go(&south, cell(30, 24)), go(&north, cell(30, 40))],
    );
    let there = |world: &World, ids: &[u32], ty: u32| {
        ids.iter()
            .all(|&id| at(world, id).within(Point::of_tile(tile(30, ty)), 6 * SUBS_PER_TILE))
    };
    assert!(
        run_until(&mut world, 700, |world| there(world, &south, 24)
            && there(world, &north, 40)),
        "two streams through one gap"
    );
}

#[test]
fn an_army_on_the_attack_arrives_together() {
    let mut world = empty(0);
    let unit_ids: Vec<u32> = (0..24)
        .map(|n| spawn(&mut world, BLUE, UnitKind::RIFLE, 18 + n % 6, 38 + n / 6))
        .collect();
    order(
        &mut world,
        BLUE,
        [attack_move(unit_ids.clone(), cell(44, 40))],
    );
    let goal = Point::of_tile(tile(44, 40));
    let near = |world: &World, reach: i32| {
        let there = unit_ids
            .iter()
            .filter(|&&id| at(world, id).within(goal, reach));
        there.count()
    };
    // From the first three at the goal to nearly all: no single file.
    assert!(run_until(&mut world, 600, |world| near(
        world,
        3 * SUBS_PER_TILE
    ) >= 3));
    assert!(run_until(&mut world, 90, |world| near(
        world,
        6 * SUBS_PER_TILE
    ) >= 22));
}

#[test]
fn what_is_shot_at_shoots_back_and_closes_in() {
    let mut world = empty(mutator::CLEAR_SKIES);
    let guard = spawn(&mut world, BLUE, UnitKind::TANK, 20, 40);
    // In plain sight, and eight tiles off: farther than a tank looks for targets by itself.
    let gun = spawn(&mut world, RED, UnitKind::ARTILLERY, 28, 40);
    world.state.units[1].anchor = Anchor::Anchored;
    let shot = |event: &FxEvent| matches!(event, FxEvent::Shot { side: RED, .. });
    let far = |world: &World| at(world, guard).distance(at(world, gun));
    let mut before = far(&world);
    while !world.events().iter().any(shot) {
        assert_eq!(world.unit(guard).unwrap().target, None, "not by itself");
        before = far(&world);
        run(&mut world, 1);
        assert!(world.tick() < Tick(20), "the gun shoots");
    }
    assert_eq!(world.unit(guard).unwrap().target, Some(gun));
    assert!(run_until(&mut world, 60, |world| world
        .unit(gun)
        .is_none_or(|gun| gun.hp < gun.hp_whole)));
    let closer = world.unit(gun).is_none() || far(&world) < before - 2 * SUBS_PER_TILE;
    assert!(closer, "it went to meet it");
}

#[test]
fn a_unit_with_an_order_is_not_drawn_away_by_a_shot() {
    let mut world = empty(0);
    let tank = spawn(&mut world, BLUE, UnitKind::TANK, 20, 40);
    spawn(&mut world, RED, UnitKind::RIFLE, 24, 42);
    let go = Command::Move {
        unit_ids: vec![tank],
        at: cell(30, 36),
    };
    order(&mut world, BLUE, [go]);
    // About what the way takes; to fight on it would take half as long again.
    assert!(run_until(&mut world, 65, |world| near(world, tank, 30, 36)));
}

/// The target that a blue unit of `kind` at (20, 40) takes first.
fn choice(kind: UnitKind, enemies: &[(UnitKind, u32, u32)]) -> Option<UnitKind> {
    let mut world = empty(0);
    let own = spawn(&mut world, BLUE, kind, 20, 40);
    for &(kind, tx, ty) in enemies {
        spawn(&mut world, RED, kind, tx, ty);
    }
    world.look_around();
    run(&mut world, balance::LOOK_EVERY);
    let target = world.unit(own)?.target?;
    world.unit(target).map(|unit| unit.kind)
}

#[test]
fn targets_are_what_threatens_then_what_is_near() {
    use UnitKind as U;
    // What shoots, even a little farther off, before what does not.
    assert_eq!(
        choice(U::TANK, &[(U::HARVESTER, 23, 40), (U::RIFLE, 24, 40)]),
        Some(U::RIFLE)
    );
    assert_eq!(
        choice(U::TANK, &[(U::HARVESTER, 22, 40), (U::TANK, 26, 40)]),
        Some(U::HARVESTER)
    );
    // Of the same, the nearer.
    assert_eq!(
        choice(U::RIFLE, &[(U::ROCKET, 24, 40), (U::RIFLE, 22, 40)]),
        Some(U::RIFLE)
    );
    // Only what the weapon can hit.
    assert_eq!(
        choice(U::TANK, &[(U::BOMBER, 21, 40), (U::RIFLE, 24, 40)]),
        Some(U::RIFLE)
    );
    assert_eq!(choice(U::TANK, &[(U::FIGHTER, 22, 40)]), None);
    assert_eq!(choice(U::FLAK, &[(U::FIGHTER, 24, 40)]), Some(U::FIGHTER));
    assert_eq!(choice(U::REPAIR, &[(U::RIFLE, 21, 40)]), None);
}

#[test]
fn a_turret_is_shot_before_the_wall_beside_it() {
    let mut world = empty(0);
    let tank = spawn(&mut world, BLUE, UnitKind::TANK, 20, 40);
    world.put_building(RED, BuildingKind::REACTOR, tile(22, 40));
    let turret = world.put_building(RED, BuildingKind::TURRET, tile(24, 40));
    world.look_around();
    run(&mut world, balance::LOOK_EVERY);
    assert_eq!(world.unit(tank).unwrap().target, Some(turret));
}

#[test]
fn an_army_that_kills_what_it_met_goes_on() {
    let mut world = empty(0);
    let squad: Vec<u32> = (0..4)
        .map(|n| spawn(&mut world, BLUE, UnitKind::TANK, 20 + n, 40))
        .collect();
    let foe = spawn(&mut world, RED, UnitKind::RIFLE, 28, 40);
    order(&mut world, BLUE, [attack_move(squad.clone(), cell(40, 40))]);
    assert!(run_until(&mut world, 200, |world| world
        .unit(foe)
        .is_none()));
    let there = |world: &World| squad.iter().all(|&id| near(world, id, 40, 40));
    assert!(run_until(&mut world, 200, there));
}

#[test]
fn harvesters_take_turns_and_none_is_stuck() {
    let mut world = empty(0);
    let miners: Vec<u32> = (0..10)
        .map(|n| {
            spawn(
                &mut world,
                BLUE,
                UnitKind::HARVESTER,
                12 + n % 5,
                50 + n / 5,
            )
        })
        .collect();
    for &id in &miners {
        let at = world.state.unit_index(id).unwrap();
        world.send_mining(at);
    }
    let mut delivered = [false; 10];
    let mut before = [0; 10];
    for _ in 0..500 {
        world.step(&[]);
        for (n, &id) in miners.iter().enumerate() {
            let load = world.unit(id).unwrap().load;
            delivered[n] |= load < before[n];
            before[n] = load;
        }
    }
    assert!(delivered.iter().all(|done| *done), "{delivered:?}");
}

#[test]
fn a_harvester_goes_on_to_other_ore_when_its_own_is_gone() {
    let mut world = empty(0);
    let miner = spawn(&mut world, BLUE, UnitKind::HARVESTER, 12, 48);
    let at = world.state.unit_index(miner).unwrap();
    world.send_mining(at);
    let Task::Harvest { ore, .. } = world.state.units[at].task else {
        panic!("it mines");
    };
    let slot = world.map.ore_slot(ore).unwrap();
    world.state.ore[slot] = 20;
    assert!(run_until(&mut world, 300, |world| world
        .unit(miner)
        .unwrap()
        .load
        > 20));
    assert_eq!(world.ore(ore), 0);
    assert_eq!(world.unit(miner).unwrap().activity, Activity::Harvesting);
}

#[test]
fn a_harvester_without_a_refinery_waits_and_delivers_when_there_is_one() {
    let mut world = empty(0);
    for building in &mut world.state.buildings {
        if building.kind == BuildingKind::REFINERY {
            building.hp = 0;
        }
    }
    run(&mut world, 1);
    let miner = spawn(&mut world, BLUE, UnitKind::HARVESTER, 12, 46);
    let at = world.state.unit_index(miner).unwrap();
    world.send_mining(at);
    assert!(run_until(&mut world, 300, |world| world
        .unit(miner)
        .unwrap()
        .load
        == balance::HARVESTER_LOAD));
    run(&mut world, 100);
    assert_eq!(
        world.unit(miner).unwrap().load,
        balance::HARVESTER_LOAD,
        "it keeps its load"
    );
    world.put_building(BLUE, BuildingKind::REFINERY, tile(14, 50));
    world.make_way();
    assert!(run_until(&mut world, 200, |world| world
        .unit(miner)
        .unwrap()
        .load
        == 0));
}

#[test]
fn turrets_without_power_fire_at_half_speed() {
    let shots = |short: bool| {
        let mut world = empty(0);
        world.put_building(RED, BuildingKind::TURRET, tile(30, 40));
        if short {
            for tx in [40, 44, 48] {
                world.put_building(RED, BuildingKind::AIRFIELD, tile(tx, 56));
            }
        }
        assert_eq!(world.power(RED) < 0, short);
        let prey = spawn(&mut world, BLUE, UnitKind::GOLIATH, 30, 43);
        let mut shots = 0;
        for _ in 0..240 {
            let place = world.state.unit_index(prey).unwrap();
            world.state.units[place].hp = 1200;
            world.step(&[]);
            let of_red = |event: &&FxEvent| {
                matches!(
                    event,
                    FxEvent::Shot {
                        side: Side::Red,
                        ..
                    }
                )
            };
            shots += world.events().iter().filter(of_red).count();
        }
        shots
    };
    let (whole, short) = (shots(false), shots(true));
    assert!(
        whole > 10 && short * 2 >= whole - 2 && short * 2 <= whole + 2,
        "{whole} {short}"
    );
}
