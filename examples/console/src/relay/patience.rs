//! How long the other end may say nothing, and when to tell of it. Reads no clock.

use std::time::Duration;

/// From when on a silence is told of; never later than half the patience.
const TELL_AFTER: Duration = Duration::from_secs(5);
/// The most that one look counts for: a process that was held up itself may yet have words to read.
const LOOK_MAX: Duration = Duration::from_millis(500);

/// The patience with a silent end.
pub struct Patience {
    limit: Duration,
    silence: Duration,
    told: bool,
}

/// What there is to tell.
#[derive(Debug, PartialEq, Eq)]
pub enum Silence {
    /// Nothing has come for so long.
    For(Duration),
    /// Something has come again.
    Over,
    /// Patience is at its end.
    TooLong,
}

impl Patience {
    pub const fn new(limit: Duration) -> Self {
        Self {
            limit,
            silence: Duration::ZERO,
            told: false,
        }
    }

    /// How long a silence may be.
    pub const fn limit(&self) -> Duration {
        self.limit
    }

    /// Something has come.
    pub const fn heard(&mut self) {
        self.silence = Duration::ZERO;
    }

    /// So much time has passed since the last look.
    pub fn look(&mut self, passed: Duration) -> Option<Silence> {
        if self.told && self.silence.is_zero() {
            self.told = false;
            return Some(Silence::Over);
        }
        self.silence += passed.min(LOOK_MAX);
        if self.silence >= self.limit {
            return Some(Silence::TooLong);
        }
        if self.told || self.silence < TELL_AFTER.min(self.limit / 2) {
            return None;
        }
        self.told = true;
        Some(Silence::For(self.silence))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Duration = Duration::from_millis(100);

    /// What is told, and after how many looks.
    fn looks(patience: &mut Patience, count: usize) -> Vec<(usize, Silence)> {
        (1..=count)
            .filter_map(|at| patience.look(LOOK).map(|told| (at, told)))
            .collect()
    }

    #[test]
    fn a_silence_is_told_of_once_and_ends_at_the_limit() {
        let mut patience = Patience::new(Duration::from_secs(60));
        let told = looks(&mut patience, 600);
        assert_eq!(
            told,
            [(50, Silence::For(TELL_AFTER)), (600, Silence::TooLong)]
        );
    }

    #[test]
    fn a_word_ends_a_silence_that_was_told_of_and_the_count_begins_anew() {
        let mut patience = Patience::new(Duration::from_secs(2));
        assert_eq!(looks(&mut patience, 9), []);
        patience.heard();
        assert_eq!(looks(&mut patience, 10).len(), 1);
        patience.heard();
        assert_eq!(looks(&mut patience, 1), [(1, Silence::Over)]);
        assert_eq!(looks(&mut patience, 9), []);
    }

    #[test]
    fn a_process_that_was_held_up_itself_does_not_take_its_peer_for_silent() {
        let mut patience = Patience::new(Duration::from_secs(60));
        assert_eq!(patience.look(Duration::from_secs(3600)), None);
    }
}
