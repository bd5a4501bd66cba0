//! The run loop of a phone without a screen: an autopilot answers, an AI plays, and what happens is told in lines.

use super::{
    PlayArgs,
    app::{App, Autopilot, Duel, Stage},
    sound::Sound,
    table::{Clock, Table},
    view::{Screen, Step, View},
};
use crate::{duel::role_name, skirmish, term};
use link_rig::RigState;
use link_transport::{LinkTime, LinkTransport};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    error::Error,
    thread,
    time::{Duration, Instant},
};
use versus_session::{MatchEnd, SessionPhase, Sync};

/// How often the game loop runs.
const FRAME: Duration = Duration::from_millis(10);
/// How often a running match tells how it does.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// Pairs, plays and tells; succeeds only if every match ended in sync.
pub fn run<S: Sound>(
    args: &PlayArgs,
    table: &mut Table<S>,
    clock: Clock,
) -> Result<(), Box<dyn Error>> {
    let mut run = Run::new(args, clock);
    while !run.frame(args, table)? {}
    let bad = run.reports.iter().filter(|in_sync| !**in_sync).count();
    match (bad, run.reports.len()) {
        (_, 0) => Err("no match was played".into()),
        (0, _) => Ok(()),
        (bad, all) => Err(format!("{bad} of {all} matches did not end in sync").into()),
    }
}

/// When the next look is: in real time, or in steps as fast as the machine can.
enum Pace {
    Real(Clock),
    Steps {
        elapsed: Duration,
        started: Instant,
        speed: u32,
    },
}

impl Pace {
    fn new(clock: Clock, args: &PlayArgs) -> Self {
        if args.practice && args.speed > 1 {
            Self::Steps {
                elapsed: Duration::ZERO,
                started: Instant::now(),
                speed: args.speed,
            }
        } else {
            Self::Real(clock)
        }
    }

    fn next(&mut self) -> LinkTime {
        match self {
            Self::Real(clock) => {
                thread::sleep(FRAME);
                clock.now()
            }
            Self::Steps {
                elapsed,
                started,
                speed,
            } => {
                *elapsed += FRAME;
                let due = *elapsed / *speed;
                thread::sleep(due.saturating_sub(started.elapsed()));
                LinkTime::ZERO + *elapsed
            }
        }
    }
}

struct Run {
    pilot: Autopilot,
    pace: Pace,
    teller: Teller,
    /// Since when it pairs, or plays.
    phase_since: LinkTime,
    playing: bool,
    told_at: Option<LinkTime>,
    /// Times the sound link was lost and came back.
    reconnects: u32,
    /// Whether each match ended in sync.
    reports: Vec<bool>,
}

impl Run {
    fn new(args: &PlayArgs, clock: Clock) -> Self {
        Self {
            pilot: Autopilot::new(args.rematches),
            pace: Pace::new(clock, args),
            teller: Teller::new(args.json),
            phase_since: LinkTime::ZERO,
            playing: false,
            told_at: None,
            reconnects: 0,
            reports: Vec::new(),
        }
    }

    /// One round of the game loop; true once there is nothing left to do.
    ///
    /// # Errors
    /// Why there will be no (further) match.
    fn frame<S: Sound>(&mut self, args: &PlayArgs, table: &mut Table<S>) -> Result<bool, String> {
        let now = self.pace.next();
        table.tick(now);
        if let Some(intent) = self.pilot.next(&table.app) {
            table.app.handle(intent);
        }
        self.tell(&table.app);
        self.is_done(args, &table.app)
    }

    fn tell<S: Sound>(&mut self, app: &App<S>) {
        let now = app.now();
        let view = app.view();
        self.tell_rig(app, &view);
        match &view.screen {
            Screen::Lobby(lobby) => {
                let step = match &lobby.step {
                    Step::Listening => "listening",
                    Step::Measuring => "measuring",
                    Step::Picking { .. } => "picking",
                    Step::Picked(_) => "picked",
                    Step::Starting => "starting",
                    Step::OtherVersion(_) => "otherVersion",
                    Step::Leaving => "leaving",
                };
                let role = role_name(lobby.role);
                self.teller.tell(
                    now,
                    "lobby",
                    json!({"step": step, "role": role, "plan": lobby.plan}),
                );
                let offer = lobby.offer.as_ref().map(|offer| &offer.reason);
                let advice = lobby.warning.as_ref().or(offer);
                self.teller.tell(now, "advice", json!({"text": advice}));
            }
            Screen::Match(game) => {
                let overlay = format!("{:?}", game.overlay);
                self.teller
                    .tell(now, "overlay", json!({"overlay": overlay}));
            }
            // The app lets a rig go that has failed: this is the last that is known of it.
            Screen::Failed(failed) => self.teller.tell(
                now,
                "rig",
                json!({"state": "failed", "reason": failed.why, "error": null}),
            ),
            Screen::Report(report) => self.teller.tell(
                now,
                "end",
                json!({"title": report.title, "how": report.how, "sync": report.sync}),
            ),
            _ => {}
        }
        self.teller
            .tell(now, "notice", json!({"text": view.notice}));
        if let Some(duel) = app.duel() {
            self.tell_playing(app, duel);
            self.tell_report(app, duel);
        }
    }

    fn tell_rig<S: Sound>(&mut self, app: &App<S>, view: &View<'_>) {
        let Some(state) = app.rig_state() else {
            return;
        };
        let (word, reason) = match state {
            RigState::Opening => ("opening", None),
            RigState::TapToStart => ("tapToStart", None),
            RigState::Live => ("live", None),
            RigState::Lost(reason) => ("lost", Some(reason.to_string())),
            RigState::Reconnecting(reason) => ("reconnecting", Some(reason.to_string())),
            RigState::Recovering(reason) => ("recovering", Some(reason.to_string())),
            RigState::Failed(error) => ("failed", Some(error.to_string())),
            _ => ("closed", None),
        };
        let before = self.teller.last("rig", "state");
        if word == "live" && before.as_deref() == Some("recovering") {
            self.reconnects += 1;
        }
        let error = view.cover.as_ref().and_then(|cover| cover.error.as_ref());
        let error = error.map(|(text, _)| text);
        self.teller.tell(
            app.now(),
            "rig",
            json!({"state": word, "reason": reason, "error": error}),
        );
    }

    fn tell_playing<S: Sound>(&mut self, app: &App<S>, duel: &Duel) {
        let now = app.now();
        let status = duel.session.status(now);
        let due = self.told_at.is_none_or(|at| now.since(at) >= TELL_EVERY);
        if status.phase != SessionPhase::Playing || !due {
            return;
        }
        self.told_at = Some(now);
        let health = app.sound.health();
        self.teller.always(
            now,
            "playing",
            json!({
                "tick": duel.session.tick(),
                "mode": format!("{:?}", status.mode),
                "good": status.link.rx_ok,
                "bad": status.link.rx_bad,
                "snr_db": status.link.snr_db,
                "own_snr_db": status.link.own_snr_db,
                "stall_ms": status.stall.as_millis() as u64,
                "starved": health.starved,
                "dropped": health.dropped,
                "errors": health.errors,
            }),
        );
    }

    /// Tells of a match once, when nothing more will become known of it.
    fn tell_report<S: Sound>(&mut self, app: &App<S>, duel: &Duel) {
        let settled = duel
            .report
            .as_ref()
            .filter(|report| report.end.is_settled());
        let Some(report) = settled.filter(|_| self.playing) else {
            return;
        };
        self.playing = false;
        let now = app.now();
        let status = duel.session.status(now);
        let in_sync = matches!(
            report.end,
            MatchEnd::Decided {
                sync: Sync::InSync,
                ..
            }
        );
        let agreed = duel.session.agreed();
        let delay = status.lockstep.map(|lockstep| lockstep.order_delay);
        let health = app.sound.health();
        self.teller.always(
            now,
            "report",
            json!({
                "role": role_name(duel.role()),
                "plan": format!("{:?}", duel.session.transport().stats().plan),
                "side": agreed.map(|agreed| format!("{:?}", agreed.local_side())),
                "map": agreed.map(|agreed| skirmish::map_name(agreed.setup.map)),
                "delay_ticks": agreed.map(|agreed| agreed.delay),
                "round_trip_ms": status.round_trip.map(|trip| trip.as_millis() as u64),
                "ticks": duel.session.tick(),
                "result": report.headline.title,
                "in_sync": in_sync,
                "good": status.link.rx_ok,
                "bad": status.link.rx_bad,
                "snr_db": duel.snr.value().map(f64::round),
                "stall_ms": status.stall_by_link.as_millis() as u64,
                "order_delay_ticks": delay.map(|delay| (delay.mean_ticks() * 10.0).round() / 10.0),
                "slowest_order_ticks": delay.map(|delay| delay.max_ticks),
                "record": report.saved.record.as_ref().map(|path| path.display().to_string()),
                "debug": report.saved.debug.as_ref().map(|path| path.display().to_string()),
                "reconnects": self.reconnects,
                "starved": health.starved,
                "dropped": health.dropped,
                "errors": health.errors,
            }),
        );
        self.reports.push(in_sync);
    }

    /// True once there is nothing left to do.
    ///
    /// # Errors
    /// Why there will be no (further) match.
    fn is_done<S: Sound>(&mut self, args: &PlayArgs, app: &App<S>) -> Result<bool, String> {
        let now = app.now();
        let limit = |seconds| now.since(self.phase_since) >= Duration::from_secs(seconds);
        match &app.stage {
            Stage::Closed => return Ok(true),
            Stage::Menu if !self.reports.is_empty() => return Ok(true),
            Stage::Failed(error) => return Err(format!("{error}. {}", error.advice())),
            Stage::Duel(duel) => match duel.session.status(now).phase {
                SessionPhase::Playing if !self.playing && duel.report.is_none() => {
                    (self.playing, self.phase_since) = (true, now);
                }
                SessionPhase::Playing if limit(args.play_within) => {
                    return Err(format!("no decision in {} s", args.play_within));
                }
                SessionPhase::Lobby | SessionPhase::Ready => {
                    if let Screen::Lobby(lobby) = app.view().screen
                        && let Step::OtherVersion(text) = lobby.step
                    {
                        return Err(text);
                    }
                    if limit(args.pair_within) && !self.playing {
                        return Err(not_paired(args.pair_within));
                    }
                }
                SessionPhase::Over => self.phase_since = now,
                _ => {}
            },
            _ if limit(args.pair_within) => return Err(not_paired(args.pair_within)),
            _ => {}
        }
        Ok(false)
    }
}

fn not_paired(seconds: u64) -> String {
    format!(
        "not paired after {seconds} s: bring the phones closer, turn the volume up, or try --plan low"
    )
}

/// Says each thing when it changes.
struct Teller {
    json: bool,
    last: BTreeMap<&'static str, Value>,
}

impl Teller {
    fn new(json: bool) -> Self {
        Self {
            json,
            last: BTreeMap::new(),
        }
    }

    /// What was said last of something.
    fn last(&self, event: &str, field: &str) -> Option<String> {
        let value = self.last.get(event)?.get(field)?;
        value.as_str().map(str::to_owned)
    }

    fn tell(&mut self, now: LinkTime, event: &'static str, facts: Value) {
        let nothing = facts.get("text").is_some_and(Value::is_null);
        if self.last.get(event) == Some(&facts) || nothing && !self.last.contains_key(event) {
            return;
        }
        self.always(now, event, facts.clone());
        self.last.insert(event, facts);
    }

    fn always(&self, now: LinkTime, event: &'static str, facts: Value) {
        if self.json {
            let mut line = json!({"event": event, "ms": now.as_ms()});
            if let (Some(line), Value::Object(facts)) = (line.as_object_mut(), facts) {
                line.extend(facts);
            }
            say!("{line}");
            return;
        }
        let known = facts.as_object().into_iter().flatten();
        let known: Vec<String> = known
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| match value.as_str() {
                Some(text) => format!("{name} {text}"),
                None => format!("{name} {value}"),
            })
            .collect();
        if !known.is_empty() {
            let time = term::paint(term::FAINT, term::clock(now.as_ms()));
            say!("{time} {event}: {}", known.join(", "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cli::{Cli, Verb},
        play::{sound::room::Troubles, store::Store},
    };
    use clap::Parser;
    use game_sim::AiLevel;
    use link_rig::RigError;

    #[test]
    fn a_device_that_does_not_open_ends_it_at_once_with_the_reason() {
        let words = "sound-duel play --practice --json --speed 1000 --pair-within 30";
        let cli = Cli::parse_from(words.split(' '));
        let Some(Verb::Play(args)) = cli.verb else {
            panic!("play");
        };
        let store = Store::nowhere();
        let mut table = Table::practice(args.want().unwrap(), AiLevel::Easy, store, 31);
        table.app.sound.set_troubles(Troubles {
            refused: true,
            ..Troubles::default()
        });
        let mut run = Run::new(&args, Clock::practice());
        let why = loop {
            match run.frame(&args, &mut table) {
                Ok(done) => assert!(!done, "no match was played"),
                Err(why) => break why,
            }
        };
        let error = RigError::MicrophoneRefused;
        assert_eq!(why, format!("{error}. {}", error.advice()));
        let told = run.teller.last("rig", "state");
        assert_eq!(told.as_deref(), Some("failed"));
    }
}
