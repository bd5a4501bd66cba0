//! What a duel came to: for people, and as one line of JSON.

use super::{phone::Phone, plot};
use crate::{skirmish, term};
use link_transport::{LinkTransport, Mode, Role};
use match_feed::{EndReason, Outcome, Side, Tick};
use serde_json::{Value, json};
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use versus_pairing::Agreed;
use versus_session::{MatchEnd, Sync};

/// The two phones' figures, the host's first.
pub struct Report {
    agreed: Agreed,
    pairing: Duration,
    played: Duration,
    wall: Duration,
    ticks: [Tick; 2],
    ends: [Option<MatchEnd>; 2],
    good: [u64; 2],
    bad: [u64; 2],
    snr_db: [f32; 2],
    stall: [Duration; 2],
    /// Mean and longest, ticks.
    order_delay: [(f64, u32); 2],
    records_equal: bool,
}

/// Where everything was saved.
pub struct Saved {
    records: [PathBuf; 2],
    plot: PathBuf,
}

impl Report {
    /// Reads the phones `elapsed` after they were switched on; the whole thing took `wall` to compute.
    pub fn new(phones: &[Phone; 2], elapsed: Duration, wall: Duration) -> Self {
        let each = phones.each_ref();
        let status = each.map(|phone| phone.session.status(phone.clock(elapsed)));
        let stats = each.map(|phone| phone.session.transport().stats());
        let paired_after = each
            .map(|phone| phone.agreed_after.unwrap_or(elapsed))
            .into_iter()
            .max()
            .unwrap_or(elapsed);
        let mean = |values: &[(f64, f32)]| {
            values.iter().map(|value| value.1).sum::<f32>() / values.len().max(1) as f32
        };
        let delay = |at: usize| {
            let delay = status[at]
                .lockstep
                .as_ref()
                .map(|lockstep| lockstep.order_delay);
            delay.map_or((0.0, 0), |delay| (delay.mean_ticks(), delay.max_ticks))
        };
        Self {
            agreed: *phones[0]
                .session
                .agreed()
                .expect("a duel that was played was agreed"),
            pairing: paired_after,
            played: elapsed.saturating_sub(paired_after),
            wall,
            ticks: each.map(Phone::tick),
            ends: each.map(|phone| phone.settled(elapsed)),
            good: stats.map(|stats| stats.rx_ok),
            bad: stats.map(|stats| stats.rx_bad),
            snr_db: each.map(|phone| mean(&phone.reception.snr_db)),
            stall: [status[0].stall, status[1].stall],
            order_delay: [delay(0), delay(1)],
            records_equal: {
                let [host, guest] = each.map(|phone| phone.session.record());
                host.is_some() && host == guest
            },
        }
    }

    fn in_sync(&self) -> bool {
        let in_sync = |end: &Option<MatchEnd>| {
            matches!(
                end,
                Some(MatchEnd::Decided {
                    sync: Sync::InSync,
                    ..
                })
            )
        };
        self.ends.iter().all(in_sync) && self.records_equal && self.ticks[0] == self.ticks[1]
    }

    /// Ok if both phones stayed in sync, and why not if they did not.
    pub fn verdict(&self) -> Result<(), Box<dyn Error>> {
        if self.in_sync() {
            return Ok(());
        }
        Err(format!(
            "not in sync: host {}, guest {}, records {}",
            text(self.ends[0]),
            text(self.ends[1]),
            {
                if self.records_equal {
                    "equal"
                } else {
                    "different"
                }
            }
        )
        .into())
    }

    /// Writes both records and the link picture.
    pub fn save(&self, phones: &[Phone; 2], folder: &Path) -> Result<Saved, Box<dyn Error>> {
        let saved = Saved {
            records: [folder.join("host.json"), folder.join("guest.json")],
            plot: folder.join("link.png"),
        };
        for (phone, path) in phones.iter().zip(&saved.records) {
            let record = phone.session.record().ok_or("no match was recorded")?;
            fs::write(path, record.to_json())
                .map_err(|why| format!("{}: {why}", path.display()))?;
        }
        let received = phones.each_ref().map(|phone| phone.reception.clone());
        let decided = self.pairing + self.played;
        let marks = [
            (self.pairing.as_secs_f64(), "GO"),
            (decided.as_secs_f64(), "end"),
        ];
        plot::draw(&saved.plot, &received, &marks)
            .map_err(|why| format!("{}: {why}", saved.plot.display()))?;
        Ok(saved)
    }

    /// The last line of `--json`.
    pub fn json(&self, saved: &Saved) -> Value {
        json!({
            "pairing_ms": self.pairing.as_millis() as u64,
            "map": skirmish::map_name(self.agreed.setup.map),
            "delay_ticks": self.agreed.delay,
            "ticks": self.ticks,
            "result": self.result(),
            "in_sync": self.in_sync(),
            "good": self.good,
            "bad": self.bad,
            "stall_ms": self.stall.map(|stall| stall.as_millis() as u64),
            "order_delay_ticks": self.order_delay.map(|delay| (delay.0 * 10.0).round() / 10.0),
            "records": saved.records.each_ref().map(|path| path.display().to_string()),
            "plot": saved.plot.display().to_string(),
        })
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.ends[0] {
            Some(MatchEnd::Decided { outcome, .. }) => Some(outcome),
            _ => None,
        }
    }

    fn result(&self) -> String {
        let Some(outcome) = self.outcome() else {
            return text(self.ends[0]);
        };
        let how = match outcome.reason {
            EndReason::Decided => "destruction",
            EndReason::Resign => "resignation",
        };
        match outcome.winner {
            Some(Side::Blue) => format!("blue wins by {how}"),
            Some(Side::Red) => format!("red wins by {how}"),
            None => format!("a draw by {how}"),
        }
    }

    /// A short report for a person.
    pub fn print(&self, saved: &Saved) {
        let row = |name: &str, value: String| {
            anstream::println!(
                "  {} {value}",
                term::paint(term::FAINT, format_args!("{name:<12}"))
            )
        };
        let mode = if self.agreed.fast {
            Mode::Fast
        } else {
            Mode::Robust
        };
        let seats = self.agreed.seats();
        anstream::println!(
            "{}",
            term::paint(term::STRONG, "Two phones, one room, no network")
        );
        row(
            "paired in",
            format!("{:.1} s, by sound alone", self.pairing.as_secs_f64()),
        );
        row(
            "map",
            format!(
                "{}; the {} plays blue, the {} red",
                skirmish::map_name(self.agreed.setup.map),
                seat(seats.blue),
                seat(seats.red)
            ),
        );
        let delay = self.agreed.delay.ticks();
        row(
            "delay",
            format!(
                "D = {delay} ticks ({} ms), starting {}",
                delay * 100,
                format!("{mode:?}").to_lowercase()
            ),
        );
        row(
            "played",
            format!(
                "{} ticks ({} min)",
                self.ticks[0],
                term::clock(self.ticks[0].as_ms())
            ),
        );
        row("result", term::paint(term::STRONG, self.result()));
        let sync = if self.in_sync() {
            term::paint(term::GOOD, "In sync ✓")
        } else {
            term::paint(term::BAD, "NOT in sync")
        };
        row(
            "check",
            format!(
                "{sync}: every hash compared, records {}",
                if self.records_equal {
                    "equal"
                } else {
                    "different"
                }
            ),
        );
        for (at, name) in ["host", "guest"].into_iter().enumerate() {
            let expected = (self.good[at] + self.bad[at]).max(1);
            let percent = 100.0 * self.good[at] as f64 / expected as f64;
            let (mean, longest) = self.order_delay[at];
            row(
                &format!("{name} heard"),
                format!(
                    "{} packets, {} bad ({percent:.1} % good, {:.0} dB); waited {:.1} s; orders took {mean:.1} ticks, the slowest {longest}",
                    self.good[at],
                    self.bad[at],
                    self.snr_db[at],
                    self.stall[at].as_secs_f64(),
                ),
            );
        }
        row(
            "records",
            format!(
                "{} and {}",
                saved.records[0].display(),
                saved.records[1].display()
            ),
        );
        row("picture", saved.plot.display().to_string());
        let heard = self.pairing + self.played;
        let pace = heard.as_secs_f64() / self.wall.as_secs_f64().max(1e-3);
        row(
            "took",
            format!(
                "{:.0} s of sound in {:.0} s ({pace:.0} × real time)",
                heard.as_secs_f64(),
                self.wall.as_secs_f64()
            ),
        );
    }
}

fn seat(role: Role) -> &'static str {
    match role {
        Role::Host => "host",
        Role::Guest => "guest",
    }
}

fn text(end: Option<MatchEnd>) -> String {
    match end {
        None => "undecided".into(),
        Some(MatchEnd::Decided { sync, .. }) => match sync {
            Sync::InSync => "in sync".into(),
            Sync::Checking => "checking".into(),
            Sync::NotVerified => "not verified".into(),
        },
        Some(MatchEnd::Desync { tick }) => format!("out of sync, found after tick {tick}"),
        Some(MatchEnd::FriendLeft) => "its friend left".into(),
        Some(MatchEnd::Left) => "left".into(),
        Some(other) => format!("{other:?}"),
    }
}
