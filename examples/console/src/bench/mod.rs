//! `bench`: the project's headline figures, each beside what it is measured against, in under a minute.
//!
//! Everything measured is seeded and does the same work each time; only the machine makes the figures differ.

mod args;

pub use args::{BenchArgs, EXAMPLES};

mod brawl;
mod memory;
mod net;
mod playing;
mod sim;
mod sound;
mod viterbi;
mod watch;
mod workload;

use crate::term;
use serde_json::json;
use std::error::Error;

/// One figure.
pub struct Figure {
    /// What it is called, for good: scripts look for it.
    pub name: &'static str,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: &'static str,
    /// What it is measured against, or of.
    pub against: String,
}

/// How much work is done for a figure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// As much as a figure needs to be sure.
    Full,
    /// A tenth of it.
    Quick,
}

impl Effort {
    /// The part of `full` that is to be done.
    pub const fn of(self, full: usize) -> usize {
        match self {
            Self::Full => full,
            Self::Quick => full.div_ceil(10),
        }
    }
}

/// Measures one part.
type Measure = fn(Effort) -> Result<Vec<Figure>, Box<dyn Error>>;

/// What figures' names begin with.
pub const PARTS: [&str; 9] = [
    "modem",
    "acquisition",
    "viterbi",
    "room",
    "sim",
    "brawl",
    "lockstep",
    "duel",
    "net",
];

/// Each part's figures, and what a person is told while they are measured.
const MEASURES: [(&str, &str, Measure); 13] = [
    ("modem", "a modem", sound::modem),
    ("modem", "a modem's memory", memory::modem),
    ("acquisition", "how a stream is found", sound::acquisition),
    ("viterbi", "the decoder's speed", viterbi::speed),
    ("viterbi", "the decoder's errors", viterbi::frame_errors),
    ("room", "the room", sound::room),
    ("sim", "the game", sim::figures),
    ("brawl", "the second game", brawl::figures),
    ("lockstep", "a lockstep", playing::lockstep),
    ("duel", "a duel", playing::duel),
    ("net", "matches over the internet", net::pace),
    ("net", "a session's time", net::cost),
    ("net", "crafted packets, crowds and guests", net::trouble),
];

/// Measures everything, or the parts asked for, and prints it as it comes.
pub fn run(args: &BenchArgs) -> Result<(), Box<dyn Error>> {
    if let Some(name) = &args.workload {
        return workload::run(name);
    }
    if !args.json {
        say!(
            "{}",
            term::paint(
                term::STRONG,
                "The headline figures, on this machine, one core"
            )
        );
        if cfg!(debug_assertions) {
            say!("  this is a debug build: cargo run --release -- bench tells more");
        }
    }
    let effort = if args.quick {
        Effort::Quick
    } else {
        Effort::Full
    };
    let wanted = |part: &str| args.parts.is_empty() || args.parts.iter().any(|name| name == part);
    for (_, what, measure) in MEASURES.iter().filter(|(part, ..)| wanted(part)) {
        let spinner = term::spinner(args.json);
        spinner.set_message(format!("Measuring {what}"));
        let figures = measure(effort)?;
        spinner.finish_and_clear();
        for figure in figures {
            if args.json {
                say!("{}", figure.json());
            } else {
                say!("{}", figure.row());
            }
        }
    }
    Ok(())
}

impl Figure {
    fn json(&self) -> serde_json::Value {
        json!({"name": self.name, "value": self.value, "unit": self.unit, "against": self.against})
    }

    fn row(&self) -> String {
        let digits = match self.value {
            value if value >= 100.0 => 0,
            value if value >= 10.0 => 1,
            value if value >= 1.0 => 2,
            _ => 3,
        };
        format!(
            "  {:<35} {} {:<3} {}",
            self.name,
            term::paint(term::STRONG, format_args!("{:>9.digits$}", self.value)),
            self.unit,
            term::paint(term::FAINT, &self.against)
        )
    }
}
