//! The lockstep itself: brings the queue, the two turn windows, the trail and the end check together.

use crate::{
    Expect, FrameError, GameFrame, GiveError, Leave, LockstepConfig, LockstepError, LockstepStatus,
    OrderDelay, Trail, TrailMark,
    gate::Gate,
    outbox::{self, Heading},
    peer::{Insists, Own, Peer},
    pending::Pending,
    trail::{Checkpoints, Witnessed, mark},
    turn::Turn,
    verdict::{EndCheck, Said},
    window::{Place, SEGMENTS_MAX, Window},
};
use alloc::vec::Vec;
use bitvec::{order::Msb0, slice::BitSlice};
use link_transport::{LinkTime, OutFrame, RXQ_MAX, Slot};
use match_feed::{Order, Outcome, Tick, WorldHash, duel::Side};
use versus_codec::{CommandCodec, TurnContext};

/// The slowest and fastest speed that pacing asks for, thousandths.
const SPEED_PERMILLE: core::ops::RangeInclusive<i32> = 900..=1100;
/// How much faster to run for each tick of slack more than the peer has, thousandths.
const SPEED_PER_TICK_PERMILLE: i32 = 20;

/// One phone's half of a match. Sizes are fixed: apart from commands, nothing in it grows with the match.
///
/// Whoever drives it calls [`Self::seal`] once a tick before [`Self::orders`], and after any call hands what
/// [`Self::poll_frames`] says to the link.
#[derive(Clone, Debug)]
pub struct Lockstep<C: CommandCodec> {
    config: LockstepConfig,
    codec: C,
    tick: Tick,
    paused: bool,
    rxq: u8,
    pending: Pending<C::Command>,
    window: Window,
    peer: Peer,
    gate: Gate,
    segments_max: usize,
    trail: Trail,
    checkpoints: Checkpoints,
    end: EndCheck,
    order_delay: OrderDelay,
    stalled: bool,
    started_at: Option<LinkTime>,
    /// The orders of `self.tick`, once decoded.
    orders: Vec<Order<C::Command>>,
    orders_ready: bool,
    context: TurnContext,
    frames: heapless::Vec<OutFrame, SEGMENTS_MAX>,
    frames_stale: bool,
    /// The tick and the checkpoint that the frames say: as of the last change that called for new ones. A turn is sealed
    /// before its tick is stepped, and its frame says so whenever the link asks for it.
    told_tick: Tick,
    told_checkpoint: Option<TrailMark>,
    /// Our slack as the frames last handed out say it, and as the frames on the air at the last packet start said it.
    handed_slack: i32,
    aired_slack: Option<i32>,
}

impl<C: CommandCodec> Lockstep<C> {
    /// A match that has not stepped yet. Turns 0 to D − 1 are empty for both sides.
    ///
    /// # Errors
    /// A capacity with which some command could never be sent, or that no frame can have.
    pub fn new(config: LockstepConfig, codec: C) -> Result<Self, LockstepError> {
        config.check()?;
        let (delay, capacity_bits) = (config.delay, config.capacity_bits);
        Ok(Self {
            config,
            codec,
            tick: Tick(0),
            paused: false,
            rxq: 0,
            pending: Pending::new(),
            window: Window::new(delay, capacity_bits),
            peer: Peer::new(delay),
            gate: Gate::new(delay, config.packet_ms),
            segments_max: Gate::segments_max(delay),
            trail: Trail::new(config.start),
            checkpoints: Checkpoints::default(),
            end: EndCheck::new(),
            order_delay: OrderDelay::default(),
            stalled: false,
            started_at: None,
            orders: Vec::new(),
            orders_ready: false,
            context: TurnContext::default(),
            frames: heapless::Vec::new(),
            frames_stale: true,
            told_tick: Tick(0),
            told_checkpoint: None,
            handed_slack: 0,
            aired_slack: None,
        })
    }

    /// Queues one command of the player, in its canonical form and split into pieces that fit.
    ///
    /// Work is bounded by the product of what waits and what the command names. After the match has ended it is dropped.
    ///
    /// # Errors
    /// It cannot be sent. Nothing of it is queued then.
    pub fn give(&mut self, now: LinkTime, command: C::Command) -> Result<(), GiveError> {
        self.queue(now, command, false)
    }

    /// As [`Self::give`], but ahead of everything that waits, whatever the codec calls urgent: it lands D ticks later. For
    /// a game whose commands are opaque, and whose resignation must not wait behind its orders. Nothing of it goes over
    /// the air. Giving again what waits already changes nothing.
    ///
    /// # Errors
    /// As [`Self::give`].
    pub fn give_first(&mut self, now: LinkTime, command: C::Command) -> Result<(), GiveError> {
        self.queue(now, command, true)
    }

    fn queue(&mut self, now: LinkTime, command: C::Command, first: bool) -> Result<(), GiveError> {
        self.started_at.get_or_insert(now);
        if self.end.is_over() {
            return Ok(());
        }
        self.pending.give(&self.codec, command, first, self.tick)
    }

    /// Hands out this phone's own orders that are given and not applied here yet, in the order they will be and as they will
    /// be: what a host shows its player as done already, so that a second tap within the delay does what it would without
    /// one. An order that a newer one replaced is not among them. None once the match has ended.
    ///
    /// Work is bounded by what waits and D turns.
    pub fn in_flight(&self, mut each: impl FnMut(C::Command)) {
        if self.end.is_over() {
            return;
        }
        for turn in self.tick.0..=self.window.newest_sealed() {
            let decoded = self
                .window
                .turn(turn)
                .map(|turn| turn.decode(&self.codec, &mut each));
            debug_assert!(matches!(decoded, Some(Ok(()))), "encoded here");
        }
        self.pending
            .commands()
            .for_each(|command| each(command.clone()));
    }

    /// True if the turn that has to be sealed before the next step is not sealed yet: the moment to drain the player's
    /// input. False while paused and after the end.
    #[must_use]
    pub fn is_seal_due(&self) -> bool {
        !self.paused
            && !self.end.is_over()
            && self.window.newest_sealed() < self.tick.0 + self.config.delay.ticks()
    }

    /// Seals turn `tick + D` with what of the queue fits, unless that is done already, or this phone is paused, or the
    /// match has ended. True if it sealed.
    pub fn seal(&mut self, now: LinkTime) -> bool {
        self.started_at.get_or_insert(now);
        let own_end = self.end.own();
        self.end.settle(now);
        self.renew_frames(own_end != self.end.own());
        if !self.is_seal_due() {
            return false;
        }
        let number = self.window.newest_sealed() + 1;
        debug_assert_eq!(
            number,
            self.tick.0 + self.config.delay.ticks(),
            "no tick is stepped unsealed"
        );
        let may_start = self.window.segments().len() < self.segments_max
            && self.gate.is_open(self.window.segments().len());
        let mut turn = Turn::EMPTY;
        let mut place = Place::Join;
        self.context.units.clear();
        while let Some(waiting) = self.pending.front() {
            let longer = turn.with(
                &self.codec,
                &waiting.command,
                &mut self.context,
                self.window.turn_bits_max(),
            );
            let Ok(longer) = longer else { break };
            let Some(longer_place) = self.window.place(&longer, may_start) else {
                break;
            };
            (turn, place) = (longer, longer_place);
            self.order_delay.add(number - waiting.given.0);
            self.pending.pop();
        }
        self.window.seal(turn, place);
        if self.window.rotates() {
            self.gate.rotating(self.tick);
        }
        self.watch_starvation(now);
        self.renew_frames(true);
        true
    }

    /// The orders of `tick`, the next one to step, in the order both phones apply them; `None` for a stall: the peer's
    /// turn is not here yet, or this phone has not sealed for this tick, or the match has ended.
    ///
    /// One's own commands come back as the peer will read them. Asking again changes nothing.
    ///
    /// # Panics
    /// If `tick` is not the next one to step.
    pub fn orders(&mut self, tick: Tick) -> Option<&[Order<C::Command>]> {
        assert_eq!(tick, self.tick, "ticks are stepped in order");
        let sealed = self.window.newest_sealed() >= tick.0 + self.config.delay.ticks();
        if self.end.is_over() || !sealed {
            return None;
        }
        if self.peer.ack_through() < tick.0 {
            self.stalled = true;
            self.gate.restart();
            return None;
        }
        if !self.orders_ready {
            self.decode_orders();
            self.orders_ready = true;
        }
        Some(&self.orders)
    }

    fn decode_orders(&mut self) {
        self.orders.clear();
        for side in Side::BOTH {
            let turn = if side == self.config.local {
                self.window.turn(self.tick.0)
            } else {
                self.peer.turn(self.tick.0)
            };
            let orders = &mut self.orders;
            let decoded = turn.map(|turn| {
                turn.decode(&self.codec, |command| {
                    orders.push(Order {
                        seat: side.seat(),
                        command,
                    })
                })
            });
            // Every turn was decoded when it was received, or encoded here. A codec that changes its mind makes the
            // worlds differ, and the trail says so.
            debug_assert_eq!(
                decoded,
                Some(Ok(())),
                "a turn of tick {} is unreadable",
                self.tick
            );
        }
    }

    /// `tick` was stepped under its [`Self::orders`]: the world's hash now is `hash`, and it is decided if `outcome` is
    /// there.
    ///
    /// # Panics
    /// If `tick` is not the next one to step.
    pub fn stepped(
        &mut self,
        now: LinkTime,
        tick: Tick,
        hash: WorldHash,
        outcome: Option<Outcome>,
    ) {
        assert_eq!(tick, self.tick, "ticks are stepped in order");
        self.tick = tick.next();
        self.orders_ready = false;
        self.stalled = false;
        self.trail = self.trail.then(hash);
        self.checkpoints.stepped(tick, self.trail);
        let own_end = self.end.own();
        self.compare_checkpoint();
        if outcome.is_some() {
            self.end.decided(now, mark(tick, self.trail));
        } else {
            self.end.stepped_on(tick);
        }
        self.renew_frames(own_end != self.end.own());
    }

    /// Takes a received packet's bits. What follows the frame in them is ignored.
    ///
    /// # Errors
    /// It is no game frame, or none that the peer can have sent by now. Nothing of it is taken then; but a peer that
    /// keeps saying for 5 s that it has stepped turns never sent ends the match as out of sync.
    pub fn handle_frame(
        &mut self,
        now: LinkTime,
        bits: &BitSlice<u8, Msb0>,
    ) -> Result<(), FrameError> {
        let expect = Expect {
            to: self.peer.ack_through(),
            tick: self.tick,
        };
        let mut frame = GameFrame::decode(bits, expect, &self.codec)?;
        let own = Own {
            tick: self.tick,
            newest_sealed: self.window.newest_sealed(),
        };
        let own_end = self.end.own();
        let mut checked = self.peer.check(&frame, own);
        let sane = checked.is_ok();
        if let Err(why) = checked {
            match self.peer.note_refused(now, &why) {
                Insists::No => {}
                Insists::Holds => {
                    frame.ack_through = own.newest_sealed;
                    checked = self.peer.check(&frame, own);
                }
                Insists::Stepped => {
                    self.end.desync(self.tick);
                    self.renew_frames(own_end != self.end.own());
                }
            }
        }
        checked?;
        self.started_at.get_or_insert(now);
        let news = self.peer.take(now, &frame);
        if sane {
            self.peer.note_sane(news);
        }
        if self.window.rotates() {
            self.gate.rotating(self.tick);
        }
        if news.state && frame.paused {
            self.gate.peer_paused();
        } else if news.state {
            // It has sealed for its tick and lacks our turn: it stands. Before it seals, the turn may not be due yet.
            let sealed = frame.to >= frame.tick.0 + self.config.delay.ticks();
            self.gate
                .heard(frame.slack(), sealed && frame.slack() < 0, self.tick);
        }
        let acknowledged = self.window.acknowledge(frame.ack_through);
        if acknowledged {
            self.gate.acknowledged(now, frame.ack_through);
        }
        let stranded = self
            .peer
            .note_stranded(now, &frame, self.window.peer_ack())
            .is_some_and(|ack| self.window.rewind(ack));
        let starves = self.watch_starvation(now);
        if let Some(checkpoint) = frame.checkpoint {
            self.peer.checkpoint = Some(Witnessed::hear(self.peer.checkpoint, now, checkpoint));
            self.compare_checkpoint();
        }
        let said = Said {
            end: frame.end,
            tick: frame.tick,
            newest: news.state,
            moved: news.moved,
        };
        self.end.heard(now, said, self.tick);
        let ended = own_end != self.end.own();
        self.renew_frames(news.turns || acknowledged || stranded || starves || ended);
        Ok(())
    }

    /// Compares the peer's newest checkpoint once its tick is stepped here too.
    fn compare_checkpoint(&mut self) {
        let heard = self.peer.checkpoint;
        if let Some(tick) = heard.and_then(|heard| heard.differs_from(&self.checkpoints)) {
            self.end.desync(tick);
        }
    }

    /// True if the oldest segment has to go out alone from now on.
    fn watch_starvation(&mut self, now: LinkTime) -> bool {
        let segments = self.window.segments();
        let (count, oldest_end) = (segments.len(), segments[0].end);
        self.gate.watch_starvation(now, count, oldest_end)
    }

    /// A packet of this phone has started: pacing compares what it says, not what is known by now.
    pub fn handle_slot(&mut self, slot: Slot) {
        if slot.key.is_some() && !self.frames.is_empty() {
            self.aired_slack = Some(self.handed_slack);
        }
    }

    fn renew_frames(&mut self, changed: bool) {
        if changed {
            self.frames_stale = true;
            self.told_tick = self.tick;
            self.told_checkpoint = self.checkpoints.newest();
        }
    }

    /// The frames to send from now on, if they are others than the last call's. Keys ascend; never an empty list.
    pub fn poll_frames(&mut self) -> Option<&[OutFrame]> {
        if !self.frames_stale {
            return None;
        }
        self.frames_stale = false;
        let heading = Heading {
            delay: self.config.delay,
            capacity_bits: self.config.capacity_bits,
            paused: self.paused,
            end: self.end.own(),
            rxq: self.rxq,
            tick: self.told_tick,
            ack_through: self.peer.ack_through(),
            checkpoint: self.told_checkpoint,
        };
        let frames = outbox::build(&self.window, &heading, self.gate.oldest_alone());
        self.handed_slack = self.peer.ack_through() as i32 - self.told_tick.0 as i32;
        if frames == self.frames {
            return None;
        }
        self.frames = frames;
        Some(&self.frames)
    }

    fn slack_now(&self) -> i32 {
        self.peer.ack_through() as i32 - self.tick.0 as i32
    }

    /// How well this phone hears the peer: `clamp(floor(effective SNR dB / 3), 0, 7)`.
    pub fn set_rxq(&mut self, rxq: u8) {
        let rxq = rxq.min(RXQ_MAX);
        let changed = rxq != self.rxq;
        self.rxq = rxq;
        self.renew_frames(changed);
    }

    /// How long one packet of this phone lasts now: 100, 200 or 400 ms.
    pub fn set_packet_ms(&mut self, packet_ms: u32) {
        self.gate.set_packet_ms(packet_ms);
    }

    /// While paused nothing is sealed, and frames say so.
    pub fn set_paused(&mut self, now: LinkTime, paused: bool) {
        self.started_at.get_or_insert(now);
        if paused != self.paused {
            self.paused = paused;
            self.gate.restart();
            self.renew_frames(true);
        }
    }

    /// At most this many segments, whatever the input delay allows; 1 switches rotation off.
    pub fn limit_segments(&mut self, most: usize) {
        self.segments_max = most.clamp(1, Gate::segments_max(self.config.delay));
    }

    /// Ends the match here; from now on frames say so. A decided match that is only left keeps its end report.
    pub fn leave(&mut self, leave: Leave) {
        let own_end = self.end.own();
        self.end.leave(leave, self.tick);
        self.renew_frames(own_end != self.end.own());
    }

    /// How fast to run, 900 to 1100 thousandths: faster with more slack than the peer has.
    #[must_use]
    pub fn speed_permille(&self) -> u32 {
        let slack = self.aired_slack.unwrap_or_else(|| self.slack_now());
        let ahead = self.peer.slack.map_or(0, |peer| slack - peer);
        let speed = 1000 + SPEED_PER_TICK_PERMILLE * ahead;
        speed.clamp(*SPEED_PERMILLE.start(), *SPEED_PERMILLE.end()) as u32
    }

    /// How things stand.
    #[must_use]
    pub fn status(&self, now: LinkTime) -> LockstepStatus {
        let last_new_turn = self.peer.last_new_turn_at.or(self.started_at);
        let waiting_since = last_new_turn.max(self.peer.unpaused_at);
        let oldest = self.pending.oldest();
        LockstepStatus {
            tick: self.tick,
            delay: self.config.delay,
            trail: self.trail.value(),
            newest_sealed: self.window.newest_sealed(),
            ack_through: self.peer.ack_through(),
            peer_ack: self.window.peer_ack(),
            turns_held: self.peer.turns_held(),
            stalled: self.stalled,
            paused: self.paused,
            peer_paused: self.peer.paused,
            peer_tick: self.peer.tick,
            peer_rxq: self.peer.rxq,
            last_frame_at: self.peer.last_frame_at,
            waiting_since,
            waiting: waiting_since.map_or(core::time::Duration::ZERO, |since| now.since(since)),
            queued: self.pending.len(),
            queued_ticks: oldest.map_or(0, |oldest| self.tick.0 - oldest.0),
            order_delay: self.order_delay,
            segments: self.window.segments().len(),
            end: self.end.own(),
            peer_end: self.end.peer(),
            verdict: self.end.verdict(now),
            slack: self.aired_slack.unwrap_or_else(|| self.slack_now()),
            peer_slack: self.peer.slack,
        }
    }

    /// What both phones agreed.
    #[must_use]
    pub const fn config(&self) -> &LockstepConfig {
        &self.config
    }

    /// The game's codec.
    #[must_use]
    pub const fn codec(&self) -> &C {
        &self.codec
    }
}
