//! What was played, as both files say it first.

use super::bytes::{KeptError, Reader, Writer};
use crate::{SEATS_MAX, TickRate};
use alloc::{string::String, vec::Vec};

/// The longest name of a game, a part or a machine, bytes of UTF-8.
pub const NAME_BYTES_MAX: usize = 128;
/// The longest setup, bytes.
pub const SETUP_BYTES_MAX: usize = 1_024;

/// What was agreed before the first tick: enough to make the world again where the game is at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMatch {
    /// The game's name, at most [`NAME_BYTES_MAX`] bytes.
    pub game: String,
    /// The game's id: differs wherever equal inputs could give different worlds.
    pub game_id: u64,
    /// Ticks a second.
    pub rate: TickRate,
    /// How many seats, 1 to [`SEATS_MAX`].
    pub seats: u8,
    /// What randomness starts from.
    pub seed: u64,
    /// The game's own setup, at most [`SETUP_BYTES_MAX`] bytes that only it reads.
    pub setup: Vec<u8>,
}

impl PlayedMatch {
    /// True if every field is within its bound. What is not cannot be written.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.game.len() <= NAME_BYTES_MAX
            && (1..=SEATS_MAX).contains(&usize::from(self.seats))
            && self.setup.len() <= SETUP_BYTES_MAX
    }

    pub(super) fn write(&self, to: &mut Writer) {
        assert!(
            self.is_bounded(),
            "the match's description is within its bounds"
        );
        to.text(&self.game);
        to.u64(self.game_id);
        to.u8(self.rate.hz());
        to.u8(self.seats);
        to.u64(self.seed);
        to.u16(self.setup.len() as u16);
        to.bytes(&self.setup);
    }

    pub(super) fn read(from: &mut Reader) -> Result<Self, KeptError> {
        let played = Self {
            game: from.text("game", NAME_BYTES_MAX)?,
            game_id: from.u64("game id")?,
            rate: TickRate::new(from.u8("tick rate")?).ok_or(from.range("tick rate"))?,
            seats: from.u8("seats")?,
            seed: from.u64("seed")?,
            setup: {
                let length = usize::from(from.u16("setup")?);
                from.bytes("setup", length)?.to_vec()
            },
        };
        if played.is_bounded() {
            Ok(played)
        } else {
            Err(from.range("match"))
        }
    }
}
