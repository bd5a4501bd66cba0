//! How matches end: with one last hash that all hold, or without; and never by somebody who only came in.

mod common;

use common::{Player, World, config, let_in, seats, with_guest};
use net_session::{Event, OnDrop, Outcome, Place};
use net_transport::{LinkConfig, Loss, NetTime};

fn link() -> LinkConfig {
    LinkConfig::default()
        .latency_us(40_000)
        .jitter_us(8_000)
        .loss(Loss::Bernoulli(0.05))
}

#[test]
fn a_link_that_loses_every_so_many_packets_does_not_lose_each_last_hash() {
    for lost in 3..=16 {
        for hz in [10, 60] {
            let link = LinkConfig::default()
                .latency_us(30_000)
                .loss(Loss::Every(lost));
            let mut world = World::new(3, link, u64::from(lost), |it| {
                it.input_delay(4)
                    .rate(match_feed::TickRate::new(hz).unwrap())
            });
            let last = u32::from(hz) * 3;
            for player in &mut world.players {
                player.last = Some(last);
            }
            world.run_to(20_000_000);
            let ended = |outcome: &Option<Outcome>| matches!(outcome, Some(Outcome::Ended { frame }) if frame.0 == last);
            assert!(
                world.outcomes().iter().all(ended),
                "every {lost}th lost, {hz} Hz: {}",
                world.tell()
            );
        }
    }
}

#[test]
fn of_two_that_part_before_the_end_both_end_alike_or_one_is_cut() {
    let mut parted = 0;
    for nth in 0..24 {
        for on_drop in [OnDrop::Neutral, OnDrop::Bot] {
            let mut world = World::new(2, link(), nth, |it| it.input_delay(8).on_drop(on_drop));
            for player in &mut world.players {
                player.last = Some(240);
            }
            world.run_to(3_500_000 + nth * 50_000);
            let now = NetTime::from_us(world.now);
            world.air.outage(1, 0, now, NetTime::MAX);
            world.run_to(25_000_000);
            assert!(
                world.outcomes().iter().all(Option::is_some),
                "{}",
                world.tell()
            );
            parted += u32::from(world.outcomes()[1] == Some(Outcome::Cut));
            world.check_logs(nth);
        }
    }
    assert!(parted > 0, "none came to the case");
}

#[test]
fn a_spectator_is_not_out_of_step_with_who_was_cut_off_from_its_feeder() {
    for seed in 0..8 {
        let change = |it: net_session::SessionConfig| it.input_delay(4).on_drop(OnDrop::Bot);
        let mut world = with_guest(2, link(), seed, 0, change);
        world.run_to(3_000_000);
        for at in 0..2 {
            world.air.connect(NetTime::from_us(world.now), at, 2);
        }
        let watch = change(config(2, Place::Spectator { number: 8 }, 5_000 + seed));
        let mut player = Player::new(watch, world.air.end(2), 2, seed);
        player.next_poll = world.now;
        world.players.push(player);
        world.run_to(5_000_000 + seed * 120_000);
        let now = NetTime::from_us(world.now);
        world.air.outage(1, 0, now, NetTime::MAX);
        world.run_to(20_000_000);
        let spectator = &world.players[2].session;
        assert_eq!(spectator.outcome(), None, "seed {seed}: {}", world.tell());
        assert!(
            spectator.confirmed().0 > 500,
            "seed {seed}: {}",
            world.tell()
        );
        world.check_logs(seed);
    }
}

#[test]
fn who_has_its_state_before_it_has_met_everybody_ends_nobodys_match() {
    for (seed, on_drop) in [(1, OnDrop::End), (2, OnDrop::Neutral), (3, OnDrop::Bot)] {
        for dead_ms in [1_500, 9_000] {
            let change = |it: net_session::SessionConfig| it.input_delay(4).on_drop(on_drop);
            let mut world = with_guest(3, link(), seed, 0b1000, change);
            world.run_to(3_000_000);
            let now = NetTime::from_us(world.now);
            // Neither hears the other until the newcomer has long been fed.
            let until = now.plus(dead_ms * 1_000);
            world.air.outage(1, 3, now, until);
            world.air.outage(3, 1, now, until);
            let place = Place::Joiner {
                seats: seats(0b1000),
                token: [0; 16],
            };
            let_in(&mut world, 4, place, seed, change);
            world.run_to(18_000_000);
            assert_eq!(world.outcomes(), [None; 4], "{}", world.tell());
            let came = |player: &Player| {
                let mut events = player.events.iter();
                events.any(|it| matches!(it, Event::Joined { member: 3, .. }))
            };
            assert!(world.players.iter().all(came), "{}", world.tell());
            assert!(world.players[0].session.confirmed().0 > 500);
            world.check_logs(seed);
        }
    }
}

#[test]
fn two_newcomers_meet_though_each_has_its_state_already() {
    for seed in 0..4 {
        let change = |it: net_session::SessionConfig| it.input_delay(4);
        let mut world = with_guest(2, link(), seed, 0b1100, change);
        world.run_to(3_000_000);
        for seat in [2, 3] {
            let now = NetTime::from_us(world.now);
            if seat == 3 {
                world.air.outage(2, 3, now, now.plus(2_000_000));
            }
            let place = Place::Joiner {
                seats: seats(1 << seat),
                token: [0; 16],
            };
            let_in(&mut world, 4, place, seed, change);
            world.run_for(5_000_000);
        }
        world.run_to(18_000_000);
        assert_eq!(world.outcomes(), [None; 4], "seed {seed}: {}", world.tell());
        assert_eq!(world.players[3].session.live(), 0b1111, "{}", world.tell());
        world.check_logs(seed);
    }
}

#[test]
fn who_leaves_just_before_the_end_cuts_nobody_off() {
    for nth in 0..20 {
        let mut world = World::new(5, link(), nth, |it| {
            it.input_delay(9)
                .rate(match_feed::TickRate::new(10).unwrap())
        });
        for player in &mut world.players {
            player.last = Some(50);
        }
        world.run_to(4_500_000 + nth * 100_000);
        world.players[3].session.leave();
        world.run_to(25_000_000);
        for at in [0, 1, 2, 4] {
            let outcome = world.players[at].session.outcome();
            assert!(
                matches!(outcome, Some(Outcome::Ended { .. })),
                "{nth}: {}",
                world.tell()
            );
        }
        world.check_logs(nth);
    }
}

#[test]
fn who_dies_just_before_the_end_cuts_nobody_off() {
    for nth in 0..20 {
        let mut world = World::new(3, link(), nth, |it| it.input_delay(7).prediction(7));
        for player in &mut world.players {
            player.last = Some(240);
        }
        world.run_to(4_400_000 + nth * 25_000);
        let dead = (nth % 3) as usize;
        world.players[dead].stopped = true;
        world.run_to(25_000_000);
        for at in (0..3).filter(|&at| at != dead) {
            let outcome = world.players[at].session.outcome();
            assert!(
                matches!(outcome, Some(Outcome::Ended { .. })),
                "{nth}: {}",
                world.tell()
            );
        }
        world.check_logs(nth);
    }
}
