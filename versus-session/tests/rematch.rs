//! Once more, with the sides swapped; and a resignation that waits for nothing.

mod common;

use common::*;
use link_transport::{AirConfig, Plan, Role};
use match_feed::{
    EndReason,
    duel::{DuelOutcome, MapChoice, Score, Side},
};
use std::time::Duration;
use versus_pairing::{Entry, REMATCH_WAIT, Rematch, RematchWait, StartMode};
use versus_session::{MatchEnd, Sync};

#[test]
fn a_rematch_swaps_sides_and_never_roles() {
    for plan in [Plan::High, Plan::Low] {
        let air = AirConfig::default()
            .with_plan(plan)
            .with_latency(Duration::from_millis(400));
        let mut host_side = Side::Blue;
        for seed in 1..4 {
            let mut pair = Pair::new(Setup {
                air,
                seed,
                length: 60,
                host_side,
                ..Setup::default()
            });
            pair.begin();
            let ends = pair.finish(60_000);
            let agreed = [&pair.host, &pair.guest]
                .map(|phone| *phone.session.agreed().expect("a match was agreed"));
            assert_eq!(agreed[0].local_side(), host_side);
            assert_eq!(agreed[1].local_side(), host_side.other());
            let scores = [0, 1].map(|at| ends[at].score(agreed[at].local_side()));
            let expected = match scores[0] {
                Score::Win => Score::Loss,
                Score::Loss => Score::Win,
                same => same,
            };
            assert_eq!(scores[1], expected, "{ends:?}");
            let [host, guest] = agreed.map(|agreed| Rematch::of(&agreed));
            assert_eq!((host.role, guest.role), (Role::Host, Role::Guest));
            for stored in [host, guest] {
                assert_eq!(stored.plan, plan);
                assert_eq!(stored.host_side, host_side.other());
                assert_eq!(
                    (stored.map, stored.mutators),
                    (MapChoice::BuiltIn(1), 0b1010)
                );
            }
            assert_eq!(guest.entry(StartMode::Measured), Entry::Guest);
            let Entry::Host(choice) = host.entry(StartMode::Measured) else {
                panic!("a host hosts again: {host:?}");
            };
            assert_eq!((choice.map, choice.mutators), (host.map, host.mutators));
            host_side = choice.host_side;
        }
    }
}

#[test]
fn a_rematch_without_a_peer_goes_back_to_the_menu_after_a_minute() {
    let pair = Pair::new(fast());
    let opened = pair.host.now(0);
    let wait = RematchWait::new(opened);
    let almost = Duration::from_millis(1);
    assert_eq!(REMATCH_WAIT, Duration::from_secs(60));
    assert!(!wait.is_over(opened + (REMATCH_WAIT - almost), None));
    assert!(wait.is_over(opened + REMATCH_WAIT, None));
    let heard = opened + Duration::from_secs(50);
    assert!(!wait.is_over(opened + REMATCH_WAIT, Some(heard)));
    assert!(wait.is_over(heard + REMATCH_WAIT, Some(heard)));
    // What was heard in the match before says nothing of this lobby.
    let later = RematchWait::new(heard);
    assert!(!later.is_over(opened + REMATCH_WAIT, Some(opened)));
}

#[test]
fn an_opaque_resignation_goes_ahead_of_what_waits() {
    for first in [true, false] {
        let mut pair = Pair::new(fast());
        for phone in pair.phones() {
            phone.player = idle;
        }
        pair.begin();
        pair.run_ms(3_000);
        // A minute of orders: the link carries about one of these a packet.
        let now = pair.host.now(pair.air_us);
        for order in 0..400_u32 {
            let bytes = [order.to_le_bytes(), [7; 4]].concat();
            pair.host.session.give(now, command(&bytes)).expect("room");
        }
        pair.run_ms(1_000);
        let now = pair.host.now(pair.air_us);
        let tick = pair.host.session.tick().0;
        let resign = command(&[RESIGN]);
        let given = match first {
            true => pair.host.session.give_first(now, resign),
            false => pair.host.session.give(now, resign),
        };
        given.expect("playing");
        let delay = pair.statuses()[0].delay.expect("agreed").ticks();
        let decided = |pair: &mut Pair| pair.ends().iter().all(Option::is_some);
        let soon = pair.run_until(100 * u64::from(delay + 12), decided);
        assert_eq!(soon, first, "behind 400 orders it takes longer");
        if first {
            let landed = pair.host.session.tick().0 - 1;
            assert!(
                landed <= tick + delay + 1,
                "given in {tick}, landed in {landed}"
            );
            let ends = pair.finish(5_000);
            let outcome = DuelOutcome {
                winner: Some(Side::Red),
                reason: EndReason::Resign,
            };
            let sync = Sync::InSync;
            assert_eq!(ends, [MatchEnd::Decided { outcome, sync }; 2]);
        }
    }
}
