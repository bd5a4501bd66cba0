//! The seam under a match over the internet: bytes to and from N peers on two lanes, and the numbered contract that
//! every carrier of such bytes keeps.
//!
//! [`NetAir`] is the simulated internet that sessions are tested over. Never opens a socket, reads a clock or looks
//! inside a message; time is an argument.
//!
//! ```
//! use net_transport::{Lane, LinkConfig, NetAir, NetEvent, NetTime, NetTransport, PeerId, SendResult};
//!
//! // Two ends, 40 ms apart. Each numbers the other by its place.
//! let air = NetAir::new(2, LinkConfig::default().latency_us(40_000), 1);
//! let (mut host, mut guest) = (air.end(0), air.end(1));
//! assert_eq!(host.poll(NetTime::ZERO), Some(NetEvent::PeerUp { peer: PeerId(1) }));
//! assert_eq!(host.send(NetTime::ZERO, PeerId(1), Lane::Fast, b"pads"), SendResult::Sent);
//!
//! let mut heard = None;
//! while heard.is_none() {
//!     let now = guest.next_wake().expect("something is on its way");
//!     while let Some(event) = guest.poll(now) {
//!         if let NetEvent::Message { peer, lane, bytes } = event {
//!             heard = Some((now, peer, lane, bytes.to_vec()));
//!         }
//!     }
//! }
//! assert_eq!(heard, Some((NetTime::from_ms(40), PeerId(0), Lane::Fast, b"pads".to_vec())));
//! ```
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod air;
pub mod contract;
mod lanes;
mod time;
mod transport;

pub use air::{DATAGRAM_BYTES_MAX, LinkConfig, LinkCounters, Loss, NetAir, NetEnd, UDP_IP_BYTES};
pub use lanes::{
    Body, CHUNK_BYTES_MAX, DatagramLanes, LANE_DATAGRAM_BYTES_MAX, LaneDatagram, LaneDatagramError,
    LanesEnd, LanesEvent, WINDOW_CHUNKS, pair,
};
pub use time::NetTime;
pub use transport::{
    Carrier, DownReason, FAST_BYTES_MAX, Lane, NetEvent, NetTransport, PeerId, RELIABLE_BYTES_MAX,
    SendResult,
};
