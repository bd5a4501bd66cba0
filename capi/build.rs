//! Gives the shared library its soname: programs ask for the library of their ABI, not for whichever lies there.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if matches!(os.as_str(), "linux" | "android" | "freebsd") {
        // The 1 is DUEL_ABI; a test compares the two.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libsound_duel.so.1");
    }
}
