//! `play`: a duel for a person, live on this machine's devices or in practice against an AI in a simulated room.
//!
//! ```text
//!   terminal ── keys, mouse ─► intent ─► App ─► View ─► draw        app: one phone, from the menu to the report
//!   headless ── Autopilot ───► intent ─►  │                         sound: its devices, real or simulated
//!                                        Rig, Session<RigLink>      field: the player's hands on the map
//!                                         │                         store: what is kept
//!                        Sound ◄──────────┘
//! ```

mod app;
mod args;
mod draw;
mod field;
mod headless;
mod intent;
mod sound;
mod store;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod view;
mod want;

pub use args::{EXAMPLES, PlayArgs};

use crate::skirmish;
use match_feed::duel::Medium;
use std::{
    error::Error,
    fs,
    hash::{BuildHasher, RandomState},
    io::IsTerminal,
};
use store::Store;
use table::{Clock, Table};

/// What a build without live sound says.
#[cfg(not(feature = "live"))]
const NOT_LIVE: &str = "this build has no live sound. Switch it on with:
  cargo run --release --features live -- play --host
(On Linux that needs the headers of ALSA: apt-get install libasound2-dev pkg-config.)
Without any of that, try: sound-duel play --practice";

/// Plays; without a screen, succeeds only if every match ended in sync.
pub fn run(args: &PlayArgs) -> Result<(), Box<dyn Error>> {
    if args.list_devices {
        return list_devices();
    }
    if !args.is_headless() && !std::io::stdout().is_terminal() {
        return Err("play draws on a terminal, and standard output is none: try --headless".into());
    }
    fs::create_dir_all(&args.out).map_err(|why| format!("{}: {why}", args.out.display()))?;
    // A nonce met before would let a recording pass for a phone: live seeds are never the same twice.
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    if args.practice {
        let store = Store::in_folder(&args.out, Medium::Practice);
        let peer = skirmish::ai_level(args.peer);
        let table = Table::practice(args.want()?, peer, store, seed);
        return show(args, table, Clock::practice());
    }
    live(args, seed)
}

fn show<S: sound::Sound>(
    args: &PlayArgs,
    mut table: Table<S>,
    clock: Clock,
) -> Result<(), Box<dyn Error>> {
    if args.is_headless() {
        headless::run(args, &mut table, clock)
    } else {
        if args.role().is_some() {
            table.app.handle(intent::Intent::Confirm);
        }
        terminal::run(&mut table, clock)
    }
}

#[cfg(not(feature = "live"))]
fn live(_: &PlayArgs, _: u64) -> Result<(), Box<dyn Error>> {
    Err(NOT_LIVE.into())
}

#[cfg(not(feature = "live"))]
fn list_devices() -> Result<(), Box<dyn Error>> {
    Err(NOT_LIVE.into())
}

#[cfg(feature = "live")]
fn live(args: &PlayArgs, seed: u64) -> Result<(), Box<dyn Error>> {
    let sound =
        sound::live::LiveSound::new(args.output.as_deref(), args.input.as_deref(), args.buffer)?;
    let store = Store::in_folder(&args.out, Medium::Sound);
    let app = app::App::new(sound, args.want()?, store, seed);
    show(args, Table::alone(app), Clock::live())
}

#[cfg(feature = "live")]
fn list_devices() -> Result<(), Box<dyn Error>> {
    for line in sound::live::list()? {
        say!("{line}");
    }
    Ok(())
}
