//! The golden program as a WebAssembly module without imports, for whoever calls its exports: see
//! `xtask/src/determinism.mjs`.
#![allow(
    unsafe_code,
    reason = "an exported name is unsafe to choose, nothing else here is"
)]

#[path = "golden/play.rs"]
mod play;

use match_feed::Side;
use std::sync::OnceLock;

static TEXT: OnceLock<String> = OnceLock::new();

/// Plays, and returns how long the text at [`golden_text`] is, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn golden_run(matches: u32, ticks: u32) -> u32 {
    let text = TEXT.get_or_init(|| {
        let options = play::Options {
            matches,
            ticks,
            local: Side::Blue,
        };
        let mut text = String::new();
        let mut say = |line: String| {
            text.push_str(&line);
            text.push('\n');
        };
        if let Err(why) = play::play(&options, &mut say) {
            text.push_str(&format!("error {why}\n"));
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
