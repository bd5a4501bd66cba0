//! Options of `replay`.

use clap::Args;
use std::path::PathBuf;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel replay duel-out/host.json duel-out/guest.json
  sound-duel replay duel-out/host.json --map-png end.png
  sound-duel replay changed.json --force";

/// Options of `replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// Records that a duel saved
    #[arg(required = true)]
    pub records: Vec<PathBuf>,
    /// Play a record again even if it was changed, and name the first checkpoint that differs
    #[arg(long)]
    pub force: bool,
    /// Draw the end of the (first) match
    #[arg(long, value_name = "PNG")]
    pub map_png: Option<PathBuf>,
    /// One JSON object a record
    #[arg(long)]
    pub json: bool,
}
