//! In which mode this phone sends, from what its peer says of what it hears. Knows no frame and no link.
//!
//! Each phone chooses for its own direction, so a link that is poor one way slows down only that way. Source: the
//! specification's "Mode adaptation".

use core::time::Duration;
use link_transport::{LinkTime, Mode, RXQ_FAST, RXQ_POOR, SUPERFRAME_MS};

/// How long the peer must hear this phone poorly.
const POOR: Duration = Duration::from_secs(2);
/// How long the peer must hear this phone well before it goes back to fast, at first and at most.
const GOOD_FIRST: Duration = Duration::from_secs(10);
const GOOD_MOST: Duration = Duration::from_secs(80);
/// How long fast must hold before the wait for it is back at [`GOOD_FIRST`].
const FAST_HELD: Duration = Duration::from_secs(60);
/// Without a new acknowledgement for this long, or a round trip and [`ACK_SPARE`] if that is longer, fast is failing.
const ACK_LEAST: Duration = Duration::from_millis(1500);
const ACK_SPARE: Duration = Duration::from_millis(500);
/// The peer's frames say how this direction does for this long after one: several of the slowest packets.
const HEARD_LATELY: Duration = Duration::from_millis(2000);
/// A switch holds for at least a superframe.
const SWITCH_HOLDS: Duration = Duration::from_millis(SUPERFRAME_MS as u64);

/// Whether this phone's mode follows what its peer hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ModePolicy {
    /// It does.
    #[default]
    Adapt,
    /// The match stays in the mode it starts in.
    Keep,
}

/// What a frame of the peer's says of this phone's direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heard {
    pub(crate) rxq: u8,
    /// The peer is paused: it owes no acknowledgement.
    pub(crate) paused: bool,
    /// (acknowledged, newest sealed) of this phone's turns; `None` for a lobby frame, which says nothing of them.
    pub(crate) turns: Option<(u32, u32)>,
}

#[derive(Clone, Debug)]
pub(crate) struct ModeRules {
    policy: ModePolicy,
    mode: Mode,
    switched_at: LinkTime,
    last_heard: Option<LinkTime>,
    rxq: u8,
    poor_since: Option<LinkTime>,
    good_since: Option<LinkTime>,
    /// The newest turn acknowledged.
    acked: u32,
    /// Since when turns wait for an acknowledgement and none comes.
    unanswered_since: Option<LinkTime>,
    good_for: Duration,
}

impl ModeRules {
    pub(crate) const fn new(policy: ModePolicy, mode: Mode, now: LinkTime) -> Self {
        Self {
            policy,
            mode,
            switched_at: now,
            last_heard: None,
            rxq: 0,
            poor_since: None,
            good_since: None,
            acked: 0,
            unanswered_since: None,
            good_for: GOOD_FIRST,
        }
    }

    /// A frame of the peer's was heard.
    pub(crate) fn hear(&mut self, now: LinkTime, heard: Heard) {
        if self
            .last_heard
            .is_none_or(|at| now.since(at) >= HEARD_LATELY)
        {
            // Every rule needs the peer's frames to be arriving: what was before the silence does not count.
            self.poor_since = None;
            self.good_since = None;
            self.unanswered_since = None;
        }
        self.last_heard = Some(now);
        self.rxq = heard.rxq;
        self.poor_since = running(self.poor_since, heard.rxq <= RXQ_POOR, now);
        self.good_since = running(self.good_since, heard.rxq >= RXQ_FAST, now);
        if let Some((acked, sealed)) = heard.turns {
            let moved = acked > self.acked;
            self.acked = self.acked.max(acked);
            let waits = !moved && !heard.paused && sealed > self.acked;
            self.unanswered_since = running(self.unanswered_since, waits, now);
        }
    }

    /// The mode to send in from now on, if it changes.
    pub(crate) fn decide(&mut self, now: LinkTime, round_trip: Option<Duration>) -> Option<Mode> {
        let arriving = self
            .last_heard
            .is_some_and(|at| now.since(at) < HEARD_LATELY);
        let held = now.since(self.switched_at);
        if self.policy == ModePolicy::Keep || !arriving || held < SWITCH_HOLDS {
            return None;
        }
        let lasts = |since: Option<LinkTime>, span| since.is_some_and(|at| now.since(at) >= span);
        match self.mode {
            Mode::Fast => {
                let silence = round_trip.map_or(ACK_LEAST, |rtt| ACK_LEAST.max(rtt + ACK_SPARE));
                let poor = lasts(self.poor_since, POOR);
                let unanswered = lasts(self.unanswered_since, silence);
                if held >= FAST_HELD {
                    self.good_for = GOOD_FIRST;
                }
                if !poor && !unanswered {
                    return None;
                }
                if !poor && self.rxq > RXQ_POOR {
                    // The quality did not foretell it, so it is trusted less the next time.
                    self.good_for = (self.good_for * 2).min(GOOD_MOST);
                }
                Some(self.switch(now, Mode::Robust))
            }
            Mode::Robust if lasts(self.good_since, self.good_for) => {
                Some(self.switch(now, Mode::Fast))
            }
            Mode::Robust => None,
        }
    }

    fn switch(&mut self, now: LinkTime, mode: Mode) -> Mode {
        self.mode = mode;
        self.switched_at = now;
        self.poor_since = None;
        self.good_since = None;
        self.unanswered_since = None;
        mode
    }
}

/// Since when a condition that holds now has held without a break.
fn running(since: Option<LinkTime>, holds: bool, now: LinkTime) -> Option<LinkTime> {
    holds.then(|| since.unwrap_or(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> LinkTime {
        LinkTime::from_ms(ms)
    }

    /// Hears `rxq` every 200 ms from `from_ms` on; when the mode first changes, if within `for_ms`.
    fn hear(rules: &mut ModeRules, from_ms: u64, for_ms: u64, rxq: u8) -> Option<(u64, Mode)> {
        for ms in (from_ms..from_ms + for_ms).step_by(200) {
            let turns = Some((ms as u32 / 100, ms as u32 / 100 + 5));
            let paused = false;
            rules.hear(at(ms), Heard { rxq, paused, turns });
            if let Some(mode) = rules.decide(at(ms), None) {
                return Some((ms, mode));
            }
        }
        None
    }

    #[test]
    fn poorly_heard_for_two_seconds_means_robust() {
        let mut rules = ModeRules::new(ModePolicy::Adapt, Mode::Fast, at(0));
        assert_eq!(hear(&mut rules, 3000, 1800, 1), None);
        assert_eq!(
            hear(&mut rules, 4800, 400, 2),
            None,
            "a better frame starts it over"
        );
        assert_eq!(hear(&mut rules, 5200, 9000, 1), Some((7200, Mode::Robust)));
    }

    #[test]
    fn well_heard_for_ten_seconds_means_fast_again() {
        let mut rules = ModeRules::new(ModePolicy::Adapt, Mode::Robust, at(0));
        assert_eq!(hear(&mut rules, 0, 9000, 4), None);
        assert_eq!(hear(&mut rules, 9000, 200, 3), None);
        assert_eq!(
            hear(&mut rules, 9200, 20_000, 4),
            Some((19_200, Mode::Fast))
        );
    }

    #[test]
    fn a_switch_holds_for_a_superframe() {
        let mut rules = ModeRules::new(ModePolicy::Adapt, Mode::Fast, at(1000));
        assert_eq!(hear(&mut rules, 1000, 9000, 0), Some((3200, Mode::Robust)));
        assert!(3200 - 1000 >= SWITCH_HOLDS.as_millis() as u64);
    }

    /// Frames that acknowledge nothing new, from `from_ms` on, until the mode changes.
    fn unanswered(
        rules: &mut ModeRules,
        from_ms: u64,
        rtt: Option<Duration>,
        paused: bool,
    ) -> Option<u64> {
        for ms in (from_ms..from_ms + 6000).step_by(100) {
            let turns = Some((40, 60));
            rules.hear(
                at(ms),
                Heard {
                    rxq: 6,
                    paused,
                    turns,
                },
            );
            if rules.decide(at(ms), rtt).is_some() {
                return Some(ms - from_ms);
            }
        }
        None
    }

    #[test]
    fn frames_that_acknowledge_nothing_new_mean_robust_unless_the_peer_is_paused() {
        let fast = || ModeRules::new(ModePolicy::Adapt, Mode::Fast, at(0));
        // The first frame still acknowledges something new.
        assert_eq!(unanswered(&mut fast(), 5000, None, false), Some(1600));
        let rtt = Some(Duration::from_millis(1300));
        assert_eq!(unanswered(&mut fast(), 5000, rtt, false), Some(1900));
        assert_eq!(unanswered(&mut fast(), 5000, None, true), None);
    }

    #[test]
    fn an_unexplained_fallback_doubles_the_wait_for_fast_up_to_80_s_until_fast_holds_a_minute() {
        let mut rules = ModeRules::new(ModePolicy::Adapt, Mode::Fast, at(0));
        let mut now = 10_000;
        for expected in [20, 40, 80, 80] {
            now += unanswered(&mut rules, now, None, false).expect("falls back");
            let mut good_for = 0;
            while rules.mode == Mode::Robust {
                now += 100;
                good_for += 100;
                let (paused, turns) = (false, None);
                rules.hear(
                    at(now),
                    Heard {
                        rxq: 5,
                        paused,
                        turns,
                    },
                );
                rules.decide(at(now), None);
            }
            assert_eq!(good_for / 1000, expected);
            rules.acked = 0;
        }
        assert_eq!(hear(&mut rules, now, 60_000, 5), None);
        assert_eq!(rules.good_for, GOOD_MOST, "not before a minute");
        assert_eq!(hear(&mut rules, now + 60_000, 200, 5), None);
        assert_eq!(rules.good_for, GOOD_FIRST);
    }

    #[test]
    fn without_the_peers_frames_nothing_changes_and_a_silence_starts_the_clocks_over() {
        let mut rules = ModeRules::new(ModePolicy::Adapt, Mode::Fast, at(0));
        assert_eq!(hear(&mut rules, 3000, 1000, 0), None);
        assert_eq!(rules.decide(at(60_000), None), None);
        assert_eq!(
            hear(&mut rules, 60_000, 9000, 0),
            Some((62_000, Mode::Robust))
        );
    }

    #[test]
    fn a_kept_mode_stays() {
        let mut rules = ModeRules::new(ModePolicy::Keep, Mode::Fast, at(0));
        assert_eq!(hear(&mut rules, 3000, 60_000, 0), None);
    }
}
