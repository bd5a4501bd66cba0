//! Options of `tx`.

use crate::words::{ModeArg, PlanArg, RoleArg};
use clap::Args;
use std::path::PathBuf;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel tx --payload c0ffee/24 -o out.wav
  sound-duel tx --plan low --role guest --mode fast --rate 44100 --payload 01 --payload 02 -o out.wav";

/// Options of `tx`.
#[derive(Args)]
pub struct TxArgs {
    /// A frame to send: hexadecimal digits and a length in bits; several take turns
    #[arg(long = "payload", required = true, value_name = "HEX[/NBITS]")]
    pub payloads: Vec<String>,
    /// The band plan
    #[arg(long, value_enum, default_value = "high")]
    pub plan: PlanArg,
    /// Which of the plan's bands to send in
    #[arg(long, value_enum, default_value = "host")]
    pub role: RoleArg,
    /// The sample rate
    #[arg(long, default_value_t = 48_000, value_name = "HZ")]
    pub rate: u32,
    /// The mode
    #[arg(long, value_enum, default_value = "robust")]
    pub mode: ModeArg,
    /// How long to send, from the first sync on
    #[arg(long, default_value_t = 5.0)]
    pub seconds: f64,
    /// Send under the key of this session: the host's nonce and the guest's
    #[arg(long, value_name = "H,G")]
    pub session_nonces: Option<String>,
    /// The WAV to write
    #[arg(short, long, value_name = "OUT.wav")]
    pub out: PathBuf,
    /// Say what was written as one JSON object
    #[arg(long)]
    pub json: bool,
}
