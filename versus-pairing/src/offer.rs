//! What the host offers: the input delay from the round trip, fast or robust from what both phones receive.
//! Knows no peer and no frame.

use core::time::Duration;
use heapless::Deque;
use link_transport::{Mode, Plan, RXQ_FAST, packet_ms};
use match_feed::duel::{InputDelay, TICK_MS};

/// Spare time in the input delay. Source: the specification's "Config" (40 ms sometimes stalled, 46 ms never did).
const MARGIN_MS: u64 = 50;
/// Frames a quality window holds.
const WINDOW: usize = 10;
/// How many of the host's frames in a row the full windows must fail before it offers robust: a receiver's first
/// packets after locking read low while its clock tracker settles.
const FAILED_FRAMES: u8 = 8;

/// How the starting mode is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum StartMode {
    /// Fast if both phones receive well enough for it, robust otherwise.
    #[default]
    Measured,
    /// This one, whatever the phones receive.
    Fixed(Mode),
}

/// The input delay that a round trip needs when the match starts in `mode`: half the round trip, one packet that a
/// turn may wait for the air, and a margin, in ticks. Source: the specification's "Config".
#[must_use]
pub fn input_delay(round_trip: Duration, plan: Plan, mode: Mode) -> InputDelay {
    let needed_us =
        round_trip.as_micros() as u64 / 2 + 1000 * (u64::from(packet_ms(plan, mode)) + MARGIN_MS);
    let ticks = needed_us.div_ceil(1000 * TICK_MS);
    let within = ticks.clamp(
        InputDelay::MIN.ticks().into(),
        InputDelay::MAX.ticks().into(),
    );
    InputDelay::new(within as u8).expect("clamped to the legal range")
}

/// The receive qualities of a phone's last [`WINDOW`] frames.
#[derive(Clone, Debug, Default)]
struct Window(Deque<u8, WINDOW>);

impl Window {
    fn push(&mut self, rxq: u8) {
        if self.0.is_full() {
            self.0.pop_front();
        }
        let _ = self.0.push_back(rxq);
    }

    fn is_good(&self) -> bool {
        self.0.is_full() && self.0.iter().all(|&rxq| rxq >= RXQ_FAST)
    }
}

/// Whether both phones receive well enough to start in fast mode.
#[derive(Clone, Debug, Default)]
pub(crate) struct FastWindows {
    own: Window,
    theirs: Window,
    failed: u8,
}

impl FastWindows {
    /// A frame of this phone's that says `rxq`, built since it has heard its peer.
    pub(crate) fn built(&mut self, rxq: u8) {
        let full = self.own.0.is_full() && self.theirs.0.is_full();
        self.own.push(rxq);
        self.failed = if !full || self.are_good() {
            0
        } else {
            self.failed.saturating_add(1)
        };
    }

    /// A frame of the peer's that hears this phone and says `rxq`.
    pub(crate) fn heard(&mut self, rxq: u8) {
        self.theirs.push(rxq);
    }

    fn are_good(&self) -> bool {
        self.own.is_good() && self.theirs.is_good()
    }

    /// The mode to offer; `None` while that is open.
    pub(crate) fn verdict(&self) -> Option<Mode> {
        if self.are_good() {
            Some(Mode::Fast)
        } else {
            (self.failed >= FAILED_FRAMES).then_some(Mode::Robust)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_covers_half_the_round_trip_one_packet_and_a_margin() {
        let delay = |ms, plan, mode| input_delay(Duration::from_millis(ms), plan, mode).ticks();
        // The specification's measurements: high plan about 0.5 s, low plan 956 ms.
        assert_eq!(delay(500, Plan::High, Mode::Fast), 4);
        assert_eq!(delay(501, Plan::High, Mode::Fast), 5);
        assert_eq!(delay(500, Plan::High, Mode::Robust), 5);
        assert_eq!(delay(956, Plan::Low, Mode::Fast), 8);
        assert_eq!(delay(0, Plan::High, Mode::Fast), 3);
        assert_eq!(delay(2500, Plan::Low, Mode::Robust), 8);
    }

    #[test]
    fn fast_needs_ten_good_frames_of_both_phones() {
        let mut windows = FastWindows::default();
        for _ in 0..10 {
            assert_eq!(windows.verdict(), None);
            windows.built(4);
            windows.heard(4);
        }
        assert_eq!(windows.verdict(), Some(Mode::Fast));
    }

    #[test]
    fn robust_waits_for_eight_more_frames_so_that_a_settling_receiver_still_gets_fast() {
        let mut windows = FastWindows::default();
        for frame in 0..10 + 7 {
            windows.built(if frame < 7 { 2 } else { 5 });
            windows.heard(5);
            assert_ne!(windows.verdict(), Some(Mode::Robust), "frame {frame}");
        }
        assert_eq!(windows.verdict(), Some(Mode::Fast));
    }

    #[test]
    fn one_poor_direction_means_robust() {
        let mut windows = FastWindows::default();
        for _ in 0..10 {
            windows.built(7);
            windows.heard(3);
        }
        for _ in 0..8 {
            assert_eq!(windows.verdict(), None);
            windows.built(7);
        }
        assert_eq!(windows.verdict(), Some(Mode::Robust));
    }
}
