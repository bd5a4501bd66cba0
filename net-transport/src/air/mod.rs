//! The simulated internet: a hub of N peers on virtual time, every trouble seeded. Opens no socket, reads no clock.

mod link;
mod pool;
mod reliable;

pub use link::{LinkConfig, LinkCounters, Loss, UDP_IP_BYTES};

use crate::{Carrier, DownReason, Lane, NetEvent, NetTime, NetTransport, PeerId, SendResult};
use alloc::{collections::BinaryHeap, rc::Rc, vec::Vec};
use core::{cell::RefCell, cmp::Reverse};
use link::Link;
use pool::Pool;
use reliable::ReliableLane;

/// The longest datagram that [`NetEnd::send_datagram`] takes, in bytes: what Ethernet carries whole.
pub const DATAGRAM_BYTES_MAX: usize = 1_472;

/// A simulated internet between N ends: the hub that holds the links, their troubles and what is on its way.
///
/// All ends share one *true* time, which only the driver knows; each end has a clock of its own
/// ([`NetAir::set_clock`]), and [`NetAir::local`] says what it shows. Poll the ends in the order of true time. Every
/// direction of every link draws from its own seed, so traffic on one link never changes what happens on another.
///
/// The reliable lane is a real one in what it does to messages: cut into segments that pass the link one after another,
/// behind the fast lane; delayed by loss, in order, never damaged. Its acknowledgements cost nothing and are never lost.
///
/// The hub keeps what no end has polled yet: poll them all.
#[derive(Debug)]
pub struct NetAir(Rc<RefCell<Hub>>);

/// One end of a [`NetAir`].
#[derive(Debug)]
pub struct NetEnd {
    hub: Rc<RefCell<Hub>>,
    end: usize,
    message: Vec<u8>,
}

#[derive(Debug)]
struct Hub {
    carrier: Carrier,
    ends: Vec<EndState>,
    /// By sender, then receiver.
    links: Vec<Link>,
    connections: Vec<Connection>,
    pool: Pool,
    order: u64,
}

#[derive(Debug)]
struct EndState {
    offset_us: u64,
    rate_ppm: i32,
    /// By the number of the peer: which connection, and which side of it this end is.
    peers: Vec<Option<(usize, usize)>>,
    inbox: BinaryHeap<Reverse<Parcel>>,
}

#[derive(Debug)]
struct Connection {
    sides: [Side; 2],
    /// What each side sends.
    reliable: [ReliableLane; 2],
}

#[derive(Clone, Copy, Debug)]
struct Side {
    end: usize,
    /// How this side numbers the other.
    peer: PeerId,
    state: SideState,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum SideState {
    /// Its host does not know of it yet.
    Silent,
    Up,
    /// Its host is told, or ended it itself and is about to be told.
    Down,
}

/// Something on its way to an end.
#[derive(Debug)]
struct Parcel {
    due_us: u64,
    order: u64,
    connection: usize,
    side: usize,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Up,
    Down(DownReason),
    Message(Lane, Vec<u8>),
}

impl PartialEq for Parcel {
    fn eq(&self, other: &Self) -> bool {
        (self.due_us, self.order) == (other.due_us, other.order)
    }
}
impl Eq for Parcel {}
impl PartialOrd for Parcel {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Parcel {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        (self.due_us, self.order).cmp(&(other.due_us, other.order))
    }
}

/// Room for this many parcels on their way to an end is there from the start; more is made when it is needed.
const INBOX_USUAL: usize = 512;
/// Millionths, as what a clock's rate is told in.
const MILLION: i64 = 1_000_000;

impl EndState {
    /// True time when this end's clock shows `local`: the inverse of `local_us`, never earlier than what made it.
    fn true_us(&self, local: NetTime) -> u64 {
        let run = i128::from(local.as_us().saturating_sub(self.offset_us));
        let rate = i128::from(MILLION + i64::from(self.rate_ppm));
        (run * i128::from(MILLION) / rate) as u64
    }

    fn local(&self, true_us: u64) -> NetTime {
        let rate = i128::from(MILLION + i64::from(self.rate_ppm));
        let run = (i128::from(true_us) * rate + i128::from(MILLION - 1)) / i128::from(MILLION);
        NetTime::from_us(self.offset_us.saturating_add(run as u64))
    }
}

impl NetAir {
    /// `ends` ends, each connected with every other one by links as `config` says. Each numbers the others by their
    /// place: [`PeerId`] 2 is end 2. `seed` decides all that is left to chance.
    #[must_use]
    pub fn new(ends: usize, config: LinkConfig, seed: u64) -> Self {
        let air = Self::apart(ends, config, seed);
        for a in 0..ends {
            for b in a + 1..ends {
                air.hub(|hub| hub.connect(0, a, b));
            }
        }
        air
    }

    /// The same links, but nobody is connected until [`NetAir::connect`].
    #[must_use]
    pub fn apart(ends: usize, config: LinkConfig, seed: u64) -> Self {
        let links = (0..ends * ends).map(|at| {
            Link::new(
                config,
                seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (at as u64) << 40,
            )
        });
        let end = |_| EndState {
            offset_us: 0,
            rate_ppm: 0,
            peers: (0..ends).map(|_| None).collect(),
            inbox: BinaryHeap::with_capacity(INBOX_USUAL),
        };
        Self(Rc::new(RefCell::new(Hub {
            carrier: Carrier::Datagram,
            ends: (0..ends).map(end).collect(),
            links: links.collect(),
            connections: Vec::new(),
            pool: Pool::default(),
            order: 0,
        })))
    }

    /// Two ends with this latency and jitter one way and independent loss: the simulated link of the peer-to-peer
    /// design (`LocalLink`).
    #[must_use]
    pub fn local_link(latency_us: u64, jitter_us: u64, loss: f64, seed: u64) -> Self {
        let config = LinkConfig::default()
            .latency_us(latency_us)
            .jitter_us(jitter_us);
        Self::new(2, config.loss(Loss::Bernoulli(loss)), seed)
    }

    /// N ends with a fixed delay, each `drop_every`-th packet of a link lost (0: none), and nothing left to chance: the
    /// simulated link of the lockstep and rollback design (`LoopbackHub`).
    #[must_use]
    pub fn loopback_hub(ends: usize, delay_us: u64, drop_every: u32) -> Self {
        Self::new(
            ends,
            LinkConfig::default()
                .latency_us(delay_us)
                .loss(Loss::Every(drop_every)),
            0,
        )
    }

    /// The same hub with another carrier under it. Over [`Carrier::Stream`] fast messages wait in line with reliable
    /// ones, are refused while the line is busy, and are dropped from it when they are stale.
    #[must_use]
    pub fn over(self, carrier: Carrier) -> Self {
        self.hub(|hub| hub.carrier = carrier);
        self
    }

    /// A handle on end `end`. One user at a time: what one handle polls no other sees.
    ///
    /// # Panics
    /// If there is no such end; so do all methods here that take one.
    #[must_use]
    pub fn end(&self, end: usize) -> NetEnd {
        assert!(end < self.hub(|hub| hub.ends.len()), "no end {end}");
        NetEnd {
            hub: Rc::clone(&self.0),
            end,
            message: Vec::with_capacity(DATAGRAM_BYTES_MAX),
        }
    }

    /// How the direction from `from` to `to` behaves from now on.
    pub fn set_link(&self, from: usize, to: usize, config: LinkConfig) {
        self.hub(|hub| hub.link(from, to).config = config);
    }

    /// What went from `from` to `to` so far.
    #[must_use]
    pub fn counters(&self, from: usize, to: usize) -> LinkCounters {
        self.hub(|hub| hub.link(from, to).counters)
    }

    /// Lets end `end`'s clock start at `start` and run `rate_ppm` millionths fast. Before the first poll.
    pub fn set_clock(&self, end: usize, start: NetTime, rate_ppm: i32) {
        self.hub(|hub| {
            hub.ends[end].offset_us = start.as_us();
            hub.ends[end].rate_ppm = rate_ppm;
        });
    }

    /// What end `end`'s clock shows at this true time.
    #[must_use]
    pub fn local(&self, end: usize, true_time: NetTime) -> NetTime {
        self.hub(|hub| hub.ends[end].local(true_time.as_us()))
    }

    /// Nothing passes from `from` to `to` in `[start, until)`, true time. The other direction is not concerned, and
    /// nobody is told: the reliable lane waits, the fast lane loses.
    pub fn outage(&self, from: usize, to: usize, start: NetTime, until: NetTime) {
        self.hub(|hub| hub.link(from, to).add_outage(start.as_us(), until.as_us()));
    }

    /// Nothing passes between the ends in `part` and the others in `[start, until)`, true time.
    pub fn partition(&self, part: &[usize], start: NetTime, until: NetTime) {
        let ends = self.hub(|hub| hub.ends.len());
        for a in 0..ends {
            for b in 0..ends {
                if part.contains(&a) != part.contains(&b) {
                    self.outage(a, b, start, until);
                }
            }
        }
    }

    /// Ends every outage and partition at `now`, true time.
    pub fn heal(&self, now: NetTime) {
        self.hub(|hub| {
            hub.links
                .iter_mut()
                .for_each(|link| link.end_outages(now.as_us()))
        });
    }

    /// Connects two ends at `now`, true time: what each is called by the other. Their first connection goes by their
    /// places, each later one gets numbers never used before.
    pub fn connect(&self, now: NetTime, a: usize, b: usize) -> (PeerId, PeerId) {
        self.hub(|hub| hub.connect(now.as_us(), a, b))
    }

    /// Breaks every connection between two ends at `now`, true time: both hear [`DownReason::Lost`], and what is on its
    /// way is gone.
    pub fn sever(&self, now: NetTime, a: usize, b: usize) {
        self.hub(|hub| {
            for connection in hub.between(a, b) {
                for side in [0, 1] {
                    hub.close(now.as_us(), connection, side, DownReason::Lost);
                }
            }
        });
    }

    /// Ends a process at `now`, true time, without a word: its connections and what was on its way to it are gone, and
    /// the others hear nothing of it but silence. Connect it anew, and it is another process on the same machine.
    pub fn kill(&self, end: usize) {
        self.hub(|hub| {
            for at in 0..hub.connections.len() {
                for side in [0, 1] {
                    if hub.connections[at].sides[side].end == end {
                        hub.connections[at].sides[side].state = SideState::Down;
                        let Hub {
                            connections, pool, ..
                        } = hub;
                        connections[at].reliable[side].clear(pool);
                    }
                }
            }
            // Its successor numbers its peers from the start.
            let places = hub.ends.len();
            hub.ends[end].peers.clear();
            hub.ends[end].peers.resize(places, None);
            while let Some(Reverse(parcel)) = hub.ends[end].inbox.pop() {
                if let Content::Message(_, buffer) = parcel.content {
                    hub.pool.give_back(buffer);
                }
            }
        });
    }

    fn hub<R>(&self, run: impl FnOnce(&mut Hub) -> R) -> R {
        run(&mut self.0.borrow_mut())
    }
}

impl Hub {
    fn link(&mut self, from: usize, to: usize) -> &mut Link {
        let ends = self.ends.len();
        &mut self.links[from * ends + to]
    }

    fn connect(&mut self, now_us: u64, a: usize, b: usize) -> (PeerId, PeerId) {
        assert_ne!(a, b, "an end is not its own peer");
        let connection = self.connections.len();
        let mut number = |at: usize, of: usize, side: usize| {
            let peers = &mut self.ends[at].peers;
            let place = if peers[of].is_none() { of } else { peers.len() };
            peers.resize(peers.len().max(place + 1), None);
            peers[place] = Some((connection, side));
            PeerId(place as u32)
        };
        let peers = [number(a, b, 0), number(b, a, 1)];
        let side = |end, peer| Side {
            end,
            peer,
            state: SideState::Silent,
        };
        self.connections.push(Connection {
            sides: [side(a, peers[0]), side(b, peers[1])],
            reliable: Default::default(),
        });
        for side in [0, 1] {
            self.put(now_us, connection, side, Content::Up);
        }
        (peers[0], peers[1])
    }

    fn between(&self, a: usize, b: usize) -> Vec<usize> {
        let joins = |connection: &Connection| {
            let ends = connection.sides.map(|side| side.end);
            ends == [a, b] || ends == [b, a]
        };
        (0..self.connections.len())
            .filter(|at| joins(&self.connections[*at]))
            .collect()
    }

    /// Lays something into the inbox of one side of a connection.
    fn put(&mut self, due_us: u64, connection: usize, side: usize, content: Content) {
        self.order += 1;
        let end = self.connections[connection].sides[side].end;
        self.ends[end].inbox.push(Reverse(Parcel {
            due_us,
            order: self.order,
            connection,
            side,
            content,
        }));
    }

    /// One side's way ends: it is told at `due_us`, and what it still wanted to send is gone.
    fn close(&mut self, due_us: u64, connection: usize, side: usize, reason: DownReason) {
        self.connections[connection].reliable[side].clear(&mut self.pool);
        self.put(due_us, connection, side, Content::Down(reason));
    }

    fn side(&self, end: usize, peer: PeerId) -> Option<(usize, usize)> {
        let found = (*self.ends[end].peers.get(peer.0 as usize)?)?;
        (self.connections[found.0].sides[found.1].state == SideState::Up).then_some(found)
    }

    /// Lets the reliable lane of one direction send what it can until `now_us`.
    fn run_lane(&mut self, now_us: u64, connection: usize, sender: usize) {
        let sides = self.connections[connection].sides;
        let (from, to) = (sides[sender].end, sides[1 - sender].end);
        let ends = self.ends.len();
        let Self {
            connections,
            links,
            pool,
            ..
        } = self;
        let back_us = links[to * ends + from].config.latency_us;
        let link = &mut links[from * ends + to];
        let lane = &mut connections[connection].reliable[sender];
        while let Some((due_us, kind, buffer)) = lane.run(now_us, link, back_us, pool) {
            self.order += 1;
            self.ends[to].inbox.push(Reverse(Parcel {
                due_us,
                order: self.order,
                connection,
                side: 1 - sender,
                content: Content::Message(kind, buffer),
            }));
        }
    }

    fn send_datagram(&mut self, now_us: u64, connection: usize, side: usize, bytes: &[u8]) {
        let sides = self.connections[connection].sides;
        let (from, to) = (sides[side].end, sides[1 - side].end);
        let arrivals = self.link(from, to).datagram(now_us, bytes.len());
        for due_us in arrivals.into_iter().flatten() {
            let mut buffer = self.pool.take(bytes);
            self.link(from, to).damage(&mut buffer);
            self.put(
                due_us,
                connection,
                1 - side,
                Content::Message(Lane::Fast, buffer),
            );
        }
    }

    fn send(
        &mut self,
        end: usize,
        local: NetTime,
        peer: PeerId,
        lane: Lane,
        bytes: &[u8],
    ) -> SendResult {
        let Some((connection, side)) = self.side(end, peer) else {
            return SendResult::Gone;
        };
        if bytes.len() > lane.bytes_max() {
            return SendResult::TooLong;
        }
        let now_us = self.ends[end].true_us(local);
        self.run_lane(now_us, connection, side);
        if self.carrier == Carrier::Datagram && lane == Lane::Fast {
            self.send_datagram(now_us, connection, side, bytes);
            return SendResult::Sent;
        }
        let Self {
            connections, pool, ..
        } = self;
        let taken = connections[connection].reliable[side].push(now_us, lane, bytes, pool);
        if taken {
            self.run_lane(now_us, connection, side);
            SendResult::Sent
        } else {
            SendResult::Full
        }
    }

    /// The next thing for `end`, its bytes in `message`.
    fn poll(&mut self, end: usize, local: NetTime, message: &mut Vec<u8>) -> Option<Told> {
        let now_us = self.ends[end].true_us(local);
        for at in 0..self.ends[end].peers.len() {
            if let Some((connection, side)) = self.ends[end].peers[at] {
                self.run_lane(now_us, connection, 1 - side);
            }
        }
        while self.ends[end]
            .inbox
            .peek()
            .is_some_and(|next| next.0.due_us <= now_us)
        {
            let Some(Reverse(parcel)) = self.ends[end].inbox.pop() else {
                break;
            };
            let side = &mut self.connections[parcel.connection].sides[parcel.side];
            let peer = side.peer;
            match (parcel.content, side.state) {
                (Content::Up, SideState::Silent) => {
                    side.state = SideState::Up;
                    return Some(Told::Up(peer));
                }
                // One that was ended here stays to be told of it.
                (Content::Down(reason), SideState::Up | SideState::Silent) => {
                    side.state = SideState::Down;
                    return Some(Told::Down(peer, reason));
                }
                (Content::Down(DownReason::Local), SideState::Down) => {
                    return Some(Told::Down(peer, DownReason::Local));
                }
                (Content::Message(lane, buffer), state) => {
                    if state == SideState::Up {
                        message.clear();
                        message.extend_from_slice(&buffer);
                    }
                    self.pool.give_back(buffer);
                    if state == SideState::Up {
                        return Some(Told::Message(peer, lane));
                    }
                }
                (Content::Up | Content::Down(_), _) => {}
            }
        }
        None
    }

    fn disconnect(&mut self, end: usize, local: NetTime, peer: PeerId) {
        let Some((connection, side)) = self.side(end, peer) else {
            return;
        };
        let now_us = self.ends[end].true_us(local);
        self.connections[connection].sides[side].state = SideState::Down;
        self.close(now_us, connection, side, DownReason::Local);
        let other = self.connections[connection].sides[1 - side].end;
        if !self.link(end, other).is_out(now_us) {
            let due_us = self
                .link(end, other)
                .segment(now_us, 1, reliable::RETRY_US_MIN);
            self.put(
                due_us,
                connection,
                1 - side,
                Content::Down(DownReason::Closed),
            );
        }
    }

    fn next_wake(&self, end: usize) -> Option<NetTime> {
        let ends = self.ends.len();
        let lanes = self.ends[end].peers.iter().flatten();
        let lanes = lanes.filter_map(|(connection, side)| {
            let connection = &self.connections[*connection];
            let from = connection.sides[1 - side].end;
            let link = &self.links[from * ends + end];
            let coming = connection.reliable[1 - side].next_us(link);
            coming
                .into_iter()
                .chain(connection.reliable[*side].room_us())
                .min()
        });
        let parcel = self.ends[end].inbox.peek().map(|next| next.0.due_us);
        let due_us = lanes.chain(parcel).min()?;
        Some(self.ends[end].local(due_us))
    }
}

/// An event whose bytes lie in the end's buffer.
enum Told {
    Up(PeerId),
    Down(PeerId, DownReason),
    Message(PeerId, Lane),
}

impl NetEnd {
    /// Sends a bare datagram, longer than a fast message may be: what [`crate::DatagramLanes`] lies on. It arrives as a
    /// message of the fast lane.
    pub fn send_datagram(&mut self, now: NetTime, peer: PeerId, bytes: &[u8]) -> SendResult {
        let mut hub = self.hub.borrow_mut();
        let Some((connection, side)) = hub.side(self.end, peer) else {
            return SendResult::Gone;
        };
        if bytes.len() > DATAGRAM_BYTES_MAX {
            return SendResult::TooLong;
        }
        let now_us = hub.ends[self.end].true_us(now);
        hub.send_datagram(now_us, connection, side, bytes);
        SendResult::Sent
    }
}

impl NetTransport for NetEnd {
    fn carrier(&self) -> Carrier {
        self.hub.borrow().carrier
    }

    fn poll(&mut self, now: NetTime) -> Option<NetEvent<'_>> {
        let told = self
            .hub
            .borrow_mut()
            .poll(self.end, now, &mut self.message)?;
        Some(match told {
            Told::Up(peer) => NetEvent::PeerUp { peer },
            Told::Down(peer, reason) => NetEvent::PeerDown { peer, reason },
            Told::Message(peer, lane) => NetEvent::Message {
                peer,
                lane,
                bytes: &self.message,
            },
        })
    }

    fn send(&mut self, now: NetTime, peer: PeerId, lane: Lane, bytes: &[u8]) -> SendResult {
        self.hub.borrow_mut().send(self.end, now, peer, lane, bytes)
    }

    fn disconnect(&mut self, now: NetTime, peer: PeerId) {
        self.hub.borrow_mut().disconnect(self.end, now, peer);
    }

    fn next_wake(&self) -> Option<NetTime> {
        self.hub.borrow().next_wake(self.end)
    }

    fn is_up(&self, peer: PeerId) -> bool {
        self.hub.borrow().side(self.end, peer).is_some()
    }
}
