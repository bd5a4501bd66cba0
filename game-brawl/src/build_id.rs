//! Which sources this is built from: peers with different ids refuse to play.

/// Written by `cargo xtask source-id --write`, checked in CI.
pub const BUILD_ID: u64 = 0x3A4769EDF16B46FB;
