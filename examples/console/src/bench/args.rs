//! Options of `bench`.

use clap::Args;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  cargo run --release -- bench
  sound-duel bench --json          one line a figure: name, value, unit, against
  sound-duel bench viterbi modem   only the figures whose names begin so
  sound-duel bench --quick         a tenth of the work: a first look

Seeded: it does the same work every time. Shares of a core are of the time spent on it, where the system tells.";

/// Options of `bench`.
#[derive(Args)]
pub struct BenchArgs {
    /// Measure only these parts [default: all]
    #[arg(value_name = "PART", value_parser = super::PARTS)]
    pub parts: Vec<String>,
    /// A tenth of the work, for a first look: what is rare, like a block's 99th percentile, is less sure
    #[arg(long)]
    pub quick: bool,
    /// One JSON object a figure
    #[arg(long)]
    pub json: bool,
    /// Do one fixed piece of work and measure nothing: `cargo xtask callgrind` counts its instructions
    #[arg(long, value_name = "NAME", hide = true, conflicts_with_all = ["parts", "quick"])]
    pub workload: Option<String>,
}
