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
