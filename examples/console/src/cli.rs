//! The command line: verbs, options, help.

use clap::{Args, Parser, Subcommand, ValueEnum};
use link_transport::{Mode, Plan, Role};
use match_feed::Side;
use std::path::PathBuf;

const EXAMPLES: &str = "Examples:
  sound-duel                                       two phones meet in a room and play a match
  sound-duel duel --distance-cm 40 --seed 7        further apart, another match
  sound-duel duel --plan low --rate-b 44100        the audible bands, one phone at 44.1 kHz
  sound-duel loop --delay 4 --loss 0.1             the same match over a practice link, without sound
  sound-duel relay --host --listen 127.0.0.1:4000  one phone of it; the other is another process
  sound-duel tx --payload c0ffee/24 -o out.wav     a payload as sound
  sound-duel rx out.wav                            and back: one JSON object a packet
  sound-duel room a.wav b.wav --out-a ma.wav --out-b mb.wav
  sound-duel replay duel-out/host.json --map-png end.png
  sound-duel bench                                 what it all costs on this machine
  sound-duel frame game 44e55a127bb6848a809c9889c69ed91020/131 --expect-to 58714 --tick 58717

Exit status: 0 only when the thing named succeeded (for a duel: both phones in sync).";

const DUEL_EXAMPLES: &str = "Examples:
  sound-duel duel
  sound-duel duel --distance-cm 40 --seed 7
  sound-duel duel --plan low --rate-b 44100 --skew-ppm 300
  sound-duel duel --ai-a hard --ai-b easy --watch
  sound-duel duel --map 2:12345 --mutators 1,4 --json";
const LOOP_EXAMPLES: &str = "Examples:
  sound-duel loop
  sound-duel loop --delay 4 --loss 0.1 --latency-ms 250
  sound-duel loop --ai-a hard --ai-b easy --host-side red --seed 7 --json

Practice links have no sound. Out-of-range values are clamped: --delay 3 to 8, --loss 0 to 0.9, --latency-ms 0 to 2000.";
const RELAY_EXAMPLES: &str = "Examples:
  sound-duel relay --host --listen 127.0.0.1:4000         in one terminal,
  sound-duel relay --guest --connect 127.0.0.1:4000       in another
  sound-duel relay --host --listen 127.0.0.1:0 --ai hard --speed 20 --loss 0.1
  mkfifo back; sound-duel relay --host --stdio < back | sound-duel relay --guest --stdio > back

Both ends play in real time; --speed makes both clocks faster, and must be the same at both. With --stdio the bytes of
the link are on standard output, and the report is on standard error. --loss and --latency-ms are of what this end sends.";
const TX_EXAMPLES: &str = "Examples:
  sound-duel tx --payload c0ffee/24 -o out.wav
  sound-duel tx --plan low --role guest --mode fast --rate 44100 --payload 01 --payload 02 -o out.wav";
const RX_EXAMPLES: &str = "Examples:
  sound-duel rx out.wav
  sound-duel rx out.wav --plan low --listen guest
  sound-duel rx out.wav --listen detect --session-nonces 4660,48879";
const ROOM_EXAMPLES: &str = "Examples:
  sound-duel room a.wav b.wav --out-a at-a.wav --out-b at-b.wav
  sound-duel room a.wav b.wav --out-a at-a.wav --out-b at-b.wav --distance-cm 80 --skew-ppm 300 --seed 4";
const FRAME_EXAMPLES: &str = "Examples:
  sound-duel frame game 44e55a127bb6848a809c9889c69ed91020/131 --expect-to 58714 --tick 58717 --map 64x48
  sound-duel frame lobby 9e3e5ff0dae39432b75d57c0c670a640/123
  sound-duel frame --encode < requests.jsonl      one object a line: fields, \"kind\", \"map\"
  sound-duel frame < requests.jsonl               the same with \"hex\", \"nbits\", \"expect_to\", \"tick\"";
const REPLAY_EXAMPLES: &str = "Examples:
  sound-duel replay duel-out/host.json duel-out/guest.json
  sound-duel replay duel-out/host.json --map-png end.png
  sound-duel replay changed.json --force";
const BENCH_EXAMPLES: &str = "Examples:
  cargo run --release -- bench
  sound-duel bench --json        one line a figure: name, value, unit, against

Seeded: it does the same work every time. Shares of a core are of the time spent on it, where the system tells.";

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
    #[command(after_help = DUEL_EXAMPLES)]
    Duel(DuelArgs),
    /// A practice link: the same duel over packets that never become sound, as fast as the machine can
    #[command(after_help = LOOP_EXAMPLES)]
    Loop(LoopArgs),
    /// One phone of a practice link: the other is another process, at the end of a socket or a pipe
    #[command(after_help = RELAY_EXAMPLES)]
    Relay(RelayArgs),
    /// Payloads to sound: writes what a phone's speaker would play
    #[command(after_help = TX_EXAMPLES)]
    Tx(TxArgs),
    /// Sound to packets: what a phone would hear, one JSON object a line
    #[command(after_help = RX_EXAMPLES)]
    Rx(RxArgs),
    /// Two WAVs in, two out: puts any two signals through the simulated room
    #[command(after_help = ROOM_EXAMPLES)]
    Room(RoomArgs),
    /// Frames to JSON and back, one or a line at a time
    #[command(after_help = FRAME_EXAMPLES)]
    Frame(FrameArgs),
    /// Plays saved records again and compares every hash
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// The headline figures: what a modem, a decoder, a lockstep, the game and a duel cost on this machine
    #[command(after_help = BENCH_EXAMPLES)]
    Bench(BenchArgs),
}

/// A band plan.
#[derive(Clone, Copy, ValueEnum)]
pub enum PlanArg {
    /// 9.5–12.5 kHz and 16–19 kHz
    High,
    /// 5–6.5 kHz and 8–9.5 kHz, audible
    Low,
}

impl From<PlanArg> for Plan {
    fn from(plan: PlanArg) -> Self {
        match plan {
            PlanArg::High => Self::High,
            PlanArg::Low => Self::Low,
        }
    }
}

/// A modulation.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    /// Twice the symbols a packet
    Robust,
    /// Half the air time
    Fast,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Robust => Self::Robust,
            ModeArg::Fast => Self::Fast,
        }
    }
}

/// The mode of a match.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MatchModeArg {
    /// As the phones agree from what they hear
    Auto,
    /// Robust whatever they hear
    Robust,
    /// Fast whatever they hear
    Fast,
    /// Fast at first, then as the phones agree: what a good link comes to, without waiting for it
    #[value(skip)]
    AutoFromFast,
}

/// A phone's part.
#[derive(Clone, Copy, ValueEnum)]
pub enum RoleArg {
    /// The plan's lower band
    Host,
    /// The plan's upper band
    Guest,
}

impl From<RoleArg> for Role {
    fn from(role: RoleArg) -> Self {
        match role {
            RoleArg::Host => Self::Host,
            RoleArg::Guest => Self::Guest,
        }
    }
}

/// Whom to listen to.
#[derive(Clone, Copy, ValueEnum)]
pub enum ListenArg {
    /// A host of the plan named
    Host,
    /// A guest of the plan named
    Guest,
    /// A host of either plan, whichever is heard first
    Detect,
}

/// How strong an AI plays.
#[derive(Clone, Copy, ValueEnum)]
pub enum AiArg {
    /// Slow to act
    Easy,
    /// Plays a fair game
    Normal,
    /// Wastes nothing
    Hard,
}

/// A side of the match.
#[derive(Clone, Copy, ValueEnum)]
pub enum SideArg {
    /// Whose orders come first
    Blue,
    /// Whose orders come second
    Red,
}

impl From<SideArg> for Side {
    fn from(side: SideArg) -> Self {
        match side {
            SideArg::Blue => Self::Blue,
            SideArg::Red => Self::Red,
        }
    }
}

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
    /// Where to save the record and the link picture
    #[arg(long, default_value = "duel-out", value_name = "DIR")]
    pub out: PathBuf,
    /// Machine-readable lines; the last one is the report
    #[arg(long)]
    pub json: bool,
}

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
    #[arg(long, value_name = "DB")]
    pub noise_db: Option<f64>,
}

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

/// Options of `rx`.
#[derive(Args)]
pub struct RxArgs {
    /// The WAV to listen to
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
    /// Nothing but the packets: no summary on standard error
    #[arg(long)]
    pub json: bool,
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

/// Options of `replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// Records that a duel saved
    #[arg(required = true)]
    pub records: Vec<PathBuf>,
    /// Play a record again even if it was changed, and name the first checkpoint that differs
    #[arg(long)]
    pub force: bool,
    /// Draw the end of the (first) match
    #[arg(long, value_name = "PNG")]
    pub map_png: Option<PathBuf>,
    /// One JSON object a record
    #[arg(long)]
    pub json: bool,
}

/// Options of `bench`.
#[derive(Args)]
pub struct BenchArgs {
    /// One JSON object a figure
    #[arg(long)]
    pub json: bool,
}

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
        /// The turn to unwrap `to` near: the newest of the friend's turns held [default: `to` as it stands]
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
