//! Measurements and soaks that are examples of the crates whose tests' harness they use; here they are only started.

use crate::target;
use std::{error::Error, path::Path};

/// Runs the program that a package is, built with optimisation; `why` as below.
pub fn run_package(
    root: &Path,
    package: &str,
    options: &[&str],
    why: &str,
) -> Result<(), Box<dyn Error>> {
    let status = target::cargo(root)
        .args(["run", "--quiet", "--release", "--package", package, "--"])
        .args(options)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(why.into())
    }
}

/// Runs an example, built with optimisation, with the options it is asked for; `why` says what its failure means.
pub fn run(
    root: &Path,
    package: &str,
    name: &str,
    options: &[&str],
    why: &str,
) -> Result<(), Box<dyn Error>> {
    let status = target::cargo(root)
        .args(["run", "--quiet", "--release", "--package", package])
        .args(["--example", name, "--"])
        .args(options)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(why.into())
    }
}
