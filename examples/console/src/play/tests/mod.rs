//! Whole duels through two phones' apps in one room, by virtual time: what a person would see, and do.

mod ends;
mod rig;

use super::{
    app::{App, Stage, Want},
    intent::Intent,
    sound::room::RoomSound,
    store::Store,
    table::Table,
    view::{Screen, Step},
    want::PlayPlan,
};
use game_sim::{AiLevel, mutator};
use link_rig::RigState;
use link_transport::{LinkTime, Mode, Role};
use match_feed::duel::{MapChoice, Side};
use std::time::Duration;
use versus_pairing::StartMode;
use versus_session::ModePolicy;

const FRAME: Duration = Duration::from_millis(20);

/// What a player wants who hosts a short match and plays by hand.
fn want(role: Role) -> Want {
    Want {
        role,
        plan: PlayPlan::Auto,
        map: MapChoice::BuiltIn(0),
        mutators: mutator::BLITZ,
        host_side: Side::Blue,
        // What a good link comes to, without waiting for it.
        start_mode: StartMode::Fixed(Mode::Fast),
        modes: ModePolicy::Adapt,
        opener: None,
        ai: None,
        gain: 1.0,
        build: 0x1234,
    }
}

/// A table with time of its own.
struct Evening {
    table: Table<RoomSound>,
    now: LinkTime,
}

impl Evening {
    fn new(want: Want, seed: u64) -> Self {
        Self {
            table: Table::practice(want, AiLevel::Easy, Store::nowhere(), seed),
            now: LinkTime::ZERO,
        }
    }

    fn app(&self) -> &App<RoomSound> {
        &self.table.app
    }

    fn both(&mut self) -> [&mut App<RoomSound>; 2] {
        let (own, peer) = self.table.both();
        [own, peer.expect("practice has two")]
    }

    fn tap(&mut self, intent: Intent) {
        self.table.app.handle(intent);
    }

    fn frame(&mut self) {
        self.now = self.now + FRAME;
        self.table.tick(self.now);
    }

    fn pass(&mut self, seconds: u64) {
        let until = self.now + Duration::from_secs(seconds);
        while self.now < until {
            self.frame();
        }
    }

    /// Lets time pass until the screen shows something; says how long that took.
    fn until(
        &mut self,
        what: &str,
        within_seconds: u64,
        shows: impl Fn(&App<RoomSound>) -> bool,
    ) -> Duration {
        let from = self.now;
        while !shows(self.app()) {
            self.frame();
            let waited = self.now.since(from);
            assert!(
                waited.as_secs() < within_seconds,
                "no {what} after {waited:?}"
            );
        }
        self.now.since(from)
    }

    /// From the menu into a match, by hand.
    fn begin(&mut self) {
        self.tap(Intent::Confirm);
        self.until("opener to pick", 30, |app| picking(app).is_some());
        self.tap(Intent::Pick(0));
        self.until("match", 10, in_match);
    }
}

fn picking(app: &App<RoomSound>) -> Option<usize> {
    match app.view().screen {
        Screen::Lobby(lobby) => match lobby.step {
            Step::Picking { openers, .. } => Some(openers.len()),
            _ => None,
        },
        _ => None,
    }
}

fn in_match(app: &App<RoomSound>) -> bool {
    matches!(app.view().screen, Screen::Match(_))
}

fn step(app: &App<RoomSound>) -> Option<Step> {
    match app.view().screen {
        Screen::Lobby(lobby) => Some(lobby.step),
        _ => None,
    }
}

fn title(app: &App<RoomSound>) -> Option<String> {
    match app.view().screen {
        Screen::Report(report) => Some(report.title),
        _ => None,
    }
}
