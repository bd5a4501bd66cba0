//! When the next frame is due: at the match's rate, slewed so that all members run side by side.

use net_transport::NetTime;

/// One frame, in the units of a pace: µs × Hz × tempo.
const FRAME: i64 = 1_000_000 * NOMINAL;
const NOMINAL: i64 = 10_000;
/// A frame may start this much early where a host polls about once a frame, not quite evenly, so that it skips none.
const SLACK: i64 = FRAME / 4;
/// So many such polls in a row make such a host: not the polls of one that comes when packets come.
const COARSE_POLLS: u8 = 4;
/// The longest interval between two polls that is made up for.
const INTERVAL_MAX_US: u64 = 100_000;
/// A host that let a frame start early is taken as tied to a display for so long.
const TIED_US: u64 = 60_000_000;
/// The most frames that are due at once.
const DUE_MAX: i64 = 32;

/// A match's pace on this machine's clock.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    rate_hz: i64,
    last: Option<NetTime>,
    /// How much of frames is due.
    due: i64,
    stalled: bool,
    was_stalled: bool,
    tempo: i64,
    /// Polls in a row that came about a frame after the one before.
    coarse: u8,
    /// When a frame was last started early.
    early: Option<NetTime>,
}

impl Pace {
    pub(crate) fn new(rate_hz: u8) -> Self {
        Self {
            rate_hz: i64::from(rate_hz),
            last: None,
            due: 0,
            stalled: false,
            was_stalled: false,
            tempo: NOMINAL,
            coarse: 0,
            early: None,
        }
    }

    /// The first frame is due at `now`.
    pub(crate) fn start(&mut self, now: NetTime) {
        self.last = Some(now);
        self.due = FRAME;
        self.stalled = false;
    }

    /// Time has come to `now`. The time of a stall is lost, not made up for.
    pub(crate) fn advance(&mut self, now: NetTime) {
        let Some(last) = self.last.replace(now) else {
            return;
        };
        let interval = now
            .since(last)
            .min(INTERVAL_MAX_US.max(1_000_000 / self.rate_hz as u64));
        let coarse = interval * self.rate_hz as u64 >= 600_000;
        self.coarse = if coarse {
            self.coarse.saturating_add(1)
        } else {
            0
        };
        self.due += interval as i64 * self.rate_hz * self.tempo;
        self.due = self
            .due
            .min(if self.stalled { FRAME } else { DUE_MAX * FRAME });
        self.was_stalled = core::mem::take(&mut self.stalled);
    }

    pub(crate) const fn is_due(&self) -> bool {
        self.due
            >= if self.coarse >= COARSE_POLLS {
                FRAME - SLACK
            } else {
                FRAME
            }
    }

    /// A frame that was due is stepped.
    pub(crate) fn stepped(&mut self) {
        if self.due < FRAME - FRAME / 100 {
            self.early = self.last;
        }
        self.due -= FRAME;
    }

    /// A frame is due and cannot be stepped.
    pub(crate) fn stall(&mut self) {
        self.stalled = true;
        self.due = self.due.min(FRAME);
    }

    pub(crate) const fn is_stalled(&self) -> bool {
        self.stalled
    }

    /// The frame that was due at the visit before this one could not be stepped.
    pub(crate) const fn was_stalled(&self) -> bool {
        self.was_stalled
    }

    /// The host polls when its display wants it, not when a frame is due: how its polls lie to another's cannot be changed.
    pub(crate) fn is_tied(&self) -> bool {
        let since = self
            .early
            .zip(self.last)
            .map(|(early, last)| last.since(early));
        since.is_some_and(|since| since < TIED_US)
    }

    /// How much of the next frame has passed, thousandths.
    pub(crate) fn passed_permille(&self) -> i64 {
        (self.due * 1_000 / FRAME).clamp(0, 1_000)
    }

    /// Runs slower by `ppm` (faster if negative).
    pub(crate) fn slew(&mut self, slower_ppm: i64) {
        self.tempo = NOMINAL - slower_ppm * NOMINAL / 1_000_000;
    }

    /// How much faster than the match's rate this end runs, ppm.
    pub(crate) const fn tempo_ppm(&self) -> i64 {
        (self.tempo - NOMINAL) * 1_000_000 / NOMINAL
    }

    /// When the next frame is due.
    pub(crate) fn next(&self) -> Option<NetTime> {
        let last = self.last?;
        let missing = (FRAME - self.due).max(0);
        let per_us = self.rate_hz * self.tempo;
        Some(last.plus(((missing + per_us - 1) / per_us) as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::Pace;
    use net_transport::NetTime;

    fn run(pace: &mut Pace, now: u64) -> u32 {
        pace.advance(NetTime::from_us(now));
        let mut steps = 0;
        while pace.is_due() {
            pace.stepped();
            steps += 1;
        }
        steps
    }

    #[test]
    fn one_poll_a_frame_steps_one_frame_however_it_is_rounded() {
        let mut pace = Pace::new(60);
        pace.start(NetTime::ZERO);
        for poll in 0..10_000u64 {
            let jitter = if poll > 0 { poll * 7_919 % 1_500 } else { 0 };
            assert_eq!(run(&mut pace, poll * 50_000 / 3 + jitter), 1, "poll {poll}");
        }
    }

    #[test]
    fn a_stall_is_lost_and_a_late_poll_is_not() {
        let mut pace = Pace::new(60);
        pace.start(NetTime::ZERO);
        assert_eq!(run(&mut pace, 0), 1);
        assert_eq!(run(&mut pace, 50_000), 3);
        for poll in 4..10u64 {
            pace.advance(NetTime::from_us(poll * 16_667));
            assert!(pace.is_due());
            pace.stall();
        }
        assert_eq!(run(&mut pace, 10 * 16_667), 1);
        assert_eq!(run(&mut pace, 11 * 16_667), 1);
    }

    #[test]
    fn ten_percent_slower_is_ten_percent_fewer() {
        let mut pace = Pace::new(60);
        pace.start(NetTime::ZERO);
        pace.slew(100_000);
        let frames: u32 = (0..6_000).map(|poll| run(&mut pace, poll * 10_000)).sum();
        assert!((3_235..=3_245).contains(&frames), "{frames}");
    }
}
