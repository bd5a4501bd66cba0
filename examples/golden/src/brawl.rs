//! The second game: bots fight, and another world is rolled back under them.

use game_brawl::{Bot, BotLevel, BrawlSetup, Pad, SAVED_BYTES_MAX, World};
use match_feed::{Game, Order, Seat};
use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// Ticks between two hashes.
const SAID_EVERY: u32 = 300;
/// One tick in so many, at random, the second world goes some steps the wrong way and back.
const ROLLED_ONE_IN: u32 = 6;
const ROLLED_TICKS: u32 = 8;
const STREAM: u64 = 0x6272_776C;

/// One match of each number of seats, of `ticks` at the most.
///
/// # Errors
/// A world that was rolled back and came apart from the one that was not.
pub fn play_brawls(ticks: u32, say: &mut dyn FnMut(String)) -> Result<(), String> {
    (1..=8).try_for_each(|seats| play_match(seats, ticks, say))
}

fn play_match(seats: u8, ticks: u32, say: &mut dyn FnMut(String)) -> Result<(), String> {
    let setup = BrawlSetup::new(seats, seats.into()).map_err(|why| why.to_string())?;
    let levels = [BotLevel::Hard, BotLevel::Normal, BotLevel::Easy];
    let mut bots: Vec<(Seat, Bot)> = Seat::all(seats.into())
        .map(|seat| (seat, Bot::new(seat, levels[seat.index() % 3], 7)))
        .collect();
    let (mut plain, mut rolled) = (World::new(setup), World::new(setup));
    let mut dice = Pcg32::new(seats.into(), STREAM);
    let mut saved = [0; SAVED_BYTES_MAX];
    while plain.outcome().is_none() && plain.tick() < ticks {
        let pads: Vec<Order<Pad>> = bots
            .iter_mut()
            .map(|(seat, bot)| Order {
                seat: *seat,
                command: bot.think(&plain),
            })
            .collect();
        if dice.next_u32().is_multiple_of(ROLLED_ONE_IN) {
            let length = rolled
                .save_into(&mut saved)
                .map_err(|why| why.to_string())?;
            for _ in 0..ROLLED_TICKS {
                let wrong = pads.iter().map(|order| Order {
                    seat: order.seat,
                    command: Pad::from_bits(dice.next_u32() as u16),
                });
                rolled.step(&wrong.collect::<Vec<_>>());
            }
            rolled
                .load(&saved[..length])
                .map_err(|why| format!("brawl of {seats}: {why}"))?;
        }
        plain.step(&pads);
        rolled.step(&pads);
        let (tick, hash) = (plain.tick(), plain.hash());
        if rolled.hash() != hash {
            return Err(format!(
                "brawl of {seats}, tick {tick}: rolling back changed it"
            ));
        }
        if tick.is_multiple_of(SAID_EVERY) || plain.outcome().is_some() {
            say(format!("brawl{seats} {tick} {hash}"));
        }
    }
    Ok(())
}
