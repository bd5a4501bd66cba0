//! What a device's frame count is in link time, and when the device stopped without its count saying so.
//!
//! Each time the game half looks, it compares its own clock with the newest frame it was told of. Such a *reading* is
//! late by however long the message lay about, never early, so the lowest of the latest readings is the clock. When
//! the device is suspended, all readings from then on are higher by the time lost.

use crate::short_sort::sort_few;
use heapless::{Deque, Vec};
use link_transport::LinkTime;

/// Readings the clock is taken from: from a third of a second to a few seconds, as often as the link is polled. Two
/// clocks 600 ppm apart differ by a millisecond or two over that.
const READINGS_MAX: usize = 64;
/// The newest readings, from which what is usual is learned.
const BASELINE: usize = 20;
/// A device that lost less than this goes on as it was: its peer's tracking follows it.
const STEP_MIN_US: i128 = 100_000;
/// A step stands once the lowest reading of this long …
const NEWEST_US: i128 = 100_000;
/// … is no lower than that of this long before.
const BEFORE_US: i128 = 200_000;
/// "No lower" allows for the readings' own spread: three times their median excess, within these limits.
const SPREAD_US: std::ops::RangeInclusive<i128> = 15_000..=50_000;

/// One comparison of the two clocks.
#[derive(Clone, Copy)]
struct Reading {
    now_us: i128,
    /// Link time less device time.
    offset_us: i128,
}

/// Maps a device's frames to link time.
pub(super) struct ClockMap {
    sample_rate_hz: u32,
    readings: Deque<Reading, READINGS_MAX>,
    /// Readings that are too high to be merely late; empty while there is no step.
    suspects: Deque<Reading, READINGS_MAX>,
}

impl ClockMap {
    pub(super) fn new(sample_rate_hz: u32) -> Self {
        Self {
            sample_rate_hz: sample_rate_hz.max(1),
            readings: Deque::new(),
            suspects: Deque::new(),
        }
    }

    /// At `now` the device is known to have come as far as `frame`. Returns the frames it lost, once it is certain
    /// that it lost some.
    ///
    /// A device that goes on late but catches up has lost nothing; one that catches up by less than the readings'
    /// spread in 100 ms cannot be told from one that lost time.
    pub(super) fn read(&mut self, now: LinkTime, frame: u64) -> Option<u64> {
        let now_us = i128::from(now.as_us());
        let offset_us = now_us - self.device_us(i128::from(frame));
        let reading = Reading { now_us, offset_us };
        let usual = match self.baseline_low() {
            Some(low) if offset_us - low > STEP_MIN_US => low,
            _ => {
                push(&mut self.readings, reading);
                self.suspects.clear();
                return None;
            }
        };
        push(&mut self.suspects, reading);
        let first = self.suspects.front()?;
        if now_us - first.now_us < NEWEST_US + BEFORE_US {
            return None;
        }
        let age = |reading: &&Reading| now_us - reading.now_us;
        let newest = low(self.suspects.iter().filter(|r| age(r) <= NEWEST_US))?;
        let before = |r: &&Reading| (NEWEST_US + 1..=NEWEST_US + BEFORE_US).contains(&age(r));
        // A link that is polled more seldom than that has just the reading before.
        let before = low(self.suspects.iter().filter(before))
            .or_else(|| low(self.suspects.iter().rev().skip(1).take(1)))?;
        if (newest - before).abs() > self.spread_us() {
            return None;
        }
        let lost_us = newest.min(before) - usual;
        self.readings.clear();
        for reading in &self.suspects {
            if now_us - reading.now_us <= NEWEST_US + BEFORE_US {
                push(&mut self.readings, *reading);
            }
        }
        self.suspects.clear();
        let frames = lost_us * i128::from(self.sample_rate_hz) / 1_000_000;
        u64::try_from(frames).ok()
    }

    /// When the device's frame `frame` is or was, but no later than `now`; `now` if nothing is known.
    pub(super) fn time(&self, frame: i128, now: LinkTime) -> LinkTime {
        // After what may be a stop, the device's clock is where it is now, not where it was.
        let newest = self.suspects.back().map_or(0, |reading| reading.now_us);
        let lately = |reading: &&Reading| newest - reading.now_us <= NEWEST_US;
        let offset_us =
            low(self.suspects.iter().filter(lately)).or_else(|| low(self.readings.iter()));
        let Some(offset_us) = offset_us else {
            return now;
        };
        let time_us = (self.device_us(frame) + offset_us).clamp(0, now.as_us().into());
        LinkTime::from_us(u64::try_from(time_us).unwrap_or(0))
    }

    fn device_us(&self, frame: i128) -> i128 {
        frame * 1_000_000 / i128::from(self.sample_rate_hz)
    }

    fn baseline_low(&self) -> Option<i128> {
        low(self.readings.iter().rev().take(BASELINE))
    }

    fn spread_us(&self) -> i128 {
        let low = self.baseline_low().unwrap_or(0);
        let newest = self.readings.iter().rev().take(BASELINE);
        let mut excess: Vec<i128, BASELINE> = newest.map(|r| r.offset_us - low).collect();
        sort_few(&mut excess, |a, b| a < b);
        let median = excess.get(excess.len() / 2).copied().unwrap_or(0);
        (3 * median).clamp(*SPREAD_US.start(), *SPREAD_US.end())
    }
}

fn low<'a>(readings: impl Iterator<Item = &'a Reading>) -> Option<i128> {
    readings.map(|reading| reading.offset_us).min()
}

fn push<const N: usize>(readings: &mut Deque<Reading, N>, reading: Reading) {
    if readings.is_full() {
        readings.pop_front();
    }
    let _ = readings.push_back(reading);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A device at 48 kHz looked at every `every_ms`, its readings late by `late_ms(step)`; it loses what `lost_ms`
    /// says by then. Returns each skip told: when, and how long, in milliseconds.
    fn skips(
        every_ms: u64,
        late_ms: impl Fn(u64) -> u64,
        lost_ms: impl Fn(u64) -> u64,
    ) -> Vec<(u64, u64), 8> {
        let mut map = ClockMap::new(48_000);
        let mut told = Vec::new();
        for step in 1..4000 / every_ms {
            let ms = step * every_ms;
            let frame = ms.saturating_sub(late_ms(step) + lost_ms(ms)) * 48;
            if let Some(frames) = map.read(LinkTime::from_ms(ms + 10_000), frame) {
                told.push((ms, frames / 48)).unwrap();
            }
        }
        told
    }

    #[test]
    fn a_step_over_100_ms_stands_300_ms_after() {
        let told = skips(10, |step| step % 4, |ms| if ms >= 2000 { 700 } else { 0 });
        assert_eq!(told.len(), 1, "{told:?}");
        assert!((2295..=2330).contains(&told[0].0), "{told:?}");
        assert!((697..=703).contains(&told[0].1), "{told:?}");
    }

    #[test]
    fn a_step_under_100_ms_is_none() {
        let told = skips(10, |step| step % 4, |ms| if ms >= 2000 { 90 } else { 0 });
        assert!(told.is_empty(), "{told:?}");
    }

    #[test]
    fn a_device_that_catches_up_has_lost_nothing() {
        // 600 ms late, made up for at 20 ms every 10 ms polled; and at half a millisecond a millisecond.
        for faster in [2, 1] {
            let late = |ms: u64| (600_u64).saturating_sub((ms.saturating_sub(2000)) * faster / 2);
            let told = skips(10, |_| 0, |ms| if ms >= 2000 { late(ms) } else { 0 });
            assert!(told.is_empty(), "{told:?}");
        }
    }

    #[test]
    fn one_late_look_is_no_step() {
        let told = skips(10, |step| if step % 50 == 0 { 400 } else { 0 }, |_| 0);
        assert!(told.is_empty(), "{told:?}");
    }

    #[test]
    fn a_link_polled_four_times_a_second_still_finds_it() {
        let told = skips(250, |_| 0, |ms| if ms >= 2000 { 700 } else { 0 });
        assert_eq!(told.len(), 1, "{told:?}");
        assert!((695..=705).contains(&told[0].1), "{told:?}");
    }

    #[test]
    fn two_suspensions_are_two_skips() {
        let lost = |ms: u64| u64::from(ms >= 1500) * 300 + u64::from(ms >= 2500) * 200;
        let told = skips(10, |_| 0, lost);
        assert_eq!(
            told.iter().map(|skip| skip.1).collect::<Vec<_, 8>>(),
            [300, 200]
        );
    }

    #[test]
    fn frames_map_to_the_lowest_reading_and_never_past_now() {
        let mut map = ClockMap::new(48_000);
        let now = LinkTime::from_ms(5_000);
        assert_eq!(map.time(0, now), now, "nothing known");
        for (ms, late_ms) in [(5_000, 9), (5_010, 2), (5_020, 30)] {
            map.read(LinkTime::from_ms(ms), (ms - 4_000 - late_ms) * 48);
        }
        let now = LinkTime::from_ms(5_020);
        assert_eq!(map.time(48_000, now), LinkTime::from_ms(5_002));
        assert_eq!(map.time(i128::from(u64::MAX) + 9, now), now);
        assert_eq!(map.time(-1_000_000_000, now), LinkTime::ZERO);
    }

    #[test]
    fn a_count_that_goes_anywhere_is_survived() {
        let mut map = ClockMap::new(1);
        for frame in [0, u64::MAX, 5, u64::MAX - 1, 0] {
            for ms in [0, u64::MAX / 1000, 1] {
                let _ = map.read(LinkTime::from_ms(ms), frame);
                let _ = map.time(frame.into(), LinkTime::from_ms(ms));
            }
        }
    }
}
