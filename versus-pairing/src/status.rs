//! What a lobby shows of a pairing. Changes nothing.

use crate::{
    CatalogueError, LobbyConfig, Opener, Pairing, VersionMismatch, peers::Peer, state::State,
};
use core::time::Duration;
use link_transport::Nonce;
use match_feed::duel::{Catalogue, Side};

/// With nothing heard for this long, one phone may have to change its role.
const HINT_SWITCH: Duration = Duration::from_secs(8);
/// With nothing heard for this long, it is time for tips.
const HINT_TIPS: Duration = Duration::from_secs(30);

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

impl<K: Catalogue> Pairing<K> {
    /// How it stands.
    #[must_use]
    pub fn status(&self) -> PairingStatus {
        let peer = self.peers.current();
        let terms = self.state.terms();
        let final_pick = |peer: &Peer| {
            let agrees = terms.is_some_and(|terms| terms.hash == peer.frame.conf_hash);
            (agrees && peer.frame.picked).then_some(peer.frame.pick)
        };
        PairingStatus {
            phase: self.phase(),
            nonce: self.nonce,
            peer: peer.map(|p| p.nonce),
            peer_hears_me: peer.is_some_and(|p| p.is_live(self.now)),
            since_heard: peer.map(|p| self.now.since(p.heard_at)),
            peer_rxq: peer.filter(|p| p.live_at.is_some()).map(|p| p.frame.rxq),
            round_trip: self.pings.round_trip(),
            config: terms.map(|terms| terms.config),
            local_side: terms.map(|terms| terms.side(self.head.role)),
            own_pick: self.state.own_pick(),
            peer_pick: self.state.committed().or_else(|| peer.and_then(final_pick)),
            refused: match &self.state {
                State::Meeting(meeting) => meeting.refused,
                _ => None,
            },
            hint: self.hint(),
        }
    }

    fn phase(&self) -> PairingPhase {
        match &self.state {
            State::Meeting(_) if self.peers.current().is_none() => PairingPhase::Listening,
            State::Meeting(_) => PairingPhase::Measuring,
            State::Picking(picking) if picking.pick.is_some() => PairingPhase::Picked,
            State::Picking(picking) => PairingPhase::Picking {
                left: picking.until.since(self.now),
            },
            State::Going(_) => PairingPhase::Going,
            State::Started(..) => PairingPhase::Started,
            State::Failed { why, .. } => PairingPhase::Failed(*why),
            State::OtherVersion(mismatch) => PairingPhase::OtherVersion(*mismatch),
            State::NeedsNonce => PairingPhase::NeedsNonce,
        }
    }

    fn hint(&self) -> Hint {
        let waited = self.since.map_or(Duration::ZERO, |at| self.now.since(at));
        if self.heard_any {
            Hint::None
        } else if waited >= HINT_TIPS {
            Hint::Tips
        } else if self.same_role || waited >= HINT_SWITCH {
            Hint::SwitchRole
        } else {
            Hint::None
        }
    }
}
