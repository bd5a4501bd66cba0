//! What one direction of a simulated link does to what goes through it. Knows neither peers nor lanes.

use alloc::vec::Vec;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

/// What IP and UDP put before every datagram, in bytes.
pub const UDP_IP_BYTES: usize = 28;

/// How packets get lost. Shares are between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Loss {
    /// None does.
    #[default]
    None,
    /// Each `n`-th one does, counted from the first; 0: none.
    Every(u32),
    /// Each independently, with this probability.
    Bernoulli(f64),
    /// In bursts, by a Gilbert–Elliott chain that steps once a packet: all are lost in its bad state.
    PacketBursts {
        /// Share of packets lost in the long run, below 1.
        share: f64,
        /// Mean length of a burst, in packets; at least 1.
        mean_packets: f64,
    },
    /// In bursts, by a Gilbert–Elliott chain that steps once a millisecond, however few packets there are.
    TimeBursts {
        /// Share of the time lost in the long run, below 1.
        share: f64,
        /// Mean length of a burst, in milliseconds; at least 1.
        mean_ms: f64,
    },
}

/// One direction of a link. Shares are between 0 and 1.
///
/// ```
/// use net_transport::{LinkConfig, Loss};
/// let link = LinkConfig::default().latency_us(50_000).jitter_us(10_000).loss(Loss::Bernoulli(0.1));
/// assert_eq!(link.jitter_us, 10_000);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LinkConfig {
    /// One way, from the moment that a packet has left the sender's queue, in microseconds.
    pub latency_us: u64,
    /// Each packet takes this much longer or shorter, uniformly: it reorders where it is longer than the distance
    /// between packets. Never shorter than nothing.
    pub jitter_us: u64,
    /// Share of packets that take [`LinkConfig::reorder_us`] longer.
    pub reorder: f64,
    /// How much longer those take, in microseconds.
    pub reorder_us: u64,
    /// How packets get lost.
    pub loss: Loss,
    /// Share of packets that arrive twice, each copy with a jitter of its own.
    pub duplicate: f64,
    /// Share of packets of the fast lane that arrive damaged: one to three bits turned, cut short, or four bytes
    /// overwritten, a third of them each.
    pub damage: f64,
    /// Bits a second, [`UDP_IP_BYTES`] a packet counted in; 0: no limit.
    pub bandwidth_bps: u64,
    /// How long a packet may wait for its turn where there is a limit, in microseconds; what would wait longer is lost.
    pub queue_us: u64,
}

impl LinkConfig {
    /// With this latency, one way.
    #[must_use]
    pub const fn latency_us(self, latency_us: u64) -> Self {
        Self { latency_us, ..self }
    }
    /// With this jitter, either way.
    #[must_use]
    pub const fn jitter_us(self, jitter_us: u64) -> Self {
        Self { jitter_us, ..self }
    }
    /// With this share of packets held back for so long.
    #[must_use]
    pub const fn reorder(self, share: f64, reorder_us: u64) -> Self {
        Self {
            reorder: share,
            reorder_us,
            ..self
        }
    }
    /// With this loss.
    #[must_use]
    pub const fn loss(self, loss: Loss) -> Self {
        Self { loss, ..self }
    }
    /// With this share of packets arriving twice.
    #[must_use]
    pub const fn duplicate(self, share: f64) -> Self {
        Self {
            duplicate: share,
            ..self
        }
    }
    /// With this share of packets arriving damaged.
    #[must_use]
    pub const fn damage(self, share: f64) -> Self {
        Self {
            damage: share,
            ..self
        }
    }
    /// With this bandwidth, and a queue of this length before it.
    #[must_use]
    pub const fn bandwidth(self, bandwidth_bps: u64, queue_us: u64) -> Self {
        Self {
            bandwidth_bps,
            queue_us,
            ..self
        }
    }
}

/// What went through one direction of a link so far, all lanes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkCounters {
    /// Packets sent, repeated segments of the reliable lane among them.
    pub packets: u64,
    /// Bytes of those packets, as handed over.
    pub bytes: u64,
    /// The same with [`UDP_IP_BYTES`] a packet.
    pub wire_bytes: u64,
    /// Packets lost on the way or in an outage.
    pub lost: u64,
    /// Packets lost because the queue was full.
    pub overflowed: u64,
    /// Packets that arrived damaged.
    pub damaged: u64,
    /// Packets that arrived twice.
    pub duplicated: u64,
}

/// A seeded chain of losses.
#[derive(Debug)]
struct LossChain {
    rng: Pcg32,
    bad: bool,
    counted: u32,
    stepped_to_ms: u64,
}

/// After a gap this long a chain that steps once a millisecond has forgotten its state.
const FORGOTTEN_MS: u64 = 4_000;

impl LossChain {
    fn new(seed: u64) -> Self {
        Self {
            rng: Pcg32::seed_from_u64(seed),
            bad: false,
            counted: 0,
            stepped_to_ms: 0,
        }
    }

    /// Whether a packet that goes at `now_us` is lost. Runs at most [`FORGOTTEN_MS`] steps.
    fn loses(&mut self, loss: Loss, now_us: u64) -> bool {
        match loss {
            Loss::None => false,
            Loss::Every(n) => {
                self.counted += 1;
                let lost = n > 0 && self.counted >= n;
                if lost {
                    self.counted = 0;
                }
                lost
            }
            Loss::Bernoulli(share) => chance(&mut self.rng, share),
            Loss::PacketBursts {
                share,
                mean_packets,
            } => {
                self.step(share, mean_packets);
                self.bad
            }
            Loss::TimeBursts { share, mean_ms } => {
                let now_ms = now_us / 1_000;
                let gap_ms = now_ms.saturating_sub(self.stepped_to_ms);
                if gap_ms > FORGOTTEN_MS {
                    self.bad = chance(&mut self.rng, share);
                } else {
                    (0..gap_ms).for_each(|_| self.step(share, mean_ms));
                }
                self.stepped_to_ms = self.stepped_to_ms.max(now_ms);
                self.bad
            }
        }
    }

    /// Whether a packet that was lost before is lost once more at `now_us`, a round trip later: a burst of packets has
    /// passed by then, since others went in between.
    fn loses_again(&mut self, loss: Loss, now_us: u64) -> bool {
        match loss {
            Loss::PacketBursts { share, .. } => chance(&mut self.rng, share),
            Loss::Every(n) => n == 1,
            loss => self.loses(loss, now_us),
        }
    }

    /// One step of the chain whose bad state holds `share` of the steps, `mean` of them on end.
    fn step(&mut self, share: f64, mean: f64) {
        let to_good = 1.0 / mean.max(1.0);
        let to_bad = to_good * share / (1.0 - share.min(0.999));
        self.bad ^= chance(&mut self.rng, if self.bad { to_good } else { to_bad });
    }
}

/// True with probability `share`.
fn chance(rng: &mut Pcg32, share: f64) -> bool {
    share > 0.0 && f64::from(rng.next_u32()) < share * 4_294_967_296.0
}

/// Uniform in `0..below`; 0 for `below` 0.
fn draw(rng: &mut Pcg32, below: u64) -> u64 {
    match below {
        0 => 0,
        _ => rng.next_u64() % below,
    }
}

/// One direction of a link: its troubles, its queue and its counters.
#[derive(Debug)]
pub(super) struct Link {
    pub config: LinkConfig,
    pub counters: LinkCounters,
    /// Stretches in which nothing passes, `[from, to)` in microseconds.
    outages: Vec<(u64, u64)>,
    /// Until when what was sent keeps the bottleneck busy.
    busy_until_us: u64,
    rng: Pcg32,
    datagrams: LossChain,
    segments: LossChain,
}

/// When the copies of a packet arrive, microseconds.
pub(super) type Arrivals = [Option<u64>; 2];

impl Link {
    pub fn new(config: LinkConfig, seed: u64) -> Self {
        Self {
            config,
            counters: LinkCounters::default(),
            outages: Vec::new(),
            busy_until_us: 0,
            rng: Pcg32::seed_from_u64(seed),
            datagrams: LossChain::new(seed ^ 0x6461_7461),
            segments: LossChain::new(seed ^ 0x7365_676D),
        }
    }

    pub fn add_outage(&mut self, from_us: u64, to_us: u64) {
        self.outages.push((from_us, to_us));
    }

    pub fn end_outages(&mut self, now_us: u64) {
        for outage in &mut self.outages {
            outage.1 = outage.1.min(now_us);
        }
        self.outages.retain(|outage| outage.0 < outage.1);
    }

    pub fn is_out(&self, now_us: u64) -> bool {
        let holds = |outage: &(u64, u64)| (outage.0..outage.1).contains(&now_us);
        self.outages.iter().any(holds)
    }

    /// When the bottleneck has sent everything so far.
    pub fn free_at_us(&self) -> u64 {
        self.busy_until_us
    }

    /// Sends a datagram of `length` bytes at `now_us`.
    pub fn datagram(&mut self, now_us: u64, length: usize) -> Arrivals {
        let Some(left_us) = self.leave(now_us, length) else {
            return [None; 2];
        };
        if self.is_out(now_us) || self.datagrams.loses(self.config.loss, now_us) {
            self.counters.lost += 1;
            return [None; 2];
        }
        let first = self.arrival(left_us);
        if !chance(&mut self.rng, self.config.duplicate) {
            return [Some(first), None];
        }
        self.counters.duplicated += 1;
        [Some(first), Some(self.arrival(left_us))]
    }

    /// Sends a segment of the reliable lane at `now_us`: when it has arrived at last, lost `retry_us` apart as often
    /// as the link's loss has it.
    pub fn segment(&mut self, now_us: u64, length: usize, retry_us: u64) -> u64 {
        if let Some(left_us) = self.leave(now_us, length) {
            if !self.segments.loses(self.config.loss, now_us) {
                return self.arrival(left_us);
            }
            self.counters.lost += 1;
        }
        let (mut at_us, mut wait_us) = (now_us, retry_us);
        // A link that loses everything gets it through at the last try: a real lane would break first.
        for _ in 0..RETRIES_MAX {
            at_us += wait_us;
            wait_us = (wait_us * 2).min(RETRY_US_MAX);
            // It goes between others, and the queue of that moment is not known yet.
            self.count(length);
            if !self.segments.loses_again(self.config.loss, at_us) {
                break;
            }
            self.counters.lost += 1;
        }
        self.arrival(at_us)
    }

    /// Counts a packet and queues it: when it has left, or `None` if the queue is full.
    fn leave(&mut self, now_us: u64, length: usize) -> Option<u64> {
        let wire_bytes = self.count(length);
        if self.config.bandwidth_bps == 0 {
            return Some(now_us);
        }
        let start_us = self.busy_until_us.max(now_us);
        if start_us - now_us > self.config.queue_us {
            self.counters.overflowed += 1;
            return None;
        }
        self.busy_until_us = start_us + wire_bytes * 8_000_000 / self.config.bandwidth_bps;
        Some(self.busy_until_us)
    }

    /// Counts a packet: its bytes on the wire.
    fn count(&mut self, length: usize) -> u64 {
        let wire_bytes = (length + UDP_IP_BYTES) as u64;
        self.counters.packets += 1;
        self.counters.bytes += length as u64;
        self.counters.wire_bytes += wire_bytes;
        wire_bytes
    }

    fn arrival(&mut self, left_us: u64) -> u64 {
        let config = self.config;
        let jitter_us = draw(&mut self.rng, 2 * config.jitter_us + 1);
        let held_us = match chance(&mut self.rng, config.reorder) {
            true => config.reorder_us,
            false => 0,
        };
        left_us + (config.latency_us + jitter_us).saturating_sub(config.jitter_us) + held_us
    }

    /// Damages `bytes` if it is their turn.
    pub fn damage(&mut self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() || !chance(&mut self.rng, self.config.damage) {
            return;
        }
        self.counters.damaged += 1;
        let length = bytes.len() as u64;
        match draw(&mut self.rng, 3) {
            0 => {
                for _ in 0..=draw(&mut self.rng, 3) {
                    let bit = draw(&mut self.rng, 8 * length);
                    bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
                }
            }
            1 => bytes.truncate(draw(&mut self.rng, length) as usize),
            _ => {
                let from = draw(&mut self.rng, length) as usize;
                let noise = self.rng.next_u32().to_le_bytes();
                for (byte, noise) in bytes[from..].iter_mut().zip(noise) {
                    *byte = noise;
                }
            }
        }
    }
}

/// How often a segment is tried on a link that loses it again and again.
const RETRIES_MAX: u32 = 16;
/// The longest wait between two tries, as of a real reliable lane.
const RETRY_US_MAX: u64 = 1_000_000;
