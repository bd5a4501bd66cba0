//! Buffers that go round: a packet on its way takes one and gives it back. Knows nothing of links.

use crate::{FAST_BYTES_MAX, Lane};
use alloc::vec::Vec;

/// The buffers of one hub. Grows to the most that was ever on its way, and allocates no more then.
#[derive(Debug)]
pub(super) struct Pool {
    small: Vec<Vec<u8>>,
    large: Vec<Vec<u8>>,
}

impl Default for Pool {
    fn default() -> Self {
        Self {
            small: Vec::with_capacity(4 * super::INBOX_USUAL),
            large: Vec::with_capacity(super::INBOX_USUAL),
        }
    }
}

impl Pool {
    /// A buffer that holds a copy of `bytes`.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        let lane = if bytes.len() <= SMALL_BYTES {
            &mut self.small
        } else {
            &mut self.large
        };
        let mut buffer = lane
            .pop()
            .unwrap_or_else(|| Vec::with_capacity(bytes.len().max(SMALL_BYTES)));
        buffer.extend_from_slice(bytes);
        buffer
    }

    pub fn give_back(&mut self, mut buffer: Vec<u8>) {
        buffer.clear();
        match buffer.capacity() <= SMALL_BYTES {
            true => self.small.push(buffer),
            false => self.large.push(buffer),
        }
    }
}

/// What a fast message, a datagram of [`crate::DatagramLanes`] included, fits into.
const SMALL_BYTES: usize = super::DATAGRAM_BYTES_MAX;
const _: () = assert!(SMALL_BYTES >= FAST_BYTES_MAX && SMALL_BYTES < Lane::Reliable.bytes_max());
