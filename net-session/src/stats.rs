//! Figures of a session for hosts that show or log them.

/// What a session costs its host, and how its links are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionStats {
    /// Polls at which a frame was due and could not be stepped.
    pub stalled: u64,
    /// Frames stepped again.
    pub resimulated: u64,
    /// How often a state was loaded.
    pub rollbacks: u64,
    /// Packets of every frame sent, and their bytes without what the carrier adds.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Messages dropped because their tag was wrong.
    pub forged: u64,
    /// How much faster than the match's rate this end runs now, millionths.
    pub tempo_ppm: i64,
}

/// How one link is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkStats {
    /// The median round trip, µs; 0: unknown.
    pub round_trip_us: u32,
    /// Of the member's packets, how many in a hundred do not arrive.
    pub loss_in: u8,
    /// Of this end's packets, how many in a hundred do not arrive there.
    pub loss_out: u8,
    /// How many frames this end is ahead of the member, thousandths.
    pub ahead_permille: i64,
}
