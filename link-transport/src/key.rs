//! Session keys: what makes a recording of another match fail its checksum.

use crate::Role;

/// A phone's draw for one pairing, 1…65535; 0 means "gave up" or "none".
pub type Nonce = u16;

/// The CRC start of every frame that is not keyed to a session.
pub const CRC_START_DEFAULT: u16 = 0xFFFF;

/// FNV-1a over 32-bit words with the murmur3 finaliser. Source: the format decisions, row `hash32`.
#[must_use]
pub fn hash32(words: &[u32]) -> u32 {
    let mut h = 0x811C_9DC5_u32;
    for &word in words {
        h = (h ^ word).wrapping_mul(0x0100_0193);
    }
    h = (h ^ (h >> 16)).wrapping_mul(0x85EB_CA6B);
    h = (h ^ (h >> 13)).wrapping_mul(0xC2B2_AE35);
    h ^ (h >> 16)
}

/// The two nonces of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SessionKey {
    /// The host's draw.
    pub host_nonce: Nonce,
    /// The guest's draw.
    pub guest_nonce: Nonce,
}

impl SessionKey {
    /// The CRC start of the frames that `sender` sends in this session; never 0.
    #[must_use]
    pub fn crc_start(self, sender: Role) -> u16 {
        let hash = hash32(&[
            self.host_nonce.into(),
            self.guest_nonce.into(),
            7,
            sender.index() as u32,
        ]);
        match hash as u16 {
            0 => CRC_START_DEFAULT,
            start => start,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_vectors() {
        let vectors = include_str!("../../vectors/fec/packets.json");
        assert!(vectors.contains("\"hash32(1,2,7,0)\": 4216557413"));
        assert_eq!(hash32(&[1, 2, 7, 0]), 4_216_557_413);
        let key = SessionKey {
            host_nonce: 1,
            guest_nonce: 2,
        };
        assert!(
            vectors.contains("\"crcKey(1,2,host)\": 36709")
                && vectors.contains("\"crcKey(1,2,guest)\": 28535")
        );
        assert_eq!(
            (key.crc_start(Role::Host), key.crc_start(Role::Guest)),
            (36709, 28535)
        );
    }
}
