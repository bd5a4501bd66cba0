//! Lane datagrams ↔ bytes. The layout stands in `docs/NETPLAY.md`, "Lanes over datagrams". Knows no state.

use crate::FAST_BYTES_MAX;
use alloc::vec::Vec;
use crc::{CRC_32_ISO_HDLC, Crc};

/// What one chunk of a reliable message carries at most, in bytes.
pub const CHUNK_BYTES_MAX: usize = 1_180;
/// How many chunks from the first one missing may be under way: as many as an acknowledgement names.
pub const WINDOW_CHUNKS: u32 = 64;
/// The longest lane datagram, in bytes.
pub const LANE_DATAGRAM_BYTES_MAX: usize = 4 + FAST_BYTES_MAX;
const _: () = assert!(4 + 4 + CHUNK_BYTES_MAX + 4 <= LANE_DATAGRAM_BYTES_MAX);

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
const CRC_BYTES: usize = 4;
/// The upper half of the first byte: this format, version 1.
const VERSION: u8 = 0xD0;
const FAST: u8 = 0;
const CHUNK: u8 = 1;
const LAST_CHUNK: u8 = 2;
const ACK: u8 = 3;
const CLOSE: u8 = 4;
const HELLO: u8 = 5;

/// Why bytes are no lane datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LaneDatagramError {
    /// The first byte names another format, version or kind.
    #[error("0x{first:02X} begins no lane datagram")]
    Unknown {
        /// The first byte; 0 if there is none.
        first: u8,
    },
    /// No datagram of its kind has this length.
    #[error("{length} bytes are no length of a lane datagram of kind {kind}")]
    Length {
        /// The kind.
        kind: u8,
        /// The length found.
        length: usize,
    },
    /// The checksum does not hold.
    #[error("the checksum does not hold")]
    Checksum,
    /// A token of 0, which nobody has.
    #[error("a token of 0")]
    NoToken,
}

/// A lane datagram, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneDatagram<'a> {
    /// Names both processes' tokens.
    Hello {
        /// The sender's; never 0.
        from: u32,
        /// The receiver's, as the sender knows it; 0 if it does not yet.
        to: u32,
    },
    /// Of a pair of processes that know each other's tokens.
    Paired {
        /// [`pair`] of the two; 24 bits.
        pair: u32,
        /// What it carries.
        body: Body<'a>,
    },
}

/// What a paired lane datagram carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body<'a> {
    /// A message of the fast lane, 0 to 1,200 bytes.
    Fast(&'a [u8]),
    /// A piece of a reliable message, 0 to [`CHUNK_BYTES_MAX`] bytes.
    Chunk {
        /// Its number, from 0 over all messages of this direction.
        number: u32,
        /// Whether the message ends with it.
        last: bool,
        /// The piece.
        bytes: &'a [u8],
    },
    /// What has arrived.
    Ack {
        /// Every chunk before this one has.
        next: u32,
        /// Bit i: so has chunk `next + 1 + i`.
        beyond: u64,
    },
    /// The sender is gone for good.
    Close,
}

/// 24 bits that name a sender and a receiver by their tokens.
#[must_use]
pub const fn pair(from: u32, to: u32) -> u32 {
    (from ^ to.rotate_left(16)).wrapping_mul(0x9E37_79B1) >> 8
}

impl<'a> LaneDatagram<'a> {
    /// Decodes one datagram, strictly.
    ///
    /// # Errors
    /// [`LaneDatagramError`].
    pub fn decode(datagram: &'a [u8]) -> Result<Self, LaneDatagramError> {
        let first = datagram.first().copied().unwrap_or(0);
        if first & 0xF0 != VERSION || first & 0x0F > HELLO {
            return Err(LaneDatagramError::Unknown { first });
        }
        let kind = first & 0x0F;
        let wrong = LaneDatagramError::Length {
            kind,
            length: datagram.len(),
        };
        if kind == FAST {
            let body = datagram
                .get(4..)
                .filter(|body| body.len() <= FAST_BYTES_MAX);
            return Ok(Self::Paired {
                pair: u24(datagram).ok_or(wrong)?,
                body: Body::Fast(body.ok_or(wrong)?),
            });
        }
        let (bytes, crc) = datagram.split_last_chunk::<CRC_BYTES>().ok_or(wrong)?;
        let fits = match kind {
            CHUNK | LAST_CHUNK => (8..=8 + CHUNK_BYTES_MAX).contains(&bytes.len()),
            ACK => bytes.len() == 16,
            CLOSE => bytes.len() == 4,
            _ => bytes.len() == 9,
        };
        if !fits {
            return Err(wrong);
        }
        if CRC.checksum(bytes) != u32::from_le_bytes(*crc) {
            return Err(LaneDatagramError::Checksum);
        }
        if kind == HELLO {
            let (from, to) = (
                u32_at(bytes, 1).ok_or(wrong)?,
                u32_at(bytes, 5).ok_or(wrong)?,
            );
            return match from {
                0 => Err(LaneDatagramError::NoToken),
                _ => Ok(Self::Hello { from, to }),
            };
        }
        let body = match kind {
            ACK => {
                let low = u64::from(u32_at(bytes, 8).ok_or(wrong)?);
                let high = u64::from(u32_at(bytes, 12).ok_or(wrong)?);
                Body::Ack {
                    next: u32_at(bytes, 4).ok_or(wrong)?,
                    beyond: high << 32 | low,
                }
            }
            CLOSE => Body::Close,
            _ => Body::Chunk {
                number: u32_at(bytes, 4).ok_or(wrong)?,
                last: kind == LAST_CHUNK,
                bytes: bytes.get(8..).ok_or(wrong)?,
            },
        };
        Ok(Self::Paired {
            pair: u24(bytes).ok_or(wrong)?,
            body,
        })
    }

    /// Writes the datagram into `out`, in place of what was there.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.clear();
        let kind = match self {
            Self::Hello { .. } => HELLO,
            Self::Paired { body, .. } => match body {
                Body::Fast(_) => FAST,
                Body::Chunk { last: false, .. } => CHUNK,
                Body::Chunk { last: true, .. } => LAST_CHUNK,
                Body::Ack { .. } => ACK,
                Body::Close => CLOSE,
            },
        };
        out.push(VERSION | kind);
        match self {
            Self::Hello { from, to } => {
                out.extend_from_slice(&from.to_le_bytes());
                out.extend_from_slice(&to.to_le_bytes());
            }
            Self::Paired { pair, body } => {
                out.extend_from_slice(&pair.to_le_bytes()[..3]);
                match body {
                    Body::Fast(bytes) => {
                        out.extend_from_slice(bytes);
                        return;
                    }
                    Body::Chunk { number, bytes, .. } => {
                        out.extend_from_slice(&number.to_le_bytes());
                        out.extend_from_slice(bytes);
                    }
                    Body::Ack { next, beyond } => {
                        out.extend_from_slice(&next.to_le_bytes());
                        out.extend_from_slice(&beyond.to_le_bytes());
                    }
                    Body::Close => {}
                }
            }
        }
        let crc = CRC.checksum(out);
        out.extend_from_slice(&crc.to_le_bytes());
    }
}

/// Bytes 1 to 3.
fn u24(datagram: &[u8]) -> Option<u32> {
    match *datagram.get(1..4)? {
        [a, b, c] => Some(u32::from_le_bytes([a, b, c, 0])),
        _ => None,
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes
        .get(at..)?
        .first_chunk()
        .map(|four| u32::from_le_bytes(*four))
}
