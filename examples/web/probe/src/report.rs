//! A measurement's figures as one JSON object.

use link_room::probe::{Cause, EventKind, LinkReading, Measurement, Report};
use link_transport::{Mode, Role};
use serde_json::{Value, json};

/// What a recording says, or `{"error": …}`: a sentence for a person.
#[must_use]
pub fn json(recording: &[f32], sample_rate_hz: u32) -> Value {
    match Measurement.read(recording, sample_rate_hz) {
        Ok(report) => figures(&report),
        Err(why) => json!({"error": why.to_string()}),
    }
}

fn figures(report: &Report) -> Value {
    let bands = report.bands.iter().map(|band| {
        json!({
            "low_hz": band.low_hz,
            "level_db": band.level_db,
            "noise_snr_db": band.noise_snr_db,
            "snr_db": band.snr_db,
        })
    });
    let harmonics = report.sweep.harmonics.iter();
    let harmonics =
        harmonics.map(|harmonic| json!({"order": harmonic.order, "level_db": harmonic.level_db}));
    json!({
        "starts_s": report.starts_s,
        "clock_ppm": report.clock_ppm,
        "wander_ppm": report.wander_ppm,
        "cut_off_hz": report.cut_off_hz,
        "capture_hz": report.capture_hz,
        "events": report.events.iter().map(event).collect::<Vec<_>>(),
        "peak": report.peak,
        "snr_db": report.reading.snr_db,
        "bands": bands.collect::<Vec<_>>(),
        "links": report.links.iter().map(link).collect::<Vec<_>>(),
        "decay": report.sweep.decay,
        "floor_db": report.sweep.floor_db,
        "forgiven_ms": LinkReading::forgiven_ms(),
        "late_db": report.sweep.beyond_db(LinkReading::forgiven_ms()),
        "harmonics": harmonics.collect::<Vec<_>>(),
        "response": report.sweep.response,
    })
}

fn event(event: &link_room::probe::Event) -> Value {
    let kind = match event.kind {
        EventKind::Lost => "lost",
        EventKind::Repeated => "repeated",
        EventKind::Hole => "silent",
        _ => "damaged",
    };
    json!({"kind": kind, "at_s": event.at_s, "lasts_s": event.lasts_s})
}

fn link(link: &LinkReading) -> Value {
    let role = match link.band.role {
        Role::Host => "host",
        Role::Guest => "guest",
    };
    json!({
        "plan": link.band.plan.to_string(),
        "role": role,
        "low_hz": link.band.tone_hz(0),
        "high_hz": link.band.tone_hz(link.band.tones() - 1),
        "snr_db": link.snr_db,
        "noise_snr_db": link.noise_snr_db,
        "fast": link.outlook(Mode::Fast).name(),
        "robust": link.outlook(Mode::Robust).name(),
        "limit": limit(link.cause()),
    })
}

/// What limits a band most, with its figure.
fn limit(cause: Cause) -> String {
    match cause {
        Cause::Nothing => String::from("nothing"),
        Cause::CutOff {
            above_hz,
            capture_hz,
            vanished,
        } => {
            let place =
                above_hz.map_or_else(String::new, |hz| format!(" above {:.1} kHz", hz / 1000.0));
            let why = capture_hz.map_or_else(String::new, |hz| format!(", captured at {hz} Hz"));
            format!("cut off{place}{why}: {vanished} tones are gone")
        }
        Cause::Holes {
            lost,
            repeated,
            silent,
        } => format!("holes: {lost} blocks lost, {repeated} repeated, {silent} silent"),
        Cause::Clock { wander_ppm } => {
            format!("the recorder's clock wanders by {wander_ppm:.0} ppm")
        }
        Cause::Unsteady { snr_db } => {
            format!("sound that changes: {snr_db:.0} dB under the signal")
        }
        Cause::Quiet { level_db } => {
            format!("hardly played or heard: {level_db:.0} dB against the loudest")
        }
        Cause::Noise { snr_db } => format!("noise: {snr_db:.0} dB without any echo"),
        Cause::Echo { late_db } => {
            format!("late echo: {late_db:+.0} dB of what comes earlier")
        }
        _ => String::new(),
    }
}
