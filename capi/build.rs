//! Gives the shared library its soname: programs ask for the library of their ABI, not for whichever lies there. And lets
//! a page put functions of its own into a wasm instance's table, for the few callbacks there are.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if matches!(os.as_str(), "linux" | "android" | "freebsd") {
        // The 1 is DUEL_ABI; a test compares the two.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libsound_duel.so.1");
    }
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo:rustc-cdylib-link-arg=--export-table");
        println!("cargo:rustc-cdylib-link-arg=--growable-table");
    }
}
