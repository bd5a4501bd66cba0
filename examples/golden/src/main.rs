//! Prints every hundredth hash of the committed records and of seeded matches.
//!
//! `cargo run --release -p golden -- [matches] [ticks] [blue|red]`

use golden::{Options, play};
use match_feed::duel::Side;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let mut number = |default| args.next().and_then(|n| n.parse().ok()).unwrap_or(default);
    let options = Options {
        matches: number(50),
        ticks: number(1500),
        local: match args.next().as_deref() {
            Some("red") => Side::Red,
            _ => Side::Blue,
        },
    };
    match play(&options, &mut |line| println!("{line}")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("error {why}");
            ExitCode::FAILURE
        }
    }
}
