//! As hard as a real table: the probe reads in the room what it read there, and so does the link's own symbol.
//!
//! The measured table: 21.3 ms symbols with a 5.3 ms prefix read 22.8 dB at 10 cm and 13.3 dB at 30 cm. The link's
//! symbols, by a separate implementation in a room tuned to that: 21 dB at 20 cm, 15 at 40, 7 at 80.

use link_room::{
    RoomConfig,
    probe::{Probe, Reading},
};

const SEEDS: u64 = 16;

fn mean_over_rooms(probe: Probe, distance_cm: f64, figure: impl Fn(&Reading) -> f64) -> f64 {
    let readings: Vec<f64> = (1..=SEEDS)
        .map(|seed| {
            figure(&probe.measure(&RoomConfig::at_distance_cm(distance_cm).with_seed(seed)))
        })
        .collect();
    let mean = readings.iter().sum::<f64>() / SEEDS as f64;
    let spread = readings
        .iter()
        .map(|reading| (reading - mean).abs())
        .fold(0.0, f64::max);
    println!("{distance_cm} cm: {mean:.2} dB, rooms differ by up to {spread:.1} dB");
    mean
}

#[test]
fn the_probe_reads_what_it_read_on_the_table() {
    for (distance_cm, measured_db) in [(10.0, 22.8), (30.0, 13.3)] {
        let read_db = mean_over_rooms(Probe::TABLE, distance_cm, |reading| reading.snr_db);
        assert!(
            (read_db - measured_db).abs() < 0.7,
            "{distance_cm} cm: {read_db:.2} dB, on the table {measured_db}"
        );
    }
}

#[test]
fn the_links_symbols_read_what_a_separate_implementation_reads() {
    for (distance_cm, reference_db) in [(20.0, 21.0), (40.0, 15.0), (80.0, 7.0)] {
        let read_db = mean_over_rooms(Probe::HOST_BAND, distance_cm, |reading| {
            reading.pilot_snr_db
        });
        assert!(
            (read_db - reference_db).abs() < 1.0,
            "{distance_cm} cm: {read_db:.2} dB, reference {reference_db}"
        );
    }
}

#[test]
fn echo_and_not_noise_is_the_limit() {
    // Without echoes the probe reads the noise: 40 dB at 10 cm in 3 kHz, wherever the band. (Harmonics off: they are
    // 40 dB down themselves.)
    let quiet = RoomConfig::at_distance_cm(10.0)
        .with_echoes(false)
        .with_harmonics(None);
    let silent = quiet.clone().with_noise_snr10_db(200.0);
    let noise_db = Probe::HOST_BAND.measure(&quiet).snr_db;
    assert!((noise_db - 40.0).abs() < 0.6, "{noise_db:.2}");
    // What then remains is the simulation's own error.
    let own_db = Probe::HOST_BAND.measure(&silent).snr_db;
    println!("the room's own error is {own_db:.1} dB down");
    assert!(own_db > 90.0, "{own_db:.1}");
}

#[test]
fn a_cluster_costs_what_its_level_says() {
    // Its power arrives 8–15 ms late, mostly beyond the 7–9 ms that the link's symbols forgive.
    let with = |cluster_db| {
        let reading = |seed| {
            let config = RoomConfig::at_distance_cm(40.0).with_cluster_db(cluster_db);
            Probe::HOST_BAND.measure(&config.with_seed(seed)).snr_db
        };
        (1..=8).map(reading).sum::<f64>() / 8.0
    };
    let [none, weak, strong] = [None, Some(-6.0), Some(3.0)].map(with);
    println!("40 cm: {none:.1} dB, with a cluster at −6 dB {weak:.1}, at +3 dB {strong:.1}");
    assert!(
        none > weak + 1.0 && weak > strong + 1.0,
        "{none:.1} {weak:.1} {strong:.1}"
    );
}
