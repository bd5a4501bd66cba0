//! A toy catalogue, and two pairings on one virtual clock.
#![allow(dead_code, reason = "each test file uses its part")]

use link_transport::{
    AirConfig, AirEnd, FrameBits, LinkEvent, LinkPacket, LinkTime, LinkTransport, Nonce, PacketAir,
    Plan,
};
use match_feed::duel::{Catalogue, MapChoice, MapSize, MatchSetup, Side};
use versus_pairing::{
    Agreed, Entry, HostChoice, Nonces, Opener, Pairing, PairingPhase, PairingStatus,
};

pub const BUILD: u16 = 0xB17D;
/// How often a host pumps.
pub const STEP_MS: u64 = 10;

/// Four maps, five biomes, six mutators. Mutator 0 blocks opener 0 for blue, mutator 1 blocks every opener for red.
#[derive(Clone, Copy, Debug)]
pub struct Toy;

impl Catalogue for Toy {
    fn built_in_maps(&self) -> u8 {
        4
    }
    fn biomes(&self) -> u8 {
        5
    }
    fn mutators(&self) -> u8 {
        6
    }
    fn map_size(&self, _map: MapChoice) -> Option<MapSize> {
        MapSize::new(64, 48)
    }
    fn opener_allowed(&self, setup: &MatchSetup, side: Side, opener: u8) -> bool {
        let has = |mutator: u32| setup.mutators >> mutator & 1 == 1;
        match side {
            Side::Blue => !(has(0) && opener == 0),
            Side::Red => !has(1),
        }
    }
}

pub fn choice() -> HostChoice {
    HostChoice::new(MapChoice::Random {
        biome: 3,
        seed: 0xC0FF_EE00,
    })
}

pub struct Phone {
    pub pairing: Pairing<Toy>,
    pub air: AirEnd,
    pub nonces: Nonces,
    /// Picked as soon as the cards show.
    pub pick: Option<Opener>,
    /// Packets heard, for replaying.
    pub heard: Vec<LinkPacket>,
    /// Statuses change; these were seen, without repetition.
    pub phases: Vec<&'static str>,
}

impl Phone {
    pub fn new(entry: Entry, plan: Plan, air: AirEnd, seed: u64) -> Self {
        let mut nonces = Nonces::new(seed);
        let nonce = nonces.draw();
        Self {
            pairing: Pairing::new(entry, plan, BUILD, Toy, nonce).expect("a choice of the toy's"),
            air,
            nonces,
            pick: Some(Some(1)),
            heard: Vec::new(),
            phases: Vec::new(),
        }
    }

    pub fn pump(&mut self, now: LinkTime) {
        while let Some(event) = self.air.poll(now) {
            match event {
                LinkEvent::Packet(packet) => {
                    self.heard.push(packet);
                    self.pairing.handle_packet(now, &packet);
                }
                LinkEvent::Slot(slot) => self.pairing.handle_slot(slot),
                _ => {}
            }
        }
        let rxq = self.air.stats().snr_db.map_or(0.0, |snr| snr / 3.0);
        self.pairing.set_rxq(rxq.clamp(0.0, 7.0) as u8);
        self.pairing.handle_timeout(now);
        if matches!(self.status().phase, PairingPhase::NeedsNonce) {
            let nonce = self.nonces.draw();
            self.pairing.reset(now, nonce);
        }
        if let (PairingPhase::Picking { .. }, Some(pick)) = (self.status().phase, self.pick) {
            self.pairing.pick(pick).expect("a pick of those offered");
        }
        if let Some(frame) = self.pairing.poll_frame(now) {
            self.air.send(&[frame]);
        }
        let phase = name(self.status().phase);
        if self.phases.last() != Some(&phase) {
            self.phases.push(phase);
        }
    }

    pub fn status(&self) -> PairingStatus {
        self.pairing.status()
    }

    pub fn agreed(&self) -> Option<Agreed> {
        self.pairing.agreed().copied()
    }
}

pub fn name(phase: PairingPhase) -> &'static str {
    match phase {
        PairingPhase::Listening => "listening",
        PairingPhase::Measuring => "measuring",
        PairingPhase::Picking { .. } => "picking",
        PairingPhase::Picked => "picked",
        PairingPhase::Going => "going",
        PairingPhase::Started => "started",
        PairingPhase::Failed(_) => "failed",
        PairingPhase::OtherVersion(_) => "other version",
        PairingPhase::NeedsNonce => "needs nonce",
        _ => "?",
    }
}

/// Two phones in one air.
pub struct Pair {
    pub now_ms: u64,
    pub host: Phone,
    pub guest: Phone,
}

impl Pair {
    pub fn new(air: AirConfig, choice: HostChoice, seed: u64) -> Self {
        let (host_air, guest_air) = PacketAir::pair(air, seed);
        Self {
            now_ms: 0,
            host: Phone::new(Entry::Host(choice), air.plan, host_air, 2 * seed),
            guest: Phone::new(Entry::Guest, air.plan, guest_air, 2 * seed + 1),
        }
    }

    pub fn now(&self) -> LinkTime {
        LinkTime::from_ms(self.now_ms)
    }

    pub fn step(&mut self) {
        self.now_ms += STEP_MS;
        self.host.pump(LinkTime::from_ms(self.now_ms));
        self.guest.pump(LinkTime::from_ms(self.now_ms));
    }

    pub fn run_ms(&mut self, ms: u64) {
        for _ in 0..ms / STEP_MS {
            self.step();
        }
    }

    /// Runs until `done`, at most `ms`; false if that was not enough.
    pub fn run_until(&mut self, ms: u64, mut done: impl FnMut(&Self) -> bool) -> bool {
        let until = self.now_ms + ms;
        while self.now_ms < until {
            if done(self) {
                return true;
            }
            self.step();
        }
        done(self)
    }

    pub fn both_started(&self) -> bool {
        self.host.agreed().is_some() && self.guest.agreed().is_some()
    }

    /// Both phones' agreed match, which must be one and the same.
    pub fn agreed(&self) -> Agreed {
        let host = self.host.agreed().expect("the host has started");
        let guest = self.guest.agreed().expect("the guest has started");
        assert_eq!(
            host,
            Agreed {
                role: host.role,
                ..guest
            }
        );
        assert_eq!(host.local_side(), guest.local_side().other());
        host
    }
}

/// A packet as a link would deliver it.
pub fn packet(bits: FrameBits, at: LinkTime) -> LinkPacket {
    LinkPacket {
        bits: bits.resized(188),
        snr_db: Some(21.0),
        at,
        session: false,
    }
}

/// A nonce that is none of `others`.
pub fn other_nonce(others: &[Nonce]) -> Nonce {
    (1..).find(|n| !others.contains(n)).expect("one is free")
}
