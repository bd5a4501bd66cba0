//! Fresh nonces from one seed, so that a host passes randomness in once. Knows no pairing.

use link_transport::{Nonce, hash32};

/// Draws nonces uniformly from 1…65535 (short of a bias under 2⁻¹⁶): the same seed, the same draws.
#[derive(Clone, Debug)]
pub struct Nonces {
    seed: u64,
    drawn: u32,
}

impl Nonces {
    /// Starts from `seed`, which must be unpredictable and never the same twice: a nonce met before lets a recording
    /// of that pairing pass for a phone.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    /// The next one.
    pub fn draw(&mut self) -> Nonce {
        self.drawn += 1;
        let words = [self.seed as u32, (self.seed >> 32) as u32, self.drawn];
        1 + (hash32(&words) % 65535) as Nonce
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_cover_the_range_evenly_and_never_give_zero() {
        let mut nonces = Nonces::new(7);
        let mut sixteenths = [0_u32; 16];
        for _ in 0..16_000 {
            let nonce = nonces.draw();
            assert_ne!(nonce, 0);
            sixteenths[usize::from((nonce - 1) / 4096).min(15)] += 1;
        }
        assert!(
            sixteenths.iter().all(|n| (850..1150).contains(n)),
            "{sixteenths:?}"
        );
    }
}
