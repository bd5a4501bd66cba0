//! What a session is to play, and how.

use crate::wire::{
    DELAY_MAX, INPUT_BYTES_MAX, MEMBERS_MAX, SEATS_MAX, SETUP_BYTES_MAX, SNAPSHOT_BYTES_MAX, Secret,
};
use alloc::vec::Vec;
use match_feed::{SeatSet, TickRate};

/// The longest prediction, frames.
pub const PREDICTION_MAX: u8 = 60;
/// The shortest history a session keeps, frames.
pub const HISTORY_MIN: u32 = 512;
/// The longest.
pub const HISTORY_MAX: u32 = 65_536;

/// What becomes of the match when a player goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnDrop {
    /// It ends for all.
    End,
    /// It goes on; the seat's inputs are empty.
    Neutral,
    /// It goes on; the lowest live player gives the seat's inputs (`Event::BotSeats` says from when).
    Bot,
}

/// What a session takes part as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// Plays these seats from the start.
    Player(SeatSet),
    /// Joins a match that runs, at these seats. `proof`: the token that the session had which had them before; zeros for
    /// seats that nobody had.
    Joiner {
        /// Which seats it wants.
        seats: SeatSet,
        /// The token of its former session.
        token: [u8; 16],
    },
    /// Watches, as member 8 to 15. Whoever arranges the match gives out the numbers.
    Spectator {
        /// Its number.
        number: u8,
    },
}

/// A session's configuration. Make one with [`SessionConfig::new`], then change what differs from the usual.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SessionConfig {
    pub(crate) seats: u8,
    pub(crate) place: Place,
    pub(crate) secret: Secret,
    pub(crate) nonce: u64,
    pub(crate) token: [u8; 16],
    pub(crate) open: SeatSet,
    pub(crate) rate: TickRate,
    pub(crate) input_delay: u8,
    pub(crate) adaptive: Option<(u8, u8)>,
    pub(crate) prediction: u8,
    pub(crate) input_bytes: u8,
    pub(crate) hash_every: u16,
    pub(crate) game: u64,
    pub(crate) content: u64,
    pub(crate) seed: u64,
    pub(crate) setup: Vec<u8>,
    pub(crate) on_drop: OnDrop,
    pub(crate) slew_ppm: (u32, u32),
    pub(crate) doubling: bool,
    pub(crate) snapshot_bytes_max: u32,
    pub(crate) snapshot_bytes_per_s: u32,
    pub(crate) spectator_delay: u32,
    pub(crate) history: u32,
    pub(crate) connect_timeout_us: u64,
    pub(crate) silence_us: u64,
}

/// A configuration that no session can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} cannot be {value}: {legal}")]
pub struct ConfigError {
    /// Which field.
    pub field: &'static str,
    /// What it holds.
    pub value: u64,
    /// What it may hold, in words.
    pub legal: &'static str,
}

impl SessionConfig {
    /// A match of `seats` seats (1 to 8), 60 Hz, input delay 2, prediction 0 (lockstep), inputs of at most 2 bytes, a
    /// hash every 60 frames.
    ///
    /// `secret` is what all members share. `nonce` and `token` are random and new for every session; the host keeps the
    /// token where it survives a crash if the player shall be able to come back.
    #[must_use]
    pub fn new(seats: u8, place: Place, secret: Secret, nonce: u64, token: [u8; 16]) -> Self {
        Self {
            seats,
            place,
            secret,
            nonce,
            token,
            open: SeatSet::EMPTY,
            rate: TickRate::new(60).unwrap_or(TickRate::MAX),
            input_delay: 2,
            adaptive: None,
            prediction: 0,
            input_bytes: 2,
            hash_every: 60,
            game: 0,
            content: 0,
            seed: 0,
            setup: Vec::new(),
            on_drop: if seats > 2 {
                OnDrop::Neutral
            } else {
                OnDrop::End
            },
            slew_ppm: (100_000, 100_000),
            doubling: true,
            snapshot_bytes_max: 1 << 20,
            snapshot_bytes_per_s: 110_000,
            spectator_delay: 0,
            history: 1_024,
            connect_timeout_us: 25_000_000,
            silence_us: 5_000_000,
        }
    }

    /// Seats that nobody has at the start: their inputs are empty until somebody joins. The same for all members.
    #[must_use]
    pub fn open(mut self, open: SeatSet) -> Self {
        self.open = open;
        self
    }

    /// Frames a second. The same for all members.
    #[must_use]
    pub fn rate(mut self, rate: TickRate) -> Self {
        self.rate = rate;
        self
    }

    /// How many frames after it is given an input takes effect, 0 to 60. The host's counts.
    #[must_use]
    pub fn input_delay(mut self, frames: u8) -> Self {
        self.input_delay = frames;
        self
    }

    /// Lets the coordinator choose the input delay within these bounds, from the start and while the match runs.
    #[must_use]
    pub fn adaptive_delay(mut self, least: u8, most: u8) -> Self {
        self.adaptive = Some((least, most));
        self
    }

    /// How many frames this end may run ahead of the last confirmed one, 0 (lockstep) to 60. Each member has its own.
    #[must_use]
    pub fn prediction(mut self, frames: u8) -> Self {
        self.prediction = frames;
        self
    }

    /// The longest input of a seat and frame, 0 to 64 bytes. The same for all members.
    #[must_use]
    pub fn input_bytes(mut self, bytes: u8) -> Self {
        self.input_bytes = bytes;
        self
    }

    /// Frames between hashes, at least 1. The same for all members. At intervals shorter than two round trips, some
    /// frames' hashes are not exchanged.
    #[must_use]
    pub fn hash_every(mut self, frames: u16) -> Self {
        self.hash_every = frames;
        self
    }

    /// Which game and build, and which content. The same for all members.
    #[must_use]
    pub fn game(mut self, game: u64, content: u64) -> Self {
        self.game = game;
        self.content = content;
        self
    }

    /// The match's seed and the game's own words about it, at most 1 KiB. The host's (the player's at the lowest seat)
    /// count; `Event::Agreed` tells everyone.
    #[must_use]
    pub fn setup(mut self, seed: u64, setup: &[u8]) -> Self {
        self.seed = seed;
        self.setup = setup.to_vec();
        self
    }

    /// What becomes of the match when a player goes: by default it ends with one or two seats, and goes on with more. The
    /// same for all members.
    #[must_use]
    pub fn on_drop(mut self, on_drop: OnDrop) -> Self {
        self.on_drop = on_drop;
        self
    }

    /// How much faster and slower this end may run to stay beside the others, millionths, at most 100,000 each (the
    /// default). (0, 0) for a host whose frames are paced by something else.
    #[must_use]
    pub fn slew(mut self, faster_ppm: u32, slower_ppm: u32) -> Self {
        self.slew_ppm = (faster_ppm, slower_ppm);
        self
    }

    /// Whether windows go twice where much is lost (on by default).
    #[must_use]
    pub fn doubling(mut self, on: bool) -> Self {
        self.doubling = on;
        self
    }

    /// The largest state of the game, bytes, at most 16 MiB, and how many bytes of it go to a joiner in a second. A
    /// joiner allocates that much when it is made.
    #[must_use]
    pub fn snapshots(mut self, bytes_max: u32, bytes_per_s: u32) -> Self {
        self.snapshot_bytes_max = bytes_max;
        self.snapshot_bytes_per_s = bytes_per_s;
        self
    }

    /// By how many frames spectators lag behind what is confirmed, at most half the history.
    #[must_use]
    pub fn spectator_delay(mut self, frames: u32) -> Self {
        self.spectator_delay = frames;
        self
    }

    /// How many frames of inputs are kept, a power of two from 512 to 65,536: half of them back from the newest. A joiner
    /// must have its snapshot before they are over.
    #[must_use]
    pub fn history(mut self, frames: u32) -> Self {
        self.history = frames;
        self
    }

    /// How long the start may take before it fails, and how long a member may be silent, µs (25 s and 5 s).
    #[must_use]
    pub fn timeouts(mut self, connect_us: u64, silence_us: u64) -> Self {
        self.connect_timeout_us = connect_us;
        self.silence_us = silence_us;
        self
    }

    /// The seats that this session asks for or has.
    pub(crate) fn own(&self) -> u8 {
        match self.place {
            Place::Player(seats) | Place::Joiner { seats, .. } => seats.bits(),
            Place::Spectator { .. } => 0,
        }
    }

    pub(crate) fn number(&self) -> u8 {
        match self.place {
            Place::Spectator { number } => number,
            _ => self.own().trailing_zeros() as u8,
        }
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let all = (1u16 << self.seats.min(SEATS_MAX as u8)) - 1;
        let own = u16::from(self.own());
        let open = u16::from(self.open.bits());
        let (least, most) = self.adaptive.unwrap_or((0, 0));
        let checks = [
            (
                (1..=SEATS_MAX as u8).contains(&self.seats),
                "seats",
                u64::from(self.seats),
                "1 to 8",
            ),
            (
                match self.place {
                    Place::Spectator { number } => {
                        usize::from(number) >= SEATS_MAX && usize::from(number) < MEMBERS_MAX
                    }
                    _ => own != 0 && own & !all == 0,
                },
                "place",
                u64::from(own),
                "seats of the match, or a spectator's number from 8 to 15",
            ),
            (
                open & !all == 0 && (open & own == 0 || matches!(self.place, Place::Joiner { .. })),
                "open seats",
                u64::from(open),
                "seats of the match that nobody has",
            ),
            (self.nonce != 0, "nonce", 0, "random, not 0"),
            (
                self.input_delay <= DELAY_MAX && least <= most && most <= DELAY_MAX,
                "input delay",
                u64::from(self.input_delay.max(most)),
                "0 to 60 frames, the least no more than the most",
            ),
            (
                self.prediction <= PREDICTION_MAX,
                "prediction",
                u64::from(self.prediction),
                "0 to 60 frames",
            ),
            (
                usize::from(self.input_bytes) <= INPUT_BYTES_MAX,
                "input bytes",
                u64::from(self.input_bytes),
                "0 to 64",
            ),
            (self.hash_every > 0, "hash interval", 0, "1 frame at least"),
            (
                self.setup.len() <= SETUP_BYTES_MAX,
                "setup bytes",
                self.setup.len() as u64,
                "1,024 at most",
            ),
            (
                self.slew_ppm.0 <= 100_000 && self.slew_ppm.1 <= 100_000,
                "slew",
                u64::from(self.slew_ppm.0.max(self.slew_ppm.1)),
                "100,000 millionths at most",
            ),
            (
                self.snapshot_bytes_max <= SNAPSHOT_BYTES_MAX - 4_096,
                "snapshot bytes",
                u64::from(self.snapshot_bytes_max),
                "16 MiB less 4 KiB at most",
            ),
            (
                self.history.is_power_of_two()
                    && (HISTORY_MIN..=HISTORY_MAX).contains(&self.history),
                "history",
                u64::from(self.history),
                "a power of two from 512 to 65,536 frames",
            ),
            (
                self.spectator_delay <= self.history / 4,
                "spectator delay",
                u64::from(self.spectator_delay),
                "a quarter of the history at most",
            ),
            (
                self.silence_us >= 1_000_000 && self.connect_timeout_us > 0,
                "timeouts",
                self.silence_us,
                "1 s of silence at least",
            ),
        ];
        for (legal, field, value, words) in checks {
            if !legal {
                return Err(ConfigError {
                    field,
                    value,
                    legal: words,
                });
            }
        }
        Ok(())
    }
}
