//! The reference game, AI against AI, over `PacketAir`: a world that is sensitive to everything.

mod common;

use common::{DuelConfig, Opponent, Pair};
use link_transport::{Loss, Mode, Plan};
use match_feed::{Game, Tick};
use versus_codec::{BitReader, BitWriter, COMMAND_BITS_MAX, CommandCodec, TurnContext};
use versus_lockstep::Verdict;

/// Five minutes, or until one side has won.
fn play(config: DuelConfig) -> Pair<Opponent> {
    let mut duel = Pair::<Opponent>::new(config);
    duel.run_until(600_000, |duel| {
        duel.phones()
            .iter()
            .all(|phone| phone.tick() >= Tick(3000) || phone.world.outcome().is_some())
    });
    duel.assert_same_trails();
    for phone in duel.phones() {
        assert!(matches!(
            phone.status().verdict,
            Verdict::Playing | Verdict::Checking | Verdict::InSync
        ));
        assert_eq!(phone.refused, 0);
    }
    let orders = duel.blue.applied.len();
    println!("{} ticks, {orders} orders", duel.blue.tick());
    assert!(orders > 20, "{orders} orders");
    duel
}

#[test]
fn without_loss() {
    play(DuelConfig::default());
}

#[test]
fn ten_percent_loss() {
    play(DuelConfig {
        loss: Loss::Bernoulli(0.1),
        seed: 2,
        ..DuelConfig::default()
    });
}

#[test]
fn thirty_percent_loss() {
    play(DuelConfig {
        loss: Loss::Bernoulli(0.3),
        seed: 3,
        ..DuelConfig::default()
    });
}

#[test]
fn on_the_low_plan() {
    play(DuelConfig {
        plan: Plan::Low,
        mode: Mode::Fast,
        latency_ms: 350,
        delay: 8,
        seed: 4,
        ..DuelConfig::default()
    });
}

#[test]
fn every_command_of_ai_matches_is_canonical_fits_and_survives_the_wire() {
    let duel = play(DuelConfig {
        seed: 5,
        ..DuelConfig::default()
    });
    let codec = *duel.blue.lockstep.codec();
    for (_, _, command) in &duel.blue.applied {
        let mut pieces = vec![];
        codec
            .canonicalize(command.clone(), &mut |piece| pieces.push(piece))
            .unwrap();
        assert_eq!(
            pieces,
            std::slice::from_ref(command),
            "what was sent is canonical"
        );
        let mut bits = bitvec::bitvec![u8, bitvec::order::Msb0; 0; COMMAND_BITS_MAX];
        let mut out = BitWriter::new(&mut bits);
        codec
            .encode(command, &mut TurnContext::default(), &mut out)
            .unwrap();
        let decoded = codec.decode(&mut TurnContext::default(), &mut BitReader::new(&bits));
        assert_eq!(decoded.as_ref(), Ok(command));
    }
}
