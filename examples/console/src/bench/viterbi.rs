//! The decoder against others on the same noise: the plainest that decodes the same (floats, a table of states, no
//! thought of speed), and the `fec` crate's scalar one.

use super::{Effort, Figure};
use fec::ConvDecoder;
use link_fec::{
    INFO_BITS_MAX, TAIL_BITS,
    conv::{Encoder, STATES, outputs},
    viterbi::{SOFT_MAX, Viterbi},
};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::{error::Error, hint::black_box, time::Instant};

/// A high-plan packet: 188 bits, their checksum, the tail.
pub const INFO_BITS: usize = INFO_BITS_MAX;
const BLOCKS: usize = 200;
/// Blocks between two looks at the clock.
const RUN_BLOCKS: usize = 10;
/// Rounds of which each decoder's shortest counts, run by run.
const ROUNDS: usize = 25;
/// Blocks on which frame errors are counted: some thousands of them are lost.
const PAIRED_BLOCKS: usize = 200_000;
/// Standard deviation of the noise on ±1: 3 dB per bit at rate ½, where about one block in fifty is lost.
const NOISE: f64 = 0.707_945_8;
/// The generators as the `fec` crate writes them, with the newest bit lowest: 133 and 171 mirrored.
const FEC_GENERATORS: [u16; 2] = [0o155, 0o117];
/// Whole bytes of a block that the `fec` crate decodes; the rest it takes for the tail.
const FEC_BYTES: usize = (INFO_BITS - TAIL_BITS) / 8;
/// The value of its soft bits at which nothing is known, and the farthest from it.
const FEC_MIDDLE: f64 = 127.5;

/// A block with what each decoder takes of it.
pub struct Block {
    info: [u8; INFO_BITS],
    soft: [f32; 2 * INFO_BITS],
    pub quantised: [i16; 2 * INFO_BITS],
    bytes: [u8; 2 * INFO_BITS],
}

/// Seeded blocks at 3 dB.
pub fn blocks(count: usize) -> Vec<Block> {
    let mut dice = Dice(Pcg64Mcg::seed_from_u64(1));
    (0..count).map(|_| Block::new(&mut dice)).collect()
}

/// Decoders over the same blocks, turn about.
pub fn speed(effort: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let blocks = blocks(BLOCKS);
    let (mut ours, mut plain) = (Viterbi::new(), Naive::default());
    let mut theirs = ConvDecoder::new(2, 7, &FEC_GENERATORS);
    let mut info = [0; INFO_BITS];
    let mut bytes = [0; FEC_BYTES + 1];
    let mut right = [0; 3];
    for block in &blocks {
        ours.decode(&block.quantised, &mut info);
        right[0] += usize::from(info == block.info);
        plain.decode(&block.soft, &mut info);
        right[1] += usize::from(info == block.info);
        theirs.decode_soft(&block.bytes, &mut bytes)?;
        right[2] += usize::from(block.is(&bytes[..FEC_BYTES]));
    }
    if right.iter().any(|&right| right * 10 < 9 * BLOCKS) {
        return Err(format!("of {BLOCKS} blocks the decoders got {right:?} right").into());
    }
    // Short runs of each, turn about, the shortest of each run's repetitions: other programs come between runs, not into
    // the shortest.
    let mut best_us = [[f64::INFINITY; BLOCKS / RUN_BLOCKS]; 3];
    for _ in 0..effort.of(ROUNDS) {
        for (at, blocks) in blocks.chunks_exact(RUN_BLOCKS).enumerate() {
            let mut run = |which: usize, decode: &mut dyn FnMut(&Block)| {
                let started = Instant::now();
                for block in blocks {
                    decode(black_box(block));
                }
                let us = started.elapsed().as_secs_f64() * 1e6 / RUN_BLOCKS as f64;
                let best = &mut best_us[which][at];
                *best = best.min(us);
            };
            run(0, &mut |block| {
                ours.decode(&block.quantised, &mut info);
                black_box(&info);
            });
            run(1, &mut |block| {
                plain.decode(&block.soft, &mut info);
                black_box(&info);
            });
            run(2, &mut |block| {
                // It was decoded once already, and does not change its mind about lengths.
                black_box(theirs.decode_soft(&block.bytes, &mut bytes)).ok();
                black_box(&bytes);
            });
        }
    }
    let mean = |runs: [f64; BLOCKS / RUN_BLOCKS]| runs.iter().sum::<f64>() / runs.len() as f64;
    let [ours_us, plain_us, theirs_us] = best_us.map(mean);
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
        Figure {
            name: "viterbi.ratio_to_fec_scalar",
            value: theirs_us / ours_us,
            unit: "×",
            against: format!(
                "a bar of 4 ×: the fec crate's scalar decoder, {theirs_us:.1} µs for the same blocks"
            ),
        },
    ])
}

/// Blocks lost on the same noise: our sixteen bits against floats.
pub fn frame_errors(effort: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let count = effort.of(PAIRED_BLOCKS);
    let mut dice = Dice(Pcg64Mcg::seed_from_u64(2));
    let (mut ours, mut plain) = (Viterbi::new(), Naive::default());
    let mut info = [0; INFO_BITS];
    let mut lost = [0_usize; 2];
    for _ in 0..count {
        let block = Block::new(&mut dice);
        ours.decode(&block.quantised, &mut info);
        lost[0] += usize::from(info != block.info);
        plain.decode(&block.soft, &mut info);
        lost[1] += usize::from(info != block.info);
    }
    let [ours, floats] = lost;
    if floats == 0 {
        return Err(format!(
            "floats lost none of {count} blocks: the noise is not what it is to be"
        )
        .into());
    }
    Ok(vec![Figure {
        name: "viterbi.frame_errors_to_float",
        value: ours as f64 / floats as f64,
        unit: "×",
        against: format!(
            "a bar of 1.05 ×: {ours} lost of {count} blocks at 3 dB, a float decoder lost {floats} on the same noise"
        ),
    }])
}

impl Block {
    fn new(dice: &mut Dice) -> Self {
        let mut info = [0; INFO_BITS];
        for bits in info[..INFO_BITS - TAIL_BITS].chunks_mut(64) {
            let mut word = dice.0.next_u64();
            for bit in bits {
                *bit = (word & 1) as u8;
                word >>= 1;
            }
        }
        let mut encoder = Encoder::default();
        let mut soft = [0.0; 2 * INFO_BITS];
        for (&bit, pair) in info.iter().zip(soft.chunks_exact_mut(2)) {
            let (first, second) = encoder.push(bit);
            let noise = dice.bells();
            for ((soft, coded), noise) in pair.iter_mut().zip([first, second]).zip(noise) {
                *soft = (1.0 - 2.0 * f64::from(coded) + NOISE * noise) as f32;
            }
        }
        // As packets are: full scale is four times the mean magnitude.
        let mean = soft.iter().map(|soft| soft.abs()).sum::<f32>() / soft.len() as f32;
        let full = f32::from(SOFT_MAX);
        let quantised =
            soft.map(|soft| (soft / (4.0 * mean) * full).clamp(-full, full).round() as i16);
        // Eight bits do best at a smaller full scale: twice the mean loses least.
        let bytes = soft.map(|soft| {
            let value = FEC_MIDDLE - f64::from(soft / (2.0 * mean)) * FEC_MIDDLE;
            value.clamp(0.0, 255.0).round() as u8
        });
        Self {
            info,
            soft,
            quantised,
            bytes,
        }
    }

    /// Whether these are its first bits.
    fn is(&self, bytes: &[u8]) -> bool {
        let bit = |i: usize| bytes[i / 8] >> (7 - i % 8) & 1;
        (0..8 * bytes.len()).all(|i| bit(i) == self.info[i])
    }
}

/// Seeded noise.
struct Dice(Pcg64Mcg);

impl Dice {
    /// Two bell-shaped deviates of unit variance (G. Marsaglia's polar method).
    fn bells(&mut self) -> [f64; 2] {
        let mut unit = || (self.0.next_u64() >> 11) as f64 * (2.0 / (1_u64 << 53) as f64) - 1.0;
        loop {
            let (x, y) = (unit(), unit());
            let square = x * x + y * y;
            if 0.0 < square && square < 1.0 {
                let scale = (-2.0 * square.ln() / square).sqrt();
                return [x * scale, y * scale];
            }
        }
    }
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
