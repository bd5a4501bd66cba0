//! When to start a superframe of one's own because the peer's signal came back: the peer may have lost ours too,
//! and a sync lets it lock quickly. Never so often that two phones could keep restarting each other.

/// The peer counts as gone after this long, in seconds.
const GONE_S: f64 = 1.0;
/// The shortest time between two such restarts, in seconds.
const BETWEEN_S: f64 = 5.0;
/// A sync this far off the old grid is on another one, in seconds: its audio stopped and started over.
const OFF_GRID_S: f64 = 0.010;

/// What is remembered of the peer. Frames are input frames.
#[derive(Default)]
pub(crate) struct RestartRule {
    last_heard: Option<u64>,
    /// A sync of the peer's stream, and its superframe's length.
    grid: Option<(f64, f64)>,
    last_restart: Option<u64>,
}

impl RestartRule {
    /// Another peer, or another band.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// A packet of the peer has come in.
    pub(crate) fn heard(&mut self, now: u64) {
        self.last_heard = Some(now);
    }

    /// A lock on a stream with a sync at `sync` and superframes of `superframe` frames. True if this phone should start
    /// a superframe of its own; `own_start` is when its own stream last started over, for whatever reason.
    pub(crate) fn locked(
        &mut self,
        now: u64,
        sync: f64,
        superframe: f64,
        own_start: Option<u64>,
        sample_rate_hz: u32,
    ) -> bool {
        let rate_hz = f64::from(sample_rate_hz);
        let Some((old_sync, old_superframe)) = self.grid.replace((sync, superframe)) else {
            return false;
        };
        let Some(last_heard) = self.last_heard else {
            return false;
        };
        let seconds_since = |frame: u64| now.saturating_sub(frame) as f64 / rate_hz;
        let turns = (sync - old_sync) / old_superframe;
        let off_grid = ((turns - turns.round()) * old_superframe).abs() > OFF_GRID_S * rate_hz;
        let restart = seconds_since(last_heard) > GONE_S
            && off_grid
            && self
                .last_restart
                .is_none_or(|frame| seconds_since(frame) > BETWEEN_S)
            && own_start.is_none_or(|start| start <= last_heard);
        if restart {
            self.last_restart = Some(now);
        }
        restart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUPERFRAME: f64 = 98_400.0;

    fn known() -> RestartRule {
        let mut rule = RestartRule::default();
        assert!(
            !rule.locked(10_000, 9_000.0, SUPERFRAME, Some(0), 48_000),
            "the first lock ever"
        );
        rule.heard(100_000);
        rule
    }

    #[test]
    fn a_peer_back_on_another_grid_is_answered() {
        assert!(known().locked(200_000, 150_000.0, SUPERFRAME, Some(0), 48_000));
    }

    #[test]
    fn not_on_the_old_grid_nor_soon_nor_after_ones_own_restart() {
        assert!(!known().locked(
            200_000,
            9_000.0 + SUPERFRAME + 100.0,
            SUPERFRAME,
            Some(0),
            48_000
        ));
        assert!(!known().locked(140_000, 130_000.0, SUPERFRAME, Some(0), 48_000));
        assert!(!known().locked(200_000, 150_000.0, SUPERFRAME, Some(120_000), 48_000));
    }

    #[test]
    fn at_most_once_in_five_seconds() {
        let mut rule = known();
        assert!(rule.locked(200_000, 150_000.0, SUPERFRAME, Some(0), 48_000));
        rule.heard(210_000);
        assert!(!rule.locked(300_000, 280_000.0, SUPERFRAME, Some(205_000), 48_000));
        rule.heard(420_000);
        assert!(rule.locked(500_000, 470_000.0, SUPERFRAME, Some(205_000), 48_000));
    }
}
