//! What our crates may use, and that they use what they declare: ranks, walls between families, the map that
//! ARCHITECTURE.md and docs/EDGES.md draw of both, and dependencies that no source names.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// How high each crate stands. It may use those that stand lower, but for the walls below.
const RANKS: [(&str, u8); 24] = [
    ("wav-file", 0),
    ("dmath", 0),
    ("match-feed", 0),
    ("link-transport", 0),
    ("net-transport", 0),
    ("link-fec", 0),
    ("versus-codec", 1),
    ("game-brawl", 1),
    ("link-modem", 1),
    ("net-session", 1),
    ("versus-lockstep", 2),
    ("versus-pairing", 2),
    ("game-sim", 2),
    ("link-rig", 2),
    ("link-room", 2),
    ("versus-session", 3),
    ("capi", 4),
    ("sound-duel", 4),
    ("golden", 4),
    ("netsoak", 4),
    ("web-probe", 4),
    ("write-a-game", 4),
    ("xtask", 4),
    ("fuzz-oracles", 5),
];
/// Who never uses whom, whatever their ranks: each half of the stack stands alone over the seams.
const WALLS: [(Family, &[Family]); 5] = [
    (
        Family::Sound,
        &[
            Family::MatchSeam,
            Family::Duel,
            Family::Internet,
            Family::Game,
        ],
    ),
    (
        Family::Duel,
        &[Family::Sound, Family::Internet, Family::Game],
    ),
    (
        Family::Internet,
        &[Family::LinkSeam, Family::Sound, Family::Duel, Family::Game],
    ),
    (
        Family::Game,
        &[Family::LinkSeam, Family::Sound, Family::Internet],
    ),
    (Family::OwnGame, &[Family::Game, Family::Sound]),
];
/// The lowest rank that stands above a wall: hosts, and what tests them.
const HOSTS: u8 = 4;

/// The parts of the stack that walls stand between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// What a link over sound offers to a match.
    LinkSeam,
    /// What a game offers to a match.
    MatchSeam,
    Sound,
    Duel,
    Internet,
    Game,
    /// The smallest game of one's own: it shows that nothing needs ours.
    OwnGame,
    Other,
}

fn family(krate: &str) -> Family {
    match krate {
        "link-transport" => Family::LinkSeam,
        "match-feed" => Family::MatchSeam,
        "write-a-game" => Family::OwnGame,
        _ if krate.starts_with("link-") => Family::Sound,
        _ if krate.starts_with("versus-") => Family::Duel,
        _ if krate.starts_with("net-") => Family::Internet,
        _ if krate.starts_with("game-") => Family::Game,
        _ => Family::Other,
    }
}

/// Why `from` must not use `to`, if it must not.
fn refusal(from: &str, to: &str, ranks: &BTreeMap<&str, u8>) -> Option<String> {
    let rank = |krate: &str| {
        let known = ranks.get(krate).copied();
        known.unwrap_or_else(|| panic!("{krate} has no rank: say in this test how high it stands"))
    };
    if rank(from) <= rank(to) {
        return Some(format!("{from} uses {to}, which stands no lower"));
    }
    let walled = WALLS
        .iter()
        .any(|(family_of, never)| *family_of == family(from) && never.contains(&family(to)));
    walled.then(|| format!("{from} uses {to}: a wall stands between them"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn metadata() -> serde_json::Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(root())
        .output()
        .expect("cargo metadata runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}

fn name(value: &serde_json::Value) -> String {
    value["name"].as_str().expect("a name").to_owned()
}

fn packages(metadata: &serde_json::Value) -> &Vec<serde_json::Value> {
    metadata["packages"].as_array().expect("packages")
}

/// Each of our crates, and which others of ours it uses; what only its tests use is left out.
fn uses(metadata: &serde_json::Value) -> BTreeMap<String, BTreeSet<String>> {
    let ours: BTreeSet<String> = packages(metadata).iter().map(name).collect();
    packages(metadata)
        .iter()
        .map(|package| {
            let used = package["dependencies"].as_array().expect("dependencies");
            let used = used
                .iter()
                .filter(|dependency| dependency["kind"] != "dev")
                .map(name)
                .filter(|dependency| ours.contains(dependency));
            (name(package), used.collect())
        })
        .collect()
}

#[test]
fn every_edge_goes_down_and_through_no_wall() {
    let ranks = BTreeMap::from(RANKS);
    assert_eq!(ranks.len(), RANKS.len(), "a crate is ranked twice");
    let uses = uses(&metadata());
    for krate in uses.keys() {
        assert!(
            ranks.contains_key(krate.as_str()),
            "{krate} has no rank: say in this test how high it stands"
        );
    }
    for krate in ranks.keys() {
        assert!(uses.contains_key(*krate), "{krate} is no crate of ours");
    }
    let edges: Vec<_> = uses
        .iter()
        .flat_map(|(from, used)| used.iter().map(move |to| (from, to)))
        .collect();
    assert!(edges.len() > 30, "the edges were read: {edges:?}");
    let refused: Vec<String> = edges
        .iter()
        .filter_map(|(from, to)| refusal(from, to, &ranks))
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn no_crate_below_the_hosts_stands_higher_than_what_it_uses_asks_for() {
    let ranks = BTreeMap::from(RANKS);
    for (krate, used) in uses(&metadata()) {
        let rank = ranks[krate.as_str()];
        let least = used.iter().map(|to| ranks[to.as_str()] + 1).max();
        if rank < HOSTS {
            assert_eq!(rank, least.unwrap_or(0), "{krate} may stand lower");
        }
    }
}

#[test]
fn ranks_and_walls_refuse_what_they_are_for() {
    let ranks = BTreeMap::from(RANKS);
    for (from, to) in [
        ("match-feed", "game-sim"),
        ("versus-pairing", "versus-lockstep"),
        ("link-rig", "match-feed"),
        ("link-room", "net-transport"),
        ("versus-session", "link-modem"),
        ("versus-session", "net-transport"),
        ("versus-session", "game-sim"),
        ("game-sim", "link-transport"),
        ("write-a-game", "game-sim"),
        ("net-session", "link-fec"),
        ("versus-session", "capi"),
    ] {
        assert!(
            refusal(from, to, &ranks).is_some(),
            "{from} may not use {to}"
        );
    }
    assert_eq!(refusal("net-session", "match-feed", &ranks), None);
}

/// What stands between two markers of a page.
fn part(page: &str, mark: &str) -> String {
    let (begin, end) = (
        format!("<!-- {mark}:begin -->"),
        format!("<!-- {mark}:end -->"),
    );
    let (_, rest) = page
        .split_once(&begin)
        .unwrap_or_else(|| panic!("the page has no {begin}"));
    let (part, _) = rest
        .split_once(&end)
        .unwrap_or_else(|| panic!("the page has no {end}"));
    part.to_owned()
}

#[test]
fn architecture_draws_every_crate_at_its_rank() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let mut rank = None;
    let mut drawn = BTreeMap::new();
    let is_of_names = |letter: char| letter.is_alphanumeric() || letter == '-';
    let known = BTreeMap::from(RANKS);
    for line in part(&page, "drawing").lines() {
        let first = line.split_whitespace().next();
        rank = first.and_then(|word| word.parse::<u8>().ok()).or(rank);
        for word in line.split(|letter| !is_of_names(letter)) {
            if known.contains_key(word) {
                let at = rank.expect("a rank stands before the first crate");
                assert_eq!(drawn.insert(word.to_owned(), at), None, "{word} twice");
            }
        }
    }
    let known = known.iter().map(|(name, rank)| ((*name).to_owned(), *rank));
    assert_eq!(
        drawn,
        known.collect(),
        "left: the drawing, right: this test"
    );
}

#[test]
fn the_page_of_edges_lists_every_edge_and_no_other() {
    let page = fs::read_to_string(root().join("docs/EDGES.md")).expect("the page");
    let mut rows: Vec<_> = uses(&metadata()).into_iter().collect();
    let ranks = BTreeMap::from(RANKS);
    rows.sort_by_key(|(krate, _)| (ranks[krate.as_str()], krate.clone()));
    let mut table = String::from("\n| Crate | Rank | Uses |\n|---|---|---|\n");
    for (krate, used) in rows {
        let used: Vec<String> = used.iter().map(|krate| format!("`{krate}`")).collect();
        let used = used.join(", ");
        let rank = ranks[krate.as_str()];
        table += &format!("| `{krate}` | {rank} | {used} |\n");
    }
    let found = part(&page, "edges");
    assert!(
        found == table,
        "docs/EDGES.md lists other edges than there are. The table as it should be:\n{table}"
    );
}

/// Every Rust file under `folder`.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// True if `text` has `word` as a whole name.
fn names(text: &str, word: &str) -> bool {
    let is_of_names = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_of_names) && !text[at + word.len()..].starts_with(is_of_names)
    })
}

/// `text` without comments; with `examples` those of documentation stay, since they are compiled with the tests.
fn code(text: &str, examples: bool) -> String {
    let is_code = |line: &&str| {
        let line = line.trim_start();
        !line.starts_with("//") || examples && (line.starts_with("///") || line.starts_with("//!"))
    };
    text.lines()
        .filter(is_code)
        .fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn no_dependency_that_no_source_names() {
    let mut unused = Vec::new();
    for package in packages(&metadata()) {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let folder = manifest.parent().expect("a folder");
        let text = |parts: &[&str], examples| {
            let mut files = Vec::new();
            for part in parts {
                sources(&folder.join(part), &mut files);
            }
            files.iter().fold(String::new(), |all, file| {
                all + &code(&fs::read_to_string(file).expect("a source"), examples)
            })
        };
        let build = fs::read_to_string(folder.join("build.rs")).unwrap_or_default();
        let of_kind = |kind: &serde_json::Value| match kind.as_str() {
            Some("dev") => text(&["src", "tests", "benches", "examples"], true),
            Some("build") => code(&build, false),
            _ => text(&["src"], false),
        };
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let used_as = dependency["rename"]
                .as_str()
                .or(dependency["name"].as_str());
            let used_as = used_as.expect("a name").replace('-', "_");
            if !names(&of_kind(&dependency["kind"]), &used_as) {
                let kind = dependency["kind"].as_str().unwrap_or("normal");
                unused.push(format!("{}: {used_as} ({kind})", name(package)));
            }
        }
    }
    assert!(unused.is_empty(), "declared and not used: {unused:#?}");
}

#[test]
fn a_name_in_a_comment_or_in_another_name_is_no_use() {
    assert!(names("use heapless::Vec;", "heapless"));
    assert!(!names("use heapless_extra::Vec;", "heapless"));
    let text = "// heapless\n/// use proptest;\nfn f() {}\n";
    assert!(!names(&code(text, false), "heapless"));
    assert!(!names(&code(text, true), "heapless"));
    assert!(!names(&code(text, false), "proptest"));
    assert!(names(&code(text, true), "proptest"));
}
