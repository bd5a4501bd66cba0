//! What holds for every input: the checksum at any length, the permutation, the sequences, the round trip.

mod support;

use link_fec::{
    PAYLOAD_BYTES_MAX, PacketDecoder, PacketShape, Rejected,
    crc16::crc16,
    encode_packet, interleave,
    scramble::{Scrambler, seed},
};
use proptest::prelude::*;
use support::{Dice, SHAPES, perfect};

/// One bit at a time, straight from the definition.
fn naive_crc16(start: u16, bytes: &[u8], nbits: usize) -> u16 {
    (0..nbits).fold(start, |crc, i| {
        let bit = (bytes[i / 8] >> (7 - i % 8)) & 1;
        let shifted = crc << 1;
        if (crc >> 15) as u8 == bit {
            shifted
        } else {
            shifted ^ 0x1021
        }
    })
}

proptest! {
    #[test]
    fn the_checksum_is_right_at_every_bit_count(
        start: u16,
        bytes in prop::collection::vec(any::<u8>(), 24),
        nbits in 0_usize..=192,
    ) {
        prop_assert_eq!(crc16(start, &bytes, nbits), naive_crc16(start, &bytes, nbits));
    }

    #[test]
    fn what_is_encoded_is_decoded(
        shape in prop::sample::select(SHAPES.map(|(.., shape)| shape).to_vec()),
        index in 0_usize..40,
        start: u16,
        dice in any::<u64>(),
        gain_exponent in -36_i32..30,
    ) {
        let payload = Dice::new(dice).payload(&shape);
        let mut slots = vec![0; shape.coded_bits()];
        encode_packet(&shape, index, start, &payload, &mut slots);
        // Only ratios matter: the scale of the soft values must not.
        let gain = 10_f32.powi(gain_exponent);
        let soft: Vec<f32> = perfect(&slots).iter().map(|value| value * gain).collect();
        let mut heard = [0; PAYLOAD_BYTES_MAX];
        let mut decoder = PacketDecoder::new();
        let accepted = decoder.decode(&shape, index, &[start], &soft, &mut heard);
        prop_assert_eq!(accepted.map(|accepted| accepted.disagreements), Ok(0));
        prop_assert_eq!(heard, payload);
        // The key is part of the packet: another start, however near, is refused and leaves the buffer alone.
        let refused = decoder.decode(&shape, index, &[start ^ 1], &soft, &mut [0; PAYLOAD_BYTES_MAX]);
        prop_assert_eq!(refused, Err(Rejected::Crc));
    }

    #[test]
    fn no_soft_value_panics(
        soft in prop::collection::vec(prop_oneof![any::<f32>(), Just(f32::NAN), Just(f32::INFINITY), -1_f32..1.0], 420),
        index: usize,
    ) {
        for (.., shape) in SHAPES {
            let _ = PacketDecoder::new().decode(&shape, index, &[0xFFFF], &soft, &mut [0; PAYLOAD_BYTES_MAX]);
        }
    }
}

#[test]
fn the_interleaver_is_the_formula_and_a_permutation() {
    for (plan, mode, shape) in SHAPES {
        let PacketShape {
            symbols,
            tones,
            bits_per_tone,
            a,
            b,
        } = shape;
        let slots: Vec<usize> = interleave::slots(&shape).collect();
        let formula: Vec<usize> = (0..shape.coded_bits())
            .map(|j| {
                let (symbol, q) = (j % symbols, j / symbols);
                let tone = (a * q + b * symbol) % tones;
                (symbol * tones + tone) * bits_per_tone + q / tones
            })
            .collect();
        assert_eq!(slots, formula, "{plan} {mode}");
        let mut sorted = slots.clone();
        sorted.sort_unstable();
        assert!(
            sorted.into_iter().eq(0..shape.coded_bits()),
            "{plan} {mode}: not a permutation"
        );
    }
}

#[test]
fn neighbours_in_the_code_are_far_apart_in_the_air() {
    for (plan, mode, shape) in SHAPES {
        let slots: Vec<usize> = interleave::slots(&shape).collect();
        let place = |slot: usize| {
            let tone_slot = slot / shape.bits_per_tone;
            (tone_slot / shape.tones, tone_slot % shape.tones)
        };
        for pair in slots.windows(2) {
            let ((symbol_a, tone_a), (symbol_b, tone_b)) = (place(pair[0]), place(pair[1]));
            assert_ne!(
                symbol_a, symbol_b,
                "{plan} {mode}: adjacent coded bits share a symbol"
            );
            let apart = tone_a.abs_diff(tone_b);
            assert!(
                apart.min(shape.tones - apart) >= 4,
                "{plan} {mode}: adjacent coded bits {apart} tones apart"
            );
        }
    }
}

#[test]
fn sequences_are_distinct_and_full_length() {
    let mut seeds: Vec<u16> = (0..511).map(seed).collect();
    seeds.sort_unstable();
    assert!(
        seeds.into_iter().eq(1..=511),
        "every non-zero state exactly once"
    );
    for index in [0, 19, 510] {
        let two: Vec<u8> = Scrambler::new(index).take(1022).collect();
        assert_eq!(two[..511], two[511..], "period 511");
        assert_eq!(
            two[..511].iter().filter(|&&bit| bit == 1).count(),
            256,
            "a maximal-length sequence"
        );
    }
}

#[test]
fn a_payloads_spare_bits_do_not_matter() {
    let shape = PacketShape::LOW_FAST;
    let payload = Dice::new(1).payload(&shape);
    let mut padded = payload;
    padded[23] |= 0b11_1111;
    let (mut clean, mut dirty) = (vec![0; 416], vec![0; 416]);
    encode_packet(&shape, 0, 0xFFFF, &payload, &mut clean);
    encode_packet(&shape, 0, 0xFFFF, &padded, &mut dirty);
    assert_eq!(clean, dirty);
}
