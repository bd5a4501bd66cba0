//! sound-duel.
fn main() {}
