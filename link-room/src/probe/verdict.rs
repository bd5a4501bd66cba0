//! What a measurement means for the link: which of its bands carry which mode, and what limits them.

use super::{
    Complex64,
    sweep::{FORGIVEN_MS, SweepReading},
    told_db,
    trace::{Event, EventKind},
};
use link_modem::params::Band;
use link_transport::Mode;

/// Below this effective ratio a mode failed in the simulated room, be it by noise or by echo; from [`MARGIN_DB`] above it on it
/// always delivered. In between it depends on the echoes. Source: the rooms of `examples/verdicts.rs`, each measured and then
/// talked through.
const FAST_NEEDS_DB: f64 = 3.9;
const ROBUST_NEEDS_DB: f64 = 2.3;
const MARGIN_DB: f64 = 1.8;
/// How fast a tone's chance of a wrong bit falls with its own ratio: the exponential mapping's constant for four phases at
/// rate ½.
const MAPPING: f64 = 1.6;
/// Neighbours over which a tone's errors are averaged, either way: eleven symbols alone say little.
const NEAR_TONES: usize = 8;
/// A band that arrives this much below the loudest is not played, or not heard.
const QUIET_DB: f64 = -25.0;
/// What the receiver hears a band over at least, under a tone as loud as most: its own band's leak, 48 dB.
const FLOOR_SHARE: f64 = 1.6e-5;
/// A tone this far under one as loud as most has vanished: 45 dB.
const VANISHED_SHARE: f64 = 3e-5;
/// As many of a band's tones gone, and that is what is wrong with it.
const VANISHED_MOST: f64 = 0.1;
/// Below this many events a second a link still carries something.
const EVENTS_MAX: f64 = 4.0;
/// Above this ratio nothing limits a band that is worth a word.
const PERFECT_DB: f64 = 25.0;
/// Late echo limits a band whose ratio is no more than this above what the echo leaves.
const ECHO_WITHIN_DB: f64 = 8.0;
/// Noise that comes and goes: the worst symbols' errors over the middle one's.
const COMES_AND_GOES: f64 = 6.0;
/// A clock that wanders by this is told as the cause where nothing else is, ppm.
const WANDER_PPM: f64 = 300.0;
/// Noise alone is what limits a band whose ratio is this near to it.
const NOISE_WITHIN_DB: f64 = 3.0;

/// How sure it is that a mode works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outlook {
    /// It does not: most packets get lost.
    Fails,
    /// It is at its limit: it may work, and packets get lost when somebody moves a cup.
    Barely,
    /// It works.
    Works,
}

impl Outlook {
    /// `works`, `may work` or `fails`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Barely => "may work",
            Self::Fails => "fails",
        }
    }
}

/// What limits a band most.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// The speaker hardly plays the band, or the microphone hardly hears it.
    Quiet {
        /// How loud it arrives, dB against the loudest part of the sweep.
        level_db: f64,
    },
    /// Noise.
    Noise {
        /// Signal over noise alone, dB.
        snr_db: f64,
    },
    /// Nothing worth a word.
    Nothing,
    /// The recording is cut off: it was captured at a lower rate, filtered, or went through a codec.
    CutOff {
        /// Nothing is left above this, Hz; `None` if only single tones are missing.
        above_hz: Option<f64>,
        /// The rate it was captured at, if that explains it.
        capture_hz: Option<u32>,
        /// How many of the band's tones are gone.
        vanished: usize,
    },
    /// Stretches of the recording are missing, repeated or silent.
    Holes {
        /// How many are missing.
        lost: usize,
        /// How many come again.
        repeated: usize,
        /// How many are silent.
        silent: usize,
    },
    /// The recorder's clock wanders.
    Clock {
        /// How far, ppm.
        wander_ppm: f64,
    },
    /// The sound changes while it is measured: its gain moves, somebody moves the phone, or a codec compresses it.
    Unsteady {
        /// Signal over what changes, dB.
        snr_db: f64,
    },
    /// Echo that outlasts the symbols' prefix.
    Echo {
        /// Its energy over that of all that comes earlier, dB.
        late_db: f64,
    },
}

/// One of the link's bands, read in the link's own symbols.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkReading {
    /// Which.
    pub band: Band,
    /// Its effective signal-to-noise ratio, dB: that of white noise which would cost as many packets.
    pub snr_db: f64,
    /// Signal over noise alone, dB.
    pub noise_snr_db: f64,
    /// Energy of echoes that the link's windows do not forgive, over that of all that comes earlier, dB.
    pub late_db: f64,
    /// How loud the band arrives, dB against the loudest part of the sweep.
    pub level_db: f64,
    /// How many of its tones do not arrive at all.
    pub vanished: usize,
    /// What the recording lost, repeated or silenced while it was measured: lost, repeated, silent.
    pub events: [usize; 3],
    events_a_second: f64,
    cut_off_hz: Option<f64>,
    capture_hz: Option<u32>,
    wander_ppm: f64,
    /// The worst symbols' errors over the middle one's.
    burst: f64,
}

/// What of a measurement concerns every band.
pub(super) struct Circumstances<'a> {
    /// Power of a tone as loud as most, in this band's windows.
    pub(super) loud_tone: f64,
    pub(super) cut_off_hz: Option<f64>,
    pub(super) capture_hz: Option<u32>,
    pub(super) events: &'a [Event],
    pub(super) lasts_s: f64,
    pub(super) wander_ppm: f64,
}

/// Mean power of what differs from the channel that stands still, a symbol: the worst fifth over the middle one.
fn burst(received: &[Vec<Complex64>]) -> f64 {
    let count = received.len().max(1) as f64;
    let tones = received.first().map_or(0, Vec::len);
    let mean: Vec<Complex64> = (0..tones)
        .map(|tone| received.iter().map(|row| row[tone]).sum::<Complex64>() / count)
        .collect();
    let mut errors: Vec<f64> = received
        .iter()
        .map(|row| {
            row.iter()
                .zip(&mean)
                .map(|(value, mean)| (value - mean).norm_sqr())
                .sum()
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    let middle = errors.get(errors.len() / 2).copied().unwrap_or(0.0);
    let worst = errors.get(errors.len() * 9 / 10).copied().unwrap_or(0.0);
    worst / middle.max(1e-30)
}

impl LinkReading {
    /// From what the channel did to each tone in each symbol, the noise's power in each, and what else was found.
    pub(super) fn new(
        band: Band,
        received: &[Vec<Complex64>],
        noise: &[f64],
        sweep: &SweepReading,
        late_db: f64,
        circumstances: &Circumstances<'_>,
    ) -> Self {
        let floor = FLOOR_SHARE * circumstances.loud_tone;
        let powers = super::powers(received);
        let gone = |power: &&(f64, f64)| power.0 < VANISHED_SHARE * circumstances.loud_tone;
        // A tone lost in noise has not vanished: what is cut off takes its noise with it.
        let silent = |power: &&(f64, f64)| power.1 < VANISHED_SHARE * circumstances.loud_tone;
        let vanished = powers
            .iter()
            .filter(|power| gone(power) && silent(power))
            .count();
        let powers: Vec<(f64, f64)> = powers
            .into_iter()
            .map(|(signal, error)| (signal, error + floor))
            .collect();
        let of = |kind| {
            circumstances
                .events
                .iter()
                .filter(|event| event.kind == kind)
                .count()
        };
        let events = [EventKind::Lost, EventKind::Repeated, EventKind::Hole].map(of);
        let near = |tone: usize| {
            let from = tone.saturating_sub(NEAR_TONES);
            let tones = &powers[from..(tone + NEAR_TONES + 1).min(powers.len())];
            tones.iter().map(|power| power.1).sum::<f64>() / tones.len() as f64
        };
        let ratios = powers.iter().enumerate();
        let ratios: Vec<f64> = ratios
            .map(|(tone, power)| power.0 / near(tone).max(1e-30))
            .collect();
        // Told from the worst tone, whose loss is 1 then: the losses of a good band are too small for a float.
        let worst = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let lost = ratios
            .iter()
            .map(|ratio| (-(ratio - worst) / MAPPING).exp());
        let lost = lost.sum::<f64>() / powers.len() as f64;
        let signal: f64 = powers.iter().map(|power| power.0).sum();
        let (low_hz, high_hz) = (band.tone_hz(0), band.tone_hz(band.tones() - 1));
        let steps = sweep.response.iter();
        let inside = steps.filter(|(from_hz, _)| (low_hz - 500.0..high_hz).contains(from_hz));
        let levels: Vec<f64> = inside.map(|(_, db)| 10.0_f64.powf(db / 10.0)).collect();
        Self {
            band,
            snr_db: told_db(worst - MAPPING * lost.ln(), 1.0),
            noise_snr_db: told_db(signal, noise.iter().sum()),
            late_db,
            level_db: told_db(levels.iter().sum(), levels.len() as f64),
            vanished,
            events,
            events_a_second: events.iter().sum::<usize>() as f64 / circumstances.lasts_s,
            cut_off_hz: circumstances.cut_off_hz,
            capture_hz: circumstances.capture_hz,
            wander_ppm: circumstances.wander_ppm,
            burst: burst(received),
        }
    }

    /// Whether `mode` works in this band, by its own signal alone and what the recording lost.
    #[must_use]
    pub fn outlook(&self, mode: Mode) -> Outlook {
        let needs_db = match mode {
            Mode::Fast => FAST_NEEDS_DB,
            Mode::Robust => ROBUST_NEEDS_DB,
        };
        let by_ratio = match self.snr_db - needs_db {
            spare if spare >= MARGIN_DB => Outlook::Works,
            spare if spare >= 0.0 => Outlook::Barely,
            _ => Outlook::Fails,
        };
        // Every hole costs a packet or three: how many there will be, a few seconds cannot tell.
        let by_events = match self.events_a_second {
            0.0 => Outlook::Works,
            events if events < EVENTS_MAX => Outlook::Barely,
            _ => Outlook::Fails,
        };
        by_ratio.min(by_events)
    }

    /// Whether so much of the band is gone that nothing else matters.
    fn is_cut_off(&self) -> bool {
        let tones = self.band.tones();
        let reaches_hz = self.band.tone_hz((tones - 1) * 9 / 10);
        self.vanished as f64 > VANISHED_MOST * tones as f64
            || self.cut_off_hz.is_some_and(|hz| hz < reaches_hz)
    }

    /// What limits the band, where it is not perfect.
    #[must_use]
    pub fn cause(&self) -> Cause {
        let [lost, repeated, silent] = self.events;
        if self.is_cut_off() && self.snr_db < PERFECT_DB {
            return Cause::CutOff {
                above_hz: self.cut_off_hz,
                capture_hz: self.capture_hz,
                vanished: self.vanished,
            };
        }
        if self.events_a_second > 0.0 && self.snr_db >= FAST_NEEDS_DB {
            return Cause::Holes {
                lost,
                repeated,
                silent,
            };
        }
        if self.snr_db >= PERFECT_DB {
            return Cause::Nothing;
        }
        if self.noise_snr_db <= self.snr_db + NOISE_WITHIN_DB {
            if self.level_db < QUIET_DB {
                return Cause::Quiet {
                    level_db: self.level_db,
                };
            }
            return Cause::Noise {
                snr_db: self.noise_snr_db,
            };
        }
        if -self.late_db <= self.snr_db + ECHO_WITHIN_DB {
            return Cause::Echo {
                late_db: self.late_db,
            };
        }
        if self.level_db < QUIET_DB {
            return Cause::Quiet {
                level_db: self.level_db,
            };
        }
        if self.wander_ppm > WANDER_PPM {
            return Cause::Clock {
                wander_ppm: self.wander_ppm,
            };
        }
        if self.burst > COMES_AND_GOES {
            return Cause::Noise {
                snr_db: self.snr_db,
            };
        }
        Cause::Unsteady {
            snr_db: self.snr_db,
        }
    }

    /// How long after the direct sound echo does no harm.
    #[must_use]
    pub const fn forgiven_ms() -> f64 {
        FORGIVEN_MS
    }
}
