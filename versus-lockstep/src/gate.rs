//! When one more segment may be started: only while the peer has slack for the delay that it costs.

use core::time::Duration;
use link_transport::LinkTime;
use match_feed::{
    Tick,
    duel::{InputDelay, TICK_MS},
};

/// How many of the peer's frames must have been seen since the window started.
pub const SLACK_FRAMES: usize = 16;

/// The slack gate, the one strike, and the starvation rule. Source: the specification's "Segments and rotation".
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    delay: InputDelay,
    packet_ms: u32,
    /// The peer's slack in its newest frames, oldest first.
    slacks: heapless::Deque<i32, SLACK_FRAMES>,
    last_rotation: Option<Tick>,
    struck: bool,
    peer_stalls: bool,
    peer_ack_moved_at: Option<LinkTime>,
    /// The oldest segment goes out alone until the peer holds it through this turn.
    alone_until: Option<u32>,
}

impl Gate {
    pub(crate) const fn new(delay: InputDelay, packet_ms: u32) -> Self {
        Self {
            delay,
            packet_ms,
            slacks: heapless::Deque::new(),
            last_rotation: None,
            struck: false,
            peer_stalls: false,
            peer_ack_moved_at: None,
            alone_until: None,
        }
    }

    /// The cap on segments that the input delay leaves room for: K.
    pub(crate) const fn segments_max(delay: InputDelay) -> usize {
        match delay.ticks() {
            0..=3 => 1,
            4 => 2,
            5 => 3,
            _ => 4,
        }
    }

    /// A pause, one's own stall, or a new period: what was seen before says nothing of what comes.
    pub(crate) fn restart(&mut self) {
        self.slacks.clear();
    }

    pub(crate) fn set_packet_ms(&mut self, packet_ms: u32) {
        if packet_ms != self.packet_ms {
            self.packet_ms = packet_ms;
            self.restart();
        }
    }

    /// One's own match is at `tick`, and more than one segment is out.
    pub(crate) const fn rotating(&mut self, tick: Tick) {
        self.last_rotation = Some(tick);
    }

    /// A frame of the peer, not paused, that reports `slack`, and whether it stands still for want of a turn, while one's
    /// own match is at `tick`.
    pub(crate) fn heard(&mut self, slack: i32, stalls: bool, tick: Tick) {
        self.peer_stalls = stalls;
        let recently = |last: Tick| tick.0 - last.0 <= 2 * self.delay.ticks();
        // No gate sees loss coming, and a lost packet costs the newest turns a whole rotation.
        self.struck |= self.peer_stalls && self.last_rotation.is_some_and(recently);
        if self.slacks.is_full() {
            self.slacks.pop_front();
        }
        let pushed = self.slacks.push_back(slack);
        debug_assert!(pushed.is_ok(), "room was made");
    }

    pub(crate) fn peer_paused(&mut self) {
        self.peer_stalls = false;
        self.restart();
    }

    /// True if the peer can bear one segment more than the `segments` now out.
    ///
    /// With n segments the newest turn waits up to n packets for its frame, and what the peer reports says nothing yet
    /// of the ones just started, so all of them are charged. So is what a packet period longer than a tick hides: a
    /// frame says the slack at one tick of several. For the second segment in fast mode this is the specification's
    /// rule, more than one packet's cost. Without the last part, stall rose in 16 of 420 simulated matches of two minutes
    /// without loss (by up to 250 ms, in modes of 200 ms a packet); with it, in none.
    pub(crate) fn is_open(&self, segments: usize) -> bool {
        let cost_ticks = self.packet_ms.div_ceil(TICK_MS as u32) as i32;
        let unseen_ticks = cost_ticks - 1;
        let needed = cost_ticks * segments as i32 + unseen_ticks;
        let lowest = self.slacks.iter().min();
        !self.struck && self.slacks.is_full() && lowest.is_some_and(|&lowest| lowest > needed)
    }

    pub(crate) const fn acknowledged(&mut self, now: LinkTime, peer_ack: u32) {
        self.peer_ack_moved_at = Some(now);
        if let Some(until) = self.alone_until
            && peer_ack >= until
        {
            self.alone_until = None;
        }
    }

    /// Decides whether the oldest of `segments` segments, which ends at turn `oldest_end`, has to go out alone. True
    /// if that has just begun.
    pub(crate) fn watch_starvation(
        &mut self,
        now: LinkTime,
        segments: usize,
        oldest_end: u32,
    ) -> bool {
        let since = *self.peer_ack_moved_at.get_or_insert(now);
        let patience_ms = (segments as u64 + 1) * u64::from(self.packet_ms)
            + 2 * u64::from(self.delay.ticks()) * TICK_MS;
        let starves = segments > 1
            && self.peer_stalls
            && self.alone_until.is_none()
            && now.since(since) >= Duration::from_millis(patience_ms);
        if starves {
            self.alone_until = Some(oldest_end);
        }
        starves
    }

    pub(crate) const fn oldest_alone(&self) -> bool {
        self.alone_until.is_some()
    }
}
