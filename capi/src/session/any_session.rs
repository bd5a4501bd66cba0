//! What is behind a session's handle: a duel of whatever kind, and what all kinds keep alike.

use crate::{
    handle::{self, Fault, Kind},
    link::{
        duel_link,
        shared::{Held, Shared, Taken},
    },
    session::{
        config::{Options, duel_session},
        duel::{Duel, no_peer},
        show::{blank, event_text},
        words::duel_session_status,
    },
    status::*,
    text::Text,
};
use heapless::Deque;
use link_transport::LinkTime;
use match_feed::duel::{MatchScore, Medium};
use versus_pairing::{Rematch, RematchWait};
use versus_session::{SessionConfig, SessionEvent};

/// Events kept for a host that does not ask; the oldest go first.
const EVENTS_MAX: usize = 32;

/// What is behind a session's handle.
pub(crate) struct AnySession {
    pub duel: Box<dyn Duel>,
    pub score: MatchScore,
    options: Options,
    /// A rematch's lobby is open since …
    rematch: Option<RematchWait>,
    paused: bool,
    events: Deque<SessionEvent, EVENTS_MAX>,
    /// Texts that C is shown: the newest event's, and the status's.
    pub event_text: Text,
    problem_text: Text,
    link: Option<Shared>,
}

impl Kind for duel_session {
    type Body = AnySession;
    const NUMBER: u8 = 7;
    type Hold = Option<Held>;

    fn hold(body: &AnySession) -> Option<Option<Held>> {
        match &body.link {
            Some(link) => link.hold().map(Some),
            None => Some(None),
        }
    }
}

impl AnySession {
    /// Makes a session on a link, which `begin` makes its duel on, and its handle.
    pub fn open(
        options: Options,
        link: *mut duel_link,
        begin: impl FnOnce(Taken, SessionConfig) -> Result<Box<dyn Duel>, Fault>,
    ) -> Result<*mut duel_session, Fault> {
        let mut opened = None;
        // All of it while the link is held: its new session uses it already.
        let status = crate::handle::enter!(link, |link| {
            opened = Some(Self::on(options, link.shared.clone(), begin).and_then(handle::new));
            Ok(DUEL_OK)
        });
        opened.unwrap_or_else(|| Err(Fault::new(status, "link is no handle of a link")))
    }

    fn on(
        options: Options,
        shared: Shared,
        begin: impl FnOnce(Taken, SessionConfig) -> Result<Box<dyn Duel>, Fault>,
    ) -> Result<Self, Fault> {
        let Some(taken) = shared.take() else {
            return Err(Fault::new(DUEL_TAKEN, "another session has this link"));
        };
        let plan = shared.with(|link| link.stats().plan);
        let config = options.config(plan, options.entry(), options.seed);
        let duel = begin(taken, config)?;
        let medium = shared.medium();
        let mut made = Self::of(duel, options, medium, Some(shared));
        made.force_delay()?;
        Ok(made)
    }

    /// A session whose duel is there already, with a peer on `link` or without one.
    pub fn of(duel: Box<dyn Duel>, options: Options, medium: Medium, link: Option<Shared>) -> Self {
        Self {
            duel,
            score: MatchScore::new(medium),
            options,
            rematch: None,
            paused: false,
            events: Deque::new(),
            event_text: Text::EMPTY,
            problem_text: Text::EMPTY,
            link,
        }
    }

    fn force_delay(&mut self) -> Result<(), Fault> {
        if let Some(delay) = self.options.delay {
            self.duel.live()?.force_delay(delay);
        }
        Ok(())
    }

    /// Steps what is due; returns how many ticks.
    pub fn run(&mut self, now: LinkTime) -> u32 {
        self.duel.run(now, self.paused)
    }

    pub fn set_paused(&mut self, now: LinkTime, paused: bool) {
        self.paused = paused;
        if let Ok(live) = self.duel.live() {
            live.set_paused(now, paused);
        }
    }

    pub fn is_waiting(&mut self, now: LinkTime) -> bool {
        self.duel.live().is_ok_and(|live| live.is_waiting(now))
    }

    /// What there is to show. Its text stays this session's.
    pub fn shown(&mut self, now: LinkTime) -> duel_session_status {
        self.problem_text = Text::EMPTY;
        let mut out = blank(&self.problem_text);
        out.builds[0] = self.options.build.into();
        out.rematch_over = self.rematch_is_over(now).into();
        out.paused = self.paused.into();
        self.duel.show(now, &mut out, &mut self.problem_text);
        out
    }

    /// After every call that may have changed something: takes the events over and logs them.
    pub fn settle(&mut self) {
        while let Some(event) = self.duel.live().ok().and_then(|live| live.poll_event()) {
            self.log(&event_text(&event));
            if self.events.is_full() {
                self.events.pop_front();
            }
            let _ = self.events.push_back(event);
        }
    }

    /// The next event for C, whose text stays this session's.
    pub fn take_event(&mut self) -> Option<SessionEvent> {
        let event = self.events.pop_front()?;
        self.event_text = event_text(&event);
        Some(event)
    }

    fn log(&self, text: &Text) {
        if let Some(log) = self.options.log {
            // SAFETY: the host gave it with its userdata; the text outlives the call.
            unsafe { log(self.options.log_userdata, text.as_ptr()) };
        }
    }

    /// The lobby of a rematch, on the same link.
    pub fn rematch(&mut self, now: LinkTime, seed: u64) -> Result<(), Fault> {
        let live = self.duel.live()?;
        let (agreed, closed) = (live.agreed(), live.is_closed(now));
        let (Some(agreed), false, Some(shared)) = (agreed, closed, self.link.clone()) else {
            return Err(Fault::new(
                DUEL_NOT_NOW,
                "a rematch takes a match agreed before, and a link that is open",
            ));
        };
        let rematch = Rematch::of(&agreed);
        (self.options.map, self.options.mutators) = (rematch.map, rematch.mutators);
        (self.options.host_side, self.options.seed) = (rematch.host_side, seed);
        let plan = shared.with(|link| link.stats().plan);
        let entry = rematch.entry(self.options.start);
        let config = self.options.config(plan, entry, seed);
        let before = core::mem::replace(&mut self.duel, Box::new(Between));
        self.duel = before.again(config)?;
        self.force_delay()?;
        self.score = MatchScore::new(shared.medium());
        self.rematch = Some(RematchWait::new(now));
        self.paused = false;
        self.events.clear();
        Ok(())
    }

    /// A rematch's peer has not come.
    fn rematch_is_over(&self, now: LinkTime) -> bool {
        let heard = self
            .link
            .as_ref()
            .and_then(|link| link.with(|link| link.stats().last_rx));
        self.rematch.is_some_and(|wait| wait.is_over(now, heard))
    }
}

/// What there is while one duel is replaced by the next.
struct Between;

impl Duel for Between {
    fn run(&mut self, _now: LinkTime, _paused: bool) -> u32 {
        0
    }
    fn again(self: Box<Self>, _config: SessionConfig) -> Result<Box<dyn Duel>, Fault> {
        Err(no_peer())
    }
}
