//! One phone, and a peer whose every frame is written by hand.
#![allow(dead_code, reason = "each test file uses its part")]

use crate::common::*;
use link_transport::{LinkTime, Nonce, OutFrame, Plan, Role, SessionKey, Slot};
use match_feed::duel::{InputDelay, MapChoice, Side};
use versus_pairing::{
    Entry, HOLD_NONE, HeardLobby, LobbyConfig, LobbyFrame, LobbyHead, PROTO, Pairing, PairingPhase,
};

pub const OWN: Nonce = 1111;
pub const PEER: Nonce = 2222;
pub const THIRD: Nonce = 3333;

pub fn config() -> LobbyConfig {
    LobbyConfig {
        map: MapChoice::BuiltIn(2),
        mutators: 0,
        delay: InputDelay::MIN,
        host_side: Side::Blue,
        fast: true,
    }
}

/// The digest of `config` between a host and a guest of these nonces.
pub fn hash(config: LobbyConfig, host_nonce: Nonce, guest_nonce: Nonce) -> u16 {
    let key = SessionKey {
        host_nonce,
        guest_nonce,
    };
    config.hash(Plan::High, key)
}

/// What the peer says, hearing this phone and echoing nothing.
pub fn hello(role: Role, nonce: Nonce) -> LobbyFrame {
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
pub struct LonePhone {
    pub pairing: Pairing<Toy>,
    pub now_ms: u64,
    pub sent: Option<OutFrame>,
}

impl LonePhone {
    pub fn guest() -> Self {
        Self::new(Entry::Guest)
    }

    pub fn new(entry: Entry) -> Self {
        let pairing = Pairing::new(entry, Plan::High, BUILD, Toy, OWN).expect("a toy's choice");
        Self {
            pairing,
            now_ms: 10_000,
            sent: None,
        }
    }

    pub fn now(&self) -> LinkTime {
        LinkTime::from_ms(self.now_ms)
    }

    pub fn wait(&mut self, ms: u64) {
        self.now_ms += ms;
        self.pairing.handle_timeout(self.now());
    }

    pub fn hear(&mut self, frame: LobbyFrame) -> HeardLobby {
        let now = self.now();
        self.pairing
            .handle_packet(now, &packet(frame.encode(), now))
    }

    /// The next packet starts with what there is to send by then; gives what it says.
    pub fn send(&mut self) -> LobbyFrame {
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
    pub fn turn(&mut self, frame: LobbyFrame) -> LobbyFrame {
        self.wait(200);
        self.hear(frame);
        self.send()
    }

    pub fn phase(&self) -> PairingPhase {
        self.pairing.status().phase
    }

    /// A guest's phone on which the cards show, and the peer's frame that says the same.
    pub fn picking() -> (Self, LobbyFrame) {
        let mut phone = Self::guest();
        let host = LobbyFrame {
            config: Some(config()),
            conf_hash: hash(config(), PEER, OWN),
            ..hello(Role::Host, PEER)
        };
        phone.hear(host);
        assert!(matches!(phone.phase(), PairingPhase::Picking { .. }));
        (phone, host)
    }

    /// The same, this phone having picked 1; and the peer's GO that would start it, its own pick being 2.
    pub fn picked() -> (Self, LobbyFrame) {
        let (mut phone, host) = Self::picking();
        phone.pairing.pick(Some(1)).expect("on offer");
        let go = LobbyFrame {
            pick: Some(2),
            picked: true,
            go: Some(Some(1)),
            ..host
        };
        (phone, go)
    }
}
