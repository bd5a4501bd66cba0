//! The session's rules one by one: routing, frames before the match, stalls and their reasons, modes.

mod common;

use common::*;
use link_transport::{AirConfig, LinkPacket, Loss, Mode, Plan};
use match_feed::{Side, Tick};
use std::time::Duration;
use versus_lockstep::{Leave, is_game_frame};
use versus_pairing::{LobbyFrame, PairingPhase, StartMode};
use versus_session::{
    BeginError, MatchEnd, ModePolicy, OrderError, Overlay, PeerEnded, SessionEvent, SessionPhase,
    Sync, Why,
};

fn fast() -> Setup {
    Setup {
        start_mode: StartMode::Fixed(Mode::Fast),
        ..Setup::default()
    }
}

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
fn a_slow_loader_is_waited_for_at_tick_d() {
    let mut pair = Pair::new(fast());
    pair.guest.load_ms = 9_000;
    let host_plays = |pair: &mut Pair| pair.statuses()[0].phase == SessionPhase::Playing;
    assert!(pair.run_until(30_000, host_plays));
    pair.run_ms(7_000);
    let [host, guest] = pair.statuses();
    assert_eq!(guest.phase, SessionPhase::Ready);
    let delay = host.delay.expect("agreed").ticks();
    assert_eq!(
        pair.host.session.tick(),
        Tick(delay),
        "turns 0 to D − 1 are empty on both sides"
    );
    let waiting = host.waiting.expect("stalled");
    assert_eq!((waiting.why, host.overlay), (Why::Load, Overlay::Loading));
    assert!(
        waiting.time > Duration::from_secs(5) && !host.menu_leave,
        "{waiting:?}"
    );
    assert_eq!(
        host.stalled_ticks, 1,
        "one tick waits, however often it is asked for"
    );
    pair.host.length = 200;
    pair.run_ms(20_000);
    assert!(pair.assert_same_worlds() > 100);
    let waited = pair.statuses()[0].stall;
    assert!(
        (Duration::from_secs(7)..Duration::from_secs(10)).contains(&waited),
        "{waited:?}"
    );
    let events = &pair.host.events;
    let first = events
        .iter()
        .find(|event| matches!(event, SessionEvent::Waiting(_)));
    assert_eq!(first, Some(&SessionEvent::Waiting(Some(Why::Load))));
    assert!(events.contains(&SessionEvent::Waiting(None)));
}

/// Issue rule: a tick held stalled for 3 s at 60 calls a second seals once and drains input once.
#[test]
fn a_stalled_tick_drains_input_once_and_seals_once() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(5_000);
    for phone in pair.phones() {
        phone.session.transport_mut().end.set_loss(Loss::All);
    }
    pair.run_ms(1_500);
    let before = pair.statuses()[0].lockstep.expect("plays");
    assert!(before.stalled);
    let asked = pair.host.hashes.len();
    pair.run_ms(3_000);
    let after = pair.statuses()[0].lockstep.expect("plays");
    assert_eq!(after.newest_sealed, before.newest_sealed);
    assert_eq!(after.tick, before.tick);
    assert_eq!(
        pair.host.hashes.len(),
        asked,
        "the harness counts each time input is drained"
    );
    assert_eq!(pair.host.session.permille(), 999, "the pose is held");
}

#[test]
fn a_stall_by_the_link_is_named_and_offers_the_ways_out_in_time() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(3_000);
    assert!(pair.statuses()[0].resign_and_leave, "packets arrive");
    for phone in pair.phones() {
        phone.session.transport_mut().end.set_loss(Loss::All);
    }
    let stalled = |pair: &mut Pair| pair.statuses()[0].waiting.is_some();
    assert!(pair.run_until(3_000, stalled));
    let mut seen = Vec::new();
    let mut said = |pair: &Pair| {
        let status = &pair.statuses()[0];
        let entry = (status.overlay, status.menu_leave, status.overlay_leave);
        if seen.last().is_none_or(|(_, last)| *last != entry) {
            seen.push((
                status.waiting.expect("stalled").time.as_millis() / 100,
                entry,
            ));
        }
        assert_eq!(status.waiting.expect("stalled").why, Why::Link);
    };
    for _ in 0..2_200 {
        pair.frame();
        said(&pair);
    }
    let entries: Vec<_> = seen.iter().map(|(_, entry)| *entry).collect();
    let late = entries.len() - 3;
    assert_eq!(
        entries[late..],
        [
            (Overlay::Waiting, false, false),
            (Overlay::SignalLost, true, false),
            (Overlay::SignalLost, true, true)
        ]
    );
    assert_eq!(
        [seen[late + 1].0, seen[late + 2].0],
        [50, 300],
        "5 s and 30 s"
    );
    assert!(!pair.statuses()[0].resign_and_leave, "nothing arrives");
    assert_eq!(pair.statuses()[0].rxq, 0, "stale");
}

#[test]
fn a_pause_is_told_and_its_end_does_not_flash_signal_lost() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(4_000);
    let now = pair.guest.now(pair.air_us);
    pair.guest.session.set_paused(now, true);
    pair.run_ms(10_000);
    let host = &pair.statuses()[0];
    assert_eq!(host.waiting.expect("stalled").why, Why::Paused);
    assert_eq!(host.overlay, Overlay::FriendPaused);
    let guest = &pair.statuses()[1];
    assert_eq!(guest.waiting, None, "the pausing phone waits for nobody");
    let (sealed, tick) = guest
        .lockstep
        .map(|l| (l.newest_sealed, l.tick))
        .expect("plays");
    pair.run_ms(5_000);
    let later = pair.statuses()[1].lockstep.expect("plays");
    assert_eq!(
        (later.newest_sealed, later.tick),
        (sealed, tick),
        "nothing sealed while paused"
    );
    let now = pair.guest.now(pair.air_us);
    pair.guest.session.set_paused(now, false);
    let mut overlays = Vec::new();
    for _ in 0..200 {
        pair.frame();
        let overlay = pair.statuses()[0].overlay;
        if overlays.last() != Some(&overlay) {
            overlays.push(overlay);
        }
    }
    assert!(!overlays.contains(&Overlay::SignalLost), "{overlays:?}");
    assert_eq!(overlays.last(), Some(&Overlay::None));
    pair.run_ms(5_000);
    pair.assert_same_worlds();
}

#[test]
fn a_reason_is_believed_for_two_and_a_half_seconds() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(4_000);
    let now = pair.guest.now(pair.air_us);
    pair.guest.session.set_paused(now, true);
    pair.run_ms(3_000);
    pair.guest.session.transport_mut().end.set_loss(Loss::All);
    let why = |pair: &Pair| pair.statuses()[0].waiting.expect("stalled").why;
    pair.run_ms(2_400);
    assert_eq!(why(&pair), Why::Paused);
    pair.run_ms(500);
    assert_eq!(why(&pair), Why::Link, "the last packet is 2.5 s old");
}

#[test]
fn a_phone_that_pauses_while_it_waits_waits_no_more() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.guest.session.transport_mut().end.set_loss(Loss::All);
    let stalled = |pair: &mut Pair| pair.statuses()[0].waiting.is_some();
    assert!(pair.run_until(5_000, stalled));
    let now = pair.host.now(pair.air_us);
    pair.host.session.set_paused(now, true);
    let before = pair.statuses()[0].stall;
    pair.run_ms(2_000);
    let status = &pair.statuses()[0];
    assert_eq!(
        (status.waiting, status.overlay, status.stall),
        (None, Overlay::None, before)
    );
}

#[test]
fn a_friend_that_gives_up_on_this_phone_makes_it_start_over_under_a_fresh_nonce() {
    let mut pair = Pair::new(fast());
    let met = |pair: &mut Pair| pair.statuses()[0].pairing.friend_hears_me;
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
    // The friend, whose nonce is retired now, proves that it hears the new one, and they pair.
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
fn what_was_heard_of_one_pairing_says_nothing_in_the_next() {
    let mut pair = Pair::new(fast());
    pair.host.load_ms = 60_000;
    pair.guest.load_ms = 60_000;
    let both_ready = |pair: &mut Pair| {
        pair.statuses()
            .iter()
            .all(|s| s.phase == SessionPhase::Ready)
    };
    host_leaves(&mut pair, Leave::Left, both_ready);
    assert_eq!(pair.statuses()[1].peer_ended, Some(PeerEnded::Left));
    let end_frame = pair
        .guest
        .session
        .transport()
        .heard
        .iter()
        .rev()
        .find(|p| p.session);
    let end_frame = *end_frame.expect("it was told");
    let now = pair.guest.now(pair.air_us);
    pair.guest.session.retry(now);
    pair.run_ms(100);
    assert_eq!(pair.statuses()[1].peer_ended, None);
    // Nor does a game frame before this phone's GO, whatever key it came under.
    pair.guest
        .session
        .transport_mut()
        .injected
        .push_back(end_frame);
    pair.run_ms(100);
    assert_eq!(pair.statuses()[1].peer_ended, None);
}

#[test]
fn go_goes_out_in_the_lobbys_mode_and_the_match_begins_in_its_own() {
    let mut pair = Pair::new(fast());
    pair.guest.load_ms = 3_000;
    pair.host.load_ms = 3_000;
    let ready = |pair: &mut Pair| {
        pair.statuses()
            .iter()
            .all(|s| s.phase == SessionPhase::Ready)
    };
    assert!(pair.run_until(30_000, ready));
    pair.run_ms(2_000);
    for status in pair.statuses() {
        assert_eq!(
            (status.mode, status.link.tx_mode),
            (Mode::Robust, Mode::Robust)
        );
        assert_eq!(status.phase, SessionPhase::Ready);
    }
    pair.begin();
    pair.run_ms(500);
    for status in pair.statuses() {
        assert_eq!((status.mode, status.link.tx_mode), (Mode::Fast, Mode::Fast));
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
            assert_eq!(frame.keyed, is_game_frame(frame.bits.as_bitslice()));
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
        pair.statuses()[0].friend_in_lobby,
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
fn a_friend_that_missed_this_phones_go_starts_on_its_game_frames() {
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
fn a_poor_direction_goes_robust_alone_and_comes_back() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(4_000);
    // The guest hears the host at 4 dB: rxq 1.
    pair.guest.session.transport_mut().end.set_snr_db(4.0);
    pair.run_ms(4_000);
    let modes = |pair: &Pair| pair.statuses().map(|status| status.link.tx_mode);
    assert_eq!(modes(&pair), [Mode::Robust, Mode::Fast]);
    assert!(pair.host.events.contains(&SessionEvent::Mode(Mode::Robust)));
    pair.guest.session.transport_mut().end.set_snr_db(13.0);
    pair.run_ms(8_000);
    assert_eq!(modes(&pair), [Mode::Robust, Mode::Fast], "not before 10 s");
    pair.run_ms(4_000);
    assert_eq!(modes(&pair), [Mode::Fast, Mode::Fast]);
    pair.assert_same_worlds();
}

#[test]
fn a_direction_that_loses_everything_goes_robust_by_the_missing_acknowledgements() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(4_000);
    pair.host.session.transport_mut().end.set_loss(Loss::All);
    pair.run_ms(5_000);
    // The guest's frames arrive and acknowledge nothing new: the host falls back. The guest hears nothing, so no rule
    // of its own applies.
    let modes = pair.statuses().map(|status| status.link.tx_mode);
    assert_eq!(modes, [Mode::Robust, Mode::Fast]);
}

#[test]
fn a_kept_mode_stays_whatever_is_heard() {
    let mut pair = Pair::new(Setup {
        modes: ModePolicy::Keep,
        ..fast()
    });
    pair.begin();
    pair.guest.session.transport_mut().end.set_snr_db(1.0);
    pair.run_ms(15_000);
    assert_eq!(pair.statuses()[0].link.tx_mode, Mode::Fast);
}

#[test]
fn receive_quality_is_a_third_of_the_decibels_and_goes_stale_after_a_second() {
    for (snr_db, rxq) in [
        (-3.0, 0),
        (2.9, 0),
        (3.0, 1),
        (11.9, 3),
        (12.0, 4),
        (20.9, 6),
        (60.0, 7),
    ] {
        let mut pair = Pair::new(Setup {
            air: AirConfig {
                snr_db: [snr_db; 2],
                ..AirConfig::default()
            },
            ..fast()
        });
        pair.run_ms(2_000);
        assert_eq!(pair.statuses()[0].rxq, rxq, "{snr_db} dB");
        pair.guest.session.transport_mut().end.set_loss(Loss::All);
        pair.run_ms(1_600);
        assert_eq!(pair.statuses()[0].rxq, 0, "stale");
    }
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
    let setup = match_feed::MatchSetup {
        map: match_feed::MapChoice::BuiltIn(0),
        mutators: 0,
        seed: 0,
        openers: match_feed::PerSide::default(),
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
fn leaving_the_lobby_says_nothing_and_closes_at_once() {
    let mut pair = Pair::new(fast());
    pair.run_ms(1_500);
    let now = pair.host.now(pair.air_us);
    pair.host.session.leave(now, Leave::Left);
    assert!(pair.host.session.closable(now));
    pair.host.session.close();
    assert_eq!(pair.host.session.status(now).phase, SessionPhase::Closed);
    pair.run_ms(1_000);
    assert_ne!(pair.statuses()[1].pairing.phase, PairingPhase::Started);
}

/// Leaves as the host once `when` holds, and gives the guest's status when the host may close.
fn host_leaves(pair: &mut Pair, leave: Leave, when: fn(&mut Pair) -> bool) {
    assert!(pair.run_until(40_000, when), "{:#?}", pair.statuses());
    let left_us = pair.air_us;
    let now = pair.host.now(pair.air_us);
    pair.host.session.leave(now, leave);
    assert_eq!(pair.statuses()[0].phase, SessionPhase::Leaving);
    pair.run_ms(1_000);
    let now = pair.host.now(pair.air_us);
    pair.host.session.leave(now, leave); // saying it again takes no longer
    let closable = |pair: &mut Pair| pair.statuses()[0].closable;
    assert!(pair.run_until(10_000, closable));
    let said_for = pair.air_us - left_us;
    assert!((2_000_000..2_100_000).contains(&said_for), "{said_for} µs");
    pair.host.session.close();
    assert_eq!(pair.statuses()[0].phase, SessionPhase::Closed);
    pair.host.awake = false;
}

#[test]
fn leaving_between_go_and_the_match_ends_a_friend_that_plays() {
    let mut pair = Pair::new(fast());
    pair.host.load_ms = 60_000;
    let guest_plays = |pair: &mut Pair| {
        let [host, guest] = pair.statuses();
        host.phase == SessionPhase::Ready && guest.phase == SessionPhase::Playing
    };
    host_leaves(&mut pair, Leave::Left, guest_plays);
    pair.run_ms(1_000);
    assert_eq!(pair.ends()[1], Some(MatchEnd::FriendLeft));
}

#[test]
fn leaving_between_go_and_the_match_is_told_to_a_friend_that_loads() {
    for (leave, told, end) in [
        (Leave::Left, PeerEnded::Left, MatchEnd::FriendLeft),
        (
            Leave::Desync,
            PeerEnded::Ended,
            MatchEnd::Desync { tick: Tick(0) },
        ),
    ] {
        let mut pair = Pair::new(fast());
        pair.host.load_ms = 60_000;
        pair.guest.load_ms = 5_000;
        let both_ready = |pair: &mut Pair| {
            pair.statuses()
                .iter()
                .all(|s| s.phase == SessionPhase::Ready)
        };
        host_leaves(&mut pair, leave, both_ready);
        assert_eq!(pair.statuses()[1].peer_ended, Some(told));
        assert_eq!(pair.statuses()[1].phase, SessionPhase::Ready);
        let now = pair.guest.now(pair.air_us);
        assert!(pair.guest.session.status(now).end.is_none());
        pair.run_ms(6_000);
        assert_eq!(
            pair.ends()[1],
            Some(end),
            "the kept frame ends the match as it begins"
        );
        assert_eq!(pair.guest.session.tick(), Tick(0));
    }
}

#[test]
fn leaving_in_play_ends_the_friends_match_at_once() {
    for (leave, own, theirs) in [
        (Leave::Left, MatchEnd::Left, "left"),
        (Leave::Desync, MatchEnd::Desync { tick: Tick(0) }, "desync"),
    ] {
        let mut pair = Pair::new(fast());
        host_leaves(&mut pair, leave, |pair| pair.host.session.tick() > Tick(50));
        let [host, guest] = pair.ends().map(|end| end.expect("ended"));
        assert_eq!(std::mem::discriminant(&host), std::mem::discriminant(&own));
        match (theirs, guest) {
            ("left", MatchEnd::FriendLeft) | ("desync", MatchEnd::Desync { .. }) => {}
            _ => panic!("{theirs}: {guest:?}"),
        }
        assert_eq!(host.score(Side::Blue), own.score(Side::Blue));
        assert!(
            pair.guest
                .session
                .record()
                .expect("played")
                .end
                .outcome
                .is_none()
        );
        let tick = pair.guest.session.tick();
        pair.run_ms(2_000);
        assert_eq!(
            pair.guest.session.tick(),
            tick,
            "nothing is stepped after the end"
        );
    }
}

#[test]
fn leaving_a_decided_match_keeps_the_end_report_on_the_air() {
    let mut pair = Pair::new(Setup {
        length: 100,
        ..fast()
    });
    host_leaves(&mut pair, Leave::Left, |pair| {
        pair.host.session.tick() >= Tick(100)
    });
    let ends = pair.finish(5_000);
    assert!(
        matches!(
            ends[1],
            MatchEnd::Decided {
                sync: Sync::InSync,
                ..
            }
        ),
        "{ends:?}"
    );
}

#[test]
fn a_friend_gone_before_its_report_leaves_the_match_not_verified() {
    let mut pair = Pair::new(Setup {
        length: 100,
        ..fast()
    });
    // The host decides 100 ticks in; its reports are lost.
    let near = |pair: &mut Pair| pair.guest.session.tick() >= Tick(96);
    assert!(pair.run_until(60_000, near));
    let both_decided = |pair: &mut Pair| {
        if pair.host.session.tick() >= Tick(100) {
            pair.host.session.transport_mut().end.set_loss(Loss::All);
        }
        pair.ends().iter().all(Option::is_some)
    };
    assert!(
        pair.run_until(10_000, both_decided),
        "{:#?}",
        pair.statuses()
    );
    pair.host.awake = false;
    pair.run_ms(11_000);
    let end = pair.ends()[1].expect("decided");
    let known = matches!(
        end,
        MatchEnd::Decided {
            sync: Sync::NotVerified | Sync::InSync,
            ..
        }
    );
    assert!(known, "{end:?}");
}

#[test]
fn events_are_bounded_for_a_host_that_never_asks() {
    let mut pair = Pair::new(Setup {
        air: AirConfig {
            plan: Plan::High,
            loss: [Loss::Bernoulli(0.5); 2],
            ..AirConfig::default()
        },
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

#[test]
fn a_host_that_sleeps_until_the_next_wake_plays_as_one_that_does_not() {
    let mut pair = Pair::new(fast());
    pair.begin();
    let before = pair.host.session.tick();
    let until_us = pair.air_us + 20_000_000;
    let mut calls = 0;
    while pair.air_us < until_us {
        // The nearer of both phones' wakes, and no later than half a packet for the link's sake.
        let mut next_us = pair.air_us + 50_000;
        for phone in [&pair.host, &pair.guest] {
            if let Some(wake) = phone.session.next_wake() {
                let wake_us = wake.as_us() - phone.clock_start.as_us();
                next_us = next_us.min(wake_us.max(pair.air_us + 1));
            }
        }
        pair.air_us = next_us;
        calls += 1;
        for phone in [&mut pair.host, &mut pair.guest] {
            phone.frame(next_us);
        }
    }
    let ticks = pair.host.session.tick().0 - before.0;
    assert!((198..=202).contains(&ticks), "{ticks} ticks in 20 s");
    assert!(calls < 1_200, "{calls} calls");
    assert!(pair.assert_same_worlds() > 190);
}
