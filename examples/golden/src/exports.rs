//! What a WebAssembly machine calls: see `xtask/src/determinism.mjs`.
#![allow(
    unsafe_code,
    reason = "an exported name is unsafe to choose; nothing else here is"
)]

use crate::{Options, play};
use match_feed::duel::Side;
use std::{fmt::Write as _, sync::OnceLock};

static TEXT: OnceLock<String> = OnceLock::new();

/// Plays, and returns how long the text at [`golden_text`] is, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn golden_run(matches: u32, ticks: u32) -> u32 {
    let text = TEXT.get_or_init(|| {
        let options = Options {
            matches,
            ticks,
            local: Side::Blue,
        };
        let mut text = String::new();
        let played = play(&options, &mut |line| {
            let _ = writeln!(text, "{line}"); // a string takes all there is
        });
        if let Err(why) = played {
            let _ = writeln!(text, "error {why}");
        }
        text
    });
    text.len() as u32
}

/// Where the text is that [`golden_run`] made: a line for each hash.
#[unsafe(no_mangle)]
pub extern "C" fn golden_text() -> *const u8 {
    TEXT.get().map_or(std::ptr::null(), |text| text.as_ptr())
}
