//! The decoder against the plainest one that decodes the same: floats, a table of states, no thought of speed.

use super::{Figure, watch::best_of};
use link_fec::{
    conv::{Encoder, STATES, outputs},
    viterbi::{SOFT_MAX, Viterbi},
};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::{error::Error, hint::black_box, time::Instant};

/// A high-plan packet: 188 bits, their checksum, the tail.
const INFO_BITS: usize = 210;
const TAIL_BITS: usize = 6;
const BLOCKS: usize = 200;
/// Rounds of which the shortest counts.
const ROUNDS: usize = 25;
/// Standard deviation of the noise on ±1: 3 dB per bit at rate ½, where about one block in fifty is lost.
const NOISE: f32 = 0.708;
/// Quantised: the largest value stands for four times the mean.
const SOFT_SCALE: f32 = SOFT_MAX as f32 / 4.0;

struct Block {
    info: [u8; INFO_BITS],
    soft: Vec<f32>,
    quantised: Vec<i16>,
}

/// Both decoders over the same blocks, turn about.
pub fn against_naive() -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut dice = Pcg64Mcg::seed_from_u64(1);
    let blocks: Vec<_> = (0..BLOCKS).map(|_| block(&mut dice)).collect();
    let (mut ours, mut plain) = (Viterbi::new(), Naive::default());
    let mut info = [0; INFO_BITS];
    let mut right = [0; 2];
    for block in &blocks {
        ours.decode(&block.quantised, &mut info);
        right[0] += usize::from(info == block.info);
        plain.decode(&block.soft, &mut info);
        right[1] += usize::from(info == block.info);
    }
    if right.iter().any(|&right| right * 10 < 9 * BLOCKS)
        || right[0].abs_diff(right[1]) > BLOCKS / 50
    {
        return Err(format!(
            "of {BLOCKS} blocks one decoder got {} right, the other {}",
            right[0], right[1]
        )
        .into());
    }
    let per_block_us = |started: Instant| started.elapsed().as_secs_f64() * 1e6 / BLOCKS as f64;
    let ours_us = best_of(ROUNDS, || {
        let started = Instant::now();
        for block in &blocks {
            ours.decode(black_box(&block.quantised), &mut info);
            black_box(&info);
        }
        per_block_us(started)
    });
    let plain_us = best_of(ROUNDS, || {
        let started = Instant::now();
        for block in &blocks {
            plain.decode(black_box(&block.soft), &mut info);
            black_box(&info);
        }
        per_block_us(started)
    });
    Ok(vec![
        Figure {
            name: "viterbi.block_us",
            value: ours_us,
            unit: "µs",
            against: format!("a block of {INFO_BITS} bits at 3 dB, every 100 ms at most"),
        },
        Figure {
            name: "viterbi.ratio_to_naive",
            value: plain_us / ours_us,
            unit: "×",
            against: format!("a plain float decoder, {plain_us:.1} µs for the same blocks"),
        },
    ])
}

fn block(dice: &mut Pcg64Mcg) -> Block {
    let mut info = [0; INFO_BITS];
    for bit in &mut info[..INFO_BITS - TAIL_BITS] {
        *bit = (dice.next_u32() & 1) as u8;
    }
    let mut encoder = Encoder::default();
    let coded = info.iter().flat_map(|&bit| {
        let (first, second) = encoder.push(bit);
        [first, second]
    });
    let soft: Vec<f32> = coded
        .map(|bit| 1.0 - 2.0 * f32::from(bit))
        .collect::<Vec<_>>()
        .into_iter()
        .map(|value| value + NOISE * bell(dice))
        .collect();
    let quantised = soft
        .iter()
        .map(|value| {
            (value * SOFT_SCALE)
                .round()
                .clamp(-f32::from(SOFT_MAX), f32::from(SOFT_MAX)) as i16
        })
        .collect();
    Block {
        info,
        soft,
        quantised,
    }
}

/// A bell-shaped deviate of unit variance: twelve uniform ones.
fn bell(dice: &mut Pcg64Mcg) -> f32 {
    let uniform = |dice: &mut Pcg64Mcg| dice.next_u32() as f32 / u32::MAX as f32;
    (0..12).map(|_| uniform(dice)).sum::<f32>() - 6.0
}

/// The textbook: each step, each state, the better of its two predecessors.
#[derive(Default)]
struct Naive {
    survivors: Vec<[u8; STATES]>,
}

impl Naive {
    fn decode(&mut self, soft: &[f32], info: &mut [u8]) {
        let mut metrics = [f32::NEG_INFINITY; STATES];
        metrics[0] = 0.0;
        self.survivors.clear();
        for pair in soft.chunks_exact(2) {
            let mut better = [f32::NEG_INFINITY; STATES];
            let mut from = [0; STATES];
            for (state, &metric) in metrics.iter().enumerate() {
                for input in 0..2 {
                    let register = state << 1 | input;
                    let (first, second) = outputs(register as u8);
                    let metric = metric + signed(first, pair[0]) + signed(second, pair[1]);
                    let next = register & (STATES - 1);
                    if metric > better[next] {
                        better[next] = metric;
                        from[next] = state as u8;
                    }
                }
            }
            metrics = better;
            self.survivors.push(from);
        }
        let mut state = 0;
        for (bit, from) in info.iter_mut().zip(&self.survivors).rev() {
            *bit = (state & 1) as u8;
            state = usize::from(from[state]);
        }
    }
}

fn signed(coded: u8, soft: f32) -> f32 {
    if coded == 0 { soft } else { -soft }
}
