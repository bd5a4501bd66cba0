//! Options of `relay`.

use crate::words::{AiArg, MatchModeArg, PlanArg, SideArg};
use clap::Args;
use std::path::PathBuf;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel relay --host --listen 127.0.0.1:4000         in one terminal,
  sound-duel relay --guest --connect 127.0.0.1:4000       in another
  sound-duel relay --host --listen 127.0.0.1:0 --ai hard --speed 20 --loss 0.1
  mkfifo back; sound-duel relay --host --stdio < back | sound-duel relay --guest --stdio > back

Both ends play in real time; --speed makes both clocks faster, and must be the same at both. With --stdio the bytes of
the link are on standard output, and the report is on standard error. --loss and --latency-ms are of what this end sends.";

/// Which phone this is.
#[derive(Args, Clone)]
#[group(required = true, multiple = false)]
pub struct RelaySeat {
    /// This phone hosts the match
    #[arg(long)]
    pub host: bool,
    /// This phone joins it
    #[arg(long)]
    pub guest: bool,
}

/// Where the bytes go.
#[derive(Args, Clone)]
#[group(required = true, multiple = false)]
pub struct RelayWire {
    /// Wait for the other phone here; port 0 takes any that is free
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
    /// Connect to a phone that listens
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub connect: Option<String>,
    /// The bytes of the link are on standard input and output
    #[arg(long)]
    pub stdio: bool,
}

/// Options of one phone of a practice link.
#[derive(Args, Clone)]
pub struct RelayArgs {
    /// Which phone
    #[command(flatten)]
    pub seat: RelaySeat,
    /// Over what
    #[command(flatten)]
    pub wire: RelayWire,
    /// Decides this phone's losses, nonces and AI; both phones may have the same
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A map, the host's to choose: 0…5 by index, or biome:seed (biome 0…4)
    #[arg(
        long,
        default_value = "0",
        value_name = "INDEX|BIOME:SEED",
        conflicts_with = "guest"
    )]
    pub map: String,
    /// Mutators by index or name, separated by commas, or `none`: blitz, bonanza, famine, glass, stout, grounded,
    /// disarmed, rush, clearSkies, swift, powerless, waveless; the host's to choose
    #[arg(
        long,
        default_value = "none",
        value_name = "LIST",
        conflicts_with = "guest"
    )]
    pub mutators: String,
    /// The side the host plays; the host's to choose
    #[arg(long, value_enum, default_value = "blue", conflicts_with = "guest")]
    pub host_side: SideArg,
    /// This phone's opener by index: 0 prospector, 1 raiders, 2 fortress [default: the first allowed]
    #[arg(long, value_name = "INDEX")]
    pub opener: Option<u8>,
    /// This phone's AI
    #[arg(long, value_enum, default_value = "normal")]
    pub ai: AiArg,
    /// The band plan, the same at both phones
    #[arg(long, value_enum, default_value = "high")]
    pub plan: PlanArg,
    /// The mode to play in
    #[arg(long, value_enum, default_value = "auto")]
    pub mode: MatchModeArg,
    /// The share of this phone's packets that get lost, 0 to 0.9
    #[arg(
        long,
        default_value_t = 0.0,
        allow_hyphen_values = true,
        value_name = "SHARE"
    )]
    pub loss: f64,
    /// From a packet's start to its end, 0 to 2000; never less than the packet takes
    #[arg(long, default_value_t = 250, value_name = "MS")]
    pub latency_ms: u64,
    /// Both clocks run this many times faster than real time
    #[arg(long, default_value_t = 1, value_name = "TIMES", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub speed: u32,
    /// How long the other end may say nothing during a match; then it is over, and what was played is saved
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub patience: u64,
    /// Where to save the record and the link picture
    #[arg(long, default_value = "duel-out", value_name = "DIR")]
    pub out: PathBuf,
    /// Machine-readable lines; the last one is the report, or `aborted` for a match that did not reach its end
    #[arg(long)]
    pub json: bool,
}
