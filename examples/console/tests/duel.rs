//! The duel from the command line, its records, and what a changed record leads to.

mod common;
use common::{failure, folder, lines, run, stdout, text};

#[test]
fn two_phones_stay_in_sync_and_their_records_replay() {
    let out = folder("duel");
    // A strong host against a weak guest is soon decided.
    let args = [
        "duel",
        "--ai-a",
        "hard",
        "--ai-b",
        "easy",
        "--rate-b",
        "44100",
        "--skew-ppm",
        "600",
        "--json",
    ];
    let printed = lines(&stdout(&run(&[&args[..], &["--out", text(&out)]].concat())));
    let report = printed.last().unwrap();
    assert_eq!(report["in_sync"], true);
    assert_eq!(report["ticks"][0], report["ticks"][1]);
    assert!(
        report["result"].as_str().unwrap().contains("wins"),
        "{report}"
    );
    assert!(report["pairing_ms"].as_u64().unwrap() > 0);
    for key in [
        "map",
        "delay_ticks",
        "good",
        "bad",
        "stall_ms",
        "order_delay_ticks",
        "records",
        "plot",
    ] {
        assert!(!report[key].is_null(), "{key} is missing: {report}");
    }
    let [host, guest] = ["host.json", "guest.json"].map(|name| out.join(name));
    let record = std::fs::read(&host).unwrap();
    assert_eq!(
        record,
        std::fs::read(&guest).unwrap(),
        "equal byte for byte"
    );
    assert!(
        std::fs::read(out.join("link.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );

    let png = out.join("end.png");
    let both = [
        "replay",
        text(&host),
        text(&guest),
        "--map-png",
        text(&png),
        "--json",
    ];
    let reports = lines(&stdout(&run(&both)));
    assert!(
        reports
            .iter()
            .all(|report| report["agrees"] == true && report["hashes_equal"].as_u64() > Some(3))
    );
    assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));

    changed_records(&String::from_utf8(record).unwrap(), &out);
}

/// One changed byte is refused; forced, the first checkpoint that differs is named.
fn changed_records(record: &str, out: &std::path::Path) {
    let path = out.join("changed.json");
    seats_swapped(record, out);
    // A digit of the hash after 200 ticks, and a digit of an early order's target.
    let hashes = record.find("\"hashes\":").expect("hashes");
    let hash = record[hashes..]
        .find("[200,\"")
        .expect("a hash every 100 ticks");
    let hash = hashes + hash + 6;
    let order = record
        .find("\"at\":{\"x\":")
        .expect("an order with a target")
        + 10;
    for (at, first) in [(hash, Some(200)), (order, None)] {
        let mut bytes = record.as_bytes().to_vec();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        std::fs::write(&path, bytes).unwrap();
        let error = failure(&run(&["replay", text(&path)]));
        assert!(
            error.contains("was changed") && error.contains("--force"),
            "{error}"
        );
        let forced = run(&["replay", text(&path), "--force", "--json"]);
        failure(&forced);
        let report = &lines(&String::from_utf8(forced.stdout).unwrap())[0];
        let tick = report["first_difference"]["tick"]
            .as_u64()
            .expect("a checkpoint is named");
        assert!(first.is_none_or(|first| first == tick), "{report}");
        let told = String::from_utf8(run(&["replay", text(&path), "--force"]).stdout).unwrap();
        assert!(told.contains(&format!("after tick {tick}")), "{told}");
    }
}

/// A change that play does not notice is told all the same.
fn seats_swapped(record: &str, out: &std::path::Path) {
    let path = out.join("seats.json");
    std::fs::write(&path, record.replacen("\"guest\"", "\"gaest\"", 1)).unwrap();
    let forced = run(&["replay", text(&path), "--force"]);
    failure(&forced);
    let told = String::from_utf8(forced.stdout).unwrap();
    assert!(told.contains("was changed"), "{told}");
}

/// `… | head -1` is no reason to panic.
#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let out = folder("gone");
    let wav = out.join("out.wav");
    for arguments in [
        &[
            "tx",
            "--payload",
            "aa",
            "--seconds",
            "1",
            "--json",
            "-o",
            text(&wav),
        ][..],
        &["frame", "lobby", "9e3e5ff0dae39432b75d57c0c670a640/123"][..],
        &[
            "loop",
            "--json",
            "--ai-a",
            "hard",
            "--ai-b",
            "easy",
            "--out",
            text(&out),
        ][..],
    ] {
        let error = common::run_unheard(arguments);
        assert!(!error.contains("panicked"), "{arguments:?}: {error}");
    }
}

#[test]
fn what_cannot_be_played_says_why() {
    let cases: &[(&[&str], &str)] = &[
        (&["duel", "--map", "99"], "--map 99"),
        (
            &["duel", "--mutators", "everything"],
            "--mutators everything",
        ),
        (&["duel", "--distance-cm", "0"], "--distance-cm"),
        (&["duel", "--rate-a", "22050", "--plan", "high"], "22050"),
        (&["duel", "--skew-ppm", "NaN"], "--skew-ppm"),
        (&["duel", "--watch"], "terminal"),
        (&["replay", "no-such-record.json"], "no-such-record.json"),
        (
            &["replay", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")],
            "not a battle record",
        ),
    ];
    for (arguments, why) in cases {
        let error = failure(&run(arguments));
        assert!(error.contains(why), "{arguments:?}: {error}");
    }
    let help = stdout(&run(&["--help"]));
    assert!(help.contains("Examples:") && help.contains("sound-duel tx"));
}
