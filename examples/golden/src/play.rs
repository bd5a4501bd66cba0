//! One program for every processor: plays seeded matches and says every hundredth hash. No clock, no thread, no file.

use crate::{brawl::play_brawls, mathematics};
use game_sim::{
    Ai, AiLevel, Command, SkirmishCodec, World, biome_count, map_count, mutator, opener_allowed,
};
use match_feed::{
    Game, Order,
    duel::{BattleRecord, HASH_EVERY, MapChoice, MatchSetup, PerSide, Side, compose_tick},
    replay,
};
use rand_core::Rng as _;
use rand_pcg::Pcg32;
use versus_codec::CommandCodec;

/// The committed records, by name.
const RECORDS: [(&str, &str); 1] = [(
    "golden",
    include_str!("../../../game-sim/tests/golden.json"),
)];
/// Ticks between two comparisons of a match's three worlds.
const COMPARED_EVERY: u32 = 20;
/// One tick in so many, at random, the third world is saved and loaded into another.
const LOADED_ONE_IN: u32 = 60;
/// Ticks of the second game, which runs six times as fast and costs a hundredth, for each of the first.
const BRAWL_TICKS: u32 = 6;
const STREAM: u64 = 0x676F_6C64;

/// How much to play, and as whom.
pub struct Options {
    /// Seeded matches, besides the committed records.
    pub matches: u32,
    /// Ticks of each at the most.
    pub ticks: u32,
    /// The phone whose orders count as its own. The hashes must not depend on it.
    pub local: Side,
}

/// Plays everything and says each hash in a line of its own.
///
/// # Errors
/// Two worlds of one match that came apart, or a record that does not come out as it was saved.
pub fn play(options: &Options, say: &mut dyn FnMut(String)) -> Result<(), String> {
    mathematics::say_digests(say);
    // All of it is played whatever comes out of the first, so that every machine says the same lines.
    let records = RECORDS.map(|(name, text)| play_record(name, text, say));
    let matches = (0..options.matches).try_for_each(|seed| play_match(seed, options, say));
    let sessions = crate::session::play(say);
    let brawls = play_brawls(options.ticks * BRAWL_TICKS, say);
    records
        .into_iter()
        .collect::<Result<(), String>>()
        .and(matches)
        .and(sessions)
        .and(brawls)
}

fn play_record(name: &str, text: &str, say: &mut dyn FnMut(String)) -> Result<(), String> {
    let record = BattleRecord::<Command>::parse(text).map_err(|why| format!("{name}: {why}"))?;
    let world = new_world(&record.header.setup)?;
    let (report, _) = replay(&record, world, |tick, world| {
        if tick.next().0.is_multiple_of(HASH_EVERY) {
            say(format!("{name} {} {}", tick.next(), world.hash()));
        }
    });
    if report.agrees() {
        Ok(())
    } else {
        Err(format!("{name} came out differently: {report:?}"))
    }
}

/// One match on three worlds: one takes whole orders; one takes each order in a piece for every unit; one is saved and
/// loaded at random moments.
fn play_match(seed: u32, options: &Options, say: &mut dyn FnMut(String)) -> Result<(), String> {
    let mut dice = Pcg32::new(seed.into(), STREAM);
    let setup = setup(seed, &mut dice);
    let [mut whole, mut split, mut loaded] =
        [new_world(&setup)?, new_world(&setup)?, new_world(&setup)?];
    let codec = SkirmishCodec::new(whole.map_size());
    let levels = [AiLevel::Normal, AiLevel::Hard, AiLevel::Easy];
    let mut ais = PerSide::from_fn(|side| {
        let level = levels[(seed as usize + side.index()) % levels.len()];
        Ai::new(side, level, seed)
    });
    while whole.outcome().is_none() && whole.tick().0 < options.ticks {
        let orders = PerSide {
            blue: ais.blue.think(&whole),
            red: ais.red.think(&whole),
        };
        let pieces = PerSide::from_fn(|side| in_pieces(&codec, &orders[side]));
        if dice.next_u32().is_multiple_of(LOADED_ONE_IN) {
            let saved = loaded.save().ok_or("the game saves")?;
            loaded = new_world(&self::setup(seed + 1, &mut dice))?;
            loaded
                .load(&saved)
                .map_err(|why| format!("match {seed}: {why}"))?;
        }
        whole.step(&composed(options.local, &orders));
        split.step(&composed(options.local, &pieces));
        loaded.step(&composed(options.local, &orders));
        let tick = whole.tick();
        let over = whole.outcome().is_some();
        if tick.0.is_multiple_of(COMPARED_EVERY) || over {
            let hash = whole.hash();
            for (which, world) in [("split orders", &split), ("save and load", &loaded)] {
                if world.hash() != hash {
                    return Err(format!("match {seed}, tick {tick}: {which} came apart"));
                }
            }
            if tick.0.is_multiple_of(HASH_EVERY) || over {
                say(format!("match{seed:02} {tick} {hash}"));
            }
        }
    }
    Ok(())
}

/// What a seed plays: every hand-made map, every biome and every opener in turn; every third match under some mutators,
/// every tenth a blitz.
fn setup(seed: u32, dice: &mut Pcg32) -> MatchSetup {
    let count = u32::from(map_count());
    let map = match seed % (count + 2) {
        index if index < count => MapChoice::BuiltIn(index as u8),
        _ => MapChoice::Random {
            biome: (seed % u32::from(biome_count())) as u8,
            seed,
        },
    };
    let some =
        (dice.next_u32() & dice.next_u32()) as u16 & ((1 << game_sim::mutator_names().len()) - 1);
    let mut setup = MatchSetup {
        map,
        mutators: match seed {
            seed if seed % 10 == 9 => mutator::BLITZ,
            seed if seed % 3 == 2 => some & !mutator::BLITZ,
            _ => 0,
        },
        seed,
        openers: PerSide::from_fn(|_| None),
    };
    for side in Side::BOTH {
        let opener = (dice.next_u32() % game_sim::opener_names().len() as u32) as u8;
        if opener_allowed(&setup, side, opener) {
            setup.openers[side] = Some(opener);
        }
    }
    setup
}

fn new_world(setup: &MatchSetup) -> Result<World, String> {
    World::new(setup).map_err(|why| format!("{setup:?}: {why}"))
}

fn composed(local: Side, orders: &PerSide<Vec<Command>>) -> Vec<Order<Command>> {
    let of = |side: Side| orders[side].iter().cloned();
    compose_tick(local, of(local), of(local.other()))
}

/// What the codec makes of the orders, cut as far as it goes.
fn in_pieces(codec: &SkirmishCodec, orders: &[Command]) -> Vec<Command> {
    let mut pieces = Vec::new();
    for order in orders {
        let _ = codec.canonicalize(order.clone(), &mut |sent| pieces.extend(sent.one_by_one()));
    }
    pieces
}
