//! A change of members, step by step: proposal, promises, commit. See [`crate::members`].

use crate::{
    Frame,
    event::{Cause, Event, Outcome},
    link::Guest,
    receive::bits,
    session::{Phase, Session},
    wire::{ByeReason, Commit, CommitSeat, NO_FRAME, NO_MEMBER, Promise, Propose, SEATS_MAX, View},
};
use match_feed::{Seat, SeatSet};
use net_transport::NetTime;

impl Session {
    pub(crate) fn propose(&mut self, stay: u8) {
        let joiner = self.joiner().filter(|_| stay == self.members.live);
        let epoch = self.members.epoch + 1;
        let confirmed = bits(stay).filter_map(|member| self.links[member].promise);
        let confirmed = confirmed
            .filter(|promise| promise.epoch == epoch)
            .map(|promise| promise.confirmed)
            .max();
        if let Some(old) = &self.members.proposal {
            let same_people = match joiner {
                Some((member, joins)) => {
                    old.joiner == member && old.joins == joins && old.live == stay | 1 << member
                }
                None => old.joiner == NO_MEMBER && old.live == stay,
            };
            let in_time = old.joiner == NO_MEMBER
                || confirmed.is_none_or(|confirmed| confirmed <= old.at)
                    && self.confirmed <= old.at;
            if same_people && in_time && old.epoch == epoch {
                return;
            }
        }
        if stay == self.members.live && joiner.is_none() {
            // Nothing to change; but a promise that was made to somebody binds until an epoch ends it.
            if self.members.promised.is_none() {
                self.members.proposal = None;
                return;
            }
        }
        self.members.round += 1;
        let mut proposal = Propose {
            epoch,
            round: self.members.round,
            live: stay,
            joiner: NO_MEMBER,
            joins: 0,
            at: NO_FRAME,
        };
        if let Some((member, joins)) = joiner {
            let trips = bits(stay | 1 << member).map(|at| self.links[at].trips.round_trip_us());
            let trip = u64::from(trips.max().unwrap_or(0));
            let ahead = self.frames_in(trip * 2 + 100_000) + u32::from(self.delay);
            proposal.live |= 1 << member;
            proposal.joiner = member;
            proposal.joins = joins;
            proposal.at = self.goal.max(self.confirmed).max(confirmed.unwrap_or(0)) + ahead;
        }
        self.members.proposal = Some(proposal);
        for link in &mut self.links {
            link.promise = None;
            link.member_at = NetTime::ZERO;
        }
        self.promise(self.me, proposal);
    }

    /// Takes nothing more from those who are to go, and does not pass the joiner's first frame.
    fn promise(&mut self, to: u8, propose: Propose) {
        if let Some((before, old)) = self.members.promised
            && before != to
            && old.epoch == propose.epoch
        {
            self.members.former[usize::from(before)] = Some(old);
        }
        self.members.promised = Some((to, propose));
        for (at, line) in self.lines.iter_mut().enumerate() {
            let owner = line.seat.owner;
            line.frozen = owner != NO_MEMBER && propose.live & 1 << owner == 0;
            let joins = propose.joins & 1 << at != 0;
            line.hold = if joins && self.confirmed <= propose.at {
                propose.at
            } else {
                NO_FRAME
            };
        }
    }

    /// This end's own promise, as it stands.
    pub(crate) fn my_promise(&self) -> Option<Promise> {
        let (_, propose) = self.members.promised.as_ref()?;
        let mut promise = Promise {
            epoch: propose.epoch,
            round: propose.round,
            confirmed: self.confirmed,
            seats: self.config.seats,
            next: [0; SEATS_MAX],
        };
        for (next, line) in promise.next.iter_mut().zip(&self.lines) {
            *next = line.ring.next();
        }
        Some(promise)
    }

    pub(crate) fn heard_view(&mut self, member: u8, view: View) {
        if usize::from(member) >= SEATS_MAX {
            return;
        }
        let link = &mut self.links[usize::from(member)];
        if link.view.is_none_or(|old| view.count > old.count) {
            link.view = Some(view);
            link.epoch = view.epoch;
        }
    }

    pub(crate) fn heard_propose(&mut self, member: u8, propose: Propose) {
        if self.phase != Phase::Run {
            return;
        }
        let at = usize::from(member);
        let joins_me = propose.joiner == self.me && !self.is_alive();
        let from_right = if joins_me {
            self.members.feeder == member && propose.joins == self.config.own()
        } else {
            self.is_alive()
                && self.coordinator() == Some(member)
                && self.members.live & 1 << at != 0
                && propose.epoch == self.members.epoch + 1
        };
        let newcomer = if propose.joiner == NO_MEMBER {
            0
        } else {
            1 << propose.joiner
        };
        let fits = propose.live & 1 << self.me != 0
            && (joins_me || propose.live & !(self.members.live | newcomer) == 0)
            && (joins_me || newcomer & self.members.live == 0);
        if !from_right || !fits {
            return;
        }
        // What was promised before stays promised: nobody who was to go comes back without an epoch.
        let binds = self.members.promised.is_none_or(|(to, old)| {
            old.epoch != propose.epoch || to != member || old.round <= propose.round
        });
        if binds {
            if self
                .members
                .promised
                .is_none_or(|(to, old)| (to, old) != (member, propose))
            {
                self.members.proposal = None;
                self.promise(member, propose);
            }
            self.links[at].promise_due = true;
        }
    }

    pub(crate) fn heard_promise(&mut self, member: u8, promise: Promise) {
        let Some(proposal) = &self.members.proposal else {
            return;
        };
        let counts = promise.epoch == proposal.epoch
            && promise.round == proposal.round
            && usize::from(member) < SEATS_MAX
            && proposal.live & 1 << member != 0;
        if !counts {
            return;
        }
        // Nobody can hold more of anybody's inputs than windows and predictions allow.
        let most = self.confirmed.saturating_add(self.config.history / 2);
        let plausible = promise.seats == self.config.seats
            && promise.confirmed <= most
            && promise.next[..usize::from(promise.seats)]
                .iter()
                .all(|&next| next <= most);
        if !plausible {
            return self.lose(member, Cause::Garbage);
        }
        self.links[usize::from(member)].promise = Some(promise);
    }

    pub(crate) fn try_commit(&mut self) {
        let Some(proposal) = self.members.proposal else {
            return;
        };
        let me = usize::from(self.me);
        let all = bits(proposal.live)
            .filter(|&member| member != me)
            .all(|member| self.links[member].promise.is_some());
        let late = bits(proposal.live)
            .filter(|&member| member != me)
            .filter_map(|member| self.links[member].promise)
            .any(|promise| promise.confirmed > proposal.at);
        if !all || (proposal.joiner != NO_MEMBER && (late || self.confirmed > proposal.at)) {
            return;
        }
        let mut commit = Commit {
            epoch: proposal.epoch,
            live: proposal.live,
            seats: self.config.seats,
            seat: [CommitSeat::NOBODY; SEATS_MAX],
        };
        for (at, line) in self.lines.iter().enumerate() {
            commit.seat[at] = self.settle_seat(at, line.seat, &proposal);
        }
        self.apply(self.me, &commit);
    }

    fn settle_seat(&self, at: usize, seat: CommitSeat, proposal: &Propose) -> CommitSeat {
        if proposal.joins & 1 << at != 0 {
            // A bot's last input is the last that was given; then the seat is empty up to the joiner's first frame.
            let end = if seat.owner == NO_MEMBER {
                seat.end
            } else {
                self.lines[at].ring.next().min(proposal.at)
            };
            return CommitSeat {
                owner: proposal.joiner,
                end,
                from: proposal.at,
                holder: NO_MEMBER,
                bot: false,
            };
        }
        let stays = seat.owner != NO_MEMBER && proposal.live & 1 << seat.owner != 0;
        let mine = self.lines[at].ring.next();
        // A seat that was empty from the start, or whose end is settled among all.
        let newcomer = if proposal.joiner == NO_MEMBER {
            0
        } else {
            1 << proposal.joiner
        };
        let others = bits(proposal.live & !newcomer & !(1 << self.me));
        let held =
            others.filter_map(|member| Some((self.links[member].promise?.next[at], member as u8)));
        let best = held.max_by_key(|&(next, member)| (next, SEATS_MAX as u8 - member));
        if stays || (seat.owner == NO_MEMBER && seat.end == 0) {
            return seat;
        }
        let (end, holder) = match best {
            Some((next, member)) if next > mine => (next, member),
            _ => (mine, self.me),
        };
        let end = if seat.owner == NO_MEMBER {
            end.min(seat.end)
        } else {
            end
        };
        let bots = self.config.on_drop == crate::OnDrop::Bot;
        CommitSeat {
            owner: if bots { self.me } else { NO_MEMBER },
            end,
            from: if bots { end } else { NO_FRAME },
            holder,
            bot: bots,
        }
    }

    pub(crate) fn heard_commit(&mut self, member: u8, commit: &Commit) {
        let at = usize::from(member);
        if self.phase != Phase::Run || at >= SEATS_MAX || commit.seats != self.config.seats {
            return;
        }
        if commit.epoch <= self.members.epoch && self.is_alive() {
            self.links[at].view_due = true;
            return;
        }
        let to_me = commit.live & 1 << self.me != 0;
        let from_live = self.members.live & 1 << at != 0 && self.links[at].gone.is_none();
        if self.is_alive() && from_live && !to_me && self.coordinator() == Some(member) {
            return self.conclude(Outcome::Cut, ByeReason::Ended);
        }
        // Who committed may be gone before all have heard it: then the next coordinator and its members tell each other.
        let next = self.coordinator();
        let told_on = |to: u8| {
            self.is_alive()
                && self.links[usize::from(to)].gone.is_some()
                && (next == Some(member) || next == Some(self.me))
        };
        let now = self.members.promised;
        let now = now.filter(|&(to, _)| to == member || told_on(to));
        let former = (0..).zip(self.members.former);
        let former = former.filter_map(|(to, old)| Some((to, old?)));
        let former = former.filter(|&(to, _)| told_on(to));
        let promised = now
            .into_iter()
            .chain(former)
            .find(|(_, propose)| propose.epoch == commit.epoch && propose.live == commit.live);
        if !to_me || promised.is_none() || (self.is_alive() && !from_live) {
            return;
        }
        self.members.promised = promised;
        if !self.is_sound(commit) {
            return self.lose(member, Cause::Garbage);
        }
        self.apply(member, commit);
        self.links[at].view_due = true;
    }

    /// A commit must not take back what is confirmed here, nor touch seats whose owners stay.
    fn is_sound(&self, commit: &Commit) -> bool {
        let Some((_, propose)) = &self.members.promised else {
            return false;
        };
        let alive = self.is_alive();
        self.lines.iter().enumerate().all(|(at, line)| {
            let (old, new) = (line.seat, commit.seat[at]);
            if propose.joins & 1 << at != 0 {
                return new.owner == propose.joiner
                    && new.from == propose.at
                    && self.confirmed <= new.from
                    && (!alive || old.owner != NO_MEMBER || new.end == old.end);
            }
            if !alive {
                return true;
            }
            let stays = old.owner != NO_MEMBER && commit.live & 1 << old.owner != 0;
            if stays {
                return new == old;
            }
            if old.owner == NO_MEMBER && old.end == 0 {
                return new == old;
            }
            new.end >= line.ring.next() && (new.owner == NO_MEMBER || new.from == new.end)
        })
    }

    fn apply(&mut self, from: u8, commit: &Commit) {
        let was = self.members.live;
        let was_alive = self.is_alive();
        let promises: [Option<Promise>; SEATS_MAX] =
            core::array::from_fn(|at| self.links[at].promise);
        self.members.epoch = commit.epoch;
        self.members.live = commit.live;
        self.members.proposal = None;
        let promised = self.members.promised.take();
        self.members.former = [None; SEATS_MAX];
        self.members.conflict = None;
        self.members.commit = Some(*commit);
        // A match that is played to its end waits anew, now that all may learn who has gone.
        self.end_known = self.end_known.map(|_| self.now);
        for member in bits(was & !commit.live) {
            let link = &mut self.links[member];
            let cause = link.gone.unwrap_or(Cause::Agreed);
            if link.talks() && link.gone.is_none() {
                link.bye_left = crate::session::BYES;
                link.bye = ByeReason::Dropped;
            }
            link.gone = Some(cause);
            self.say(Event::Dropped {
                member: member as u8,
                cause,
            });
        }
        let mut bots = SeatSet::EMPTY;
        for at in 0..self.lines.len() {
            let new = commit.seat[at];
            let old = self.lines[at].seat;
            let source = match new.holder {
                _ if self.lines[at].ring.next() >= new.end => NO_MEMBER,
                holder if from == self.me && holder != self.me => holder,
                _ if from != self.me => from,
                _ => NO_MEMBER,
            };
            self.lines[at].commit(new, source, self.position, &mut self.rewind);
            self.members.pass[at] = if new.end == 0 {
                0
            } else if from == self.me {
                commit.live & !(1 << self.me)
            } else if new.holder == self.me {
                1 << from
            } else {
                0
            };
            if new == old {
                continue;
            }
            for (member, link) in self.links.iter_mut().enumerate() {
                link.cursor[at] = 0;
                link.acked[at] = match promises.get(member).copied().flatten() {
                    Some(promise) if from == self.me => promise.next[at],
                    _ if new.owner == self.me => new.from,
                    _ => link.acked[at],
                };
            }
            let Some(seat) = Seat::new(at as u8) else {
                continue;
            };
            if old.owner != NO_MEMBER && (new.owner == NO_MEMBER || new.bot) {
                self.say(Event::SeatEnded {
                    seat,
                    frame: Frame(new.end),
                });
            }
            if new.bot && new.owner == self.me {
                bots.insert(seat);
            }
        }
        if !bots.is_empty() {
            self.say(Event::BotSeats { seats: bots });
        }
        self.welcome(was_alive, commit, promised.map(|(_, propose)| propose));
        self.confirm();
    }

    fn welcome(&mut self, was_alive: bool, commit: &Commit, propose: Option<Propose>) {
        let Some(propose) = propose.filter(|it| it.joiner != NO_MEMBER) else {
            return;
        };
        let member = propose.joiner;
        if member == self.me {
            if was_alive {
                return;
            }
            self.members.catching_up = true;
            self.members.feeder = NO_MEMBER;
            for at in bits(commit.live & !(1 << self.me)) {
                self.links[at].epoch = commit.epoch;
                self.links[at].heard = self.now;
            }
            self.agreed = self.logged;
            self.say(Event::Going);
        } else {
            let link = &mut self.links[usize::from(member)];
            link.guest = Guest::No;
            link.heard = self.now;
            link.epoch = 0;
            link.view = None;
            link.agreed = 0;
            link.told = 0;
            link.gap_permille = None;
            self.members.proofs[usize::from(member)] = link.ready.map(|ready| ready.proof);
        }
        self.say(Event::Joined {
            member,
            seats: SeatSet::from_bits(propose.joins),
            frame: Frame(propose.at),
        });
    }
}
