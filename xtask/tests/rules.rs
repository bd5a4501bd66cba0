//! Every rule in `docs/RULES.md` names a test, every decision in `docs/decisions` has its four parts, and every test and file
//! that they name is there.

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
    // A program's crate lies one folder deeper: examples/console.
    let from = file
        .strip_prefix("examples/")
        .map_or(0, |_| "examples/".len());
    let Some(at) = file[from..].find('/') else {
        return Some(format!("{name}: crate/file::test"));
    };
    let (krate, file) = (&file[..from + at], &file[from + at + 1..]);
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

/// What is wrong with the records of decisions in `text`, and how many there are.
fn check_decisions(root: &Path, text: &str) -> (Vec<String>, usize) {
    const PARTS: [&str; 4] = ["Context", "Decision", "Consequence", "Evidence"];
    let (mut wrong, mut count) = (Vec::new(), 0);
    for record in text.split("\n### ").skip(1) {
        let record = record.split("\n## ").next().unwrap_or_default();
        let (title, body) = record.split_once('\n').unwrap_or((record, ""));
        let parts: Vec<&str> = body
            .lines()
            .filter_map(|line| line.strip_prefix("- ")?.split_once(": "))
            .map(|(part, _)| part)
            .collect();
        if parts != PARTS {
            wrong.push(format!("{title}: has {parts:?}, not {PARTS:?}"));
        }
        let evidence = body.split("- Evidence: ").nth(1).unwrap_or_default();
        for code in evidence.split('`').skip(1).step_by(2) {
            if code.contains("::") {
                wrong.extend(missing(root, code));
            } else if code.contains('/') && !code.contains(' ') && !root.join(code).exists() {
                wrong.push(format!("{title}: there is no {code}"));
            }
        }
        count += 1;
    }
    (wrong, count)
}

#[test]
fn every_decision_has_its_parts_and_its_evidence_is_there() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let (mut wrong, mut count) = (Vec::new(), 0);
    for page in fs::read_dir(root.join("docs/decisions")).expect("the folder") {
        let text = fs::read_to_string(page.expect("an entry").path()).expect("a page");
        let (wrong_here, count_here) = check_decisions(root, &text);
        wrong.extend(wrong_here);
        count += count_here;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 80, "{count} decisions are recorded");
}

#[test]
fn a_decision_without_a_part_or_with_evidence_that_is_gone_is_found() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let record = |evidence: &str| {
        format!(
            "# Page\n\n### Title\n- Context: a.\n- Decision: b.\n- Consequence: c.\n{evidence}\n"
        )
    };
    let held = record(
        "- Evidence: `cargo test`, `xtask/rules::every_rule_names_tests_and_each_of_them_is_there`.",
    );
    assert_eq!(check_decisions(root, &held), (vec![], 1));
    for evidence in [
        "",
        "- Evidence: `xtask/rules::nobody_wrote_this`.",
        "- Evidence: `xtask/gone.mjs`.",
    ] {
        let (wrong, _) = check_decisions(root, &record(evidence));
        assert_eq!(wrong.len(), 1, "{evidence}: {wrong:?}");
    }
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
