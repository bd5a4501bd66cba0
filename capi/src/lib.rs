//! The stable C ABI: what engines embed. The header, `include/duel.h`, is generated from these sources.
//!
//! **Goes in:** calls of C. **Comes out:** three levels, each usable alone: *link* (messages over sound), *match*
//! (pairing and lockstep for a game of the host's own), *skirmish* (the whole reference duel). **Never:** a lock, a thread, an
//! unwinding panic, or an allocation on the audio thread; and no global but two, the table of handles (`handle`) and
//! `duel_set_panic_hook`.
//!
//! Every exported function goes through `enter!`, which checks its handle and stops panics. A handle is a number that is
//! looked up, never an address that is followed, so no call whatever, from any thread, can make the library touch memory
//! through one. Within one [`DUEL_ABI`]
//! symbols are only added, status numbers never reused, and struct fields only appended; `docs/ABI.md` says what that
//! means, `cargo xtask abi --check` holds it.
//!
//! ```
//! assert_eq!(sound_duel::duel_abi(), sound_duel::DUEL_ABI);
//! ```
// Exporting symbols and reading what C points to is what this crate is for; nothing above it is unsafe.
#![allow(unsafe_code)]
// A fault carries its text in place, so that telling of one allocates nothing on the audio thread.
#![allow(clippy::result_large_err)]
// Types are named as in C.
#![allow(non_camel_case_types)]

mod handle;
mod layout;
mod library;
mod link;
#[cfg(feature = "random-calls")]
mod random_calls;
mod rig;
#[cfg(feature = "room")]
mod room;
mod session;
mod sized;
#[cfg(feature = "skirmish")]
mod skirmish;
mod status;
mod text;
mod words;

pub use library::*;
pub use link::*;
#[cfg(feature = "random-calls")]
pub use random_calls::random_calls;
pub use rig::*;
#[cfg(feature = "room")]
pub use room::*;
pub use session::*;
#[cfg(feature = "skirmish")]
pub use skirmish::*;
pub use status::*;
pub use words::*;
