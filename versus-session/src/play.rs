//! A match in play: runs the game on the duel's feed by a paced clock, and counts what it had to wait for. Knows no
//! link.

use crate::{
    MatchEnd, VersusFeed, Waiting, Why,
    feed::host_time,
    modes::{Heard, ModeRules},
};
use alloc::vec::Vec;
use core::time::Duration;
use link_transport::LinkTime;
use match_feed::{Game, Match, MatchFeed, Step, Tick, TickClock, duel::TICK_RATE};
use versus_codec::CommandCodec;
use versus_lockstep::{GiveError, LockstepStatus, Verdict};

/// Refused orders kept for one call of `run`; more than this at once are only counted as one.
const REFUSED_MAX: usize = 16;

/// What waiting for the peer has cost so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stalls {
    /// The tick that is due waits: up to when that is counted, and why it waited last.
    counted: Option<(LinkTime, Why)>,
    time: Duration,
    by_link: Duration,
    pub(crate) ticks: u32,
}

impl Stalls {
    fn wait(&mut self, now: LinkTime, why: Why) {
        self.count(now);
        self.ticks += u32::from(self.counted.is_none());
        self.counted = Some((now, why));
    }

    fn end(&mut self, now: LinkTime) {
        self.count(now);
        self.counted = None;
    }

    fn count(&mut self, now: LinkTime) {
        let (time, by_link) = (self.time(now), self.by_link(now));
        (self.time, self.by_link) = (time, by_link);
        if let Some((at, _)) = &mut self.counted {
            *at = now;
        }
    }

    fn uncounted(&self, now: LinkTime, of: impl Fn(Why) -> bool) -> Duration {
        let running = self.counted.filter(|&(_, why)| of(why));
        running.map_or(Duration::ZERO, |(at, _)| now.since(at))
    }

    pub(crate) fn time(&self, now: LinkTime) -> Duration {
        self.time + self.uncounted(now, |_| true)
    }

    /// Of that, the time in which the peer neither loaded nor was paused.
    pub(crate) fn by_link(&self, now: LinkTime) -> Duration {
        self.by_link + self.uncounted(now, |why| why == Why::Link)
    }

    fn is_waiting(&self) -> bool {
        self.counted.is_some()
    }
}

#[derive(Debug)]
pub(crate) struct Play<C: CommandCodec, G: Game<Command = C::Command>> {
    pub(crate) running: Match<G, VersusFeed<C>>,
    pub(crate) modes: ModeRules,
    pub(crate) stalls: Stalls,
    pub(crate) frames_refused: u32,
    pub(crate) refused: heapless::Deque<GiveError, REFUSED_MAX>,
    /// When this phone left; `None` while it has not.
    pub(crate) left_at: Option<LinkTime>,
    clock: TickClock,
    last_run: Option<LinkTime>,
    paused: bool,
    /// Orders collected for one tick; empty between calls.
    given: Vec<C::Command>,
}

impl<C: CommandCodec, G: Game<Command = C::Command>> Play<C, G> {
    pub(crate) fn new(game: G, feed: VersusFeed<C>, modes: ModeRules) -> Self {
        Self {
            running: Match::new(game, feed),
            modes,
            stalls: Stalls::default(),
            frames_refused: 0,
            refused: heapless::Deque::new(),
            left_at: None,
            clock: TickClock::new(TICK_RATE),
            last_run: None,
            paused: false,
            given: Vec::new(),
        }
    }

    pub(crate) fn status(&self, now: LinkTime) -> LockstepStatus {
        self.running.feed().lockstep().status(now)
    }

    pub(crate) fn end(&self, now: LinkTime) -> Option<MatchEnd> {
        MatchEnd::of(self.status(now).verdict, self.running.feed().outcome())
    }

    pub(crate) fn is_over(&self, now: LinkTime) -> bool {
        self.status(now).verdict != Verdict::Playing
    }

    pub(crate) fn permille(&self) -> u32 {
        self.clock.permille()
    }

    /// When the next tick is due; `None` if it waits for the peer, or for nothing at all.
    pub(crate) fn next_wake(&self, now: LinkTime) -> Option<LinkTime> {
        if self.paused || self.is_over(now) || self.stalls.is_waiting() {
            return None;
        }
        let speed = self.running.feed().speed_permille();
        Some(
            self.last_run
                .map_or(now, |last| last + self.clock.until_due(speed)),
        )
    }

    /// Steps every tick that is due, and returns how many. Due is what the paced clock says; `why` is what a tick waits
    /// for if it has to.
    pub(crate) fn run(
        &mut self,
        now: LinkTime,
        why: Why,
        mut orders: impl FnMut(Tick, &G, &mut dyn FnMut(C::Command)),
    ) -> u32 {
        let last = self.last_run.replace(now).unwrap_or(now);
        if self.paused || self.is_over(now) {
            return 0;
        }
        let speed = self.running.feed().speed_permille();
        self.clock.advance(now.since(last), speed);
        let mut stepped = 0;
        while self.clock.is_due() {
            match self.step(now, why, &mut orders) {
                Step::Stepped(_) => {
                    self.clock.stepped();
                    stepped += 1;
                }
                Step::Stalled => {
                    self.clock.stalled();
                    break;
                }
                Step::Over(_) => break,
            }
        }
        stepped
    }

    /// Steps the next tick if both turns of it are here.
    pub(crate) fn step(
        &mut self,
        now: LinkTime,
        why: Why,
        orders: &mut impl FnMut(Tick, &G, &mut dyn FnMut(C::Command)),
    ) -> Step {
        if self.running.feed().is_input_due() {
            self.drain(now, orders);
        }
        let step = self.running.step(host_time(now));
        let stalled = matches!(step, Step::Stalled) && !self.paused && !self.is_over(now);
        if stalled {
            self.stalls.wait(now, why);
        } else {
            self.stalls.end(now);
        }
        step
    }

    fn drain(
        &mut self,
        now: LinkTime,
        orders: &mut impl FnMut(Tick, &G, &mut dyn FnMut(C::Command)),
    ) {
        let mut given = core::mem::take(&mut self.given);
        orders(self.running.tick(), self.running.game(), &mut |command| {
            given.push(command);
        });
        for command in given.drain(..) {
            if let Err(error) = self.running.feed_mut().give(now, command) {
                let _ = self.refused.push_back(error);
            }
        }
        self.given = given;
    }

    pub(crate) fn set_paused(&mut self, now: LinkTime, paused: bool) {
        self.paused = paused;
        self.stalls.end(now);
        self.running
            .feed_mut()
            .lockstep_mut()
            .set_paused(now, paused);
    }

    /// Takes a game frame of the peer's; false if it made no sense.
    pub(crate) fn handle_frame(
        &mut self,
        now: LinkTime,
        packet: &link_transport::FrameBits,
    ) -> bool {
        let lockstep = self.running.feed_mut().lockstep_mut();
        if lockstep.handle_frame(now, packet.as_bitslice()).is_err() {
            self.frames_refused = self.frames_refused.saturating_add(1);
            return false;
        }
        let status = lockstep.status(now);
        if let Some(rxq) = status.peer_rxq {
            let turns = Some((status.peer_ack, status.newest_sealed));
            let paused = status.peer_paused;
            self.modes.hear(now, Heard { rxq, paused, turns });
        }
        true
    }

    /// What the next tick waits for, if it does, given what the peer's newest packet says.
    pub(crate) fn waiting(&self, now: LinkTime, why: Why) -> Option<Waiting> {
        let status = self.status(now);
        let waits = status.stalled && !self.paused && status.verdict == Verdict::Playing;
        waits.then_some(Waiting {
            why,
            time: status.waiting,
        })
    }
}
