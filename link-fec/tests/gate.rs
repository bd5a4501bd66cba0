//! What the gate lets through: no garbage, no real stream read the wrong way, but packets with real damage.

mod support;

use link_fec::{
    CODED_BITS_MAX, PAYLOAD_BYTES_MAX, PacketDecoder, PacketShape, Rejected, encode_packet, gate,
};
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use support::{Dice, SHAPES, perfect};

const STARTS: [u16; 2] = [0x8F65, 0xFFFF];

/// Decodes and gives the score the gate saw; panics if the packet was accepted or got as far as its checksum.
fn rejected_score(
    decoder: &mut PacketDecoder,
    shape: &PacketShape,
    index: usize,
    soft: &[f32],
    what: &str,
) -> usize {
    match decoder.decode(shape, index, &STARTS, soft, &mut [0; PAYLOAD_BYTES_MAX]) {
        Err(Rejected::Gate { disagreements, .. }) => disagreements,
        other => panic!("{what}: {other:?}"),
    }
}

#[test]
fn a_million_garbage_packets_are_all_rejected() {
    // Two threads of half a million each.
    let worst = [1, 2].map(|seed| {
        std::thread::spawn(move || {
            let mut dice = Dice::new(seed);
            let mut decoder = PacketDecoder::new();
            let mut soft = [0.0; CODED_BITS_MAX];
            let mut worst = usize::MAX;
            for i in 0..500_000 {
                let (.., shape) = SHAPES[i % 4];
                soft.fill_with(|| dice.quick_normal());
                worst = worst.min(rejected_score(
                    &mut decoder,
                    &shape,
                    i % 20,
                    &soft,
                    "garbage",
                ));
            }
            worst
        })
    });
    let worst = worst
        .map(|thread| thread.join().expect("no packet got past the gate"))
        .into_iter()
        .min()
        .unwrap();
    println!("the most agreeable of 10⁶ garbage packets disagreed in {worst} bits");
    // A point of room over the gate's 42: 11 %.
    assert!(worst >= 46, "{worst}");
}

#[test]
fn erasures_do_not_open_the_gate() {
    // With part of a packet erased, noise is easier to fit (a quarter missing: 24 disagreements, half: none). What
    // each erasure is charged must make up for it at every share, scattered or in one piece.
    let mut dice = Dice::new(3);
    let mut decoder = PacketDecoder::new();
    for erased in (0..=CODED_BITS_MAX).step_by(20) {
        for i in 0..4000 {
            let mut soft: [f32; CODED_BITS_MAX] = std::array::from_fn(|_| dice.quick_normal());
            if i % 2 == 0 {
                let first = dice.below(CODED_BITS_MAX - erased + 1);
                soft[first..first + erased].fill(f32::NAN);
            } else {
                let mut left = erased;
                for (slot, value) in soft.iter_mut().enumerate() {
                    if dice.below(CODED_BITS_MAX - slot) < left {
                        *value = 0.0;
                        left -= 1;
                    }
                }
            }
            let what = format!("{erased} erased, case {i}");
            rejected_score(&mut decoder, &PacketShape::HIGH_FAST, i % 20, &soft, &what);
        }
    }
}

#[test]
fn silence_is_rejected() {
    for value in [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        rejected_score(
            &mut PacketDecoder::new(),
            &PacketShape::HIGH_FAST,
            0,
            &[value; 420],
            "silence",
        );
    }
}

/// The phase change of every tone of one packet, in (symbol, tone) order: what the air carries.
fn phases(shape: &PacketShape, slots: &[u8]) -> Vec<f32> {
    slots
        .chunks(shape.bits_per_tone)
        .map(|bits| match *bits {
            [bit] => PI * f32::from(bit),
            [0, 0] => 0.0,
            [0, 1] => FRAC_PI_2,
            [1, 1] => PI,
            _ => 3.0 * FRAC_PI_2,
        })
        .collect()
}

/// Soft values as the receiver makes them from phase changes, with phase noise.
fn heard(shape: &PacketShape, phases: &[f32], noise: f32, dice: &mut Dice) -> Vec<f32> {
    let mut soft = Vec::with_capacity(shape.coded_bits());
    for phase in phases {
        let phase = phase + noise * dice.quick_normal();
        if shape.bits_per_tone == 1 {
            soft.push(phase.cos());
        } else {
            soft.extend([(phase - FRAC_PI_4).cos(), -(phase - FRAC_PI_4).sin()]);
        }
    }
    soft
}

/// A stream of packets `0..count` as phases, one symbol after the other.
fn stream(shape: &PacketShape, count: usize, dice: &mut Dice) -> Vec<f32> {
    let mut air = Vec::new();
    let mut slots = [0; CODED_BITS_MAX];
    for index in 0..count {
        let payload = dice.payload(shape);
        encode_packet(shape, index, 0xFFFF, &payload, &mut slots);
        air.extend(phases(shape, &slots[..shape.coded_bits()]));
    }
    air
}

#[test]
fn real_streams_read_the_wrong_way_are_rejected() {
    let mut dice = Dice::new(4);
    let mut decoder = PacketDecoder::new();
    let (mut tried, mut worst) = (0, usize::MAX);
    for (plan, mode, sent) in SHAPES {
        for round in 0..150 {
            let air = stream(&sent, 20, &mut dice);
            let noise = [0.05, 0.2, 0.4][round % 3];
            let mut read = |shape: &PacketShape, index: usize, air: &[f32], what: &str| {
                let soft = heard(shape, air, noise, &mut dice);
                let what = format!("{plan} {mode} round {round}, {what} at {index}");
                worst = worst.min(rejected_score(&mut decoder, shape, index, &soft, &what));
                tried += 1;
            };
            let packet = sent.symbols * sent.tones;
            for index in 0..18 {
                let place = index * packet;
                let right = &air[place..][..packet];
                // A wrong place in the superframe, one symbol off, mirrored, one tone off. (Not inverted: the complement of a
                // code word is one too, as both generators have five taps; only the checksum catches that.)
                read(
                    &sent,
                    (index + 1 + round % 19) % 20,
                    right,
                    "another packet's sequence",
                );
                read(
                    &sent,
                    index,
                    &air[place + sent.tones..][..packet],
                    "one symbol late",
                );
                let mirrored: Vec<f32> = right.iter().map(|phase| -phase).collect();
                if sent.bits_per_tone == 2 {
                    read(&sent, index, &mirrored, "mirrored");
                }
                let mut shifted = right.to_vec();
                shifted.rotate_left(1);
                read(&sent, index, &shifted, "one tone off");
            }
            // The other mode's reading of the same air, as when a sync goes unread.
            let other = SHAPES
                .iter()
                .find(|&&(p, m, _)| p == plan && m != mode)
                .expect("two modes a plan")
                .2;
            let other_packet = other.symbols * other.tones;
            for index in 0..air.len() / other_packet {
                read(
                    &other,
                    index % 20,
                    &air[index * other_packet..][..other_packet],
                    "the other mode",
                );
            }
        }
    }
    println!(
        "{tried} real streams read the wrong way; the most agreeable disagreed in {worst} bits"
    );
    assert!(tried > 50_000, "{tried}");
}

#[test]
fn scattered_errors_are_corrected_up_to_the_gate() {
    let mut dice = Dice::new(5);
    let mut decoder = PacketDecoder::new();
    for (plan, mode, shape) in SHAPES {
        for round in 0..200 {
            let payload = dice.payload(&shape);
            let mut slots = vec![0; shape.coded_bits()];
            encode_packet(&shape, round % 20, 0xFFFF, &payload, &mut slots);
            let mut soft = perfect(&slots);
            // 3 % of the slots, wrong but unsure, as a receiver's errors are.
            let mut wrong = std::collections::BTreeSet::new();
            while wrong.len() < shape.coded_bits() * 3 / 100 {
                wrong.insert(dice.below(soft.len()));
            }
            for &slot in &wrong {
                soft[slot] *= -0.5;
            }
            let mut heard = [0; PAYLOAD_BYTES_MAX];
            let accepted = decoder.decode(&shape, round % 20, &STARTS, &soft, &mut heard);
            let accepted = accepted.unwrap_or_else(|why| panic!("{plan} {mode} {round}: {why}"));
            assert_eq!(
                (accepted.start_index, accepted.disagreements),
                (1, wrong.len()),
                "{plan} {mode} {round}"
            );
            assert_eq!(heard, payload);
        }
    }
}

#[test]
fn a_third_erased_is_recovered() {
    // Every third slot unknown and nothing wrong: 140 erasures count as 35 disagreements, inside the gate.
    let mut dice = Dice::new(6);
    for (plan, mode, shape) in SHAPES {
        let payload = dice.payload(&shape);
        let mut slots = vec![0; shape.coded_bits()];
        encode_packet(&shape, 7, 0xFFFF, &payload, &mut slots);
        let mut soft = perfect(&slots);
        soft.iter_mut()
            .step_by(3)
            .for_each(|value| *value = f32::NAN);
        let mut heard = [0; PAYLOAD_BYTES_MAX];
        let accepted = PacketDecoder::new()
            .decode(&shape, 7, &STARTS, &soft, &mut heard)
            .unwrap_or_else(|why| panic!("{plan} {mode}: {why}"));
        assert_eq!(heard, payload);
        assert_eq!(
            accepted.disagreements,
            shape
                .coded_bits()
                .div_ceil(3)
                .div_ceil(gate::ERASURES_PER_DISAGREEMENT)
        );
    }
}

#[test]
fn the_gate_stands_at_ten_percent() {
    assert!(!gate::rejects(42, 420) && gate::rejects(43, 420));
    assert!(!gate::rejects(41, 416) && gate::rejects(42, 416));
}
