//! The command line: the verbs. Options and examples are beside each verb.

use crate::{
    bench::{self, BenchArgs},
    brawl::{self, BrawlArgs},
    desync::{self, DesyncArgs},
    duel::{self, DuelArgs},
    frame::{self, FrameArgs},
    play::{self, PlayArgs},
    practice::{self, LoopArgs},
    probe::{self, ProbeArgs},
    relay::{self, RelayArgs},
    replay::{self, ReplayArgs},
    room::{self, RoomArgs},
    rx::{self, RxArgs},
    tx::{self, TxArgs},
};
use clap::{Parser, Subcommand};

const EXAMPLES: &str = "Examples:
  sound-duel                                       two phones meet in a room and play a match
  sound-duel duel --distance-cm 40 --seed 7        further apart, another match
  sound-duel duel --plan low --rate-b 44100        the audible bands, one phone at 44.1 kHz
  sound-duel loop --delay 4 --loss 0.1             the same match over a practice link, without sound
  sound-duel relay --host --listen 127.0.0.1:4000  one phone of it; the other is another process
  sound-duel play --practice                       your turn: a match in the terminal against an AI
  sound-duel tx --payload c0ffee/24 -o out.wav     a payload as sound
  sound-duel rx out.wav                            and back: one JSON object a packet
  sound-duel room a.wav b.wav --out-a ma.wav --out-b mb.wav
  sound-duel probe --room --distance-cm 40         what the air between two phones will carry, and why
  sound-duel replay duel-out/host.json --map-png end.png
  sound-duel desync mine.desync theirs.desync      where and why two machines' worlds came apart
  sound-duel bench                                 what it all costs on this machine
  sound-duel frame game 44e55a127bb6848a809c9889c69ed91020/131 --expect-to 58714 --tick 58717

Exit status: 0 only when the thing named succeeded (for a duel: both phones in sync).";

/// Two phones, one match, and only sound between them.
#[derive(Parser)]
#[command(name = "sound-duel", version, about, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do; without one, a duel.
    #[command(subcommand)]
    pub verb: Option<Verb>,
    /// The duel's options, when no verb is named.
    #[command(flatten)]
    pub duel: DuelArgs,
}

/// What it can do.
#[derive(Subcommand)]
pub enum Verb {
    /// Two phones in one simulated room pair, play AI against AI to a decision, and prove that they stayed in sync
    #[command(after_help = duel::EXAMPLES)]
    Duel(DuelArgs),
    /// A practice link: the same duel over packets that never become sound, as fast as the machine can
    #[command(after_help = practice::EXAMPLES)]
    Loop(LoopArgs),
    /// One phone of a practice link: the other is another process, at the end of a socket or a pipe
    #[command(after_help = relay::EXAMPLES)]
    Relay(RelayArgs),
    /// Live: on this machine's speaker and microphone, with a lobby and the match in the terminal; or practice
    #[command(after_help = play::EXAMPLES)]
    Play(PlayArgs),
    /// Payloads to sound: writes what a phone's speaker would play
    #[command(after_help = tx::EXAMPLES)]
    Tx(TxArgs),
    /// Sound to packets: what a phone would hear, one JSON object a line
    #[command(after_help = rx::EXAMPLES)]
    Rx(RxArgs),
    /// Two WAVs in, two out: puts any two signals through the simulated room
    #[command(after_help = room::EXAMPLES)]
    Room(RoomArgs),
    /// A recording of the measurement to figures: band by band, echo, harmonics, and what of the link will work
    #[command(after_help = probe::EXAMPLES)]
    Probe(ProbeArgs),
    /// Frames to JSON and back, one or a line at a time
    #[command(after_help = frame::EXAMPLES)]
    Frame(FrameArgs),
    /// Plays saved records again and compares every hash
    #[command(after_help = replay::EXAMPLES)]
    Replay(ReplayArgs),
    /// Two machines' bundles of a match that came apart: the first tick and part that differ, and why
    #[command(after_help = desync::EXAMPLES)]
    Desync(DesyncArgs),
    /// The second game: bots fight, in the terminal, as a picture, or for the result alone
    #[command(after_help = brawl::EXAMPLES)]
    Brawl(BrawlArgs),
    /// The headline figures: what a modem, a decoder, a lockstep, the game and a duel cost on this machine
    #[command(after_help = bench::EXAMPLES)]
    Bench(BenchArgs),
}
