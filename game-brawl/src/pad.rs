//! A pad: what one player holds down in one tick, and its bytes. Knows no fighter.

/// A pad's length as an input, bytes. An input of no bytes is a pad at rest.
pub const INPUT_BYTES: u8 = 2;

/// Which of a pad's buttons are down: a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Pad(u16);

impl Pad {
    /// Nothing is down.
    pub const NEUTRAL: Self = Self(0);
    /// Walks left and turns left.
    pub const LEFT: Self = Self(1);
    /// Walks right and turns right.
    pub const RIGHT: Self = Self(1 << 1);
    /// Jumps; aims a ball high.
    pub const UP: Self = Self(1 << 2);
    /// Crouches; aims a ball low.
    pub const DOWN: Self = Self(1 << 3);
    /// Punches: an uppercut from a crouch, a kick in the air, a knee in a hold.
    pub const PUNCH: Self = Self(1 << 4);
    /// Kicks: a sweep from a crouch.
    pub const KICK: Self = Self(1 << 5);
    /// Blocks what comes from the front.
    pub const BLOCK: Self = Self(1 << 6);
    /// Grabs a fighter or a ball; catches one; breaks a hold.
    pub const GRAB: Self = Self(1 << 7);
    /// Throws a ball, or whom one holds.
    pub const THROW: Self = Self(1 << 8);

    /// Every button there is; a pad has 7 bits to spare, which are never set.
    const BUTTONS: u16 = (1 << 9) - 1;

    /// The pad whose bits these are, without those that are no button.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::BUTTONS)
    }

    /// A bit a button.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// True if all of `buttons` are down.
    #[must_use]
    pub const fn has(self, buttons: Self) -> bool {
        self.0 & buttons.0 == buttons.0
    }

    /// With `buttons` down too.
    #[must_use]
    pub const fn and(self, buttons: Self) -> Self {
        Self(self.0 | buttons.0)
    }

    /// Without `buttons`.
    #[must_use]
    pub const fn without(self, buttons: Self) -> Self {
        Self(self.0 & !buttons.0)
    }

    /// −1 left, 1 right, 0 neither or both.
    #[must_use]
    pub const fn direction(self) -> i32 {
        self.has(Self::RIGHT) as i32 - self.has(Self::LEFT) as i32
    }

    /// Left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        let sides = Self::LEFT.0 | Self::RIGHT.0;
        Self(self.0 & !sides | (self.0 & Self::LEFT.0) << 1 | (self.0 & Self::RIGHT.0) >> 1)
    }

    /// The pad as a session's input: no bytes at rest, else [`INPUT_BYTES`], little-endian. `into` is filled from its
    /// start; returns how many bytes count.
    pub fn encode(self, into: &mut [u8; INPUT_BYTES as usize]) -> usize {
        *into = self.0.to_le_bytes();
        if self == Self::NEUTRAL { 0 } else { into.len() }
    }

    /// The pad that an input stands for. Whoever steps a match takes one that is refused for [`Self::NEUTRAL`], as every
    /// machine does.
    ///
    /// # Errors
    /// Another length than 0 and [`INPUT_BYTES`], a bit that is no button, or a pad at rest written out.
    pub fn decode(input: &[u8]) -> Result<Self, PadError> {
        if input.is_empty() {
            return Ok(Self::NEUTRAL);
        }
        let bytes = <[u8; INPUT_BYTES as usize]>::try_from(input);
        let bits = bytes
            .map(u16::from_le_bytes)
            .map_err(|_| PadError::Length { bytes: input.len() })?;
        if bits == 0 {
            return Err(PadError::AtRest);
        }
        if bits & !Self::BUTTONS != 0 {
            return Err(PadError::NoButton { bits });
        }
        Ok(Self(bits))
    }
}

/// An input that is no pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PadError {
    /// A pad has no or two bytes.
    #[error("a pad's input has 0 or 2 bytes, not {bytes}")]
    Length {
        /// How many came.
        bytes: usize,
    },
    /// Bits are set that are no button.
    #[error("{bits:#06x} has bits that are no button")]
    NoButton {
        /// All of them.
        bits: u16,
    },
    /// A pad at rest has one form: no bytes.
    #[error("a pad at rest is written without bytes")]
    AtRest,
}
