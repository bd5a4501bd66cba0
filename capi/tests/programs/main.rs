//! The ABI from C: the header in every standard, every test program, every example, and misuse of every function,
//! generated from the header itself. Needs a C compiler (`CC`, or `cc`).

mod build;
mod codes;
mod header;
mod misuse;

use build::{Bench, Standard};
use std::{collections::BTreeSet, fs};

/// C sources that call the library: the tests and the examples.
fn sources() -> Vec<String> {
    let root = build::root();
    let mut sources = Vec::new();
    for folder in ["capi/tests/c", "examples/c"] {
        for entry in fs::read_dir(root.join(folder)).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            if path.extension().is_some_and(|extension| extension == "c") {
                sources.push(fs::read_to_string(path).expect("it is text"));
            }
        }
    }
    assert!(sources.len() > 5, "the C sources are there");
    sources
}

#[test]
fn the_header_compiles_in_every_standard_without_a_warning() {
    let bench = Bench::new("standards");
    let twice = "#include \"duel.h\"\n#include \"duel.h\"\nint main(void) { return 0; }\n";
    for standard in [Standard::C99, Standard::C11, Standard::Cpp17] {
        bench.compile_only("twice", twice, standard);
    }
    for test in [
        "link",
        "lobby",
        "match",
        "skirmish",
        "misuse",
        "embedding",
        "threads",
    ] {
        bench.compile_only_file(&format!("capi/tests/c/{test}.c"), Standard::C11);
    }
}

#[test]
fn every_header_compiles_alone_in_every_standard_without_a_warning() {
    let bench = Bench::new("alone");
    let headers = build::headers();
    assert!(headers.len() >= 6, "the rooms have their headers");
    for header in headers {
        let include = format!("#include \"duel/{header}\"\n");
        let source = format!("{include}{include}int main(void) {{ return 0; }}\n");
        for standard in [Standard::C99, Standard::C11, Standard::Cpp17] {
            bench.compile_only(&header.replace('.', "_"), &source, standard);
        }
    }
}

#[test]
fn a_library_without_room_and_skirmish_has_a_header_without_them() {
    let text = "#define DUEL_WITHOUT_ROOM\n#define DUEL_WITHOUT_SKIRMISH\n#include \"duel.h\"\n\
                int duel_room_new, duel_air_new, duel_skirmish_new, duel_replay_new;\n\
                int main(void) { return 0; }\n";
    let bench = Bench::new("without");
    for standard in [Standard::C99, Standard::C11, Standard::Cpp17] {
        bench.compile_only("without", text, standard);
    }
}

#[test]
fn whatever_says_something_in_words_says_it_as_a_number_too() {
    let header = build::header();
    let untold = codes::texts_without_a_code(&header);
    assert!(untold.is_empty(), "texts without a code: {untold:#?}");
}

#[test]
fn the_link_level_works_from_c() {
    Bench::new("link").run_file("capi/tests/c/link.c", Standard::C99, "link: all well");
}

#[test]
fn what_the_embedding_page_shows_works() {
    Bench::new("embedding").run_file(
        "capi/tests/c/embedding.c",
        Standard::C99,
        "embedding: as the page says",
    );
}

#[test]
fn games_without_a_build_know_their_own_and_without_openers_nobody_picks() {
    Bench::new("lobby").run_file(
        "capi/tests/c/lobby.c",
        Standard::C99,
        "lobby: same games pair, others refuse",
    );
}

#[test]
fn two_phones_pair_by_sound_and_play_the_hosts_own_game() {
    Bench::new("match").run_file("capi/tests/c/match.c", Standard::C99, "by sound:");
}

#[test]
fn two_phones_play_the_skirmish_and_replay_it() {
    Bench::new("skirmish").run_file("capi/tests/c/skirmish.c", Standard::C99, "skirmish:");
}

#[test]
fn threads_keep_out_of_each_others_way() {
    Bench::new("threads").run_file(
        "capi/tests/c/threads.c",
        Standard::C99,
        "threads: none in another's way",
    );
}

#[test]
fn wrong_sizes_numbers_and_texts_are_told() {
    Bench::new("misuse").run_file("capi/tests/c/misuse.c", Standard::C99, "misuse: all told");
}

#[test]
fn every_function_survives_null_freed_foreign_and_out_of_range() {
    let header = build::header();
    let program = misuse::program(&header);
    let bench = Bench::new("misuse_of_every_function");
    bench.run(
        "misuse_of_every_function",
        &program,
        Standard::C99,
        "calls, none did harm",
    );
}

#[test]
fn the_examples_run_and_keep_their_promises() {
    let bench = Bench::new("examples");
    bench.run_file("examples/c/thirty_lines.c", Standard::C99, "heard: hi");
    bench.run_file("examples/c/link_messages.c", Standard::C99, "both heard");
    bench.run_file("examples/c/own_game.c", Standard::C99, "in sync");
    for (example, most) in [
        ("thirty_lines", 36),
        ("link_messages", 120),
        ("own_game", 250),
    ] {
        let text = fs::read_to_string(build::root().join(format!("examples/c/{example}.c")));
        let lines = text.expect("it is there").lines().count();
        assert!(
            lines <= most,
            "{example}.c has {lines} lines: at most {most}"
        );
    }
}

/// The words of a C source that a parenthesis follows, comments and texts left out.
fn calls(source: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let skipped = if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if is_word(first) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if rest[end..].starts_with('(') {
                found.insert(&rest[..end]);
            }
            end
        } else {
            first.len_utf8()
        };
        rest = &rest[skipped..];
    }
    found
}

#[test]
fn calls_are_told_from_what_is_said_of_them() {
    let source = "/* a(1) */ b(\"c(\\\"d(\"); // e()\nxf(g); h (i); f(j(k))";
    assert_eq!(calls(source), BTreeSet::from(["b", "f", "j", "xf"]));
}

#[test]
fn every_function_is_called_from_c() {
    let header = build::header();
    let sources = sources();
    let called: BTreeSet<&str> = sources.iter().flat_map(|source| calls(source)).collect();
    let never: Vec<&str> = header
        .functions
        .iter()
        .map(|function| function.name.as_str())
        .filter(|name| !called.contains(name))
        .collect();
    println!(
        "{} of {} functions are called from C",
        header.functions.len() - never.len(),
        header.functions.len()
    );
    assert!(never.is_empty(), "never called from C: {never:?}");
}

#[test]
fn every_function_has_its_four_lines() {
    let header = build::header();
    assert!(header.functions.len() > 80, "the header has its functions");
    for function in &header.functions {
        let lines: Vec<&str> = function.comment.lines().collect();
        let tail = &lines[lines.len().saturating_sub(4)..];
        let starts = ["Thread: ", "Realtime: ", "Owns: ", "Since: ABI "];
        let good = tail.len() == 4
            && tail
                .iter()
                .zip(starts)
                .all(|(line, start)| line.starts_with(start));
        assert!(
            good,
            "{} does not end in its four lines: {tail:?}",
            function.name
        );
    }
}

#[test]
fn the_header_names_what_the_sources_export() {
    let header = build::header();
    let mut named: Vec<String> = header.functions.iter().map(|f| f.name.clone()).collect();
    named.sort();
    let mut exported = build::exported();
    exported.sort();
    assert_eq!(named, exported, "run: cargo xtask header");
    let abi = header.numbers.iter().find(|(name, _)| name == "DUEL_ABI");
    let abi = abi.expect("the header has its number").1;
    let build = include_str!("../../build.rs");
    assert!(
        build.contains(&format!("libsound_duel.so.{abi}\"")),
        "the soname is of ABI {abi}"
    );
}
