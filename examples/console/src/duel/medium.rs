//! What carries a match: what a host must know of a link, and what it says of it.

use link_room::RoomEnd;
use link_transport::{LinkTime, LinkTransport};
use match_feed::duel::Medium;
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

/// What there is to say of a match by what carries it.
pub trait Words {
    /// A report's first line.
    fn title(self) -> &'static str;

    /// The link picture's title.
    fn caption(self) -> &'static str;

    /// What the phones are doing until they agree.
    fn pairing(self) -> &'static str;

    /// How they paired.
    fn paired(self) -> &'static str;

    /// What to do about phones that do not find each other.
    fn advice(self) -> &'static str;

    /// Phones that have not agreed by now never will. A practice link may be made far worse than sound ever is.
    fn pairing_max(self) -> Duration;

    /// An AI that has not won by now is not going to.
    fn match_max(self) -> Duration;

    /// The word for it in machine-readable reports.
    fn word(self) -> &'static str;
}

impl Words for Medium {
    fn title(self) -> &'static str {
        self.note().unwrap_or("Two phones, one room, no network")
    }

    fn caption(self) -> &'static str {
        self.note()
            .unwrap_or("The sound link, as both phones heard it")
    }

    fn pairing(self) -> &'static str {
        match self {
            Self::Sound => "Pairing by sound",
            Self::Practice => "Pairing over a practice link",
        }
    }

    fn paired(self) -> &'static str {
        match self {
            Self::Sound => "by sound alone",
            Self::Practice => "without a sound",
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Self::Sound => "bring the phones closer or try --plan low",
            Self::Practice => "try less --loss or --latency-ms, or name a --delay",
        }
    }

    fn pairing_max(self) -> Duration {
        Duration::from_secs(match self {
            Self::Sound => 120,
            Self::Practice => 600,
        })
    }

    fn match_max(self) -> Duration {
        Duration::from_secs(match self {
            Self::Sound => 40 * 60,
            Self::Practice => 4 * 60 * 60,
        })
    }

    fn word(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Practice => "practice",
        }
    }
}
