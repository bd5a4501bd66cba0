//! Recordings as recorders, phones and their owners hand them over: headers, channels, rates, and what a measurement made
//! of them says.

mod common;
use common::{failure, folder, lines, run, start, stdout, text};
use serde_json::Value;
use std::{fs, io::Write, path::Path, path::PathBuf};
use wav_file::{Encoding, Reader, encode, head};

const RATE_HZ: u32 = 48_000;
const PAYLOADS: [&str; 3] = ["c0ffee/24", "beef/16", "a/4"];

/// A low host's packets, as floats.
fn packets(folder: &Path) -> Vec<f32> {
    let path = folder.join("sent.wav");
    let mut arguments = vec![
        "tx",
        "--plan",
        "low",
        "--role",
        "host",
        "--seconds",
        "4.5",
        "-o",
        text(&path),
    ];
    for payload in PAYLOADS {
        arguments.extend(["--payload", payload]);
    }
    stdout(&run(&arguments));
    samples(&path)
}

fn samples(path: &Path) -> Vec<f32> {
    let (mut reader, mut samples) = (Reader::new(), Vec::new());
    reader
        .push(&fs::read(path).unwrap(), |_, frames| {
            samples.extend_from_slice(frames)
        })
        .unwrap();
    reader
        .finish(|_, frames| samples.extend_from_slice(frames))
        .unwrap();
    samples
}

/// A file of 16-bit integers with these channels.
fn file(path: &Path, rate_hz: u32, channels: &[&dyn Fn(usize) -> f32], frames: usize) -> PathBuf {
    let samples: Vec<f32> = (0..frames)
        .flat_map(|frame| channels.iter().map(move |channel| channel(frame)))
        .collect();
    let mut bytes = head(
        Encoding::Pcm16,
        rate_hz,
        channels.len() as u16,
        frames as u64,
    );
    encode(Encoding::Pcm16, &samples, &mut bytes);
    fs::write(path, bytes).unwrap();
    path.into()
}

fn heard(path: &Path, more: &[&str]) -> Vec<Value> {
    let mut arguments = vec!["rx", text(path), "--plan", "low", "--json"];
    arguments.extend(more);
    lines(&stdout(&run(&arguments)))
}

#[test]
fn the_channel_that_carries_packets_is_read_whatever_the_others_hold() {
    let folder = folder("recordings-channels");
    let sent = packets(&folder);
    let signal = |frame: usize| 0.3 * sent[frame];
    let tone = |hz: f64, level: f64| {
        move |frame: usize| {
            (level * (frame as f64 * hz * std::f64::consts::TAU / f64::from(RATE_HZ)).sin()) as f32
        }
    };
    let noise = |level: f32| {
        move |frame: usize| {
            let word = (frame as u64 + 7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            level
                * (((word ^ (word >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f32
                    / 8_388_608.0
                    - 1.0)
        }
    };
    let wanted = heard(
        &file(&folder.join("alone.wav"), RATE_HZ, &[&signal], sent.len()),
        &[],
    );
    assert!(wanted.len() >= 8, "{} packets", wanted.len());
    let (offset, hum, hiss, loud) = (|_: usize| -0.48, tone(50.0, 0.5), noise(5e-4), noise(0.3));
    let others: [&dyn Fn(usize) -> f32; 4] = [&offset, &hum, &hiss, &loud];
    for (index, other) in others.into_iter().enumerate() {
        for (name, channels) in [
            ("first", [&signal as &dyn Fn(usize) -> f32, other]),
            ("second", [other, &signal]),
        ] {
            let path = file(
                &folder.join(format!("{index}-{name}.wav")),
                RATE_HZ,
                &channels,
                sent.len(),
            );
            let found = heard(&path, &[]);
            assert_eq!(found.len(), wanted.len(), "{index} {name}");
            for (found, wanted) in found.iter().zip(&wanted) {
                assert_eq!(found["bits"], wanted["bits"]);
            }
        }
    }
    let path = folder.join("0-second.wav");
    assert_eq!(heard(&path, &["--channel", "2"]).len(), wanted.len());
    let error = failure(&run(&[
        "rx",
        text(&path),
        "--plan",
        "low",
        "--channel",
        "1",
    ]));
    assert!(error.contains("no packet heard"), "{error}");
    let error = failure(&run(&[
        "rx",
        text(&path),
        "--plan",
        "low",
        "--channel",
        "3",
    ]));
    assert!(
        error.contains("--channel 3: the file has 2 channels"),
        "{error}"
    );
}

#[test]
fn a_pipe_without_sizes_is_read_as_it_comes() {
    let folder = folder("recordings-pipe");
    let sent = packets(&folder);
    let path = file(
        &folder.join("sized.wav"),
        RATE_HZ,
        &[&|frame| sent[frame]],
        sent.len(),
    );
    let wanted = heard(&path, &[]);
    let mut bytes = fs::read(&path).unwrap();
    bytes[4..8].fill(0xFF);
    bytes[40..44].fill(0xFF);
    let mut child = start(&["rx", "-", "--plan", "low", "--json"]);
    let mut pipe = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        bytes
            .chunks(999)
            .for_each(|piece| pipe.write_all(piece).unwrap())
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(lines(&stdout(&output)), wanted);
    assert!(String::from_utf8_lossy(&output.stderr).contains("does not say how long"));
}

#[test]
fn a_wrong_label_and_another_band_are_named() {
    let folder = folder("recordings-labels");
    let sent = packets(&folder);
    let label = |rate_hz: u32| {
        file(
            &folder.join(format!("{rate_hz}.wav")),
            rate_hz,
            &[&|frame| sent[frame]],
            sent.len(),
        )
    };
    for rate_hz in [44_100, 96_000, 16_000] {
        let path = label(rate_hz);
        let error = failure(&run(&["rx", text(&path), "--plan", "low"]));
        let words = format!("labelled {rate_hz} Hz, but the samples fit 48000 Hz");
        assert!(error.contains(&words), "{error}");
        assert!(heard(&path, &["--rate", "48000"]).len() >= 8);
    }
    let error = failure(&run(&["rx", text(&label(RATE_HZ)), "--plan", "high"]));
    assert!(error.contains("--plan low --listen host"), "{error}");
    let slow = file(
        &folder.join("slow.wav"),
        8_000,
        &[&|frame| (frame as f32 * 0.7).sin() * 0.1],
        40_000,
    );
    let error = failure(&run(&["rx", text(&slow), "--plan", "low"]));
    assert!(error.contains("Record at 48,000 Hz"), "{error}");
    let flac = folder.join("take.flac");
    fs::write(&flac, b"fLaC and so on, which is no sound that is read").unwrap();
    let error = failure(&run(&["rx", text(&flac)]));
    assert!(
        error.contains("FLAC") && error.contains("ffmpeg -i"),
        "{error}"
    );
}

/// A measurement as it is made for phones, with half a second before and after.
fn measured(folder: &Path) -> Vec<f32> {
    let path = folder.join("made.wav");
    stdout(&run(&["probe", "--make", text(&path)]));
    assert_eq!(
        fs::read(&path).unwrap()[34],
        16,
        "16-bit integers, which every player plays"
    );
    let pause = vec![0.0; RATE_HZ as usize / 2];
    [pause.clone(), samples(&path), pause].concat()
}

fn probe(path: &Path) -> Value {
    lines(&stdout(&run(&["probe", text(path), "--json"]))).remove(0)
}

fn said<'a>(report: &'a Value, key: &str) -> Vec<&'a str> {
    let links = report["links"].as_array().unwrap().iter();
    links.map(|link| link[key].as_str().unwrap()).collect()
}

#[test]
fn a_measurement_by_a_wandering_clock_works_as_by_a_steady_one() {
    let folder = folder("recordings-wander");
    let signal = measured(&folder);
    for (ppm, period_s) in [(0.0, 1.0), (30.0, 4.0), (500.0, 20.0)] {
        let late_s = |t: f64| {
            ppm * 1e-6 * period_s / std::f64::consts::TAU
                * (t / period_s * std::f64::consts::TAU).sin()
        };
        // Read by a cubic between four samples of a signal made at twice the rate: exact enough to 20 kHz.
        let at = |place: f64| {
            let whole = place.floor();
            (-24..=24_i64)
                .map(|tap| {
                    let x = place - whole - tap as f64;
                    let index = whole as i64 + tap;
                    let sample = usize::try_from(index)
                        .ok()
                        .and_then(|index| signal.get(index))
                        .copied()
                        .unwrap_or(0.0);
                    let sinc = if x.abs() < 1e-9 {
                        1.0
                    } else {
                        (x * std::f64::consts::PI).sin() / (x * std::f64::consts::PI)
                    };
                    let window = 0.5 + 0.5 * (x / 25.0 * std::f64::consts::PI).cos();
                    f64::from(sample) * sinc * window
                })
                .sum::<f64>() as f32
        };
        let wandering = |frame: usize| {
            let t = frame as f64 / f64::from(RATE_HZ);
            at((t + late_s(t)) * f64::from(RATE_HZ))
        };
        let path = file(
            &folder.join(format!("{ppm}.wav")),
            RATE_HZ,
            &[&wandering],
            signal.len(),
        );
        let report = probe(&path);
        assert_eq!(said(&report, "fast"), ["works"; 4], "{ppm} ppm: {report}");
        assert_eq!(report["events"].as_array().unwrap().len(), 0, "{report}");
    }
}

#[test]
fn lost_repeated_and_silent_blocks_are_counted_and_placed() {
    let folder = folder("recordings-blocks");
    let signal = measured(&folder);
    let half = RATE_HZ as usize / 2;
    // In the table's symbols, and in the sweep: seconds from the measurement's start.
    for at_s in [0.9, 6.5] {
        let at = half + (at_s * f64::from(RATE_HZ)) as usize;
        let block = 1024;
        let lost = |frame: usize| {
            signal
                .get(if frame < at { frame } else { frame + block })
                .copied()
                .unwrap_or(0.0)
        };
        let repeated = |frame: usize| signal[if frame < at { frame } else { frame - block }];
        let silent = |frame: usize| {
            if (at..at + block).contains(&frame) {
                0.0
            } else {
                signal[frame]
            }
        };
        let kinds: [(&str, &dyn Fn(usize) -> f32); 3] = [
            ("lost", &lost),
            ("repeated", &repeated),
            ("silent", &silent),
        ];
        for (kind, sound) in kinds {
            let path = file(
                &folder.join(format!("{kind}-{at_s}.wav")),
                RATE_HZ,
                &[sound],
                signal.len(),
            );
            let report = probe(&path);
            let events = report["events"].as_array().unwrap();
            assert_eq!(events.len(), 1, "{kind} at {at_s}: {events:?}");
            assert_eq!(events[0]["kind"], kind);
            let off_s = events[0]["at_s"].as_f64().unwrap() - at_s;
            assert!(off_s.abs() < 0.25, "{kind} at {at_s}: {}", events[0]);
            let lasts_ms = events[0]["lasts_ms"].as_f64().unwrap();
            assert!((lasts_ms - 21.3).abs() < 2.0, "{kind}: {}", events[0]);
            assert_eq!(said(&report, "cause"), ["holes"; 4], "{report}");
        }
    }
}

#[test]
fn a_measurement_labelled_with_another_rate_is_named_and_no_channel_is_missed() {
    let folder = folder("recordings-measured");
    let signal = measured(&folder);
    let at = |frame: usize| signal[frame];
    let path = file(&folder.join("label.wav"), 44_100, &[&at], signal.len());
    let error = failure(&run(&["probe", text(&path)]));
    assert!(
        error.contains("labelled 44100 Hz, but the samples fit 48000 Hz"),
        "{error}"
    );
    let offset = |_: usize| 0.4;
    let path = file(
        &folder.join("second.wav"),
        RATE_HZ,
        &[&offset, &at],
        signal.len(),
    );
    assert_eq!(said(&probe(&path), "fast"), ["works"; 4]);
}

#[test]
fn a_recording_captured_at_a_lower_rate_fails_what_was_cut_off_and_says_why() {
    for (cutoff_hz, fails, rate_hz) in [("7840", 3, 16_000), ("15680", 1, 32_000)] {
        let report = lines(&stdout(&run(&[
            "probe",
            "--room",
            "--cutoff-hz",
            cutoff_hz,
            "--json",
        ])))
        .remove(0);
        let outlooks = said(&report, "robust");
        assert_eq!(
            outlooks
                .iter()
                .filter(|outlook| **outlook == "fails")
                .count(),
            fails,
            "{report}"
        );
        for (outlook, cause) in outlooks.into_iter().zip(said(&report, "cause")) {
            assert!(outlook != "fails" || cause == "cut off", "{report}");
        }
        assert_eq!(report["capture_hz"], rate_hz, "{report}");
    }
}
