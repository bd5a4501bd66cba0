//! Joining, coming back and watching: one path. The coordinator sends a snapshot of a confirmed state in paced chunks, then
//! the inputs since. Who has caught up and wants seats gets them by agreement of all.

use crate::{
    Frame, Place,
    event::Cause,
    link::Guest,
    session::{Phase, Session},
    snapshot::{HEAD_BYTES, Head},
    wire::{
        Ask, ByeReason, Chunk, CommitSeat, MEMBERS_MAX, NO_FRAME, NO_MEMBER, Role, SEATS_MAX, proof,
    },
};
use alloc::vec::Vec;
use net_transport::NetTime;

/// A spectator so many frames behind what it should have gets a new snapshot.
const BEHIND_MAX: u32 = 256;
/// A receiver that acknowledges nothing new for so long is sent the rest again.
pub(crate) const RESEND_AFTER_US: u64 = 500_000;

impl Session {
    /// The answer to `Request::Snapshot`: the state before `frame`, at most as long as the configuration says (longer ones
    /// are not sent).
    pub fn put_snapshot(&mut self, frame: Frame, state: &[u8]) {
        let fits = state.len() <= self.config.snapshot_bytes_max as usize;
        if self.snapshot.is_for(frame.0) && self.position == frame.0 && fits {
            self.snapshot.bytes.clear();
            self.snapshot.bytes.resize(HEAD_BYTES, 0);
            self.snapshot.bytes.extend_from_slice(state);
            self.snapshot.has_state = true;
        }
    }

    pub(crate) fn take_restore(&mut self) -> Option<Frame> {
        core::mem::take(&mut self.loading.is_due).then_some(Frame(self.loading.frame))
    }

    /// Puts the head before the state, once the state is confirmed.
    fn finish_snapshot(&mut self) {
        let frame = self.snapshot.frame;
        let Some(digests) = self.snapshot.digests else {
            return;
        };
        if self.snapshot.is_ready || !self.snapshot.has_state || self.logged < frame {
            return;
        }
        let mut head = Vec::with_capacity(HEAD_BYTES);
        head.push(self.delay);
        head.extend_from_slice(&self.members.epoch.to_le_bytes());
        head.push(self.members.live);
        head.push(self.config.seats);
        for (digest, line) in digests.iter().zip(&self.lines) {
            let before = frame.checked_sub(1).and_then(|before| line.input(before));
            let before = before.unwrap_or(&[]);
            head.extend_from_slice(&digest.to_le_bytes());
            head.push(before.len() as u8);
            head.extend_from_slice(before);
        }
        self.snapshot.bytes.splice(..HEAD_BYTES, head);
        self.snapshot.is_ready = true;
    }

    /// Serves those who wait for a snapshot, and takes those off who do not follow.
    pub(crate) fn join(&mut self, now: NetTime) {
        if self.phase != Phase::Run || !self.is_alive() || self.desync.is_some() {
            return;
        }
        self.finish_snapshot();
        let history = self.config.history;
        let logged = self.logged;
        let mut waits = false;
        let mut in_use = false;
        for member in 0..MEMBERS_MAX {
            let link = &mut self.links[member];
            if !link.talks() {
                link.guest = Guest::No;
                continue;
            }
            if matches!(link.guest, Guest::Fed | Guest::Ready) {
                let acked = link.acked[..self.lines.len()].iter().min().copied();
                let behind = logged.saturating_sub(acked.unwrap_or(logged));
                let lag = if link.role == Role::Spectator {
                    self.config.spectator_delay
                } else {
                    0
                };
                if behind > (BEHIND_MAX + lag).min(history / 2 - 64) {
                    link.guest = Guest::Waits;
                }
            }
            waits |= link.guest == Guest::Waits;
            in_use |= matches!(link.guest, Guest::Loads { .. });
        }
        let snapshot = &mut self.snapshot;
        let age = logged.saturating_sub(snapshot.frame);
        let usable = snapshot.is_ready && age < BEHIND_MAX / 2;
        if waits && usable {
            for link in &mut self.links {
                if link.guest == Guest::Waits {
                    link.guest = Guest::Loads {
                        sent: 0,
                        acked: 0,
                        moved: now,
                    };
                }
            }
        } else if waits && !in_use {
            let under_way = snapshot.frame != NO_FRAME
                && !snapshot.is_ready
                && (snapshot.frame > logged || snapshot.has_state);
            if !under_way {
                // A frame ahead, so that its digests are still to come.
                snapshot.want(self.goal + 1);
            }
        }
    }

    pub(crate) fn heard_ask(&mut self, member: u8, ask: Ask) {
        let at = usize::from(member);
        let serves = self.phase == Phase::Run && self.is_coordinator() && self.desync.is_none();
        if !serves || self.links[at].guest != Guest::No {
            return;
        }
        let live = at < SEATS_MAX && self.members.live & 1 << at != 0;
        let fits = match self.links[at].role {
            Role::Spectator => ask.seats == 0,
            Role::Joiner => ask.seats == self.links[at].own && !live,
            Role::Player => false,
        };
        if !fits {
            return;
        }
        for seat in crate::receive::bits(ask.seats) {
            let line = self.lines[seat].seat;
            if line.owner != NO_MEMBER && !line.bot {
                return;
            }
            let expected = self.members.proofs[seat];
            let right = expected.is_none_or(|expected| {
                seat == at
                    && expected
                        .iter()
                        .zip(&ask.proof)
                        .fold(0, |all, (a, b)| all | (a ^ b))
                        == 0
            });
            if !right {
                self.links[at].bye = ByeReason::Refused;
                self.links[at].bye_left = crate::session::BYES;
                return;
            }
        }
        self.links[at].asked = ask.seats;
        let follows = ask.have != NO_FRAME
            && ask.have <= self.logged
            && self.logged - ask.have < BEHIND_MAX / 2;
        if follows {
            self.links[at].guest = Guest::Fed;
            self.links[at].acked = [ask.have; SEATS_MAX];
        } else {
            self.links[at].guest = Guest::Waits;
        }
    }

    pub(crate) fn heard_chunk_ack(&mut self, member: u8, frame: u32, next: u32, now: NetTime) {
        let (ours, bytes) = self.snapshot.sendable();
        let total = bytes.len() as u32;
        let link = &mut self.links[usize::from(member)];
        let Guest::Loads { sent, acked, .. } = link.guest else {
            return;
        };
        if frame != ours || next > total || next <= acked {
            return;
        }
        if next == total {
            link.guest = Guest::Fed;
            link.acked = [frame; SEATS_MAX];
            link.cursor = [0; SEATS_MAX];
        } else {
            link.guest = Guest::Loads {
                sent: sent.max(next),
                acked: next,
                moved: now,
            };
        }
    }

    pub(crate) fn heard_caught_up(&mut self, member: u8, _frame: u32) {
        let link = &mut self.links[usize::from(member)];
        if link.guest == Guest::Fed && link.role == Role::Joiner {
            link.guest = Guest::Ready;
        }
    }

    /// What this end asks `member` for, while it has no state or nobody feeds it.
    pub(crate) fn ask_for(&self, member: u8) -> Option<Ask> {
        let link = &self.links[usize::from(member)];
        let wants = matches!(self.phase, Phase::Load | Phase::Run)
            && !self.is_alive()
            && self.members.feeder == NO_MEMBER
            && usize::from(member) < SEATS_MAX
            && link.established;
        let (seats, token) = match self.config.place {
            Place::Joiner { seats, token } => (seats.bits(), token),
            _ => (0, [0; 16]),
        };
        wants.then(|| Ask {
            seats,
            proof: if token == [0; 16] {
                token
            } else {
                proof(token, member)
            },
            have: if self.phase == Phase::Run {
                self.logged
            } else {
                NO_FRAME
            },
        })
    }

    /// True if this end has run up to the present as `feeder` tells it, and wants its seats.
    pub(crate) fn has_caught_up(&self) -> bool {
        let feeder = self.members.feeder;
        if self.phase != Phase::Run
            || self.is_alive()
            || feeder == NO_MEMBER
            || !matches!(self.config.place, Place::Joiner { .. })
        {
            return false;
        }
        // All must hear each other before it comes in, or one of them would go again. Who went meanwhile is not waited for.
        // A match that ends with whoever goes would end by it: there one waits on.
        let waited = !self.ends_at_drop()
            && self.now.since(self.loading.restored_at) > self.config.silence_us;
        let others = crate::receive::bits(self.members.live);
        let met = others
            .map(|member| &self.links[member])
            .all(|link| link.established && link.talks());
        if !met && !waited {
            return false;
        }
        let link = &self.links[usize::from(feeder)];
        let near = self.frames_in(u64::from(link.trips.round_trip_us()) + 250_000) + 2;
        self.goal >= self.confirmed
            && link
                .its_frame
                .is_some_and(|(frame, _)| frame <= self.goal.saturating_add(near))
    }

    pub(crate) fn heard_chunk(&mut self, member: u8, chunk: &Chunk<'_>) {
        let waits = matches!(self.phase, Phase::Load | Phase::Run) && !self.is_alive();
        let from_right = self.members.feeder == NO_MEMBER || self.members.feeder == member;
        if !waits || !from_right || usize::from(member) >= SEATS_MAX {
            return;
        }
        let loading = &mut self.loading;
        if chunk.frame != loading.frame || chunk.total != loading.total {
            let newer = loading.frame == NO_FRAME || chunk.frame > loading.frame;
            let other = self.phase == Phase::Load && chunk.offset == 0;
            if chunk.offset != 0 || chunk.total as usize > loading.max || !(newer || other) {
                return;
            }
            loading.bytes.clear();
            loading.frame = chunk.frame;
            loading.total = chunk.total;
            loading.is_due = false;
        }
        self.members.feeder = member;
        self.links[usize::from(member)].chunk_ack_due = true;
        if chunk.offset != loading.next() {
            return;
        }
        loading.bytes.extend_from_slice(chunk.bytes);
        if loading.next() == loading.total {
            self.restore(member);
        }
    }

    fn restore(&mut self, feeder: u8) {
        let seats = self.config.seats;
        let Some(head) = Head::read(&self.loading.bytes, seats, self.config.input_bytes) else {
            return self.lose(feeder, Cause::Garbage);
        };
        let frame = self.loading.frame;
        if frame > NO_FRAME - self.config.history {
            return self.lose(feeder, Cause::Garbage);
        }
        self.loading.state_at = head.bytes;
        self.loading.is_due = true;
        self.loading.restored_at = self.now;
        self.delay = head.delay;
        self.members.epoch = head.epoch;
        self.members.live = head.live & !1u8.checked_shl(u32::from(self.me)).unwrap_or(0);
        for (at, line) in self.lines.iter_mut().enumerate() {
            line.ring.reset(frame);
            let (input, len) = &head.inputs[at];
            line.ring.put_before_next(&input[..*len]);
            line.digest = head.digests[at];
            line.seat = CommitSeat {
                from: 0,
                ..CommitSeat::NOBODY
            };
            line.hold = NO_FRAME;
            line.frozen = false;
            line.source = NO_MEMBER;
        }
        self.position = frame;
        self.goal = frame;
        self.stepped = frame;
        self.confirmed = frame;
        self.logged = frame;
        self.agreed = frame;
        self.rewind = NO_FRAME;
        self.saved = NO_FRAME;
        self.hash_asked = frame;
        self.end = NO_FRAME;
        self.hashes = crate::hashes::Hashes::new(seats);
        if self.phase != Phase::Run {
            self.phase = Phase::Run;
            self.say(crate::Event::Agreed);
        }
        self.pace.start(self.now);
        self.progress = (frame, self.now);
    }
}
