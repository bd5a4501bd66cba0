//! Which sources this is built from: peers with different ids refuse to play.

/// Written by `cargo xtask source-id --write`, checked in CI.
pub const BUILD_ID: u64 = 0x828E10BCE2E7D95B;
