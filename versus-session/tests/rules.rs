//! Routing, frames before the match, retries and refusals: the session's rules one by one.

mod common;

use common::*;
use link_transport::{AirConfig, LinkPacket, Loss, Plan};
use match_feed::duel::InputDelay;
use versus_lockstep::{GamePeek, Leave};
use versus_pairing::{LobbyFrame, PairingPhase};
use versus_session::{BeginError, MatchEnd, OrderError, SessionEvent, SessionPhase, Sync};

#[test]
fn a_build_mismatch_is_refused_by_both() {
    let mut pair = Pair::new(Setup {
        builds: [BUILD, BUILD + 1],
        ..Setup::default()
    });
    pair.run_ms(20_000);
    for (status, own) in pair.statuses().into_iter().zip([BUILD, BUILD + 1]) {
        let PairingPhase::OtherVersion(mismatch) = status.pairing.phase else {
            panic!("{:?}", status.pairing);
        };
        assert_eq!(mismatch.own.build, own);
        assert_eq!(
            mismatch.age(),
            std::cmp::Ordering::Equal,
            "one protocol, two builds"
        );
    }
    assert_eq!(pair.host.session.agreed(), None);
}

#[test]
fn a_peer_that_gives_up_on_this_phone_makes_it_start_over_under_a_fresh_nonce() {
    let mut pair = Pair::new(fast());
    let met = |pair: &mut Pair| pair.statuses()[0].pairing.peer_hears_me;
    assert!(pair.run_until(10_000, met));
    let before = pair.statuses()[0].pairing.nonce;
    let heard = pair
        .host
        .session
        .transport()
        .heard
        .last()
        .copied()
        .expect("met");
    let frame = LobbyFrame::decode(heard.bits.as_bitslice()).expect("a lobby frame");
    let give_up = LobbyFrame {
        nonce: 0,
        heard: before,
        ..frame
    };
    let packet = LinkPacket {
        bits: give_up.encode().resized(188),
        ..heard
    };
    pair.host.session.transport_mut().injected.push_back(packet);
    pair.frame();
    let after = pair.statuses()[0].pairing.nonce;
    assert!(after != before && after != 0);
    // The peer, whose nonce is retired now, proves that it hears the new one, and they pair.
    pair.begin();
    assert_eq!(
        pair.host.session.agreed().expect("plays").key.host_nonce,
        after
    );
}

#[test]
fn a_retry_is_on_the_link_at_once() {
    let mut pair = Pair::new(fast());
    pair.run_ms(1_000);
    let now = pair.host.now(pair.air_us);
    pair.host.session.retry(now);
    let nonce = pair.host.session.status(now).pairing.nonce;
    let sent = pair.host.session.transport().sent.last().expect("sent")[0];
    let frame = LobbyFrame::decode(sent.bits.as_bitslice()).expect("a lobby frame");
    assert_eq!((frame.nonce, frame.heard), (nonce, 0));
}

#[test]
fn a_forced_delay_is_what_is_played_whatever_the_round_trip_also_after_a_retry() {
    for (delay, retried) in [(InputDelay::MIN, false), (InputDelay::MAX, true)] {
        let mut pair = Pair::new(fast());
        pair.host.session.force_delay(delay);
        if retried {
            pair.run_ms(1_000);
            let now = pair.host.now(pair.air_us);
            pair.host.session.retry(now);
        }
        pair.begin();
        pair.run_ms(2_000);
        for status in pair.statuses() {
            let played = status.lockstep.expect("plays");
            assert_eq!((status.delay, played.delay), (Some(delay), delay));
            assert!(played.newest_sealed <= played.tick.0 + delay.ticks());
        }
        pair.assert_same_worlds();
    }
}

#[test]
fn game_frames_go_out_under_the_session_key_and_lobby_frames_under_none() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(3_000);
    for phone in pair.phones() {
        let link = phone.session.transport();
        assert_eq!(link.keys.len(), 1);
        for frame in link.sent.iter().flatten() {
            assert_eq!(
                frame.keyed,
                GamePeek::of(frame.bits.as_bitslice()).is_some()
            );
        }
        let firsts: Vec<bool> = link.sent.iter().map(|list| list[0].keyed).collect();
        assert!(firsts.is_sorted(), "lobby frames, then game frames");
        let last_lobby = link
            .sent
            .iter()
            .rev()
            .find(|list| !list[0].keyed)
            .expect("a lobby");
        let frame = LobbyFrame::decode(last_lobby[0].bits.as_bitslice()).expect("legal");
        assert!(
            frame.go.is_some(),
            "GO stays on the air until the first game frame"
        );
    }
}

#[test]
fn keyed_lobby_frames_and_unkeyed_game_frames_are_nobodys() {
    let mut pair = Pair::new(fast());
    let mut other = Pair::new(Setup { seed: 77, ..fast() });
    other.begin();
    other.run_ms(2_000);
    // Alone with frames of the wrong kind, the host hears nobody.
    pair.guest.awake = false;
    for packet in other.host.session.transport().heard.iter() {
        let wrong = LinkPacket {
            session: !packet.session,
            ..*packet
        };
        pair.host.session.transport_mut().injected.push_back(wrong);
        pair.frame();
    }
    assert_eq!(pair.statuses()[0].pairing.peer, None);
    assert_eq!(pair.statuses()[0].phase, SessionPhase::Lobby);
    // In a match, they change nothing either.
    pair.guest.awake = true;
    pair.begin();
    let refused = pair.statuses()[0].frames_refused;
    for packet in other.host.session.transport().heard.iter() {
        let wrong = LinkPacket {
            session: false,
            ..*packet
        };
        pair.host.session.transport_mut().injected.push_back(wrong);
        pair.frame();
    }
    assert_eq!(pair.statuses()[0].frames_refused, refused);
    pair.run_ms(2_000);
    assert!(pair.assert_same_worlds() > 15);
}

#[test]
fn a_recording_of_another_session_neither_pairs_nor_disturbs() {
    let mut recorded = Pair::new(Setup {
        seed: 500,
        ..fast()
    });
    recorded.begin();
    recorded.run_ms(10_000);
    let tape: Vec<_> = recorded.host.session.transport().heard.clone();
    let mut pair = Pair::new(Setup {
        length: 600,
        ..fast()
    });
    // A modem checks a recorded game frame under this match's key: it fails its CRC and is never delivered. What a
    // receiver does deliver of a recording is its lobby frames.
    let mut tape = tape.iter().filter(|packet| !packet.session).cycle();
    let mut frames = 0;
    let done = |pair: &mut Pair| {
        frames += 1;
        if frames % 12 == 0 {
            let packet = *tape.next().expect("lobby frames");
            pair.host.session.transport_mut().injected.push_back(packet);
        }
        pair.ends().iter().all(|end| {
            matches!(
                end,
                Some(MatchEnd::Decided {
                    sync: Sync::InSync,
                    ..
                })
            )
        })
    };
    assert!(pair.run_until(120_000, done), "{:#?}", pair.statuses());
    assert_eq!(pair.assert_same_worlds(), 600);
    pair.assert_equal_records();
    assert!(
        pair.statuses()[0].peer_in_lobby,
        "a hello heard over the report offers a rematch"
    );
}

#[test]
fn game_frames_of_another_match_never_arrive_under_this_key() {
    let mut pair = Pair::new(fast());
    let mut other = Pair::new(Setup { seed: 9, ..fast() });
    pair.begin();
    other.begin();
    let keys = [&pair, &other].map(|pair| pair.host.session.transport().keys[0]);
    assert_ne!(keys[0], keys[1]);
    for role in [link_transport::Role::Host, link_transport::Role::Guest] {
        assert_ne!(keys[0].crc_start(role), keys[1].crc_start(role));
    }
}

#[test]
fn a_peer_that_missed_this_phones_go_starts_on_its_game_frames() {
    let mut pair = Pair::new(fast());
    pair.guest.load_ms = 60_000;
    let host_going = |pair: &mut Pair| pair.host.session.pairing().session_key().is_some();
    assert!(pair.run_until(30_000, host_going));
    // Everything the host sends is lost from here until it plays.
    pair.host.session.transport_mut().end.set_loss(Loss::All);
    let host_plays = |pair: &mut Pair| pair.statuses()[0].phase == SessionPhase::Playing;
    if !pair.run_until(5_000, host_plays) {
        // The guest was not going yet: it has to hear the host's pick first.
        pair.host.session.transport_mut().end.set_loss(Loss::None);
        let guest_going = |pair: &mut Pair| pair.guest.session.pairing().session_key().is_some();
        assert!(pair.run_until(10_000, guest_going));
        pair.host.session.transport_mut().end.set_loss(Loss::All);
        assert!(pair.run_until(10_000, host_plays));
    }
    pair.host.session.transport_mut().end.set_loss(Loss::None);
    let guest_ready = |pair: &mut Pair| pair.statuses()[1].phase == SessionPhase::Ready;
    assert!(
        pair.run_until(5_000, guest_ready),
        "{:#?}",
        pair.statuses()[1].pairing
    );
}

#[test]
fn calls_out_of_order_are_refused_by_name() {
    let mut pair = Pair::new(fast());
    let now = pair.host.now(0);
    let session = &mut pair.host.session;
    assert_eq!(
        session.give(now, command(&[1])),
        Err(OrderError::NotPlaying)
    );
    assert_eq!(session.step(now), None);
    assert_eq!(session.record(), None);
    assert!(!session.closable(now));
    let setup = match_feed::duel::MatchSetup {
        map: match_feed::duel::MapChoice::BuiltIn(0),
        mutators: 0,
        seed: 0,
        openers: match_feed::duel::PerSide::default(),
    };
    let begin = |session: &mut ToySession, now| {
        session.begin_match(now, Toy::new(&setup, 9), versus_codec::OpaqueCodec)
    };
    assert_eq!(begin(session, now), Err(BeginError::NotAgreed));
    pair.begin();
    let now = pair.host.now(pair.air_us);
    let tick = pair.host.session.tick();
    assert_eq!(
        begin(&mut pair.host.session, now),
        Err(BeginError::Begun { tick })
    );
}

#[test]
fn events_are_bounded_for_a_host_that_never_asks() {
    let mut pair = Pair::new(Setup {
        air: AirConfig::default()
            .with_plan(Plan::High)
            .with_loss([Loss::Bernoulli(0.5); 2]),
        ..fast()
    });
    pair.begin();
    for _ in 0..6_000 {
        pair.air_us += FRAME_US;
        for phone in [&mut pair.host, &mut pair.guest] {
            let now = phone.now(pair.air_us);
            phone.session.pump(now);
            phone.session.run(now, |_, _, _| {});
        }
    }
    let now = pair.host.now(pair.air_us);
    pair.host.session.leave(now, Leave::Left);
    let events: Vec<_> = std::iter::from_fn(|| pair.host.session.poll_event()).collect();
    assert!((3..=32).contains(&events.len()), "{events:?}");
    let newest = &events[events.len() - 2..];
    let left = SessionEvent::End(MatchEnd::Left);
    assert!(
        newest.contains(&left) && newest.contains(&SessionEvent::Phase(SessionPhase::Leaving)),
        "{newest:?}"
    );
}

#[test]
fn a_match_out_of_sync_can_be_explained() {
    let mut pair = Pair::new(Setup {
        length: 300,
        ..fast()
    });
    let now = pair.host.now(0);
    assert_eq!(pair.host.session.debug_info(now), None);
    pair.host.fault = Some(60);
    pair.finish(60_000);
    let key = *pair.host.session.transport().keys.last().expect("a key");
    for phone in [&pair.host, &pair.guest] {
        let info = phone
            .session
            .debug_info(phone.now(pair.air_us))
            .expect("a match was played");
        for part in [
            "game toy",
            "Desync",
            "hash 0 ",
            "turn ",
            &format!("{key:?}"),
            "trail",
        ] {
            assert!(info.contains(part), "{part}: {info}");
        }
    }
}
