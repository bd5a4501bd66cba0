//! Whole protocol machines by operation sequence: whatever a peer sends and whenever, what goes out is legal.

use arbitrary::{Arbitrary, Unstructured};
use bitvec::prelude::*;
use core::time::Duration;
use link_transport::{FrameBits, LinkPacket, LinkTime, OutFrame, Plan, Slot, capacity_bits};
use match_feed::{
    Outcome, Tick, WorldHash,
    duel::{Catalogue, InputDelay, MapChoice, MapSize, MatchSetup, Side},
};
use versus_codec::{OpaqueCodec, OpaqueCommand};
use versus_lockstep::{Expect, GameFrame, Leave, Lockstep, LockstepConfig};
use versus_pairing::{Entry, HostChoice, LobbyFrame, Pairing};

/// A frame as a peer might send it: its bits, and how many of them are replaced by the machine's own newest frame's,
/// so that mutations start from something plausible.
#[derive(Arbitrary, Debug)]
struct Heard {
    bytes: [u8; 24],
    of_own: u8,
}

impl Heard {
    fn bits(&self, own: Option<&OutFrame>, capacity: usize) -> FrameBits {
        let mut bits = BitVec::<u8, Msb0>::from_slice(&self.bytes);
        bits.truncate(capacity);
        if let Some(own) = own {
            let kept = usize::from(self.of_own).min(own.bits.len()).min(capacity);
            for (at, bit) in own.bits.as_bitslice()[..kept].iter().by_vals().enumerate() {
                bits.set(at, bit);
            }
        }
        FrameBits::from_bitslice(&bits).expect("at most a packet's capacity")
    }
}

#[derive(Arbitrary, Debug)]
enum MatchOperation {
    Wait { ms: u16 },
    Hear(Heard),
    Give { bytes: [u8; 10], bits: u8 },
    Step { hash: u8, decided: bool },
    Slot { key: Option<u8> },
    Quality(u8),
    Period { robust: bool },
    Pause(bool),
    Leave { desync: bool },
}

/// A lockstep under any sequence of operations. First byte: the input delay and the side.
pub fn lockstep(data: &[u8]) {
    let Some((&head, rest)) = data.split_first() else {
        return;
    };
    let mut input = Unstructured::new(rest);
    let delay = InputDelay::new(3 + head % 6).expect("3 to 8");
    let local = if head & 0x80 == 0 {
        Side::Blue
    } else {
        Side::Red
    };
    let capacity_bits = capacity_bits(if head & 0x40 == 0 {
        Plan::High
    } else {
        Plan::Low
    });
    let config = LockstepConfig::new(local, delay, WorldHash(1))
        .with_capacity_bits(capacity_bits)
        .with_packet_ms(100);
    let mut lockstep = Lockstep::new(config, OpaqueCodec).expect("a plan's capacity is enough");
    let mut now = LinkTime::ZERO;
    let mut newest: Option<OutFrame> = None;
    // Arbitrary values can be made of no bytes at all, for ever.
    while !input.is_empty()
        && let Ok(operation) = MatchOperation::arbitrary(&mut input)
    {
        match operation {
            MatchOperation::Wait { ms } => now = now + Duration::from_millis(ms.into()),
            MatchOperation::Hear(heard) => {
                let bits = heard.bits(newest.as_ref(), capacity_bits);
                let before = lockstep.status(now);
                if lockstep.handle_frame(now, bits.as_bitslice()).is_err() {
                    let after = lockstep.status(now);
                    assert_eq!(
                        (before.ack_through, before.peer_ack),
                        (after.ack_through, after.peer_ack)
                    );
                }
            }
            MatchOperation::Give { bytes, bits } => {
                let command = OpaqueCommand::from_bytes(&bytes, usize::from(bits) % 81)
                    .expect("at most 83 bits");
                let _ = lockstep.give(now, command);
            }
            MatchOperation::Step { hash, decided } => {
                lockstep.seal(now);
                let tick = lockstep.status(now).tick;
                if lockstep.orders(tick).is_some() {
                    let outcome = decided.then_some(Outcome::won(local));
                    lockstep.stepped(now, tick, WorldHash(hash.into()), outcome);
                }
            }
            MatchOperation::Slot { key } => lockstep.handle_slot(Slot {
                at: now,
                key: key.map(u32::from),
            }),
            MatchOperation::Quality(rxq) => lockstep.set_rxq(rxq % 8),
            MatchOperation::Period { robust } => {
                lockstep.set_packet_ms(if robust { 200 } else { 100 })
            }
            MatchOperation::Pause(paused) => lockstep.set_paused(now, paused),
            MatchOperation::Leave { desync } => {
                lockstep.leave(if desync { Leave::Desync } else { Leave::Left })
            }
        }
        let status = lockstep.status(now);
        assert!(
            status.tick.0 <= status.ack_through + 1,
            "stepped a turn it does not hold: {status:?}"
        );
        assert!((900..=1100).contains(&lockstep.speed_permille()));
        if let Some(frames) = lockstep.poll_frames() {
            for frame in frames {
                assert!(
                    frame.bits.len() <= capacity_bits,
                    "a frame of {} bits",
                    frame.bits.len()
                );
                let expect = Expect {
                    to: status.newest_sealed,
                    tick: Tick(status.tick.0),
                };
                let read = GameFrame::decode(frame.bits.as_bitslice(), expect, &OpaqueCodec);
                assert!(read.is_ok(), "what goes out is legal: {read:?}");
            }
            newest = frames.last().copied();
        }
    }
}

/// Two maps, a biome, openers of which the last is blocked under mutators.
struct SmallCatalogue;

impl Catalogue for SmallCatalogue {
    fn built_in_maps(&self) -> u8 {
        2
    }
    fn biomes(&self) -> u8 {
        1
    }
    fn mutators(&self) -> u8 {
        4
    }
    fn map_size(&self, _: MapChoice) -> Option<MapSize> {
        MapSize::new(64, 48)
    }
    fn opener_allowed(&self, setup: &MatchSetup, _: Side, opener: u8) -> bool {
        opener < 2 || setup.mutators == 0
    }
}

#[derive(Arbitrary, Debug)]
enum LobbyOperation {
    Wait {
        ms: u16,
    },
    Hear {
        heard: Heard,
        as_peer: bool,
        session: bool,
    },
    Slot {
        key: Option<u8>,
    },
    Quality(u8),
    Pick(Option<u8>),
    Reset {
        nonce: u16,
    },
    PeerStarted,
}

/// A pairing under any sequence of operations. First byte: role, plan and mutators.
pub fn pairing(data: &[u8]) {
    let Some((&head, rest)) = data.split_first() else {
        return;
    };
    let mut input = Unstructured::new(rest);
    let choice =
        HostChoice::new(MapChoice::BuiltIn(head & 1)).with_mutators(u16::from(head >> 1 & 1));
    let entry = if head & 0x80 == 0 {
        Entry::Host(choice)
    } else {
        Entry::Guest
    };
    let plan = if head & 0x40 == 0 {
        Plan::High
    } else {
        Plan::Low
    };
    let mut pairing =
        Pairing::new(entry, plan, 42, SmallCatalogue, 7).expect("the choice is in the catalogue");
    let mut now = LinkTime::ZERO;
    let mut newest: Option<OutFrame> = None;
    while !input.is_empty()
        && let Ok(operation) = LobbyOperation::arbitrary(&mut input)
    {
        match operation {
            LobbyOperation::Wait { ms } => {
                now = now + Duration::from_millis(ms.into());
                pairing.handle_timeout(now);
            }
            LobbyOperation::Hear {
                heard,
                as_peer,
                session,
            } => {
                let mut bits = heard.bits(newest.as_ref(), capacity_bits(plan));
                if as_peer {
                    let mut turned = bits.as_bitslice().to_bitvec();
                    let role = turned[2];
                    turned.set(2, !role);
                    bits = FrameBits::from_bitslice(&turned).expect("as long as before");
                }
                pairing.handle_packet(
                    now,
                    &LinkPacket {
                        bits,
                        snr_db: Some(20.0),
                        at: now,
                        session,
                    },
                );
            }
            LobbyOperation::Slot { key } => pairing.handle_slot(Slot {
                at: now,
                key: key.map(u32::from),
            }),
            LobbyOperation::Quality(rxq) => pairing.set_rxq(rxq),
            LobbyOperation::Pick(opener) => drop(pairing.pick(opener)),
            LobbyOperation::Reset { nonce } => pairing.reset(now, nonce.max(1)),
            LobbyOperation::PeerStarted => pairing.handle_peer_started(now),
        }
        if let Some(frame) = pairing.poll_frame(now) {
            let read = LobbyFrame::decode(frame.bits.as_bitslice());
            assert!(
                read.is_ok() && !frame.keyed,
                "what goes out is legal: {read:?}"
            );
            newest = Some(frame);
        }
        let _ = pairing.status();
    }
}
