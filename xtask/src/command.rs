//! Other programs: started, and held to their success. Knows no chore.

use std::{error::Error, process::Command};

/// Runs it, with what it prints for all to see.
///
/// # Errors
/// It cannot be started, or fails.
pub fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command
        .status()
        .map_err(|why| format!("{command:?}: {why}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{command:?}: {status}").into())
    }
}

/// Runs it, and returns what it prints.
///
/// # Errors
/// It cannot be started, or fails: with all that it printed.
pub fn output(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command
        .output()
        .map_err(|why| format!("{command:?}: {why}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?}: {}\n{printed}{errors}", output.status).into())
}

/// Runs it, and fails unless it prints `says`.
///
/// # Errors
/// As [`output`], or it says something else.
pub fn expect(command: &mut Command, says: &str) -> Result<(), Box<dyn Error>> {
    let printed = output(command)?;
    if printed.contains(says) {
        return Ok(());
    }
    Err(format!("{command:?} said {printed:?}, not {says:?}").into())
}

/// Fails unless there is such a program, with the line that installs it.
pub fn need(program: &str, package: &str) -> Result<(), Box<dyn Error>> {
    match Command::new(program).arg("--version").output() {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err(format!("{program} is missing: apt-get install {package}").into()),
    }
}
