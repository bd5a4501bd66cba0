//! A conversation through the room in which every packet is different, and what came of it: the measure of delivery,
//! recovery and acquisition.

use crate::{
    config::RoomProblem,
    dice::Dice,
    link::{RoomEnd, RoomLink, RoomLinkConfig},
    room::Fault,
};
use link_transport::{
    FrameBits, LinkEvent, LinkPacket, LinkTime, LinkTransport, OutFrame, capacity_bits,
};
use std::{
    collections::HashMap,
    iter::Sum,
    ops::{Add, Range},
    time::Duration,
};

/// How often the ends are polled: as often as their devices hand over a block.
const STEP: Duration = Duration::from_micros(2_500);

/// Two phones that send each other ever new random frames, both at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The link.
    pub link: RoomLinkConfig,
    /// What happens to it on the way.
    pub faults: Vec<Fault>,
    /// How long they talk.
    pub lasts: Duration,
    /// Decides the room, as in [`RoomLink::pair`], and the frames.
    pub seed: u64,
}

/// What one phone sent and the other received.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Direction {
    /// Each packet sent: its frame's key and its start on the sender's clock, in order.
    pub sent: Vec<(u32, LinkTime)>,
    /// Each packet received, in order.
    pub received: Vec<Received>,
    /// Packets received that were never sent, or came twice. There must be none.
    pub wrong: usize,
}

/// A packet that arrived.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// The key of the frame it carried.
    pub key: u32,
    /// The packet.
    pub packet: LinkPacket,
    /// When the link handed it over, on the receiver's clock, to 2.5 ms. A packet is complete before it is decoded.
    pub handed_over: LinkTime,
}

/// Packets sent and received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// How many were sent.
    pub sent: usize,
    /// How many of these were received.
    pub received: usize,
}

impl Trial {
    /// A conversation without faults.
    #[must_use]
    pub const fn new(link: RoomLinkConfig, lasts: Duration, seed: u64) -> Self {
        Self {
            link,
            faults: Vec::new(),
            lasts,
            seed,
        }
    }

    /// Why there can be no such room; `None` if there can.
    #[must_use]
    pub fn problem(&self) -> Option<RoomProblem> {
        self.link.room.problem()
    }

    /// Holds the conversation: what went to the guest, and what went to the host. Takes seconds of work for minutes of
    /// sound.
    ///
    /// # Panics
    /// If [`RoomLinkConfig::rate_problem`] or [`Trial::problem`] is not `None`.
    #[must_use]
    pub fn run(&self) -> [Direction; 2] {
        let (mut host, guest) = RoomLink::pair(self.link.clone(), self.seed);
        for fault in &self.faults {
            host.inject(*fault);
        }
        let nbits = capacity_bits(self.link.plan);
        let mut talkers = [host, guest].map(|end| Talker {
            end,
            frames: HashMap::new(),
        });
        let mut frames = Frames {
            dice: Dice::new(self.seed, 96),
            nbits,
            next_key: 1,
        };
        let mut directions = [Direction::default(), Direction::default()];
        for talker in &mut talkers {
            talker.send_another(&mut frames);
        }
        let mut room_time = Duration::ZERO;
        while room_time < self.lasts {
            room_time += STEP;
            for index in 0..2 {
                let now = talkers[index].end.clock(room_time);
                while let Some(event) = talkers[index].end.poll(now) {
                    match event {
                        LinkEvent::Packet(packet) => {
                            let direction = &mut directions[1 - index];
                            match talkers[1 - index].key_of(&packet.bits) {
                                Some(key)
                                    if !direction.received.iter().any(|seen| seen.key == key) =>
                                {
                                    direction.received.push(Received {
                                        key,
                                        packet,
                                        handed_over: now,
                                    });
                                }
                                _ => direction.wrong += 1,
                            }
                        }
                        LinkEvent::Slot(slot) => {
                            if let Some(key) = slot.key {
                                directions[index].sent.push((key, slot.at));
                            }
                            talkers[index].send_another(&mut frames);
                        }
                        _ => {}
                    }
                }
            }
        }
        directions
    }
}

struct Talker {
    end: RoomEnd,
    /// Each frame ever handed to the link.
    frames: HashMap<FrameBits, u32>,
}

struct Frames {
    dice: Dice,
    nbits: usize,
    next_key: u32,
}

impl Talker {
    fn send_another(&mut self, frames: &mut Frames) {
        let bytes: [u8; 24] = std::array::from_fn(|_| (frames.dice.unit() * 256.0) as u8);
        let (bits, key) = (FrameBits::from_bytes(&bytes, frames.nbits), frames.next_key);
        frames.next_key += 1;
        self.frames.insert(bits, key);
        self.end.send(&[OutFrame {
            bits,
            key,
            keyed: false,
        }]);
    }

    fn key_of(&self, bits: &FrameBits) -> Option<u32> {
        self.frames.get(bits).copied()
    }
}

impl Direction {
    /// Of the packets that started in `span`, on the sender's clock: how many, and how many arrived.
    #[must_use]
    pub fn delivered(&self, span: Range<LinkTime>) -> Tally {
        let arrived: Vec<u32> = self.received.iter().map(|seen| seen.key).collect();
        let in_span = self.sent.iter().filter(|(_, at)| span.contains(at));
        in_span
            .map(|(key, _)| Tally {
                sent: 1,
                received: usize::from(arrived.contains(key)),
            })
            .sum()
    }

    /// How long after `time` the first packet was handed over that had started to leave at `time` or later. Both ends'
    /// clocks are taken for one: give or take their drift. `None` if none came.
    #[must_use]
    pub fn first_after(&self, time: LinkTime) -> Option<Duration> {
        let started: HashMap<u32, LinkTime> = self.sent.iter().copied().collect();
        self.received
            .iter()
            .find(|seen| started.get(&seen.key).is_some_and(|at| *at >= time))
            .map(|seen| seen.handed_over.since(time))
    }

    /// How long after `time`, on the receiver's clock, the first packet was handed over, whenever it had started. `None` if none
    /// was.
    #[must_use]
    pub fn first_heard_after(&self, time: LinkTime) -> Option<Duration> {
        let mut times = self.received.iter().map(|seen| seen.handed_over);
        times
            .find(|handed_over| *handed_over >= time)
            .map(|handed_over| handed_over.since(time))
    }

    /// Of each packet received: when it started on the sender's clock, and when it was complete on the receiver's.
    #[must_use]
    pub fn journeys(&self) -> Vec<(LinkTime, LinkTime)> {
        let started: HashMap<u32, LinkTime> = self.sent.iter().copied().collect();
        self.received
            .iter()
            .filter_map(|seen| started.get(&seen.key).map(|at| (*at, seen.packet.at)))
            .collect()
    }

    /// Mean effective signal-to-noise ratio of the packets received, dB. `None` if there are none.
    #[must_use]
    pub fn snr_db(&self) -> Option<f64> {
        let readings: Vec<f64> = self
            .received
            .iter()
            .filter_map(|seen| seen.packet.snr_db.map(f64::from))
            .collect();
        (!readings.is_empty()).then(|| readings.iter().sum::<f64>() / readings.len() as f64)
    }
}

impl Tally {
    /// Share received; `None` of nothing.
    #[must_use]
    pub fn percent(self) -> Option<f64> {
        (self.sent > 0).then(|| 100.0 * self.received as f64 / self.sent as f64)
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            sent: self.sent + other.sent,
            received: self.received + other.received,
        }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), Add::add)
    }
}
