//! How a pairing stands, for a lobby to show. Changes nothing.

use crate::{Hint, Pairing, PairingPhase, PairingStatus, peers::Peer, state::State};
use core::time::Duration;
use match_feed::duel::Catalogue;

/// With nothing heard for this long, one phone may have to change its role.
const HINT_SWITCH: Duration = Duration::from_secs(8);
/// With nothing heard for this long, it is time for tips.
const HINT_TIPS: Duration = Duration::from_secs(30);

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
