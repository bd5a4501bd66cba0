//! The pair harness: two sessions in one air, on one virtual clock.
#![allow(dead_code, unused_imports, reason = "each test file uses its part")]

mod faults;
mod oracle;
mod strangers;
mod tapped;
mod toy;
pub use faults::*;
pub use oracle::*;
pub use strangers::*;
pub use tapped::*;
pub use toy::*;

use link_transport::{
    AirConfig, AirEnd, LinkTime, LinkTransport, Mode, PacketAir, Plan, Role, SessionKey,
};
use match_feed::{
    Game, Tick, WorldHash,
    duel::{BattleRecord, MapChoice, Side},
};
use versus_codec::{OpaqueCodec, OpaqueCommand};
use versus_pairing::{Entry, HostChoice, PairingPhase, StartMode};
use versus_session::{
    MatchEnd, ModePolicy, Session, SessionConfig, SessionEvent, SessionPhase, SessionStatus,
};

pub const BUILD: u16 = 0x7E57;
/// As a display of 60 Hz does.
pub const FRAME_US: u64 = 16_667;

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
    /// The opener its player picks.
    pub pick: u8,
    /// The keys of the matches whose GO it has sent.
    pub gone: Vec<SessionKey>,
    config: SessionConfig,
    /// Started anew, it hears nothing until then.
    boots_at_us: u64,
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

    /// Its page is loaded anew: a fresh session under fresh nonces, on the same link, that hears nothing for `boot_us`.
    pub fn reload(&mut self, air_us: u64, boot_us: u64, seed: u64) {
        let link = self.session.transport_mut().reborn();
        self.config.seed = seed;
        let session = Session::new(link, self.config.clone(), ToyCatalogue);
        self.session = session.expect("the toy has that map");
        self.ready_ms = None;
        self.boots_at_us = air_us + boot_us;
    }

    pub fn frame(&mut self, air_us: u64) {
        if !self.awake {
            return;
        }
        let now = self.now(air_us);
        let session = &mut self.session;
        if air_us < self.boots_at_us {
            session.transport_mut().miss(now);
            return;
        }
        session.pump(now);
        if let PairingPhase::Picking { .. } = session.pairing().status().phase {
            session.pick(Some(self.pick)).expect("openers are on offer");
        }
        let key = session.pairing().session_key();
        self.gone.extend(key.filter(|key| !self.gone.contains(key)));
        let agreed = session.agreed().is_some() && session.game().is_none();
        if agreed && session.status(now).phase == SessionPhase::Ready {
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

pub fn config(entry: Entry, plan: Plan, build: u16, seed: u64, modes: ModePolicy) -> SessionConfig {
    SessionConfig::new(entry, build, "toy", seed)
        .with_plan(plan)
        .with_modes(modes)
}

impl Pair {
    pub fn new(setup: Setup) -> Self {
        // The two clocks start nowhere near each other.
        let clock_start = [LinkTime::from_ms(1_000_000), LinkTime::from_us(77_777_777)];
        let air = setup.air.with_clock_start(clock_start);
        let ends = <[AirEnd; 2]>::from(PacketAir::pair(air, setup.seed));
        let choice = HostChoice::new(MapChoice::BuiltIn(1))
            .with_mutators(0b1010)
            .with_host_side(setup.host_side)
            .with_start_mode(setup.start_mode);
        let mut ends = ends.into_iter();
        let mut phone = |role: Role| {
            let start = clock_start[role.index()];
            let dice = (2 * setup.seed) as u32 + role.index() as u32;
            let end = Tapped::new(ends.next().expect("two ends"), start, dice);
            let entry = match role {
                Role::Host => Entry::Host(choice),
                Role::Guest => Entry::Guest,
            };
            let (build, seed) = (
                setup.builds[role.index()],
                2 * setup.seed + role.index() as u64,
            );
            let config = config(entry, air.plan, build, seed, setup.modes);
            let session = Session::new(end, config.clone(), ToyCatalogue);
            Phone {
                session: session.expect("the toy has that map"),
                config,
                boots_at_us: 0,
                gone: Vec::new(),
                pick: 1,
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
