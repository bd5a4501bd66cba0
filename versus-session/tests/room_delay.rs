//! How small an input delay the sound bears. All plans, modes and delays: `cargo xtask room-bars`.

#[path = "common/room.rs"]
mod room;
#[path = "common/skirmish.rs"]
mod skirmish;

use link_transport::{Mode, Plan};
use match_feed::duel::InputDelay;
use room::{Case, Duel};

fn stalled_percent(delay_ticks: u8) -> f64 {
    let mut case = Case::fixed(Plan::High, Mode::Fast, 1);
    case.delay = InputDelay::new(delay_ticks);
    let mut duel = Duel::begin(&case);
    duel.run_until_tick(220);
    duel.costs()
        .iter()
        .map(room::Cost::stalled_percent)
        .fold(0.0, f64::max)
}

#[test]
fn four_ticks_are_enough_on_the_high_plan_in_fast() {
    assert!(stalled_percent(4) <= 0.5);
}
