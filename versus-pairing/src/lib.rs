//! Two strangers to one agreed match: packets and time go in, one lobby frame at a time and in the end one [`Agreed`]
//! match come out.
//!
//! Each phone repeats one frame that describes its whole state ([`LobbyFrame`]); [`Pairing`] follows the peer's
//! through hello, the host's config (with the input delay it measured), the openers' picks, and GO. What can be
//! played is a game's [`Catalogue`](match_feed::duel::Catalogue): this crate knows no map and no opener by
//! name, no game, no modem, reads no
//! clock and draws no random number. Source: the specification's "Pairing".
//!
//! ```text
//!            a peer heard          the same config          both picked
//! Listening ───────────────▶ Measuring ───────────▶ Picking ───────────▶ Going ─────────▶ Started
//!     ▲                          ▲                     │                   │  both go
//!     │ reset(nonce)             └─── a new nonce takes the peer's place ┘
//!     └── Failed · OtherVersion · NeedsNonce
//! ```
//!
//! ```
//! use link_transport::{AirConfig, LinkEvent, LinkTime, LinkTransport, PacketAir, Plan};
//! use match_feed::duel::{Catalogue, MapChoice, MapSize, MatchSetup, Side};
//! use versus_pairing::*;
//!
//! /// One map, no biomes, no mutators, one opener.
//! struct OneMap;
//! impl Catalogue for OneMap {
//!     fn built_in_maps(&self) -> u8 { 1 }
//!     fn biomes(&self) -> u8 { 0 }
//!     fn mutators(&self) -> u8 { 0 }
//!     fn map_size(&self, _: MapChoice) -> Option<MapSize> { MapSize::new(64, 48) }
//!     fn opener_allowed(&self, _: &MatchSetup, _: Side, opener: u8) -> bool { opener == 0 }
//! }
//!
//! let choice = HostChoice::new(MapChoice::BuiltIn(0));
//! let (mut air, mut guest_air) = PacketAir::pair(AirConfig::default(), 1);
//! let mut host = Pairing::new(Entry::Host(choice), Plan::High, 42, OneMap, 11).unwrap();
//! let mut guest = Pairing::new(Entry::Guest, Plan::High, 42, OneMap, 22).unwrap();
//! for ms in (0..20_000).step_by(10) {
//!     let now = LinkTime::from_ms(ms);
//!     for (phone, air) in [(&mut host, &mut air), (&mut guest, &mut guest_air)] {
//!         while let Some(event) = air.poll(now) {
//!             match event {
//!                 LinkEvent::Packet(packet) => { phone.handle_packet(now, &packet); }
//!                 LinkEvent::Slot(slot) => phone.handle_slot(slot),
//!                 _ => {}
//!             }
//!         }
//!         phone.set_rxq(7); // as the link measures it
//!         if let PairingPhase::Picking { .. } = phone.status().phase { phone.pick(Some(0)).unwrap(); }
//!         if let Some(frame) = phone.poll_frame(now) { air.send(&[frame]); }
//!     }
//! }
//! let (host, guest) = (host.agreed().unwrap(), guest.agreed().unwrap());
//! assert_eq!((host.setup, host.key), (guest.setup, guest.key));
//! // Half a round trip of a little over 500 ms, one fast packet, 50 ms to spare: 5 ticks.
//! assert_eq!((host.delay.ticks(), host.fast), (5, true));
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod agreed;
mod build;
mod catalogue;
mod entry;
mod frame;
mod hosting;
mod nonces;
mod offer;
mod pairing;
mod peers;
mod pings;
mod rematch;
mod shown;
mod state;
mod status;
mod version;

pub use agreed::Agreed;
pub use build::build_or_digest;
pub use catalogue::{CatalogueError, OPENERS_MAX, check_choice};
pub use entry::{Entry, HeardLobby, HostChoice};
pub use frame::{
    BIOMES_MAX, BUILT_IN_MAPS_MAX, HOLD_NONE, LOBBY_BITS_MAX, LOBBY_TYPE, LobbyConfig, LobbyFrame,
    LobbyFrameError, LobbyHead, Opener, PROTO, WIRE_FIRST_RANDOM, WIRE_NO_OPENER,
};
pub use nonces::Nonces;
pub use offer::{StartMode, input_delay};
pub use pairing::{LOBBY_MODE, Pairing};
pub use rematch::{REMATCH_WAIT, Rematch, RematchWait};
pub use status::{Hint, PairingFailure, PairingPhase, PairingStatus, PickError};
pub use version::VersionMismatch;
