//! What a player brings to a pairing: host a match, or join one. And what the packets heard there turn out to be.

use crate::{LobbyFrame, LobbyHead, StartMode};
use link_transport::Role;
use match_feed::duel::{MapChoice, Side};

/// What the host's player wants to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostChoice {
    /// The map.
    pub map: MapChoice,
    /// The mutators, as in a match's setup.
    pub mutators: u16,
    /// The side the host plays: blue, unless a rematch swapped it.
    pub host_side: Side,
    /// How the starting mode is chosen.
    pub start_mode: StartMode,
}

impl HostChoice {
    /// `map` without mutators, the host on blue, the starting mode measured.
    #[must_use]
    pub const fn new(map: MapChoice) -> Self {
        Self {
            map,
            mutators: 0,
            host_side: Side::Blue,
            start_mode: StartMode::Measured,
        }
    }

    /// Sets [`Self::map`].
    #[must_use]
    pub const fn with_map(mut self, map: MapChoice) -> Self {
        self.map = map;
        self
    }

    /// Sets [`Self::mutators`].
    #[must_use]
    pub const fn with_mutators(mut self, mutators: u16) -> Self {
        self.mutators = mutators;
        self
    }

    /// Sets [`Self::host_side`].
    #[must_use]
    pub const fn with_host_side(mut self, host_side: Side) -> Self {
        self.host_side = host_side;
        self
    }

    /// Sets [`Self::start_mode`].
    #[must_use]
    pub const fn with_start_mode(mut self, start_mode: StartMode) -> Self {
        self.start_mode = start_mode;
        self
    }
}

/// Host a match, or join one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Host this match.
    Host(HostChoice),
    /// Join whatever the host offers.
    Guest,
}

impl Entry {
    /// The role that goes with it.
    #[must_use]
    pub const fn role(&self) -> Role {
        match self {
            Self::Host(_) => Role::Host,
            Self::Guest => Role::Guest,
        }
    }
}

/// What a packet turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeardLobby {
    /// The peer's frame.
    Peer(LobbyFrame),
    /// A lobby frame of the other role's, but not the peer's: another phone, or the peer come back.
    Stranger(LobbyHead),
    /// A lobby frame of this phone's own role.
    SameRole,
    /// No lobby frame of this version.
    Nothing,
}
