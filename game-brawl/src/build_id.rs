//! Which sources this is built from: peers with different ids refuse to play.

/// Written by `cargo xtask source-id --write`, checked in CI.
pub const BUILD_ID: u64 = 0x4A6F4057720CD45B;
