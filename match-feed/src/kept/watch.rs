//! What a machine keeps beside a running match, so that it can write a bundle when the worlds come apart.

use super::{
    bundle::{
        DIGESTS_MAX, DesyncBundle, INPUTS_BYTES_MAX, InputDigests, KeptState, PART_NAME_MAX,
        PARTS_MAX, PeerReport, RING_MAX, RingEntry,
    },
    played::{NAME_BYTES_MAX, PlayedMatch},
    track::{InputTrack, TrackError},
};
use crate::{SEATS_MAX, SeatSet, Tick, WorldHash};
use alloc::{borrow::ToOwned, collections::VecDeque, string::String, vec::Vec};

/// How long the hashes of every tick are kept, seconds.
pub const RING_SECONDS: usize = 30;

/// Keeps the last half minute of hashes with parts, the newest agreed world, and the inputs since.
///
/// Feed it confirmed inputs in order ([`Self::inputs`]), the world after each step ([`Self::stepped`], again after a step that
/// was repeated), and what is agreed ([`Self::agreed`]). Where nothing is ever agreed on, the inputs since the start are kept, up to 16 MiB.
#[derive(Clone, Debug)]
pub struct DesyncWatch {
    played: PlayedMatch,
    machine: String,
    local: SeatSet,
    part_names: Vec<String>,
    ring: VecDeque<RingEntry>,
    ring_max: usize,
    digests: VecDeque<InputDigests>,
    digest: InputDigests,
    agreed: Option<KeptState>,
    inputs: InputTrack,
}

impl DesyncWatch {
    /// Beside the match `played`, on `machine`, which plays the seats `local`.
    ///
    /// # Panics
    /// A field of `played` is out of its bounds.
    #[must_use]
    pub fn new(played: PlayedMatch, machine: &str, local: SeatSet) -> Self {
        assert!(
            played.is_bounded(),
            "the match's description is within its bounds"
        );
        Self {
            machine: cut(machine, NAME_BYTES_MAX),
            local,
            part_names: Vec::new(),
            ring: VecDeque::new(),
            ring_max: (RING_SECONDS * usize::from(played.rate.hz()) + 1).min(RING_MAX),
            digests: VecDeque::new(),
            digest: InputDigests {
                stepped: Tick(0),
                digests: [0; SEATS_MAX],
            },
            agreed: None,
            inputs: InputTrack::new(played.seats, Tick(0), INPUTS_BYTES_MAX),
            played,
        }
    }

    /// The confirmed inputs of the next tick, one a seat, the lowest seat's first.
    ///
    /// # Errors
    /// As [`InputTrack::push`].
    pub fn inputs(&mut self, tick: Tick, inputs: &[&[u8]]) -> Result<(), TrackError> {
        self.inputs.push(tick, inputs)?;
        for (digest, input) in self.digest.digests.iter_mut().zip(inputs) {
            *digest = chain(*digest, tick, input);
        }
        self.digest.stepped = tick.next();
        Ok(())
    }

    /// Keeps this moment's input digests as those of a checkpoint.
    pub fn checkpoint(&mut self) {
        if self
            .digests
            .back()
            .is_none_or(|last| last.stepped < self.digest.stepped)
        {
            if self.digests.len() == DIGESTS_MAX {
                self.digests.pop_front();
            }
            self.digests.push_back(self.digest);
        }
    }

    /// The digests of all inputs so far.
    #[must_use]
    pub const fn digests(&self) -> &InputDigests {
        &self.digest
    }

    /// The world after `stepped` ticks has this hash, and `parts` tells the names and hashes of its parts, always the same
    /// in the same order (a game's `hash_parts`). Takes the place of what was kept of that tick and of any later one. The
    /// first [`PARTS_MAX`] parts count.
    pub fn stepped(
        &mut self,
        stepped: Tick,
        hash: WorldHash,
        parts: impl FnOnce(&mut dyn FnMut(&str, WorldHash)),
    ) {
        while self.ring.back().is_some_and(|last| last.stepped >= stepped) {
            self.ring.pop_back();
        }
        // The memory of the entry that leaves is used again.
        let full = self.ring.len() == self.ring_max;
        let mut hashes = full
            .then(|| self.ring.pop_front())
            .flatten()
            .map_or_else(Vec::new, |oldest| oldest.parts);
        hashes.clear();
        let first = self.part_names.is_empty();
        parts(&mut |name, hash| {
            if first && self.part_names.len() < PARTS_MAX {
                self.part_names.push(cut(name, PART_NAME_MAX));
            }
            if hashes.len() < PARTS_MAX {
                hashes.push(hash);
            }
        });
        // A game that tells other parts than at first breaks its promise: what it tells is made to fit.
        hashes.resize(self.part_names.len(), WorldHash(0));
        self.ring.push_back(RingEntry {
            stepped,
            hash,
            parts: hashes,
        });
    }

    /// Everybody agrees on the world after `stepped` ticks; `state` is what the game saved of it. Older inputs are forgotten. A
    /// world that is not saved, or is older than the newest agreed one, changes nothing.
    pub fn agreed(&mut self, stepped: Tick, state: &[u8]) {
        let newer = self
            .agreed
            .as_ref()
            .is_none_or(|last| last.stepped < stepped);
        if !newer || !(self.inputs.from()..=self.inputs.end()).contains(&stepped) {
            return;
        }
        let mut bytes = self.agreed.take().map_or_else(Vec::new, |last| last.bytes);
        bytes.clear();
        bytes.extend_from_slice(state);
        self.agreed = Some(KeptState { stepped, bytes });
        self.inputs.drop_before(stepped);
    }

    /// The newest agreed world: how many ticks were stepped.
    #[must_use]
    pub fn newest_agreed(&self) -> Option<Tick> {
        self.agreed.as_ref().map(|state| state.stepped)
    }

    /// The bundle: after `found` ticks this world and those of `peers` differ. `diverged` is this machine's world, then or
    /// soon after.
    #[must_use]
    pub fn bundle(
        &self,
        found: Tick,
        peers: &[PeerReport],
        diverged: Option<KeptState>,
    ) -> DesyncBundle {
        DesyncBundle {
            played: self.played.clone(),
            machine: self.machine.clone(),
            local: self.local,
            found,
            peers: peers.to_vec(),
            part_names: self.part_names.clone(),
            ring: self.ring.iter().cloned().collect(),
            digests: self.digests.iter().copied().collect(),
            agreed: self.agreed.clone(),
            diverged,
            inputs: self.inputs.clone(),
        }
    }
}

/// The digest of a seat's inputs that `before` and one more input come to.
fn chain(before: u64, tick: Tick, input: &[u8]) -> u64 {
    let mut bytes = [0; 14];
    bytes[..8].copy_from_slice(&before.to_le_bytes());
    bytes[8..12].copy_from_slice(&tick.0.to_le_bytes());
    bytes[12..].copy_from_slice(&(input.len() as u16).to_le_bytes());
    WorldHash::of(&bytes).0 ^ WorldHash::of(input).0
}

/// `text`, cut at a character so that it has at most `max` bytes.
fn cut(text: &str, max: usize) -> String {
    let mut end = text.len().min(max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}
