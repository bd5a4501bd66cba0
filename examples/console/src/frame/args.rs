//! Options of `frame`.

use clap::{Args, Subcommand};

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel frame game 44e55a127bb6848a809c9889c69ed91020/131 --expect-to 58714 --tick 58717 --map 64x48
  sound-duel frame lobby 9e3e5ff0dae39432b75d57c0c670a640/123
  sound-duel frame --encode < requests.jsonl      one object a line: fields, \"kind\", \"map\"
  sound-duel frame < requests.jsonl               the same with \"hex\", \"nbits\", \"expect_to\", \"tick\"";

/// Options of `frame`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct FrameArgs {
    /// The kind of the frame named; without one, requests are read from standard input, a JSON object a line
    #[command(subcommand)]
    pub kind: Option<FrameKind>,
    /// Read fields and write the frame: HEX and NBITS
    #[arg(long, global = true)]
    pub encode: bool,
    /// The game's own names for kinds, where it has them (`scout` for `unit1`)
    #[arg(long, global = true)]
    pub names: bool,
}

/// A frame of the wire.
#[derive(Subcommand)]
pub enum FrameKind {
    /// A game frame
    Game {
        /// HEX/NBITS; with --encode a JSON object of fields (default: standard input)
        frame: Option<String>,
        /// The turn to unwrap `to` near: the newest of the peer's turns held [default: `to` as it stands]
        #[arg(long, value_name = "N")]
        expect_to: Option<u32>,
        /// This phone's own tick, to unwrap the others near [default: the same]
        #[arg(long, value_name = "N")]
        tick: Option<u32>,
        /// The map's size in tiles
        #[arg(long, default_value = "64x48", value_name = "WxH")]
        map: String,
    },
    /// A lobby frame
    Lobby {
        /// HEX/NBITS; with --encode a JSON object of fields (default: standard input)
        frame: Option<String>,
    },
}
