//! Lockstep and rollback sessions for one to eight seats.
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod config;
mod delay;
mod desync;
mod event;
mod frame;
mod hashes;
mod input_ring;
mod join;
mod line;
mod link;
mod meet;
mod members;
mod pace;
mod probe;
mod receive;
mod requests;
mod send;
mod session;
pub mod wire;

pub use config::{ConfigError, HISTORY_MAX, HISTORY_MIN, OnDrop, PREDICTION_MAX, Place, SessionConfig};
pub use desync::{Desync, Testimony};
pub use event::{Cause, Event, Outcome, Request, StepFlags, StepInputs};
pub use frame::Frame;
pub use session::{InputError, LinkStats, Session, SessionStats};
pub use wire::{Mismatch, Part, Secret};
