//! `cargo xtask hosts`: hosts with real audio devices, on two virtual phones (`scripts/two-phones.sh`). Installs
//! nothing: says what is missing, and how to get it.

pub mod phones;
mod play;

use std::{
    error::Error,
    path::{Path, PathBuf},
    process::Command,
};

/// What a host needs that is not Rust: a program or a library, and the Debian package that brings it.
pub struct Need {
    /// A program on the path, or a library as `pkg-config` knows it.
    pub what: What,
    /// The package.
    pub package: &'static str,
}

/// A program or a library.
pub enum What {
    /// Found on the path.
    Program(&'static str),
    /// Known to `pkg-config`.
    Library(&'static str),
}

impl Need {
    fn is_met(&self) -> bool {
        let mut look = match self.what {
            What::Program(name) => {
                let mut look = Command::new("sh");
                look.args(["-c", "command -v \"$0\"", name]);
                look
            }
            What::Library(name) => {
                let mut look = Command::new("pkg-config");
                look.args(["--exists", name]);
                look
            }
        };
        look.output().is_ok_and(|done| done.status.success())
    }
}

/// Runs what the options name: everything, or the quick part of it; with the program named, or one built for it.
pub fn run(root: &Path, options: &[&str]) -> Result<(), Box<dyn Error>> {
    let usage = "usage: cargo xtask hosts [--only play] [--quick] [--program SOUND-DUEL]";
    let (mut quick, mut program) = (false, None);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--quick" => quick = true,
            "--program" => program = Some(PathBuf::from(options.next().ok_or(usage)?)),
            "--only" if options.next() == Some(&"play") => {}
            _ => return Err(usage.into()),
        }
    }
    meet(play::NEEDS)?;
    play::run(root, program, quick)
}

/// # Errors
/// What is missing, with the line that installs it.
fn meet(needs: &[Need]) -> Result<(), String> {
    let missing: Vec<&str> = needs
        .iter()
        .filter(|need| !need.is_met())
        .map(|need| need.package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "hosts: missing on this machine; on Debian:\n  apt-get install --no-install-recommends {}",
        missing.join(" ")
    ))
}

/// # Errors
/// What the virtual phones and a live `sound-duel` need is missing, with the line that installs it.
pub fn need_phones() -> Result<(), String> {
    meet(play::NEEDS)
}

/// `sound-duel` with live audio, built for it.
///
/// # Errors
/// It does not build.
pub fn live_program(root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    play::build(root)
}
