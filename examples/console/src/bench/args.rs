//! Options of `bench`.

use clap::Args;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  cargo run --release -- bench
  sound-duel bench --json        one line a figure: name, value, unit, against

Seeded: it does the same work every time. Shares of a core are of the time spent on it, where the system tells.";

/// Options of `bench`.
#[derive(Args)]
pub struct BenchArgs {
    /// One JSON object a figure
    #[arg(long)]
    pub json: bool,
}
