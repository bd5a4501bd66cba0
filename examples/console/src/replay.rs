//! `replay`: plays saved records again and compares every hash.

use crate::{build_id::BUILD_ID, cli::ReplayArgs, picture, skirmish, term};
use game_sim::{Command, World};
use match_feed::{BattleRecord, RecordError, ReplayReport, replay};
use serde_json::json;
use std::{error::Error, fs, path::Path};

/// Every record in turn; succeeds only if every hash of every record came out as saved.
pub fn run(args: &ReplayArgs) -> Result<(), Box<dyn Error>> {
    let mut differing = 0;
    for (at, path) in args.records.iter().enumerate() {
        let record = read(path, args.force)?;
        let (report, world) = play(&record, args.json)?;
        if at == 0
            && let Some(png) = &args.map_png
        {
            let end = record.end.ticks;
            let title = format!(
                "{} at {} ({} ticks)",
                skirmish::map_name(record.header.setup.map),
                term::clock(end.as_ms()),
                end
            );
            picture::map_png(png, &world, &title)
                .map_err(|why| format!("{}: {why}", png.display()))?;
        }
        differing += usize::from(!report.agrees());
        if args.json {
            println!("{}", as_json(path, &report));
        } else {
            print(path, &record, &report);
        }
    }
    if let (Some(png), false) = (&args.map_png, args.json) {
        anstream::println!("drawn to {}", png.display());
    }
    match differing {
        0 => Ok(()),
        count => Err(format!(
            "{count} of {} records did not come out as saved",
            args.records.len()
        )
        .into()),
    }
}

fn read(path: &Path, force: bool) -> Result<BattleRecord<Command>, Box<dyn Error>> {
    let named = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let bytes = fs::read(path).map_err(|why| named(&why))?;
    let text =
        String::from_utf8(bytes).map_err(|_| named(&"not a battle record: it is not text"))?;
    let parse = if force {
        BattleRecord::parse_unchecked
    } else {
        BattleRecord::parse
    };
    let record = parse(&text).map_err(|why| match why {
        RecordError::Changed { .. } => {
            named(&format_args!("{why}\n       --force plays it all the same and names the first checkpoint that differs"))
        }
        why => named(&why),
    })?;
    if record.header.game != skirmish::NAME {
        return Err(named(&format_args!(
            "a record of {:?}; this plays {}",
            record.header.game,
            skirmish::NAME
        ))
        .into());
    }
    if record.header.build != BUILD_ID {
        anstream::eprintln!(
            "{} {}: saved by build {:04X}, this is {BUILD_ID:04X}: it may play differently",
            term::paint(term::STRONG, "note:"),
            path.display(),
            record.header.build,
        );
    }
    Ok(record)
}

fn play(
    record: &BattleRecord<Command>,
    quiet: bool,
) -> Result<(ReplayReport, World), Box<dyn Error>> {
    let world = World::new(&record.header.setup)?;
    let bar = term::bar(record.end.ticks.0.into(), quiet);
    let played = replay(record, world, |_, _| bar.inc(1));
    bar.finish_and_clear();
    Ok(played)
}

fn print(path: &Path, record: &BattleRecord<Command>, report: &ReplayReport) {
    let name = term::paint(term::STRONG, path.display());
    let orders: usize = record.turns.iter().map(|turn| turn.2.len()).sum();
    let played = format!(
        "{} ticks ({} min), {orders} orders",
        report.ticks,
        term::clock(report.ticks.as_ms())
    );
    if report.agrees() {
        let good = term::paint(term::GOOD, "every hash agrees");
        anstream::println!("{name} {played}: {good} ({} compared)", report.hashes_equal);
    } else if let Some(found) = report.difference {
        let bad = term::paint(
            term::BAD,
            format_args!(
                "the checkpoint after tick {} is the first that differs",
                found.tick
            ),
        );
        let recorded = found
            .recorded
            .map_or("none".into(), |hash| hash.to_string());
        anstream::println!(
            "{name} {played}: {bad}\n  saved {recorded}, played {}",
            found.computed
        );
    } else {
        let bad = term::paint(term::BAD, "every hash agrees, but not the end");
        anstream::println!(
            "{name} {played}: {bad}\n  saved {:?}, played {:?}",
            record.end.outcome,
            report.outcome
        );
    }
}

fn as_json(path: &Path, report: &ReplayReport) -> serde_json::Value {
    let difference = report.difference.map(|found| {
        json!({
            "tick": found.tick,
            "saved": found.recorded.map(|hash| hash.to_string()),
            "played": found.computed.to_string(),
        })
    });
    json!({
        "record": path.display().to_string(),
        "ticks": report.ticks,
        "hashes_equal": report.hashes_equal,
        "first_difference": difference,
        "end_agrees": report.end_agrees,
        "agrees": report.agrees(),
    })
}
