//! Looks for play that would look stupid to somebody watching: AI against AI over many seeds, with the worst cases by
//! seed and tick, so that `sound-duel replay --watch` can show them.
//!
//! `cargo run --release -p game-sim --example oddities -- [seeds a map] [map]`

use game_sim::{
    Activity, Ai, AiLevel, Point, SUBS_PER_TILE, UnitKind, UnitView, World, balance, map_count,
    map_name,
};
use match_feed::{
    Game,
    duel::{MapChoice, MatchSetup, PerSide, Side, compose_tick},
};
use std::collections::BTreeMap;

const TICKS_MAX: u32 = 9000;
/// Not moving for so long while on the way somewhere is a jam.
const JAM_TICKS: u32 = 60;
/// A harvester that gains and delivers nothing for so long is stuck.
const BARREN_TICKS: u32 = 250;
/// An armed unit away from home with nothing to do for so long is forgotten.
const FORGOTTEN_TICKS: u32 = 450;
/// How near home is, tiles.
const HOME_TILES: i32 = 20;

/// What is known of one unit over time.
struct Track {
    at: Point,
    still_since: u32,
    load: u16,
    load_since: u32,
    idle_since: u32,
    hp: i32,
    /// The last tick it was hit without having a target.
    hit: u32,
    hits: u32,
}

/// One kind of oddity: how often, in how many unit-ticks, and where the worst was.
#[derive(Default)]
struct Found {
    count: u32,
    worst: (u32, String),
}

impl Found {
    fn add(&mut self, badness: u32, what: impl FnOnce() -> String) {
        self.count += 1;
        if badness > self.worst.0 {
            self.worst = (badness, what());
        }
    }
}

fn far_from_home(world: &World, unit: &UnitView) -> bool {
    let home = Point::of_tile(world.home(unit.side));
    !unit.at.within(home, HOME_TILES * SUBS_PER_TILE)
}

fn watch(
    world: &World,
    tracks: &mut BTreeMap<u32, Track>,
    found: &mut BTreeMap<&'static str, Found>,
    name: &str,
) {
    let now = world.tick().0;
    for unit in world.units().filter(|unit| unit.carrier.is_none()) {
        let fresh = Track {
            at: unit.at,
            still_since: now,
            load: unit.load,
            load_since: now,
            idle_since: now,
            hp: unit.hp,
            hit: 0,
            hits: 0,
        };
        let track = tracks.entry(unit.id).or_insert(fresh);
        let tile = |at: Point| format!("({}, {})", at.x / SUBS_PER_TILE, at.y / SUBS_PER_TILE);
        let mut say = |what: &'static str, badness: u32| {
            found.entry(what).or_default().add(badness, || {
                format!(
                    "{name} tick {now}: {:?} {} #{} at {}, {:?}",
                    unit.side,
                    unit.kind,
                    unit.id,
                    tile(unit.at),
                    unit.activity
                )
            });
        };
        // What it does while it does it.
        if !track.at.within(unit.at, SUBS_PER_TILE / 8) || unit.activity == Activity::Idle {
            (track.at, track.still_since) = (unit.at, now);
        }
        if track.load != unit.load || unit.activity != Activity::Harvesting {
            (track.load, track.load_since) = (unit.load, now);
        }
        if unit.activity != Activity::Idle || unit.target.is_some() {
            track.idle_since = now;
        }
        let armed = balance::unit(unit.kind).weapon.is_some();
        if unit.hp < track.hp && armed && unit.target.is_none() {
            track.hits = if now < track.hit + 50 {
                track.hits + 1
            } else {
                1
            };
            track.hit = now;
            if track.hits == 3 {
                let what = match unit.activity {
                    Activity::Idle => "idle under fire, no target",
                    Activity::AttackMoving => "attack-moving under fire, no target",
                    _ => "moving under fire, no target",
                };
                say(what, (track.hp - unit.hp).unsigned_abs());
            }
        }
        track.hp = unit.hp;
        let still = now - track.still_since;
        if still == JAM_TICKS && unit.target.is_none() {
            match unit.activity {
                Activity::Moving | Activity::AttackMoving => say("jammed on its way", still),
                Activity::Boarding | Activity::Lifting | Activity::Unloading => {
                    say("waits aboard or to board", still);
                }
                _ => {}
            }
        }
        if unit.kind == UnitKind::HARVESTER {
            if now - track.load_since == BARREN_TICKS {
                say("harvester mines nothing", BARREN_TICKS);
            }
            if now - track.idle_since == BARREN_TICKS && world.ore_tiles().next().is_some() {
                say("harvester idle though there is ore", BARREN_TICKS);
            }
        } else if now - track.idle_since == FORGOTTEN_TICKS && armed && far_from_home(world, &unit)
        {
            say("armed, far from home, forgotten", FORGOTTEN_TICKS);
        }
    }
    for side in Side::BOTH {
        // Half a minute of more money than any order costs.
        if now.is_multiple_of(300) && now > 0 && world.credits(side) > 4000 {
            let credits = world.credits(side);
            found
                .entry("rich and buys nothing")
                .or_default()
                .add(credits, || {
                    format!("{name} tick {now}: {side:?} has {credits} credits")
                });
        }
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let seeds: u32 = args.next().and_then(|n| n.parse().ok()).unwrap_or(4);
    let only: Option<u8> = args.next().and_then(|n| n.parse().ok());
    let mut found: BTreeMap<&'static str, Found> = BTreeMap::new();
    let mut ticks = 0_u64;
    for map in (0..map_count()).filter(|map| only.is_none_or(|only| only == *map)) {
        for seed in 1..=seeds {
            let map = MapChoice::BuiltIn(map);
            let setup = MatchSetup {
                map,
                mutators: 0,
                seed,
                openers: PerSide {
                    blue: Some(0),
                    red: Some(0),
                },
            };
            let name = format!("{} seed {seed}", map_name(map).unwrap_or("?"));
            let mut world = World::new(&setup).expect("a legal setup");
            let mut ais = PerSide::from_fn(|side| Ai::new(side, AiLevel::Normal, seed));
            let mut tracks = BTreeMap::new();
            while world.outcome().is_none() && world.tick().0 < TICKS_MAX {
                let (blue, red) = (ais.blue.think(&world), ais.red.think(&world));
                world.step(&compose_tick(Side::Blue, blue, red));
                watch(&world, &mut tracks, &mut found, &name);
            }
            ticks += u64::from(world.tick().0);
        }
    }
    println!("{ticks} ticks played");
    for (what, found) in found {
        println!(
            "{:>6} × {what}\n         worst: {}",
            found.count, found.worst.1
        );
    }
}
