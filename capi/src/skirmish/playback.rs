//! A record being played, as a session runs it.

use crate::{
    handle::Fault,
    session::{
        duel::{Duel, no_peer},
        show::show_end,
        words::{DUEL_PHASE_OVER, DUEL_PHASE_PLAYING, duel_session_status},
    },
    skirmish::effects::Effects,
    status::*,
    text::Text,
};
use game_sim::{Command, World};
use link_transport::LinkTime;
use match_feed::{
    Game, Order, Recorded as _, Tick, TickClock, WorldHash,
    duel::{BattleRecord, DuelOutcome, HASH_EVERY, TICK_RATE},
};
use versus_session::{MatchEnd, SessionConfig, Sync};

/// A record being played.
pub(crate) struct Playback {
    pub(crate) record: BattleRecord<Command>,
    world: World,
    pub(crate) effects: Effects,
    clock: TickClock,
    last_run: Option<LinkTime>,
    pub(crate) speed_permille: u32,
    next_turn: usize,
    pub(crate) hashes_equal: u32,
    pub(crate) differs_at: Option<Tick>,
    orders: Vec<Order<Command>>,
}

impl Playback {
    pub(crate) fn new(record: BattleRecord<Command>) -> Result<Self, Fault> {
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

    pub(crate) fn tick(&self) -> u32 {
        self.world.tick().0
    }

    fn is_over(&self) -> bool {
        self.world.tick() >= self.record.end.ticks
    }

    fn phase(&self) -> i32 {
        if self.is_over() {
            DUEL_PHASE_OVER
        } else {
            DUEL_PHASE_PLAYING
        }
    }

    fn end(&self) -> Option<MatchEnd> {
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

    pub(crate) fn agrees(&self) -> bool {
        self.is_over() && self.differs_at.is_none() && self.world.outcome() == self.record.outcome()
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
    pub(crate) fn seek(&mut self, tick: Tick) -> Result<(), Fault> {
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

impl Duel for Playback {
    fn run(&mut self, now: LinkTime, paused: bool) -> u32 {
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

    fn show(&mut self, _now: LinkTime, out: &mut duel_session_status, _problem: &mut Text) {
        out.phase = self.phase();
        out.tick = self.tick();
        out.pose_permille = self.clock.permille();
        show_end(out, self.end(), None);
    }

    fn saved(&mut self) -> Result<Vec<u8>, Fault> {
        let saved = self.world.save();
        saved.ok_or_else(|| Fault::new(DUEL_UNSUPPORTED, "the game cannot be saved"))
    }

    fn again(self: Box<Self>, _config: SessionConfig) -> Result<Box<dyn Duel>, Fault> {
        Err(no_peer())
    }
}

fn world_of(record: &BattleRecord<Command>) -> Result<World, Fault> {
    World::new(&record.header.setup).map_err(|error| Fault::new(DUEL_BAD_DATA, error))
}
