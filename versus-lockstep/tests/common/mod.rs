//! Two phones, one virtual clock and a simulated link: what the match tests play on.
#![allow(dead_code, unused_imports)] // Each test file uses a part.

mod duel;
mod lab;
mod opponent;
mod toy;

pub use duel::{CommandOf, Duel, DuelConfig, Faults, Pair, Phone, Player};
pub use lab::{Lab, state_after};
pub use opponent::Opponent;
pub use toy::{Toy, ToyCodec, ToyCommand, ToyPlayer, long, map, shuffled_units, walk};
