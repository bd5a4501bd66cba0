//! What the peer's frames have told: its turns, and its state by its newest frame.

use crate::{
    FrameError, GameFrame, TURN_BITS_MAX, TrailMark,
    trail::Witnessed,
    turn::{Turn, TurnRing},
    window::TURNS_KEPT,
};
use core::time::Duration;
use link_transport::LinkTime;
use match_feed::{Tick, duel::InputDelay};

/// The receiver's side of the turn window.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    delay: InputDelay,
    turns: TurnRing<TURNS_KEPT>,
    ack_through: u32,
    /// The newest turn held, past a gap or not.
    newest_held: u32,
    /// The newest `ack_through` it has reported, to tell a late frame from a new one.
    reported_ack: u32,
    pub(crate) tick: Option<Tick>,
    pub(crate) paused: bool,
    pub(crate) rxq: Option<u8>,
    pub(crate) slack: Option<i32>,
    /// Its newest checkpoint.
    pub(crate) checkpoint: Option<Witnessed>,
    /// Its two claims of what cannot be, counted apart: a packet that makes one says nothing for the other.
    claims: Claims,
    /// It waits for a turn that it seemed to acknowledge.
    stranded: Repeated,
    pub(crate) last_frame_at: Option<LinkTime>,
    pub(crate) last_new_turn_at: Option<LinkTime>,
    pub(crate) unpaused_at: Option<LinkTime>,
}

/// What a receiver of a frame knows of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    pub(crate) tick: Tick,
    pub(crate) newest_sealed: u32,
}

/// What a peer claims that cannot be, if its packets are not damaged.
#[derive(Clone, Copy, Debug, Default)]
struct Claims {
    /// It holds turns not sealed yet.
    holds: Repeated,
    /// It has stepped turns never sealed.
    stepped: Repeated,
}

/// The same thing said by one packet after the other, with nothing to the contrary between.
#[derive(Clone, Copy, Debug, Default)]
struct Repeated {
    since: LinkTime,
    last: LinkTime,
    packets: u32,
}

impl Repeated {
    /// One more packet says it. True once that is `packets` of them over `span`.
    fn again(&mut self, now: LinkTime, packets: u32, span: Duration) -> bool {
        if self.packets == 0 {
            self.since = now;
        }
        if self.packets == 0 || now > self.last {
            self.packets += 1;
            self.last = now;
        }
        self.packets >= packets && now.since(self.since) >= span
    }

    /// A packet that may be a recording says otherwise: it outweighs one.
    fn outweigh_one(&mut self) {
        self.packets = self.packets.saturating_sub(1);
    }
}

/// So many packets over so long of a peer that has stepped what was never sent mean that the two turn logs differ.
const STEPPED_PACKETS: u32 = 8;
const STEPPED_SPAN: Duration = Duration::from_secs(5);
/// So many packets over so long mean what they say of the turns that the peer holds, whatever one packet said before.
const HOLDS_PACKETS: u32 = 3;
const HOLDS_SPAN: Duration = Duration::from_secs(1);

/// What a peer keeps saying, against what this phone knows: a damaged packet got through to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Insists {
    /// Nothing, or not for long enough.
    No,
    /// It holds turns not sealed yet. They may yet come out the same, and the trail will tell if not.
    Holds,
    /// It has stepped turns never sent.
    Stepped,
}

/// What an accepted frame changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct News {
    /// `ack_through` moved.
    pub(crate) turns: bool,
    /// The frame is the newest of the peer: its state counts.
    pub(crate) state: bool,
    /// It is newer than every one before it.
    pub(crate) moved: bool,
}

impl Peer {
    pub(crate) fn new(delay: InputDelay) -> Self {
        let newest = delay.ticks() - 1;
        Self {
            delay,
            turns: TurnRing::with_empty_before(delay.ticks()),
            ack_through: newest,
            newest_held: newest,
            reported_ack: 0,
            tick: None,
            paused: false,
            rxq: None,
            slack: None,
            checkpoint: None,
            claims: Claims::default(),
            stranded: Repeated::default(),
            last_frame_at: None,
            last_new_turn_at: None,
            unpaused_at: None,
        }
    }

    pub(crate) const fn ack_through(&self) -> u32 {
        self.ack_through
    }

    pub(crate) fn turn(&self, number: u32) -> Option<&Turn> {
        self.turns.find(number)
    }

    /// How many turns are held, those past a gap included.
    pub(crate) fn turns_held(&self) -> u32 {
        let past_gap = self.ack_through + 1..=self.newest_held;
        let found = past_gap
            .filter(|&number| self.turns.find(number).is_some())
            .count();
        self.ack_through + 1 + found as u32
    }

    /// Refuses a frame that no phone in this match can have sent by now. What passes keeps both windows within
    /// [`TURNS_KEPT`], whoever sent it.
    pub(crate) fn check(&self, frame: &GameFrame<'_>, own: Own) -> Result<(), FrameError> {
        let delay = self.delay.ticks();
        let &GameFrame {
            tick,
            ack_through,
            to,
            ..
        } = frame;
        // It steps a tick under one's own turn of that tick, which is sealed D ticks before. This comes first: a peer that
        // has stepped what was never sealed also acknowledges it, and only that can still come right.
        let limit = own.tick.plus(delay + 1);
        if tick > limit {
            return Err(FrameError::TickAhead { tick, limit });
        }
        if ack_through > own.newest_sealed {
            return Err(FrameError::AckAhead {
                ack_through,
                newest_sealed: own.newest_sealed,
            });
        }
        if u64::from(to) > u64::from(tick.0) + u64::from(delay) || ack_through + 1 < tick.0 {
            return Err(FrameError::Inconsistent {
                tick,
                ack_through,
                to,
            });
        }
        let report = match frame.end {
            crate::End::Decided(report) => Some(report),
            _ => None,
        };
        let unstepped = |mark: &TrailMark| mark.tick >= tick;
        if let Some(mark) = frame.checkpoint.into_iter().chain(report).find(unstepped) {
            return Err(FrameError::MarkAhead {
                mark: mark.tick,
                tick,
            });
        }
        match frame
            .turns
            .iter()
            .find(|turn| turn.bits.len() > TURN_BITS_MAX)
        {
            Some(turn) => Err(FrameError::TurnTooLong {
                turn: turn.turn,
                bits: turn.bits.len(),
                max: TURN_BITS_MAX,
            }),
            None => Ok(()),
        }
    }

    /// A frame was refused: what to make of a peer that has been saying the same for long, and nothing else.
    pub(crate) fn note_refused(&mut self, now: LinkTime, why: &FrameError) -> Insists {
        match why {
            FrameError::AckAhead { .. } => {
                let holds = self.claims.holds.again(now, HOLDS_PACKETS, HOLDS_SPAN);
                if holds { Insists::Holds } else { Insists::No }
            }
            FrameError::TickAhead { .. } => {
                let stepped = self
                    .claims
                    .stepped
                    .again(now, STEPPED_PACKETS, STEPPED_SPAN);
                if stepped {
                    Insists::Stepped
                } else {
                    Insists::No
                }
            }
            _ => Insists::No,
        }
    }

    /// A frame was one that any peer may send: it speaks against both claims. One that is no newer than those before may
    /// be a recording: it weighs against one packet of each, and no more.
    pub(crate) fn note_sane(&mut self, news: News) {
        if news.moved {
            self.claims = Claims::default();
        } else if news.state {
            self.claims.holds.outweigh_one();
            self.claims.stepped.outweigh_one();
        }
    }

    /// What the peer truly holds, if it has been waiting for long, and saying nothing else, for a turn that it is
    /// believed to hold through `peer_ack`: a damaged packet acknowledged what never arrived.
    pub(crate) fn note_stranded(
        &mut self,
        now: LinkTime,
        frame: &GameFrame<'_>,
        peer_ack: u32,
    ) -> Option<u32> {
        let GameFrame {
            tick, ack_through, ..
        } = *frame;
        if ack_through >= peer_ack {
            self.stranded = Repeated::default();
            return None;
        }
        let waits = tick.0 > ack_through;
        let stranded = waits && self.stranded.again(now, HOLDS_PACKETS, HOLDS_SPAN);
        if !stranded {
            return None;
        }
        self.stranded = Repeated::default();
        self.reported_ack = ack_through;
        self.tick = Some(tick);
        Some(ack_through)
    }

    /// Takes what a checked frame says.
    pub(crate) fn take(&mut self, now: LinkTime, frame: &GameFrame<'_>) -> News {
        self.last_frame_at = Some(now);
        let turns = self.take_turns(frame);
        if turns {
            self.last_new_turn_at = Some(now);
        }
        // Frames can arrive late, or twice: only the newest says how the peer is doing.
        let state = self.tick.is_none_or(|newest| frame.tick >= newest)
            && frame.ack_through >= self.reported_ack;
        let moved = state
            && (self.tick != Some(frame.tick) || frame.ack_through > self.reported_ack || turns);
        if state {
            if self.paused && !frame.paused {
                self.unpaused_at = Some(now);
            }
            self.tick = Some(frame.tick);
            self.reported_ack = frame.ack_through;
            self.paused = frame.paused;
            self.rxq = Some(frame.rxq);
            self.slack = Some(frame.slack());
        }
        News {
            turns,
            state,
            moved,
        }
    }

    /// Keeps the frame's turns that are not held yet, and advances through every turn held without a gap. True if
    /// that moved.
    fn take_turns(&mut self, frame: &GameFrame<'_>) -> bool {
        let mut with_commands = frame.turns.iter().peekable();
        for number in frame.from..=frame.to {
            let turn = with_commands.next_if(|turn| turn.turn == number);
            if number <= self.ack_through || self.turns.find(number).is_some() {
                continue;
            }
            let turn = turn.map_or(Some(Turn::EMPTY), |turn| {
                Turn::received(turn.commands, turn.bits)
            });
            // `check` has seen to it that each fits.
            let Some(turn) = turn else { break };
            self.turns.put(number, turn);
            self.newest_held = self.newest_held.max(number);
        }
        let before = self.ack_through;
        while self.turns.find(self.ack_through + 1).is_some() {
            self.ack_through += 1;
        }
        self.ack_through != before
    }
}
