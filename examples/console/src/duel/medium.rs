//! What carries a match: what a host must know of a link, and what it says of it.

use link_room::RoomEnd;
use link_transport::{LinkTime, LinkTransport};
use std::time::Duration;

/// A link whose clock follows from how long it has run.
pub trait PhoneLink: LinkTransport {
    /// Its signal-to-noise ratios are measured; otherwise they are a setting, and not worth showing.
    const MEASURES_SNR: bool = false;

    /// What this end's clock shows `elapsed` after both phones were switched on.
    fn clock(&self, elapsed: Duration) -> LinkTime {
        LinkTime::ZERO + elapsed
    }
}

impl PhoneLink for RoomEnd {
    const MEASURES_SNR: bool = true;

    fn clock(&self, elapsed: Duration) -> LinkTime {
        Self::clock(self, elapsed)
    }
}

/// Sound, or a stand-in for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Two modems in a room.
    Sound,
    /// Packets handed over without sound: a practice link, which counts for no one's record of wins and losses.
    Practice,
}

/// What a report says of a match that was not carried by sound. Source: the specification's "Records".
const PRACTICE: &str = "Practice link (no sound)";

impl Medium {
    /// A report's first line.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Sound => "Two phones, one room, no network",
            Self::Practice => PRACTICE,
        }
    }

    /// The link picture's title.
    pub const fn caption(self) -> &'static str {
        match self {
            Self::Sound => "The sound link, as both phones heard it",
            Self::Practice => PRACTICE,
        }
    }

    /// What the phones are doing until they agree.
    pub const fn pairing(self) -> &'static str {
        match self {
            Self::Sound => "Pairing by sound",
            Self::Practice => "Pairing over a practice link",
        }
    }

    /// How they paired.
    pub const fn paired(self) -> &'static str {
        match self {
            Self::Sound => "by sound alone",
            Self::Practice => "without a sound",
        }
    }

    /// What to do about phones that do not find each other.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Sound => "bring the phones closer or try --plan low",
            Self::Practice => "try less --loss or --latency-ms, or name a --delay",
        }
    }

    /// Phones that have not agreed by now never will. A practice link may be made far worse than sound ever is.
    pub const fn pairing_max(self) -> Duration {
        Duration::from_secs(match self {
            Self::Sound => 120,
            Self::Practice => 600,
        })
    }

    /// An AI that has not won by now is not going to.
    pub const fn match_max(self) -> Duration {
        Duration::from_secs(match self {
            Self::Sound => 40 * 60,
            Self::Practice => 4 * 60 * 60,
        })
    }

    /// The word for it in machine-readable reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Practice => "practice",
        }
    }
}
