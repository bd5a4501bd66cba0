//! Mathematics with the same bits on every machine: integers go in, integers come out.
//!
//! A game that runs in step on several machines may not ask its system for a sine: libraries differ in the last bits, and
//! one bit is a desync. Everything here is integer arithmetic, so that it comes out alike on every processor, whatever
//! the compiler. It never allocates, never panics, and costs a bounded amount of work. `docs/DMATH.md` says what else
//! is safe in a simulation.
//!
//! | Quantity | Type | Unit |
//! |---|---|---|
//! | angle | `u32` | 1/2³² of a turn: it wraps as angles do ([`QUARTER_TURN`], [`HALF_TURN`]) |
//! | sine, cosine | `i32` | 1/2³⁰, from −[`SINE_ONE`] to [`SINE_ONE`] |
//! | number | `i64` | 1/2³² ([`ONE`]) |
//! | number that is never negative | `u64` | 1/2³² |
//!
//! [`atan2`] and [`hypot`] take any unit: their arguments have one in common.
//!
//! ```
//! use dmath::*;
//! assert_eq!(sin(QUARTER_TURN), SINE_ONE);
//! assert_eq!(cos(QUARTER_TURN / 2), 759_250_125); // √½ of 2³⁰
//! assert_eq!(atan2(-5, 0), HALF_TURN + QUARTER_TURN);
//! assert_eq!(hypot(3, -4), 5);
//! assert_eq!(pow(2 << 32, 10 * ONE), 1024 << 32);
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![deny(clippy::float_arithmetic, clippy::lossy_float_literal)]

mod angle;
mod arithmetic;
mod power;
mod root;
mod tables;

pub use angle::{HALF_TURN, QUARTER_TURN, SINE_ONE, atan2, cos, sin};
pub use arithmetic::{ONE, div, mul};
pub use power::{exp2, ln, log2, pow};
pub use root::{hypot, sqrt};
