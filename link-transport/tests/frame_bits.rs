//! Frames of bits: copied whole from wherever they lie. Small enough for an interpreter that watches every access.

use bitvec::prelude::*;
use link_transport::{FRAME_BITS_MAX, FrameBits};

/// Bytes without a pattern.
fn bytes() -> [u8; 40] {
    core::array::from_fn(|at| (at as u8).wrapping_mul(151) ^ 0x5A)
}

#[test]
fn bits_are_copied_from_within_a_byte() {
    let bytes = bytes();
    let all = bytes.view_bits::<Msb0>();
    for from in [0, 1, 5, 7, 8, 13] {
        for len in [0, 1, 7, 8, 63, 64, 65, 127, 130, 188, 256] {
            let part = &all[from..from + len];
            let frame = FrameBits::from_bitslice(part).expect("at most 256");
            assert_eq!(frame.len(), len);
            let same = frame
                .as_bitslice()
                .iter()
                .by_vals()
                .eq(part.iter().by_vals());
            assert!(same, "{len} bits from {from}");
            let padding = &frame.as_bytes().view_bits::<Msb0>()[len..];
            assert!(padding.not_any(), "bits past the length are zero");
        }
    }
    assert_eq!(FrameBits::from_bitslice(&all[1..=FRAME_BITS_MAX + 1]), None);
}

#[test]
fn a_frame_is_cut_and_filled() {
    let frame = FrameBits::from_bytes(&bytes(), 150);
    for len in [0, 3, 64, 149, 150, 151, 256] {
        let resized = frame.resized(len);
        let kept = len.min(150);
        assert_eq!(resized.len(), len);
        assert_eq!(resized.as_bitslice()[..kept], frame.as_bitslice()[..kept]);
        assert!(resized.as_bitslice()[kept..].not_any());
    }
}
