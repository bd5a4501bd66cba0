//! `replay`: plays saved records again and compares every hash.

mod args;
mod pictures;
mod watch;

pub use args::{EXAMPLES, ReplayArgs};

use crate::term;
use game_sim::BUILD_ID;
use game_sim::{Command, World};
use match_feed::{
    Outcome, RECORD_BYTES_MAX, RecordError, Recorded as _, ReplayReport,
    duel::{BattleRecord, Side, start_ms},
    replay,
};
use serde_json::json;
use std::{error::Error, fs, io::Read, path::Path};

/// Every record in turn; succeeds only if every hash of every record came out as saved.
pub fn run(args: &ReplayArgs) -> Result<(), Box<dyn Error>> {
    let mut bad = 0;
    for (at, path) in args.records.iter().enumerate() {
        let (record, changed) = read(path, args.force)?;
        if at == 0 && args.watch {
            watch::run(args, &record)?;
        }
        let report = play(&record, args.json)?;
        if at == 0
            && let Some(png) = &args.map_png
        {
            pictures::draw(args, png, &record)
                .map_err(|why| format!("{}: {why}", png.display()))?;
        }
        bad += usize::from(changed || !report.agrees());
        if args.json {
            say!("{}", as_json(path, &report, changed));
        } else {
            print(path, &record, &report, changed);
        }
    }
    if let (Some(png), false) = (&args.map_png, args.json) {
        say!("drawn to {}", png.display());
    }
    match bad {
        0 => Ok(()),
        count => Err(format!(
            "{count} of {} records did not come out as saved",
            args.records.len()
        )
        .into()),
    }
}

/// A record, and whether its text was changed since it was saved (with `force`; without, that is an error).
fn read(path: &Path, force: bool) -> Result<(BattleRecord<Command>, bool), Box<dyn Error>> {
    let named = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|why| named(&why))?;
    // A byte more than the longest record: enough to be refused, whatever the file is.
    let limit = RECORD_BYTES_MAX as u64 + 1;
    file.take(limit)
        .read_to_end(&mut bytes)
        .map_err(|why| named(&why))?;
    let text =
        String::from_utf8(bytes).map_err(|_| named(&"not a battle record: it is not text"))?;
    let (record, changed) = match BattleRecord::parse(&text) {
        Err(RecordError::Changed { .. }) if force => (BattleRecord::parse_unchecked(&text), true),
        read => (read, false),
    };
    let record = record.map_err(|why| match why {
        RecordError::Changed { .. } => {
            named(&format_args!("{why}\n       --force plays it all the same and names the first checkpoint that differs"))
        }
        why => named(&why),
    })?;
    if record.header.game != game_sim::NAME {
        return Err(named(&format_args!(
            "a record of {}; this plays {}",
            term::quoted(&record.header.game),
            game_sim::NAME
        ))
        .into());
    }
    if record.header.build != BUILD_ID {
        tell!(
            "{} {}: saved by build {:04X}, this is {BUILD_ID:04X}: it may play differently",
            term::paint(term::STRONG, "note:"),
            path.display(),
            record.header.build,
        );
    }
    Ok((record, changed))
}

fn play(record: &BattleRecord<Command>, quiet: bool) -> Result<ReplayReport, Box<dyn Error>> {
    let world = World::new(&record.header.setup)?;
    let bar = term::bar(record.end.ticks.0.into(), quiet);
    let (report, _) = replay(record, world, |_, _| bar.inc(1));
    bar.finish_and_clear();
    Ok(report)
}

fn print(path: &Path, record: &BattleRecord<Command>, report: &ReplayReport, changed: bool) {
    let name = term::paint(term::STRONG, path.display());
    let orders: usize = record.turns.iter().map(|turn| turn.2.len()).sum();
    let played = format!(
        "{} ticks ({} min), {orders} orders",
        report.ticks,
        term::clock(start_ms(report.ticks))
    );
    if report.agrees() && changed {
        let bad = term::paint(term::BAD, "the record was changed, but every hash agrees");
        say!("{name} {played}: {bad} ({} compared)", report.hashes_equal);
    } else if report.agrees() {
        let good = term::paint(term::GOOD, "every hash agrees");
        say!("{name} {played}: {good} ({} compared)", report.hashes_equal);
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
        say!(
            "{name} {played}: {bad}\n  saved {recorded}, played {}",
            found.computed
        );
    } else {
        let bad = term::paint(term::BAD, "every hash agrees, but not the end");
        say!(
            "{name} {played}: {bad}\n  saved: {} after {} ticks; played: {} after {}",
            result(record.outcome()),
            record.end.ticks,
            result(report.outcome),
            report.ticks,
        );
    }
}

/// An outcome in words.
fn result(outcome: Option<Outcome>) -> &'static str {
    match outcome.map(|outcome| outcome.winning_side()) {
        None => "no decision",
        Some(None) => "a draw",
        Some(Some(Side::Blue)) => "blue wins",
        Some(Some(Side::Red)) => "red wins",
    }
}

fn as_json(path: &Path, report: &ReplayReport, changed: bool) -> serde_json::Value {
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
        "changed": changed,
        "agrees": report.agrees(),
    })
}
