//! Instruction counts: runs `sound-duel`'s fixed pieces of work under callgrind and compares with the counts committed.
//!
//! Times differ from run to run and from machine to machine; counts of the same program do not. They do differ with the
//! compiler, and with the processor where a library picks its code by it (transforms with and without AVX): counts are
//! kept for each kind of processor, and those of another compiler are shown, but no reason to fail.

use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
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
    let missing = "valgrind is missing: apt-get install valgrind";
    let valgrind = Command::new("valgrind").arg("--version").output();
    if !valgrind.map_err(|_| missing)?.status.success() {
        return Err(missing.into());
    }
    let program = build(root)?;
    let names = output(Command::new(&program).args(["bench", "--workload", "list"]))?;
    let mut counts = BTreeMap::new();
    for name in names.lines() {
        counts.insert(name.to_owned(), count(&program, name)?);
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
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["build", "--quiet", "--release", "--package", "sound-duel"])
        .status()?;
    if !status.success() {
        return Err("sound-duel could not be built".into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    Ok(target.join("release/sound-duel"))
}

/// The instructions of one piece of work.
fn count(program: &Path, name: &str) -> Result<u64, Box<dyn Error>> {
    let file = std::env::temp_dir().join(format!("callgrind-{}-{name}", std::process::id()));
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={COUNTED}"))
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(program)
        .args(["bench", "--workload", name])
        .stdout(Stdio::null())
        .output()?;
    if !run.status.success() {
        let why = String::from_utf8_lossy(&run.stderr);
        return Err(format!("{name} under valgrind: {why}").into());
    }
    let text = fs::read_to_string(&file)?;
    fs::remove_file(&file)?;
    let total = text.lines().find_map(|line| line.strip_prefix("summary: "));
    let count = total.and_then(|total| total.trim().parse().ok());
    match count {
        None | Some(0) => Err(format!("{name}: callgrind counted nothing inside {COUNTED}").into()),
        Some(count) => Ok(count),
    }
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

fn output(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let run = command.stderr(Stdio::inherit()).output()?;
    if !run.status.success() {
        return Err(format!("{:?} failed", command.get_program()).into());
    }
    Ok(String::from_utf8(run.stdout)?)
}
