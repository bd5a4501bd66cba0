//! How the match ended, and whether both worlds agree on it.

use crate::{End, TrailMark};
use core::time::Duration;
use link_transport::LinkTime;
use match_feed::Tick;

/// A decided match whose peer has not said the same after this long counts as not verified.
pub const VERIFY_WITHIN: Duration = Duration::from_secs(10);
/// A peer that said once that it leaves, and then nothing for this long, has left: it says so for no longer than that.
pub const LEFT_UNHEARD: Duration = Duration::from_secs(2);

/// What is known of the two worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// The match runs.
    Playing,
    /// This world is decided; the peer's end report is awaited.
    Checking,
    /// Both worlds were decided by the same tick, with the same trail.
    InSync,
    /// The worlds differ: no contest.
    Desync {
        /// The tick after which they were found to differ.
        tick: Tick,
    },
    /// This world is decided, and the peer never said the same. May still become [`Verdict::InSync`] or
    /// [`Verdict::Desync`] if it does.
    NotVerified,
    /// The peer left before a decision: no result.
    PeerLeft,
    /// This phone left before a decision: no result.
    Left,
}

/// Why this phone ends a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leave {
    /// The player wants out.
    Left,
    /// The host found the worlds to differ by other means.
    Desync,
}

/// Brings one's own end, the peer's, and the two trails together.
///
/// What would end a match counts once two packets have said it: one in 65,536 damaged packets passes a CRC of 16 bits,
/// and three of its bits can say that the peer has left or that the worlds differ. Every packet repeats what is
/// true, so this costs one packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndCheck {
    own: End,
    peer: End,
    said_once: Option<Once>,
    verdict: Verdict,
    decided_at: Option<LinkTime>,
}

/// What one packet said of its sender's end, while no second one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Once {
    end: End,
    at: LinkTime,
    /// How many later packets say that it plays on, though none shows that it has moved since; and when the last came.
    denials: u8,
    denied_at: LinkTime,
}

/// So many packets that say the match goes on tell the one that said otherwise for damaged. One or two may be late, and
/// older than it.
const DENIALS: u8 = 3;

/// What a frame says of its sender's end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said {
    pub(crate) end: End,
    /// The sender's tick.
    pub(crate) tick: Tick,
    /// No frame of the sender's that is newer has arrived.
    pub(crate) newest: bool,
    /// It is newer than every frame before it.
    pub(crate) moved: bool,
}

impl Once {
    /// A packet says that its sender plays on. True if what was said once is thereby known to be wrong.
    fn denied_by(&mut self, now: LinkTime, said: Said) -> bool {
        if matches!(self.end, End::Decided(_)) || !said.newest {
            return false;
        }
        if now > self.denied_at {
            self.denials += 1;
            self.denied_at = now;
        }
        said.moved || self.denials >= DENIALS
    }
}

impl EndCheck {
    pub(crate) const fn new() -> Self {
        Self {
            own: End::Playing,
            peer: End::Playing,
            said_once: None,
            verdict: Verdict::Playing,
            decided_at: None,
        }
    }

    /// What one's own frames say.
    pub(crate) const fn own(&self) -> End {
        self.own
    }

    /// What the peer's frames said; never back to playing.
    pub(crate) const fn peer(&self) -> End {
        self.peer
    }

    pub(crate) fn is_over(&self) -> bool {
        self.verdict != Verdict::Playing
    }

    pub(crate) fn verdict(&self, now: LinkTime) -> Verdict {
        let overdue = self
            .decided_at
            .is_some_and(|at| now.since(at) >= VERIFY_WITHIN);
        match self.verdict {
            Verdict::Checking if overdue => Verdict::NotVerified,
            verdict => verdict,
        }
    }

    /// The two worlds differ, however it was found.
    pub(crate) fn desync(&mut self, tick: Tick) {
        if matches!(
            self.verdict,
            Verdict::Desync { .. } | Verdict::Left | Verdict::PeerLeft
        ) {
            return;
        }
        self.own = End::Desync;
        self.verdict = Verdict::Desync { tick };
    }

    pub(crate) fn leave(&mut self, leave: Leave, tick: Tick) {
        match leave {
            // A decided phone keeps its end report on the air: the peer may still need it.
            Leave::Left if self.verdict == Verdict::Playing => {
                self.own = End::Left;
                self.verdict = Verdict::Left;
            }
            Leave::Left => {}
            Leave::Desync => self.desync(tick),
        }
    }

    /// A tick was stepped and did not decide this world.
    pub(crate) fn stepped_on(&mut self, tick: Tick) {
        if let End::Decided(report) = self.peer
            && tick >= report.tick
        {
            self.desync(report.tick);
        }
    }

    /// The tick of `report` decided this world.
    pub(crate) fn decided(&mut self, now: LinkTime, report: TrailMark) {
        if self.is_over() {
            return;
        }
        self.own = End::Decided(report);
        self.verdict = Verdict::Checking;
        self.decided_at = Some(now);
        if let Some(Once { end, .. }) = self.said_once
            && end == self.own
        {
            self.peer = end;
        }
        self.compare();
    }

    /// Time has passed.
    pub(crate) fn settle(&mut self, now: LinkTime) {
        if let Some(once) = self.said_once
            && once.end == End::Left
            && now.since(once.denied_at) >= LEFT_UNHEARD
        {
            self.said_once = None;
            self.peer = End::Left;
            self.peer_left();
        }
    }

    /// A frame of the peer says how its match stands, while this phone has stepped `stepped` ticks.
    pub(crate) fn heard(&mut self, now: LinkTime, said: Said, stepped: Tick) {
        let Said { end, tick, .. } = said;
        // Whoever has decided steps no further. A frame whose end bits alone are damaged reads its report from padding.
        if let End::Decided(report) = end
            && report.tick.next() != tick
        {
            return;
        }
        if end == self.peer && end != End::Playing {
            return;
        }
        let agrees = end == self.own && matches!(end, End::Decided(_));
        let again = match &mut self.said_once {
            Some(once) if once.end == end && once.denials == 0 => now > once.at,
            // A decided phone's other frames say `end = 0`; of one that has left, or found the worlds to differ, none does.
            Some(once) if end == End::Playing => {
                if once.denied_by(now, said) {
                    self.said_once = None;
                }
                return;
            }
            _ => {
                self.said_once = (end != End::Playing).then_some(Once {
                    end,
                    at: now,
                    denials: 0,
                    denied_at: now,
                });
                false
            }
        };
        if !again && !agrees {
            return;
        }
        self.said_once = None;
        match (end, self.peer) {
            // It has gone: an older report of it arrives late.
            (End::Decided(_), End::Left | End::Desync) | (End::Left, End::Desync) => {}
            _ => self.peer = end,
        }
        match end {
            End::Playing => {}
            End::Left => self.peer_left(),
            End::Desync => self.desync(stepped),
            End::Decided(report) => match self.own {
                End::Decided(_) => self.compare(),
                _ if stepped > report.tick => self.desync(report.tick),
                _ => {}
            },
        }
    }

    /// A phone that takes its peer for gone has ended the match too, and says so: were the peer still there, it
    /// would wait for ever.
    fn peer_left(&mut self) {
        match self.verdict {
            Verdict::Playing => {
                self.own = End::Left;
                self.verdict = Verdict::PeerLeft;
            }
            Verdict::Checking => self.verdict = Verdict::NotVerified,
            _ => {}
        }
    }

    fn compare(&mut self) {
        let (End::Decided(own), End::Decided(peer)) = (self.own, self.peer) else {
            return;
        };
        if own == peer {
            self.verdict = Verdict::InSync;
        } else if self.verdict != Verdict::InSync {
            self.desync(own.tick.min(peer.tick));
        }
    }
}
