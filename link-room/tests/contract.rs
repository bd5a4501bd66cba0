//! The link through the room keeps every promise of [`link_transport::contract`].

use link_room::{RoomConfig, RoomLink, RoomLinkConfig};
use link_transport::{Mode, Plan, contract};

#[test]
fn on_both_plans_with_skewed_clocks_and_different_rates() {
    for (plan, rates_hz) in [
        (Plan::High, [48_000, 44_100]),
        (Plan::Low, [24_000, 48_000]),
    ] {
        let room = RoomConfig::at_distance_cm(20.0)
            .with_rates_hz(rates_hz)
            .with_skews_ppm([300.0, -300.0]);
        let config = RoomLinkConfig::default()
            .with_room(room)
            .with_plan(plan)
            .with_mode(Mode::Robust);
        let (mut host, mut guest) = RoomLink::pair(config, 1);
        contract::check(&mut host, &mut guest);
    }
}
