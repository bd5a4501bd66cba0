//! What came from the transport: whose it is, whether it is sealed rightly, and who takes it from there.

use crate::{
    event::{Cause, Event, Outcome},
    input_ring::Put,
    session::{Phase, Session, Stranger},
    wire::{
        ANYONE, ByeReason, Echo, Hello, INPUT_BYTES_MAX, Inputs, MESSAGE_BYTES_MAX, Message,
        Mismatch, NO_FRAME, PROTOCOL, Role, SEATS_MAX, Stream, is_hello,
    },
};
use net_transport::{DownReason, NetEvent, NetTime, NetTransport, PeerId};

/// Where in a Hello of any version the sender's number stands.
const HELLO_FROM_AT: usize = 3;

impl Session {
    pub(crate) fn receive<T: NetTransport + ?Sized>(&mut self, now: NetTime, transport: &mut T) {
        let mut buffer = core::mem::take(&mut self.in_buffer);
        while let Some(event) = transport.poll(now) {
            match event {
                NetEvent::PeerUp { peer } => self.peer_up(peer, now),
                NetEvent::PeerDown { peer, reason } => self.peer_down(peer, reason),
                NetEvent::Message { peer, bytes, .. } => {
                    if bytes.len() > MESSAGE_BYTES_MAX {
                        self.stats.forged += 1;
                        continue;
                    }
                    buffer[..bytes.len()].copy_from_slice(bytes);
                    let message = &buffer[..bytes.len()];
                    if is_hello(message) {
                        self.heard_hello(peer, message, now);
                    } else {
                        self.heard_sealed(peer, message, now);
                    }
                }
            }
        }
        self.in_buffer = buffer;
    }

    fn peer_up(&mut self, peer: PeerId, now: NetTime) {
        if let Some(free) = self.strangers.iter_mut().find(|it| it.is_none()) {
            *free = Some(Stranger {
                peer,
                hello_at: now,
            });
        }
    }

    fn peer_down(&mut self, peer: PeerId, reason: DownReason) {
        for stranger in &mut self.strangers {
            if stranger.is_some_and(|it| it.peer == peer) {
                *stranger = None;
            }
        }
        let Some(member) = self.member_at(peer) else {
            return;
        };
        let cause = match reason {
            DownReason::Garbage => Cause::Garbage,
            _ => Cause::Lost,
        };
        self.lose(member, cause);
        self.links[usize::from(member)].peer = None;
    }

    fn member_at(&self, peer: PeerId) -> Option<u8> {
        let at = self.links.iter().position(|link| link.peer == Some(peer))?;
        Some(at as u8)
    }

    /// This end's Hello to whoever has the nonce `echo` (0: nobody yet).
    pub(crate) fn hello(&self, echo: u64) -> Hello<'_> {
        Hello {
            protocol: PROTOCOL,
            from: self.me,
            role: match self.config.place {
                crate::Place::Player(_) => Role::Player,
                crate::Place::Joiner { .. } => Role::Joiner,
                crate::Place::Spectator { .. } => Role::Spectator,
            },
            own: self.config.own(),
            seats: self.config.seats,
            nonce: self.config.nonce,
            echo,
            game: self.config.game,
            content: self.config.content,
            rate: self.config.rate.hz(),
            input_bytes: self.config.input_bytes,
            hash_every: self.config.hash_every,
            delay: self.config.input_delay,
            seed: self.seed,
            epoch: self.members.epoch,
            live: self.members.live,
            setup: &self.setup,
        }
    }

    fn heard_hello(&mut self, peer: PeerId, message: &[u8], now: NetTime) {
        let from = message.get(HELLO_FROM_AT).copied().unwrap_or(ANYONE);
        let key = self.config.secret.hello_key();
        let Some(body) = key.open(from, ANYONE, message) else {
            self.stats.forged += 1;
            return;
        };
        let Ok(Message::Hello(hello)) = Message::decode(body) else {
            self.stats.forged += 1;
            return;
        };
        if self.phase == Phase::Over {
            return;
        }
        if let Some(what) = self.hello(0).mismatch(&hello) {
            self.refuse(what, from, hello.role);
            return;
        }
        if from == self.me || (self.phase == Phase::Meet && self.claims_taken(&hello)) {
            self.refuse(Mismatch::SeatTaken, from, hello.role);
            return;
        }
        let echoed = hello.echo == self.config.nonce;
        let starts = self.phase == Phase::Meet;
        let live = from < SEATS_MAX as u8 && self.members.live & 1 << from != 0;
        let alive = self.is_alive();
        let link = &mut self.links[usize::from(from)];
        if link.nonce == hello.nonce && (link.peer == Some(peer) || link.peer.is_none()) {
            if link.gone.is_some() {
                return;
            }
            link.peer = Some(peer);
        } else {
            let place_is_free = link.key.is_none() || (!live && (link.gone.is_some() || !starts));
            // A member that is alive and comes back with another nonce has begun anew: its former self is gone.
            let met = link.key.is_some();
            if met && live && !starts && echoed && hello.role == Role::Joiner {
                self.lose(from, Cause::Lost);
                return;
            }
            let welcome = match hello.role {
                // Whoever comes in may have its state before it has met everybody.
                Role::Player => starts || !alive || live,
                Role::Joiner => !starts,
                Role::Spectator => true,
            };
            if !place_is_free || !welcome {
                return;
            }
            *link = crate::link::Link::new();
            link.peer = Some(peer);
            link.nonce = hello.nonce;
        }
        let link = &mut self.links[usize::from(from)];
        link.role = hello.role;
        link.own = hello.own;
        // Whoever has spoken under the pair's key goes on doing so: its old Hello, said again by anybody, is no sign of life.
        if !link.established {
            link.heard = now;
        }
        link.epoch = link.epoch.max(hello.epoch);
        let (low, high) = if self.me < from {
            (self.config.nonce, hello.nonce)
        } else {
            (hello.nonce, self.config.nonce)
        };
        link.key = Some(self.config.secret.pair_key(low, high));
        link.established |= echoed;
        // Until the other end has shown that it knows this nonce, each of its Hellos is answered.
        link.hello_due |= !echoed;
        for stranger in &mut self.strangers {
            if stranger.is_some_and(|it| it.peer == peer) {
                *stranger = None;
                link.hello_due = true;
            }
        }
        let adopts =
            (starts && from == self.host()) || (self.phase == Phase::Load && hello.live != 0);
        if adopts {
            self.seed = hello.seed;
            self.setup.clear();
            self.setup.extend_from_slice(hello.setup);
        }
    }

    fn claims_taken(&self, hello: &Hello<'_>) -> bool {
        let mut taken = self.config.own() | self.config.open.bits();
        for (member, link) in self.links.iter().enumerate() {
            if link.key.is_some() && member != usize::from(hello.from) && link.gone.is_none() {
                taken |= link.own;
            }
        }
        hello.role == Role::Player && taken & hello.own != 0
    }

    /// A Hello that does not fit ends a start, and is nothing to a match that runs.
    fn refuse(&mut self, what: Mismatch, member: u8, role: Role) {
        let ends = match self.phase {
            Phase::Meet => role == Role::Player,
            Phase::Load => role == Role::Player,
            _ => false,
        };
        if ends {
            // The other end finds out by this end's Hello.
            for stranger in self.strangers.iter_mut().flatten() {
                stranger.hello_at = NetTime::ZERO;
            }
            self.conclude(Outcome::Version { what, member }, ByeReason::Version);
        }
    }

    fn heard_sealed(&mut self, peer: PeerId, message: &[u8], now: NetTime) {
        let Some(member) = self.member_at(peer) else {
            return;
        };
        let link = &mut self.links[usize::from(member)];
        let body = link.key.and_then(|key| key.open(member, self.me, message));
        let Some(body) = body else {
            self.stats.forged += 1;
            return;
        };
        if link.gone.is_some() {
            return;
        }
        link.heard = now;
        link.established = true;
        match Message::decode(body) {
            Ok(message) => self.heard(member, &message, now),
            Err(_) => self.lose(member, Cause::Garbage),
        }
    }

    fn heard(&mut self, member: u8, message: &Message<'_>, now: NetTime) {
        let at = usize::from(member);
        if self.phase == Phase::Over {
            if let Message::Bye { .. } = message {
                self.links[at].bye_left = 0;
            }
            return;
        }
        match message {
            Message::Hello(_) => {}
            Message::Ping { id } => self.links[at].pong_due = Some(*id),
            Message::Pong { id } => {
                self.links[at].trips.echoed(*id, Some(0), now);
            }
            Message::Ready(ready) => self.heard_ready(member, *ready),
            Message::Start(start) => self.heard_start(member, *start, now),
            Message::Bye { reason } => self.heard_bye(member, *reason),
            Message::View(view) => self.heard_view(member, *view),
            Message::Propose(propose) => self.heard_propose(member, *propose),
            Message::Promise(promise) => self.heard_promise(member, *promise),
            Message::Commit(commit) => self.heard_commit(member, commit),
            Message::Delay {
                change,
                delay,
                frame,
            } => self.heard_delay(member, *change, *delay, *frame),
            Message::Parts(parts) => self.heard_parts(member, parts, now),
            Message::Ask(ask) => self.heard_ask(member, *ask),
            Message::Chunk(chunk) => self.heard_chunk(member, chunk),
            Message::ChunkAck { frame, next } => self.heard_chunk_ack(member, *frame, *next, now),
            Message::CaughtUp { frame } => self.heard_caught_up(member, *frame),
            Message::Inputs(inputs) => self.heard_inputs(member, inputs, now),
        }
    }

    fn heard_bye(&mut self, member: u8, reason: ByeReason) {
        match reason {
            ByeReason::Done => self.links[usize::from(member)].done = true,
            ByeReason::Quit | ByeReason::Ended => self.lose(member, Cause::Left),
            ByeReason::Garbage => self.lose(member, Cause::Garbage),
            ByeReason::Refused if self.phase == Phase::Load => {
                self.conclude(Outcome::Refused, ByeReason::Quit);
            }
            _ => self.lose(member, Cause::Lost),
        }
    }

    fn heard_inputs(&mut self, member: u8, inputs: &Inputs<'_>, now: NetTime) {
        if !matches!(self.phase, Phase::Run | Phase::Wait { .. } | Phase::Load) {
            return;
        }
        let at = usize::from(member);
        let link = &mut self.links[at];
        link.losses.came(inputs.id, now);
        link.started = true;
        if inputs.probe {
            link.echo_due = Some((inputs.id, now));
        }
        let home = |member: u8| (member < SEATS_MAX as u8).then(|| 1u8 << member);
        let masks = inputs
            .wide
            .or_else(|| Some((home(self.me)?, home(member)?)));
        let seats = ((1u16 << self.config.seats) - 1) as u8;
        let Some((acks, streams)) = masks.filter(|(acks, streams)| (acks | streams) & !seats == 0)
        else {
            return self.lose(member, Cause::Garbage);
        };
        // Whoever sends all seats' inputs to one that has lost its feeder is the next one.
        if self.phase == Phase::Run
            && !self.is_alive()
            && self.members.feeder == crate::wire::NO_MEMBER
            && at < SEATS_MAX
            && streams == seats
        {
            self.members.feeder = member;
        }
        for (seat, ack) in bits(acks).zip(inputs.acks.as_slice()) {
            self.heard_ack(member, seat, *ack);
        }
        for (seat, stream) in bits(streams).zip(inputs.streams()) {
            self.heard_stream(member, seat, stream);
        }
        if let Some(echo) = &inputs.echo {
            self.heard_echo(member, inputs.base, echo, now);
        }
        if let Some(report) = inputs.hash {
            // Who plays no seat compares with all players that it hears.
            let counts = at < SEATS_MAX && (!self.is_alive() || self.members.live & 1 << at != 0);
            if counts {
                self.links[at].report(report);
            }
        }
    }

    fn heard_ack(&mut self, member: u8, seat: usize, ack: u32) {
        let line = &self.lines[seat];
        let ours = line.seat.owner == self.me;
        if ack > line.ring.next() {
            // Of this end's own seats nobody has more than it gave.
            if ours && ack != NO_FRAME && self.phase == Phase::Run && ack > line.seat.from {
                self.lose(member, Cause::Garbage);
            }
            return;
        }
        let acked = &mut self.links[usize::from(member)].acked[seat];
        if *acked == NO_FRAME || ack > *acked {
            *acked = ack;
        }
    }

    /// Up to before which frame, and from which frame on, a member may give a seat's inputs.
    fn allowed(&self, member: u8, seat: usize) -> (u32, u32) {
        let line = &self.lines[seat];
        if self.members.feeder == member {
            return (NO_FRAME, NO_FRAME);
        }
        let stays = |live: u8| live.checked_shr(u32::from(member)).unwrap_or(0) & 1 != 0;
        if self.members.promised.is_some_and(|(_, it)| !stays(it.live)) {
            return (0, NO_FRAME);
        }
        let until = if line.source == member {
            line.seat.end
        } else {
            0
        };
        let from = if line.seat.owner == member && !line.frozen {
            line.seat.from
        } else {
            NO_FRAME
        };
        (until, from)
    }

    fn heard_stream(&mut self, member: u8, seat: usize, stream: &Stream<'_>) {
        if self.phase == Phase::Load {
            return;
        }
        let (until, from) = self.allowed(member, seat);
        if until == 0 && from == NO_FRAME {
            return;
        }
        let line = &mut self.lines[seat];
        let mut reference = [0; INPUT_BYTES_MAX];
        let mut reference_len = 0;
        if let Some(before) = stream.reference.checked_sub(1) {
            if stream.reference > line.ring.next() {
                return;
            }
            let Some(input) = line.input(before) else {
                return;
            };
            reference_len = input.len();
            reference[..reference_len].copy_from_slice(input);
        }
        let mut wrong = false;
        for (frame, input) in stream.inputs(&reference[..reference_len]) {
            if input.len() > usize::from(self.config.input_bytes) {
                wrong = true;
                break;
            }
            if frame >= until && frame < from {
                continue;
            }
            let put = line.put(frame, input, self.position, &mut self.rewind);
            // Two inputs for one frame of one's own seat: nobody honest sends that.
            if put == Put::Differs && from != NO_FRAME {
                wrong = true;
                break;
            }
        }
        if wrong {
            self.lose(member, Cause::Garbage);
        }
    }

    fn heard_echo(&mut self, member: u8, base: u32, echo: &Echo, now: NetTime) {
        let rate = i64::from(self.config.rate.hz());
        let position = i64::from(self.goal) * 1_000 + self.pace.passed_permille();
        let link = &mut self.links[usize::from(member)];
        let held = (echo.hold_ms != u8::MAX).then(|| u64::from(echo.hold_ms) * 1_000);
        if !link.trips.echoed(echo.id, held, now) {
            return;
        }
        for told in &mut link.telling {
            if let Some((id, frame)) = *told
                && id == echo.id
            {
                link.told = link.told.max(frame);
                *told = None;
            }
        }
        link.its_loss = echo.loss;
        link.its_bursts = echo.bursts;
        link.its_wish = echo.wish;
        let away = core::mem::replace(&mut link.its_away, echo.away);
        if let Some(frame) = base.checked_add_signed(echo.lead) {
            link.its_frame = Some((frame, now));
            let one_way = i64::from(link.trips.round_trip_us() / 2);
            let its_position = i64::from(frame) * 1_000 + one_way * rate / 1_000;
            link.ahead_permille = (position - its_position).clamp(-1_000_000, 1_000_000);
            let gap = (link.ahead_permille - i64::from(echo.ahead) * 125) / 2;
            link.gap_permille = Some(match link.gap_permille {
                Some(before) => before + (gap - before) / 4,
                None => gap,
            });
        }
        if away != echo.away {
            self.say(Event::Away {
                member,
                away: echo.away,
            });
        }
        self.slew();
    }

    /// Runs slower if this end is ahead of the others on average, and faster if it is behind.
    fn slew(&mut self) {
        /// Per frame of distance, millionths.
        const GAIN_PPM: i64 = 30_000;
        /// Within so many thousandths of a frame nothing is done: more where a host polls as its display does, since there
        /// less than a frame cannot be had without skipping one now and one later.
        const DEAD_PERMILLE: i64 = 50;
        const DEAD_TIED_PERMILLE: i64 = 750;
        let gaps = self.links.iter().take(SEATS_MAX).enumerate();
        let (mut sum, mut count) = (0, 0);
        for (member, link) in gaps {
            if self.members.live & 1 << member != 0
                && link.gone.is_none()
                && let Some(gap) = link.gap_permille
            {
                sum += gap;
                count += 1;
            }
        }
        if count == 0 {
            return;
        }
        let gap = sum / count;
        let dead = if self.pace.is_tied() {
            DEAD_TIED_PERMILLE
        } else {
            DEAD_PERMILLE
        };
        let gap = gap - gap.clamp(-dead, dead);
        let (faster, slower) = self.config.slew_ppm;
        let ppm = (gap * GAIN_PPM / 1_000).clamp(-i64::from(faster), i64::from(slower));
        self.pace.slew(ppm);
    }
}

/// The positions of the bits set, lowest first.
pub(crate) fn bits(mask: u8) -> impl Iterator<Item = usize> + Clone {
    (0..SEATS_MAX).filter(move |at| mask & 1 << at != 0)
}
