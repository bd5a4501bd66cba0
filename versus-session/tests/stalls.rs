//! Ticks that wait: why, for how long, and what the player is told.

mod common;

use common::*;
use link_transport::Loss;
use match_feed::Tick;
use std::time::Duration;
use versus_session::{Overlay, SessionEvent, SessionPhase, Why};

#[test]
fn a_slow_loader_is_waited_for_at_tick_d() {
    let mut pair = Pair::new(fast());
    pair.guest.load_ms = 9_000;
    let host_plays = |pair: &mut Pair| pair.statuses()[0].phase == SessionPhase::Playing;
    assert!(pair.run_until(30_000, host_plays));
    pair.run_ms(7_000);
    let [host, guest] = pair.statuses();
    assert_eq!(guest.phase, SessionPhase::Ready);
    let delay = host.delay.expect("agreed").ticks();
    assert_eq!(
        pair.host.session.tick(),
        Tick(delay),
        "turns 0 to D − 1 are empty on both sides"
    );
    let waiting = host.waiting.expect("stalled");
    assert_eq!((waiting.why, host.overlay), (Why::Load, Overlay::Loading));
    assert!(
        waiting.time > Duration::from_secs(5) && !host.menu_leave,
        "{waiting:?}"
    );
    assert_eq!(
        host.stalled_ticks, 1,
        "one tick waits, however often it is asked for"
    );
    pair.host.length = 200;
    pair.run_ms(20_000);
    assert!(pair.assert_same_worlds() > 100);
    let waited = pair.statuses()[0].stall;
    assert!(
        (Duration::from_secs(7)..Duration::from_secs(10)).contains(&waited),
        "{waited:?}"
    );
    let events = &pair.host.events;
    let first = events
        .iter()
        .find(|event| matches!(event, SessionEvent::Waiting(_)));
    assert_eq!(first, Some(&SessionEvent::Waiting(Some(Why::Load))));
    assert!(events.contains(&SessionEvent::Waiting(None)));
}

/// Issue rule: a tick held stalled for 3 s at 60 calls a second seals once and drains input once.
#[test]
fn a_stalled_tick_drains_input_once_and_seals_once() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(5_000);
    for phone in pair.phones() {
        phone.session.transport_mut().end.set_loss(Loss::All);
    }
    pair.run_ms(1_500);
    let before = pair.statuses()[0].lockstep.expect("plays");
    assert!(before.stalled);
    let asked = pair.host.hashes.len();
    pair.run_ms(3_000);
    let after = pair.statuses()[0].lockstep.expect("plays");
    assert_eq!(after.newest_sealed, before.newest_sealed);
    assert_eq!(after.tick, before.tick);
    assert_eq!(
        pair.host.hashes.len(),
        asked,
        "the harness counts each time input is drained"
    );
    assert_eq!(pair.host.session.permille(), 999, "the pose is held");
}

#[test]
fn a_stall_by_the_link_is_named_and_offers_the_ways_out_in_time() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(3_000);
    assert!(pair.statuses()[0].resign_and_leave, "packets arrive");
    for phone in pair.phones() {
        phone.session.transport_mut().end.set_loss(Loss::All);
    }
    let stalled = |pair: &mut Pair| pair.statuses()[0].waiting.is_some();
    assert!(pair.run_until(3_000, stalled));
    let mut seen = Vec::new();
    let mut said = |pair: &Pair| {
        let status = &pair.statuses()[0];
        let entry = (status.overlay, status.menu_leave, status.overlay_leave);
        if seen.last().is_none_or(|(_, last)| *last != entry) {
            seen.push((
                status.waiting.expect("stalled").time.as_millis() / 100,
                entry,
            ));
        }
        assert_eq!(status.waiting.expect("stalled").why, Why::Link);
    };
    for _ in 0..2_200 {
        pair.frame();
        said(&pair);
    }
    let entries: Vec<_> = seen.iter().map(|(_, entry)| *entry).collect();
    let late = entries.len() - 3;
    assert_eq!(
        entries[late..],
        [
            (Overlay::Waiting, false, false),
            (Overlay::SignalLost, true, false),
            (Overlay::SignalLost, true, true)
        ]
    );
    assert_eq!(
        [seen[late + 1].0, seen[late + 2].0],
        [50, 300],
        "5 s and 30 s"
    );
    let status = &pair.statuses()[0];
    assert!(
        status.stall - status.stall_by_link < Duration::from_secs(1),
        "{status:?}"
    );
    assert!(!status.resign_and_leave, "nothing arrives");
    assert_eq!(pair.statuses()[0].rxq, 0, "stale");
}

#[test]
fn a_pause_is_told_and_its_end_does_not_flash_signal_lost() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(4_000);
    let now = pair.guest.now(pair.air_us);
    pair.guest.session.set_paused(now, true);
    pair.run_ms(10_000);
    let host = &pair.statuses()[0];
    assert_eq!(host.waiting.expect("stalled").why, Why::Paused);
    assert_eq!(host.overlay, Overlay::PeerPaused);
    assert!(host.stall > Duration::from_secs(8) && host.stall_by_link < Duration::from_secs(1));
    let guest = &pair.statuses()[1];
    assert_eq!(guest.waiting, None, "the pausing phone waits for nobody");
    let (sealed, tick) = guest
        .lockstep
        .map(|l| (l.newest_sealed, l.tick))
        .expect("plays");
    pair.run_ms(5_000);
    let later = pair.statuses()[1].lockstep.expect("plays");
    assert_eq!(
        (later.newest_sealed, later.tick),
        (sealed, tick),
        "nothing sealed while paused"
    );
    let now = pair.guest.now(pair.air_us);
    pair.guest.session.set_paused(now, false);
    let mut overlays = Vec::new();
    for _ in 0..200 {
        pair.frame();
        let overlay = pair.statuses()[0].overlay;
        if overlays.last() != Some(&overlay) {
            overlays.push(overlay);
        }
    }
    assert!(!overlays.contains(&Overlay::SignalLost), "{overlays:?}");
    assert_eq!(overlays.last(), Some(&Overlay::None));
    pair.run_ms(5_000);
    pair.assert_same_worlds();
}

#[test]
fn a_reason_is_believed_for_two_and_a_half_seconds() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(4_000);
    let now = pair.guest.now(pair.air_us);
    pair.guest.session.set_paused(now, true);
    pair.run_ms(3_000);
    pair.guest.session.transport_mut().end.set_loss(Loss::All);
    let why = |pair: &Pair| pair.statuses()[0].waiting.expect("stalled").why;
    pair.run_ms(2_400);
    assert_eq!(why(&pair), Why::Paused);
    pair.run_ms(500);
    assert_eq!(why(&pair), Why::Link, "the last packet is 2.5 s old");
}

#[test]
fn a_phone_that_pauses_while_it_waits_waits_no_more() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.guest.session.transport_mut().end.set_loss(Loss::All);
    let stalled = |pair: &mut Pair| pair.statuses()[0].waiting.is_some();
    assert!(pair.run_until(5_000, stalled));
    let now = pair.host.now(pair.air_us);
    pair.host.session.set_paused(now, true);
    let before = pair.statuses()[0].stall;
    pair.run_ms(2_000);
    let status = &pair.statuses()[0];
    assert_eq!(
        (status.waiting, status.overlay, status.stall),
        (None, Overlay::None, before)
    );
}

#[test]
fn a_host_that_sleeps_until_the_next_wake_plays_as_one_that_does_not() {
    let mut pair = Pair::new(fast());
    pair.begin();
    let before = pair.host.session.tick();
    let until_us = pair.air_us + 20_000_000;
    let mut calls = 0;
    while pair.air_us < until_us {
        // The nearer of both phones' wakes, and no later than half a packet for the link's sake.
        let mut next_us = pair.air_us + 50_000;
        for phone in [&pair.host, &pair.guest] {
            if let Some(wake) = phone.session.next_wake() {
                let wake_us = wake.as_us() - phone.now(0).as_us();
                next_us = next_us.min(wake_us.max(pair.air_us + 1));
            }
        }
        pair.air_us = next_us;
        calls += 1;
        for phone in [&mut pair.host, &mut pair.guest] {
            phone.frame(next_us);
        }
    }
    let ticks = pair.host.session.tick().0 - before.0;
    assert!((198..=202).contains(&ticks), "{ticks} ticks in 20 s");
    assert!(calls < 1_200, "{calls} calls");
    assert!(pair.assert_same_worlds() > 190);
}

#[test]
fn a_stalled_phone_shows_its_orders_as_done_until_they_are() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.host.player = |_, _| vec![];
    pair.run_ms(2_000);
    let in_flight = |pair: &Pair| {
        let mut seen = vec![];
        pair.host.session.in_flight(|order| seen.push(order));
        seen
    };
    assert_eq!(in_flight(&pair), []);
    pair.guest.session.transport_mut().end.set_loss(Loss::All);
    pair.run_ms(1_500);
    let now = pair.host.now(pair.air_us);
    let order = command(&[7]);
    pair.host.session.give(now, order).expect("plays");
    pair.run_ms(3_000);
    assert_eq!(
        in_flight(&pair),
        [order],
        "it stands, and the order with it"
    );
    pair.guest.session.transport_mut().end.set_loss(Loss::None);
    pair.run_ms(3_000);
    assert_eq!(in_flight(&pair), []);
    pair.assert_same_worlds();
}
