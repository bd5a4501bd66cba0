//! Match level: a session
//!
//! One phone's half of a duel: it pairs over a link, and plays the match in lockstep. Call `duel_session_pump` every
//! frame. In the lobby, show `duel_session_get_status` and `duel_session_pick` an opener. Once the phase is
//! `DUEL_PHASE_READY`, build the world from `duel_session_agreed` and `duel_session_begin`. Then `duel_session_run` every
//! frame: it steps every tick that is due, 10 a second. An order given now is applied on both phones a few ticks later.
//!
//! A session allocates when it is made, at most 64 KiB, and when a match begins: the skirmish's world takes at most 2 MiB.
//! While a match runs it grows by what is ordered.

use crate::{
    handle::Fault,
    link::duel_link,
    session::{
        any_session::AnySession,
        config::*,
        game::{OwnCatalogue, duel_catalogue},
        own::OwnDuel,
    },
    sized::{self, put, sized},
    status::*,
    words::*,
};
use core::ffi::c_char;

/// The match agreed. Sized. Equal on both phones but for `role` and `local_side`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_agreed {
    /// `sizeof(duel_agreed)`.
    pub struct_size: u32,
    /// The side this phone plays.
    pub local_side: i32,
    /// Its role.
    pub role: i32,
    /// The side the host plays.
    pub host_side: i32,
    /// The map.
    pub map: duel_map,
    /// The mutators.
    pub mutators: u32,
    /// The seed of everything random within the match.
    pub seed: u32,
    /// Blue's and red's opener; -1: none.
    pub openers: [i32; 2],
    /// How many ticks pass between giving an order and its being applied.
    pub delay_ticks: u32,
    /// 1: the match starts in fast mode.
    pub fast: i32,
    /// The band plan it was agreed on.
    pub plan: i32,
}

sized! {
    duel_agreed to plan;
}

/// Takes the link, for as long as the session lives: sending and polling go through the session then, everything else
/// through the link. Pairing starts with the first `duel_session_pump`.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: the caller owns it; the link stays the caller's too, and both may be freed in any order.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_new(
    config: *const duel_session_config,
    catalogue: *const duel_catalogue,
    link: *mut duel_link,
    why: *mut c_char,
    why_bytes: usize,
    session: *mut *mut duel_session,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        // SAFETY: the caller's promise.
        let options = unsafe { Options::read(config, "own", 0) }?;
        let catalogue = OwnCatalogue::new(&unsafe { sized::read(catalogue) }?)?;
        if session.is_null() {
            return Err(Fault::null("session"));
        }
        let made = AnySession::open(options, link, |link, config| {
            Ok(Box::new(OwnDuel::new(link, config, catalogue)?))
        })?;
        unsafe { put(session, made, "session") }?;
        Ok(DUEL_OK)
    })
}

/// Frees a session; NULL is fine. A match in play ends without a word: `duel_session_leave` first.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: takes the handle.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle that nobody uses afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_free(session: *mut duel_session) -> duel_status {
    crate::handle::enter!(free session)
}

/// Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
///
/// Thread: the game's.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_detail(session: *mut duel_session) -> *const c_char {
    crate::handle::enter!(detail session)
}

/// Takes in what the link has brought, and hands it what is new to send. Call it every frame, whatever the phase.
///
/// Thread: the game's.
/// Realtime: no. Bounded by what has arrived.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_pump(session: *mut duel_session, now_us: u64) -> duel_status {
    crate::handle::enter!(session, |this| {
        let now = time(now_us)?;
        this.duel.live()?.pump(now);
        this.settle();
        Ok(DUEL_OK)
    })
}

/// Chooses this phone's opener, while the phase is `DUEL_PAIRING_PICKING`: an index, or `DUEL_NO_OPENER` where none is
/// allowed. It is final. If nothing is picked in time, the library picks the first allowed.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_pick(session: *mut duel_session, opener: i32) -> duel_status {
    crate::handle::enter!(session, |this| {
        let opener = match opener {
            DUEL_NO_OPENER => None,
            other => Some(u8::try_from(other).map_err(|_| {
                Fault::argument(format_args!("opener {other}: 0 to 2, or DUEL_NO_OPENER"))
            })?),
        };
        this.duel
            .live()?
            .pick(opener)
            .map_err(|error| match error {
                versus_pairing::PickError::NotNow => Fault::new(DUEL_NOT_NOW, error),
                _ => Fault::new(DUEL_REFUSED, error),
            })?;
        Ok(DUEL_OK)
    })
}

/// Writes which openers can be picked now: bit `i` for opener `i`. None at all means that `DUEL_NO_OPENER` is the pick,
/// if picking is on.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `mask` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_openers(
    session: *mut duel_session,
    mask: *mut u32,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let bits = this.duel.live()?.openers();
        // SAFETY: the caller's promise.
        unsafe { put(mask, bits, "mask") }?;
        Ok(DUEL_OK)
    })
}

/// Pairs again under a fresh nonce: after a failure, a version mismatch, or to start the lobby over.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_retry(
    session: *mut duel_session,
    now_us: u64,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let now = time(now_us)?;
        this.duel.live()?.retry(now);
        this.settle();
        Ok(DUEL_OK)
    })
}

/// The match agreed: build your world from it. `DUEL_NOT_NOW` before.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `agreed` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_agreed(
    session: *mut duel_session,
    agreed: *mut duel_agreed,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let Some(found) = this.duel.live()?.agreed() else {
            return Err(Fault::new(DUEL_NOT_NOW, "no match is agreed yet"));
        };
        let setup = found.setup;
        let out = duel_agreed {
            struct_size: 0,
            local_side: side_word(found.local_side()),
            role: role_word(found.role),
            host_side: side_word(found.host_side),
            map: duel_map::of(setup.map),
            mutators: setup.mutators.into(),
            seed: setup.seed,
            openers: [setup.openers.blue, setup.openers.red]
                .map(|opener| opener.map_or(DUEL_NONE, i32::from)),
            delay_ticks: found.delay.ticks(),
            fast: found.fast.into(),
            plan: plan_word(found.plan),
        };
        // SAFETY: the caller's promise.
        unsafe { sized::write(agreed, &out) }?;
        Ok(DUEL_OK)
    })
}
