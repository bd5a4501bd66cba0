//! Members that go, come back, come in and watch.

mod common;

use common::{Player, World, config, let_in, seats, with_guest};
use net_session::{Cause, Event, Frame, OnDrop, Outcome, Place, SessionConfig};
use net_transport::{LinkConfig, Loss, NetTime};

fn link() -> LinkConfig {
    LinkConfig::default()
        .latency_us(40_000)
        .jitter_us(8_000)
        .loss(Loss::Bernoulli(0.05))
}

fn going(world: &World, at: usize) -> u32 {
    world.players[at].session.confirmed().0
}

#[test]
fn a_leaver_is_dropped_on_one_frame_by_all() {
    for seed in 0..12u64 {
        for prediction in [0, 8] {
            let mut world = World::new(4, link(), seed, |it| {
                it.input_delay(4).prediction(prediction)
            });
            world.run_to(4_000_000);
            let leaver = (seed % 4) as usize;
            if seed % 3 == 0 {
                world.players[leaver].stopped = true; // a crash: silence
            } else {
                world.players[leaver].session.leave();
            }
            world.run_to(16_000_000);
            for at in (0..4).filter(|&at| at != leaver) {
                let player = &world.players[at];
                assert_eq!(player.session.outcome(), None, "seed {seed} seat {at}");
                assert!(
                    going(&world, at) > 400,
                    "seed {seed} seat {at}: {}",
                    going(&world, at)
                );
                assert!(player.events.iter().any(
                    |it| matches!(it, Event::Dropped { member, .. } if usize::from(*member) == leaver)
                ));
                assert_eq!(player.session.live().count_ones(), 3);
                assert!(
                    player.session.agreed().0 > 300,
                    "seed {seed}: {}",
                    player.session.agreed()
                );
            }
            world.check_logs(seed);
        }
    }
}

#[test]
fn two_go_at_once_and_bots_play_on() {
    for seed in 0..8u64 {
        let mut world = World::new(5, link(), seed, |it| {
            it.input_delay(4).prediction(6).on_drop(OnDrop::Bot)
        });
        world.run_to(4_000_000);
        let (first, second) = ((seed % 5) as usize, ((seed + 2) % 5) as usize);
        world.players[first].stopped = true;
        world.run_for(seed * 400_000);
        world.players[second].stopped = true;
        world.run_to(24_000_000);
        for at in (0..5).filter(|&at| at != first && at != second) {
            assert_eq!(
                world.players[at].session.outcome(),
                None,
                "seed {seed} seat {at} {}",
                world.tell()
            );
            assert!(
                going(&world, at) > 600,
                "seed {seed} seat {at}: {}",
                going(&world, at)
            );
            assert!(world.players[at].session.agreed().0 > 500);
        }
        let coordinator = (0..5).find(|&at| at != first && at != second).unwrap();
        let owned = world.players[coordinator].session.own_seats().len();
        assert_eq!(owned, 3, "seed {seed}: its own seat and two bots");
        world.check_logs(seed);
    }
}

#[test]
fn with_two_seats_the_match_ends_unless_told_otherwise() {
    let mut world = World::new(2, link(), 3, |it| it.input_delay(4));
    world.run_to(3_000_000);
    world.players[1].session.leave();
    world.run_to(4_000_000);
    assert_eq!(
        world.outcomes(),
        [
            Some(Outcome::Gone {
                member: 1,
                cause: Cause::Left
            }),
            Some(Outcome::YouLeft)
        ]
    );
    let mut world = World::new(2, link(), 3, |it| {
        it.input_delay(4).on_drop(OnDrop::Neutral)
    });
    world.run_to(3_000_000);
    world.players[1].stopped = true;
    world.run_to(12_000_000);
    assert_eq!(world.players[0].session.outcome(), None);
    assert!(going(&world, 0) > 300, "{}", going(&world, 0));
    // And the other one: silence for 5 s is the end.
    let mut world = World::new(2, link(), 4, |it| it.input_delay(4));
    world.run_to(3_000_000);
    world.players[0].stopped = true;
    world.run_to(9_000_000);
    assert_eq!(
        world.players[1].session.outcome(),
        Some(Outcome::Gone {
            member: 0,
            cause: Cause::Silent
        })
    );
}

#[test]
fn of_a_match_that_falls_apart_one_part_goes_on() {
    for (seed, part, on) in [
        (1u64, vec![0usize, 1], vec![0usize, 1]), // two of four, with the lowest seat
        (2, vec![2, 3], vec![0, 1]),
        (3, vec![0], vec![1, 2, 3]),
        (4, vec![3], vec![0, 1, 2]),
        (5, vec![1, 2, 3], vec![1, 2, 3]),
    ] {
        let mut world = World::new(4, link(), seed, |it| it.input_delay(4).prediction(8));
        world.run_to(4_000_000);
        world
            .air
            .partition(&part, NetTime::from_us(world.now), NetTime::MAX);
        world.run_to(20_000_000);
        for at in 0..4 {
            let outcome = world.players[at].session.outcome();
            if on.contains(&at) {
                assert_eq!(outcome, None, "seed {seed} seat {at}");
                assert!(
                    going(&world, at) > 500,
                    "seed {seed} seat {at}: {}",
                    going(&world, at)
                );
            } else {
                assert_eq!(outcome, Some(Outcome::Cut), "seed {seed} seat {at}");
            }
        }
        world.check_logs(seed);
    }
}

#[test]
fn where_one_link_alone_fails_the_higher_seat_goes() {
    for (seed, low, high) in [
        (1u64, 0usize, 1usize),
        (2, 1, 3),
        (3, 2, 3),
        (4, 0, 3),
        (5, 1, 2),
    ] {
        for both in [true, false] {
            let mut world = World::new(4, link(), seed, |it| it.input_delay(4));
            world.run_to(4_000_000);
            let now = NetTime::from_us(world.now);
            world.air.outage(low, high, now, NetTime::MAX);
            if both {
                world.air.outage(high, low, now, NetTime::MAX);
            }
            world.run_to(22_000_000);
            for at in 0..4 {
                let outcome = world.players[at].session.outcome();
                if at == high {
                    assert_eq!(outcome, Some(Outcome::Cut), "seed {seed} seat {at}");
                } else {
                    assert_eq!(outcome, None, "seed {seed} seat {at} both {both}");
                    assert!(
                        going(&world, at) > 500,
                        "seed {seed} seat {at}: {}",
                        going(&world, at)
                    );
                }
            }
            world.check_logs(seed);
        }
    }
}

#[test]
fn an_open_seat_is_taken_while_the_match_runs() {
    for seed in 0..8u64 {
        for prediction in [0, 8] {
            let change = |it: SessionConfig| it.input_delay(4).prediction(prediction);
            let mut world = with_guest(3, link(), seed, 0b1000, change);
            for player in &mut world.players {
                player.game.ballast = 5_000;
            }
            world.run_to(5_000_000);
            assert!(going(&world, 0) > 150, "{:?}", world.outcomes());
            let place = Place::Joiner {
                seats: seats(0b1000),
                token: [0; 16],
            };
            let before = world.players[1].stalls;
            let_in(&mut world, 4, place, seed, change);
            world.run_to(12_000_000);
            let guest = &world.players[3];
            assert_eq!(
                guest.session.outcome(),
                None,
                "seed {seed}: {:?}",
                guest.events
            );
            let (first, _) = guest
                .first_own
                .unwrap_or_else(|| panic!("seed {seed}: {}", world.tell()));
            assert!(guest.session.agreed() > first, "seed {seed}");
            assert_eq!(world.players[0].session.live(), 0b1111, "seed {seed}");
            let own = world.players[0].log[&(first.0 + 60)][3].clone();
            assert_eq!(own.len(), 2, "seed {seed}: the newcomer's inputs count");
            let _ = before;
            world.check_logs(seed);
        }
    }
}

#[test]
fn who_crashed_comes_back_with_its_token_and_nobody_else_does() {
    for seed in 0..6u64 {
        let change = |it: SessionConfig| it.input_delay(4).prediction(6).on_drop(OnDrop::Bot);
        let mut world = World::new(4, link(), seed, change);
        world.run_to(4_000_000);
        let back = 1 + (seed % 3) as usize;
        let silent = seed % 2 == 0;
        world.players[back].stopped = true;
        if silent {
            world.run_for(7_000_000);
        } else {
            world.run_for(300_000); // a page loaded anew
        }
        for at in (0..4).filter(|&at| at != back) {
            world.air.sever(NetTime::from_us(world.now), at, back);
            world.air.connect(NetTime::from_us(world.now), at, back);
        }
        let token = [(1_000u64 + back as u64) as u8 + 1; 16];
        let rejoin = |token, nonce: u64| {
            let place = Place::Joiner {
                seats: seats(1 << back),
                token,
            };
            change(config(4, place, nonce))
        };
        let mut thief = Player::new(rejoin([9; 16], 77 + seed), world.air.end(back), back, seed);
        thief.next_poll = world.now;
        world.players.push(thief);
        world.run_for(3_000_000);
        let thief = world.players.pop().unwrap();
        assert_eq!(
            thief.session.outcome(),
            Some(Outcome::Refused),
            "seed {seed}"
        );
        for at in (0..4).filter(|&at| at != back) {
            world.air.sever(NetTime::from_us(world.now), at, back);
            world.air.connect(NetTime::from_us(world.now), at, back);
        }
        let mut player = Player::new(rejoin(token, 99 + seed), world.air.end(back), back, seed);
        player.next_poll = world.now;
        world.players.push(player);
        world.run_for(8_000_000);
        let player = &world.players[4];
        assert_eq!(
            player.session.outcome(),
            None,
            "seed {seed}: {:?}",
            player.events
        );
        let (first, _) = player
            .first_own
            .unwrap_or_else(|| panic!("seed {seed}: {}", world.tell()));
        assert!(player.session.agreed() > first, "seed {seed}");
        world.players.remove(back);
        world.check_logs(seed);
    }
}

#[test]
fn spectators_see_what_happened_and_nobody_waits_for_them() {
    for seed in 0..6u64 {
        let lag = [0, 30][seed as usize % 2];
        let change = |it: SessionConfig| it.input_delay(4).prediction(6).spectator_delay(lag);
        let mut world = with_guest(3, link(), seed, 0, change);
        world.run_to(4_000_000);
        for at in 0..3 {
            world.air.connect(NetTime::from_us(world.now), at, 3);
        }
        let watch = change(config(3, Place::Spectator { number: 8 }, 5_000 + seed));
        let mut player = Player::new(watch, world.air.end(3), 3, seed);
        player.next_poll = world.now;
        world.players.push(player);
        world.run_to(9_000_000);
        let near = |world: &World, at: usize| {
            let (live, seen) = (going(world, at), going(world, 3));
            assert!(
                seen + 40 + lag > live && seen > 0,
                "seed {seed}: {seen} of {live} {}",
                world.tell()
            );
        };
        near(&world, 0);
        // Its feeder goes: another one feeds it.
        world.players[0].stopped = true;
        world.run_to(18_000_000);
        near(&world, 1);
        // It lags, and gets a new snapshot.
        world.air.partition(
            &[3],
            NetTime::from_us(world.now),
            NetTime::from_us(world.now + 4_500_000),
        );
        let before = going(&world, 1);
        world.run_for(4_500_000);
        assert!(going(&world, 1) > before + 240, "nobody waits");
        world.run_for(3_000_000);
        near(&world, 1);
        world.check_logs(seed);
        assert_eq!(world.players[3].session.outcome(), None);
        // All players leave: it has nothing more to see.
        for at in 1..3 {
            world.players[at].session.leave();
        }
        world.run_for(6_000_000);
        assert!(
            world.players[3].session.outcome().is_some(),
            "seed {seed} {}",
            world.tell()
        );
    }
}

#[test]
fn joining_a_large_match_takes_less_than_two_seconds_and_stalls_nobody() {
    let link = LinkConfig::default()
        .latency_us(50_000)
        .bandwidth(1_000_000, 200_000);
    let change = |it: SessionConfig| it.input_delay(6);
    let mut world = with_guest(3, link, 1, 0b1000, change);
    for player in &mut world.players {
        player.game.ballast = 64 * 1024;
    }
    world.run_to(20_000_000);
    let place = Place::Joiner {
        seats: seats(0b1000),
        token: [0; 16],
    };
    let_in(&mut world, 4, place, 1, change);
    for player in &mut world.players {
        player.longest_stall = 0;
    }
    let began = world.now;
    world.run_to(26_000_000);
    let guest = &world.players[3];
    let (first, when) = guest.first_own.expect("it came in");
    let took = when.as_us() - began;
    println!("joined at frame {first} after {} ms", took / 1_000);
    assert!(took <= 2_000_000, "{took} µs");
    for player in &world.players[..3] {
        let stalled = player.session.stats().stalled;
        assert!(stalled < 60, "{stalled} polls");
    }
    assert!(guest.session.agreed() > Frame(first.0));
}

/// The members that went on, once a coordinator has gone while its commit was under way and the rest fell in two.
fn who_goes_on(seed: u64, part: &[usize], heard_by: usize, after_us: u64) -> Vec<usize> {
    let mut world = World::new(5, link(), seed, |it| it.input_delay(4).prediction(8));
    world.run_to(4_000_000);
    world.players[4].stopped = true;
    // Silence shows after 5 s; then the coordinator is heard by one member alone, and dies in mid-commit.
    world.run_for(4_900_000);
    let now = NetTime::from_us(world.now);
    for to in (1..4).filter(|&to| to != heard_by) {
        world.air.outage(0, to, now.plus(after_us), NetTime::MAX);
    }
    world.run_for(after_us + 150_000);
    world.players[0].stopped = true;
    let now = NetTime::from_us(world.now);
    world.air.partition(part, now, NetTime::MAX);
    world.run_for(30_000_000);
    let survivors = [1, 2, 3].into_iter();
    let on: Vec<usize> = survivors
        .filter(|&at| match world.players[at].session.outcome() {
            None => true,
            Some(Outcome::Cut) => false,
            other => panic!("seed {seed}: {at} ended with {other:?} {}", world.tell()),
        })
        .collect();
    for &at in &on {
        let before = going(&world, at);
        world.run_for(1_000_000);
        assert!(
            going(&world, at) > before,
            "seed {seed}: {at} hangs {}",
            world.tell()
        );
    }
    world.check_logs(seed);
    on
}

#[test]
fn a_coordinator_that_dies_in_mid_commit_never_leaves_two_parts_that_both_go_on() {
    let (mut none, mut some) = (0, 0);
    for seed in 0..24u64 {
        let part = [&[1usize][..], &[3], &[1, 2], &[]][seed as usize % 4];
        let heard_by = 1 + seed as usize / 4 % 3;
        let on = who_goes_on(seed, part, heard_by, seed * 17_000);
        // All that go on are on one side.
        let within = on.iter().filter(|at| part.contains(at)).count();
        assert!(within == 0 || within == on.len(), "seed {seed}: {on:?}");
        if on.is_empty() { none += 1 } else { some += 1 }
    }
    // Both come about: a part knows of no majority, or one knows that it is one.
    assert!(none > 0 && some > 0, "{none} ended for all, {some} went on");
}

#[test]
fn what_the_first_of_three_coordinators_decided_reaches_all_though_two_have_gone() {
    let mut lasted = 0;
    for seed in 0..10u64 {
        let mut world = World::new(7, link(), seed, |it| it.input_delay(4).prediction(8));
        world.run_to(4_000_000);
        world.players[6].session.leave();
        // The first one's commit reaches member 5 alone, and the second one dies before it hears of it.
        let now = NetTime::from_us(world.now);
        for to in 1..5 {
            world
                .air
                .outage(0, to, now.plus(100_000 + seed * 20_000), NetTime::MAX);
            world.air.outage(
                5,
                to,
                now.plus(60_000),
                now.plus(9_500_000 + seed * 100_000),
            );
        }
        world.run_for(400_000);
        world.players[0].stopped = true;
        world.run_for(5_300_000 - seed * 100_000);
        world.players[1].stopped = true;
        world.run_for(30_000_000);
        let on: Vec<usize> = (2..6)
            .filter(|&at| world.players[at].session.outcome().is_none())
            .collect();
        for at in 2..6 {
            let outcome = world.players[at].session.outcome();
            assert!(
                matches!(outcome, None | Some(Outcome::Cut)),
                "seed {seed} seat {at} {}",
                world.tell()
            );
        }
        let before: Vec<u32> = on.iter().map(|&at| going(&world, at)).collect();
        world.run_for(2_000_000);
        for (&at, before) in on.iter().zip(before) {
            assert!(
                going(&world, at) > before + 60,
                "seed {seed}: {at} hangs {}",
                world.tell()
            );
        }
        lasted += usize::from(on.len() >= 3);
        world.check_logs(seed);
    }
    assert!(lasted > 0, "in some of them the survivors go on");
}
