//! The phases of a pairing: each holds only what it needs. Knows no bits.

use crate::{
    Agreed, CatalogueError, LobbyFrame, Opener, PairingFailure, VersionMismatch, agreed::Terms,
    offer::FastWindows,
};
use core::time::Duration;
use link_transport::{LinkTime, Nonce, Role};
use match_feed::duel::Catalogue;

/// How long a player may think about an opener. Source: the specification's "Picks".
pub(crate) const PICK_TIME: Duration = Duration::from_secs(20);
/// How long an offer stands before another replaces it: the guest's answer to it takes a round trip and a packet on
/// either side, under 2.2 s on the slowest plan and mode.
const OFFER_STANDS: Duration = Duration::from_secs(3);

#[derive(Clone, Debug)]
pub(crate) enum State {
    Meeting(Meeting),
    Picking(Picking),
    Going(Going),
    Started(Going, Agreed),
    Failed {
        given_up: Nonce,
        why: PairingFailure,
    },
    OtherVersion(VersionMismatch),
    NeedsNonce,
}

impl State {
    /// The config offered or agreed.
    pub(crate) fn terms(&self) -> Option<&Terms> {
        match self {
            Self::Meeting(meeting) => meeting.terms.as_ref(),
            Self::Picking(picking) => Some(&picking.terms),
            Self::Going(going) | Self::Started(going, _) => Some(&going.terms),
            Self::Failed { .. } | Self::OtherVersion(_) | Self::NeedsNonce => None,
        }
    }

    pub(crate) fn own_pick(&self) -> Option<Opener> {
        match self {
            Self::Picking(picking) => picking.pick,
            Self::Going(going) | Self::Started(going, _) => Some(going.own),
            _ => None,
        }
    }

    /// The peer's pick as this phone's GO says it.
    pub(crate) fn committed(&self) -> Option<Opener> {
        match self {
            Self::Going(going) | Self::Started(going, _) => Some(going.theirs),
            _ => None,
        }
    }
}

/// Measuring the link and agreeing on a config.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meeting {
    pub(crate) windows: FastWindows,
    /// The host's offer, or the host's offer as the guest holds it.
    pub(crate) terms: Option<Terms>,
    /// Since when the host makes this offer.
    pub(crate) offered_at: LinkTime,
    /// What the guest's catalogue does not hold.
    pub(crate) refused: Option<CatalogueError>,
}

impl Meeting {
    /// The host's offer, made anew when the measurements have changed and the last one had time to be answered.
    pub(crate) fn offer(&mut self, now: LinkTime, terms: Terms) {
        let stands = |old: &Terms| *old == terms || now.since(self.offered_at) < OFFER_STANDS;
        if !self.terms.as_ref().is_some_and(stands) {
            self.terms = Some(terms);
            self.offered_at = now;
        }
    }
}

/// The config is agreed, the openers are not.
#[derive(Clone, Debug)]
pub(crate) struct Picking {
    pub(crate) terms: Terms,
    pub(crate) until: LinkTime,
    pub(crate) pick: Option<Opener>,
}

impl Picking {
    /// Without an opener to choose from, a phone has picked "none" at once.
    pub(crate) fn new(terms: Terms, now: LinkTime, catalogue: &impl Catalogue, role: Role) -> Self {
        Self {
            terms,
            until: now + PICK_TIME,
            pick: terms.forced_pick(catalogue, role),
        }
    }

    /// GO, if the peer's newest frame is ready for it and so is this phone.
    pub(crate) fn go(
        &self,
        frame: &LobbyFrame,
        catalogue: &impl Catalogue,
        role: Role,
        first_key: u32,
    ) -> Option<Going> {
        let ready = frame.picked
            && frame.conf_hash == self.terms.hash
            && self.terms.allows(catalogue, role.other(), frame.pick);
        Some(Going {
            terms: self.terms,
            own: self.pick.filter(|_| ready)?,
            theirs: frame.pick,
            first_key,
            sent: false,
            peer_goes: false,
        })
    }
}

/// GO is on the air.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Going {
    pub(crate) terms: Terms,
    pub(crate) own: Opener,
    pub(crate) theirs: Opener,
    /// The first frame with this key or a later one says GO.
    pub(crate) first_key: u32,
    /// A packet has carried it.
    pub(crate) sent: bool,
    /// The peer's GO was accepted, or a game frame of its was heard.
    pub(crate) peer_goes: bool,
}

/// Whether the peer's GO, which hears this phone, fits `state`: the four conditions of the specification's "GO",
/// the nonce being checked by whoever knows it.
///
/// # Errors
/// The first condition that fails.
pub(crate) fn accept_go(
    state: &State,
    frame: &LobbyFrame,
    named: Opener,
    catalogue: &impl Catalogue,
    role: Role,
) -> Result<(), PairingFailure> {
    let terms = match state.terms() {
        Some(terms) if terms.hash == frame.conf_hash => terms,
        other => {
            return Err(PairingFailure::OtherConfig {
                own: other.map_or(0, |terms| terms.hash),
                theirs: frame.conf_hash,
            });
        }
    };
    let own = state.own_pick();
    if own != Some(named) {
        return Err(PairingFailure::WrongPick { own, named });
    }
    let pick = frame.pick;
    if let Some(committed) = state.committed().filter(|&committed| committed != pick) {
        return Err(PairingFailure::ChangedPick { pick, committed });
    }
    if !frame.picked || !terms.allows(catalogue, role.other(), pick) {
        return Err(PairingFailure::BlockedPick { pick });
    }
    Ok(())
}
