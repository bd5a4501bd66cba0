//! Generators and oracles behind the fuzz targets: arbitrary bytes go in, and a panic comes out if a law is broken.
//!
//! Each function is one target of `fuzz/`, where it stands in two lines. Stable tests replay the committed corpus
//! and a stretch of seeded random inputs through the same functions, so a crash once found stays found. Nothing here
//! knows what inputs are interesting: a law holds for all of them.
//!
//! ```
//! fuzz_oracles::lobby_frame(&[0x82, 0x00, 0x9A]); // cut short: refused, without a panic
//! ```
#![forbid(unsafe_code)]

mod brawl;
mod capi;
mod fec;
mod frames;
mod kept;
mod lanes;
mod modem;
mod net;
mod protocol;
mod record;
mod relay;
mod wav;

pub use brawl::{brawl_input, brawl_load};
pub use capi::capi_calls;
pub use fec::packet_decode;
pub use frames::{command, game_frame, lobby_frame, opaque_command};
pub use kept::{desync_bundle, input_log};
pub use lanes::lanes;
pub use modem::{modem_core, modem_packets};
pub use net::{net_message, net_session};
pub use protocol::{lockstep, pairing};
pub use record::battle_record;
pub use relay::relay;
pub use wav::wav_file;

/// A target's name and its oracle.
pub type Target = (&'static str, fn(&[u8]));

/// Every target, by the name it has in `fuzz/fuzz_targets`.
pub const TARGETS: [Target; 19] = [
    ("packet_decode", packet_decode),
    ("command", command),
    ("opaque_command", opaque_command),
    ("game_frame", game_frame),
    ("lobby_frame", lobby_frame),
    ("battle_record", battle_record),
    ("input_log", input_log),
    ("desync_bundle", desync_bundle),
    ("brawl_load", brawl_load),
    ("brawl_input", brawl_input),
    ("lockstep", lockstep),
    ("pairing", pairing),
    ("modem_core", modem_core),
    ("relay", relay),
    ("lanes", lanes),
    ("net_message", net_message),
    ("net_session", net_session),
    ("wav_file", wav_file),
    ("capi_calls", capi_calls),
];

/// A target that must fail: if a run of it finds nothing, the fuzzer is broken, not the code.
///
/// # Panics
/// On any input that begins with `duel`.
pub fn canary(data: &[u8]) {
    assert!(
        !data.starts_with(b"duel"),
        "the canary was found: the fuzzer works"
    );
}
