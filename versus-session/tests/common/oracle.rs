//! Plays one seed to its end and says how it ended: what must hold whatever happens to a duel.

use super::{Faulty, Pair};
use versus_lockstep::{LockstepStatus, Verdict};
use versus_session::{MatchEnd, SessionPhase, Sync};

/// A short match: 20 to 60 seconds. Every fault has passed by then; what follows is time to recover.
pub const SHORT_TICKS: core::ops::Range<u32> = 200..600;
/// See [`SHORT_TICKS`].
pub const SHORT_FAULTS_MS: u64 = 45_000;

/// How a match went, as the soak counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Decided, and both know that they agree.
    InSync,
    /// Decided, and one of them went before its report was heard.
    NotVerified,
    /// A player left, and the friend knows.
    Left,
    /// A player left before the match, or its goodbye was lost: the friend is in the lobby, or offered to leave.
    LeftUnheard,
    /// One phone started on a GO whose sender then restarted: the stall overlay's Leave is the way out.
    TwoGenerals,
    /// The worlds differed, and both know.
    Desync,
    /// A damaged packet said that the friend had left, twice over or just before silence; both know that it is over.
    TakenForLeft,
}

/// What must never happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    UndetectedDesync,
    FalseDesync,
    Hang,
    /// Both worlds are the same, and yet the stories of their end differ, or their records do.
    OtherStory,
    /// A stall or a queue grew past what the faults explain.
    Unbounded,
}

/// Plays a match of `length` ticks, faults and all.
///
/// # Errors
/// What went wrong, and all that is known about it.
pub fn play(
    seed: u32,
    length: core::ops::Range<u32>,
    faults_ms: u64,
) -> Result<Fate, (Failure, String)> {
    // Time to recover: a match may be paused, stalled and asleep for as long as faults go on, and only then play.
    let hang_us = (faults_ms + 100 * u64::from(length.end) * 13 / 10 + 120_000) * 1000;
    let mut faulty = Faulty::new(seed, length, faults_ms);
    let mut settled_at = None;
    while faulty.pair.air_us < hang_us {
        faulty.frame();
        if let Some(failure) = unbounded(&faulty.pair) {
            return Err((failure, describe(&faulty)));
        }
        if settled(&faulty.pair) || abandoned(&faulty) {
            // A moment more: what is over stays over.
            let at = *settled_at.get_or_insert(faulty.pair.air_us);
            if faulty.pair.air_us > at + 500_000 {
                break;
            }
        }
    }
    judge(&faulty).map_err(|failure| (failure, describe(&faulty)))
}

fn describe(faulty: &Faulty) -> String {
    let ends = faulty.pair.ends();
    let ticks = [&faulty.pair.host, &faulty.pair.guest].map(|phone| phone.hashes.len());
    format!(
        "after {} s: {ends:?}, ticks {ticks:?}, {:?}\n{:#?}",
        faulty.pair.air_us / 1_000_000,
        faulty.faults,
        faulty.pair.statuses()
    )
}

/// Nothing a peer feeds may grow without end, and a phone never runs ahead of what it was sent.
fn unbounded(pair: &Pair) -> Option<Failure> {
    let fine = |status: &versus_session::SessionStatus| {
        status.lockstep.is_none_or(|lockstep| {
            let delay = lockstep.delay.ticks();
            lockstep.queued <= 1024
                && lockstep.segments <= 4
                && lockstep.newest_sealed <= lockstep.tick.0 + delay
                && lockstep.turns_held <= lockstep.ack_through + 128
        })
    };
    (!pair.statuses().iter().all(fine)).then_some(Failure::Unbounded)
}

fn settled(pair: &Pair) -> bool {
    pair.ends().iter().all(|end| match end {
        // A poor link may take longer than the 10 s after which a match counts as not verified.
        Some(MatchEnd::Decided { sync, .. }) => *sync == Sync::InSync,
        other => other.is_some(),
    })
}

/// A phone that left before the match, or whose goodbye was lost, leaves its friend waiting.
fn abandoned(faulty: &Faulty) -> bool {
    let [host, guest] = faulty.pair.statuses().map(|status| status.phase);
    let gone = |phase| phase == SessionPhase::Leaving;
    let waits = |phase| !matches!(phase, SessionPhase::Over);
    let patience_us = (u64::from(faulty.faults.leave.unwrap_or(0)) * 17 + 40_000) * 1000;
    faulty.left
        && faulty.pair.air_us > patience_us.max(60_000_000)
        && (gone(host) && waits(guest) || gone(guest) && waits(host))
}

/// One phone is in a match and its friend is in the lobby.
fn alone(pair: &Pair) -> bool {
    let [host, guest] = pair.statuses().map(|status| status.phase);
    (host == SessionPhase::Playing) != (guest == SessionPhase::Playing)
        && (host == SessionPhase::Lobby || guest == SessionPhase::Lobby)
}

/// The worlds differ at a tick that both stepped, or one phone has stepped turns that the other never sent.
fn differ(pair: &Pair) -> bool {
    let [host, guest] = pair.statuses().map(|status| status.lockstep);
    let astray = |phone: Option<LockstepStatus>, friend: Option<LockstepStatus>| {
        let both = phone.zip(friend);
        both.is_some_and(|(phone, friend)| phone.tick.0 > friend.newest_sealed + 1)
    };
    let both = pair.host.hashes.len().min(pair.guest.hashes.len());
    pair.host.hashes[..both] != pair.guest.hashes[..both]
        || ended_elsewhere(&pair.host, &pair.guest)
        || ended_elsewhere(&pair.guest, &pair.host)
        || astray(host, guest)
        || astray(guest, host)
}

/// The world that `phone` came to last is not the one that `friend` had after as many ticks.
fn ended_elsewhere(phone: &super::Phone, friend: &super::Phone) -> bool {
    let hash = |phone: &super::Phone| phone.session.game().map(match_feed::Game::hash);
    let tick = phone.session.tick();
    let theirs = match friend.hashes.get(tick.0 as usize) {
        None if friend.session.tick() == tick => hash(friend),
        passed => passed.copied(),
    };
    hash(phone)
        .zip(theirs)
        .is_some_and(|(own, theirs)| own != theirs)
}

fn judge(faulty: &Faulty) -> Result<Fate, Failure> {
    let pair = &faulty.pair;
    let ends = pair.ends();
    let differ = differ(pair);
    let claims = |end: &Option<MatchEnd>| {
        matches!(
            end,
            Some(MatchEnd::Decided {
                sync: Sync::InSync,
                ..
            })
        )
    };
    let desync = |end: &Option<MatchEnd>| matches!(end, Some(MatchEnd::Desync { .. }));
    if differ && ends.iter().any(claims) {
        return Err(Failure::UndetectedDesync);
    }
    if !differ && ends.iter().any(desync) {
        return Err(Failure::FalseDesync);
    }
    match ends {
        [
            Some(MatchEnd::Decided {
                outcome: host,
                sync: Sync::InSync,
            }),
            Some(MatchEnd::Decided {
                outcome: guest,
                sync: Sync::InSync,
            }),
        ] => {
            let same = host == guest && pair.has_equal_records();
            same.then_some(Fate::InSync).ok_or(Failure::OtherStory)
        }
        [Some(MatchEnd::Desync { .. }), Some(MatchEnd::Desync { .. })] => Ok(Fate::Desync),
        [Some(MatchEnd::Left), Some(_)] | [Some(_), Some(MatchEnd::Left)] => Ok(Fate::Left),
        // The friend was gone, or taken for gone, when the other found out.
        [Some(MatchEnd::Desync { .. }), Some(MatchEnd::FriendLeft)]
        | [Some(MatchEnd::FriendLeft), Some(MatchEnd::Desync { .. })]
        | [Some(MatchEnd::FriendLeft), Some(MatchEnd::FriendLeft)]
            if faulty.faults.damage =>
        {
            Ok(Fate::TakenForLeft)
        }
        [Some(MatchEnd::Decided { .. }), Some(MatchEnd::FriendLeft)]
        | [Some(MatchEnd::FriendLeft), Some(MatchEnd::Decided { .. })]
            if faulty.faults.damage =>
        {
            Ok(Fate::TakenForLeft)
        }
        [
            Some(MatchEnd::Decided { .. }),
            Some(MatchEnd::Decided { .. }),
        ] if !settled(pair) => Ok(Fate::NotVerified),
        // It plays on for ever without being told that it plays another match.
        _ if differ
            && !faulty.left
            && pair
                .statuses()
                .iter()
                .any(|s| verdict(s) == Some(Verdict::Playing)) =>
        {
            Err(Failure::UndetectedDesync)
        }
        _ if faulty.left => Ok(Fate::LeftUnheard),
        _ if alone(pair)
            && (faulty.faults.retries || faulty.faults.third || faulty.faults.damage) =>
        {
            Ok(Fate::TwoGenerals)
        }
        _ => Err(Failure::Hang),
    }
}

fn verdict(status: &versus_session::SessionStatus) -> Option<Verdict> {
    status.lockstep.map(|lockstep| lockstep.verdict)
}
