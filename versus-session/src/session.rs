//! The session itself: one link, a pairing until the match begins, then its lockstep.

use crate::{
    BeginError, MatchEnd, OrderError, Overlay, PeerEnded, SessionConfig, SessionEvent,
    SessionPhase, SessionStatus, VersusFeed,
    events::Events,
    goodbye::{FAREWELL, Goodbye},
    kept::Kept,
    modes::ModeRules,
    peer::Peer,
    play::Play,
    status::{MENU_LEAVE, OVERLAY_LEAVE, SIGNAL_LOST},
};
use alloc::{boxed::Box, string::String};
use link_transport::{LinkTime, LinkTransport, Mode, OutFrame, Role, SessionKey, packet_ms};
use match_feed::{
    Game, Step, Tick,
    duel::{BattleRecord, Catalogue, InputDelay, PerSide, RecordHeader, Side},
};
use versus_codec::CommandCodec;
use versus_lockstep::{Leave, LockstepConfig};
use versus_pairing::{
    Agreed, CatalogueError, LOBBY_MODE, Nonces, Opener, Pairing, PickError, build_or_digest,
};

/// Two phones, one link, one match: this phone's half.
///
/// Call [`Self::pump`] often (every frame), and [`Self::run`] once a match has begun. Nothing happens in between.
#[derive(Debug)]
pub struct Session<T, C: CommandCodec, G: Game<Command = C::Command>, K> {
    pub(crate) transport: T,
    pub(crate) config: SessionConfig,
    pub(crate) pairing: Pairing<K>,
    pub(crate) nonces: Nonces,
    pub(crate) stage: Stage<C, G>,
    /// The key game frames are heard under: this pairing's, from GO on.
    pub(crate) key: Option<SessionKey>,
    /// Game frames heard before the match began here.
    pub(crate) kept: Kept,
    pub(crate) peer_ended: Option<PeerEnded>,
    pub(crate) peer: Peer,
    pub(crate) mode: Mode,
    pub(crate) rxq: u8,
    pub(crate) now: LinkTime,
    pub(crate) closed: bool,
    pub(crate) events: Events,
}

#[derive(Debug)]
pub(crate) enum Stage<C: CommandCodec, G: Game<Command = C::Command>> {
    Lobby,
    Match(Box<Play<C, G>>),
    Goodbye(Goodbye),
}

impl<T, C, G, K> Session<T, C, G, K>
where
    T: LinkTransport,
    C: CommandCodec,
    G: Game<Command = C::Command>,
    K: Catalogue,
{
    /// Takes the link over and starts pairing at the next [`Self::pump`].
    ///
    /// # Errors
    /// A host's choice that `catalogue` does not hold.
    pub fn new(
        mut transport: T,
        mut config: SessionConfig,
        catalogue: K,
    ) -> Result<Self, CatalogueError> {
        let mut nonces = Nonces::new(config.seed);
        let nonce = nonces.draw();
        config.build = build_or_digest(config.build, &config.game, &catalogue);
        let pairing = Pairing::new(config.entry, config.plan, config.build, catalogue, nonce)?;
        transport.set_mode(LOBBY_MODE);
        Ok(Self {
            transport,
            config,
            pairing,
            nonces,
            stage: Stage::Lobby,
            key: None,
            kept: Kept::default(),
            peer_ended: None,
            peer: Peer::default(),
            mode: LOBBY_MODE,
            rxq: 0,
            now: LinkTime::ZERO,
            closed: false,
            events: Events::default(),
        })
    }

    /// The build that this phone says it runs: [`SessionConfig::build`], or the digest in its place.
    #[must_use]
    pub const fn build(&self) -> u16 {
        self.config.build
    }

    /// Chooses this phone's opener; see [`Pairing::pick`].
    ///
    /// # Errors
    /// Nothing can be picked now, or not this.
    pub fn pick(&mut self, opener: Opener) -> Result<(), PickError> {
        self.pairing.pick(opener)?;
        self.flush();
        Ok(())
    }

    /// The openers on offer now.
    pub fn openers(&self) -> impl Iterator<Item = Opener> {
        self.pairing.openers()
    }

    /// Pairs again under a fresh nonce, after a failure or a version mismatch. Nothing once a match has begun.
    pub fn retry(&mut self, now: LinkTime) {
        self.set_now(now);
        if matches!(self.stage, Stage::Lobby) {
            self.pairing.reset(self.now, self.nonces.draw());
            // At once: the frame the link holds is the old pairing's, maybe its GO, and the peer would start alone.
            self.flush();
        }
    }

    /// Offers this input delay whatever the round trip is; see [`Pairing::force_delay`]. It survives [`Self::retry`], and
    /// changes nothing once the config is frozen.
    pub const fn force_delay(&mut self, delay: InputDelay) {
        self.pairing.force_delay(delay);
    }

    /// The match agreed, once it may begin: build the game from its setup, and [`Self::begin_match`].
    #[must_use]
    pub const fn agreed(&self) -> Option<&Agreed> {
        self.pairing.agreed()
    }

    /// Begins the agreed match with `game`, set up and not stepped yet.
    ///
    /// # Errors
    /// Nothing is agreed, a match has begun already, or the link is too narrow for it.
    pub fn begin_match(&mut self, now: LinkTime, game: G, codec: C) -> Result<(), BeginError> {
        self.set_now(now);
        match &self.stage {
            _ if self.closed => return Err(BeginError::Left),
            Stage::Lobby => {}
            Stage::Match(play) => {
                return Err(BeginError::Begun {
                    tick: play.running.tick(),
                });
            }
            Stage::Goodbye(_) => return Err(BeginError::Left),
        }
        let agreed = *self.pairing.agreed().ok_or(BeginError::NotAgreed)?;
        let mode = if agreed.fast {
            Mode::Fast
        } else {
            Mode::Robust
        };
        let config = LockstepConfig::new(agreed.local_side(), agreed.delay, game.hash())
            .with_capacity_bits(self.transport.capacity_bits())
            .with_packet_ms(packet_ms(agreed.plan, mode));
        let feed = VersusFeed::new(config, self.record_header(&agreed), codec)?;
        let modes = ModeRules::new(self.config.modes, mode, self.now);
        let mut play = Play::new(game, feed, modes);
        // The peer may have said something already, its leaving included.
        for (at, kept) in core::mem::take(&mut self.kept).in_order() {
            play.handle_frame(at, &kept);
        }
        self.set_mode(mode);
        self.stage = Stage::Match(Box::new(play));
        self.flush();
        self.notice();
        Ok(())
    }

    fn record_header(&self, agreed: &Agreed) -> RecordHeader {
        let seats = agreed.seats();
        let name = |side: Side| match seats[side] {
            Role::Host => String::from("host"),
            Role::Guest => String::from("guest"),
        };
        RecordHeader {
            game: self.config.game.clone(),
            build: self.config.build,
            setup: agreed.setup,
            delay: agreed.delay,
            seats: PerSide::from_fn(name),
        }
    }

    /// An order of this phone's player, outside of [`Self::run`]'s own asking.
    ///
    /// # Errors
    /// No match is in play, or the order cannot be sent.
    pub fn give(&mut self, now: LinkTime, command: C::Command) -> Result<(), OrderError> {
        self.set_now(now);
        let Stage::Match(play) = &mut self.stage else {
            return Err(OrderError::NotPlaying);
        };
        let feed = play.running.feed_mut();
        Ok(feed.give(self.now, command)?)
    }

    /// A resignation, or whatever else of this phone's player must not wait behind the orders queued: it lands D ticks
    /// later. A codec that knows which of its commands are urgent needs no such call.
    ///
    /// # Errors
    /// As [`Self::give`].
    pub fn give_first(&mut self, now: LinkTime, command: C::Command) -> Result<(), OrderError> {
        self.set_now(now);
        let Stage::Match(play) = &mut self.stage else {
            return Err(OrderError::NotPlaying);
        };
        let feed = play.running.feed_mut();
        Ok(feed.give_first(self.now, command)?)
    }

    /// Hands out this phone's own orders that are given and not applied here yet: what a host shows its player as done
    /// already. See [`versus_lockstep::Lockstep::in_flight`]. None before the match and after its end.
    pub fn in_flight(&self, each: impl FnMut(C::Command)) {
        if let Stage::Match(play) = &self.stage {
            play.running.feed().lockstep().in_flight(each);
        }
    }

    /// Steps every tick that is due by the paced clock; returns how many.
    ///
    /// `orders` is called once per tick, before that tick's turn is sealed: what it gives lands D ticks later on both
    /// phones. A tick that waits for the peer asks for nothing and keeps the pose.
    pub fn run(
        &mut self,
        now: LinkTime,
        orders: impl FnMut(Tick, &G, &mut dyn FnMut(C::Command)),
    ) -> u32 {
        self.set_now(now);
        let why = self.peer.why(self.now);
        let Stage::Match(play) = &mut self.stage else {
            return 0;
        };
        let stepped = play.run(self.now, why, orders);
        self.flush();
        self.notice();
        stepped
    }

    /// Steps the next tick if both its turns are here, whatever the clock says; `None` without a running match.
    pub fn step(&mut self, now: LinkTime) -> Option<Step> {
        self.set_now(now);
        let why = self.peer.why(self.now);
        let Stage::Match(play) = &mut self.stage else {
            return None;
        };
        if play.is_over(self.now) {
            return play
                .running
                .feed()
                .outcome()
                .map(|outcome| Step::Over(outcome.into()));
        }
        let step = play.step(self.now, why, &mut |_, _, _| {});
        self.flush();
        self.notice();
        Some(step)
    }

    /// Pauses or resumes this phone. The peer stalls within D ticks and is told why.
    pub fn set_paused(&mut self, now: LinkTime, paused: bool) {
        self.set_now(now);
        if let Stage::Match(play) = &mut self.stage {
            play.set_paused(self.now, paused);
        }
        self.flush();
    }

    /// Leaves, or ends the match as out of sync. Keep pumping until [`Self::closable`].
    pub fn leave(&mut self, now: LinkTime, leave: Leave) {
        self.set_now(now);
        let now = self.now;
        match &mut self.stage {
            Stage::Match(play) => {
                play.running.feed_mut().lockstep_mut().leave(leave);
                play.left_at.get_or_insert(now);
            }
            Stage::Lobby => {
                let capacity_bits = self.transport.capacity_bits();
                let tell = |agreed: &Agreed| {
                    let packet = packet_ms(agreed.plan, LOBBY_MODE);
                    Goodbye::telling(agreed, leave, capacity_bits, packet, now).ok()
                };
                let going = self.pairing.going();
                let goodbye = going.as_ref().and_then(tell);
                self.stage = Stage::Goodbye(goodbye.unwrap_or_else(|| Goodbye::silent(now)));
            }
            Stage::Goodbye(_) => {}
        }
        self.flush();
        self.notice();
    }

    /// True once nothing more has to be said: the link may be closed.
    #[must_use]
    pub fn closable(&self, now: LinkTime) -> bool {
        let now = self.now.max(now);
        match &self.stage {
            _ if self.closed => true,
            Stage::Lobby => false,
            Stage::Match(play) => play.left_at.is_some_and(|at| now.since(at) >= FAREWELL),
            Stage::Goodbye(goodbye) => goodbye.is_said(now),
        }
    }

    /// Closes the link for good, whether or not everything is said. What is known of the match stays.
    pub fn close(&mut self) {
        self.transport.close();
        self.closed = true;
        self.notice();
    }

    /// How the match ended, once it has.
    #[must_use]
    pub fn end(&self, now: LinkTime) -> Option<MatchEnd> {
        match &self.stage {
            Stage::Match(play) => play.end(self.now.max(now)),
            _ => None,
        }
    }

    /// The match so far as a record; `None` before one has begun.
    #[must_use]
    pub fn record(&self) -> Option<BattleRecord<C::Command>> {
        self.play().map(|play| play.running.feed().record())
    }

    /// The game, as of the last tick stepped.
    #[must_use]
    pub fn game(&self) -> Option<&G> {
        self.play().map(|play| play.running.game())
    }

    /// The game, for a host that must reach into it. Changing what its hash covers desyncs the match.
    pub fn game_mut(&mut self) -> Option<&mut G> {
        match &mut self.stage {
            Stage::Match(play) => Some(play.running.game_mut()),
            _ => None,
        }
    }

    /// How many ticks have been stepped.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.play().map_or(Tick(0), |play| play.running.tick())
    }

    /// How far the pose is between the last tick and the next, in thousandths.
    #[must_use]
    pub fn permille(&self) -> u32 {
        self.play().map_or(0, Play::permille)
    }

    /// When something will be due that no packet has to bring: a tick, or the end of the time to pick. The link itself
    /// wants to be pumped at least every few packets besides.
    #[must_use]
    pub fn next_wake(&self) -> Option<LinkTime> {
        match &self.stage {
            Stage::Lobby => self.pairing.next_wake(),
            Stage::Match(play) => play.next_wake(self.now),
            Stage::Goodbye(_) => None,
        }
    }

    /// The next thing that happened. Events that nobody asks for are dropped, the oldest first.
    pub fn poll_event(&mut self) -> Option<SessionEvent> {
        self.events.pop()
    }

    /// The link.
    pub const fn transport(&self) -> &T {
        &self.transport
    }

    /// The link.
    pub const fn transport_mut(&mut self) -> &mut T {
        &mut self.transport
    }

    /// Gives the link back.
    pub fn into_transport(self) -> T {
        self.transport
    }

    /// The pairing.
    pub const fn pairing(&self) -> &Pairing<K> {
        &self.pairing
    }

    /// How things stand.
    #[must_use]
    pub fn status(&self, now: LinkTime) -> SessionStatus {
        let now = self.now.max(now);
        let play = self.play();
        let lockstep = play.map(|play| play.status(now));
        let pairing = self.pairing.status();
        let waiting = play.and_then(|play| play.waiting(now, self.peer.why(now)));
        let overlay = Overlay::of(waiting);
        let waits = |span| waiting.is_some_and(|waiting| waiting.time >= span);
        let lost = overlay == Overlay::SignalLost && waits(SIGNAL_LOST);
        SessionStatus {
            phase: self.phase(now),
            pairing,
            lockstep,
            end: self.end(now),
            waiting,
            overlay,
            overlay_leave: waits(OVERLAY_LEAVE),
            menu_leave: lost || waits(MENU_LEAVE),
            resign_and_leave: self.peer.arrives(now) && self.phase(now) == SessionPhase::Playing,
            rxq: self.rxq,
            peer_rxq: lockstep
                .and_then(|status| status.peer_rxq)
                .or(pairing.peer_rxq),
            round_trip: pairing.round_trip,
            delay: self.pairing.going().map(|agreed| agreed.delay),
            mode: self.mode,
            link: self.transport.stats(),
            speed_permille: play.map_or(1000, |play| {
                match_feed::MatchFeed::speed_permille(play.running.feed())
            }),
            stall: play.map_or(core::time::Duration::ZERO, |play| play.stalls.time(now)),
            stall_by_link: play.map_or(core::time::Duration::ZERO, |play| play.stalls.by_link(now)),
            stalled_ticks: play.map_or(0, |play| play.stalls.ticks),
            frames_refused: play.map_or(0, |play| play.frames_refused),
            peer_ended: self.peer_ended,
            peer_in_lobby: self.peer.is_in_lobby(now),
            closable: self.closable(now),
        }
    }

    pub(crate) fn phase(&self, now: LinkTime) -> SessionPhase {
        match &self.stage {
            _ if self.closed => SessionPhase::Closed,
            Stage::Lobby if self.pairing.agreed().is_some() => SessionPhase::Ready,
            Stage::Lobby => SessionPhase::Lobby,
            Stage::Match(play) if play.left_at.is_some() => SessionPhase::Leaving,
            Stage::Match(play) if play.is_over(now) => SessionPhase::Over,
            Stage::Match(_) => SessionPhase::Playing,
            Stage::Goodbye(_) => SessionPhase::Leaving,
        }
    }

    pub(crate) fn play(&self) -> Option<&Play<C, G>> {
        match &self.stage {
            Stage::Match(play) => Some(play),
            _ => None,
        }
    }

    pub(crate) fn set_now(&mut self, now: LinkTime) {
        self.now = self.now.max(now);
    }

    pub(crate) fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        self.transport.set_mode(mode);
    }

    /// Hands the link what is new to send.
    pub(crate) fn flush(&mut self) {
        let frame: Option<OutFrame>;
        let frames = match &mut self.stage {
            Stage::Lobby => {
                frame = self.pairing.poll_frame(self.now);
                frame.as_slice().get(0..1)
            }
            Stage::Match(play) => play.running.feed_mut().lockstep_mut().poll_frames(),
            Stage::Goodbye(goodbye) => goodbye.poll_frames(),
        };
        if let Some(frames) = frames {
            self.transport.send(frames);
        }
    }
}
