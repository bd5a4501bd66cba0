//! The build ids: two machines may play a match only if everything that decides it, or the air, is the same in both: the
//! sources, and what comes of them, by the golden match's final hash.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};
use xxhash_rust::xxh3::Xxh3;

/// A game and what its id is a digest of.
struct Game {
    /// Where the id is stored: among the sources that it is a digest of, and the one file that is not digested.
    stored: &'static str,
    /// Crates whose sources are part of it: everything that decides a match or what goes over the air.
    crates: &'static [&'static str],
    /// A committed match with its hashes: what the rules do, whatever they are built with.
    golden: &'static str,
    /// The final hash in that file, as its sixteen digits.
    golden_hash: fn(&str) -> Option<String>,
    /// The file that stores the id, of the digest.
    text: fn(u64) -> String,
}

const SKIRMISH: Game = Game {
    stored: "game-sim/src/build_id.rs",
    crates: &["game-sim", "match-feed", "versus-", "link-"],
    golden: "game-sim/tests/golden.json",
    golden_hash: |text| {
        let record: serde_json::Value = serde_json::from_str(text).ok()?;
        let last = record["hashes"].as_array()?.last()?;
        Some(last[1].as_str()?.to_owned())
    },
    text: |digest| {
        file(
            "phones with different ids refuse to duel",
            "u16",
            &of_16(digest),
        )
    },
};

/// The second game meets over the internet, where an id has 64 bits and what goes over the air has a version of its own.
const BRAWL: Game = Game {
    stored: "game-brawl/src/build_id.rs",
    crates: &["game-brawl", "match-feed", "dmath"],
    golden: "game-brawl/tests/golden.txt",
    golden_hash: |text| Some(text.lines().last()?.split(' ').nth(1)?.to_owned()),
    text: |digest| {
        let id = format!("0x{digest:016X}");
        file("peers with different ids refuse to play", "u64", &id)
    },
};

const GAMES: [&Game; 2] = [&SKIRMISH, &BRAWL];

/// The digest's top 16 bits: what a lobby frame has room for.
fn of_16(digest: u64) -> String {
    format!("0x{:04X}", digest >> 48)
}

fn file(why: &str, width: &str, id: &str) -> String {
    format!(
        "//! Which sources this is built from: {why}.\n\n\
         /// Written by `cargo xtask source-id --write`, checked in CI.\n\
         pub const BUILD_ID: {width} = {id};\n"
    )
}

impl Game {
    /// The xxh3-64 over the sources, in order of their paths, line ends made equal, and over the golden match's final
    /// hash.
    fn digest(&self, root: &Path) -> Result<u64, Box<dyn Error>> {
        let mut sources = Vec::new();
        for entry in fs::read_dir(root)? {
            let path = entry?.path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if self.crates.iter().any(|prefix| name.starts_with(prefix)) {
                collect(&path.join("src"), &mut sources)?;
            }
        }
        let stored = root.join(self.stored);
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
        let golden = fs::read_to_string(root.join(self.golden))?;
        let last = (self.golden_hash)(&golden);
        let last = last.ok_or_else(|| format!("{} holds no hashes", self.golden))?;
        hash.update(last.as_bytes());
        Ok(hash.digest())
    }
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

/// The id that every sound duel's lobby frame carries.
pub fn of(root: &Path) -> Result<u16, Box<dyn Error>> {
    Ok((SKIRMISH.digest(root)? >> 48) as u16)
}

pub fn write(root: &Path) -> Result<(), Box<dyn Error>> {
    for game in GAMES {
        let digest = game.digest(root)?;
        fs::write(root.join(game.stored), (game.text)(digest))?;
        println!("0x{digest:016X} written to {}", game.stored);
    }
    Ok(())
}

pub fn check(root: &Path) -> Result<(), Box<dyn Error>> {
    for game in GAMES {
        let digest = game.digest(root)?;
        if fs::read_to_string(root.join(game.stored))? != (game.text)(digest) {
            let stored = game.stored;
            return Err(format!(
                "{stored} is stale: the sources' digest is 0x{digest:016X}. Run: cargo xtask source-id --write"
            )
            .into());
        }
    }
    Ok(())
}
