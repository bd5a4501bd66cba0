//! Whom a phone pairs with, and whom it does not: new nonces, give-ups, other versions, other roles.

mod common;
#[path = "common/lone_phone.rs"]
mod lone_phone;

use common::*;
use link_transport::Role;
use lone_phone::*;
use versus_pairing::{HeardLobby, Hint, LobbyFrame, LobbyHead, PROTO, PairingPhase};

#[test]
fn only_the_phone_named_by_a_give_up_restarts() {
    let give_up = |heard| LobbyFrame {
        nonce: 0,
        heard,
        ..hello(Role::Host, PEER)
    };
    let (mut phone, _) = LonePhone::picked();
    for heard in [0, PEER, THIRD] {
        phone.hear(give_up(heard));
        assert_eq!(phone.phase(), PairingPhase::Picked, "{heard}");
    }
    phone.hear(give_up(OWN));
    assert_eq!(phone.phase(), PairingPhase::NeedsNonce);
    assert_eq!(
        phone.pairing.poll_frame(phone.now()),
        None,
        "nothing to say under a dead nonce"
    );
    let fresh = other_nonce(&[OWN, PEER]);
    phone.pairing.reset(phone.now(), fresh);
    // Copies of the give-up name a nonce no longer in use, and the old peer is retired.
    phone.hear(give_up(OWN));
    phone.hear(hello(Role::Host, PEER));
    assert_eq!(phone.phase(), PairingPhase::Listening);
    // It is met again only by proof that it hears the new nonce, three packets long.
    let proof = LobbyFrame {
        heard: fresh,
        ..hello(Role::Host, PEER)
    };
    for packets in 1..=3 {
        phone.hear(proof);
        assert_eq!(phone.phase() == PairingPhase::Measuring, packets == 3);
    }
}

#[test]
fn a_retired_nonce_is_met_again_by_a_phone_that_was_alone_for_two_seconds() {
    let (mut phone, _) = LonePhone::picked();
    phone.hear(LobbyFrame {
        nonce: 0,
        ..hello(Role::Host, PEER)
    });
    phone.pairing.reset(phone.now(), other_nonce(&[OWN, PEER]));
    for _ in 0..9 {
        phone.wait(200);
        phone.hear(hello(Role::Host, PEER));
        assert_eq!(phone.phase(), PairingPhase::Listening);
    }
    // Still there: it was damage that named this phone, and it still hears the old nonce.
    phone.wait(200);
    phone.hear(hello(Role::Host, PEER));
    assert_eq!(phone.phase(), PairingPhase::Measuring);
}

#[test]
fn the_started_phone_ignores_give_ups_and_newcomers() {
    let (mut phone, go) = LonePhone::picked();
    phone.turn(LobbyFrame { go: None, ..go });
    phone.hear(go);
    let agreed = *phone.pairing.agreed().expect("started");
    let give_up = LobbyFrame {
        nonce: 0,
        ..hello(Role::Host, PEER)
    };
    assert!(matches!(phone.hear(give_up), HeardLobby::Stranger(_)));
    for _ in 0..5 {
        assert!(matches!(
            phone.hear(hello(Role::Host, THIRD)),
            HeardLobby::Stranger(_)
        ));
    }
    assert!(matches!(phone.hear(go), HeardLobby::Peer(_)));
    assert_eq!(phone.pairing.agreed(), Some(&agreed));
}

/// Issue rule: takeover needs three packets hearing me with no live frame from the current peer between.
#[test]
fn a_new_nonce_takes_over_after_three_packets_that_hear_this_phone() {
    let (mut phone, go) = LonePhone::picked();
    phone.turn(LobbyFrame { go: None, ..go });
    assert_eq!(phone.phase(), PairingPhase::Going);
    let reloaded = hello(Role::Host, THIRD);
    for _ in 0..2 {
        assert!(matches!(phone.hear(reloaded), HeardLobby::Stranger(_)));
    }
    phone.hear(LobbyFrame { go: None, ..go }); // the old peer is live: it starts over
    for packets in 1..=3 {
        phone.hear(reloaded);
        let taken = phone.pairing.status().peer == Some(THIRD);
        assert_eq!(taken, packets == 3);
    }
    assert_eq!(
        phone.phase(),
        PairingPhase::Measuring,
        "nothing agreed with the old one holds"
    );
    assert_eq!(phone.pairing.session_key(), None);
    let said = phone.send();
    assert_eq!((said.heard, said.picked, said.go), (THIRD, false, None));
}

#[test]
fn frames_that_do_not_hear_this_phone_neither_take_over_nor_protect() {
    let (mut phone, host) = LonePhone::picking();
    for heard in [0, THIRD] {
        let deaf = LobbyFrame {
            heard,
            ..hello(Role::Host, THIRD)
        };
        for _ in 0..10 {
            phone.hear(deaf);
        }
    }
    assert_eq!(phone.pairing.status().peer, Some(PEER));
    let deaf_peer = LobbyFrame { heard: 0, ..host };
    for _ in 0..3 {
        phone.hear(deaf_peer); // a recording of the peer's hello
        phone.hear(hello(Role::Host, THIRD));
    }
    assert_eq!(phone.pairing.status().peer, Some(THIRD));
}

#[test]
fn a_peer_that_never_hears_this_phone_keeps_its_place_for_two_seconds() {
    let deaf = |nonce| LobbyFrame {
        heard: 0,
        ..hello(Role::Host, nonce)
    };
    let mut phone = LonePhone::guest();
    phone.hear(deaf(PEER)); // what the host was called before it reloaded
    for _ in 0..9 {
        phone.wait(200);
        phone.hear(deaf(PEER));
        phone.hear(deaf(THIRD));
        assert_eq!(phone.pairing.status().peer, Some(PEER));
    }
    phone.wait(200);
    phone.hear(deaf(THIRD));
    assert_eq!(phone.pairing.status().peer, Some(THIRD));
    // Replaced, it is retired like any other.
    phone.wait(5_000);
    phone.hear(deaf(PEER));
    assert_eq!(phone.pairing.status().peer, Some(THIRD));
}

#[test]
fn a_peer_unheard_for_ten_seconds_is_gone_and_anyones_hello_is_met() {
    for retired in [false, true] {
        let mut phone = LonePhone::guest();
        if retired {
            phone.hear(hello(Role::Host, THIRD));
        }
        for _ in 0..3 {
            phone.hear(hello(Role::Host, PEER));
        }
        assert_eq!(phone.pairing.status().peer, Some(PEER));
        let third = LobbyFrame {
            heard: 0,
            ..hello(Role::Host, THIRD)
        };
        phone.wait(9_999);
        phone.hear(third);
        assert_eq!(phone.pairing.status().peer, Some(PEER));
        phone.wait(1);
        phone.hear(third);
        assert_eq!(phone.pairing.status().peer, Some(THIRD));
    }
}

/// Issue rule: the 2 s silence governs only a retired nonce's return.
#[test]
fn a_retired_nonce_returns_only_after_its_replacement_was_silent_for_two_seconds() {
    let (mut phone, _) = LonePhone::picking();
    let (old, new) = (hello(Role::Host, PEER), hello(Role::Host, THIRD));
    for _ in 0..3 {
        phone.hear(new);
    }
    assert_eq!(phone.pairing.status().peer, Some(THIRD));
    for _ in 0..9 {
        phone.wait(200);
        phone.hear(old);
        assert_eq!(phone.pairing.status().peer, Some(THIRD));
    }
    phone.wait(200);
    phone.hear(old);
    assert_eq!(phone.pairing.status().peer, Some(PEER), "2 s of silence");
    // A nonce never met needs no silence.
    for _ in 0..3 {
        phone.hear(hello(Role::Host, 4444));
    }
    assert_eq!(phone.pairing.status().peer, Some(4444));
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
    let mut phone = LonePhone::guest();
    for _ in 0..2 {
        phone.hear(strange);
        phone.wait(2600);
    }
    phone.hear(strange);
    assert_eq!(
        phone.phase(),
        PairingPhase::Listening,
        "three, but over 5.2 s"
    );
    phone.wait(100);
    phone.hear(strange);
    let PairingPhase::OtherVersion(mismatch) = phone.phase() else {
        panic!("{:?}", phone.phase());
    };
    assert_eq!(
        (mismatch.own.build, mismatch.theirs.build),
        (BUILD, BUILD ^ 1)
    );
    // The live peer's pairing goes on.
    let (mut phone, host) = LonePhone::picking();
    for _ in 0..20 {
        phone.wait(200);
        phone.hear(host);
        for _ in 0..3 {
            phone.hear(strange);
        }
    }
    assert!(matches!(phone.phase(), PairingPhase::Picking { .. }));
    phone.wait(2000);
    for _ in 0..3 {
        phone.hear(strange);
    }
    assert!(
        matches!(phone.phase(), PairingPhase::OtherVersion(_)),
        "the peer is silent"
    );
}

#[test]
fn another_protocol_is_told_even_if_its_frames_cannot_be_read() {
    let mut phone = LonePhone::guest();
    let mut frame = hello(Role::Host, THIRD);
    frame.head.proto = PROTO + 1;
    let now = phone.now();
    // Whatever a later version lays out after its head.
    let head_only = frame.encode().resized(23);
    for _ in 0..3 {
        phone.pairing.handle_packet(now, &packet(head_only, now));
    }
    let PairingPhase::OtherVersion(mismatch) = phone.phase() else {
        panic!("{:?}", phone.phase());
    };
    assert_eq!(
        mismatch.age(),
        std::cmp::Ordering::Less,
        "this phone is the older"
    );
}

#[test]
fn hints_come_after_8_and_30_seconds_of_hearing_nothing() {
    let mut phone = LonePhone::guest();
    let hint = |phone: &mut LonePhone, wait| {
        phone.wait(wait);
        phone.pairing.status().hint
    };
    assert_eq!(hint(&mut phone, 0), Hint::None);
    assert_eq!(hint(&mut phone, 7_999), Hint::None);
    assert_eq!(hint(&mut phone, 1), Hint::SwitchRole);
    assert_eq!(hint(&mut phone, 21_999), Hint::SwitchRole);
    assert_eq!(hint(&mut phone, 1), Hint::Tips);
    phone.hear(hello(Role::Host, PEER));
    assert_eq!(hint(&mut phone, 60_000), Hint::None);
    phone.pairing.reset(phone.now(), 7);
    assert_eq!(
        hint(&mut phone, 8_000),
        Hint::SwitchRole,
        "a retry listens anew"
    );
}

#[test]
fn the_same_role_is_named_at_once_where_a_link_lets_it_be_heard() {
    let mut phone = LonePhone::guest();
    assert_eq!(phone.hear(hello(Role::Guest, PEER)), HeardLobby::SameRole);
    assert_eq!(phone.pairing.status().hint, Hint::SwitchRole);
    assert_eq!(phone.phase(), PairingPhase::Listening);
}
