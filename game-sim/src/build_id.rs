//! Which sources this is built from: phones with different ids refuse to duel.

/// Written by `cargo xtask source-id --write`, checked in CI.
pub const BUILD_ID: u16 = 0x0673;
