//! One phone of `play`: its rig, its lobby, its match and its report, as a state machine. Time, device events and the
//! player's intents go in; what to draw comes out. Opens no device, draws nothing, reads no clock.

mod autopilot;
mod duel;
mod leaving;
mod report;
mod self_test;
mod show;

pub use autopilot::Autopilot;
pub use duel::{Duel, Offer, PauseMenu};
pub use report::Report;

pub use super::want::Want;
use super::{intent::Intent, sound::Sound, store::Store, want::PlayPlan};
use link_modem::{Listen, ModemConfig, RateProblem};
use link_rig::{Action, Event, MicMode, Rig, RigError, RigLink, RigState};
use link_transport::{LinkTime, Plan, Role};
use match_feed::duel::MapChoice;
use self_test::SelfTest;
use versus_pairing::{Entry, HostChoice, Rematch};

/// Where an app is.
pub enum Stage {
    /// Placement, host or join, settings.
    Menu,
    /// The rig opens; then this.
    Opening(Next),
    /// The rig could not open.
    Failed(RigError),
    /// The phone listens to itself.
    SelfTest(Box<SelfTest>),
    /// From the lobby to the report.
    Duel(Box<Duel>),
    /// The player has had enough.
    Closed,
}

/// What follows once sound runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// A duel.
    Duel,
    /// Another duel with the same peer.
    Rematch(Rematch),
    /// The self-test.
    SelfTest,
}

/// The app.
pub struct App<S> {
    /// The phone's devices.
    pub sound: S,
    /// What the player wants; the menu changes it.
    pub want: Want,
    /// Where it is.
    pub stage: Stage,
    store: Store,
    rig: Option<Rig>,
    rate_hz: u32,
    /// Drawn from for every session, each time another.
    seed: u64,
    now: LinkTime,
    /// Something worth a line, and since when.
    notice: Option<(LinkTime, String)>,
}

impl<S: Sound> App<S> {
    /// A phone with its sound off, at the menu. `seed` decides what is random.
    pub fn new(sound: S, want: Want, store: Store, seed: u64) -> Self {
        Self {
            sound,
            want,
            stage: Stage::Menu,
            store,
            rig: None,
            rate_hz: 0,
            seed,
            now: LinkTime::ZERO,
            notice: None,
        }
    }

    /// Lets time come: devices, the link, the lobby, ticks.
    pub fn tick(&mut self, now: LinkTime) {
        self.now = self.now.max(now);
        self.run_rig();
        let state = self.rig.as_ref().map(Rig::state);
        match (&mut self.stage, state) {
            (Stage::Opening(next), Some(RigState::Live)) => {
                let next = *next;
                self.begin(next);
            }
            (Stage::Opening(_), Some(RigState::Failed(error))) => {
                self.rig = None;
                self.stage = Stage::Failed(error);
            }
            (Stage::SelfTest(test), _) => test.tick(self.now),
            (Stage::Duel(_), _) => self.tick_duel(),
            _ => {}
        }
        let old = |(at, _): &(LinkTime, String)| self.now.since(*at).as_secs() >= 5;
        if self.notice.as_ref().is_some_and(old) {
            self.notice = None;
        }
    }

    /// The player wants something. What makes no sense where the app is, changes nothing.
    pub fn handle(&mut self, intent: Intent) {
        match (&mut self.stage, intent) {
            (Stage::Opening(_), Intent::Confirm) => self.tap(),
            (Stage::Opening(_) | Stage::SelfTest(_), Intent::Back) => self.silence(),
            (Stage::Failed(_), Intent::Confirm | Intent::Back) => self.stage = Stage::Menu,
            (Stage::Menu, intent) => self.handle_menu(intent),
            (Stage::Duel(_), intent) => self.handle_duel(intent),
            (Stage::Closed, _) => {}
            (_, Intent::Quit) => {
                self.silence();
                self.stage = Stage::Closed;
            }
            _ => {}
        }
    }

    fn handle_menu(&mut self, intent: Intent) {
        match intent {
            Intent::Host => self.want.role = Role::Host,
            Intent::Join => self.want.role = Role::Guest,
            Intent::Plan => {
                self.want.plan = match self.want.plan {
                    PlayPlan::Auto => PlayPlan::High,
                    PlayPlan::High => PlayPlan::Low,
                    PlayPlan::Low => PlayPlan::Auto,
                }
            }
            Intent::Map => self.want.map = next_map(self.want.map),
            Intent::Mutator(index) if usize::from(index) < game_sim::MUTATORS.len() => {
                self.want.mutators ^= 1 << index;
            }
            Intent::SelfTest => self.open(Next::SelfTest),
            Intent::Confirm => self.open(Next::Duel),
            Intent::Quit | Intent::Back => {
                self.silence();
                self.stage = Stage::Closed;
            }
            _ => {}
        }
    }

    /// Opens the rig for `next`; goes on at once where sound runs already.
    fn open(&mut self, next: Next) {
        let (plan, rx) = match next {
            Next::Rematch(rematch) => (rematch.plan, Listen::Role(rematch.role.other())),
            _ => (self.want.plan.first(), self.listen()),
        };
        match &mut self.rig {
            Some(rig) if rig.state() == RigState::Live => {
                rig.set_plan(plan, rx);
                self.begin(next);
            }
            _ => {
                self.silence();
                // A native host takes the microphone as the system gives it: cpal can ask for nothing else.
                self.rig = Some(Rig::open(self.now, plan, rx, MicMode::Raw));
                self.stage = Stage::Opening(next);
                self.run_rig();
            }
        }
    }

    /// What this phone listens to: a guest searches both plans.
    fn listen(&self) -> Listen {
        match self.want.role {
            Role::Host => Listen::Role(Role::Guest),
            Role::Guest => Listen::Detect,
        }
    }

    /// Sound runs: makes the link of whatever comes now.
    fn begin(&mut self, next: Next) {
        let begun = match next {
            Next::Duel => self.begin_duel(None),
            Next::Rematch(rematch) => self.begin_duel(Some(rematch)),
            Next::SelfTest => self.begin_self_test(),
        };
        if let Err(problem) = begun {
            self.silence();
            self.stage = Stage::Failed(RigError::Rate(problem));
        }
    }

    fn begin_self_test(&mut self) -> Result<(), RateProblem> {
        let (plan, role) = (self.want.plan.first(), self.want.role);
        let config = self.modem(plan, role, Listen::Role(role));
        let link = self.new_link(config)?;
        self.stage = Stage::SelfTest(Box::new(SelfTest::new(link, self.now)));
        Ok(())
    }

    fn modem(&self, plan: Plan, tx: Role, rx: Listen) -> ModemConfig {
        ModemConfig::new(self.rate_hz, tx)
            .with_plan(plan)
            .with_rx(rx)
            .with_gain(self.want.gain)
    }

    /// A link on the open device; the one before falls silent.
    fn new_link(&mut self, config: ModemConfig) -> Result<RigLink, RateProblem> {
        let (link, pump) = RigLink::pair(config)?;
        self.sound.run_pump(pump);
        if let Some(rig) = &mut self.rig {
            rig.set_plan(config.plan, config.rx);
            rig.handle_event(self.now, Event::LinkStarted);
        }
        Ok(link)
    }

    fn entry(&self) -> Entry {
        match self.want.role {
            Role::Guest => Entry::Guest,
            Role::Host => Entry::Host(
                HostChoice::new(self.want.map)
                    .with_mutators(self.want.mutators)
                    .with_host_side(self.want.host_side)
                    .with_start_mode(self.want.start_mode),
            ),
        }
    }

    /// The player answers the cover: to start sound, or to reconnect.
    fn tap(&mut self) {
        if let Some(rig) = &mut self.rig {
            rig.handle_tap(self.now);
        }
        self.run_rig();
    }

    /// Lets the sound go, and goes back to the menu.
    fn silence(&mut self) {
        self.stage = Stage::Menu;
        if let Some(mut rig) = self.rig.take() {
            rig.close(self.now);
            while let Some(action) = rig.poll_action() {
                self.sound.act(self.now, action);
            }
        }
    }

    /// Carries what happened to the rig, and what the rig wants to the devices and the link.
    fn run_rig(&mut self) {
        let now = self.now;
        while let Some(event) = self.sound.poll_event(now) {
            if let Event::AudioOpened { rate_hz, .. } = event {
                self.rate_hz = rate_hz;
            }
            if let Some(rig) = &mut self.rig {
                rig.handle_event(now, event);
            }
        }
        let Some(rig) = &mut self.rig else { return };
        let mut link = match &mut self.stage {
            Stage::Duel(duel) => Some(duel.session.transport_mut()),
            Stage::SelfTest(test) => Some(&mut test.link),
            _ => None,
        };
        if let Some(link) = &mut link {
            while let Some(gap) = link.take_gap() {
                let event = match gap.lasted {
                    None => Event::GapStarted,
                    Some(_) => Event::GapEnded,
                };
                rig.handle_event(now, event);
            }
            if let Some(fault) = link.stopped() {
                rig.handle_event(now, Event::ModemStopped(fault));
            }
        }
        rig.handle_time(now);
        while let Some(action) = rig.poll_action() {
            match (action, &mut link) {
                (Action::RebuildLink(_), Some(link)) => match link.rebuild(self.rate_hz) {
                    Ok(pump) => {
                        self.sound.run_pump(pump);
                        rig.handle_event(now, Event::LinkStarted);
                    }
                    Err(problem) => {
                        rig.handle_event(now, Event::LinkFailed(RigError::Rate(problem)));
                    }
                },
                (Action::RebuildLink(_), None) => rig.handle_event(now, Event::LinkClosed),
                (action, _) => self.sound.act(now, action),
            }
        }
    }

    fn note(&mut self, text: impl Into<String>) {
        self.notice = Some((self.now, text.into()));
    }

    fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.seed
    }

    /// The terminal has this many columns and rows.
    pub fn resize(&mut self, size: (u16, u16)) {
        if let Stage::Duel(duel) = &mut self.stage
            && duel.field.camera.size != size
        {
            duel.field.resize(duel.session.game(), size);
        }
    }

    /// The rig's state.
    pub fn rig_state(&self) -> Option<RigState> {
        self.rig.as_ref().map(Rig::state)
    }

    /// The duel, from its lobby on.
    pub fn duel(&self) -> Option<&Duel> {
        match &self.stage {
            Stage::Duel(duel) => Some(duel),
            _ => None,
        }
    }

    /// What time it is here.
    pub const fn now(&self) -> LinkTime {
        self.now
    }
}

/// The hand-made map after this one; after a random one, the first.
fn next_map(map: MapChoice) -> MapChoice {
    MapChoice::BuiltIn(match map {
        MapChoice::BuiltIn(index) => (index + 1) % game_sim::map_count(),
        MapChoice::Random { .. } => 0,
    })
}
