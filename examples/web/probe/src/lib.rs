//! The link's measurement for the page `probe.html`: what to play, and what a recording of it says. The same as
//! `sound-duel probe`, as a module without imports.

mod exports;
mod file;
mod report;

pub use exports::{
    probe_file, probe_length, probe_open, probe_play, probe_played, probe_rate, probe_read,
    probe_room, probe_text,
};
pub use file::wav;
pub use report::json;
