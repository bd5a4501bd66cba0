//! What the peer's newest packet says of it: why a tick may have to wait. Knows no bits.

use crate::Why;
use core::time::Duration;
use link_transport::LinkTime;

/// How long a packet explains a wait. Source: the specification's "Stall reasons".
const EXPLAINS: Duration = Duration::from_millis(2500);
/// How long a lobby frame says that the peer is in the lobby.
const IN_LOBBY: Duration = Duration::from_secs(10);
/// The status shows packets as arriving for this long after one.
const SHOWN_ARRIVING: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// Its own lobby frame: it has not begun.
    Lobby,
    /// A game frame.
    Game { paused: bool },
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Peer {
    newest: Option<(LinkTime, Said)>,
    in_lobby_at: Option<LinkTime>,
}

impl Peer {
    pub(crate) const fn hear(&mut self, at: LinkTime, said: Said) {
        self.newest = Some((at, said));
    }

    /// A hello that is not of this pairing, while this phone's report is up.
    pub(crate) const fn hear_in_lobby(&mut self, at: LinkTime) {
        self.in_lobby_at = Some(at);
    }

    pub(crate) fn is_in_lobby(&self, now: LinkTime) -> bool {
        self.in_lobby_at.is_some_and(|at| now.since(at) < IN_LOBBY)
    }

    pub(crate) fn arrives(&self, now: LinkTime) -> bool {
        self.newest
            .is_some_and(|(at, _)| now.since(at) <= SHOWN_ARRIVING)
    }

    pub(crate) fn why(&self, now: LinkTime) -> Why {
        match self.newest {
            Some((at, said)) if now.since(at) < EXPLAINS => match said {
                Said::Lobby => Why::Load,
                Said::Game { paused: true } => Why::Paused,
                Said::Game { paused: false } => Why::Link,
            },
            _ => Why::Link,
        }
    }
}
