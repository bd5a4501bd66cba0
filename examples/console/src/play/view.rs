//! What is on the screen, as plain values: an app fills them in, the painter draws them, and neither knows the other.

use super::{
    app::{Offer, PauseMenu},
    field::Field,
    intent::Keys,
};
use crate::picture::Fights;
use game_sim::World;
use link_rig::RigState;
use link_transport::Role;
use match_feed::duel::Side;
use std::time::Duration;
use versus_session::Overlay;

/// The whole screen.
pub struct View<'a> {
    /// Sound is, or will be, made: the warning stands under the title.
    pub noise: bool,
    /// The devices, in words.
    pub devices: String,
    /// Something worth a line.
    pub notice: Option<String>,
    /// What is up.
    pub screen: Screen<'a>,
    /// What covers it.
    pub cover: Option<Cover>,
}

/// What is up.
pub enum Screen<'a> {
    /// Placement, host or join, settings.
    Menu(MenuView),
    /// Sound is being opened.
    Opening,
    /// It could not be.
    Failed(FailedView),
    /// The phone listens to itself.
    SelfTest(SelfTestView),
    /// From listening to GO.
    Lobby(LobbyView),
    /// The match.
    Match(MatchView<'a>),
    /// Its end.
    Report(ReportView),
}

/// The menu.
pub struct MenuView {
    /// Host or join.
    pub role: Role,
    /// The band plan, in words.
    pub plan: &'static str,
    /// The map.
    pub map: String,
    /// Every mutator, and whether it is on.
    pub mutators: Vec<(&'static str, bool)>,
    /// Wins, losses, draws; `None` where matches do not count.
    pub score: Option<(u32, u32, u32)>,
}

/// Why sound could not be opened.
pub struct FailedView {
    /// Why.
    pub why: String,
    /// What to try.
    pub advice: &'static str,
}

/// The self-test.
pub struct SelfTestView {
    /// The band, in words.
    pub band: &'static str,
    /// Packets of its own it read, and those it did not.
    pub good: u64,
    /// Packets it did not.
    pub bad: u64,
    /// How well.
    pub snr_db: Option<f32>,
    /// The way from its speaker to its microphone.
    pub loopback_ms: Option<f32>,
    /// What it comes to.
    pub verdict: Option<bool>,
}

/// The lobby.
pub struct LobbyView {
    /// This phone's role.
    pub role: Role,
    /// It is a rematch.
    pub rematch: bool,
    /// The plan in use; `None` while searching.
    pub plan: Option<&'static str>,
    /// Where it stands.
    pub step: Step,
    /// What will be played: the map and the mutators.
    pub what: Option<(String, String)>,
    /// The side this phone plays.
    pub side: Option<Side>,
    /// Both directions.
    pub meters: Meters,
    /// What is wrong, one at a time.
    pub warning: Option<String>,
    /// What is offered because of what was measured.
    pub offer: Option<Offer>,
    /// Nothing heard: offer the other role.
    pub switch_role: bool,
    /// Nothing heard for long: tips.
    pub tips: bool,
    /// The screen may lock itself.
    pub auto_lock: bool,
}

/// A step of the lobby.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Nobody heard yet.
    Listening,
    /// A peer is heard.
    Measuring,
    /// Choose an opener.
    Picking {
        /// Those on offer.
        openers: Vec<&'static str>,
        /// Until one is chosen for the player.
        left: Duration,
    },
    /// The peer still picks.
    Picked(&'static str),
    /// GO, then a microphone that proves itself, then loading.
    Starting,
    /// The phones run different software.
    OtherVersion(String),
    /// Saying goodbye.
    Leaving,
}

/// How the link does, both ways.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Meters {
    /// This phone's reception of its peer, 0…7.
    pub heard: u8,
    /// In decibels.
    pub snr_db: Option<f32>,
    /// Packets received of a hundred.
    pub good_percent: Option<u32>,
    /// The peer's reception of this phone, 0…7, by its word.
    pub hears_me: Option<u8>,
    /// This phone's own signal at its own microphone.
    pub own_snr_db: Option<f32>,
    /// The round trip.
    pub round_trip: Option<Duration>,
    /// The microphone's peak, of full scale.
    pub peak: f32,
    /// The loudness in use.
    pub gain: f32,
}

/// The match.
pub struct MatchView<'a> {
    /// The world.
    pub world: &'a World,
    /// Whose eyes.
    pub side: Side,
    /// The player's hands.
    pub field: &'a Field,
    /// What happened lately.
    pub fights: &'a Fights,
    /// What is waited for.
    pub overlay: Overlay,
    /// The overlay, or the menu, offers to leave.
    pub leave: bool,
    /// The menu offers to resign and leave.
    pub resign_and_leave: bool,
    /// The pause menu.
    pub menu: Option<PauseMenu>,
    /// Orders wait for the link.
    pub queued: bool,
    /// The player has resigned.
    pub resigning: bool,
    /// An AI plays for the player.
    pub ai: bool,
    /// The input delay, ms.
    pub delay_ms: u64,
    /// How the link does.
    pub meters: Meters,
    /// The keys.
    pub help: bool,
}

/// The end.
pub struct ReportView {
    /// What it is called.
    pub title: String,
    /// How it came about.
    pub how: String,
    /// Well, badly, neither.
    pub well: Option<bool>,
    /// Whether both worlds agree.
    pub sync: Option<&'static str>,
    /// "vs your peer · Crossing · 6:08 · over sound".
    pub line: String,
    /// What is told of it, by name.
    pub facts: Vec<(&'static str, String)>,
    /// The peer wants a rematch.
    pub peer_waits: bool,
    /// Goodbye is being said.
    pub leaving: bool,
}

/// What covers the screen: the sound link is gone.
pub struct Cover {
    /// The rig's state.
    pub state: RigState,
    /// Why the last tap failed, and what to try.
    pub error: Option<(String, &'static str)>,
    /// It offers to leave.
    pub leave: bool,
}

impl View<'_> {
    /// Which keys mean something now.
    pub fn keys(&self) -> Keys {
        if self.cover.is_some() {
            return Keys::Cover;
        }
        match &self.screen {
            Screen::Menu(_) => Keys::Menu,
            Screen::Opening | Screen::Failed(_) | Screen::SelfTest(_) => Keys::Button,
            Screen::Lobby(_) => Keys::Lobby,
            Screen::Report(_) => Keys::Report,
            Screen::Match(view) => match view.menu {
                Some(PauseMenu { sure: true, .. }) => Keys::Sure,
                Some(_) => Keys::Pause,
                None if view.field.list.is_some() => Keys::List,
                None => Keys::Match,
            },
        }
    }
}
