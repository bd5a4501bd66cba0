//! The reference game: a deterministic real-time skirmish between two sides.
//!
//! What goes in: a [`MatchSetup`](match_feed::duel::MatchSetup) and each tick's [`Command`]s. What comes out: a [`World`]
//! that is the same on every machine, its hash, the outcome, and [`FxEvent`]s to show. [`SkirmishCodec`] turns
//! commands into bits and back. No floats, no hash-map order, no clock and no link; an AI is a player like any other.
//!
//! ```
//! use game_sim::{Command, World};
//! use match_feed::{Game, duel::{MapChoice, MatchSetup, PerSide, Side, compose_tick}};
//!
//! let setup = MatchSetup {
//!     map: MapChoice::BuiltIn(0),
//!     mutators: 0,
//!     seed: 7,
//!     openers: PerSide { blue: Some(1), red: None },
//! };
//! let (mut host, mut guest) = (World::new(&setup)?, World::new(&setup)?);
//! let scouts: Vec<u32> = host.units().filter(|unit| unit.side == Side::Blue).map(|unit| unit.id).collect();
//! let order = Command::AttackMove { unit_ids: scouts, at: host.home(Side::Red).centre() };
//! host.step(&compose_tick(Side::Blue, [order.clone()], []));
//! guest.step(&compose_tick(Side::Red, [], [order]));
//! assert_eq!(host.hash(), guest.hash());
//! # Ok::<(), game_sim::SetupError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]
// One float in the rules and two processors may disagree.
#![deny(clippy::float_arithmetic, clippy::lossy_float_literal)]
extern crate alloc;

mod act;
mod ai;
pub mod balance;
mod buckets;
mod build_id;
mod canon;
mod catalogue;
mod codec;
mod combat;
mod command;
mod dice;
mod economy;
mod event;
mod fields;
mod fog;
mod founding;
mod ground;
mod hit;
mod kinds;
mod map;
mod maps;
mod motion;
mod orders;
mod parts;
mod point;
mod random_map;
mod setup;
mod sound;
mod staged;
mod state;
mod support;
#[cfg(test)]
mod tests;
mod view;
mod world;

pub use ai::{Ai, AiLevel};
pub use build_id::BUILD_ID;
pub use catalogue::{NAME, Skirmish};
pub use codec::{SkirmishCodec, Tables};
pub use command::{COMMAND_TYPES, Command};
pub use event::{FxEvent, Refusal};
pub use kinds::{BuildingKind, Power, UnitKind};
pub use map::Terrain;
pub use point::{Point, SUBS_PER_CELL, SUBS_PER_TILE};
pub use setup::{
    MUTATORS, OPENERS, SetupError, biome_count, map_count, map_name, map_size, mutator,
    mutator_names, opener_allowed, opener_names,
};
pub use view::{Activity, BuildingView, UnitView};
pub use world::World;
