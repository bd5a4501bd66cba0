//! Two strangers to one agreed match.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod catalogue;
mod frame;

pub use catalogue::{Catalogue, CatalogueError, OPENERS_MAX, Opener, check_choice};
pub use frame::{
    BIOMES_MAX, BUILT_IN_MAPS_MAX, HOLD_NONE, LOBBY_BITS_MAX, LOBBY_TYPE, LobbyConfig, LobbyFrame,
    LobbyFrameError, LobbyHead, PROTO, RXQ_MAX,
};
