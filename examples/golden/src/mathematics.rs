//! Deterministic mathematics: a digest of each function's results over seeded arguments of every size.

use dmath::{atan2, cos, div, exp2, hypot, ln, log2, mul, pow, sin, sqrt};
use match_feed::WorldHash;
use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// Results a function.
const RESULTS: usize = 20_000;
const STREAM: u64 = 0x646D_6174;

/// A function by name; its two arguments are drawn anew for each result, and its result is widened.
type Function = (&'static str, fn(u64, u64) -> u64);

const FUNCTIONS: [Function; 11] = [
    ("sin", |one, _| sin(one as u32) as u64),
    ("cos", |one, _| cos(one as u32) as u64),
    ("atan2", |one, other| atan2(one as i64, other as i64).into()),
    ("hypot", |one, other| hypot(one as i64, other as i64)),
    ("sqrt", |one, _| sqrt(one)),
    ("log2", |one, _| log2(one) as u64),
    ("ln", |one, _| ln(one) as u64),
    // Exponents that do not leave the range: 26 bits of whole part would, in all but one of a million.
    ("exp2", |one, _| exp2(one as i64 >> 26)),
    ("pow", |one, other| pow(one, other as i64 >> 24)),
    ("mul", |one, other| mul(one as i64, other as i64) as u64),
    ("div", |one, other| div(one as i64, other as i64) as u64),
];

pub fn say_digests(say: &mut dyn FnMut(String)) {
    for (name, function) in FUNCTIONS {
        let mut dice = Pcg32::new(1, STREAM);
        let mut argument = || {
            let size = dice.next_u32() % 64;
            dice.next_u64() >> size
        };
        let results: Vec<u8> = (0..RESULTS)
            .flat_map(|_| function(argument(), argument()).to_le_bytes())
            .collect();
        say(format!("dmath {name} {}", WorldHash::of(&results)));
    }
}
