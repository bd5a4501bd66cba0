//! A simulated link at the level of packets: two ends, latency, phases, seeded loss. No sound, no modem.

use crate::{
    FrameBits, LinkEvent, LinkPacket, LinkStats, LinkTime, LinkTransport, Mode, OutFrame, Plan,
    Role, Rotation, SessionKey, Slot, capacity_bits, packet_ms,
};
use alloc::{collections::VecDeque, rc::Rc};
use core::{cell::RefCell, time::Duration};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

/// How packets sent by one end get lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// None does.
    None,
    /// Every one does: a dropout.
    All,
    /// Each independently, with this probability.
    Bernoulli(f64),
    /// In bursts: a two-state chain that steps once a packet.
    GilbertElliott {
        /// Probability of a step from the good state to the bad.
        to_bad: f64,
        /// Probability of a step from the bad state to the good.
        to_good: f64,
        /// Probability of loss in the good state.
        lost_in_good: f64,
        /// Probability of loss in the bad state.
        lost_in_bad: f64,
    },
}

/// The simulated air. Array entries belong to the host's end, then the guest's.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AirConfig {
    /// The band plan: it gives the packet periods and the capacity.
    pub plan: Plan,
    /// From a packet's start to its last sample received; never less than the packet itself takes.
    pub latency: Duration,
    /// How the packets that each end sends get lost.
    pub loss: [Loss; 2],
    /// What each end reports as the signal-to-noise ratio of what it hears.
    pub snr_db: [f32; 2],
    /// Where each end's clock starts.
    pub clock_start: [LinkTime; 2],
    /// A capacity other than the plan's.
    pub capacity_bits: Option<usize>,
}

impl Default for AirConfig {
    /// The high plan, 250 ms, no loss, 21 dB, both clocks at zero.
    fn default() -> Self {
        Self {
            plan: Plan::High,
            latency: Duration::from_millis(250),
            loss: [Loss::None; 2],
            snr_db: [21.0; 2],
            clock_start: [LinkTime::ZERO; 2],
            capacity_bits: None,
        }
    }
}

impl AirConfig {
    /// Sets [`Self::plan`].
    #[must_use]
    pub const fn with_plan(mut self, plan: Plan) -> Self {
        self.plan = plan;
        self
    }

    /// Sets [`Self::latency`].
    #[must_use]
    pub const fn with_latency(mut self, latency: Duration) -> Self {
        self.latency = latency;
        self
    }

    /// Sets [`Self::loss`].
    #[must_use]
    pub const fn with_loss(mut self, loss: [Loss; 2]) -> Self {
        self.loss = loss;
        self
    }

    /// Sets [`Self::snr_db`].
    #[must_use]
    pub const fn with_snr_db(mut self, snr_db: [f32; 2]) -> Self {
        self.snr_db = snr_db;
        self
    }

    /// Sets [`Self::clock_start`].
    #[must_use]
    pub const fn with_clock_start(mut self, clock_start: [LinkTime; 2]) -> Self {
        self.clock_start = clock_start;
        self
    }

    /// Sets [`Self::capacity_bits`].
    #[must_use]
    pub fn with_capacity_bits(mut self, capacity_bits: impl Into<Option<usize>>) -> Self {
        self.capacity_bits = capacity_bits.into();
        self
    }
}

/// The peer counts as followed for this long after a packet, as a modem's lock does.
const LOCKED_US: u64 = 2_000_000;
/// Events kept for an end that does not poll; the oldest go first.
const EVENTS_MAX: usize = 1024;

/// Two connected ends of a simulated link.
#[derive(Debug)]
pub struct PacketAir {
    config: AirConfig,
    /// Air time that everything up to has happened, microseconds.
    done_us: u64,
    ends: [EndState; 2],
}

#[derive(Debug)]
struct EndState {
    rng: Pcg32,
    in_bad_state: bool,
    rotation: Rotation,
    mode: Mode,
    on_air: Mode,
    key: Option<SessionKey>,
    next_start_us: u64,
    slots: VecDeque<(u64, Option<u32>)>,
    inbox: VecDeque<Arrival>,
    rx_ok: u64,
    rx_bad: u64,
    rx_mode: Option<Mode>,
    last_rx_us: Option<u64>,
    snr_db: Option<f32>,
    closed: bool,
}

#[derive(Debug)]
struct Arrival {
    at_us: u64,
    mode: Mode,
    /// `None`: lost.
    bits: Option<(FrameBits, Option<SessionKey>)>,
}

impl PacketAir {
    /// The host's end and the guest's. `seed` decides the packets lost and the phase of each end's packets.
    #[must_use]
    pub fn pair(config: AirConfig, seed: u64) -> (AirEnd, AirEnd) {
        let ends = [Role::Host, Role::Guest].map(|role| {
            let mut rng = Pcg32::seed_from_u64(seed ^ (role.index() as u64) << 63);
            let period_us = u64::from(packet_ms(config.plan, Mode::Robust)) * 1000;
            EndState {
                next_start_us: u64::from(rng.next_u32()) % period_us,
                rng,
                in_bad_state: false,
                rotation: Rotation::default(),
                mode: Mode::Robust,
                on_air: Mode::Robust,
                key: None,
                slots: VecDeque::new(),
                inbox: VecDeque::new(),
                rx_ok: 0,
                rx_bad: 0,
                rx_mode: None,
                last_rx_us: None,
                snr_db: None,
                closed: false,
            }
        });
        let air = Rc::new(RefCell::new(Self {
            config,
            done_us: 0,
            ends,
        }));
        let end = |role| AirEnd {
            air: Rc::clone(&air),
            role,
            now: config.clock_start[Role::index(role)],
        };
        (end(Role::Host), end(Role::Guest))
    }

    /// Lets everything up to `until_us` happen, in order of time, whichever end asks.
    fn advance(&mut self, until_us: u64) {
        loop {
            let sender = usize::from(self.ends[1].next_start_us < self.ends[0].next_start_us);
            if self.ends[sender].next_start_us > until_us {
                break;
            }
            self.start_packet(sender);
        }
        self.done_us = self.done_us.max(until_us);
    }

    fn start_packet(&mut self, sender: usize) {
        let capacity = self
            .config
            .capacity_bits
            .unwrap_or(capacity_bits(self.config.plan));
        let loss = self.config.loss[sender];
        let end = &mut self.ends[sender];
        let start_us = end.next_start_us;
        end.on_air = end.mode;
        let period_us = u64::from(packet_ms(self.config.plan, end.on_air)) * 1000;
        end.next_start_us += period_us;
        // The draw comes before anything else can return, so that closing an end shifts no other end's losses.
        let lost = end.draw_loss(loss);
        if end.closed {
            return;
        }
        let frame = end.rotation.latch(capacity);
        push_bounded(&mut end.slots, (start_us, frame.map(|frame| frame.key)));
        let key = frame.filter(|frame| frame.keyed).and(end.key);
        let bits = frame.map_or(FrameBits::zeros(capacity), |frame| {
            frame.bits.resized(capacity)
        });
        let latency_us = u64::try_from(self.config.latency.as_micros()).unwrap_or(u64::MAX / 4);
        let arrival = Arrival {
            at_us: start_us + latency_us.max(period_us),
            mode: end.on_air,
            bits: (!lost).then_some((bits, key)),
        };
        push_bounded(&mut self.ends[1 - sender].inbox, arrival);
    }

    /// The end's next event up to `now_us`, with its air time.
    fn next_event(&mut self, role: Role, now_us: u64) -> Option<(u64, AirEvent)> {
        let snr_db = self.config.snr_db[role.index()];
        let end = &mut self.ends[role.index()];
        loop {
            let slot = end.slots.front().map(|slot| slot.0);
            let arrival = end.inbox.front().map(|arrival| arrival.at_us);
            if slot.is_some_and(|at| at <= now_us && arrival.is_none_or(|other| at <= other)) {
                let (at_us, key) = end.slots.pop_front()?;
                return Some((at_us, AirEvent::Slot(key)));
            }
            arrival.filter(|&at| at <= now_us)?;
            let arrival = end.inbox.pop_front()?;
            if let Some((bits, session)) = end.receive(&arrival, snr_db) {
                return Some((arrival.at_us, AirEvent::Packet(bits, session)));
            }
        }
    }
}

enum AirEvent {
    Slot(Option<u32>),
    Packet(FrameBits, bool),
}

impl EndState {
    /// Draws what becomes of the next packet, a step of the chain and a chance: true if it is lost.
    fn draw_loss(&mut self, loss: Loss) -> bool {
        let step = self.chance();
        let draw = self.chance();
        match loss {
            Loss::None => false,
            Loss::All => true,
            Loss::Bernoulli(p) => draw < p,
            Loss::GilbertElliott {
                to_bad,
                to_good,
                lost_in_good,
                lost_in_bad,
            } => {
                self.in_bad_state = if self.in_bad_state {
                    step >= to_good
                } else {
                    step < to_bad
                };
                draw < if self.in_bad_state {
                    lost_in_bad
                } else {
                    lost_in_good
                }
            }
        }
    }

    /// Uniform in 0..1.
    fn chance(&mut self) -> f64 {
        f64::from(self.rng.next_u32()) / 4_294_967_296.0
    }

    /// What a modem would deliver of it: a packet whose CRC starts from a key not held here fails.
    fn receive(&mut self, arrival: &Arrival, snr_db: f32) -> Option<(FrameBits, bool)> {
        if self.closed {
            return None;
        }
        let delivered = arrival
            .bits
            .filter(|(_, key)| key.is_none() || *key == self.key);
        let Some((bits, key)) = delivered else {
            if self.is_locked(arrival.at_us) {
                self.rx_bad += 1;
            }
            return None;
        };
        self.rx_ok += 1;
        self.rx_mode = Some(arrival.mode);
        self.last_rx_us = Some(arrival.at_us);
        self.snr_db = Some(snr_db);
        Some((bits, key.is_some()))
    }

    fn is_locked(&self, now_us: u64) -> bool {
        self.last_rx_us
            .is_some_and(|at| now_us.saturating_sub(at) <= LOCKED_US)
    }
}

fn push_bounded<T>(queue: &mut VecDeque<T>, item: T) {
    if queue.len() == EVENTS_MAX {
        queue.pop_front();
    }
    queue.push_back(item);
}

/// One end of a [`PacketAir`]. Its packets go out on time whether or not it polls, and either end's `poll` lets time
/// pass for both, as hardware would.
#[derive(Clone, Debug)]
pub struct AirEnd {
    air: Rc<RefCell<PacketAir>>,
    role: Role,
    now: LinkTime,
}

impl AirEnd {
    /// From now on, packets that this end sends get lost like this.
    pub fn set_loss(&mut self, loss: Loss) {
        self.air.borrow_mut().config.loss[self.role.index()] = loss;
    }

    /// From now on, this end hears its peer this well.
    pub fn set_snr_db(&mut self, snr_db: f32) {
        self.air.borrow_mut().config.snr_db[self.role.index()] = snr_db;
    }

    fn start(&self) -> LinkTime {
        self.air.borrow().config.clock_start[self.role.index()]
    }
}

impl LinkTransport for AirEnd {
    fn capacity_bits(&self) -> usize {
        let config = self.air.borrow().config;
        config.capacity_bits.unwrap_or(capacity_bits(config.plan))
    }

    fn send(&mut self, frames: &[OutFrame]) {
        self.air.borrow_mut().ends[self.role.index()]
            .rotation
            .set(frames);
    }

    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        self.now = self.now.max(now);
        let start = self.start();
        let now_us = u64::try_from(self.now.since(start).as_micros()).unwrap_or(u64::MAX);
        let mut air = self.air.borrow_mut();
        air.advance(now_us);
        let (at_us, event) = air.next_event(self.role, now_us)?;
        let at = start + Duration::from_micros(at_us);
        Some(match event {
            AirEvent::Slot(key) => LinkEvent::Slot(Slot { at, key }),
            AirEvent::Packet(bits, session) => {
                let snr_db = air.ends[self.role.index()].snr_db;
                LinkEvent::Packet(LinkPacket {
                    bits,
                    snr_db,
                    at,
                    session,
                })
            }
        })
    }

    fn now(&self) -> LinkTime {
        self.now
    }

    fn set_mode(&mut self, mode: Mode) {
        self.air.borrow_mut().ends[self.role.index()].mode = mode;
    }

    fn set_session_key(&mut self, key: SessionKey) {
        self.air.borrow_mut().ends[self.role.index()].key = Some(key);
    }

    fn stats(&self) -> LinkStats {
        let start = self.start();
        let air = self.air.borrow();
        let end = &air.ends[self.role.index()];
        let now_us = u64::try_from(self.now.since(start).as_micros()).unwrap_or(u64::MAX);
        let locked = end.is_locked(now_us) && !end.closed;
        LinkStats {
            locked,
            snr_db: end.snr_db.filter(|_| locked),
            rx_ok: end.rx_ok,
            rx_bad: end.rx_bad,
            tx_mode: end.on_air,
            rx_mode: end.rx_mode,
            last_rx: end.last_rx_us.map(|at| start + Duration::from_micros(at)),
            ..LinkStats::new(air.config.plan)
        }
    }

    fn close(&mut self) {
        let mut air = self.air.borrow_mut();
        let end = &mut air.ends[self.role.index()];
        end.closed = true;
        end.slots.clear();
        end.inbox.clear();
    }
}
