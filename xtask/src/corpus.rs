//! Fuzz corpora: one archive a target in the repository, a folder of files a target for the fuzzer.

use crate::archive;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

/// Where archives and folders lie.
const CORPUS: &str = "fuzz/corpus";

/// What is done with one target of a corpus's folder. Returns how many inputs it has.
type Work = fn(&Path, &str) -> Result<usize, Box<dyn Error>>;

/// `unpack` makes folders of archives, `pack` archives of folders, `list` says what there is; of one target or of all.
pub fn run(root: &Path, options: &[&str]) -> Result<(), Box<dyn Error>> {
    let corpus = root.join(CORPUS);
    let (verb, only) = match *options {
        [verb] => (verb, None),
        [verb, target] => (verb, Some(target)),
        _ => return Err(usage()),
    };
    let (extension, work): (_, Work) = match verb {
        "unpack" => ("tar", unpack),
        "pack" => ("", pack),
        "list" => ("tar", |corpus, target| Ok(read(corpus, target)?.len())),
        _ => return Err(usage()),
    };
    let targets = match only {
        Some(target) => vec![target.to_owned()],
        None => targets(&corpus, extension)?,
    };
    for target in targets {
        let count = work(&corpus, &target).map_err(|why| format!("{target}: {why}"))?;
        println!("{target:<16} {count:>5} inputs");
    }
    Ok(())
}

fn usage() -> Box<dyn Error> {
    "usage: cargo xtask corpus list|unpack|pack [TARGET]".into()
}

/// Targets that have an archive, or (`extension` empty) a folder.
fn targets(corpus: &Path, extension: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut targets = Vec::new();
    for entry in fs::read_dir(corpus)? {
        let path = entry?.path();
        if path.extension().unwrap_or_default() == extension
            && path.is_dir() == extension.is_empty()
        {
            targets.extend(
                path.file_stem()
                    .map(|stem| stem.to_string_lossy().into_owned()),
            );
        }
    }
    targets.sort();
    Ok(targets)
}

fn archive_of(corpus: &Path, target: &str) -> PathBuf {
    corpus.join(target).with_extension("tar")
}

fn read(corpus: &Path, target: &str) -> Result<Vec<archive::Input>, Box<dyn Error>> {
    archive::unpack(&fs::read(archive_of(corpus, target))?)
}

/// Files that are in the folder already stay, those of the same name apart: they may be what the fuzzer has found since.
fn unpack(corpus: &Path, target: &str) -> Result<usize, Box<dyn Error>> {
    let inputs = read(corpus, target)?;
    let folder = corpus.join(target);
    fs::create_dir_all(&folder)?;
    for (name, bytes) in &inputs {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(inputs.len())
}

/// The archive holds what the folder holds, and nothing else.
fn pack(corpus: &Path, target: &str) -> Result<usize, Box<dyn Error>> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(corpus.join(target))? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| format!("{}: a name that is no text", path.display()))?;
        inputs.push((name.to_owned(), fs::read(&path)?));
    }
    let count = inputs.len();
    fs::write(archive_of(corpus, target), archive::pack(inputs)?)?;
    Ok(count)
}
