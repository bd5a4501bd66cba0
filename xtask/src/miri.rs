//! The parts that touch raw memory, run by Miri: an interpreter that watches every access, under both models of who may
//! touch what, and every race.

use crate::{command::run, nightly::Nightly};
use std::{error::Error, path::Path, time::Instant};

/// The two models: Miri's name of it, and its flag.
const MODELS: [(&str, &str); 2] = [
    ("Stacked Borrows", ""),
    ("Tree Borrows", "-Zmiri-tree-borrows"),
];

/// What is run, and under how many of the models: each is small, or says what it leaves out. Under Stacked Borrows every bit
/// slice stops inside a dependency, see below.
const RUNS: [(&[&str], &[usize]); 4] = [
    (
        &["--package", "capi", "--lib", "--test", "wrong_handles"],
        &[0, 1],
    ),
    // Sessions on two threads: they write bit slices.
    (&["--package", "capi", "--test", "threads"], &[1]),
    (
        &["--package", "link-transport", "--test", "frame_bits"],
        &[1],
    ),
    (
        &[
            "--package",
            "versus-codec",
            "--test",
            "numbers",
            "--test",
            "opaque",
        ],
        &[1],
    ),
];

/// What Miri does not get to see, and where it stops.
const LEFT_OUT: [(&str, &str); 4] = [
    (
        "bit slices, and sessions that write them, under Stacked Borrows",
        "bitvec 1.1: a reference to a bit slice is one of no bytes, and what is read through it stops in \
         wyz::comu::Address::from_raw_parts",
    ),
    (
        "a live modem's two halves",
        "rustfft: much arithmetic for an interpreter, not run; see `cargo xtask tsan`",
    ),
    (
        "rooms and pumps that are live",
        "rustfft, likewise; freed and foreign ones are looked at",
    ),
    (
        "C programs",
        "Miri runs Rust alone; see `cargo xtask capi-test --asan` and `--valgrind`",
    ),
];

/// Runs it all.
pub fn all(root: &Path, options: &[&str]) -> Result<(), Box<dyn Error>> {
    let Some(nightly) = Nightly::or_skip("Miri", &["miri", "rust-src"], options)? else {
        return Ok(());
    };
    let started = Instant::now();
    let mut runs = 0;
    for (at, (model, flag)) in MODELS.into_iter().enumerate() {
        for (what, _) in RUNS.iter().filter(|(_, models)| models.contains(&at)) {
            let mut cargo = nightly.cargo(root, "miri");
            cargo
                .args(["miri", "test", "--quiet"])
                .args(*what)
                // Tests read the header; `bitvec` keeps numbers in pointers, which Miri would warn of each time.
                .env(
                    "MIRIFLAGS",
                    format!("-Zmiri-disable-isolation -Zmiri-permissive-provenance {flag}"),
                )
                .env("PROPTEST_CASES", "4");
            run(&mut cargo)?;
            runs += 1;
            let seconds = started.elapsed().as_secs();
            println!(
                "Miri, {model}: {}: clean, {seconds} s from the start",
                what.join(" ")
            );
        }
    }
    for (what, why) in LEFT_OUT {
        println!("Miri, left out: {what}: {why}");
    }
    let seconds = started.elapsed().as_secs();
    println!("Miri: {runs} runs clean in {seconds} s");
    Ok(())
}
