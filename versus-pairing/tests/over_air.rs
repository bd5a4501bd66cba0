//! Two pairings over the packet-level link: they agree, whatever the air does to their frames.

mod common;

use common::*;
use link_transport::{AirConfig, LinkTime, Loss, Plan};
use match_feed::duel::{InputDelay, MapChoice, PerSide, Side};
use std::time::Duration;
use versus_pairing::{Hint, Nonces, PairingPhase, StartMode, input_delay};

fn air(plan: Plan, latency_ms: u64, loss: Loss) -> AirConfig {
    AirConfig::default()
        .with_plan(plan)
        .with_latency(Duration::from_millis(latency_ms))
        .with_loss([loss; 2])
        .with_clock_start([LinkTime::ZERO; 2])
}

#[test]
fn two_phones_agree_on_everything() {
    let choice = choice().with_mutators(0b10_0100).with_host_side(Side::Red);
    let mut pair = Pair::new(AirConfig::default(), choice, 1);
    pair.guest.pick = Some(Some(2));
    assert!(
        pair.run_until(15_000, Pair::both_started),
        "{} ms",
        pair.now_ms
    );
    let agreed = pair.agreed();
    assert_eq!(agreed.setup.map, choice.map);
    assert_eq!(agreed.setup.mutators, choice.mutators);
    assert_eq!(agreed.host_side, Side::Red);
    let openers = PerSide {
        blue: Some(2),
        red: Some(1),
    };
    assert_eq!(agreed.setup.openers, openers, "the guest plays blue");
    let key = agreed.key;
    assert_eq!(key.host_nonce, pair.host.status().nonce);
    assert_eq!(key.guest_nonce, pair.guest.status().nonce);
    let words = [key.host_nonce.into(), key.guest_nonce.into(), 1];
    assert_eq!(agreed.setup.seed, link_transport::hash32(&words));
    assert!(agreed.fast, "21 dB both ways");
    let all = [
        "listening",
        "measuring",
        "picking",
        "picked",
        "going",
        "started",
    ];
    for phone in [&pair.host, &pair.guest] {
        let known = phone.phases.iter().all(|phase| all.contains(phase));
        assert!(
            known
                && phone
                    .phases
                    .is_sorted_by_key(|p| all.iter().position(|q| q == p))
        );
    }
}

#[test]
fn the_round_trip_is_measured_within_one_hold_unit_and_gives_the_delay() {
    for (plan, latency_ms, snr_db, expected) in [
        (Plan::High, 200, 21.0, (4, true)),
        (Plan::High, 250, 21.0, (5, true)),
        (Plan::High, 250, 9.0, (6, false)),
        (Plan::High, 350, 21.0, (6, true)),
        (Plan::Low, 400, 21.0, (7, true)),
        (Plan::Low, 478, 21.0, (8, true)),
        (Plan::Low, 478, 6.0, (8, false)),
    ] {
        let config = air(plan, latency_ms, Loss::None).with_snr_db([snr_db; 2]);
        let mut pair = Pair::new(config, choice(), latency_ms);
        assert!(pair.run_until(30_000, Pair::both_started));
        let agreed = pair.agreed();
        for phone in [&pair.host, &pair.guest] {
            let measured = phone.status().round_trip.expect("measured").as_micros() as u64;
            // A packet of 400 ms cannot arrive sooner than that after its start.
            let truth =
                2000 * latency_ms.max(link_transport::packet_ms(plan, Default::default()).into());
            assert!(
                (truth..=truth + 10_000).contains(&measured),
                "{plan:?}: {measured} µs measured, {truth} µs true"
            );
        }
        assert_eq!(
            (agreed.delay.ticks(), agreed.fast),
            expected,
            "{plan:?}, {latency_ms} ms"
        );
        let mode = if agreed.fast {
            link_transport::Mode::Fast
        } else {
            link_transport::Mode::Robust
        };
        let measured = pair.host.status().round_trip.expect("measured");
        assert_eq!(agreed.delay, input_delay(measured, plan, mode));
    }
}

#[test]
fn loss_delays_an_agreement_but_never_splits_it() {
    let bursts = Loss::GilbertElliott {
        to_bad: 0.05,
        to_good: 0.2,
        lost_in_good: 0.02,
        lost_in_bad: 0.9,
    };
    for loss in [
        Loss::None,
        Loss::Bernoulli(0.1),
        Loss::Bernoulli(0.3),
        Loss::Bernoulli(0.6),
        bursts,
    ] {
        for seed in 0..40 {
            for plan in [Plan::High, Plan::Low] {
                let mut pair = Pair::new(air(plan, 250, loss), choice(), seed);
                assert!(
                    pair.run_until(120_000, Pair::both_started),
                    "{loss:?} {plan:?} seed {seed}: {:?} {:?}",
                    pair.host.status(),
                    pair.guest.status()
                );
                pair.agreed();
            }
        }
    }
}

#[test]
fn clocks_that_start_anywhere_do_not_matter() {
    let config =
        AirConfig::default().with_clock_start([LinkTime::from_ms(0), LinkTime::from_ms(0)]);
    let (host_air, guest_air) = link_transport::PacketAir::pair(
        config.with_clock_start([
            LinkTime::from_ms(123_456),
            LinkTime::from_us(98_765_432_101),
        ]),
        5,
    );
    let mut host = Phone::new(
        versus_pairing::Entry::Host(choice()),
        Plan::High,
        host_air,
        10,
    );
    let mut guest = Phone::new(versus_pairing::Entry::Guest, Plan::High, guest_air, 11);
    for ms in (0..15_000).step_by(10) {
        host.pump(LinkTime::from_ms(123_456 + ms));
        guest.pump(LinkTime::from_us(98_765_432_101 + ms * 1000));
    }
    assert_eq!(
        host.agreed().expect("started").setup,
        guest.agreed().expect("started").setup
    );
    let measured = host.status().round_trip.expect("measured").as_millis();
    assert!((500..=510).contains(&measured), "{measured}");
}

#[test]
fn a_receiver_that_settles_late_still_gets_fast_and_a_poor_way_gets_robust() {
    let mut pair = Pair::new(AirConfig::default(), choice(), 3);
    pair.host.air.set_snr_db(6.0);
    pair.run_ms(1_500);
    pair.host.air.set_snr_db(21.0);
    assert!(pair.run_until(15_000, Pair::both_started));
    assert!(pair.agreed().fast);

    let mut pair = Pair::new(AirConfig::default(), choice(), 3);
    pair.guest.air.set_snr_db(11.0);
    assert!(pair.run_until(15_000, Pair::both_started));
    assert!(!pair.agreed().fast, "rxq 3 one way");
}

#[test]
fn a_fixed_starting_mode_needs_no_windows() {
    for (mode, fast) in [
        (link_transport::Mode::Robust, false),
        (link_transport::Mode::Fast, true),
    ] {
        let choice = choice().with_start_mode(StartMode::Fixed(mode));
        let mut pair = Pair::new(AirConfig::default(), choice, 8);
        assert!(pair.run_until(10_000, Pair::both_started));
        assert_eq!(pair.agreed().fast, fast);
    }
}

#[test]
fn a_player_who_does_not_pick_gets_the_first_opener_allowed_after_20_s() {
    let choice = choice().with_mutators(0b11);
    let mut pair = Pair::new(AirConfig::default(), choice, 4);
    pair.host.pick = None;
    pair.guest.pick = None;
    let picking = |pair: &Pair| matches!(pair.host.status().phase, PairingPhase::Picking { .. });
    assert!(pair.run_until(15_000, picking));
    let offered: Vec<_> = pair.host.pairing.openers().collect();
    assert_eq!(offered, [Some(1), Some(2)]);
    let since = pair.now_ms;
    assert_eq!(
        pair.host.pairing.next_wake(),
        Some(LinkTime::from_ms(since + 20_000))
    );
    assert!(!pair.run_until(19_980, |pair| !picking(pair)));
    assert!(pair.run_until(40, |pair| !picking(pair)));
    assert!(pair.run_until(10_000, Pair::both_started));
    let openers = PerSide {
        blue: Some(1),
        red: None,
    };
    assert_eq!(pair.agreed().setup.openers, openers);
}

#[test]
fn a_peer_that_reloads_at_any_moment_is_met_again() {
    for seed in 0..60 {
        let mut pair = Pair::new(air(Plan::High, 250, Loss::Bernoulli(0.1)), choice(), seed);
        pair.run_ms(100 * seed + 500);
        let reloading = if seed % 2 == 0 {
            &mut pair.guest
        } else {
            &mut pair.host
        };
        if reloading.agreed().is_some() {
            continue; // the match has begun: the stall overlay's Leave covers that
        }
        let nonce = reloading.nonces.draw();
        reloading
            .pairing
            .reset(LinkTime::from_ms(pair.now_ms), nonce);
        // The peer may have started on the GO it had already heard: that is the two generals' case.
        let alone = |pair: &Pair| pair.host.agreed().is_some() != pair.guest.agreed().is_some();
        let met = pair.run_until(60_000, Pair::both_started);
        if met {
            pair.agreed();
        } else {
            assert!(
                alone(&pair),
                "seed {seed}: {:?} {:?}",
                pair.host.status(),
                pair.guest.status()
            );
        }
    }
}

#[test]
fn two_phones_that_reload_within_one_latency_meet_again() {
    for apart_ms in (0..=600).step_by(20) {
        for host_first in [false, true] {
            let mut pair = Pair::new(AirConfig::default(), choice(), apart_ms);
            pair.run_ms(2_500);
            for host in [host_first, !host_first] {
                let phone = if host {
                    &mut pair.host
                } else {
                    &mut pair.guest
                };
                let nonce = phone.nonces.draw();
                phone.pairing.reset(LinkTime::from_ms(pair.now_ms), nonce);
                pair.run_ms(if host == host_first { apart_ms } else { 0 });
            }
            let met = pair.run_until(30_000, Pair::both_started);
            assert!(
                met,
                "{apart_ms} ms: {:?} {:?}",
                pair.host.status(),
                pair.guest.status()
            );
            pair.agreed();
        }
    }
}

#[test]
fn stale_repeated_and_reordered_frames_of_this_pairing_are_harmless() {
    for seed in 0..30 {
        let mut pair = Pair::new(AirConfig::default(), choice(), seed);
        let mut draw = Nonces::new(seed);
        while !pair.both_started() {
            pair.step();
            assert!(
                pair.now_ms < 60_000,
                "{:?} {:?}",
                pair.host.status(),
                pair.guest.status()
            );
            let now = pair.now();
            for phone in [&mut pair.host, &mut pair.guest] {
                if phone.heard.len() > 1 && draw.draw().is_multiple_of(8) {
                    let mut stale = phone.heard[usize::from(draw.draw()) % phone.heard.len()];
                    stale.at = now;
                    phone.pairing.handle_packet(now, &stale);
                }
            }
        }
        pair.agreed();
    }
}

#[test]
fn a_recording_of_another_pairing_completes_nothing_and_stops_nothing() {
    let mut recorded = Pair::new(AirConfig::default(), choice(), 100);
    recorded.run_ms(12_000);
    recorded.agreed();
    for seed in 0..10 {
        // Alone with the recording, over and over: never further than hearing somebody.
        let mut pair = Pair::new(air(Plan::High, 250, Loss::All), choice(), seed);
        let mut tape = recorded.host.heard.iter().cycle();
        while pair.now_ms < 40_000 {
            pair.run_ms(200);
            let mut packet = *tape.next().expect("a recording");
            packet.at = pair.now();
            pair.host.pairing.handle_packet(packet.at, &packet);
        }
        assert_eq!(pair.host.phases, ["listening", "measuring"]);
        assert_eq!(pair.host.status().round_trip, None);
        assert_eq!(pair.host.status().hint, Hint::None, "somebody is heard");
        // And with the peer there as well: they pair.
        let mut pair = Pair::new(AirConfig::default(), choice(), seed);
        while !pair.both_started() {
            pair.step();
            assert!(pair.now_ms < 30_000, "{:?}", pair.host.status());
            if pair.now_ms.is_multiple_of(200) {
                let mut packet = *tape.next().expect("a recording");
                packet.at = pair.now();
                pair.host.pairing.handle_packet(packet.at, &packet);
            }
        }
        pair.agreed();
    }
}

#[test]
fn a_random_map_travels_with_its_own_seed() {
    for biome in 0..5 {
        let map = MapChoice::Random {
            biome,
            seed: 0xFFFF_FFFF - u32::from(biome),
        };
        let mut pair = Pair::new(AirConfig::default(), choice().with_map(map), biome.into());
        assert!(pair.run_until(15_000, Pair::both_started));
        assert_eq!(pair.agreed().setup.map, map);
    }
}

#[test]
fn a_host_may_offer_a_delay_of_its_own_choice_and_it_survives_a_retry() {
    for ticks in InputDelay::MIN.ticks()..=InputDelay::MAX.ticks() {
        let delay = InputDelay::new(ticks as u8).unwrap();
        let mut pair = Pair::new(AirConfig::default(), choice(), 3);
        pair.host.pairing.force_delay(delay);
        pair.guest.pairing.force_delay(InputDelay::MIN);
        pair.run_ms(2_000);
        let now = pair.now();
        pair.host.pairing.reset(now, 0x7777);
        assert!(pair.run_until(30_000, Pair::both_started));
        assert_eq!(pair.agreed().delay, delay, "the guest's is never asked");
    }
}

#[test]
fn a_delay_forced_after_the_config_is_frozen_changes_nothing() {
    let mut pair = Pair::new(AirConfig::default(), choice(), 4);
    pair.guest.pick = None;
    assert!(pair.run_until(15_000, |pair| {
        matches!(pair.host.status().phase, PairingPhase::Picked)
    }));
    let measured = pair.host.status().config.unwrap().delay;
    pair.host.pairing.force_delay(InputDelay::MAX);
    pair.run_ms(3_000);
    assert_eq!(pair.host.status().config.unwrap().delay, measured);
    assert_ne!(measured, InputDelay::MAX);
}
