//! The second game: two to eight fighters on a wide stage, sixty ticks a second, a 16-bit pad each.
//!
//! What goes in: a [`BrawlSetup`] and each tick's [`Pad`]s, one a seat. What comes out: a [`World`] that is the same on
//! every machine, its hash, the outcome, and [`Fx`] to show. A saved world takes less than 2 KiB, and saving, loading and
//! stepping allocate nothing, so that a session may roll back. No floats, no clock and no link; a [`Bot`] is a player like
//! any other. Everything happens to all fighters at once: no seat is favoured, and with an even number of seats a match
//! whose pads are mirrored is the mirror image of the match.
//!
//! ```
//! use game_brawl::{Bot, BotLevel, BrawlSetup, World};
//! use match_feed::{Game, Order, Seat};
//!
//! let setup = BrawlSetup::new(2, 7)?;
//! let mut world = World::new(setup);
//! let mut bots: Vec<Bot> = Seat::all(2).map(|seat| Bot::new(seat, BotLevel::Normal, 1)).collect();
//! while world.outcome().is_none() {
//!     let pads: Vec<_> = Seat::all(2)
//!         .zip(&mut bots)
//!         .map(|(seat, bot)| Order { seat, command: bot.think(&world) })
//!         .collect();
//!     world.step(&pads);
//! }
//! assert_eq!(world.outcome().map(|outcome| outcome.winners.len()), Some(1));
//! # Ok::<(), game_brawl::SetupError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]
// One float in the rules and two processors may disagree.
#![deny(clippy::float_arithmetic, clippy::lossy_float_literal)]

mod ball;
mod bot;
mod build_id;
mod camera;
mod canon;
mod control;
mod dice;
mod event;
mod fighter;
mod flight;
mod game;
mod grip;
mod motion;
mod pad;
mod phase;
mod pose;
mod round;
pub mod rules;
mod setup;
mod strike;
mod world;

pub use ball::Ball;
pub use bot::{Bot, BotLevel};
pub use build_id::BUILD_ID;
pub use camera::Camera;
pub use canon::SAVED_BYTES_MAX;
pub use event::{Fx, FxKind};
pub use fighter::{Act, Fighter};
pub use game::NAME;
pub use pad::{INPUT_BYTES, Pad, PadError};
pub use phase::Phase;
pub use pose::{Limbs, Spot, limbs};
pub use setup::{BrawlSetup, SETUP_BYTES, SetupError};
pub use world::World;
