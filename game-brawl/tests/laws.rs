//! What holds whatever is pressed: mirrors, saving, rolling back, foreign bytes, and the golden match.

mod common;

use common::{Draw, seat, step};
use game_brawl::{
    Ball, Bot, BotLevel, BrawlSetup, Fighter, INPUT_BYTES, Pad, PadError, SAVED_BYTES_MAX, World,
};
use match_feed::{Game, LoadError, SaveError};

/// Pads that are held for a while, so that blows land.
struct Hands {
    draw: Draw,
    pads: Vec<Pad>,
}

impl Hands {
    fn new(seats: usize, seed: u64) -> Self {
        Self {
            draw: Draw(seed),
            pads: vec![Pad::NEUTRAL; seats],
        }
    }

    fn next(&mut self) -> &[Pad] {
        for pad in &mut self.pads {
            if self.draw.next().is_multiple_of(9) {
                // Two buttons at a time, rather walking than not.
                let one = 1 << (self.draw.next() % 9);
                let other = 1 << (self.draw.next() % 4);
                *pad = Pad::from_bits(one | other);
            }
        }
        &self.pads
    }
}

/// The fighter as it is in a mirror.
fn mirrored(fighter: &Fighter) -> Fighter {
    Fighter {
        x: -fighter.x,
        vx: -fighter.vx,
        facing: -fighter.facing,
        pad: fighter.pad.mirrored(),
        ..*fighter
    }
}

#[test]
fn mirrored_matches_are_mirrored() {
    for (seats, seed) in [(2, 1), (2, 2), (2, 3), (4, 4), (6, 5), (8, 6), (8, 7)] {
        let setup = BrawlSetup::new(seats, seed).unwrap();
        let (mut one, mut other) = (World::new(setup), World::new(setup));
        let mut hands = Hands::new(seats.into(), seed);
        let last = usize::from(seats) - 1;
        let (mut hits, mut carried) = (0, 0);
        for tick in 0..12_000 {
            let pads = hands.next().to_vec();
            let turned: Vec<Pad> = pads.iter().rev().map(|pad| pad.mirrored()).collect();
            step(&mut one, &pads);
            step(&mut other, &turned);
            for (at, fighter) in one.fighters().iter().enumerate() {
                // Numbers of partners and of those struck are turned too.
                let turned = &other.fighters()[last - at];
                let mut expected = mirrored(fighter);
                expected.partner = fighter.partner.map(|partner| last as u8 - partner);
                expected.struck = fighter.struck.reverse_bits() >> (7 - last);
                assert_eq!(
                    *turned, expected,
                    "{seats} seats, tick {tick}, fighter {at}"
                );
            }
            let balls = |world: &World, turn: bool| {
                let mut balls: Vec<_> = world
                    .balls()
                    .map(|ball| {
                        let sign = if turn { -1 } else { 1 };
                        let who = |at: u8| if turn { last as u8 - at } else { at };
                        let Ball {
                            kind,
                            y,
                            vy,
                            live,
                            age,
                            ..
                        } = *ball;
                        let hands = (ball.holder.map(who), ball.thrower.map(who));
                        (kind, sign * ball.x, y, sign * ball.vx, vy, hands, live, age)
                    })
                    .collect();
                balls.sort_unstable();
                balls
            };
            assert_eq!(
                balls(&one, false),
                balls(&other, true),
                "{seats} seats, tick {tick}"
            );
            hits += one.fx().len();
            carried += one.balls().filter(|ball| ball.holder.is_some()).count();
            if one.outcome().is_some() {
                break;
            }
        }
        assert!(
            hits > 50 && carried > 0,
            "{seats} seats: something happened"
        );
    }
}

#[test]
fn a_world_saved_and_loaded_goes_on_the_same_and_stays_small() {
    for seats in 1..=8 {
        let mut world = World::new(BrawlSetup::new(seats, 3).unwrap());
        let mut other = World::new(BrawlSetup::new(2, 9).unwrap());
        let mut hands = Hands::new(seats.into(), 11);
        for _ in 0..4_000 {
            let saved = world.save().unwrap();
            let no_balls = 8 - world.balls().count();
            let no_fighters = 8 - world.fighters().len();
            let spare = 18 * no_balls + 26 * no_fighters;
            assert_eq!(saved.len(), SAVED_BYTES_MAX - spare);
            other.load(&saved).unwrap();
            assert_eq!(other.hash(), world.hash());
            let pads = hands.next();
            step(&mut world, pads);
            step(&mut other, pads);
            assert_eq!(other.save(), world.save());
        }
    }
}

#[test]
fn rolled_back_is_as_never_stepped() {
    let mut world = World::new(BrawlSetup::new(8, 5).unwrap());
    let mut hands = Hands::new(8, 12);
    let mut wrong = Hands::new(8, 13);
    for _ in 0..1_500 {
        let saved = world.save().unwrap();
        for _ in 0..8 {
            step(&mut world, wrong.next());
        }
        world.load(&saved).unwrap();
        let pads = hands.next().to_vec();
        step(&mut world, &pads);
        let after = world.hash();
        world.load(&saved).unwrap();
        step(&mut world, &pads);
        assert_eq!(world.hash(), after);
    }
}

#[test]
fn foreign_bytes_are_refused_and_change_nothing() {
    let mut world = World::new(BrawlSetup::new(3, 5).unwrap());
    let mut hands = Hands::new(3, 14);
    for _ in 0..700 {
        step(&mut world, hands.next());
    }
    let (saved, hash) = (world.save().unwrap(), world.hash());
    for cut in 0..saved.len() {
        assert!(world.load(&saved[..cut]).is_err(), "cut at {cut}");
        assert_eq!(
            world.save_into(&mut vec![0; cut]),
            Err(SaveError::TooSmall {
                needed: saved.len()
            })
        );
    }
    let mut longer = saved.clone();
    longer.push(0);
    assert_eq!(
        world.load(&longer),
        Err(LoadError::Damaged { at: saved.len() })
    );
    let mut bad = saved.clone();
    bad[0] = 9;
    assert_eq!(world.load(&bad), Err(LoadError::Damaged { at: 0 }));
    assert_eq!(world.hash(), hash);
    // Whatever single byte is damaged: refused, or a world that can be played.
    let mut refused = 0;
    for at in 0..saved.len() {
        for flip in [1, 0x40, 0xFF] {
            let mut bad = saved.clone();
            bad[at] ^= flip;
            let mut other = World::new(BrawlSetup::new(2, 0).unwrap());
            if other.load(&bad).is_err() {
                refused += 1;
                continue;
            }
            assert_eq!(other.save().unwrap(), bad);
            for _ in 0..20 {
                step(&mut other, hands.next());
            }
            let again = other.save().unwrap();
            other.load(&again).unwrap();
        }
    }
    assert!(refused > 200, "{refused}");
}

#[test]
fn the_parts_cover_the_hash() {
    let mut world = World::new(BrawlSetup::new(2, 5).unwrap());
    let mut hands = Hands::new(2, 15);
    let parts = |world: &World| {
        let mut parts = Vec::new();
        world.hash_parts(&mut |name, hash| parts.push((name, hash)));
        parts
    };
    for _ in 0..600 {
        let (hash, before) = (world.hash(), parts(&world));
        step(&mut world, hands.next());
        assert_ne!(world.hash(), hash);
        assert_ne!(parts(&world), before);
    }
    for (name, _) in parts(&world) {
        let mut text = String::new();
        world.describe_part(name, &mut text).unwrap();
        assert!(text.len() > 10, "{name}: {text}");
    }
}

#[test]
fn pads_have_one_form() {
    for bits in 0..=u16::MAX {
        let mut bytes = [0; INPUT_BYTES as usize];
        let pad = Pad::from_bits(bits);
        let length = pad.encode(&mut bytes);
        assert_eq!(Pad::decode(&bytes[..length]), Ok(pad));
        if pad.bits() != bits {
            assert_eq!(
                Pad::decode(&bits.to_le_bytes()),
                Err(PadError::NoButton { bits })
            );
        }
        assert_eq!(pad.mirrored().mirrored(), pad);
    }
    assert_eq!(Pad::decode(&[0, 0]), Err(PadError::AtRest));
    assert_eq!(Pad::decode(&[1]), Err(PadError::Length { bytes: 1 }));
    assert_eq!(Pad::decode(&[1, 0, 0]), Err(PadError::Length { bytes: 3 }));
}

#[test]
fn setups_have_one_form() {
    let setup = BrawlSetup::new(8, u64::MAX - 5)
        .unwrap()
        .with_wins(5)
        .unwrap();
    assert_eq!(BrawlSetup::decode(&setup.encode()), Ok(setup));
    for (at, value) in [(0, 0), (0, 9), (1, 0), (1, 6), (2, 9)] {
        let mut bytes = setup.encode();
        bytes[at] = value;
        assert!(BrawlSetup::decode(&bytes).is_err(), "{at} {value}");
    }
    assert!(BrawlSetup::decode(&setup.encode()[1..]).is_err());
}

/// The hash of the golden match after its last step: renewed only when the rules change on purpose.
const GOLDEN: &str = include_str!("golden.txt");

#[test]
fn the_golden_match_comes_out_as_committed() {
    let mut world = World::new(BrawlSetup::new(8, 20_26).unwrap());
    let levels = [
        BotLevel::Hard,
        BotLevel::Normal,
        BotLevel::Easy,
        BotLevel::Hard,
    ];
    let mut bots: Vec<Bot> = (0..8)
        .map(|at| Bot::new(seat(at), levels[at % 4], 16))
        .collect();
    let mut trail = String::new();
    while world.outcome().is_none() {
        let pads: Vec<Pad> = bots.iter_mut().map(|bot| bot.think(&world)).collect();
        step(&mut world, &pads);
        if world.tick().is_multiple_of(600) || world.outcome().is_some() {
            trail += &format!("{} {}\n", world.tick(), world.hash());
        }
    }
    assert!(
        trail == GOLDEN,
        "the golden match came out differently:\n{trail}"
    );
}
