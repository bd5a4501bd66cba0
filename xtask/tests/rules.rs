//! Every test that `docs/RULES.md` names is there.

use std::{fs, path::Path};

#[test]
fn every_test_named_by_the_rules_is_there() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let text = fs::read_to_string(root.join("docs/RULES.md")).expect("the rules are there");
    let named = text.split('`').filter(|code| code.contains("::"));
    let mut count = 0;
    for name in named.filter(|code| !code.contains(char::is_whitespace)) {
        if name == "crate/file::test" {
            continue;
        }
        let (file, test) = name.split_once("::").expect("file::test");
        let (krate, file) = file.split_once('/').expect("crate/file");
        let path = root.join(krate).join("tests").join(format!("{file}.rs"));
        let source = fs::read_to_string(&path)
            .unwrap_or_else(|why| panic!("{name}: {}: {why}", path.display()));
        assert!(source.contains(&format!("fn {test}(")), "{name} is no test");
        count += 1;
    }
    assert!(count > 80, "{count} tests are named");
}
