//! Transports of a peer that has the right key and lies with it. Seals messages as `docs/NETPLAY.md` says, by code of its
//! own.

use crate::{dice::Dice, plan::Lie};
use core::hash::Hasher;
use net_session::wire::{
    Commit, CommitSeat, Message, NO_FRAME, NO_MEMBER, Promise, Propose, SEATS_MAX, View,
};
use net_transport::{
    Carrier, DownReason, Lane, NetEnd, NetEvent, NetTime, NetTransport, PeerId, SendResult,
};
use siphasher::sip::SipHasher24;
use std::{cell::RefCell, collections::VecDeque, rc::Rc};

const TAG_BYTES: usize = 8;

/// The key between two members, by their nonces, the lower member's first.
fn pair_key(secret: [u8; 16], low: u64, high: u64) -> (u64, u64) {
    let half = |label: u8| {
        let mut hasher = SipHasher24::new_with_key(&secret);
        hasher.write(&[label]);
        hasher.write(&low.to_le_bytes());
        hasher.write(&high.to_le_bytes());
        hasher.finish()
    };
    (half(1), half(2))
}

fn tag(key: (u64, u64), from: u8, to: u8, body: &[u8]) -> [u8; TAG_BYTES] {
    let mut hasher = SipHasher24::new_with_keys(key.0, key.1);
    hasher.write(&[from, to]);
    hasher.write(body);
    hasher.finish().to_le_bytes()
}

/// Changes, repeats and multiplies what its own session sends.
pub struct Liar {
    pub end: NetEnd,
    pub lie: Lie,
    pub me: u8,
    pub secret: [u8; 16],
    /// Of each member, as all have them at the start.
    pub nonces: Vec<u64>,
    pub dice: Dice,
    pub kept: VecDeque<(Lane, Vec<u8>)>,
}

/// Lies only begin once everybody plays.
const BEGINS_US: u64 = 2_500_000;

impl Liar {
    fn sealed(&self, to: u32, mut body: Vec<u8>) -> Vec<u8> {
        let to = to as u8;
        let nonce = |member: u8| self.nonces.get(usize::from(member)).copied().unwrap_or(0);
        let key = pair_key(self.secret, nonce(self.me.min(to)), nonce(self.me.max(to)));
        let tag = tag(key, self.me, to, &body);
        body.extend_from_slice(&tag);
        body
    }

    /// The message, changed, if it is one between two who have met.
    fn mutated(&mut self, to: u32, message: &[u8]) -> Option<Vec<u8>> {
        let body = message
            .len()
            .checked_sub(TAG_BYTES)
            .map(|length| &message[..length])?;
        if self.sealed(to, body.to_vec()) != message {
            return None;
        }
        let mut body = body.to_vec();
        for _ in 0..self.dice.within(1, 4) {
            let at = self.dice.below(body.len() as u64 + 1) as usize;
            match self.dice.below(6) {
                0 if at < body.len() => body[at] ^= 1 << self.dice.below(8),
                1 if at < body.len() => body[at] = self.dice.next() as u8,
                2 if at < body.len() => body[at] = 0xFF,
                3 => body.truncate(at),
                4 => body.insert(at, self.dice.next() as u8),
                _ if at + 4 <= body.len() => {
                    body[at..at + 4].copy_from_slice(&(self.dice.next() as u32).to_le_bytes())
                }
                _ => {}
            }
        }
        Some(self.sealed(to, body))
    }
}

impl Liar {
    /// A legal word of a change that nobody agreed on: of most sets the receiver is one.
    fn vote(&mut self, to: u8, kind: u64) -> Vec<u8> {
        let seats = self.nonces.len() as u8;
        let all = ((1u16 << seats) - 1) as u8;
        let mut set = self.dice.next() as u8 & all;
        if !self.dice.once_in(8) {
            set |= 1 << self.me | 1 << (to % SEATS_MAX as u8);
        }
        let epoch = self.dice.within(1, 3) as u32;
        let round = self.dice.within(1, 4) as u32;
        // About where a match is; sometimes anywhere.
        let frame = |dice: &mut Dice| match dice.once_in(8) {
            true => dice.next() as u32,
            false => dice.below(900) as u32,
        };
        let message = match kind {
            0 => Message::View(View {
                count: self.dice.next() as u32,
                epoch,
                reach: set,
            }),
            1 => Message::Propose(Propose {
                epoch: epoch.max(2),
                round,
                live: set,
                joiner: NO_MEMBER,
                joins: 0,
                at: NO_FRAME,
            }),
            2 => {
                let mut next = [0; SEATS_MAX];
                for next in &mut next[..usize::from(seats)] {
                    *next = frame(&mut self.dice);
                }
                Message::Promise(Promise {
                    epoch: epoch.max(2),
                    round,
                    confirmed: frame(&mut self.dice),
                    seats,
                    next,
                })
            }
            _ => {
                let mut commit = Commit {
                    epoch: epoch.max(2),
                    live: set,
                    seats,
                    seat: [CommitSeat {
                        owner: NO_MEMBER,
                        end: 0,
                        from: NO_FRAME,
                        holder: NO_MEMBER,
                        bot: false,
                    }; SEATS_MAX],
                };
                for (owner, seat) in (0..seats).zip(&mut commit.seat) {
                    if set & 1 << owner != 0 {
                        (seat.owner, seat.from) = (owner, 0);
                    } else {
                        seat.end = frame(&mut self.dice);
                        seat.holder = self.me;
                    }
                }
                Message::Commit(commit)
            }
        };
        let mut body = vec![0; 2_048];
        let length = message.encode(&mut body).unwrap_or(0);
        body.truncate(length);
        body
    }
}

impl NetTransport for Liar {
    fn carrier(&self) -> Carrier {
        self.end.carrier()
    }

    fn poll(&mut self, now: NetTime) -> Option<NetEvent<'_>> {
        self.end.poll(now)
    }

    fn send(&mut self, now: NetTime, peer: PeerId, lane: Lane, bytes: &[u8]) -> SendResult {
        if now.as_us() > BEGINS_US {
            match self.lie {
                Lie::Mutates if self.dice.once_in(10) => {
                    if let Some(message) = self.mutated(peer.0, bytes) {
                        let _ = self.end.send(now, peer, lane, &message);
                    }
                }
                Lie::Replays => {
                    self.kept.push_back((lane, bytes.to_vec()));
                    if self.kept.len() > 400 {
                        self.kept.pop_front();
                    }
                    if self.dice.once_in(3) {
                        let at = self.dice.below(self.kept.len() as u64) as usize;
                        let (lane, old) = &self.kept[at];
                        let _ = self.end.send(now, peer, *lane, old);
                    }
                }
                Lie::Floods => {
                    for _ in 0..4 {
                        let length = self.dice.below(600) as usize;
                        let kind = self.dice.below(20) as u8;
                        let mut body: Vec<u8> =
                            (0..length).map(|_| self.dice.next() as u8).collect();
                        if let Some(first) = body.first_mut() {
                            *first = kind;
                        }
                        let message = self.sealed(peer.0, body);
                        let lane = if self.dice.once_in(8) {
                            Lane::Reliable
                        } else {
                            Lane::Fast
                        };
                        let _ = self.end.send(now, peer, lane, &message);
                    }
                }
                // Half of the time a whole change of members in a row, as if it had coordinated it.
                Lie::FalseVotes if self.dice.once_in(20) => {
                    let all = self.dice.once_in(2);
                    let kind = self.dice.below(4);
                    for kind in if all { 0..4 } else { kind..kind + 1 } {
                        let body = self.vote(peer.0 as u8, kind);
                        let message = self.sealed(peer.0, body);
                        let _ = self.end.send(now, peer, Lane::Fast, &message);
                    }
                }
                _ => {}
            }
        }
        self.end.send(now, peer, lane, bytes)
    }

    fn disconnect(&mut self, now: NetTime, peer: PeerId) {
        self.end.disconnect(now, peer);
    }

    fn next_wake(&self) -> Option<NetTime> {
        self.end.next_wake()
    }

    fn is_up(&self, peer: PeerId) -> bool {
        self.end.is_up(peer)
    }
}

enum Heard {
    Up(PeerId),
    Down(PeerId, DownReason),
    Message(PeerId, Lane, Vec<u8>),
}

struct Shared {
    end: NetEnd,
    queues: [VecDeque<Heard>; 2],
}

/// One of two sessions that share an end, a nonce and every message heard, and give other inputs: each speaks to its
/// own part of the others.
pub struct Face {
    shared: Rc<RefCell<Shared>>,
    side: usize,
    lie: Lie,
    bytes: Vec<u8>,
}

/// When a turncoat turns.
const TURNS_US: u64 = 4_000_000;

impl Face {
    pub fn pair(end: NetEnd, lie: Lie) -> [Self; 2] {
        let queues = Default::default();
        let shared = Rc::new(RefCell::new(Shared { end, queues }));
        [0, 1].map(|side| Self {
            shared: Rc::clone(&shared),
            side,
            lie,
            bytes: Vec::new(),
        })
    }

    fn speaks(&self, now: NetTime, peer: PeerId) -> bool {
        let side = match self.lie {
            Lie::Turncoat => usize::from(now.as_us() > TURNS_US),
            _ => peer.0 as usize % 2,
        };
        side == self.side
    }
}

impl NetTransport for Face {
    fn carrier(&self) -> Carrier {
        self.shared.borrow().end.carrier()
    }

    fn poll(&mut self, now: NetTime) -> Option<NetEvent<'_>> {
        let mut shared = self.shared.borrow_mut();
        let Shared { end, queues } = &mut *shared;
        while let Some(event) = end.poll(now) {
            for queue in &mut *queues {
                queue.push_back(match event {
                    NetEvent::PeerUp { peer } => Heard::Up(peer),
                    NetEvent::PeerDown { peer, reason } => Heard::Down(peer, reason),
                    NetEvent::Message { peer, lane, bytes } => {
                        Heard::Message(peer, lane, bytes.to_vec())
                    }
                });
            }
        }
        match queues[self.side].pop_front()? {
            Heard::Up(peer) => Some(NetEvent::PeerUp { peer }),
            Heard::Down(peer, reason) => Some(NetEvent::PeerDown { peer, reason }),
            Heard::Message(peer, lane, bytes) => {
                self.bytes = bytes;
                Some(NetEvent::Message {
                    peer,
                    lane,
                    bytes: &self.bytes,
                })
            }
        }
    }

    fn send(&mut self, now: NetTime, peer: PeerId, lane: Lane, bytes: &[u8]) -> SendResult {
        match self.speaks(now, peer) {
            true => self.shared.borrow_mut().end.send(now, peer, lane, bytes),
            false => SendResult::Sent,
        }
    }

    fn disconnect(&mut self, now: NetTime, peer: PeerId) {
        if self.speaks(now, peer) {
            self.shared.borrow_mut().end.disconnect(now, peer);
        }
    }

    fn next_wake(&self) -> Option<NetTime> {
        self.shared.borrow().end.next_wake()
    }

    fn is_up(&self, peer: PeerId) -> bool {
        self.shared.borrow().end.is_up(peer)
    }
}
