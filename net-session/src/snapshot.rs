//! A snapshot on its way out, and one on its way in. Knows no session.

use crate::wire::{INPUT_BYTES_MAX, NO_FRAME, SEATS_MAX};
use alloc::vec::Vec;
use net_transport::NetTime;

/// What stands before the state in a snapshot: delay, epoch, live, seats; of each seat its digest and the input before.
pub(crate) const HEAD_BYTES: usize = 7 + SEATS_MAX * (8 + 1 + INPUT_BYTES_MAX);
/// A state of this end's game that guests are sent.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) frame: u32,
    pub(crate) asked: bool,
    pub(crate) digests: Option<[u64; SEATS_MAX]>,
    /// The head, once all is known, then the state.
    pub(crate) bytes: Vec<u8>,
    pub(crate) has_state: bool,
    pub(crate) is_ready: bool,
}

impl Default for Snapshot {
    fn default() -> Self {
        Self {
            frame: NO_FRAME,
            asked: false,
            digests: None,
            bytes: Vec::new(),
            has_state: false,
            is_ready: false,
        }
    }
}

impl Snapshot {
    pub(crate) fn want(&mut self, frame: u32) {
        self.frame = frame;
        self.asked = false;
        self.has_state = false;
        self.is_ready = false;
        self.digests = None;
    }

    /// True once for every time that the position comes to the frame wanted.
    pub(crate) fn is_due(&mut self, position: u32) -> bool {
        position == self.frame && !self.is_ready && !core::mem::replace(&mut self.asked, true)
    }

    pub(crate) const fn is_for(&self, frame: u32) -> bool {
        self.frame == frame && !self.is_ready
    }

    pub(crate) fn put_digests(&mut self, frame: u32, digests: [u64; SEATS_MAX]) {
        if self.is_for(frame) {
            self.digests = Some(digests);
        }
    }

    /// States after `frame` are stepped again.
    pub(crate) fn forget_after(&mut self, frame: u32) {
        if self.frame != NO_FRAME && self.frame > frame && !self.is_ready {
            self.asked = false;
            self.has_state = false;
        }
    }

    /// All of it, as it is sent; empty before it is ready.
    pub(crate) fn sendable(&self) -> (u32, &[u8]) {
        if self.is_ready {
            (self.frame, &self.bytes)
        } else {
            (self.frame, &[])
        }
    }
}

/// A snapshot that comes in.
#[derive(Debug)]
pub(crate) struct Loading {
    pub(crate) bytes: Vec<u8>,
    pub(crate) max: usize,
    pub(crate) frame: u32,
    pub(crate) total: u32,
    pub(crate) state_at: usize,
    pub(crate) is_due: bool,
    pub(crate) restored_at: NetTime,
}

impl Loading {
    /// For states of at most `bytes_max`, which is allocated now.
    pub(crate) fn new(bytes_max: u32) -> Self {
        let max = if bytes_max == 0 {
            0
        } else {
            bytes_max as usize + HEAD_BYTES
        };
        Self {
            bytes: Vec::with_capacity(max),
            max,
            frame: NO_FRAME,
            total: 0,
            state_at: 0,
            is_due: false,
            restored_at: NetTime::ZERO,
        }
    }

    /// How much is there.
    pub(crate) fn next(&self) -> u32 {
        self.bytes.len() as u32
    }

    pub(crate) fn state(&self) -> &[u8] {
        self.bytes.get(self.state_at..).unwrap_or(&[])
    }
}

/// The start of a snapshot, read strictly.
pub(crate) struct Head {
    pub(crate) delay: u8,
    pub(crate) epoch: u32,
    pub(crate) live: u8,
    pub(crate) digests: [u64; SEATS_MAX],
    pub(crate) inputs: [([u8; INPUT_BYTES_MAX], usize); SEATS_MAX],
    pub(crate) bytes: usize,
}

impl Head {
    pub(crate) fn read(all: &[u8], seats: u8, input_bytes: u8) -> Option<Self> {
        let mut rest = all;
        let mut take = |count: usize| {
            let (taken, after) = rest.split_at_checked(count)?;
            rest = after;
            Some(taken)
        };
        let delay = take(1)?[0];
        let epoch = u32::from_le_bytes(take(4)?.try_into().ok()?);
        let live = take(1)?[0];
        if take(1)?[0] != seats || delay > crate::wire::DELAY_MAX {
            return None;
        }
        let mut digests = [0; SEATS_MAX];
        let mut inputs = [([0; INPUT_BYTES_MAX], 0); SEATS_MAX];
        for at in 0..usize::from(seats) {
            digests[at] = u64::from_le_bytes(take(8)?.try_into().ok()?);
            let len = take(1)?[0];
            if len > input_bytes {
                return None;
            }
            inputs[at].1 = usize::from(len);
            inputs[at].0[..usize::from(len)].copy_from_slice(take(usize::from(len))?);
        }
        Some(Self {
            delay,
            epoch,
            live,
            digests,
            inputs,
            bytes: all.len() - rest.len(),
        })
    }
}
