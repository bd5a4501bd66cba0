//! Skirmish level
//!
//! The whole reference duel behind the same session: `duel_skirmish_new` in place of `duel_session_new`,
//! `duel_skirmish_begin` in place of `duel_session_begin`, and every other function of the match level as it is. Orders
//! are typed, an AI can play, and the world is read for drawing. Positions are 1024ths of a tile, x to the east, y to the
//! south; tiles count from the north-west corner.

mod catalogue;
mod effects;
mod order;
mod replay;
mod view;

pub use catalogue::*;
pub use effects::*;
pub use order::*;
pub(crate) use replay::Playback;
pub use replay::*;
pub use view::*;

use crate::{
    handle::Fault,
    link::duel_link,
    link::shared::Taken,
    session::any_session::{AnySession, Duel, Options},
    session::{duel_session, duel_session_config},
    sized::put,
    status::*,
    words::time,
};
use build_id::BUILD_ID;
use core::ffi::c_char;
use effects::Effects;
use game_sim::{Ai, AiLevel, Command, SkirmishCodec, World};
use link_transport::LinkTime;
use match_feed::duel::{Catalogue, MapChoice, MapSize, MatchSetup, Side};
use versus_pairing::CatalogueError;
use versus_session::{Session, SessionConfig};

// The same id as the console host's, so that the two play with each other.
#[path = "../../../examples/console/src/build_id.rs"]
mod build_id;

/// The game's name in records.
pub(crate) const NAME: &str = "skirmish";

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

/// What the skirmish offers.
#[derive(Clone, Copy)]
pub(crate) struct Skirmish;

impl Catalogue for Skirmish {
    fn built_in_maps(&self) -> u8 {
        game_sim::map_count()
    }
    fn biomes(&self) -> u8 {
        game_sim::biome_count()
    }
    fn mutators(&self) -> u8 {
        game_sim::mutator_names().len() as u8
    }
    fn map_size(&self, choice: MapChoice) -> Option<MapSize> {
        game_sim::map_size(choice)
    }
    fn opener_allowed(&self, setup: &MatchSetup, side: Side, opener: u8) -> bool {
        game_sim::opener_allowed(setup, side, opener)
    }
}

/// A duel of the skirmish.
pub(crate) struct SkirmishDuel {
    pub(crate) session: Session<Taken, SkirmishCodec, World, Skirmish>,
    pub(crate) effects: Effects,
    /// The newest order that C was shown, whose units it may read.
    pub(crate) shown: Option<Command>,
    ai: Option<Ai>,
}

impl SkirmishDuel {
    fn new(link: Taken, config: SessionConfig) -> Result<Self, CatalogueError> {
        Ok(Self {
            session: Session::new(link, config, Skirmish)?,
            effects: Effects::new(),
            shown: None,
            ai: None,
        })
    }

    /// The next lobby, on the same link.
    pub(crate) fn again(self, config: SessionConfig) -> Result<Self, CatalogueError> {
        Self::new(self.session.into_transport(), config)
    }

    pub(crate) fn run(&mut self, now: LinkTime) -> u32 {
        let (ai, effects) = (&mut self.ai, &mut self.effects);
        let stepped = self.session.run(now, |_, world, give| {
            effects.collect(world);
            if let Some(ai) = ai {
                ai.think(world).into_iter().for_each(give);
            }
        });
        if let Some(world) = self.session.game() {
            self.effects.collect(world);
        }
        stepped
    }
}

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
            SkirmishDuel::new(link, config).map(|duel| Duel::Skirmish(Box::new(duel)))
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
        let duel = duel(this)?;
        let Some(agreed) = duel.session.agreed().copied() else {
            return Err(Fault::new(DUEL_NOT_NOW, "no match is agreed yet"));
        };
        let world = World::new(&agreed.setup).map_err(|error| Fault::new(DUEL_REFUSED, error))?;
        let codec = SkirmishCodec::new(world.map_size());
        duel.session
            .begin_match(time(now_us)?, world, codec)
            .map_err(|error| Fault::new(DUEL_NOT_NOW, error))?;
        duel.ai = level.map(|level| Ai::new(agreed.local_side(), level, ai_seed));
        this.settle();
        Ok(DUEL_OK)
    })
}

pub(crate) fn duel(this: &mut AnySession) -> Result<&mut SkirmishDuel, Fault> {
    match &mut this.duel {
        Duel::Skirmish(duel) => Ok(duel),
        _ => Err(Fault::new(
            DUEL_UNSUPPORTED,
            "this session does not play the skirmish",
        )),
    }
}

/// The world of a match or of a replay.
pub(crate) fn world(this: &AnySession) -> Result<&World, Fault> {
    match &this.duel {
        Duel::Skirmish(duel) => duel
            .session
            .game()
            .ok_or_else(|| Fault::new(DUEL_NOT_NOW, "no match has begun")),
        Duel::Replay(playback) => Ok(playback.world()),
        _ => Err(Fault::new(
            DUEL_UNSUPPORTED,
            "this session does not play the skirmish",
        )),
    }
}
