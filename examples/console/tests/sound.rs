//! `tx` and `rx`: payloads to sound and back, and the recordings of the vectors.

mod common;
use common::{failure, folder, lines, run, stdout, text, vector, vector_json};
use serde_json::Value;
use std::{collections::HashSet, fs};

/// `rx` on a recording, as its description says to listen.
fn listen(name: &str) -> (Vec<Value>, Value) {
    let about = vector_json(&format!("modem/{name}.json"));
    let wav = vector(&format!("modem/{name}.wav"));
    let (plan, band) = (
        about["plan"].as_str().unwrap(),
        about["listen"].as_str().unwrap(),
    );
    let mut arguments = vec!["rx", text(&wav), "--json", "--plan", plan, "--listen", band];
    let nonces = about["session_nonces"]
        .as_array()
        .map(|pair| format!("{},{}", pair[0], pair[1]));
    if let Some(nonces) = &nonces {
        arguments.extend(["--session-nonces", nonces]);
    }
    (lines(&stdout(&run(&arguments))), about)
}

fn digits(packets: &[Value]) -> Vec<&str> {
    packets
        .iter()
        .map(|packet| packet["bits"].as_str().unwrap())
        .collect()
}

#[test]
fn every_packet_of_every_clean_recording_at_over_45_db() {
    for name in [
        "high_guest_robust",
        "high_guest_session",
        "high_host_fast",
        "high_host_switch",
        "low_guest_fast",
        "low_host_robust",
    ] {
        let (packets, about) = listen(&format!("clean_{name}"));
        let sent: Vec<&str> = about["packets"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p.as_str().unwrap())
            .collect();
        assert_eq!(
            digits(&packets),
            sent,
            "{name}: every packet, in order, once"
        );
        for packet in &packets {
            assert!(
                packet["snr_db"].as_f64().unwrap() > 45.0,
                "{name}: {packet}"
            );
            assert_eq!(packet["nbits"], about["nbits"]);
            assert_eq!(packet["plan"], about["plan"]);
            assert_eq!(
                packet["session"].as_bool().unwrap(),
                about.get("session_nonces").is_some()
            );
        }
    }
}

#[test]
fn as_many_packets_of_every_room_recording_as_the_reference_and_none_false_or_twice() {
    let names = [
        "20cm_high_fast",
        "20cm_high_fast_gap",
        "20cm_low_fast_44k1",
        "30cm_low_robust",
        "40cm_high_robust_cluster",
        "80cm_high_robust_noisy",
    ];
    for name in names {
        let (packets, about) = listen(&format!("room_{name}"));
        let sent: HashSet<&str> = about["packets"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p.as_str().unwrap())
            .collect();
        let heard = digits(&packets);
        let once: HashSet<&str> = heard.iter().copied().collect();
        assert_eq!(once.len(), heard.len(), "{name}: a packet twice");
        assert!(
            once.is_subset(&sent),
            "{name}: a packet that was never sent"
        );
        let reference = about["reference_decoded"].as_u64().unwrap() as usize;
        assert!(
            heard.len() >= reference,
            "{name}: {} of the reference's {reference}",
            heard.len()
        );
    }
}

#[test]
fn sent_and_heard_again_in_every_plan_mode_role_and_rate() {
    let out = folder("tx-rx");
    let cases = [
        ("high", 44_100, 188),
        ("high", 48_000, 188),
        ("high", 96_000, 188),
        ("low", 24_000, 186),
        ("low", 44_100, 186),
        ("low", 48_000, 186),
        ("low", 96_000, 186),
    ];
    for (plan, rate, nbits) in cases {
        for mode in ["robust", "fast"] {
            for role in ["host", "guest"] {
                let wav = out.join(format!("{plan}-{rate}-{mode}-{role}.wav"));
                let rate = rate.to_string();
                let args = [
                    "tx",
                    "--plan",
                    plan,
                    "--rate",
                    &rate,
                    "--mode",
                    mode,
                    "--role",
                    role,
                    "--seconds",
                    "3",
                ];
                let tail = [
                    "--payload",
                    "c0ffee/22",
                    "--payload",
                    "1234",
                    "-o",
                    text(&wav),
                ];
                stdout(&run(&[&args[..], &tail[..]].concat()));
                let packets = lines(&stdout(&run(&[
                    "rx",
                    text(&wav),
                    "--plan",
                    plan,
                    "--listen",
                    role,
                    "--json",
                ])));
                assert!(
                    packets.len() >= 4,
                    "{plan} {mode} {role} {rate}: {} packets",
                    packets.len()
                );
                for (at, packet) in packets.iter().enumerate() {
                    assert_eq!(packet["mode"], *mode);
                    assert_eq!(packet["nbits"], nbits);
                    assert!(
                        packet["snr_db"].as_f64().unwrap() > 45.0,
                        "{plan} {mode} {role} {rate}: {packet}"
                    );
                    let payload = ["c0ffec", "1234"][at % 2];
                    let zeros = "0".repeat(48 - payload.len());
                    assert_eq!(
                        packet["bits"].as_str().unwrap(),
                        format!("{payload}{zeros}")
                    );
                }
            }
        }
    }
}

#[test]
fn keyed_frames_need_the_key_and_a_guest_finds_the_plan() {
    let wav = folder("keyed").join("out.wav");
    let nonces = ["--session-nonces", "4660,48879"];
    let args = [
        "tx",
        "--plan",
        "low",
        "--seconds",
        "3",
        "--payload",
        "abcd",
        "-o",
        text(&wav),
    ];
    stdout(&run(&[&args[..], &nonces[..]].concat()));
    let listen = ["rx", text(&wav), "--plan", "low", "--json"];
    assert!(
        failure(&run(&listen)).contains("no packet heard"),
        "without the key every CRC fails"
    );
    let other = run(&[&listen[..], &["--session-nonces", "4660,48878"]].concat());
    assert!(
        failure(&other).contains("no packet heard"),
        "another match's key"
    );
    let packets = lines(&stdout(&run(&[&listen[..], &nonces[..]].concat())));
    assert!(packets.iter().all(|packet| packet["session"] == true));
    let detect = ["rx", text(&wav), "--listen", "detect", "--json"];
    let packets = lines(&stdout(&run(&[&detect[..], &nonces[..]].concat())));
    assert!(!packets.is_empty() && packets.iter().all(|packet| packet["plan"] == "low"));
}

#[test]
fn a_recording_without_sound_is_told_from_one_without_packets() {
    let out = folder("silent");
    for (frames, why) in [(0_u32, "holds no samples"), (48_000, "is silent")] {
        let wav = out.join(format!("{frames}.wav"));
        fs::write(&wav, silence(frames)).unwrap();
        let error = failure(&run(&["rx", text(&wav)]));
        assert!(error.contains(why), "{error}");
    }
}

/// A WAV of one channel, 16 bits, 48 kHz.
fn silence(frames: u32) -> Vec<u8> {
    let mut file = b"RIFF".to_vec();
    file.extend((36 + 2 * frames).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    file.extend(48_000_u32.to_le_bytes());
    file.extend(96_000_u32.to_le_bytes());
    file.extend(b"\x02\0\x10\0data");
    file.extend((2 * frames).to_le_bytes());
    file.resize(file.len() + 2 * frames as usize, 0);
    file
}

#[test]
fn through_the_room_and_out_again() {
    let out = folder("room");
    let [a, b, at_a, at_b] = ["a.wav", "b.wav", "at-a.wav", "at-b.wav"].map(|name| out.join(name));
    stdout(&run(&[
        "tx",
        "--role",
        "host",
        "--rate",
        "48000",
        "--payload",
        "aa",
        "--seconds",
        "5",
        "-o",
        text(&a),
    ]));
    stdout(&run(&[
        "tx",
        "--role",
        "guest",
        "--rate",
        "44100",
        "--payload",
        "bb",
        "--seconds",
        "5",
        "-o",
        text(&b),
    ]));
    let args = [
        "room",
        text(&a),
        text(&b),
        "--out-a",
        text(&at_a),
        "--out-b",
        text(&at_b),
        "--distance-cm",
        "30",
    ];
    stdout(&run(&args));
    for (wav, listen, payload) in [(&at_a, "guest", "bb"), (&at_b, "host", "aa")] {
        let packets = lines(&stdout(&run(&[
            "rx",
            text(wav),
            "--listen",
            listen,
            "--json",
        ])));
        assert!(packets.len() >= 10, "{listen}: {} packets", packets.len());
        assert!(
            packets
                .iter()
                .all(|packet| packet["bits"].as_str().unwrap().starts_with(payload))
        );
    }
}

#[test]
fn what_cannot_be_read_or_sent_says_why() {
    let out = folder("errors");
    let wav = out.join("x.wav");
    let other = out.join("y.wav");
    let slow = out.join("24k.wav");
    stdout(&run(&[
        "tx",
        "--plan",
        "low",
        "--rate",
        "24000",
        "--payload",
        "aa",
        "-o",
        text(&slow),
    ]));
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let long = "f".repeat(48);
    let cases: &[(&[&str], &str)] = &[
        (&["rx", manifest], "not a WAV"),
        (&["rx", "no-such-file.wav"], "no-such-file.wav"),
        (&["rx", text(&slow), "--plan", "high"], "44100"),
        (
            &[
                "rx",
                text(&slow),
                "--plan",
                "low",
                "--session-nonces",
                "0,1",
            ],
            "nonces",
        ),
        (&["tx", "--payload", "xyz", "-o", text(&wav)], "hexadecimal"),
        (
            &["tx", "--payload", &long, "-o", text(&wav)],
            "a packet holds 188",
        ),
        (
            &["tx", "--payload", "aa", "--rate", "44150", "-o", text(&wav)],
            "multiple of 100",
        ),
        (
            &["tx", "--payload", "aa", "--rate", "32000", "-o", text(&wav)],
            "44100",
        ),
        (
            &["tx", "--payload", "aa", "--seconds", "0", "-o", text(&wav)],
            "--seconds",
        ),
        (
            &["tx", "--payload", "aa", "-o", "no/such/folder/x.wav"],
            "no/such/folder",
        ),
        (
            &[
                "room",
                text(&slow),
                manifest,
                "--out-a",
                text(&wav),
                "--out-b",
                text(&other),
            ],
            "not a WAV",
        ),
        (
            &[
                "room",
                text(&slow),
                text(&slow),
                "--out-a",
                text(&wav),
                "--out-b",
                text(&wav),
            ],
            "same file",
        ),
        (
            &[
                "room",
                text(&slow),
                text(&slow),
                "--out-a",
                "x",
                "--out-b",
                "y",
                "--distance-cm",
                "0",
            ],
            "--distance-cm",
        ),
    ];
    for (arguments, why) in cases {
        let error = failure(&run(arguments));
        assert!(error.contains(why), "{arguments:?}: {error}");
    }
}
