//! Options of `desync`.

use clap::Args;
use std::path::PathBuf;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel desync mine.desync theirs.desync
  sound-duel desync mine.desync theirs.desync --json

Each machine writes a bundle when the worlds come apart. This names the first tick and part that differ, and tells a peer that
told two machines two things from a game that is not deterministic.";

/// Options of `desync`.
#[derive(Args)]
pub struct DesyncArgs {
    /// One machine's bundle
    pub a: PathBuf,
    /// Another machine's bundle of the same match
    pub b: PathBuf,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
}
