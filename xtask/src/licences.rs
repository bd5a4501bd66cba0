//! What we depend on, in every lock file, for every platform: from crates.io alone, and under licences that ask for no more than a
//! notice, as the embedding page says.

use crate::{command::output, target};
use std::{collections::BTreeMap, error::Error, path::Path};

/// Every lock file of ours, by its manifest.
const MANIFESTS: [&str; 3] = ["Cargo.toml", "fuzz/Cargo.toml", "bench-peers/Cargo.toml"];
/// Where crates may come from.
const SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";
/// Licences that let a studio ship a closed program, for a notice at the most.
const ALLOWED: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// # Errors
/// A lock file is not up to date, or a dependency has another source or licence: all of them by name.
pub fn run(root: &Path) -> Result<(), Box<dyn Error>> {
    let (mut wrong, mut licences) = (Vec::new(), BTreeMap::<String, u32>::new());
    for manifest in MANIFESTS {
        let mut cargo = target::cargo(root);
        cargo.args([
            "metadata",
            "--locked",
            "--format-version",
            "1",
            "--manifest-path",
            manifest,
        ]);
        let metadata: serde_json::Value = serde_json::from_str(&output(&mut cargo)?)?;
        let packages = metadata["packages"]
            .as_array()
            .ok_or("cargo metadata has no packages")?;
        for package in packages {
            let Some(source) = package["source"].as_str() else {
                continue; // ours
            };
            let text = |field: &str| package[field].as_str().unwrap_or("?");
            let name = format!("{manifest}: {} {}", text("name"), text("version"));
            if source != SOURCE {
                wrong.push(format!("{name} comes from {source}"));
            }
            let licence = text("license");
            if !allows(licence) {
                wrong.push(format!("{name} is under {licence}"));
            }
            *licences.entry(licence.to_owned()).or_default() += 1;
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n").into());
    }
    for (licence, count) in &licences {
        println!("{count:>5}  {licence}");
    }
    Ok(())
}

/// True if an SPDX expression leaves a choice of nothing but [`ALLOWED`]. `/` is what `OR` used to be.
fn allows(expression: &str) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    either(&mut rest) && rest.is_empty()
}

fn either(rest: &mut &[&str]) -> bool {
    let mut allowed = all(rest);
    while let [word, after @ ..] = *rest
        && word.eq_ignore_ascii_case("or")
    {
        *rest = after;
        allowed |= all(rest);
    }
    allowed
}

fn all(rest: &mut &[&str]) -> bool {
    let mut allowed = one(rest);
    while let ["AND", after @ ..] = *rest {
        *rest = after;
        allowed &= one(rest);
    }
    allowed
}

fn one(rest: &mut &[&str]) -> bool {
    match *rest {
        ["(", after @ ..] => {
            *rest = after;
            let allowed = either(rest);
            let closed = rest.first() == Some(&")");
            *rest = rest.get(1..).unwrap_or_default();
            allowed && closed
        }
        [name, "WITH", exception, after @ ..] => {
            *rest = after;
            ALLOWED.contains(&format!("{name} WITH {exception}").as_str())
        }
        [name, after @ ..] => {
            *rest = after;
            ALLOWED.contains(name)
        }
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::allows;

    #[test]
    fn a_choice_of_an_allowed_licence_is_enough_and_every_part_of_an_and_counts() {
        for expression in [
            "MIT",
            "MIT OR GPL-3.0",
            "GPL-3.0/MIT",
            "MIT or Apache-2.0",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(allows(expression), "{expression}");
        }
        for expression in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR ISC) AND MPL-2.0",
            "GPL-3.0 WITH Classpath-exception-2.0",
            "(MIT",
            "MIT ISC",
        ] {
            assert!(!allows(expression), "{expression}");
        }
    }
}
