//! The seam under a match: frames go in, packets come out, and every link keeps the same numbered contract.
//!
//! A link carries short bit frames between two phones. It has no addresses, no acknowledgements and no
//! retransmission: each packet carries one of the newest frames the layer above handed over, repeated until
//! replaced. This crate never looks inside a frame and never reads a clock; time is an argument.
//!
//! Links of this project that implement [`LinkTransport`]: [`PacketAir`] here (frame level, thousands of times faster
//! than real time), [`relay::Relay`] here (messages over any byte stream) and `RoomLink` in `link-room` (two modems
//! and the air between them, sample by sample).
//!
//! ```
//! use link_transport::{AirConfig, FrameBits, LinkEvent, LinkTime, LinkTransport, OutFrame, PacketAir};
//!
//! let (mut host, mut guest) = PacketAir::pair(AirConfig::default(), 1);
//! host.send(&[OutFrame { bits: FrameBits::from_bytes(&[0b1010_0000], 3), key: 0, keyed: false }]);
//! let mut heard = None;
//! for ms in (0..1000).step_by(10) {
//!     let now = LinkTime::from_ms(ms);
//!     while host.poll(now).is_some() {}
//!     while let Some(event) = guest.poll(now) {
//!         if let LinkEvent::Packet(packet) = event { heard = Some(packet) }
//!     }
//! }
//! assert!(heard.unwrap().bits.starts_with(&FrameBits::from_bytes(&[0b1010_0000], 3)));
//! ```
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod air;
mod bits;
pub mod contract;
mod key;
mod plan;
mod quality;
pub mod relay;
mod time;
mod transport;

pub use air::{AirConfig, AirEnd, Loss, PacketAir};
pub use bits::{FRAME_BITS_MAX, FrameBits};
pub use key::{CRC_START_DEFAULT, Nonce, SessionKey, hash32};
pub use plan::{
    Mode, Plan, Role, SUPERFRAME_MS, SUPERFRAME_SYMBOLS, SYMBOL_MS, capacity_bits, packet_ms,
};
pub use quality::{RXQ_FAST, RXQ_MAX, RXQ_POOR, receive_quality};
pub use time::LinkTime;
pub use transport::{
    FRAMES_MAX, LinkEvent, LinkPacket, LinkStats, LinkTransport, OutFrame, Rotation, Slot,
};
