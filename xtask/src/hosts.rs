//! `cargo xtask hosts`: hosts with real audio devices, on two virtual phones (`scripts/two-phones.sh`). Installs
//! nothing: says what is missing, and how to get it.

pub mod phones;
mod play;
mod sdl;

use std::{
    error::Error,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// A blitz between AIs takes a minute or two; the rest is pairing, faults and goodbye.
const MATCH_WITHIN: Duration = Duration::from_secs(300);
/// Between two faults, so that the match goes on in between.
const REST: Duration = Duration::from_secs(6);

/// What a host needs that is not Rust: a program or a library, and the Debian package that brings it.
pub struct Need {
    /// A program on the path, or a library as `pkg-config` knows it.
    pub what: What,
    /// The package.
    pub package: &'static str,
}

/// A program, a library or a file.
pub enum What {
    /// Found on the path.
    Program(&'static str),
    /// Known to `pkg-config`.
    Library(&'static str),
    /// There.
    File(&'static str),
}

impl Need {
    fn is_met(&self) -> bool {
        let mut look = match self.what {
            What::File(path) => return Path::new(path).exists(),
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
    let usage = "usage: cargo xtask hosts [--only play|sdl] [--quick] [--program SOUND-DUEL]";
    let (mut quick, mut program) = (false, None);
    let mut only = None;
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--quick" => quick = true,
            "--program" => program = Some(PathBuf::from(options.next().ok_or(usage)?)),
            "--only" => match options.next() {
                Some(host @ (&"play" | &"sdl")) => only = Some(*host),
                _ => return Err(usage.into()),
            },
            _ => return Err(usage.into()),
        }
    }
    let wants = |host| only.is_none_or(|only| only == host);
    if wants("sdl") {
        meet(play::NEEDS.iter().chain(sdl::NEEDS))?;
    } else {
        meet(play::NEEDS)?;
    }
    let program = match program {
        Some(program) => program,
        None => play::build(root)?,
    };
    if wants("play") {
        play::run(root, &program, quick)?;
    }
    if wants("sdl") {
        sdl::run(root, &program, quick)?;
    }
    Ok(())
}

/// # Errors
/// What is missing, with the line that installs it.
fn meet<'a>(needs: impl IntoIterator<Item = &'a Need>) -> Result<(), String> {
    let missing: Vec<&str> = needs
        .into_iter()
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
