//! The pairing's rules one by one, against a friend whose every frame is written by hand.

mod common;

use common::*;
use link_transport::{LinkTime, Nonce, OutFrame, Plan, Role, SessionKey, Slot};
use match_feed::{InputDelay, MapChoice, Side};
use std::time::Duration;
use versus_pairing::{
    CatalogueError, HOLD_NONE, HeardLobby, Hint, HostChoice, LobbyConfig, LobbyFrame, LobbyHead,
    PROTO, Pairing, PairingFailure, PairingPhase, PickError, Seat,
};

const OWN: Nonce = 1111;
const FRIEND: Nonce = 2222;
const THIRD: Nonce = 3333;

fn config() -> LobbyConfig {
    LobbyConfig {
        map: MapChoice::BuiltIn(2),
        mutators: 0,
        delay: InputDelay::MIN,
        host_side: Side::Blue,
        fast: true,
    }
}

/// The digest of `config` between a host and a guest of these nonces.
fn hash(config: LobbyConfig, host_nonce: Nonce, guest_nonce: Nonce) -> u16 {
    let key = SessionKey {
        host_nonce,
        guest_nonce,
    };
    config.hash(Plan::High, key)
}

/// What the friend says, hearing this phone and echoing nothing.
fn hello(role: Role, nonce: Nonce) -> LobbyFrame {
    LobbyFrame {
        head: LobbyHead {
            role,
            proto: PROTO,
            build: BUILD,
        },
        nonce,
        heard: OWN,
        rxq: 7,
        ping: 0,
        echo: 0,
        hold: HOLD_NONE,
        config: None,
        conf_hash: 0,
        pick: None,
        picked: false,
        go: None,
    }
}

/// One phone, its clock, and the packets it sends every 200 ms.
struct Desk {
    pairing: Pairing<Toy>,
    now_ms: u64,
    sent: Option<OutFrame>,
}

impl Desk {
    fn guest() -> Self {
        Self::new(Seat::Guest)
    }

    fn new(seat: Seat) -> Self {
        let pairing = Pairing::new(seat, Plan::High, BUILD, Toy, OWN).expect("a toy's choice");
        Self {
            pairing,
            now_ms: 10_000,
            sent: None,
        }
    }

    fn now(&self) -> LinkTime {
        LinkTime::from_ms(self.now_ms)
    }

    fn wait(&mut self, ms: u64) {
        self.now_ms += ms;
        self.pairing.handle_timeout(self.now());
    }

    fn hear(&mut self, frame: LobbyFrame) -> HeardLobby {
        let now = self.now();
        self.pairing
            .handle_packet(now, &packet(frame.encode(), now))
    }

    /// The next packet starts with what there is to send by then; gives what it says.
    fn send(&mut self) -> LobbyFrame {
        let now = self.now();
        self.sent = self.pairing.poll_frame(now).or(self.sent);
        let frame = self.sent.expect("a frame to send");
        let slot = Slot {
            at: now,
            key: Some(frame.key),
        };
        self.pairing.handle_slot(slot);
        LobbyFrame::decode(frame.bits.as_bitslice()).expect("legal")
    }

    /// Hears and sends once, 200 ms later.
    fn turn(&mut self, frame: LobbyFrame) -> LobbyFrame {
        self.wait(200);
        self.hear(frame);
        self.send()
    }

    fn phase(&self) -> PairingPhase {
        self.pairing.status().phase
    }

    /// A guest's desk at which the cards show, and the friend's frame that says the same.
    fn picking() -> (Self, LobbyFrame) {
        let mut desk = Self::guest();
        let host = LobbyFrame {
            config: Some(config()),
            conf_hash: hash(config(), FRIEND, OWN),
            ..hello(Role::Host, FRIEND)
        };
        desk.hear(host);
        assert!(matches!(desk.phase(), PairingPhase::Picking { .. }));
        (desk, host)
    }

    /// The same, this phone having picked 1; and the friend's GO that would start it, its own pick being 2.
    fn picked() -> (Self, LobbyFrame) {
        let (mut desk, host) = Self::picking();
        desk.pairing.pick(Some(1)).expect("on offer");
        let go = LobbyFrame {
            pick: Some(2),
            picked: true,
            go: Some(Some(1)),
            ..host
        };
        (desk, go)
    }
}

#[test]
fn a_frame_says_what_this_phone_holds() {
    let mut desk = Desk::guest();
    let first = desk.send();
    assert_eq!((first.nonce, first.heard, first.hold), (OWN, 0, HOLD_NONE));
    assert_eq!((first.conf_hash, first.picked, first.go), (0, false, None));
    let (mut desk, host) = Desk::picking();
    desk.pairing.set_rxq(5);
    let said = desk.send();
    assert_eq!((said.heard, said.rxq, said.config), (FRIEND, 5, None));
    assert_eq!(said.conf_hash, host.conf_hash);
    desk.pairing.pick(Some(0)).expect("on offer");
    let said = desk.send();
    assert_eq!((said.pick, said.picked, said.go), (Some(0), true, None));
}

#[test]
fn go_follows_the_friends_pick_and_starts_once_both_are_going() {
    let (mut desk, go) = Desk::picked();
    assert_eq!(desk.turn(LobbyFrame { go: None, ..go }).go, Some(Some(2)));
    assert_eq!(desk.phase(), PairingPhase::Going);
    assert_eq!(desk.pairing.agreed(), None, "the friend's GO was not heard");
    desk.hear(go);
    let agreed = desk.pairing.agreed().expect("started");
    assert_eq!(agreed.setup.openers.blue, Some(2));
    assert_eq!(agreed.setup.openers.red, Some(1));
    assert_eq!(agreed.local_side(), Side::Red);
    assert_eq!(desk.send().go, Some(Some(2)), "GO stays on the air");
}

#[test]
fn nothing_starts_before_this_phones_own_go_has_gone_out() {
    let (mut desk, go) = Desk::picked();
    desk.wait(200);
    desk.hear(go);
    assert_eq!(
        desk.phase(),
        PairingPhase::Going,
        "accepted, but not sent yet"
    );
    desk.send();
    assert_eq!(desk.phase(), PairingPhase::Started);
}

#[test]
fn a_packet_that_still_carried_the_frame_before_go_is_no_go_sent() {
    let (mut desk, go) = Desk::picked();
    desk.send();
    let before = desk.sent.expect("sent").key;
    desk.wait(200);
    desk.hear(go);
    for key in [None, Some(before)] {
        let at = desk.now();
        desk.pairing.handle_slot(Slot { at, key });
        assert_eq!(desk.phase(), PairingPhase::Going, "{key:?}");
    }
    desk.send();
    assert_eq!(desk.phase(), PairingPhase::Started);
}

#[test]
fn the_friends_readiness_is_its_newest_frames_and_for_this_config_only() {
    let (mut desk, go) = Desk::picked();
    let ready = LobbyFrame { go: None, ..go };
    let conf_hash = go.conf_hash ^ 1;
    desk.hear(LobbyFrame { conf_hash, ..ready });
    assert_eq!(
        desk.phase(),
        PairingPhase::Picked,
        "it means another config"
    );
    let (mut desk, _) = Desk::picking();
    desk.hear(ready);
    desk.hear(LobbyFrame { heard: 0, ..ready });
    desk.pairing.pick(Some(1)).expect("on offer");
    assert_eq!(
        desk.phase(),
        PairingPhase::Picked,
        "its newest frame hears nobody"
    );
    desk.hear(ready);
    assert_eq!(desk.phase(), PairingPhase::Going);
}

#[test]
fn a_game_frame_of_the_friends_starts_a_going_phone_and_no_other() {
    let (mut desk, go) = Desk::picked();
    desk.pairing.handle_friend_started(desk.now());
    assert_eq!(desk.phase(), PairingPhase::Picked);
    desk.turn(LobbyFrame { go: None, ..go });
    desk.pairing.handle_friend_started(desk.now());
    assert_eq!(desk.phase(), PairingPhase::Started);
}

#[test]
fn each_condition_of_a_go_is_checked() {
    let other = LobbyConfig {
        delay: InputDelay::MAX,
        ..config()
    };
    // The friend means another match.
    let (mut desk, go) = Desk::picked();
    let conf_hash = hash(other, FRIEND, OWN);
    desk.hear(LobbyFrame { conf_hash, ..go });
    let own = go.conf_hash;
    let theirs = conf_hash;
    assert_eq!(
        desk.phase(),
        PairingPhase::Failed(PairingFailure::OtherConfig { own, theirs })
    );
    // It names another pick of this phone's.
    let (mut desk, go) = Desk::picked();
    let named = Some(2);
    desk.hear(LobbyFrame {
        go: Some(named),
        ..go
    });
    let own = Some(Some(1));
    assert_eq!(
        desk.phase(),
        PairingPhase::Failed(PairingFailure::WrongPick { own, named })
    );
    // It comes before this phone has picked at all.
    let (mut desk, host) = Desk::picking();
    let named = Some(1);
    desk.hear(LobbyFrame {
        picked: true,
        go: Some(named),
        ..host
    });
    let own = None;
    assert_eq!(
        desk.phase(),
        PairingPhase::Failed(PairingFailure::WrongPick { own, named })
    );
    // Its pick is not the one this phone's GO is committed to.
    let (mut desk, go) = Desk::picked();
    desk.hear(LobbyFrame { go: None, ..go });
    let pick = Some(0);
    desk.hear(LobbyFrame { pick, ..go });
    let committed = Some(2);
    assert_eq!(
        desk.phase(),
        PairingPhase::Failed(PairingFailure::ChangedPick { pick, committed })
    );
    // Its pick is blocked for its side.
    let (mut desk, go) = Desk::picked();
    let pick = None;
    desk.hear(LobbyFrame { pick, ..go });
    assert_eq!(
        desk.phase(),
        PairingPhase::Failed(PairingFailure::BlockedPick { pick })
    );
    // The nonce is another phone's: not this pairing's GO at all.
    let (mut desk, go) = Desk::picked();
    desk.hear(LobbyFrame { nonce: THIRD, ..go });
    assert_eq!(desk.phase(), PairingPhase::Picked);
}

#[test]
fn only_a_go_commits_a_pick() {
    let (mut desk, go) = Desk::picked();
    let blocked = LobbyFrame {
        pick: None,
        go: None,
        ..go
    };
    desk.hear(blocked);
    assert_eq!(
        desk.phase(),
        PairingPhase::Picked,
        "not a pick it may make: not ready"
    );
    desk.hear(LobbyFrame { go: None, ..go });
    assert_eq!(desk.pairing.status().peer_pick, Some(Some(2)));
    assert_eq!(desk.phase(), PairingPhase::Going);
}

/// Issue rule: a GO that hears another nonce is a hello.
#[test]
fn a_go_that_hears_another_nonce_is_a_hello() {
    for heard in [0, THIRD] {
        let (mut desk, go) = Desk::picked();
        let stale = LobbyFrame { heard, ..go };
        assert_eq!(desk.hear(stale), HeardLobby::Friend(stale));
        assert_eq!(desk.phase(), PairingPhase::Picked);
        // A phone whose GO is on the air meets its friend's next incarnation.
        let mut desk = Desk::guest();
        desk.hear(stale);
        assert_eq!(desk.phase(), PairingPhase::Measuring);
    }
}

#[test]
fn a_failure_names_the_phone_given_up_on_until_the_retry() {
    let (mut desk, go) = Desk::picked();
    desk.hear(LobbyFrame {
        go: Some(Some(0)),
        ..go
    });
    for _ in 0..3 {
        let said = desk.turn(go);
        assert_eq!((said.nonce, said.heard, said.go), (0, FRIEND, None));
        assert_eq!(said.config, None);
    }
    assert!(matches!(desk.phase(), PairingPhase::Failed(_)));
    let fresh = other_nonce(&[OWN, FRIEND]);
    desk.pairing.reset(desk.now(), fresh);
    let now = desk.now();
    let retried = desk.pairing.poll_frame(now).expect("a new frame at once");
    let said = LobbyFrame::decode(retried.bits.as_bitslice()).expect("legal");
    assert_eq!((said.nonce, said.heard), (fresh, 0));
}

#[test]
fn only_the_phone_named_by_a_give_up_restarts() {
    let give_up = |heard| LobbyFrame {
        nonce: 0,
        heard,
        ..hello(Role::Host, FRIEND)
    };
    let (mut desk, _) = Desk::picked();
    for heard in [0, FRIEND, THIRD] {
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
    let fresh = other_nonce(&[OWN, FRIEND]);
    desk.pairing.reset(desk.now(), fresh);
    // Copies of the give-up name a nonce no longer in use, and the old friend is retired.
    desk.hear(give_up(OWN));
    desk.hear(hello(Role::Host, FRIEND));
    assert_eq!(desk.phase(), PairingPhase::Listening);
    // It is met again only by proof that it hears the new nonce, three packets long.
    let proof = LobbyFrame {
        heard: fresh,
        ..hello(Role::Host, FRIEND)
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
        ..hello(Role::Host, FRIEND)
    });
    desk.pairing.reset(desk.now(), other_nonce(&[OWN, FRIEND]));
    for _ in 0..9 {
        desk.wait(200);
        desk.hear(hello(Role::Host, FRIEND));
        assert_eq!(desk.phase(), PairingPhase::Listening);
    }
    // Still there: it was damage that named this phone, and it still hears the old nonce.
    desk.wait(200);
    desk.hear(hello(Role::Host, FRIEND));
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
        ..hello(Role::Host, FRIEND)
    };
    assert!(matches!(desk.hear(give_up), HeardLobby::Stranger(_)));
    for _ in 0..5 {
        assert!(matches!(
            desk.hear(hello(Role::Host, THIRD)),
            HeardLobby::Stranger(_)
        ));
    }
    assert!(matches!(desk.hear(go), HeardLobby::Friend(_)));
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
    desk.hear(LobbyFrame { go: None, ..go }); // the old friend is live: it starts over
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
    assert_eq!(desk.pairing.status().peer, Some(FRIEND));
    let deaf_friend = LobbyFrame { heard: 0, ..host };
    for _ in 0..3 {
        desk.hear(deaf_friend); // a recording of the friend's hello
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
    desk.hear(deaf(FRIEND)); // what the host was called before it reloaded
    for _ in 0..9 {
        desk.wait(200);
        desk.hear(deaf(FRIEND));
        desk.hear(deaf(THIRD));
        assert_eq!(desk.pairing.status().peer, Some(FRIEND));
    }
    desk.wait(200);
    desk.hear(deaf(THIRD));
    assert_eq!(desk.pairing.status().peer, Some(THIRD));
    // Replaced, it is retired like any other.
    desk.wait(5_000);
    desk.hear(deaf(FRIEND));
    assert_eq!(desk.pairing.status().peer, Some(THIRD));
}

#[test]
fn a_friend_unheard_for_ten_seconds_is_gone_and_anyones_hello_is_met() {
    for retired in [false, true] {
        let mut desk = Desk::guest();
        if retired {
            desk.hear(hello(Role::Host, THIRD));
        }
        for _ in 0..3 {
            desk.hear(hello(Role::Host, FRIEND));
        }
        assert_eq!(desk.pairing.status().peer, Some(FRIEND));
        let third = LobbyFrame {
            heard: 0,
            ..hello(Role::Host, THIRD)
        };
        desk.wait(9_999);
        desk.hear(third);
        assert_eq!(desk.pairing.status().peer, Some(FRIEND));
        desk.wait(1);
        desk.hear(third);
        assert_eq!(desk.pairing.status().peer, Some(THIRD));
    }
}

/// Issue rule: the 2 s silence governs only a retired nonce's return.
#[test]
fn a_retired_nonce_returns_only_after_its_replacement_was_silent_for_two_seconds() {
    let (mut desk, _) = Desk::picking();
    let (old, new) = (hello(Role::Host, FRIEND), hello(Role::Host, THIRD));
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
    assert_eq!(desk.pairing.status().peer, Some(FRIEND), "2 s of silence");
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
    // The live friend's pairing goes on.
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
        "the friend is silent"
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
    desk.hear(hello(Role::Host, FRIEND));
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
    assert_eq!(desk.hear(hello(Role::Guest, FRIEND)), HeardLobby::SameRole);
    assert_eq!(desk.pairing.status().hint, Hint::SwitchRole);
    assert_eq!(desk.phase(), PairingPhase::Listening);
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
        let mut desk = Desk::guest();
        let offer = LobbyFrame {
            config: Some(bad),
            conf_hash: hash(bad, FRIEND, OWN),
            ..hello(Role::Host, FRIEND)
        };
        let said = desk.turn(offer);
        assert_eq!(desk.pairing.status().refused, Some(refused));
        assert_eq!((desk.phase(), said.conf_hash), (PairingPhase::Measuring, 0));
        let choice = HostChoice {
            map,
            mutators,
            ..choice()
        };
        let host = Pairing::new(Seat::Host(choice), Plan::High, BUILD, Toy, OWN);
        assert_eq!(host.err(), Some(refused), "nor can it be offered");
    }
}

#[test]
fn a_changed_offer_is_followed_until_the_host_froze_it() {
    let (mut desk, host) = Desk::picking();
    desk.pairing.pick(Some(1)).expect("on offer");
    let slower = LobbyConfig {
        delay: InputDelay::MAX,
        ..config()
    };
    let changed = LobbyFrame {
        config: Some(slower),
        conf_hash: hash(slower, FRIEND, OWN),
        ..host
    };
    assert_eq!(desk.turn(changed).conf_hash, changed.conf_hash);
    assert_eq!(
        desk.phase(),
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
    assert!(!desk.turn(moved).picked, "another match: pick again");
}

#[test]
fn picks_are_checked_and_final() {
    let mut desk = Desk::guest();
    assert_eq!(desk.pairing.pick(Some(1)), Err(PickError::NotNow));
    assert_eq!(desk.pairing.openers().count(), 0);
    let (mut desk, _) = Desk::picking();
    for pick in [None, Some(3)] {
        let side = Side::Red;
        assert_eq!(
            desk.pairing.pick(pick),
            Err(PickError::Blocked { pick, side })
        );
    }
    assert_eq!(desk.pairing.pick(Some(2)), Ok(()));
    let pick = Some(2);
    assert_eq!(desk.pairing.pick(Some(1)), Err(PickError::Final { pick }));
}

#[test]
fn the_host_freezes_its_config_when_the_guest_first_says_the_same() {
    let mut desk = Desk::new(Seat::Host(choice()));
    let mut said = desk.send();
    let mut frozen = None;
    for turn in 0..60_u8 {
        // An honest guest, a round trip of 200 ms away; from turn 40 on its quality drops.
        let conf_hash = said.config.map_or(0, |config| hash(config, OWN, FRIEND));
        let guest = LobbyFrame {
            rxq: if turn < 40 { 7 } else { 0 },
            ping: turn,
            echo: said.ping,
            hold: 0,
            conf_hash: if turn < 20 { 0 } else { conf_hash },
            ..hello(Role::Guest, FRIEND)
        };
        desk.pairing.set_rxq(7);
        said = desk.turn(guest);
        if turn == 20 {
            frozen = said.config;
            assert!(matches!(desk.phase(), PairingPhase::Picking { .. }));
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
    let (mut desk, go) = Desk::picked();
    let now = desk.now();
    for cut in 0..102 {
        let cut = packet(go.encode(), now).bits.resized(cut);
        let mut damaged = packet(cut, now);
        damaged.bits = cut;
        assert_eq!(
            desk.pairing.handle_packet(now, &damaged),
            HeardLobby::Nothing
        );
    }
    let keyed = link_transport::LinkPacket {
        session: true,
        ..packet(go.encode(), now)
    };
    assert_eq!(desk.pairing.handle_packet(now, &keyed), HeardLobby::Nothing);
    assert_eq!(desk.phase(), PairingPhase::Picked);
}

#[test]
fn a_guest_that_finds_its_plan_late_pairs_on_it() {
    let mut desk = Desk::guest();
    desk.pairing.set_plan(Plan::Low);
    let key = SessionKey {
        host_nonce: FRIEND,
        guest_nonce: OWN,
    };
    let host = LobbyFrame {
        config: Some(config()),
        conf_hash: config().hash(Plan::Low, key),
        ..hello(Role::Host, FRIEND)
    };
    desk.hear(host);
    assert!(matches!(desk.phase(), PairingPhase::Picking { .. }));
    desk.pairing.set_plan(Plan::High);
    assert_eq!(
        desk.phase(),
        PairingPhase::Measuring,
        "a config of another plan is not agreed"
    );
}

#[test]
fn the_pick_time_is_shown_and_runs_out() {
    let (mut desk, _) = Desk::picking();
    let left = |desk: &Desk| match desk.phase() {
        PairingPhase::Picking { left } => Some(left),
        _ => None,
    };
    assert_eq!(left(&desk), Some(Duration::from_secs(20)));
    desk.wait(19_999);
    assert_eq!(left(&desk), Some(Duration::from_millis(1)));
    desk.wait(1);
    assert_eq!(desk.pairing.status().own_pick, Some(Some(0)));
}
