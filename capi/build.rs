//! Gives the shared library its soname: programs ask for the library of their ABI, not for whichever lies there. Lets a
//! page put functions of its own into a wasm instance's table, for the few callbacks there are. And writes a call of every
//! function of the header for the fuzzer.

#[path = "build/every.rs"]
mod every;
#[path = "tests/programs/header.rs"]
mod header;

use std::{env, fs, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let os = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if matches!(os.as_str(), "linux" | "android" | "freebsd") {
        // The 1 is DUEL_ABI; a test compares the two.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libsound_duel.so.1");
    }
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo:rustc-cdylib-link-arg=--export-table");
        println!("cargo:rustc-cdylib-link-arg=--growable-table");
    }
    if env::var_os("CARGO_FEATURE_RANDOM_CALLS").is_some() {
        for source in ["build/every.rs", "tests/programs/header.rs", "include"] {
            println!("cargo:rerun-if-changed={source}");
        }
        let header = header::Header::read(Path::new("include")).expect("the header is there");
        let out = env::var_os("OUT_DIR").expect("cargo says where");
        let calls = Path::new(&out).join("every_call.rs");
        fs::write(calls, every::calls(&header)).expect("it can be written");
    }
}
