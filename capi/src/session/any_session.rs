//! What a session's handle stands for: a duel of the host's own game, of the skirmish, or a replay. Knows no pointers of
//! C but the log sink.

#[cfg(feature = "skirmish")]
use crate::skirmish::{Playback, SkirmishDuel};
use crate::{
    handle::{self, Fault, Kind},
    link::duel_link,
    link::shared::{Held, Shared, Taken},
    session::{OwnCatalogue, OwnGame},
    session::{duel_log_fn, duel_session, opener_word},
    status::*,
    text::Text,
    words::*,
};
use core::ffi::c_void;
use heapless::Deque;
use link_transport::{LinkTime, Role};
use match_feed::duel::{InputDelay, MapChoice, MatchScore, Medium, Side};
use versus_codec::OpaqueCodec;
use versus_pairing::{CatalogueError, Entry, HostChoice, Rematch, RematchWait, StartMode};
use versus_session::{ModePolicy, OrderError, Session, SessionConfig, SessionEvent};

/// Events kept for a host that does not ask; the oldest go first.
const EVENTS_MAX: usize = 32;

pub type OwnSession = Session<Taken, OpaqueCodec, OwnGame, OwnCatalogue>;

pub enum Duel {
    Own {
        session: Box<OwnSession>,
        catalogue: OwnCatalogue,
    },
    #[cfg(feature = "skirmish")]
    Skirmish(Box<SkirmishDuel>),
    #[cfg(feature = "skirmish")]
    Replay(Box<Playback>),
    /// Only while one session is replaced by the next.
    Between,
}

impl Duel {
    fn force_delay(&mut self, delay: Option<InputDelay>) {
        let Some(delay) = delay else { return };
        match self {
            Self::Own { session, .. } => session.force_delay(delay),
            #[cfg(feature = "skirmish")]
            Self::Skirmish(skirmish) => skirmish.session.force_delay(delay),
            _ => {}
        }
    }
}

/// Does the same on whichever duel is live; returns an error for a replay.
macro_rules! live {
    ($this:expr, $session:ident => $what:expr) => {
        match &mut $this.duel {
            $crate::session::any_session::Duel::Own { session, .. } => {
                let $session = &mut **session;
                $what
            }
            #[cfg(feature = "skirmish")]
            $crate::session::any_session::Duel::Skirmish(skirmish) => {
                let $session = &mut skirmish.session;
                $what
            }
            _ => return Err($crate::session::any_session::no_lobby()),
        }
    };
}
pub(crate) use live;

/// Does something on a duel of the host's own game; returns an error for any other.
macro_rules! own {
    ($this:expr, $session:ident => $what:expr) => {
        match &mut $this.duel {
            $crate::session::any_session::Duel::Own {
                session: $session, ..
            } => $what,
            _ => {
                return Err($crate::handle::Fault::new(
                    $crate::status::DUEL_UNSUPPORTED,
                    "this session does not play a game of your own",
                ));
            }
        }
    };
}
pub(crate) use own;

pub fn no_lobby() -> Fault {
    Fault::new(DUEL_UNSUPPORTED, "a replay has neither lobby nor peer")
}

pub fn order_fault(error: OrderError) -> Fault {
    match error {
        OrderError::NotPlaying => Fault::new(DUEL_NOT_NOW, error),
        _ => Fault::new(DUEL_REFUSED, error),
    }
}

/// What a phone brings, checked.
pub struct Options {
    pub role: Role,
    pub seed: u64,
    pub build: u16,
    pub game: String,
    pub keep_mode: bool,
    pub map: MapChoice,
    pub mutators: u16,
    pub host_side: Side,
    pub start: StartMode,
    pub delay: Option<InputDelay>,
    pub log: duel_log_fn,
    pub log_userdata: *mut c_void,
}

impl Options {
    fn entry(&self) -> Entry {
        match self.role {
            Role::Host => Entry::Host(HostChoice {
                map: self.map,
                mutators: self.mutators,
                host_side: self.host_side,
                start_mode: self.start,
            }),
            Role::Guest => Entry::Guest,
        }
    }

    fn config(&self, link: &Shared, entry: Entry, seed: u64) -> SessionConfig {
        SessionConfig {
            entry,
            plan: link.with(|link| link.stats().plan),
            build: self.build,
            game: self.game.clone(),
            seed,
            modes: if self.keep_mode {
                ModePolicy::Keep
            } else {
                ModePolicy::Adapt
            },
        }
    }
}

pub struct AnySession {
    pub duel: Duel,
    pub options: Options,
    pub score: MatchScore,
    /// A rematch's lobby is open since …
    pub rematch: Option<RematchWait>,
    pub paused: bool,
    pub events: Deque<SessionEvent, EVENTS_MAX>,
    /// Texts that C is shown: the newest event's, and the status's.
    pub event_text: Text,
    pub problem_text: Text,
    link: Option<Shared>,
}

// SAFETY: of all that is in it only `log_userdata` is not sent by itself, and the host promised that its log may be called
// with it from whichever thread calls the session.
unsafe impl Send for Options {}

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
    /// Makes a session on a link, and its handle.
    pub fn open(
        options: Options,
        link: *mut duel_link,
        begin: impl FnOnce(Taken, SessionConfig) -> Result<Duel, CatalogueError>,
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
        begin: impl FnOnce(Taken, SessionConfig) -> Result<Duel, CatalogueError>,
    ) -> Result<Self, Fault> {
        let Some(taken) = shared.take() else {
            return Err(Fault::new(DUEL_TAKEN, "another session has this link"));
        };
        let config = options.config(&shared, options.entry(), options.seed);
        let medium = shared.medium();
        let mut duel = begin(taken, config).map_err(|error| Fault::new(DUEL_REFUSED, error))?;
        duel.force_delay(options.delay);
        Ok(Self::of(duel, options, medium, Some(shared)))
    }

    pub fn of(duel: Duel, options: Options, medium: Medium, link: Option<Shared>) -> Self {
        Self {
            duel,
            options,
            score: MatchScore::new(medium),
            rematch: None,
            paused: false,
            events: Deque::new(),
            event_text: Text::EMPTY,
            problem_text: Text::EMPTY,
            link,
        }
    }

    /// Steps what is due; returns how many ticks.
    pub fn run(&mut self, now: LinkTime) -> u32 {
        match &mut self.duel {
            Duel::Own { session, .. } => session.run(now, |_, _, _| {}),
            #[cfg(feature = "skirmish")]
            Duel::Skirmish(skirmish) => skirmish.run(now),
            #[cfg(feature = "skirmish")]
            Duel::Replay(playback) => playback.run(now, self.paused),
            Duel::Between => 0,
        }
    }

    pub fn set_paused(&mut self, now: LinkTime, paused: bool) {
        self.paused = paused;
        match &mut self.duel {
            Duel::Own { session, .. } => session.set_paused(now, paused),
            #[cfg(feature = "skirmish")]
            Duel::Skirmish(skirmish) => skirmish.session.set_paused(now, paused),
            _ => {}
        }
    }

    pub fn is_waiting(&self, now: LinkTime) -> bool {
        match &self.duel {
            Duel::Own { session, .. } => session.status(now).waiting.is_some(),
            #[cfg(feature = "skirmish")]
            Duel::Skirmish(skirmish) => skirmish.session.status(now).waiting.is_some(),
            _ => false,
        }
    }

    /// After every call that may have changed something: takes the events over and logs them.
    pub fn settle(&mut self) {
        while let Some(event) = self.next_event() {
            self.log(&event_text(&event));
            if self.events.is_full() {
                self.events.pop_front();
            }
            let _ = self.events.push_back(event);
        }
    }

    fn next_event(&mut self) -> Option<SessionEvent> {
        match &mut self.duel {
            Duel::Own { session, .. } => session.poll_event(),
            #[cfg(feature = "skirmish")]
            Duel::Skirmish(skirmish) => skirmish.session.poll_event(),
            _ => None,
        }
    }

    fn log(&self, text: &Text) {
        if let Some(log) = self.options.log {
            // SAFETY: the host gave it with its userdata; the text outlives the call.
            unsafe { log(self.options.log_userdata, text.as_ptr()) };
        }
    }

    /// The lobby of a rematch, on the same link.
    pub fn rematch(&mut self, now: LinkTime, seed: u64) -> Result<(), Fault> {
        let agreed = live!(self, session => session.agreed().copied());
        let closed = live!(self, session => {
            session.status(now).phase == versus_session::SessionPhase::Closed
        });
        let (Some(agreed), false, Some(shared)) = (agreed, closed, self.link.clone()) else {
            return Err(Fault::new(
                DUEL_NOT_NOW,
                "a rematch takes a match agreed before, and a link that is open",
            ));
        };
        let rematch = Rematch::of(&agreed);
        (self.options.map, self.options.mutators) = (rematch.map, rematch.mutators);
        (self.options.host_side, self.options.seed) = (rematch.host_side, seed);
        let config = self
            .options
            .config(&shared, rematch.entry(self.options.start), seed);
        let refused = |error: CatalogueError| Fault::new(DUEL_REFUSED, error);
        self.duel = match core::mem::replace(&mut self.duel, Duel::Between) {
            Duel::Own { session, catalogue } => Duel::Own {
                session: Box::new(
                    Session::new(session.into_transport(), config, catalogue).map_err(refused)?,
                ),
                catalogue,
            },
            #[cfg(feature = "skirmish")]
            Duel::Skirmish(skirmish) => {
                Duel::Skirmish(Box::new((*skirmish).again(config).map_err(refused)?))
            }
            other => other,
        };
        self.duel.force_delay(self.options.delay);
        self.score = MatchScore::new(shared.medium());
        self.rematch = Some(RematchWait::new(now));
        self.paused = false;
        self.events.clear();
        Ok(())
    }

    /// A rematch's peer has not come.
    pub fn rematch_is_over(&self, now: LinkTime) -> bool {
        let heard = self
            .link
            .as_ref()
            .and_then(|link| link.with(|link| link.stats().last_rx));
        self.rematch.is_some_and(|wait| wait.is_over(now, heard))
    }
}

/// An event in words, for a log.
pub fn event_text(event: &SessionEvent) -> Text {
    match event {
        SessionEvent::Phase(phase) => Text::of(format_args!("phase: {phase:?}")),
        SessionEvent::Waiting(Some(why)) => Text::of(format_args!("waiting: {why:?}")),
        SessionEvent::Waiting(None) => Text::of("going on"),
        SessionEvent::Mode(mode) => Text::of(format_args!("mode: {mode:?}")),
        SessionEvent::OrderRefused(error) => Text::of(format_args!("order refused: {error}")),
        SessionEvent::End(end) => Text::of(format_args!("end: {end:?}")),
        SessionEvent::PeerInLobby => Text::of("the peer is back in the lobby"),
        _ => Text::of("something that has no text"),
    }
}

/// A pick as C has it: made or not, an opener or none.
pub fn pick_word(pick: Option<versus_pairing::Opener>) -> i32 {
    pick.map_or(DUEL_NONE, opener_word)
}
