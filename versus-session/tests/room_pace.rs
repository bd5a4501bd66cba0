//! Ten ticks a second by sound. Three minutes of every plan and mode: `cargo xtask room-bars`.

#[path = "common/room.rs"]
mod room;
#[path = "common/skirmish.rs"]
mod skirmish;

use link_transport::{Mode, Plan};
use room::{Case, Duel};
use std::time::Duration;

#[test]
fn twenty_seconds_by_sound_run_at_ten_ticks_a_second() {
    let mut duel = Duel::begin(&Case::fixed(Plan::High, Mode::Fast, 1));
    duel.run_until_tick(220);
    for cost in duel.costs() {
        // A tick more or less at the ends of 20 s is 0.05.
        assert!((cost.ticks_per_second() - 10.0).abs() <= 0.06, "{cost:?}");
        assert!(cost.stall <= Duration::from_millis(150), "{cost:?}");
    }
}
