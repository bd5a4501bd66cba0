//! Both lanes over any datagram carrier: datagrams in and out, messages in and out. Opens no socket, reads no clock,
//! knows no address. The format stands in `docs/NETPLAY.md`, "Lanes over datagrams".

mod over_air;
mod receiver;
mod sender;
mod wire;

pub use over_air::LanesEnd;
pub use wire::{
    Body, CHUNK_BYTES_MAX, LANE_DATAGRAM_BYTES_MAX, LaneDatagram, LaneDatagramError, WINDOW_CHUNKS,
    pair,
};

use crate::{DownReason, Lane, NetTime, SendResult};
use alloc::{collections::VecDeque, vec::Vec};
use receiver::Receiver;
use sender::Sender;

/// Fast messages that wait for the host to send or to poll them, each way. A host that drains after every call never
/// has more than one.
const FAST_HELD_MAX: usize = 16;
/// A fast message that waited this long for the host to send it is dropped instead.
const FAST_STALE_US: u64 = 100_000;
/// How long until `Hello` is said again, and how that grows.
const HELLO_US_MIN: u64 = 100_000;
const HELLO_US_MAX: u64 = 1_000_000;
/// After so long without sending, an acknowledgement keeps the way through a NAT open.
const KEEP_ALIVE_US: u64 = 5_000_000;
/// How often `Close` is said of one's own accord; after that, to whoever still sends.
const CLOSE_TIMES: u32 = 3;
const CLOSE_APART_US: u64 = 50_000;
/// Tokens of the peer's past processes that are remembered.
const RETIRED_MAX: usize = 8;

/// What [`DatagramLanes::poll`] hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanesEvent<'a> {
    /// The peer has been heard, and can be sent to.
    Up,
    /// The peer is gone. After [`DownReason::Replaced`] an [`LanesEvent::Up`] follows: of another process in its place.
    Down(DownReason),
    /// The peer sent this.
    Message {
        /// On which lane.
        lane: Lane,
        /// What; valid until the next call.
        bytes: &'a [u8],
    },
}

/// Both lanes to one peer.
///
/// `handle_datagram` takes what came from the peer's address; `poll` hands out what that meant; `poll_transmit` hands
/// out what is to be sent there; `next_wake` says when to ask for it again at the latest. Drain `poll` and then
/// `poll_transmit` after every call.
///
/// Nobody waits for a handshake: both say `Hello` with a random *token* of their process, and each can send as soon as
/// it has heard the other's. Datagrams of a process that is gone carry another token and are ignored; a process started
/// anew takes the old one's place once it has shown that it hears us.
///
/// Holds at most 128 KiB to be sent, 64 chunks and one message received, and 16 fast messages each way.
///
/// ```
/// use net_transport::{DatagramLanes, Lane, LanesEvent, NetTime, SendResult};
///
/// let now = NetTime::ZERO;
/// let (mut a, mut b) = (DatagramLanes::new(11), DatagramLanes::new(22));
/// let mut datagram = Vec::new();
/// // `a` says hello; `b` hears it, and answers with its own.
/// assert!(a.poll_transmit(now, &mut datagram));
/// b.handle_datagram(now, &datagram).unwrap();
/// assert_eq!(b.poll(now), Some(LanesEvent::Up));
/// assert!(b.poll_transmit(now, &mut datagram));
/// a.handle_datagram(now, &datagram).unwrap();
/// assert_eq!(a.poll(now), Some(LanesEvent::Up));
///
/// assert_eq!(a.send(now, Lane::Fast, b"pads"), SendResult::Sent);
/// assert!(a.poll_transmit(now, &mut datagram));
/// b.handle_datagram(now, &datagram).unwrap();
/// assert_eq!(b.poll(now), Some(LanesEvent::Message { lane: Lane::Fast, bytes: b"pads" }));
/// ```
#[derive(Debug)]
pub struct DatagramLanes {
    token: u32,
    peer: Option<Peer>,
    retired: VecDeque<u32>,
    /// What is told before anything else.
    told: VecDeque<LanesEvent<'static>>,
    closed: Option<DownReason>,
    closes_left: u32,
    close_at: NetTime,
    /// `Hello` goes now, to this token.
    hello_to: Option<u32>,
    hello_at: NetTime,
    hello_us: u64,
    sent_at: NetTime,
    fast_out: FastQueue,
    fast_in: FastQueue,
    chunk: Vec<u8>,
    /// The lane of the message that `poll` handed out last.
    said: Lane,
}

/// What belongs to one process of the peer.
#[derive(Debug)]
struct Peer {
    token: u32,
    /// It has shown that it knows our token.
    knows_us: bool,
    sender: Sender,
    receiver: Receiver,
    owes_ack: bool,
}

impl DatagramLanes {
    /// Lanes of a process that is known by `token`: a random number, another for every process and peer. 0 counts as 1.
    #[must_use]
    pub fn new(token: u32) -> Self {
        Self {
            token: token.max(1),
            peer: None,
            retired: VecDeque::new(),
            told: VecDeque::new(),
            closed: None,
            closes_left: 0,
            close_at: NetTime::ZERO,
            hello_to: None,
            hello_at: NetTime::ZERO,
            hello_us: HELLO_US_MIN,
            sent_at: NetTime::ZERO,
            fast_out: FastQueue::default(),
            fast_in: FastQueue::default(),
            chunk: Vec::new(),
            said: Lane::Fast,
        }
    }

    /// Whether the peer can be sent to.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.peer.is_some() && self.closed.is_none()
    }

    /// The smoothed round trip of the reliable lane in microseconds, once measured.
    #[must_use]
    pub fn round_trip_us(&self) -> Option<u64> {
        self.peer.as_ref()?.sender.round_trip_us()
    }

    /// Sends a message: [`crate::NetTransport::send`] to the one peer.
    pub fn send(&mut self, now: NetTime, lane: Lane, bytes: &[u8]) -> SendResult {
        let Some(peer) = self.peer.as_mut().filter(|_| self.closed.is_none()) else {
            return SendResult::Gone;
        };
        if bytes.len() > lane.bytes_max() {
            return SendResult::TooLong;
        }
        let taken = match lane {
            Lane::Reliable => peer.sender.push(bytes),
            Lane::Fast => self.fast_out.push(now, bytes),
        };
        match taken {
            true => SendResult::Sent,
            false => SendResult::Full,
        }
    }

    /// Ends the connection: `poll` says [`DownReason::Local`], the peer hears [`DownReason::Closed`] if a datagram
    /// still reaches it.
    pub fn close(&mut self, now: NetTime) {
        if self.is_up() {
            self.end(now, DownReason::Local);
            self.closes_left = CLOSE_TIMES;
        }
    }

    fn end(&mut self, now: NetTime, reason: DownReason) {
        if self.closed.is_some() {
            return;
        }
        self.closed = Some(reason);
        self.close_at = now;
        self.fast_in.clear();
        self.fast_out.clear();
        self.told.push_back(LanesEvent::Down(reason));
    }

    /// Takes a datagram that came from the peer's address. Foreign, old and half-open ones change nothing.
    ///
    /// # Errors
    /// If it is no lane datagram: whoever sent it speaks another protocol, or it was damaged.
    pub fn handle_datagram(
        &mut self,
        now: NetTime,
        datagram: &[u8],
    ) -> Result<(), LaneDatagramError> {
        match LaneDatagram::decode(datagram)? {
            LaneDatagram::Hello { from, to } => self.handle_hello(from, to),
            LaneDatagram::Paired { pair, body } => self.handle_paired(now, pair, body),
        }
        Ok(())
    }

    fn handle_hello(&mut self, from: u32, to: u32) {
        let knows_us = to == self.token;
        if self.closed.is_some() || self.retired.contains(&from) {
            return;
        }
        match &mut self.peer {
            Some(peer) if peer.token == from => peer.knows_us |= knows_us,
            // Nobody else is there: what speaks to us, or to whoever listens, is our peer.
            None if knows_us || to == 0 => self.meet(from, knows_us),
            None => {}
            // A new process: one that has heard us has come after the other.
            Some(peer) if knows_us => {
                let old = peer.token;
                self.retired.push_back(old);
                if self.retired.len() > RETIRED_MAX {
                    self.retired.pop_front();
                }
                self.fast_in.clear();
                self.fast_out.clear();
                self.told.push_back(LanesEvent::Down(DownReason::Replaced));
                self.meet(from, true);
            }
            Some(_) => {}
        }
        if !knows_us {
            self.hello_to = Some(from);
        }
    }

    fn meet(&mut self, token: u32, knows_us: bool) {
        self.peer = Some(Peer {
            token,
            knows_us,
            sender: Sender::new(),
            receiver: Receiver::new(),
            owes_ack: false,
        });
        self.told.push_back(LanesEvent::Up);
    }

    fn handle_paired(&mut self, now: NetTime, tag: u32, body: Body<'_>) {
        let Some(peer) = self
            .peer
            .as_mut()
            .filter(|peer| tag == pair(peer.token, self.token))
        else {
            return;
        };
        peer.knows_us = true;
        if self.closed.is_some() {
            // It does not know yet. One that closed too does.
            if self.closed == Some(DownReason::Local) && body != Body::Close {
                self.closes_left = self.closes_left.max(1);
            }
            return;
        }
        match body {
            Body::Fast(bytes) => self.fast_in.push_newest(now, bytes),
            Body::Chunk {
                number,
                last,
                bytes,
            } => {
                peer.owes_ack = true;
                if peer.receiver.handle_chunk(number, last, bytes).is_err() {
                    self.end_as_garbage(now);
                }
            }
            Body::Ack { next, beyond } => peer.sender.handle_ack(now, next, beyond),
            Body::Close => self.end(now, DownReason::Closed),
        }
    }

    fn end_as_garbage(&mut self, now: NetTime) {
        self.end(now, DownReason::Garbage);
        self.closes_left = CLOSE_TIMES;
    }

    /// The next event; `None` when there is none.
    pub fn poll(&mut self, now: NetTime) -> Option<LanesEvent<'_>> {
        if let Some(told) = self.told.pop_front() {
            return Some(told);
        }
        if self.closed.is_some() {
            return None;
        }
        self.said = Lane::Fast;
        if self.fast_in.next() {
            let bytes = self.fast_in.out();
            return Some(LanesEvent::Message {
                lane: Lane::Fast,
                bytes,
            });
        }
        self.said = Lane::Reliable;
        match self.peer.as_mut()?.receiver.ready() {
            Ok(false) => None,
            Ok(true) => Some(LanesEvent::Message {
                lane: Lane::Reliable,
                bytes: self.peer.as_mut()?.receiver.take(),
            }),
            Err(_) => {
                self.end_as_garbage(now);
                self.told.pop_front()
            }
        }
    }

    /// The message that `poll` has just handed out, once more.
    fn said(&self) -> Option<(Lane, &[u8])> {
        let bytes = match self.said {
            Lane::Fast => self.fast_in.out(),
            Lane::Reliable => self.peer.as_ref()?.receiver.message(),
        };
        Some((self.said, bytes))
    }

    /// Writes the next datagram for the peer's address into `out`, in place of what was there; false if there is none
    /// now. Fast messages go before all else. Runs over at most [`WINDOW_CHUNKS`] chunks.
    pub fn poll_transmit(&mut self, now: NetTime, out: &mut Vec<u8>) -> bool {
        let sent = self.transmit(now, out);
        if sent {
            self.sent_at = now;
        }
        sent
    }

    fn transmit(&mut self, now: NetTime, out: &mut Vec<u8>) -> bool {
        let token = self.token;
        let tag = self.peer.as_ref().map(|peer| pair(token, peer.token));
        let paired = |body: Body<'_>, out: &mut Vec<u8>| {
            LaneDatagram::Paired {
                pair: tag.unwrap_or(0),
                body,
            }
            .encode(out);
            true
        };
        if self.closed.is_some() {
            if self.closes_left == 0 || now < self.close_at {
                return false;
            }
            self.closes_left -= 1;
            self.close_at = now.plus(CLOSE_APART_US);
            return paired(Body::Close, out);
        }
        if self.fast_out.next_fresh(now) {
            return paired(Body::Fast(self.fast_out.out()), out);
        }
        if let Some(to) = self.hello_now(now) {
            LaneDatagram::Hello { from: token, to }.encode(out);
            return true;
        }
        let Some(peer) = &mut self.peer else {
            return false;
        };
        if peer.owes_ack || now.since(self.sent_at) >= KEEP_ALIVE_US {
            peer.owes_ack = false;
            let (next, beyond) = peer.receiver.ack();
            return paired(Body::Ack { next, beyond }, out);
        }
        let Some(outgoing) = peer.sender.poll(now, &mut self.chunk) else {
            return false;
        };
        let body = Body::Chunk {
            number: outgoing.number,
            last: outgoing.last,
            bytes: &self.chunk,
        };
        paired(body, out)
    }

    /// Whom to say hello to now: who asked, or the peer until it knows us, and whoever listens before that.
    fn hello_now(&mut self, now: NetTime) -> Option<u32> {
        if let Some(to) = self.hello_to.take() {
            return Some(to);
        }
        if self.knows_us() || now < self.hello_at {
            return None;
        }
        self.hello_at = now.plus(self.hello_us);
        self.hello_us = (2 * self.hello_us).min(HELLO_US_MAX);
        Some(self.peer.as_ref().map_or(0, |peer| peer.token))
    }

    fn knows_us(&self) -> bool {
        self.peer.as_ref().is_some_and(|peer| peer.knows_us)
    }

    /// When to call [`poll`](Self::poll) and [`poll_transmit`](Self::poll_transmit) again at the latest, though no
    /// datagram came.
    #[must_use]
    pub fn next_wake(&self) -> Option<NetTime> {
        if !self.told.is_empty() {
            return Some(NetTime::ZERO);
        }
        if self.closed.is_some() {
            return (self.closes_left > 0).then_some(self.close_at);
        }
        let at_once =
            self.hello_to.is_some() || !self.fast_out.is_empty() || !self.fast_in.is_empty();
        let hello = (!self.knows_us()).then_some(self.hello_at);
        let peer = self.peer.as_ref();
        let owes = at_once || peer.is_some_and(|peer| peer.owes_ack);
        let alive = peer.map(|_| self.sent_at.plus(KEEP_ALIVE_US));
        let chunk = peer.and_then(|peer| peer.sender.next_wake());
        let now = owes.then_some(NetTime::ZERO);
        [now, hello, alive, chunk].into_iter().flatten().min()
    }
}

/// A few fast messages in buffers that go round.
#[derive(Debug, Default)]
struct FastQueue {
    waiting: VecDeque<(NetTime, Vec<u8>)>,
    spare: Vec<Vec<u8>>,
    out: Vec<u8>,
}

impl FastQueue {
    fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    fn push(&mut self, now: NetTime, bytes: &[u8]) -> bool {
        let room = self.waiting.len() < FAST_HELD_MAX;
        if room {
            let mut buffer = self.spare.pop().unwrap_or_default();
            buffer.clear();
            buffer.extend_from_slice(bytes);
            self.waiting.push_back((now, buffer));
        }
        room
    }

    /// Takes it in place of the oldest if there is no room.
    fn push_newest(&mut self, now: NetTime, bytes: &[u8]) {
        if self.waiting.len() == FAST_HELD_MAX {
            self.next();
        }
        self.push(now, bytes);
    }

    /// Makes the next one [`out`](Self::out), if there is one.
    fn next(&mut self) -> bool {
        let Some((_, buffer)) = self.waiting.pop_front() else {
            return false;
        };
        self.spare.push(core::mem::replace(&mut self.out, buffer));
        true
    }

    /// The same, past those that waited too long.
    fn next_fresh(&mut self, now: NetTime) -> bool {
        while self
            .waiting
            .front()
            .is_some_and(|next| now.since(next.0) > FAST_STALE_US)
        {
            self.next();
        }
        self.next()
    }

    fn out(&self) -> &[u8] {
        &self.out
    }

    fn clear(&mut self) {
        while self.next() {}
    }
}
