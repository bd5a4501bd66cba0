//! Comparing hashes, and what everybody knows when they differ.

use crate::{
    Frame,
    event::{Cause, Event, Outcome},
    link::Link,
    session::{Phase, Session},
    testimony::{Desync, Testimony},
    wire::{ByeReason, HashReport, MEMBERS_MAX, NO_FRAME, Parts, PartsReader, SEATS_MAX},
};
use alloc::vec::Vec;
use net_transport::NetTime;

/// So long the others' parts are waited for.
const PARTS_WAIT_US: u64 = 2_000_000;
/// The last hash is waited for so many times longer while members are changing.
const UNSETTLED_TIMES: u64 = 3;
/// Who is cut off has ended within so many times the silence allowed.
const CUT_OFF_TIMES: u64 = 3;

impl Session {
    /// Compares what members say with what this end holds, and ends a match that is played to its end.
    pub(crate) fn compare_hashes(&mut self, now: NetTime) {
        if self.phase != Phase::Run {
            return;
        }
        if self.desync.is_some() {
            return self.finish_desync(now);
        }
        let alive = self.is_alive();
        for member in 0..MEMBERS_MAX {
            // What a member that was dropped said of another history counts no more.
            let live = u16::from(self.members.live) & 1 << member != 0;
            let feeds = !alive && member == usize::from(self.members.feeder);
            let counts = if alive { live } else { member < SEATS_MAX };
            if !counts {
                continue;
            }
            for at in 0..self.links[member].reports.len() {
                let Some(HashReport { frame, check }) = self.links[member].reports[at] else {
                    continue;
                };
                let mine = self.hashes.get(frame).and_then(|it| it.check());
                let Some(mine) = mine.filter(|_| frame <= self.logged) else {
                    continue;
                };
                self.links[member].reports[at] = None;
                if mine == check {
                    self.links[member].agreed = self.links[member].agreed.max(frame);
                } else if alive || feeds {
                    return self.freeze(frame, now);
                } else {
                    self.links[member].differs.get_or_insert((frame, now));
                }
            }
        }
        if let Some(frame) = self.told_otherwise(now) {
            return self.freeze(frame, now);
        }
        let live = self.members.live;
        let others = crate::receive::bits(live & !1u8.checked_shl(u32::from(self.me)).unwrap_or(0));
        let agreed = others
            .clone()
            .map(|member| self.links[member].agreed)
            .min()
            .or_else(|| Some(self.hashes.newest()?.frame));
        if let Some(agreed) = agreed
            && agreed > self.agreed
            && self.is_alive()
        {
            self.agreed = agreed;
            self.say(Event::HashesAgree {
                frame: Frame(agreed),
            });
        }
        let end = self.end;
        if end == NO_FRAME || self.logged < end {
            self.end_known = None;
            return;
        }
        let Some(_) = self.hashes.get(end).and_then(|it| it.check()) else {
            return;
        };
        let since = *self.end_known.get_or_insert(now);
        // Who lacks a leaver's inputs gets them only once all agree who has gone.
        let times = if self.members.unsettled {
            UNSETTLED_TIMES
        } else {
            1
        };
        let waited = now.since(since) > self.config.silence_us * times;
        let mut agree = true;
        let mut told = true;
        for member in others {
            let link = &self.links[member];
            agree &= link.holds(end);
            // Nobody leaves while another may need it to learn who has gone.
            let knows = link.told >= end && link.epoch >= self.members.epoch;
            told &= knows || link.done || link.gone.is_some();
            // Whoever holds its last hash back cannot keep the others here.
            if waited && !link.holds(end) {
                self.lose(member as u8, Cause::Silent);
            }
        }
        // A match has ended only if all who play it hold the same last hash; who watches asks those whom it hears.
        let over = if alive {
            agree && (told || waited)
        } else {
            let players = &self.links[..SEATS_MAX];
            let alike = |link: &Link| link.differs.is_none() && (!link.talks() || link.holds(end));
            waited || players.iter().all(alike)
        };
        if over {
            self.conclude(Outcome::Ended { frame: Frame(end) }, ByeReason::Done);
        }
    }

    /// The frame that a player, not the feeder, holds otherwise, where that tells a lie: one that was cut off goes on for a while
    /// with another history, but then it is gone, and never through with the match.
    fn told_otherwise(&mut self, now: NetTime) -> Option<u32> {
        let patience = self.config.silence_us * CUT_OFF_TIMES;
        let mut found = None;
        for link in &mut self.links[..SEATS_MAX] {
            if link.gone.is_some() && !link.done {
                link.differs = None;
            }
            found = found.or(link
                .differs
                .filter(|(_, since)| link.done || now.since(*since) > patience)
                .map(|(frame, _)| frame));
        }
        found
    }

    /// A state differs: nobody steps beyond it, and all tell what they know.
    fn freeze(&mut self, frame: u32, now: NetTime) {
        self.desync = Some(Desync {
            frame: Frame(frame),
            agreed: Frame(self.agreed),
            testimonies: Vec::new(),
            since: now,
        });
        self.goal = self.goal.min(frame.max(self.position));
    }

    /// This end's own testimony, to be told to others.
    pub(crate) fn my_parts(&self, frame: u32) -> Parts<'_> {
        let entry = self.hashes.get(frame).filter(|_| frame <= self.logged);
        let known = entry.and_then(|it| Some((it.hash?, it.digests?, it.parts())));
        let (hash, digests, parts) = known.unwrap_or((0, [0; SEATS_MAX], PartsReader::EMPTY));
        Parts {
            frame,
            known: known.is_some(),
            hash,
            seats: self.config.seats,
            digests,
            parts,
        }
    }

    pub(crate) fn heard_parts(&mut self, member: u8, parts: &Parts<'_>, now: NetTime) {
        let at = usize::from(member);
        let counts = at < SEATS_MAX && self.members.live & 1 << at != 0;
        if self.phase != Phase::Run || (!counts && self.members.feeder != member) {
            return;
        }
        // A frame that nobody can have come to is a lie.
        let ahead = self.confirmed.saturating_add(self.config.history);
        if parts.frame == 0 || parts.frame > ahead || parts.seats != self.config.seats {
            return self.lose(member, Cause::Garbage);
        }
        if self.desync.is_none() {
            self.freeze(parts.frame, now);
        }
        let Some(desync) = &mut self.desync else {
            return;
        };
        if desync.frame.0 != parts.frame {
            return;
        }
        let had = core::mem::replace(&mut self.links[at].has_parts, true);
        if !had {
            desync.testimonies.push(Testimony::new(member, parts));
        }
    }

    fn finish_desync(&mut self, now: NetTime) {
        let Some(desync) = &self.desync else {
            return;
        };
        let frame = desync.frame;
        let waited = now.since(desync.since);
        let live = self.members.live;
        let mut others = self.links.iter().take(SEATS_MAX).enumerate();
        let all = others.all(|(member, link)| {
            live & 1 << member == 0
                || member == usize::from(self.me)
                || link.gone.is_some()
                || link.has_parts
        });
        // All have spoken, and have had time to hear this end.
        if !(waited > PARTS_WAIT_US || (all && waited > PARTS_WAIT_US / 4)) {
            return;
        }
        let mine = Testimony::new(self.me, &self.my_parts(frame.0));
        if let Some(desync) = &mut self.desync {
            desync.testimonies.insert(0, mine);
        }
        self.conclude(Outcome::Desync { frame }, ByeReason::Desync);
    }
}
