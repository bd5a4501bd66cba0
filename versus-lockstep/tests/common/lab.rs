//! Two locksteps side by side with nothing between them but the test: for rules that need an exact situation.

use super::{ToyCodec, ToyCommand};
use bitvec::prelude::*;
use link_transport::{FrameBits, LinkTime, OutFrame, capacity_bits};
use match_feed::{
    Order, Tick, WorldHash,
    duel::{InputDelay, Side},
};
use versus_codec::{BitWriter, EncodeError};
use versus_lockstep::{End, Expect, FrameError, GameFrame, Lockstep, LockstepConfig};

/// Blue is looked at; red answers.
#[derive(Debug)]
pub struct Lab {
    pub blue: Lockstep<ToyCodec>,
    pub red: Lockstep<ToyCodec>,
    pub ms: u64,
    /// The newest list each has handed out.
    pub blue_frames: Vec<OutFrame>,
    pub red_frames: Vec<OutFrame>,
}

impl Lab {
    pub fn new(delay: u8) -> Self {
        Self::with_capacity(delay, capacity_bits(link_transport::Plan::High))
    }

    pub fn with_capacity(delay: u8, capacity_bits: usize) -> Self {
        let side = |local| {
            let config = LockstepConfig::new(local, InputDelay::new(delay).unwrap(), WorldHash(1))
                .with_capacity_bits(capacity_bits)
                .with_packet_ms(100);
            Lockstep::new(config, ToyCodec).unwrap()
        };
        let mut lab = Self {
            blue: side(Side::Blue),
            red: side(Side::Red),
            ms: 1000,
            blue_frames: vec![],
            red_frames: vec![],
        };
        lab.collect();
        lab
    }

    /// Blue with red's slack known to be ample: more than 16 of its frames have said so.
    pub fn with_open_gate(delay: u8) -> Self {
        let mut lab = Self::new(delay);
        for _ in 0..20 {
            lab.tick();
        }
        lab
    }

    pub fn now(&self) -> LinkTime {
        LinkTime::from_ms(self.ms)
    }

    pub fn give(&mut self, command: ToyCommand) {
        let now = self.now();
        self.blue.give(now, command).unwrap();
    }

    /// Takes the newest frames out of both.
    pub fn collect(&mut self) {
        if let Some(frames) = self.blue.poll_frames() {
            self.blue_frames = frames.to_vec();
        }
        if let Some(frames) = self.red.poll_frames() {
            self.red_frames = frames.to_vec();
        }
    }

    pub fn seal(&mut self) {
        let now = self.now();
        self.blue.seal(now);
        self.red.seal(now);
        self.collect();
    }

    /// All of blue's newest frames reach red.
    pub fn red_hears(&mut self) {
        let now = self.now();
        for frame in self.blue_frames.clone() {
            self.red
                .handle_frame(now, frame.bits.as_bitslice())
                .unwrap();
        }
        self.collect();
    }

    /// All of red's newest frames reach blue.
    pub fn blue_hears(&mut self) {
        let now = self.now();
        for frame in self.red_frames.clone() {
            self.blue
                .handle_frame(now, frame.bits.as_bitslice())
                .unwrap();
        }
        self.collect();
    }

    /// Steps whoever can; what blue applied.
    pub fn step(&mut self) -> Vec<Order<ToyCommand>> {
        let now = self.now();
        let mut applied = vec![];
        for (phone, is_blue) in [(&mut self.blue, true), (&mut self.red, false)] {
            let tick = phone.status(now).tick;
            if let Some(orders) = phone.orders(tick) {
                if is_blue {
                    applied = orders.to_vec();
                }
                phone.stepped(now, tick, WorldHash(tick.0.into()), None);
            }
        }
        self.ms += 100;
        applied
    }

    /// A whole tick over a perfect link; what was applied.
    pub fn tick(&mut self) -> Vec<Order<ToyCommand>> {
        self.seal();
        self.red_hears();
        self.blue_hears();
        self.red_hears();
        self.step()
    }

    /// Ticks until everything given is applied; each command with the tick it was applied in.
    pub fn drain(&mut self) -> Vec<(u32, ToyCommand)> {
        let mut applied = vec![];
        let mut quiet = 0;
        while quiet < 20 {
            let tick = self.blue.status(self.now()).tick.0;
            let orders = self.tick();
            quiet = if orders.is_empty() { quiet + 1 } else { 0 };
            applied.extend(orders.into_iter().map(|order| (tick, order.command)));
        }
        applied
    }

    /// A frame of blue as red would read it: key, from, to, and which turns have commands.
    pub fn described(&self, frame: &OutFrame) -> (u32, u32, u32, Vec<u32>) {
        let red = self.red.status(self.now());
        let expect = Expect {
            to: red.ack_through,
            tick: red.tick,
        };
        let decoded = GameFrame::decode(frame.bits.as_bitslice(), expect, &ToyCodec).unwrap();
        let turns = decoded.turns.iter().map(|turn| turn.turn).collect();
        (frame.key, decoded.from, decoded.to, turns)
    }

    /// Blue refuses `bits`, and nothing of it has changed.
    pub fn refuse(&mut self, bits: &FrameBits) -> FrameError {
        let (now, before) = (self.now(), self.blue.clone());
        let why = self
            .blue
            .handle_frame(now, bits.as_bitslice())
            .expect_err("refused");
        let [after, before] = [&self.blue, &before].map(|phone| state_after(phone, Some(&why)));
        assert_eq!(after, before, "a refused frame changes nothing: {why}");
        why
    }

    pub fn blue_tick(&self) -> Tick {
        self.blue.status(self.now()).tick
    }

    /// A frame of red as it would be, with one thing changed.
    pub fn forged(&self, change: impl FnOnce(&mut GameFrame<'_>)) -> FrameBits {
        self.try_forged(change).unwrap()
    }

    pub fn try_forged(
        &self,
        change: impl FnOnce(&mut GameFrame<'_>),
    ) -> Result<FrameBits, EncodeError> {
        let red = self.red.status(self.now());
        let mut frame = GameFrame {
            paused: false,
            end: End::Playing,
            rxq: 0,
            from: red.newest_sealed,
            to: red.newest_sealed,
            tick: red.tick,
            ack_through: red.ack_through,
            turns: Default::default(),
            checkpoint: None,
        };
        change(&mut frame);
        let mut bits = bitvec![u8, Msb0; 0; 256];
        let mut out = BitWriter::new(&mut bits);
        frame.encode(&mut out)?;
        let len = out.len();
        Ok(FrameBits::from_bitslice(&bits[..len]).unwrap())
    }

    /// Blue hears `bits` at `ms` from now on.
    pub fn blue_hears_at(&mut self, ms: u64, bits: &FrameBits) -> Result<(), FrameError> {
        let at = LinkTime::from_ms(self.ms + ms);
        self.blue.handle_frame(at, bits.as_bitslice())
    }
}

/// Everything a phone holds, word for word. A frame refused as `why` changes nothing of it; but a peer that claims what it
/// cannot have done is remembered to have said so, and only that may differ.
pub fn state_after(phone: &Lockstep<ToyCodec>, why: Option<&FrameError>) -> String {
    let whole = format!("{phone:?}");
    match why {
        Some(FrameError::AckAhead { .. } | FrameError::TickAhead { .. }) => {
            let (before, rest) = whole
                .split_once("claims: Claims {")
                .expect("kept of a peer");
            let (_, after) = rest.split_once("} }").expect("closed again");
            format!("{before}{after}")
        }
        _ => whole,
    }
}
