//! Match level: pairing, lockstep, and a game of the host's own.

pub(crate) mod any_session;
mod event;
mod game;
mod lobby;
mod play;
mod record;
mod status;

pub use event::*;
pub use game::*;
pub use lobby::*;
pub use play::*;
pub use record::*;
pub use status::*;
