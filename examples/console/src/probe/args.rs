//! Options of `probe`.

use crate::room::RoomOptions;
use clap::Args;
use std::path::PathBuf;

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel probe --make measure.wav              what to play
  sound-duel probe recording.wav --png probe.png   what a recording of it says
  sound-duel probe near.wav far.wav --json         one JSON object a recording
  sound-duel probe --room --distance-cm 40         the whole of it in the simulated room
  sound-duel probe --room --treble                 a speaker made for voices: which phone should host?

To measure two phones: start recording on one (48 kHz if it lets you choose, voice processing off, WAV), play measure.wav
on the other at the volume you would play at, wait for the end of the sweep, stop. Any pause before and after will do. What
is measured is one direction: swap the phones for the other.";

/// Options of `probe`.
#[derive(Args)]
pub struct ProbeArgs {
    /// What is to be done
    #[command(flatten)]
    pub task: ProbeTask,
    /// The sample rate of what --make writes, and of both phones of --room
    #[arg(
        long,
        default_value_t = 48_000,
        value_name = "HZ",
        conflicts_with = "wavs"
    )]
    pub rate: u32,
    /// The room
    #[command(flatten)]
    pub options: RoomOptions,
    /// The speaker of --room is made for voices: −18 dB above 10 kHz, −33 dB above 14
    #[arg(long, requires = "room")]
    pub treble: bool,
    /// The recorder of --room removes what is above this, as some browsers do (7500, 15000)
    #[arg(long, value_name = "HZ", requires = "room")]
    pub cutoff_hz: Option<f64>,
    /// Decides the walls and the noise of --room
    #[arg(long, default_value_t = 1, requires = "room")]
    pub seed: u64,
    /// Save what the microphone of --room heard
    #[arg(long, value_name = "WAV", requires = "room")]
    pub out: Option<PathBuf>,
    /// Draw what one recording says
    #[arg(long, value_name = "PNG", conflicts_with = "make")]
    pub png: Option<PathBuf>,
    /// Write 32-bit floats, which some phones' players refuse, instead of 16-bit integers
    #[arg(long, requires = "make")]
    pub float: bool,
    /// Read this channel, from 1 [default: the one that carries the measurement]
    #[arg(long, value_name = "N", requires = "wavs")]
    pub channel: Option<usize>,
    /// One JSON object a recording
    #[arg(long)]
    pub json: bool,
}

/// What is to be done.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct ProbeTask {
    /// Recordings of the measurement, from 44.1 kHz up; of several channels the first that is live is read
    #[arg(value_name = "MEASUREMENT.wav")]
    pub wavs: Vec<PathBuf>,
    /// Write the signal to play, and measure nothing
    #[arg(long, value_name = "OUT.wav")]
    pub make: Option<PathBuf>,
    /// Measure the simulated room instead of a recording
    #[arg(long)]
    pub room: bool,
}
