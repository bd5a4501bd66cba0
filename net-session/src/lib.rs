//! Lockstep and rollback sessions for one to eight seats: local inputs go in, requests to save, load and step come out.
//!
//! One machine serves both: lockstep is rollback that predicts nothing ([`SessionConfig::prediction`] 0). The session never
//! sees the game, opens no socket and reads no clock. It hands out [`Request`]s, in order, and the host does what they say;
//! every machine of the match steps the same frames with the same inputs. The messages stand in `docs/NETPLAY.md`.
//!
//! A host's frame is: [`Session::set_input`] for its seats, [`Session::advance`] with the time and a
//! [`net_transport::NetTransport`], then [`Session::poll_request`] until it says `None`, then [`Session::poll_event`].
//!
//! ```
//! use net_session::{Frame, Outcome, Place, Request, Secret, Session, SessionConfig};
//! use match_feed::{Seat, SeatSet};
//! use net_transport::{NetAir, NetTime};
//!
//! // Two players, 30 ms apart, in lockstep. The game: a sum of all inputs.
//! let air = NetAir::local_link(30_000, 5_000, 0.1, 1);
//! let mut peers: Vec<_> = (0..2u8)
//!     .map(|at| {
//!         let seats = SeatSet::from_bits(1 << at);
//!         let secret = Secret::new(*b"of this match...");
//!         let config = SessionConfig::new(2, Place::Player(seats), secret, 1 + u64::from(at), [at; 16]);
//!         (Session::new(config.input_delay(4)).unwrap(), air.end(usize::from(at)), 0u64)
//!     })
//!     .collect();
//! for ms in (0..5_000).step_by(4) {
//!     for (at, (session, end, sum)) in peers.iter_mut().enumerate() {
//!         let seat = Seat::new(at as u8).unwrap();
//!         session.set_input(seat, &[at as u8 + 1])?;
//!         session.advance(NetTime::from_ms(ms), end);
//!         loop {
//!             match session.poll_request() {
//!                 Some(Request::Step { frame, inputs, .. }) => {
//!                     *sum += inputs.iter().flat_map(|(_, input)| input).map(|&byte| u64::from(byte)).sum::<u64>();
//!                     if frame == Frame(119) { session.finish() } // the game is over after 120 frames
//!                 }
//!                 Some(Request::Hash { frame }) => session.put_hash(frame, *sum, &[]),
//!                 Some(_) => {} // Save, Load and Snapshot do not come up here
//!                 None => break,
//!             }
//!         }
//!     }
//! }
//! for (session, _, sum) in &peers {
//!     assert_eq!(session.outcome(), Some(Outcome::Ended { frame: Frame(120) }));
//!     assert_eq!(*sum, 116 * 3); // the first four frames are empty: the input delay
//! }
//! # Ok::<(), net_session::InputError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod agree;
mod config;
mod delay;
mod desync;
mod effects;
mod event;
mod frame;
mod hashes;
mod input_ring;
mod join;
mod line;
mod link;
mod local;
mod meet;
mod members;
mod pace;
mod packet;
mod probe;
mod receive;
mod requests;
mod roster;
mod send;
mod session;
mod snapshot;
mod state_ring;
mod stats;
mod sync_test;
mod testimony;
pub mod wire;

pub use config::{
    ConfigError, HISTORY_MAX, HISTORY_MIN, OnDrop, PREDICTION_MAX, Place, SessionConfig,
};
pub use effects::{Effect, Effects, EffectsFull};
pub use event::{Cause, Event, Outcome, Request, StepFlags, StepInputs};
pub use frame::Frame;
pub use local::{LocalSession, Nobody};
pub use session::{InputError, Session};
pub use state_ring::{STATE_BYTES_MAX, STATE_SLOTS_MAX, StateRing, StateRingError};
pub use stats::{LinkStats, SessionStats};
pub use sync_test::{CHECK_DISTANCE_MAX, FrameMismatch, MISMATCHES_MAX, SAVED_BYTES, SyncTest};
pub use testimony::{Desync, Testimony};
pub use wire::{Mismatch, Part, Secret};
