//! A measurement's figures: a table for people, a JSON object for programs.

use super::verdict;
use crate::{duel::role_name, term};
use link_room::probe::{Event, LinkReading, Outlook, Report};
use link_transport::Mode;
use serde_json::{Value, json};

/// A star of a bar in the table stands for so much.
const STAR_DB: f64 = 2.0;
/// Delays of the decay that the table tells.
const DELAYS_MS: [f64; 6] = [2.0, 5.0, 10.0, 15.0, 20.0, 30.0];

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Without the sign of a zero.
fn whole(db: f64) -> f64 {
    db.round() + 0.0
}

/// All of it as one object.
pub fn json(name: &str, report: &Report) -> Value {
    let pairs = |pairs: &[(f64, f64)]| -> Value {
        pairs
            .iter()
            .map(|&(at, db)| json!([at, tenths(db)]))
            .collect()
    };
    let bands = report.bands.iter().map(|band| {
        json!({
            "low_hz": band.low_hz,
            "level_db": tenths(band.level_db),
            "noise_snr_db": tenths(band.noise_snr_db),
            "snr_db": tenths(band.snr_db),
        })
    });
    let links = report.links.iter().map(|link| {
        json!({
            "plan": link.band.plan.to_string(),
            "role": role_name(link.band.role),
            "low_hz": link.band.tone_hz(0),
            "high_hz": link.band.tone_hz(link.band.tones() - 1),
            "snr_db": tenths(link.snr_db),
            "noise_snr_db": tenths(link.noise_snr_db),
            "late_db": tenths(link.late_db),
            "level_db": tenths(link.level_db),
            "vanished": link.vanished,
            "tones": link.band.tones(),
            "fast": link.outlook(Mode::Fast).name(),
            "robust": link.outlook(Mode::Robust).name(),
            "cause": verdict::cause(link.cause()),
        })
    });
    let harmonics =
        report.sweep.harmonics.iter().map(
            |harmonic| json!({"order": harmonic.order, "level_db": tenths(harmonic.level_db)}),
        );
    json!({
        "wav": name,
        "starts_s": (report.starts_s * 1000.0).round() / 1000.0 + 0.0,
        "clock_ppm": tenths(report.clock_ppm),
        "wander_ppm": tenths(report.wander_ppm),
        "cut_off_hz": report.cut_off_hz,
        "capture_hz": report.capture_hz,
        "events": report.events.iter().map(event).collect::<Vec<_>>(),
        "peak": (f64::from(report.peak) * 1000.0).round() / 1000.0,
        "snr_db": tenths(report.reading.snr_db),
        "pilot_snr_db": tenths(report.reading.pilot_snr_db),
        "bands": bands.collect::<Vec<_>>(),
        "links": links.collect::<Vec<_>>(),
        "decay": pairs(&report.sweep.decay),
        "floor_db": tenths(report.sweep.floor_db),
        "late_db": tenths(report.sweep.beyond_db(LinkReading::forgiven_ms())),
        "harmonics": harmonics.collect::<Vec<_>>(),
        "response": pairs(&report.sweep.response),
        "verdict": verdict::sentences(report),
    })
}

fn event(event: &Event) -> Value {
    json!({
        "kind": verdict::event(event.kind),
        "at_s": (event.at_s * 1000.0).round() / 1000.0,
        "lasts_ms": tenths(event.lasts_s * 1000.0),
    })
}

/// Events that the table tells one by one.
const EVENTS_TOLD: usize = 8;

/// What was lost on the way, and where the recording is cut off.
fn print_damage(report: &Report) {
    if let Some(hz) = report.cut_off_hz {
        let why = match report.capture_hz {
            Some(rate_hz) => format!("captured at {rate_hz} Hz"),
            None => String::from("filtered, or through a codec"),
        };
        say!(
            "  cut off     nothing above {:.1} kHz arrives at all: {why}",
            hz / 1000.0
        );
    }
    let events = report.events.iter().take(EVENTS_TOLD);
    let told: Vec<String> = events
        .map(|event| {
            let (kind, lasts_ms) = (verdict::event(event.kind), 1000.0 * event.lasts_s);
            format!("{lasts_ms:.1} ms {kind} at {:.2} s", event.at_s)
        })
        .collect();
    if !told.is_empty() {
        let more = report.events.len() - told.len();
        let more = if more > 0 {
            format!(", and {more} more")
        } else {
            String::new()
        };
        say!("  damage      {}{more}", told.join(", "));
    }
}

/// All of it as a table, the verdict last.
pub fn print(name: &str, report: &Report) {
    say!("{}", term::paint(term::STRONG, name));
    say!(
        "  starts at {:.2} s, recorder's clock {:+.0} ppm{}, peak {:.0} dB of full scale",
        report.starts_s.max(0.0),
        report.clock_ppm,
        if report.wander_ppm > 0.0 {
            format!(" and wandering by {:.0}", report.wander_ppm)
        } else {
            String::new()
        },
        20.0 * report.peak.log10()
    );
    say!("");
    say!(
        "  {}",
        term::paint(
            term::FAINT,
            "band          level    over noise   over noise and late echo (21.3 ms symbols, 5.3 ms prefix)"
        )
    );
    for band in &report.bands {
        let stars = (band.snr_db / STAR_DB).round().clamp(0.0, 20.0) as usize;
        say!(
            "  {:>2}–{:<2} kHz  {:>5.0} dB  {:>8.0} dB  {:>8.1} dB  {}",
            band.low_hz / 1000.0,
            band.low_hz / 1000.0 + 1.0,
            whole(band.level_db),
            whole(band.noise_snr_db),
            band.snr_db,
            "▪".repeat(stars)
        );
    }
    say!(
        "  mean of the bands {:>30.1} dB",
        report.reading.snr_db.min(80.0)
    );
    say!("");
    let at = |delay_ms: f64| {
        let mut steps = report.sweep.decay.iter();
        let step = steps.find(|step| step.0 == delay_ms);
        step.map(|step| format!("{delay_ms:.0} ms {:.0} dB", step.1))
    };
    let echo: Vec<String> = DELAYS_MS.into_iter().filter_map(at).collect();
    say!(
        "  echo        {} (noise {:.0} dB)",
        echo.join(", "),
        report.sweep.floor_db
    );
    say!(
        "              later than the {} ms that the link forgives: {:+.1} dB of all before",
        LinkReading::forgiven_ms(),
        report.sweep.beyond_db(LinkReading::forgiven_ms())
    );
    let harmonics = report.sweep.harmonics.iter();
    let harmonics: Vec<String> = harmonics
        .map(|harmonic| match harmonic.level_db {
            db if db < -90.0 => format!("h{} none", harmonic.order),
            db => format!("h{} {db:.0} dB", harmonic.order),
        })
        .collect();
    say!("  harmonics   {}", harmonics.join(", "));
    print_damage(report);
    say!("");
    say!(
        "  {}",
        term::paint(term::FAINT, "the link's bands, in its own symbols")
    );
    for link in &report.links {
        let word = |mode: Mode| {
            let outlook = link.outlook(mode);
            let style = match outlook {
                Outlook::Works => term::GOOD,
                Outlook::Barely => term::STRONG,
                Outlook::Fails => term::BAD,
            };
            term::paint(style, format_args!("{:<8}", outlook.name()))
        };
        say!(
            "  {:<4} {:<5}  {:>12}  {:>5.1} dB   fast {}  robust {}  {}",
            link.band.plan.to_string(),
            role_name(link.band.role),
            verdict::range(link.band),
            link.snr_db,
            word(Mode::Fast),
            word(Mode::Robust),
            term::paint(term::FAINT, verdict::limit(link))
        );
    }
    say!("");
    for sentence in verdict::sentences(report) {
        say!("  {sentence}");
    }
}
