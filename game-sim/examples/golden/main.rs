//! Plays the committed records and seeded matches and prints every hundredth hash: the same on every machine.
//! `cargo xtask determinism` runs it on three processor architectures and compares.
//!
//! `cargo run --release -p game-sim --example golden -- [matches] [ticks] [blue|red]`

mod play;

use match_feed::Side;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let mut number = |default| args.next().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (matches, ticks) = (number(50), number(600));
    let local = match args.next().as_deref() {
        Some("red") => Side::Red,
        _ => Side::Blue,
    };
    let options = play::Options {
        matches,
        ticks,
        local,
    };
    match play::play(&options, &mut |line| println!("{line}")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("error {why}");
            ExitCode::FAILURE
        }
    }
}
