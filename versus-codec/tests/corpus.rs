//! The codec's laws over what a real game's players order: AI against AI on every map and under every mutator, orders to
//! whole armies while they fight, and every kind of command by hand.

use bitvec::prelude::*;
use game_sim::{
    Ai, AiLevel, BuildingKind, COMMAND_TYPES, Command, Power, SkirmishCodec, UnitKind, World,
    biome_count, map_count, map_size, mutator_names, opener_allowed,
};
use match_feed::{
    Game, Order,
    duel::{MapChoice, MapSize, MatchSetup, PerSide, Side, compose_tick},
};
use std::collections::BTreeSet;
use versus_codec::{
    BitReader, BitWriter, COMMAND_BITS_MAX, CommandCodec, TurnContext, encoded_bits,
    kit::{Cell, Tile},
};

/// Two minutes of each match: long enough for armies, artillery and calls for help.
const TICKS: u32 = 1_200;

/// A setup for each map there is, built in and of each biome, with a mutator each in turn.
fn setups() -> Vec<MatchSetup> {
    let built_in = (0..map_count()).map(MapChoice::BuiltIn);
    let random = (0..biome_count()).map(|biome| MapChoice::Random { biome, seed: 31 });
    let mutators = mutator_names().len();
    let setup = |(at, map): (usize, MapChoice)| MatchSetup {
        map,
        // One of each, and of every third map two.
        mutators: 1 << (at % mutators)
            | if at % 3 == 0 {
                1 << ((at + 5) % mutators)
            } else {
                0
            },
        seed: 1000 + at as u32,
        openers: PerSide {
            blue: None,
            red: None,
        },
    };
    let mut setups: Vec<MatchSetup> = built_in.chain(random).enumerate().map(setup).collect();
    for (at, setup) in setups.iter_mut().enumerate() {
        let opener = (at % 3) as u8;
        setup.openers.blue = opener_allowed(setup, Side::Blue, opener).then_some(opener);
    }
    setups
}

fn pieces(codec: &SkirmishCodec, command: &Command) -> Option<Vec<Command>> {
    let mut pieces = Vec::new();
    let done = codec.canonicalize(command.clone(), &mut |piece| pieces.push(piece));
    assert!(
        done.is_ok() || pieces.is_empty(),
        "refused, so nothing was emitted"
    );
    done.is_ok().then_some(pieces)
}

/// Every law that one command must keep; its pieces.
fn check_laws(codec: &SkirmishCodec, command: &Command) -> Vec<Command> {
    let Some(pieces) = pieces(codec, command) else {
        return Vec::new();
    };
    assert!(!pieces.is_empty(), "{command:?}");
    for piece in &pieces {
        let again = self::pieces(codec, piece);
        assert_eq!(
            again.as_deref(),
            Some(std::slice::from_ref(piece)),
            "canonical stays"
        );
        let bits = encoded_bits(codec, piece).expect("a piece can be written");
        assert!(bits <= COMMAND_BITS_MAX, "{bits} bits: {piece:?}");
    }
    if let Some(units) = command.units() {
        let mut wanted = units.clone();
        wanted.sort_unstable();
        wanted.dedup();
        let joined: Vec<u32> = pieces
            .iter()
            .flat_map(|piece| piece.units().expect("units too").clone())
            .collect();
        let whole = if matches!(command, Command::Lift { .. }) {
            assert_eq!(pieces.len(), 1, "a lift is never split");
            joined == wanted[..joined.len()]
        } else {
            joined == wanted
        };
        assert!(whole, "{command:?} became {pieces:?}");
        // Greedy: no piece could have taken the next one's first unit.
        for pair in pieces.windows(2) {
            let mut longer = pair[0].clone();
            let next = pair[1].units().expect("units too")[0];
            longer.push_unit(next);
            assert!(encoded_bits(codec, &longer).expect("ascending") > COMMAND_BITS_MAX);
        }
    }
    pieces
}

/// One more unit on a command's list, for the test of greed.
trait OneMore {
    fn push_unit(&mut self, unit: u32);
}

impl OneMore for Command {
    fn push_unit(&mut self, unit: u32) {
        match self {
            Self::Move { unit_ids, .. }
            | Self::AttackMove { unit_ids, .. }
            | Self::Harvest { unit_ids, .. }
            | Self::Attack { unit_ids, .. }
            | Self::Stop { unit_ids }
            | Self::Anchor { unit_ids }
            | Self::PackUp { unit_ids }
            | Self::Board { unit_ids, .. }
            | Self::Unload { unit_ids, .. } => unit_ids.push(unit),
            _ => {}
        }
    }
}

/// A whole turn, with the lists that its commands share, comes back as it went.
fn check_turn(codec: &SkirmishCodec, commands: &[Command]) {
    let mut room = bitvec![u8, Msb0; 0; commands.len() * COMMAND_BITS_MAX];
    let mut out = BitWriter::new(&mut room);
    let mut turn = TurnContext::default();
    for command in commands {
        codec
            .encode(command, &mut turn, &mut out)
            .expect("a turn's room");
    }
    let len = out.len();
    let mut input = BitReader::new(&room[..len]);
    let mut turn = TurnContext::default();
    for command in commands {
        let read = codec.decode(&mut turn, &mut input);
        assert_eq!(read.as_ref(), Ok(command));
    }
    assert_eq!(input.left(), 0);
}

/// Both worlds step one tick, one by the orders as given, the other by their pieces, and a second more; they must agree.
fn check_effect(world: &World, side: Side, given: &[Command], sent: &[Command]) {
    let play = |orders: &[Command]| {
        let mut world = world.clone();
        let orders: Vec<Order<Command>> = compose_tick(side, orders.to_vec(), []);
        world.step(&orders);
        let at_once = world.hash();
        (0..10).for_each(|_| world.step(&[]));
        (at_once, world.hash())
    };
    assert_eq!(play(given), play(sent), "{given:?} as {sent:?}");
}

/// An order of every kind that names units, to all of one side's.
fn to_everybody(world: &World, side: Side) -> Vec<Command> {
    let all: Vec<u32> = world
        .units()
        .filter(|unit| unit.side == side)
        .map(|unit| unit.id)
        .collect();
    let enemy = world
        .units()
        .find(|unit| unit.side != side)
        .map_or(1, |unit| unit.id);
    let carrier_id = all.first().copied().unwrap_or(1);
    // Out of order and some twice, as a selection may be.
    let unit_ids: Vec<u32> = all
        .iter()
        .rev()
        .chain(all.iter().take(3))
        .copied()
        .collect();
    let at = world.home(side.other()).centre();
    let ids = || unit_ids.clone();
    vec![
        Command::Move {
            unit_ids: ids(),
            at,
        },
        Command::AttackMove {
            unit_ids: ids(),
            at,
        },
        Command::Harvest {
            unit_ids: ids(),
            at,
        },
        Command::Attack {
            unit_ids: ids(),
            target_id: enemy,
        },
        Command::Stop { unit_ids: ids() },
        Command::Anchor { unit_ids: ids() },
        Command::PackUp { unit_ids: ids() },
        Command::Board {
            unit_ids: ids(),
            carrier_id,
        },
        Command::Unload {
            unit_ids: ids(),
            at: Some(at),
        },
        Command::Unload {
            unit_ids: ids(),
            at: None,
        },
    ]
}

#[test]
fn what_ais_order_on_every_map_under_every_mutator_survives_the_wire_and_does_the_same() {
    let (mut kinds, mut orders, mut split) = (BTreeSet::new(), 0, 0);
    for setup in setups() {
        let codec = SkirmishCodec::new(map_size(setup.map).expect("the game's own"));
        let mut world = World::new(&setup).expect("the game's own");
        let mut ais = Side::BOTH.map(|side| Ai::new(side, AiLevel::Hard, setup.seed));
        for tick in 0..TICKS {
            let mut sent = Vec::new();
            for ai in &mut ais {
                let given = ai.think(&world);
                let pieces: Vec<Command> = given
                    .iter()
                    .flat_map(|order| check_laws(&codec, order))
                    .collect();
                check_turn(&codec, &pieces);
                if !given.is_empty() {
                    check_effect(&world, ai.side(), &given, &pieces);
                }
                orders += given.len();
                kinds.extend(given.iter().map(Command::type_name));
                sent.push(pieces);
            }
            if tick % 125 == 124 {
                for order in to_everybody(&world, Side::BOTH[(tick / 125 % 2) as usize]) {
                    let pieces = check_laws(&codec, &order);
                    split += usize::from(pieces.len() > 1);
                    check_turn(&codec, &pieces);
                    check_effect(
                        &world,
                        Side::BOTH[(tick / 125 % 2) as usize],
                        &[order],
                        &pieces,
                    );
                }
            }
            let red = sent.pop().expect("two sides");
            let blue = sent.pop().expect("two sides");
            world.step(&compose_tick(Side::Blue, blue, red));
        }
    }
    println!(
        "{orders} orders of {} kinds: {kinds:?}; {split} cut",
        kinds.len()
    );
    assert!(
        orders > 1_000 && kinds.len() >= 8 && split >= 100,
        "{orders} {kinds:?} {split}"
    );
}

/// Each kind of command, with the least, the most and the awkward that its fields can hold.
fn by_hand(map: MapSize) -> Vec<Command> {
    let far = Cell {
        x: u32::MAX,
        y: u32::MAX,
    };
    let corner = far.clamp_to(map);
    let lists: [Vec<u32>; 6] = [
        vec![0],
        vec![9, 3, 9, 1],
        (1..=60).collect(),
        (1..=120).map(|id| id * 37).collect(),
        vec![1 << 23, 5, 1 << 22],
        (0..40).map(|id| (id * 7919) % 4001).collect(),
    ];
    let cells = [Cell { x: 0, y: 0 }, corner, far, Cell { x: 17, y: 300 }];
    let ids = [0, 1, 511, (1 << 18) - 1];
    let mut all = vec![Command::CancelBuilding, Command::CallWave, Command::Resign];
    for unit_ids in &lists {
        let units = || unit_ids.clone();
        for at in cells {
            all.push(Command::Move {
                unit_ids: units(),
                at,
            });
            all.push(Command::AttackMove {
                unit_ids: units(),
                at,
            });
            all.push(Command::Harvest {
                unit_ids: units(),
                at,
            });
            all.push(Command::Unload {
                unit_ids: units(),
                at: Some(at),
            });
        }
        all.push(Command::Unload {
            unit_ids: units(),
            at: None,
        });
        all.push(Command::Stop { unit_ids: units() });
        all.push(Command::Anchor { unit_ids: units() });
        all.push(Command::PackUp { unit_ids: units() });
        for id in ids {
            all.push(Command::Attack {
                unit_ids: units(),
                target_id: id,
            });
            all.push(Command::Board {
                unit_ids: units(),
                carrier_id: id,
            });
            all.push(Command::Lift {
                unit_ids: units(),
                goliath_id: id,
            });
        }
    }
    for building_id in ids {
        for unit_kind in UnitKind::all() {
            all.push(Command::Produce {
                building_id,
                unit_kind,
            });
            all.push(Command::CancelProduce {
                building_id,
                unit_kind,
            });
        }
        all.push(Command::Sell { building_id });
        all.extend(cells.map(|at| Command::Rally { building_id, at }));
    }
    all.extend(BuildingKind::all().map(|building_kind| Command::StartBuilding { building_kind }));
    for power in Power::all() {
        all.extend(cells.map(|at| Command::Calldown { power, at }));
    }
    for (tx, ty) in [(0, 0), (map.width() - 1, map.height() - 1)] {
        all.push(Command::PlaceBuilding {
            at: Tile { tx, ty },
        });
    }
    all
}

#[test]
fn every_kind_of_command_by_hand_on_maps_of_every_shape() {
    for (width, height) in [(64, 48), (1, 1), (4096, 4096), (17, 128), (128, 3)] {
        let map = MapSize::new(width, height).expect("a legal size");
        let codec = SkirmishCodec::new(map);
        let all = by_hand(map);
        let kinds: BTreeSet<&str> = all.iter().map(Command::type_name).collect();
        assert_eq!(kinds.len(), COMMAND_TYPES.len(), "every kind is here");
        let mut sent = Vec::new();
        for command in &all {
            let pieces = check_laws(&codec, command);
            assert!(!pieces.is_empty(), "{command:?} cannot be sent");
            sent.extend(pieces);
        }
        // In turns of fifteen, as they would cross.
        sent.chunks(15).for_each(|turn| check_turn(&codec, turn));
    }
}
