//! Whom a phone pairs with, and whom it does not: new nonces, give-ups, other versions, other roles.

mod common;
#[path = "common/desk.rs"]
mod desk;

use common::*;
use desk::*;
use link_transport::Role;
use versus_pairing::{HeardLobby, Hint, LobbyFrame, LobbyHead, PROTO, PairingPhase};

#[test]
fn only_the_phone_named_by_a_give_up_restarts() {
    let give_up = |heard| LobbyFrame {
        nonce: 0,
        heard,
        ..hello(Role::Host, PEER)
    };
    let (mut desk, _) = Desk::picked();
    for heard in [0, PEER, THIRD] {
        desk.hear(give_up(heard));
        assert_eq!(desk.phase(), PairingPhase::Picked, "{heard}");
    }
    desk.hear(give_up(OWN));
    assert_eq!(desk.phase(), PairingPhase::NeedsNonce);
    assert_eq!(
        desk.pairing.poll_frame(desk.now()),
        None,
        "nothing to say under a dead nonce"
    );
    let fresh = other_nonce(&[OWN, PEER]);
    desk.pairing.reset(desk.now(), fresh);
    // Copies of the give-up name a nonce no longer in use, and the old peer is retired.
    desk.hear(give_up(OWN));
    desk.hear(hello(Role::Host, PEER));
    assert_eq!(desk.phase(), PairingPhase::Listening);
    // It is met again only by proof that it hears the new nonce, three packets long.
    let proof = LobbyFrame {
        heard: fresh,
        ..hello(Role::Host, PEER)
    };
    for packets in 1..=3 {
        desk.hear(proof);
        assert_eq!(desk.phase() == PairingPhase::Measuring, packets == 3);
    }
}

#[test]
fn a_retired_nonce_is_met_again_by_a_phone_that_was_alone_for_two_seconds() {
    let (mut desk, _) = Desk::picked();
    desk.hear(LobbyFrame {
        nonce: 0,
        ..hello(Role::Host, PEER)
    });
    desk.pairing.reset(desk.now(), other_nonce(&[OWN, PEER]));
    for _ in 0..9 {
        desk.wait(200);
        desk.hear(hello(Role::Host, PEER));
        assert_eq!(desk.phase(), PairingPhase::Listening);
    }
    // Still there: it was damage that named this phone, and it still hears the old nonce.
    desk.wait(200);
    desk.hear(hello(Role::Host, PEER));
    assert_eq!(desk.phase(), PairingPhase::Measuring);
}

#[test]
fn the_started_phone_ignores_give_ups_and_newcomers() {
    let (mut desk, go) = Desk::picked();
    desk.turn(LobbyFrame { go: None, ..go });
    desk.hear(go);
    let agreed = *desk.pairing.agreed().expect("started");
    let give_up = LobbyFrame {
        nonce: 0,
        ..hello(Role::Host, PEER)
    };
    assert!(matches!(desk.hear(give_up), HeardLobby::Stranger(_)));
    for _ in 0..5 {
        assert!(matches!(
            desk.hear(hello(Role::Host, THIRD)),
            HeardLobby::Stranger(_)
        ));
    }
    assert!(matches!(desk.hear(go), HeardLobby::Peer(_)));
    assert_eq!(desk.pairing.agreed(), Some(&agreed));
}

/// Issue rule: takeover needs three packets hearing me with no live frame from the current peer between.
#[test]
fn a_new_nonce_takes_over_after_three_packets_that_hear_this_phone() {
    let (mut desk, go) = Desk::picked();
    desk.turn(LobbyFrame { go: None, ..go });
    assert_eq!(desk.phase(), PairingPhase::Going);
    let reloaded = hello(Role::Host, THIRD);
    for _ in 0..2 {
        assert!(matches!(desk.hear(reloaded), HeardLobby::Stranger(_)));
    }
    desk.hear(LobbyFrame { go: None, ..go }); // the old peer is live: it starts over
    for packets in 1..=3 {
        desk.hear(reloaded);
        let taken = desk.pairing.status().peer == Some(THIRD);
        assert_eq!(taken, packets == 3);
    }
    assert_eq!(
        desk.phase(),
        PairingPhase::Measuring,
        "nothing agreed with the old one holds"
    );
    assert_eq!(desk.pairing.session_key(), None);
    let said = desk.send();
    assert_eq!((said.heard, said.picked, said.go), (THIRD, false, None));
}

#[test]
fn frames_that_do_not_hear_this_phone_neither_take_over_nor_protect() {
    let (mut desk, host) = Desk::picking();
    for heard in [0, THIRD] {
        let deaf = LobbyFrame {
            heard,
            ..hello(Role::Host, THIRD)
        };
        for _ in 0..10 {
            desk.hear(deaf);
        }
    }
    assert_eq!(desk.pairing.status().peer, Some(PEER));
    let deaf_peer = LobbyFrame { heard: 0, ..host };
    for _ in 0..3 {
        desk.hear(deaf_peer); // a recording of the peer's hello
        desk.hear(hello(Role::Host, THIRD));
    }
    assert_eq!(desk.pairing.status().peer, Some(THIRD));
}

#[test]
fn a_peer_that_never_hears_this_phone_keeps_its_place_for_two_seconds() {
    let deaf = |nonce| LobbyFrame {
        heard: 0,
        ..hello(Role::Host, nonce)
    };
    let mut desk = Desk::guest();
    desk.hear(deaf(PEER)); // what the host was called before it reloaded
    for _ in 0..9 {
        desk.wait(200);
        desk.hear(deaf(PEER));
        desk.hear(deaf(THIRD));
        assert_eq!(desk.pairing.status().peer, Some(PEER));
    }
    desk.wait(200);
    desk.hear(deaf(THIRD));
    assert_eq!(desk.pairing.status().peer, Some(THIRD));
    // Replaced, it is retired like any other.
    desk.wait(5_000);
    desk.hear(deaf(PEER));
    assert_eq!(desk.pairing.status().peer, Some(THIRD));
}

#[test]
fn a_peer_unheard_for_ten_seconds_is_gone_and_anyones_hello_is_met() {
    for retired in [false, true] {
        let mut desk = Desk::guest();
        if retired {
            desk.hear(hello(Role::Host, THIRD));
        }
        for _ in 0..3 {
            desk.hear(hello(Role::Host, PEER));
        }
        assert_eq!(desk.pairing.status().peer, Some(PEER));
        let third = LobbyFrame {
            heard: 0,
            ..hello(Role::Host, THIRD)
        };
        desk.wait(9_999);
        desk.hear(third);
        assert_eq!(desk.pairing.status().peer, Some(PEER));
        desk.wait(1);
        desk.hear(third);
        assert_eq!(desk.pairing.status().peer, Some(THIRD));
    }
}

/// Issue rule: the 2 s silence governs only a retired nonce's return.
#[test]
fn a_retired_nonce_returns_only_after_its_replacement_was_silent_for_two_seconds() {
    let (mut desk, _) = Desk::picking();
    let (old, new) = (hello(Role::Host, PEER), hello(Role::Host, THIRD));
    for _ in 0..3 {
        desk.hear(new);
    }
    assert_eq!(desk.pairing.status().peer, Some(THIRD));
    for _ in 0..9 {
        desk.wait(200);
        desk.hear(old);
        assert_eq!(desk.pairing.status().peer, Some(THIRD));
    }
    desk.wait(200);
    desk.hear(old);
    assert_eq!(desk.pairing.status().peer, Some(PEER), "2 s of silence");
    // A nonce never met needs no silence.
    for _ in 0..3 {
        desk.hear(hello(Role::Host, 4444));
    }
    assert_eq!(desk.pairing.status().peer, Some(4444));
}

#[test]
fn other_versions_need_three_frames_in_five_seconds_and_never_stop_a_live_pairing() {
    let strange = LobbyFrame {
        head: LobbyHead {
            role: Role::Host,
            proto: PROTO,
            build: BUILD ^ 1,
        },
        ..hello(Role::Host, THIRD)
    };
    let mut desk = Desk::guest();
    for _ in 0..2 {
        desk.hear(strange);
        desk.wait(2600);
    }
    desk.hear(strange);
    assert_eq!(
        desk.phase(),
        PairingPhase::Listening,
        "three, but over 5.2 s"
    );
    desk.wait(100);
    desk.hear(strange);
    let PairingPhase::OtherVersion(mismatch) = desk.phase() else {
        panic!("{:?}", desk.phase());
    };
    assert_eq!(
        (mismatch.own.build, mismatch.theirs.build),
        (BUILD, BUILD ^ 1)
    );
    // The live peer's pairing goes on.
    let (mut desk, host) = Desk::picking();
    for _ in 0..20 {
        desk.wait(200);
        desk.hear(host);
        for _ in 0..3 {
            desk.hear(strange);
        }
    }
    assert!(matches!(desk.phase(), PairingPhase::Picking { .. }));
    desk.wait(2000);
    for _ in 0..3 {
        desk.hear(strange);
    }
    assert!(
        matches!(desk.phase(), PairingPhase::OtherVersion(_)),
        "the peer is silent"
    );
}

#[test]
fn another_protocol_is_told_even_if_its_frames_cannot_be_read() {
    let mut desk = Desk::guest();
    let mut frame = hello(Role::Host, THIRD);
    frame.head.proto = PROTO + 1;
    let now = desk.now();
    // Whatever a later version lays out after its head.
    let head_only = frame.encode().resized(23);
    for _ in 0..3 {
        desk.pairing.handle_packet(now, &packet(head_only, now));
    }
    let PairingPhase::OtherVersion(mismatch) = desk.phase() else {
        panic!("{:?}", desk.phase());
    };
    assert_eq!(
        mismatch.age(),
        std::cmp::Ordering::Less,
        "this phone is the older"
    );
}

#[test]
fn hints_come_after_8_and_30_seconds_of_hearing_nothing() {
    let mut desk = Desk::guest();
    let hint = |desk: &mut Desk, wait| {
        desk.wait(wait);
        desk.pairing.status().hint
    };
    assert_eq!(hint(&mut desk, 0), Hint::None);
    assert_eq!(hint(&mut desk, 7_999), Hint::None);
    assert_eq!(hint(&mut desk, 1), Hint::SwitchRole);
    assert_eq!(hint(&mut desk, 21_999), Hint::SwitchRole);
    assert_eq!(hint(&mut desk, 1), Hint::Tips);
    desk.hear(hello(Role::Host, PEER));
    assert_eq!(hint(&mut desk, 60_000), Hint::None);
    desk.pairing.reset(desk.now(), 7);
    assert_eq!(
        hint(&mut desk, 8_000),
        Hint::SwitchRole,
        "a retry listens anew"
    );
}

#[test]
fn the_same_role_is_named_at_once_where_a_link_lets_it_be_heard() {
    let mut desk = Desk::guest();
    assert_eq!(desk.hear(hello(Role::Guest, PEER)), HeardLobby::SameRole);
    assert_eq!(desk.pairing.status().hint, Hint::SwitchRole);
    assert_eq!(desk.phase(), PairingPhase::Listening);
}
