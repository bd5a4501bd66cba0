//! The simulated internet keeps the contract, over either carrier; and a transport that breaks a rule is caught by
//! that rule's number.

use net_transport::{
    Carrier, DownReason, Lane, LanesEnd, LinkConfig, Loss, NetAir, NetEnd, NetEvent, NetTime,
    NetTransport, PeerId, SendResult,
    contract::{self, Rig, Weather},
};

fn link(weather: Weather) -> LinkConfig {
    let clear = LinkConfig::default()
        .latency_us(30_000)
        .bandwidth(4_000_000, 200_000);
    match weather {
        Weather::Clear => clear,
        Weather::Rough => clear
            .jitter_us(20_000)
            .reorder(0.05, 60_000)
            .loss(Loss::PacketBursts {
                share: 0.2,
                mean_packets: 3.0,
            })
            .duplicate(0.05)
            .damage(0.05),
    }
}

/// Ends of a [`NetAir`], each behind a wrapper.
struct Air<T> {
    air: NetAir,
    ends: Vec<T>,
    true_us: u64,
}

impl<T: NetTransport> Air<T> {
    fn new(carrier: Carrier, weather: Weather, wrap: impl Fn(NetEnd) -> T) -> Self {
        let air = NetAir::new(3, link(weather), 7).over(carrier);
        air.set_clock(1, NetTime::from_ms(5_000), 200);
        Self {
            ends: (0..3).map(|end| wrap(air.end(end))).collect(),
            air,
            true_us: 0,
        }
    }
}

impl<T: NetTransport> Rig for Air<T> {
    fn ends(&self) -> usize {
        self.ends.len()
    }
    fn end(&mut self, at: usize) -> &mut dyn NetTransport {
        &mut self.ends[at]
    }
    fn now(&mut self, at: usize) -> NetTime {
        self.air.local(at, NetTime::from_us(self.true_us))
    }
    fn pass(&mut self, us: u64) {
        self.true_us += us;
    }
    fn heard(&mut self, _at: usize) -> bool {
        // Its next wake knows of all that is on its way.
        false
    }
}

#[test]
fn the_simulated_internet_keeps_the_contract() {
    for carrier in [Carrier::Datagram, Carrier::Stream] {
        let held =
            contract::check(&mut |weather| Some(Box::new(Air::new(carrier, weather, |end| end))));
        assert_eq!(held, Ok(true), "{carrier:?}");
    }
}

#[test]
fn lanes_of_datagrams_keep_the_contract() {
    for start in 0..4 {
        let token = std::cell::Cell::new(start * 0x0101_0101);
        let held = contract::check(&mut |weather| {
            Some(Box::new(Air::new(Carrier::Datagram, weather, |end| {
                token.set(token.get() + 0x1234_5677);
                LanesEnd::new(end, token.get())
            })))
        });
        assert_eq!(held, Ok(true), "{start}");
    }
}

#[test]
fn a_maker_without_rough_weather_is_told_so() {
    let held = contract::check(&mut |weather| match weather {
        Weather::Clear => Some(Box::new(Air::new(Carrier::Datagram, weather, |end| end))),
        Weather::Rough => None,
    });
    assert_eq!(held, Ok(false));
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    UpTwice,
    WrongPeer,
    NeverNone,
    NoWake,
    ReliableReordered,
    ReliableDamaged,
    ReliableLost,
    FastCut,
    Stale,
    SecretlyReliable,
    SaysStreamButLoses,
    NeverFull,
    FastBehindReliable,
    TooLongCut,
    SentToNobody,
    DownTwice,
    DownUntold,
    SpeaksAfterDown,
}

/// A transport that breaks one rule.
struct Canary {
    end: NetEnd,
    fault: Fault,
    told: Vec<(PeerId, Option<DownReason>)>,
    again: Option<(PeerId, Option<DownReason>)>,
    held: Vec<(NetTime, PeerId, Vec<u8>)>,
    bytes: Vec<u8>,
    count: u32,
}

impl Canary {
    fn new(end: NetEnd, fault: Fault) -> Self {
        Self {
            end,
            fault,
            told: Vec::new(),
            again: None,
            held: Vec::new(),
            bytes: Vec::new(),
            count: 0,
        }
    }
}

fn event(told: (PeerId, Option<DownReason>)) -> NetEvent<'static> {
    match told {
        (peer, None) => NetEvent::PeerUp { peer },
        (peer, Some(reason)) => NetEvent::PeerDown { peer, reason },
    }
}

impl NetTransport for Canary {
    fn carrier(&self) -> Carrier {
        match self.fault {
            Fault::SaysStreamButLoses => Carrier::Stream,
            _ => self.end.carrier(),
        }
    }

    fn poll(&mut self, now: NetTime) -> Option<NetEvent<'_>> {
        if let Some(told) = self.again.take() {
            return Some(event(told));
        }
        if self.fault == Fault::NeverNone && self.end.next_wake().is_none() && self.count > 9 {
            self.bytes.clear();
            let peer = self.told[0].0;
            return Some(NetEvent::Message {
                peer,
                lane: Lane::Fast,
                bytes: &self.bytes,
            });
        }
        if self.fault == Fault::Stale
            && let Some(at) = self
                .held
                .iter()
                .position(|held| now.since(held.0) > 1_500_000)
        {
            let (_, peer, bytes) = self.held.remove(at);
            self.bytes = bytes;
            return Some(NetEvent::Message {
                peer,
                lane: Lane::Fast,
                bytes: &self.bytes,
            });
        }
        loop {
            let (peer, lane) = match self.end.poll(now)? {
                NetEvent::PeerUp { peer } => {
                    self.told.push((peer, None));
                    if self.fault == Fault::UpTwice {
                        self.again = Some((peer, None));
                    }
                    return Some(NetEvent::PeerUp { peer });
                }
                NetEvent::PeerDown { peer, reason } => {
                    match self.fault {
                        Fault::DownTwice => self.again = Some((peer, Some(reason))),
                        Fault::DownUntold if reason == DownReason::Closed => {
                            self.told.push((peer, Some(reason)));
                            continue;
                        }
                        Fault::SpeaksAfterDown => {
                            self.told.insert(0, (peer, Some(reason)));
                            self.fault = Fault::NeverNone;
                        }
                        _ => {}
                    }
                    return Some(NetEvent::PeerDown { peer, reason });
                }
                NetEvent::Message { peer, lane, bytes } => {
                    self.bytes.clear();
                    self.bytes.extend_from_slice(bytes);
                    (peer, lane)
                }
            };
            let mut lane = lane;
            if self.fault == Fault::FastBehindReliable && self.bytes.last() == Some(&0xFA) {
                self.bytes.pop();
                lane = Lane::Fast;
            }
            if self.fault == Fault::Stale && lane == Lane::Fast && self.bytes.len() == 40 {
                self.held.push((now, peer, self.bytes.clone()));
                continue;
            }
            self.count += 1;
            match (self.fault, lane, self.bytes.len()) {
                (Fault::ReliableDamaged, Lane::Reliable, 5_000) => self.bytes[4_000] ^= 1,
                (Fault::ReliableLost, Lane::Reliable, 1_181) => continue,
                (Fault::FastCut, Lane::Fast, 1_200) => self.bytes.truncate(1_199),
                _ => {}
            }
            return Some(NetEvent::Message {
                peer,
                lane,
                bytes: &self.bytes,
            });
        }
    }

    fn send(&mut self, now: NetTime, peer: PeerId, lane: Lane, bytes: &[u8]) -> SendResult {
        match (self.fault, lane) {
            (Fault::WrongPeer, Lane::Reliable) if bytes.len() == 1_181 => {
                let other = self
                    .told
                    .iter()
                    .find(|told| told.0 != peer)
                    .map_or(peer, |told| told.0);
                self.end.send(now, other, lane, bytes)
            }
            (Fault::ReliableReordered, Lane::Reliable) if bytes.len() == 1_181 => {
                self.held.push((now, peer, bytes.to_vec()));
                SendResult::Sent
            }
            (Fault::ReliableReordered, Lane::Reliable) => {
                let result = self.end.send(now, peer, lane, bytes);
                if let Some(at) = self.held.iter().position(|held| held.1 == peer) {
                    let (_, peer, bytes) = self.held.remove(at);
                    let _ = self.end.send(now, peer, lane, &bytes);
                }
                result
            }
            (Fault::SecretlyReliable, Lane::Fast) => {
                for _ in 0..12 {
                    let _ = self.end.send(now, peer, lane, bytes);
                }
                // And once more, past every burst: no more than a real retransmission.
                self.end.send(now, peer, Lane::Fast, bytes)
            }
            (Fault::NeverFull, Lane::Reliable) => match self.end.send(now, peer, lane, bytes) {
                SendResult::Full => SendResult::Sent,
                result => result,
            },
            (Fault::FastBehindReliable, Lane::Fast)
                if bytes.len() <= 1_200 && self.end.is_up(peer) =>
            {
                let marked = [bytes, &[0xFA]].concat();
                self.end.send(now, peer, Lane::Reliable, &marked)
            }
            (Fault::TooLongCut, _) => {
                let length = bytes.len().min(lane.bytes_max());
                self.end.send(now, peer, lane, &bytes[..length])
            }
            (Fault::SentToNobody, _) => match self.end.send(now, peer, lane, bytes) {
                SendResult::Gone => SendResult::Sent,
                result => result,
            },
            _ => self.end.send(now, peer, lane, bytes),
        }
    }

    fn disconnect(&mut self, now: NetTime, peer: PeerId) {
        self.end.disconnect(now, peer);
    }

    fn next_wake(&self) -> Option<NetTime> {
        match self.fault {
            // It wakes for nothing but its peers' coming.
            Fault::NoWake if self.told.len() == 2 => None,
            _ => self.end.next_wake(),
        }
    }

    fn is_up(&self, peer: PeerId) -> bool {
        let untold = (peer, Some(DownReason::Closed));
        self.end.is_up(peer) || (self.fault == Fault::DownUntold && self.told.contains(&untold))
    }
}

fn caught(fault: Fault) -> u8 {
    let held = contract::check(&mut |weather| {
        let rough = weather == Weather::Rough;
        // This one alone needs bursts shorter than its repetition.
        let mut air = Air::new(Carrier::Datagram, weather, |end| Canary::new(end, fault));
        if rough && fault == Fault::SecretlyReliable {
            let loss = Loss::Bernoulli(0.15);
            air = Air::new(Carrier::Datagram, weather, |end| Canary::new(end, fault));
            for from in 0..3 {
                for to in 0..3 {
                    air.air.set_link(
                        from,
                        to,
                        LinkConfig::default().latency_us(30_000).loss(loss),
                    );
                }
            }
        }
        Some(Box::new(air))
    });
    held.expect_err("a canary lives").rule
}

#[test]
fn every_canary_is_caught_by_the_rule_it_breaks() {
    for (fault, rule) in [
        (Fault::UpTwice, 1),
        (Fault::WrongPeer, 1),
        (Fault::NeverNone, 2),
        (Fault::NoWake, 2),
        (Fault::ReliableReordered, 3),
        (Fault::ReliableDamaged, 3),
        (Fault::ReliableLost, 3),
        (Fault::FastCut, 4),
        (Fault::Stale, 5),
        (Fault::SecretlyReliable, 6),
        (Fault::SaysStreamButLoses, 6),
        (Fault::NeverFull, 7),
        (Fault::FastBehindReliable, 8),
        (Fault::TooLongCut, 9),
        (Fault::SentToNobody, 10),
        (Fault::DownTwice, 11),
        (Fault::DownUntold, 11),
        (Fault::SpeaksAfterDown, 11),
    ] {
        assert_eq!(caught(fault), rule, "{fault:?}");
    }
}
