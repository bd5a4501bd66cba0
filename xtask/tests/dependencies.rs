//! Arrows point down only: the edges between our crates are those that ARCHITECTURE.md draws, and no others.

use std::{collections::BTreeSet, process::Command};

/// What each crate may use. Hosts, the C ABI, the fuzz oracles and the chores may use everything below them.
const ALLOWED: [(&str, &[&str]); 14] = [
    ("link-transport", &[]),
    ("link-fec", &[]),
    ("match-feed", &[]),
    ("net-transport", &[]),
    ("net-session", &["match-feed", "net-transport"]),
    ("xtask", &[]),
    ("link-modem", &["link-fec", "link-transport"]),
    ("link-rig", &["link-modem", "link-transport"]),
    ("link-room", &["link-modem", "link-transport"]),
    ("versus-codec", &["match-feed"]),
    (
        "versus-lockstep",
        &["versus-codec", "match-feed", "link-transport"],
    ),
    (
        "versus-pairing",
        &["versus-codec", "match-feed", "link-transport"],
    ),
    (
        "versus-session",
        &[
            "versus-pairing",
            "versus-lockstep",
            "versus-codec",
            "match-feed",
            "link-transport",
        ],
    ),
    ("game-sim", &["match-feed", "versus-codec"]),
];
/// Crates above everything, which nothing may use (a host's tests aside).
const HOSTS: [&str; 6] = [
    "capi",
    "sound-duel",
    "fuzz-oracles",
    "golden",
    "web-probe",
    "write-a-game",
];

fn metadata() -> serde_json::Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("cargo metadata runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}

/// (crate, dependency) for every non-dev dependency of one of ours on another of ours.
fn edges(metadata: &serde_json::Value) -> (BTreeSet<String>, Vec<(String, String)>) {
    let packages = metadata["packages"].as_array().expect("packages");
    let name = |value: &serde_json::Value| value["name"].as_str().expect("a name").to_owned();
    let ours: BTreeSet<String> = packages.iter().map(name).collect();
    let mut edges = Vec::new();
    for package in packages {
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            if dependency["kind"] != "dev" && ours.contains(&name(dependency)) {
                edges.push((name(package), name(dependency)));
            }
        }
    }
    (ours, edges)
}

#[test]
fn no_edge_that_the_architecture_does_not_allow() {
    let (ours, edges) = edges(&metadata());
    assert!(edges.len() > 15, "the edges were read: {edges:?}");
    for known in ALLOWED.iter().map(|(name, _)| name).chain(&HOSTS) {
        assert!(
            ours.contains(*known),
            "{known} is named here but is no crate of the workspace"
        );
    }
    for krate in &ours {
        let known =
            ALLOWED.iter().any(|(name, _)| name == krate) || HOSTS.contains(&krate.as_str());
        assert!(
            known,
            "{krate} is a crate that this test does not know: say what it may use"
        );
    }
    for (from, to) in edges {
        let allowed = match ALLOWED.iter().find(|(name, _)| *name == from) {
            Some((_, allowed)) => allowed.contains(&to.as_str()),
            // The oracles call the C ABI as a host would.
            None => !HOSTS.contains(&to.as_str()) || (from == "fuzz-oracles" && to == "capi"),
        };
        assert!(
            allowed,
            "{from} must not depend on {to}: arrows point down only (ARCHITECTURE.md)"
        );
    }
}
