//! The build id: two phones may duel only if everything that decides a match or the air is the same in both: the sources,
//! and what comes of them, by the golden match's final hash.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};
use xxhash_rust::xxh3::Xxh3;

/// Where it is stored: among the sources that it is a digest of, and the one file that is not digested.
const STORED: &str = "game-sim/src/build_id.rs";
/// Crates whose sources are part of it: everything that decides a match or what goes over the air.
const PREFIXES: [&str; 4] = ["game-sim", "match-feed", "versus-", "link-"];

/// A committed match of the reference game with its hashes: what the rules do, whatever they are built with.
const GOLDEN: &str = "game-sim/tests/golden.json";

/// The top 16 bits of an xxh3-64 over the sources, in order of their paths, line ends made equal, and over the golden
/// match's final hash.
pub fn of(root: &Path) -> Result<u16, Box<dyn Error>> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            collect(&path.join("src"), &mut sources)?;
        }
    }
    let stored = root.join(STORED);
    sources.retain(|source| *source != stored);
    sources.sort();
    let mut hash = Xxh3::new();
    for source in sources {
        let name = source
            .strip_prefix(root)?
            .to_string_lossy()
            .replace('\\', "/");
        let text = fs::read_to_string(&source)?.replace("\r\n", "\n");
        hash.update(name.as_bytes());
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.update(golden_hash(root)?.as_bytes());
    Ok((hash.digest() >> 48) as u16)
}

/// The last hash of the golden record, as its sixteen digits.
fn golden_hash(root: &Path) -> Result<String, Box<dyn Error>> {
    let record: serde_json::Value = serde_json::from_str(&fs::read_to_string(root.join(GOLDEN))?)
        .map_err(|why| format!("{GOLDEN}: {why}"))?;
    let last = record["hashes"].as_array().and_then(|hashes| hashes.last());
    let digits = last.and_then(|entry| entry[1].as_str());
    Ok(digits
        .ok_or_else(|| format!("{GOLDEN} holds no hashes"))?
        .to_owned())
}

fn collect(folder: &Path, sources: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, sources)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
    Ok(())
}

fn text(id: u16) -> String {
    format!(
        "//! Which sources this is built from: phones with different ids refuse to duel.\n\n\
         /// Written by `cargo xtask source-id --write`, checked in CI.\n\
         pub const BUILD_ID: u16 = 0x{id:04X};\n"
    )
}

pub fn write(root: &Path) -> Result<(), Box<dyn Error>> {
    let id = of(root)?;
    fs::write(root.join(STORED), text(id))?;
    println!("0x{id:04X} written to {STORED}");
    Ok(())
}

pub fn check(root: &Path) -> Result<(), Box<dyn Error>> {
    let id = of(root)?;
    if fs::read_to_string(root.join(STORED))? == text(id) {
        return Ok(());
    }
    Err(format!(
        "{STORED} is stale: the sources' id is 0x{id:04X}. Run: cargo xtask source-id --write"
    )
    .into())
}
