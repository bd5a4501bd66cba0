//! To test an integration in before there are phones: a simulated room that two pumps hear each other in, and an air that
//! joins two links without sound.

mod air;
mod air_end;
mod simulated;

pub use air::*;
pub use simulated::*;
