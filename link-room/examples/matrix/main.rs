//! The delivery matrix: every case the link is judged by, measured in the room, as one table.
//!
//! `cargo xtask matrix` runs it. A row counts as many packets as its bar needs to mean something.

mod events;
mod measure;
mod not_modems;
mod print;
mod report;
mod rows;

use measure::{Extent, Line, Row};
use std::{error::Error, process::ExitCode, time::Instant};

const USAGE: &str = "usage: cargo xtask matrix [--quick] [--rows TEXT] [--effort SHARE] [--json] [--write] [--jobs N]

  --quick       a bounded slice: a tenth of the packets and starts
  --rows TEXT   only rows whose case, plan and mode contain the text (`false packets`, `low  robust`)
  --effort X    X times the packets that the bars ask for
  --json        one line of JSON a row
  --write       and write docs/DELIVERY.md, its notes kept; print the README's few rows of it. Of the whole table only";

/// What `--write` writes.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/DELIVERY.md");

/// The whole: some ten minutes of one idle core.
const WHOLE: Extent = Extent {
    effort: 1.0,
    seconds: 20,
    events: 50,
    sound_s: 3_600,
    jobs: 1,
};
/// Enough to see a loss of a percent: one to two minutes.
const QUICK: Extent = Extent {
    effort: 0.1,
    seconds: 12,
    events: 6,
    sound_s: 60,
    jobs: 1,
};

struct Options {
    extent: Extent,
    rows: String,
    json: bool,
    write: bool,
    /// Less than the whole table, or not as many packets as its bars ask for.
    partial: bool,
}

fn main() -> ExitCode {
    let Some(options) = Options::read(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    };
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// True if every bar is held.
fn run(options: &Options) -> Result<bool, Box<dyn Error>> {
    // Known before the first row is measured: it takes minutes.
    let page = match (options.write, options.partial) {
        (true, true) => return Err("--write replaces the whole page: not with a part of it".into()),
        (true, false) => std::fs::read_to_string(PAGE)?,
        (false, _) => String::new(),
    };
    let notes = report::notes(&page);
    if options.write && notes.is_none() {
        return Err(format!("{PAGE} has no notes to keep between its head and its table").into());
    }
    let rows: Vec<Row> = rows::rows()
        .into_iter()
        .filter(|row| print::name(row).contains(&options.rows))
        .collect();
    if rows.is_empty() {
        return Err(format!("no row's case, plan and mode contain {:?}", options.rows).into());
    }
    let started = Instant::now();
    let whole: f64 = rows.iter().map(|row| row.cost(options.extent)).sum();
    if !options.json {
        println!("{}", print::HEAD);
    }
    let (mut lines, mut done): (Vec<(Row, Line)>, f64) = (Vec::new(), 0.0);
    for row in rows {
        let line = row.run(options.extent);
        if options.json {
            println!("{}", report::json(&row, &line));
        } else {
            println!("{}", print::line(&print::name(&row), &line));
        }
        done += row.cost(options.extent);
        let elapsed_s = started.elapsed().as_secs_f64();
        eprint!(
            "\r{:>3.0} %, {:.0} s gone, about {:.0} s left   \r",
            100.0 * done / whole,
            elapsed_s,
            elapsed_s / done * (whole - done)
        );
        lines.push((row, line));
    }
    eprintln!();
    let bars = lines.iter().filter(|(_, line)| line.held.is_some()).count();
    let held = lines
        .iter()
        .filter(|(_, line)| line.held == Some(true))
        .count();
    if !options.json {
        println!(
            "{held} of {bars} bars held; {:.0} s",
            started.elapsed().as_secs_f64()
        );
    }
    if let Some(notes) = notes {
        std::fs::write(PAGE, report::document(notes, &lines))?;
        println!("\n{}", report::summary(&lines));
    }
    Ok(held == bars)
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Option<Self> {
        let mut options = Self {
            extent: WHOLE,
            rows: String::new(),
            json: false,
            write: false,
            partial: false,
        };
        let mut jobs = std::thread::available_parallelism().map_or(1, usize::from);
        while let Some(argument) = arguments.next() {
            options.partial |=
                ["--quick", "--rows", "--only", "--effort"].contains(&argument.as_str());
            match argument.as_str() {
                "--quick" => options.extent = QUICK,
                "--rows" | "--only" => options.rows = arguments.next()?,
                "--jobs" => jobs = arguments.next()?.parse().ok()?,
                "--effort" => {
                    options.extent.effort = arguments.next()?.parse().ok().filter(|x| *x >= 0.0)?;
                }
                "--json" => options.json = true,
                "--write" => options.write = true,
                _ => return None,
            }
        }
        options.extent.jobs = jobs;
        Some(options)
    }
}
