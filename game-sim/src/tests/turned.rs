//! Fairness as a law: a match played with sides swapped is the match turned by 180°, to the last hit point.

use super::*;
use crate::{Ai, AiLevel, SUBS_PER_TILE, state::Task};
use match_feed::duel::compose_tick;
use versus_codec::kit::CELLS_PER_TILE;

/// What a side has, as blue sees it: red's is turned by 180°, and its even ids become blue's odd ones.
#[derive(Debug, PartialEq)]
struct Seen {
    credits: u32,
    units: Vec<String>,
    buildings: Vec<String>,
}

struct Turn {
    width: i32,
    height: i32,
    side: Side,
}

impl Turn {
    fn point(&self, at: Point) -> Point {
        match self.side {
            Side::Blue => at,
            Side::Red => Point {
                x: self.width * SUBS_PER_TILE - at.x,
                y: self.height * SUBS_PER_TILE - at.y,
            },
        }
    }

    fn tile(&self, at: Tile, (width, height): (u32, u32)) -> Tile {
        match self.side {
            Side::Blue => at,
            Side::Red => Tile {
                tx: self.width as u32 - width - at.tx,
                ty: self.height as u32 - height - at.ty,
            },
        }
    }

    const fn id(&self, id: u32) -> u32 {
        match (self.side, id) {
            (Side::Blue, _) | (_, 0) => id,
            (Side::Red, _) if id.is_multiple_of(2) => id - 1,
            (Side::Red, _) => id + 1,
        }
    }

    fn task(&self, task: Task) -> Task {
        match task {
            Task::Idle => Task::Idle,
            Task::Move { to } => Task::Move { to: self.point(to) },
            Task::AttackMove { to } => Task::AttackMove { to: self.point(to) },
            Task::Attack { target } => Task::Attack {
                target: self.id(target),
            },
            Task::Harvest { ore, phase } => Task::Harvest {
                ore: self.tile(ore, (1, 1)),
                phase,
            },
            Task::Board { carrier } => Task::Board {
                carrier: self.id(carrier),
            },
            Task::Unload { to } => Task::Unload { to: self.point(to) },
            Task::Lift { goliath } => Task::Lift {
                goliath: self.id(goliath),
            },
        }
    }
}

fn seen(world: &World, side: Side) -> Seen {
    let turn = Turn {
        width: world.map_size().width() as i32,
        height: world.map_size().height() as i32,
        side,
    };
    let unit = |unit: &crate::state::Unit| {
        let mut unit = *unit;
        unit.id = turn.id(unit.id);
        unit.side = BLUE;
        unit.at = turn.point(unit.at);
        unit.post = turn.point(unit.post);
        unit.target = turn.id(unit.target);
        unit.carrier = turn.id(unit.carrier);
        unit.hauls = turn.id(unit.hauls);
        unit.task = turn.task(unit.task);
        format!("{unit:?}")
    };
    let building = |building: &crate::state::Building| {
        let mut building = building.clone();
        building.id = turn.id(building.id);
        building.side = BLUE;
        let tiles = crate::balance::building(building.kind).tiles;
        building.at = turn.tile(building.at, tiles);
        building.target = turn.id(building.target);
        building.rally = building.rally.map(|rally| turn.point(rally));
        format!("{building:?}")
    };
    let state = &world.state;
    Seen {
        credits: world.credits(side),
        units: state
            .units
            .iter()
            .filter(|own| own.side == side)
            .map(unit)
            .collect(),
        buildings: state
            .buildings
            .iter()
            .filter(|own| own.side == side)
            .map(building)
            .collect(),
    }
}

/// A cell as the other side sees it. A cell's centre goes to its counterpart's.
fn turned_cell(world: &World, at: Cell) -> Cell {
    let size = world.map_size();
    Cell {
        x: size.width() * CELLS_PER_TILE - 1 - at.x,
        y: size.height() * CELLS_PER_TILE - 1 - at.y,
    }
}

/// Both worlds, one with sides swapped, are each other's image after every tick.
fn plays_turned(map: MapChoice, seed: u32, level: AiLevel, mutators: u16, ticks: u32) {
    let openers = |blue, red| MatchSetup {
        map,
        seed,
        openers: PerSide { blue, red },
        ..setup(mutators)
    };
    let mut one = World::new(&openers(Some(1), None)).unwrap();
    let mut other = World::new(&openers(None, Some(1))).unwrap();
    let ai = |side, temper_of| Ai::seated(side, temper_of, level, seed);
    let (mut blue, mut red) = (ai(BLUE, BLUE), ai(RED, RED));
    let (mut red_for_blue, mut blue_for_red) = (ai(RED, BLUE), ai(BLUE, RED));
    let compare = |one: &World, other: &World| {
        for side in Side::BOTH {
            let (here, there) = (seen(one, side), seen(other, side.other()));
            let now = one.tick();
            assert_eq!(
                here.credits, there.credits,
                "{map:?} seed {seed} tick {now:?} {side:?}"
            );
            // One by one first, so that what differs is named alone.
            for (here, there) in here.units.iter().zip(&there.units) {
                assert_eq!(here, there, "{map:?} seed {seed} tick {now:?} {side:?}");
            }
            assert_eq!(here, there, "{map:?} seed {seed} tick {now:?} {side:?}");
        }
    };
    while one.outcome().is_none() && one.tick().0 < ticks {
        compare(&one, &other);
        let (a, b) = (blue.think(&one), red.think(&one));
        let (c, d) = (blue_for_red.think(&other), red_for_blue.think(&other));
        assert_eq!((a.len(), b.len()), (d.len(), c.len()), "orders");
        for (mine, theirs) in a.iter().chain(&b).zip(d.iter().chain(&c)) {
            let mut theirs = theirs.clone();
            if let Some(at) = theirs.cell_mut() {
                *at = turned_cell(&other, *at);
            }
            if let Command::Move { at, .. }
            | Command::AttackMove { at, .. }
            | Command::Calldown { at, .. } = mine
            {
                assert_eq!(Some(at), theirs.cell_mut().as_deref(), "{mine:?}");
            }
            assert_eq!(
                mine.type_index(),
                theirs.type_index(),
                "{mine:?} {theirs:?}"
            );
        }
        one.step(&compose_tick(BLUE, a, b));
        other.step(&compose_tick(BLUE, c, d));
    }
    compare(&one, &other);
    assert_eq!(one.tick(), other.tick());
    let won = |world: &World| world.outcome().and_then(|outcome| outcome.winning_side());
    assert_eq!(won(&one), won(&other).map(Side::other));
}

#[test]
fn a_match_with_sides_swapped_is_the_match_turned() {
    for map in 0..crate::map_count() {
        // Two to the end, the others until armies have met.
        let ticks = if map < 2 { 12_000 } else { 2200 };
        let built_in = MapChoice::BuiltIn(map);
        plays_turned(built_in, 3 + u32::from(map), AiLevel::Normal, 0, ticks);
    }
    for biome in 0..crate::biome_count() {
        let map = MapChoice::Random { biome, seed: 5 };
        let mutators = 1 << (biome + 6) | u16::from(biome == 0);
        plays_turned(map, u32::from(biome), AiLevel::Hard, mutators, 1500);
    }
}
