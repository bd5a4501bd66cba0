//! `sound-duel`: two phones, one match, and only sound between them.

#[macro_use]
mod term;

mod bench;
mod brawl;
mod cli;
mod desync;
mod duel;
mod font;
mod frame;
mod hex;
mod picture;
mod play;
mod png;
mod practice;
mod probe;
mod relay;
mod replay;
mod room;
mod rx;
mod screen;
mod skirmish;
mod tx;
mod wav;
mod words;

use clap::Parser;
use cli::{Cli, Verb};
use std::{io, process::ExitCode};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.verb {
        None => duel::run(&cli.duel),
        Some(Verb::Duel(args)) => duel::run(args),
        Some(Verb::Loop(args)) => practice::run(args),
        Some(Verb::Relay(args)) => relay::run(args),
        Some(Verb::Play(args)) => play::run(args),
        Some(Verb::Tx(args)) => tx::run(args),
        Some(Verb::Rx(args)) => rx::run(args),
        Some(Verb::Room(args)) => room::run(args),
        Some(Verb::Probe(args)) => probe::run(args),
        Some(Verb::Frame(args)) => frame::run(args),
        Some(Verb::Replay(args)) => replay::run(args),
        Some(Verb::Desync(args)) => desync::run(args),
        Some(Verb::Brawl(args)) => brawl::run(args),
        Some(Verb::Bench(args)) => bench::run(args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let io = why.downcast_ref::<io::Error>().map(io::Error::kind);
            // Whoever was listening has gone.
            if io != Some(io::ErrorKind::BrokenPipe) {
                tell!("{} {why}", term::paint(term::BAD, "error:"));
            }
            ExitCode::FAILURE
        }
    }
}
