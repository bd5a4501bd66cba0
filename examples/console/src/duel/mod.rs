//! `duel`: two phones in one room, from switching on to two equal records.

mod args;

pub use args::{DuelArgs, EXAMPLES, MatchArgs};

mod medium;
mod phone;
mod plot;
mod report;
mod runner;
mod watch;

pub use medium::{PhoneLink, Words};
pub use phone::{Phone, PhoneConfig};
pub use report::Report;
pub use runner::{GOODBYE, play};

use crate::{skirmish, words::MatchModeArg};
use link_room::{RoomLink, RoomLinkConfig};
use link_transport::{Plan, Role};
use match_feed::duel::{Medium, Side};
use std::error::Error;
use versus_pairing::{Entry, HostChoice};
use versus_session::ModePolicy;

/// Plays the duel by sound, saves its records and its picture, and succeeds only if both phones stayed in sync.
pub fn run(args: &DuelArgs) -> Result<(), Box<dyn Error>> {
    let room = args
        .room
        .config(args.game.seed, [args.rate_a, args.rate_b])?;
    let link = RoomLinkConfig::default()
        .with_room(room)
        .with_plan(args.game.plan.into());
    if let Some(problem) = link.rate_problem() {
        return Err(problem.into());
    }
    let (host, guest) = RoomLink::pair(link, args.game.seed);
    play(&args.game, [host, guest], Medium::Sound, None)
}

impl MatchArgs {
    /// The host's phone and the guest's.
    pub fn phones(&self) -> Result<[PhoneConfig; 2], String> {
        let modes = mode_policy(self.mode);
        let plan = Plan::from(self.plan);
        let host = PhoneConfig {
            entry: host_seat(&self.map, &self.mutators, self.host_side.into(), self.mode)?,
            plan,
            opener: self.opener_a,
            level: skirmish::ai_level(self.ai_a),
            seed: self.seed.wrapping_mul(2),
            modes,
        };
        let guest = PhoneConfig {
            entry: Entry::Guest,
            plan,
            opener: self.opener_b,
            level: skirmish::ai_level(self.ai_b),
            seed: self.seed.wrapping_mul(2).wrapping_add(1),
            modes,
        };
        Ok([host, guest])
    }
}

/// How a host enters, as the command line describes it.
pub fn host_seat(
    map: &str,
    mutators: &str,
    host_side: Side,
    mode: MatchModeArg,
) -> Result<Entry, String> {
    Ok(Entry::Host(
        HostChoice::new(skirmish::parse_map(map)?)
            .with_mutators(skirmish::parse_mutators(mutators)?)
            .with_host_side(host_side)
            .with_start_mode(skirmish::start_mode(mode)),
    ))
}

/// Whether a phone may change its mode during the match: not where the player chose one.
pub fn mode_policy(mode: MatchModeArg) -> ModePolicy {
    match mode {
        MatchModeArg::Auto => ModePolicy::Adapt,
        MatchModeArg::Robust | MatchModeArg::Fast => ModePolicy::Keep,
    }
}

/// `host` or `guest`.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Host => "host",
        Role::Guest => "guest",
    }
}
