//! Everything at once, by sound: two phones pair, play the reference game by its AIs through every disturbance of a
//! table, and prove that they played the same. Both plans and more seeds: `cargo xtask room-bars`.

#[path = "common/room.rs"]
mod room;
#[path = "common/skirmish.rs"]
mod skirmish;

use link_transport::Plan;
use room::{Case, Duel};
use std::time::Duration;
use versus_pairing::StartMode;

/// 90 s with an order to 30 units every 5 s on both phones, game audio from both speakers, 48 and 44.1 kHz 600 ppm apart,
/// a guest that finds the host's plan by itself, a hole of 1 s in one recording, and 700 ms that the other device never
/// played; then one resigns.
fn ninety_seconds(plan: Plan, seed: u64) {
    let most_percent = room::full_stack_waits_percent_max(plan);
    let mut duel = Duel::begin(&Case::full_stack(plan, seed));
    duel.run_until_tick(room::FULL_STACK_TICKS);
    for (status, cost) in duel.statuses().iter().zip(duel.costs()) {
        assert_eq!(status.link.plan, plan);
        assert!(
            cost.waited_percent() <= most_percent && cost.stalled_percent() <= most_percent,
            "{cost:?}"
        );
    }
    for phone in &duel.phones {
        assert!(phone.orders >= 25, "{} orders", phone.orders);
    }
    duel.resign_and_compare();
}

#[test]
fn ninety_seconds_of_everything_on_the_high_plan() {
    ninety_seconds(Plan::High, 2);
}

#[test]
fn ninety_seconds_of_everything_on_the_low_plan() {
    ninety_seconds(Plan::Low, 3);
}

/// Whoever comes back first, and whenever the other does.
#[test]
fn a_rematch_over_the_same_link_measures_the_same_delay() {
    for first in [0, 1] {
        let mut duel = Duel::begin(&Case::new(Plan::High, StartMode::Measured, 5));
        let [before, _] = duel.statuses();
        duel.run_until_tick(30);
        duel.resign_and_compare();
        let [after, _] = duel.again(6, first, Duration::from_millis(2300)).statuses();
        assert_eq!(after.delay, before.delay, "phone {first} first");
    }
}
