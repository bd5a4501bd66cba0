//! Starts that were once hard: half a sync heard, or a direct sound 8 dB under an echo's. The first packet comes in time, and
//! its window lies at the first path.

use link_room::{Fault, FaultKind, RoomConfig, RoomLinkConfig, trial::Trial};
use link_transport::{LinkTime, Mode, Plan, SUPERFRAME_MS, packet_ms};
use std::time::Duration;

/// From the first sound to the first packet, in ms, and how much later than the direct sound its window lies.
fn starts(cluster: bool, distance_cm: f64, mode: Mode, seed: u64) -> Vec<(u64, f64)> {
    let heard_from = Duration::from_millis(500 + (seed * 787) % u64::from(SUPERFRAME_MS));
    let room = RoomConfig::at_distance_cm(distance_cm).with_cluster_db(cluster.then_some(3.0));
    let skews = if seed.is_multiple_of(2) {
        [300.0, -300.0]
    } else {
        [-300.0, 300.0]
    };
    let link = RoomLinkConfig::default()
        .with_room(room.with_skews_ppm(skews))
        .with_plan(Plan::Low)
        .with_mode(mode);
    let mut trial = Trial::new(link, heard_from + Duration::from_millis(2_800), seed);
    trial.faults.push(Fault {
        at: Duration::ZERO,
        lasts: heard_from,
        kind: FaultKind::Dropout,
    });
    let phones = &trial.link.room.phones;
    let room_ms = |time: LinkTime, phone: usize| {
        time.as_us() as f64 / 1000.0 / (1.0 + phones[phone].skew_ppm * 1e-6)
    };
    let both = trial
        .run()
        .into_iter()
        .enumerate()
        .map(|(from, direction)| {
            assert_eq!(direction.wrong, 0);
            let to = 1 - from;
            let first = direction.received.first().expect("a packet");
            let (sent, complete) = direction.journeys()[0];
            let way_ms =
                phones[from].output_latency_ms + phones[to].input_latency_ms + distance_cm / 34.3;
            let took_ms = room_ms(complete, to) - room_ms(sent, from);
            (
                first.handed_over.as_ms() - heard_from.as_millis() as u64,
                took_ms - way_ms - f64::from(packet_ms(Plan::Low, mode)),
            )
        });
    both.collect()
}

#[test]
fn half_a_sync_or_a_faint_first_path_is_met_in_time() {
    let cases = [
        (false, 20.0, Mode::Fast, 1_018),
        (true, 20.0, Mode::Fast, 1_018),
        (true, 40.0, Mode::Fast, 1_018),
        (false, 20.0, Mode::Fast, 2_099),
        (true, 20.0, Mode::Robust, 2_058),
        (true, 20.0, Mode::Fast, 2_042),
    ];
    for (cluster, distance_cm, mode, seed) in cases {
        let within_ms = 2_200 + u64::from(packet_ms(Plan::Low, mode));
        for (took_ms, late_ms) in starts(cluster, distance_cm, mode, seed) {
            assert!(
                took_ms <= within_ms && late_ms.abs() <= 1.0,
                "seed {seed}, {distance_cm} cm, cluster {cluster}, {mode:?}: {took_ms} ms, {late_ms:.2} ms late"
            );
        }
    }
}
