//! Turns payload bits into coded bits and back. Knows nothing of tones' frequencies or time.
//!
//! In goes a packet's payload, out come the 0/1 slots that the modem turns into phases; on the way back soft slots go
//! in and a payload that passed the agreement gate and its checksum comes out. The chain, each part its own module:
//!
//! ```text
//!           crc16           conv              interleave         scramble
//! payload ─► +16 bits ─► +6 zeros, rate ½ ─► spread over ─► XOR with a pseudo-random ─► slots
//!                                             tones          sequence per packet
//! payload ◄─ crc16 ◄─ gate ◄─ viterbi ◄──── gather ◄──────── flip signs ◄───────────── soft slots
//! ```
//!
//! It never allocates, never panics on what a peer sends, and never hands out a payload that failed either test.
//!
//! ```
//! use link_fec::{PacketDecoder, PacketShape, PAYLOAD_BYTES_MAX, encode_packet};
//!
//! let shape = PacketShape::HIGH_FAST;
//! let mut payload = [0_u8; PAYLOAD_BYTES_MAX];
//! payload[..4].copy_from_slice(b"duel");
//!
//! let mut slots = vec![0; shape.coded_bits()];
//! encode_packet(&shape, 3, 0xFFFF, &payload, &mut slots);
//!
//! // A perfect channel: +1 for a 0, −1 for a 1.
//! let soft: Vec<f32> = slots.iter().map(|&slot| 1.0 - 2.0 * f32::from(slot)).collect();
//! let mut heard = [0; PAYLOAD_BYTES_MAX];
//! let accepted = PacketDecoder::new().decode(&shape, 3, &[0x1234, 0xFFFF], &soft, &mut heard)?;
//! assert_eq!((accepted.start_index, accepted.disagreements, heard), (1, 0, payload));
//! # Ok::<(), link_fec::Rejected>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

pub mod conv;
pub mod crc16;
pub mod gate;
pub mod interleave;
mod packet;
pub mod scramble;
mod shape;
pub mod viterbi;

pub use packet::{Accepted, PacketDecoder, Rejected, encode_packet};
pub use shape::{
    CODED_BITS_MAX, CRC_BITS, INFO_BITS_MAX, PAYLOAD_BYTES_MAX, PacketShape, TAIL_BITS,
};
