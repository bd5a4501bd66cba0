//! Plays bot against bot over many seeds and prints how the matches went: who won where, and how long they took.
//!
//! `cargo run --release -p game-brawl --example arena -- [--seeds 1000] [--levels normal,normal] [--seats 2] [--first-seed 0]`

#[path = "../tests/common/mod.rs"]
mod common;

use game_brawl::{BotLevel, BrawlSetup};

fn level(name: &str) -> BotLevel {
    match name {
        "dummy" => BotLevel::Dummy,
        "easy" => BotLevel::Easy,
        "hard" => BotLevel::Hard,
        _ => BotLevel::Normal,
    }
}

fn main() {
    let (mut seeds, mut first, mut seats) = (1000, 0, 2_usize);
    let mut levels = vec![BotLevel::Normal];
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().unwrap_or_default();
        match word.as_str() {
            "--seeds" => seeds = value.parse().expect("a number of seeds"),
            "--first-seed" => first = value.parse().expect("a seed"),
            "--seats" => seats = value.parse().expect("1 to 8 seats"),
            "--levels" => levels = value.split(',').map(level).collect(),
            _ => panic!("what is {word}?"),
        }
    }
    // One list of levels is dealt out over the seats, from another seat on with each seed.
    let (mut won, mut won_by_level, mut drawn) = (vec![0; seats], vec![0; levels.len()], 0);
    let mut ticks = Vec::new();
    for seed in first..first + seeds {
        let turn = seed as usize % levels.len();
        let which: Vec<usize> = (0..seats).map(|at| (at + turn) % levels.len()).collect();
        let dealt: Vec<BotLevel> = which.iter().map(|&at| levels[at]).collect();
        let setup = BrawlSetup::new(seats as u8, seed).expect("1 to 8 seats");
        let (winner, took) = common::play(setup, &dealt, seed);
        ticks.push(took);
        match winner {
            Some(seat) => {
                won[seat] += 1;
                won_by_level[which[seat]] += 1;
            }
            None => drawn += 1,
        }
    }
    ticks.sort_unstable();
    let at = |percent: usize| f64::from(ticks[(ticks.len() - 1) * percent / 100]) / 60.0;
    let share = |part: i32| 100.0 * f64::from(part) / seeds as f64;
    println!("{seeds} matches of {seats} seats, {drawn} drawn");
    for (seat, &won) in won.iter().enumerate() {
        println!("  seat {seat}: {won} won, {:.1} %", share(won));
    }
    for (level, &won) in levels.iter().zip(&won_by_level) {
        println!("  {level:?}: {won} won, {:.1} %", share(won));
    }
    println!(
        "  took {:.0} s at least, {:.0} s in the middle, {:.0} s at most",
        at(0),
        at(50),
        at(100)
    );
}
