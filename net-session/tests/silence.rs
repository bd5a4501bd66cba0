//! Who says nothing new is not waited for, however much it talks.

mod common;

use common::{Liar, World, config, let_in, seats, with_guest};
use net_session::{Event, OnDrop, Outcome, Place, Session};
use net_transport::{
    Carrier, Lane, LinkConfig, Loss, NetEvent, NetTime, NetTransport, PeerId, SendResult,
};

fn link() -> LinkConfig {
    LinkConfig::default()
        .latency_us(40_000)
        .jitter_us(8_000)
        .loss(Loss::Bernoulli(0.05))
}

/// A transport with one peer, that keeps what is sent.
struct Ear {
    up: bool,
    sent: Vec<u8>,
}

impl NetTransport for Ear {
    fn carrier(&self) -> Carrier {
        Carrier::Datagram
    }
    fn poll(&mut self, _: NetTime) -> Option<NetEvent<'_>> {
        let first = !std::mem::replace(&mut self.up, true);
        first.then_some(NetEvent::PeerUp { peer: PeerId(0) })
    }
    fn send(&mut self, _: NetTime, _: PeerId, _: Lane, bytes: &[u8]) -> SendResult {
        self.sent = bytes.to_vec();
        SendResult::Sent
    }
    fn disconnect(&mut self, _: NetTime, _: PeerId) {}
    fn next_wake(&self) -> Option<NetTime> {
        None
    }
    fn is_up(&self, _: PeerId) -> bool {
        self.up
    }
}

#[test]
fn an_old_hello_said_again_is_no_sign_of_life() {
    let change = |it: net_session::SessionConfig| it.input_delay(4);
    let mut world = World::new(3, link(), 1, change);
    world.run_to(4_000_000);
    world.players[2].stopped = true;
    let place = Place::Player(seats(0b100));
    let mut dead = Session::new(change(config(3, place, 1_002))).expect("the same as before");
    let mut ear = Ear {
        up: false,
        sent: Vec::new(),
    };
    dead.advance(NetTime::ZERO, &mut ear);
    assert_eq!(ear.sent[0], 1, "a Hello");
    for _ in 0..60 {
        world.run_for(200_000);
        for peer in [PeerId(0), PeerId(1)] {
            let now = NetTime::from_us(world.now);
            let _ = world.players[2].end.send(now, peer, Lane::Fast, &ear.sent);
        }
    }
    for at in 0..2 {
        let session = &world.players[at].session;
        assert_eq!(session.live(), 0b011, "{}", world.tell());
        assert!(session.confirmed().0 > 400, "{}", world.tell());
    }
    world.check_logs(1);
}

fn mute(world: &mut World, at: usize, nonces: Vec<u64>) {
    let mut liar = Liar::new(1, at as u8, nonces, u64::MAX, 0);
    liar.mute = true;
    world.players[at].liar = Some(liar);
}

#[test]
fn who_talks_and_gives_no_inputs_is_dropped() {
    for seat in 0..3 {
        for prediction in [0, 8] {
            let mut world = World::new(3, link(), 2, |it| it.input_delay(4).prediction(prediction));
            world.run_to(4_000_000);
            mute(&mut world, seat, vec![1_000, 1_001, 1_002]);
            world.run_to(24_000_000);
            for at in (0..3).filter(|&at| at != seat) {
                let session = &world.players[at].session;
                assert_eq!(session.outcome(), None, "{}", world.tell());
                assert_eq!(session.live(), 0b111 & !(1 << seat), "{}", world.tell());
                assert!(session.confirmed().0 > 400, "{}", world.tell());
            }
        }
    }
}

#[test]
fn a_newcomer_whose_feeder_talks_and_feeds_nothing_ends() {
    let change = |it: net_session::SessionConfig| it.input_delay(4).on_drop(OnDrop::Neutral);
    let mut world = with_guest(1, link(), 3, 0b10, change);
    world.run_to(3_000_000);
    let place = Place::Joiner {
        seats: seats(0b10),
        token: [0; 16],
    };
    let_in(&mut world, 2, place, 3, change);
    while !world.players[1].events.contains(&Event::Agreed) {
        world.run_for(10_000);
    }
    mute(&mut world, 0, vec![1_000, 5_103]);
    world.run_for(40_000_000);
    assert_eq!(
        world.players[1].session.outcome(),
        Some(Outcome::NoPath),
        "{}",
        world.tell()
    );
}

#[test]
fn what_a_coordinator_decided_before_it_died_reaches_all() {
    let mut partly = 0;
    for nth in 0..40 {
        let lossy = link().loss(Loss::Bernoulli(0.3));
        let mut world = World::new(5, lossy, nth, |it| it.input_delay(6));
        world.run_to(4_000_000);
        world.players[2].session.leave();
        world.run_for(60_000 + nth * 15_000);
        world.players[0].stopped = true;
        world.run_for(1_000_000);
        let live = |at: usize| world.players[at].session.live();
        partly += u32::from(live(1) != live(3) || live(1) != live(4));
        world.run_to(24_000_000);
        for at in [1, 3, 4] {
            let session = &world.players[at].session;
            assert_eq!(session.outcome(), None, "{nth}: {}", world.tell());
            assert_eq!(session.live(), 0b11010, "{nth}: {}", world.tell());
            assert!(session.confirmed().0 > 500, "{nth}: {}", world.tell());
        }
        world.check_logs(nth);
    }
    assert!(partly > 0, "none came to the case");
}
