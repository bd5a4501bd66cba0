//! Who takes part, changed by agreement in numbered epochs. The lowest live member coordinates.
//!
//! Here: whom this end hears, who is enough to go on, and who stays. How all agree on it is in [`crate::agree`].
//!
//! A change has three steps. The coordinator proposes who stays (and who comes in, from which frame on). Each that stays
//! promises: it takes nothing more from those who are to go, and says how much it holds. With all promises, the coordinator
//! commits: each leaver's last frame is the newest that any of them holds.

use crate::{
    event::{Cause, Outcome},
    link::Guest,
    receive::bits,
    session::{Phase, Session},
    wire::{ByeReason, NO_MEMBER, SEATS_MAX},
};
use net_transport::NetTime;

/// How long two members may disagree on whom they hear before the higher one goes.
const GRACE_US: u64 = 1_000_000;
/// How long a member that talks may keep all others waiting for its inputs, times the silence allowed.
const IDLE_TIMES: u64 = 2;

impl Session {
    /// The live members that this end hears and would go on with, itself among them.
    pub(crate) fn reach(&self) -> u8 {
        let mut reach = self.members.live;
        for member in bits(self.members.live) {
            let gone = member != usize::from(self.me)
                && (self.links[member].gone.is_some() || !self.links[member].talks());
            if gone {
                reach &= !(1 << member);
            }
        }
        if let Some((_, promised)) = &self.members.promised {
            reach &= promised.live | 1 << self.me;
        }
        reach
    }

    /// The lowest member that this end hears.
    pub(crate) fn coordinator(&self) -> Option<u8> {
        let reach = self.reach();
        (reach != 0).then(|| reach.trailing_zeros() as u8)
    }

    pub(crate) fn is_coordinator(&self) -> bool {
        self.is_alive() && self.coordinator() == Some(self.me)
    }

    pub(crate) fn change_members(&mut self, now: NetTime) {
        if !matches!(self.phase, Phase::Run | Phase::Wait { .. }) {
            return;
        }
        self.notice_silence(now);
        if !self.is_alive() {
            self.notice_loneliness(now);
        }
        if !self.is_alive() || self.desync.is_some() {
            return;
        }
        // Who has all hashes of a match that is over may go.
        let over = self.end_known.is_some()
            && bits(self.members.live & !(1 << self.me))
                .all(|member| self.links[member].holds(self.end));
        let reach = self.reach();
        let live = self.members.live;
        if reach != live && !over {
            let gone = bits(live & !reach).next().map(|member| {
                let cause = self.links[member].gone.unwrap_or(Cause::Agreed);
                (member as u8, cause)
            });
            if let Some((member, cause)) = gone
                && self.ends_at_drop()
            {
                return self.conclude(Outcome::Gone { member, cause }, ByeReason::Ended);
            }
            if !self.is_enough(reach) {
                return self.conclude(Outcome::Cut, ByeReason::Ended);
            }
        }
        let disputed = bits(reach & !(1 << self.me)).any(|member| {
            let link = &self.links[member];
            link.view
                .is_some_and(|view| view.epoch == self.members.epoch && view.reach != live)
        });
        let joins = self.joiner().is_some();
        let behind = bits(reach & !(1 << self.me))
            .any(|member| self.links[member].epoch != self.members.epoch);
        self.members.unsettled = reach != live
            || disputed
            || joins
            || behind
            || self.members.promised.is_some()
            || self.members.proposal.is_some();
        if !self.members.unsettled || self.coordinator() != Some(self.me) {
            self.members.proposal = None;
            self.members.conflict = None;
            return;
        }
        let stay = self.who_stays(reach, now);
        if !self.is_enough(stay) {
            return;
        }
        self.propose(stay);
        self.try_commit();
    }

    /// A member that says nothing, or only keeps the others waiting, is gone.
    fn notice_silence(&mut self, now: NetTime) {
        let silence = self.config.silence_us;
        if self.confirmed > self.progress.0 || !self.pace.was_stalled() {
            self.progress = (self.confirmed, now);
        }
        let idle = now.since(self.progress.1) > silence * IDLE_TIMES;
        for member in 0..crate::wire::MEMBERS_MAX as u8 {
            let link = &self.links[usize::from(member)];
            if link.gone.is_some() || link.key.is_none() {
                continue;
            }
            if now.since(link.heard) > silence {
                self.lose(member, Cause::Silent);
            } else if idle && self.is_alive() {
                let waited_for = self
                    .lines
                    .iter()
                    .any(|line| line.seat.owner == member && line.known() == self.confirmed);
                if waited_for {
                    self.lose(member, Cause::Silent);
                }
            }
        }
        if idle {
            self.progress = (self.confirmed, now);
        }
        let feeder = self.members.feeder;
        if !self.is_alive() && feeder != NO_MEMBER && self.links[usize::from(feeder)].gone.is_some()
        {
            self.members.feeder = NO_MEMBER;
        }
    }

    /// Who plays no seat ends when all players are gone, or when none of them tells it anything new for as long
    /// as a start may take.
    fn notice_loneliness(&mut self, now: NetTime) {
        let players = self.links.iter().take(SEATS_MAX).enumerate();
        let mut players = players.filter(|(_, link)| link.key.is_some());
        let there = players.clone().any(|(_, link)| link.gone.is_none());
        let last = players.find_map(|(member, link)| Some((member as u8, link.gone?)));
        match last {
            Some((member, cause)) if !there && self.end_known.is_none() => {
                return self.conclude(Outcome::Gone { member, cause }, ByeReason::Quit);
            }
            _ => {}
        }
        let fed = (self.confirmed, self.loading.next());
        let watches = matches!(self.config.place, crate::Place::Spectator { .. });
        // A feeder may keep a spectator waiting as long as it was told to.
        if fed != self.members.fed || (watches && self.members.feeder != NO_MEMBER) {
            self.members.fed = fed;
            self.members.fed_at = now;
        }
        // All may stand still while they agree on who is gone.
        let patience = (self.config.connect_timeout_us).max(self.config.silence_us * 3);
        if now.since(self.members.fed_at) > patience {
            self.conclude(Outcome::NoPath, ByeReason::Quit);
        }
    }

    /// More than half of those who have not said goodbye and are not through with the match, or half of them with the
    /// lowest.
    fn is_enough(&self, part: u8) -> bool {
        let plays = |member: &usize| !self.links[*member].goodbye && !self.links[*member].done;
        let left = bits(self.members.live & !part).filter(plays);
        let others = left.fold(0u8, |mask, member| mask | 1 << member);
        let (with, without) = (part.count_ones(), others.count_ones());
        with > without || (with == without && part.trailing_zeros() < others.trailing_zeros())
    }

    /// Of those whom this end hears, who can go on together: where two do not hear each other, the higher goes.
    fn who_stays(&mut self, reach: u8, now: NetTime) -> u8 {
        let mut stay = reach;
        for low in bits(reach) {
            for high in bits(reach).filter(|&high| high > low) {
                let hears = |one: usize, other: usize| {
                    let link = &self.links[one];
                    one == usize::from(self.me)
                        || link.view.is_none_or(|view| {
                            view.epoch != self.members.epoch || view.reach & 1 << other != 0
                        })
                };
                if stay & 1 << low != 0 && !(hears(low, high) && hears(high, low)) {
                    stay &= !(1 << high);
                }
            }
        }
        // Others may just have noticed earlier who is gone.
        let conflict = reach & !stay;
        if conflict == 0 {
            self.members.conflict = None;
            return reach;
        }
        match self.members.conflict {
            Some((same, since)) if same == conflict => {
                if now.since(since) > GRACE_US {
                    return stay;
                }
            }
            _ => self.members.conflict = Some((conflict, now)),
        }
        reach
    }

    /// Who asks to come in, and is ready to.
    pub(crate) fn joiner(&self) -> Option<(u8, u8)> {
        let links = self.links.iter().take(SEATS_MAX).enumerate();
        links
            .filter(|(_, link)| link.guest == Guest::Ready && link.talks())
            .map(|(member, link)| (member as u8, link.asked))
            .find(|(member, _)| self.members.live & 1 << member == 0)
    }

    /// How many frames this end may step without waiting for its pace.
    pub(crate) fn frames_behind(&mut self) -> u32 {
        if !self.is_alive() {
            return self.confirmed.saturating_sub(self.goal);
        }
        if !self.members.catching_up {
            return 0;
        }
        let ahead = bits(self.members.live & !(1 << self.me)).filter_map(|member| {
            let (frame, at) = self.links[member].its_frame?;
            let one_way = u64::from(self.links[member].trips.round_trip_us() / 2);
            let since = self.now.since(at) + one_way;
            Some(frame + self.frames_in(since.min(1_000_000)).saturating_sub(1))
        });
        let behind = ahead.max().unwrap_or(0).saturating_sub(self.goal);
        let own = self.lines.iter().filter(|line| line.seat.owner == self.me);
        let first = own.map(|line| line.seat.from).min().unwrap_or(0);
        self.members.catching_up = behind > 1 || self.goal < first;
        behind
    }
}
