//! Options of `room`, and of whatever else has a room.

use clap::Args;
use std::path::PathBuf;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel room a.wav b.wav --out-a at-a.wav --out-b at-b.wav
  sound-duel room a.wav b.wav --out-a at-a.wav --out-b at-b.wav --distance-cm 80 --skew-ppm 300 --seed 4";

/// What the simulated room is like.
#[derive(Args, Clone)]
pub struct RoomOptions {
    /// How far apart the phones lie
    #[arg(long, default_value_t = 20.0, value_name = "CM")]
    pub distance_cm: f64,
    /// How much faster the host's clock runs than the guest's
    #[arg(
        long,
        default_value_t = 40.0,
        allow_hyphen_values = true,
        value_name = "PPM"
    )]
    pub skew_ppm: f64,
    /// Microphone noise: the in-band signal-to-noise ratio that phones 10 cm apart would have [default: the room's own]
    #[arg(long, allow_hyphen_values = true, value_name = "DB")]
    pub noise_db: Option<f64>,
}

/// Options of `room`.
#[derive(Args)]
pub struct RoomArgs {
    /// What the host's speaker plays
    pub a: PathBuf,
    /// What the guest's speaker plays
    pub b: PathBuf,
    /// Where to write what the host's microphone hears
    #[arg(long, value_name = "WAV")]
    pub out_a: PathBuf,
    /// Where to write what the guest's microphone hears
    #[arg(long, value_name = "WAV")]
    pub out_b: PathBuf,
    /// Play this channel of both, from 1 [default: the first that is not silent]
    #[arg(long, value_name = "N")]
    pub channel: Option<usize>,
    /// Decides the echoes and the noise
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How far apart the phones lie
    #[command(flatten)]
    pub room: RoomOptions,
    /// Say what was written as one JSON object
    #[arg(long)]
    pub json: bool,
}
