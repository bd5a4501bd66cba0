//! Match level: records and scores
//!
//! A record is one line of JSON with everything needed to play the match again and the hashes to prove it; both phones'
//! records of a decided match are equal byte for byte. Where the tally of wins and losses is kept is the host's matter;
//! this is the arithmetic.

use crate::{
    handle::Fault,
    session::duel_session,
    sized::{put, slice_mut},
    status::*,
    words::time,
};
use match_feed::duel::ScoreBook;

/// The tally of a phone's matches. Frozen. Zero is an empty one.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_score_book {
    /// Matches won.
    pub wins: u32,
    /// Matches lost.
    pub losses: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches without a result.
    pub abandoned: u32,
    /// Matches whose worlds differed.
    pub no_contest: u32,
}

/// Hands bytes of the library's to C: with `capacity` 0 only how many there are.
///
/// # Safety
/// `to` is null or points to `capacity` bytes; `length` is null or writable.
pub(crate) unsafe fn give_bytes(
    bytes: &[u8],
    to: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> Result<duel_status, Fault> {
    if length.is_null() {
        return Err(Fault::null("length"));
    }
    if capacity > 0 {
        if capacity < bytes.len() {
            return Err(Fault::new(
                DUEL_TOO_SMALL,
                format_args!("room for {capacity} bytes: there are {}", bytes.len()),
            ));
        }
        // SAFETY: the caller's promise.
        unsafe { slice_mut(to, capacity, "bytes") }?[..bytes.len()].copy_from_slice(bytes);
    }
    // SAFETY: the caller's promise.
    unsafe { put(length, bytes.len(), "length") }?;
    Ok(DUEL_OK)
}

/// Writes the record of the match so far: one line of JSON, without an ending zero. `capacity` 0 asks only for its length.
/// It grows by what is ordered, about 30 bytes an order, and is written anew each time. `DUEL_NOT_NOW` before a match has
/// begun.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `bytes` points to `capacity` bytes; `length` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_record(
    session: *mut duel_session,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let record = this.duel.live()?.record();
        let Some(record) = record else {
            return Err(Fault::new(DUEL_NOT_NOW, "no match has begun"));
        };
        // SAFETY: the caller's promise.
        unsafe { give_bytes(record.as_bytes(), bytes, capacity, length) }
    })
}

/// Writes the world as the game saves it: your own game through its `save`, the skirmish in a form of its own.
/// `capacity` 0 asks only for its length. `DUEL_UNSUPPORTED`: your game has no `save`.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `bytes` points to `capacity` bytes; `length` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_save(
    session: *mut duel_session,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let saved = this.duel.saved()?;
        // SAFETY: the caller's promise.
        unsafe { give_bytes(&saved, bytes, capacity, length) }
    })
}

/// Counts this match in `book`, as far as its end is known: call it every frame after the match, and once when the app goes
/// into the background in mid-match (`hidden` 1: it may never come back). `DUEL_OK`: the book has changed, store it now;
/// otherwise `DUEL_EMPTY`. A match whose sync turns out to be broken is moved over. Practice links never count.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `book` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_count_score(
    session: *mut duel_session,
    now_us: u64,
    hidden: i32,
    book: *mut duel_score_book,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let hidden = crate::words::flag(hidden, "hidden")?;
        if book.is_null() {
            return Err(Fault::null("book"));
        }
        // SAFETY: the caller's promise; frozen, and any bits are a value.
        let stored = unsafe { book.read() };
        let mut tally = ScoreBook {
            wins: stored.wins,
            losses: stored.losses,
            draws: stored.draws,
            abandoned: stored.abandoned,
            no_contest: stored.no_contest,
        };
        let now = time(now_us)?;
        let live = this.duel.live()?;
        let (end, playing) = (live.end(now), live.has_begun());
        let local = live.agreed().map(|agreed| agreed.local_side());
        let changed = match (end, local) {
            (Some(end), Some(local)) => this.score.ended(end.score(local), &mut tally),
            _ => hidden && playing && this.score.hidden(&mut tally),
        };
        if !changed {
            return Ok(DUEL_EMPTY);
        }
        let counted = duel_score_book {
            wins: tally.wins,
            losses: tally.losses,
            draws: tally.draws,
            abandoned: tally.abandoned,
            no_contest: tally.no_contest,
        };
        // SAFETY: the caller's promise.
        unsafe { put(book, counted, "book") }?;
        Ok(DUEL_OK)
    })
}
