//! A member with the right key that sends anything at all: it can be dropped or end the match, and no more.

mod common;

use common::{Liar, World};
use net_session::OnDrop;
use net_transport::{LinkConfig, Loss};

fn play(seed: u64) {
    let seats = 2 + (seed % 4) as u8;
    let liar = (seed / 4 % u64::from(seats)) as usize;
    let prediction = [0, 8][seed as usize / 16 % 2];
    let link = LinkConfig::default()
        .latency_us(20_000 + seed % 5 * 10_000)
        .jitter_us(8_000)
        .loss(Loss::Bernoulli(0.02 * (seed % 3) as f64));
    let mut world = World::new(seats, link, seed, |it| {
        let on_drop = [OnDrop::Neutral, OnDrop::Bot, OnDrop::End][seed as usize % 3];
        it.input_delay(3).prediction(prediction).on_drop(on_drop)
    });
    let nonces = (0..seats).map(|seat| 1_000 + u64::from(seat)).collect();
    let one_in = [2, 20, 200, 2_000][seed as usize / 3 % 4];
    let honest = [0, 300, 2_000][seed as usize / 7 % 3];
    world.players[liar].liar = Some(Liar::new(seed, liar as u8, nonces, one_in, honest));
    world.run_to(45_000_000);
    let honest = (0..usize::from(seats)).filter(|&at| at != liar);
    let going: Vec<usize> = honest
        .filter(|&at| world.players[at].session.outcome().is_none())
        .collect();
    for &at in &going {
        let player = &world.players[at];
        let confirmed = player.session.confirmed().0;
        assert!(confirmed > 600, "seed {seed}: {at} hangs {}", world.tell());
        for &other in &going {
            let agreed = player
                .session
                .agreed()
                .min(world.players[other].session.agreed());
            for frame in 0..agreed.0 {
                assert_eq!(
                    player.log[&frame], world.players[other].log[&frame],
                    "seed {seed}: frame {frame} of {at} and {other}"
                );
            }
        }
    }
}

#[test]
fn a_liar_is_dropped_or_ends_the_match_and_no_more() {
    // cargo test -p net-session --test hostile: LIAR=seed plays one of them.
    if let Some(seed) = std::env::var("LIAR")
        .ok()
        .and_then(|seed| seed.parse().ok())
    {
        return play(seed);
    }
    for seed in 0..120 {
        println!("LIAR={seed}");
        play(seed);
    }
}
