//! What the page is told of a recording.

use link_room::probe::Measurement;

#[test]
fn a_clean_recording_carries_everything_and_a_short_one_says_why_not() {
    let mut recording = vec![0.0; 48_000];
    recording.extend(Measurement.signal(48_000));
    recording.extend([0.0; 24_000]);
    let told = web_probe::json(&recording, 48_000);
    assert_eq!(told["error"], serde_json::Value::Null);
    let starts_s = told["starts_s"].as_f64().unwrap();
    assert!((starts_s - 1.0).abs() < 0.002, "starts at {starts_s} s");
    let links = told["links"].as_array().unwrap();
    assert_eq!(links.len(), 4);
    for link in links {
        assert_eq!(link["fast"], "works", "{link}");
    }

    let told = web_probe::json(&[0.0; 1000], 48_000);
    assert!(told["error"].as_str().unwrap().contains("start recording"));
}

/// A WAV file of 16-bit integers with these samples side by side in each frame.
fn file(channels: &[&[f32]]) -> Vec<u8> {
    let frames = channels[0].len();
    let mut file = wav_file::head(
        wav_file::Encoding::Pcm16,
        48_000,
        channels.len() as u16,
        frames as u64,
    );
    let samples: Vec<f32> = (0..frames)
        .flat_map(|frame| channels.iter().map(move |channel| channel[frame]))
        .collect();
    wav_file::encode(wav_file::Encoding::Pcm16, &samples, &mut file);
    file
}

#[test]
fn a_file_is_read_by_the_channel_that_holds_the_measurement() {
    let mut recording = vec![0.0; 48_000];
    recording.extend(Measurement.signal(48_000));
    recording.extend([0.0; 48_000]);
    let offset = vec![-0.48; recording.len()];
    for channels in [[&recording[..], &offset], [&offset, &recording]] {
        let (samples, rate_hz) = web_probe::wav(&file(&channels), "a.wav").unwrap();
        assert_eq!(rate_hz, 48_000);
        let far = samples.iter().zip(&recording).map(|(x, y)| (x - y).abs());
        assert!(far.fold(0.0, f32::max) < 1e-3);
    }
    let why =
        web_probe::wav(b"fLaC and the rest of it, which nobody reads", "take.flac").unwrap_err();
    assert!(
        why.contains("FLAC") && why.contains("ffmpeg -i \"take.flac\""),
        "{why}"
    );
}
