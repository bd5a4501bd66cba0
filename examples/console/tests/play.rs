//! `play` as a program: practice without a screen, and what a build without live sound says.

use serde_json::Value;
use std::{
    path::PathBuf,
    process::{Command, Output},
};

fn sound_duel(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sound-duel"))
        .args(arguments)
        .output()
        .unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn practice_pairs_plays_to_a_decision_and_leaves_a_record_that_replays() {
    let out = folder("play-practice");
    let done = sound_duel(&[
        "play",
        "--practice",
        "--json",
        "--setup",
        "blitz",
        "--mode",
        "fast",
        "--seed",
        "3",
        "--speed",
        "1000",
        "--out",
        out.to_str().unwrap(),
    ]);
    let told = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{told}");
    let lines: Vec<Value> = told
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |event: &'static str| lines.iter().filter(move |line| line["event"] == event);
    let steps: Vec<&str> = of("lobby")
        .filter_map(|line| line["step"].as_str())
        .collect();
    assert_eq!(steps.first(), Some(&"listening"));
    assert!(steps.contains(&"measuring"), "{steps:?}");
    assert_eq!(of("rig").next_back().unwrap()["state"], "live");
    let report = of("report").next_back().unwrap();
    assert_eq!(report["in_sync"], true, "{report}");
    assert!(report["good"].as_u64() > Some(100), "{report}");
    let record = report["record"].as_str().unwrap();
    assert!(sound_duel(&["replay", record]).status.success());
    // A practice match counts for nobody.
    assert!(!out.join("score.json").exists());
}

#[test]
fn without_a_screen_or_a_known_setup_it_says_what_to_do() {
    let out = folder("play-words");
    let out = out.to_str().unwrap();
    let no_terminal = sound_duel(&["play", "--practice", "--out", out]);
    assert!(!no_terminal.status.success());
    let why = String::from_utf8(no_terminal.stderr).unwrap();
    assert!(why.contains("--headless"), "{why}");
    let setup = sound_duel(&[
        "play",
        "--practice",
        "--json",
        "--setup",
        "chess",
        "--out",
        out,
    ]);
    let why = String::from_utf8(setup.stderr).unwrap();
    assert!(
        why.contains("--setup chess") && why.contains("blitz"),
        "{why}"
    );
}

#[cfg(not(feature = "live"))]
#[test]
fn a_build_without_live_sound_says_how_to_switch_it_on_in_one_line() {
    let out = folder("play-not-live");
    for arguments in [
        &[
            "play",
            "--host",
            "--headless",
            "--out",
            out.to_str().unwrap(),
        ][..],
        &["play", "--list-devices"],
    ] {
        let done = sound_duel(arguments);
        assert!(!done.status.success());
        let why = String::from_utf8(done.stderr).unwrap();
        let line = "  cargo run --release --features live -- play --host";
        assert!(why.lines().any(|said| said == line), "{why}");
    }
}
