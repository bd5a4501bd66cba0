//! What a link is like: its round trips, their jitter, and how much of it is lost.

use net_transport::NetTime;

/// Round trips remembered for median and jitter.
const SAMPLES: usize = 32;
/// Probes that may be under way at once.
const PROBES: usize = 16;
/// Packets over which loss is counted.
const LOSS_WINDOW: u32 = 64;
/// So many missing in a row are a burst.
const BURST: u32 = 5;
/// So long after a burst more are expected.
const BURST_HOLD_US: u64 = 5_000_000;
/// A round trip longer than this is an answer to something else.
const ROUND_TRIP_MAX_US: u64 = 3_000_000;

/// Round trips of one link.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoundTrips {
    probes: [Option<(u8, NetTime)>; PROBES],
    newest_probe: usize,
    samples: [u32; SAMPLES],
    count: usize,
}

impl RoundTrips {
    /// A probe with this id goes out.
    pub(crate) fn probed(&mut self, id: u8, now: NetTime) {
        self.newest_probe = (self.newest_probe + 1) % PROBES;
        self.probes[self.newest_probe] = Some((id, now));
    }

    /// The answer came; `held_us`: how long the other end kept it. True if it answers a probe of ours.
    pub(crate) fn echoed(&mut self, id: u8, held_us: Option<u64>, now: NetTime) -> bool {
        let probe = self
            .probes
            .iter_mut()
            .find(|probe| probe.is_some_and(|(it, _)| it == id));
        let Some((_, sent)) = probe.and_then(Option::take) else {
            return false;
        };
        let trip = now.since(sent);
        if let Some(held) = held_us
            && trip <= ROUND_TRIP_MAX_US
        {
            self.samples[self.count % SAMPLES] = trip.saturating_sub(held) as u32;
            self.count += 1;
        }
        true
    }

    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    fn sorted(&self) -> ([u32; SAMPLES], usize) {
        let count = self.count.min(SAMPLES);
        let mut samples = self.samples;
        samples[..count].sort_unstable();
        (samples, count)
    }

    /// The median round trip, µs; 0 without a sample.
    pub(crate) fn round_trip_us(&self) -> u32 {
        let (samples, count) = self.sorted();
        if count == 0 { 0 } else { samples[count / 2] }
    }

    /// Half the median round trip and half of what the 95th percentile lies above it, µs.
    pub(crate) fn one_way_us(&self) -> u32 {
        let (samples, count) = self.sorted();
        if count == 0 {
            0
        } else {
            samples[(count * 95 / 100).min(count - 1)] / 2
        }
    }
}

/// Which of the last packets came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Losses {
    /// Bit i: the packet i before the newest came.
    came: u64,
    newest: Option<u8>,
    seen: u32,
    burst_at: Option<NetTime>,
}

impl Losses {
    pub(crate) fn came(&mut self, id: u8, now: NetTime) {
        let Some(newest) = self.newest else {
            self.newest = Some(id);
            self.came = 1;
            self.seen = 1;
            return;
        };
        let ahead = id.wrapping_sub(newest);
        if ahead < 128 {
            self.came = self.came.checked_shl(u32::from(ahead)).unwrap_or(0) | 1;
            self.newest = Some(id);
            self.seen = (self.seen + u32::from(ahead)).min(LOSS_WINDOW);
            if u32::from(ahead) > BURST {
                self.burst_at = Some(now);
            }
        } else {
            self.came |= 1u64
                .checked_shl(u32::from(newest.wrapping_sub(id)))
                .unwrap_or(0);
        }
    }

    /// Of a hundred packets, how many are missing.
    pub(crate) const fn percent(&self) -> u8 {
        if self.seen < LOSS_WINDOW / 2 {
            return 0;
        }
        let mask = if self.seen >= 64 {
            u64::MAX
        } else {
            (1 << self.seen) - 1
        };
        let came = (self.came & mask).count_ones();
        ((self.seen - came) * 100 / self.seen) as u8
    }

    /// True if a burst was missing of late.
    pub(crate) fn bursts(&self, now: NetTime) -> bool {
        self.burst_at
            .is_some_and(|at| now.since(at) < BURST_HOLD_US)
    }
}

#[cfg(test)]
mod tests {
    use super::{Losses, RoundTrips};
    use net_transport::NetTime;

    #[test]
    fn every_fifth_packet_missing_is_a_fifth_and_no_burst() {
        let mut losses = Losses::default();
        for id in (0..200u8).filter(|id| id % 5 != 0) {
            losses.came(id, NetTime::ZERO);
        }
        assert!(
            (18..=21).contains(&losses.percent()),
            "{}",
            losses.percent()
        );
        assert!(!losses.bursts(NetTime::ZERO));
        losses.came(206, NetTime::from_ms(1));
        assert!(losses.bursts(NetTime::from_ms(2)));
        assert!(!losses.bursts(NetTime::from_ms(6_000)));
    }

    #[test]
    fn an_answer_counts_once_and_without_the_time_it_was_held() {
        let mut trips = RoundTrips::default();
        trips.probed(7, NetTime::from_ms(0));
        assert!(trips.echoed(7, Some(10_000), NetTime::from_ms(110)));
        assert!(!trips.echoed(7, Some(10_000), NetTime::from_ms(110)));
        assert!(!trips.echoed(8, Some(0), NetTime::from_ms(110)));
        assert_eq!(trips.round_trip_us(), 100_000);
    }
}
