//! The receiving half of the reliable lane: chunks in any order → messages in order. Knows no datagram's layout.

use super::WINDOW_CHUNKS;
use crate::RELIABLE_BYTES_MAX;
use alloc::vec::Vec;

#[derive(Debug, Default)]
struct Slot {
    full: bool,
    last: bool,
    bytes: Vec<u8>,
}

/// Holds at most [`WINDOW_CHUNKS`] chunks and one message.
#[derive(Debug)]
pub(super) struct Receiver {
    /// The first chunk that has not been put into a message.
    next: u32,
    /// By number, modulo [`WINDOW_CHUNKS`].
    slots: Vec<Slot>,
    message: Vec<u8>,
    whole: bool,
    taken: bool,
}

/// A message longer than any that a peer may send.
#[derive(Debug, PartialEq)]
pub(super) struct Overlong;

impl Receiver {
    pub fn new() -> Self {
        Self {
            next: 0,
            slots: (0..WINDOW_CHUNKS).map(|_| Slot::default()).collect(),
            message: Vec::new(),
            whole: false,
            taken: false,
        }
    }

    pub fn handle_chunk(&mut self, number: u32, last: bool, bytes: &[u8]) -> Result<(), Overlong> {
        let in_window = number
            .checked_sub(self.next)
            .is_some_and(|ahead| ahead < WINDOW_CHUNKS);
        if in_window {
            let slot = &mut self.slots[(number % WINDOW_CHUNKS) as usize];
            if !slot.full {
                slot.full = true;
                slot.last = last;
                slot.bytes.clear();
                slot.bytes.extend_from_slice(bytes);
            }
        }
        self.advance()
    }

    /// Puts what is next into the message until it is whole.
    fn advance(&mut self) -> Result<(), Overlong> {
        while !self.whole {
            let slot = &mut self.slots[(self.next % WINDOW_CHUNKS) as usize];
            if !slot.full {
                break;
            }
            if self.message.len() + slot.bytes.len() > RELIABLE_BYTES_MAX {
                return Err(Overlong);
            }
            self.message.extend_from_slice(&slot.bytes);
            slot.full = false;
            self.whole = slot.last;
            self.next = self.next.saturating_add(1);
        }
        Ok(())
    }

    /// Whether a whole message is there, once the one handed out before is let go.
    pub fn ready(&mut self) -> Result<bool, Overlong> {
        if self.taken {
            self.taken = false;
            self.whole = false;
            self.message.clear();
            self.advance()?;
        }
        Ok(self.whole)
    }

    /// The message that is [`ready`](Self::ready).
    pub fn take(&mut self) -> &[u8] {
        self.taken = true;
        &self.message
    }

    /// The message that was taken last.
    pub fn message(&self) -> &[u8] {
        &self.message
    }

    /// What an acknowledgement says.
    pub fn ack(&self) -> (u32, u64) {
        let mut beyond = 0;
        for ahead in 1..WINDOW_CHUNKS {
            let number = self.next.saturating_add(ahead);
            if self.slots[(number % WINDOW_CHUNKS) as usize].full {
                beyond |= 1 << (ahead - 1);
            }
        }
        (self.next, beyond)
    }
}
