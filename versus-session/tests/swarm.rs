//! Many short duels, each with its own mix of faults from one seed. What must hold whatever happens: the worlds never
//! differ unseen, both phones end with the same story, and nothing hangs. A bounded slice of what
//! `cargo xtask soak` plays by the thousand.

mod common;

use common::*;
use link_transport::LinkPacket;
use std::collections::BTreeMap;

const SEEDS: u32 = 200;

#[test]
fn a_swarm_of_faulty_duels_never_differs_unseen_and_never_hangs() {
    let mut fates = BTreeMap::new();
    for seed in 0..SEEDS {
        match play(seed, SHORT_TICKS, SHORT_FAULTS_MS) {
            Ok(played) => *fates.entry(played.fate).or_insert(0_u32) += 1,
            Err((failure, how)) => panic!(
                "{failure:?}, to replay: cargo xtask soak --seed {seed} --matches 1 --long 0\n{how}"
            ),
        }
    }
    println!("{fates:?}");
    assert!(fates[&Fate::InSync] > SEEDS / 2, "{fates:?}");
    assert!(
        fates[&Fate::Desync] > SEEDS / 50,
        "broken machines: {fates:?}"
    );
}

#[test]
fn the_same_seed_plays_the_same_duel() {
    let play = || {
        let mut swarm = Faulty::new(5, SHORT_TICKS, SHORT_FAULTS_MS);
        for _ in 0..2_000 {
            swarm.frame();
        }
        let heard: Vec<LinkPacket> = swarm.pair.host.session.transport().heard.clone();
        (
            swarm.pair.host.hashes.clone(),
            swarm.pair.guest.events.clone(),
            heard,
        )
    };
    assert!(play() == play());
}
