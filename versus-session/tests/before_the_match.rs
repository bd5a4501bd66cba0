//! From the lobby to the first tick: what is handed to the link when, a link that fails at the worst moment, and a peer
//! that is gone after GO.

mod common;

use common::*;
use link_transport::{
    AirConfig, AirEnd, LinkEvent, LinkPacket, LinkStats, LinkTime, LinkTransport, Loss, Mode,
    OutFrame, PacketAir, Plan, SessionKey,
};
use match_feed::{
    Tick,
    duel::{InputDelay, MapChoice},
};
use std::time::Duration;
use versus_codec::OpaqueCodec;
use versus_lockstep::Leave;
use versus_pairing::{Entry, HostChoice, LobbyFrame, PairingPhase, StartMode};
use versus_session::{MatchEnd, ModePolicy, Overlay, PeerEnded, Session, SessionPhase};

#[test]
fn the_lobby_frame_is_made_anew_and_handed_over_at_every_slot() {
    let mut pair = Pair::new(fast());
    // Alone, with nothing else to say than what time it is.
    pair.guest.awake = false;
    pair.run_ms(1_000);
    let before = pair.host.session.transport().sent.len();
    pair.run_ms(4_000);
    let sent = &pair.host.session.transport().sent[before..];
    // A packet every 200 ms.
    assert!(
        (19..=22).contains(&sent.len()),
        "{} times in 4 s",
        sent.len()
    );
    let ping = |list: &Vec<OutFrame>| {
        let frame = LobbyFrame::decode(list[0].bits.as_bitslice()).expect("a lobby frame");
        assert_eq!(list.len(), 1);
        frame.ping
    };
    let pings: Vec<u8> = sent.iter().map(ping).collect();
    for pair in pings.windows(2) {
        // In units of 10 ms, modulo 256.
        let apart = pair[1].wrapping_sub(pair[0]);
        assert!((19..=21).contains(&apart), "{pings:?}");
    }
}

#[test]
fn a_peer_that_still_loads_and_hears_nothing_sends_this_phone_robust() {
    let mut pair = Pair::new(fast());
    pair.guest.load_ms = 60_000;
    let host_plays = |pair: &mut Pair| pair.statuses()[0].phase == SessionPhase::Playing;
    assert!(pair.run_until(30_000, host_plays));
    let guest_is_ready = |pair: &mut Pair| pair.statuses()[1].phase == SessionPhase::Ready;
    assert!(pair.run_until(5_000, guest_is_ready));
    pair.run_ms(1_000);
    assert_eq!(pair.statuses()[0].link.tx_mode, Mode::Fast);
    // From here on the guest hears nothing; all it sends is its own lobby frame, which says so.
    pair.host.session.transport_mut().end.set_loss(Loss::All);
    pair.run_ms(1_900);
    assert_eq!(
        pair.statuses()[0].mode,
        Mode::Fast,
        "not before it is heard poorly for 2 s"
    );
    pair.run_ms(3_000);
    let status = &pair.statuses()[0];
    assert_eq!((status.mode, status.peer_rxq), (Mode::Robust, Some(0)));
}

#[test]
fn a_match_that_begins_where_fast_is_lost_one_way_goes_on_in_robust() {
    let mut pair = Pair::new(Setup {
        length: 400,
        ..fast()
    });
    let both_in_sync = |pair: &mut Pair| {
        // What the host sends in fast never arrives.
        let end = &mut pair.host.session.transport_mut().end;
        let fast = end.stats().tx_mode == Mode::Fast;
        end.set_loss(if fast { Loss::All } else { Loss::None });
        let ends = pair.ends();
        ends.iter()
            .all(|end| end.as_ref().is_some_and(MatchEnd::is_settled))
    };
    assert!(
        pair.run_until(120_000, both_in_sync),
        "{:#?}",
        pair.statuses()
    );
    assert_eq!(pair.assert_same_worlds(), 400);
    pair.assert_equal_records();
    let [host, guest] = pair.statuses();
    assert_eq!((host.mode, guest.mode), (Mode::Robust, Mode::Fast));
    // GO went out in the lobby's mode, so both began; then it took the missing acknowledgements to fall back.
    assert!(host.stall < Duration::from_secs(20), "{:?}", host.stall);
}

#[test]
fn a_peer_that_starts_over_after_its_go_leaves_this_phone_a_way_out() {
    let mut pair = Pair::new(fast());
    pair.host.load_ms = 600_000;
    let guest_plays = |pair: &mut Pair| pair.statuses()[1].phase == SessionPhase::Playing;
    assert!(pair.run_until(30_000, guest_plays));
    // The host's GO is out; now it starts over, as after a reload.
    let now = pair.host.now(pair.air_us);
    pair.host.session.retry(now);
    pair.run_ms(6_000);
    let status = pair.statuses()[1].clone();
    assert_eq!(status.phase, SessionPhase::Playing);
    assert_eq!(
        status.overlay,
        Overlay::SignalLost,
        "its peer is a stranger now"
    );
    assert!(status.menu_leave && !status.overlay_leave);
    pair.run_ms(25_000);
    let status = pair.statuses()[1].clone();
    assert!(status.overlay_leave, "{status:#?}");
    assert_ne!(pair.statuses()[0].phase, SessionPhase::Playing);
    let now = pair.guest.now(pair.air_us);
    pair.guest.session.leave(now, Leave::Left);
    pair.run_ms(2_100);
    let now = pair.guest.now(pair.air_us);
    assert!(pair.guest.session.closable(now));
    assert_eq!(pair.guest.session.end(now), Some(MatchEnd::Left));
}

#[test]
fn a_goodbye_heard_while_loading_outlives_recordings_of_play() {
    let mut pair = Pair::new(fast());
    pair.guest.load_ms = 20_000;
    let host_plays = |pair: &mut Pair| pair.host.session.tick() >= Tick(3);
    assert!(pair.run_until(30_000, host_plays));
    pair.run_ms(1_000);
    let of_play = |packet: &&LinkPacket| packet.session;
    let heard = &pair.guest.session.transport().heard;
    let recorded = *heard.iter().rfind(of_play).expect("the host plays");
    let now = pair.host.now(pair.air_us);
    pair.host.session.leave(now, Leave::Left);
    pair.run_ms(2_100);
    pair.host.session.close();
    pair.host.awake = false;
    assert_eq!(pair.statuses()[1].peer_ended, Some(PeerEnded::Left));
    // Someone plays back what the host said before it left.
    let guest_plays = |pair: &mut Pair| {
        let link = pair.guest.session.transport_mut();
        link.injected.push_back(recorded);
        pair.ends()[1].is_some()
    };
    assert!(pair.run_until(30_000, guest_plays));
    pair.run_ms(1_000);
    assert_eq!(pair.ends()[1], Some(MatchEnd::PeerLeft));
}

#[test]
fn a_phone_whose_go_is_out_is_not_won_by_recordings_while_its_peer_is_silent() {
    let mut other = Pair::new(Setup {
        seed: 300,
        ..fast()
    });
    other.run_ms(8_000);
    let tape = other.host.session.transport().heard.clone();
    let mut tape = tape.iter().filter(|packet| !packet.session).cycle();
    let mut pair = Pair::new(fast());
    // The guest falls silent once it has said what it picked, and before its own GO.
    let guest_picked = |pair: &mut Pair| pair.statuses()[1].pairing.own_pick.is_some();
    assert!(pair.run_until(30_000, guest_picked));
    assert_ne!(pair.statuses()[1].pairing.phase, PairingPhase::Going);
    pair.guest.awake = false;
    let host_goes = |pair: &mut Pair| pair.statuses()[0].pairing.phase == PairingPhase::Going;
    assert!(
        pair.run_until(5_000, host_goes),
        "{:#?}",
        pair.statuses()[0].pairing
    );
    let peer = pair.statuses()[0].pairing.peer;
    pair.guest.session.transport_mut().end.set_loss(Loss::All);
    for _ in 0..150 {
        let packet = *tape.next().expect("lobby frames");
        pair.host.session.transport_mut().injected.push_back(packet);
        pair.run_ms(100);
    }
    let status = &pair.statuses()[0].pairing;
    assert_eq!((status.phase, status.peer), (PairingPhase::Going, peer));
    // The peer may have begun on that GO, and it comes back: they play.
    pair.guest.awake = true;
    pair.guest.session.transport_mut().end.set_loss(Loss::None);
    pair.begin();
    pair.run_ms(3_000);
    assert!(pair.assert_same_worlds() > 10);
}

/// A link that reports another mode than the air's.
struct Claims {
    air: AirEnd,
    mode: Option<Mode>,
}

impl LinkTransport for Claims {
    fn capacity_bits(&self) -> usize {
        self.air.capacity_bits()
    }
    fn send(&mut self, frames: &[OutFrame]) {
        self.air.send(frames);
    }
    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        self.air.poll(now)
    }
    fn now(&self) -> LinkTime {
        self.air.now()
    }
    fn set_mode(&mut self, mode: Mode) {
        self.air.set_mode(mode);
    }
    fn set_session_key(&mut self, key: SessionKey) {
        self.air.set_session_key(key);
    }
    fn stats(&self) -> LinkStats {
        let mut stats = self.air.stats();
        stats.tx_mode = self.mode.unwrap_or(stats.tx_mode);
        stats
    }
    fn close(&mut self) {
        self.air.close();
    }
}

/// The most segments the host's turns were cut into in half a minute of long orders, if its link says that it sends in
/// `mode`.
fn most_segments(mode: Option<Mode>) -> usize {
    let (host, guest) = PacketAir::pair(AirConfig::default(), 4);
    let choice =
        HostChoice::new(MapChoice::BuiltIn(0)).with_start_mode(StartMode::Fixed(Mode::Fast));
    let seats = [
        (host, Entry::Host(choice), mode),
        (guest, Entry::Guest, None),
    ];
    let mut seed = 0;
    let mut phones = seats.map(|(air, entry, mode)| {
        seed += 1;
        let link = Claims { air, mode: None };
        let config = config(entry, Plan::High, BUILD, seed, ModePolicy::Keep);
        let mut session: Session<Claims, OpaqueCodec, Toy, ToyCatalogue> =
            Session::new(link, config, ToyCatalogue).expect("the toy has that map");
        session.force_delay(InputDelay::new(6).expect("3 to 8"));
        (session, mode)
    });
    let mut most = 0;
    for frame in 0..3_000_u64 {
        let now = LinkTime::from_us(frame * FRAME_US);
        for (session, mode) in &mut phones {
            session.pump(now);
            if let PairingPhase::Picking { .. } = session.status(now).pairing.phase {
                session.pick(Some(1)).expect("on offer");
            }
            if session.status(now).phase == SessionPhase::Ready {
                let game = Toy::new(&session.agreed().expect("ready").setup, u32::MAX);
                session.begin_match(now, game, OpaqueCodec).expect("begins");
                session.transport_mut().mode = *mode;
            }
            session.run(now, |tick, _, give| {
                if tick.0 % 40 == 39 {
                    (0..4).for_each(|at| give(command(&[at; 10])));
                }
            });
        }
        let status = phones[0].0.status(now);
        most = most.max(status.lockstep.map_or(0, |lockstep| lockstep.segments));
    }
    most
}

/// The slack here bears one packet more of 100 ms, and not one of 200.
#[test]
fn the_rotation_goes_by_the_packets_that_the_link_says_are_on_the_air() {
    assert!(most_segments(None) >= 2);
    assert_eq!(most_segments(Some(Mode::Robust)), 1);
}
