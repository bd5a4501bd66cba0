//! Two sessions, two modems, and the air of a room between them, sample by sample. Everything at once: `full_stack.rs`.

mod common;

use common::{BUILD, Toy, ToyCatalogue, busy, command, config};
use link_room::{RoomConfig, RoomEnd, RoomLink, RoomLinkConfig};
use link_transport::{Mode, Plan};
use match_feed::{WorldHash, duel::MapChoice};
use std::time::Duration;
use versus_codec::OpaqueCodec;
use versus_pairing::{Entry, HostChoice, PairingPhase};
use versus_session::{MatchEnd, ModePolicy, Session, SessionPhase, SessionStatus, Sync};

const FRAME: Duration = Duration::from_micros(16_667);

struct Phone {
    session: Session<RoomEnd, OpaqueCodec, Toy, ToyCatalogue>,
    length: u32,
    hashes: Vec<WorldHash>,
    begun: Option<Duration>,
}

impl Phone {
    fn new(end: RoomEnd, entry: Entry, plan: Plan, seed: u64, length: u32) -> Self {
        let config = config(entry, plan, BUILD, seed, ModePolicy::Adapt);
        Self {
            session: Session::new(end, config, ToyCatalogue).expect("the toy has that map"),
            length,
            hashes: Vec::new(),
            begun: None,
        }
    }

    fn status(&self, room: Duration) -> SessionStatus {
        self.session.status(self.session.transport().clock(room))
    }

    fn frame(&mut self, room: Duration) {
        let now = self.session.transport().clock(room);
        self.session.pump(now);
        let status = self.session.status(now);
        if let PairingPhase::Picking { .. } = status.pairing.phase {
            self.session.pick(Some(1)).expect("openers are on offer");
        }
        if status.phase == SessionPhase::Ready {
            let game = Toy::new(&self.session.agreed().expect("ready").setup, self.length);
            self.session
                .begin_match(now, game, OpaqueCodec)
                .expect("begins");
            self.begun = Some(room);
        }
        let local = self.session.agreed().map(|agreed| agreed.local_side());
        let hashes = &mut self.hashes;
        self.session.run(now, |tick, game, give| {
            hashes.push(match_feed::Game::hash(game));
            for order in busy(tick, local.expect("agreed")) {
                give(command(&order));
            }
        });
    }
}

/// Pairs and plays `length` ticks in a room; gives both phones' last status and a line for people.
fn duel(link: RoomLinkConfig, seed: u64, length: u32) -> [SessionStatus; 2] {
    let plan = link.plan;
    // A guest that listens on both plans starts on the high one.
    let guest_plan = if link.guest_detects { Plan::High } else { plan };
    let (host_end, guest_end) = RoomLink::pair(link, seed);
    let choice = HostChoice::new(MapChoice::BuiltIn(0));
    let mut phones = [
        Phone::new(host_end, Entry::Host(choice), plan, 2 * seed, length),
        Phone::new(guest_end, Entry::Guest, guest_plan, 2 * seed + 1, length),
    ];
    let mut room = Duration::ZERO;
    let limit = Duration::from_millis(40_000 + u64::from(length) * 130);
    let settled = |phone: &Phone, room| phone.status(room).end.is_some_and(|end| end.is_settled());
    while room < limit && !phones.iter().all(|phone| settled(phone, room)) {
        room += FRAME;
        for phone in &mut phones {
            phone.frame(room);
        }
    }
    let [host, guest] = phones.each_ref().map(|phone| phone.status(room));
    for (phone, status) in phones.iter().zip([&host, &guest]) {
        println!(
            "{plan:?}: paired after {:?}, round trip {:?}, D {:?}, {:?}; {} good, {} bad, stalled {:?} in {} ticks, {:?}",
            phone.begun,
            status.round_trip,
            status.delay.map(|d| d.ticks()),
            status.mode,
            status.link.rx_ok,
            status.link.rx_bad,
            status.stall,
            status.stalled_ticks,
            status.end
        );
        let in_sync = matches!(
            status.end,
            Some(MatchEnd::Decided {
                sync: Sync::InSync,
                ..
            })
        );
        assert!(in_sync, "{status:#?}");
    }
    assert_eq!(phones[0].hashes, phones[1].hashes);
    assert_eq!(phones[0].hashes.len(), length as usize);
    let records = phones
        .each_ref()
        .map(|phone| phone.session.record().expect("played").to_json());
    assert_eq!(records[0], records[1]);
    [host, guest]
}

#[test]
fn a_duel_by_sound_at_two_rates_and_600_ppm_apart() {
    let link = RoomLinkConfig::default().with_room(
        RoomConfig::at_distance_cm(20.0)
            .with_rates_hz([48_000, 44_100])
            .with_skews_ppm([300.0, -300.0]),
    );
    for status in duel(link, 1, 250) {
        assert_eq!(status.mode, Mode::Fast);
        let ticks = f64::from(status.stalled_ticks);
        assert!(
            ticks <= 25.0 && status.stall < Duration::from_millis(2500),
            "{status:?}"
        );
    }
}

#[test]
fn a_guest_that_listens_on_both_plans_finds_a_low_host() {
    let link = RoomLinkConfig::default()
        .with_room(RoomConfig::at_distance_cm(20.0))
        .with_plan(Plan::Low)
        .with_guest_detects(true);
    for status in duel(link, 2, 150) {
        assert_eq!(status.link.plan, Plan::Low);
    }
}
