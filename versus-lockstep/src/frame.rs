//! One game frame: the fields to bits and the bits to fields, strictly. Knows no queue, no window and no match.

use crate::{EndKind, GamePeek, peek::PeekError};
use bitvec::{order::Msb0, slice::BitSlice};
use heapless::Vec;
use link_transport::RXQ_MAX;
use match_feed::Tick;
use versus_codec::{BitReader, BitWriter, CommandCodec, DecodeError, EncodeError, TurnContext};

/// The longest a frame's span may be: it describes at most one turn more.
pub const SPAN_MAX: u32 = 64;
/// The most turns one frame describes.
pub const FRAME_TURNS_MAX: usize = SPAN_MAX as usize + 1;
/// The most commands one turn holds.
pub const TURN_COMMANDS_MAX: u8 = 15;
/// A frame whose `to` is further than this from what is expected is refused.
pub const TO_DISTANCE_MAX: u32 = 200;
/// A checkpoint is taken every this many ticks.
pub const CHECKPOINT_EVERY: u32 = 50;

/// Checkpoint numbers on the wire count modulo this.
const CHECKPOINT_INDEX_BITS: u32 = 4;

/// What a receiver expects, to unwrap the frame's short counters against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expect {
    /// The newest turn held without a gap (`ack_through`): `to` is the value nearest it.
    pub to: u32,
    /// The receiver's current tick: ticks on the wire are the values nearest it.
    pub tick: Tick,
}

/// The trail after a tick, as frames carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrailMark {
    /// The tick that was stepped last.
    pub tick: Tick,
    /// The low 16 bits of the trail after it.
    pub trail: u16,
}

/// What a phone says of its end of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum End {
    /// It plays on.
    #[default]
    Playing,
    /// It left.
    Left,
    /// It found the two worlds to differ.
    Desync,
    /// Its world was decided by stepping this tick.
    Decided(TrailMark),
}

impl End {
    /// The wire's number for it, 0…3.
    #[must_use]
    pub fn code(self) -> u8 {
        EndKind::from(self).code()
    }
}

/// A turn that has commands, as its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameTurn<'a> {
    /// Which turn.
    pub turn: u32,
    /// How many commands, 1…[`TURN_COMMANDS_MAX`].
    pub commands: u8,
    /// The commands, encoded one after the other under one [`TurnContext`].
    pub bits: &'a BitSlice<u8, Msb0>,
}

impl FrameTurn<'_> {
    /// Hands each command to `each`, in order. The unit context starts afresh, as it does in every turn.
    ///
    /// # Errors
    /// The bits are no legal commands. A turn of a decoded frame always is.
    pub fn decode<C: CommandCodec>(
        &self,
        codec: &C,
        mut each: impl FnMut(C::Command),
    ) -> Result<(), DecodeError> {
        let mut input = BitReader::new(self.bits);
        let mut context = TurnContext::default();
        for _ in 0..self.commands {
            each(codec.decode(&mut context, &mut input)?);
        }
        Ok(())
    }
}

/// One game frame with every counter unwrapped. Turns `from` to `to` that are not in `turns` are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFrame<'a> {
    /// The sender has paused.
    pub paused: bool,
    /// The sender's end of the match.
    pub end: End,
    /// How well the sender hears the receiver, 0…7 in steps of 3 dB.
    pub rxq: u8,
    /// The oldest turn described.
    pub from: u32,
    /// The newest turn described.
    pub to: u32,
    /// The sender's current tick: how many it has stepped.
    pub tick: Tick,
    /// The newest of the receiver's turns that the sender holds without a gap.
    pub ack_through: u32,
    /// The turns that have commands, ascending.
    pub turns: Vec<FrameTurn<'a>, FRAME_TURNS_MAX>,
    /// The sender's newest checkpoint, where it fits.
    pub checkpoint: Option<TrailMark>,
}

/// Bits that are no game frame. The whole frame is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The first two bits say it is something else.
    #[error("frame type {found:02b} is not a game frame (01)")]
    NotAGameFrame {
        /// The two bits.
        found: u8,
    },
    /// A field of the frame itself is cut short or malformed.
    #[error("{field}: {cause}")]
    Field {
        /// Which.
        field: &'static str,
        /// What is wrong with it.
        cause: DecodeError,
    },
    /// A command is cut short or illegal.
    #[error("command {command} of turn {turn}: {cause}")]
    Command {
        /// The turn.
        turn: u32,
        /// The command's place in it, from 0.
        command: u8,
        /// What is wrong with it.
        cause: DecodeError,
    },
    /// `to` is nowhere near what this match has come to.
    #[error(
        "newest turn is {distance} from the expected {expected}: the most is {TO_DISTANCE_MAX}"
    )]
    ToTooFar {
        /// What was expected.
        expected: u32,
        /// How far off it is, negative for behind.
        distance: i32,
    },
    /// More turns than a frame may describe.
    #[error("span {span}: the most is {SPAN_MAX}")]
    SpanTooLong {
        /// The span read.
        span: u64,
    },
    /// It describes turns before the match began.
    #[error("it goes {span} turns back from turn {to}: before the first")]
    FromBelowZero {
        /// The newest turn.
        to: u32,
        /// The span read.
        span: u32,
    },
    /// A counter before the match began.
    #[error("{field} {value} is below zero")]
    BelowZero {
        /// Which.
        field: &'static str,
        /// Its value.
        value: i64,
    },
    /// It names a turn with commands that it does not describe.
    #[error("turn {turn} has commands, but the newest described is {to}")]
    TurnPastTo {
        /// The turn named.
        turn: u64,
        /// The newest turn.
        to: u32,
    },
    /// More commands than a turn may hold.
    #[error("{count} commands in turn {turn}: the most is {TURN_COMMANDS_MAX}")]
    TooManyCommands {
        /// The turn.
        turn: u32,
        /// The count read.
        count: u64,
    },
    /// A turn longer than any this match's sender can seal.
    #[error("turn {turn} takes {bits} bits: the most is {max}")]
    TurnTooLong {
        /// The turn.
        turn: u32,
        /// Its length.
        bits: usize,
        /// The longest that can be sealed.
        max: usize,
    },
    /// It acknowledges turns that were never sealed.
    #[error("it acknowledges turn {ack_through}, but {newest_sealed} is the newest sealed")]
    AckAhead {
        /// What it acknowledges.
        ack_through: u32,
        /// The newest sealed.
        newest_sealed: u32,
    },
    /// Its counters contradict each other: it stepped a turn it does not hold, or sealed beyond its input delay.
    #[error("at tick {tick} no phone holds turn {ack_through} and describes turn {to}")]
    Inconsistent {
        /// The sender's tick.
        tick: Tick,
        /// What it acknowledges.
        ack_through: u32,
        /// Its newest turn.
        to: u32,
    },
    /// Its sender cannot have come that far: turns it would have needed were never sealed.
    #[error("it is at tick {tick}, but cannot be past {limit} yet")]
    TickAhead {
        /// The sender's tick.
        tick: Tick,
        /// The furthest it can be.
        limit: Tick,
    },
    /// It reports the trail of a tick that its sender has not stepped.
    #[error("it reports the trail after tick {mark}, but is only at tick {tick}")]
    MarkAhead {
        /// The tick of the report.
        mark: Tick,
        /// The sender's tick.
        tick: Tick,
    },
}

impl From<PeekError> for FrameError {
    fn from(error: PeekError) -> Self {
        match error {
            PeekError::NotAGameFrame { found } => Self::NotAGameFrame { found },
            PeekError::Field { field, cause } => Self::Field { field, cause },
        }
    }
}

impl From<End> for EndKind {
    fn from(end: End) -> Self {
        match end {
            End::Playing => Self::Playing,
            End::Left => Self::Left,
            End::Desync => Self::Desync,
            End::Decided(_) => Self::Decided,
        }
    }
}

impl<'a> GameFrame<'a> {
    /// Reads the frame at the start of `bits`; what follows it is ignored, whatever it is.
    ///
    /// Work is bounded by the length of `bits`. Every command is decoded once, and so known to be legal.
    ///
    /// # Errors
    /// Anything that is not a legal frame. Source: the specification's "Frames", under "Rejecting frames".
    pub fn decode<C: CommandCodec>(
        bits: &'a BitSlice<u8, Msb0>,
        expect: Expect,
        codec: &C,
    ) -> Result<Self, FrameError> {
        let mut input = BitReader::new(bits);
        let field = |field| move |cause| FrameError::Field { field, cause };
        let GamePeek { paused, end } = GamePeek::read(&mut input)?;
        let rxq = input.bits(3).map_err(field("rxq"))? as u8;
        let to = unwrap_to(input.bits(16).map_err(field("to"))? as u16, expect.to)?;
        let span = input.ue().map_err(field("span"))?;
        if span > SPAN_MAX.into() {
            return Err(FrameError::SpanTooLong { span });
        }
        let span = span as u32;
        let Some(from) = to.checked_sub(span) else {
            return Err(FrameError::FromBelowZero { to, span });
        };
        let tick_lag = input.se().map_err(field("tickLag"))?;
        let tick = Tick(not_below_zero("tick", i64::from(to) - tick_lag)?);
        let ack = input.se().map_err(field("ack"))?;
        let ack_through = not_below_zero("ack", i64::from(to) + ack)?;
        let turns = read_turns(&mut input, from, to, codec)?;
        let has_checkpoint = input.flag().map_err(field("hash"))?;
        let checkpoint = if has_checkpoint {
            let index = input
                .bits(CHECKPOINT_INDEX_BITS)
                .map_err(field("hashIdx"))?;
            let trail = input.bits(16).map_err(field("hash trail"))? as u16;
            let tick = unwrap_checkpoint(index as u32, expect.tick)?;
            Some(TrailMark { tick, trail })
        } else {
            None
        };
        let end = match end {
            EndKind::Playing => End::Playing,
            EndKind::Left => End::Left,
            EndKind::Desync => End::Desync,
            EndKind::Decided => {
                let tick = input.bits(16).map_err(field("endTick"))? as u16;
                let trail = input.bits(16).map_err(field("endTrail"))? as u16;
                let tick = Tick(not_below_zero("endTick", nearest(tick, expect.tick.0))?);
                End::Decided(TrailMark { tick, trail })
            }
        };
        Ok(Self {
            paused,
            end,
            rxq,
            from,
            to,
            tick,
            ack_through,
            turns,
            checkpoint,
        })
    }

    /// Writes the frame; counters wrap.
    ///
    /// # Errors
    /// No room in `out`, a number its field cannot hold, or turns that do not lie ascending within `from` to `to` with
    /// commands in each.
    pub fn encode(&self, out: &mut BitWriter<'_>) -> Result<(), EncodeError> {
        let (paused, end) = (self.paused, self.end.into());
        GamePeek { paused, end }.write(out)?;
        if self.rxq > RXQ_MAX {
            return Err(out_of_place("rxq", self.rxq.into())());
        }
        out.bits(self.rxq.into(), 3)?;
        out.bits((self.to as u16).into(), 16)?;
        let span = self.to.checked_sub(self.from);
        out.ue(span.ok_or_else(out_of_place("from", self.from))?.into())?;
        out.se(i64::from(self.to) - i64::from(self.tick.0))?;
        out.se(i64::from(self.ack_through) - i64::from(self.to))?;
        out.ue(self.turns.len() as u64)?;
        let mut next = self.from;
        for turn in &self.turns {
            let gap = turn.turn.checked_sub(next).filter(|_| turn.turn <= self.to);
            out.ue(gap.ok_or_else(out_of_place("turn", turn.turn))?.into())?;
            let count_less_one = turn.commands.checked_sub(1);
            out.ue(count_less_one
                .ok_or_else(out_of_place("empty turn", turn.turn))?
                .into())?;
            out.copy(turn.bits)?;
            next = turn.turn + 1;
        }
        out.flag(self.checkpoint.is_some())?;
        if let Some(checkpoint) = self.checkpoint {
            let index = checkpoint.tick.0 / CHECKPOINT_EVERY % (1 << CHECKPOINT_INDEX_BITS);
            out.bits(index.into(), CHECKPOINT_INDEX_BITS)?;
            out.bits(checkpoint.trail.into(), 16)?;
        }
        if let End::Decided(report) = self.end {
            out.bits((report.tick.0 as u16).into(), 16)?;
            out.bits(report.trail.into(), 16)?;
        }
        Ok(())
    }

    /// How many turns the sender could step without hearing anything more: `ack + tickLag` on the wire. −1 says that
    /// it waits for the receiver's next turn.
    #[must_use]
    pub fn slack(&self) -> i32 {
        self.ack_through.wrapping_sub(self.tick.0) as i32
    }
}

fn out_of_place(what: &'static str, value: u32) -> impl FnOnce() -> EncodeError {
    move || EncodeError::OutOfPlace {
        what,
        value: value.into(),
    }
}

fn read_turns<'a, C: CommandCodec>(
    input: &mut BitReader<'a>,
    from: u32,
    to: u32,
    codec: &C,
) -> Result<Vec<FrameTurn<'a>, FRAME_TURNS_MAX>, FrameError> {
    let field = |field| move |cause| FrameError::Field { field, cause };
    let non_empty = input.ue().map_err(field("nonEmpty"))?;
    let mut turns = Vec::new();
    let mut next = u64::from(from);
    for _ in 0..non_empty {
        let gap = input.ue().map_err(field("gap"))?;
        let past = FrameError::TurnPastTo {
            turn: next + gap,
            to,
        };
        let turn = u32::try_from(next + gap)
            .ok()
            .filter(|&turn| turn <= to)
            .ok_or(past)?;
        let count = input.ue().map_err(field("count"))? + 1;
        if count > TURN_COMMANDS_MAX.into() {
            return Err(FrameError::TooManyCommands { turn, count });
        }
        let start = input.at();
        let mut context = TurnContext::default();
        for command in 0..count as u8 {
            let illegal = |cause| FrameError::Command {
                turn,
                command,
                cause,
            };
            codec.decode(&mut context, input).map_err(illegal)?;
        }
        let read = FrameTurn {
            turn,
            commands: count as u8,
            bits: input.since(start),
        };
        // Turns ascend within a span of at most SPAN_MAX, so there is always room.
        turns.push(read).map_err(|_| past)?;
        next = u64::from(turn) + 1;
    }
    Ok(turns)
}

/// The value nearest `expected` that is `short` modulo 65536; of two equally near, the lower.
fn nearest(short: u16, expected: u32) -> i64 {
    let ahead = short.wrapping_sub(expected as u16) as i16;
    i64::from(expected) + i64::from(ahead)
}

fn unwrap_to(short: u16, expected: u32) -> Result<u32, FrameError> {
    let to = nearest(short, expected);
    let distance = (to - i64::from(expected)) as i32;
    if distance.unsigned_abs() > TO_DISTANCE_MAX {
        return Err(FrameError::ToTooFar { expected, distance });
    }
    not_below_zero("to", to)
}

/// The checkpoint of number `index` modulo 16 nearest `tick`; of two exactly 8 apart, the lower.
fn unwrap_checkpoint(index: u32, tick: Tick) -> Result<Tick, FrameError> {
    const INDICES: u32 = 1 << CHECKPOINT_INDEX_BITS;
    let expected = tick.0 / CHECKPOINT_EVERY;
    let ahead = index.wrapping_sub(expected) % INDICES;
    let number = if ahead < INDICES / 2 {
        i64::from(expected) + i64::from(ahead)
    } else {
        i64::from(expected) + i64::from(ahead) - i64::from(INDICES)
    };
    not_below_zero("checkpoint", number * i64::from(CHECKPOINT_EVERY)).map(Tick)
}

fn not_below_zero(field: &'static str, value: i64) -> Result<u32, FrameError> {
    u32::try_from(value).map_err(|_| FrameError::BelowZero { field, value })
}
