//! The coding gain: sixteen-bit metrics against a decoder in double precision, on the same noise.

mod support;

use link_fec::{
    conv::{Encoder, STATES, outputs},
    viterbi::{SOFT_MAX, Viterbi},
};
use support::Dice;

const BITS: usize = 210;

/// The slow, obvious decoder: every branch of every state in f64, whole paths of decisions.
fn oracle(soft: &[f64]) -> Vec<u8> {
    let mut metrics = [f64::NEG_INFINITY; STATES];
    metrics[0] = 0.0;
    let mut steps = Vec::new();
    for pair in soft.chunks(2) {
        let mut next = [f64::NEG_INFINITY; STATES];
        let mut best = [0; STATES];
        for (state, from) in metrics.iter().enumerate() {
            for input in 0..2 {
                let register = 2 * state + input;
                let (first, second) = outputs(register as u8);
                let sign = |bit: u8| 1.0 - 2.0 * f64::from(bit);
                let metric = from + sign(first) * pair[0] + sign(second) * pair[1];
                let to = register % STATES;
                if metric > next[to] {
                    next[to] = metric;
                    best[to] = state;
                }
            }
        }
        metrics = next;
        steps.push(best);
    }
    let mut state = 0;
    let mut bits: Vec<u8> = steps
        .iter()
        .rev()
        .map(|best| {
            let bit = state as u8 & 1;
            state = best[state];
            bit
        })
        .collect();
    bits.reverse();
    bits
}

/// A random block and its code word as ±1 with noise for `eb_n0_db` at rate ½.
fn noisy_block(dice: &mut Dice, eb_n0_db: f64) -> (Vec<u8>, Vec<f64>) {
    let info: Vec<u8> = (0..BITS)
        .map(|i| if i < BITS - 6 { dice.below(2) as u8 } else { 0 })
        .collect();
    let sigma = (1.0 / 10_f64.powf(eb_n0_db / 10.0)).sqrt(); // Es = Eb / 2, so σ² = N0 / 2 = 1 / (Eb/N0)
    let mut encoder = Encoder::default();
    let soft = info
        .iter()
        .flat_map(|&bit| {
            let (first, second) = encoder.push(bit);
            let noise = dice.normals();
            [(first, noise[0]), (second, noise[1])]
                .map(|(bit, noise)| 1.0 - 2.0 * f64::from(bit) + sigma * noise)
        })
        .collect();
    (info, soft)
}

/// As [`link_fec::PacketDecoder`] scales: full scale at four times the mean magnitude.
fn quantised(soft: &[f64]) -> Vec<i16> {
    let mean = soft.iter().map(|value| value.abs()).sum::<f64>() / soft.len() as f64;
    let full = f64::from(SOFT_MAX);
    soft.iter()
        .map(|value| (value / (4.0 * mean) * full).clamp(-full, full).round() as i16)
        .collect()
}

#[test]
fn the_frame_error_rate_is_a_float_decoders() {
    let mut dice = Dice::new(1);
    let mut viterbi = Viterbi::new();
    let mut decoded = [0; BITS];
    let (mut errors, mut oracle_errors) = (0, 0);
    const BLOCKS: usize = 40_000;
    for _ in 0..BLOCKS {
        let (info, soft) = noisy_block(&mut dice, 3.0);
        viterbi.decode(&quantised(&soft), &mut decoded);
        errors += usize::from(decoded[..] != info[..]);
        oracle_errors += usize::from(oracle(&soft) != info);
    }
    println!(
        "frame errors in {BLOCKS} blocks at 3 dB: {errors}, in double precision {oracle_errors}"
    );
    assert!(
        oracle_errors > 200,
        "enough errors to compare: {oracle_errors}"
    );
    assert!(
        errors * 100 <= oracle_errors * 105,
        "{errors} against {oracle_errors}"
    );
}

#[test]
fn it_finds_the_likeliest_path_where_rounding_cannot_matter() {
    // Integer soft values: both decoders see the same numbers. Where several paths tie, either is right.
    let mut dice = Dice::new(2);
    let mut viterbi = Viterbi::new();
    let correlation = |info: &[u8], soft: &[i16]| {
        let mut encoder = Encoder::default();
        let mut sum = 0_i32;
        for (&bit, pair) in info.iter().zip(soft.chunks(2)) {
            let (first, second) = encoder.push(bit);
            for (coded, &value) in [first, second].into_iter().zip(pair) {
                sum += i32::from(value) * (1 - 2 * i32::from(coded));
            }
        }
        sum
    };
    for round in 0..500 {
        let bits = [1, 6, 7, 50, 208, BITS][round % 6];
        let span = [2, 20, 2 * SOFT_MAX as usize + 1][round % 3];
        let soft: Vec<i16> = (0..2 * bits)
            .map(|_| (dice.below(span) as i16) - (span / 2) as i16)
            .collect();
        let soft_f64: Vec<f64> = soft.iter().map(|&value| f64::from(value)).collect();
        let mut decoded = vec![0; bits];
        viterbi.decode(&soft, &mut decoded);
        assert_eq!(
            correlation(&decoded, &soft),
            correlation(&oracle(&soft_f64), &soft),
            "round {round}, {bits} bits"
        );
    }
}

#[test]
fn the_loudest_packet_does_not_overflow() {
    // Full scale throughout and in agreement: the metrics reach their largest; then in full disagreement.
    let mut viterbi = Viterbi::new();
    let mut decoded = [9; BITS];
    viterbi.decode(&[SOFT_MAX; 2 * BITS], &mut decoded);
    assert_eq!(decoded, [0; BITS]);
    let alternating: Vec<i16> = (0..2 * BITS)
        .map(|i| if i % 2 == 0 { SOFT_MAX } else { -SOFT_MAX })
        .collect();
    let soft: Vec<f64> = alternating.iter().map(|&value| f64::from(value)).collect();
    viterbi.decode(&alternating, &mut decoded);
    assert_eq!(decoded.to_vec(), oracle(&soft));
}
