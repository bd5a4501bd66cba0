//! A room measured, and the same room talked through: what a verdict is held against.

use link_room::{
    RoomConfig, RoomLinkConfig, play_through,
    probe::{LinkReading, Measurement, Report},
    trial::Trial,
};
use link_transport::{LinkTime, Mode, Plan};
use std::time::Duration;

/// What a recording of the measurement, made in the room, says of it.
pub fn measure(config: &RoomConfig) -> Report {
    let signal = Measurement.signal(48_000);
    let [_, recording] = play_through(config, [&signal, &[]], Duration::from_millis(300));
    Measurement
        .read(&recording, 48_000)
        .expect("a recording of the whole signal")
}

/// What a conversation on the plan and in the mode of a band's verdict delivers of the band's packets.
#[allow(dead_code)] // each user takes its own part
pub fn delivered(room: &RoomConfig, link: &LinkReading, mode: Mode, lasts: Duration) -> f64 {
    delivered_both(room, link.band.plan, mode, lasts)[link.band.role.index()]
}

/// What a conversation delivers of the host's packets and of the guest's, from when there can be a lock: whatever starts
/// within the first superframe and a half counts only if it arrives.
#[allow(dead_code)]
pub fn delivered_both(room: &RoomConfig, plan: Plan, mode: Mode, lasts: Duration) -> [f64; 2] {
    let config = RoomLinkConfig::default()
        .with_room(room.clone())
        .with_plan(plan)
        .with_mode(mode);
    // What the host sends is heard by the guest.
    let ways = Trial::new(config, lasts, room.seed).run();
    let settled = LinkTime::from_ms(3_000)..LinkTime::from_ms(lasts.as_millis() as u64 - 700);
    ways.map(|way| {
        let tally = way.delivered(settled.clone());
        tally.received as f64 / tally.sent.max(1) as f64
    })
}
