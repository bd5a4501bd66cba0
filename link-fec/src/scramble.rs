//! The pseudo-random sequence that whitens a packet's slots, so that equal payloads do not sound equal.

/// The sequence's period.
pub const PERIOD: usize = 511;

/// A nine-bit Fibonacci shift register: output s9, feedback s9 ⊕ s5. Source: the specification's "Transmitter".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scrambler {
    /// Bit `i − 1` is s_i.
    state: u16,
}

impl Scrambler {
    /// The sequence of packet `packet_index` of a superframe.
    #[must_use]
    pub const fn new(packet_index: usize) -> Self {
        Self {
            state: seed(packet_index),
        }
    }
}

/// `1 + (37 · packet_index mod 511)`: never 0, and distinct for 511 packets, since 37 and 511 share no factor.
#[must_use]
pub const fn seed(packet_index: usize) -> u16 {
    1 + (37 * (packet_index % PERIOD) % PERIOD) as u16
}

impl Iterator for Scrambler {
    type Item = u8;

    /// The next bit, 0 or 1; never ends.
    fn next(&mut self) -> Option<u8> {
        let out = (self.state >> 8) & 1;
        let feedback = out ^ ((self.state >> 4) & 1);
        self.state = ((self.state << 1) | feedback) & 0x1FF;
        Some(out as u8)
    }
}
