//! Whom this phone is pairing with: adopting, keeping and replacing a peer by its nonce. Knows no phase.

use crate::LobbyFrame;
use core::time::Duration;
use heapless::Deque;
use link_transport::{LinkTime, Nonce};

/// How many packets that hear this phone a new nonce needs. Source: the specification's "A new nonce".
const TAKEOVER_PACKETS: u8 = 3;
/// How long its replacement must have been silent before a retired nonce may come back; also how long a peer
/// counts as live after a frame that hears this phone.
pub(crate) const SILENT: Duration = Duration::from_secs(2);
/// How long after the last frame that heard this phone a peer counts as gone: longer than any dropout a lobby is
/// expected to survive.
const GONE: Duration = Duration::from_secs(10);
/// Retired nonces remembered. A peer that reloads more often than this within one lobby is given the benefit.
const RETIRED_MAX: usize = 8;

/// The phone this one is pairing with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer {
    pub(crate) nonce: Nonce,
    /// Its newest frame.
    pub(crate) frame: LobbyFrame,
    pub(crate) heard_at: LinkTime,
    adopted_at: LinkTime,
    /// When a frame of its own last heard this phone.
    pub(crate) live_at: Option<LinkTime>,
}

impl Peer {
    fn new(own: Nonce, frame: LobbyFrame, at: LinkTime) -> Self {
        let live = frame.heard == own;
        Self {
            nonce: frame.nonce,
            frame,
            heard_at: at,
            adopted_at: at,
            live_at: live.then_some(at),
        }
    }

    /// Whether any frame of another nonce's may take this peer's place, though it does not hear this phone.
    ///
    /// A peer that has had the time to hear this phone and never did is a recording, or a peer that has reloaded
    /// since; one that did and fell silent has gone. If either kept its place, two phones that each hold what the
    /// other no longer is would wait for ever, since neither's frames would hear the other.
    fn yields(&self, now: LinkTime, to_retired: bool) -> bool {
        let quiet = now.since(self.live_at.unwrap_or(self.adopted_at));
        let unproven = self.live_at.is_none() && !to_retired;
        quiet >= if unproven { SILENT } else { GONE }
    }

    pub(crate) fn is_live(&self, now: LinkTime) -> bool {
        self.live_at.is_some_and(|at| now.since(at) < SILENT)
    }
}

/// A nonce that wants to take the current one's place.
#[derive(Clone, Copy, Debug)]
struct Challenge {
    nonce: Nonce,
    packets: u8,
}

/// Whose frame it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The current peer's.
    Current,
    /// The current peer's, which has just become it: everything agreed with another is void.
    Newcomer,
    /// Somebody else's.
    Stranger,
}

/// The current peer and those it replaced.
#[derive(Clone, Debug, Default)]
pub(crate) struct Peers {
    current: Option<Peer>,
    challenge: Option<Challenge>,
    retired: Deque<Nonce, RETIRED_MAX>,
    /// Since when there is no peer.
    alone_since: LinkTime,
}

impl Peers {
    pub(crate) const fn current(&self) -> Option<&Peer> {
        self.current.as_ref()
    }

    /// Starts over under a new nonce of this phone's own; the retired stay retired.
    pub(crate) const fn forget_current(&mut self, now: LinkTime) {
        self.current = None;
        self.challenge = None;
        self.alone_since = now;
    }

    /// The current peer gave up: copies of its frames must not be met again at once.
    pub(crate) fn retire_current(&mut self, now: LinkTime) {
        if let Some(peer) = self.current.take() {
            self.retire(peer.nonce);
        }
        self.challenge = None;
        self.alone_since = now;
    }

    /// A frame of the other role's, with a nonce, arrived whole at `at`. `committed`: GO is on the air to the current
    /// peer, which may have started on it and send no lobby frame any more; its place goes only to who hears this phone.
    pub(crate) fn hear(
        &mut self,
        own: Nonce,
        frame: &LobbyFrame,
        at: LinkTime,
        committed: bool,
    ) -> Whose {
        let hears_me = frame.heard == own;
        if let Some(peer) = self.current.as_mut().filter(|p| p.nonce == frame.nonce) {
            peer.frame = *frame;
            peer.heard_at = at;
            if hears_me {
                peer.live_at = Some(at);
                self.challenge = None;
            }
            return Whose::Current;
        }
        let retired = self.retired.iter().any(|&nonce| nonce == frame.nonce);
        let free = match &self.current {
            // A retired nonce whose replacement is silent may come back, and here there is none at all.
            None => !retired || at.since(self.alone_since) >= SILENT,
            Some(peer) => !committed && peer.yields(at, retired),
        };
        if free || (hears_me && self.takes_over(frame.nonce, retired, at)) {
            self.adopt(Peer::new(own, *frame, at));
            return Whose::Newcomer;
        }
        Whose::Stranger
    }

    /// Counts a packet of `nonce` that hears this phone; true if it has the current peer's place now.
    fn takes_over(&mut self, nonce: Nonce, retired: bool, at: LinkTime) -> bool {
        let challenge = match &mut self.challenge {
            Some(challenge) if challenge.nonce == nonce => challenge,
            other => other.insert(Challenge { nonce, packets: 0 }),
        };
        challenge.packets = challenge.packets.saturating_add(1);
        let silent = |peer: &Peer| peer.live_at.is_none_or(|live| at.since(live) >= SILENT);
        challenge.packets >= TAKEOVER_PACKETS
            && (!retired || self.current.as_ref().is_none_or(silent))
    }

    fn adopt(&mut self, peer: Peer) {
        self.retire_current(peer.heard_at);
        self.retired.retain(|&nonce| nonce != peer.nonce);
        self.current = Some(peer);
    }

    fn retire(&mut self, nonce: Nonce) {
        if self.retired.is_full() {
            self.retired.pop_front();
        }
        let _ = self.retired.push_back(nonce);
    }
}
