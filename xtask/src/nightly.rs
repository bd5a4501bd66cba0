//! The nightly compiler, for what only it can do: sanitizers, and the interpreter that watches every access.

use crate::{command::output, target};
use std::{
    error::Error,
    path::{Path, PathBuf},
    process::Command,
};

/// Sanitizers want a target named, so that build scripts are not built for them.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// It, with the components asked for.
pub struct Nightly(());

impl Nightly {
    /// As [`Self::new`]; without `--require` it is said aloud that what is missing is missing, and nothing is returned.
    pub fn or_skip(
        tool: &str,
        components: &[&str],
        options: &[&str],
    ) -> Result<Option<Self>, String> {
        match Self::new(tool, components) {
            Err(why) if !options.contains(&"--require") => {
                println!("SKIPPED: {why}");
                Ok(None)
            }
            found => found.map(Some),
        }
    }

    /// # Errors
    /// It is not here, or a component is not: the lines that install them.
    pub fn new(tool: &str, components: &[&str]) -> Result<Self, String> {
        let listed = Command::new("rustup")
            .args(["component", "list", "--installed", "--toolchain", "nightly"])
            .output();
        let listed = match listed {
            Ok(listed) if listed.status.success() => {
                String::from_utf8_lossy(&listed.stdout).into_owned()
            }
            _ => {
                let install = "rustup toolchain install nightly --profile minimal";
                return Err(format!("{tool} takes the nightly compiler: {install}"));
            }
        };
        for component in components {
            if !listed.lines().any(|line| line.starts_with(component)) {
                let install = format!("rustup component add --toolchain nightly {component}");
                return Err(format!("{tool} takes {component}: {install}"));
            }
        }
        Ok(Self(()))
    }

    /// Where its own libraries lie.
    pub fn libraries(&self, root: &Path) -> Result<PathBuf, Box<dyn Error>> {
        let mut rustc = Command::new("rustup");
        rustc
            .current_dir(root)
            .args(["run", "nightly", "rustc", "--print", "target-libdir"])
            .args(["--target", TARGET])
            .env_remove("RUSTUP_TOOLCHAIN");
        Ok(PathBuf::from(output(&mut rustc)?.trim()))
    }

    /// Its cargo, in `root`, with a folder of its own for what it makes.
    pub fn cargo(&self, root: &Path, folder: &str) -> Command {
        let mut cargo = Command::new("rustup");
        cargo
            .current_dir(root)
            .args(["run", "nightly", "cargo"])
            .env("CARGO_TARGET_DIR", target::folder(root).join(folder))
            .env_remove("CARGO")
            .env_remove("RUSTC")
            .env_remove("RUSTUP_TOOLCHAIN");
        cargo
    }

    /// Its cargo, for what is built with a sanitizer. Its folder holds nothing else, or all would be built again.
    pub fn sanitized(&self, root: &Path, sanitizer: &str, folder: &str, verb: &[&str]) -> Command {
        let mut cargo = self.cargo(root, folder);
        cargo
            .args(verb)
            .args(["--quiet", "--target", TARGET])
            .env("RUSTFLAGS", format!("-Zsanitizer={sanitizer}"));
        cargo
    }

    /// Where [`Self::sanitized`] puts it.
    pub fn made(&self, root: &Path, folder: &str) -> PathBuf {
        target::folder(root).join(folder).join(TARGET).join("debug")
    }
}
