//! Two phones over any link, from switching on to their report: what `duel` and `loop` have in common.

use super::{MatchArgs, Phone, PhoneLink, Report, Words as _, watch::Watch};
use crate::term;
use match_feed::duel::{InputDelay, Medium, start_ms};
use serde_json::json;
use std::{
    error::Error,
    fs,
    time::{Duration, Instant},
};
use versus_lockstep::Leave;

/// How often the phones' game loops run.
const FRAME: Duration = Duration::from_millis(10);
/// How long the phones keep telling each other that they left, and a little more.
pub const GOODBYE: Duration = Duration::from_millis(2500);

/// Plays a whole match between the two ends, saves its records and its picture, and succeeds only if both phones
/// stayed in sync. With a `delay` the host offers that one, whatever round trip it measures.
pub fn play<L: PhoneLink>(
    args: &MatchArgs,
    [host, guest]: [L; 2],
    medium: Medium,
    delay: Option<InputDelay>,
) -> Result<(), Box<dyn Error>> {
    let [host_config, guest_config] = args.phones()?;
    let mut phones = [
        Phone::new(host, host_config)?,
        Phone::new(guest, guest_config)?,
    ];
    if let Some(delay) = delay {
        phones[0].session.force_delay(delay);
    }
    // Before anything is worked out: a watch that has no terminal is refused at once.
    let watch = args.watch.then(Watch::open).transpose()?;
    fs::create_dir_all(&args.out).map_err(|why| format!("{}: {why}", args.out.display()))?;
    let mut duel = Duel {
        phones,
        medium,
        elapsed: Duration::ZERO,
        quiet: args.json,
        watch,
    };
    let started = Instant::now();
    duel.pair()?;
    duel.play()?;
    duel.watch = None; // gives the terminal back
    let report = Report::new(&duel.phones, medium, duel.elapsed, started.elapsed());
    duel.say_goodbye()?;
    let saved = report.save(&duel.phones, &args.out)?;
    if args.json {
        say!("{}", report.json(&saved));
    } else {
        report.lines(&saved).iter().for_each(|line| say!("{line}"));
    }
    report.verdict()
}

struct Duel<L> {
    phones: [Phone<L>; 2],
    medium: Medium,
    /// Since both were switched on.
    elapsed: Duration,
    /// Machine-readable lines only.
    quiet: bool,
    watch: Option<Watch>,
}

impl<L: PhoneLink> Duel<L> {
    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        self.elapsed += FRAME;
        self.phones
            .iter_mut()
            .try_for_each(|phone| phone.run(self.elapsed))
    }

    fn pair(&mut self) -> Result<(), Box<dyn Error>> {
        let spinner = term::spinner(self.quiet || self.watch.is_some());
        while self.phones.iter().any(|phone| phone.agreed_after.is_none()) {
            self.frame()?;
            if self.elapsed > self.medium.pairing_max() {
                return Err(self.not_paired().into());
            }
            if self.is_whole_second() {
                let message = format!(
                    "{}, {} s: {}",
                    self.medium.pairing(),
                    self.elapsed.as_secs(),
                    self.hearing()
                );
                self.show(&message)?;
                spinner.set_message(message);
            }
        }
        spinner.finish_and_clear();
        if self.quiet {
            say!(
                "{}",
                json!({"event": "paired", "ms": self.elapsed.as_millis() as u64})
            );
        }
        Ok(())
    }

    fn play(&mut self) -> Result<(), Box<dyn Error>> {
        let spinner = term::spinner(self.quiet || self.watch.is_some());
        let (from, wall) = (self.elapsed, Instant::now());
        while self
            .phones
            .iter()
            .any(|phone| phone.settled(self.elapsed).is_none())
        {
            self.frame()?;
            let played = self.elapsed - from;
            if played > self.medium.match_max() {
                return Err(format!(
                    "no decision in {} minutes of play",
                    self.medium.match_max().as_secs() / 60
                )
                .into());
            }
            if self.watch.is_some() && self.elapsed.as_millis().is_multiple_of(Watch::EVERY_MS) {
                let clock = term::clock(start_ms(self.phones[0].tick()));
                self.show(&format!("{clock}  {}", self.hearing()))?;
            }
            if self.is_whole_second() {
                let pace = played.as_secs_f64() / wall.elapsed().as_secs_f64().max(1e-3);
                let clock = term::clock(start_ms(self.phones[0].tick()));
                spinner.set_message(format!(
                    "Playing {clock} ({pace:.0} × real time): {}",
                    self.hearing()
                ));
                if self.quiet && self.elapsed.as_secs().is_multiple_of(30) {
                    let ticks = [self.phones[0].tick(), self.phones[1].tick()];
                    say!(
                        "{}",
                        json!({"event": "playing", "ms": self.elapsed.as_millis() as u64, "ticks": ticks})
                    );
                }
            }
        }
        spinner.finish_and_clear();
        Ok(())
    }

    /// Shows both phones' views, if anybody watches.
    fn show(&mut self, heading: &str) -> Result<(), Box<dyn Error>> {
        match &mut self.watch {
            Some(watch) => watch.draw(&self.phones.each_ref().map(Phone::view), heading),
            None => Ok(()),
        }
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
        let heard = |phone: &Phone<L>| match phone.reception.snr_db.last() {
            Some((_, snr_db)) => format!("{} hears {snr_db:.0} dB", phone.name()),
            None if phone.packets_heard() > 0 => {
                format!("{} heard {} packets", phone.name(), phone.packets_heard())
            }
            None => format!("{} hears nothing yet", phone.name()),
        };
        format!("{}, {}", heard(&self.phones[0]), heard(&self.phones[1]))
    }

    fn not_paired(&self) -> String {
        let seconds = self.medium.pairing_max().as_secs();
        format!(
            "not paired after {seconds} s ({}): {}",
            self.hearing(),
            self.medium.advice()
        )
    }
}
