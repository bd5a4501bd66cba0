//! `play` as a program: practice without a screen, and what a build without live sound says.

mod common;
use common::{failure, folder, lines, run, stdout, text};

#[test]
fn practice_pairs_plays_to_a_decision_and_leaves_a_record_that_replays() {
    let out = folder("play-practice");
    let told = stdout(&run(&[
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
        text(&out),
    ]));
    let lines = lines(&told);
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
    stdout(&run(&["replay", record]));
    // A practice match counts for nobody.
    assert!(!out.join("score.json").exists());
}

#[test]
fn without_a_screen_or_a_known_setup_it_says_what_to_do() {
    let out = folder("play-words");
    let out = text(&out);
    let why = failure(&run(&["play", "--practice", "--out", out]));
    assert!(why.contains("--headless"), "{why}");
    let why = failure(&run(&[
        "play",
        "--practice",
        "--json",
        "--setup",
        "chess",
        "--out",
        out,
    ]));
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
        &["play", "--host", "--headless", "--out", text(&out)][..],
        &["play", "--list-devices"],
    ] {
        let why = failure(&run(arguments));
        let line = "  cargo run --release --features live -- play --host";
        assert!(why.lines().any(|said| said == line), "{why}");
    }
}
