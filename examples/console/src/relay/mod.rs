//! `relay`: one phone, its link a byte stream to another process, in real time.

mod args;

pub use args::{EXAMPLES, RelayArgs, RelaySeat, RelayWire};

mod patience;
mod wire;

use crate::{
    duel::{self, GOODBYE, Phone, PhoneConfig, PhoneLink, Report, Words as _, role_name},
    practice, skirmish, term,
};
use indicatif::ProgressBar;
use link_transport::{
    Plan, Role,
    relay::{Relay, RelayConfig},
};
use match_feed::{
    Tick,
    duel::{Medium, start_ms},
};
use patience::{Patience, Silence};
use serde_json::{Value, json};
use std::{
    error::Error,
    fs, io,
    path::Path,
    time::{Duration, Instant},
};
use versus_lockstep::Leave;
use versus_pairing::{Entry, Hint, PairingPhase};
use versus_session::SessionPhase;
use wire::Wire;

/// How often the game loop runs, by the link's clock.
const FRAME: Duration = Duration::from_millis(10);
/// A faster clock must not make a busy loop.
const FRAME_MIN: Duration = Duration::from_millis(1);
/// Two connected ends that have not agreed by now never will; by the clock on the wall.
const PAIRING_MAX: Duration = Duration::from_secs(120);

impl PhoneLink for Relay {}

/// Plays this end's half of a match, saves its record, and succeeds only if it ended in sync.
pub fn run(args: &RelayArgs) -> Result<(), Box<dyn Error>> {
    let role = args.seat.role();
    let relay = RelayConfig::new(role)
        .with_plan(Plan::from(args.plan))
        .with_latency(practice::latency(args.latency_ms))
        .with_loss(practice::loss(args.loss)?);
    // Both ends may be given one seed.
    let seed = args.seed.wrapping_mul(2).wrapping_add(role.index() as u64);
    let phone = Phone::new(Relay::new(relay, seed), args.phone(seed)?)?;
    fs::create_dir_all(&args.out).map_err(|why| format!("{}: {why}", args.out.display()))?;
    let voice = Voice {
        json: args.json,
        aside: args.wire.stdio,
    };
    let wire = Wire::open(&args.wire, |address| voice.listening(address, role))?;
    let mut end = End {
        phone,
        wire,
        started: Instant::now(),
        speed: args.speed,
        elapsed: Duration::ZERO,
        patience: Patience::new(Duration::from_secs(args.patience)),
        voice,
    };
    end.pair()?;
    if let Err(why) = end.play() {
        return Err(match end.keep_what_was_played(&args.out) {
            Ok(()) => why,
            Err(unsaved) => format!("{why}; what was played is not saved: {unsaved}").into(),
        });
    }
    let report = Report::new(
        std::slice::from_ref(&end.phone),
        Medium::Practice,
        end.elapsed,
        end.started.elapsed(),
    );
    // A match that is decided is kept, however the peer goes.
    let goodbye = end.say_goodbye();
    let saved = report.save(std::slice::from_ref(&end.phone), &args.out)?;
    if args.json {
        end.voice.event(&report.json(&saved));
    } else {
        let lines = report.lines(&saved);
        lines.iter().for_each(|line| end.voice.say(line));
    }
    goodbye?;
    report.verdict()
}

impl RelaySeat {
    const fn role(&self) -> Role {
        if self.host { Role::Host } else { Role::Guest }
    }
}

impl RelayArgs {
    fn phone(&self, seed: u64) -> Result<PhoneConfig, String> {
        let entry = match self.seat.role() {
            Role::Host => {
                duel::host_seat(&self.map, &self.mutators, self.host_side.into(), self.mode)?
            }
            Role::Guest => Entry::Guest,
        };
        Ok(PhoneConfig {
            entry,
            plan: self.plan.into(),
            opener: self.opener,
            level: skirmish::ai_level(self.ai),
            seed,
            modes: duel::mode_policy(self.mode),
        })
    }
}

/// This end of the relay.
struct End {
    phone: Phone<Relay>,
    wire: Wire,
    started: Instant,
    speed: u32,
    /// The link's clock as of the last frame.
    elapsed: Duration,
    patience: Patience,
    voice: Voice,
}

impl End {
    /// One round of the game loop, then rest until the next.
    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        self.elapsed = self.started.elapsed() * self.speed;
        let now = self.phone.clock(self.elapsed);
        // Everything that has arrived is heard before time moves on: a process that was held up must not take its
        // peer for gone while the peer's words wait to be read.
        // No more than waited at most: an end that floods must not keep time from moving.
        for _ in 0..wire::PIECES_MAX {
            let Some(piece) = self.wire.next_piece()? else {
                break;
            };
            self.patience.heard();
            let relay = self.phone.session.transport_mut();
            relay.handle_bytes(now, &piece)?;
        }
        self.phone.run(self.elapsed)?;
        while let Some(message) = self.phone.session.transport_mut().poll_message() {
            match self.wire.write(&message) {
                Err(why) if is_hang_up(&why) => break,
                written => written?,
            }
        }
        let rest = (FRAME / self.speed).max(FRAME_MIN);
        Ok(self.wire.wait(rest)?)
    }

    fn pair(&mut self) -> Result<(), Box<dyn Error>> {
        let spinner = self.voice.spinner();
        while self.phone.agreed_after.is_none() {
            self.frame()?;
            let seconds = self.started.elapsed().as_secs();
            spinner.set_message(format!("Pairing over a practice link, {seconds} s"));
            if let Some(why) = self.why_not_paired() {
                return Err(why.into());
            }
        }
        spinner.finish_and_clear();
        if self.voice.json {
            let ms = self.elapsed.as_millis() as u64;
            self.voice.event(&json!({"event": "paired", "ms": ms}));
        }
        Ok(())
    }

    /// What keeps the phones from ever agreeing. A pairing that merely failed starts over.
    fn why_not_paired(&mut self) -> Option<String> {
        let now = self.phone.clock(self.elapsed);
        let status = self.phone.session.status(now);
        let name = self.phone.name();
        let heard = status.link.rx_ok > 0;
        match status.pairing.phase {
            PairingPhase::OtherVersion(other) => {
                return Some(format!(
                    "the two ends run different software: build {:04X} here, {:04X} there",
                    other.own.build, other.theirs.build
                ));
            }
            PairingPhase::Failed(_) => self.phone.session.retry(now),
            PairingPhase::Listening if heard && status.pairing.hint == Hint::SwitchRole => {
                return Some(format!(
                    "both ends are the {name}: one must be --host, the other --guest"
                ));
            }
            _ => {}
        }
        if self.wire.has_hung_up() {
            return Some("the other end hung up before a match was agreed".into());
        }
        let seconds = PAIRING_MAX.as_secs();
        let late = self.started.elapsed() > PAIRING_MAX;
        late.then(|| {
            let advice = if heard {
                "try less --loss or --latency-ms"
            } else {
                "nothing was heard from the other end: see whether sound-duel relay runs there"
            };
            format!("not paired after {seconds} s: {advice}")
        })
    }

    fn play(&mut self) -> Result<(), Box<dyn Error>> {
        let spinner = self.voice.spinner();
        let from = self.elapsed;
        let most = Medium::Practice.match_max();
        let mut looked = Instant::now();
        while self.phone.settled(self.elapsed).is_none() {
            self.frame()?;
            let tick = self.phone.tick();
            spinner.set_message(format!("Playing {}", term::clock(start_ms(tick))));
            if self.wire.has_hung_up() && self.phone.settled(self.elapsed).is_none() {
                return Err(format!("the other end hung up after {tick} ticks").into());
            }
            let silence = self.patience.look(looked.elapsed());
            looked = Instant::now();
            if let Some(silence) = silence {
                let limit = self.patience.limit();
                if silence == Silence::TooLong {
                    return Err(given_up(limit, tick).into());
                }
                spinner.suspend(|| self.voice.silence(&silence, limit));
            }
            if self.elapsed - from > most {
                return Err(
                    format!("no decision in {} minutes of play", most.as_secs() / 60).into(),
                );
            }
        }
        spinner.finish_and_clear();
        Ok(())
    }

    /// A peer that is gone must not take the match along: the record of what was played, without a result.
    fn keep_what_was_played(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let Some(record) = self.phone.session.record() else {
            return Ok(());
        };
        let path = folder.join(format!("{}.json", self.phone.name()));
        fs::write(&path, record.to_json()).map_err(|why| format!("{}: {why}", path.display()))?;
        if self.voice.json {
            let record = path.display().to_string();
            self.voice
                .event(&json!({"event": "aborted", "ticks": self.phone.tick(), "record": record}));
        } else {
            let saved = format!("What was played is saved: {}", path.display());
            self.voice.say(&saved);
        }
        Ok(())
    }

    /// Takes the result and goes, as a player tapping Menu would; a peer that is gone already need not be told.
    fn say_goodbye(&mut self) -> Result<(), Box<dyn Error>> {
        let until = self.elapsed + GOODBYE;
        let now = self.phone.clock(self.elapsed);
        self.phone.session.leave(now, Leave::Left);
        while self.elapsed < until && !self.wire.has_hung_up() {
            self.frame()?;
        }
        debug_assert_ne!(self.phone.session.status(now).phase, SessionPhase::Playing);
        self.phone.session.close();
        Ok(())
    }
}

fn given_up(limit: Duration, tick: Tick) -> String {
    format!(
        "nothing has come from the other end for {} s, after {tick} ticks: see whether it still runs there, or be more \
         patient (--patience)",
        limit.as_secs()
    )
}

fn is_hang_up(why: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
    matches!(why.kind(), BrokenPipe | ConnectionAborted | ConnectionReset)
}

/// Where this end speaks: on standard output, unless that is the wire.
struct Voice {
    json: bool,
    aside: bool,
}

impl Voice {
    fn say(&self, line: &str) {
        if self.aside {
            tell!("{line}");
        } else {
            say!("{line}");
        }
    }

    fn event(&self, event: &Value) {
        self.say(&event.to_string());
    }

    fn listening(&self, address: &str, role: Role) {
        if self.json {
            self.event(&json!({"event": "listening", "address": address}));
        } else {
            let other = role_name(role.other());
            self.say(&format!(
                "Listening on {address}. The other phone: sound-duel relay --{other} --connect {address}"
            ));
        }
    }

    fn silence(&self, silence: &Silence, patience: Duration) {
        let patience = patience.as_secs();
        let (event, line) = match silence {
            Silence::For(silence) => {
                let seconds = silence.as_secs_f64();
                (
                    json!({"event": "silent", "seconds": seconds, "patience": patience}),
                    format!(
                        "Nothing has come from the other end for {seconds:.1} s; waiting until it is {patience} s"
                    ),
                )
            }
            _ => (
                json!({"event": "heard"}),
                "The other end is heard again".into(),
            ),
        };
        if self.json {
            self.event(&event);
        } else {
            self.say(&line);
        }
    }

    fn spinner(&self) -> ProgressBar {
        term::spinner(self.json)
    }
}
