//! Saves and hashes: what is covered, and what a damaged save does.

use super::*;
use crate::{
    Ai, AiLevel, BuildingKind,
    canon::{Canon as _, Reader},
    dice::Dice,
    sound::{AMOUNT_MAX, TICK_MAX},
    state::{Anchor, Building, Scan, SideState, Site, State, Strike, Task, Unit},
};
use match_feed::{
    LoadError, Tick, WorldHash,
    duel::{DuelOutcome, compose_tick},
};

/// A world in the middle of a match between two AIs.
fn played(ticks: u32) -> (World, PerSide<Ai>) {
    let mut world = World::new(&setup(0)).unwrap();
    let mut ais = PerSide::from_fn(|side| Ai::new(side, AiLevel::Normal, 3));
    for _ in 0..ticks {
        play_tick(&mut world, &mut ais);
    }
    (world, ais)
}

fn play_tick(world: &mut World, ais: &mut PerSide<Ai>) {
    let (blue, red) = (ais.blue.think(world), ais.red.think(world));
    world.step(&compose_tick(BLUE, blue, red));
}

#[test]
fn saved_loaded_and_stepped_is_the_same_as_stepped() {
    for ticks in [0, 1, 250, 1200] {
        let (mut world, mut ais) = played(ticks);
        let saved = world.save().unwrap();
        // Into a world of another setup: everything comes from the bytes.
        let mut other = World::new(&MatchSetup {
            map: MapChoice::BuiltIn(3),
            ..setup(2)
        })
        .unwrap();
        other.load(&saved).unwrap();
        assert_eq!(other.save().unwrap(), saved);
        assert_eq!(other.fog.visible, world.fog.visible);
        let mut twins = ais.clone();
        for _ in 0..200 {
            play_tick(&mut world, &mut ais);
            play_tick(&mut other, &mut twins);
            assert_eq!(world.hash(), other.hash());
        }
    }
}

#[test]
fn a_damaged_save_is_refused_and_changes_nothing() {
    let (world, _) = played(300);
    let saved = world.save().unwrap();
    let mut other = empty(0);
    let before = other.hash();
    for len in (0..saved.len()).step_by(7) {
        assert!(matches!(
            other.load(&saved[..len]),
            Err(LoadError::Damaged { .. })
        ));
    }
    for at in (0..saved.len()).step_by(5) {
        let mut bytes = saved.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(other.load(&bytes).is_err(), "byte {at}");
    }
    assert_eq!(other.hash(), before);
}

/// A save whose bytes were changed by somebody who also corrected its hash is refused or runs; it never panics.
#[test]
fn a_forged_save_never_panics() {
    let (world, _) = played(700);
    let saved = world.save().unwrap();
    let body = saved.len() - 8;
    let mut ran = 0;
    for at in (0..body).step_by(3) {
        let mut bytes = saved[..body].to_vec();
        bytes[at] ^= [0x01, 0x80, 0xFF, 0x02][at % 4];
        let hash = WorldHash::of(&bytes);
        bytes.extend_from_slice(&hash.0.to_le_bytes());
        let mut forged = empty(0);
        if forged.load(&bytes).is_ok() {
            run(&mut forged, 5);
            ran += 1;
        }
    }
    assert!(ran > 50, "{ran} of {body} forgeries were worlds");
}

/// A save whose numbers somebody set to the largest that a world may hold steps and shows itself all the same.
#[test]
fn the_largest_numbers_of_a_forged_save_overflow_nothing() {
    let (mut world, _) = played(700);
    // Somebody to march, and somebody to shoot at walls.
    let march = spawn(&mut world, BLUE, UnitKind::TANK, 20, 40);
    let red = world.home(RED);
    spawn(&mut world, BLUE, UnitKind::GOLIATH, red.tx - 4, red.ty);
    world.state.sides.blue.site = Some(Site {
        kind: BuildingKind::UPLINK,
        progress: 0,
    });
    fn every_unit(state: &mut State, change: fn(&mut Unit)) {
        state.units.iter_mut().for_each(change);
    }
    fn every_building(state: &mut State, change: fn(&mut Building)) {
        state.buildings.iter_mut().for_each(change);
    }
    let forgeries: Vec<Change<State>> = vec![
        ("nothing", |_| {}),
        ("tick", |s| s.tick = Tick(TICK_MAX - 1)),
        ("dice", |s| {
            for side in Side::BOTH {
                let most = [[7; 8], [0; 8], [0xFF; 8]].concat();
                s.dice[side] = Dice::read(&mut Reader::new(&most)).unwrap();
            }
        }),
        ("stuck", |s| {
            every_unit(s, |u| {
                let to = Point::of_tile(tile(60, 4));
                (u.task, u.nearest, u.stuck) = (Task::Move { to }, 0, u16::MAX);
            })
        }),
        ("nearest", |s| every_unit(s, |u| u.nearest = i32::MAX)),
        ("reload", |s| every_unit(s, |u| u.reload = u16::MAX)),
        ("load", |s| every_unit(s, |u| u.load = u16::MAX)),
        ("target", |s| every_unit(s, |u| u.target = u32::MAX)),
        ("carrier", |s| every_unit(s, |u| u.carrier = u32::MAX)),
        ("hauls", |s| every_unit(s, |u| u.hauls = u32::MAX)),
        ("anchor", |s| {
            every_unit(s, |u| u.anchor = Anchor::DiggingIn { left: u16::MAX })
        }),
        ("progress", |s| {
            every_building(s, |b| {
                b.queue = vec![UnitKind::GOLIATH];
                b.progress = AMOUNT_MAX - 1;
            })
        }),
        ("a turret's reload", |s| {
            every_building(s, |b| b.reload = u16::MAX)
        }),
        ("a building's target", |s| {
            every_building(s, |b| b.target = u32::MAX)
        }),
        ("site", |s| {
            for kind in BuildingKind::all() {
                let progress = AMOUNT_MAX - 1;
                s.sides.blue.site = Some(Site { kind, progress });
            }
        }),
        ("a site without work", |s| {
            s.sides.blue.site = Some(Site {
                kind: BuildingKind::HQ,
                progress: AMOUNT_MAX - 1,
            })
        }),
        ("credits", |s| {
            for side in Side::BOTH {
                s.sides[side].credits = AMOUNT_MAX - 1;
            }
        }),
        ("ids", |s| s.next_id.red = AMOUNT_MAX - 2),
        ("ore", |s| s.ore.fill(u16::MAX)),
        ("waits", |s| {
            for side in Side::BOTH {
                s.sides[side].wave_ready = Tick(u32::MAX);
                s.sides[side].powers_ready = [Tick(u32::MAX); 4];
            }
        }),
    ];
    for (what, forge) in forgeries {
        let mut forged = world.clone();
        forge(&mut forged.state);
        let saved = forged.save().unwrap();
        let mut loaded = empty(0);
        assert_eq!(loaded.load(&saved), Ok(()), "{what}");
        let go = Command::Move {
            unit_ids: vec![march],
            at: cell(40, 40),
        };
        loaded.step(&[Order {
            seat: BLUE.seat(),
            command: go,
        }]);
        for _ in 0..60 {
            let permille = |progress: u32| assert!(progress <= 1000, "{what}: {progress}");
            loaded
                .buildings()
                .map(|own| own.progress_permille)
                .for_each(permille);
            loaded
                .site(BLUE)
                .map(|(_, progress)| progress)
                .into_iter()
                .for_each(permille);
            loaded.step(&[]);
        }
    }
    world.state.tick = Tick(TICK_MAX);
    let late = world.save().unwrap();
    assert!(matches!(
        empty(0).load(&late),
        Err(LoadError::Damaged { .. })
    ));
}

type Change<T> = (&'static str, fn(&mut T));

/// Every field of a unit. The pattern does not compile when one is added without a change for it here.
fn unit_changes() -> Vec<Change<Unit>> {
    let _every_field = |unit: Unit| {
        let Unit {
            id: _,
            side: _,
            kind: _,
            at: _,
            hp: _,
            task: _,
            post: _,
            target: _,
            reload: _,
            anchor: _,
            load: _,
            carrier: _,
            hauls: _,
            nearest: _,
            stuck: _,
        } = unit;
    };
    vec![
        ("id", |u| u.id += 2),
        ("side", |u| u.side = u.side.other()),
        ("kind", |u| u.kind.0 += 1),
        ("x", |u| u.at.x += 1),
        ("y", |u| u.at.y += 1),
        ("hit points", |u| u.hp -= 1),
        ("task", |u| u.task = Task::Attack { target: 1 }),
        ("another target", |u| u.task = Task::Attack { target: 3 }),
        ("a lift", |u| u.task = Task::Lift { goliath: 1 }),
        ("a board", |u| u.task = Task::Board { carrier: 1 }),
        ("a move", |u| u.task = Task::Move { to: Point::ZERO }),
        ("an attack-move", |u| {
            u.task = Task::AttackMove { to: Point::ZERO }
        }),
        ("an unload", |u| u.task = Task::Unload { to: Point::ZERO }),
        ("post", |u| u.post.y += 1),
        ("target", |u| u.target += 1),
        ("reload", |u| u.reload += 1),
        ("digging in", |u| u.anchor = Anchor::DiggingIn { left: 3 }),
        ("anchored", |u| u.anchor = Anchor::Anchored),
        ("packing up", |u| u.anchor = Anchor::PackingUp { left: 3 }),
        ("load", |u| u.load += 1),
        ("carrier", |u| u.carrier += 1),
        ("hauls", |u| u.hauls += 1),
        ("nearest", |u| u.nearest -= 1),
        ("stuck", |u| u.stuck += 1),
    ]
}

/// As [`unit_changes`], of a building.
fn building_changes() -> Vec<Change<Building>> {
    let _every_field = |building: Building| {
        let Building {
            id: _,
            side: _,
            kind: _,
            at: _,
            hp: _,
            queue: _,
            progress: _,
            rally: _,
            target: _,
            reload: _,
        } = building;
    };
    vec![
        ("id", |b| b.id += 2),
        ("side", |b| b.side = b.side.other()),
        ("kind", |b| b.kind.0 += 1),
        ("tx", |b| b.at.tx += 1),
        ("ty", |b| b.at.ty += 1),
        ("hit points", |b| b.hp -= 1),
        ("queue", |b| b.queue.push(UnitKind::RIFLE)),
        ("queue's order", |b| {
            b.queue = vec![UnitKind::TANK, UnitKind::SCOUT]
        }),
        ("progress", |b| b.progress += 1),
        ("rally", |b| b.rally = Some(Point::ZERO)),
        ("target", |b| b.target += 1),
        ("reload", |b| b.reload += 1),
    ]
}

/// As [`unit_changes`], of what is left.
fn state_changes() -> Vec<Change<State>> {
    let _every_field = |state: State| {
        let State {
            tick: _,
            next_id: _,
            dice: _,
            units: _,
            buildings: _,
            ore: _,
            sides,
            strikes: _,
            scans: _,
            outcome: _,
        } = state;
        let SideState {
            credits: _,
            site: _,
            wave_ready: _,
            powers_ready: _,
            explored: _,
        } = sides.blue;
    };
    const STRIKE: Strike = Strike {
        side: BLUE,
        at: Point::ZERO,
        falls: Tick(9),
    };
    const SCAN: Scan = Scan {
        side: BLUE,
        at: tile(1, 1),
        until: Tick(9),
    };
    vec![
        ("tick", |s| s.tick.0 += 1),
        ("blue's next id", |s| s.next_id.blue += 2),
        ("red's next id", |s| s.next_id.red += 2),
        ("blue's dice", |s| {
            s.dice.blue.below(2);
        }),
        ("red's dice", |s| {
            s.dice.red.below(2);
        }),
        ("a unit less", |s| {
            s.units.pop();
        }),
        ("a building less", |s| {
            s.buildings.pop();
        }),
        ("ore", |s| s.ore[0] += 1),
        ("the last ore", |s| *s.ore.last_mut().unwrap() += 1),
        ("credits", |s| s.sides.red.credits += 1),
        ("site", |s| {
            s.sides.blue.site = Some(Site {
                kind: BuildingKind::UPLINK,
                progress: 1,
            })
        }),
        ("site's progress", |s| {
            s.sides.blue.site = Some(Site {
                kind: BuildingKind::UPLINK,
                progress: 2,
            })
        }),
        ("wave", |s| s.sides.red.wave_ready.0 += 1),
        ("powers", |s| s.sides.red.powers_ready[3].0 += 1),
        ("explored", |s| s.sides.blue.explored[0] ^= 1),
        ("a strike", |s| s.strikes.push(STRIKE)),
        ("a red strike", |s| {
            s.strikes.push(Strike {
                side: RED,
                ..STRIKE
            })
        }),
        ("a later strike", |s| {
            s.strikes.push(Strike {
                falls: Tick(10),
                ..STRIKE
            })
        }),
        ("a scan", |s| s.scans.push(SCAN)),
        ("a red scan", |s| s.scans.push(Scan { side: RED, ..SCAN })),
        ("a longer scan", |s| {
            s.scans.push(Scan {
                until: Tick(10),
                ..SCAN
            })
        }),
        ("a draw", |s| s.outcome = Some(DuelOutcome::draw())),
        ("a win", |s| s.outcome = Some(DuelOutcome::won(BLUE))),
    ]
}

/// A field that is not hashed could differ on two phones unnoticed. All of these change the hash, each differently.
#[test]
fn every_field_is_in_the_hash() {
    let (world, _) = played(700);
    let mut hashes = vec![world.hash()];
    let mut changed = |what: &str, change: &dyn Fn(&mut World)| {
        let mut other = world.clone();
        change(&mut other);
        assert!(!hashes.contains(&other.hash()), "{what}");
        hashes.push(other.hash());
    };
    for (what, change) in unit_changes() {
        changed(what, &|w| change(&mut w.state.units[0]));
    }
    for (what, change) in building_changes() {
        changed(what, &|w| change(&mut w.state.buildings[0]));
    }
    for (what, change) in state_changes() {
        changed(what, &|w| change(&mut w.state));
    }
    changed("seed", &|w| w.setup.seed += 1);
    changed("mutators", &|w| w.setup.mutators ^= 1);
    changed("map", &|w| w.setup.map = MapChoice::BuiltIn(1));
    changed("openers", &|w| w.setup.openers.red = Some(1));
}
