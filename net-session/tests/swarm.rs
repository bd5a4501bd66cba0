//! Seeded matches with every trouble at once and no liar: nobody comes out of step, nobody hangs.

mod common;

use common::{Dice, Player, World, config, seats};
use net_session::{OnDrop, Outcome, Place, SessionConfig};
use net_transport::{LinkConfig, Loss, NetTime};

fn play(seed: u64) {
    let mut dice = Dice::new(seed);
    let count = 2 + dice.below(5) as u8;
    let loss = match dice.below(4) {
        0 => Loss::None,
        1 => Loss::Bernoulli(0.1),
        2 => Loss::Bernoulli(0.25),
        _ => Loss::PacketBursts {
            share: 0.15,
            mean_packets: 4.0,
        },
    };
    let link = LinkConfig::default()
        .latency_us(dice.below(100) * 1_000)
        .jitter_us(dice.below(20) * 1_000)
        .loss(loss)
        .duplicate(0.02)
        .damage(if dice.below(3) == 0 { 0.02 } else { 0.0 });
    let prediction = [0, 2, 8, 12][dice.below(4) as usize];
    let delay = 2 + dice.below(6) as u8;
    let on_drop = [OnDrop::Neutral, OnDrop::Bot][dice.below(2) as usize];
    let adaptive = dice.below(2) == 0;
    let change = |it: SessionConfig| {
        let it = it
            .input_delay(delay)
            .prediction(prediction)
            .on_drop(on_drop);
        if adaptive {
            it.adaptive_delay(2, 14)
        } else {
            it
        }
    };
    let mut world = World::new(count, link, seed, change);
    for end in 0..usize::from(count) {
        let ppm = dice.below(400) as i32 - 200;
        world
            .air
            .set_clock(end, NetTime::from_ms(dice.below(1_000)), ppm);
    }
    let mut token: Vec<[u8; 16]> = (0..u64::from(count))
        .map(|at| [(1_000 + at) as u8 + 1; 16])
        .collect();
    world.run_to(4_000_000);
    for _ in 0..dice.below(4) {
        let now = NetTime::from_us(world.now);
        let who = dice.below(u64::from(count)) as usize;
        let other = (who + 1 + dice.below(u64::from(count) - 1) as usize) % usize::from(count);
        let long = 500_000 + dice.below(4_500_000) * dice.below(3);
        match dice.below(6) {
            0 => world.air.outage(who, other, now, now.plus(long)),
            1 => world.air.partition(&[who], now, now.plus(long)),
            2 => world.air.partition(&[who, other], now, now.plus(long)),
            3 => world.players[who].session.leave(),
            4 => world.players[who].stopped = true,
            _ => {
                // A page loaded anew: it comes back with its token.
                world.players[who].stopped = true;
                world.run_for(dice.below(2) * 7_000_000 + 100_000);
                let now = NetTime::from_us(world.now);
                for at in (0..usize::from(count)).filter(|&at| at != who) {
                    world.air.sever(now, at, who);
                    world.air.connect(now, at, who);
                }
                let place = Place::Joiner {
                    seats: seats(1 << who),
                    token: token[who],
                };
                let config = change(config(count, place, 9_000 + dice.below(200)));
                token[who] = [0; 16]; // it does not come back twice
                let mut player = Player::new(config, world.air.end(who), who, seed);
                player.next_poll = world.now;
                let old = std::mem::replace(&mut world.players[who], player);
                drop(old);
            }
        }
        world.run_for(dice.below(4_000_000));
    }
    world.air.heal(NetTime::from_us(world.now));
    // A newcomer that nobody feeds any more gives up after 25 s.
    world.run_for(30_000_000);
    let before: Vec<_> = world
        .players
        .iter()
        .map(|it| it.session.confirmed())
        .collect();
    world.run_for(4_000_000);
    for (player, before) in world.players.iter().zip(before) {
        if player.stopped {
            continue;
        }
        match player.session.outcome() {
            Some(Outcome::Desync { .. }) => panic!("seed {seed}: out of step {}", world.tell()),
            Some(_) => {}
            None => {
                let frames = player.session.confirmed().0 - before.0;
                // A newcomer that nobody lets in waits for the time that a start may take.
                let waits = player.session.live() == 0 && player.restored.is_none();
                assert!(
                    frames > 60 || waits,
                    "seed {seed}: {} hangs at {before} {}",
                    player.index,
                    world.tell()
                );
            }
        }
    }
    world.check_logs(seed);
}

#[test]
fn no_trouble_brings_a_match_out_of_step_or_to_a_halt() {
    // SWARM=seed plays one match, SWARM=from..to several.
    if let Ok(seeds) = std::env::var("SWARM") {
        let (from, to) = seeds.split_once("..").unwrap_or((&seeds, ""));
        let from: u64 = from.parse().expect("a seed");
        for seed in from..to.parse().unwrap_or(from + 1) {
            println!("SWARM={seed}");
            play(seed);
        }
        return;
    }
    for seed in 0..60 {
        println!("SWARM={seed}");
        play(seed);
    }
}
