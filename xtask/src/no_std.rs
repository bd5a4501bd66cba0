//! Whether what claims to need no operating system needs none: it is compiled for a processor that has none, with
//! nothing but `core` and `alloc` there to be used.

use crate::target;
use std::{error::Error, path::Path};

/// A microcontroller: 32 bits, no operating system, and so no `std` at all.
const TARGET: &str = "thumbv7em-none-eabihf";
/// Everything that says `no_std`.
const CRATES: [&str; 12] = [
    "dmath",
    "link-transport",
    "link-fec",
    "match-feed",
    "versus-codec",
    "versus-lockstep",
    "versus-pairing",
    "versus-session",
    "game-sim",
    "game-brawl",
    "net-transport",
    "net-session",
];

pub fn run(root: &Path, options: &[&str]) -> Result<(), Box<dyn Error>> {
    let required = match options {
        [] => false,
        ["--require-all"] => true,
        _ => return Err("usage: cargo xtask no-std [--require-all]".into()),
    };
    let compiler = match target::compiler(root, TARGET) {
        Ok(compiler) => compiler,
        Err(why) if required => return Err(why.into()),
        Err(why) => {
            println!("SKIPPED, nothing was checked: {why}");
            return Ok(());
        }
    };
    let mut cargo = compiler.cargo(root, "build", "release");
    for name in CRATES {
        cargo.args(["--package", name]);
    }
    if !cargo.status()?.success() {
        return Err(format!("something above does not compile for {TARGET}").into());
    }
    println!(
        "{} compile for {TARGET}, which has core and alloc and nothing else",
        CRATES.join(", ")
    );
    Ok(())
}
