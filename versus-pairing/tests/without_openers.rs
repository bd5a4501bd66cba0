//! A game without openers: nobody is asked to pick, on either phone. And the build of a game whose maker gives none.

use link_transport::{AirConfig, LinkEvent, LinkTime, LinkTransport, PacketAir, Plan};
use match_feed::duel::{Catalogue, MapChoice, MapSize, MatchSetup, PerSide, Side};
use proptest::prelude::*;
use versus_pairing::{Entry, HostChoice, Pairing, PairingPhase, build_or_digest};

/// So many maps of one size, mutators, and openers that no mutator blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offer {
    maps: u8,
    mutators: u8,
    openers: u8,
    width: u32,
}

const PLAIN: Offer = Offer {
    maps: 1,
    mutators: 0,
    openers: 0,
    width: 8,
};

impl Catalogue for Offer {
    fn built_in_maps(&self) -> u8 {
        self.maps
    }
    fn biomes(&self) -> u8 {
        0
    }
    fn mutators(&self) -> u8 {
        self.mutators
    }
    fn map_size(&self, _: MapChoice) -> Option<MapSize> {
        MapSize::new(self.width, 8)
    }
    fn opener_allowed(&self, _: &MatchSetup, _: Side, opener: u8) -> bool {
        opener < self.openers
    }
}

#[test]
fn without_openers_both_phones_are_ready_and_neither_shows_a_pick() {
    let choice = HostChoice::new(MapChoice::BuiltIn(0));
    let air = AirConfig::default();
    let (host_air, guest_air) = PacketAir::pair(air, 5);
    let entries = [
        (Entry::Host(choice), 11, host_air),
        (Entry::Guest, 22, guest_air),
    ];
    let mut phones = entries.map(|(entry, nonce, air)| {
        let pairing = Pairing::new(entry, Plan::High, 42, PLAIN, nonce);
        (pairing.expect("it has that map"), air)
    });
    let mut now = LinkTime::ZERO;
    while phones.iter().any(|(pairing, _)| pairing.agreed().is_none()) {
        now = now + core::time::Duration::from_millis(10);
        assert!(
            now < LinkTime::from_ms(60_000),
            "not agreed within a minute"
        );
        for (pairing, air) in &mut phones {
            while let Some(event) = air.poll(now) {
                match event {
                    LinkEvent::Packet(packet) => {
                        pairing.handle_packet(now, &packet);
                    }
                    LinkEvent::Slot(slot) => pairing.handle_slot(slot),
                    _ => {}
                }
            }
            pairing.set_rxq(7);
            if let Some(frame) = pairing.poll_frame(now) {
                air.send(&[frame]);
            }
            let phase = pairing.status().phase;
            assert!(!matches!(phase, PairingPhase::Picking { .. }));
            assert_eq!(pairing.openers().filter(Option::is_some).count(), 0);
        }
    }
    let openers = phones.map(|(pairing, _)| pairing.agreed().expect("both agree").setup.openers);
    assert_eq!(openers, [PerSide::default(); 2]);
}

#[test]
fn a_build_given_is_the_build() {
    assert_eq!(build_or_digest(7, "chess", &PLAIN), 7);
    assert_eq!(build_or_digest(7, "go", &PLAIN), 7);
}

#[test]
fn without_a_build_the_name_and_every_part_of_the_catalogue_count() {
    let own = build_or_digest(0, "chess", &PLAIN);
    assert_eq!(own, build_or_digest(0, "chess", &PLAIN.clone()));
    let others = [
        ("go", PLAIN),
        ("Chess", PLAIN),
        ("", PLAIN),
        ("chess", Offer { maps: 2, ..PLAIN }),
        (
            "chess",
            Offer {
                mutators: 1,
                ..PLAIN
            },
        ),
        (
            "chess",
            Offer {
                openers: 1,
                ..PLAIN
            },
        ),
        ("chess", Offer { width: 9, ..PLAIN }),
    ];
    for (name, offer) in others {
        assert_ne!(build_or_digest(0, name, &offer), own, "{name} {offer:?}");
    }
}

proptest! {
    #[test]
    fn a_digest_is_never_0(
        name in ".{0,64}",
        maps: u8,
        mutators: u8,
        openers in 0..4u8,
        width in 1..64u32,
    ) {
        let offer = Offer { maps, mutators, openers, width };
        prop_assert_ne!(build_or_digest(0, &name, &offer), 0);
    }
}
