//! Messages of the start, of changes of members, of joining and of hashes that differ.

use super::{
    CHUNK_BYTES_MAX, DELAY_MAX, NO_FRAME, NO_MEMBER, PART_NAME_MAX, PARTS_MAX, SEATS_MAX,
    SNAPSHOT_BYTES_MAX, WireError,
    bytes::{Reader, Writer},
};

/// The sender has ten round-trip samples of everyone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    /// The slowest of its links: half the round trip and the 95th percentile of its jitter, µs.
    pub one_way_us: u32,
    /// What this receiver must be shown when the sender comes back after it was dropped.
    pub proof: [u8; 16],
    /// True if the sender has the receiver's Ready.
    pub heard: bool,
}

impl Ready {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self {
            one_way_us: reader.u32()?,
            proof: reader.array()?,
            heard: reader.u8_to("heard", 1)? == 1,
        })
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.one_way_us);
        writer.put(&self.proof);
        writer.u8(u8::from(self.heard));
    }
}

/// The host starts the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The input delay, frames.
    pub delay: u8,
    /// How long the receiver waits before it starts, µs: the host starts when its Start has reached everyone.
    pub wait_us: u32,
    /// Bit i: member i plays.
    pub live: u8,
}

impl Start {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self {
            delay: reader.u8_to("input delay", DELAY_MAX)?,
            wait_us: reader.u32()?,
            live: reader.u8()?,
        })
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.delay);
        writer.u32(self.wait_us);
        writer.u8(self.live);
    }
}

/// Whom the sender hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Counts the sender's views; older ones are ignored.
    pub count: u32,
    /// The newest epoch that the sender holds committed.
    pub epoch: u32,
    /// Bit i: it hears player i, would go on with it, and promised nothing else. Its own bit is set.
    pub reach: u8,
}

impl View {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self {
            count: reader.u32()?,
            epoch: reader.u32()?,
            reach: reader.u8()?,
        })
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.count);
        writer.u32(self.epoch);
        writer.u8(self.reach);
    }
}

/// The coordinator asks all who shall stay for their promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Propose {
    /// The epoch to be: one more than the coordinator's.
    pub epoch: u32,
    /// Counts the proposals for this epoch; only the newest counts.
    pub round: u32,
    /// Bit i: member i shall play.
    pub live: u8,
    /// Who comes in; [`NO_MEMBER`] for nobody.
    pub joiner: u8,
    /// Which seats it takes.
    pub joins: u8,
    /// From which frame on.
    pub at: u32,
}

impl Propose {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let propose = Self {
            epoch: reader.u32()?,
            round: reader.u32()?,
            live: reader.u8()?,
            joiner: reader.u8()?,
            joins: reader.u8()?,
            at: reader.u32()?,
        };
        let joins = propose.joiner != NO_MEMBER;
        let fits = if joins {
            usize::from(propose.joiner) < SEATS_MAX
                && propose.live & 1 << propose.joiner != 0
                && propose.joins.trailing_zeros() == u32::from(propose.joiner)
                && propose.at != NO_FRAME
        } else {
            propose.joins == 0 && propose.at == NO_FRAME
        };
        if !fits {
            return Err(WireError::Range {
                field: "joiner",
                value: u64::from(propose.joiner),
            });
        }
        Ok(propose)
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.epoch);
        writer.u32(self.round);
        writer.u8(self.live);
        writer.u8(self.joiner);
        writer.u8(self.joins);
        writer.u32(self.at);
    }
}

fn read_seats(reader: &mut Reader<'_>) -> Result<u8, WireError> {
    match reader.u8_to("seats", SEATS_MAX as u8)? {
        0 => Err(WireError::Range {
            field: "seats",
            value: 0,
        }),
        seats => Ok(seats),
    }
}

/// A member's promise to take nothing more from those who are to go, and not to pass the joiner's first frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The proposal's.
    pub epoch: u32,
    /// The proposal's.
    pub round: u32,
    /// Frames that the sender has confirmed.
    pub confirmed: u32,
    /// Seats of the match.
    pub seats: u8,
    /// The first frame of each seat of which the sender has no input.
    pub next: [u32; SEATS_MAX],
}

impl Promise {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let mut promise = Self {
            epoch: reader.u32()?,
            round: reader.u32()?,
            confirmed: reader.u32()?,
            seats: read_seats(reader)?,
            next: [0; SEATS_MAX],
        };
        for next in &mut promise.next[..usize::from(promise.seats)] {
            *next = reader.u32()?;
        }
        Ok(promise)
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.epoch);
        writer.u32(self.round);
        writer.u32(self.confirmed);
        writer.u8(self.seats);
        for next in self.next.iter().take(usize::from(self.seats)) {
            writer.u32(*next);
        }
    }
}

/// What becomes of a seat. Frames before `end` are as they were sent; from `end` to before `from` neutral; from `from`
/// on `owner`'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitSeat {
    /// Who gives its inputs from `from` on; [`NO_MEMBER`]: nobody.
    pub owner: u8,
    /// The first frame that is not the former owner's.
    pub end: u32,
    /// The first frame of `owner`; [`NO_FRAME`] without one.
    pub from: u32,
    /// Who passes on the former owner's last inputs; [`NO_MEMBER`] if everyone has them.
    pub holder: u8,
    /// True if `owner` plays it by a bot.
    pub bot: bool,
}

/// The members and seats as of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Which change this is.
    pub epoch: u32,
    /// Bit i: member i plays.
    pub live: u8,
    /// Seats of the match.
    pub seats: u8,
    /// Each seat.
    pub seat: [CommitSeat; SEATS_MAX],
}

impl CommitSeat {
    /// A seat that nobody ever had.
    pub(crate) const NOBODY: Self = Self {
        owner: NO_MEMBER,
        end: 0,
        from: NO_FRAME,
        holder: NO_MEMBER,
        bot: false,
    };

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let member = |field, value: u8| {
            if usize::from(value) < SEATS_MAX || value == NO_MEMBER {
                Ok(value)
            } else {
                Err(WireError::Range {
                    field,
                    value: u64::from(value),
                })
            }
        };
        let seat = Self {
            owner: member("owner", reader.u8()?)?,
            end: reader.u32()?,
            from: reader.u32()?,
            holder: member("holder", reader.u8()?)?,
            bot: reader.u8_to("bot", 1)? == 1,
        };
        if seat.end > seat.from || (seat.owner == NO_MEMBER) != (seat.from == NO_FRAME) {
            return Err(WireError::Range {
                field: "first frame",
                value: u64::from(seat.from),
            });
        }
        Ok(seat)
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.owner);
        writer.u32(self.end);
        writer.u32(self.from);
        writer.u8(self.holder);
        writer.u8(u8::from(self.bot));
    }
}

impl Commit {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let mut commit = Self {
            epoch: reader.u32()?,
            live: reader.u8()?,
            seats: read_seats(reader)?,
            seat: [CommitSeat::NOBODY; SEATS_MAX],
        };
        for seat in &mut commit.seat[..usize::from(commit.seats)] {
            *seat = CommitSeat::read(reader)?;
            if seat.owner != NO_MEMBER && commit.live & 1 << seat.owner == 0 {
                return Err(WireError::Range {
                    field: "owner",
                    value: u64::from(seat.owner),
                });
            }
        }
        Ok(commit)
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.epoch);
        writer.u8(self.live);
        writer.u8(self.seats);
        for seat in self.seat.iter().take(usize::from(self.seats)) {
            seat.write(writer);
        }
    }
}

/// One named part of a state's hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// Which part, at most 24 bytes.
    pub name: &'a str,
    /// Its hash.
    pub hash: u64,
}

/// All that the sender knows of the state before `frame`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts<'a> {
    /// The frame before which the state stood.
    pub frame: u32,
    /// False if the sender never came to that frame: hash, digests and parts say nothing then.
    pub known: bool,
    /// The state's hash.
    pub hash: u64,
    /// Seats of the match.
    pub seats: u8,
    /// The digest of each seat's inputs before `frame`.
    pub digests: [u64; SEATS_MAX],
    /// The parts.
    pub parts: PartsReader<'a>,
}

/// Parts as they stand in a message, checked already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartsReader<'a> {
    bytes: &'a [u8],
    count: u8,
}

impl<'a> PartsReader<'a> {
    /// No part.
    pub const EMPTY: Self = Self {
        bytes: &[],
        count: 0,
    };

    /// Parts that were encoded by [`PartsReader::encode`].
    ///
    /// # Errors
    /// Anything else.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, WireError> {
        let mut reader = Reader::new(bytes);
        let parts = Self::read(&mut reader)?;
        reader.end()?;
        Ok(parts)
    }

    /// Writes `parts`, of which those beyond [`PARTS_MAX`] are left out and names are cut to [`PART_NAME_MAX`] bytes.
    /// The bytes written; `None` if `out` is too short.
    pub fn encode(parts: &[Part<'_>], out: &mut [u8]) -> Option<usize> {
        let mut writer = Writer::new(out);
        writer.u8(parts.len().min(PARTS_MAX) as u8);
        for part in parts.iter().take(PARTS_MAX) {
            let mut len = part.name.len().min(PART_NAME_MAX);
            while !part.name.is_char_boundary(len) {
                len -= 1;
            }
            writer.u8(len as u8);
            writer.put(&part.name.as_bytes()[..len]);
            writer.u64(part.hash);
        }
        writer.finish()
    }

    fn read_one(reader: &mut Reader<'a>) -> Result<Part<'a>, WireError> {
        let bytes = reader.u8_to("name bytes", PART_NAME_MAX as u8)?;
        let name = reader.take(usize::from(bytes))?;
        Ok(Part {
            name: core::str::from_utf8(name).map_err(|_| WireError::Name)?,
            hash: reader.u64()?,
        })
    }

    fn read(reader: &mut Reader<'a>) -> Result<Self, WireError> {
        let count = reader.u8_to("parts", PARTS_MAX as u8)?;
        let bytes = reader.rest();
        for _ in 0..count {
            Self::read_one(reader)?;
        }
        let used = bytes.len() - reader.rest().len();
        Ok(Self {
            bytes: &bytes[..used],
            count,
        })
    }

    /// The parts, in the sender's order.
    pub fn iter(self) -> impl Iterator<Item = Part<'a>> {
        let mut reader = Reader::new(self.bytes);
        (0..self.count).map_while(move |_| Self::read_one(&mut reader).ok())
    }
}

impl<'a> Parts<'a> {
    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, WireError> {
        let mut parts = Self {
            frame: reader.u32()?,
            known: reader.u8_to("known", 1)? == 1,
            hash: reader.u64()?,
            seats: read_seats(reader)?,
            digests: [0; SEATS_MAX],
            parts: PartsReader::EMPTY,
        };
        for digest in &mut parts.digests[..usize::from(parts.seats)] {
            *digest = reader.u64()?;
        }
        parts.parts = PartsReader::read(reader)?;
        Ok(parts)
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.frame);
        writer.u8(u8::from(self.known));
        writer.u64(self.hash);
        writer.u8(self.seats);
        for digest in self.digests.iter().take(usize::from(self.seats)) {
            writer.u64(*digest);
        }
        writer.u8(self.parts.count);
        writer.put(self.parts.bytes);
    }
}

/// Asks the coordinator for a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Bit i: it wants seat i; 0: it watches.
    pub seats: u8,
    /// What the receiver was told in the Ready of the one who had the seats; zeros for seats that nobody had.
    pub proof: [u8; 16],
    /// The next frame that the sender would step, if it has a state already; [`NO_FRAME`] otherwise.
    pub have: u32,
}

impl Ask {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self {
            seats: reader.u8()?,
            proof: reader.array()?,
            have: reader.u32()?,
        })
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.seats);
        writer.put(&self.proof);
        writer.u32(self.have);
    }
}

/// A piece of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// The frame before which the state stood.
    pub frame: u32,
    /// Bytes of the whole snapshot, 1 to 16 MiB.
    pub total: u32,
    /// Where these bytes belong.
    pub offset: u32,
    /// 1 to 1,024 bytes, within `total`.
    pub bytes: &'a [u8],
}

impl<'a> Chunk<'a> {
    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, WireError> {
        let chunk = Self {
            frame: reader.u32()?,
            total: reader.u32()?,
            offset: reader.u32()?,
            bytes: reader.take(reader.rest().len())?,
        };
        let range = |field, value: usize| {
            Err(WireError::Range {
                field,
                value: value as u64,
            })
        };
        if chunk.total > SNAPSHOT_BYTES_MAX {
            return range("snapshot bytes", chunk.total as usize);
        }
        if chunk.bytes.is_empty() || chunk.bytes.len() > CHUNK_BYTES_MAX {
            return range("chunk bytes", chunk.bytes.len());
        }
        if chunk.offset as usize + chunk.bytes.len() > chunk.total as usize {
            return range("chunk offset", chunk.offset as usize);
        }
        Ok(chunk)
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.frame);
        writer.u32(self.total);
        writer.u32(self.offset);
        writer.put(self.bytes);
    }
}
