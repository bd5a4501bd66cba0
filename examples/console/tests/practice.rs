//! The practice link from the command line: a duel without sound.

mod common;
use common::{failure, folder, lines, run, stdout, text};
use serde_json::Value;

/// Plays a soon decided match with these options and gives its report.
fn play(name: &str, options: &[&str]) -> Value {
    let out = folder(name);
    let strong = ["loop", "--ai-a", "hard", "--ai-b", "easy", "--json"];
    let arguments = [&strong[..], &["--out", text(&out)], options].concat();
    let report = lines(&stdout(&run(&arguments))).pop().unwrap();
    assert_eq!(report["in_sync"], true, "{options:?}: {report}");
    assert_eq!(report["link"], "practice");
    assert_eq!(report["ticks"][0], report["ticks"][1]);
    let [host, guest] = ["host.json", "guest.json"].map(|name| out.join(name));
    assert_eq!(
        std::fs::read(&host).unwrap(),
        std::fs::read(&guest).unwrap(),
        "{options:?}: records are equal byte for byte"
    );
    report
}

#[test]
fn a_practice_match_says_that_it_had_no_sound_and_its_record_replays() {
    let out = folder("practice");
    let played = stdout(&run(&[
        "loop",
        "--ai-a",
        "hard",
        "--ai-b",
        "easy",
        "--out",
        text(&out),
    ]));
    assert!(played.starts_with("Practice link (no sound)\n"), "{played}");
    assert!(
        played.contains("In sync ✓") && !played.contains("by sound"),
        "{played}"
    );
    let replayed = stdout(&run(&["replay", text(&out.join("host.json")), "--json"]));
    assert_eq!(lines(&replayed)[0]["agrees"], true);
    let png = std::fs::read(out.join("link.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
}

#[test]
fn the_same_seed_plays_the_same_match_and_another_seed_another() {
    let figures = |name, seed| {
        let report = play(name, &["--seed", seed, "--loss", "0.2"]);
        [&report["good"], &report["bad"], &report["ticks"]].map(Value::to_string)
    };
    let first = figures("practice-seed-a", "7");
    assert_eq!(first, figures("practice-seed-b", "7"));
    assert_ne!(first, figures("practice-seed-c", "8"));
}

#[test]
fn a_delay_named_is_the_delay_agreed_whatever_the_link() {
    let cases: &[(u64, &[&str])] = &[
        (3, &["--delay", "3", "--latency-ms", "250"]),
        (4, &["--delay", "4", "--loss", "0.1"]),
        (5, &["--delay", "5", "--latency-ms", "1000"]),
        (6, &["--delay", "6", "--mode", "robust"]),
        (7, &["--delay", "7", "--plan", "low"]),
        (8, &["--delay", "8", "--latency-ms", "0"]),
        (4, &["--delay", "4", "--plan", "low", "--mode", "robust"]),
    ];
    for (delay, options) in cases {
        let report = play(&format!("practice-delay-{delay}"), options);
        assert_eq!(report["delay_ticks"], *delay, "{options:?}");
    }
}

#[test]
fn values_out_of_range_are_clamped() {
    let report = play("practice-clamped", &["--delay", "99", "--loss=-2"]);
    assert_eq!(report["delay_ticks"], 8);
    assert_eq!(
        report["bad"],
        serde_json::json!([0, 0]),
        "no loss below none"
    );
    let report = play("practice-clamped", &["--delay", "0"]);
    assert_eq!(report["delay_ticks"], 3);
    // 0.9 is the most that gets lost: a tenth of a hopeless link still carries a match, at 2 s a packet.
    let hopeless = ["--delay", "8", "--loss", "1", "--latency-ms", "99999"];
    let report = play("practice-clamped", &hopeless);
    let count = |key: &str| report[key][0].as_f64().unwrap();
    let lost = count("bad") / (count("good") + count("bad"));
    assert!(
        (0.8..0.95).contains(&lost),
        "{lost} of the packets were lost"
    );
}

#[test]
fn the_host_may_play_red() {
    let report = play("practice-red", &["--host-side", "red"]);
    assert!(
        report["result"].as_str().unwrap().starts_with("red wins"),
        "{report}"
    );
}

#[test]
fn what_a_practice_link_cannot_do_says_why() {
    let cases: &[(&[&str], &str)] = &[
        (&["--loss", "NaN"], "--loss NaN"),
        (&["--map", "99"], "--map 99"),
        (&["--watch"], "terminal"),
        (&["--latency-ms", "2000"], "name a --delay"),
    ];
    for (options, why) in cases {
        let out = folder("practice-refused");
        let error = failure(&run(&[&["loop", "--out", text(&out)], *options].concat()));
        assert!(error.contains(why), "{options:?}: {error}");
    }
    let help = stdout(&run(&["loop", "--help"]));
    assert!(
        help.contains("Examples:") && help.contains("clamped"),
        "{help}"
    );
}
