//! What goes out at an `advance`: each message that is due, then the packet of every frame to each member.
//!
//! What an answer is awaited for goes on the fast lane, again and again: it never waits behind something older. The reliable
//! lane bears snapshots, and what is said but once.

use crate::{
    event::Outcome,
    link::Guest,
    meet::SAMPLES,
    session::{Phase, Session},
    wire::{
        ANYONE, CHUNK_BYTES_MAX, Chunk, MEMBERS_MAX, Message, Ready, Role, SEATS_MAX, View, proof,
    },
};
use net_transport::{FAST_BYTES_MAX, Lane, NetTime, NetTransport, PeerId, SendResult};

const HELLO_EVERY_US: u64 = 250_000;
const PING_EVERY_US: u64 = 30_000;
const KEEP_ALIVE_US: u64 = 1_000_000;
/// What must arrive and is not answered yet goes again after this.
const AGAIN_US: u64 = 200_000;
/// What a start waits for goes again after this.
const START_AGAIN_US: u64 = 50_000;
/// Packets go at least this often, however few frames a second there are.
const PACKET_EVERY_US: u64 = 100_000;
/// The most chunks of a snapshot at one `advance`.
const CHUNKS_AT_ONCE: usize = 16;

impl Session {
    pub(crate) fn send<T: NetTransport + ?Sized>(&mut self, now: NetTime, transport: &mut T) {
        // A match that is over tells strangers only why it could not begin.
        let greets = matches!(self.outcome, None | Some(Outcome::Version { .. }));
        for at in 0..self.strangers.len() {
            if let Some(stranger) = &mut self.strangers[at]
                && greets
                && now >= stranger.hello_at
            {
                stranger.hello_at = now.plus(HELLO_EVERY_US);
                let peer = stranger.peer;
                self.send_hello(now, transport, peer, 0);
            }
        }
        for member in 0..MEMBERS_MAX as u8 {
            let at = usize::from(member);
            let Some(peer) = self.links[at].peer else {
                continue;
            };
            let link = &mut self.links[at];
            let hello = link.hello_due || (!link.established && now >= link.hello_at);
            if hello && self.phase != Phase::Over && link.gone.is_none() {
                link.hello_due = false;
                link.hello_at = now.plus(HELLO_EVERY_US);
                let nonce = link.nonce;
                self.send_hello(now, transport, peer, nonce);
            }
            if self.links[at].key.is_none() {
                continue;
            }
            self.send_bye(now, transport, member);
            if self.phase == Phase::Over || !self.links[at].talks() {
                continue;
            }
            self.send_start(now, transport, member);
            self.send_members(now, transport, member);
            self.send_join(now, transport, member);
            if matches!(self.phase, Phase::Run | Phase::Wait { .. }) {
                self.send_inputs(now, transport, member);
            }
        }
        if self.delay_tell.0 > 0 && now >= self.delay_tell.3 {
            self.delay_tell.0 -= 1;
            self.delay_tell.3 = now.plus(crate::delay::TELL_EVERY_US);
        }
    }

    fn send_hello<T: NetTransport + ?Sized>(
        &mut self,
        now: NetTime,
        transport: &mut T,
        peer: PeerId,
        echo: u64,
    ) {
        let mut buffer = core::mem::take(&mut self.out_buffer);
        let len = Message::Hello(self.hello(echo)).encode(&mut buffer);
        let key = self.config.secret.hello_key();
        let sealed = len.and_then(|len| key.seal(self.me, ANYONE, &mut buffer, len));
        if let Some(len) = sealed {
            let _ = transport.send(now, peer, Lane::Fast, &buffer[..len]);
        }
        self.out_buffer = buffer;
    }

    /// Seals a message and gives it to the transport. False if it could not be taken.
    fn post<T: NetTransport + ?Sized>(
        &self,
        now: NetTime,
        transport: &mut T,
        member: u8,
        lane: Lane,
        message: &Message<'_>,
        buffer: &mut [u8],
    ) -> bool {
        let link = &self.links[usize::from(member)];
        let (Some(peer), Some(key)) = (link.peer, link.key) else {
            return false;
        };
        let Some(len) = message.encode(buffer) else {
            return false;
        };
        let Some(len) = key.seal(self.me, member, buffer, len) else {
            return false;
        };
        transport.send(now, peer, lane, &buffer[..len]) == SendResult::Sent
    }

    fn tell<T: NetTransport + ?Sized>(
        &mut self,
        now: NetTime,
        transport: &mut T,
        member: u8,
        lane: Lane,
        message: &Message<'_>,
    ) -> bool {
        let mut buffer = core::mem::take(&mut self.out_buffer);
        let sent = self.post(now, transport, member, lane, message, &mut buffer);
        self.out_buffer = buffer;
        sent
    }

    fn send_bye<T: NetTransport + ?Sized>(&mut self, now: NetTime, transport: &mut T, member: u8) {
        let link = &mut self.links[usize::from(member)];
        if link.bye_left == 0 || now < link.member_at {
            return;
        }
        link.bye_left -= 1;
        link.member_at = now.plus(AGAIN_US);
        let message = Message::Bye { reason: link.bye };
        self.tell(now, transport, member, Lane::Fast, &message);
        self.tell(now, transport, member, Lane::Reliable, &message);
    }

    fn send_start<T: NetTransport + ?Sized>(
        &mut self,
        now: NetTime,
        transport: &mut T,
        member: u8,
    ) {
        let at = usize::from(member);
        if let Some(id) = self.links[at].pong_due.take() {
            let mut buffer = core::mem::take(&mut self.out_buffer);
            self.post(
                now,
                transport,
                member,
                Lane::Fast,
                &Message::Pong { id },
                &mut buffer,
            );
            self.out_buffer = buffer;
        }
        let starts = matches!(self.phase, Phase::Meet | Phase::Load);
        if starts && now >= self.links[at].ping_at && self.links[at].established {
            let measures = self.measures(at) && self.links[at].trips.count() < SAMPLES;
            let link = &mut self.links[at];
            link.ping_at = now.plus(if measures {
                PING_EVERY_US
            } else {
                KEEP_ALIVE_US
            });
            let id = link.next_id;
            link.next_id = id.wrapping_add(1);
            link.trips.probed(id, now);
            let mut buffer = core::mem::take(&mut self.out_buffer);
            self.post(
                now,
                transport,
                member,
                Lane::Fast,
                &Message::Ping { id },
                &mut buffer,
            );
            self.out_buffer = buffer;
        }
        let one_way_us = match self.phase {
            Phase::Meet => self.measured(),
            _ => Some(0),
        };
        let link = &self.links[at];
        let owes = !link.ready_heard || link.ready.is_none();
        if let Some(one_way_us) = one_way_us
            && owes
            && link.established
            && self.me < SEATS_MAX as u8
            && now >= link.ready_at
        {
            let ready = Ready {
                one_way_us,
                proof: proof(self.config.token, member),
                heard: link.ready.is_some(),
            };
            if link.role != Role::Spectator {
                self.links[at].ready_at = now.plus(START_AGAIN_US);
                self.tell(now, transport, member, Lane::Fast, &Message::Ready(ready));
            }
        }
        if now >= self.links[at].start_at
            && let Some(start) = self.start_for(at)
        {
            self.links[at].start_at = now.plus(START_AGAIN_US);
            self.tell(now, transport, member, Lane::Fast, &Message::Start(start));
        }
        let (left, frame, delay, when) = self.delay_tell;
        if left > 0 && now >= when {
            let change = self.delay_change;
            let message = Message::Delay {
                change,
                delay,
                frame,
            };
            self.tell(now, transport, member, Lane::Fast, &message);
        }
    }

    fn send_members<T: NetTransport + ?Sized>(
        &mut self,
        now: NetTime,
        transport: &mut T,
        member: u8,
    ) {
        let at = usize::from(member);
        if at >= SEATS_MAX || self.phase != Phase::Run {
            return;
        }
        if self.desync.is_some() {
            if now >= self.links[at].parts_at && self.is_alive() {
                self.links[at].parts_at = now.plus(AGAIN_US);
                let mut buffer = core::mem::take(&mut self.out_buffer);
                let frame = self.desync.as_ref().map_or(0, |it| it.frame.0);
                let message = Message::Parts(self.my_parts(frame));
                self.post(now, transport, member, Lane::Fast, &message, &mut buffer);
                self.out_buffer = buffer;
            }
            return;
        }
        let live = self.members.live & 1 << at != 0;
        if core::mem::take(&mut self.links[at].promise_due)
            && let Some(promise) = self.my_promise()
        {
            self.tell(
                now,
                transport,
                member,
                Lane::Fast,
                &Message::Promise(promise),
            );
        }
        let proposal = self.members.proposal.filter(|it| it.live & 1 << at != 0);
        let proposes = proposal.is_some() && self.links[at].promise.is_none();
        let tells = live && self.links[at].epoch < self.members.epoch && self.is_alive();
        let views = live && self.members.unsettled && self.is_alive();
        if self.links[at].view_due
            || ((proposes || tells || views) && now >= self.links[at].member_at)
        {
            self.links[at].view_due = false;
            self.links[at].member_at = now.plus(AGAIN_US / 2);
            if tells && let Some(commit) = self.members.commit {
                self.tell(now, transport, member, Lane::Fast, &Message::Commit(commit));
            }
            if live {
                self.members.view_count += 1;
                let view = View {
                    count: self.members.view_count,
                    epoch: self.members.epoch,
                    reach: self.reach(),
                };
                self.tell(now, transport, member, Lane::Fast, &Message::View(view));
            }
            if let Some(proposal) = proposal.filter(|_| proposes) {
                self.tell(
                    now,
                    transport,
                    member,
                    Lane::Fast,
                    &Message::Propose(proposal),
                );
            }
        }
    }

    fn send_join<T: NetTransport + ?Sized>(&mut self, now: NetTime, transport: &mut T, member: u8) {
        let at = usize::from(member);
        if core::mem::take(&mut self.links[at].chunk_ack_due) {
            let message = Message::ChunkAck {
                frame: self.loading.frame,
                next: self.loading.next(),
            };
            self.tell(now, transport, member, Lane::Reliable, &message);
        }
        if now >= self.links[at].start_at && !self.is_alive() {
            if let Some(ask) = self.ask_for(member) {
                self.links[at].start_at = now.plus(AGAIN_US);
                self.tell(now, transport, member, Lane::Reliable, &Message::Ask(ask));
            } else if self.members.feeder == member && self.has_caught_up() {
                self.links[at].start_at = now.plus(AGAIN_US / 2);
                let frame = self.goal;
                self.tell(
                    now,
                    transport,
                    member,
                    Lane::Reliable,
                    &Message::CaughtUp { frame },
                );
            }
        }
        let Guest::Loads {
            mut sent,
            acked,
            mut moved,
        } = self.links[at].guest
        else {
            return;
        };
        if now.since(moved) > crate::join::RESEND_AFTER_US && sent > acked {
            sent = acked;
            moved = now;
        }
        let mut buffer = core::mem::take(&mut self.out_buffer);
        let rate = u64::from(self.config.snapshot_bytes_per_s.max(1));
        let (frame, bytes) = self.snapshot.sendable();
        let total = bytes.len();
        let mut next_at = self.links[at].chunk_at;
        if now.since(next_at) > PACKET_EVERY_US {
            next_at = now;
        }
        for _ in 0..CHUNKS_AT_ONCE {
            let offset = sent as usize;
            if offset >= total || now < next_at {
                break;
            }
            let end = total.min(offset + CHUNK_BYTES_MAX);
            let chunk = Chunk {
                frame,
                total: total as u32,
                offset: sent,
                bytes: &bytes[offset..end],
            };
            if !self.post(
                now,
                transport,
                member,
                Lane::Reliable,
                &Message::Chunk(chunk),
                &mut buffer,
            ) {
                break;
            }
            next_at = next_at.plus((end - offset) as u64 * 1_000_000 / rate);
            sent = end as u32;
        }
        self.out_buffer = buffer;
        self.links[at].chunk_at = next_at;
        self.links[at].guest = Guest::Loads { sent, acked, moved };
    }

    /// How far apart packets are.
    fn interval_us(&self) -> u64 {
        (1_000_000 / u64::from(self.config.rate.hz())).min(PACKET_EVERY_US)
    }

    fn send_inputs<T: NetTransport + ?Sized>(
        &mut self,
        now: NetTime,
        transport: &mut T,
        member: u8,
    ) {
        let at = usize::from(member);
        let live = at < SEATS_MAX && self.members.live & 1 << at != 0;
        let fed = matches!(self.links[at].guest, Guest::Fed | Guest::Ready);
        let fresh = (live && self.is_alive() && self.fresh) || (fed && self.fresh);
        // At the end everybody, who only watches too, is told the last hash before this end leaves.
        let ends = self.end_known.is_some();
        let interval = if (live && self.is_alive()) || fed || self.members.feeder == member || ends
        {
            self.interval_us()
        } else {
            PACKET_EVERY_US
        };
        let link = &mut self.links[at];
        let doubles = self.config.doubling && live && link.is_bad();
        let mut copies = 0;
        if fresh {
            // A host that polls once a frame sends the second copy of the last window with this one.
            copies = if doubles && link.second_due { 2 } else { 1 };
            link.second_due = doubles;
            link.send_at = now.plus(if doubles {
                interval / 2
            } else {
                interval * 3 / 2
            });
        } else if now >= link.send_at {
            copies = 1;
            let stalled = self.pace.is_stalled() && live;
            if doubles && stalled && link.second_due {
                copies = 2;
            }
            link.second_due = doubles && stalled;
            link.send_at = now.plus(if stalled {
                interval * 7 / 8
            } else {
                interval * 3 / 2
            });
            if !live && !fed {
                link.send_at = now.plus(interval);
            }
        }
        let mut buffer = core::mem::take(&mut self.out_buffer);
        for _ in 0..copies {
            let Some(len) = self.write_inputs(now, member, &mut buffer[..FAST_BYTES_MAX]) else {
                break;
            };
            let link = &self.links[at];
            if let (Some(peer), Some(key)) = (link.peer, link.key)
                && let Some(len) = key.seal(self.me, member, &mut buffer, len)
                && transport.send(now, peer, Lane::Fast, &buffer[..len]) == SendResult::Sent
            {
                self.stats.packets += 1;
                self.stats.bytes += len as u64;
            }
        }
        self.out_buffer = buffer;
    }
}
