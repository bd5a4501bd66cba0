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
    session::any_session::{AnySession, Duel, Options, live},
    session::{OwnCatalogue, duel_catalogue},
    sized::{self, put, sized},
    status::*,
    words::*,
};
use core::ffi::{c_char, c_void};
use link_transport::Role;
use match_feed::duel::{InputDelay, MapChoice, Side};
use versus_pairing::Opener;

/// One phone's half of a duel.
pub struct duel_session {
    _opaque: (),
}

/// Called with a line for a log: a phase, a wait, a refusal. The text lives for the call only.
pub type duel_log_fn = Option<unsafe extern "C" fn(userdata: *mut c_void, text: *const c_char)>;

/// How the starting mode is chosen: `DUEL_START_…`.
pub type duel_start = i32;
/// Fast if both phones receive well enough for it, robust otherwise.
pub const DUEL_START_MEASURED: i32 = 0;
/// Robust, whatever the phones receive.
pub const DUEL_START_ROBUST: i32 = 1;
/// Fast, whatever the phones receive.
pub const DUEL_START_FAST: i32 = 2;

/// Which map, as numbers of the catalogue. Frozen.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_map {
    /// 0: a hand-made map; 1: a random one.
    pub random: i32,
    /// The map's index, or the biome's.
    pub index: u32,
    /// A random map's own seed.
    pub seed: u32,
}

/// What a phone brings to a duel. Sized.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_session_config {
    /// `sizeof(duel_session_config)`.
    pub struct_size: u32,
    /// Host this match or join one, `DUEL_ROLE_…`: the link's role.
    pub role: i32,
    /// Your build's number, 1 to 65,535: phones with different ones refuse to play. 0: 1, or the skirmish's own.
    pub build: u32,
    /// 1: the match stays in the mode it starts in.
    pub keep_mode: i32,
    /// Your game's name, as records carry it; NULL: "own".
    pub game: *const c_char,
    /// The host's choice: the map.
    pub map: duel_map,
    /// The host's choice: mutators, bit `i` for mutator `i`.
    pub mutators: u32,
    /// The side the host plays, `DUEL_SIDE_…`.
    pub host_side: i32,
    /// How the host chooses the starting mode, `DUEL_START_…`.
    pub start: i32,
    /// A log sink, or NULL.
    pub log: duel_log_fn,
    /// Passed to it.
    pub log_userdata: *mut c_void,
    /// Where nonces are drawn from: unpredictable, and never the same twice.
    pub seed: u64,
    /// The host's choice: how many ticks pass between giving an order and its being applied, 3 to 8, rematches included;
    /// 0: as many as the measured round trip calls for. For practice links and tests: by sound leave it 0.
    pub delay_ticks: u32,
    /// Zero.
    pub reserved: u32,
}

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
    duel_session_config to seed;
    duel_agreed to plan;
}

impl duel_map {
    pub(crate) fn choice(self) -> Result<MapChoice, Fault> {
        let index = u8::try_from(self.index)
            .map_err(|_| Fault::argument(format_args!("map {}: at most 255", self.index)))?;
        Ok(if flag(self.random, "map.random")? {
            MapChoice::Random {
                biome: index,
                seed: self.seed,
            }
        } else {
            MapChoice::BuiltIn(index)
        })
    }

    pub(crate) fn of(choice: MapChoice) -> Self {
        match choice {
            MapChoice::BuiltIn(index) => Self {
                random: 0,
                index: index.into(),
                seed: 0,
            },
            MapChoice::Random { biome, seed } => Self {
                random: 1,
                index: biome.into(),
                seed,
            },
        }
    }
}

/// What a pick is called where none was made: see `duel_session_pick`.
pub const DUEL_NO_OPENER: i32 = -2;

pub(crate) fn opener_word(opener: Opener) -> i32 {
    opener.map_or(DUEL_NO_OPENER, i32::from)
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
        let options = unsafe { Options::read(config, "own", 1) }?;
        let catalogue = OwnCatalogue::new(&unsafe { sized::read(catalogue) }?)?;
        if session.is_null() {
            return Err(Fault::null("session"));
        }
        let made = AnySession::open(options, link, |link, config| {
            versus_session::Session::new(link, config, catalogue).map(|session| Duel::Own {
                session: Box::new(session),
                catalogue,
            })
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

/// Why the newest call on this handle that failed did so. The string lies in the handle: read it before the next call.
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
        live!(this, session => session.pump(now));
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
        live!(this, session => session.pick(opener)).map_err(|error| match error {
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
        let bits = live!(this, session => session
            .openers()
            .flatten()
            .fold(0, |bits, opener| bits | 1 << opener));
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
        live!(this, session => session.retry(now));
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
        let found = live!(this, session => session.agreed().copied());
        let Some(found) = found else {
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

impl Options {
    /// What a host and its guest are told by C.
    ///
    /// # Safety
    /// `config` is null or points to a configuration; its `game` is null or a string.
    pub(crate) unsafe fn read(
        config: *const duel_session_config,
        game: &str,
        build: u16,
    ) -> Result<Self, Fault> {
        // SAFETY: the caller's promise.
        let config = unsafe { sized::read(config) }?;
        let game = if config.game.is_null() {
            game.into()
        } else {
            // SAFETY: the caller's promise.
            let name = unsafe { core::ffi::CStr::from_ptr(config.game) };
            match name.to_str() {
                Ok(name) if name.len() <= 64 => name.into(),
                Ok(_) => return Err(Fault::argument("the game's name is over 64 bytes")),
                Err(_) => return Err(Fault::argument("the game's name is not UTF-8")),
            }
        };
        let build = match config.build {
            0 => build,
            given => u16::try_from(given)
                .map_err(|_| Fault::argument(format_args!("build {given}: at most 65535")))?,
        };
        let delay = match config.delay_ticks {
            0 => None,
            ticks => Some(delay_of(ticks)?),
        };
        if config.reserved != 0 {
            return Err(Fault::argument("duel_session_config.reserved is not zero"));
        }
        let mutators = u16::try_from(config.mutators)
            .map_err(|_| Fault::argument(format_args!("mutators {:#x}", config.mutators)))?;
        Ok(Self {
            role: Role::word(config.role)?,
            seed: config.seed,
            build,
            game,
            keep_mode: flag(config.keep_mode, "keep_mode")?,
            map: config.map.choice()?,
            mutators,
            host_side: Side::word(config.host_side)?,
            start: match config.start {
                DUEL_START_MEASURED => versus_pairing::StartMode::Measured,
                DUEL_START_ROBUST => versus_pairing::StartMode::Fixed(link_transport::Mode::Robust),
                DUEL_START_FAST => versus_pairing::StartMode::Fixed(link_transport::Mode::Fast),
                other => return Err(Fault::argument(format_args!("start {other}: 0 to 2"))),
            },
            delay,
            log: config.log,
            log_userdata: config.log_userdata,
        })
    }
}

fn delay_of(ticks: u32) -> Result<InputDelay, Fault> {
    u8::try_from(ticks)
        .ok()
        .and_then(InputDelay::new)
        .ok_or_else(|| {
            Fault::argument(format_args!(
                "delay_ticks {ticks}: 3 to 8, or 0 for what the round trip calls for"
            ))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delay(ticks: u32) -> Result<Option<InputDelay>, i32> {
        // SAFETY: zeros are a configuration, and its game is null.
        let mut config: duel_session_config = unsafe { core::mem::zeroed() };
        config.struct_size = size_of::<duel_session_config>() as u32;
        config.delay_ticks = ticks;
        // SAFETY: as above.
        unsafe { Options::read(&raw const config, "own", 1) }
            .map(|options| options.delay)
            .map_err(|fault| fault.status)
    }

    #[test]
    fn a_delay_is_measured_or_one_of_3_to_8() {
        assert_eq!(delay(0), Ok(None));
        for ticks in 3..=8 {
            assert_eq!(delay(ticks), Ok(InputDelay::new(ticks as u8)));
        }
        for ticks in [1, 2, 9, 256 + 4, u32::MAX] {
            assert_eq!(delay(ticks), Err(DUEL_BAD_ARGUMENT));
        }
    }
}
