//! The start: everyone has everyone's Hello, ten round trips are measured, and the host says go.

use crate::{
    event::{Cause, Event, Outcome},
    session::{Phase, Session},
    wire::{ByeReason, Ready, Role, SEATS_MAX, Start},
};
use net_transport::NetTime;

/// Round trips that a start takes.
pub(crate) const SAMPLES: usize = 10;

impl Session {
    /// The players that this end has met, itself among them: bit i is member i. `None` until every seat is taken or open.
    fn everyone(&self) -> Option<u8> {
        let mut taken = self.config.own() | self.config.open.bits();
        let mut members = 1 << self.me;
        for (member, link) in self.links.iter().take(SEATS_MAX).enumerate() {
            if link.established && link.role == Role::Player && link.gone.is_none() {
                taken |= link.own;
                members |= 1 << member;
            }
        }
        (u16::from(taken) == (1 << self.config.seats) - 1).then_some(members)
    }

    /// True while this end measures its round trips to `member`.
    pub(crate) fn measures(&self, member: usize) -> bool {
        self.phase == Phase::Meet
            && self.links[member].established
            && self.links[member].trips.count() < SAMPLES
    }

    /// This end's slowest link, µs one way; `None` until all are measured.
    pub(crate) fn measured(&self) -> Option<u32> {
        let members = self.everyone()?;
        let mut slowest = 0;
        for (member, link) in self.links.iter().take(SEATS_MAX).enumerate() {
            if members & 1 << member != 0 && member != usize::from(self.me) {
                if link.trips.count() < SAMPLES {
                    return None;
                }
                slowest = slowest.max(link.trips.one_way_us());
            }
        }
        Some(slowest)
    }

    /// The input delay for a link of so many µs one way.
    pub(crate) fn delay_for(&self, one_way_us: u32) -> u8 {
        let frames = self.frames_in(u64::from(one_way_us)).saturating_add(2);
        frames.min(u32::from(crate::wire::DELAY_MAX)) as u8
    }

    pub(crate) fn meet(&mut self, now: NetTime) {
        let waited = now.since(self.began.unwrap_or(now));
        if matches!(self.phase, Phase::Meet | Phase::Load)
            && waited > self.config.connect_timeout_us
        {
            return self.conclude(Outcome::NoPath, ByeReason::Quit);
        }
        if self.phase != Phase::Meet {
            return;
        }
        for member in 0..SEATS_MAX as u8 {
            let link = &self.links[usize::from(member)];
            let silent = link.key.is_some() && now.since(link.heard) > self.config.silence_us;
            let cause = link.gone.or(silent.then_some(Cause::Silent));
            if let Some(cause) = cause
                && link.role == Role::Player
            {
                return self.conclude(Outcome::Gone { member, cause }, ByeReason::Ended);
            }
        }
        if self.me != self.host() {
            return;
        }
        let (Some(members), Some(mut slowest)) = (self.everyone(), self.measured()) else {
            return;
        };
        let mut trip = 0;
        for member in crate::receive::bits(members & !(1 << self.me)) {
            let link = &self.links[member];
            let Some(ready) = link.ready else {
                return;
            };
            slowest = slowest.max(ready.one_way_us);
            trip = trip.max(link.trips.round_trip_us());
        }
        if let Some((least, most)) = self.config.adaptive {
            self.delay = self.delay_for(slowest).clamp(least, most);
        }
        self.wish = self.delay_for(slowest);
        self.begin(members, now.plus(u64::from(trip) / 2));
    }

    fn begin(&mut self, members: u8, until: NetTime) {
        self.members.live = members;
        self.set_lines();
        self.phase = Phase::Wait { until };
        for link in &mut self.links {
            link.heard = link.heard.max(self.now);
        }
        self.say(Event::Agreed);
    }

    pub(crate) fn heard_ready(&mut self, member: u8, ready: Ready) {
        let link = &mut self.links[usize::from(member)];
        link.ready = Some(ready);
        link.ready_heard |= ready.heard;
        // The first proof of a seat's owner stays: who comes later cannot put another in its place.
        if usize::from(member) < SEATS_MAX && link.role != Role::Spectator {
            let starts = !matches!(self.phase, Phase::Run | Phase::Over);
            let live = self.members.live & 1 << member != 0;
            if starts || live {
                self.members.proofs[usize::from(member)] = Some(ready.proof);
            }
        }
    }

    /// What the host tells `member` to start it, while it has shown no sign of having started.
    pub(crate) fn start_for(&self, member: usize) -> Option<Start> {
        let started = matches!(self.phase, Phase::Wait { .. } | Phase::Run);
        let link = &self.links[member];
        let waits = started
            && self.me == self.host()
            && self.members.epoch == 0
            && member < SEATS_MAX
            && self.members.live & 1 << member != 0
            && link.role == Role::Player
            && link.its_frame.is_none()
            && !link.started;
        waits.then(|| {
            let live = crate::receive::bits(self.members.live);
            let slowest = live.map(|at| self.links[at].trips.round_trip_us()).max();
            let earlier = slowest
                .unwrap_or(0)
                .saturating_sub(link.trips.round_trip_us());
            Start {
                delay: self.delay,
                wait_us: earlier / 2,
                live: self.members.live,
            }
        })
    }

    pub(crate) fn heard_start(&mut self, member: u8, start: Start, now: NetTime) {
        if self.phase != Phase::Meet || member != self.host() {
            return;
        }
        if self.everyone() != Some(start.live) || start.wait_us > 5_000_000 {
            return self.lose(member, Cause::Garbage);
        }
        self.delay = start.delay;
        self.begin(start.live, now.plus(u64::from(start.wait_us)));
    }
}
