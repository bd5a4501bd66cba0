//! `duel`: two phones in one room, from switching on to two equal records.

mod phone;
mod plot;
mod report;

use crate::{
    cli::{DuelArgs, MatchModeArg},
    picture, skirmish, term,
};
use link_room::{RoomLink, RoomLinkConfig};
use link_transport::{Plan, Role};
use match_feed::Side;
use phone::{Phone, PhoneConfig};
use report::Report;
use serde_json::json;
use std::{
    error::Error,
    fs,
    io::IsTerminal,
    time::{Duration, Instant},
};
use versus_lockstep::Leave;
use versus_pairing::{HostChoice, Seat};
use versus_session::ModePolicy;

/// How often the phones' game loops run.
const FRAME: Duration = Duration::from_millis(10);
/// Phones that have not agreed by now never will.
const PAIRING_MAX: Duration = Duration::from_secs(120);
/// An AI that has not won by now is not going to.
const MATCH_MAX: Duration = Duration::from_secs(40 * 60);
/// How long the phones keep telling each other that they left, and a little more.
const GOODBYE: Duration = Duration::from_millis(2500);

/// Plays the duel, saves its records and its picture, and succeeds only if both phones stayed in sync.
pub fn run(args: &DuelArgs) -> Result<(), Box<dyn Error>> {
    if args.watch && !std::io::stdout().is_terminal() {
        return Err("--watch draws on a terminal, and standard output is none".into());
    }
    let phones = switch_on(args)?;
    fs::create_dir_all(&args.out).map_err(|why| format!("{}: {why}", args.out.display()))?;
    let mut duel = Duel {
        phones,
        elapsed: Duration::ZERO,
        quiet: args.json,
    };
    let started = Instant::now();
    duel.pair()?;
    duel.play(args.watch)?;
    let report = Report::new(&duel.phones, duel.elapsed, started.elapsed());
    duel.say_goodbye()?;
    let saved = report.save(&duel.phones, &args.out)?;
    if args.json {
        println!("{}", report.json(&saved));
    } else {
        report.print(&saved);
    }
    report.verdict()
}

fn switch_on(args: &DuelArgs) -> Result<[Phone; 2], Box<dyn Error>> {
    let plan = Plan::from(args.plan);
    let room = args.room.config(args.seed, [args.rate_a, args.rate_b])?;
    let link = RoomLinkConfig {
        room,
        plan,
        ..RoomLinkConfig::default()
    };
    if let Some(problem) = link.rate_problem() {
        return Err(problem.into());
    }
    let (host, guest) = RoomLink::pair(link, args.seed);
    let choice = HostChoice {
        map: skirmish::parse_map(&args.map)?,
        mutators: skirmish::parse_mutators(&args.mutators)?,
        host_side: Side::Blue,
        start_mode: skirmish::start_mode(args.mode),
    };
    let modes = if args.mode == MatchModeArg::Auto {
        ModePolicy::Adapt
    } else {
        ModePolicy::Keep
    };
    let host_config = PhoneConfig {
        seat: Seat::Host(choice),
        role: Role::Host,
        plan,
        opener: args.opener_a,
        level: skirmish::ai_level(args.ai_a),
        seed: args.seed.wrapping_mul(2),
        modes,
    };
    let guest_config = PhoneConfig {
        seat: Seat::Guest,
        role: Role::Guest,
        plan,
        opener: args.opener_b,
        level: skirmish::ai_level(args.ai_b),
        seed: args.seed.wrapping_mul(2).wrapping_add(1),
        modes,
    };
    Ok([
        Phone::new(host, host_config)?,
        Phone::new(guest, guest_config)?,
    ])
}

struct Duel {
    phones: [Phone; 2],
    /// Room time: since both were switched on.
    elapsed: Duration,
    /// Machine-readable lines only.
    quiet: bool,
}

impl Duel {
    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        self.elapsed += FRAME;
        self.phones
            .iter_mut()
            .try_for_each(|phone| phone.run(self.elapsed))
    }

    fn pair(&mut self) -> Result<(), Box<dyn Error>> {
        let spinner = term::spinner(self.quiet);
        while self.phones.iter().any(|phone| phone.agreed_after.is_none()) {
            self.frame()?;
            if self.elapsed > PAIRING_MAX {
                return Err(self.not_paired().into());
            }
            if self.is_whole_second() {
                spinner.set_message(format!(
                    "Pairing by sound, {} s: {}",
                    self.elapsed.as_secs(),
                    self.hearing()
                ));
            }
        }
        spinner.finish_and_clear();
        if self.quiet {
            println!(
                "{}",
                json!({"event": "paired", "ms": self.elapsed.as_millis() as u64})
            );
        }
        Ok(())
    }

    fn play(&mut self, watch: bool) -> Result<(), Box<dyn Error>> {
        let spinner = term::spinner(self.quiet || watch);
        let (from, wall) = (self.elapsed, Instant::now());
        while self
            .phones
            .iter()
            .any(|phone| phone.settled(self.elapsed).is_none())
        {
            self.frame()?;
            let played = self.elapsed - from;
            if played > MATCH_MAX {
                return Err(format!(
                    "no decision in {} minutes of play",
                    MATCH_MAX.as_secs() / 60
                )
                .into());
            }
            if self.is_whole_second() {
                let pace = played.as_secs_f64() / wall.elapsed().as_secs_f64().max(1e-3);
                let clock = term::clock(self.phones[0].tick().as_ms());
                spinner.set_message(format!(
                    "Playing {clock} ({pace:.0} × real time): {}",
                    self.hearing()
                ));
                if self.quiet && self.elapsed.as_secs().is_multiple_of(30) {
                    let ticks = [self.phones[0].tick(), self.phones[1].tick()];
                    println!(
                        "{}",
                        json!({"event": "playing", "ms": self.elapsed.as_millis() as u64, "ticks": ticks})
                    );
                }
                if watch {
                    let heading = format!("{clock}  {}", self.hearing());
                    picture::watch(self.phones.each_ref().map(Phone::view), &heading);
                }
            }
        }
        spinner.finish_and_clear();
        Ok(())
    }

    /// Both take their result and go, as a player tapping Menu would.
    fn say_goodbye(&mut self) -> Result<(), Box<dyn Error>> {
        let until = self.elapsed + GOODBYE;
        for phone in &mut self.phones {
            let now = phone.clock(self.elapsed);
            phone.session.leave(now, Leave::Left);
        }
        while self.elapsed < until {
            self.frame()?;
        }
        self.phones
            .iter_mut()
            .for_each(|phone| phone.session.close());
        Ok(())
    }

    fn is_whole_second(&self) -> bool {
        self.elapsed.as_millis().is_multiple_of(1000)
    }

    /// How both hear each other now.
    fn hearing(&self) -> String {
        let heard = |phone: &Phone| match phone.reception.snr_db.last() {
            Some((_, snr_db)) => format!("{} hears {snr_db:.0} dB", phone.name()),
            None => format!("{} hears nothing yet", phone.name()),
        };
        format!("{}, {}", heard(&self.phones[0]), heard(&self.phones[1]))
    }

    fn not_paired(&self) -> String {
        let seconds = PAIRING_MAX.as_secs();
        format!(
            "not paired after {seconds} s ({}): bring the phones closer or try --plan low",
            self.hearing()
        )
    }
}
