//! This phone's clock as the peer echoes it: what `ping`, `echo` and `hold` say, and the round trip they give.
//! Knows no peer and no phase.

use crate::HOLD_NONE;
use core::time::Duration;
use heapless::Deque;
use link_transport::{LinkTime, Slot};

/// The unit of `ping` and `hold`. Source: the specification's lobby frame.
const UNIT_US: u64 = 10_000;
/// `ping` counts modulo this.
const PINGS: u64 = 256;
/// Frames remembered: at the fastest pace (100 ms packets, a rebuild per packet heard and sent) over 5 s of them,
/// twice the time in which a ping value is unique.
const SENT_MAX: usize = 64;
/// Samples kept. Source: the specification's "Link clock".
pub(crate) const SAMPLES: usize = 5;
/// A sample this far under zero is one `hold` unit of rounding; lower is garbage.
const ROUNDING_US: i64 = 10_000;

/// A frame handed to the link.
#[derive(Clone, Copy, Debug)]
struct Sent {
    key: u32,
    ping: u8,
    /// The start of the first packet that carried it.
    at: Option<LinkTime>,
}

/// The stamps of one frame to send.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamps {
    pub(crate) key: u32,
    pub(crate) ping: u8,
    pub(crate) echo: u8,
    pub(crate) hold: u8,
}

/// Both directions of the ping exchange.
#[derive(Clone, Debug)]
pub(crate) struct Pings {
    packet: Duration,
    last_slot: Option<LinkTime>,
    sent: Deque<Sent, SENT_MAX>,
    next_key: u32,
    heard: Option<(u8, LinkTime)>,
    samples_us: Deque<u64, SAMPLES>,
}

impl Pings {
    pub(crate) const fn new(packet_ms: u32) -> Self {
        Self {
            packet: Duration::from_millis(packet_ms as u64),
            last_slot: None,
            sent: Deque::new(),
            next_key: 0,
            heard: None,
            samples_us: Deque::new(),
        }
    }

    /// Own packets take `packet_ms` from now on.
    pub(crate) const fn set_packet_ms(&mut self, packet_ms: u32) {
        self.packet = Duration::from_millis(packet_ms as u64);
    }

    /// The peer is another one: its pings and what was measured with it are void.
    pub(crate) fn forget_peer(&mut self) {
        self.heard = None;
        self.samples_us.clear();
    }

    /// Stamps the frame that the next packet will carry.
    pub(crate) fn stamp(&mut self, now: LinkTime) -> Stamps {
        let start = self
            .last_slot
            .map_or(now, |slot| slot + self.packet)
            .max(now);
        let (echo, hold) = self.heard.map_or((0, HOLD_NONE), |(ping, at)| {
            let units = start.since(at).as_micros() as u64 / UNIT_US;
            (ping, units.min(HOLD_NONE.into()) as u8)
        });
        let ping = (start.as_us() / UNIT_US % PINGS) as u8;
        let key = self.next_key;
        self.next_key += 1;
        if self.sent.is_full() {
            self.sent.pop_front();
        }
        let _ = self.sent.push_back(Sent {
            key,
            ping,
            at: None,
        });
        Stamps {
            key,
            ping,
            echo,
            hold,
        }
    }

    /// The key that the next stamped frame will have.
    pub(crate) const fn next_key(&self) -> u32 {
        self.next_key
    }

    /// A packet of one's own has started.
    pub(crate) fn slot(&mut self, slot: Slot) {
        self.last_slot = Some(slot.at);
        if let Some(sent) = self.sent.iter_mut().find(|sent| Some(sent.key) == slot.key) {
            // A frame repeated because nobody replaced it in time counts from its first packet: that can only
            // lengthen the round trip measured, and too long a delay is the safe side.
            sent.at.get_or_insert(slot.at);
        }
    }

    /// The peer's frame stamped `ping` has arrived whole at `at`.
    pub(crate) fn hear(&mut self, ping: u8, at: LinkTime) {
        // The same stamp again is the same frame repeated: its sender counts from the first packet that carried it.
        let repeated = self.heard.is_some_and(|(heard, first)| {
            heard == ping && at.since(first) < unit_span(HOLD_NONE.into())
        });
        if !repeated {
            self.heard = Some((ping, at));
        }
    }

    /// An echo that hears this phone has arrived whole at `at`. A sample is kept if it makes sense.
    pub(crate) fn measure(&mut self, echo: u8, hold: u8, at: LinkTime) {
        if hold >= HOLD_NONE {
            return;
        }
        // A frame built before this phone learnt that a packet had started bears the same stamp as that packet's frame and
        // goes out a packet later. The peer counts from the first that it heard.
        let oldest_first = self.sent.iter();
        let sent_at = oldest_first
            .filter(|sent| sent.ping == echo)
            .filter_map(|sent| sent.at)
            .find(|&sent| sent <= at && at.since(sent) < unit_span(PINGS));
        let Some(sent_at) = sent_at else { return };
        let travelled = at.since(sent_at).as_micros() as i64;
        let sample = travelled - i64::from(hold) * UNIT_US as i64;
        if sample < -ROUNDING_US {
            return;
        }
        if self.samples_us.is_full() {
            self.samples_us.pop_front();
        }
        let _ = self.samples_us.push_back(sample.max(0) as u64);
    }

    /// True once the median rests on [`SAMPLES`] samples.
    pub(crate) fn is_measured(&self) -> bool {
        self.samples_us.is_full()
    }

    /// The median of the samples there are.
    pub(crate) fn round_trip(&self) -> Option<Duration> {
        let middle = self.samples_us.len() / 2;
        // Counted instead of sorted: the standard library's sort would be 5 kB of code for five numbers.
        let is_median = |us: &&u64| {
            let shorter = self.samples_us.iter().filter(|other| other < us).count();
            let longer = self.samples_us.iter().filter(|other| other > us).count();
            shorter <= middle && middle < self.samples_us.len() - longer
        };
        let median = self.samples_us.iter().find(is_median);
        median.map(|&us| Duration::from_micros(us))
    }
}

const fn unit_span(units: u64) -> Duration {
    Duration::from_micros(units * UNIT_US)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(at_ms: u64, key: u32) -> Slot {
        Slot {
            at: LinkTime::from_ms(at_ms),
            key: Some(key),
        }
    }

    /// One exchange: sent at `sent_ms`, echoed with `hold` units, heard back whole at `back_ms`.
    fn exchange(pings: &mut Pings, sent_ms: u64, hold: u8, back_ms: u64) {
        let stamps = pings.stamp(LinkTime::from_ms(sent_ms));
        pings.slot(slot(sent_ms, stamps.key));
        pings.measure(stamps.ping, hold, LinkTime::from_ms(back_ms));
    }

    #[test]
    fn a_round_trip_is_the_time_away_less_the_time_held() {
        let mut pings = Pings::new(200);
        exchange(&mut pings, 1000, 15, 1650);
        assert_eq!(pings.round_trip(), Some(Duration::from_millis(500)));
    }

    #[test]
    fn ten_milliseconds_under_zero_is_rounding_and_more_is_garbage() {
        let mut pings = Pings::new(200);
        exchange(&mut pings, 1000, 21, 1200);
        assert_eq!(pings.round_trip(), Some(Duration::ZERO));
        let mut pings = Pings::new(200);
        exchange(&mut pings, 1000, 22, 1200);
        assert_eq!(pings.round_trip(), None);
    }

    #[test]
    fn a_hold_of_127_is_no_sample() {
        let mut pings = Pings::new(200);
        exchange(&mut pings, 1000, HOLD_NONE, 3000);
        assert_eq!(pings.round_trip(), None);
    }

    #[test]
    fn the_median_is_of_the_last_five() {
        let mut pings = Pings::new(200);
        for (at, rtt) in [950, 500, 510, 520, 900, 530].into_iter().enumerate() {
            assert_eq!(pings.is_measured(), at >= 5);
            let sent = 1000 + 300 * at as u64;
            exchange(&mut pings, sent, 0, sent + rtt);
        }
        assert_eq!(pings.round_trip(), Some(Duration::from_millis(520)));
        pings.forget_peer();
        assert_eq!(pings.round_trip(), None);
    }

    #[test]
    fn of_two_frames_of_one_stamp_the_first_counts() {
        let mut pings = Pings::new(200);
        pings.slot(Slot {
            at: LinkTime::from_ms(800),
            key: None,
        });
        let [one, two] = [980, 985].map(|ms| pings.stamp(LinkTime::from_ms(ms)));
        assert_eq!(one.ping, two.ping, "both are to start at 1000 ms");
        pings.slot(slot(1000, one.key));
        pings.slot(slot(1200, two.key));
        pings.measure(one.ping, 15, LinkTime::from_ms(1650));
        assert_eq!(pings.round_trip(), Some(Duration::from_millis(500)));
    }

    #[test]
    fn a_ping_never_sent_or_sent_too_long_ago_is_no_sample() {
        let mut pings = Pings::new(200);
        let stamps = pings.stamp(LinkTime::from_ms(1000));
        pings.measure(stamps.ping, 0, LinkTime::from_ms(1100)); // built, but no packet carried it
        pings.slot(slot(1000, stamps.key));
        pings.measure(stamps.ping.wrapping_add(1), 0, LinkTime::from_ms(1100));
        pings.measure(stamps.ping, 0, LinkTime::from_ms(3560));
        assert_eq!(pings.round_trip(), None);
        pings.measure(stamps.ping, 0, LinkTime::from_ms(3550));
        assert_eq!(pings.round_trip(), Some(Duration::from_millis(2550)));
    }

    #[test]
    fn stamps_are_those_of_the_next_packets_start() {
        let mut pings = Pings::new(200);
        pings.slot(Slot {
            at: LinkTime::from_ms(5000),
            key: None,
        });
        pings.hear(77, LinkTime::from_ms(5050));
        let stamps = pings.stamp(LinkTime::from_ms(5060));
        assert_eq!(u64::from(stamps.ping), 520 % 256);
        assert_eq!((stamps.echo, stamps.hold), (77, 15));
        // A link that sends nothing yet: from now.
        let mut silent = Pings::new(200);
        let stamps = silent.stamp(LinkTime::from_ms(300));
        assert_eq!((stamps.ping, stamps.hold), (30, HOLD_NONE));
    }

    #[test]
    fn a_repeated_frame_is_timed_from_its_first_copy_on_both_ends() {
        let mut pings = Pings::new(200);
        pings.hear(9, LinkTime::from_ms(1000));
        pings.hear(9, LinkTime::from_ms(1200));
        assert_eq!(pings.stamp(LinkTime::from_ms(1400)).hold, 40);
        let stamps = pings.stamp(LinkTime::from_ms(1400));
        pings.slot(slot(1400, stamps.key));
        pings.slot(slot(1600, stamps.key));
        pings.measure(stamps.ping, 0, LinkTime::from_ms(1900));
        assert_eq!(pings.round_trip(), Some(Duration::from_millis(500)));
    }
}
