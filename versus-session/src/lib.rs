//! One link, two players, one match: pairing, then lockstep.
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod config;
mod events;
mod feed;
mod friend;
mod goodbye;
mod modes;
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
