//! The rules, command by command, on worlds set up by hand.

mod air;
mod base;
mod behaviour;
mod drunk;
mod edges;
mod field;
mod rules;
mod saving;
mod turned;
mod ways;

use crate::{COMMAND_TYPES, Command, FxEvent, Point, Refusal, UnitKind, World};
use alloc::{format, string::String, vec, vec::Vec};
use match_feed::{
    Game, Order,
    duel::{MapChoice, MatchSetup, PerSide, Side},
};
use versus_codec::kit::{Cell, Tile};

const BLUE: Side = Side::Blue;
const RED: Side = Side::Red;

fn setup(mutators: u16) -> MatchSetup {
    MatchSetup {
        map: MapChoice::BuiltIn(0),
        mutators,
        seed: 5,
        openers: PerSide {
            blue: None,
            red: None,
        },
    }
}

/// The first map with two rich sides and no units but those a test makes.
fn empty(mutators: u16) -> World {
    let mut world = World::new(&setup(mutators)).unwrap();
    world.state.units.clear();
    for side in Side::BOTH {
        world.state.sides[side].credits = 20_000;
    }
    world
}

const fn tile(tx: u32, ty: u32) -> Tile {
    Tile { tx, ty }
}

fn cell(tx: u32, ty: u32) -> Cell {
    tile(tx, ty).centre()
}

fn spawn(world: &mut World, side: Side, kind: UnitKind, tx: u32, ty: u32) -> u32 {
    world.spawn(side, kind, Point::of_tile(tile(tx, ty)))
}

/// Steps once under one side's commands and returns the reasons for which any were refused.
fn order(
    world: &mut World,
    side: Side,
    commands: impl IntoIterator<Item = Command>,
) -> Vec<Refusal> {
    let orders: Vec<Order<Command>> = commands
        .into_iter()
        .map(|command| Order {
            seat: side.seat(),
            command,
        })
        .collect();
    world.step(&orders);
    let refused = |event: &FxEvent| match *event {
        FxEvent::Refused {
            side: whose,
            command,
            why,
        } => {
            assert_eq!(whose, side);
            assert!(
                orders
                    .iter()
                    .any(|order| order.command.type_index() == command)
            );
            assert!(usize::from(command) < COMMAND_TYPES.len());
            Some(why)
        }
        _ => None,
    };
    world.events.iter().filter_map(refused).collect()
}

fn run(world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.step(&[]);
    }
}

/// Runs until `done`, at most `ticks`; says whether it came to that.
fn run_until(world: &mut World, ticks: u32, done: impl Fn(&World) -> bool) -> bool {
    (0..ticks).any(|_| {
        world.step(&[]);
        done(world)
    })
}

fn at(world: &World, id: u32) -> Point {
    world.unit(id).expect("it lives").at
}

fn near(world: &World, id: u32, tx: u32, ty: u32) -> bool {
    at(world, id).within(Point::of_tile(tile(tx, ty)), 2 * crate::SUBS_PER_TILE)
}

const NONE: Vec<Refusal> = Vec::new();

fn only(why: Refusal) -> Vec<Refusal> {
    vec![why]
}
