//! The README shows what is there: its code is that of a program that is compiled and run, its commands are CI's.

use std::{fs, path::Path};

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
    let (readme, ci) = (read("README.md"), read(".ci/run"));
    for command in ["cargo run --release", "cargo test --workspace"] {
        assert!(
            blocks(&readme, "sh")
                .iter()
                .any(|block| block.trim() == command),
            "README: {command}"
        );
        assert!(ci.contains(command), ".ci/run: {command}");
    }
}

#[test]
fn every_file_it_links_to_is_there() {
    for page in ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"] {
        for link in read(page)
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let there = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("..")
                .join(link)
                .exists();
            assert!(
                there || link.starts_with("http"),
                "{page} links to {link}, which is not there"
            );
        }
    }
}
