//! Random commands, legal and not, on two worlds.

use super::*;
use crate::{Ai, AiLevel, BuildingKind, Power, SkirmishCodec, mutator};
use match_feed::{Tick, duel::compose_tick};
use rand_core::Rng as _;
use rand_pcg::Pcg32;
use versus_codec::CommandCodec;

/// A command about what is in the world, mostly; sometimes about nothing there is.
fn random_command(world: &World, dice: &mut Pcg32) -> Command {
    let mut below = |end: u32| dice.next_u32() % end;
    let units: Vec<u32> = world.units().map(|unit| unit.id).collect();
    let buildings: Vec<u32> = world.buildings().map(|building| building.id).collect();
    let size = world.map_size();
    let kind = below(COMMAND_TYPES.len() as u32 * 2 - 1);
    let at = Cell {
        x: below(size.width() * 16 + 40),
        y: below(size.height() * 16 + 40),
    };
    let near_home = |side: Side, below: &mut dyn FnMut(u32) -> u32| {
        let home = world.home(side);
        Tile {
            tx: (home.tx + below(24))
                .saturating_sub(12)
                .min(size.width() - 1),
            ty: (home.ty + below(24))
                .saturating_sub(12)
                .min(size.height() - 1),
        }
    };
    let pick = |from: &[u32], below: &mut dyn FnMut(u32) -> u32| {
        if from.is_empty() || below(12) == 0 {
            below(4000)
        } else {
            from[below(from.len() as u32) as usize]
        }
    };
    let unit_ids: Vec<u32> = (0..1 + below(6))
        .map(|_| pick(&units, &mut below))
        .collect();
    let building_id = pick(&buildings, &mut below);
    let any_unit = pick(&units, &mut below);
    let unit_kind = UnitKind(below(u32::from(UnitKind::count())) as u8);
    match kind {
        0 => Command::Move { unit_ids, at },
        1 => Command::AttackMove { unit_ids, at },
        2 => Command::Harvest { unit_ids, at },
        3 | 20 => Command::Attack {
            unit_ids,
            target_id: if below(2) == 0 { any_unit } else { building_id },
        },
        4 => Command::Stop { unit_ids },
        5 => Command::Anchor { unit_ids },
        6 => Command::PackUp { unit_ids },
        7 | 21..=27 => Command::Produce {
            building_id,
            unit_kind,
        },
        8 if below(12) == 0 => Command::CancelProduce {
            building_id,
            unit_kind,
        },
        9 | 28..=30 => Command::StartBuilding {
            building_kind: BuildingKind(below(u32::from(BuildingKind::count())) as u8),
        },
        10 if below(60) == 0 => Command::CancelBuilding,
        11 => Command::CallWave,
        12 | 31..=34 => {
            let side = Side::BOTH[below(2) as usize];
            Command::PlaceBuilding {
                at: near_home(side, &mut below),
            }
        }
        13 if below(150) == 0 => Command::Sell { building_id },
        13 | 14 => Command::Rally { building_id, at },
        15 => Command::Calldown {
            power: Power(below(u32::from(Power::count())) as u8),
            at,
        },
        16 | 35 | 36 => Command::Board {
            unit_ids,
            carrier_id: any_unit,
        },
        17 => Command::Unload {
            unit_ids,
            at: (below(2) == 0).then_some(at),
        },
        18 | 37 => Command::Lift {
            unit_ids,
            goliath_id: any_unit,
        },
        _ if below(40_000) == 0 => Command::Resign,
        _ => Command::CallWave,
    }
}

/// 100,000 random commands on two worlds: no panic and no desync; every type is tried, every one but giving up is also
/// refused, and every kind of unit gets made.
#[test]
fn random_commands_never_panic_and_never_desync() {
    let mut dice = Pcg32::new(20, 26);
    let mut given = 0_u32;
    let mut refused = [0_u32; COMMAND_TYPES.len()];
    let mut tried = [0_u32; COMMAND_TYPES.len()];
    let mut made = [0_u32; UnitKind::NAMES.len()];
    let mut game = 0;
    while given < 100_000 {
        game += 1;
        let map = match game % 4 {
            0 => MapChoice::Random {
                biome: (game % 5) as u8,
                seed: game,
            },
            map => MapChoice::BuiltIn(map as u8),
        };
        let setup = MatchSetup {
            map,
            seed: game,
            ..setup(mutator::RUSH)
        };
        let (mut one, mut other) = (World::new(&setup).unwrap(), World::new(&setup).unwrap());
        let codec = SkirmishCodec::new(one.map_size());
        let mut players = PerSide::from_fn(|side| Ai::new(side, AiLevel::Hard, game));
        while one.outcome().is_none() && one.tick() < Tick(1500) {
            if one.tick().0.is_multiple_of(100) {
                // Money for everything, so that everything is tried.
                for side in Side::BOTH {
                    one.state.sides[side].credits += 3000;
                    other.state.sides[side].credits += 3000;
                }
            }
            let mut orders = PerSide {
                blue: Vec::new(),
                red: Vec::new(),
            };
            for side in Side::BOTH {
                // A player who builds a base, so that there is something to order, and a drunk at the same desk.
                for command in players[side].think(&one) {
                    let emit = &mut |piece| orders[side].push(piece);
                    codec.canonicalize(command, emit).unwrap();
                }
                for _ in 0..dice.next_u32() % 13 {
                    let command = random_command(&one, &mut dice);
                    given += 1;
                    tried[usize::from(command.type_index())] += 1;
                    let emit = &mut |piece| orders[side].push(piece);
                    codec.canonicalize(command, emit).expect("ids are small");
                }
            }
            one.step(&compose_tick(
                Side::Blue,
                orders.blue.clone(),
                orders.red.clone(),
            ));
            other.step(&compose_tick(Side::Red, orders.red, orders.blue));
            assert_eq!(one.hash(), other.hash(), "game {game}, tick {}", one.tick());
            for event in one.events() {
                match event {
                    FxEvent::Refused { command, .. } => refused[usize::from(*command)] += 1,
                    FxEvent::UnitMade { kind, .. } => made[usize::from(kind.0)] += 1,
                    _ => {}
                }
            }
        }
    }
    for (at, name) in COMMAND_TYPES
        .iter()
        .enumerate()
        .filter(|(_, name)| **name != "resign")
    {
        assert!(tried[at] > 10, "{name} was tried {} times", tried[at]);
        assert!(refused[at] > 0, "{name} was never refused");
    }
    assert!(
        made.iter().all(|made| *made > 0),
        "every kind of unit was made: {made:?}"
    );
}
