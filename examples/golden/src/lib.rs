//! Seeded matches of the reference game whose every hundredth hash must be the same on every machine: one program, run
//! as it is by an operating system and as a module without imports by a WebAssembly machine.
//!
//! `cargo xtask determinism` runs it on three processor architectures and compares.

mod brawl;
mod exports;
mod mathematics;
mod play;
mod session;

pub use play::{Options, play};
