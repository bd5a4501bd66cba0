//! What a player brings to a pairing: host a match, or join one. And what the packets heard there turn out to be.

use crate::{LobbyFrame, LobbyHead, StartMode};
use link_transport::Role;
use match_feed::duel::{MapChoice, Side};

/// What the host's player wants to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
