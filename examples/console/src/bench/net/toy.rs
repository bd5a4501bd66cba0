//! The game that every library plays: 64 bytes of state that the seats' pads stir.

/// The state.
#[derive(Clone, Default)]
pub struct Toy([u64; 8]);

impl Toy {
    /// How long a saved state is, bytes.
    pub const BYTES: usize = 64;

    /// One frame.
    pub fn step(&mut self, pads: impl Iterator<Item = u16>) {
        for (seat, pad) in pads.enumerate() {
            let word = &mut self.0[seat % 8];
            *word = (*word ^ u64::from(pad))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(23);
        }
        for at in 0..8 {
            self.0[at] = self.0[at].wrapping_add(self.0[(at + 1) % 8] >> 7);
        }
    }

    /// A digest of all of it.
    pub fn hash(&self) -> u64 {
        let stir =
            |hash: u64, word: &u64| (hash ^ word).wrapping_mul(0x0100_0000_01B3).rotate_left(29);
        self.0.iter().fold(0xCBF2_9CE4_8422_2325, stir)
    }

    /// Writes the state to the start of `buffer`, and returns its length.
    pub fn save(&self, buffer: &mut [u8]) -> usize {
        for (bytes, word) in buffer.chunks_exact_mut(8).zip(&self.0) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Self::BYTES
    }

    /// Becomes the state that was saved. False if it is none.
    pub fn load(&mut self, saved: &[u8]) -> bool {
        for (word, bytes) in self.0.iter_mut().zip(saved.chunks_exact(8)) {
            *word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        }
        saved.len() >= Self::BYTES
    }
}
