//! The packet checksum: CRC-16 over a bit count that need not be whole bytes, with a start value that is the key.

use crc::{CRC_16_IBM_3740, Crc};

/// Polynomial 0x1021, most significant bit first, no reflection, no final XOR; its own start value is 0xFFFF.
static CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_3740);

/// The checksum of the first `nbits` bits of `bytes`, most significant first, starting from `start`.
///
/// A session key is nothing but another start. Source: the format decisions, row "CRC-16".
///
/// # Panics
/// If `bytes` holds fewer than `nbits` bits.
#[must_use]
pub fn crc16(start: u16, bytes: &[u8], nbits: usize) -> u16 {
    let (whole, rest) = bytes.split_at(nbits / 8);
    let mut digest = CRC.digest_with_initial(start);
    digest.update(whole);
    let mut crc = digest.finalize(); // no final XOR: this is the register itself
    // The catalogue knows only bytes; the register takes the last 4 (or 2) bits one by one, as any bit.
    for i in 0..nbits % 8 {
        let bit = u16::from(rest[0] >> (7 - i)) & 1;
        let feedback = (crc >> 15) ^ bit;
        crc = (crc << 1) ^ (feedback * CRC_16_IBM_3740.poly);
    }
    crc
}
