//! The parts that touch raw memory, run by Miri: an interpreter that watches every access, under both models of who may
//! touch what, and every race.

use crate::{command::run, nightly::Nightly};
use std::{error::Error, path::Path};

/// The two models: Miri's name of it, and its flag.
const MODELS: [(&str, &str); 2] = [
    ("Stacked Borrows", ""),
    ("Tree Borrows", "-Zmiri-tree-borrows"),
];

/// What is run: each is small, or says what it leaves out.
const RUNS: [&[&str]; 3] = [
    &["--package", "link-transport", "--test", "frame_bits"],
    &[
        "--package",
        "versus-codec",
        "--test",
        "numbers",
        "--test",
        "opaque",
    ],
    &[
        "--package",
        "capi",
        "--lib",
        "--test",
        "wrong_handles",
        "--test",
        "threads",
    ],
];

/// What Miri does not get to see, and where it stops.
const LEFT_OUT: [(&str, &str); 3] = [
    (
        "a live modem's two halves",
        "rustfft: its tables take an interpreter hours; see `cargo xtask tsan`",
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
    let nightly = match Nightly::new("Miri", &["miri", "rust-src"]) {
        Ok(nightly) => nightly,
        Err(why) if options.is_empty() => {
            println!("SKIPPED: {why}");
            return Ok(());
        }
        Err(why) => return Err(why.into()),
    };
    for (model, flag) in MODELS {
        for what in RUNS {
            let mut cargo = nightly.cargo(root, "miri");
            cargo
                .args(["miri", "test", "--quiet"])
                .args(what)
                // Tests read the header; `bitvec` keeps numbers in pointers, which Miri would warn of each time.
                .env(
                    "MIRIFLAGS",
                    format!("-Zmiri-disable-isolation -Zmiri-permissive-provenance {flag}"),
                )
                .env("PROPTEST_CASES", "4");
            run(&mut cargo)?;
            println!("Miri, {model}: {}: clean", what[1]);
        }
    }
    for (what, why) in LEFT_OUT {
        println!("Miri, left out: {what}: {why}");
    }
    Ok(())
}
