//! The simulated internet with a mailbox at each end, so that a library's time can be told from the simulation's.

use net_transport::{
    Carrier, Lane, LinkConfig, NetAir, NetEnd, NetEvent, NetTime, NetTransport, PeerId, SendResult,
};
use std::{cell::RefCell, rc::Rc};

/// Messages one behind the other, in memory that is used again.
#[derive(Debug, Default)]
struct Letters {
    heads: Vec<(PeerId, Lane, usize)>,
    bytes: Vec<u8>,
    /// Up to where they were read, in heads and bytes.
    read: (usize, usize),
}

impl Letters {
    fn with_room() -> Self {
        Self {
            heads: Vec::with_capacity(1_024),
            bytes: Vec::with_capacity(1 << 20),
            read: (0, 0),
        }
    }

    fn put(&mut self, peer: PeerId, lane: Lane, bytes: &[u8]) {
        self.heads.push((peer, lane, bytes.len()));
        self.bytes.extend_from_slice(bytes);
    }

    fn take(&mut self) -> Option<(PeerId, Lane, &[u8])> {
        let &(peer, lane, length) = self.heads.get(self.read.0)?;
        let start = self.read.1;
        self.read = (self.read.0 + 1, start + length);
        Some((peer, lane, &self.bytes[start..start + length]))
    }

    fn clear(&mut self) {
        self.heads.clear();
        self.bytes.clear();
        self.read = (0, 0);
    }
}

/// One end's mailbox: what came, and what is to go.
#[derive(Debug)]
pub struct Mailbox {
    ups: Vec<PeerId>,
    told: usize,
    came: Letters,
    goes: Letters,
}

impl NetTransport for Mailbox {
    fn carrier(&self) -> Carrier {
        Carrier::Datagram
    }

    fn poll(&mut self, _: NetTime) -> Option<NetEvent<'_>> {
        if let Some(&peer) = self.ups.get(self.told) {
            self.told += 1;
            return Some(NetEvent::PeerUp { peer });
        }
        let (peer, lane, bytes) = self.came.take()?;
        Some(NetEvent::Message { peer, lane, bytes })
    }

    fn send(&mut self, _: NetTime, peer: PeerId, lane: Lane, bytes: &[u8]) -> SendResult {
        if !self.is_up(peer) {
            return SendResult::Gone;
        }
        self.goes.put(peer, lane, bytes);
        SendResult::Sent
    }

    fn disconnect(&mut self, _: NetTime, _: PeerId) {}

    fn next_wake(&self) -> Option<NetTime> {
        None
    }

    fn is_up(&self, peer: PeerId) -> bool {
        self.ups.contains(&peer)
    }
}

/// A mailbox that its user shares with the post.
pub type SharedMailbox = Rc<RefCell<Mailbox>>;

/// The internet between two or more mailboxes.
#[derive(Debug)]
pub struct Post {
    air: NetAir,
    ends: Vec<NetEnd>,
    boxes: Vec<SharedMailbox>,
    counted: u64,
    counted_bytes: u64,
    forged: Vec<(usize, PeerId, Vec<u8>)>,
}

impl Post {
    /// Links between `ends` ends, all alike.
    pub fn new(ends: usize, link: LinkConfig, seed: u64) -> Self {
        let air = NetAir::new(ends, link, seed);
        let mailbox = |_| {
            Rc::new(RefCell::new(Mailbox {
                ups: Vec::new(),
                told: 0,
                came: Letters::with_room(),
                goes: Letters::with_room(),
            }))
        };
        Self {
            ends: (0..ends).map(|end| air.end(end)).collect(),
            boxes: (0..ends).map(mailbox).collect(),
            air,
            counted: 0,
            counted_bytes: 0,
            forged: Vec::new(),
        }
    }

    /// An end's mailbox.
    pub fn mailbox(&self, end: usize) -> SharedMailbox {
        Rc::clone(&self.boxes[end])
    }

    /// Brings `end` what came by `now`, true time.
    pub fn bring(&mut self, end: usize, now: NetTime) {
        let mut mailbox = self.boxes[end].borrow_mut();
        mailbox.came.clear();
        while let Some(event) = self.ends[end].poll(now) {
            match event {
                NetEvent::PeerUp { peer } => mailbox.ups.push(peer),
                NetEvent::PeerDown { peer, .. } => mailbox.ups.retain(|up| *up != peer),
                NetEvent::Message { peer, lane, bytes } => mailbox.came.put(peer, lane, bytes),
            }
        }
        self.forged.retain(|(to, peer, bytes)| {
            if *to == end {
                mailbox.came.put(*peer, Lane::Fast, bytes);
            }
            *to != end
        });
    }

    /// Lets `end` find bytes in its mailbox, next time, that seem to come from end `from`.
    pub fn forge(&mut self, end: usize, from: u32, bytes: &[u8]) {
        self.forged.push((end, PeerId(from), bytes.to_vec()));
    }

    /// Leaves `end` without anything new to read.
    pub fn bring_nothing(&mut self, end: usize) {
        self.boxes[end].borrow_mut().came.clear();
    }

    /// Takes away what `end` wants to send.
    pub fn collect(&mut self, end: usize, now: NetTime) {
        let mut mailbox = self.boxes[end].borrow_mut();
        while let Some((peer, lane, bytes)) = mailbox.goes.take() {
            // What the air refuses is lost, as on a real one.
            let _ = self.ends[end].send(now, peer, lane, bytes);
        }
        mailbox.goes.clear();
    }

    /// Counts what is sent from here on.
    pub fn count_from_now(&mut self) {
        (self.counted, self.counted_bytes) = (0, 0);
        (self.counted, self.counted_bytes) = self.sent();
    }

    /// Packets and bytes, without UDP and IP, that all ends sent since.
    pub fn sent(&self) -> (u64, u64) {
        let ends = self.ends.len();
        let links = (0..ends * ends)
            .map(|at| (at / ends, at % ends))
            .filter(|(from, to)| from != to);
        let all = links.map(|(from, to)| self.air.counters(from, to));
        let sum = all.fold((0, 0), |sum, link| {
            (sum.0 + link.packets, sum.1 + link.bytes)
        });
        (sum.0 - self.counted, sum.1 - self.counted_bytes)
    }
}
