//! Match level: what a phone brings
//!
//! Its choice, and where it wants to be told.

use crate::{
    handle::Fault,
    sized::{self, sized},
    words::*,
};
use core::ffi::{c_char, c_void};
use link_transport::{Plan, Role};
use match_feed::duel::{InputDelay, MapChoice, Side};
use versus_pairing::{Entry, HostChoice, Opener, StartMode};
use versus_session::{ModePolicy, SessionConfig};

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
    /// Your build's number, 1 to 65,535: phones with different ones refuse to play. 0: a digest of the game's
    /// name and catalogue, so that different games refuse each other; the skirmish's own, for the skirmish.
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

sized! {
    duel_session_config to seed;
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

/// A pick as C has it: made or not, an opener or none.
pub(crate) fn pick_word(pick: Option<Opener>) -> i32 {
    pick.map_or(DUEL_NONE, opener_word)
}

/// What a phone brings, checked.
pub(crate) struct Options {
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

// SAFETY: of all that is in it only `log_userdata` is not sent by itself, and the host promised that its log may be called
// with it from whichever thread calls the session.
unsafe impl Send for Options {}

impl Options {
    pub(crate) fn entry(&self) -> Entry {
        match self.role {
            Role::Host => Entry::Host(
                HostChoice::new(self.map)
                    .with_mutators(self.mutators)
                    .with_host_side(self.host_side)
                    .with_start_mode(self.start),
            ),
            Role::Guest => Entry::Guest,
        }
    }

    pub(crate) fn config(&self, plan: Plan, entry: Entry, seed: u64) -> SessionConfig {
        SessionConfig::new(entry, self.build, self.game.clone(), seed)
            .with_plan(plan)
            .with_modes(if self.keep_mode {
                ModePolicy::Keep
            } else {
                ModePolicy::Adapt
            })
    }

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
                DUEL_START_MEASURED => StartMode::Measured,
                DUEL_START_ROBUST => StartMode::Fixed(link_transport::Mode::Robust),
                DUEL_START_FAST => StartMode::Fixed(link_transport::Mode::Fast),
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
    use crate::status::DUEL_BAD_ARGUMENT;

    fn delay(ticks: u32) -> Result<Option<InputDelay>, i32> {
        // SAFETY: zeros are a configuration, and its game is null.
        let mut config: duel_session_config = unsafe { core::mem::zeroed() };
        config.struct_size = size_of::<duel_session_config>() as u32;
        config.delay_ticks = ticks;
        // SAFETY: as above.
        unsafe { Options::read(&raw const config, "own", 0) }
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
