//! What a measurement means, in sentences: which plan and mode will work between these two, and why not.

use link_modem::params::Band;
use link_room::probe::{Cause, EventKind, LinkReading, Outlook, Report};
use link_transport::{Mode, Plan, Role};

/// `9.5–12.5 kHz`.
pub fn range(band: Band) -> String {
    let khz = |hz: f64| (hz / 100.0).round() / 10.0;
    let top = band.tone_hz(band.tones() - 1);
    format!("{}–{} kHz", khz(band.tone_hz(0)), khz(top))
}

/// `high host`.
pub const fn name(band: Band) -> &'static str {
    match (band.plan, band.role) {
        (Plan::High, Role::Host) => "high host",
        (Plan::High, Role::Guest) => "high guest",
        (Plan::Low, Role::Host) => "low host",
        (Plan::Low, Role::Guest) => "low guest",
    }
}

/// One word for what limits a band.
pub const fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Nothing => "none",
        Cause::CutOff { .. } => "cut off",
        Cause::Holes { .. } => "holes",
        Cause::Clock { .. } => "clock",
        Cause::Unsteady { .. } => "unsteady",
        Cause::Quiet { .. } => "quiet",
        Cause::Noise { .. } => "noise",
        Cause::Echo { .. } => "echo",
        _ => "unknown",
    }
}

/// What limits a band, with its figure.
pub fn limit(link: &LinkReading) -> String {
    match link.cause() {
        Cause::Nothing => String::from("nothing"),
        Cause::CutOff {
            above_hz,
            capture_hz,
            vanished,
        } => cut_off(above_hz, capture_hz, vanished, link.band),
        Cause::Holes {
            lost,
            repeated,
            silent,
        } => format!(
            "holes in the recording: {lost} blocks lost, {repeated} repeated, {silent} silent"
        ),
        Cause::Clock { wander_ppm } => {
            format!("the recorder's clock wanders by {wander_ppm:.0} ppm")
        }
        Cause::Unsteady { snr_db } => {
            format!("the sound changes while it is measured, {snr_db:.0} dB under the signal")
        }
        Cause::Quiet { level_db } => {
            format!(
                "hardly played or heard: {} dB under the loudest",
                -level_db.round()
            )
        }
        Cause::Noise { snr_db } => format!("noise: {snr_db:.0} dB without any echo"),
        Cause::Echo { late_db } => format!(
            "echo later than {} ms: {late_db:+.0} dB of what is earlier",
            LinkReading::forgiven_ms()
        ),
        _ => String::new(),
    }
}

/// One word for what happened to a stretch of the recording.
pub const fn event(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Lost => "lost",
        EventKind::Repeated => "repeated",
        EventKind::Hole => "silent",
        _ => "damaged",
    }
}

/// How a recording is cut off.
pub fn cut_off(
    above_hz: Option<f64>,
    capture_hz: Option<u32>,
    vanished: usize,
    band: Band,
) -> String {
    let tones = format!("{vanished} of {} tones are gone", band.tones());
    match (above_hz, capture_hz) {
        (Some(hz), Some(rate_hz)) => format!(
            "cut off above {:.1} kHz, as by a capture at {rate_hz} Hz: {tones}",
            hz / 1000.0
        ),
        (Some(hz), None) => format!(
            "cut off above {:.1} kHz by a filter or a codec: {tones}",
            hz / 1000.0
        ),
        (None, _) => format!("filtered on the way: {tones}"),
    }
}

/// What to do about it.
const fn remedy(cause: Cause) -> &'static str {
    match cause {
        Cause::Quiet { .. } => {
            "this speaker or this microphone does not carry that band, or the recorder filters it (voice processing)"
        }
        Cause::CutOff { .. } => {
            "record at 48,000 Hz as WAV, with voice processing off, on a device that does not lower the rate (no Bluetooth)"
        }
        Cause::Holes { .. } => "close what else runs on the recorder, or use larger blocks",
        Cause::Clock { .. } => "use another recorder",
        Cause::Unsteady { .. } => "turn automatic gain off, keep the phones still, record a WAV",
        Cause::Noise { .. } => "turn the volume up, or put the phones closer together",
        _ => "put the phones closer together, away from walls and screens",
    }
}

/// A plan at a time, then what else is to be said.
pub fn sentences(report: &Report) -> Vec<String> {
    let mut sentences: Vec<String> = [(Plan::High, "High"), (Plan::Low, "Low")]
        .into_iter()
        .map(|(plan, name)| {
            let of = |role| &report.links[Band::new(plan, role).index()];
            format!(
                "{name} plan: {}",
                plan_sentence(of(Role::Host), of(Role::Guest))
            )
        })
        .collect();
    sentences.push(
        "This is one direction, and one phone sounding at a time: swap the phones to measure the other.".into(),
    );
    sentences
}

/// The modes that a band carries.
fn modes(link: &LinkReading) -> [Outlook; 2] {
    [Mode::Fast, Mode::Robust].map(|mode| link.outlook(mode))
}

fn plan_sentence(host: &LinkReading, guest: &LinkReading) -> String {
    let both = [0, 1].map(|mode| modes(host)[mode].min(modes(guest)[mode]));
    let weaker = if host.snr_db <= guest.snr_db {
        host
    } else {
        guest
    };
    let because = || {
        format!(
            "{} at {:.1} dB ({}): {}",
            range(weaker.band),
            weaker.snr_db,
            limit(weaker),
            remedy(weaker.cause())
        )
    };
    match both {
        [Outlook::Works, _] => "works, also in fast, whichever of the two hosts.".into(),
        [Outlook::Barely, robust] => {
            format!("fast may work, robust {}. {}.", robust.name(), because())
        }
        [Outlook::Fails, Outlook::Works] => format!("works in robust, not in fast. {}.", because()),
        [Outlook::Fails, Outlook::Barely] => format!("may work, in robust. {}.", because()),
        [Outlook::Fails, Outlook::Fails] => {
            // A phone plays one of the two bands only.
            let part = match (modes(host)[1], modes(guest)[1]) {
                (Outlook::Works, _) => "works only if the phone that played this hosts",
                (_, Outlook::Works) => "works only if the phone that played this is the guest",
                _ => "does not work",
            };
            format!("{part}. {}.", because())
        }
    }
}
