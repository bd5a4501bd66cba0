//! A link through the room: two modems, two device clocks, one air. Knows packets and slots, never what is in them.

use crate::{
    config::{Phone, RoomConfig},
    dice::Dice,
    room::{Fault, Room},
};
use link_modem::{Listen, ModemConfig, ModemCore, ModemStats, RateProblem, Reconfigure};
use link_transport::{
    LinkEvent, LinkPacket, LinkStats, LinkTime, LinkTransport, Mode, OutFrame, Plan, Role,
    SessionKey, Slot,
};
use std::{cell::RefCell, collections::VecDeque, rc::Rc, time::Duration};

/// Frames a device hands over at a time, as an AudioWorklet does.
const BLOCK: usize = 128;

/// Phone B starts up to this much after A: a symbol, so that the two signals are never aligned by accident.
const START_WITHIN_MS: f64 = 50.0;

/// Two phones and the room between them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RoomLinkConfig {
    /// The room; its `seed` and phone B's `start_ms` are set by [`RoomLink::pair`].
    pub room: RoomConfig,
    /// The band plan of both phones, unless one detects it.
    pub plan: Plan,
    /// What both send in at first.
    pub mode: Mode,
    /// True if the guest searches both plans' host bands, as a phone that joins does.
    pub guest_detects: bool,
    /// Loudness of each modem, 1 by default.
    pub gains: [f32; 2],
}

impl Default for RoomLinkConfig {
    /// Two 48 kHz phones 20 cm apart on the high plan, robust.
    fn default() -> Self {
        Self {
            room: RoomConfig::default(),
            plan: Plan::High,
            mode: Mode::Robust,
            guest_detects: false,
            gains: [1.0; 2],
        }
    }
}

impl RoomLinkConfig {
    /// Sets [`Self::room`].
    #[must_use]
    pub fn with_room(mut self, room: RoomConfig) -> Self {
        self.room = room;
        self
    }

    /// Sets [`Self::plan`].
    #[must_use]
    pub fn with_plan(mut self, plan: Plan) -> Self {
        self.plan = plan;
        self
    }

    /// Sets [`Self::mode`].
    #[must_use]
    pub fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets [`Self::guest_detects`].
    #[must_use]
    pub fn with_guest_detects(mut self, guest_detects: bool) -> Self {
        self.guest_detects = guest_detects;
        self
    }

    /// Sets [`Self::gains`].
    #[must_use]
    pub fn with_gains(mut self, gains: [f32; 2]) -> Self {
        self.gains = gains;
        self
    }

    /// Why one of the phones cannot run the link at its sample rate, if so.
    #[must_use]
    pub fn rate_problem(&self) -> Option<RateProblem> {
        Phone::BOTH
            .into_iter()
            .find_map(|phone| self.modem(phone).rate_problem())
    }

    fn modem(&self, phone: Phone) -> ModemConfig {
        let tx = match phone {
            Phone::A => Role::Host,
            Phone::B => Role::Guest,
        };
        let detects = self.guest_detects && phone == Phone::B;
        ModemConfig::new(self.room.phones[phone.index()].sample_rate_hz, tx)
            .with_plan(self.plan)
            .with_rx(if detects {
                Listen::Detect
            } else {
                Listen::Role(tx.other())
            })
            .with_gain(self.gains[phone.index()])
    }
}

/// Makes connected ends.
pub struct RoomLink;

impl RoomLink {
    /// The host's end (phone A) and the guest's (phone B) of one simulated room. `seed` decides walls, places, noise and
    /// how the two phones' signals lie against each other: the same seed and the same calls give the same events.
    ///
    /// # Panics
    /// If [`RoomLinkConfig::rate_problem`] or [`RoomConfig::problem`] is not `None`.
    #[must_use]
    pub fn pair(mut config: RoomLinkConfig, seed: u64) -> (RoomEnd, RoomEnd) {
        config.room.seed = seed;
        let [a, b] = &mut config.room.phones;
        b.start_ms = a.start_ms + Dice::new(seed, 3).between(0.0, START_WITHIN_MS);
        let phones = Phone::BOTH.map(|phone| {
            let mut modem =
                ModemCore::new(config.modem(phone)).unwrap_or_else(|problem| panic!("{problem}"));
            modem.set_tx_mode(config.mode);
            Device::new(modem, config.room.phones[phone.index()].start_ms)
        });
        let skews_ppm = config.room.phones.map(|phone| phone.skew_ppm);
        let shared = Rc::new(RefCell::new(Shared {
            room: Room::new(&config.room),
            phones,
        }));
        let [a, b] = Phone::BOTH.map(|phone| RoomEnd {
            stats: shared.borrow().phones[phone.index()].link_stats(None),
            shared: Rc::clone(&shared),
            phone,
            skew_ppm: skews_ppm[phone.index()],
            now: LinkTime::ZERO,
            last_rx: None,
        });
        (a, b)
    }
}

/// One end of a [`RoomLink`].
///
/// Either end's `poll` runs the whole room forward until its own device has reached `now`; what that brings the other
/// end waits for the other end's `poll`. An end's link time is its own device's clock: it starts at zero with the
/// room, and runs fast or slow with the device. Poll two skewed ends with [`RoomEnd::clock`] of one room time, not
/// with equal numbers: these drift apart by 36 ms a minute at ±300 ppm.
pub struct RoomEnd {
    shared: Rc<RefCell<Shared>>,
    phone: Phone,
    skew_ppm: f64,
    now: LinkTime,
    last_rx: Option<LinkTime>,
    stats: LinkStats,
}

struct Shared {
    room: Room,
    phones: [Device; 2],
}

struct Device {
    modem: ModemCore,
    start_us: u64,
    events: VecDeque<LinkEvent>,
    closed: bool,
    microphone: [f32; BLOCK],
    speaker: [f32; BLOCK],
}

impl RoomEnd {
    /// What this end's clock shows when the room has run for `room_time`.
    #[must_use]
    pub fn clock(&self, room_time: Duration) -> LinkTime {
        LinkTime::from_us((room_time.as_secs_f64() * (1e6 + self.skew_ppm)) as u64)
    }

    /// How far the room has run.
    #[must_use]
    pub fn room_time(&self) -> Duration {
        let shared = self.shared.borrow();
        shared.room.time(shared.room.next())
    }

    /// This end's modem, as it is now.
    #[must_use]
    pub fn modem_stats(&self) -> ModemStats {
        self.shared.borrow().device(self.phone).modem.stats()
    }

    /// Lets something happen to the sound, at a room time.
    pub fn inject(&mut self, fault: Fault) {
        self.shared.borrow_mut().room.inject(fault);
    }

    /// Changes this end's modem as its lobby would.
    ///
    /// # Errors
    /// [`RateProblem`] if the plan does not fit the sample rate.
    pub fn reconfigure(&mut self, change: Reconfigure) -> Result<(), RateProblem> {
        self.shared
            .borrow_mut()
            .device_mut(self.phone)
            .modem
            .reconfigure(change)
    }
}

impl LinkTransport for RoomEnd {
    fn capacity_bits(&self) -> usize {
        self.shared
            .borrow()
            .device(self.phone)
            .modem
            .capacity_bits()
    }

    fn send(&mut self, frames: &[OutFrame]) {
        self.shared
            .borrow_mut()
            .device_mut(self.phone)
            .modem
            .set_payloads(frames);
    }

    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        self.now = self.now.max(now);
        let mut shared = self.shared.borrow_mut();
        shared.run(self.phone, self.now);
        let device = shared.device_mut(self.phone);
        let due = device
            .events
            .front()
            .is_some_and(|event| at(event) <= self.now);
        let event = if due { device.events.pop_front() } else { None };
        if let Some(LinkEvent::Packet(packet)) = &event {
            self.last_rx = Some(packet.at);
        }
        self.stats = device.link_stats(self.last_rx);
        event
    }

    fn now(&self) -> LinkTime {
        self.now
    }

    fn set_mode(&mut self, mode: Mode) {
        self.shared
            .borrow_mut()
            .device_mut(self.phone)
            .modem
            .set_tx_mode(mode);
    }

    fn set_session_key(&mut self, key: SessionKey) {
        self.shared
            .borrow_mut()
            .device_mut(self.phone)
            .modem
            .set_session_key(key);
    }

    fn stats(&self) -> LinkStats {
        self.stats
    }

    /// The device plays silence from now on; the room goes on.
    fn close(&mut self) {
        let mut shared = self.shared.borrow_mut();
        let device = shared.device_mut(self.phone);
        device.closed = true;
        device.events.clear();
        self.stats = device.link_stats(self.last_rx);
    }
}

impl Shared {
    fn device(&self, phone: Phone) -> &Device {
        &self.phones[phone.index()]
    }

    fn device_mut(&mut self, phone: Phone) -> &mut Device {
        &mut self.phones[phone.index()]
    }

    /// Runs both phones, in order of room time, until `phone` has handled every block that ends by `now`.
    fn run(&mut self, phone: Phone, now: LinkTime) {
        while self
            .device(phone)
            .time(self.room.frame(phone) + BLOCK as u64)
            <= now
        {
            self.run_block(self.room.next());
        }
    }

    fn run_block(&mut self, phone: Phone) {
        let frame = self.room.frame(phone);
        let stopped = self.room.is_stopped(phone);
        let device = &mut self.phones[phone.index()];
        self.room.capture(phone, &mut device.microphone);
        if stopped || device.closed {
            // A device that renders nothing: its modem notices by the frame count when it goes on.
            device.speaker.fill(0.0);
        } else {
            device
                .modem
                .process(&device.microphone, &mut device.speaker, frame);
            device.collect();
        }
        self.room.play(phone, &device.speaker);
        debug_assert_eq!(self.room.starved_frames(), 0, "the phones took turns");
    }
}

impl Device {
    fn new(modem: ModemCore, start_ms: f64) -> Self {
        Self {
            modem,
            start_us: (start_ms * 1000.0) as u64,
            events: VecDeque::new(),
            closed: false,
            microphone: [0.0; BLOCK],
            speaker: [0.0; BLOCK],
        }
    }

    /// When `frame` starts, on this device's own clock.
    fn time(&self, frame: u64) -> LinkTime {
        LinkTime::from_us(
            self.start_us + frame * 1_000_000 / u64::from(self.modem.sample_rate_hz()),
        )
    }

    fn collect(&mut self) {
        while let Some(packet) = self.modem.take_packet() {
            let at = self.time(packet.end_frame(self.modem.sample_rate_hz()));
            let snr_db = Some(packet.snr_db);
            self.queue(LinkEvent::Packet(LinkPacket {
                bits: packet.bits,
                snr_db,
                at,
                session: packet.session,
            }));
        }
        while let Some(slot) = self.modem.take_slot() {
            self.queue(LinkEvent::Slot(Slot {
                at: self.time(slot.sample),
                key: slot.key,
            }));
        }
    }

    /// Events wait in order of time; those of one time in order of arrival.
    fn queue(&mut self, event: LinkEvent) {
        let later = self
            .events
            .iter()
            .rev()
            .take_while(|waiting| at(waiting) > at(&event))
            .count();
        self.events.insert(self.events.len() - later, event);
    }

    fn link_stats(&self, last_rx: Option<LinkTime>) -> LinkStats {
        let modem = self.modem.stats();
        let live = !self.closed;
        let mut stats = LinkStats::new(modem.plan);
        stats.locked = live && modem.locked;
        stats.snr_db = modem.snr_db.filter(|_| stats.locked);
        stats.rx_ok = modem.rx_ok;
        stats.rx_bad = modem.rx_bad;
        stats.tx_mode = modem.tx_mode;
        stats.rx_mode = modem.rx_mode;
        stats.last_rx = last_rx;
        stats.own_snr_db = modem.own_snr_db;
        stats.loopback_ms = modem.loopback_ms;
        stats.clock_ppm = modem.clock_ppm;
        stats
    }
}

fn at(event: &LinkEvent) -> LinkTime {
    match event {
        LinkEvent::Packet(packet) => packet.at,
        LinkEvent::Slot(slot) => slot.at,
        // Whatever else a link may come to tell, this one does not queue it.
        _ => LinkTime::ZERO,
    }
}
