//! The README shows what is there: its code is that of a program that is compiled and run, its commands are CI's.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence)
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn its_code_is_that_of_the_example() {
    let (readme, example) = (
        read("README.md"),
        read("versus-session/examples/own_game.rs"),
    );
    let code = blocks(&readme, "rust");
    assert_eq!(code.len(), 1, "one integration");
    for block in code {
        assert!(
            example.contains(block.trim()),
            "own_game.rs does not hold this block of the README:\n{block}"
        );
    }
}

#[test]
fn its_commands_are_those_that_ci_runs() {
    let (readme, check, ci) = (
        read("README.md"),
        read("xtask/src/check.rs"),
        read(".ci/run"),
    );
    for command in ["cargo run --release", "cargo test --workspace"] {
        assert!(
            blocks(&readme, "sh")
                .iter()
                .any(|block| block.trim() == command),
            "README: {command}"
        );
        assert!(
            check.contains(&format!("(\"{command}")),
            "cargo xtask check: {command}"
        );
    }
    assert!(
        ci.contains("\nstep cargo xtask check\n"),
        ".ci/run: cargo xtask check"
    );
}

#[test]
fn it_asks_for_the_rust_that_is_promised() {
    let manifest = read("Cargo.toml");
    let (_, promised) = manifest
        .split_once("\nrust-version = \"")
        .expect("a promise");
    let (promised, _) = promised.split_once('"').expect("its end");
    assert!(read("README.md").contains(&format!("You need Rust ({promised} or later)")));
}

#[test]
fn its_sizes_are_those_that_builds_are_held_to() {
    let readme = read("README.md");
    let says = |file: &str, line: &str| assert!(read(file).contains(line), "{file}: {line}");
    says("xtask/src/dist.rs", "const SMALL_MAX: u64 = (3 << 20) / 2;");
    assert!(readme.contains("link and match levels | 1.5 MiB at most |"));
    says(
        "xtask/src/capi_wasm.rs",
        "const GZIPPED_MAX: usize = 350_000;",
    );
    assert!(readme.contains("gzipped | 350 kB at most |"));
}

/// Every page of documentation, by its path from the root.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut pages = Vec::from(["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(PathBuf::from));
    for folder in [
        "docs",
        "docs/decisions",
        "fuzz",
        "examples/sdl",
        "examples/web",
        "vectors",
    ] {
        for entry in fs::read_dir(root.join(folder)).into_iter().flatten() {
            let name = entry.expect("an entry").file_name();
            let path = Path::new(folder).join(name);
            if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// The name by which a heading is linked to.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept
        .chars()
        .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

#[test]
fn every_file_and_heading_that_pages_link_to_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let pages = pages();
    assert!(pages.len() > 20, "{pages:?}");
    for page in pages {
        let text = read(page.to_str().expect("plain names"));
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let to = match file {
                "" => root.join(&page),
                file => root.join(page.parent().expect("a folder")).join(file),
            };
            assert!(
                to.exists(),
                "{} links to {link}, which is not there",
                page.display()
            );
            if !heading.is_empty() {
                let there = fs::read_to_string(&to).expect("a page");
                let mut headings = there.lines().filter(|line| line.starts_with('#'));
                assert!(
                    headings.any(|line| anchor(line.trim_start_matches('#')) == heading),
                    "{} links to {link}, and there is no such heading",
                    page.display()
                );
            }
        }
    }
}

/// True for a file of ours by its path from the root, written out: no pattern, no program and its arguments.
fn is_path(code: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-".contains(letter);
    let extension = Path::new(code).extension().and_then(|end| end.to_str());
    let known = [
        "rs", "ts", "mjs", "c", "h", "md", "json", "txt", "sh", "toml", "tar",
    ];
    let top = code.split('/').next().unwrap_or_default();
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(top);
    code.contains('/')
        && code.chars().all(plain)
        && extension.is_some_and(|end| known.contains(&end))
        && !["..", "target"].contains(&top)
        && !code.contains("NAME")
        && ours.is_dir()
}

#[test]
fn every_file_that_pages_name_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut gone, mut count) = (Vec::new(), 0);
    for page in pages() {
        // It tells of files as they were.
        if page.ends_with("CHANGELOG.md") {
            continue;
        }
        let text = read(page.to_str().expect("plain names"));
        for code in text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|code| is_path(code))
        {
            count += 1;
            if !root.join(code).exists() {
                gone.push(format!("{}: {code}", page.display()));
            }
        }
    }
    assert!(gone.is_empty(), "{gone:#?}");
    assert!(count > 100, "{count} files are named");
}

/// Rows of a table between `from` and the end of the table: their cells.
fn rows(text: &str, from: &str) -> Vec<Vec<String>> {
    let at = text
        .find(from)
        .unwrap_or_else(|| panic!("there is no {from}"));
    let rows = text[at..].lines().skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells = row.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    })
    .collect()
}

#[test]
fn its_table_of_delivery_is_that_of_the_whole_table() {
    let (readme, whole) = (read("README.md"), read("docs/DELIVERY.md"));
    let short = rows(&readme, "<!-- delivery:begin -->");
    let whole = rows(&whole, "| Case | Plan |");
    let mut compared = 0;
    for row in &short[2..] {
        for (heading, cell) in short[0][1..].iter().zip(&row[1..]) {
            let reached = cell.split(" (").next().expect("a first part");
            if reached.is_empty() {
                continue;
            }
            let (plan, mode) = heading.split_once(", ").expect("plan, mode");
            let there = whole.iter().find(|line| {
                let both = row[0].starts_with("false packets");
                let case = row[0].split(", 3600 s").next() == Some(&line[0]);
                case && (both || line[1] == plan && line[2] == mode)
            });
            let there = there.unwrap_or_else(|| panic!("DELIVERY.md has no {}, {heading}", row[0]));
            assert_eq!(there[4], reached, "{}, {heading}", row[0]);
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared} cells were compared");
}

#[test]
fn the_first_pages_stay_short() {
    for (page, lines_max) in [("README.md", 200), ("ARCHITECTURE.md", 150)] {
        let lines = read(page).lines().count();
        assert!(
            lines <= lines_max,
            "{page} has {lines} lines of {lines_max}: what is longer goes to docs/"
        );
    }
}
