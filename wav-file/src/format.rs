//! The `fmt ` chunk: what a sample is. Source: Microsoft, "Multiple channel audio data and WAVE files"; EBU Tech 3285.

use crate::WavError;

/// The longest `fmt ` chunk that makes sense.
pub const FMT_MAX: usize = 4096;
/// The shortest: one without the bits of a sample.
pub(crate) const FMT_MIN: usize = 14;

const PCM: u16 = 1;
const FLOAT: u16 = 3;
const A_LAW: u16 = 6;
const MU_LAW: u16 = 7;
const EXTENSIBLE: u16 = 0xFFFE;
/// Where the extension says the format's number.
const SUB_FORMAT_AT: usize = 24;

/// How a sample is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SampleKind {
    /// A whole number, at the upper end of its bytes; of one byte without a sign.
    Integer,
    /// A float.
    Float,
    /// A-law of telephones (G.711).
    ALaw,
    /// µ-law of telephones (G.711).
    MuLaw,
}

/// What a file's header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Format {
    /// Frames a second.
    pub sample_rate_hz: u32,
    /// Samples a frame, at least 1.
    pub channels: u16,
    /// How a sample is stored.
    pub kind: SampleKind,
    /// Valid bits of a sample.
    pub bits: u16,
    /// Bytes a sample takes, 1 to 8.
    pub bytes: usize,
    /// Whether the highest byte comes first.
    pub big_endian: bool,
    /// Whether integer or float had to be guessed: an extensible format without its extension.
    pub(crate) guessed: bool,
}

impl Format {
    /// Bytes a frame.
    #[must_use]
    pub fn frame_bytes(&self) -> usize {
        self.bytes * usize::from(self.channels)
    }

    pub(crate) fn parse(chunk: &[u8], big_endian: bool) -> Result<Self, WavError> {
        let size = WavError::FormatSize {
            bytes: chunk.len() as u64,
        };
        if !(FMT_MIN..=FMT_MAX).contains(&chunk.len()) {
            return Err(size);
        }
        let half = |at: usize| -> Option<u16> {
            let bytes = chunk.get(at..at + 2)?.try_into().ok()?;
            Some(if big_endian {
                u16::from_be_bytes(bytes)
            } else {
                u16::from_le_bytes(bytes)
            })
        };
        let word = |at: usize| -> u32 {
            let (one, other) = (half(at).unwrap_or(0), half(at + 2).unwrap_or(0));
            let (high, low) = if big_endian {
                (one, other)
            } else {
                (other, one)
            };
            (u32::from(high) << 16) | u32::from(low)
        };
        let (tag, channels) = (half(0).unwrap_or(0), half(2).unwrap_or(0));
        let (sample_rate_hz, byte_rate, block) = (word(4), word(8), half(12).unwrap_or(0));
        if channels == 0 {
            return Err(WavError::NoChannel);
        }
        if sample_rate_hz == 0 {
            return Err(WavError::NoRate);
        }
        // By the chunk's length and not by the extension's own, which some leave at 0.
        let sub_format = half(SUB_FORMAT_AT).filter(|&tag| tag != 0);
        let guessed = tag == EXTENSIBLE && sub_format.is_none();
        let tag = if tag == EXTENSIBLE {
            sub_format.unwrap_or(PCM)
        } else {
            tag
        };
        let width = u32::from(block) / u32::from(channels);
        let bits = match half(14) {
            Some(bits) if bits > 0 => bits,
            // Neither said nor to be had from elsewhere but the block.
            _ => u16::try_from(8 * width).unwrap_or(u16::MAX),
        };
        let kind = match tag {
            PCM if guessed && bits == 64 => SampleKind::Float,
            PCM => SampleKind::Integer,
            FLOAT => SampleKind::Float,
            A_LAW => SampleKind::ALaw,
            MU_LAW => SampleKind::MuLaw,
            tag => {
                return Err(WavError::Compressed {
                    tag,
                    name: compressed_name(tag),
                });
            }
        };
        let bytes = match kind {
            SampleKind::Integer if (1..=32).contains(&bits) => {
                // 24 bits in four bytes is the one thing that only the block can say; the byte rate must agree.
                let wide = (17..=24).contains(&bits)
                    && u32::from(block) == 4 * u32::from(channels)
                    && byte_rate == sample_rate_hz.wrapping_mul(block.into());
                if wide {
                    4
                } else {
                    usize::from(bits.div_ceil(8))
                }
            }
            SampleKind::Float if bits == 32 || bits == 64 => usize::from(bits / 8),
            SampleKind::ALaw | SampleKind::MuLaw => 1,
            _ => {
                return Err(WavError::Bits {
                    bits,
                    float: kind == SampleKind::Float,
                });
            }
        };
        let valid =
            half(18).filter(|&valid| half(0) == Some(EXTENSIBLE) && (1..=bits).contains(&valid));
        Ok(Self {
            sample_rate_hz,
            channels,
            kind,
            bits: valid.unwrap_or(bits),
            bytes,
            big_endian,
            guessed,
        })
    }
}

const fn compressed_name(tag: u16) -> &'static str {
    match tag {
        0x0002 | 0x0011 | 0x0020 => "ADPCM",
        0x0031 => "GSM 6.10",
        0x0050 | 0x0055 => "MP3",
        0x00FF | 0x1600 | 0x1610 | 0xA106 => "AAC",
        0x0160..=0x0163 => "Windows Media",
        0x2000 => "AC-3",
        0x704F => "Opus",
        0xF1AC => "FLAC",
        _ => "unknown",
    }
}
