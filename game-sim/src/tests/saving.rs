//! Saves and hashes: what is covered, and what a damaged save does.

use super::*;
use crate::{Ai, AiLevel, state::Task};
use match_feed::{LoadError, WorldHash, compose_tick};

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

type Change = (&'static str, fn(&mut World));

/// A field that is not hashed could differ on two phones unnoticed. That no field is left out is the compiler's
/// business (`canon_struct`); that each one counts is shown here for those easiest to forget.
#[test]
fn every_kind_of_state_is_in_the_hash() {
    let (world, _) = played(700);
    let changes: [Change; 22] = [
        ("tick", |w| w.state.tick.0 += 1),
        ("next id", |w| w.state.next_id.red += 1),
        ("dice", |w| {
            w.state.dice.blue.below(2);
        }),
        ("position", |w| w.state.units[0].at.x += 1),
        ("hit points", |w| w.state.units[0].hp -= 1),
        ("task", |w| {
            w.state.units[0].task = Task::Attack { target: 1 }
        }),
        ("post", |w| w.state.units[0].post.y += 1),
        ("unit's target", |w| w.state.units[0].target += 1),
        ("unit's reload", |w| w.state.units[0].reload += 1),
        ("load", |w| w.state.units[0].load += 1),
        ("carrier", |w| w.state.units[0].carrier += 1),
        ("hauls", |w| w.state.units[0].hauls += 1),
        ("nearest", |w| w.state.units[0].nearest -= 1),
        ("stuck", |w| w.state.units[0].stuck += 1),
        ("queue", |w| {
            w.state.buildings[0].queue.push(UnitKind::RIFLE)
        }),
        ("progress", |w| w.state.buildings[0].progress += 1),
        ("rally", |w| w.state.buildings[0].rally = Some(Point::ZERO)),
        ("building's reload", |w| w.state.buildings[0].reload += 1),
        ("ore", |w| w.state.ore[0] += 1),
        ("credits", |w| w.state.sides.red.credits += 1),
        ("powers", |w| w.state.sides.red.powers_ready[3].0 += 1),
        ("explored", |w| w.state.sides.blue.explored[0] ^= 1),
    ];
    for (what, change) in changes {
        let mut other = world.clone();
        change(&mut other);
        assert_ne!(other.hash(), world.hash(), "{what}");
    }
}
