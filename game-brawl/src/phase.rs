//! Where a round is.

/// What a round is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Phase {
    /// Everyone waits for the start; pads do nothing.
    #[default]
    Ready,
    /// The fight.
    Fight,
    /// The round is decided; who stands may cheer.
    After,
    /// The match is decided.
    Over,
}

impl Phase {
    pub(crate) const ALL: [Self; 4] = [Self::Ready, Self::Fight, Self::After, Self::Over];
}
