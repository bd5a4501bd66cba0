//! Skirmish level: replays
//!
//! A saved record as a session without a peer: run it, pause it and draw it as a match. Every hash is compared.

use crate::{
    handle::{self, Fault},
    session::{any_session::AnySession, config::Options, duel_session},
    sized::{self, put, sized, slice},
    skirmish::playback::Playback,
    status::*,
    words::DUEL_NONE,
};
use core::ffi::c_char;
use game_sim::{BUILD_ID, Command, NAME};
use link_transport::Role;
use match_feed::{
    Tick,
    duel::{BattleRecord, MapChoice, Medium, Side},
};
use versus_pairing::StartMode;

/// What a replay found so far. Sized.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_replay_report {
    /// `sizeof(duel_replay_report)`.
    pub struct_size: u32,
    /// Ticks stepped.
    pub ticks: u32,
    /// Ticks of the record.
    pub ticks_recorded: u32,
    /// Hashes that agreed before the first difference.
    pub hashes_equal: u32,
    /// The first tick whose hash differs, or -1.
    pub differs_at: i32,
    /// 1 once the recorded end was reached with the recorded outcome, and every hash agreed.
    pub agrees: i32,
    /// The build that saved it, and this library's: another one may play it differently.
    pub builds: [u32; 2],
}

sized! {
    duel_replay_report to builds;
}

/// Opens a record of the skirmish, as `duel_session_record` wrote it. The session has no peer: it runs, pauses and
/// is drawn; what needs a peer is `DUEL_UNSUPPORTED`.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: the caller owns it: `duel_session_free`. The bytes are copied.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_replay_new(
    record: *const u8,
    length: usize,
    why: *mut c_char,
    why_bytes: usize,
    session: *mut *mut duel_session,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice(record, length, "record") }?;
        if session.is_null() {
            return Err(Fault::null("session"));
        }
        let text = core::str::from_utf8(bytes)
            .map_err(|_| Fault::new(DUEL_BAD_DATA, "not a battle record: it is not text"))?;
        let parsed = BattleRecord::<Command>::parse(text)
            .map_err(|error| Fault::new(DUEL_BAD_DATA, error))?;
        if parsed.header.game != NAME {
            let why = format_args!("a record of {:?}, not of {NAME:?}", parsed.header.game);
            return Err(Fault::new(DUEL_BAD_DATA, why));
        }
        let options = Options {
            role: Role::Host,
            seed: 0,
            build: BUILD_ID,
            game: NAME.into(),
            keep_mode: false,
            map: MapChoice::BuiltIn(0),
            mutators: 0,
            host_side: Side::Blue,
            start: StartMode::Measured,
            delay: None,
            log: None,
            log_userdata: core::ptr::null_mut(),
        };
        let made = AnySession::of(Box::new(Playback::new(parsed)?), options, Medium::Practice, None);
        unsafe { put(session, handle::new(made)?, "session") }?;
        Ok(DUEL_OK)
    })
}

fn playback(this: &mut AnySession) -> Result<&mut Playback, Fault> {
    let found = this.duel.downcast_mut();
    found.ok_or_else(|| Fault::new(DUEL_UNSUPPORTED, "this session is no replay"))
}

/// Goes to a tick of the record, or to its end: forward by stepping, back by starting over.
///
/// Thread: the game's.
/// Realtime: no. Up to a second or so for a long match.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_replay_seek(session: *mut duel_session, tick: u32) -> duel_status {
    crate::handle::enter!(session, |this| {
        playback(this)?.seek(Tick(tick))?;
        Ok(DUEL_OK)
    })
}

/// Sets how fast a replay runs, in thousandths, up to 100,000; but one run steps at most 5 ticks.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_replay_set_speed(
    session: *mut duel_session,
    permille: u32,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        if permille > 100_000 {
            return Err(Fault::argument(format_args!(
                "speed {permille}: at most 100000"
            )));
        }
        playback(this)?.speed_permille = permille;
        Ok(DUEL_OK)
    })
}

/// What the replay found so far.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `report` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_replay_get_report(
    session: *mut duel_session,
    report: *mut duel_replay_report,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let playback = playback(this)?;
        let out = duel_replay_report {
            struct_size: 0,
            ticks: playback.tick(),
            ticks_recorded: playback.record.end.ticks.0,
            hashes_equal: playback.hashes_equal,
            differs_at: playback
                .differs_at
                .map_or(DUEL_NONE, |tick| i32::try_from(tick.0).unwrap_or(i32::MAX)),
            agrees: playback.agrees().into(),
            builds: [playback.record.header.build.into(), BUILD_ID.into()],
        };
        // SAFETY: the caller's promise.
        unsafe { sized::write(report, &out) }?;
        Ok(DUEL_OK)
    })
}
