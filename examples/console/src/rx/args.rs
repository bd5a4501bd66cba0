//! Options of `rx`.

use crate::words::{ListenArg, PlanArg};
use clap::Args;
use std::path::PathBuf;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel rx out.wav
  sound-duel rx out.wav --plan low --listen guest
  ffmpeg -i recording.m4a -f wav - | sound-duel rx -
  sound-duel rx out.wav --listen detect --session-nonces 4660,48879";

/// Options of `rx`.
#[derive(Args, Clone)]
pub struct RxArgs {
    /// The WAV to listen to; `-` is standard input
    pub wav: PathBuf,
    /// The band plan
    #[arg(long, value_enum, default_value = "high")]
    pub plan: PlanArg,
    /// Whom to listen to
    #[arg(long, value_enum, default_value = "host")]
    pub listen: ListenArg,
    /// Read packets under the key of this session too: the host's nonce and the guest's
    #[arg(long, value_name = "H,G")]
    pub session_nonces: Option<String>,
    /// Listen to this channel alone, from 1 [default: whichever carries packets]
    #[arg(long, value_name = "N")]
    pub channel: Option<usize>,
    /// Take the samples for this rate, whatever the header says
    #[arg(long, value_name = "HZ")]
    pub rate: Option<u32>,
    /// Nothing but the packets: no summary on standard error
    #[arg(long)]
    pub json: bool,
}
