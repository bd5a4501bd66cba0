//! Options of `loop`.

use crate::duel::MatchArgs;
use clap::Args;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel loop
  sound-duel loop --delay 4 --loss 0.1 --latency-ms 250
  sound-duel loop --ai-a hard --ai-b easy --host-side red --seed 7 --json

Practice links have no sound. Out-of-range values are clamped: --delay 3 to 8, --loss 0 to 0.9, --latency-ms 0 to 2000.";

/// Options of a practice link.
#[derive(Args, Clone)]
pub struct LoopArgs {
    /// What is played
    #[command(flatten)]
    pub game: MatchArgs,
    /// The input delay, 3 to 8 ticks [default: as measured]
    #[arg(long, value_name = "TICKS")]
    pub delay: Option<u32>,
    /// The share of packets lost each way, 0 to 0.9
    #[arg(
        long,
        default_value_t = 0.0,
        allow_hyphen_values = true,
        value_name = "SHARE"
    )]
    pub loss: f64,
    /// From a packet's start to its end at the other phone, 0 to 2000; never less than the packet takes
    #[arg(long, default_value_t = 250, value_name = "MS")]
    pub latency_ms: u64,
}
