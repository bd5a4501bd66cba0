//! Link level: messages over sound, and the links without any.

#[cfg(feature = "room")]
mod air;
pub(crate) mod any_link;
mod guard;
mod half;
mod practice;
mod pump;
mod setup;
pub(crate) mod shared;

pub use guard::*;
pub use half::*;
pub use practice::*;
pub use pump::*;
pub use setup::*;
