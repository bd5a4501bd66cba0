//! Other processors: whether what they need to be compiled for is here, and the line that installs it. Installs nothing.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

/// Where `xtask/std.sh` keeps a compiler with standard libraries of its own, for where rustup offers none.
const OWN_COMPILER: &str = "target/std/root/usr";
/// Where that puts what it makes.
const OWN_BUILT: &str = "target/std/built";

/// A compiler that can compile for a target.
pub struct Compiler {
    /// The target's triple.
    pub triple: &'static str,
    /// Its directory, if it is not the one that cargo takes by itself.
    own: Option<PathBuf>,
}

/// The compiler for `triple`, if there is one.
///
/// # Errors
/// None has the target's standard library: the line that installs it.
pub fn compiler(root: &Path, triple: &'static str) -> Result<Compiler, String> {
    if has_libraries(&rustc(), triple) {
        return Ok(Compiler { triple, own: None });
    }
    let own = root.join(OWN_COMPILER);
    if own.join("lib/rustlib").join(triple).join("lib").is_dir() {
        return Ok(Compiler {
            triple,
            own: Some(own),
        });
    }
    Err(format!(
        "the standard library of {triple} is not here. To install it: rustup target add {triple} (or, where rustup has \
         none: xtask/std.sh {triple})"
    ))
}

fn rustc() -> OsString {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

fn has_libraries(rustc: &OsString, triple: &str) -> bool {
    let printed = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", triple])
        .output();
    printed.is_ok_and(|printed| {
        let folder = String::from_utf8_lossy(&printed.stdout).trim().to_owned();
        printed.status.success() && Path::new(&folder).is_dir()
    })
}

impl Compiler {
    /// A cargo that compiles with it, in `root`.
    pub fn cargo(&self, root: &Path, verb: &str, profile: &str) -> Command {
        let mut cargo = cargo(root);
        cargo.args([verb, "--quiet", "--profile", profile]);
        cargo.args(["--target", self.triple]);
        if let Some(own) = &self.own {
            let libraries = own.join("lib/x86_64-linux-gnu");
            // What it compiles is not to be mixed with what the other compiler makes.
            cargo
                .env("RUSTC", own.join("bin/rustc"))
                .env("LD_LIBRARY_PATH", libraries)
                .env("CARGO_TARGET_DIR", root.join(OWN_BUILT));
        }
        cargo
    }

    /// Where it puts what is made.
    pub fn made(&self, root: &Path, profile: &str) -> PathBuf {
        let folder = match self.own {
            Some(_) => root.join(OWN_BUILT),
            None => folder(root),
        };
        folder.join(self.triple).join(profile)
    }

    /// Cargo's environment variable of that name for this target.
    pub fn variable(&self, what: &str) -> String {
        let triple = self.triple.replace('-', "_").to_uppercase();
        format!("CARGO_TARGET_{triple}_{what}")
    }

    /// Lets `cargo` link with what comes with Rust, if that is here.
    pub fn link_by_rust_lld(&self, cargo: &mut Command) {
        if let Some(lld) = rust_lld() {
            cargo.env(self.variable("LINKER"), lld);
        }
    }
}

/// A cargo as this one, in `root`.
pub fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo
}

/// Where it puts what it makes.
pub fn folder(root: &Path) -> PathBuf {
    // It runs in `root`, so a relative folder lies there.
    root.join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// The linker that comes with Rust, for targets that need no other.
fn rust_lld() -> Option<PathBuf> {
    let printed = Command::new(rustc())
        .args(["--print", "sysroot"])
        .output()
        .ok()?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&printed.stdout).trim());
    let host = host()?;
    let lld = sysroot.join("lib/rustlib").join(host).join("bin/rust-lld");
    lld.is_file().then_some(lld)
}

/// This machine's triple.
pub fn host() -> Option<String> {
    let printed = Command::new(rustc()).arg("-vV").output().ok()?;
    let text = String::from_utf8_lossy(&printed.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "))?;
    Some(line.to_owned())
}

/// The first of these programs that can be started.
pub fn first_program(names: &[&'static str]) -> Option<&'static str> {
    let starts = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    names.iter().find(starts).copied()
}
