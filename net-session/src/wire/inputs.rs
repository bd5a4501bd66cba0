//! The packet of every frame: acknowledgements, windows of inputs, round-trip samples and hashes in one.

use super::{
    DELAY_MAX, INPUT_BYTES_MAX, INPUTS, SEATS_MAX, WINDOW_MAX, WireError,
    bytes::{Reader, Writer},
};

const WIDE: u8 = 0x01;
const ECHO: u8 = 0x02;
const HASH: u8 = 0x04;
const PROBE: u8 = 0x08;
const CURSOR: u8 = 0x10;
const FLAGS: u8 = WIDE | ECHO | HASH | PROBE | CURSOR;
/// A token from here on is a new input, and its low bits say how long it is.
const LITERAL: u8 = 0x80;
/// The most repetitions that one token says.
const REPEAT_MAX: u32 = 0x80;
const BURSTS: u8 = 0x80;
const AWAY: u8 = 0x80;

/// Answers a probe, and says how the sender sees the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Echo {
    /// The id of the packet that probed.
    pub id: u8,
    /// How long the sender held the answer back, ms; 255: longer, no sample.
    pub hold_ms: u8,
    /// The sender's next frame to step, relative to the packet's base.
    pub lead: i32,
    /// How far the sender thinks it is ahead of the receiver, eighths of a frame.
    pub ahead: i8,
    /// Of the receiver's last packets, how many in a hundred did not arrive, 0 to 100.
    pub loss: u8,
    /// True if five or more in a row were missing within the last 5 s.
    pub bursts: bool,
    /// The input delay that the sender's links ask for, frames.
    pub wish: u8,
    /// True if the sender's player is away: its inputs are neutral.
    pub away: bool,
}

impl Echo {
    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let id = reader.u8()?;
        let hold_ms = reader.u8()?;
        let lead = reader.zigzag()?;
        let ahead = i8::from_le_bytes(reader.array()?);
        let loss = reader.u8()?;
        let wish = reader.u8()?;
        let range = |field, value: u8| {
            Err(WireError::Range {
                field,
                value: u64::from(value),
            })
        };
        if loss & !BURSTS > 100 {
            return range("loss", loss);
        }
        if wish & !AWAY > DELAY_MAX {
            return range("wish", wish);
        }
        Ok(Self {
            id,
            hold_ms,
            lead,
            ahead,
            loss: loss & !BURSTS,
            bursts: loss & BURSTS != 0,
            wish: wish & !AWAY,
            away: wish & AWAY != 0,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.id);
        writer.u8(self.hold_ms);
        writer.zigzag(self.lead);
        writer.put(&self.ahead.to_le_bytes());
        writer.u8(self.loss.min(100) | if self.bursts { BURSTS } else { 0 });
        writer.u8(self.wish.min(DELAY_MAX) | if self.away { AWAY } else { 0 });
    }
}

/// What the sender holds for the state before `frame`, which is confirmed there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashReport {
    /// The frame before which the state stood.
    pub frame: u32,
    /// The state's hash and all seats' digests, folded into one.
    pub check: u64,
}

/// The first frame of each acknowledged seat that the sender lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acks {
    next: [u32; SEATS_MAX],
    count: usize,
}

impl Acks {
    /// At most eight.
    #[must_use]
    pub fn new(acks: impl IntoIterator<Item = u32>) -> Self {
        let mut this = Self {
            next: [0; SEATS_MAX],
            count: 0,
        };
        for (place, ack) in this.next.iter_mut().zip(acks) {
            *place = ack;
            this.count += 1;
        }
        this
    }

    /// In the order of the seats.
    #[must_use]
    pub fn as_slice(&self) -> &[u32] {
        &self.next[..self.count]
    }
}

/// A window of one seat's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream<'a> {
    /// The frame behind the input that the first token is coded against; the receiver has acknowledged all before it.
    /// 0: coded against an empty input.
    pub reference: u32,
    /// The frame of the first input.
    pub first: u32,
    /// Inputs, 0 to 128.
    pub count: u8,
    tokens: &'a [u8],
}

/// An Inputs message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs<'a> {
    /// Counts the sender's packets to this receiver, modulo 256.
    pub id: u8,
    /// True if the receiver shall echo the id.
    pub probe: bool,
    /// Which seats are acknowledged and which streams follow; `None`: the receiver's lowest seat and the sender's.
    pub wide: Option<(u8, u8)>,
    /// The answer to a probe.
    pub echo: Option<Echo>,
    /// A hash.
    pub hash: Option<HashReport>,
    /// What all frames of the packet are relative to.
    pub base: u32,
    /// One for each acknowledged seat, lowest first.
    pub acks: Acks,
    streams: [Stream<'a>; SEATS_MAX],
    stream_count: usize,
}

/// How a packet ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Inputs written.
    pub count: u32,
    /// True if some did not fit.
    pub cut: bool,
}

fn offset(base: u32, by: i32) -> Result<u32, WireError> {
    base.checked_add_signed(by).ok_or(WireError::Range {
        field: "frame",
        value: u64::from(base),
    })
}

impl<'a> Inputs<'a> {
    pub(super) fn read(kind: u8, reader: &mut Reader<'a>) -> Result<Self, WireError> {
        let flags = kind & !INPUTS;
        if flags & !FLAGS != 0 {
            return Err(WireError::Kind { kind });
        }
        let id = reader.u8()?;
        let wide = if flags & WIDE != 0 {
            Some((reader.u8()?, reader.u8()?))
        } else {
            None
        };
        let echo = if flags & ECHO != 0 {
            Some(Echo::read(reader)?)
        } else {
            None
        };
        let hash = if flags & HASH != 0 {
            Some(HashReport {
                frame: reader.varint()?,
                check: reader.u64()?,
            })
        } else {
            None
        };
        let base = reader.varint()?;
        let (ack_count, stream_count) = match wide {
            Some((acks, streams)) => (acks.count_ones() as usize, streams.count_ones() as usize),
            None => (1, 1),
        };
        let mut acks = Acks {
            next: [0; SEATS_MAX],
            count: ack_count,
        };
        for ack in &mut acks.next[..ack_count] {
            *ack = offset(base, reader.zigzag()?)?;
        }
        let empty = Stream {
            reference: 0,
            first: 0,
            count: 0,
            tokens: &[],
        };
        let mut streams = [empty; SEATS_MAX];
        for (at, stream) in streams[..stream_count].iter_mut().enumerate() {
            *stream = Stream::read(flags, base, at == 0, reader)?;
        }
        Ok(Self {
            id,
            probe: flags & PROBE != 0,
            wide,
            echo,
            hash,
            base,
            acks,
            streams,
            stream_count,
        })
    }

    /// The streams, in the order of their seats.
    #[must_use]
    pub fn streams(&self) -> &[Stream<'a>] {
        &self.streams[..self.stream_count]
    }
}

impl<'a> Stream<'a> {
    fn read(flags: u8, base: u32, first: bool, reader: &mut Reader<'a>) -> Result<Self, WireError> {
        let reference = if first {
            base
        } else {
            offset(base, reader.zigzag()?)?
        };
        let skip = if flags & CURSOR != 0 {
            reader.varint()?
        } else {
            0
        };
        let first = reference
            .checked_add(skip)
            .filter(|first| first.checked_add(WINDOW_MAX).is_some())
            .ok_or(WireError::Range {
                field: "first frame",
                value: u64::from(reference),
            })?;
        let count = reader.u8_to("inputs", WINDOW_MAX as u8)?;
        let tokens = reader.rest();
        let mut got = 0u32;
        while got < u32::from(count) {
            let token = reader.u8()?;
            if token < LITERAL {
                got += u32::from(token) + 1;
            } else {
                let bytes = usize::from(token - LITERAL);
                if bytes > INPUT_BYTES_MAX {
                    return Err(WireError::Range {
                        field: "input bytes",
                        value: bytes as u64,
                    });
                }
                reader.take(bytes)?;
                got += 1;
            }
        }
        if got != u32::from(count) {
            return Err(WireError::Run { got, count });
        }
        let used = tokens.len() - reader.rest().len();
        Ok(Self {
            reference,
            first,
            count,
            tokens: &tokens[..used],
        })
    }

    /// The inputs by frame. `reference` is the input of the frame before [`Stream::reference`].
    pub fn inputs<'b>(&self, reference: &'b [u8]) -> StreamInputs<'b>
    where
        'a: 'b,
    {
        StreamInputs {
            reader: Reader::new(self.tokens),
            input: reference,
            repeats: 0,
            frame: self.first,
            end: self.first + u32::from(self.count),
        }
    }
}

/// The inputs of a stream and their frames.
#[derive(Clone, Debug)]
pub struct StreamInputs<'b> {
    reader: Reader<'b>,
    input: &'b [u8],
    repeats: u32,
    frame: u32,
    end: u32,
}

impl<'b> Iterator for StreamInputs<'b> {
    type Item = (u32, &'b [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.frame == self.end {
            return None;
        }
        if self.repeats > 0 {
            self.repeats -= 1;
        } else {
            let token = self.reader.u8().ok()?;
            if token < LITERAL {
                self.repeats = u32::from(token);
            } else {
                self.input = self.reader.take(usize::from(token - LITERAL)).ok()?;
            }
        }
        let frame = self.frame;
        self.frame += 1;
        Some((frame, self.input))
    }
}

/// Writes an Inputs message: first what stands before the streams, then one stream after the other.
#[derive(Debug)]
pub struct InputsWriter<'a> {
    writer: Writer<'a>,
    base: u32,
    streams: usize,
}

impl<'a> InputsWriter<'a> {
    /// Begins a message. `head` says everything but streams; those must follow in number and order as `head.wide` says.
    #[must_use]
    pub fn new(out: &'a mut [u8], head: &Inputs<'_>, cursor: bool) -> Self {
        let mut writer = Writer::new(out);
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        writer.u8(INPUTS
            | flag(head.wide.is_some(), WIDE)
            | flag(head.echo.is_some(), ECHO)
            | flag(head.hash.is_some(), HASH)
            | flag(head.probe, PROBE)
            | flag(cursor, CURSOR));
        writer.u8(head.id);
        if let Some((acks, streams)) = head.wide {
            writer.put(&[acks, streams]);
        }
        if let Some(echo) = &head.echo {
            echo.write(&mut writer);
        }
        if let Some(hash) = &head.hash {
            writer.varint(hash.frame);
            writer.u64(hash.check);
        }
        writer.varint(head.base);
        for ack in head.acks.as_slice() {
            writer.zigzag(ack.wrapping_sub(head.base) as i32);
        }
        Self {
            writer,
            base: head.base,
            streams: 0,
        }
    }

    /// Adds a stream of the inputs from `first` to before `end`, coded against `previous`, the input before `reference`.
    /// Writes what fits while `keep` bytes stay free behind it, 128 inputs at most.
    pub fn stream<'i>(
        &mut self,
        reference: u32,
        previous: &'i [u8],
        frames: core::ops::Range<u32>,
        cursor: bool,
        keep: usize,
        mut input: impl FnMut(u32) -> &'i [u8],
    ) -> Tail {
        let writer = &mut self.writer;
        if self.streams > 0 {
            writer.zigzag(reference.wrapping_sub(self.base) as i32);
        }
        self.streams += 1;
        if cursor {
            writer.varint(frames.start - reference);
        }
        let count_at = writer.len();
        writer.u8(0);
        let mut previous = previous;
        let mut repeat: Option<(usize, u32)> = None;
        let mut count = 0;
        let mut cut = false;
        for frame in frames {
            if count == WINDOW_MAX {
                cut = true;
                break;
            }
            let next = input(frame);
            if next == previous {
                match &mut repeat {
                    Some((at, length)) if *length < REPEAT_MAX => {
                        *length += 1;
                        writer.set(*at, (*length - 1) as u8);
                    }
                    _ => {
                        if writer.room() < keep + 1 {
                            cut = true;
                            break;
                        }
                        repeat = Some((writer.len(), 1));
                        writer.u8(0);
                    }
                }
            } else {
                if writer.room() < keep + 1 + next.len() {
                    cut = true;
                    break;
                }
                writer.u8(LITERAL + next.len() as u8);
                writer.put(next);
                previous = next;
                repeat = None;
            }
            count += 1;
        }
        writer.set(count_at, count as u8);
        Tail { count, cut }
    }

    /// The message's length; `None` if its buffer was too short.
    #[must_use]
    pub fn finish(self) -> Option<usize> {
        self.writer.finish()
    }
}

impl<'a> Inputs<'a> {
    /// A head for [`InputsWriter::new`]: nothing but an id, a base and acknowledgements.
    #[must_use]
    pub fn head(id: u8, base: u32, acks: Acks) -> Self {
        Self {
            id,
            probe: false,
            wide: None,
            echo: None,
            hash: None,
            base,
            acks,
            streams: [Stream {
                reference: 0,
                first: 0,
                count: 0,
                tokens: &[],
            }; SEATS_MAX],
            stream_count: 0,
        }
    }
}
