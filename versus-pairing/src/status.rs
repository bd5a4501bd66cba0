//! What a lobby can be shown of a pairing.

use crate::{CatalogueError, LobbyConfig, Opener, VersionMismatch};
use core::time::Duration;
use link_transport::Nonce;
use match_feed::duel::Side;

/// Where a pairing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PairingPhase {
    /// Nobody heard yet.
    Listening,
    /// A peer is heard: the link is being measured, the config agreed.
    Measuring,
    /// The config is agreed: choose an opener before the time is up. A phone whose game offers it none never comes here.
    Picking {
        /// Until one is chosen for the player.
        left: Duration,
    },
    /// This phone has picked; its peer has not, as far as is known.
    Picked,
    /// GO is on the air.
    Going,
    /// Agreed: the match can begin.
    Started,
    /// This phone gave up: retry.
    Failed(PairingFailure),
    /// The phones run different software: reload both.
    OtherVersion(VersionMismatch),
    /// The peer gave up on this phone: it starts over as soon as it is given a fresh nonce.
    NeedsNonce,
}

/// A GO this phone could not accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PairingFailure {
    /// The peer means another match.
    #[error("the peer's GO is for another config: {theirs:#06x}, here {own:#06x}")]
    OtherConfig {
        /// This phone's digest; 0 for none.
        own: u16,
        /// The GO's.
        theirs: u16,
    },
    /// The peer holds another pick of this phone's than the one it made.
    #[error("the peer's GO names pick {named:?} for this phone, which picked {own:?}")]
    WrongPick {
        /// What this phone picked; `None` if nothing yet.
        own: Option<Opener>,
        /// What the GO says.
        named: Opener,
    },
    /// The peer's pick is another than the one this phone has committed to.
    #[error("the peer's GO picks {pick:?}, but this phone's own GO says {committed:?}")]
    ChangedPick {
        /// The GO's pick.
        pick: Opener,
        /// What this phone's GO says.
        committed: Opener,
    },
    /// The peer's pick is blocked, or not final.
    #[error("the peer's pick {pick:?} is not one it may make")]
    BlockedPick {
        /// The pick.
        pick: Opener,
    },
}

/// What to tell a player whose phone hears nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Hint {
    /// Nothing yet.
    #[default]
    None,
    /// One phone hosts, the other joins: offer to switch (after 8 s, or at once if the same role is heard).
    SwitchRole,
    /// Tips about volume, distance and headphones (after 30 s).
    Tips,
}

/// A pairing in numbers, as of the last call.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairingStatus {
    /// Where it stands.
    pub phase: PairingPhase,
    /// This phone's nonce.
    pub nonce: Nonce,
    /// The peer's.
    pub peer: Option<Nonce>,
    /// The peer was heard hearing this phone within 2 s.
    pub peer_hears_me: bool,
    /// How long ago the peer was last heard.
    pub since_heard: Option<Duration>,
    /// The peer's receive quality of this phone.
    pub peer_rxq: Option<u8>,
    /// The median round trip.
    pub round_trip: Option<Duration>,
    /// The config as offered or agreed.
    pub config: Option<LobbyConfig>,
    /// The side this phone would play.
    pub local_side: Option<Side>,
    /// This phone's pick.
    pub own_pick: Option<Opener>,
    /// The peer's pick, once it is final.
    pub peer_pick: Option<Opener>,
    /// What the host offered but this phone's catalogue does not hold.
    pub refused: Option<CatalogueError>,
    /// What to tell the player.
    pub hint: Hint,
}

/// A pick that was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PickError {
    /// There is nothing to pick now.
    #[error("no opener can be picked now")]
    NotNow,
    /// A pick is final.
    #[error("already picked {pick:?}")]
    Final {
        /// The pick.
        pick: Opener,
    },
    /// Not one of those offered.
    #[error("opener {pick:?} is blocked for {side:?} in this match")]
    Blocked {
        /// The pick.
        pick: Opener,
        /// The side.
        side: Side,
    },
}
