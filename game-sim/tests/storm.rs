//! A storm of commands, legal and not, on three worlds of one match: nothing panics, and they stay the same world.
//!
//! The slice runs with the tests. All of it, a million commands:
//! `cargo test --release -p game-sim --test storm -- --ignored --nocapture`

use game_sim::{
    Ai, AiLevel, BuildingKind, COMMAND_TYPES, Command, FxEvent, Power, SkirmishCodec, UnitKind,
    UnitView, World, balance, biome_count, map_count, mutator, mutator_names,
};
use match_feed::{
    Game, Tick,
    duel::{MapChoice, MatchSetup, PerSide, Side, compose_tick},
};
use rand_core::Rng as _;
use rand_pcg::Pcg32;
use versus_codec::{
    CommandCodec,
    kit::{Cell, Tile},
};

/// Ticks of a match at the most.
const TICKS_MAX: Tick = Tick(1500);
/// One tick in so many, at random, the third world is saved and loaded into another.
const LOADED_ONE_IN: u32 = 40;
/// Commands a side gives in a tick, at the most.
const BURST: u32 = 14;

/// What came of the commands, by type.
#[derive(Default)]
struct Tally {
    given: u32,
    unsendable: u32,
    tried: [u32; COMMAND_TYPES.len()],
    refused: [u32; COMMAND_TYPES.len()],
    loads: u32,
    splits: usize,
    ticks: u64,
    units_most: usize,
    /// Ticks in which somebody rode, and Goliaths lifted.
    rides: u64,
    lifted: u32,
}

struct Drunk {
    dice: Pcg32,
}

impl Drunk {
    fn below(&mut self, end: u32) -> u32 {
        self.dice.next_u32() % end.max(1)
    }

    fn one_in(&mut self, of: u32) -> bool {
        self.below(of) == 0
    }

    /// Mostly one of these; now and then an id that there may or may not be, or one that there cannot be.
    fn id(&mut self, of: &[u32]) -> u32 {
        match self.below(24) {
            0 => self.dice.next_u32(),
            1 => self.below(4000),
            _ if of.is_empty() => 0,
            _ => of[self.below(of.len() as u32) as usize],
        }
    }

    /// Mostly an index of the table, now and then one beyond it.
    fn index(&mut self, count: u8) -> u8 {
        if self.one_in(40) {
            self.dice.next_u32() as u8
        } else {
            self.below(count.into()) as u8
        }
    }

    fn cell(&mut self, world: &World) -> Cell {
        let size = world.map_size();
        if self.one_in(40) {
            let (x, y) = (self.dice.next_u32(), self.dice.next_u32());
            return Cell { x, y };
        }
        Cell {
            x: self.below(size.width() * 16 + 40),
            y: self.below(size.height() * 16 + 40),
        }
    }

    /// Mostly near the side's home, where it may build.
    fn tile(&mut self, world: &World, side: Side) -> Tile {
        if self.one_in(40) {
            let (tx, ty) = (self.dice.next_u32(), self.dice.next_u32());
            return Tile { tx, ty };
        }
        let home = world.home(side);
        Tile {
            tx: (home.tx + self.below(24)).saturating_sub(12),
            ty: (home.ty + self.below(24)).saturating_sub(12),
        }
    }

    fn command(&mut self, world: &World, side: Side, type_index: u32) -> Command {
        // Half of the ids name anybody's, the other half one's own, so that some commands get somewhere.
        let own = self.one_in(2);
        let units: Vec<u32> = world
            .units()
            .filter(|unit| !own || unit.side == side)
            .map(|unit| unit.id)
            .collect();
        let buildings: Vec<u32> = world
            .buildings()
            .filter(|building| !own || building.side == side)
            .map(|building| building.id)
            .collect();
        let of_kind = |kinds: &[UnitKind]| -> Vec<u32> {
            let own = world.units().filter(|unit| unit.side == side);
            own.filter(|unit| kinds.contains(&unit.kind))
                .map(|unit| unit.id)
                .collect()
        };
        // Half of what needs the right unit in the right place gets it.
        let apt = self.one_in(2);
        let many = if self.one_in(30) { 90 } else { 6 };
        let unit_ids: Vec<u32> = (0..self.below(many)).map(|_| self.id(&units)).collect();
        let at = self.cell(world);
        let unit = self.id(&units);
        let building_id = self.id(&buildings);
        let unit_kind = match world.building(building_id) {
            Some(maker) if apt => {
                let made = |kind: &UnitKind| balance::unit(*kind).made_in == maker.kind;
                let kinds: Vec<_> = UnitKind::all()
                    .filter(made)
                    .map(|kind| kind.0.into())
                    .collect();
                UnitKind(self.id(&kinds) as u8)
            }
            _ => UnitKind(self.index(UnitKind::count())),
        };
        let (condors, goliaths) = (of_kind(&[UnitKind::CONDOR]), of_kind(&[UnitKind::GOLIATH]));
        let enemy = |unit: &UnitView| unit.side != side && world.visible(side, unit.at.tile());
        let in_sight: Vec<u32> = world.units().filter(enemy).map(|unit| unit.id).collect();
        match type_index {
            0 => Command::Move { unit_ids, at },
            1 => Command::AttackMove { unit_ids, at },
            2 => Command::Harvest { unit_ids, at },
            3 => Command::Attack {
                unit_ids,
                target_id: match self.below(3) {
                    0 => unit,
                    1 => building_id,
                    _ => self.id(&in_sight),
                },
            },
            4 => Command::Stop { unit_ids },
            5 => Command::Anchor { unit_ids },
            6 => Command::PackUp { unit_ids },
            7 => Command::Produce {
                building_id,
                unit_kind,
            },
            8 => Command::CancelProduce {
                building_id,
                unit_kind,
            },
            9 => Command::StartBuilding {
                building_kind: BuildingKind(self.index(BuildingKind::count())),
            },
            10 => Command::CancelBuilding,
            11 => Command::CallWave,
            12 => Command::PlaceBuilding {
                at: self.tile(world, side),
            },
            13 => Command::Sell { building_id },
            14 => Command::Rally { building_id, at },
            15 => Command::Calldown {
                power: Power(self.index(Power::count())),
                at,
            },
            16 if apt => Command::Board {
                unit_ids: of_kind(&[UnitKind::RIFLE, UnitKind::ROCKET]),
                carrier_id: self.id(&condors),
            },
            16 => Command::Board {
                unit_ids,
                carrier_id: unit,
            },
            17 if apt => Command::Unload {
                unit_ids: condors,
                at: Some(at),
            },
            17 => Command::Unload {
                unit_ids,
                at: self.one_in(2).then_some(at),
            },
            18 if apt => Command::Lift {
                unit_ids: condors,
                goliath_id: self.id(&goliaths),
            },
            18 => Command::Lift {
                unit_ids,
                goliath_id: unit,
            },
            _ => Command::Resign,
        }
    }

    /// A command of some type; those that undo what others build up are rarer.
    fn any_command(&mut self, world: &World, side: Side) -> Command {
        loop {
            let type_index = self.below(COMMAND_TYPES.len() as u32);
            let kept = match type_index {
                8 | 10 => self.one_in(8),
                13 => self.one_in(30),
                19 => self.one_in(800),
                _ => true,
            };
            if kept {
                return self.command(world, side, type_index);
            }
        }
    }
}

fn setup(game: u32, drunk: &mut Drunk) -> MatchSetup {
    let map = if game.is_multiple_of(4) {
        let biome = (game / 4 % u32::from(biome_count())) as u8;
        MapChoice::Random { biome, seed: game }
    } else {
        MapChoice::BuiltIn((game % u32::from(map_count())) as u8)
    };
    // Rich and quick, so that there is much to order; sometimes anything else besides.
    let more = if drunk.one_in(3) {
        drunk.dice.next_u32() as u16 & ((1 << mutator_names().len()) - 1)
    } else {
        0
    };
    MatchSetup {
        map,
        mutators: mutator::RUSH | mutator::BONANZA | more,
        seed: game,
        openers: PerSide::from_fn(|_| None),
    }
}

fn storm(seed: u64, commands: u32) -> Tally {
    let mut drunk = Drunk {
        dice: Pcg32::new(seed, 26),
    };
    let mut tally = Tally::default();
    let mut game = 0;
    while tally.given < commands {
        game += 1;
        play(game, &mut drunk, &mut tally);
    }
    tally
}

/// One match: `whole` takes each command as it was given, `split` in pieces, and `loaded` is saved and loaded.
fn play(game: u32, drunk: &mut Drunk, tally: &mut Tally) {
    let setup = setup(game, drunk);
    let new = |setup: &MatchSetup| World::new(setup).expect("a legal setup");
    let (mut whole, mut split, mut loaded) = (new(&setup), new(&setup), new(&setup));
    let codec = SkirmishCodec::new(whole.map_size());
    // Somebody at the same desk who builds a base, so that there is something to order.
    let mut players = PerSide::from_fn(|side| Ai::new(side, AiLevel::Hard, game));
    while whole.outcome().is_none() && whole.tick() < TICKS_MAX {
        let (mut given, mut pieces) = (PerSide::from_fn(|_| vec![]), PerSide::from_fn(|_| vec![]));
        for side in Side::BOTH {
            let mut commands = players[side].think(&whole);
            commands.extend((0..drunk.below(BURST)).map(|_| drunk.any_command(&whole, side)));
            for command in commands {
                tally.given += 1;
                tally.tried[usize::from(command.type_index())] += 1;
                let mut sent = Vec::new();
                match codec.canonicalize(command.clone(), &mut |piece| sent.push(piece)) {
                    Ok(()) => {
                        let cut = sent.iter().flat_map(Command::one_by_one);
                        let before = pieces[side].len();
                        pieces[side].extend(cut);
                        tally.splits += pieces[side].len() - before - 1;
                    }
                    // No link carries it, and a world must still bear it.
                    Err(_) => {
                        tally.unsendable += 1;
                        pieces[side].push(command.clone());
                    }
                }
                given[side].push(command);
            }
        }
        if drunk.one_in(LOADED_ONE_IN) {
            let saved = loaded.save().expect("the game saves");
            loaded = new(&MatchSetup {
                seed: 0,
                map: MapChoice::BuiltIn(0),
                ..setup
            });
            loaded.load(&saved).expect("its own save");
            tally.loads += 1;
        }
        whole.step(&compose_tick(
            Side::Blue,
            given.blue.clone(),
            given.red.clone(),
        ));
        split.step(&compose_tick(Side::Red, pieces.red, pieces.blue));
        loaded.step(&compose_tick(Side::Blue, given.blue, given.red));
        let (hash, tick) = (whole.hash(), whole.tick());
        assert_eq!(split.hash(), hash, "split: game {game}, tick {tick}");
        assert_eq!(loaded.hash(), hash, "loaded: game {game}, tick {tick}");
        tally.ticks += 1;
        tally.units_most = tally.units_most.max(whole.units().count());
        let rides = whole.units().any(|unit| unit.carrier.is_some());
        tally.rides += u64::from(rides);
        for event in whole.events() {
            match event {
                FxEvent::Refused { command, .. } => tally.refused[usize::from(*command)] += 1,
                FxEvent::GoliathHooked { up: true, .. } => tally.lifted += 1,
                _ => {}
            }
        }
    }
}

/// Every type both was tried and was refused at least once; giving up is always allowed.
fn assert_covers_every_type(tally: &Tally) {
    for (at, name) in COMMAND_TYPES.iter().enumerate() {
        assert!(tally.tried[at] > 0, "{name} was never tried");
        assert!(
            tally.refused[at] > 0 || *name == "resign",
            "{name} was never refused"
        );
    }
    assert!(tally.loads > 10 && tally.splits > 100);
}

#[test]
fn a_storm_of_commands_never_panics_and_never_desyncs() {
    assert_covers_every_type(&storm(1, 30_000));
}

#[test]
#[ignore = "takes a minute, and every run of the tests gives 30,000 such commands; a million of them: cargo test --release -p game-sim --test storm -- --ignored --nocapture"]
fn a_million_commands_never_panic_and_never_desync() {
    let tally = storm(2, 1_000_000);
    println!(
        "{} commands ({} that no link carries) in {} ticks, up to {} units; {} more pieces, {} loads; rides in {} ticks, \
         {} Goliaths lifted",
        tally.given,
        tally.unsendable,
        tally.ticks,
        tally.units_most,
        tally.splits,
        tally.loads,
        tally.rides,
        tally.lifted
    );
    for (at, name) in COMMAND_TYPES.iter().enumerate() {
        println!(
            "{name:>16}: {:>6} given, {:>6} refusals",
            tally.tried[at], tally.refused[at]
        );
    }
    assert_covers_every_type(&tally);
}
