//! Two and more players, from Hello to the last hash, over a simulated internet.

mod common;

use common::{Polls, World};
use net_session::{Frame, Outcome};
use net_transport::{LinkConfig, Loss, NetTime};

fn link(one_way_ms: u64, jitter_ms: u64, loss: f64) -> LinkConfig {
    LinkConfig::default()
        .latency_us(one_way_ms * 1_000)
        .jitter_us(jitter_ms * 1_000)
        .loss(Loss::Bernoulli(loss))
}

#[test]
fn lockstep_over_a_bad_link_ends_on_one_frame_with_one_hash() {
    for seed in 0..8 {
        let mut world = World::new(2, link(50, 10, 0.25), seed, |it| it.input_delay(6));
        for player in &mut world.players {
            player.last = Some(600);
        }
        world.run_to(30_000_000);
        let ended = Some(Outcome::Ended { frame: Frame(600) });
        assert_eq!(world.outcomes(), [ended, ended], "seed {seed}");
        assert_eq!(world.players[0].game, world.players[1].game, "seed {seed}");
        assert_eq!(world.players[0].log.len(), 600);
        world.check_logs(seed);
    }
}

#[test]
fn rollback_hides_the_delay_and_ends_alike() {
    for seed in 0..8 {
        let mut world = World::new(2, link(50, 10, 0.10), seed, |it| {
            it.input_delay(2).prediction(12)
        });
        for player in &mut world.players {
            player.last = Some(600);
        }
        world.run_to(30_000_000);
        let ended = Some(Outcome::Ended { frame: Frame(600) });
        assert_eq!(world.outcomes(), [ended, ended], "seed {seed}");
        assert_eq!(world.players[0].game, world.players[1].game, "seed {seed}");
        assert!(world.players[0].session.stats().resimulated > 20);
        world.check_logs(seed);
    }
}

#[test]
fn every_number_of_seats_every_delay_and_lockstep_or_not() {
    for seed in 0..40u64 {
        let seats = 1 + (seed % 8) as u8;
        let delay = [0, 1, 3, 6, 20, 60][seed as usize % 6];
        let prediction = [0, 1, 8, 60][seed as usize % 4];
        let mut world = World::new(seats, link(20, 15, 0.05), seed, |it| {
            it.input_delay(delay).prediction(prediction)
        });
        for player in &mut world.players {
            player.last = Some(200);
        }
        world.run_to(60_000_000);
        let ended = Some(Outcome::Ended { frame: Frame(200) });
        for (at, player) in world.players.iter().enumerate() {
            assert_eq!(
                player.session.outcome(),
                ended,
                "seed {seed}, seat {at} of {seats}"
            );
            assert_eq!(player.game, world.players[0].game, "seed {seed}, seat {at}");
        }
        world.check_logs(seed);
    }
}

#[test]
fn without_any_latency_nobody_stalls_or_rolls_forward() {
    for prediction in [0, 8] {
        let mut world = World::new(2, link(0, 0, 0.0), 1, |it| {
            it.input_delay(2).prediction(prediction)
        });
        world.polls = Polls::OnceAFrame;
        world.run_to(10_000_000);
        for player in &world.players {
            assert!(player.new_frames > 570, "{}", player.new_frames);
            assert!(player.stalls < 4, "{}", player.stalls);
        }
    }
}

/// Frames a second of the worse end, in the median of five seeds, polled once a frame and never made up for.
fn fps(loss: Loss, delay: u8, prediction: u8, most: u8) -> f64 {
    let mut all = Vec::new();
    for seed in 0..5 {
        let link = LinkConfig::default()
            .latency_us(50_000)
            .jitter_us(10_000)
            .loss(loss);
        let mut world = World::new(2, link, seed, |it| {
            let it = it
                .input_delay(delay)
                .prediction(prediction)
                .slew(0, 100_000);
            if most > delay {
                it.adaptive_delay(delay, most)
            } else {
                it
            }
        });
        world.polls = Polls::OnceAFrame;
        world.run_to(2_000_000);
        let before: Vec<_> = world
            .players
            .iter()
            .map(|it| (it.new_frames, it.polls))
            .collect();
        world.run_to(62_000_000);
        let shares = world
            .players
            .iter()
            .zip(before)
            .map(|(player, (frames, polls))| {
                (player.new_frames - frames) as f64 * 60.0 / (player.polls - polls) as f64
            });
        all.push(shares.fold(60.0, f64::min));
        let stats = world.players[0].session.stats();
        let bytes = stats.bytes as f64 / stats.packets as f64;
        assert!(bytes <= 22.0, "seed {seed}: {bytes} bytes a packet");
        world.check_logs(seed);
    }
    all.sort_by(f64::total_cmp);
    all[2]
}

#[test]
fn loss_costs_few_frames() {
    let bursts = |share| Loss::PacketBursts {
        share,
        mean_packets: 4.0,
    };
    for (name, loss, delay, prediction, most, least) in [
        ("lockstep, loss 0", Loss::None, 6, 0, 6, 59.9),
        ("lockstep, loss 10 %", Loss::Bernoulli(0.10), 6, 0, 6, 59.9),
        ("lockstep, loss 25 %", Loss::Bernoulli(0.25), 6, 0, 6, 59.5),
        (
            "lockstep, bursts 10 %, delay up to 8",
            bursts(0.10),
            6,
            0,
            8,
            59.0,
        ),
        ("rollback, bursts 25 %", bursts(0.25), 2, 12, 2, 59.6),
    ] {
        let fps = fps(loss, delay, prediction, most);
        println!("{name}: {fps:.2}");
        assert!(fps >= least, "{name}: {fps:.2}");
    }
}

/// Both clocks are off by a quarter of a percent, and hosts poll when a frame is due.
#[test]
fn clocks_that_run_apart_are_slewed_from_both_sides() {
    for seed in 0..3 {
        let link = LinkConfig::default().latency_us(50_000).jitter_us(10_000);
        let mut world = World::new(2, link, seed, |it| it.input_delay(2).prediction(12));
        world.air.set_clock(0, NetTime::ZERO, 2_500);
        world.air.set_clock(1, NetTime::ZERO, -2_500);
        world.run_to(10_000_000);
        for player in &mut world.players {
            player.depth = 0;
        }
        let before: Vec<_> = world.players.iter().map(|it| it.session.stats()).collect();
        world.run_to(70_000_000);
        let depth = |at: usize| {
            let stats = world.players[at].session.stats();
            assert_eq!(
                stats.stalled, before[at].stalled,
                "seed {seed}: nobody stalls"
            );
            world.players[at].depth as f64 / (stats.rollbacks - before[at].rollbacks) as f64
        };
        let (one, other) = (depth(0), depth(1));
        println!("seed {seed}: {one:.2} and {other:.2} frames deep");
        assert!(
            (one - other).abs() <= 0.5,
            "seed {seed}: {one:.2} and {other:.2} frames deep"
        );
        world.check_logs(seed);
    }
}

/// A damaged packet is a lost packet.
#[test]
fn damage_is_loss() {
    for seed in 0..6 {
        let link = LinkConfig::default()
            .latency_us(50_000)
            .jitter_us(10_000)
            .damage(0.02);
        let mut world = World::new(2, link, seed, |it| it.input_delay(6));
        for player in &mut world.players {
            player.last = Some(1_800);
        }
        world.run_to(40_000_000);
        let ended = Some(Outcome::Ended {
            frame: Frame(1_800),
        });
        assert_eq!(world.outcomes(), [ended, ended], "seed {seed}");
        assert!(world.players[0].session.stats().forged > 10);
        assert!(world.now <= 40_000_000);
    }
}

/// A game that goes wrong on one machine is found at the next hash, by all, with the part that differs.
#[test]
fn a_broken_game_is_found_and_told_by_all() {
    for seed in 0..6u64 {
        for prediction in [0, 8] {
            let link = link(30, 5, 0.05);
            let mut world =
                World::new(3, link, seed, |it| it.input_delay(3).prediction(prediction));
            world.players[(seed % 3) as usize].broken = Some(100 + seed as u32 * 7);
            world.run_to(12_000_000);
            for (at, player) in world.players.iter().enumerate() {
                let Some(Outcome::Desync { frame }) = player.session.outcome() else {
                    panic!("seed {seed} seat {at} {}", world.tell());
                };
                assert!(frame.0 == 120 || frame.0 == 180, "seed {seed}: {frame}");
                let desync = player.session.desync().expect("a report");
                assert_eq!(desync.agreed.0, frame.0 - 60);
                assert_eq!(
                    desync.testimonies.len(),
                    3,
                    "seed {seed} seat {at}: {desync:?}"
                );
                let digests = &desync.testimonies[0].digests;
                assert!(
                    desync
                        .testimonies
                        .iter()
                        .all(|it| it.known && it.digests == *digests)
                );
                let mix = |member: u64| {
                    let told = desync
                        .testimonies
                        .iter()
                        .find(|it| u64::from(it.member) == member);
                    told.expect("told")
                        .parts
                        .iter()
                        .find(|(name, _)| name == "mix")
                        .expect("a part")
                        .1
                };
                let liar = seed % 3;
                assert_ne!(mix(liar), mix((liar + 1) % 3));
                assert_eq!(mix((liar + 1) % 3), mix((liar + 2) % 3));
            }
        }
    }
}

#[test]
fn other_versions_are_refused_in_words() {
    let mut world = World::new(2, link(20, 0, 0.0), 1, |it| it);
    let other = common::config(2, net_session::Place::Player(common::seats(2)), 1_001).game(7, 2);
    world.players[1].session = net_session::Session::new(other).expect("legal");
    world.run_to(3_000_000);
    for player in &world.players {
        let outcome = player.session.outcome();
        let Some(Outcome::Version { what, .. }) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(what.to_string(), "another game or another build of it");
    }
}

#[test]
fn nobody_without_the_secret_gets_in_and_nobody_waits_for_ever() {
    let mut world = World::new(2, link(20, 0, 0.0), 1, |it| {
        it.timeouts(4_000_000, 2_000_000)
    });
    let place = net_session::Place::Player(common::seats(2));
    let secret = net_session::Secret::new([7; 16]);
    let stranger = net_session::SessionConfig::new(2, place, secret, 5, [1; 16]).game(1, 2);
    world.players[1].session = net_session::Session::new(stranger).expect("legal");
    world.run_to(5_000_000);
    assert_eq!(world.players[0].session.outcome(), Some(Outcome::NoPath));
    assert!(world.players[0].session.stats().forged > 0);
}

#[test]
fn the_delay_grows_with_the_link_and_no_input_is_asked_twice() {
    for seed in 0..3 {
        let mut world = World::new(3, link(20, 2, 0.0), seed, |it| {
            it.input_delay(2).adaptive_delay(2, 20)
        });
        world.run_to(5_000_000);
        let before = world.players[0].session.input_delay();
        for from in 0..3 {
            for to in (0..3).filter(|&to| to != from) {
                world.air.set_link(from, to, link(120, 10, 0.02));
            }
        }
        world.run_to(15_000_000);
        for player in &world.players {
            let after = player.session.input_delay();
            assert!(after >= before + 5, "seed {seed}: {before} then {after}");
            assert_eq!(after, world.players[0].session.input_delay());
            assert!(player.session.agreed().0 > 500, "seed {seed}");
        }
        world.check_logs(seed);
    }
}

#[test]
fn a_start_takes_less_than_two_seconds_over_any_link() {
    for seed in 0..10 {
        let loss = Loss::PacketBursts {
            share: 0.25,
            mean_packets: 4.0,
        };
        let link = LinkConfig::default()
            .latency_us(50_000)
            .jitter_us(10_000)
            .loss(loss);
        let mut world = World::new(2, link, seed, |it| it.input_delay(6));
        world.polls = Polls::OnceAFrame;
        while world.players[0].new_frames == 0 && world.now < 20_000_000 {
            world.run_for(20_000);
        }
        assert!(
            world.now < 2_000_000,
            "seed {seed}: {} ms {}",
            world.now / 1_000,
            world.tell()
        );
    }
}
