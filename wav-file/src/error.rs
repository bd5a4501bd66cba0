//! What is wrong with a file, and what about it a person should be told, as sentences.

use crate::Foreign;
use thiserror::Error;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WavError {
    /// No byte at all.
    #[error("the file is empty")]
    Empty,
    /// Sound, or something else, in another format.
    #[error("this is {}, not a WAV file", .0.name())]
    Foreign(Foreign),
    /// Neither a WAV file nor any other that is known.
    #[error("this is not a WAV file")]
    NotWav,
    /// A RIFF file of another kind.
    #[error("this is a RIFF file, but of the kind {kind:?}: it holds no sound")]
    OtherRiff {
        /// The four letters, those that are none as dots.
        kind: alloc::string::String,
    },
    /// Nothing follows the part of the header that is there.
    #[error("the file ends within its header, after {bytes} bytes: the recording was not saved")]
    HeaderCut {
        /// Bytes of the file.
        bytes: u64,
    },
    /// The sound comes before what says how to read it.
    #[error("the sound comes before its format: the file is damaged")]
    NoFormat,
    /// The `fmt ` chunk has another length than any format's.
    #[error(
        "the file's format has {bytes} bytes, where 14 to 4,096 make sense: the file is damaged"
    )]
    FormatSize {
        /// Its length.
        bytes: u64,
    },
    /// No channel.
    #[error("the file claims to have no channel: it is damaged")]
    NoChannel,
    /// No rate.
    #[error("the file claims a sample rate of 0 Hz: it is damaged")]
    NoRate,
    /// A width that no sample has.
    #[error("samples of {bits} bits as {} are not read: integers of 1 to 32 bits and floats of 32 and 64 are", if *.float {"floats"} else {"integers"})]
    Bits {
        /// Bits a sample.
        bits: u16,
        /// Whether they are floats.
        float: bool,
    },
    /// Compressed sound in a WAV file.
    #[error("the sound in it is compressed ({name}, format {tag:#06x}): convert it to PCM")]
    Compressed {
        /// The format's number.
        tag: u16,
        /// Its name.
        name: &'static str,
    },
}

/// What a person should be told of a file that was read all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Note {
    /// Foreign bytes came first.
    #[error("{bytes} bytes before the WAV file's start are skipped")]
    Front {
        /// How many.
        bytes: usize,
    },
    /// The header's size says nothing: a pipe, or a recorder that was killed.
    #[error("its header does not say how long the sound is: read to the end of the file")]
    SizeUnknown,
    /// The file ends before the header's size is reached.
    #[error("cut short: the header promises {promised} bytes of sound, {found} are there")]
    CutShort {
        /// Bytes of sound by the header.
        promised: u64,
        /// Bytes that came.
        found: u64,
    },
    /// The last frame lacks bytes.
    #[error("the last frame is not whole and is left out")]
    PartFrame,
    /// Bytes follow that belong to no chunk.
    #[error("{bytes} bytes after the sound belong to nothing and are not read")]
    Behind {
        /// How many came.
        bytes: u64,
    },
    /// An extensible format without its extension.
    #[error("the format's extension is missing: its samples are taken for {}", if *float {"floats"} else {"integers"})]
    Guessed {
        /// Whether they are taken for floats.
        float: bool,
    },
}
