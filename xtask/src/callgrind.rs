//! Instructions counted by callgrind.

use crate::command::output;
use std::{error::Error, fs, path::Path, process::Command};

/// What a run came to.
pub struct Counted {
    /// Instructions inside the function.
    pub instructions: u64,
    /// What the program printed.
    pub printed: String,
}

/// Fails unless callgrind is here.
pub fn need() -> Result<(), Box<dyn Error>> {
    crate::command::need("valgrind", "valgrind")
}

/// The instructions that a run spends inside `function`, which may be a pattern.
///
/// # Errors
/// The program fails, or never comes there.
pub fn count(
    program: &Path,
    arguments: &[&str],
    function: &str,
) -> Result<Counted, Box<dyn Error>> {
    let file = std::env::temp_dir().join(format!("callgrind-{}", std::process::id()));
    let printed = output(
        Command::new("valgrind")
            .args(["--tool=callgrind", "--quiet", "--collect-atstart=no"])
            .arg(format!("--toggle-collect={function}"))
            .arg(format!("--callgrind-out-file={}", file.display()))
            .arg(program)
            .args(arguments),
    )?;
    let text = fs::read_to_string(&file)?;
    fs::remove_file(&file)?;
    let total = text.lines().find_map(|line| line.strip_prefix("summary: "));
    match total.and_then(|total| total.trim().parse().ok()) {
        None | Some(0) => {
            let arguments = arguments.join(" ");
            Err(format!("{arguments}: callgrind counted nothing inside {function}").into())
        }
        Some(instructions) => Ok(Counted {
            instructions,
            printed,
        }),
    }
}
