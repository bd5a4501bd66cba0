//! The delivery matrix: runs `link-room`'s example, built with optimisation, and passes on what it is asked for.

use std::{error::Error, path::Path, process::Command};

/// Prints the table; an error if a bar was missed.
pub fn run(root: &Path, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["run", "--quiet", "--release", "--package", "link-room"])
        .args(["--example", "matrix", "--"])
        .args(arguments)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err("the matrix has a bar that was missed, or could not be run".into())
    }
}
