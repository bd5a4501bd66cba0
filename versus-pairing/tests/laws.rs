//! What holds for every frame and every order of events.

mod common;

use common::*;
use link_transport::{FrameBits, LinkPacket, LinkTime, Plan, Role, Slot};
use match_feed::duel::{InputDelay, MapChoice, Side};
use proptest::prelude::*;
use versus_pairing::{
    Entry, LobbyConfig, LobbyFrame, LobbyHead, Opener, PROTO, Pairing, PairingPhase,
};

fn openers() -> impl Strategy<Value = Opener> {
    prop_oneof![Just(None), (0..3_u8).prop_map(Some)]
}

fn maps() -> impl Strategy<Value = MapChoice> {
    prop_oneof![
        (0..6_u8).prop_map(MapChoice::BuiltIn),
        (0..5_u8, any::<u32>()).prop_map(|(biome, seed)| MapChoice::Random { biome, seed }),
    ]
}

fn configs() -> impl Strategy<Value = LobbyConfig> {
    let numbers = (maps(), 0..4096_u16, 3..=8_u8, any::<bool>(), any::<bool>());
    numbers.prop_map(|(map, mutators, delay, red, fast)| LobbyConfig {
        map,
        mutators,
        delay: InputDelay::new(delay).expect("3 to 8"),
        host_side: Side::BOTH[usize::from(red)],
        fast,
    })
}

prop_compose! {
    /// Frames whose nonces, versions and hashes often meet.
    fn frames()(
        guest in any::<bool>(),
        version in prop_oneof![9 => Just((PROTO, BUILD)), 1 => (0..16_u8, any::<u16>())],
        nonces in prop::array::uniform2(prop_oneof![Just(0), Just(11), Just(22), Just(33), any::<u16>()]),
        link in (0..8_u8, any::<u8>(), any::<u8>(), 0..128_u8),
        config in prop::option::of(configs()),
        conf_hash in prop_oneof![Just(0), any::<u16>()],
        picks in (openers(), any::<bool>(), prop::option::of(openers())),
    ) -> LobbyFrame {
        let role = if guest { Role::Guest } else { Role::Host };
        LobbyFrame {
            head: LobbyHead { role, proto: version.0, build: version.1 },
            nonce: nonces[0],
            heard: nonces[1],
            rxq: link.0,
            ping: link.1,
            echo: link.2,
            hold: link.3,
            config: config.filter(|_| !guest),
            conf_hash,
            pick: picks.0,
            picked: picks.1,
            go: picks.2,
        }
    }
}

/// Something that happens to a pairing.
#[derive(Clone, Debug)]
enum Event {
    Wait(u64),
    Hear(LobbyFrame),
    /// The same config hash as this phone's, so that hostile frames get far.
    HearAgreeing(LobbyFrame),
    Garbage(Vec<u8>),
    Slot(Option<u32>),
    Poll,
    Pick(Opener),
    Reset(u16),
    PeerStarted,
    Plan(bool),
    Rxq(u8),
}

fn events() -> impl Strategy<Value = Event> {
    prop_oneof![
        2 => (0..4000_u64).prop_map(Event::Wait),
        4 => frames().prop_map(Event::Hear),
        6 => frames().prop_map(Event::HearAgreeing),
        1 => prop::collection::vec(any::<u8>(), 24).prop_map(Event::Garbage),
        4 => prop::option::of(0..200_u32).prop_map(Event::Slot),
        4 => Just(Event::Poll),
        2 => openers().prop_map(Event::Pick),
        1 => (1..=u16::MAX).prop_map(Event::Reset),
        1 => Just(Event::PeerStarted),
        1 => any::<bool>().prop_map(Event::Plan),
        1 => any::<u8>().prop_map(Event::Rxq),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_frame_survives_its_bits(frame in frames(), padding in any::<bool>()) {
        let bits = frame.encode();
        prop_assert_eq!(LobbyFrame::decode(bits.as_bitslice()), Ok(frame));
        let mut packet = bitvec::bitvec![u8, bitvec::order::Msb0; usize::from(padding); 188];
        packet[..bits.len()].copy_from_bitslice(bits.as_bitslice());
        prop_assert_eq!(LobbyFrame::decode(&packet), Ok(frame));
    }

    #[test]
    fn whatever_decodes_encodes_to_the_bits_it_was_read_from(bytes in prop::collection::vec(any::<u8>(), 24), len in 0..192_usize) {
        let bits = FrameBits::from_bytes(&bytes, len);
        if let Ok(frame) = LobbyFrame::decode(bits.as_bitslice()) {
            prop_assert!(bits.starts_with(&frame.encode()), "{frame:?}");
        }
    }

    /// No order of events, hostile or absurd, panics, sends an illegal frame, or starts a match that this phone's own
    /// GO does not describe.
    #[test]
    fn no_order_of_events_breaks_a_pairing(host in any::<bool>(), events in prop::collection::vec(events(), 1..120)) {
        let entry = if host { Entry::Host(choice()) } else { Entry::Guest };
        let mut pairing = Pairing::new(entry, Plan::High, BUILD, Toy, 11).expect("a toy's choice");
        let mut now = LinkTime::from_ms(5);
        let mut conf_hash = 0;
        for event in events {
            let hear = |pairing: &mut Pairing<Toy>, bits: FrameBits| {
                let packet = LinkPacket { bits, snr_db: None, at: now, session: false };
                pairing.handle_packet(now, &packet);
            };
            match event {
                Event::Wait(ms) => now = LinkTime::from_us(now.as_us() + ms * 1000),
                Event::Hear(frame) => hear(&mut pairing, frame.encode().resized(188)),
                Event::HearAgreeing(frame) => {
                    let status = pairing.status();
                    let theirs = if host { Role::Guest } else { Role::Host };
                    let head = LobbyHead { role: theirs, proto: PROTO, build: BUILD };
                    let config = status.config.filter(|_| !host).or(frame.config.filter(|_| !host));
                    let heard = status.nonce;
                    let nonce = status.peer.unwrap_or(22);
                    let frame = LobbyFrame { head, nonce, heard, config, conf_hash, ..frame };
                    hear(&mut pairing, frame.encode().resized(188));
                }
                Event::Garbage(bytes) => hear(&mut pairing, FrameBits::from_bytes(&bytes, 188)),
                Event::Slot(key) => pairing.handle_slot(Slot { at: now, key }),
                Event::Poll => {
                    if let Some(out) = pairing.poll_frame(now) {
                        let frame = LobbyFrame::decode(out.bits.as_bitslice());
                        prop_assert!(frame.is_ok() && !out.keyed, "{frame:?}");
                        conf_hash = frame.expect("checked").conf_hash;
                    }
                }
                Event::Pick(opener) => { let _ = pairing.pick(opener); }
                Event::Reset(nonce) => pairing.reset(now, nonce),
                Event::PeerStarted => pairing.handle_peer_started(now),
                Event::Plan(low) => pairing.set_plan(if low { Plan::Low } else { Plan::High }),
                Event::Rxq(rxq) => pairing.set_rxq(rxq),
            }
            let status = pairing.status();
            if let Some(agreed) = pairing.agreed() {
                prop_assert_eq!(status.phase, PairingPhase::Started);
                prop_assert_eq!(pairing.going(), Some(*agreed));
                prop_assert_eq!(agreed.setup.openers[agreed.local_side()], status.own_pick.expect("picked"));
            }
            prop_assert_eq!(pairing.session_key().is_some(), pairing.going().is_some());
        }
    }
}
