//! What an app shows: its state as the screen's plain values. Changes nothing.

use super::{App, Duel, SelfTest, Stage};
use crate::{
    play::{
        sound::Sound,
        view::{
            Cover, FailedView, LobbyView, MatchView, MenuView, Meters, ReportView, Screen,
            SelfTestView, Step, View,
        },
        want::PlayPlan,
    },
    skirmish, term,
};
use link_rig::RigState;
use link_transport::{LinkStats, LinkTransport, Plan, Role};
use match_feed::duel::{MapChoice, Medium, start_ms};
use versus_pairing::{Hint, PairingPhase, PairingStatus};
use versus_session::{SessionPhase, SessionStatus};

/// A phone whose own packets come back to it this often has a working speaker and microphone.
const SELF_TEST_GOOD: u64 = 10;
/// With none after this long, it has not.
const SELF_TEST_SECONDS: u64 = 8;

impl<S: Sound> App<S> {
    /// The whole screen.
    pub fn view(&self) -> View<'_> {
        View {
            noise: self.sound.is_real(),
            devices: self.sound.devices(),
            notice: self.notice.as_ref().map(|(_, text)| text.clone()),
            screen: self.screen(),
            cover: self.cover(),
        }
    }

    fn screen(&self) -> Screen<'_> {
        match &self.stage {
            Stage::Menu | Stage::Closed => Screen::Menu(self.menu_view()),
            Stage::Opening(_) => Screen::Opening,
            Stage::Failed(error) => Screen::Failed(FailedView {
                why: error.to_string(),
                advice: error.advice(),
            }),
            Stage::SelfTest(test) => Screen::SelfTest(self.self_test_view(test)),
            Stage::Duel(duel) => self.duel_screen(duel),
        }
    }

    fn menu_view(&self) -> MenuView {
        let book = self.store.book();
        let names = game_sim::mutator_names().iter().enumerate();
        MenuView {
            role: self.want.role,
            plan: match self.want.plan {
                PlayPlan::Auto => "High, and Low where High does not work",
                PlayPlan::High => "High (9.5–19 kHz)",
                PlayPlan::Low => "Low (5–9.5 kHz, audible)",
            },
            map: skirmish::map_name(self.want.map),
            mutators: names
                .map(|(at, name)| (*name, self.want.mutators >> at & 1 == 1))
                .collect(),
            score: (self.store.medium() == Medium::Sound).then_some((
                book.wins,
                book.losses,
                book.draws,
            )),
        }
    }

    fn self_test_view(&self, test: &SelfTest) -> SelfTestView {
        let stats = test.link.stats();
        let config = test.link.config();
        let late = self.now.since(test.since).as_secs() >= SELF_TEST_SECONDS;
        SelfTestView {
            band: band(config.plan, config.tx),
            good: stats.rx_ok,
            bad: stats.rx_bad,
            snr_db: test.snr_db,
            loopback_ms: stats.loopback_ms,
            verdict: if stats.rx_ok >= SELF_TEST_GOOD {
                Some(true)
            } else {
                (late && stats.rx_ok == 0).then_some(false)
            },
        }
    }

    fn duel_screen<'a>(&'a self, duel: &'a Duel) -> Screen<'a> {
        let status = duel.session.status(self.now);
        if let Some(report) = &duel.report {
            return Screen::Report(self.report_view(duel, report, &status));
        }
        match (duel.session.game(), duel.session.agreed(), status.phase) {
            (Some(world), Some(agreed), SessionPhase::Playing) => {
                let ways = self.ways();
                let lockstep = status.lockstep;
                Screen::Match(MatchView {
                    world,
                    side: agreed.local_side(),
                    field: &duel.field,
                    fights: &duel.fights,
                    overlay: status.overlay,
                    leave: ways.leave,
                    resign_and_leave: ways.resign_and_leave,
                    menu: duel.menu,
                    queued: lockstep.is_some_and(|lockstep| lockstep.orders_queued()),
                    resigning: duel.resigning,
                    ai: duel.ai_plays(),
                    delay_ms: lockstep.map_or(0, |lockstep| lockstep.delay_ms()),
                    meters: meters(duel, &status),
                    help: duel.help,
                })
            }
            _ => Screen::Lobby(self.lobby_view(duel, &status)),
        }
    }

    fn lobby_view(&self, duel: &Duel, status: &SessionStatus) -> LobbyView {
        let pairing = &status.pairing;
        let config = duel.session.transport().config();
        let rematch = duel.rematch.is_some();
        let agreed = pairing.config.map(|config| (config.map, config.mutators));
        let own = (duel.role() == Role::Host).then_some((self.want.map, self.want.mutators));
        LobbyView {
            role: duel.role(),
            rematch,
            plan: duel
                .session
                .transport()
                .detected_plan()
                .map(|plan| match plan {
                    Plan::High => "High",
                    Plan::Low => "Low",
                }),
            step: step(duel, pairing),
            what: agreed.or(own).map(|(map, mutators)| what(map, mutators)),
            side: pairing.local_side,
            meters: meters(duel, status),
            warning: warning(duel, rematch, config.gain),
            offer: self.offer(),
            switch_role: pairing.hint == Hint::SwitchRole && duel.may_change() && !rematch,
            tips: pairing.hint == Hint::Tips,
            auto_lock: self
                .rig
                .as_ref()
                .is_some_and(|rig| rig.warns_of_auto_lock()),
        }
    }

    fn report_view(
        &self,
        duel: &Duel,
        report: &super::Report,
        status: &SessionStatus,
    ) -> ReportView {
        let map = duel
            .session
            .agreed()
            .map_or_else(String::new, |agreed| skirmish::map_name(agreed.setup.map));
        let medium = match self.store.medium().note() {
            None => "over sound",
            Some(note) => note,
        };
        let time = term::clock(start_ms(duel.session.tick()));
        let headline = &report.headline;
        ReportView {
            title: headline.title.clone(),
            how: headline.how.clone(),
            well: headline.well,
            sync: headline.sync,
            line: format!("vs your friend · {map} · {time} · {medium}"),
            facts: facts(duel, report, status),
            peer_waits: status.peer_in_lobby,
            leaving: duel.going.is_some(),
        }
    }

    fn cover(&self) -> Option<Cover> {
        let rig = self.rig.as_ref()?;
        let state = rig.state();
        let covered = matches!(
            state,
            RigState::TapToStart
                | RigState::Lost(_)
                | RigState::Reconnecting(_)
                | RigState::Recovering(_)
        );
        covered.then(|| Cover {
            state,
            error: rig
                .last_error()
                .map(|error| (error.to_string(), error.advice())),
            leave: self.ways().leave,
        })
    }
}

fn band(plan: Plan, role: Role) -> &'static str {
    match (plan, role) {
        (Plan::High, Role::Host) => "9.5–12.5 kHz",
        (Plan::High, Role::Guest) => "16–19 kHz",
        (Plan::Low, Role::Host) => "5–6.5 kHz",
        (Plan::Low, Role::Guest) => "8–9.5 kHz",
    }
}

fn what(map: MapChoice, mutators: u16) -> (String, String) {
    let on = game_sim::mutator_names().iter().enumerate();
    let on: Vec<_> = on
        .filter(|(at, _)| mutators >> at & 1 == 1)
        .map(|(_, name)| *name)
        .collect();
    let mutators = if on.is_empty() {
        "no mutators".into()
    } else {
        on.join(", ")
    };
    (skirmish::map_name(map), mutators)
}

fn opener_name(opener: versus_pairing::Opener) -> &'static str {
    let names = game_sim::opener_names();
    opener.map_or("none", |index| {
        names.get(usize::from(index)).copied().unwrap_or("none")
    })
}

fn step(duel: &Duel, pairing: &PairingStatus) -> Step {
    if duel.going.is_some() {
        return Step::Leaving;
    }
    match pairing.phase {
        PairingPhase::Listening | PairingPhase::NeedsNonce | PairingPhase::Failed(_) => {
            Step::Listening
        }
        PairingPhase::Picking { left } => Step::Picking {
            openers: duel.session.openers().map(opener_name).collect(),
            left,
        },
        PairingPhase::Picked => Step::Picked(opener_name(pairing.own_pick.flatten())),
        PairingPhase::Going | PairingPhase::Started => Step::Starting,
        PairingPhase::OtherVersion(other) => {
            let own = match other.age() {
                std::cmp::Ordering::Less => " This phone's is the older one.",
                std::cmp::Ordering::Greater => " Your friend's is the older one.",
                std::cmp::Ordering::Equal => "",
            };
            Step::OtherVersion(format!(
                "The phones run different versions of the game ({:04X} here, {:04X} there).{own} Install the same one \
                 on both.",
                other.own.build, other.theirs.build
            ))
        }
        _ => Step::Measuring,
    }
}

fn meters(duel: &Duel, status: &SessionStatus) -> Meters {
    let LinkStats {
        rx_ok,
        rx_bad,
        snr_db,
        own_snr_db,
        ..
    } = status.link;
    let heard = rx_ok + rx_bad;
    Meters {
        heard: status.rxq,
        snr_db,
        good_percent: (heard > 0).then(|| (100 * rx_ok / heard) as u32),
        hears_me: status.peer_rxq,
        own_snr_db,
        round_trip: status.round_trip,
        peak: duel.peak,
        gain: duel.advice.gain(),
    }
}

/// The route check or the loud own signal, never both.
fn warning(duel: &Duel, rematch: bool, gain: f32) -> Option<String> {
    if let Some(route) = duel.advice.route_sentence(rematch) {
        return Some(route.into());
    }
    let turned_down = duel.advice.gain() < gain;
    (duel.advice.is_loud() || turned_down).then(|| {
        format!(
            "This phone's own sound is too loud at its microphone: it plays at {:.0} % now. Turn the volume down a little.",
            100.0 * duel.advice.gain()
        )
    })
}

fn facts(
    duel: &Duel,
    report: &super::Report,
    status: &SessionStatus,
) -> Vec<(&'static str, String)> {
    let (good, bad) = (status.link.rx_ok, status.link.rx_bad);
    let percent = 100.0 * good as f64 / (good + bad).max(1) as f64;
    let snr = duel
        .snr
        .value()
        .map_or(String::new(), |snr_db| format!(", {snr_db:.0} dB"));
    let mut facts = vec![
        (
            "Link",
            format!("{good} good packets, {bad} bad ({percent:.1} %{snr})"),
        ),
        (
            "Waiting on the link",
            format!("{:.1} s", status.stall_by_link.as_secs_f64()),
        ),
    ];
    if let Some(delay) = status.lockstep.map(|lockstep| lockstep.order_delay) {
        facts.push(("Order delay", format!("{:.1} s", delay.mean_ticks() / 10.0)));
        let slowest = f64::from(delay.max_ticks) / 10.0;
        facts.push(("Slowest order", format!("{slowest:.1} s")));
    }
    let saved = &report.saved;
    if let Some(path) = &saved.record {
        facts.push(("Record", path.display().to_string()));
    }
    if let Some(path) = &saved.debug {
        facts.push(("Debug info", path.display().to_string()));
    }
    if let Some(problem) = &saved.problem {
        facts.push(("Not saved", problem.clone()));
    }
    facts
}
