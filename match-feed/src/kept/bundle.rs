//! The bundle that a machine writes when its world and a peer's came apart.

use super::{
    bytes::{KeptError, Kind, Reader, Writer},
    played::{NAME_BYTES_MAX, PlayedMatch},
    track::InputTrack,
};
use crate::{SEATS_MAX, Seat, SeatSet, Tick, WorldHash};
use alloc::{string::String, vec::Vec};

/// The longest bundle, bytes: two states of 16 MiB, the inputs between them, and hashes.
pub const BUNDLE_BYTES_MAX: usize = 64 << 20;
/// The most parts that a world is divided into.
pub const PARTS_MAX: usize = 32;
/// The longest name of a part, bytes.
pub const PART_NAME_MAX: usize = 32;
/// The largest state, bytes.
const STATE_BYTES_MAX: usize = 16 << 20;
/// The most ticks whose hashes are kept: a minute at 240 ticks a second.
pub(super) const RING_MAX: usize = 60 * 240;
/// The most checkpoints whose input digests are kept.
pub(super) const DIGESTS_MAX: usize = 256;
/// What the inputs may take.
pub(super) const INPUTS_BYTES_MAX: usize = 16 << 20;

const KIND: Kind = Kind {
    magic: b"sdesync",
    version: 1,
    what: "a desync bundle",
    bytes_max: BUNDLE_BYTES_MAX,
};

/// A world's hashes after a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingEntry {
    /// How many ticks were stepped.
    pub stepped: Tick,
    /// The whole world's.
    pub hash: WorldHash,
    /// The parts', in the order of [`DesyncBundle::part_names`].
    pub parts: Vec<WorldHash>,
}

/// Digests of all inputs up to a checkpoint, one a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputDigests {
    /// How many ticks the inputs are of.
    pub stepped: Tick,
    /// By seat; those of seats that the match lacks are 0.
    pub digests: [u64; SEATS_MAX],
}

/// A saved world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptState {
    /// How many ticks were stepped.
    pub stepped: Tick,
    /// What the game saved.
    pub bytes: Vec<u8>,
}

/// What a peer said of the tick where the worlds differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerReport {
    /// The lowest seat that the peer plays.
    pub seat: Seat,
    /// Its world's hash.
    pub hash: WorldHash,
    /// Its parts' hashes; none if it told none.
    pub parts: Vec<WorldHash>,
    /// Its digests of the inputs; 0 where it told none.
    pub digests: [u64; SEATS_MAX],
}

/// Everything that one machine knows of a desync. Two machines' bundles of one match say where and why
/// (see [`compare_bundles`](super::compare_bundles)).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DesyncBundle {
    /// What was played.
    pub played: PlayedMatch,
    /// The machine that writes: processor, system, engine; at most [`NAME_BYTES_MAX`] bytes.
    pub machine: String,
    /// The seats that this machine plays.
    pub local: SeatSet,
    /// How many ticks were stepped where the hashes were found to differ.
    pub found: Tick,
    /// What each peer said of it.
    pub peers: Vec<PeerReport>,
    /// The names of the world's parts, at most [`PARTS_MAX`], each at most [`PART_NAME_MAX`] bytes.
    pub part_names: Vec<String>,
    /// This world's hashes, oldest first: of every tick, for 30 s or more, where the host hashes every tick.
    pub ring: Vec<RingEntry>,
    /// This machine's digests of the inputs, by checkpoint, oldest first.
    pub digests: Vec<InputDigests>,
    /// The newest world on which everybody agreed. `None` for a game that cannot be saved: then it is the start.
    pub agreed: Option<KeptState>,
    /// This machine's world at [`Self::found`] or soon after, if it was still to be had.
    pub diverged: Option<KeptState>,
    /// Every confirmed input since the agreed world, or since the start.
    pub inputs: InputTrack,
}

impl DesyncBundle {
    /// As bytes, for a file.
    ///
    /// # Panics
    /// A field is out of the bounds stated beside it.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        assert_eq!(
            self.illegal(),
            None,
            "every field of a bundle is within its bounds"
        );
        let mut to = Writer::new(&KIND);
        self.played.write(&mut to);
        to.text(&self.machine);
        to.u8(self.local.bits());
        to.u32(self.found.0);
        to.u8(self.part_names.len() as u8);
        self.part_names.iter().for_each(|name| to.text(name));
        to.u8(self.peers.len() as u8);
        for peer in &self.peers {
            to.u8(peer.seat.into());
            to.u64(peer.hash.0);
            to.u8(u8::from(!peer.parts.is_empty()));
            peer.parts.iter().for_each(|part| to.u64(part.0));
            peer.digests[..usize::from(self.played.seats)]
                .iter()
                .for_each(|digest| to.u64(*digest));
        }
        to.count(self.ring.len());
        for entry in &self.ring {
            to.u32(entry.stepped.0);
            to.u64(entry.hash.0);
            entry.parts.iter().for_each(|part| to.u64(part.0));
        }
        to.count(self.digests.len());
        for entry in &self.digests {
            to.u32(entry.stepped.0);
            entry.digests[..usize::from(self.played.seats)]
                .iter()
                .for_each(|digest| to.u64(*digest));
        }
        for state in [&self.agreed, &self.diverged] {
            to.u8(u8::from(state.is_some()));
            if let Some(state) = state {
                to.u32(state.stepped.0);
                to.count(state.bytes.len());
                to.bytes(&state.bytes);
            }
        }
        self.inputs.write(&mut to);
        to.finish()
    }

    /// Reads what [`Self::encode`] wrote and nothing else. Allocates no more than a small multiple of the file's length.
    ///
    /// # Errors
    /// Anything else, with the first field that cannot be.
    pub fn decode(file: &[u8]) -> Result<Self, KeptError> {
        let mut from = Reader::new(&KIND, file)?;
        let played = PlayedMatch::read(&mut from)?;
        let seats = usize::from(played.seats);
        let machine = from.text("machine", NAME_BYTES_MAX)?;
        let local = SeatSet::from_bits(from.u8("local seats")?);
        let found = Tick(from.u32("tick found")?);
        let part_count = usize::from(from.u8("number of parts")?);
        if part_count > PARTS_MAX {
            return Err(from.range("number of parts"));
        }
        let part_names = (0..part_count)
            .map(|_| from.text("part's name", PART_NAME_MAX))
            .collect::<Result<Vec<_>, _>>()?;
        let peer_count = usize::from(from.u8("number of peers")?);
        let peers = (0..peer_count)
            .map(|_| read_peer(&mut from, seats, part_count))
            .collect::<Result<Vec<_>, _>>()?;
        let ring = (0..from.count("number of hashes", 12 + 8 * part_count)?)
            .map(|_| {
                Ok(RingEntry {
                    stepped: Tick(from.u32("hash's tick")?),
                    hash: WorldHash(from.u64("hash")?),
                    parts: read_parts(&mut from, part_count)?,
                })
            })
            .collect::<Result<Vec<_>, KeptError>>()?;
        let digests = (0..from.count("number of digests", 4 + 8 * seats)?)
            .map(|_| {
                let stepped = Tick(from.u32("digests' tick")?);
                Ok(InputDigests {
                    stepped,
                    digests: read_digests(&mut from, seats)?,
                })
            })
            .collect::<Result<Vec<_>, KeptError>>()?;
        let agreed = read_state(&mut from)?;
        let diverged = read_state(&mut from)?;
        let inputs = InputTrack::read(&mut from, played.seats, INPUTS_BYTES_MAX)?;
        let bundle = Self {
            played,
            machine,
            local,
            found,
            peers,
            part_names,
            ring,
            digests,
            agreed,
            diverged,
            inputs,
        };
        if let Some(field) = bundle.illegal() {
            return Err(from.range(field));
        }
        from.finish()?;
        Ok(bundle)
    }

    /// The first field that is out of its bounds.
    fn illegal(&self) -> Option<&'static str> {
        let parts = self.part_names.len();
        let seats = usize::from(self.played.seats);
        let past_seats =
            |digests: &[u64; SEATS_MAX]| digests[seats..].iter().all(|digest| *digest == 0);
        let small = |state: &Option<KeptState>| {
            state
                .as_ref()
                .is_none_or(|it| it.bytes.len() <= STATE_BYTES_MAX)
        };
        let start = self.agreed.as_ref().map_or(Tick(0), |state| state.stepped);
        let laws = [
            ("match", self.played.is_bounded()),
            ("machine", self.machine.len() <= NAME_BYTES_MAX),
            (
                "local seats",
                self.local.iter().all(|seat| seat.index() < seats),
            ),
            (
                "parts' names",
                parts <= PARTS_MAX
                    && self
                        .part_names
                        .iter()
                        .all(|name| name.len() <= PART_NAME_MAX),
            ),
            (
                "peers",
                self.peers.len() <= SEATS_MAX
                    && self.peers.iter().all(|peer| {
                        peer.seat.index() < seats
                            && (peer.parts.is_empty() || peer.parts.len() == parts)
                            && past_seats(&peer.digests)
                    }),
            ),
            (
                "hashes",
                self.ring.len() <= RING_MAX
                    && self.ring.iter().all(|entry| entry.parts.len() == parts)
                    && ascending(self.ring.iter().map(|entry| entry.stepped)),
            ),
            (
                "digests",
                self.digests.len() <= DIGESTS_MAX
                    && self.digests.iter().all(|entry| past_seats(&entry.digests))
                    && ascending(self.digests.iter().map(|entry| entry.stepped)),
            ),
            ("states", small(&self.agreed) && small(&self.diverged)),
            (
                "inputs",
                self.inputs.from() == start && self.inputs.seats() == self.played.seats,
            ),
        ];
        laws.into_iter()
            .find(|(_, holds)| !holds)
            .map(|(field, _)| field)
    }
}

fn read_peer(from: &mut Reader, seats: usize, part_count: usize) -> Result<PeerReport, KeptError> {
    Ok(PeerReport {
        seat: Seat::new(from.u8("peer's seat")?).ok_or(from.range("peer's seat"))?,
        hash: WorldHash(from.u64("peer's hash")?),
        parts: match from.u8("peer's parts")? {
            0 => Vec::new(),
            1 if part_count > 0 => read_parts(from, part_count)?,
            _ => return Err(from.range("peer's parts")),
        },
        digests: read_digests(from, seats)?,
    })
}

fn read_parts(from: &mut Reader, count: usize) -> Result<Vec<WorldHash>, KeptError> {
    (0..count)
        .map(|_| Ok(WorldHash(from.u64("part's hash")?)))
        .collect()
}

fn read_digests(from: &mut Reader, seats: usize) -> Result<[u64; SEATS_MAX], KeptError> {
    let mut digests = [0; SEATS_MAX];
    for digest in &mut digests[..seats] {
        *digest = from.u64("input digest")?;
    }
    Ok(digests)
}

fn read_state(from: &mut Reader) -> Result<Option<KeptState>, KeptError> {
    match from.u8("state")? {
        0 => Ok(None),
        1 => {
            let stepped = Tick(from.u32("state's tick")?);
            let length = from.count("state's length", 1)?;
            Ok(Some(KeptState {
                stepped,
                bytes: from.bytes("state", length)?.to_vec(),
            }))
        }
        _ => Err(from.range("state")),
    }
}

fn ascending(ticks: impl Iterator<Item = Tick>) -> bool {
    ticks.is_sorted_by(|earlier, later| earlier < later)
}
