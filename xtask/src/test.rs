//! Every test of the workspace, as `cargo test --workspace` runs them, but as many programs side by side as there are processors:
//! cargo runs one after the other, and many of ours hold one long test.

use crate::target;
use std::{
    error::Error,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

/// A program of tests that cargo has built.
struct Program {
    path: PathBuf,
    /// The folder of its package, where cargo runs it.
    folder: PathBuf,
    /// The line that runs it alone.
    line: String,
}

/// Builds and runs them all, and then the examples in documentation. `Some` line runs what failed first again.
///
/// # Errors
/// Cargo cannot be started, or says something that is no message of its own.
pub fn all(root: &Path) -> Result<Option<String>, Box<dyn Error>> {
    let Some(programs) = build(root)? else {
        return Ok(Some("cargo test --workspace --no-run".to_owned()));
    };
    if let Some(failed) = run(&programs)? {
        return Ok(Some(failed));
    }
    let mut cargo = target::cargo(root);
    let documentation = cargo
        .args(["test", "--workspace", "--doc", "--quiet"])
        .output()?;
    if documentation.status.success() {
        return Ok(None);
    }
    println!("{}", String::from_utf8_lossy(&documentation.stdout));
    eprintln!("{}", String::from_utf8_lossy(&documentation.stderr));
    Ok(Some("cargo test --workspace --doc".to_owned()))
}

/// `None` if something does not compile; the compiler has said what.
fn build(root: &Path) -> Result<Option<Vec<Program>>, Box<dyn Error>> {
    let mut cargo = target::cargo(root);
    cargo
        .args(["test", "--workspace", "--no-run"])
        .args(["--message-format", "json-render-diagnostics"])
        .stderr(Stdio::inherit());
    let output = cargo.output()?;
    if !output.status.success() {
        return Ok(None);
    }
    let mut programs = Vec::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        let (Some(path), Some(true)) = (
            message["executable"].as_str(),
            message["profile"]["test"].as_bool(),
        ) else {
            continue;
        };
        let manifest = message["manifest_path"]
            .as_str()
            .ok_or("an artifact of no package")?;
        let folder = Path::new(manifest)
            .parent()
            .ok_or("a package in no folder")?;
        let target = &message["target"];
        let (kind, name) = (target["kind"][0].as_str(), target["name"].as_str());
        let which = match (kind, name) {
            (Some("test"), Some(name)) => format!("--test {name}"),
            (Some("bin"), Some(name)) => format!("--bin {name}"),
            (Some("example"), Some(name)) => format!("--example {name}"),
            _ => "--lib".to_owned(),
        };
        programs.push(Program {
            path: path.into(),
            folder: folder.into(),
            line: format!("cargo test --manifest-path {manifest} {which}"),
        });
    }
    Ok(Some(programs))
}

/// Runs them until one fails: all that it printed is shown, and the line that runs it alone is returned.
fn run(programs: &[Program]) -> Result<Option<String>, Box<dyn Error>> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let (next, stop, first) = (
        AtomicUsize::new(0),
        AtomicBool::new(false),
        Mutex::new(None),
    );
    let work = || -> Result<(), std::io::Error> {
        while !stop.load(Ordering::Relaxed) {
            let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let output = Command::new(&program.path)
                .current_dir(&program.folder)
                .env("CARGO_MANIFEST_DIR", &program.folder)
                .output()?;
            if output.status.success() {
                continue;
            }
            stop.store(true, Ordering::Relaxed);
            let mut first = first.lock().expect("nobody panics with it");
            if first.is_none() {
                println!("{}", String::from_utf8_lossy(&output.stdout));
                eprintln!("{}", String::from_utf8_lossy(&output.stderr));
                *first = Some(program.line.clone());
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            thread.join().expect("a worker does not panic")?;
        }
        Ok::<_, std::io::Error>(())
    })?;
    Ok(first.into_inner().expect("nobody panics with it"))
}
