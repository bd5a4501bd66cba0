//! A duel on one phone: its session from the lobby to the report, and what the player does in it.

use super::{
    App, Report, Stage,
    leaving::{Going, Ways},
};
use crate::{
    picture::Fights,
    play::{
        field::{Field, FieldInput},
        intent::Intent,
        sound::Sound,
    },
};
use game_sim::{Ai, Command, Skirmish, SkirmishCodec, World};
use link_modem::{Listen, RateProblem, Reconfigure, half::StatsReport};
use link_rig::{BandAdvice, CAPTURE_OK, LinkAdvice, Rig, RigLink, RigState};
use link_transport::{LinkTime, LinkTransport, Plan, Role};
use std::time::Duration;
use versus_lockstep::Leave;
use versus_pairing::{PairingPhase, Rematch, RematchWait};
use versus_session::{Session, SessionConfig, SessionEvent, SessionPhase};

/// A guest that has heard nothing on the plan it found for this long searches both plans again.
const SEARCH_AGAIN: Duration = Duration::from_secs(8);
/// A peer that is heard but does not hear for this long: something has to change.
const PEER_DEAF: Duration = Duration::from_secs(10);

/// A session of the skirmish over a live link.
pub type DuelSession = Session<RigLink, SkirmishCodec, World, Skirmish>;

/// From the lobby to the report.
pub struct Duel {
    /// The session.
    pub session: DuelSession,
    /// What the link's statistics say to the player.
    pub advice: LinkAdvice,
    /// The map, the selection, the menus of the match.
    pub field: Field,
    /// What happened lately on the map.
    pub fights: Fights,
    /// The pause menu, while it is up.
    pub menu: Option<PauseMenu>,
    /// The keys are shown.
    pub help: bool,
    /// This player has resigned, and the order has not landed yet.
    pub resigning: bool,
    /// Where to once everything is said.
    pub going: Option<Going>,
    /// The end, once it has come.
    pub report: Option<Report>,
    /// The loudest the microphone was lately.
    pub peak: f32,
    /// The peer's packets, as their signal-to-noise ratios.
    pub snr: Mean,
    /// It is a rematch.
    pub rematch: Option<RematchWait>,
    /// This player left because nothing came through.
    pub(super) lost: bool,
    pub(super) role: Role,
    ai: Option<Ai>,
    last_report: LinkTime,
    unlocked_since: Option<LinkTime>,
    deaf_since: Option<LinkTime>,
}

/// The pause menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PauseMenu {
    /// Asked whether the player is sure to resign.
    pub sure: bool,
    /// The match had waited long enough to be left when the menu came up: a pause waits for nobody.
    pub leave: bool,
}

/// A mean in the making.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.count += 1;
    }

    /// The mean, if there is any.
    pub fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

/// What a lobby offers because of what it measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Why, with what was measured.
    pub reason: String,
    /// This plan instead; the host's to choose.
    pub plan: Option<Plan>,
    /// The other role instead.
    pub role: bool,
}

impl<S: Sound> App<S> {
    pub(super) fn begin_duel(&mut self, rematch: Option<Rematch>) -> Result<(), RateProblem> {
        let (entry, plan, rx) = match rematch {
            Some(rematch) => (
                rematch.entry(self.want.start_mode),
                rematch.plan,
                Listen::Role(rematch.role.other()),
            ),
            None => (self.entry(), self.want.plan.first(), self.listen()),
        };
        let role = entry.role();
        let modem = self.modem(plan, role, rx);
        let link = self.new_link(modem)?;
        let config = SessionConfig::new(entry, self.want.build, game_sim::NAME, self.next_seed())
            .with_plan(plan)
            .with_modes(self.want.modes);
        let session = Session::new(link, config, Skirmish).expect("the catalogue's own choices");
        self.stage = Stage::Duel(Box::new(Duel {
            session,
            advice: LinkAdvice::new(modem),
            field: Field::default(),
            fights: Fights::default(),
            menu: None,
            help: false,
            resigning: false,
            going: None,
            report: None,
            peak: 0.0,
            snr: Mean::default(),
            rematch: rematch.map(|_| RematchWait::new(self.now)),
            lost: false,
            role,
            ai: None,
            last_report: LinkTime::ZERO,
            unlocked_since: None,
            deaf_since: None,
        }));
        Ok(())
    }

    pub(super) fn tick_duel(&mut self) {
        let now = self.now;
        let captured = self
            .rig
            .as_ref()
            .is_some_and(|rig| rig.state() == RigState::Live && rig.capture_ok(now) >= CAPTURE_OK);
        let Stage::Duel(duel) = &mut self.stage else {
            return;
        };
        duel.session.pump(now);
        duel.follow_link(now);
        match duel.session.status(now).phase {
            SessionPhase::Lobby => self.tick_lobby(),
            // Lockstep starts on a microphone that has proved itself.
            SessionPhase::Ready if captured => self.begin_match(),
            SessionPhase::Playing => duel.play(now),
            _ => {}
        }
        self.note_events();
        self.note_end();
        self.go_on();
    }

    fn tick_lobby(&mut self) {
        let now = self.now;
        let Stage::Duel(duel) = &mut self.stage else {
            return;
        };
        let status = duel.session.status(now);
        duel.search_again(now);
        let waited = duel.rematch.is_some_and(|wait| {
            let heard = status.link.last_rx;
            wait.is_over(now, heard)
        });
        match status.pairing.phase {
            PairingPhase::Picking { .. } => {
                let wanted = self.want.opener.map(Some);
                if let Some(opener) =
                    wanted.filter(|wanted| duel.session.openers().any(|open| open == *wanted))
                {
                    let _ = duel.session.pick(opener); // offered, so taken
                }
            }
            PairingPhase::Failed(why) => {
                duel.session.retry(now);
                self.note(format!("Pairing starts over: {why}"));
            }
            _ if waited && duel.going.is_none() => {
                self.leave_for(Going::Menu);
                self.note("Your friend did not come back.");
            }
            _ => {}
        }
    }

    fn begin_match(&mut self) {
        let Stage::Duel(duel) = &mut self.stage else {
            return;
        };
        let Some(agreed) = duel.session.agreed().copied() else {
            return;
        };
        let begun = World::new(&agreed.setup)
            .map_err(|why| why.to_string())
            .and_then(|world| {
                let codec = SkirmishCodec::new(world.map_size());
                duel.field = Field::at_home(&world, agreed.local_side());
                let level = self.want.ai;
                duel.ai = level.map(|level| Ai::new(agreed.local_side(), level, self.seed as u32));
                duel.session
                    .begin_match(self.now, world, codec)
                    .map_err(|why| why.to_string())
            });
        if let Err(why) = begun {
            self.note(why);
            self.leave_for(Going::Menu);
        }
    }

    fn note_events(&mut self) {
        let Stage::Duel(duel) = &mut self.stage else {
            return;
        };
        let mut refused = None;
        while let Some(event) = duel.session.poll_event() {
            if let SessionEvent::OrderRefused(why) = event {
                refused = Some(why);
            }
        }
        if let Some(why) = refused {
            self.note(format!("An order was not taken: {why}"));
        }
    }

    pub(super) fn handle_duel(&mut self, intent: Intent) {
        let now = self.now;
        let lost = matches!(self.rig.as_ref().map(Rig::state), Some(RigState::Lost(_)));
        let ways = self.ways();
        let Stage::Duel(duel) = &mut self.stage else {
            return;
        };
        if duel.going.is_some() {
            return;
        }
        let phase = duel.session.status(now).phase;
        match (phase, intent) {
            (_, Intent::Confirm) if lost => self.tap(),
            (_, Intent::Leave) if ways.leave => self.leave(Leave::Left),
            (_, Intent::Help) => duel.help = !duel.help,
            (_, Intent::Back) if duel.help => duel.help = false,
            (SessionPhase::Lobby | SessionPhase::Ready, intent) => self.handle_lobby(intent),
            (SessionPhase::Playing, intent) => self.handle_match(intent, ways),
            (_, Intent::Rematch) => self.leave_for(Going::Rematch),
            (_, Intent::Confirm | Intent::Back | Intent::Menu) => self.leave_for(Going::Menu),
            (_, Intent::Quit) => self.leave_for(Going::Quit),
            _ => {}
        }
    }

    fn handle_lobby(&mut self, intent: Intent) {
        let offer = self.offer();
        let Stage::Duel(duel) = &mut self.stage else {
            return;
        };
        let open = duel.may_change();
        match intent {
            Intent::Pick(place) => {
                let opener = duel.session.openers().nth(place.into());
                if let Some(opener) = opener {
                    let _ = duel.session.pick(opener); // offered, so taken
                }
            }
            Intent::SwitchRole if open => self.leave_for(Going::SwitchRole),
            Intent::Fallback if open => {
                if let Some(plan) = offer.and_then(|offer| offer.plan) {
                    self.leave_for(Going::Plan(plan));
                }
            }
            Intent::Retry => duel.session.retry(self.now),
            Intent::Back => self.leave_for(Going::Menu),
            Intent::Quit => self.leave_for(Going::Quit),
            _ => {}
        }
    }

    fn handle_match(&mut self, intent: Intent, ways: Ways) {
        let now = self.now;
        let Stage::Duel(duel) = &mut self.stage else {
            return;
        };
        match (intent, duel.menu) {
            (Intent::Field(input), None) => {
                if let Err(why) = duel.order(now, input) {
                    self.note(why);
                }
            }
            (Intent::Pause | Intent::Back | Intent::Quit, None) => duel.pause(now, true),
            (Intent::Pause | Intent::Back, Some(PauseMenu { sure: false, .. })) => {
                duel.pause(now, false);
            }
            (Intent::Back, Some(menu)) => {
                duel.menu = Some(PauseMenu {
                    sure: false,
                    ..menu
                })
            }
            (Intent::Resign, Some(menu)) if !duel.resigning => {
                duel.menu = Some(PauseMenu { sure: true, ..menu });
            }
            // Ctrl-C twice: the player is gone, and the peer is told.
            (Intent::Quit, Some(_)) => self.leave_for(Going::Quit),
            (Intent::Confirm, Some(PauseMenu { sure: true, .. })) => duel.resign(now),
            (Intent::Confirm, Some(_)) => duel.pause(now, false),
            (Intent::ResignAndLeave, Some(_)) if ways.resign_and_leave => duel.resign(now),
            _ => {}
        }
    }

    /// What the lobby offers now because of what it measured.
    pub fn offer(&self) -> Option<Offer> {
        let duel = self.duel()?;
        if !duel.may_change() {
            return None;
        }
        if let BandAdvice::Fails(reason) = duel.advice.band() {
            return Some(Offer {
                reason: reason.to_string(),
                plan: reason.fallback().filter(|_| duel.role == Role::Host),
                role: reason.other_role().is_some(),
            });
        }
        let deaf = duel.deaf_since?;
        let plan = duel.session.transport().config().plan;
        let host = duel.role == Role::Host;
        (self.now.since(deaf) >= PEER_DEAF).then(|| Offer {
            reason: "You hear your friend, but your friend has not heard you for 10 s.".into(),
            plan: (host && plan == Plan::High).then_some(Plan::Low),
            role: plan == Plan::High,
        })
    }
}

impl Duel {
    /// The phone's role.
    pub const fn role(&self) -> Role {
        self.role
    }

    /// True while a lobby may still be left for another role or plan without anybody waiting for it.
    pub fn may_change(&self) -> bool {
        self.going.is_none()
            && matches!(
                self.session.pairing().status().phase,
                PairingPhase::Listening | PairingPhase::Measuring | PairingPhase::Failed(_)
            )
    }

    /// Takes in what the modem tells: advice and its gain, the meters.
    fn follow_link(&mut self, now: LinkTime) {
        let Some((at, report)) = self.session.transport().newest_report() else {
            return;
        };
        if at <= self.last_report {
            return;
        }
        self.last_report = at;
        self.peak = report.peak;
        self.note_quality(now, &report);
        if let Some(gain) = self.advice.handle_report(at, &report) {
            self.session.transport_mut().set_gain(gain);
        }
    }

    fn note_quality(&mut self, now: LinkTime, report: &StatsReport) {
        if let Some(snr_db) = report.modem.snr_db.filter(|_| report.modem.locked) {
            self.snr.add(snr_db);
        }
        let status = self.session.pairing().status();
        let heard = status
            .since_heard
            .is_some_and(|ago| ago < Duration::from_secs(2));
        // It is heard well and still says that it hears nothing.
        let deaf = heard && report.modem.locked && !status.peer_hears_me;
        self.deaf_since = deaf.then(|| self.deaf_since.unwrap_or(now));
    }

    /// A guest whose host has gone silent, perhaps to the other plan, searches both.
    fn search_again(&mut self, now: LinkTime) {
        let link = self.session.transport_mut();
        let searches = self.role == Role::Guest && link.detected_plan().is_some();
        if !searches || link.stats().locked {
            self.unlocked_since = None;
            return;
        }
        let since = *self.unlocked_since.get_or_insert(now);
        if now.since(since) >= SEARCH_AGAIN && self.rematch.is_none() {
            self.unlocked_since = None;
            let change = Reconfigure::default().with_rx(Listen::Detect);
            if link.reconfigure(change).is_ok() {
                self.advice.restart(link.config());
            }
        }
    }

    /// Steps what is due; an AI's orders are given as a player's.
    fn play(&mut self, now: LinkTime) {
        let ai = &mut self.ai;
        let fights = &mut self.fights;
        self.session.run(now, |_, world, give| {
            fights.note(world);
            if let Some(ai) = ai {
                ai.think(world).into_iter().for_each(give);
            }
        });
        if let Some(world) = self.session.game() {
            self.fights.note(world);
            let side = self.session.agreed().map(|agreed| agreed.local_side());
            self.field
                .follow(world, side.unwrap_or(match_feed::duel::Side::Blue));
        }
    }

    fn order(&mut self, now: LinkTime, input: FieldInput) -> Result<(), String> {
        let (Some(world), Some(agreed)) = (self.session.game(), self.session.agreed()) else {
            return Ok(());
        };
        let orders = self.field.handle(input, world, agreed.local_side());
        if self.resigning {
            return Ok(());
        }
        for order in orders? {
            self.session
                .give(now, order)
                .map_err(|why| why.to_string())?;
        }
        Ok(())
    }

    fn pause(&mut self, now: LinkTime, paused: bool) {
        let leave = self.session.status(now).menu_leave;
        self.menu = paused.then_some(PauseMenu { sure: false, leave });
        self.session.set_paused(now, paused);
    }

    /// Closes the menu, goes on, and gives the match up: the order lands D ticks later on both phones.
    fn resign(&mut self, now: LinkTime) {
        self.pause(now, false);
        self.resigning = self.session.give_first(now, Command::Resign).is_ok();
    }

    /// True while an AI plays for the player.
    pub const fn ai_plays(&self) -> bool {
        self.ai.is_some()
    }
}
