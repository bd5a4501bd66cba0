//! Skirmish level
//!
//! The whole reference duel behind the same session: `duel_skirmish_new` in place of `duel_session_new`,
//! `duel_skirmish_begin` in place of `duel_session_begin`, and every other function of the match level as it is. Orders
//! are typed, an AI can play, and the world is read for drawing. Positions are 1024ths of a tile, x to the east, y to the
//! south; tiles count from the north-west corner.

use crate::{
    handle::Fault,
    link::duel_link,
    session::{
        any_session::AnySession,
        config::{Options, duel_session_config},
        duel_session,
    },
    sized::put,
    skirmish::duel::SkirmishDuel,
    status::*,
    words::time,
};
use core::ffi::c_char;
use game_sim::{Ai, AiLevel, BUILD_ID, NAME, SkirmishCodec, World};

/// What plays a side: `DUEL_AI_…`.
pub type duel_ai = i32;
/// A person: nobody but `duel_skirmish_give`.
pub const DUEL_AI_NONE: i32 = 0;
/// Slow to act, and poor.
pub const DUEL_AI_EASY: i32 = 1;
/// A fair opponent.
pub const DUEL_AI_NORMAL: i32 = 2;
/// Quick, and well supplied.
pub const DUEL_AI_HARD: i32 = 3;

/// As `duel_session_new`, for the reference game: `build` 0 and `game` NULL are its own.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: the caller owns it: `duel_session_free`.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_new(
    config: *const duel_session_config,
    link: *mut duel_link,
    why: *mut c_char,
    why_bytes: usize,
    session: *mut *mut duel_session,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        // SAFETY: the caller's promise.
        let options = unsafe { Options::read(config, NAME, BUILD_ID) }?;
        if session.is_null() {
            return Err(Fault::null("session"));
        }
        let made = AnySession::open(options, link, |link, config| {
            Ok(Box::new(SkirmishDuel::new(link, config)?))
        })?;
        // SAFETY: the caller's promise.
        unsafe { put(session, made, "session") }?;
        Ok(DUEL_OK)
    })
}

/// Begins the agreed match: builds the world and takes this phone's side. `ai` (`DUEL_AI_…`) plays it, on top of
/// what `duel_skirmish_give` gives; `ai_seed` decides what it does.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_skirmish_begin(
    session: *mut duel_session,
    now_us: u64,
    ai: duel_ai,
    ai_seed: u32,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let level = match ai {
            DUEL_AI_NONE => None,
            DUEL_AI_EASY => Some(AiLevel::Easy),
            DUEL_AI_NORMAL => Some(AiLevel::Normal),
            DUEL_AI_HARD => Some(AiLevel::Hard),
            other => {
                let last = DUEL_AI_HARD;
                return Err(Fault::argument(format_args!("ai {other}: 0 to {last}")));
            }
        };
        let duel = SkirmishDuel::of(this)?;
        let Some(agreed) = duel.session.agreed().copied() else {
            return Err(Fault::new(DUEL_NOT_NOW, "no match is agreed yet"));
        };
        let world = World::new(&agreed.setup).map_err(|error| Fault::new(DUEL_REFUSED, error))?;
        let codec = SkirmishCodec::new(world.map_size());
        duel.session
            .begin_match(time(now_us)?, world, codec)
            .map_err(|error| Fault::new(DUEL_NOT_NOW, error))?;
        duel.set_ai(level.map(|level| Ai::new(agreed.local_side(), level, ai_seed)));
        this.settle();
        Ok(DUEL_OK)
    })
}
