//! The audio life of a live link, from the first tap to the last, and what a lobby says of the link.

mod advice;
mod live;
mod words;

pub use advice::*;
pub use live::*;
pub use words::*;
