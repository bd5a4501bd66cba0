//! The delivery matrix: every case the link is judged by, measured in the room, as one table.
//!
//! `cargo xtask matrix` runs it; `--quick` measures a bounded slice of it, `--only TEXT` the rows that contain a text.

mod measure;
mod print;
mod rows;

use measure::Extent;
use std::{process::ExitCode, time::Instant};

const USAGE: &str = "usage: cargo xtask matrix [--quick] [--only TEXT] [--jobs N]";

/// The whole: on two cores about a quarter of an hour.
const WHOLE: Extent = Extent {
    rooms: 4,
    seconds: 20,
    events: 50,
    sound_s: 1_200,
    jobs: 1,
};
/// Enough to see a loss of a percent: about a minute.
const QUICK: Extent = Extent {
    rooms: 1,
    seconds: 12,
    events: 6,
    sound_s: 60,
    jobs: 1,
};

fn main() -> ExitCode {
    let Some((extent, only)) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    };
    let started = Instant::now();
    println!("{}", print::HEAD);
    let (mut bars, mut held) = (0, 0);
    for row in rows::rows() {
        let name = print::name(&row);
        if !name.contains(&only) {
            continue;
        }
        let line = row.run(extent);
        println!("{}", print::line(&name, &line));
        bars += usize::from(line.held.is_some());
        held += usize::from(line.held == Some(true));
    }
    println!(
        "{held} of {bars} bars held; {} rooms a row, {} s",
        extent.rooms,
        started.elapsed().as_secs()
    );
    if held == bars {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn arguments() -> Option<(Extent, String)> {
    let (mut extent, mut only) = (WHOLE, String::new());
    let mut jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => extent = QUICK,
            "--only" => only = arguments.next()?,
            "--jobs" => jobs = arguments.next()?.parse().ok()?,
            _ => return None,
        }
    }
    Some((Extent { jobs, ..extent }, only))
}
