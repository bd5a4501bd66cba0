//! Plain WAV files: one header and the samples.

use alloc::vec::Vec;

/// How samples are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Encoding {
    /// 16-bit integers: every player plays them.
    Pcm16,
    /// 32-bit floats: what an audio callback exchanges, sample for sample. Some phones' players refuse them.
    Float32,
}

impl Encoding {
    /// Bytes a sample.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Pcm16 => 2,
            Self::Float32 => 4,
        }
    }
}

/// The header of a file with so many frames. More bytes than the header can say become the size that means "to the end".
#[must_use]
pub fn head(encoding: Encoding, sample_rate_hz: u32, channels: u16, frames: u64) -> Vec<u8> {
    let block = encoding.bytes() as u32 * u32::from(channels);
    let data = frames.saturating_mul(block.into());
    let said = |bytes: u64| u32::try_from(bytes).unwrap_or(u32::MAX);
    let mut head = Vec::with_capacity(58);
    let is_float = encoding == Encoding::Float32;
    // A format that is not PCM has an extension, here of 0 bytes, and a count of its frames.
    let format_bytes: u32 = if is_float { 18 } else { 16 };
    let rest = 4 + 8 + u64::from(format_bytes) + if is_float { 12 } else { 0 } + 8;
    head.extend(b"RIFF");
    head.extend(said(data.saturating_add(rest + (data & 1))).to_le_bytes());
    head.extend(b"WAVEfmt ");
    head.extend(format_bytes.to_le_bytes());
    head.extend(if is_float { 3_u16 } else { 1 }.to_le_bytes());
    head.extend(channels.to_le_bytes());
    head.extend(sample_rate_hz.to_le_bytes());
    head.extend(sample_rate_hz.wrapping_mul(block).to_le_bytes());
    head.extend((block as u16).to_le_bytes());
    head.extend((8 * encoding.bytes() as u16).to_le_bytes());
    if is_float {
        head.extend(0_u16.to_le_bytes());
        head.extend(b"fact");
        head.extend(4_u32.to_le_bytes());
        head.extend(said(frames).to_le_bytes());
    }
    head.extend(b"data");
    head.extend(said(data).to_le_bytes());
    head
}

/// Appends samples to `out` as they stand in a file. Integers are rounded and limited to full scale; what is no number is 0.
pub fn encode(encoding: Encoding, samples: &[f32], out: &mut Vec<u8>) {
    out.reserve(samples.len() * encoding.bytes());
    for &sample in samples {
        match encoding {
            Encoding::Pcm16 => {
                let scaled = sample.clamp(-1.0, 1.0) * 32_767.0;
                // `as` cuts towards zero and makes 0 of what is no number.
                let rounded = (scaled + if scaled < 0.0 { -0.5 } else { 0.5 }) as i16;
                out.extend(rounded.to_le_bytes());
            }
            Encoding::Float32 => out.extend(sample.to_le_bytes()),
        }
    }
}
