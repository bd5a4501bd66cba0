//! What a person runs before every commit: quick when nothing has to be built, and each failure says how to see it again.

use crate::{target, test};
use std::{
    error::Error,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

/// How a step is taken. `Ok(Some(line))` says that it failed, and the line that shows it again.
type Take = fn(&Path, &'static str) -> Result<Option<String>, Box<dyn Error>>;

/// The steps, as a person types them. The last is a duel by sound, which exits 0 only if both phones stayed in sync.
const STEPS: [(&str, Take); 4] = [
    ("cargo fmt --all --check", as_typed),
    (
        "cargo clippy --workspace --all-targets -- --deny warnings",
        as_typed,
    ),
    ("cargo test --workspace", |root, _| test::all(root)),
    ("cargo run --release -- --out target/check", as_typed),
];

/// Takes every step, and stops at the first that fails. What cargo builds is shown; what a step prints only if it fails.
///
/// # Errors
/// A step fails: with the line that shows it again.
pub fn run(root: &Path) -> Result<(), Box<dyn Error>> {
    let mut took: Vec<(Duration, &str)> = Vec::new();
    let mut failed = None;
    for (step, take) in STEPS {
        println!("== {step}");
        let started = Instant::now();
        failed = take(root, step)?;
        took.push((started.elapsed(), step));
        if failed.is_some() {
            break;
        }
    }
    took.sort_by(|a, b| b.cmp(a));
    println!();
    for (time, step) in &took {
        println!("{:>6.1} s  {step}", time.as_secs_f64());
    }
    match failed {
        Some(line) => Err(format!("failed; to see it again: {line}").into()),
        None => Ok(()),
    }
}

fn as_typed(root: &Path, step: &'static str) -> Result<Option<String>, Box<dyn Error>> {
    let mut cargo = target::cargo(root);
    cargo.args(step.split(' ').skip(1)).stderr(Stdio::inherit());
    let output = cargo.output()?;
    if output.status.success() {
        return Ok(None);
    }
    println!("{}", String::from_utf8_lossy(&output.stdout));
    Ok(Some(step.to_owned()))
}
