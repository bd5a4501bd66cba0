//! Hello: who the sender is, and what it plays.

use super::{
    DELAY_MAX, INPUT_BYTES_MAX, MEMBERS_MAX, Mismatch, PROTOCOL, SEATS_MAX, SETUP_BYTES_MAX,
    WireError,
    bytes::{Reader, Writer},
};

/// What a member takes part as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// From the start.
    Player,
    /// Wants seats of a match that runs.
    Joiner,
    /// Watches.
    Spectator,
}

/// The first message each way, repeated until both ends know each other's nonce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hello<'a> {
    /// [`PROTOCOL`].
    pub protocol: u16,
    /// The sender's number.
    pub from: u8,
    /// What it takes part as.
    pub role: Role,
    /// Bit i: it has (or wants) seat i.
    pub own: u8,
    /// Seats of the match, 1 to 8.
    pub seats: u8,
    /// The sender's random number for this match.
    pub nonce: u64,
    /// The receiver's, if the sender knows it; 0 otherwise.
    pub echo: u64,
    /// Which game and build.
    pub game: u64,
    /// Which content.
    pub content: u64,
    /// Ticks a second, 1 to 240.
    pub rate: u8,
    /// The longest input of a seat and frame, 0 to 64 bytes.
    pub input_bytes: u8,
    /// Frames between hashes, at least 1.
    pub hash_every: u16,
    /// The input delay that the sender would start with, 0 to 60 frames.
    pub delay: u8,
    /// The match's seed, as the sender has it. Member 0's (the host's) counts.
    pub seed: u64,
    /// How often the members changed, as the sender knows it.
    pub epoch: u32,
    /// Bit i: member i plays now, as the sender knows it; 0 before the start.
    pub live: u8,
    /// The game's own words about the match, at most 1 KiB. The host's count.
    pub setup: &'a [u8],
}

impl<'a> Hello<'a> {
    /// What keeps the two from playing each other.
    #[must_use]
    pub fn mismatch(&self, other: &Hello<'_>) -> Option<Mismatch> {
        [
            (self.protocol == other.protocol, Mismatch::Protocol),
            (self.game == other.game, Mismatch::Game),
            (self.content == other.content, Mismatch::Content),
            (self.rate == other.rate, Mismatch::Rate),
            (self.seats == other.seats, Mismatch::Seats),
            (self.input_bytes == other.input_bytes, Mismatch::InputBytes),
            (self.hash_every == other.hash_every, Mismatch::HashEvery),
        ]
        .into_iter()
        .find_map(|(same, what)| (!same).then_some(what))
    }

    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, WireError> {
        let protocol = reader.u16()?;
        if protocol != PROTOCOL {
            // Another version may look otherwise from here on: only the version itself can be told.
            reader.take(reader.rest().len())?;
            return Ok(Self {
                protocol,
                from: 0,
                role: Role::Player,
                own: 0,
                seats: 1,
                nonce: 0,
                echo: 0,
                game: 0,
                content: 0,
                rate: 1,
                input_bytes: 0,
                hash_every: 1,
                delay: 0,
                seed: 0,
                epoch: 0,
                live: 0,
                setup: &[],
            });
        }
        let hello = Self {
            protocol,
            from: reader.u8_to("member", MEMBERS_MAX as u8 - 1)?,
            role: match reader.u8_to("role", 2)? {
                0 => Role::Player,
                1 => Role::Joiner,
                _ => Role::Spectator,
            },
            own: reader.u8()?,
            seats: reader.u8_to("seats", SEATS_MAX as u8)?,
            nonce: reader.u64()?,
            echo: reader.u64()?,
            game: reader.u64()?,
            content: reader.u64()?,
            rate: reader.u8_to("rate", 240)?,
            input_bytes: reader.u8_to("input bytes", INPUT_BYTES_MAX as u8)?,
            hash_every: reader.u16()?,
            delay: reader.u8_to("input delay", DELAY_MAX)?,
            seed: reader.u64()?,
            epoch: reader.u32()?,
            live: reader.u8()?,
            setup: {
                let bytes = usize::from(reader.u16()?);
                if bytes > SETUP_BYTES_MAX {
                    return Err(WireError::Range {
                        field: "setup bytes",
                        value: bytes as u64,
                    });
                }
                reader.take(bytes)?
            },
        };
        let range = |field, value: u64| Err(WireError::Range { field, value });
        if hello.seats == 0 {
            return range("seats", 0);
        }
        if hello.rate == 0 {
            return range("rate", 0);
        }
        if hello.hash_every == 0 {
            return range("hash interval", 0);
        }
        if hello.nonce == 0 {
            return range("nonce", 0);
        }
        let beyond = u16::from(hello.own | hello.live) >> hello.seats;
        if beyond != 0 {
            return range("seat", u64::from(hello.own | hello.live));
        }
        let number = match hello.role {
            Role::Spectator => hello.own == 0 && usize::from(hello.from) >= SEATS_MAX,
            _ => u32::from(hello.from) == hello.own.trailing_zeros(),
        };
        if !number {
            return range("member", u64::from(hello.from));
        }
        Ok(hello)
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.u16(self.protocol);
        writer.u8(self.from);
        writer.u8(match self.role {
            Role::Player => 0,
            Role::Joiner => 1,
            Role::Spectator => 2,
        });
        writer.u8(self.own);
        writer.u8(self.seats);
        writer.u64(self.nonce);
        writer.u64(self.echo);
        writer.u64(self.game);
        writer.u64(self.content);
        writer.u8(self.rate);
        writer.u8(self.input_bytes);
        writer.u16(self.hash_every);
        writer.u8(self.delay);
        writer.u64(self.seed);
        writer.u32(self.epoch);
        writer.u8(self.live);
        writer.u16(self.setup.len() as u16);
        writer.put(self.setup);
    }
}
