//! Joining, coming back and watching: one path. The coordinator sends a snapshot of a confirmed state in paced chunks, then
//! the inputs since. Who has caught up and wants seats gets them by agreement of all.

use crate::{
    Frame, Place,
    event::Cause,
    link::Guest,
    session::{Phase, Session},
    wire::{
        Ask, ByeReason, Chunk, CommitSeat, INPUT_BYTES_MAX, MEMBERS_MAX, NO_FRAME, NO_MEMBER, Role,
        SEATS_MAX, proof,
    },
};
use alloc::vec::Vec;
use net_transport::NetTime;

/// A spectator so many frames behind what it should have gets a new snapshot.
const BEHIND_MAX: u32 = 256;
/// What stands before the state in a snapshot: delay, epoch, live, seats; of each seat its digest and the input before.
const HEAD_BYTES: usize = 7 + SEATS_MAX * (8 + 1 + INPUT_BYTES_MAX);
/// A receiver that acknowledges nothing new for so long is sent the rest again.
pub(crate) const RESEND_AFTER_US: u64 = 500_000;

/// A state of this end's game that guests are sent.
#[derive(Debug)]
pub(crate) struct Snapshot {
    frame: u32,
    asked: bool,
    digests: Option<[u64; SEATS_MAX]>,
    /// The head, once all is known, then the state.
    bytes: Vec<u8>,
    has_state: bool,
    is_ready: bool,
}

impl Default for Snapshot {
    fn default() -> Self {
        Self {
            frame: NO_FRAME,
            asked: false,
            digests: None,
            bytes: Vec::new(),
            has_state: false,
            is_ready: false,
        }
    }
}

impl Snapshot {
    fn want(&mut self, frame: u32) {
        self.frame = frame;
        self.asked = false;
        self.has_state = false;
        self.is_ready = false;
        self.digests = None;
    }

    /// True once for every time that the position comes to the frame wanted.
    pub(crate) fn is_due(&mut self, position: u32) -> bool {
        position == self.frame && !self.is_ready && !core::mem::replace(&mut self.asked, true)
    }

    pub(crate) const fn is_for(&self, frame: u32) -> bool {
        self.frame == frame && !self.is_ready
    }

    pub(crate) fn put_digests(&mut self, frame: u32, digests: [u64; SEATS_MAX]) {
        if self.is_for(frame) {
            self.digests = Some(digests);
        }
    }

    /// States after `frame` are stepped again.
    pub(crate) fn forget_after(&mut self, frame: u32) {
        if self.frame != NO_FRAME && self.frame > frame && !self.is_ready {
            self.asked = false;
            self.has_state = false;
        }
    }

    /// All of it, as it is sent; empty before it is ready.
    pub(crate) fn sendable(&self) -> (u32, &[u8]) {
        if self.is_ready {
            (self.frame, &self.bytes)
        } else {
            (self.frame, &[])
        }
    }
}

/// A snapshot that comes in.
#[derive(Debug)]
pub(crate) struct Loading {
    bytes: Vec<u8>,
    max: usize,
    pub(crate) frame: u32,
    total: u32,
    state_at: usize,
    is_due: bool,
}

impl Loading {
    /// For states of at most `bytes_max`, which is allocated now.
    pub(crate) fn new(bytes_max: u32) -> Self {
        let max = if bytes_max == 0 {
            0
        } else {
            bytes_max as usize + HEAD_BYTES
        };
        Self {
            bytes: Vec::with_capacity(max),
            max,
            frame: NO_FRAME,
            total: 0,
            state_at: 0,
            is_due: false,
        }
    }

    /// How much is there.
    pub(crate) fn next(&self) -> u32 {
        self.bytes.len() as u32
    }

    pub(crate) fn state(&self) -> &[u8] {
        self.bytes.get(self.state_at..).unwrap_or(&[])
    }
}

/// The start of a snapshot, read strictly.
struct Head {
    delay: u8,
    epoch: u32,
    live: u8,
    digests: [u64; SEATS_MAX],
    inputs: [([u8; INPUT_BYTES_MAX], usize); SEATS_MAX],
    bytes: usize,
}

impl Head {
    fn read(all: &[u8], seats: u8, input_bytes: u8) -> Option<Self> {
        let mut rest = all;
        let mut take = |count: usize| {
            let (taken, after) = rest.split_at_checked(count)?;
            rest = after;
            Some(taken)
        };
        let delay = take(1)?[0];
        let epoch = u32::from_le_bytes(take(4)?.try_into().ok()?);
        let live = take(1)?[0];
        if take(1)?[0] != seats || delay > crate::wire::DELAY_MAX {
            return None;
        }
        let mut digests = [0; SEATS_MAX];
        let mut inputs = [([0; INPUT_BYTES_MAX], 0); SEATS_MAX];
        for at in 0..usize::from(seats) {
            digests[at] = u64::from_le_bytes(take(8)?.try_into().ok()?);
            let len = take(1)?[0];
            if len > input_bytes {
                return None;
            }
            inputs[at].1 = usize::from(len);
            inputs[at].0[..usize::from(len)].copy_from_slice(take(usize::from(len))?);
        }
        Some(Self {
            delay,
            epoch,
            live,
            digests,
            inputs,
            bytes: all.len() - rest.len(),
        })
    }
}

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
