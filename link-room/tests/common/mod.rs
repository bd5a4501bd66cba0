//! A room measured, and the same room talked through: what a verdict is held against.

use link_room::{
    RoomConfig, RoomLinkConfig, play_through,
    probe::{LinkReading, Measurement, Report},
    trial::Trial,
};
use link_transport::Mode;
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
pub fn delivered(room: &RoomConfig, link: &LinkReading, mode: Mode, lasts: Duration) -> f64 {
    let config = RoomLinkConfig {
        room: room.clone(),
        plan: link.band.plan,
        mode,
        ..RoomLinkConfig::default()
    };
    let ways = Trial::new(config, lasts, 1).run();
    // What the host sends is heard by the guest.
    let way = &ways[link.band.role.index()];
    way.received.len() as f64 / way.sent.len() as f64
}
