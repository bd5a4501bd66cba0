//! Messages over sound, and nothing else: both halves of a link, a guard for the game's own audio, and a link without
//! sound.

pub(crate) mod any_link;
mod guard;
mod half;
mod message;
mod practice;
mod pump;
mod setup;
pub(crate) mod shared;
mod words;

pub use guard::*;
pub use half::*;
pub use practice::*;
pub use pump::*;
pub use setup::*;
pub use words::*;
