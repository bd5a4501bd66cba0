//! Plays one seed to its end and says how it ended: what must hold whatever happens to a duel.

use super::{Faulty, Pair, Phone};
use match_feed::Tick;
use versus_lockstep::{LockstepStatus, PENDING_MAX, SEGMENTS_MAX, Verdict};
use versus_session::{MatchEnd, SessionPhase, SessionStatus, Sync};

/// A short match: 20 to 60 seconds. Every fault has passed by then; what follows is time to recover.
pub const SHORT_TICKS: core::ops::Range<u32> = 200..600;
/// See [`SHORT_TICKS`].
pub const SHORT_FAULTS_MS: u64 = 45_000;
/// Once everything that can still be told has been, nothing changes any more: longer than the longest clock of a session.
const SETTLES_US: u64 = 45_000_000;
/// What is over stays over: so much longer is looked at.
const LINGER_US: u64 = 500_000;

/// How a match went, as the soak counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Decided, and both know that they agree.
    InSync,
    /// Decided. One phone then left, and every end report that it sent, or that was sent to it before it went, was lost:
    /// whoever heard none says that it could not verify.
    NotVerified,
    /// A player left, and the peer knows.
    Left,
    /// Both players left.
    BothLeft,
    /// A player left before any match had begun; the peer pairs on.
    LeftLobby,
    /// A player left, or took its result and left, and not one packet that says so arrived, or one that recordings or
    /// late packets then denied: the peer waits and is offered to leave.
    LeftUnheard,
    /// A player left after sealing the turns that decide the match: its peer played them, and could not verify.
    LeftDecided,
    /// A player left as the worlds were found to differ.
    LeftAstray,
    /// One phone started on a GO that its sender then gave up: the stall overlay's Leave is the way out.
    TwoGenerals,
    /// A machine computed another world, and both phones know.
    Desync,
    /// A packet damaged past its CRC made the worlds differ, and both phones know.
    DesyncByDamage,
    /// A packet damaged past its CRC said that the peer had left, and no other came after it for long.
    TakenForLeft,
}

/// What [`Failure::FalseDesync`] means; the soak says it beside its counts.
pub const FALSE_DESYNC: &str = "a phone says that the worlds differ, though every tick that both stepped came to the same \
    world and neither has stepped a turn that its peer never sealed";

/// What must never happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// The worlds differ, and a phone says that they agree, or plays on for ever without being told.
    UndetectedDesync,
    /// See [`FALSE_DESYNC`].
    FalseDesync,
    /// The worlds do differ, and neither a faulty machine nor a damaged packet explains it.
    CausedDesync,
    /// It never comes to an end.
    Hang,
    /// The phones tell stories of their end that no loss of packets explains, or their records differ.
    OtherStory,
    /// A queue or a window grew past its bound.
    Unbounded,
    /// A tick waited while packet after packet arrived both ways.
    UnboundedStall,
}

/// A match that ended as it may.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    pub fate: Fate,
    /// The most exchanges of unharmed packets while a tick waited for the peer's turn.
    pub exchanges_waited: u32,
    /// How many packets were damaged past their CRC.
    pub damaged: usize,
}

/// So many exchanges of packets, with both phones awake and in play, must bring the turn that a tick waits for: a round
/// trip of packets in flight, a turn of every segment's rotation, and the clocks of the starvation rules. Whatever the
/// faults, no wait outlasts them by more.
pub const EXCHANGES_MAX: u32 = 60;

/// Plays a match of `length` ticks, faults and all.
///
/// # Errors
/// What went wrong, and all that is known about it.
pub fn play(
    seed: u32,
    length: core::ops::Range<u32>,
    faults_ms: u64,
) -> Result<Played, (Failure, String)> {
    // Time to recover: a match may be paused, stalled and asleep for as long as faults go on, and only then play.
    let hang_us = (faults_ms + 100 * u64::from(length.end) * 13 / 10 + 120_000) * 1000;
    let mut faulty = Faulty::new(seed, length, faults_ms);
    let mut settled_at = None;
    let mut waits = Waits::default();
    while faulty.pair.air_us < hang_us {
        faulty.frame();
        let statuses = faulty.pair.statuses();
        let fine = [&faulty.pair.host, &faulty.pair.guest]
            .iter()
            .zip(&statuses)
            .all(|(phone, status)| is_bounded(status, may_cut_anew(&faulty, phone)));
        let longest = waits.watch(&faulty.pair, &statuses);
        if !fine || longest > EXCHANGES_MAX {
            let failure = match fine {
                false => Failure::Unbounded,
                true => Failure::UnboundedStall,
            };
            return Err((failure, describe(&faulty)));
        }
        if settled(&faulty, &statuses) {
            let at = *settled_at.get_or_insert(faulty.pair.air_us);
            if faulty.pair.air_us > at + LINGER_US {
                break;
            }
        }
    }
    let [host, guest] = [&faulty.pair.host, &faulty.pair.guest]
        .map(|phone| phone.session.transport().damaged.len());
    match judge(&faulty) {
        Ok(fate) => Ok(Played {
            fate,
            exchanges_waited: waits.longest,
            damaged: host + guest,
        }),
        Err(failure) => Err((failure, describe(&faulty))),
    }
}

fn describe(faulty: &Faulty) -> String {
    let ends = faulty.pair.ends();
    let phones = [&faulty.pair.host, &faulty.pair.guest];
    let ticks = phones.map(|phone| phone.hashes.len());
    let damaged = phones.map(|phone| &phone.session.transport().damaged);
    let heard = phones.map(|phone| phone.session.transport().ends_heard);
    format!(
        "after {} s: {ends:?}, ticks {ticks:?}, end codes heard {heard:?}, {:?}\ndamaged: {damaged:?}\n{:#?}",
        faulty.pair.air_us / 1_000_000,
        faulty.faults,
        faulty.pair.statuses()
    )
}

/// This phone may have been told that its peer holds less than it said before, and cut what it sends anew: by a damaged
/// packet taken back, or by recordings while nothing else arrives.
fn may_cut_anew(faulty: &Faulty, phone: &Phone) -> bool {
    faulty.faults.replays || !phone.session.transport().damaged.is_empty()
}

/// Nothing a peer feeds may grow without end, and a phone never runs ahead of what it was sent.
fn is_bounded(status: &SessionStatus, may_cut_anew: bool) -> bool {
    status.lockstep.is_none_or(|lockstep| {
        let delay = lockstep.delay.ticks();
        // A segment more for each tick of input delay past the third; what is cut anew takes as many as it needs.
        let segments_max = match may_cut_anew {
            false => (delay as usize).saturating_sub(2).clamp(1, SEGMENTS_MAX),
            true => SEGMENTS_MAX,
        };
        // A peer is at most one turn past one's own newest, which is sealed D ahead, and has sealed D ahead of that.
        let turns_max = lockstep.tick.0 + 2 * delay + 2;
        lockstep.queued <= PENDING_MAX
            && lockstep.segments <= segments_max
            && lockstep.newest_sealed <= lockstep.tick.0 + delay
            && lockstep.turns_held <= turns_max
    })
}

/// How long the two phones have been waiting for a turn, counted in exchanges: a packet that arrived here after one that
/// arrived there. In an outage one way, and then the other, packets arrive and yet none answers another.
#[derive(Clone, Copy, Debug, Default)]
struct Waits {
    /// Packets heard unharmed by either phone as of the last frame.
    heard: [u32; 2],
    /// Who heard last, and how often that has changed.
    last: usize,
    changes: u32,
    /// The tick that waits on either phone, and the changes when it began to.
    since: [Option<(Tick, u32)>; 2],
    longest: u32,
}

impl Waits {
    /// Looks at both phones, and says how long the longest wait has been.
    fn watch(&mut self, pair: &Pair, statuses: &[SessionStatus; 2]) -> u32 {
        let phones = [&pair.host, &pair.guest];
        for (at, phone) in phones.into_iter().enumerate() {
            let heard = phone.session.transport().unharmed;
            if heard > self.heard[at] && at != self.last {
                self.last = at;
                self.changes += 1;
            }
            self.heard[at] = heard;
        }
        let plays = |at: usize| {
            let plays = |l: LockstepStatus| l.verdict == Verdict::Playing && !l.paused;
            phones[at].awake && statuses[at].lockstep.is_some_and(plays)
        };
        let both_play = plays(0) && plays(1);
        let changes = self.changes;
        for (wait, status) in self.since.iter_mut().zip(statuses) {
            let waits = status.lockstep.filter(|lockstep| lockstep.stalled);
            let Some(tick) = waits.filter(|_| both_play).map(|lockstep| lockstep.tick) else {
                *wait = None;
                continue;
            };
            let this_tick = wait.filter(|&(since, _)| since == tick);
            let (_, since) = *wait.insert(this_tick.unwrap_or((tick, changes)));
            self.longest = self.longest.max((changes - since) / 2);
        }
        self.longest
    }
}

/// Nothing more will become known by waiting.
fn settled(faulty: &Faulty, statuses: &[SessionStatus; 2]) -> bool {
    let known = |end: &Option<MatchEnd>| match end {
        // A poor link may take longer than the 10 s after which a match counts as not verified.
        Some(MatchEnd::Decided { sync, .. }) => *sync == Sync::InSync,
        other => other.is_some(),
    };
    let gone = |at: usize| {
        let closed = statuses[at].phase == SessionPhase::Closed;
        closed && faulty.left_at_us[at].is_some()
    };
    let last_left = faulty.left_at_us.iter().flatten().max();
    let told = last_left.is_some_and(|&at| faulty.pair.air_us > faulty.calm_since(at) + SETTLES_US);
    let ends = faulty.pair.ends();
    (known(&ends[0]) || gone(0)) && (known(&ends[1]) || gone(1)) || told
}

/// The worlds differ at a tick that both stepped, or one phone has stepped turns that the other never sealed.
fn differ(pair: &Pair) -> bool {
    let [host, guest] = pair.statuses().map(|status| status.lockstep);
    let astray = host.zip(guest).is_some_and(|(host, guest)| {
        host.tick.0 > guest.newest_sealed + 1 || guest.tick.0 > host.newest_sealed + 1
    });
    let both = pair.host.hashes.len().min(pair.guest.hashes.len());
    pair.host.hashes[..both] != pair.guest.hashes[..both]
        || ended_elsewhere(&pair.host, &pair.guest)
        || ended_elsewhere(&pair.guest, &pair.host)
        || astray
}

/// The world that `phone` came to last is not the one that `peer` had after as many ticks.
fn ended_elsewhere(phone: &Phone, peer: &Phone) -> bool {
    let hash = |phone: &Phone| phone.session.game().map(match_feed::Game::hash);
    let tick = phone.session.tick();
    let theirs = match peer.hashes.get(tick.0 as usize) {
        None if peer.session.tick() == tick => hash(peer),
        passed => passed.copied(),
    };
    hash(phone)
        .zip(theirs)
        .is_some_and(|(own, theirs)| own != theirs)
}

/// What one phone tells of the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Story {
    Lobby,
    Playing,
    InSync,
    Unverified,
    Desync,
    PeerLeft,
    /// Its player left a match.
    Left,
    /// Its player left before a match.
    Gone,
}

impl Story {
    fn of(end: Option<MatchEnd>, status: &SessionStatus) -> Self {
        match (end, status.phase) {
            (
                Some(MatchEnd::Decided {
                    sync: Sync::InSync, ..
                }),
                _,
            ) => Self::InSync,
            (Some(MatchEnd::Decided { .. }), _) => Self::Unverified,
            (Some(MatchEnd::Desync { .. }), _) => Self::Desync,
            (Some(MatchEnd::PeerLeft), _) => Self::PeerLeft,
            (Some(_), _) => Self::Left,
            (None, SessionPhase::Leaving | SessionPhase::Closed) => Self::Gone,
            (None, SessionPhase::Lobby | SessionPhase::Ready) => Self::Lobby,
            (None, _) => Self::Playing,
        }
    }
}

fn judge(faulty: &Faulty) -> Result<Fate, Failure> {
    let pair = &faulty.pair;
    let (ends, statuses) = (pair.ends(), pair.statuses());
    let stories = [0, 1].map(|at| Story::of(ends[at], &statuses[at]));
    let differ = differ(pair);
    let phones = [&pair.host, &pair.guest];
    if differ && stories.contains(&Story::InSync) {
        return Err(Failure::UndetectedDesync);
    }
    if !differ && stories.contains(&Story::Desync) {
        return Err(Failure::FalseDesync);
    }
    let broke = faulty
        .faults
        .broken
        .is_some_and(|(at, tick)| phones[at].hashes.len() > tick as usize);
    let damaged = phones.map(|phone| !phone.session.transport().damaged.is_empty());
    if differ && !broke && damaged == [false; 2] {
        return Err(Failure::CausedDesync);
    }
    // The first tells the story that comes first in [`Story`].
    let [a, b] = if (stories[0] as u8) <= (stories[1] as u8) {
        [0, 1]
    } else {
        [1, 0]
    };
    let left = faulty.left_at_us.map(|at| at.is_some());
    let denied = faulty.faults.replays || faulty.faults.late > 0;
    let unheard = |at: usize| {
        let goodbyes = phones[at].session.transport().ends_heard[1];
        goodbyes == 0 || goodbyes == 1 && denied
    };
    let reports = |at: usize| phones[at].session.transport().ends_heard[3];
    let offered = |at: usize| statuses[at].overlay_leave;
    let said = |at: usize, code| said_by_damage(phones[at], code);
    let fate = match (stories[a], stories[b]) {
        (Story::InSync, Story::InSync) if ends[0] == ends[1] && pair.has_equal_records() => {
            Fate::InSync
        }
        (Story::InSync, Story::InSync) => return Err(Failure::OtherStory),
        (Story::InSync, Story::Unverified) if (left[a] || left[b]) && reports(b) == 0 => {
            Fate::NotVerified
        }
        (Story::Unverified, Story::Unverified)
            if left[a] && reports(b) == 0 || left[b] && reports(a) == 0 =>
        {
            Fate::NotVerified
        }
        (Story::Desync, Story::Desync) if broke => Fate::Desync,
        (Story::Desync, Story::Desync) => Fate::DesyncByDamage,
        (Story::Desync, Story::Left) => Fate::LeftAstray,
        (Story::PeerLeft, Story::Left | Story::Gone) => Fate::Left,
        (Story::Left | Story::Gone, Story::Left | Story::Gone) => Fate::BothLeft,
        (Story::Unverified, Story::Left) => Fate::LeftDecided,
        (Story::Lobby, Story::Gone) => Fate::LeftLobby,
        (Story::Playing, Story::Left | Story::Gone) if unheard(a) && offered(a) => {
            Fate::LeftUnheard
        }
        (Story::Playing, Story::Unverified) if left[b] && reports(a) == 0 && offered(a) => {
            Fate::LeftUnheard
        }
        (Story::Lobby, Story::Left) if statuses[a].peer_ended.is_some() => Fate::Left,
        (Story::Lobby, Story::Left) if unheard(a) => Fate::LeftUnheard,
        (Story::Lobby, Story::Playing)
            if offered(b) && gave_up_go(faulty, phones[a], phones[b]) =>
        {
            Fate::TwoGenerals
        }
        (Story::Lobby, Story::Left) if gave_up_go(faulty, phones[a], phones[b]) => {
            Fate::TwoGenerals
        }
        (Story::Unverified | Story::PeerLeft, Story::PeerLeft) if said(a, 1) || said(b, 1) => {
            Fate::TakenForLeft
        }
        _ if differ && stories.contains(&Story::Playing) && left == [false; 2] => {
            return Err(Failure::UndetectedDesync);
        }
        (Story::Playing | Story::Lobby, _) => return Err(Failure::Hang),
        _ => return Err(Failure::OtherStory),
    };
    Ok(fate)
}

/// `started` plays the match of a GO that `lobby` sent and then gave up: its player tapped retry or loaded the page anew,
/// or a third phone or a damaged packet took the peer's place.
fn gave_up_go(faulty: &Faulty, lobby: &Phone, started: &Phone) -> bool {
    let faults = &faulty.faults;
    let Some(agreed) = started.session.agreed() else {
        return false;
    };
    (faults.retries || faults.reloads || faults.third || faults.damage)
        && lobby.gone.contains(&agreed.key)
        && lobby.session.pairing().session_key() != Some(agreed.key)
}

/// A damaged packet told `phone` that its peer's end is `code`.
fn said_by_damage(phone: &Phone, code: usize) -> bool {
    let damaged = &phone.session.transport().damaged;
    damaged
        .iter()
        .any(|[_, heard]| heard.session && super::end_code(heard) == Some(code))
}
