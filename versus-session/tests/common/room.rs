//! Two phones that play the reference game by sound, through the sample-level room, and what waiting has cost them.
#![allow(dead_code, reason = "each test file uses its part")]

use crate::skirmish::{Phone, assert_equal_records};
use game_sim::Command;
use link_room::{Fault, FaultKind, Jammer, RoomConfig, RoomEnd, RoomLink, RoomLinkConfig};
use link_transport::{LinkTime, Mode, Plan};
use match_feed::duel::{InputDelay, MapChoice, Side};
use std::time::Duration;
use versus_pairing::{Entry, HostChoice, Rematch, StartMode};
use versus_session::{MatchEnd, ModePolicy, SessionPhase, SessionStatus, Sync};

/// Both phones draw 60 frames a second.
const FRAME: Duration = Duration::from_micros(16_667);
/// A pairing that takes longer than this will never come.
const PAIRING_MAX: Duration = Duration::from_secs(40);
/// What a match costs counts from here on: the first two seconds are the first orders' way.
pub const COUNTED_FROM: u32 = 20;

/// How long everything at once is played: 90 s.
pub const FULL_STACK_TICKS: u32 = 900;

/// The most of its ticks, and of its time, that may then be spent waiting, in percent.
pub const fn full_stack_waits_percent_max(plan: Plan) -> f64 {
    match plan {
        Plan::High => 5.0,
        Plan::Low => 10.0,
    }
}

/// A duel to be played.
#[derive(Clone, Debug)]
pub struct Case {
    pub link: RoomLinkConfig,
    pub seed: u64,
    pub start_mode: StartMode,
    pub modes: ModePolicy,
    /// The input delay, whatever round trip is measured.
    pub delay: Option<InputDelay>,
    /// Every 5 s an order to 30 units, from both phones.
    pub bursts: bool,
    /// A second missing from one recording, and 700 ms that the other phone's device never played.
    pub accidents: bool,
}

impl Case {
    /// Two phones of different rates on one table, their clocks 600 ppm apart.
    pub fn new(plan: Plan, start_mode: StartMode, seed: u64) -> Self {
        Self {
            link: RoomLinkConfig::default()
                .with_room(
                    RoomConfig::at_distance_cm(20.0)
                        .with_rates_hz([48_000, 44_100])
                        .with_skews_ppm([300.0, -300.0]),
                )
                .with_plan(plan),
            seed,
            start_mode,
            modes: ModePolicy::Keep,
            delay: None,
            bursts: false,
            accidents: false,
        }
    }

    /// The mode it is played in from start to end.
    pub fn fixed(plan: Plan, mode: Mode, seed: u64) -> Self {
        Self::new(plan, StartMode::Fixed(mode), seed)
    }

    /// Everything at once: game audio from both speakers, bursts, accidents, a peer that detects the plan, modes that
    /// follow what is heard. Odd seeds exchange the phones.
    pub fn full_stack(plan: Plan, seed: u64) -> Self {
        let mut case = Self::new(plan, StartMode::Measured, seed);
        case.link.guest_detects = true;
        case.link.room.jammer = Some(Jammer {
            level_dbfs: -37.6,
            cutoff_hz: if plan == Plan::High { 8_000.0 } else { 4_000.0 },
        });
        if seed % 2 == 1 {
            case.link.room.phones.reverse();
        }
        case.modes = ModePolicy::Adapt;
        case.bursts = true;
        case.accidents = true;
        case
    }
}

/// What a match has cost one phone since [`COUNTED_FROM`].
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub ticks: u32,
    /// Room time that they took.
    pub took: Duration,
    /// Ticks that had to wait, and for how long.
    pub waited: u32,
    pub stall: Duration,
}

impl Cost {
    pub fn ticks_per_second(&self) -> f64 {
        f64::from(self.ticks) / self.took.as_secs_f64()
    }
    /// Shares, in percent.
    pub fn stalled_percent(&self) -> f64 {
        100.0 * self.stall.as_secs_f64() / self.took.as_secs_f64()
    }
    pub fn waited_percent(&self) -> f64 {
        100.0 * f64::from(self.waited) / f64::from(self.ticks)
    }
}

/// A duel under way.
pub struct Duel {
    pub phones: [Phone<RoomEnd>; 2],
    room: Duration,
    counted: Option<(Duration, [SessionStatus; 2])>,
}

impl Duel {
    /// Two phones that have paired and begun.
    pub fn begin(case: &Case) -> Self {
        let plan = case.link.plan;
        let (mut host, guest) = RoomLink::pair(case.link.clone(), case.seed);
        let choice = HostChoice::new(MapChoice::BuiltIn((case.seed % 3) as u8))
            .with_host_side(Side::BOTH[(case.seed / 2 % 2) as usize])
            .with_start_mode(case.start_mode);
        if case.accidents {
            inject_accidents(&mut host);
        }
        // A guest that listens on both plans starts on the high one.
        let guest_plan = if case.link.guest_detects {
            Plan::High
        } else {
            plan
        };
        let ends = [host, guest];
        let seats = [(Entry::Host(choice), plan), (Entry::Guest, guest_plan)];
        let mut seed = 2 * case.seed;
        let mut seats = seats.into_iter();
        let phones = ends.map(|end| {
            let (entry, plan) = seats.next().expect("two seats");
            seed += 1;
            let mut phone = Phone::with_modes(end, entry, plan, seed, case.modes);
            phone.bursts = case.bursts;
            if let Some(delay) = case.delay {
                phone.session.force_delay(delay);
            }
            phone
        });
        let mut duel = Self {
            phones,
            room: Duration::ZERO,
            counted: None,
        };
        duel.pair();
        if case.delay.is_some() {
            assert_eq!(duel.statuses()[0].delay, case.delay);
        }
        duel
    }

    /// The same phones once more, over the links that carried the match before: `first` at once, the other later.
    pub fn again(self, seed: u64, first: usize, later: Duration) -> Self {
        let mut duel = self.reopen(first, seed);
        duel.run_for(later);
        let mut duel = duel.reopen(1 - first, seed);
        duel.pair();
        duel
    }

    fn reopen(mut self, which: usize, seed: u64) -> Self {
        let mut at = 0;
        self.phones = self.phones.map(|phone| {
            at += 1;
            if at != which + 1 {
                return phone;
            }
            let rematch = Rematch::of(phone.session.agreed().expect("a match was agreed"));
            let entry = rematch.entry(StartMode::Measured);
            let seed = 2 * seed + u64::from(entry == Entry::Guest);
            let end = phone.session.into_transport();
            Phone::with_modes(end, entry, rematch.plan, seed, ModePolicy::Adapt)
        });
        self
    }

    fn pair(&mut self) {
        let playing = |duel: &Self| {
            duel.statuses()
                .iter()
                .all(|s| s.phase == SessionPhase::Playing)
        };
        assert!(
            self.run_until(PAIRING_MAX, playing),
            "{:#?}",
            self.statuses()
        );
    }

    fn frame(&mut self) {
        self.room += FRAME;
        for phone in &mut self.phones {
            let now = phone.session.transport().clock(self.room);
            phone.frame(now);
        }
        if self.counted.is_none() && self.tick() >= COUNTED_FROM {
            self.counted = Some((self.room, self.statuses()));
        }
    }

    fn run_until(&mut self, limit: Duration, done: impl Fn(&Self) -> bool) -> bool {
        let limit = self.room + limit;
        while self.room < limit && !done(self) {
            self.frame();
        }
        done(self)
    }

    /// The tick that both phones have reached.
    pub fn tick(&self) -> u32 {
        self.phones
            .iter()
            .map(|phone| phone.session.tick().0)
            .min()
            .unwrap_or(0)
    }

    /// Plays until both phones have reached `tick`; four times as long as it should take is a hang.
    pub fn run_until_tick(&mut self, tick: u32) {
        let limit =
            Duration::from_millis(400 * u64::from(tick.saturating_sub(self.tick())) + 5_000);
        assert!(
            self.run_until(limit, |duel| duel.tick() >= tick),
            "hangs: {:#?}",
            self.statuses()
        );
        let [host, guest] = self
            .phones
            .each_ref()
            .map(|phone| &phone.hashes[..tick as usize]);
        let differs = (0..tick as usize).find(|&at| host[at] != guest[at]);
        assert_eq!(differs, None, "the worlds differ before a tick");
    }

    /// Plays for so long.
    pub fn run_for(&mut self, span: Duration) {
        self.run_until(span, |_| false);
    }

    pub fn now(&self, at: usize) -> LinkTime {
        self.phones[at].session.transport().clock(self.room)
    }

    pub fn statuses(&self) -> [SessionStatus; 2] {
        [0, 1].map(|at| self.phones[at].session.status(self.now(at)))
    }

    /// What it cost each phone since [`COUNTED_FROM`].
    pub fn costs(&self) -> [Cost; 2] {
        let (since, before) = self.counted.as_ref().expect("played for longer than that");
        let after = self.statuses();
        [0, 1].map(|at| {
            let tick = |status: &SessionStatus| status.lockstep.expect("plays").tick.0;
            Cost {
                ticks: tick(&after[at]) - tick(&before[at]),
                took: self.room - *since,
                waited: after[at].stalled_ticks - before[at].stalled_ticks,
                stall: after[at].stall - before[at].stall,
            }
        })
    }

    /// The host resigns; both phones must decide the match by it, in sync, with one record that plays again.
    pub fn resign_and_compare(&mut self) {
        let now = self.now(0);
        self.phones[0]
            .session
            .give(now, Command::Resign)
            .expect("plays");
        let in_sync = |duel: &Self| {
            duel.statuses().iter().all(|status| {
                matches!(
                    status.end,
                    Some(MatchEnd::Decided {
                        sync: Sync::InSync,
                        ..
                    })
                )
            })
        };
        assert!(
            self.run_until(Duration::from_secs(15), in_sync),
            "{:#?}",
            self.statuses()
        );
        let [host, guest] = &self.phones;
        assert_equal_records([host, guest]);
    }
}

fn inject_accidents(end: &mut RoomEnd) {
    use link_room::Phone::{A, B};
    end.inject(Fault {
        at: Duration::from_secs(30),
        lasts: Duration::from_secs(1),
        kind: FaultKind::CaptureGap(A),
    });
    end.inject(Fault {
        at: Duration::from_secs(60),
        lasts: Duration::from_millis(700),
        kind: FaultKind::DeviceStop(B),
    });
}
