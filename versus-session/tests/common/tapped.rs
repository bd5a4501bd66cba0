//! A link's end under observation: it remembers what it handed out, takes more packets, and mistreats those it gets.

use super::{Dice, damaged};
use link_transport::{
    AirEnd, LinkEvent, LinkPacket, LinkStats, LinkTime, LinkTransport, Mode, OutFrame, SessionKey,
};
use std::collections::VecDeque;
use versus_lockstep::GamePeek;

/// A link's end that remembers what it handed out, and to which more packets can be given.
pub struct Tapped {
    pub end: AirEnd,
    /// Every packet of the air, as it was before anything here harmed it.
    pub heard: Vec<LinkPacket>,
    pub sent: Vec<Vec<OutFrame>>,
    pub injected: VecDeque<LinkPacket>,
    /// Every session key set, those of earlier incarnations included.
    pub keys: Vec<SessionKey>,
    /// Percent of packets that arrive twice, and of those that arrive after the next one.
    pub twice: u32,
    pub late: u32,
    /// Of so many deliveries one is damaged, and its CRC fits all the same; 0 for none.
    pub damage_one_in: u32,
    /// What was damaged: as it was sent, and as it was handed out.
    pub damaged: Vec<[LinkPacket; 2]>,
    /// Packets of the air handed out unharmed.
    pub unharmed: u32,
    /// How many moments had an unharmed game frame, recordings included, that said each end code.
    pub ends_heard: [u32; 4],
    last_heard: [Option<LinkTime>; 4],
    pub dice: Dice,
    pub(super) clock: Clock,
    held: Option<LinkPacket>,
    /// The key of the match that each packet of `heard` belongs to, if it is a match's.
    heard_keys: Vec<Option<SessionKey>>,
    /// The key this incarnation listens under.
    key: Option<SessionKey>,
}

/// A phone's clock: where it starts, and how fast it runs off the air's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) start: LinkTime,
    pub(super) drift_ppm: i64,
}

impl Clock {
    pub(super) fn own(self, air: LinkTime) -> LinkTime {
        self.scale(air, 1_000_000 + self.drift_ppm, 1_000_000)
    }
    fn air(self, own: LinkTime) -> LinkTime {
        self.scale(own, 1_000_000, 1_000_000 + self.drift_ppm)
    }
    fn scale(self, at: LinkTime, by: i64, of: i64) -> LinkTime {
        let since_us = at.since(self.start).as_micros();
        let scaled = since_us * by.unsigned_abs() as u128 / of.unsigned_abs() as u128;
        LinkTime::from_us(self.start.as_us() + scaled as u64)
    }
}

impl Tapped {
    pub fn new(end: AirEnd, start: LinkTime, seed: u32) -> Self {
        Self {
            end,
            heard: Vec::new(),
            sent: Vec::new(),
            injected: VecDeque::new(),
            keys: Vec::new(),
            twice: 0,
            late: 0,
            damage_one_in: 0,
            damaged: Vec::new(),
            unharmed: 0,
            ends_heard: [0; 4],
            last_heard: [None; 4],
            dice: Dice::new(seed),
            clock: Clock {
                start,
                drift_ppm: 0,
            },
            held: None,
            heard_keys: Vec::new(),
            key: None,
        }
    }

    /// The same end once its phone has started anew: it sends nothing, knows no key, and has lost what was on its way.
    pub fn reborn(&mut self) -> Self {
        self.end.send(&[]);
        let take = core::mem::take::<Vec<LinkPacket>>;
        Self {
            heard: take(&mut self.heard),
            heard_keys: core::mem::take(&mut self.heard_keys),
            sent: core::mem::take(&mut self.sent),
            keys: core::mem::take(&mut self.keys),
            damaged: core::mem::take(&mut self.damaged),
            ends_heard: self.ends_heard,
            unharmed: self.unharmed,
            twice: self.twice,
            late: self.late,
            damage_one_in: self.damage_one_in,
            clock: self.clock,
            ..Self::new(self.end.clone(), self.clock.start, self.dice.roll(u32::MAX))
        }
    }

    /// What arrives until `now` is heard by nobody.
    pub fn miss(&mut self, now: LinkTime) {
        while self.end.poll(self.clock.air(now)).is_some() {}
    }

    /// One packet of an earlier moment, if a modem that listens now would let it pass: its CRC fits no other key.
    pub fn recorded(&self, dice: &mut Dice) -> Option<LinkPacket> {
        let at = dice.roll(
            u32::try_from(self.heard.len())
                .ok()
                .filter(|&len| len > 0)?,
        ) as usize;
        let (packet, key) = (self.heard[at], self.heard_keys[at]);
        (!packet.session || key == self.key).then_some(packet)
    }

    /// What is handed out of a packet that has come this far.
    fn deliver(&mut self, now: LinkTime, packet: LinkPacket) -> LinkPacket {
        if self.damage_one_in > 0 && self.dice.roll(self.damage_one_in) == 0 {
            let harmed = damaged(&packet, &mut self.dice);
            self.damaged.push([packet, harmed]);
            return harmed;
        }
        // A lobby frame that a test keyed says nothing of an end.
        if packet.session
            && let Some(code) = end_code(&packet)
        {
            let last = self.last_heard[code].replace(now);
            self.ends_heard[code] += u32::from(last != Some(now));
        }
        packet
    }
}

/// What a game frame says of its sender's end.
pub fn end_code(packet: &LinkPacket) -> Option<usize> {
    GamePeek::of(packet.bits.as_bitslice()).map(|peek| peek.end.code().into())
}

impl LinkTransport for Tapped {
    fn send(&mut self, frames: &[OutFrame]) {
        self.sent.push(frames.to_vec());
        self.end.send(frames);
    }
    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        if let Some(mut packet) = self.injected.pop_front() {
            packet.at = now;
            return Some(LinkEvent::Packet(self.deliver(now, packet)));
        }
        loop {
            return Some(match self.end.poll(self.clock.air(now))? {
                // The air remembers the key of the incarnation before.
                LinkEvent::Packet(packet) if packet.session && self.key.is_none() => continue,
                LinkEvent::Packet(mut packet) => {
                    packet.at = self.clock.own(packet.at);
                    self.heard.push(packet);
                    self.heard_keys.push(self.key.filter(|_| packet.session));
                    if self.held.is_none() && self.dice.chance(self.late) {
                        self.held = Some(packet);
                        continue;
                    }
                    if self.dice.chance(self.twice) {
                        self.injected.push_back(packet);
                    }
                    self.injected.extend(self.held.take());
                    let damaged = self.damaged.len();
                    let packet = self.deliver(now, packet);
                    self.unharmed += u32::from(self.damaged.len() == damaged);
                    LinkEvent::Packet(packet)
                }
                LinkEvent::Slot(mut slot) => {
                    slot.at = self.clock.own(slot.at);
                    LinkEvent::Slot(slot)
                }
                other => other,
            });
        }
    }
    fn now(&self) -> LinkTime {
        self.clock.own(self.end.now())
    }
    fn set_mode(&mut self, mode: Mode) {
        self.end.set_mode(mode);
    }
    fn set_session_key(&mut self, key: SessionKey) {
        self.keys.push(key);
        self.key = Some(key);
        self.end.set_session_key(key);
    }
    fn stats(&self) -> LinkStats {
        let mut stats = self.end.stats();
        stats.last_rx = stats.last_rx.map(|at| self.clock.own(at));
        stats
    }
    fn close(&mut self) {
        self.end.close();
    }
}
