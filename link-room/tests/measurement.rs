//! A recorded measurement tells what the room was made of.

mod common;

use common::{delivered, measure};
use link_room::{
    Harmonics, RoomConfig, Treble, play_through,
    probe::{Cause, Measurement, MeasurementError, Outlook, Report},
};
use link_transport::Mode;
use std::time::Duration;

/// Nothing but the direct sound and a quiet microphone.
fn bare() -> RoomConfig {
    RoomConfig::default()
        .with_echoes(false)
        .with_harmonics(None)
        .with_noise_snr10_db(80.0)
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
        let report = measure(&bare().with_cluster_db(cluster_db));
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
        let report = measure(&bare().with_harmonics(harmonics));
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
    let report = measure(&bare().with_treble(Treble {
        flutter_db: None,
        ..Treble::default()
    }));
    let level = |hz: f64| {
        let mut steps = report.sweep.response.iter();
        steps.find(|(low_hz, _)| *low_hz == hz).expect("a step").1
    };
    assert_near(level(5000.0), 0.0, 0.5);
    assert_near(level(11_000.0), -18.0, 1.0);
    assert_near(level(16_000.0), -33.0, 1.0);
}

#[test]
fn it_is_read_at_any_rate_by_any_clock_and_anywhere_in_a_recording() {
    let at_20 = RoomConfig::at_distance_cm(20.0);
    let wanted = measure(&at_20);
    for (rates_hz, skews_ppm) in [
        ([48_000, 44_100], [0.0, 0.0]),
        ([44_100, 96_000], [150.0, -150.0]),
        ([48_000, 48_000], [-300.0, 300.0]),
    ] {
        let room = at_20
            .clone()
            .with_rates_hz(rates_hz)
            .with_skews_ppm(skews_ppm);
        let mut signal = vec![0.0; 2 * rates_hz[0] as usize];
        signal.extend(Measurement.signal(rates_hz[0]));
        let [_, recording] = play_through(&room, [&signal, &[]], Duration::from_secs(2));
        let report = Measurement
            .read(&recording, rates_hz[1])
            .expect("a measurement");
        assert_near(report.clock_ppm, skews_ppm[1] - skews_ppm[0], 2.0);
        assert_near(report.starts_s, 2.08, 0.03);
        assert_near(report.reading.snr_db, wanted.reading.snr_db, 1.0);
        for (link, wanted) in report.links.iter().zip(&wanted.links) {
            assert_near(link.snr_db, wanted.snr_db, 1.5);
        }
        let level = |report: &Report, order| {
            let mut all = report.sweep.harmonics.iter();
            all.find(|h| h.order == order).expect("told").level_db
        };
        assert_near(level(&report, 2), level(&wanted, 2), 1.0);
    }
}

#[test]
fn a_recording_that_cannot_be_read_says_what_to_do() {
    let error = |recording: &[f32], rate_hz| {
        Measurement
            .read(recording, rate_hz)
            .expect_err("no measurement")
    };
    let signal = Measurement.signal(48_000);
    let seconds = |from: f64, to: f64| &signal[(from * 48e3) as usize..(to * 48e3) as usize];
    let whole = Measurement.seconds();
    assert_near(signal.len() as f64 / 48e3, whole, 0.001);
    assert!(Measurement.read(&signal, 48_000).is_ok());
    assert_eq!(
        error(&[0.1; 160_000], 16_000),
        MeasurementError::RateTooLow { rate_hz: 16_000 }
    );
    assert!(matches!(
        error(&[], 48_000),
        MeasurementError::TooShort { .. }
    ));
    assert!(
        matches!(error(&[0.0; 400_000], 48_000), MeasurementError::NoSweep { likeness } if likeness == 0.0)
    );
    let mut room = RoomConfig::at_distance_cm(20.0);
    room.noise_snr10_db = 10.0;
    let [_, noise] = play_through(&room, [&[0.0; 480_000], &[]], Duration::ZERO);
    assert!(
        matches!(error(&noise, 48_000), MeasurementError::NoSweep { likeness } if likeness < 0.03)
    );
    // The rate that is stated is another.
    for labelled_hz in [44_100, 96_000, 16_000] {
        let fits_hz = 48_000;
        let wrong = MeasurementError::WrongRate {
            labelled_hz,
            fits_hz,
        };
        assert_eq!(error(&signal, labelled_hz), wrong);
    }
    let late = error(seconds(1.0, whole), 48_000);
    assert!(
        matches!(late, MeasurementError::CutOff { start: true, missing } if (missing - 0.78).abs() < 0.05),
        "{late}"
    );
    let early = error(seconds(0.0, whole - 1.0), 48_000);
    assert!(
        matches!(early, MeasurementError::CutOff { start: false, missing } if (missing - 0.9).abs() < 0.05),
        "{early}"
    );
    let clipped: Vec<f32> = signal.iter().map(|x| x.clamp(-0.3, 0.3)).collect();
    let clipped = error(&clipped, 48_000);
    assert!(
        matches!(clipped, MeasurementError::Clipped { samples: 1_000.., peak } if peak == 0.3),
        "{clipped}"
    );
    for why in [late, early, clipped] {
        assert!(
            why.to_string().contains("record") || why.to_string().contains("volume"),
            "{why}"
        );
    }
}

#[test]
fn verdicts_come_true() {
    let noisy = |noise_snr10_db| RoomConfig::default().with_noise_snr10_db(noise_snr10_db);
    let treble = RoomConfig::default().with_treble(Treble::default());
    let muffled = RoomConfig::default().with_capture_cutoff_hz(7_500.0);
    let rooms = [
        (RoomConfig::at_distance_cm(20.0), [Outlook::Works; 4]),
        (
            noisy(9.0),
            [
                Outlook::Fails,
                Outlook::Fails,
                Outlook::Barely,
                Outlook::Barely,
            ],
        ),
        (
            treble,
            [
                Outlook::Works,
                Outlook::Fails,
                Outlook::Works,
                Outlook::Works,
            ],
        ),
        (
            muffled,
            [
                Outlook::Fails,
                Outlook::Fails,
                Outlook::Works,
                Outlook::Fails,
            ],
        ),
    ];
    for (room, wanted) in rooms {
        let report = measure(&room);
        let outlooks = report.links.map(|link| link.outlook(Mode::Fast));
        assert_eq!(outlooks, wanted, "{:#?}", report.links);
        for link in report.links.iter().take(2) {
            let delivered = delivered(&room, link, Mode::Fast, Duration::from_secs(8));
            match link.outlook(Mode::Fast) {
                Outlook::Works => assert!(delivered > 0.95, "{link:?}: {delivered}"),
                Outlook::Barely => {}
                Outlook::Fails => assert!(delivered < 0.5, "{link:?}: {delivered}"),
            }
            let all_told = [link.snr_db, link.noise_snr_db, link.late_db, link.level_db];
            assert!(all_told.iter().all(|db| db.abs() <= 80.0), "{link:?}");
        }
    }
}

#[test]
fn a_verdict_names_its_cause() {
    let cause = |room: &RoomConfig, band: usize| measure(room).links[band].cause();
    let far = RoomConfig::at_distance_cm(80.0);
    assert!(matches!(cause(&far, 0), Cause::Echo { late_db } if late_db > -8.0));
    let noisy = RoomConfig::default().with_noise_snr10_db(12.0);
    assert!(matches!(cause(&noisy, 0), Cause::Noise { snr_db } if (5.0..8.0).contains(&snr_db)));
    let treble = RoomConfig::default().with_treble(Treble::default());
    assert!(matches!(cause(&treble, 1), Cause::Quiet { level_db } if level_db < -30.0));
}
