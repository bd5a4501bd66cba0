//! What a whole measurement plays, and when.

use super::{Probe, RATE_HZ, Sweep, clock::resampled, trace::Plan};
use link_modem::params::Band;

/// Before, between and after the signals.
pub(super) const PAUSE_S: f64 = 0.25;
/// Between the link's bands, which do not disturb each other.
const SHORT_PAUSE_S: f64 = 0.1;
/// What is heard before and after a part is looked at too.
pub(super) const MARGIN_S: f64 = 0.03;
/// What is kept before and after the measurement: blocks lost on the way move its start.
pub(super) const LEAD_S: f64 = 1.0;
/// The echo told of after the sweep.
pub(super) const TAIL_S: f64 = 0.15;

/// A whole measurement, played once and recorded: [`Probe::TABLE`], the link's own symbols in each of its four bands, and
/// [`Sweep::DEFAULT`], with pauses. Eight seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measurement;

impl Measurement {
    /// The parts, each where it starts, seconds from the signal's first sample.
    pub(super) fn starts_s() -> (f64, [f64; 4], f64) {
        let lasts =
            |probe: &Probe| probe.symbols as f64 * (probe.useful_ms + probe.prefix_ms) / 1000.0;
        let table = PAUSE_S;
        let mut at = table + lasts(&Probe::TABLE) + PAUSE_S;
        let links = Band::ALL.map(|band| {
            let start = at;
            at += lasts(&Probe::link(band)) + SHORT_PAUSE_S;
            start
        });
        (table, links, at - SHORT_PAUSE_S + PAUSE_S)
    }

    /// The same in a recording that begins [`LEAD_S`] before it.
    pub(super) fn plan() -> Plan {
        let (table, links, sweep) = Self::starts_s();
        let links = links.into_iter().zip(Band::ALL);
        let links = links.map(|(at_s, band)| (LEAD_S + at_s, Probe::link(band)));
        Plan {
            parts: std::iter::once((LEAD_S + table, Probe::TABLE))
                .chain(links)
                .collect(),
            sweep_s: LEAD_S + sweep,
        }
    }

    /// How long the signal is.
    #[must_use]
    pub fn seconds(self) -> f64 {
        Self::starts_s().2 + Sweep::DEFAULT.seconds + PAUSE_S
    }

    /// The signal to play.
    #[must_use]
    pub fn signal(self, sample_rate_hz: u32) -> Vec<f32> {
        let (table, links, sweep) = Self::starts_s();
        let mut signal = vec![0.0; place(self.seconds())];
        let mut put = |at_s: f64, part: Vec<f32>| {
            signal[place(at_s)..][..part.len()].copy_from_slice(&part);
        };
        put(table, Probe::TABLE.signal(RATE_HZ));
        for (at_s, band) in links.into_iter().zip(Band::ALL) {
            put(at_s, Probe::link(band).signal(RATE_HZ));
        }
        put(sweep, Sweep::DEFAULT.signal(RATE_HZ));
        at_rate(&signal, RATE_HZ, sample_rate_hz)
    }
}

/// A sample's place.
pub(super) fn place(seconds: f64) -> usize {
    (seconds * f64::from(RATE_HZ)).round() as usize
}

/// The same sound at another rate.
pub(super) fn at_rate(sound: &[f32], from_hz: u32, to_hz: u32) -> Vec<f32> {
    if from_hz == to_hz {
        return sound.to_vec();
    }
    resampled(sound, f64::from(from_hz) / f64::from(to_hz))
}
