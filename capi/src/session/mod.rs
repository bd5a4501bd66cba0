//! A match of two phones over a link: pairing, lockstep, and a game of your own.

// No other game is known here: what plays one implements `duel::Duel` in a room of its own.

pub(crate) mod any_session;
pub(crate) mod config;
pub(crate) mod duel;
mod event;
mod game;
mod lobby;
mod own;
mod play;
mod record;
pub(crate) mod show;
mod status;
pub(crate) mod words;

pub use config::*;
pub use event::*;
pub use game::*;
pub use lobby::*;
pub use play::*;
pub use record::*;
pub use status::*;
pub use words::*;
