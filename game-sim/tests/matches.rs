//! Whole matches: the same world for both local sides, whatever the orders; AIs that come to a decision; the golden
//! hash.

use game_sim::{Ai, AiLevel, COMMAND_TYPES, Command, SkirmishCodec, World, map_count};
use match_feed::{
    Game, HostTime, MatchFeed as _, MatchHeader, MatchRecord, Order, Recorder, ReplayFeed, Seat,
    Tick, WorldHash,
    duel::{
        BattleRecord, BattleRecorder, DuelOutcome, InputDelay, MapChoice, MatchSetup, PerSide,
        RecordHeader, Side, TICK_RATE, compose_tick,
    },
    replay,
};
use versus_codec::{CommandCodec, encoded_bits};

fn setup(map: MapChoice, seed: u32) -> MatchSetup {
    MatchSetup {
        map,
        mutators: 0,
        seed,
        openers: PerSide {
            blue: Some((seed % 3) as u8),
            red: Some((seed / 3 % 3) as u8),
        },
    }
}

fn ais(seed: u32) -> PerSide<Ai> {
    PerSide::from_fn(|side| Ai::new(side, AiLevel::Normal, seed))
}

/// What the codec makes of an AI's orders: what a link would carry.
fn sent(codec: &SkirmishCodec, commands: Vec<Command>) -> Vec<Command> {
    let mut pieces = Vec::new();
    for command in commands {
        codec
            .canonicalize(command, &mut |piece| pieces.push(piece))
            .expect("an AI's commands can be sent");
    }
    pieces
}

fn think(ais: &mut PerSide<Ai>, codec: &SkirmishCodec, world: &World) -> PerSide<Vec<Command>> {
    PerSide {
        blue: sent(codec, ais.blue.think(world)),
        red: sent(codec, ais.red.think(world)),
    }
}

#[test]
fn both_phones_have_the_same_world_whichever_side_is_local() {
    for (map, seed) in [(0, 1), (3, 5), (5, 8)] {
        let setup = setup(MapChoice::BuiltIn(map), seed);
        let (mut host, mut guest) = (World::new(&setup).unwrap(), World::new(&setup).unwrap());
        let codec = SkirmishCodec::new(host.map_size());
        // Each phone runs the AI of its own side on its own world.
        let (mut blue, mut red) = (ais(seed).blue, ais(seed).red);
        assert_eq!(host.hash(), guest.hash());
        for tick in 0..1500 {
            let by_blue = sent(&codec, blue.think(&host));
            let by_red = sent(&codec, red.think(&guest));
            host.step(&compose_tick(Side::Blue, by_blue.clone(), by_red.clone()));
            guest.step(&compose_tick(Side::Red, by_red, by_blue));
            assert_eq!(
                host.hash(),
                guest.hash(),
                "map {map}, seed {seed}, tick {tick}"
            );
        }
    }
}

/// Pieces applied in one tick are the whole command.
#[test]
fn orders_split_for_the_link_do_what_whole_orders_do() {
    let setup = setup(MapChoice::BuiltIn(0), 6);
    let (mut whole, mut split) = (World::new(&setup).unwrap(), World::new(&setup).unwrap());
    let codec = SkirmishCodec::new(whole.map_size());
    let mut players = PerSide::from_fn(|side| Ai::new(side, AiLevel::Hard, 6));
    let mut cut = 0;
    while whole.outcome().is_none() && whole.tick() < Tick(2500) {
        let (blue, red) = (players.blue.think(&whole), players.red.think(&whole));
        // Every cut there can be: a piece for each unit, except of a lift, which is never split.
        let pieces = [&blue, &red].map(|commands| {
            let sent = sent(&codec, commands.clone());
            sent.iter()
                .flat_map(Command::one_by_one)
                .collect::<Vec<_>>()
        });
        cut += pieces[0].len() + pieces[1].len() - blue.len() - red.len();
        let [of_blue, of_red] = pieces;
        whole.step(&compose_tick(Side::Blue, blue, red));
        split.step(&compose_tick(Side::Blue, of_blue, of_red));
        assert_eq!(whole.hash(), split.hash(), "tick {}", whole.tick());
    }
    assert!(cut > 100, "{cut} cuts");
}

#[test]
fn ais_come_to_a_decision_on_every_map() {
    let random = MapChoice::Random { biome: 2, seed: 11 };
    let maps = (0..map_count()).map(MapChoice::BuiltIn).chain([random]);
    let mut wins = PerSide { blue: 0, red: 0 };
    let mut used = [0_u32; COMMAND_TYPES.len()];
    for (map, seed) in maps.flat_map(|map| [(map, 4), (map, 9)]) {
        let setup = setup(map, seed);
        let mut world = World::new(&setup).unwrap();
        let codec = SkirmishCodec::new(world.map_size());
        // The second match on each map is between the good, who also know when they are beaten.
        let level = if seed == 9 {
            AiLevel::Hard
        } else {
            AiLevel::Normal
        };
        let mut players = PerSide::from_fn(|side| Ai::new(side, level, seed));
        let mut bits = 0;
        while world.outcome().is_none() {
            assert!(
                world.tick() < Tick(9000),
                "{map:?} seed {seed} lasts longer than 15 minutes"
            );
            let orders = think(&mut players, &codec, &world);
            for command in orders.blue.iter().chain(&orders.red) {
                used[usize::from(command.type_index())] += 1;
            }
            bits += [&orders.blue, &orders.red]
                .into_iter()
                .flatten()
                .map(|command| encoded_bits(&codec, command).unwrap())
                .sum::<usize>();
            world.step(&compose_tick(Side::Blue, orders.blue, orders.red));
        }
        if let Some(side) = world.outcome().unwrap().winning_side() {
            wins[side] += 1;
        }
        // A link carries some 120 bits of orders a round trip of 0.4 s; both AIs together take a fraction of it.
        let bits_per_second = bits * 10 / world.tick().0 as usize;
        assert!(
            bits_per_second < 60,
            "{map:?} seed {seed}: {bits_per_second} bits/s"
        );
    }
    assert!(wins.blue > 0 && wins.red > 0, "{wins:?}");
    let used: Vec<(&str, u32)> = COMMAND_TYPES.into_iter().zip(used).collect();
    assert!(used.iter().all(|&(_, times)| times > 0), "{used:?}");
}

#[test]
fn a_blitz_is_decided_within_90_seconds() {
    for seed in 0..4 {
        let setup = MatchSetup {
            mutators: 1,
            openers: PerSide {
                blue: Some(1),
                red: None,
            },
            ..setup(MapChoice::BuiltIn(0), seed)
        };
        let mut world = World::new(&setup).unwrap();
        let mut players = ais(seed);
        while world.outcome().is_none() {
            assert!(world.tick() < Tick(900), "seed {seed}");
            let (blue, red) = (players.blue.think(&world), players.red.think(&world));
            world.step(&compose_tick(Side::Blue, blue, red));
        }
    }
}

#[test]
fn the_same_ai_on_the_same_world_orders_the_same() {
    let setup = setup(MapChoice::BuiltIn(1), 2);
    let play = || {
        let mut world = World::new(&setup).unwrap();
        let codec = SkirmishCodec::new(world.map_size());
        let mut players = ais(6);
        for _ in 0..800 {
            let orders = think(&mut players, &codec, &world);
            world.step(&compose_tick(Side::Blue, orders.blue, orders.red));
        }
        world.hash()
    };
    assert_eq!(play(), play());
}

/// What an AI orders may depend only on what its side can see: hiding the enemy's unseen units changes nothing.
#[test]
fn an_ai_plays_by_its_own_fog() {
    let setup = setup(MapChoice::BuiltIn(2), 3);
    let mut world = World::new(&setup).unwrap();
    let codec = SkirmishCodec::new(world.map_size());
    let mut players = ais(3);
    let mut idle = World::new(&setup).unwrap();
    let mut alone = ais(3);
    // Until first contact blue cannot know whether red does anything at all.
    let seen = |world: &World| {
        let mut units = world.units();
        units.any(|unit| unit.side == Side::Red && world.visible(Side::Blue, unit.at.tile()))
    };
    while !seen(&world) && !seen(&idle) {
        let orders = think(&mut players, &codec, &world);
        let by_blue = sent(&codec, alone.blue.think(&idle));
        assert_eq!(by_blue, orders.blue);
        world.step(&compose_tick(Side::Blue, orders.blue, orders.red));
        idle.step(&compose_tick(Side::Blue, by_blue, []));
    }
    assert!(world.tick() > Tick(120), "contact at {}", world.tick());
    assert_ne!(world.hash(), idle.hash());
}

fn recorded(ticks: u32) -> BattleRecord<Command> {
    let setup = setup(MapChoice::BuiltIn(4), 7);
    let mut world = World::new(&setup).unwrap();
    let codec = SkirmishCodec::new(world.map_size());
    let mut players = ais(7);
    let header = RecordHeader {
        game: "skirmish".into(),
        build: 1,
        setup,
        delay: InputDelay::MIN,
        seats: PerSide {
            blue: "host".into(),
            red: "guest".into(),
        },
    };
    let mut recorder = BattleRecorder::new(header, world.hash());
    for tick in (0..ticks).map(Tick) {
        let orders = think(&mut players, &codec, &world);
        let orders: Vec<Order<Command>> = compose_tick(Side::Blue, orders.blue, orders.red);
        world.step(&orders);
        recorder.stepped(tick, &orders, world.hash());
    }
    recorder.finish(
        world
            .outcome()
            .map(|outcome| DuelOutcome::try_from(outcome).unwrap()),
    )
}

#[test]
fn a_record_replays_with_every_hash() {
    let record = recorded(1000);
    let text = record.to_json();
    let read = BattleRecord::<Command>::parse(&text).expect("what was written reads back");
    let world = World::new(&read.header.setup).unwrap();
    let (report, _) = replay(&read, world, |_, _| {});
    assert!(report.agrees(), "{report:?}");
    assert_eq!(report.hashes_equal, 11);
}

/// What plays over another link than sound writes the general record: the same match, seat by seat.
#[test]
fn the_same_match_replays_from_a_record_of_seats() {
    let battle = recorded(1000);
    let header = MatchHeader {
        game: game_sim::NAME.into(),
        build: WorldHash(game_sim::BUILD_ID.into()),
        rate: TICK_RATE,
        seats: 2,
        hash_every: 50,
        setup: battle.header.setup,
    };
    let world = || World::new(&battle.header.setup).unwrap();
    let mut recorder = Recorder::new(header, world().hash());
    let mut feed = ReplayFeed::new(&battle);
    let mut game = world();
    while let Some(orders) = feed.orders(HostTime::ZERO, game.tick()) {
        let tick = game.tick();
        game.step(orders);
        recorder.stepped(tick, orders, game.hash());
    }
    let text = recorder.finish(game.outcome()).to_json();
    let read = MatchRecord::<MatchSetup, Command>::parse(&text).expect("it reads back");
    let (report, end) = replay(&read, world(), |_, _| {});
    assert!(report.agrees(), "{report:?}");
    assert_eq!(end.hash(), game.hash());
    for &(tick, hash) in &battle.hashes {
        assert!(read.hashes.contains(&(tick, hash)), "{tick}");
    }
}

#[test]
fn an_order_of_a_seat_that_no_side_has_changes_nothing() {
    let setup = setup(MapChoice::BuiltIn(0), 3);
    let (mut own, mut other) = (World::new(&setup).unwrap(), World::new(&setup).unwrap());
    let seat = Seat::new(2).expect("0 to 7");
    own.step(&[]);
    other.step(&[Order {
        seat,
        command: Command::Resign,
    }]);
    assert_eq!((own.hash(), own.outcome()), (other.hash(), None));
}

#[test]
fn the_part_that_differs_is_named_and_shown() {
    let setup = setup(MapChoice::BuiltIn(0), 3);
    let (mut own, mut other) = (World::new(&setup).unwrap(), World::new(&setup).unwrap());
    let scouts: Vec<u32> = own
        .units()
        .filter(|unit| unit.side == Side::Blue)
        .map(|unit| unit.id)
        .collect();
    let stop = Command::AttackMove {
        unit_ids: scouts,
        at: own.home(Side::Red).centre(),
    };
    own.step(&[]);
    other.step(&compose_tick(Side::Blue, [stop], []));
    let parts = |world: &World| {
        let mut parts = Vec::new();
        world.hash_parts(&mut |name, hash| parts.push((name, hash)));
        parts
    };
    let (a, b) = (parts(&own), parts(&other));
    let names = |differ: bool| {
        let same = a.iter().zip(&b).filter(move |(a, b)| (a != b) == differ);
        same.map(|(a, _)| a.0).collect::<Vec<_>>()
    };
    assert_eq!(names(true), ["units"]);
    assert!(names(false).contains(&"buildings"));
    assert!(a.len() <= match_feed::PARTS_MAX);
    let shown = |world: &World| {
        let mut text = String::new();
        world
            .describe_part("units", &mut text)
            .expect("a string takes all");
        text
    };
    assert!(shown(&other).contains("AttackMove"));
    assert_ne!(shown(&own), shown(&other));
}

/// A recorded match with its hashes. It holds the commands, so that a better AI does not change it: what does is a
/// change of the rules, and of the build id with them. After a change on purpose, run this test once with
/// `UPDATE_GOLDEN=1`.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.json");

#[test]
fn the_golden_match_comes_out_the_same() {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(GOLDEN, recorded(1500).to_json()).expect("the golden record is written");
    }
    let text = std::fs::read_to_string(GOLDEN).expect("the golden record is there");
    let record = BattleRecord::<Command>::parse(&text).expect("it is intact");
    let world = World::new(&record.header.setup).unwrap();
    let (report, _) = replay(&record, world, |_, _| {});
    assert!(report.agrees(), "{report:?}");
    assert_eq!(report.hashes_equal, 16);
}
