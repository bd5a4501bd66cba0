//! The whole reference game behind a session: its catalogue, orders, AI, view, effects and replays.

mod catalogue;
mod duel;
mod effects;
mod lobby;
mod order;
mod playback;
mod poll;
mod replay;
mod seen;
mod view;

pub use catalogue::*;
pub use effects::*;
pub use lobby::*;
pub use order::*;
pub use poll::*;
pub use replay::*;
pub use view::*;
