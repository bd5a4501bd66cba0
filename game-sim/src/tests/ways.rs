//! Flow fields against a slow and obvious search.

use super::*;
use crate::{
    dice::Dice,
    fields::Fields,
    ground::{Ground, NEIGHBOURS},
};
use alloc::collections::BTreeMap;

/// The cost from every tile to `goal`, relaxed until nothing changes.
fn slow_costs(world: &World, ground: &Ground, goal: Tile) -> BTreeMap<(i32, i32), u32> {
    let size = world.map_size();
    let open = |x: i32, y: i32| x >= 0 && y >= 0 && ground.is_open(tile(x as u32, y as u32));
    let mut costs = BTreeMap::from([((goal.tx as i32, goal.ty as i32), 0)]);
    loop {
        let mut changed = false;
        for y in 0..size.height() as i32 {
            for x in (0..size.width() as i32).filter(|&x| open(x, y)) {
                let rough = world.tile(tile(x as u32, y as u32)) == crate::Terrain::Rough;
                let steps = NEIGHBOURS.into_iter().filter_map(|(dx, dy)| {
                    let diagonal = dx != 0 && dy != 0;
                    let way =
                        open(x + dx, y + dy) && (!diagonal || (open(x + dx, y) && open(x, y + dy)));
                    let straight = if diagonal { 14 } else { 10 };
                    // Stepping off rough ground costs half as much again.
                    let step = if rough { straight * 3 / 2 } else { straight };
                    let next = costs.get(&(x + dx, y + dy)).filter(|_| way)?;
                    Some(next + step)
                });
                if let Some(cost) = steps.min()
                    && costs.get(&(x, y)).is_none_or(|&known| cost < known)
                {
                    costs.insert((x, y), cost);
                    changed = true;
                }
            }
        }
        if !changed {
            return costs;
        }
    }
}

#[test]
fn fields_cost_what_the_slow_search_says_and_lead_there() {
    let mut dice = Dice::new(1, 1);
    for biome in 0..crate::biome_count() {
        let map = MapChoice::Random { biome, seed: 40 };
        let world = World::new(&MatchSetup { map, ..setup(0) }).unwrap();
        let size = world.map_size();
        let mut fields = Fields::default();
        let goal = (0..)
            .map(|_| tile(dice.below(size.width()), dice.below(size.height())))
            .find(|&at| world.ground.is_open(at))
            .unwrap();
        let slow = slow_costs(&world, &world.ground, goal);
        for ty in 0..size.height() {
            for tx in 0..size.width() {
                let way = fields.way(&world.ground, goal, tile(tx, ty));
                let cost = slow.get(&(tx as i32, ty as i32));
                assert_eq!(
                    way.map(|way| u32::from(way.cost)),
                    cost.copied(),
                    "{map:?} {tx} {ty}"
                );
            }
        }
        // Every step leads nearer, all the way.
        let mut here = world.home(BLUE);
        here.tx += 3;
        for _ in 0..400 {
            let way = fields
                .way(&world.ground, goal, here)
                .expect("it is connected");
            if here == goal {
                break;
            }
            let next = tile(
                (here.tx as i32 + way.step.0) as u32,
                (here.ty as i32 + way.step.1) as u32,
            );
            assert!(fields.way(&world.ground, goal, next).unwrap().cost < way.cost);
            here = next;
        }
        assert_eq!(here, goal);
    }
}

#[test]
fn what_the_cache_holds_changes_no_answer() {
    let world = World::new(&setup(0)).unwrap();
    let mut dice = Dice::new(2, 2);
    let size = world.map_size();
    let mut used = Fields::default();
    // More goals than it keeps.
    for _ in 0..600 {
        let mut any = || tile(dice.below(size.width()), dice.below(size.height()));
        let (goal, from) = (any(), any());
        let kept = used
            .way(&world.ground, goal, from)
            .map(|way| (way.cost, way.step));
        let fresh = Fields::default().way(&world.ground, goal, from);
        assert_eq!(kept, fresh.map(|way| (way.cost, way.step)));
    }
}

/// Buildings come and go; a field mended around them says what one found anew says, everywhere.
#[test]
fn mended_fields_say_what_fresh_ones_say() {
    let mut dice = Dice::new(3, 3);
    let mut mended = 0;
    for round in 0..8 {
        let map = MapChoice::Random {
            biome: round % crate::biome_count(),
            seed: u32::from(round),
        };
        let mut world = World::new(&MatchSetup { map, ..setup(0) }).unwrap();
        let size = world.map_size();
        let mut any = || tile(dice.below(size.width() - 3), dice.below(size.height() - 3));
        let goals: Vec<Tile> = (0..2).map(|_| any()).collect();
        let mut stood: Vec<Tile> = Vec::new();
        for change in 0..24 {
            // Grown to different depths, by questions from here and there.
            for &goal in &goals {
                let from = any();
                world.fields.way(&world.ground, goal, from);
            }
            let at = any();
            let block = |at: Tile| {
                (0..3).flat_map(move |dy| (0..2).map(move |dx| tile(at.tx + dx, at.ty + dy)))
            };
            let (at, open) = if change % 3 == 2 {
                (stood.swap_remove(0), true)
            } else if block(at).all(|tile| world.ground.is_open(tile)) {
                stood.push(at);
                (at, false)
            } else {
                continue;
            };
            for tile in block(at) {
                world.ground.set_open(tile, open);
            }
            world.fields.changed(&world.ground, block(at));
            mended += 1;
        }
        for &goal in &goals {
            let mut fresh = Fields::default();
            let mut kept = world.fields.clone();
            for ty in 0..size.height() {
                for tx in 0..size.width() {
                    let from = tile(tx, ty);
                    let (kept, fresh) = (
                        kept.way(&world.ground, goal, from),
                        fresh.way(&world.ground, goal, from),
                    );
                    assert_eq!(kept, fresh, "{map:?} to {goal:?} from {from:?}");
                }
            }
        }
    }
    assert!(mended > 120, "{mended} changes");
}
