//! An acoustic OFDM modem: samples in and out, frames in, packets out.
#![forbid(unsafe_code)]

mod config;
mod core;
mod gaps;
pub mod params;
mod receiver;
mod transmitter;

pub use self::core::{ModemCore, PIECE_FRAMES_MAX};
pub use config::{
    Gap, Listen, ModemConfig, ModemStats, RATE_MAX_HZ, RateProblem, Reconfigure, RxPacket,
    SlotEvent,
};
