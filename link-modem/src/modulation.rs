//! How coded bits turn a tone's phase, the same for sender and receiver.

use link_transport::Mode;

/// The phase step that a tone's slots ask for, in quarter turns. Robust: a 1 is half a turn. Fast: Gray, 00 → 0, 01 → 1,
/// 11 → 2, 10 → 3.
pub(crate) fn quarter_turns(mode: Mode, slots: &[u8], tone: usize) -> u8 {
    match mode {
        Mode::Robust => 2 * slots[tone],
        Mode::Fast => (3 * slots[2 * tone]) ^ slots[2 * tone + 1],
    }
}
