//! Every function against vectors that mpmath made at 200 bits: the error bounds that the documentation states.

use dmath::{atan2, cos, exp2, hypot, ln, log2, pow, sin, sqrt};
use std::collections::BTreeMap;

/// Results are given in 1/2²⁰ of the last place.
const SCALE: f64 = (1_u64 << 20) as f64;
const VECTORS: &str = include_str!("../vectors/vectors.txt");

/// One line: the function, its arguments, the true result in 1/2²⁰ of the last place, or none beyond the range.
struct Line<'a> {
    name: &'a str,
    arguments: Vec<i128>,
    truth: Option<i128>,
}

fn lines() -> impl Iterator<Item = Line<'static>> {
    VECTORS.lines().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, arguments @ .., truth] = &words[..] else {
            panic!("{line}")
        };
        Line {
            name,
            arguments: arguments.iter().map(|word| word.parse().unwrap()).collect(),
            truth: (*truth != "full").then(|| truth.parse().unwrap()),
        }
    })
}

/// What the function gives, and by how much it may be off: of the last place, and of the result.
fn computed(line: &Line) -> (i128, f64, f64) {
    let u32_of = |at: usize| u32::try_from(line.arguments[at]).unwrap();
    let i64_of = |at: usize| i64::try_from(line.arguments[at]).unwrap();
    let u64_of = |at: usize| u64::try_from(line.arguments[at]).unwrap();
    match line.name {
        "sin" => (sin(u32_of(0)).into(), 0.51, 0.0),
        "cos" => (cos(u32_of(0)).into(), 0.51, 0.0),
        "atan2" => (atan2(i64_of(0), i64_of(1)).into(), 0.51, 0.0),
        "hypot" => (hypot(i64_of(0), i64_of(1)).into(), 0.5, 0.0),
        "sqrt" => (sqrt(u64_of(0)).into(), 0.5, 0.0),
        "log2" => (log2(u64_of(0)).into(), 0.51, 0.0),
        "ln" => (ln(u64_of(0)).into(), 0.51, 0.0),
        "exp2" => (exp2(i64_of(0)).into(), 0.5, 2_f64.powi(-58)),
        "pow" => {
            let exponent = i64_of(1) as f64 / 2_f64.powi(32);
            let share = (exponent.abs() + 4.0) * 2_f64.powi(-56);
            (pow(u64_of(0), i64_of(1)).into(), 0.5, share)
        }
        other => panic!("no function {other}"),
    }
}

#[test]
fn every_function_is_within_its_bound() {
    let mut worst: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    for line in lines() {
        let (got, places, share) = computed(&line);
        let (name, arguments) = (line.name, &line.arguments);
        let Some(truth) = line.truth else {
            // Beyond the range, or so near its end that the function may say so too.
            assert!(got >= (1 << 64) - 2048, "{name} {arguments:?}: {got}");
            continue;
        };
        let mut off = (got << 20) - truth;
        if name == "atan2" {
            // A turn is none.
            off = (off + (1 << 51)).rem_euclid(1 << 52) - (1 << 51);
        }
        let off = off as f64 / SCALE;
        // The truth was rounded down, by 2⁻²⁰ of a place at the most.
        let bound = places + share * (truth as f64 / SCALE) + 1.0 / SCALE;
        assert!(
            off.abs() <= bound,
            "{name} {arguments:?} is {off} places off, of at most {bound}"
        );
        let seen = worst.entry(name).or_default();
        *seen = (
            seen.0 + 1,
            seen.1.max(off.abs() - share * (truth as f64 / SCALE)),
        );
    }
    assert_eq!(worst.len(), 9, "every function has vectors: {worst:?}");
    assert!(worst.values().all(|(count, _)| *count > 400), "{worst:?}");
}
