//! What a match is set up with, and its bytes.

use match_feed::SEATS_MAX;

/// A setup's length in bytes.
pub const SETUP_BYTES: usize = 11;

/// What every machine must agree on before a brawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrawlSetup {
    seats: u8,
    wins: u8,
    round_seconds: u8,
    seed: u64,
}

impl BrawlSetup {
    /// Rounds that win a match, unless something else is asked for: best of three.
    pub const WINS: u8 = 2;
    /// The most rounds that a match may be set to.
    pub const WINS_MAX: u8 = 5;
    /// A round's length, unless something else is asked for.
    pub const ROUND_SECONDS: u8 = 60;
    /// The shortest round.
    pub const ROUND_SECONDS_MIN: u8 = 10;

    /// A match of `seats` (1 to 8; one plays against the dummy), best of three, rounds of a minute. The seed draws the
    /// balls.
    ///
    /// # Errors
    /// No seat, or more than 8.
    pub const fn new(seats: u8, seed: u64) -> Result<Self, SetupError> {
        if seats == 0 || seats as usize > SEATS_MAX {
            return Err(SetupError::Seats { seats });
        }
        Ok(Self {
            seats,
            wins: Self::WINS,
            round_seconds: Self::ROUND_SECONDS,
            seed,
        })
    }

    /// The match goes to whoever first wins so many rounds: 1 to [`Self::WINS_MAX`].
    ///
    /// # Errors
    /// Another number.
    pub const fn with_wins(self, wins: u8) -> Result<Self, SetupError> {
        if wins == 0 || wins > Self::WINS_MAX {
            return Err(SetupError::Wins { wins });
        }
        Ok(Self { wins, ..self })
    }

    /// After so many seconds ([`Self::ROUND_SECONDS_MIN`] to 255) a round wears everyone down until it is decided.
    ///
    /// # Errors
    /// Fewer.
    pub const fn with_round_seconds(self, seconds: u8) -> Result<Self, SetupError> {
        if seconds < Self::ROUND_SECONDS_MIN {
            return Err(SetupError::RoundSeconds { seconds });
        }
        Ok(Self {
            round_seconds: seconds,
            ..self
        })
    }

    /// Seats, 1 to 8.
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.seats as usize
    }

    /// Fighters: one a seat, and the dummy beside a single one.
    #[must_use]
    pub const fn fighters(&self) -> usize {
        if self.seats == 1 {
            2
        } else {
            self.seats as usize
        }
    }

    /// Rounds that win the match.
    #[must_use]
    pub const fn wins(&self) -> u8 {
        self.wins
    }

    /// Seconds until a round wears everyone down.
    #[must_use]
    pub const fn round_seconds(&self) -> u8 {
        self.round_seconds
    }

    /// What the balls are drawn from.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// After so many rounds, drawn ones included, the match ends with what there is.
    #[must_use]
    pub const fn rounds_max(&self) -> u8 {
        2 * (self.fighters() as u8 * (self.wins - 1) + 1)
    }

    /// Its bytes: seats, wins, seconds, seed (little-endian).
    #[must_use]
    pub fn encode(&self) -> [u8; SETUP_BYTES] {
        let mut bytes = [0; SETUP_BYTES];
        bytes[..3].copy_from_slice(&[self.seats, self.wins, self.round_seconds]);
        bytes[3..].copy_from_slice(&self.seed.to_le_bytes());
        bytes
    }

    /// The setup that [`Self::encode`] wrote.
    ///
    /// # Errors
    /// Another length, or a value out of range.
    pub fn decode(bytes: &[u8]) -> Result<Self, SetupError> {
        let bytes: [u8; SETUP_BYTES] = bytes
            .try_into()
            .map_err(|_| SetupError::Length { bytes: bytes.len() })?;
        let [seats, wins, seconds, seed @ ..] = bytes;
        Self::new(seats, u64::from_le_bytes(seed))?
            .with_wins(wins)?
            .with_round_seconds(seconds)
    }
}

/// A match that cannot be set up so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// No seat, or too many.
    #[error("a brawl has 1 to 8 seats, not {seats}")]
    Seats {
        /// How many were asked for.
        seats: u8,
    },
    /// A number of rounds that no match goes to.
    #[error("a brawl goes to 1 to 5 won rounds, not {wins}")]
    Wins {
        /// How many were asked for.
        wins: u8,
    },
    /// Too short.
    #[error("a round takes at least 10 s, not {seconds}")]
    RoundSeconds {
        /// What was asked for.
        seconds: u8,
    },
    /// Another length.
    #[error("a brawl's setup has 11 bytes, not {bytes}")]
    Length {
        /// How many came.
        bytes: usize,
    },
}
