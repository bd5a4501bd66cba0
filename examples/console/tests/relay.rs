//! Two processes, one match: the relay over a socket and over pipes.

mod common;
use common::{failure, folder, lines, run, run_with, start, stdout, text};
use serde_json::Value;
use std::{
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Child, Output},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// Both clocks run this much faster, so that minutes of play take seconds.
const SPEED: &str = "20";

/// Holds the two reports and the two records to each other.
fn same_match(host: &Value, guest: &Value, out: &Path) {
    for (name, report) in [("host", host), ("guest", guest)] {
        assert_eq!(report["in_sync"], true, "{name}: {report}");
        assert_eq!(report["link"], "practice");
    }
    for key in ["ticks", "result", "delay_ticks", "map"] {
        assert_eq!(host[key], guest[key], "{key}");
    }
    assert!(
        host["ticks"].as_u64() > Some(600),
        "a match was played: {host}"
    );
    let [host, guest] = ["host.json", "guest.json"].map(|name| out.join(name));
    let record = std::fs::read(&host).unwrap();
    assert_eq!(
        record,
        std::fs::read(&guest).unwrap(),
        "records are equal byte for byte"
    );
    let replayed = lines(&stdout(&run(&["replay", text(&host), "--json"])));
    assert_eq!(replayed[0]["agrees"], true);
}

#[test]
fn two_processes_play_a_match_over_a_socket_and_end_in_sync() {
    let out = folder("relay-socket");
    let common = ["--speed", SPEED, "--json", "--out", text(&out)];
    let host = [
        "relay",
        "--host",
        "--listen",
        "127.0.0.1:0",
        "--ai",
        "hard",
        "--map",
        "1",
    ];
    let mut host = start(&[&host[..], &common].concat());
    let mut told = BufReader::new(host.stdout.take().unwrap());
    let mut first = String::new();
    told.read_line(&mut first).unwrap();
    let listening = lines(&first).remove(0);
    let address = listening["address"]
        .as_str()
        .expect("an address")
        .to_owned();

    let guest = [
        "relay",
        "--guest",
        "--connect",
        &address,
        "--ai",
        "easy",
        "--loss",
        "0.1",
    ];
    let guest = run(&[&guest[..], &common].concat());
    let guest = lines(&stdout(&guest)).pop().unwrap();
    let rest: Vec<_> = told.lines().map(Result::unwrap).collect();
    let mut error = String::new();
    io::Read::read_to_string(host.stderr.as_mut().unwrap(), &mut error).unwrap();
    assert!(host.wait().unwrap().success(), "{error}");
    let host: Value = serde_json::from_str(rest.last().unwrap()).unwrap();
    same_match(&host, &guest, &out);
    let heard =
        |report: &Value| [&report["good"], &report["bad"]].map(|count| count.as_f64().unwrap());
    let ([good, bad], [_, none]) = (heard(&host), heard(&guest));
    assert!(
        (0.05..0.15).contains(&(bad / (good + bad))),
        "the guest lost a tenth: {host}"
    );
    assert_eq!(none, 0.0, "the host lost none: {guest}");
}

/// Plays a host whose guest dies in the match; what the host said after that, and its error.
fn orphan(out: &Path) -> (Vec<Value>, String) {
    let common = ["--speed", SPEED, "--json", "--out", text(out)];
    let host = ["relay", "--host", "--listen", "127.0.0.1:0"];
    let mut host = start(&[&host[..], &common].concat());
    let mut told = BufReader::new(host.stdout.take().unwrap()).lines();
    let mut next = || lines(&told.next().expect("a line").unwrap()).remove(0);
    let address = next()["address"].as_str().expect("an address").to_owned();
    let guest = ["relay", "--guest", "--connect", &address];
    let mut guest = start(&[&guest[..], &common].concat());
    assert_eq!(next()["event"], "paired");
    // The guest has begun as well once it says so; then it dies without a word.
    let mut first = String::new();
    BufReader::new(guest.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    guest.kill().unwrap();
    guest.wait().unwrap();
    let after = told.flat_map(|line| lines(&line.unwrap())).collect();
    (after, failure(&host.wait_with_output().unwrap()))
}

#[test]
fn an_end_whose_peer_dies_keeps_what_was_played() {
    let out = folder("relay-orphan");
    let (after, error) = orphan(&out);
    let aborted = after.last().expect("a last line");
    assert_eq!(aborted["event"], "aborted", "{aborted}");
    assert!(error.contains("hung up after"), "{error}");
    let record = out.join("host.json");
    assert_eq!(aborted["record"], text(&record));
    let replayed = lines(&stdout(&run(&["replay", text(&record), "--json"])));
    assert_eq!(replayed[0]["agrees"], true, "{replayed:?}");
}

#[test]
fn an_end_that_cannot_save_what_was_played_says_why_it_ended_as_well() {
    let out = folder("relay-unsaved");
    std::fs::create_dir_all(out.join("host.json")).unwrap();
    let (_, error) = orphan(&out);
    assert!(error.contains("hung up after"), "{error}");
    assert!(error.contains("host.json"), "{error}");
}

/// The host's bytes go round through here, so that the guest can fall silent without hanging up.
#[test]
fn an_end_whose_peer_falls_silent_gives_up_and_keeps_what_was_played() {
    let out = folder("relay-silent");
    let common = [
        "relay",
        "--stdio",
        "--speed",
        SPEED,
        "--json",
        "--out",
        text(&out),
    ];
    let mut host = start(&[&common[..], &["--host", "--patience", "1"]].concat());
    let mut guest = start(&[&common[..], &["--guest"]].concat());
    let silent = Arc::new(AtomicBool::new(false));
    let mut to_host = host.stdin.take().unwrap();
    let mut from_guest = guest.stdout.take().unwrap();
    let forth = pump(&mut host, &mut guest);
    let is_silent = silent.clone();
    let back = thread::spawn(move || {
        let mut buffer = [0; 256];
        while let Ok(count @ 1..) = io::Read::read(&mut from_guest, &mut buffer) {
            if !is_silent.load(Ordering::Relaxed) && to_host.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
        to_host
    });
    let mut told = BufReader::new(host.stderr.take().unwrap()).lines();
    let mut next = || told.next().expect("a line").unwrap();
    assert_eq!(lines(&next())[0]["event"], "paired");
    silent.store(true, Ordering::Relaxed);
    // On a machine that is held up there may have been a silence before.
    let mut events: Vec<Value> = Vec::new();
    while events.last().is_none_or(|last| last["event"] != "aborted") {
        events.append(&mut lines(&next()));
    }
    assert!(
        events
            .iter()
            .any(|event| event["event"] == "silent" && event["patience"] == 1)
    );
    let error = next();
    assert!(
        error.contains("nothing has come from the other end for 1 s"),
        "{error}"
    );
    assert!(error.contains("--patience"), "{error}");
    assert_eq!(host.wait().unwrap().code(), Some(1));
    guest.kill().unwrap();
    guest.wait().unwrap();
    forth.join().unwrap();
    drop(back.join().unwrap());
    let record = out.join("host.json");
    let replayed = lines(&stdout(&run(&["replay", text(&record), "--json"])));
    assert_eq!(replayed[0]["agrees"], true, "{replayed:?}");
}

/// Runs both with the one's output as the other's input; what each has on standard error, the host's first.
fn cross(arguments: [&[&str]; 2]) -> [Output; 2] {
    let mut ends = arguments.map(start);
    let [a, b] = &mut ends;
    let copies = [pump(a, b), pump(b, a)];
    let outputs = ends.map(|end| thread::spawn(move || end.wait_with_output().unwrap()));
    let outputs = outputs.map(|end| end.join().unwrap());
    copies.into_iter().for_each(|copy| copy.join().unwrap());
    outputs
}

/// Copies what `from` says to `to` until either is gone.
fn pump(from: &mut Child, to: &mut Child) -> thread::JoinHandle<()> {
    let mut from = from.stdout.take().unwrap();
    let mut to = to.stdin.take().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 256];
        while let Ok(count @ 1..) = io::Read::read(&mut from, &mut buffer) {
            if to.write_all(&buffer[..count]).is_err() {
                return;
            }
        }
    })
}

#[test]
fn two_processes_play_a_match_over_pipes() {
    let out = folder("relay-pipes");
    let common = [
        "--stdio",
        "--speed",
        SPEED,
        "--json",
        "--plan",
        "low",
        "--out",
        text(&out),
    ];
    let host = [
        &["relay", "--host", "--ai", "easy", "--host-side", "red"][..],
        &common,
    ]
    .concat();
    let guest = [
        &["relay", "--guest", "--ai", "hard", "--seed", "9"][..],
        &common,
    ]
    .concat();
    let reports = cross([&host, &guest]).map(|output| {
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{told}");
        lines(&told).pop().unwrap()
    });
    let [host, guest] = reports;
    same_match(&host, &guest, &out);
}

#[test]
fn ends_that_do_not_match_say_why() {
    let out = folder("relay-mismatch");
    let common = ["relay", "--stdio", "--speed", SPEED, "--out", text(&out)];
    let cases: [(&[&str], &[&str], &str); 2] = [
        (&["--host"], &["--host"], "both ends are the host"),
        (
            &["--host", "--plan", "low"],
            &["--guest"],
            "is on the high plan, this one on the low plan",
        ),
    ];
    for (one, other, why) in cases {
        let ends = cross([&[&common, one].concat(), &[&common, other].concat()]);
        // One says why; the other may only notice that the first is gone.
        let said = ends
            .map(|end| {
                failure(&Output {
                    stdout: Vec::new(),
                    ..end
                })
            })
            .concat();
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn a_stream_that_is_none_of_ours_says_so() {
    let out = folder("relay-refused");
    let common = ["relay", "--guest", "--out", text(&out)];
    let cases: &[(&[&str], &str, &str)] = &[
        (&["--stdio"], "", "the other end hung up"),
        (
            &["--stdio"],
            "GET / HTTP/1.1\r\n\r\n",
            "not a relay's message: 71 bytes long",
        ),
        (&["--stdio", "--loss", "NaN"], "", "--loss NaN"),
        (&["--listen", "nowhere"], "", "--listen nowhere"),
        (&["--connect", "nowhere"], "", "--connect nowhere"),
    ];
    for (options, input, why) in cases {
        let error = failure(&run_with(&[&common[..], options].concat(), input));
        assert!(error.contains(why), "{options:?}: {error}");
    }
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let cases: &[(&[&str], &str)] = &[
        (&["--host"], "--listen"),
        (&["--stdio"], "--host"),
        (&["--host", "--guest", "--stdio"], "cannot be used with"),
        (
            &["--host", "--stdio", "--listen", "127.0.0.1:0"],
            "cannot be used with",
        ),
        (&["--guest", "--stdio", "--map", "2"], "cannot be used with"),
        (&["--host", "--stdio", "--speed", "0"], "--speed"),
        (&["--host", "--stdio", "--patience", "0"], "--patience"),
    ];
    for (options, why) in cases {
        let output = run(&[&["relay"][..], options].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && error.contains(why),
            "{options:?}: {error}"
        );
    }
    let help = stdout(&run(&["relay", "--help"]));
    assert!(
        help.contains("Examples:") && help.contains("mkfifo"),
        "{help}"
    );
}
