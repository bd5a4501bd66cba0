//! The reader: a machine that takes bytes as they come and hands out frames.

use crate::{
    Foreign, Format, Note, SampleKind, WavError,
    foreign::HEAD_BYTES,
    format::{FMT_MAX, FMT_MIN},
    sample::{decode, looks_like_floats},
};
use alloc::{string::String, vec, vec::Vec};

/// Foreign bytes in front of a WAV file that are skipped: a byte-order mark, a tag, a server's header.
pub const FRONT_MAX: usize = 4096;
/// Samples handed out at a time, at most (but a whole frame at least).
const SAMPLES_A_TIME: usize = 4096;
/// Bytes of sound looked at where integer or float has to be guessed.
const GUESS_BYTES: usize = 4096;
/// What a Wave64 file's identifiers end with, the chunks' and the file's own.
const W64_TAIL: [u8; 12] = [
    0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A,
];
const W64_RIFF: [u8; 16] = [
    b'r', b'i', b'f', b'f', 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
];
/// A RIFF file's identifier, size and kind; a Wave64 file's.
const RIFF_HEAD: usize = 12;
const W64_HEAD: usize = 40;
/// Chunks that recorders write: what an odd chunk is followed by, and an empty one.
const KNOWN: [&[u8; 4]; 26] = [
    b"data", b"fmt ", b"LIST", b"fact", b"bext", b"JUNK", b"junk", b"PAD ", b"FLLR", b"cue ",
    b"smpl", b"inst", b"iXML", b"axml", b"aXML", b"chna", b"id3 ", b"ID3 ", b"PEAK", b"DISP",
    b"_PMX", b"acid", b"plst", b"ds64", b"afsp", b"levl",
];

/// How chunks are framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Riff {
        big_endian: bool,
    },
    /// RF64 and BW64: sizes beyond 32 bits stand in a chunk `ds64`.
    Riff64,
    /// Sony's: 16-byte names, 8-byte sizes that count the header, chunks aligned to 8 bytes.
    Wave64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the container.
    Front,
    /// Before a chunk's header; `odd` if the one before may have left a padding byte.
    Chunk { odd: bool },
    /// In a chunk that nothing is wanted of.
    Skip { left: u64, odd: bool },
    /// In `fmt ` or `ds64`, all of which is kept.
    Keep {
        name: [u8; 4],
        bytes: usize,
        odd: bool,
    },
    /// A `data` chunk that claims to be empty: what comes next tells.
    EmptyData,
    /// In the sound; `promised` bytes of it, if that is known.
    Sound { promised: Option<u64>, found: u64 },
    /// Behind the sound.
    Behind { bytes: u64, odd: bool },
}

/// Reads one file from its bytes, in order. See the crate's page for its rules.
#[derive(Debug)]
pub struct Reader {
    state: State,
    container: Container,
    /// Bytes that wait for more: part of a header, of `fmt `, or of a frame. Never more than a frame or [`FRONT_MAX`] and a bit.
    held: Vec<u8>,
    read: u64,
    format: Option<Format>,
    /// The size of the sound by `ds64`.
    long_size: Option<u64>,
    frames: u64,
    notes: Vec<Note>,
    samples: Vec<f32>,
    /// Whether [`Format::kind`] is settled.
    settled: bool,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// A reader that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self {
            state: State::Front,
            container: Container::Riff { big_endian: false },
            held: Vec::new(),
            read: 0,
            format: None,
            long_size: None,
            frames: 0,
            notes: Vec::new(),
            samples: Vec::new(),
            settled: true,
        }
    }

    /// What the header says, once it was read. Whether samples are floats may still change before the first one.
    #[must_use]
    pub fn format(&self) -> Option<&Format> {
        self.format.as_ref()
    }

    /// Frames handed out so far.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// What a person should be told of the file, so far. Each is there once.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Takes the next bytes, any number; `take` gets the format and whole frames, interleaved. After an error the reader is
    /// of no more use.
    ///
    /// # Errors
    /// [`WavError`] says why the file cannot be read.
    pub fn push(
        &mut self,
        mut bytes: &[u8],
        mut take: impl FnMut(&Format, &[f32]),
    ) -> Result<(), WavError> {
        self.read += bytes.len() as u64;
        // The sound goes straight through; everything else is small and waits until it is whole.
        loop {
            match self.state {
                State::Sound { .. } if self.settled => {
                    bytes = self.sound(bytes, &mut take);
                    if bytes.is_empty() {
                        return Ok(());
                    }
                }
                State::Skip { left, odd } => {
                    let now = left.min((self.held.len() + bytes.len()) as u64);
                    let of_held = (now as usize).min(self.held.len());
                    self.held.drain(..of_held);
                    bytes = &bytes[now as usize - of_held..];
                    if now < left {
                        self.state = State::Skip {
                            left: left - now,
                            odd,
                        };
                        return Ok(());
                    }
                    self.state = State::Chunk { odd };
                }
                State::Behind { bytes: behind, odd }
                    if self.held.len() + bytes.len() >= 9 || behind > 0 =>
                {
                    self.behind(bytes, behind, odd);
                    return Ok(());
                }
                _ => {
                    // A step at a time: what is left over goes back to where it came from.
                    let wanted = self.wanted();
                    let more = wanted.saturating_sub(self.held.len()).min(bytes.len());
                    self.held.extend_from_slice(&bytes[..more]);
                    bytes = &bytes[more..];
                    if self.held.len() < wanted {
                        return Ok(());
                    }
                    // More is wanted where the first bytes are foreign.
                    if self.held.len() >= self.wanted() {
                        self.step()?;
                    }
                }
            }
        }
    }

    /// The file has ended: hands out what was held back, and says what the format was.
    ///
    /// # Errors
    /// [`WavError`] if there was no sound's beginning.
    pub fn finish(&mut self, mut take: impl FnMut(&Format, &[f32])) -> Result<Format, WavError> {
        if self.read == 0 {
            return Err(WavError::Empty);
        }
        let cut = WavError::HeaderCut { bytes: self.read };
        if self.state == State::Front {
            self.step()?;
        }
        if let State::Keep { name, .. } = self.state
            && name == *b"fmt "
        {
            return Err(cut);
        }
        if self.state == State::EmptyData {
            // Too little follows to be anything: less than a chunk's name.
            self.begin_sound(None);
        }
        if matches!(self.state, State::Sound { .. }) {
            if !self.settled {
                self.settle();
            }
            self.sound(&[], &mut take);
        }
        let format = self.format.ok_or_else(|| cut.clone())?;
        match self.state {
            State::Sound { promised, found } => {
                let frame = format.frame_bytes() as u64;
                match promised {
                    Some(promised) if promised > found => {
                        self.note(Note::CutShort { promised, found });
                    }
                    None if found == 0 => self.notes.retain(|note| *note != Note::SizeUnknown),
                    _ => {}
                }
                if !self.held.is_empty() && found % frame != 0 {
                    self.note(Note::PartFrame);
                }
                Ok(format)
            }
            State::Behind { bytes: 0, odd } => {
                self.behind(&[], 0, odd);
                Ok(format)
            }
            State::Behind { .. } => Ok(format),
            _ => Err(cut),
        }
    }

    fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Bytes that the next step wants to see.
    fn wanted(&self) -> usize {
        let header = match self.container {
            Container::Wave64 => 24,
            _ => 8,
        };
        match self.state {
            // At once where nothing foreign comes first.
            State::Front if self.held.len() < W64_HEAD || container_at(&self.held).is_some() => {
                W64_HEAD
            }
            State::Front => FRONT_MAX + W64_HEAD,
            State::Chunk { odd } => header + usize::from(odd),
            State::Keep { bytes, .. } => bytes,
            State::EmptyData => 8,
            State::Sound { promised, .. } => {
                let promised =
                    promised.map_or(GUESS_BYTES, |bytes| bytes.min(GUESS_BYTES as u64) as usize);
                promised.max(1)
            }
            State::Behind { .. } => 9,
            State::Skip { .. } => 0,
        }
    }

    /// Does what the state says with the bytes held.
    fn step(&mut self) -> Result<(), WavError> {
        match self.state {
            State::Front => self.front(),
            State::Chunk { odd } => self.chunk(odd),
            State::Keep { name, odd, .. } => self.kept(name, odd),
            State::EmptyData => {
                self.empty_data();
                Ok(())
            }
            State::Sound { .. } => {
                self.settle();
                Ok(())
            }
            State::Skip { .. } | State::Behind { .. } => Ok(()),
        }
    }

    fn front(&mut self) -> Result<(), WavError> {
        let found = (0..=self.held.len().min(FRONT_MAX))
            .find_map(|at| container_at(&self.held[at..]).map(|container| (at, container)));
        let Some((at, container)) = found else {
            let head = &self.held[..self.held.len().min(HEAD_BYTES)];
            if let Some(kind) = other_riff(head) {
                return Err(WavError::OtherRiff { kind });
            }
            if begins_riff(head) {
                return Err(WavError::HeaderCut { bytes: self.read });
            }
            return Err(Foreign::of(head).map_or(WavError::NotWav, WavError::Foreign));
        };
        if at > 0 {
            self.note(Note::Front { bytes: at });
        }
        let head = match container {
            Container::Wave64 => W64_HEAD,
            _ => RIFF_HEAD,
        };
        self.container = container;
        self.held.drain(..at + head);
        self.state = State::Chunk { odd: false };
        self.drain_held()
    }

    /// The front takes in more than it needs: what follows the container's header is worked off from what is held.
    fn drain_held(&mut self) -> Result<(), WavError> {
        while !matches!(self.state, State::Sound { .. } | State::Behind { .. }) {
            if let State::Skip { left, odd } = self.state {
                let now = left.min(self.held.len() as u64);
                self.held.drain(..now as usize);
                if now < left {
                    self.state = State::Skip {
                        left: left - now,
                        odd,
                    };
                    return Ok(());
                }
                self.state = State::Chunk { odd };
                continue;
            }
            if self.held.len() < self.wanted() {
                return Ok(());
            }
            self.step()?;
        }
        Ok(())
    }

    fn number(&self, at: usize, bytes: usize) -> u64 {
        let big_endian = matches!(self.container, Container::Riff { big_endian: true });
        let add = |number: u64, byte: &u8| (number << 8) | u64::from(*byte);
        let bytes = self.held.get(at..at + bytes).unwrap_or(&[]);
        if big_endian {
            bytes.iter().fold(0, add)
        } else {
            bytes.iter().rev().fold(0, add)
        }
    }

    fn chunk(&mut self, odd: bool) -> Result<(), WavError> {
        let is_padded = odd && is_padded(&self.held);
        if is_padded {
            self.held.remove(0);
        }
        let wave64 = self.container == Container::Wave64;
        let mut name: [u8; 4] = core::array::from_fn(|i| self.held[i]);
        let (header, size) = if wave64 {
            name.make_ascii_lowercase();
            // A Wave64 size counts its own header.
            (24, self.number(16, 8).saturating_sub(24))
        } else {
            (8, self.number(4, 4))
        };
        self.held.drain(..header);
        let odd = !wave64 && size % 2 == 1;
        // To the next multiple of eight.
        let aligned = if wave64 {
            size.checked_next_multiple_of(8).unwrap_or(u64::MAX)
        } else {
            size
        };
        self.state = match &name {
            b"data" => {
                let size = match self.long_size {
                    Some(long) if size == 0xFFFF_FFFF => long,
                    _ if self.container == Container::Riff64 && size == 0xFFFF_FFFF => 0,
                    _ => size,
                };
                if self.format.is_none() {
                    return Err(WavError::NoFormat);
                }
                match size {
                    0 => State::EmptyData,
                    0xFFFF_FFFF => {
                        self.begin_sound(None);
                        self.state
                    }
                    size => {
                        self.begin_sound(Some(size));
                        self.state
                    }
                }
            }
            b"fmt " => {
                if !(FMT_MIN as u64..=FMT_MAX as u64).contains(&size) {
                    return Err(WavError::FormatSize { bytes: size });
                }
                State::Keep {
                    name,
                    bytes: aligned as usize,
                    odd,
                }
            }
            b"ds64" if (24..=FMT_MAX as u64).contains(&size) => State::Keep {
                name,
                bytes: size as usize,
                odd,
            },
            _ => State::Skip { left: aligned, odd },
        };
        Ok(())
    }

    fn kept(&mut self, name: [u8; 4], odd: bool) -> Result<(), WavError> {
        let State::Keep { bytes, .. } = self.state else {
            return Ok(());
        };
        if name == *b"fmt " {
            let big_endian = matches!(self.container, Container::Riff { big_endian: true });
            let format = Format::parse(&self.held[..bytes], big_endian)?;
            self.settled = !(format.guessed && format.bytes == 4);
            if format.guessed && self.settled {
                self.note(Note::Guessed {
                    float: format.kind == SampleKind::Float,
                });
            }
            self.format = Some(format);
        } else {
            self.long_size = Some(self.number(8, 8));
        }
        self.held.drain(..bytes);
        self.state = State::Chunk { odd };
        Ok(())
    }

    /// Of a `data` chunk of no bytes: sound to the end, unless another chunk follows at once.
    fn empty_data(&mut self) {
        if is_known(&self.held) {
            self.state = State::Behind {
                bytes: 0,
                odd: false,
            };
        } else {
            self.begin_sound(None);
        }
    }

    fn begin_sound(&mut self, promised: Option<u64>) {
        if promised.is_none() {
            self.note(Note::SizeUnknown);
        }
        self.state = State::Sound { promised, found: 0 };
    }

    /// Decides between integers and floats of four bytes from what is held of the sound.
    fn settle(&mut self) {
        self.settled = true;
        if let Some(format) = &mut self.format {
            let float = looks_like_floats(&self.held, format.big_endian).unwrap_or(false);
            format.kind = if float {
                SampleKind::Float
            } else {
                SampleKind::Integer
            };
            self.note(Note::Guessed { float });
        }
    }

    /// Hands out all whole frames of what is held and of `bytes`; what of them lies behind the sound is returned.
    fn sound<'b>(&mut self, bytes: &'b [u8], take: &mut impl FnMut(&Format, &[f32])) -> &'b [u8] {
        let (State::Sound { promised, found }, Some(format)) = (self.state, self.format) else {
            return bytes;
        };
        let frame = format.frame_bytes();
        // Of what is held, all but a part of a frame was never counted.
        let counted = (found % frame as u64) as usize;
        let room = promised.map_or(u64::MAX, |promised| promised - found);
        let uncounted = self.held.len().saturating_sub(counted);
        let of_held = room.min(uncounted as u64) as usize;
        let now = (room - of_held as u64).min(bytes.len() as u64) as usize;
        let behind_held = self.held.split_off(counted + of_held);
        let (mut sound, rest) = bytes.split_at(now);
        let found = found + (of_held + now) as u64;
        self.state = State::Sound { promised, found };
        if !self.held.is_empty() {
            let missing = (frame - self.held.len() % frame) % frame;
            let (first, others) = sound.split_at(missing.min(sound.len()));
            self.held.extend_from_slice(first);
            sound = others;
            let whole = self.held.len() / frame * frame;
            let held = core::mem::take(&mut self.held);
            self.hand_out(&format, &held[..whole], take);
            self.held = held;
            self.held.drain(..whole);
        }
        let whole = sound.len() / frame * frame;
        self.hand_out(&format, &sound[..whole], take);
        self.held.extend_from_slice(&sound[whole..]);
        if promised == Some(found) {
            if !self.held.is_empty() {
                self.note(Note::PartFrame);
            }
            self.held = behind_held;
            self.state = State::Behind {
                bytes: 0,
                odd: found % 2 == 1,
            };
        }
        rest
    }

    fn hand_out(&mut self, format: &Format, bytes: &[u8], take: &mut impl FnMut(&Format, &[f32])) {
        let frame = format.frame_bytes();
        let channels = usize::from(format.channels);
        let frames_a_time = (SAMPLES_A_TIME / channels).max(1);
        if self.samples.is_empty() {
            self.samples = vec![0.0; frames_a_time * channels];
        }
        for bytes in bytes.chunks(frames_a_time * frame) {
            let samples = &mut self.samples[..bytes.len() / format.bytes];
            decode(format, bytes, samples);
            self.frames += (samples.len() / channels) as u64;
            take(format, samples);
        }
    }

    /// What follows the sound: chunks are none of our business, but sound beyond the header's size is told.
    fn behind(&mut self, bytes: &[u8], before: u64, odd: bool) {
        let more = bytes.len() as u64;
        if before > 0 {
            self.state = State::Behind {
                bytes: before + more,
                odd,
            };
            let told = self.notes.iter_mut().find_map(|note| match note {
                Note::Behind { bytes } => Some(bytes),
                _ => None,
            });
            if let Some(told) = told {
                *told += more;
            }
            return;
        }
        let all = self.held.len() as u64 + more;
        let first: Vec<u8> = self.held.iter().chain(bytes).copied().take(9).collect();
        let is_chunk = is_name(&first) || (odd && is_name(first.get(1..).unwrap_or(&[])));
        let frame = self.format.map_or(1, |format| format.frame_bytes()) as u64;
        let padding = first.iter().all(|&byte| byte == 0);
        if !is_chunk && !padding && all > frame {
            self.note(Note::Behind { bytes: all });
        }
        self.held.clear();
        self.state = State::Behind {
            bytes: all.max(1),
            odd,
        };
    }
}

/// The container that begins right here.
fn container_at(bytes: &[u8]) -> Option<Container> {
    if bytes.get(..16) == Some(&W64_RIFF) {
        let kind = bytes.get(24..W64_HEAD)?;
        let is_wave = kind[..4].eq_ignore_ascii_case(b"wave") && kind[4..] == W64_TAIL;
        return is_wave.then_some(Container::Wave64);
    }
    if bytes.get(8..12)? != b"WAVE" {
        return None;
    }
    match &bytes[..4] {
        b"RIFF" => Some(Container::Riff { big_endian: false }),
        b"RIFX" => Some(Container::Riff { big_endian: true }),
        b"RF64" | b"BW64" => Some(Container::Riff64),
        _ => None,
    }
}

fn begins_riff(head: &[u8]) -> bool {
    let names: [&[u8]; 5] = [b"RIFF", b"RIFX", b"RF64", b"BW64", b"riff"];
    let begins =
        |name: &&[u8]| head.starts_with(name) || (head.len() < 4 && name.starts_with(head));
    names.iter().any(begins)
}

/// The kind of a RIFF file that is not WAVE.
fn other_riff(head: &[u8]) -> Option<String> {
    let is_riff = head.starts_with(b"RIFF") || head.starts_with(b"RIFX");
    let kind = head.get(8..12).filter(|kind| is_riff && *kind != b"WAVE")?;
    let letter = |&byte: &u8| {
        if (b' '..0x7F).contains(&byte) {
            char::from(byte)
        } else {
            '.'
        }
    };
    Some(kind.iter().map(letter).collect())
}

/// Whether these bytes can name a chunk.
fn is_name(bytes: &[u8]) -> bool {
    let printable = |byte: &u8| (b' '..0x7F).contains(byte);
    bytes.len() >= 4 && bytes[..4].iter().all(printable) && bytes[0] != b' '
}

fn is_known(bytes: &[u8]) -> bool {
    KNOWN.iter().any(|name| bytes.starts_with(&name[..]))
}

/// Whether an odd chunk has its padding byte: a zero, or anything before a name that is known.
fn is_padded(bytes: &[u8]) -> bool {
    let next = bytes.get(1..).unwrap_or(&[]);
    bytes.first() == Some(&0) || is_known(next) || (!is_known(bytes) && !is_name(bytes))
}
