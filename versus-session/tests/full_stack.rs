//! Everything at once, by sound: two phones pair, play the reference game by its AIs through every disturbance of a
//! table, and prove that they played the same. Both plans and more seeds: `cargo xtask room-bars`.

#[path = "common/room.rs"]
mod room;
#[path = "common/skirmish.rs"]
mod skirmish;

use link_transport::Plan;
use room::{Case, Duel};

/// 90 s with an order to 30 units every 5 s on both phones, game audio from both speakers, 48 and 44.1 kHz 600 ppm apart,
/// a hole of 1 s in one recording, and 700 ms that the other device never played; then one resigns.
#[test]
fn ninety_seconds_of_everything_on_the_high_plan() {
    let mut duel = Duel::begin(&Case::full_stack(Plan::High, 2));
    duel.run_until_tick(900);
    for cost in duel.costs() {
        assert!(
            cost.waited_percent() <= 5.0 && cost.stalled_percent() <= 5.0,
            "{cost:?}"
        );
    }
    duel.resign_and_compare();
}
