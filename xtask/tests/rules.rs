//! Every rule in `docs/RULES.md` names a test, and every test that it names is there.

use std::{fs, path::Path};

/// What is wrong with the rules in `text`, and how many tests they name.
fn check(root: &Path, text: &str) -> (Vec<String>, usize) {
    let (mut wrong, mut count) = (Vec::new(), 0);
    let rows = text.lines().filter(|line| line.starts_with('|'));
    let rows = rows.filter(|row| !row.starts_with("|---") && !row.ends_with("| Test |"));
    for row in rows {
        let (_, tests) = row.trim_matches('|').rsplit_once('|').unwrap_or_default();
        let named: Vec<&str> = tests
            .split('`')
            .filter(|code| code.contains("::"))
            .collect();
        if named.is_empty() {
            wrong.push(format!("a rule without a test: {row}"));
        }
        count += named.len();
        wrong.extend(named.iter().filter_map(|name| missing(root, name)));
    }
    (wrong, count)
}

/// Why `crate/file::test` or `crate/src/file::test` is no test.
fn missing(root: &Path, name: &str) -> Option<String> {
    let (file, test) = name.split_once("::")?;
    let Some((krate, file)) = file.split_once('/') else {
        return Some(format!("{name}: crate/file::test"));
    };
    let folder = if file.starts_with("src/") {
        ""
    } else {
        "tests"
    };
    let path = root.join(krate).join(folder).join(format!("{file}.rs"));
    let Ok(source) = fs::read_to_string(&path) else {
        return Some(format!("{name}: there is no {}", path.display()));
    };
    let marked = |before: &str| {
        let last = before.rfind("#[test]");
        last.is_some_and(|at| !before[at..].contains("fn "))
    };
    let at = source.find(&format!("fn {test}("));
    let is_test = at.is_some_and(|at| marked(&source[..at]));
    (!is_test).then(|| format!("{name} is no test"))
}

#[test]
fn every_rule_names_tests_and_each_of_them_is_there() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let text = fs::read_to_string(root.join("docs/RULES.md")).expect("the rules are there");
    let (wrong, count) = check(root, &text);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 170, "{count} tests are named");
}

#[test]
fn a_rule_without_a_test_and_a_test_that_is_gone_are_found() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let header = "| Rule | Test |\n|---|---|\n";
    let held =
        "| A rule | `xtask/rules::a_rule_without_a_test_and_a_test_that_is_gone_are_found` |";
    assert_eq!(check(root, &format!("{header}{held}")), (vec![], 1));
    for row in [
        "| A rule | by hand |",
        "| A rule | `xtask/rules::nobody_wrote_this` |",
        "| A rule | `xtask/gone::check` |",
        "| A rule | `xtask/rules::check` |",
        "| A rule | `xtask::check` |",
    ] {
        let (wrong, _) = check(root, &format!("{header}{held}\n{row}"));
        assert_eq!(wrong.len(), 1, "{row}: {wrong:?}");
    }
}
