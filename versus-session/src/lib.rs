//! One link, two players, one match: a transport, a catalogue and a game go in; a duel comes out.
//!
//! [`Session`] owns one end of a link. It pairs ([`versus_pairing`]), hands out what was agreed, and once the host
//! has built the game runs it in lockstep ([`versus_lockstep`]) as fast as both phones can: routing frames, adapting
//! the mode, saying why a tick waits, keeping the record, and saying goodbye from every phase. [`VersusFeed`] is the
//! same match as a [`match_feed::MatchFeed`]. It knows no modem and no game, opens nothing, reads no clock, draws no
//! random number and acts only when called. Source: the specification's "Session".
//!
//! ```text
//!  pump(now)   link ──▶ lobby frames ──▶ Pairing ──▶ agreed()
//!                   └─▶ game frames ───▶ Lockstep ◀── run(now, orders) ──▶ Game
//!                   ◀── newest frames ──┘
//!
//!  Lobby ──▶ Ready ──▶ Playing ──▶ Over        leave(now) from any of them ──▶ Leaving ──▶ closable ──▶ Closed
//!        GO       begin_match      decided, left, out of sync
//! ```
//!
//! Two phones that count to a decision:
//!
//! ```
//! use link_transport::*;
//! use match_feed::{duel::*, *};
//! use versus_codec::{OpaqueCodec, OpaqueCommand};
//! use versus_pairing::*;
//! use versus_session::*;
//!
//! /// The first side to order a total of 20 wins.
//! #[derive(Default)]
//! struct Race(PerSide<u32>);
//! impl Game for Race {
//!     type Command = OpaqueCommand;
//!     fn step(&mut self, orders: &[Order<OpaqueCommand>]) {
//!         for order in orders {
//!             let Some(side) = order.side() else { continue };
//!             self.0[side] += u32::from(order.command.as_bytes()[0]);
//!         }
//!     }
//!     fn hash(&self) -> WorldHash { WorldHash::of(&[self.0.blue as u8, self.0.red as u8]) }
//!     fn outcome(&self) -> Option<Outcome> {
//!         Side::BOTH.into_iter().find(|&side| self.0[side] >= 20).map(Outcome::won)
//!     }
//! }
//! struct OneTrack;
//! impl Catalogue for OneTrack {
//!     fn built_in_maps(&self) -> u8 { 1 }
//!     fn biomes(&self) -> u8 { 0 }
//!     fn mutators(&self) -> u8 { 0 }
//!     fn map_size(&self, _: MapChoice) -> Option<MapSize> { MapSize::new(1, 1) }
//!     fn opener_allowed(&self, _: &MatchSetup, _: Side, _: u8) -> bool { true }
//! }
//!
//! let config = |entry, seed| SessionConfig::new(entry, 1, "race", seed);
//! let choice = HostChoice::new(MapChoice::BuiltIn(0));
//! let (host, guest) = PacketAir::pair(AirConfig::default(), 1);
//! let mut phones = [
//!     Session::new(host, config(Entry::Host(choice), 10), OneTrack)?,
//!     Session::new(guest, config(Entry::Guest, 20), OneTrack)?,
//! ];
//! let mut now = LinkTime::ZERO;
//! while phones.iter().any(|phone| phone.end(now).is_none_or(|end| !end.is_settled())) {
//!     now = now + core::time::Duration::from_millis(16);
//!     for (phone, pace) in phones.iter_mut().zip([2, 1]) {
//!         phone.pump(now);
//!         let status = phone.status(now);
//!         if let PairingPhase::Picking { .. } = status.pairing.phase { phone.pick(Some(0))?; }
//!         if status.phase == SessionPhase::Ready { phone.begin_match(now, Race::default(), OpaqueCodec)?; }
//!         phone.run(now, |_tick, _game, give| give(OpaqueCommand::from_bytes(&[pace], 8).unwrap()));
//!     }
//! }
//! let decided = MatchEnd::Decided { outcome: DuelOutcome::won(Side::Blue), sync: Sync::InSync };
//! assert_eq!(phones.each_ref().map(|phone| phone.end(now)), [Some(decided); 2]);
//! assert_eq!(phones[0].record(), phones[1].record());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod config;
mod debug;
mod events;
mod feed;
mod goodbye;
mod kept;
mod modes;
mod notice;
mod peer;
mod play;
mod route;
mod session;
mod status;

pub use config::{BeginError, OrderError, SessionConfig};
pub use feed::VersusFeed;
pub use modes::ModePolicy;
pub use session::Session;
pub use status::{
    MENU_LEAVE, MatchEnd, OVERLAY_LEAVE, Overlay, PeerEnded, SIGNAL_LOST, SessionEvent,
    SessionPhase, SessionStatus, Sync, WAITING_SHOWN, Waiting, Why,
};
