//! A transport that lies with the right key.

use super::{Dice, secret};
use net_session::wire::{
    Commit, CommitSeat, Message, NO_FRAME, NO_MEMBER, Parts, PartsReader, Promise, Propose,
    SEATS_MAX, View, seal_message,
};
use net_transport::{Carrier, Lane, NetEnd, NetEvent, NetTime, NetTransport, PeerId, SendResult};

/// How a member with the right key lies.
pub struct Liar {
    pub dice: Dice,
    pub me: u8,
    pub nonces: Vec<u64>,
    /// One message in so many is a lie.
    pub one_in: u64,
    /// Messages that go through as they are before the first lie.
    pub honest: u64,
    /// It goes on talking, but says no inputs and sends no snapshot.
    pub mute: bool,
    old: Vec<Vec<u8>>,
}

impl Liar {
    pub fn new(seed: u64, me: u8, nonces: Vec<u64>, one_in: u64, honest: u64) -> Self {
        Self {
            dice: Dice::new(seed),
            me,
            nonces,
            one_in,
            honest,
            mute: false,
            old: Vec::new(),
        }
    }

    fn number(&mut self) -> u32 {
        match self.dice.below(6) {
            0 => 0,
            1 => u32::MAX,
            2 => self.dice.next() as u32,
            _ => self.dice.below(900) as u32,
        }
    }

    /// Another message in place of `body`.
    fn lie(&mut self, body: &mut Vec<u8>) {
        let mut out = [0; 2_048];
        let seats = self.nonces.len() as u8;
        let mut list = [0; SEATS_MAX];
        for number in &mut list[..usize::from(seats)] {
            *number = self.number();
        }
        let mask = self.dice.below(1 << seats) as u8;
        let small = self.dice.below(4) as u32;
        let message = match self.dice.below(12) {
            0 => {
                for _ in 0..=self.dice.below(4) {
                    let at = self.dice.below(body.len() as u64) as usize;
                    body[at] ^= 1 << self.dice.below(8);
                }
                return;
            }
            1 => {
                body.truncate(1 + self.dice.below(body.len() as u64) as usize);
                return;
            }
            2 => {
                *body = (0..1 + self.dice.below(60))
                    .map(|_| self.dice.next() as u8)
                    .collect();
                return;
            }
            3 | 4 => {
                if !self.old.is_empty() {
                    let at = self.dice.below(self.old.len() as u64) as usize;
                    *body = self.old[at].clone();
                }
                return;
            }
            // Other inputs for the same frames: the last byte of a window.
            5 | 6 => {
                if let Some(last) = body.last_mut() {
                    *last ^= 1;
                }
                return;
            }
            7 => Message::View(View {
                count: self.number(),
                epoch: small,
                reach: mask,
            }),
            8 => Message::Propose(Propose {
                epoch: 1 + small,
                round: self.number(),
                live: mask,
                joiner: NO_MEMBER,
                joins: 0,
                at: NO_FRAME,
            }),
            9 => Message::Promise(Promise {
                epoch: 1 + small,
                round: 1 + small,
                confirmed: self.number(),
                seats,
                next: list,
            }),
            10 => {
                let mut seat = [CommitSeat {
                    owner: NO_MEMBER,
                    end: 0,
                    from: NO_FRAME,
                    holder: NO_MEMBER,
                    bot: false,
                }; SEATS_MAX];
                for (at, seat) in seat.iter_mut().enumerate() {
                    seat.end = list[at];
                    if mask & 1 << at != 0 {
                        (seat.owner, seat.from) = (at as u8, seat.end);
                    }
                }
                Message::Commit(Commit {
                    epoch: 1 + small,
                    live: mask,
                    seats,
                    seat,
                })
            }
            _ => {
                if self.dice.below(8) > 0 {
                    return;
                }
                Message::Parts(Parts {
                    frame: self.number(),
                    known: true,
                    hash: self.dice.next(),
                    seats,
                    digests: [1; SEATS_MAX],
                    parts: PartsReader::EMPTY,
                })
            }
        };
        if let Some(len) = message.encode(&mut out) {
            *body = out[..len].to_vec();
        }
    }
}

pub struct Lying<'a> {
    pub end: &'a mut NetEnd,
    pub liar: &'a mut Liar,
}

impl NetTransport for Lying<'_> {
    fn carrier(&self) -> Carrier {
        self.end.carrier()
    }
    fn poll(&mut self, now: NetTime) -> Option<NetEvent<'_>> {
        self.end.poll(now)
    }
    fn send(&mut self, now: NetTime, peer: PeerId, lane: Lane, bytes: &[u8]) -> SendResult {
        let liar = &mut *self.liar;
        if bytes[0] == 1 || liar.honest > 0 {
            liar.honest = liar.honest.saturating_sub(1);
            return self.end.send(now, peer, lane, bytes);
        }
        let mut body = bytes[..bytes.len() - 8].to_vec();
        if liar.mute && (body[0] & 0xE0 == 0x80 || body[0] == 0x0E) {
            body.resize(64, 0);
            let len = Message::Ping { id: 0 }.encode(&mut body).expect("room");
            body.truncate(len);
        }
        if liar.old.len() < 200 {
            liar.old.push(body.clone());
        }
        if liar.dice.below(liar.one_in) == 0 {
            liar.lie(&mut body);
        }
        let (me, other) = (liar.me, peer.0 as u8);
        let (low, high) = (me.min(other), me.max(other));
        let len = body.len();
        body.resize(len + 8, 0);
        let nonce = |member: u8| liar.nonces[usize::from(member)];
        seal_message(secret(), nonce(low), nonce(high), me, other, &mut body, len).expect("room");
        self.end.send(now, peer, lane, &body)
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
