//! A toy game, and the pair harness: two sessions in one air, on one virtual clock.
#![allow(dead_code, unused_imports, reason = "each test file uses its part")]

mod faults;
mod oracle;
pub use faults::*;
pub use oracle::*;

use link_transport::{
    AirConfig, AirEnd, LinkEvent, LinkPacket, LinkStats, LinkTime, LinkTransport, Mode, OutFrame,
    PacketAir, Plan, Role, SessionKey,
};
use match_feed::{
    BattleRecord, Game, MapChoice, MatchSetup, Order, Outcome, Side, Tick, WorldHash,
};
use std::collections::VecDeque;
use versus_codec::{OpaqueCodec, OpaqueCommand, kit::MapSize};
use versus_pairing::{Catalogue, HostChoice, PairingPhase, Seat, StartMode};
use versus_session::{
    MatchEnd, ModePolicy, Session, SessionConfig, SessionEvent, SessionPhase, SessionStatus,
};

pub const BUILD: u16 = 0x7E57;
/// As a display of 60 Hz does.
pub const FRAME_US: u64 = 16_667;

#[derive(Clone, Copy, Debug)]
pub struct ToyCatalogue;

impl Catalogue for ToyCatalogue {
    fn built_in_maps(&self) -> u8 {
        2
    }
    fn biomes(&self) -> u8 {
        1
    }
    fn mutators(&self) -> u8 {
        4
    }
    fn map_size(&self, _map: MapChoice) -> Option<MapSize> {
        MapSize::new(64, 48)
    }
    fn opener_allowed(&self, _setup: &MatchSetup, _side: Side, _opener: u8) -> bool {
        true
    }
}

pub const RESIGN: u8 = 0xFF;

/// A world of one number that every order and every tick stirs, so that an order lost, late, doubled or out of place
/// changes every hash after it.
#[derive(Clone, Debug)]
pub struct Toy {
    tick: u32,
    state: u64,
    outcome: Option<Outcome>,
    /// Decided by its state after this many ticks.
    pub length: u32,
    /// Stirs once more at this tick: a fault of this machine.
    pub fault: Option<u32>,
}

impl Toy {
    pub fn new(setup: &MatchSetup, length: u32) -> Self {
        let openers = [setup.openers.blue, setup.openers.red].map(|o| o.map_or(9, u64::from));
        Self {
            tick: 0,
            state: u64::from(setup.seed) ^ openers[0] << 40 ^ openers[1] << 48,
            outcome: None,
            length,
            fault: None,
        }
    }

    fn stir(&mut self, with: u64) {
        self.state = (self.state ^ with)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(23);
    }
}

impl Game for Toy {
    type Command = OpaqueCommand;

    fn step(&mut self, orders: &[Order<OpaqueCommand>]) {
        let mut resigned = [false; 2];
        for order in orders {
            let bytes = order.command.as_bytes();
            self.stir(order.side.index() as u64 + 1);
            bytes.iter().for_each(|&byte| self.stir(byte.into()));
            resigned[order.side.index()] |= bytes == [RESIGN];
        }
        if self.fault == Some(self.tick) {
            self.stir(1);
        }
        self.stir(0);
        self.tick += 1;
        self.outcome = Outcome::resigned(resigned[0], resigned[1]);
        if self.outcome.is_none() && self.tick >= self.length {
            self.outcome = Some(match self.state % 3 {
                0 => Outcome::draw(),
                odd => Outcome::won(Side::BOTH[(odd % 2) as usize]),
            });
        }
    }

    fn hash(&self) -> WorldHash {
        WorldHash::of(&[self.state.to_le_bytes(), u64::from(self.tick).to_le_bytes()].concat())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}

/// A link's end that remembers what it handed out, and to which more packets can be given.
pub struct Tapped {
    pub end: AirEnd,
    pub heard: Vec<LinkPacket>,
    pub sent: Vec<Vec<OutFrame>>,
    pub injected: VecDeque<LinkPacket>,
    pub keys: Vec<SessionKey>,
    /// Percent of packets that arrive twice, and of those that arrive after the next one.
    pub twice: u32,
    pub late: u32,
    /// How many packets were heard when one was last damaged.
    pub damaged: usize,
    held: Option<LinkPacket>,
    clock: Clock,
    drawn: u32,
}

/// A phone's clock: where it starts, and how fast it runs off the air's.
#[derive(Clone, Copy, Debug)]
struct Clock {
    start: LinkTime,
    drift_ppm: i64,
}

impl Clock {
    fn own(self, air: LinkTime) -> LinkTime {
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
    pub fn new(end: AirEnd, start: LinkTime) -> Self {
        Self {
            end,
            heard: Vec::new(),
            sent: Vec::new(),
            injected: VecDeque::new(),
            keys: Vec::new(),
            twice: 0,
            late: 0,
            damaged: 0,
            held: None,
            clock: Clock {
                start,
                drift_ppm: 0,
            },
            drawn: 0,
        }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.drawn += 1;
        percent > 0 && link_transport::hash32(&[self.drawn, 7]) % 100 < percent
    }
}

impl LinkTransport for Tapped {
    fn send(&mut self, frames: &[OutFrame]) {
        self.sent.push(frames.to_vec());
        self.end.send(frames);
    }
    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        if let Some(mut packet) = self.injected.pop_front() {
            packet.at = now;
            return Some(LinkEvent::Packet(packet));
        }
        loop {
            return Some(match self.end.poll(self.clock.air(now))? {
                LinkEvent::Packet(mut packet) => {
                    packet.at = self.clock.own(packet.at);
                    self.heard.push(packet);
                    if self.held.is_none() && self.chance(self.late) {
                        self.held = Some(packet);
                        continue;
                    }
                    if self.chance(self.twice) {
                        self.injected.push_back(packet);
                    }
                    self.injected.extend(self.held.take());
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
        self.end.set_session_key(key);
    }
    fn stats(&self) -> LinkStats {
        let stats = self.end.stats();
        LinkStats {
            last_rx: stats.last_rx.map(|at| self.clock.own(at)),
            ..stats
        }
    }
    fn close(&mut self) {
        self.end.close();
    }
}

pub type ToySession = Session<Tapped, OpaqueCodec, Toy, ToyCatalogue>;

/// One player's phone.
pub struct Phone {
    pub session: ToySession,
    /// How long it takes to build its game.
    pub load_ms: u64,
    ready_ms: Option<u64>,
    /// The match's length; and a fault of its world.
    pub length: u32,
    pub fault: Option<u32>,
    /// What its player orders before tick t is sealed.
    pub player: fn(Tick, Side) -> Vec<Vec<u8>>,
    /// Its world's hash before each tick.
    pub hashes: Vec<WorldHash>,
    pub events: Vec<SessionEvent>,
    /// False: it does not pump at all.
    pub awake: bool,
}

/// Now and then an order or a few: about one a second.
pub fn busy(tick: Tick, side: Side) -> Vec<Vec<u8>> {
    let draw = link_transport::hash32(&[tick.0, side.index() as u32, 99]);
    let count = if draw.is_multiple_of(10) {
        1 + draw / 16 % 4
    } else {
        0
    };
    let order = |at: u32| {
        let bytes = 1 + (draw >> 8 ^ at) % 10;
        (0..bytes)
            .map(|b| (link_transport::hash32(&[draw, at, b]) % 250) as u8)
            .collect()
    };
    (0..count).map(order).collect()
}

pub fn idle(_tick: Tick, _side: Side) -> Vec<Vec<u8>> {
    Vec::new()
}

pub fn command(bytes: &[u8]) -> OpaqueCommand {
    OpaqueCommand::from_bytes(bytes, 8 * bytes.len()).expect("a short command")
}

impl Phone {
    pub fn now(&self, air_us: u64) -> LinkTime {
        let clock = self.session.transport().clock;
        clock.own(LinkTime::from_us(clock.start.as_us() + air_us))
    }

    /// From the start on, its clock runs fast by so much.
    pub fn set_drift_ppm(&mut self, drift_ppm: i32) {
        self.session.transport_mut().clock.drift_ppm = drift_ppm.into();
    }

    pub fn frame(&mut self, air_us: u64) {
        if !self.awake {
            return;
        }
        let now = self.now(air_us);
        let session = &mut self.session;
        session.pump(now);
        if let PairingPhase::Picking { .. } = session.status(now).pairing.phase {
            session.pick(Some(1)).expect("openers are on offer");
        }
        if session.status(now).phase == SessionPhase::Ready {
            let ready = *self.ready_ms.get_or_insert(air_us / 1000 + self.load_ms);
            if air_us / 1000 >= ready {
                let mut game = Toy::new(&session.agreed().expect("ready").setup, self.length);
                game.fault = self.fault;
                session.begin_match(now, game, OpaqueCodec).expect("begins");
            }
        }
        let local = session.agreed().map(|agreed| agreed.local_side());
        let (player, hashes) = (self.player, &mut self.hashes);
        session.run(now, |tick, game, give| {
            assert_eq!(tick.0 as usize, hashes.len(), "asked once per tick");
            hashes.push(game.hash());
            for order in player(tick, local.expect("agreed")) {
                give(command(&order));
            }
        });
        while let Some(event) = session.poll_event() {
            self.events.push(event);
        }
    }
}

/// Two phones in one air.
pub struct Pair {
    pub air_us: u64,
    pub host: Phone,
    pub guest: Phone,
}

pub struct Setup {
    pub air: AirConfig,
    pub seed: u64,
    pub length: u32,
    pub host_side: Side,
    pub start_mode: StartMode,
    pub modes: ModePolicy,
    pub builds: [u16; 2],
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            air: AirConfig::default(),
            seed: 1,
            length: u32::MAX,
            host_side: Side::Blue,
            start_mode: StartMode::Measured,
            modes: ModePolicy::Adapt,
            builds: [BUILD; 2],
        }
    }
}

pub fn config(seat: Seat, plan: Plan, build: u16, seed: u64, modes: ModePolicy) -> SessionConfig {
    SessionConfig {
        seat,
        plan,
        build,
        game: "toy".into(),
        seed,
        modes,
    }
}

impl Pair {
    pub fn new(setup: Setup) -> Self {
        // The two clocks start nowhere near each other.
        let clock_start = [LinkTime::from_ms(1_000_000), LinkTime::from_us(77_777_777)];
        let air = AirConfig {
            clock_start,
            ..setup.air
        };
        let ends = <[AirEnd; 2]>::from(PacketAir::pair(air, setup.seed));
        let choice = HostChoice {
            map: MapChoice::BuiltIn(1),
            mutators: 0b1010,
            host_side: setup.host_side,
            start_mode: setup.start_mode,
        };
        let mut ends = ends.into_iter();
        let mut phone = |role: Role| {
            let start = clock_start[role.index()];
            let end = Tapped::new(ends.next().expect("two ends"), start);
            let seat = match role {
                Role::Host => Seat::Host(choice),
                Role::Guest => Seat::Guest,
            };
            let (build, seed) = (
                setup.builds[role.index()],
                2 * setup.seed + role.index() as u64,
            );
            let config = config(seat, air.plan, build, seed, setup.modes);
            Phone {
                session: Session::new(end, config, ToyCatalogue).expect("the toy has that map"),
                load_ms: 300,
                ready_ms: None,
                length: setup.length,
                fault: None,
                player: busy,
                hashes: Vec::new(),
                events: Vec::new(),
                awake: true,
            }
        };
        Self {
            air_us: 0,
            host: phone(Role::Host),
            guest: phone(Role::Guest),
        }
    }

    pub fn phones(&mut self) -> [&mut Phone; 2] {
        [&mut self.host, &mut self.guest]
    }

    pub fn statuses(&self) -> [SessionStatus; 2] {
        [&self.host, &self.guest].map(|phone| phone.session.status(phone.now(self.air_us)))
    }

    pub fn ends(&self) -> [Option<MatchEnd>; 2] {
        [&self.host, &self.guest].map(|phone| phone.session.end(phone.now(self.air_us)))
    }

    pub fn frame(&mut self) {
        self.air_us += FRAME_US;
        let air_us = self.air_us;
        self.host.frame(air_us);
        self.guest.frame(air_us);
    }

    pub fn run_ms(&mut self, ms: u64) {
        let until = self.air_us + ms * 1000;
        while self.air_us < until {
            self.frame();
        }
    }

    /// Runs until `done`, at most `ms`; false if that was not enough.
    pub fn run_until(&mut self, ms: u64, mut done: impl FnMut(&mut Self) -> bool) -> bool {
        let until = self.air_us + ms * 1000;
        while self.air_us < until {
            if done(self) {
                return true;
            }
            self.frame();
        }
        done(self)
    }

    /// Until both matches have begun.
    pub fn begin(&mut self) {
        let begun = |pair: &mut Self| {
            pair.statuses()
                .iter()
                .all(|s| s.phase == SessionPhase::Playing)
        };
        assert!(self.run_until(60_000, begun), "{:#?}", self.statuses());
    }

    /// Until both phones know how the match ended, and whether they agree.
    pub fn finish(&mut self, ms: u64) -> [MatchEnd; 2] {
        let settled = |end: &Option<MatchEnd>| match end {
            Some(MatchEnd::Decided { sync, .. }) => *sync != versus_session::Sync::Checking,
            other => other.is_some(),
        };
        let done = |pair: &mut Self| pair.ends().iter().all(settled);
        assert!(self.run_until(ms, done), "{:#?}", self.statuses());
        self.ends().map(|end| end.expect("ended"))
    }

    /// Both worlds were the same before every tick that both stepped.
    pub fn assert_same_worlds(&self) -> usize {
        let both = self.host.hashes.len().min(self.guest.hashes.len());
        let differs = (0..both).find(|&t| self.host.hashes[t] != self.guest.hashes[t]);
        assert_eq!(differs, None, "worlds differ at a tick");
        both
    }

    /// Both phones' records are the same text, which plays again with every hash.
    pub fn has_equal_records(&self) -> bool {
        let record = |phone: &Phone| phone.session.record().map(|record| record.to_json());
        let (Some(host), Some(guest)) = (record(&self.host), record(&self.guest)) else {
            return false;
        };
        let Ok(read) = BattleRecord::<OpaqueCommand>::parse(&host) else {
            return false;
        };
        let game = Toy::new(&read.header.setup, self.host.length);
        host == guest && match_feed::replay(&read, game, |_, _| {}).0.agrees()
    }

    /// As [`Self::has_equal_records`], and the record.
    pub fn assert_equal_records(&self) -> BattleRecord<OpaqueCommand> {
        let [host, guest] = [&self.host, &self.guest].map(|phone| {
            phone
                .session
                .record()
                .expect("a match was played")
                .to_json()
        });
        assert_eq!(host, guest);
        let record = BattleRecord::<OpaqueCommand>::parse(&host).expect("reads what it wrote");
        let game = Toy::new(&record.header.setup, self.host.length);
        let (report, _) = match_feed::replay(&record, game, |_, _| {});
        assert!(report.agrees(), "{report:?}");
        record
    }
}

/// A match that starts in fast mode without waiting for the windows.
pub fn fast() -> Setup {
    Setup {
        start_mode: StartMode::Fixed(Mode::Fast),
        ..Setup::default()
    }
}
