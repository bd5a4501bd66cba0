//! Two and more players, from Hello to the last hash, over a simulated internet.

mod common;

use common::{Polls, World};
use net_session::{Frame, Outcome};
use net_transport::{LinkConfig, Loss};

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

#[test]
fn figures() {
    // Not a gate: what the page of figures is made from, printed with --nocapture.
    for (name, loss, delay, prediction, most) in [
        ("lockstep loss 0", Loss::Bernoulli(0.0), 6, 0, 6),
        ("lockstep loss 10", Loss::Bernoulli(0.10), 6, 0, 6),
        ("lockstep loss 25", Loss::Bernoulli(0.25), 6, 0, 6),
        (
            "lockstep burst 10, D<=8",
            Loss::PacketBursts {
                share: 0.10,
                mean_packets: 4.0,
            },
            6,
            0,
            8,
        ),
        (
            "rollback burst 25",
            Loss::PacketBursts {
                share: 0.25,
                mean_packets: 4.0,
            },
            2,
            12,
            2,
        ),
    ] {
        let mut shares = Vec::new();
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
            for player in &mut world.players {
                (
                    player.new_frames,
                    player.polls,
                    player.stalls,
                    player.longest_stall,
                ) = (0, player.polls, 0, 0);
            }
            let polls = world.players[0].polls;
            world.run_to(62_000_000);
            let stats = world.players[0].session.stats();
            let player = &world.players[0];
            shares.push(player.new_frames as f64 * 60.0 / (player.polls - polls) as f64);
            if seed == 0 {
                println!(
                    "{name}: {} B a packet, {} packets in 62 s, longest freeze {}, delay {}, link {:?}",
                    stats.bytes as f64 / stats.packets as f64,
                    stats.packets,
                    player.longest_stall,
                    player.session.input_delay(),
                    player.session.link_stats(1)
                );
            }
        }
        println!("{name}: {shares:.2?}");
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
        println!(
            "seed {seed}: {} ms {}",
            world.now / 1_000,
            if world.now > 3_000_000 {
                world.tell()
            } else {
                String::new()
            }
        );
    }
}
