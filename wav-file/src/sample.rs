//! Stored samples to floats of full scale 1.

use crate::{Format, SampleKind};

/// Converts whole samples; `bytes.len()` is a multiple of the format's width, and `out` has one place for each.
pub(crate) fn decode(format: &Format, bytes: &[u8], out: &mut [f32]) {
    let width = format.bytes;
    let samples = bytes.chunks_exact(width).zip(out);
    match format.kind {
        // Bytes have no sign and stand around the middle.
        SampleKind::Integer if width == 1 => {
            for (bytes, out) in samples {
                *out = (f32::from(bytes[0]) - 128.0) / 128.0;
            }
        }
        SampleKind::Integer => {
            for (bytes, out) in samples {
                // The upper end of 32 bits: then all scale alike.
                *out = (aligned(bytes, format.big_endian) as u32 as i32) as f32 / 2_147_483_648.0;
            }
        }
        SampleKind::Float if width == 4 => {
            for (bytes, out) in samples {
                *out = f32::from_bits(aligned(bytes, format.big_endian) as u32);
            }
        }
        SampleKind::Float => {
            for (bytes, out) in samples {
                *out = f64::from_bits(whole(bytes, format.big_endian)) as f32;
            }
        }
        SampleKind::ALaw => samples.for_each(|(bytes, out)| *out = a_law(bytes[0])),
        SampleKind::MuLaw => samples.for_each(|(bytes, out)| *out = mu_law(bytes[0])),
    }
}

/// The bytes as a number.
fn whole(bytes: &[u8], big_endian: bool) -> u64 {
    let add = |number: u64, byte: &u8| (number << 8) | u64::from(*byte);
    if big_endian {
        bytes.iter().fold(0, add)
    } else {
        bytes.iter().rev().fold(0, add)
    }
}

/// The same at the upper end of 32 bits.
fn aligned(bytes: &[u8], big_endian: bool) -> u64 {
    whole(bytes, big_endian) << (32 - 8 * bytes.len().min(4))
}

/// Whether samples of four bytes look like floats rather than integers: as floats, integers are huge, tiny, or no numbers.
/// `None` if all are zero.
pub(crate) fn looks_like_floats(bytes: &[u8], big_endian: bool) -> Option<bool> {
    let words = bytes
        .chunks_exact(4)
        .map(|bytes| whole(bytes, big_endian) as u32);
    let (mut likely, mut seen) = (0_u32, 0_u32);
    for word in words.filter(|&word| word != 0 && word != 0x8000_0000) {
        let level = f32::from_bits(word).abs();
        seen += 1;
        likely += u32::from((1e-9..100.0).contains(&level));
    }
    (seen > 0).then(|| 2 * likely > seen)
}

/// Source: ITU-T G.711.
fn a_law(byte: u8) -> f32 {
    let code = byte ^ 0x55;
    let (exponent, mantissa) = ((code >> 4) & 7, i32::from(code & 15));
    let level = match exponent {
        0 => (mantissa << 4) + 8,
        _ => ((mantissa << 4) + 0x108) << (exponent - 1),
    };
    let level = level as f32 / 32_768.0;
    if code & 0x80 == 0 { -level } else { level }
}

/// Source: ITU-T G.711.
fn mu_law(byte: u8) -> f32 {
    let code = !byte;
    let (exponent, mantissa) = ((code >> 4) & 7, i32::from(code & 15));
    let level = ((((mantissa << 3) + 0x84) << exponent) - 0x84) as f32 / 32_768.0;
    if code & 0x80 == 0 { level } else { -level }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telephone_codes_have_their_levels() {
        // G.711's tables: silence, the loudest of either sign.
        assert_eq!(mu_law(0xFF), 0.0);
        assert_eq!(mu_law(0x80) * 32_768.0, 32_124.0);
        assert_eq!(mu_law(0x00) * 32_768.0, -32_124.0);
        assert_eq!(a_law(0xD5) * 32_768.0, 8.0);
        assert_eq!(a_law(0xAA) * 32_768.0, 32_256.0);
        assert_eq!(a_law(0x2A) * 32_768.0, -32_256.0);
    }

    #[test]
    fn floats_and_integers_are_told_apart() {
        let bytes = |words: &[u32]| {
            words
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .collect::<alloc::vec::Vec<u8>>()
        };
        let floats: alloc::vec::Vec<u32> = [0.1_f32, -0.25, 1e-4, 0.0].map(f32::to_bits).into();
        assert_eq!(looks_like_floats(&bytes(&floats), false), Some(true));
        let integers: alloc::vec::Vec<u32> =
            [90_000_i32, -4_000_000, 12, -900].map(|x| x as u32).into();
        assert_eq!(looks_like_floats(&bytes(&integers), false), Some(false));
        assert_eq!(looks_like_floats(&[0; 64], false), None);
    }
}
