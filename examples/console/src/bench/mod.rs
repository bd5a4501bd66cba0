//! `bench`: the project's headline figures, each beside what it is measured against, in under half a minute.
//!
//! Everything measured is seeded and does the same work each time; only the machine makes the figures differ.

mod args;

pub use args::{BenchArgs, EXAMPLES};

mod playing;
mod sound;
mod viterbi;
mod watch;

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

/// Measures one part.
type Measure = fn() -> Result<Vec<Figure>, Box<dyn Error>>;

/// Measures everything and prints it as it comes.
pub fn run(args: &BenchArgs) -> Result<(), Box<dyn Error>> {
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
    let parts: [(&str, Measure); 6] = [
        ("a modem", sound::modem),
        ("the decoder", viterbi::against_naive),
        ("the room", sound::room),
        ("the game", playing::game),
        ("a lockstep", playing::lockstep),
        ("a duel", playing::duel),
    ];
    for (what, measure) in parts {
        let spinner = term::spinner(args.json);
        spinner.set_message(format!("Measuring {what}"));
        let figures = measure()?;
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
            value if value >= 1.0 => 1,
            _ => 3,
        };
        format!(
            "  {:<24} {} {:<3} {}",
            self.name,
            term::paint(term::STRONG, format_args!("{:>9.digits$}", self.value)),
            self.unit,
            term::paint(term::FAINT, &self.against)
        )
    }
}
