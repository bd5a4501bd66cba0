//! A session: its state, what a host calls, and the order in which `advance` does things.

use crate::{
    Frame,
    config::{ConfigError, OnDrop, Place, SessionConfig},
    event::{Cause, Event, Outcome, StepInputs},
    hashes::Hashes,
    line::Line,
    link::Link,
    pace::Pace,
    roster::Members,
    snapshot::{Loading, Snapshot},
    stats::{LinkStats, SessionStats},
    testimony::Desync,
    wire::{
        ByeReason, CommitSeat, MEMBERS_MAX, MESSAGE_BYTES_MAX, NO_FRAME, NO_MEMBER, Part, SEATS_MAX,
    },
};
use alloc::{collections::VecDeque, vec, vec::Vec};
use match_feed::{Seat, SeatSet};
use net_transport::{NetTime, NetTransport, PeerId};

/// Events that wait for the host.
const EVENTS_MAX: usize = 64;
/// Peers of the transport that have not said who they are.
const STRANGERS_MAX: usize = 16;
/// A goodbye is said so often, this far apart.
pub(crate) const BYES: u8 = 4;

/// An input that a session cannot take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// Another member's seat, or none.
    #[error("seat {seat} is not played here")]
    NotOurs {
        /// Which.
        seat: Seat,
    },
    /// Longer than the match's inputs are.
    #[error("an input of {bytes} bytes: the longest of this match has {max}")]
    TooLong {
        /// How long it is.
        bytes: usize,
        /// The longest.
        max: u8,
    },
}

/// Where a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Hello to all, and round-trip samples.
    Meet,
    /// All is agreed; the first frame comes at this time.
    Wait { until: NetTime },
    /// A joiner or spectator has no state yet.
    Load,
    /// Frames are stepped.
    Run,
    /// There is an outcome.
    Over,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Stranger {
    pub(crate) peer: PeerId,
    pub(crate) hello_at: NetTime,
}

/// One member's end of a match: see the crate's first page.
#[derive(Debug)]
pub struct Session {
    pub(crate) config: SessionConfig,
    /// This end's number.
    pub(crate) me: u8,
    pub(crate) phase: Phase,
    pub(crate) now: NetTime,
    pub(crate) began: Option<NetTime>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) events: VecDeque<Event>,
    pub(crate) seed: u64,
    pub(crate) setup: Vec<u8>,
    pub(crate) lines: Vec<Line>,
    pub(crate) links: Vec<Link>,
    pub(crate) strangers: [Option<Stranger>; STRANGERS_MAX],
    pub(crate) pace: Pace,
    pub(crate) stats: SessionStats,
    pub(crate) in_buffer: Vec<u8>,
    pub(crate) out_buffer: Vec<u8>,

    // Frames.
    /// The position: the frame that is stepped next.
    pub(crate) position: u32,
    /// Up to before which frame the host shall step now.
    pub(crate) goal: u32,
    /// The first frame that was never stepped.
    pub(crate) stepped: u32,
    /// All inputs before this frame are known.
    pub(crate) confirmed: u32,
    /// Frames that were handed out as confirmed.
    pub(crate) logged: u32,
    /// The first frame that was stepped with a wrong input; `NO_FRAME`: none.
    pub(crate) rewind: u32,
    pub(crate) saved: u32,
    pub(crate) hash_asked: u32,
    /// Where the game ended.
    pub(crate) end: u32,
    pub(crate) end_known: Option<NetTime>,
    pub(crate) inputs: StepInputs,
    pub(crate) local: StepInputs,
    pub(crate) away: bool,
    pub(crate) fresh: bool,

    // The input delay.
    pub(crate) delay: u8,
    pub(crate) delay_change: u32,
    pub(crate) delay_next: Option<(u8, u32)>,
    pub(crate) delay_tell: (u8, u32, u8, NetTime),
    pub(crate) wish: u8,
    pub(crate) wish_at: NetTime,
    pub(crate) wish_streak: i32,

    pub(crate) hashes: Hashes,
    pub(crate) agreed: u32,
    pub(crate) desync: Option<Desync>,
    pub(crate) members: Members,
    pub(crate) progress: (u32, NetTime),
    pub(crate) snapshot: Snapshot,
    pub(crate) loading: Loading,
}

impl Session {
    /// A session that waits for its transport's peers.
    ///
    /// # Errors
    /// A configuration that no session can have.
    pub fn new(config: SessionConfig) -> Result<Self, ConfigError> {
        config.check()?;
        let seats = config.seats;
        let me = config.number();
        let lines = (0..seats)
            .map(|_| Line::new(config.history as usize, usize::from(config.input_bytes)))
            .collect();
        let mut setup = Vec::with_capacity(crate::wire::SETUP_BYTES_MAX);
        setup.extend_from_slice(&config.setup);
        let loads = !matches!(config.place, Place::Player(_));
        Ok(Self {
            me,
            phase: if loads { Phase::Load } else { Phase::Meet },
            now: NetTime::ZERO,
            began: None,
            outcome: None,
            events: VecDeque::with_capacity(EVENTS_MAX),
            seed: config.seed,
            setup,
            lines,
            links: (0..MEMBERS_MAX).map(|_| Link::new()).collect(),
            strangers: [None; STRANGERS_MAX],
            pace: Pace::new(config.rate.hz()),
            stats: SessionStats::default(),
            in_buffer: vec![0; MESSAGE_BYTES_MAX],
            out_buffer: vec![0; MESSAGE_BYTES_MAX],
            position: 0,
            goal: 0,
            stepped: 0,
            confirmed: 0,
            logged: 0,
            rewind: NO_FRAME,
            saved: NO_FRAME,
            hash_asked: NO_FRAME,
            end: NO_FRAME,
            end_known: None,
            inputs: StepInputs::new(seats),
            local: StepInputs::new(seats),
            away: false,
            fresh: false,
            delay: config.input_delay,
            delay_change: 0,
            delay_next: None,
            delay_tell: (0, 0, 0, NetTime::ZERO),
            wish: config.input_delay,
            wish_at: NetTime::ZERO,
            wish_streak: 0,
            hashes: Hashes::new(seats),
            agreed: 0,
            desync: None,
            members: Members::default(),
            progress: (0, NetTime::ZERO),
            snapshot: Snapshot::default(),
            loading: Loading::new(if loads { config.snapshot_bytes_max } else { 0 }),
            config,
        })
    }

    /// Takes what came, decides what is due, and sends. Then drain [`Session::poll_request`] and do what it says, at once
    /// and in order; then [`Session::poll_event`].
    ///
    /// Call it once a frame at least, better at [`Session::next_wake`]. `now` must not go back. Allocates nothing while
    /// frames are stepped; a join allocates its snapshot.
    pub fn advance<T: NetTransport + ?Sized>(&mut self, now: NetTime, transport: &mut T) {
        self.now = now;
        if self.began.is_none() {
            self.began = Some(now);
        }
        self.pace.advance(now);
        self.receive(now, transport);
        if self.phase != Phase::Over {
            self.meet(now);
            self.join(now);
            self.compare_hashes(now);
            self.change_members(now);
            self.choose_delay(now);
        }
        self.schedule();
        self.send(now, transport);
    }

    /// Gives a seat's input for the next frame that needs one. It stays in force until another is given.
    ///
    /// # Errors
    /// Not a seat of this end, or too long an input.
    pub fn set_input(&mut self, seat: Seat, input: &[u8]) -> Result<(), InputError> {
        let at = seat.index();
        let ours = usize::from(self.config.seats) > at
            && (self.config.own() & 1 << at != 0 || self.lines[at].seat.owner == self.me);
        if !ours {
            return Err(InputError::NotOurs { seat });
        }
        if input.len() > usize::from(self.config.input_bytes) {
            return Err(InputError::TooLong {
                bytes: input.len(),
                max: self.config.input_bytes,
            });
        }
        self.local.set(at, input);
        Ok(())
    }

    /// The player is away (a hidden tab) or back: while away, inputs are empty, and the others are told.
    pub fn set_away(&mut self, away: bool) {
        self.away = away;
    }

    /// The answer to `Request::Hash`: the hash of the state before `frame`, and of its parts, at most 32 with names of at
    /// most 24 bytes.
    pub fn put_hash(&mut self, frame: Frame, hash: u64, parts: &[Part<'_>]) {
        if frame.0 == self.position {
            self.hashes.put_hash(frame.0, hash, parts);
        }
    }

    /// The game is over at the current position, after the frame just stepped. If that frame is stepped again, say so
    /// again. The session hashes the state here, compares it with all, and ends.
    pub fn finish(&mut self) {
        if self.phase == Phase::Run {
            self.end = self.position;
            self.goal = self.goal.min(self.position);
        }
    }

    /// This end's player leaves. Call `advance` for another second, so that the others hear it.
    pub fn leave(&mut self) {
        self.conclude(Outcome::YouLeft, ByeReason::Quit);
    }

    /// How the session ended, once it has.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The next thing that happened.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// The match's seed: the host's, once `Event::Agreed` came.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The game's own words about the match: the host's, once `Event::Agreed` came.
    #[must_use]
    pub fn setup(&self) -> &[u8] {
        &self.setup
    }

    /// The frame that is stepped next.
    #[must_use]
    pub const fn position(&self) -> Frame {
        Frame(self.position)
    }

    /// All frames before this one are stepped with inputs that are known, and will not be stepped again.
    #[must_use]
    pub const fn confirmed(&self) -> Frame {
        Frame(self.logged)
    }

    /// The newest position whose state all members hold alike.
    #[must_use]
    pub const fn agreed(&self) -> Frame {
        Frame(self.agreed)
    }

    /// The input delay now, frames.
    #[must_use]
    pub const fn input_delay(&self) -> u8 {
        self.delay
    }

    /// The input delay that all links together ask for: ⌈(half the round trip + the 95th percentile of its jitter) ÷ frame⌉
    /// plus 2, and 2 more where much is lost; at most 60 frames.
    #[must_use]
    pub const fn recommended_delay(&self) -> u8 {
        self.wish
    }

    /// The seats whose inputs this end gives now.
    #[must_use]
    pub fn own_seats(&self) -> SeatSet {
        let own = Seat::all(usize::from(self.config.seats))
            .filter(|seat| self.lines[seat.index()].seat.owner == self.me);
        own.collect()
    }

    /// Who plays now: bit i is member i.
    #[must_use]
    pub const fn live(&self) -> u8 {
        self.members.live
    }

    /// The player that gives this end all seats' inputs while it plays none itself. `None`: it plays, or nobody does.
    #[must_use]
    pub fn feeder(&self) -> Option<u8> {
        let feeder = self.members.feeder;
        (!self.is_alive() && feeder != NO_MEMBER).then_some(feeder)
    }

    /// What the session did so far.
    #[must_use]
    pub const fn stats(&self) -> SessionStats {
        let mut stats = self.stats;
        stats.tempo_ppm = self.pace.tempo_ppm();
        stats
    }

    /// How the link to a member is; `None` without one.
    #[must_use]
    pub fn link_stats(&self, member: u8) -> Option<LinkStats> {
        let link = self.links.get(usize::from(member))?;
        link.talks().then(|| LinkStats {
            round_trip_us: link.trips.round_trip_us(),
            loss_in: link.losses.percent(),
            loss_out: link.its_loss,
            ahead_permille: link.gap_permille.unwrap_or(0),
        })
    }

    /// Everyone's hashes, digests and parts, once a match ended by `Outcome::Desync`.
    #[must_use]
    pub const fn desync(&self) -> Option<&Desync> {
        self.desync.as_ref()
    }

    /// When `advance` is wanted next, though nothing came from the transport (ask that, too).
    #[must_use]
    pub fn next_wake(&self) -> NetTime {
        let soon = self.now.plus(20_000);
        if self.phase != Phase::Run {
            return match self.phase {
                Phase::Wait { until } => until.min(soon),
                _ => soon,
            };
        }
        let sends = self.links.iter().filter(|link| link.talks());
        let sends = sends.map(|link| link.send_at).min().unwrap_or(NetTime::MAX);
        let frame = if self.pace.is_stalled() {
            NetTime::MAX
        } else {
            self.pace.next().unwrap_or(NetTime::MAX)
        };
        frame
            .min(sends)
            .min(self.now.plus(100_000))
            .max(self.now.plus(1))
    }

    // What the other files share.

    pub(crate) fn say(&mut self, event: Event) {
        if self.events.len() == EVENTS_MAX {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    /// Ends the session, and says goodbye to all who listen.
    pub(crate) fn conclude(&mut self, outcome: Outcome, reason: ByeReason) {
        if self.outcome.is_some() {
            return;
        }
        self.outcome = Some(outcome);
        self.phase = Phase::Over;
        self.goal = self.position;
        for link in self.links.iter_mut().filter(|link| link.talks()) {
            link.bye = reason;
            link.bye_left = BYES;
            link.member_at = self.now;
        }
        self.say(Event::Over);
    }

    /// A member is gone for this end. What follows is decided when members are.
    pub(crate) fn lose(&mut self, member: u8, cause: Cause) {
        let link = &mut self.links[usize::from(member)];
        if link.gone.is_none() {
            link.gone = Some(cause);
            link.goodbye = cause == Cause::Left;
        }
    }

    /// This end plays now.
    pub(crate) fn is_alive(&self) -> bool {
        self.me < SEATS_MAX as u8 && self.members.live & 1 << self.me != 0
    }

    /// The player whose word about the start counts.
    pub(crate) fn host(&self) -> u8 {
        let open = self.config.open.bits();
        (!open).trailing_zeros() as u8
    }

    /// Lines as they are before the first frame: each seat's owner gives it, open ones are empty, the first frames are.
    pub(crate) fn set_lines(&mut self) {
        for (at, line) in self.lines.iter_mut().enumerate() {
            let owner = if self.config.own() & 1 << at != 0 {
                self.me
            } else {
                let owner = self.links.iter().take(SEATS_MAX);
                let owner = owner
                    .enumerate()
                    .find(|(_, link)| link.key.is_some() && link.own & 1 << at != 0);
                owner.map_or(NO_MEMBER, |(member, _)| member as u8)
            };
            if owner == NO_MEMBER {
                line.seat = CommitSeat::NOBODY;
            } else {
                line.seat = CommitSeat {
                    owner,
                    end: 0,
                    from: 0,
                    holder: NO_MEMBER,
                    bot: false,
                };
                line.ring.reset(0);
                line.ring.fill_to(u32::from(self.delay));
            }
        }
        for link in &mut self.links {
            for (at, line) in self.lines.iter().enumerate() {
                link.acked[at] = if line.seat.owner == self.me {
                    u32::from(self.delay)
                } else {
                    NO_FRAME
                };
            }
        }
    }

    pub(crate) fn ends_at_drop(&self) -> bool {
        self.config.on_drop == OnDrop::End
    }

    /// Frames in so many µs, rounded up.
    pub(crate) fn frames_in(&self, us: u64) -> u32 {
        (us * u64::from(self.config.rate.hz())).div_ceil(1_000_000) as u32
    }
}
