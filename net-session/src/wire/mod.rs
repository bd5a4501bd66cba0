//! The messages between members of a match, to the bit as `docs/NETPLAY.md` says. Knows no session and no time.
//!
//! Decoding is strict: unknown kinds, truncation, trailing bytes, values out of range and oversized runs are errors.
//! Nothing here allocates: a decoded message borrows from its bytes.

mod bytes;
mod control;
mod hello;
mod inputs;
mod seal;

pub use control::{
    Ask, Chunk, Commit, CommitSeat, Part, Parts, PartsReader, Promise, Propose, Ready, Start, View,
};
pub use hello::{Hello, Role};
pub use inputs::{Acks, Echo, HashReport, Inputs, InputsWriter, Stream, StreamInputs, Tail};
pub(crate) use seal::{ANYONE, Key, check, fold_input, proof};
pub use seal::{Secret, TAG_BYTES, seal_hello, seal_message};

use bytes::{Reader, Writer};

/// The version of this protocol, told in Hello.
pub const PROTOCOL: u16 = 1;
/// Members of a match: numbers 0 to 7 play (a player's number is its lowest seat), 8 to 15 watch.
pub const MEMBERS_MAX: usize = 16;
/// Seats of a match.
pub const SEATS_MAX: usize = match_feed::SEATS_MAX;
/// The longest input of a seat and frame, bytes.
pub const INPUT_BYTES_MAX: usize = 64;
/// The longest game setup, bytes.
pub const SETUP_BYTES_MAX: usize = 1_024;
/// The most frames in one stream of one packet.
pub const WINDOW_MAX: u32 = 128;
/// The most parts of a hash.
pub const PARTS_MAX: usize = 32;
/// The longest name of a part, bytes.
pub const PART_NAME_MAX: usize = 24;
/// The largest snapshot, bytes, what the session puts before it included: 16 MiB.
pub const SNAPSHOT_BYTES_MAX: u32 = 16 << 20;
/// The most snapshot bytes in one chunk.
pub const CHUNK_BYTES_MAX: usize = 1_024;
/// The longest message but Parts and Hello, tag included: what the fast lane takes.
pub const MESSAGE_BYTES_MAX: usize = 2_048;
/// No frame.
pub const NO_FRAME: u32 = u32::MAX;
/// No member.
pub const NO_MEMBER: u8 = 0xFF;
/// The highest input delay, frames.
pub const DELAY_MAX: u8 = 60;

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The message ends within a field.
    #[error("the message is cut short")]
    Truncated,
    /// Bytes behind the last field.
    #[error("{bytes} bytes behind the end of the message")]
    Trailing {
        /// How many.
        bytes: usize,
    },
    /// No message begins like this.
    #[error("unknown kind of message {kind:#04x}")]
    Kind {
        /// The first byte.
        kind: u8,
    },
    /// A field holds what it must not.
    #[error("{field} cannot be {value}")]
    Range {
        /// Which field.
        field: &'static str,
        /// What it holds.
        value: u64,
    },
    /// A number of variable length that is too long or too large.
    #[error("a number is not in its shortest form or above 32 bits")]
    LongVarint,
    /// Tokens that say more or fewer inputs than announced.
    #[error("tokens for {got} inputs where {count} were announced")]
    Run {
        /// Inputs said by the tokens so far.
        got: u32,
        /// Inputs announced.
        count: u8,
    },
    /// A name that is no text.
    #[error("a part's name is not UTF-8")]
    Name,
}

/// Why two games will not play each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// Other protocol.
    #[error("another version of the network protocol")]
    Protocol,
    /// Other game or build.
    #[error("another game or another build of it")]
    Game,
    /// Other content.
    #[error("other game content (maps, rules, data)")]
    Content,
    /// Other tick rate.
    #[error("another tick rate")]
    Rate,
    /// Other number of seats.
    #[error("another number of seats")]
    Seats,
    /// Other longest input.
    #[error("another longest input")]
    InputBytes,
    /// Other hash interval.
    #[error("another interval of hashes")]
    HashEvery,
    /// A seat that somebody else has, or a number that is not the sender's lowest seat.
    #[error("a seat that is taken already")]
    SeatTaken,
}

/// Why a member says goodbye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ByeReason {
    /// Its player left.
    Quit,
    /// The match is over and all hashes are exchanged.
    Done,
    /// Two games came out of step.
    Desync,
    /// The two games do not fit.
    Version,
    /// What came was no message, or one that nobody honest sends.
    Garbage,
    /// The others went on without the receiver.
    Dropped,
    /// No seat or place for the receiver, or a wrong proof.
    Refused,
    /// The match ended because somebody went.
    Ended,
}

impl ByeReason {
    const ALL: [Self; 8] = [
        Self::Quit,
        Self::Done,
        Self::Desync,
        Self::Version,
        Self::Garbage,
        Self::Dropped,
        Self::Refused,
        Self::Ended,
    ];
}

/// A message without its tag. It lives on the stack between two slices, so that its size costs nothing.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message<'a> {
    /// Who the sender is and what it plays.
    Hello(Hello<'a>),
    /// Asks for a Pong.
    Ping {
        /// Comes back in the Pong.
        id: u8,
    },
    /// Answers a Ping at once.
    Pong {
        /// The Ping's.
        id: u8,
    },
    /// The sender has all its round-trip samples.
    Ready(Ready),
    /// The match begins.
    Start(Start),
    /// The sender goes.
    Bye {
        /// Why.
        reason: ByeReason,
    },
    /// Whom the sender hears.
    View(View),
    /// The coordinator asks for a change of members.
    Propose(Propose),
    /// A member agrees.
    Promise(Promise),
    /// The change holds.
    Commit(Commit),
    /// Another input delay from a frame on.
    Delay {
        /// Counts the changes from 1.
        change: u32,
        /// The new delay, frames.
        delay: u8,
        /// From which frame on.
        frame: u32,
    },
    /// All that the sender knows of a state that differs.
    Parts(Parts<'a>),
    /// Asks to play or to watch.
    Ask(Ask),
    /// A piece of a snapshot.
    Chunk(Chunk<'a>),
    /// How much of a snapshot is there.
    ChunkAck {
        /// The snapshot's frame.
        frame: u32,
        /// The first byte that is missing.
        next: u32,
    },
    /// The sender has run up to the present.
    CaughtUp {
        /// Where it is.
        frame: u32,
    },
    /// The packet of every frame.
    Inputs(Inputs<'a>),
}

const HELLO: u8 = 0x01;
const PING: u8 = 0x02;
const PONG: u8 = 0x03;
const READY: u8 = 0x04;
const START: u8 = 0x05;
const BYE: u8 = 0x06;
const VIEW: u8 = 0x07;
const PROPOSE: u8 = 0x08;
const PROMISE: u8 = 0x09;
const COMMIT: u8 = 0x0A;
const DELAY: u8 = 0x0B;
const PARTS: u8 = 0x0C;
const ASK: u8 = 0x0D;
const CHUNK: u8 = 0x0E;
const CHUNK_ACK: u8 = 0x0F;
const CAUGHT_UP: u8 = 0x10;
/// Kinds from here on are Inputs; their low bits are flags.
const INPUTS: u8 = 0x80;

/// True if these bytes claim to be a Hello, whose tag is made with the secret alone.
pub(crate) fn is_hello(bytes: &[u8]) -> bool {
    bytes.first() == Some(&HELLO)
}

impl<'a> Message<'a> {
    /// Reads one message; `bytes` end where its tag begins.
    ///
    /// # Errors
    /// Anything but exactly one legal message.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, WireError> {
        let mut reader = Reader::new(bytes);
        let kind = reader.u8()?;
        let message = match kind {
            HELLO => Self::Hello(Hello::read(&mut reader)?),
            PING => Self::Ping { id: reader.u8()? },
            PONG => Self::Pong { id: reader.u8()? },
            READY => Self::Ready(Ready::read(&mut reader)?),
            START => Self::Start(Start::read(&mut reader)?),
            BYE => {
                let reason = reader.u8_to("goodbye reason", ByeReason::ALL.len() as u8)?;
                let reason = reason
                    .checked_sub(1)
                    .and_then(|at| ByeReason::ALL.get(usize::from(at)));
                Self::Bye {
                    reason: *reason.ok_or(WireError::Range {
                        field: "goodbye reason",
                        value: 0,
                    })?,
                }
            }
            VIEW => Self::View(View::read(&mut reader)?),
            PROPOSE => Self::Propose(Propose::read(&mut reader)?),
            PROMISE => Self::Promise(Promise::read(&mut reader)?),
            COMMIT => Self::Commit(Commit::read(&mut reader)?),
            DELAY => Self::Delay {
                change: reader.u32()?,
                delay: reader.u8_to("input delay", DELAY_MAX)?,
                frame: reader.u32()?,
            },
            PARTS => Self::Parts(Parts::read(&mut reader)?),
            ASK => Self::Ask(Ask::read(&mut reader)?),
            CHUNK => Self::Chunk(Chunk::read(&mut reader)?),
            CHUNK_ACK => Self::ChunkAck {
                frame: reader.u32()?,
                next: reader.u32()?,
            },
            CAUGHT_UP => Self::CaughtUp {
                frame: reader.u32()?,
            },
            flags if flags >= INPUTS => Self::Inputs(Inputs::read(flags, &mut reader)?),
            kind => return Err(WireError::Kind { kind }),
        };
        reader.end()?;
        Ok(message)
    }

    /// Writes the message; its length, or `None` if `out` is too short. Inputs are written by [`InputsWriter`] instead,
    /// and an Inputs message gives `None` here.
    pub fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let mut writer = Writer::new(out);
        match self {
            Self::Hello(hello) => {
                writer.u8(HELLO);
                hello.write(&mut writer);
            }
            Self::Ping { id } => writer.put(&[PING, *id]),
            Self::Pong { id } => writer.put(&[PONG, *id]),
            Self::Ready(ready) => {
                writer.u8(READY);
                ready.write(&mut writer);
            }
            Self::Start(start) => {
                writer.u8(START);
                start.write(&mut writer);
            }
            Self::Bye { reason } => {
                let at = ByeReason::ALL.iter().position(|it| it == reason)?;
                writer.put(&[BYE, at as u8 + 1]);
            }
            Self::View(view) => {
                writer.u8(VIEW);
                view.write(&mut writer);
            }
            Self::Propose(propose) => {
                writer.u8(PROPOSE);
                propose.write(&mut writer);
            }
            Self::Promise(promise) => {
                writer.u8(PROMISE);
                promise.write(&mut writer);
            }
            Self::Commit(commit) => {
                writer.u8(COMMIT);
                commit.write(&mut writer);
            }
            Self::Delay {
                change,
                delay,
                frame,
            } => {
                writer.u8(DELAY);
                writer.u32(*change);
                writer.u8(*delay);
                writer.u32(*frame);
            }
            Self::Parts(parts) => {
                writer.u8(PARTS);
                parts.write(&mut writer);
            }
            Self::Ask(ask) => {
                writer.u8(ASK);
                ask.write(&mut writer);
            }
            Self::Chunk(chunk) => {
                writer.u8(CHUNK);
                chunk.write(&mut writer);
            }
            Self::ChunkAck { frame, next } => {
                writer.u8(CHUNK_ACK);
                writer.u32(*frame);
                writer.u32(*next);
            }
            Self::CaughtUp { frame } => {
                writer.u8(CAUGHT_UP);
                writer.u32(*frame);
            }
            Self::Inputs(_) => return None,
        }
        writer.finish()
    }
}
