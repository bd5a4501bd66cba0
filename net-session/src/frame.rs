//! A frame's number.

use core::fmt;

/// A frame of a match: frame 0 is the first one stepped. As a position, "before frame f" means f frames have been
/// stepped and f comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Frame(pub u32);

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
