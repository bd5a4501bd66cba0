//! Reads WAV files as recorders write them, and writes plain ones. Knows nothing of files or of what is in the sound.
//!
//! Bytes go in as they come, in pieces of any length; samples come out, interleaved, whole frames at a time, full scale 1.
//! Nothing is ever sought, so a pipe is read like a file, and memory is bounded whatever a header claims.
//!
//! What the reader takes:
//!
//! | Point | Rule |
//! |---|---|
//! | container | RIFF, RIFX (big-endian), RF64, BW64, Wave64; up to [`FRONT_MAX`] foreign bytes in front are skipped |
//! | samples | integers of 1 to 32 valid bits in 1 to 4 bytes, floats of 32 and 64 bits, A-law, µ-law |
//! | `fmt ` | 14 to [`FMT_MAX`] bytes, extensible or not, the extension whole, short or missing; byte rate and block align are not believed, but for 17 to 24 bits in four bytes |
//! | channels | any number but 0 |
//! | `data` size | 0, 0xFFFFFFFF, or more than there is: the sound goes on to the end, and a [`Note`] says so |
//! | odd chunks | padded or not: what follows decides |
//! | last frame | dropped if a byte of it is missing |
//! | other formats | named, with what converts them: [`Foreign`] |
//!
//! Nothing is guessed where reading on would yield noise: no channel, 0 Hz, sound before its format, compressed sound are
//! errors that say so.
//!
//! ```
//! use wav_file::{Encoding, Reader, encode, head};
//!
//! let mut file = head(Encoding::Pcm16, 48_000, 1, 3);
//! encode(Encoding::Pcm16, &[0.0, 0.5, -0.5], &mut file);
//! let mut samples = Vec::new();
//! let mut reader = Reader::new();
//! for piece in file.chunks(5) {
//!     reader.push(piece, |_format, frames| samples.extend_from_slice(frames))?;
//! }
//! let format = reader.finish(|_format, frames| samples.extend_from_slice(frames))?;
//! assert_eq!((format.sample_rate_hz, format.channels), (48_000, 1));
//! assert_eq!(samples.len(), 3);
//! # Ok::<(), wav_file::WavError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod error;
mod foreign;
mod format;
mod reader;
mod sample;
mod writer;

pub use error::{Note, WavError};
pub use foreign::Foreign;
pub use format::{FMT_MAX, Format, SampleKind};
pub use reader::{FRONT_MAX, Reader};
pub use writer::{Encoding, encode, head};
