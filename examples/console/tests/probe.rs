//! A measurement from the signal made to the verdict: what is played, what a recording of it says, and what is said of
//! recordings that cannot be read.

mod common;
use common::{failure, folder, lines, run, stdout, text};
use serde_json::Value;
use std::{fs, path::Path};

fn links(report: &Value) -> Vec<(&str, &str)> {
    let links = report["links"].as_array().unwrap().iter();
    links
        .map(|link| {
            (
                link["fast"].as_str().unwrap(),
                link["cause"].as_str().unwrap(),
            )
        })
        .collect()
}

fn one(output: &str) -> Value {
    let mut all = lines(output);
    assert_eq!(all.len(), 1, "{output}");
    all.remove(0)
}

/// Rewrites a WAV of floats: each sample as `change` says, under the rate `rate_hz`.
fn rewrite(from: &Path, to: &Path, rate_hz: u32, change: impl Fn(usize, f32) -> Option<f32>) {
    let bytes = fs::read(from).unwrap();
    let data = bytes.windows(4).position(|four| four == b"data").unwrap() + 8;
    let samples = bytes[data..].chunks_exact(4).enumerate();
    let kept =
        samples.filter_map(|(i, four)| change(i, f32::from_le_bytes(four.try_into().unwrap())));
    let kept: Vec<u8> = kept.flat_map(f32::to_le_bytes).collect();
    let mut header = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x03\0\x01\0".to_vec();
    header.extend(rate_hz.to_le_bytes());
    header.extend((4 * rate_hz).to_le_bytes());
    header.extend(b"\x04\0\x20\0data");
    header.extend((kept.len() as u32).to_le_bytes());
    fs::write(to, [header, kept].concat()).unwrap();
}

#[test]
fn a_signal_played_in_a_room_and_recorded_is_read_with_a_picture() {
    let folder = folder("probe");
    let (wav, png) = (folder.join("heard.wav"), folder.join("heard.png"));
    let at_20 = [
        "probe",
        "--room",
        "--distance-cm",
        "20",
        "--rate",
        "44100",
        "--json",
    ];
    let in_room = one(&stdout(
        &run(&[&at_20[..], &["--out", text(&wav)]].concat()),
    ));
    let read = one(&stdout(&run(&[
        "probe",
        text(&wav),
        "--png",
        text(&png),
        "--json",
    ])));
    assert_eq!(read["wav"], text(&wav));
    for key in [
        "snr_db",
        "clock_ppm",
        "bands",
        "links",
        "decay",
        "harmonics",
        "verdict",
    ] {
        assert_eq!(read[key], in_room[key], "{key}");
    }
    // The room at 20 cm: 16 dB in short symbols, its own harmonics, the clocks 40 ppm apart.
    let near = |value: &Value, wanted: f64, within: f64| {
        let value = value.as_f64().unwrap();
        assert!((value - wanted).abs() <= within, "{value}, wanted {wanted}");
    };
    near(&read["snr_db"], 16.2, 1.5);
    near(&read["clock_ppm"], -40.0, 1.0);
    near(&read["harmonics"][0]["level_db"], -40.0, 1.5);
    assert_eq!(read["bands"].as_array().unwrap().len(), 16);
    assert!(links(&read).iter().all(|link| link.0 == "works"), "{read}");
    let verdict = read["verdict"][0].as_str().unwrap();
    assert!(verdict.starts_with("High plan: works"), "{verdict}");
    assert!(fs::read(png).unwrap().starts_with(b"\x89PNG"));
    // People get a table.
    let table = stdout(&run(&["probe", text(&wav)]));
    for words in [
        "mean of the bands",
        "later than the 7.1 ms",
        "harmonics",
        "9.5–12.5 kHz",
        "High plan: works",
    ] {
        assert!(table.contains(words), "{words} is not in {table}");
    }
}

#[test]
fn a_speaker_made_for_voices_is_told_to_host() {
    let report = one(&stdout(&run(&["probe", "--room", "--treble", "--json"])));
    assert_eq!(links(&report)[1], ("fails", "quiet"));
    assert_eq!(links(&report)[0].0, "works");
    let verdict = report["verdict"][0].as_str().unwrap();
    assert!(
        verdict.contains("only if the phone that played this hosts"),
        "{verdict}"
    );
    let muffled = one(&stdout(&run(&[
        "probe",
        "--room",
        "--cutoff-hz",
        "7500",
        "--json",
    ])));
    let verdict = muffled["verdict"][0].as_str().unwrap();
    assert!(verdict.starts_with("High plan: does not work"), "{verdict}");
}

#[test]
fn what_cannot_be_read_is_refused_with_what_to_do() {
    let folder = folder("probe-errors");
    let signal = folder.join("measure.wav");
    let made = one(&stdout(&run(&[
        "probe",
        "--make",
        text(&signal),
        "--float",
        "--json",
    ])));
    assert_eq!(made["rate"], 48_000);
    let file = |name: &str, rate_hz: u32, change: &dyn Fn(usize, f32) -> Option<f32>| {
        let path = folder.join(name);
        rewrite(&signal, &path, rate_hz, change);
        path
    };
    let cases = [
        (
            file("slow.wav", 16_000, &|_, x| Some(x)),
            "labelled 16000 Hz, but the samples fit 48000 Hz",
        ),
        (
            file("short.wav", 48_000, &|i, x| (i < 48_000).then_some(x)),
            "start recording before it is played",
        ),
        (
            file("late.wav", 48_000, &|i, x| (i >= 48_000).then_some(x)),
            "starts too late",
        ),
        (
            file("early.wav", 48_000, &|i, x| (i < 300_000).then_some(x)),
            "ends too early",
        ),
        (
            file("loud.wav", 48_000, &|_, x| Some(x.clamp(-0.2, 0.2))),
            "Turn the volume down",
        ),
        (
            file("silent.wav", 48_000, &|_, _| Some(0.0)),
            "no sweep found",
        ),
        (
            file("misnamed.wav", 44_100, &|_, x| Some(x)),
            "labelled 44100 Hz, but the samples fit 48000 Hz",
        ),
    ];
    for (path, words) in &cases {
        let error = failure(&run(&["probe", text(path)]));
        assert!(error.contains(words), "{words} is not in {error}");
    }
    // One that is read and one that is not: both are told, and it counts as failed.
    let both = run(&["probe", text(&signal), text(&cases[0].0), "--json"]);
    let told = lines(&String::from_utf8(both.stdout.clone()).unwrap());
    assert_eq!(told.len(), 2);
    assert!(told[0]["links"].is_array() && told[1]["error"].is_string());
    assert!(failure(&both).contains("1 of 2"));
    failure(&run(&[
        "probe",
        text(&signal),
        text(&signal),
        "--png",
        "two.png",
    ]));
    failure(&run(&["probe", "--make", text(&signal), "--rate", "16000"]));
}
