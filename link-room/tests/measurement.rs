//! A recorded measurement tells what the room was made of.

use link_room::{
    Harmonics, RoomConfig, Treble, play_through,
    probe::{Measurement, Report},
};
use std::time::Duration;

fn measure(config: &RoomConfig) -> Report {
    let signal = Measurement.signal(48_000);
    let [_, recording] = play_through(config, [&signal, &[]], Duration::from_millis(300));
    Measurement
        .read(&recording, 48_000)
        .expect("a recording of the whole signal")
}

/// Nothing but the direct sound and a quiet microphone.
fn bare() -> RoomConfig {
    RoomConfig {
        echoes: false,
        harmonics: None,
        noise_snr10_db: 80.0,
        ..RoomConfig::default()
    }
}

#[track_caller]
fn assert_near(value: f64, wanted: f64, within: f64) {
    assert!(
        (value - wanted).abs() <= within,
        "{value:.2}, wanted {wanted} ± {within}"
    );
}

/// Energy of the steps from `from_ms` to `to_ms`, over the direct sound's, dB.
fn energy_db(report: &Report, from_ms: f64, to_ms: f64) -> f64 {
    let steps = report.sweep.decay.iter();
    let inside = steps.filter(|(delay_ms, _)| (from_ms..=to_ms).contains(delay_ms));
    10.0 * inside
        .map(|(_, db)| 10.0_f64.powf(db / 10.0))
        .sum::<f64>()
        .log10()
}

#[test]
fn a_cluster_stands_where_it_is_and_as_high() {
    for cluster_db in [-6.0, 3.0] {
        let report = measure(&RoomConfig {
            cluster_db: Some(cluster_db),
            ..bare()
        });
        assert_near(energy_db(&report, 8.0, 15.0), cluster_db, 1.0);
        assert!(
            energy_db(&report, 2.0, 6.0) < -30.0 && energy_db(&report, 17.0, 39.0) < -25.0,
            "{:?}",
            report.sweep.decay
        );
        // What of it the link's prefix forgives is little: nearly all comes later.
        assert_near(report.sweep.beyond_db(7.1), cluster_db, 1.0);
    }
}

#[test]
fn without_echo_there_is_only_the_direct_sound() {
    let report = measure(&bare());
    println!("{:?}", report.sweep.decay);
    assert!(energy_db(&report, 3.0, 39.0) < -40.0);
    assert!(report.sweep.floor_db < -50.0, "{}", report.sweep.floor_db);
    assert!(report.reading.snr_db > 45.0, "{}", report.reading.snr_db);
    assert!(
        report.sweep.response.iter().all(|(_, db)| *db > -1.0),
        "{:?}",
        report.sweep.response
    );
}

#[test]
fn echo_grows_with_the_distance_and_dies_away() {
    let [near, far] = [10.0, 40.0].map(|cm| measure(&RoomConfig::at_distance_cm(cm)));
    let (near_db, far_db) = (near.sweep.beyond_db(7.1), far.sweep.beyond_db(7.1));
    println!("beyond the prefix: {near_db:.1} dB at 10 cm, {far_db:.1} dB at 40 cm");
    // Echo stays, the direct sound falls by 12 dB.
    assert_near(far_db - near_db, 11.0, 2.0);
    assert!(energy_db(&far, 4.0, 12.0) > energy_db(&far, 30.0, 38.0) + 6.0);
    assert!(near.reading.snr_db > far.reading.snr_db + 6.0);
}

#[test]
fn harmonics_are_told_by_order() {
    for harmonics in [
        Harmonics::default(),
        Harmonics {
            second_db: -30.0,
            third_db: -36.0,
            fifth_db: -45.0,
        },
    ] {
        let report = measure(&RoomConfig {
            harmonics: Some(harmonics),
            ..bare()
        });
        println!("{:?}", report.sweep.harmonics);
        let level = |order| {
            let mut all = report.sweep.harmonics.iter();
            all.find(|h| h.order == order).expect("told").level_db
        };
        assert_near(level(2), harmonics.second_db, 0.5);
        assert_near(level(3), harmonics.third_db, 0.5);
        assert_near(level(5), harmonics.fifth_db, 1.5);
        assert!(level(4) < -65.0, "{}", level(4));
    }
}

#[test]
fn treble_is_told_by_frequency() {
    let report = measure(&RoomConfig {
        treble: Some(Treble {
            flutter_db: None,
            ..Treble::default()
        }),
        ..bare()
    });
    let level = |hz: f64| {
        let mut steps = report.sweep.response.iter();
        steps.find(|(low_hz, _)| *low_hz == hz).expect("a step").1
    };
    assert_near(level(5000.0), 0.0, 0.5);
    assert_near(level(11_000.0), -18.0, 1.0);
    assert_near(level(16_000.0), -33.0, 1.0);
}

#[test]
fn what_is_no_recording_of_it_is_refused() {
    assert_eq!(Measurement.read(&[], 48_000), None);
    assert_eq!(Measurement.read(&[0.0; 48_000], 48_000), None);
    let signal = Measurement.signal(48_000);
    assert_eq!(Measurement.read(&signal[..100_000], 48_000), None);
}
