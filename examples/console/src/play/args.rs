//! Options of `play`.

use super::want::PlayPlan;
use crate::{
    duel, skirmish,
    words::{AiArg, MatchModeArg, SideArg},
};
use clap::Args;
use link_transport::{Plan, Role};
use match_feed::duel::MapChoice;
use std::{path::PathBuf, str::FromStr};

/// Shown after the options.
pub const EXAMPLES: &str = "Examples:
  sound-duel play --practice                    try it: your friend is an AI in a simulated room
  sound-duel play --host                        on this machine's speaker and microphone …
  sound-duel play --join                        … and on another one, a hand's breadth away
  sound-duel play --list-devices
  sound-duel play --host --output Speaker --input Headset --setup blitz
  sound-duel play --join --headless --ai hard   no screen; an AI plays

Live sound is not in every build: cargo run --release --features live -- play --host
In a match: ? shows the keys. Warning: the sound link plays a constant high-pitched noise for the whole match.";

/// Options of `play`.
#[derive(Args, Clone)]
pub struct PlayArgs {
    /// Start in the lobby as the host of a match
    #[arg(long, conflicts_with = "join")]
    pub host: bool,
    /// Start in the lobby as a guest
    #[arg(long)]
    pub join: bool,
    /// No devices and no noise: your peer is an AI at the other end of a simulated room
    #[arg(long)]
    pub practice: bool,
    /// Name this machine's audio devices and leave
    #[arg(long)]
    pub list_devices: bool,
    /// The microphone: its number, or part of its name [default: the system's]
    #[arg(long, value_name = "NAME")]
    pub input: Option<String>,
    /// The speaker: its number, or part of its name [default: the system's]
    #[arg(long, value_name = "NAME")]
    pub output: Option<String>,
    /// Frames a device hands over at a time
    #[arg(long, default_value_t = 960, value_name = "FRAMES", value_parser = clap::value_parser!(u32).range(64..=9600))]
    pub buffer: u32,
    /// How loud, against −15 dB of full scale: above 0 and at most 1.5
    #[arg(long, default_value_t = 1.0, value_name = "GAIN", value_parser = gain)]
    pub gain: f32,
    /// The band plan, the host's to choose: a guest finds it
    #[arg(long, value_enum, default_value = "auto")]
    pub plan: PlayPlan,
    /// The mode to play in
    #[arg(long, value_enum, default_value = "auto")]
    pub mode: MatchModeArg,
    /// A kind of match in one word: `standard`, or any list of mutators, such as `blitz` or `blitz,bonanza`
    #[arg(long, default_value = "standard", value_name = "standard|LIST")]
    pub setup: String,
    /// A map, the host's to choose: 0…5 by index, or biome:seed (biome 0…4)
    #[arg(long, default_value = "0", value_name = "INDEX|BIOME:SEED")]
    pub map: String,
    /// The side the host plays; the host's to choose
    #[arg(long, value_enum, default_value = "blue")]
    pub host_side: SideArg,
    /// This phone's opener by index: 0 prospector, 1 raiders, 2 fortress [default: asked for]
    #[arg(long, value_name = "INDEX", value_parser = opener)]
    pub opener: Option<u8>,
    /// An AI plays for you
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub ai: Option<AiArg>,
    /// The AI at the other end of a practice link
    #[arg(long, value_enum, default_value = "easy", value_name = "LEVEL")]
    pub peer: AiArg,
    /// No screen: pairs, lets an AI play to a decision, says what happens
    #[arg(long)]
    pub headless: bool,
    /// As --headless, in machine-readable lines; the last one is the report
    #[arg(long)]
    pub json: bool,
    /// Without a screen: as many rematches after the match
    #[arg(long, default_value_t = 0, value_name = "COUNT")]
    pub rematches: u32,
    /// Without a screen: give up if no peer is found by then
    #[arg(long, default_value_t = 120, value_name = "SECONDS")]
    pub pair_within: u64,
    /// Without a screen: give up if the match is not decided by then
    #[arg(long, default_value_t = 2400, value_name = "SECONDS")]
    pub play_within: u64,
    /// With --practice and without a screen: both clocks run this many times faster than real time
    #[arg(long, default_value_t = 1, value_name = "TIMES", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub speed: u32,
    /// Decides what is random in practice; live matches draw anew each time unless it is given
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Where to save records, debug information and the score
    #[arg(long, default_value = "duel-out", value_name = "DIR")]
    pub out: PathBuf,
}

impl From<Plan> for PlayPlan {
    fn from(plan: Plan) -> Self {
        match plan {
            Plan::High => Self::High,
            Plan::Low => Self::Low,
        }
    }
}

/// A setup's mutators.
struct Setup(u16);

impl FromStr for Setup {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mutators = if text == "standard" { "none" } else { text };
        let mask = skirmish::parse_mutators(mutators);
        mask.map(Self)
            .map_err(|why| why.replace("--mutators", "--setup"))
    }
}

impl PlayArgs {
    /// The role named, if one is.
    pub fn role(&self) -> Option<Role> {
        match (self.host, self.join) {
            (true, _) => Some(Role::Host),
            (_, true) => Some(Role::Guest),
            _ => None,
        }
    }

    /// True without a screen.
    pub fn is_headless(&self) -> bool {
        self.headless || self.json
    }

    /// What the player wants, as far as the command line says.
    ///
    /// # Errors
    /// A map or a mutator that is none, in words.
    pub fn want(&self) -> Result<super::want::Want, String> {
        let map: MapChoice = skirmish::parse_map(&self.map)?;
        let ai = self.ai.or(self.is_headless().then_some(AiArg::Normal));
        Ok(super::want::Want {
            role: self.role().unwrap_or(Role::Host),
            plan: self.plan,
            map,
            mutators: self.setup.parse::<Setup>()?.0,
            host_side: self.host_side.into(),
            start_mode: skirmish::start_mode(self.mode),
            modes: duel::mode_policy(self.mode),
            opener: self.opener,
            ai: ai.map(skirmish::ai_level),
            gain: self.gain,
            build: game_sim::BUILD_ID,
        })
    }
}

fn gain(text: &str) -> Result<f32, String> {
    let gain: Option<f32> = text.parse().ok();
    gain.filter(|gain| *gain > 0.0 && *gain <= 1.5)
        .ok_or_else(|| "above 0 and at most 1.5".into())
}

fn opener(text: &str) -> Result<u8, String> {
    let openers = game_sim::opener_names().len();
    let index: Option<u8> = text.parse().ok();
    index
        .filter(|index| usize::from(*index) < openers)
        .ok_or_else(|| format!("an index from 0 to {}", openers - 1))
}
