//! What a modem is told and what it reports: plain values, no behaviour beyond their own arithmetic.

use crate::params::{Band, GAIN_MAX, Timing, packet_shape, rate_min_hz};
use link_transport::{FrameBits, Mode, Plan, Role};
use thiserror::Error;

/// The fastest sample rate, four times that of the fastest common sound card: a limit on memory, not on the format.
pub const RATE_MAX_HZ: u32 = 768_000;

/// Which band to receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Listen {
    /// That role's band of the plan. One's own role makes a self-test: the phone decodes its own packets.
    Role(Role),
    /// The host's band of either plan, until one locks: what a guest does in the lobby.
    Detect,
}

/// How a modem is set up.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModemConfig {
    /// Samples a second, of input and output alike: see [`ModemConfig::rate_problem`].
    pub sample_rate_hz: u32,
    /// The band plan. With [`Listen::Detect`] it counts only once found.
    pub plan: Plan,
    /// The role this phone transmits in.
    pub tx: Role,
    /// What it receives.
    pub rx: Listen,
    /// Loudness against −15 dB of full scale, at most 1.5. Not-a-number counts as 1. **Zero or less is silence and
    /// makes the modem receive-only**: digital silence in its input is then audio like any other, not a capture gap.
    pub gain: f32,
}

/// A sample rate at which the link cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RateProblem {
    /// A symbol would not be a whole number of samples.
    #[error(
        "This phone's audio runs at {rate_hz} Hz, which the sound link can't use: it needs a multiple of 100 Hz"
    )]
    NotMultipleOf100 {
        /// The rate asked for.
        rate_hz: u32,
    },
    /// The plan's bands do not fit under half the rate.
    #[error(
        "This phone's audio runs at {rate_hz} Hz, which the sound link can't use: the {} band plan needs at least {min_hz} Hz",
        match plan { Plan::High => "high", Plan::Low => "low" }
    )]
    TooSlow {
        /// The rate asked for.
        rate_hz: u32,
        /// The plan that does not fit.
        plan: Plan,
        /// The slowest rate at which it would.
        min_hz: u32,
    },
    /// Beyond [`RATE_MAX_HZ`].
    #[error(
        "This phone's audio runs at {rate_hz} Hz, which the sound link can't use: it takes at most {max_hz} Hz"
    )]
    TooFast {
        /// The rate asked for.
        rate_hz: u32,
        /// The fastest there is.
        max_hz: u32,
    },
}

impl ModemConfig {
    /// The high plan, hearing the other role, at gain 1.
    #[must_use]
    pub const fn new(sample_rate_hz: u32, tx: Role) -> Self {
        Self {
            sample_rate_hz,
            plan: Plan::High,
            tx,
            rx: Listen::Role(tx.other()),
            gain: 1.0,
        }
    }

    /// Sets [`Self::sample_rate_hz`].
    #[must_use]
    pub const fn with_sample_rate_hz(mut self, sample_rate_hz: u32) -> Self {
        self.sample_rate_hz = sample_rate_hz;
        self
    }

    /// Sets [`Self::plan`].
    #[must_use]
    pub const fn with_plan(mut self, plan: Plan) -> Self {
        self.plan = plan;
        self
    }

    /// Sets [`Self::tx`].
    #[must_use]
    pub const fn with_tx(mut self, tx: Role) -> Self {
        self.tx = tx;
        self
    }

    /// Sets [`Self::rx`].
    #[must_use]
    pub const fn with_rx(mut self, rx: Listen) -> Self {
        self.rx = rx;
        self
    }

    /// Sets [`Self::gain`].
    #[must_use]
    pub const fn with_gain(mut self, gain: f32) -> Self {
        self.gain = gain;
        self
    }

    /// Why no modem can run at this rate and plan, as a sentence for a person; `None` if one can.
    ///
    /// Rates are multiples of 100 Hz, from 44,100 Hz for the high plan or 24,000 Hz for the low one. A modem that
    /// detects its plan needs only the low plan's rate: below 44,100 Hz it looks for that plan alone.
    #[must_use]
    pub fn rate_problem(&self) -> Option<RateProblem> {
        let rate_hz = self.sample_rate_hz;
        let plan = match self.rx {
            Listen::Role(_) => self.plan,
            Listen::Detect => Plan::Low,
        };
        if !rate_hz.is_multiple_of(100) {
            Some(RateProblem::NotMultipleOf100 { rate_hz })
        } else if rate_hz < rate_min_hz(plan) {
            Some(RateProblem::TooSlow {
                rate_hz,
                plan,
                min_hz: rate_min_hz(plan),
            })
        } else if rate_hz > RATE_MAX_HZ {
            Some(RateProblem::TooFast {
                rate_hz,
                max_hz: RATE_MAX_HZ,
            })
        } else {
            None
        }
    }

    /// The plan to start on: the one asked for, or, while it is to be detected, the high one wherever it fits.
    pub(crate) fn first_plan(&self) -> Plan {
        match self.rx {
            Listen::Role(_) => self.plan,
            Listen::Detect if self.sample_rate_hz >= rate_min_hz(Plan::High) => Plan::High,
            Listen::Detect => Plan::Low,
        }
    }
}

/// What [`crate::ModemCore::reconfigure`] changes; `None` keeps what is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Reconfigure {
    /// The band plan.
    pub plan: Option<Plan>,
    /// The role to transmit in.
    pub tx: Option<Role>,
    /// What to receive.
    pub rx: Option<Listen>,
    /// Loudness, as [`ModemConfig::gain`]; not-a-number keeps the previous one.
    pub gain: Option<f32>,
}

impl Reconfigure {
    /// Sets [`Self::plan`].
    #[must_use]
    pub fn with_plan(mut self, plan: impl Into<Option<Plan>>) -> Self {
        self.plan = plan.into();
        self
    }

    /// Sets [`Self::tx`].
    #[must_use]
    pub fn with_tx(mut self, tx: impl Into<Option<Role>>) -> Self {
        self.tx = tx.into();
        self
    }

    /// Sets [`Self::rx`].
    #[must_use]
    pub fn with_rx(mut self, rx: impl Into<Option<Listen>>) -> Self {
        self.rx = rx.into();
        self
    }

    /// Sets [`Self::gain`].
    #[must_use]
    pub fn with_gain(mut self, gain: impl Into<Option<f32>>) -> Self {
        self.gain = gain.into();
        self
    }
}

/// `gain` within its limits; `fallback` where it is not a number.
pub(crate) fn sane_gain(gain: f32, fallback: f32) -> f32 {
    if gain.is_nan() {
        fallback
    } else {
        gain.clamp(0.0, GAIN_MAX)
    }
}

/// A packet that passed the gate and its CRC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RxPacket {
    /// All its payload bits, `capacity_bits` of them: the frame, then whatever the sender filled up with.
    pub bits: FrameBits,
    /// How it was modulated.
    pub mode: Mode,
    /// Its effective signal-to-noise ratio: one over the mean square phase error of its pilots.
    pub snr_db: f32,
    /// The input frame of the first sample of its first window, in the counting of `process`'s `first_frame`.
    pub sample: u64,
    /// The plan it came on.
    pub plan: Plan,
    /// True if its CRC matched the session key, false if the default start.
    pub session: bool,
}

impl RxPacket {
    /// The input frame just after the packet's last sample: when it had arrived whole. It was decoded later.
    #[must_use]
    pub fn end_frame(&self, sample_rate_hz: u32) -> u64 {
        let symbols = packet_shape(self.plan, self.mode).symbols;
        self.sample + Timing::at(sample_rate_hz).window_to_end(symbols) as u64
    }
}

/// A packet of one's own has started to go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotEvent {
    /// The output frame at which its first symbol starts.
    pub sample: u64,
    /// Its place in the superframe, 0 right after the sync symbol.
    pub index: usize,
    /// The key of the frame it carries; `None` if it carries zeros.
    pub key: Option<u32>,
}

/// Input that was missing and has been replaced by silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The first missing input frame.
    pub sample: u64,
    /// How many were missing. A long gap is reported in parts of a second.
    pub frames: u64,
}

/// How a modem is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ModemStats {
    /// The frame after the last one processed.
    pub sample: u64,
    /// The peer's signal is being followed.
    pub locked: bool,
    /// The plan on the air; while detecting, the one transmitted in.
    pub plan: Plan,
    /// The mode of the peer's newest superframe; `None` before the first.
    pub rx_mode: Option<Mode>,
    /// The mode now on the air.
    pub tx_mode: Mode,
    /// The newest packet's effective signal-to-noise ratio.
    pub snr_db: Option<f32>,
    /// Packets received whole.
    pub rx_ok: u64,
    /// Packets expected while locked, but not received.
    pub rx_bad: u64,
    /// Sync symbols read.
    pub syncs: u64,
    /// How much slower the peer's clock runs than one's own, parts per million; `None` while not locked.
    pub clock_ppm: Option<f32>,
    /// Packets sent.
    pub tx_packets: u64,
    /// The effective signal-to-noise ratio of one's own pilots at one's own microphone.
    pub own_snr_db: Option<f32>,
    /// From the emission of one's own sync to its detection, milliseconds.
    pub loopback_ms: Option<f32>,
    /// Output samples clipped.
    pub clips: u64,
    /// The largest input magnitude of the last second or so.
    pub input_peak: f32,
}

/// The band received when it is known.
pub(crate) fn rx_band(plan: Plan, rx: Listen) -> Option<Band> {
    match rx {
        Listen::Role(role) => Some(Band::new(plan, role)),
        Listen::Detect => None,
    }
}
