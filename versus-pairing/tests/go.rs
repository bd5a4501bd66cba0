//! From hello to GO, rule by rule, against a peer whose every frame is written by hand.

mod common;
#[path = "common/lone_phone.rs"]
mod lone_phone;

use common::*;
use link_transport::{Plan, Role, SessionKey, Slot};
use lone_phone::*;
use match_feed::duel::{InputDelay, MapChoice, Side};
use std::time::Duration;
use versus_pairing::{
    CatalogueError, Entry, HOLD_NONE, HeardLobby, LobbyConfig, LobbyFrame, Pairing, PairingFailure,
    PairingPhase, PickError,
};

#[test]
fn a_frame_says_what_this_phone_holds() {
    let mut phone = LonePhone::guest();
    let first = phone.send();
    assert_eq!((first.nonce, first.heard, first.hold), (OWN, 0, HOLD_NONE));
    assert_eq!((first.conf_hash, first.picked, first.go), (0, false, None));
    let (mut phone, host) = LonePhone::picking();
    phone.pairing.set_rxq(5);
    let said = phone.send();
    assert_eq!((said.heard, said.rxq, said.config), (PEER, 5, None));
    assert_eq!(said.conf_hash, host.conf_hash);
    phone.pairing.pick(Some(0)).expect("on offer");
    let said = phone.send();
    assert_eq!((said.pick, said.picked, said.go), (Some(0), true, None));
}

#[test]
fn go_follows_the_peers_pick_and_starts_once_both_are_going() {
    let (mut phone, go) = LonePhone::picked();
    assert_eq!(phone.turn(LobbyFrame { go: None, ..go }).go, Some(Some(2)));
    assert_eq!(phone.phase(), PairingPhase::Going);
    assert_eq!(phone.pairing.agreed(), None, "the peer's GO was not heard");
    phone.hear(go);
    let agreed = phone.pairing.agreed().expect("started");
    assert_eq!(agreed.setup.openers.blue, Some(2));
    assert_eq!(agreed.setup.openers.red, Some(1));
    assert_eq!(agreed.local_side(), Side::Red);
    assert_eq!(phone.send().go, Some(Some(2)), "GO stays on the air");
}

#[test]
fn nothing_starts_before_this_phones_own_go_has_gone_out() {
    let (mut phone, go) = LonePhone::picked();
    phone.wait(200);
    phone.hear(go);
    assert_eq!(
        phone.phase(),
        PairingPhase::Going,
        "accepted, but not sent yet"
    );
    phone.send();
    assert_eq!(phone.phase(), PairingPhase::Started);
}

#[test]
fn a_packet_that_still_carried_the_frame_before_go_is_no_go_sent() {
    let (mut phone, go) = LonePhone::picked();
    phone.send();
    let before = phone.sent.expect("sent").key;
    phone.wait(200);
    phone.hear(go);
    for key in [None, Some(before)] {
        let at = phone.now();
        phone.pairing.handle_slot(Slot { at, key });
        assert_eq!(phone.phase(), PairingPhase::Going, "{key:?}");
    }
    phone.send();
    assert_eq!(phone.phase(), PairingPhase::Started);
}

#[test]
fn the_peers_readiness_is_its_newest_frames_and_for_this_config_only() {
    let (mut phone, go) = LonePhone::picked();
    let ready = LobbyFrame { go: None, ..go };
    let conf_hash = go.conf_hash ^ 1;
    phone.hear(LobbyFrame { conf_hash, ..ready });
    assert_eq!(
        phone.phase(),
        PairingPhase::Picked,
        "it means another config"
    );
    let (mut phone, _) = LonePhone::picking();
    phone.hear(ready);
    phone.hear(LobbyFrame { heard: 0, ..ready });
    phone.pairing.pick(Some(1)).expect("on offer");
    assert_eq!(
        phone.phase(),
        PairingPhase::Picked,
        "its newest frame hears nobody"
    );
    phone.hear(ready);
    assert_eq!(phone.phase(), PairingPhase::Going);
}

#[test]
fn a_game_frame_of_the_peers_starts_a_going_phone_and_no_other() {
    let (mut phone, go) = LonePhone::picked();
    phone.pairing.handle_peer_started(phone.now());
    assert_eq!(phone.phase(), PairingPhase::Picked);
    phone.turn(LobbyFrame { go: None, ..go });
    phone.pairing.handle_peer_started(phone.now());
    assert_eq!(phone.phase(), PairingPhase::Started);
}

#[test]
fn each_condition_of_a_go_is_checked() {
    let other = LobbyConfig {
        delay: InputDelay::MAX,
        ..config()
    };
    // The peer means another match.
    let (mut phone, go) = LonePhone::picked();
    let conf_hash = hash(other, PEER, OWN);
    phone.hear(LobbyFrame { conf_hash, ..go });
    let own = go.conf_hash;
    let theirs = conf_hash;
    assert_eq!(
        phone.phase(),
        PairingPhase::Failed(PairingFailure::OtherConfig { own, theirs })
    );
    // It names another pick of this phone's.
    let (mut phone, go) = LonePhone::picked();
    let named = Some(2);
    phone.hear(LobbyFrame {
        go: Some(named),
        ..go
    });
    let own = Some(Some(1));
    assert_eq!(
        phone.phase(),
        PairingPhase::Failed(PairingFailure::WrongPick { own, named })
    );
    // It comes before this phone has picked at all.
    let (mut phone, host) = LonePhone::picking();
    let named = Some(1);
    phone.hear(LobbyFrame {
        picked: true,
        go: Some(named),
        ..host
    });
    let own = None;
    assert_eq!(
        phone.phase(),
        PairingPhase::Failed(PairingFailure::WrongPick { own, named })
    );
    // Its pick is not the one this phone's GO is committed to.
    let (mut phone, go) = LonePhone::picked();
    phone.hear(LobbyFrame { go: None, ..go });
    let pick = Some(0);
    phone.hear(LobbyFrame { pick, ..go });
    let committed = Some(2);
    assert_eq!(
        phone.phase(),
        PairingPhase::Failed(PairingFailure::ChangedPick { pick, committed })
    );
    // Its pick is blocked for its side.
    let (mut phone, go) = LonePhone::picked();
    let pick = None;
    phone.hear(LobbyFrame { pick, ..go });
    assert_eq!(
        phone.phase(),
        PairingPhase::Failed(PairingFailure::BlockedPick { pick })
    );
    // The nonce is another phone's: not this pairing's GO at all.
    let (mut phone, go) = LonePhone::picked();
    phone.hear(LobbyFrame { nonce: THIRD, ..go });
    assert_eq!(phone.phase(), PairingPhase::Picked);
}

#[test]
fn only_a_go_commits_a_pick() {
    let (mut phone, go) = LonePhone::picked();
    let blocked = LobbyFrame {
        pick: None,
        go: None,
        ..go
    };
    phone.hear(blocked);
    assert_eq!(
        phone.phase(),
        PairingPhase::Picked,
        "not a pick it may make: not ready"
    );
    phone.hear(LobbyFrame { go: None, ..go });
    assert_eq!(phone.pairing.status().peer_pick, Some(Some(2)));
    assert_eq!(phone.phase(), PairingPhase::Going);
}

/// Issue rule: a GO that hears another nonce is a hello.
#[test]
fn a_go_that_hears_another_nonce_is_a_hello() {
    for heard in [0, THIRD] {
        let (mut phone, go) = LonePhone::picked();
        let stale = LobbyFrame { heard, ..go };
        assert_eq!(phone.hear(stale), HeardLobby::Peer(stale));
        assert_eq!(phone.phase(), PairingPhase::Picked);
        // A phone whose GO is on the air meets its peer's next incarnation.
        let mut phone = LonePhone::guest();
        phone.hear(stale);
        assert_eq!(phone.phase(), PairingPhase::Measuring);
    }
}

#[test]
fn a_failure_names_the_phone_given_up_on_until_the_retry() {
    let (mut phone, go) = LonePhone::picked();
    phone.hear(LobbyFrame {
        go: Some(Some(0)),
        ..go
    });
    for _ in 0..3 {
        let said = phone.turn(go);
        assert_eq!((said.nonce, said.heard, said.go), (0, PEER, None));
        assert_eq!(said.config, None);
    }
    assert!(matches!(phone.phase(), PairingPhase::Failed(_)));
    let fresh = other_nonce(&[OWN, PEER]);
    phone.pairing.reset(phone.now(), fresh);
    let now = phone.now();
    let retried = phone.pairing.poll_frame(now).expect("a new frame at once");
    let said = LobbyFrame::decode(retried.bits.as_bitslice()).expect("legal");
    assert_eq!((said.nonce, said.heard), (fresh, 0));
}

#[test]
fn a_config_the_catalogue_does_not_hold_is_refused_and_named() {
    let offers = [
        (
            MapChoice::BuiltIn(4),
            0,
            CatalogueError::Map { index: 4, count: 4 },
        ),
        (
            MapChoice::BuiltIn(0),
            1 << 6,
            CatalogueError::Mutators {
                mask: 1 << 6,
                count: 6,
            },
        ),
    ];
    for (map, mutators, refused) in offers {
        let bad = LobbyConfig {
            map,
            mutators,
            ..config()
        };
        let mut phone = LonePhone::guest();
        let offer = LobbyFrame {
            config: Some(bad),
            conf_hash: hash(bad, PEER, OWN),
            ..hello(Role::Host, PEER)
        };
        let said = phone.turn(offer);
        assert_eq!(phone.pairing.status().refused, Some(refused));
        assert_eq!(
            (phone.phase(), said.conf_hash),
            (PairingPhase::Measuring, 0)
        );
        let choice = choice().with_map(map).with_mutators(mutators);
        let host = Pairing::new(Entry::Host(choice), Plan::High, BUILD, Toy, OWN);
        assert_eq!(host.err(), Some(refused), "nor can it be offered");
    }
}

#[test]
fn a_changed_offer_is_followed_until_the_host_froze_it() {
    let (mut phone, host) = LonePhone::picking();
    phone.pairing.pick(Some(1)).expect("on offer");
    let slower = LobbyConfig {
        delay: InputDelay::MAX,
        ..config()
    };
    let changed = LobbyFrame {
        config: Some(slower),
        conf_hash: hash(slower, PEER, OWN),
        ..host
    };
    assert_eq!(phone.turn(changed).conf_hash, changed.conf_hash);
    assert_eq!(
        phone.phase(),
        PairingPhase::Picked,
        "only the pace differs: the pick stands"
    );
    let elsewhere = LobbyConfig {
        map: MapChoice::BuiltIn(3),
        ..config()
    };
    let moved = LobbyFrame {
        config: Some(elsewhere),
        conf_hash: 0,
        ..host
    };
    assert!(!phone.turn(moved).picked, "another match: pick again");
}

#[test]
fn picks_are_checked_and_final() {
    let mut phone = LonePhone::guest();
    assert_eq!(phone.pairing.pick(Some(1)), Err(PickError::NotNow));
    assert_eq!(phone.pairing.openers().count(), 0);
    let (mut phone, _) = LonePhone::picking();
    for pick in [None, Some(3)] {
        let side = Side::Red;
        assert_eq!(
            phone.pairing.pick(pick),
            Err(PickError::Blocked { pick, side })
        );
    }
    assert_eq!(phone.pairing.pick(Some(2)), Ok(()));
    let pick = Some(2);
    assert_eq!(phone.pairing.pick(Some(1)), Err(PickError::Final { pick }));
}

#[test]
fn the_host_freezes_its_config_when_the_guest_first_says_the_same() {
    let mut phone = LonePhone::new(Entry::Host(choice()));
    let mut said = phone.send();
    let mut frozen = None;
    for turn in 0..60_u8 {
        // An honest guest, a round trip of 200 ms away; from turn 40 on its quality drops.
        let conf_hash = said.config.map_or(0, |config| hash(config, OWN, PEER));
        let guest = LobbyFrame {
            rxq: if turn < 40 { 7 } else { 0 },
            ping: turn,
            echo: said.ping,
            hold: 0,
            conf_hash: if turn < 20 { 0 } else { conf_hash },
            ..hello(Role::Guest, PEER)
        };
        phone.pairing.set_rxq(7);
        said = phone.turn(guest);
        if turn == 20 {
            frozen = said.config;
            assert!(matches!(phone.phase(), PairingPhase::Picking { .. }));
        }
        if turn > 20 {
            assert_eq!(said.config, frozen);
        }
    }
    assert_eq!(
        frozen.expect("offered").delay.ticks(),
        3,
        "200 / 2 + 100 + 50 ms"
    );
}

#[test]
fn damaged_frames_are_nothing() {
    let (mut phone, go) = LonePhone::picked();
    let now = phone.now();
    for cut in 0..102 {
        let cut = packet(go.encode(), now).bits.resized(cut);
        let mut damaged = packet(cut, now);
        damaged.bits = cut;
        assert_eq!(
            phone.pairing.handle_packet(now, &damaged),
            HeardLobby::Nothing
        );
    }
    let keyed = link_transport::LinkPacket {
        session: true,
        ..packet(go.encode(), now)
    };
    assert_eq!(
        phone.pairing.handle_packet(now, &keyed),
        HeardLobby::Nothing
    );
    assert_eq!(phone.phase(), PairingPhase::Picked);
}

#[test]
fn a_guest_that_finds_its_plan_late_pairs_on_it() {
    let mut phone = LonePhone::guest();
    phone.pairing.set_plan(Plan::Low);
    let key = SessionKey {
        host_nonce: PEER,
        guest_nonce: OWN,
    };
    let host = LobbyFrame {
        config: Some(config()),
        conf_hash: config().hash(Plan::Low, key),
        ..hello(Role::Host, PEER)
    };
    phone.hear(host);
    assert!(matches!(phone.phase(), PairingPhase::Picking { .. }));
    phone.pairing.set_plan(Plan::High);
    assert_eq!(
        phone.phase(),
        PairingPhase::Measuring,
        "a config of another plan is not agreed"
    );
}

#[test]
fn the_pick_time_is_shown_and_runs_out() {
    let (mut phone, _) = LonePhone::picking();
    let left = |phone: &LonePhone| match phone.phase() {
        PairingPhase::Picking { left } => Some(left),
        _ => None,
    };
    assert_eq!(left(&phone), Some(Duration::from_secs(20)));
    phone.wait(19_999);
    assert_eq!(left(&phone), Some(Duration::from_millis(1)));
    phone.wait(1);
    assert_eq!(phone.pairing.status().own_pick, Some(Some(0)));
}
