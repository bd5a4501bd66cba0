//! What a lobby says of a link, from the modem's statistics: route check, loud own signal, band. Knows nothing of
//! devices.

use link_modem::{ModemConfig, half::StatsReport};
use link_transport::{LinkTime, Plan, Role};
use std::{fmt, time::Duration};

/// The own signal at the own microphone that shows the route to work.
pub const OWN_SNR_MIN_DB: f32 = 10.0;
/// For how long it must be missing.
pub const ROUTE_AFTER: Duration = Duration::from_secs(3);
/// A microphone that peaks above this, −6 dB of full scale, is close to clipping.
pub const LOUD_PEAK: f32 = 0.501_187_2;
/// For how long without a break.
pub const LOUD_AFTER: Duration = Duration::from_secs(2);
/// The gain falls by this …
pub const GAIN_DOWN_DB: f32 = 3.0;
/// … at most this often …
pub const GAIN_DOWN_EVERY: Duration = Duration::from_secs(1);
/// … and no lower than this.
pub const GAIN_MIN: f32 = 0.5;
/// It comes back by this …
pub const GAIN_UP_DB: f32 = 1.0;
/// … this often …
pub const GAIN_UP_EVERY: Duration = Duration::from_secs(2);
/// … once nothing was loud for this long.
pub const GAIN_UP_AFTER: Duration = Duration::from_secs(5);
/// Receiving is judged over this.
pub const BAND_AFTER: Duration = Duration::from_secs(5);
/// The least share of packets that must arrive for a band to work. Turns are sent again and again, so a match plays at
/// less; but a band that loses a fifth of its packets on a table is one that the phone does not carry.
pub const GOOD_MIN: f32 = 0.8;
/// Reports further apart than this say nothing of the time between.
const APART_MAX: Duration = Duration::from_secs(1);

/// What the statistics say of this phone on the plan in use.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BandAdvice {
    /// Too little is known yet.
    Unknown,
    /// The plan works on this phone, both ways as far as this phone can tell.
    Works,
    /// It does not.
    Fails(BandReason),
}

/// What a phone that does not hear itself is offered besides headphones and volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteOffer {
    /// The low plan.
    LowPlan,
    /// Nothing: plan and role are settled.
    Nothing,
}

/// Why a plan does not work on this phone.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BandReason {
    /// It hears its peer but not itself: its speaker does not play its own band.
    SpeakerSilent {
        /// The plan in use.
        plan: Plan,
        /// This phone's role.
        role: Role,
        /// What of its own signal it hears.
        own_snr_db: Option<f32>,
    },
    /// It hears itself but too little of its peer: the peer's band does not come through.
    PeerUnheard {
        /// The plan in use.
        plan: Plan,
        /// This phone's role.
        role: Role,
        /// The effective signal-to-noise ratio of what does come through.
        snr_db: Option<f32>,
        /// Packets received of a hundred.
        good_percent: u32,
    },
}

impl BandReason {
    /// The band that this phone sends in, from and to, Hz, as people are told.
    #[must_use]
    pub const fn own_band_hz(self) -> (u32, u32) {
        match self {
            Self::SpeakerSilent { plan, role, .. } | Self::PeerUnheard { plan, role, .. } => {
                match (plan, role) {
                    (Plan::High, Role::Host) => (9_500, 12_500),
                    (Plan::High, Role::Guest) => (16_000, 19_000),
                    (Plan::Low, Role::Host) => (5_000, 6_500),
                    (Plan::Low, Role::Guest) => (8_000, 9_500),
                }
            }
        }
    }

    /// The plan to fall back to, if there is another.
    #[must_use]
    pub const fn fallback(self) -> Option<Plan> {
        match self {
            Self::SpeakerSilent { plan, .. } | Self::PeerUnheard { plan, .. } => match plan {
                Plan::High => Some(Plan::Low),
                Plan::Low => None,
            },
        }
    }

    /// The role in which this phone would use its speaker or its microphone where phones are better at it, if that may
    /// help: the host's band of the high plan lies below the guest's, and fewer phones fail there.
    #[must_use]
    pub const fn other_role(self) -> Option<Role> {
        match self {
            // Its speaker ends below 16 kHz: as the host it plays 9.5–12.5 kHz.
            Self::SpeakerSilent {
                plan: Plan::High,
                role: Role::Guest,
                ..
            } => Some(Role::Host),
            // It hears nothing above 16 kHz, or its peer plays nothing there: as the guest it hears 9.5–12.5 kHz.
            Self::PeerUnheard {
                plan: Plan::High,
                role: Role::Host,
                ..
            } => Some(Role::Guest),
            _ => None,
        }
    }
}

impl fmt::Display for BandReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::SpeakerSilent { plan, role, .. } => {
                let (from, to) = self.own_band_hz();
                write!(
                    f,
                    "This phone hears its friend but not its own sound at {}–{} kHz.",
                    f64::from(from) / 1e3,
                    f64::from(to) / 1e3
                )?;
                f.write_str(match (plan, role) {
                    (Plan::High, Role::Guest) => {
                        " Let this phone host, or switch the host to band Low."
                    }
                    (Plan::High, Role::Host) => " Switch to band Low.",
                    (Plan::Low, Role::Guest) => {
                        " Its recording may be cut off there, as voice processing does: turn that off. If its friend hears \
                         it, leave the volume as it is."
                    }
                    (Plan::Low, Role::Host) => " Turn the volume up.",
                })
            }
            Self::PeerUnheard {
                plan,
                role,
                snr_db,
                good_percent,
            } => {
                write!(
                    f,
                    "This phone hears itself, but only {good_percent} % of its friend's packets"
                )?;
                if let Some(snr_db) = snr_db {
                    write!(f, " ({snr_db:.0} dB)")?;
                }
                f.write_str(match (plan, role) {
                    (Plan::High, Role::Host) => {
                        ". Put the phones closer, let the other phone host, or switch to band Low."
                    }
                    (Plan::High, Role::Guest) => {
                        ". Put the phones closer, or switch the host to band Low."
                    }
                    (Plan::Low, _) => ". Put the phones closer.",
                })
            }
        }
    }
}

/// Watches one link's statistics.
#[derive(Clone, Debug)]
pub struct LinkAdvice {
    config: ModemConfig,
    gain: f32,
    last: Option<LinkTime>,
    /// Since when the own signal has been missing.
    unheard: Option<LinkTime>,
    /// Since when the own signal has been loud, and when it was last.
    loud: Option<LinkTime>,
    last_loud: Option<LinkTime>,
    last_gain_step: Option<LinkTime>,
    /// The peer's packets, good and bad, at some times of the last seconds.
    counts: std::collections::VecDeque<Counts>,
    own_snr_db: Option<f32>,
    snr_db: Option<f32>,
}

#[derive(Clone, Copy, Debug)]
struct Counts {
    at: LinkTime,
    ok: u64,
    bad: u64,
}

impl LinkAdvice {
    /// For a link set up like this; its gain is the loudest that is advised.
    #[must_use]
    pub fn new(config: ModemConfig) -> Self {
        Self {
            gain: config.gain,
            config,
            last: None,
            unheard: None,
            loud: None,
            last_loud: None,
            last_gain_step: None,
            counts: std::collections::VecDeque::with_capacity(32),
            own_snr_db: None,
            snr_db: None,
        }
    }

    /// The link was set up anew: what was seen before says nothing of it. The gain stays.
    pub fn restart(&mut self, config: ModemConfig) {
        let gain = self.gain.min(config.gain);
        *self = Self {
            gain,
            ..Self::new(config)
        };
    }

    /// Takes in one report of the modem's, in order of time. Returns the gain to set, where it changes.
    pub fn handle_report(&mut self, now: LinkTime, report: &StatsReport) -> Option<f32> {
        if self.last.is_some_and(|last| now.since(last) > APART_MAX) {
            (self.unheard, self.loud) = (None, None);
            self.counts.clear();
        }
        self.last = Some(now);
        let modem = &report.modem;
        (self.own_snr_db, self.snr_db) = (modem.own_snr_db, modem.snr_db.filter(|_| modem.locked));
        let heard = modem.own_snr_db.is_some_and(|db| db >= OWN_SNR_MIN_DB);
        // A phone that plays nothing cannot hear itself.
        // … and one that is called wrongly has a fault of its own to tell.
        let unheard = !heard && self.config.gain > 0.0 && report.misuse.is_none();
        self.unheard = unheard.then(|| self.unheard.unwrap_or(now));
        self.count(now, modem.rx_ok, modem.rx_bad);
        // A clap or a voice is not the phone's own signal.
        if heard && report.peak > LOUD_PEAK {
            self.loud.get_or_insert(now);
            self.last_loud = Some(now);
        } else {
            self.loud = None;
        }
        self.step_gain(now)
    }

    fn count(&mut self, now: LinkTime, ok: u64, bad: u64) {
        // A new modem counts from zero.
        if self.counts.back().is_some_and(|newest| ok < newest.ok) {
            self.counts.clear();
        }
        self.counts.push_back(Counts { at: now, ok, bad });
        while self
            .counts
            .get(1)
            .is_some_and(|second| now.since(second.at) >= BAND_AFTER)
        {
            self.counts.pop_front();
        }
    }

    fn step_gain(&mut self, now: LinkTime) -> Option<f32> {
        let since_step = |every| {
            self.last_gain_step
                .is_none_or(|step| now.since(step) >= every)
        };
        let lowest = GAIN_MIN.min(self.config.gain);
        let wanted = if self.is_loud() && since_step(GAIN_DOWN_EVERY) {
            (self.gain * decibels(-GAIN_DOWN_DB)).max(lowest)
        } else if self
            .last_loud
            .is_some_and(|loud| now.since(loud) >= GAIN_UP_AFTER)
            && since_step(GAIN_UP_EVERY)
        {
            (self.gain * decibels(GAIN_UP_DB)).min(self.config.gain)
        } else {
            return None;
        };
        (wanted != self.gain).then(|| {
            (self.gain, self.last_gain_step) = (wanted, Some(now));
            wanted
        })
    }

    /// The gain advised now.
    #[must_use]
    pub fn gain(&self) -> f32 {
        self.gain
    }

    /// Route check: this phone has not heard its own signal for 3 s.
    #[must_use]
    pub fn route_warning(&self) -> bool {
        let since = |at: LinkTime| self.last.is_some_and(|last| last.since(at) >= ROUTE_AFTER);
        self.unheard.is_some_and(since)
    }

    /// What the route check offers besides headphones and volume; `None` while sound goes where it should. `rematch`: band
    /// and roles are settled.
    #[must_use]
    pub fn route_offer(&self, rematch: bool) -> Option<RouteOffer> {
        let settled = rematch || (self.config.plan == Plan::Low && self.config.tx == Role::Host);
        self.route_warning().then_some(if settled {
            RouteOffer::Nothing
        } else {
            RouteOffer::LowPlan
        })
    }

    /// The route check's sentence, while it stands; see [`Self::route_offer`].
    #[must_use]
    pub fn route_sentence(&self, rematch: bool) -> Option<&'static str> {
        self.route_offer(rematch).map(|offer| match offer {
            RouteOffer::Nothing => {
                "This phone can't hear its own signal: sound may be going to the earpiece or Bluetooth, or it can't play \
                 this band. Unplug headphones or turn the volume up."
            }
            RouteOffer::LowPlan => {
                "This phone can't hear its own signal: sound may be going to the earpiece or Bluetooth, or it can't play \
                 this band. Unplug headphones, turn the volume up, or switch the host to band Low."
            }
        })
    }

    /// The own signal nearly clips the own microphone, for 2 s without a break. Never together with the route warning,
    /// since it takes an own signal that is heard.
    #[must_use]
    pub fn is_loud(&self) -> bool {
        let since = |at: LinkTime| self.last.is_some_and(|last| last.since(at) >= LOUD_AFTER);
        self.loud.is_some_and(since)
    }

    /// Whether the plan in use works on this phone. Both directions are judged by what this phone hears: its own
    /// pilots, and its peer's packets over the last 5 s.
    #[must_use]
    pub fn band(&self) -> BandAdvice {
        let (Some(first), Some(newest)) = (self.counts.front(), self.counts.back()) else {
            return BandAdvice::Unknown;
        };
        if newest.at.since(first.at) < BAND_AFTER {
            return BandAdvice::Unknown;
        }
        let (ok, bad) = (newest.ok - first.ok, newest.bad.saturating_sub(first.bad));
        // A peer that was never found may not be there.
        if ok + bad == 0 {
            return BandAdvice::Unknown;
        }
        let good = ok as f32 / (ok + bad) as f32;
        let hears_peer = good >= GOOD_MIN;
        let hears_itself = self.unheard.is_none();
        let plan = self.config.plan;
        match (hears_itself, hears_peer) {
            (true, true) => BandAdvice::Works,
            (false, true) if self.route_warning() => BandAdvice::Fails(BandReason::SpeakerSilent {
                plan,
                role: self.config.tx,
                own_snr_db: self.own_snr_db,
            }),
            (true, false) => BandAdvice::Fails(BandReason::PeerUnheard {
                plan,
                role: self.config.tx,
                snr_db: self.snr_db,
                good_percent: (100.0 * good) as u32,
            }),
            // Neither: the route or the volume, not the band.
            _ => BandAdvice::Unknown,
        }
    }
}

fn decibels(db: f32) -> f32 {
    10.0_f32.powf(db / 20.0)
}
