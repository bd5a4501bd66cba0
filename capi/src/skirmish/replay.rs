//! Skirmish level: replays
//!
//! A saved record as a session without a peer: run it, pause it and draw it as a match. Every hash is compared.

use crate::{
    handle::{self, Fault},
    session::any_session::{AnySession, Duel, Options},
    session::duel_session,
    session::{DUEL_PHASE_OVER, DUEL_PHASE_PLAYING},
    sized::{self, put, sized, slice},
    skirmish::{NAME, effects::Effects},
    status::*,
    words::DUEL_NONE,
};
use core::ffi::c_char;
use game_sim::{Command, World};
use link_transport::{LinkTime, Role};
use match_feed::{
    Game, Order, Recorded as _, Tick, TickClock, WorldHash,
    duel::{BattleRecord, DuelOutcome, HASH_EVERY, MapChoice, Medium, Side, TICK_RATE},
};
use versus_pairing::StartMode;
use versus_session::{MatchEnd, Sync};

/// What a replay found so far. Sized.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_replay_report {
    /// `sizeof(duel_replay_report)`.
    pub struct_size: u32,
    /// Ticks stepped.
    pub ticks: u32,
    /// Ticks of the record.
    pub ticks_recorded: u32,
    /// Hashes that agreed before the first difference.
    pub hashes_equal: u32,
    /// The first tick whose hash differs, or -1.
    pub differs_at: i32,
    /// 1 once the recorded end was reached with the recorded outcome, and every hash agreed.
    pub agrees: i32,
    /// The build that saved it, and this library's: another one may play it differently.
    pub builds: [u32; 2],
}

sized! {
    duel_replay_report to builds;
}

/// A record being played.
pub(crate) struct Playback {
    record: BattleRecord<Command>,
    world: World,
    effects: Effects,
    clock: TickClock,
    last_run: Option<LinkTime>,
    speed_permille: u32,
    next_turn: usize,
    hashes_equal: u32,
    differs_at: Option<Tick>,
    orders: Vec<Order<Command>>,
}

impl Playback {
    fn new(record: BattleRecord<Command>) -> Result<Self, Fault> {
        let mut playback = Self {
            world: world_of(&record)?,
            record,
            effects: Effects::new(),
            clock: TickClock::new(TICK_RATE),
            last_run: None,
            speed_permille: 1000,
            next_turn: 0,
            hashes_equal: 0,
            differs_at: None,
            orders: Vec::new(),
        };
        playback.compare(Tick(0), playback.world.hash());
        Ok(playback)
    }

    pub(crate) const fn world(&self) -> &World {
        &self.world
    }

    pub(crate) const fn effects(&mut self) -> &mut Effects {
        &mut self.effects
    }

    pub(crate) fn tick(&self) -> u32 {
        self.world.tick().0
    }

    pub(crate) fn pose_permille(&self) -> u32 {
        self.clock.permille()
    }

    fn is_over(&self) -> bool {
        self.world.tick() >= self.record.end.ticks
    }

    pub(crate) fn phase(&self) -> i32 {
        if self.is_over() {
            DUEL_PHASE_OVER
        } else {
            DUEL_PHASE_PLAYING
        }
    }

    pub(crate) fn end(&self) -> Option<MatchEnd> {
        let outcome = self.world.outcome().filter(|_| self.is_over())?;
        let outcome = DuelOutcome::try_from(outcome).ok()?;
        Some(MatchEnd::Decided {
            outcome,
            sync: if self.agrees() {
                Sync::InSync
            } else {
                Sync::NotVerified
            },
        })
    }

    fn agrees(&self) -> bool {
        self.is_over() && self.differs_at.is_none() && self.world.outcome() == self.record.outcome()
    }

    pub(crate) fn run(&mut self, now: LinkTime, paused: bool) -> u32 {
        let last = self.last_run.replace(now).unwrap_or(now);
        if paused || self.is_over() {
            return 0;
        }
        self.clock.advance(now.since(last), self.speed_permille);
        let mut stepped = 0;
        while self.clock.is_due() && !self.is_over() {
            self.step();
            self.clock.stepped();
            self.effects.collect(&self.world);
            stepped += 1;
        }
        stepped
    }

    fn step(&mut self) {
        let tick = self.world.tick();
        self.orders.clear();
        while let Some(turn) = self.record.turns.get(self.next_turn) {
            if turn.0 > tick {
                break;
            }
            let side = turn.1;
            let commands = turn.2.iter().cloned();
            self.orders.extend(commands.map(|command| Order {
                seat: side.seat(),
                command,
            }));
            self.next_turn += 1;
        }
        self.world.step(&self.orders);
        let now = self.world.tick();
        if now.0.is_multiple_of(HASH_EVERY) {
            self.compare(now, self.world.hash());
        }
    }

    fn compare(&mut self, tick: Tick, hash: WorldHash) {
        let at = (tick.0 / HASH_EVERY) as usize;
        if self.differs_at.is_some() {
            return;
        }
        if self.record.hashes.get(at) == Some(&(tick, hash)) {
            self.hashes_equal += 1;
        } else {
            self.differs_at = Some(tick);
        }
    }

    /// Goes to a tick: forward by stepping, back by starting over.
    fn seek(&mut self, tick: Tick) -> Result<(), Fault> {
        let tick = tick.min(self.record.end.ticks);
        if tick < self.world.tick() {
            self.world = world_of(&self.record)?;
            (self.next_turn, self.hashes_equal, self.differs_at) = (0, 0, None);
            self.compare(Tick(0), self.world.hash());
        }
        while self.world.tick() < tick {
            self.step();
        }
        self.clock = TickClock::new(TICK_RATE);
        self.effects.restart(self.world.tick());
        Ok(())
    }
}

fn world_of(record: &BattleRecord<Command>) -> Result<World, Fault> {
    World::new(&record.header.setup).map_err(|error| Fault::new(DUEL_BAD_DATA, error))
}

fn playback(this: &mut AnySession) -> Result<&mut Playback, Fault> {
    match &mut this.duel {
        Duel::Replay(playback) => Ok(playback),
        _ => Err(Fault::new(DUEL_UNSUPPORTED, "this session is no replay")),
    }
}

/// Opens a record of the skirmish, as `duel_session_record` wrote it. The session has no peer: it runs, pauses and
/// is drawn; what needs a peer is `DUEL_UNSUPPORTED`.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: the caller owns it: `duel_session_free`. The bytes are copied.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_replay_new(
    record: *const u8,
    length: usize,
    why: *mut c_char,
    why_bytes: usize,
    session: *mut *mut duel_session,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice(record, length, "record") }?;
        if session.is_null() {
            return Err(Fault::null("session"));
        }
        let text = core::str::from_utf8(bytes)
            .map_err(|_| Fault::new(DUEL_BAD_DATA, "not a battle record: it is not text"))?;
        let parsed = BattleRecord::<Command>::parse(text)
            .map_err(|error| Fault::new(DUEL_BAD_DATA, error))?;
        if parsed.header.game != NAME {
            let why = format_args!("a record of {:?}, not of {NAME:?}", parsed.header.game);
            return Err(Fault::new(DUEL_BAD_DATA, why));
        }
        let options = Options {
            role: Role::Host,
            seed: 0,
            build: super::build_id::BUILD_ID,
            game: NAME.into(),
            keep_mode: false,
            map: MapChoice::BuiltIn(0),
            mutators: 0,
            host_side: Side::Blue,
            start: StartMode::Measured,
            delay: None,
            log: None,
            log_userdata: core::ptr::null_mut(),
        };
        let duel = Duel::Replay(Box::new(Playback::new(parsed)?));
        let made = AnySession::of(duel, options, Medium::Practice, None);
        unsafe { put(session, handle::new(made)?, "session") }?;
        Ok(DUEL_OK)
    })
}

/// Goes to a tick of the record, or to its end: forward by stepping, back by starting over.
///
/// Thread: the game's.
/// Realtime: no. Up to a second or so for a long match.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_replay_seek(session: *mut duel_session, tick: u32) -> duel_status {
    crate::handle::enter!(session, |this| {
        playback(this)?.seek(Tick(tick))?;
        Ok(DUEL_OK)
    })
}

/// Sets how fast a replay runs, in thousandths, up to 100,000; but one run steps at most 5 ticks.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_replay_set_speed(
    session: *mut duel_session,
    permille: u32,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        if permille > 100_000 {
            return Err(Fault::argument(format_args!(
                "speed {permille}: at most 100000"
            )));
        }
        playback(this)?.speed_permille = permille;
        Ok(DUEL_OK)
    })
}

/// What the replay found so far.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `report` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_replay_get_report(
    session: *mut duel_session,
    report: *mut duel_replay_report,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let playback = playback(this)?;
        let out = duel_replay_report {
            struct_size: 0,
            ticks: playback.tick(),
            ticks_recorded: playback.record.end.ticks.0,
            hashes_equal: playback.hashes_equal,
            differs_at: playback
                .differs_at
                .map_or(DUEL_NONE, |tick| i32::try_from(tick.0).unwrap_or(i32::MAX)),
            agrees: playback.agrees().into(),
            builds: [
                playback.record.header.build.into(),
                super::build_id::BUILD_ID.into(),
            ],
        };
        // SAFETY: the caller's promise.
        unsafe { sized::write(report, &out) }?;
        Ok(DUEL_OK)
    })
}
