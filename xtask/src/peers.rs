//! Our sessions beside other libraries': a package outside the workspace, since nothing else here should compile them.

use crate::command::run as run_command;
use std::{error::Error, path::Path, process::Command};

/// The package.
const PACKAGE: &str = "bench-peers";

/// Builds and runs it with what its lock file names; `--quick` for fewer seeds and less time.
///
/// # Errors
/// Another option, or a build that fails.
pub fn run(root: &Path, options: &[&str]) -> Result<(), Box<dyn Error>> {
    if let Some(other) = options.iter().find(|option| **option != "--quick") {
        return Err(format!("peers {other}: only --quick").into());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run_command(
        Command::new(cargo)
            .current_dir(root.join(PACKAGE))
            .args(["run", "--quiet", "--release", "--locked", "--"])
            .args(options),
    )
}
