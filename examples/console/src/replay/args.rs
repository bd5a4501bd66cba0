//! Options of `replay`.

use crate::{picture::Eyes, words::SideArg};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel replay duel-out/host.json duel-out/guest.json
  sound-duel replay duel-out/host.json --watch --speed 8
  sound-duel replay duel-out/host.json --watch --fog blue          only what blue sees
  sound-duel replay duel-out/host.json --map-png end.png           its end as a picture
  sound-duel replay duel-out/host.json --map-png at.png --at 1200  or two minutes in
  sound-duel replay duel-out/host.json --map-png all.png --every 300
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
    /// Follow the (first) match in the terminal: space pauses, + and - change the speed, arrows go back and forth, f
    /// changes the fog, q leaves
    #[arg(long)]
    pub watch: bool,
    /// How many times faster than real time to watch, 0.25 to 64
    #[arg(long, default_value_t = 4.0, value_name = "TIMES", value_parser = speed)]
    pub speed: f64,
    /// Show only what this side sees, in the terminal and in pictures
    #[arg(long, value_enum, default_value = "none")]
    pub fog: FogArg,
    /// Draw the end of the (first) match
    #[arg(long, value_name = "PNG")]
    pub map_png: Option<PathBuf>,
    /// Draw it after these ticks instead; several are drawn as one sheet
    #[arg(
        long,
        value_name = "TICKS",
        value_delimiter = ',',
        requires = "map_png"
    )]
    pub at: Vec<u32>,
    /// Draw a sheet of it: every so many ticks, and the end
    #[arg(
        long,
        value_name = "TICKS",
        requires = "map_png",
        conflicts_with = "at",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub every: Option<u32>,
    /// One JSON object a record
    #[arg(long, conflicts_with = "watch")]
    pub json: bool,
}

/// Whose sight limits what is drawn.
#[derive(Clone, Copy, ValueEnum)]
pub enum FogArg {
    /// Everything is drawn; ground that neither side sees is darker
    None,
    /// What blue sees
    Blue,
    /// What red sees
    Red,
}

impl From<FogArg> for Eyes {
    fn from(fog: FogArg) -> Self {
        match fog {
            FogArg::None => None,
            FogArg::Blue => Some(SideArg::Blue.into()),
            FogArg::Red => Some(SideArg::Red.into()),
        }
    }
}

/// The slowest and the fastest to watch.
pub const SPEEDS: (f64, f64) = (0.25, 64.0);

fn speed(text: &str) -> Result<f64, String> {
    let (slowest, fastest) = SPEEDS;
    text.parse()
        .ok()
        .filter(|speed| (slowest..=fastest).contains(speed))
        .ok_or_else(|| format!("{slowest} to {fastest} times real time"))
}
