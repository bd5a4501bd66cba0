//! The bars of the whole stack by sound. It is an example of `versus-session`, on the harness of its tests; here it is
//! only started.

use std::{error::Error, path::Path, process::Command};

pub fn run(root: &Path, options: &[&str]) -> Result<(), Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["run", "--quiet", "--release", "--package", "versus-session"])
        .args(["--example", "room_bars", "--"])
        .args(options)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err("a bar was missed: see above".into())
    }
}
