//! What play costs: a lockstep's tick, and a whole duel by sound.

use super::{
    Effort, Figure,
    watch::{CoreWatch, best_of},
};
use crate::{
    duel::{self, Phone, PhoneConfig},
    words::MatchModeArg,
};
use game_sim::{Ai, AiLevel, Command, SkirmishCodec, World};
use link_room::{RoomLink, RoomLinkConfig};
use link_transport::{LinkTime, Mode, OutFrame, Plan, Rotation, Slot, capacity_bits, packet_ms};
use match_feed::{
    Game, Tick, WorldHash,
    duel::{InputDelay, MapChoice, MatchSetup, PerSide, Side, TICK_MS, compose_tick},
};
use std::{
    collections::VecDeque,
    error::Error,
    hint::black_box,
    time::{Duration, Instant},
};
use versus_lockstep::{Lockstep, LockstepConfig};
use versus_pairing::Entry;

const SEED: u32 = 1;
/// A match's most ticks: all of it, or its first five minutes.
const TICKS_MAX: usize = 3000;
/// Runs of which the shortest counts.
const RUNS: usize = 3;
/// From a frame built to the same frame parsed: what 250 ms of air are in ticks, rounded up.
const AIR_TICKS: usize = 3;
/// How much of a duel by sound.
const DUEL_SECONDS: usize = 40;
const DUEL_FRAME: Duration = Duration::from_millis(10);

/// One tick's orders, blue's then red's.
type Turns = PerSide<Vec<Command>>;

fn setup() -> MatchSetup {
    MatchSetup {
        map: MapChoice::BuiltIn(0),
        mutators: 0,
        seed: SEED,
        openers: PerSide::from_fn(|_| None),
    }
}

fn world() -> Result<World, Box<dyn Error>> {
    Ok(World::new(&setup())?)
}

/// What two AIs order in a match of their own, tick by tick.
fn orders(ticks_max: usize) -> Result<Vec<Turns>, Box<dyn Error>> {
    let mut world = world()?;
    let mut ais = PerSide::from_fn(|side| Ai::new(side, AiLevel::Normal, SEED));
    let mut turns = Vec::new();
    while world.outcome().is_none() && turns.len() < ticks_max {
        let given = PerSide::from_fn(|side| ais[side].think(&world));
        world.step(&compose_tick(
            Side::Blue,
            given.blue.iter().cloned(),
            given.red.iter().cloned(),
        ));
        turns.push(given);
    }
    Ok(turns)
}

/// One phone's part of a tick: its orders sealed, a frame built, a frame parsed, the tick's orders handed out.
pub fn lockstep(_: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let turns = orders(TICKS_MAX)?;
    let mut failed = None;
    let tick_us = best_of(RUNS, || match play_lockstep(turns.clone()) {
        Ok(tick_us) => tick_us,
        Err(why) => {
            failed = Some(why);
            f64::INFINITY
        }
    });
    if let Some(why) = failed {
        return Err(why);
    }
    Ok(vec![Figure {
        name: "lockstep.tick_us",
        value: tick_us,
        unit: "µs",
        against: format!(
            "a bar of 10 µs: a frame built, one parsed, {} ticks of a match at D = 8",
            turns.len()
        ),
    }])
}

/// Ticks of a workload.
const WORKLOAD_TICKS: usize = 300;

/// A match's first ticks in lockstep, for counting instructions.
pub fn lockstep_workload() -> Result<Box<dyn FnMut()>, Box<dyn Error>> {
    let mut turns = orders(WORKLOAD_TICKS)?;
    Ok(Box::new(move || {
        black_box(play_lockstep(std::mem::take(&mut turns)).is_ok());
    }))
}

/// One phone and the frames on their way to it.
struct End {
    lockstep: Lockstep<SkirmishCodec>,
    rotation: Rotation,
    air: VecDeque<Option<OutFrame>>,
    stepped: u32,
}

/// Microseconds a tick and phone.
fn play_lockstep(turns: Vec<Turns>) -> Result<f64, Box<dyn Error>> {
    let world = world()?;
    let end = |local| {
        let config = LockstepConfig::new(local, InputDelay::MAX, WorldHash(1))
            .with_capacity_bits(capacity_bits(Plan::High))
            .with_packet_ms(packet_ms(Plan::High, Mode::Fast));
        Ok::<_, Box<dyn Error>>(End {
            lockstep: Lockstep::new(config, SkirmishCodec::new(world.map_size()))?,
            rotation: Rotation::default(),
            air: VecDeque::from([None; AIR_TICKS]),
            stepped: 0,
        })
    };
    let mut ends = PerSide {
        blue: end(Side::Blue)?,
        red: end(Side::Red)?,
    };
    let ticks = turns.len();
    let started = Instant::now();
    for (now_ms, given) in (0..).step_by(TICK_MS as usize).zip(turns) {
        let now = LinkTime::from_ms(now_ms);
        for (side, commands) in [(Side::Blue, given.blue), (Side::Red, given.red)] {
            let sent = ends[side].tick(now, commands)?;
            ends[side.other()].air.push_back(sent);
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let stepped = ends.blue.stepped.min(ends.red.stepped) as usize;
    // The ends take turns, so the first to act is behind by no more than one tick.
    if stepped + 1 < ticks {
        return Err(format!("the lockstep stalled: {stepped} of {ticks} ticks").into());
    }
    Ok(seconds * 1e6 / (2 * ticks) as f64)
}

impl End {
    fn tick(
        &mut self,
        now: LinkTime,
        commands: Vec<Command>,
    ) -> Result<Option<OutFrame>, Box<dyn Error>> {
        if let Some(frame) = self.air.pop_front().flatten() {
            self.lockstep.handle_frame(now, frame.bits.as_bitslice())?;
        }
        for command in commands {
            // What cannot be sent is refused here as in any match, and costs what it costs.
            let _ = self.lockstep.give(now, command);
        }
        self.lockstep.seal(now);
        if let Some(frames) = self.lockstep.poll_frames() {
            self.rotation.set(frames);
        }
        let sent = self.rotation.latch(capacity_bits(Plan::High));
        self.lockstep.handle_slot(Slot {
            at: now,
            key: sent.map(|frame| frame.key),
        });
        let tick = Tick(self.stepped);
        if let Some(orders) = self.lockstep.orders(tick) {
            black_box(orders);
            self.lockstep
                .stepped(now, tick, WorldHash(u64::from(tick.0)), None);
            self.stepped += 1;
        }
        Ok(sent)
    }
}

/// Two phones in the room, from switching on: pairing, then play.
pub fn duel(effort: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let (host, guest) = RoomLink::pair(RoomLinkConfig::default(), SEED.into());
    let phone = |entry, seed| PhoneConfig {
        entry,
        plan: Plan::High,
        opener: None,
        level: AiLevel::Normal,
        seed,
        modes: duel::mode_policy(MatchModeArg::Auto),
    };
    let entry = duel::host_seat("0", "none", Side::Blue, MatchModeArg::Auto)?;
    let mut phones = [
        Phone::new(host, phone(entry, 1))?,
        Phone::new(guest, phone(Entry::Guest, 2))?,
    ];
    // Pairing alone takes ten.
    let lasts = Duration::from_secs(effort.of(DUEL_SECONDS).max(15) as u64);
    let watch = CoreWatch::start();
    let mut elapsed = Duration::ZERO;
    while elapsed < lasts {
        elapsed += DUEL_FRAME;
        for phone in &mut phones {
            phone.run(elapsed)?;
        }
    }
    let seconds = watch.seconds();
    let ticks = phones[0].tick();
    if ticks == Tick(0) {
        return Err("the duel's phones did not pair".into());
    }
    Ok(vec![Figure {
        name: "duel.times_real_time",
        value: lasts.as_secs_f64() / seconds,
        unit: "×",
        against: format!(
            "real time: {} s of two phones in the room, {ticks} ticks played",
            lasts.as_secs()
        ),
    }])
}
