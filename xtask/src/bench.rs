//! Instruction counts: runs `sound-duel`'s fixed pieces of work under callgrind and compares with the counts committed.
//!
//! Times differ from run to run and from machine to machine; counts of the same program do not. They do differ with the
//! compiler, and with the processor where a library picks its code by it (transforms with and without AVX): counts are
//! kept for each kind of processor, and those of another compiler are shown, but no reason to fail.

use crate::{
    callgrind,
    command::{output, run},
    target,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Where the counts are.
const BASELINE: &str = "xtask/callgrind.json";
/// The share by which a count may grow before it is a regression. Repetitions differ by less than a hundredth of it,
/// except for a third of a percent where a hash table's seed matters.
const TOLERANCE: f64 = 0.03;
/// The function whose inside is counted: `examples/console/src/bench/workload.rs`.
const COUNTED: &str = "*callgrind_measured*";

/// Counts of one kind of processor.
struct Baseline {
    compiler: String,
    counts: BTreeMap<String, u64>,
}

/// Counts, prints the table, and fails if a count has grown; with `write`, stores the counts instead.
pub fn callgrind(root: &Path, write: bool) -> Result<(), Box<dyn Error>> {
    callgrind::need()?;
    let program = build(root)?;
    let names = output(Command::new(&program).args(["bench", "--workload", "list"]))?;
    let mut counts = BTreeMap::new();
    for name in names.lines() {
        let counted = callgrind::count(&program, &["bench", "--workload", name], COUNTED)?;
        counts.insert(name.to_owned(), counted.instructions);
    }
    let (processor, compiler) = (processor(), compiler()?);
    let path = root.join(BASELINE);
    let mut all: BTreeMap<String, Value> = match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map_err(|why| format!("{BASELINE}: {why}"))?,
        Err(_) if write => BTreeMap::new(),
        Err(why) => return Err(format!("{BASELINE}: {why}").into()),
    };
    if write {
        table(&counts, None);
        all.insert(
            processor.clone(),
            json!({"compiler": compiler, "instructions": counts}),
        );
        fs::write(&path, serde_json::to_string_pretty(&all)? + "\n")?;
        println!("written to {BASELINE} for {processor}, {compiler}");
        return Ok(());
    }
    let Some(baseline) = all.get(&processor) else {
        table(&counts, None);
        println!(
            "{BASELINE} has no counts for {processor}: nothing to compare with. Add them: cargo xtask callgrind --write"
        );
        return Ok(());
    };
    let baseline = Baseline::of(baseline).ok_or_else(|| {
        format!("{BASELINE}: {processor} has no \"compiler\" and \"instructions\"")
    })?;
    let worse = table(&counts, Some(&baseline.counts));
    let percent = 100.0 * TOLERANCE;
    if worse.is_empty() {
        println!("no count has grown by more than {percent} %");
        return Ok(());
    }
    let worse = worse.join(", ");
    if baseline.compiler != compiler {
        println!(
            "grown by more than {percent} %: {worse}. But the counts are of another compiler ({}, this is {compiler}), so \
             this is no failure. Renew them: cargo xtask callgrind --write",
            baseline.compiler
        );
        return Ok(());
    }
    Err(format!(
        "grown by more than {percent} %: {worse}. If that is meant, renew the counts: cargo xtask callgrind --write"
    )
    .into())
}

impl Baseline {
    fn of(value: &Value) -> Option<Self> {
        let counts = value.get("instructions")?.as_object()?.iter();
        Some(Self {
            compiler: value.get("compiler")?.as_str()?.to_owned(),
            counts: counts
                .map(|(name, count)| Some((name.clone(), count.as_u64()?)))
                .collect::<Option<_>>()?,
        })
    }
}

/// Prints the counts, and returns the names of those that have grown too much, or have nothing to compare with.
fn table(counts: &BTreeMap<String, u64>, before: Option<&BTreeMap<String, u64>>) -> Vec<String> {
    let mut worse = Vec::new();
    println!(
        "{:<26} {:>14} {:>14} {:>8}",
        "work", "instructions", "before", "change"
    );
    for (name, &count) in counts {
        let Some(before) = before else {
            println!("{name:<26} {count:>14}");
            continue;
        };
        match before.get(name) {
            Some(&was) => {
                let change = count as f64 / was as f64 - 1.0;
                let mark = if change > TOLERANCE { "  too much" } else { "" };
                println!(
                    "{name:<26} {count:>14} {was:>14} {:>+7.2} %{mark}",
                    100.0 * change
                );
                if change > TOLERANCE {
                    worse.push(name.clone());
                }
            }
            None => {
                println!("{name:<26} {count:>14} {:>14}", "none");
                worse.push(format!("{name} (new)"));
            }
        }
    }
    worse
}

fn build(root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    run(target::cargo(root).args(["build", "--quiet", "--release", "--package", "sound-duel"]))?;
    Ok(target::folder(root).join("release/sound-duel"))
}

/// What of the processor decides which code libraries run.
fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    {
        // What the transforms look for.
        let avx = std::arch::is_x86_feature_detected!("avx")
            && std::arch::is_x86_feature_detected!("fma");
        if avx {
            "x86_64 with AVX and FMA"
        } else {
            "x86_64"
        }
        .into()
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::env::consts::ARCH.into()
}

fn compiler() -> Result<String, Box<dyn Error>> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Ok(output(Command::new(rustc).arg("--version"))?
        .trim()
        .to_owned())
}
