//! The table for machines and for the page that shows it.

use crate::{
    measure::{Line, Measure, Row},
    print,
};
use link_transport::{Mode, Plan};
use std::fmt::Write;

pub const HEAD: &str = "\
# Delivery, measured

`cargo xtask matrix --write` measured these figures in the simulated room (`link-room`). Two whole modems send all the time; each
hears its own signal 40 dB over the peer's, speaker harmonics, and the echoes measured on a table. Words are in
[`GLOSSARY.md`](GLOSSARY.md).

- **Delivery** is pooled over placements, clock errors of +300/−300 and −300/+300 ppm, 48/48 and 48/44.1 kHz, and both directions.
- **Packets**: a bar of 99.9 % is judged on 3,000 packets or more (if all arrive, 99.9 % do with 95 % confidence), other bars on
  1,500, rows without a bar on 600. Every packet is different. A packet that was never sent, or comes twice, fails its row.
- **Times** are median / worst. After a capture gap they run from the gap's end to the first packet read, whether or not it began in
  the gap. After a sender's jump they run from when its sound is back at the microphone, without the devices' latencies, to the
  first packet that started after the jump.

";

/// How the notes begin, and the table after them.
const NOTES: &str = "Where a bar";
const TABLE: &str = "| Case |";

/// Cases of the README's table.
const MAIN_CASES: &[&str] = &[
    "20 cm",
    "40 cm",
    "80 cm",
    "40 cm, cluster +3 dB",
    "80 cm, microphone 26 dB",
    "tone +26 dB",
    "3 taps/s, +20 dB",
    "first lock, 20 cm",
];

/// One line of JSON.
pub fn json(row: &Row, line: &Line) -> String {
    let numbers: serde_json::Map<_, _> = line
        .numbers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).into()))
        .collect();
    let (plan, mode) = print::plan_and_mode(row);
    serde_json::json!({
        "case": row.case, "plan": plan, "mode": mode, "bar": line.bar, "reached": line.figure, "numbers": numbers,
        "counted": line.count, "to_guest_and_host": line.directions, "snr_db": line.snr_db, "ok": line.held,
    })
    .to_string()
}

/// What people have written between the head and the table of `page`: it is theirs, and kept. `None` if it is not there.
pub fn notes(page: &str) -> Option<&str> {
    let from = page.find(NOTES)?;
    let length = page[from..].find(TABLE)?;
    Some(&page[from..from + length])
}

/// The whole page, with what `notes` found in the one before.
pub fn document(notes: &str, lines: &[(Row, Line)]) -> String {
    let mut page = String::from(HEAD);
    page += notes;
    page += TABLE;
    page += " Plan | Mode | Bar | Reached | To guest / to host | SNR, dB | Counted | |\n";
    page += "|---|---|---|---|---|---|---|---|---|\n";
    for (row, line) in lines {
        let (plan, mode) = print::plan_and_mode(row);
        let directions = line.directions.map_or(String::new(), |[guest, host]| {
            format!("{guest:.2} / {host:.2}")
        });
        let snr = line.snr_db.map_or(String::new(), |db| format!("{db:.1}"));
        let _ = writeln!(
            page,
            "| {} | {plan} | {mode} | {} | {} | {directions} | {snr} | {} | {} |",
            row.case,
            line.bar,
            line.figure,
            line.count,
            verdict(line)
        );
    }
    page
}

/// What the README shows: a case a line, a plan and mode a column.
pub fn summary(lines: &[(Row, Line)]) -> String {
    let columns =
        [Plan::High, Plan::Low].map(|plan| [Mode::Fast, Mode::Robust].map(|mode| (plan, mode)));
    let mut table = String::from("<!-- delivery:begin -->\n");
    table +=
        "| Case | high, fast | high, robust | low, fast | low, robust |\n|---|---|---|---|---|\n";
    for case in MAIN_CASES {
        let cells: Vec<String> = columns
            .iter()
            .flatten()
            .map(|(plan, mode)| {
                let here = lines
                    .iter()
                    .find(|(row, _)| (row.case, row.plan, row.mode) == (*case, *plan, *mode));
                here.map_or(String::new(), |(_, line)| cell(line))
            })
            .collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            let _ = writeln!(table, "| {case} | {} |", cells.join(" | "));
        }
    }
    for (row, line) in lines {
        if let Measure::False(_) = row.measure {
            let _ = writeln!(
                table,
                "| {}, {} | {} | | | |",
                row.case,
                line.count,
                cell(line)
            );
        }
    }
    table + "<!-- delivery:end -->\n"
}

/// A figure and, where there is a bar, whether it is held.
fn cell(line: &Line) -> String {
    if line.bar.is_empty() {
        line.figure.clone()
    } else {
        format!("{} ({}) {}", line.figure, line.bar, verdict(line))
    }
}

fn verdict(line: &Line) -> &'static str {
    match line.held {
        Some(true) => "ok",
        Some(false) => "**missed**",
        None => "",
    }
}
