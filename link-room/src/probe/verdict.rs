//! What a measurement means for the link: which of its bands carry which mode, and what limits them.

use super::{
    sweep::{FORGIVEN_MS, SweepReading},
    told_db,
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
}

impl LinkReading {
    /// From each tone's power and its errors', the noise's in each, and what the sweep says.
    pub(super) fn new(
        band: Band,
        powers: &[(f64, f64)],
        noise: &[f64],
        sweep: &SweepReading,
        late_db: f64,
    ) -> Self {
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
        }
    }

    /// Whether `mode` works in this band, by its own signal alone.
    #[must_use]
    pub fn outlook(&self, mode: Mode) -> Outlook {
        let needs_db = match mode {
            Mode::Fast => FAST_NEEDS_DB,
            Mode::Robust => ROBUST_NEEDS_DB,
        };
        match self.snr_db - needs_db {
            spare if spare >= MARGIN_DB => Outlook::Works,
            spare if spare >= 0.0 => Outlook::Barely,
            _ => Outlook::Fails,
        }
    }

    /// What there is most of, where the band is not perfect.
    #[must_use]
    pub fn cause(&self) -> Cause {
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
        Cause::Echo {
            late_db: self.late_db,
        }
    }

    /// How long after the direct sound echo does no harm.
    #[must_use]
    pub const fn forgiven_ms() -> f64 {
        FORGIVEN_MS
    }
}
