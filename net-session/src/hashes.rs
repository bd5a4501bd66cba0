//! This end's hashes of confirmed states, until all members have compared them.

use crate::wire::{
    HashReport, NO_FRAME, PART_NAME_MAX, PARTS_MAX, Part, PartsReader, SEATS_MAX, check,
};
use alloc::vec::Vec;

/// Hashes that are kept at once.
const KEPT: usize = 16;
const PARTS_BYTES: usize = 1 + PARTS_MAX * (1 + PART_NAME_MAX + 8);

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) frame: u32,
    pub(crate) hash: Option<u64>,
    pub(crate) digests: Option<[u64; SEATS_MAX]>,
    /// What is compared, once all of it is known.
    check: Option<u64>,
    parts: Vec<u8>,
    parts_len: usize,
}

impl Entry {
    pub(crate) fn parts(&self) -> PartsReader<'_> {
        PartsReader::decode(&self.parts[..self.parts_len]).unwrap_or(PartsReader::EMPTY)
    }

    pub(crate) const fn check(&self) -> Option<u64> {
        self.check
    }

    fn complete(&mut self, seats: u8) {
        let known = self.hash.zip(self.digests);
        self.check =
            known.map(|(hash, digests)| check(self.frame, hash, &digests[..usize::from(seats)]));
    }
}

/// A ring of hashes by frame. Allocates when made.
#[derive(Debug)]
pub(crate) struct Hashes {
    seats: u8,
    entries: Vec<Entry>,
}

impl Hashes {
    pub(crate) fn new(seats: u8) -> Self {
        let entry = Entry {
            frame: NO_FRAME,
            hash: None,
            digests: None,
            check: None,
            parts: alloc::vec![0; PARTS_BYTES],
            parts_len: 0,
        };
        Self {
            entries: alloc::vec![entry; KEPT],
            seats,
        }
    }

    pub(crate) fn get(&self, frame: u32) -> Option<&Entry> {
        self.entries.iter().find(|it| it.frame == frame)
    }

    fn slot(&mut self, frame: u32) -> Option<&mut Entry> {
        let at = match self.entries.iter().position(|it| it.frame == frame) {
            Some(at) => at,
            None => {
                let oldest = |it: &Entry| u64::from(it.frame.wrapping_add(1));
                let at = (0..KEPT).min_by_key(|&at| oldest(&self.entries[at]))?;
                let entry = &mut self.entries[at];
                entry.frame = frame;
                entry.hash = None;
                entry.digests = None;
                entry.check = None;
                entry.parts_len = 0;
                at
            }
        };
        self.entries.get_mut(at)
    }

    pub(crate) fn put_hash(&mut self, frame: u32, hash: u64, parts: &[Part<'_>]) {
        let seats = self.seats;
        if let Some(entry) = self.slot(frame) {
            entry.hash = Some(hash);
            entry.parts_len = PartsReader::encode(parts, &mut entry.parts).unwrap_or(0);
            entry.complete(seats);
        }
    }

    pub(crate) fn put_digests(&mut self, frame: u32, digests: [u64; SEATS_MAX]) {
        let seats = self.seats;
        if let Some(entry) = self.slot(frame) {
            entry.digests = Some(digests);
            entry.complete(seats);
        }
    }

    /// States after `frame` are stepped again: their hashes say nothing any more.
    pub(crate) fn forget_after(&mut self, frame: u32) {
        for entry in &mut self.entries {
            if entry.frame != NO_FRAME && entry.frame > frame {
                entry.hash = None;
                entry.check = None;
            }
        }
    }

    pub(crate) fn has_hash(&self, frame: u32) -> bool {
        self.get(frame).is_some_and(|it| it.hash.is_some())
    }

    /// The newest state of which hash and digests are known.
    pub(crate) fn newest(&self) -> Option<HashReport> {
        let known = self
            .entries
            .iter()
            .filter_map(|it| Some((it.frame, it.check?)));
        known
            .max_by_key(|(frame, _)| *frame)
            .map(|(frame, check)| HashReport { frame, check })
    }
}
