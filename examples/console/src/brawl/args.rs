//! Options of `brawl`.

use clap::{Args, ValueEnum};
use game_brawl::BotLevel;
use std::path::PathBuf;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel brawl                             two bots fight, and the result is printed
  sound-duel brawl --seats 8 --level hard      eight of them
  sound-duel brawl --watch                     in the terminal; q leaves
  sound-duel brawl --png fight.png             and the fight's busiest moment as a picture";

/// Options of the second game.
#[derive(Args)]
pub struct BrawlArgs {
    /// How many fight, 1 (against a dummy) to 8
    #[arg(long, default_value_t = 2, value_name = "COUNT", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub seats: u8,
    /// How well bots play; several are dealt out over the seats
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "normal",
        value_name = "LEVEL"
    )]
    pub level: Vec<Level>,
    /// Draws the balls, and the bots' choices
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub seed: u64,
    /// Rounds that win the match, 1 to 5
    #[arg(long, default_value_t = 2, value_name = "COUNT", value_parser = clap::value_parser!(u8).range(1..=5))]
    pub wins: u8,
    /// Watch it in the terminal
    #[arg(long, conflicts_with = "json")]
    pub watch: bool,
    /// Save the fight's busiest moment as a picture
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// The result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How well a bot plays.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Level {
    /// Stands there
    Dummy,
    /// Slow, and seldom blocks
    Easy,
    /// A fair match
    Normal,
    /// Quick, and punishes
    Hard,
}

impl From<Level> for BotLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Dummy => Self::Dummy,
            Level::Easy => Self::Easy,
            Level::Normal => Self::Normal,
            Level::Hard => Self::Hard,
        }
    }
}
