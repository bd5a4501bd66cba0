//! What a duel came to, for both phones or for one: for people, and as one line of JSON.

use super::{Phone, PhoneLink, Words as _, plot, role_name};
use crate::{skirmish, term};
use link_transport::{Mode, Role};
use match_feed::{
    EndReason, Tick,
    duel::{DuelOutcome, Medium, Side, start_ms},
};
use serde_json::{Value, json};
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use versus_pairing::Agreed;
use versus_session::{MatchEnd, Sync};

/// The figures of the phones that this process ran: both, the host's first, or one.
pub struct Report {
    agreed: Agreed,
    medium: Medium,
    pairing: Duration,
    played: Duration,
    wall: Duration,
    phones: Vec<Figures>,
    /// `None` where the other record is another process's.
    records_equal: Option<bool>,
}

/// One phone's.
struct Figures {
    role: Role,
    ticks: Tick,
    end: Option<MatchEnd>,
    good: u64,
    bad: u64,
    /// Mean over the packets heard, where the link measures it.
    snr_db: Option<f32>,
    stall: Duration,
    order_delay_mean_ticks: f64,
    order_delay_max_ticks: u32,
}

/// Where everything was saved.
pub struct Saved {
    records: Vec<PathBuf>,
    plot: PathBuf,
}

impl Figures {
    fn new<L: PhoneLink>(phone: &Phone<L>, elapsed: Duration) -> Self {
        let status = phone.session.status(phone.clock(elapsed));
        let delay = status.lockstep.map(|lockstep| lockstep.order_delay);
        let heard = &phone.reception.snr_db;
        Self {
            role: phone.role(),
            ticks: phone.tick(),
            end: phone.settled(elapsed),
            good: status.link.rx_ok,
            bad: status.link.rx_bad,
            snr_db: (!heard.is_empty())
                .then(|| heard.iter().map(|value| value.1).sum::<f32>() / heard.len() as f32),
            stall: status.stall,
            order_delay_mean_ticks: delay.map_or(0.0, |delay| delay.mean_ticks()),
            order_delay_max_ticks: delay.map_or(0, |delay| delay.max_ticks),
        }
    }

    fn is_in_sync(&self) -> bool {
        matches!(
            self.end,
            Some(MatchEnd::Decided {
                sync: Sync::InSync,
                ..
            })
        )
    }

    fn sentence(&self) -> String {
        let percent = 100.0 * self.good as f64 / (self.good + self.bad).max(1) as f64;
        format!(
            "{} packets, {} bad ({percent:.1} % good{}); waited {:.1} s; orders took {:.1} ticks, the slowest {}",
            self.good,
            self.bad,
            self.snr_db
                .map_or(String::new(), |snr_db| format!(", {snr_db:.0} dB")),
            self.stall.as_secs_f64(),
            self.order_delay_mean_ticks,
            self.order_delay_max_ticks,
        )
    }
}

impl Report {
    /// Reads the phones `elapsed` after they were switched on; the whole thing took `wall`.
    ///
    /// # Panics
    /// If they have agreed on no match.
    pub fn new<L: PhoneLink>(
        phones: &[Phone<L>],
        medium: Medium,
        elapsed: Duration,
        wall: Duration,
    ) -> Self {
        let agreed_after = phones.iter().filter_map(|phone| phone.agreed_after);
        let pairing = agreed_after.max().unwrap_or(elapsed);
        Self {
            agreed: *phones[0]
                .session
                .agreed()
                .expect("a duel that was played was agreed"),
            medium,
            pairing,
            played: elapsed.saturating_sub(pairing),
            wall,
            phones: phones
                .iter()
                .map(|phone| Figures::new(phone, elapsed))
                .collect(),
            records_equal: match phones {
                [host, guest] => {
                    let record = host.session.record();
                    Some(record.is_some() && record == guest.session.record())
                }
                _ => None,
            },
        }
    }

    fn in_sync(&self) -> bool {
        let same_tick = |phone: &Figures| phone.ticks == self.phones[0].ticks;
        self.phones.iter().all(Figures::is_in_sync)
            && self.phones.iter().all(same_tick)
            && self.records_equal != Some(false)
    }

    /// Ok if the phones stayed in sync, and why not if they did not.
    pub fn verdict(&self) -> Result<(), Box<dyn Error>> {
        if self.in_sync() {
            return Ok(());
        }
        let end = |phone: &Figures| format!("{} {}", role_name(phone.role), text(phone.end));
        let mut parts: Vec<_> = self.phones.iter().map(end).collect();
        parts.extend(
            self.records_equal
                .map(|equal| format!("records {}", sameness(equal))),
        );
        Err(format!("not in sync: {}", parts.join(", ")).into())
    }

    /// Writes each phone's record and the link picture.
    pub fn save<L: PhoneLink>(
        &self,
        phones: &[Phone<L>],
        folder: &Path,
    ) -> Result<Saved, Box<dyn Error>> {
        let record = |phone: &Phone<L>| folder.join(format!("{}.json", phone.name()));
        let plot = match phones {
            [phone] => format!("{}-link.png", phone.name()),
            _ => "link.png".into(),
        };
        let saved = Saved {
            records: phones.iter().map(record).collect(),
            plot: folder.join(plot),
        };
        for (phone, path) in phones.iter().zip(&saved.records) {
            let record = phone.session.record().ok_or("no match was recorded")?;
            fs::write(path, record.to_json())
                .map_err(|why| format!("{}: {why}", path.display()))?;
        }
        let received: Vec<_> = phones
            .iter()
            .map(|phone| (phone.role(), &phone.reception))
            .collect();
        let decided = self.pairing + self.played;
        let marks = [
            (self.pairing.as_secs_f64(), "GO"),
            (decided.as_secs_f64(), "end"),
        ];
        plot::draw(&saved.plot, self.medium.caption(), &received, &marks)
            .map_err(|why| format!("{}: {why}", saved.plot.display()))?;
        Ok(saved)
    }

    /// The last line of `--json`: a pair for each figure that both phones have, or one phone's own.
    pub fn json(&self, saved: &Saved) -> Value {
        let each = |figure: &dyn Fn(&Figures) -> Value| {
            let mut values: Vec<_> = self.phones.iter().map(figure).collect();
            match values.len() {
                1 => values.remove(0),
                _ => values.into(),
            }
        };
        let records: Vec<_> = saved
            .records
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        json!({
            "link": self.medium.word(),
            "pairing_ms": self.pairing.as_millis() as u64,
            "map": skirmish::map_name(self.agreed.setup.map),
            "delay_ticks": self.agreed.delay,
            "ticks": each(&|phone| json!(phone.ticks)),
            "result": self.result(),
            "in_sync": self.in_sync(),
            "good": each(&|phone| json!(phone.good)),
            "bad": each(&|phone| json!(phone.bad)),
            "stall_ms": each(&|phone| json!(phone.stall.as_millis() as u64)),
            "order_delay_ticks": each(&|phone| json!((phone.order_delay_mean_ticks * 10.0).round() / 10.0)),
            "records": records,
            "plot": saved.plot.display().to_string(),
        })
    }

    fn outcome(&self) -> Option<DuelOutcome> {
        match self.phones[0].end {
            Some(MatchEnd::Decided { outcome, .. }) => Some(outcome),
            _ => None,
        }
    }

    fn result(&self) -> String {
        let Some(outcome) = self.outcome() else {
            return text(self.phones[0].end);
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

    /// A short report for a person, a line at a time.
    pub fn lines(&self, saved: &Saved) -> Vec<String> {
        let row = |name: &str, value: String| {
            let name = term::paint(term::FAINT, format_args!("{name:<12}"));
            format!("  {name} {value}")
        };
        let mut lines = vec![term::paint(term::STRONG, self.medium.title())];
        let pairing = self.pairing.as_secs_f64();
        lines.push(row(
            "paired in",
            format!("{pairing:.1} s, {}", self.medium.paired()),
        ));
        lines.push(row("map", self.map()));
        lines.push(row("delay", self.delay()));
        let ticks = self.phones[0].ticks;
        let played = format!("{ticks} ticks ({} min)", term::clock(start_ms(ticks)));
        lines.push(row("played", played));
        lines.push(row("result", term::paint(term::STRONG, self.result())));
        lines.push(row("check", self.check()));
        for phone in &self.phones {
            let name = format!("{} heard", role_name(phone.role));
            lines.push(row(&name, phone.sentence()));
        }
        let records: Vec<_> = saved
            .records
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        lines.push(row("records", records.join(" and ")));
        lines.push(row("picture", saved.plot.display().to_string()));
        lines.push(row("took", self.took()));
        lines
    }

    fn map(&self) -> String {
        let seats = self.agreed.seats();
        format!(
            "{}; the {} plays blue, the {} red",
            skirmish::map_name(self.agreed.setup.map),
            role_name(seats.blue),
            role_name(seats.red)
        )
    }

    fn delay(&self) -> String {
        let mode = if self.agreed.fast {
            Mode::Fast
        } else {
            Mode::Robust
        };
        let delay = self.agreed.delay.ticks();
        let mode = format!("{mode:?}").to_lowercase();
        format!("D = {delay} ticks ({} ms), starting {mode}", delay * 100)
    }

    fn check(&self) -> String {
        let sync = if self.in_sync() {
            term::paint(term::GOOD, "In sync ✓")
        } else {
            term::paint(term::BAD, "NOT in sync")
        };
        let records = self.records_equal.map_or(String::new(), |equal| {
            format!(", records {}", sameness(equal))
        });
        format!("{sync}: every hash compared{records}")
    }

    fn took(&self) -> String {
        let heard = (self.pairing + self.played).as_secs_f64();
        let wall = self.wall.as_secs_f64();
        let pace = heard / wall.max(1e-3);
        let what = match self.medium {
            Medium::Sound => "sound",
            Medium::Practice => "play",
        };
        format!("{heard:.0} s of {what} in {wall:.1} s ({pace:.0} × real time)")
    }
}

const fn sameness(equal: bool) -> &'static str {
    if equal { "equal" } else { "different" }
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
        Some(MatchEnd::PeerLeft) => "its friend left".into(),
        Some(MatchEnd::Left) => "left".into(),
        Some(other) => format!("{other:?}"),
    }
}
