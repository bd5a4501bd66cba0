//! Verdicts beside deliveries: fifteen rooms, each measured and then talked through. Where the limits of
//! `src/probe/verdict.rs` come from.
//!
//! `cargo run --release -p link-room --example verdicts` takes a minute, prints a table, and fails if a band that was said
//! to work lost more than one packet in twenty, or one that was said to fail carried more than half.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{delivered, measure};
use link_room::{RoomConfig, Treble, probe::Outlook};
use link_transport::Mode;
use std::{process::ExitCode, time::Duration};

/// How long each band is talked through in each mode.
const TALK: Duration = Duration::from_secs(24);

fn rooms() -> Vec<(&'static str, RoomConfig)> {
    let default = RoomConfig::default;
    vec![
        ("20 cm", RoomConfig::at_distance_cm(20.0)),
        ("40 cm", RoomConfig::at_distance_cm(40.0)),
        ("80 cm", RoomConfig::at_distance_cm(80.0)),
        ("160 cm", RoomConfig::at_distance_cm(160.0)),
        ("300 cm", RoomConfig::at_distance_cm(300.0)),
        (
            "cluster +3",
            RoomConfig {
                cluster_db: Some(3.0),
                ..RoomConfig::at_distance_cm(40.0)
            },
        ),
        (
            "cluster +8",
            RoomConfig {
                cluster_db: Some(8.0),
                ..RoomConfig::at_distance_cm(40.0)
            },
        ),
        (
            "noise 16 20cm",
            RoomConfig {
                noise_snr10_db: 16.0,
                ..default()
            },
        ),
        (
            "noise 12 20cm",
            RoomConfig {
                noise_snr10_db: 12.0,
                ..default()
            },
        ),
        (
            "noise 9 20cm",
            RoomConfig {
                noise_snr10_db: 9.0,
                ..default()
            },
        ),
        (
            "noise 26 80cm",
            RoomConfig {
                noise_snr10_db: 26.0,
                ..RoomConfig::at_distance_cm(80.0)
            },
        ),
        (
            "treble",
            RoomConfig {
                treble: Some(Treble::default()),
                ..default()
            },
        ),
        (
            "treble noise 20",
            RoomConfig {
                treble: Some(Treble::default()),
                noise_snr10_db: 20.0,
                ..default()
            },
        ),
        (
            "cutoff 7.5k",
            RoomConfig {
                capture_cutoff_hz: Some(7_500.0),
                ..default()
            },
        ),
        (
            "cutoff 15k",
            RoomConfig {
                capture_cutoff_hz: Some(15_000.0),
                ..default()
            },
        ),
    ]
}

fn main() -> ExitCode {
    let mut wrong = 0;
    for (name, room) in rooms() {
        let report = measure(&room);
        println!("{name}: table {:.1} dB", report.reading.snr_db);
        for link in report.links {
            let mut line = format!(
                "  {:?} {:?}: {:5.1} dB, noise {:5.1}, late {:5.1}, level {:5.1}",
                link.band.plan,
                link.band.role,
                link.snr_db,
                link.noise_snr_db,
                link.late_db,
                link.level_db
            );
            for mode in [Mode::Fast, Mode::Robust] {
                let good = delivered(&room, &link, mode, TALK);
                let outlook = link.outlook(mode);
                let came = match outlook {
                    Outlook::Works => good > 0.95,
                    Outlook::Barely => true,
                    Outlook::Fails => good < 0.5,
                };
                wrong += u32::from(!came);
                let mark = if came { "" } else { " WRONG" };
                line += &format!("  {mode:?} {outlook:?} {:5.1} %{mark}", 100.0 * good);
            }
            println!("{line}");
        }
    }
    println!("{wrong} verdicts did not come true");
    ExitCode::from(u8::from(wrong > 0))
}
