//! Leaving, from every phase, and what the peer makes of it.

mod common;

use common::*;
use link_transport::{FrameBits, LinkPacket, Loss};
use match_feed::{Tick, duel::Side};
use versus_lockstep::Leave;
use versus_pairing::PairingPhase;
use versus_session::{MatchEnd, PeerEnded, SessionPhase, Sync};

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
fn leaving_between_go_and_the_match_ends_a_peer_that_plays() {
    let mut pair = Pair::new(fast());
    pair.host.load_ms = 60_000;
    let guest_plays = |pair: &mut Pair| {
        let [host, guest] = pair.statuses();
        host.phase == SessionPhase::Ready && guest.phase == SessionPhase::Playing
    };
    host_leaves(&mut pair, Leave::Left, guest_plays);
    pair.run_ms(1_000);
    assert_eq!(pair.ends()[1], Some(MatchEnd::PeerLeft));
}

#[test]
fn leaving_between_go_and_the_match_is_told_to_a_peer_that_loads() {
    for (leave, told, end) in [
        (Leave::Left, PeerEnded::Left, MatchEnd::PeerLeft),
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
fn leaving_in_play_ends_the_peers_match_at_once() {
    for (leave, own, theirs) in [
        (Leave::Left, MatchEnd::Left, "left"),
        (Leave::Desync, MatchEnd::Desync { tick: Tick(0) }, "desync"),
    ] {
        let mut pair = Pair::new(fast());
        host_leaves(&mut pair, leave, |pair| pair.host.session.tick() > Tick(50));
        let [host, guest] = pair.ends().map(|end| end.expect("ended"));
        assert_eq!(std::mem::discriminant(&host), std::mem::discriminant(&own));
        match (theirs, guest) {
            ("left", MatchEnd::PeerLeft) | ("desync", MatchEnd::Desync { .. }) => {}
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
fn a_peer_gone_before_its_report_leaves_the_match_not_verified() {
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

/// A peer that took its result and left sends nothing but frames that say so, and plays with nobody.
#[test]
fn a_game_frame_under_the_key_starts_a_phone_only_if_it_says_no_end() {
    for end in 0..4_u8 {
        let mut pair = Pair::new(fast());
        let going = |phone: &Phone| phone.session.pairing().session_key().is_some();
        assert!(pair.run_until(30_000, |pair| pair.phones().iter().any(|p| going(p))));
        // Whichever goes first hears nothing of the other's GO.
        let first = usize::from(!going(&pair.host));
        assert!(
            !going(pair.phones()[1 - first]),
            "the other does not go yet"
        );
        let [phone, other] = match (&mut pair.host, &mut pair.guest) {
            phones if first == 0 => [phones.0, phones.1],
            phones => [phones.1, phones.0],
        };
        other.session.transport_mut().end.set_loss(Loss::All);
        other.awake = false;
        let heard = *phone.session.transport().heard.last().expect("it pairs");
        pair.run_ms(1_000);
        assert_eq!(pair.statuses()[first].phase, SessionPhase::Lobby);
        let bits = [0b0100_0000 | end << 3; 24];
        let said = LinkPacket {
            bits: FrameBits::from_bytes(&bits, heard.bits.len()),
            session: true,
            ..heard
        };
        let link = pair.phones()[first].session.transport_mut();
        link.injected.push_back(said);
        pair.run_ms(100);
        let status = &pair.statuses()[first];
        let (phase, told) = match end {
            0 => (SessionPhase::Ready, None),
            1 => (SessionPhase::Lobby, Some(PeerEnded::Left)),
            _ => (SessionPhase::Lobby, Some(PeerEnded::Ended)),
        };
        assert_eq!(
            (status.phase, status.peer_ended),
            (phase, told),
            "end = {end}"
        );
    }
}
