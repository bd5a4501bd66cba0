//! The seam under a match over the internet: bytes to and from N peers on two lanes, and the numbered contract that
//! every carrier of such bytes keeps.
//!
//! Never opens a socket, reads a clock or looks inside a message; time is an argument.
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod time;
mod transport;

pub use time::NetTime;
pub use transport::{
    Carrier, DownReason, FAST_BYTES_MAX, Lane, NetEvent, NetTransport, PeerId, RELIABLE_BYTES_MAX,
    SendResult,
};
