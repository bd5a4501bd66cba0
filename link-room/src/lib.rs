//! A simulated room: two modems, their speakers and microphones, and the air between.
#![forbid(unsafe_code)]

mod config;
mod convolver;
mod dice;
mod disturbance;
mod echoes;
mod history;
mod jammer;
mod kernel;
mod link;
pub mod probe;
mod resampler;
mod room;
mod speaker;

pub use config::{Harmonics, Jammer, Phone, PhoneConfig, RoomConfig, Taps, Tone};
pub use link::{RoomEnd, RoomLink, RoomLinkConfig};
pub use room::{Fault, FaultKind, Room};
