//! Options of a duel, and of whatever else plays a whole match.

use crate::{
    room::RoomOptions,
    words::{AiArg, MatchModeArg, PlanArg, SideArg},
};
use clap::Args;
use std::path::PathBuf;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel duel
  sound-duel duel --distance-cm 40 --seed 7
  sound-duel duel --plan low --rate-b 44100 --skew-ppm 300
  sound-duel duel --ai-a hard --ai-b easy --watch
  sound-duel duel --map 2:12345 --mutators 1,4 --json";

/// What is played, and what comes of it: for both phones of a duel.
#[derive(Args, Clone)]
pub struct MatchArgs {
    /// Decides everything random: the link, the nonces, the AIs
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A map: 0…5 by index, or biome:seed (biome 0…4)
    #[arg(long, default_value = "0", value_name = "INDEX|BIOME:SEED")]
    pub map: String,
    /// Mutators by index or name, separated by commas, or `none`: blitz, bonanza, famine, glass, stout, grounded,
    /// disarmed, rush, clearSkies, swift, powerless, waveless
    #[arg(long, default_value = "none", value_name = "LIST")]
    pub mutators: String,
    /// The side the host plays
    #[arg(long, value_enum, default_value = "blue")]
    pub host_side: SideArg,
    /// The host's opener by index: 0 prospector, 1 raiders, 2 fortress [default: the first allowed]
    #[arg(long, value_name = "INDEX")]
    pub opener_a: Option<u8>,
    /// The guest's opener by index: 0 prospector, 1 raiders, 2 fortress [default: the first allowed]
    #[arg(long, value_name = "INDEX")]
    pub opener_b: Option<u8>,
    /// The host's AI
    #[arg(long, value_enum, default_value = "normal")]
    pub ai_a: AiArg,
    /// The guest's AI
    #[arg(long, value_enum, default_value = "normal")]
    pub ai_b: AiArg,
    /// The band plan
    #[arg(long, value_enum, default_value = "high")]
    pub plan: PlanArg,
    /// The mode to play in
    #[arg(long, value_enum, default_value = "auto")]
    pub mode: MatchModeArg,
    /// Draw the match while it runs
    #[arg(long)]
    pub watch: bool,
    /// Where to save the records and the link picture
    #[arg(long, default_value = "duel-out", value_name = "DIR")]
    pub out: PathBuf,
    /// Machine-readable lines; the last one is the report
    #[arg(long)]
    pub json: bool,
}

/// Options of a duel.
#[derive(Args, Clone)]
pub struct DuelArgs {
    /// What is played
    #[command(flatten)]
    pub game: MatchArgs,
    /// Where the phones lie
    #[command(flatten)]
    pub room: RoomOptions,
    /// The host's sample rate
    #[arg(long, default_value_t = 48_000, value_name = "HZ")]
    pub rate_a: u32,
    /// The guest's sample rate
    #[arg(long, default_value_t = 48_000, value_name = "HZ")]
    pub rate_b: u32,
}
