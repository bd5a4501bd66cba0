//! Files that a match leaves behind: the log of its inputs, and the bundle of a match whose worlds came apart.
//!
//! Bytes in and out; strict, bounded, with a digest at the end. Knows inputs as byte strings, and no game.

mod bundle;
mod bytes;
mod compare;
mod log;
mod played;
mod track;
mod watch;

pub use bundle::{
    BUNDLE_BYTES_MAX, DesyncBundle, InputDigests, KeptState, PART_NAME_MAX, PARTS_MAX, PeerReport,
    RingEntry,
};
pub use bytes::KeptError;
pub use compare::{Comparison, InputDifference, WorldDifference, compare_bundles};
pub use log::{INPUT_LOG_BYTES_MAX, InputLog, InputLogReport, replay_inputs};
pub use played::{NAME_BYTES_MAX, PlayedMatch, SETUP_BYTES_MAX};
pub use track::{InputTrack, TICK_INPUT_BYTES_MAX, TRACK_TICKS_MAX, Ticks, TrackError};
pub use watch::{DesyncWatch, RING_SECONDS};
