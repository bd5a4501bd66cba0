//! The table as a person reads it.

use crate::measure::{Line, Measure, Row};
use link_transport::{Mode, Plan};

pub const HEAD: &str = "\
case                           plan  mode    bar                 measured                        to guest to host   SNR  over
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────";

/// In words; a row about sounds is about every plan and mode.
pub fn plan_and_mode(row: &Row) -> (&'static str, &'static str) {
    match (&row.measure, row.plan, row.mode) {
        (Measure::False(_), ..) => ("both", "both"),
        (_, Plan::High, Mode::Fast) => ("high", "fast"),
        (_, Plan::High, Mode::Robust) => ("high", "robust"),
        (_, Plan::Low, Mode::Fast) => ("low", "fast"),
        (_, Plan::Low, Mode::Robust) => ("low", "robust"),
    }
}

/// A row's case, plan and mode, padded.
pub fn name(row: &Row) -> String {
    let (plan, mode) = plan_and_mode(row);
    format!("{:<30} {plan:<5} {mode:<7}", row.case)
}

/// The whole line.
pub fn line(name: &str, line: &Line) -> String {
    let [to_guest, to_host] = match line.directions {
        Some(directions) => directions.map(|percent| format!("{percent:.2}")),
        None => Default::default(),
    };
    let snr = line.snr_db.map_or(String::new(), |db| format!("{db:.1}"));
    let missed = if line.held == Some(false) {
        "  MISSED"
    } else {
        ""
    };
    format!(
        "{name} {:<19} {:<32} {to_guest:>7} {to_host:>7} {snr:>5}  {}{missed}",
        line.bar, line.figure, line.count
    )
}
