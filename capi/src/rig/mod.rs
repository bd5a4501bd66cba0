//! Link level: the audio life of a live link, and what to say of it.

mod advice;
mod live;
mod words;

pub use advice::*;
pub use live::*;
pub use words::*;
