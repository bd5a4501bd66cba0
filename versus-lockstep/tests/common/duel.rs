//! The pair harness: two phones called 60 times a second on one virtual clock. Nothing sleeps.

use super::ToyPlayer;
use core::time::Duration;
use link_transport::{
    AirConfig, AirEnd, FrameBits, LinkEvent, LinkTime, LinkTransport, Loss, Mode, PacketAir, Plan,
    SessionKey, packet_ms,
};
use match_feed::{
    Game, Tick, TickClock,
    duel::{InputDelay, Side, TICK_RATE},
};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use versus_codec::CommandCodec;
use versus_lockstep::{GiveError, Lockstep, LockstepConfig, LockstepStatus};

/// A display frame.
const FRAME_US: u64 = 16_667;

/// What else the air does to packets that it delivers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// Percent of packets that are delivered a second time, up to 5 s later.
    pub twice_percent: u32,
    /// Percent of packets that are held back by up to a second.
    pub late_percent: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct DuelConfig {
    pub delay: u8,
    pub plan: Plan,
    pub mode: Mode,
    pub latency_ms: u64,
    pub loss: Loss,
    pub faults: Faults,
    pub segments_max: usize,
    pub seed: u64,
}

impl Default for DuelConfig {
    /// High plan, fast, D = 5: what pairing picks for this latency.
    fn default() -> Self {
        Self {
            delay: 5,
            plan: Plan::High,
            mode: Mode::Fast,
            latency_ms: 250,
            loss: Loss::None,
            faults: Faults::default(),
            segments_max: 4,
            seed: 1,
        }
    }
}

/// Who plays, and what.
pub trait Player: Sized {
    type World: Game<Command = <Self::Codec as CommandCodec>::Command>;
    type Codec: CommandCodec;

    /// The player of `side`, its phone's own copy of the world, and the codec.
    fn sit_down(config: &DuelConfig, side: Side) -> (Self, Self::World, Self::Codec);

    /// What it orders before `tick`.
    fn orders(&mut self, world: &Self::World, tick: Tick) -> Vec<CommandOf<Self>>;
}

pub type CommandOf<P> = <<P as Player>::Codec as CommandCodec>::Command;

/// The toy game's pair.
pub type Duel = Pair<ToyPlayer>;

/// One phone of the pair.
pub struct Phone<P: Player> {
    pub lockstep: Lockstep<P::Codec>,
    pub world: P::World,
    pub player: P,
    pub air: AirEnd,
    clock: TickClock,
    clock_start_us: u64,
    faults: Faults,
    rng: Pcg32,
    held: Vec<(LinkTime, FrameBits)>,
    /// The trail before the first tick and after each.
    pub trails: Vec<u32>,
    /// Orders applied, with the tick they were applied in.
    pub applied: Vec<(Tick, Side, CommandOf<P>)>,
    /// Calls that ended in a stall, and how many ticks had at least one.
    pub stalled_calls: u32,
    pub stalled_ticks: u32,
    stalled_now: bool,
    pub seals: u32,
    pub drains: u32,
    pub refused: u32,
    /// Called less than 60 times a second: how many of these frames are left out.
    pub asleep_frames: u32,
}

impl<P: Player> Phone<P> {
    fn new(config: &DuelConfig, side: Side, air: AirEnd, clock_start: LinkTime) -> Self {
        let (player, world, codec) = P::sit_down(config, side);
        let lockstep_config =
            LockstepConfig::new(side, InputDelay::new(config.delay).unwrap(), world.hash())
                .with_capacity_bits(air.capacity_bits())
                .with_packet_ms(packet_ms(config.plan, config.mode));
        let mut lockstep = Lockstep::new(lockstep_config, codec).unwrap();
        lockstep.limit_segments(config.segments_max);
        let trails = vec![lockstep.status(clock_start).trail];
        Self {
            lockstep,
            world,
            player,
            air,
            clock: TickClock::new(TICK_RATE),
            clock_start_us: clock_start.as_us(),
            faults: config.faults,
            rng: Pcg32::seed_from_u64(config.seed ^ 0xFA17 ^ side.index() as u64),
            held: Vec::new(),
            trails,
            applied: Vec::new(),
            stalled_calls: 0,
            stalled_ticks: 0,
            stalled_now: false,
            seals: 0,
            drains: 0,
            refused: 0,
            asleep_frames: 0,
        }
    }

    pub fn now(&self) -> LinkTime {
        self.air.now()
    }

    pub fn status(&self) -> LockstepStatus {
        self.lockstep.status(self.now())
    }

    pub fn tick(&self) -> Tick {
        self.status().tick
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.next_u32() % 100 < percent
    }

    fn receive(&mut self, now: LinkTime) {
        while let Some(event) = self.air.poll(now) {
            match event {
                LinkEvent::Slot(slot) => self.lockstep.handle_slot(slot),
                LinkEvent::Packet(packet) if packet.session => {
                    let later = |duel: &mut Self, ms: u32| {
                        let wait = duel.rng.next_u32() % ms;
                        duel.held
                            .push((now + Duration::from_millis(wait.into()), packet.bits));
                    };
                    if self.chance(self.faults.twice_percent) {
                        later(self, 5000);
                    }
                    if self.chance(self.faults.late_percent) {
                        later(self, 1000);
                    } else {
                        self.hear(now, packet.bits);
                    }
                }
                _ => {}
            }
        }
        while let Some(at) = self.held.iter().position(|held| held.0 <= now) {
            let (_, bits) = self.held.swap_remove(at);
            self.hear(now, bits);
        }
    }

    fn hear(&mut self, now: LinkTime, bits: FrameBits) {
        if self.lockstep.handle_frame(now, bits.as_bitslice()).is_err() {
            self.refused += 1;
        }
    }

    /// One display frame, as a session and its feed would run it.
    pub fn pump(&mut self, now: LinkTime, elapsed: Duration) {
        self.receive(now);
        self.clock.advance(elapsed, self.lockstep.speed_permille());
        while self.clock.is_due() && self.world.outcome().is_none() {
            let tick = self.lockstep.status(now).tick;
            if self.lockstep.is_seal_due() {
                self.drains += 1;
                for order in self.player.orders(&self.world, tick) {
                    // Orders without end over a slow link fill the queue.
                    let given = self.lockstep.give(now, order);
                    assert!(matches!(given, Ok(()) | Err(GiveError::QueueFull(_))));
                }
            }
            self.seals += u32::from(self.lockstep.seal(now));
            let Some(orders) = self.lockstep.orders(tick) else {
                self.clock.stalled();
                self.stalled_calls += 1;
                self.stalled_ticks += u32::from(!self.stalled_now);
                self.stalled_now = true;
                break;
            };
            self.world.step(orders);
            let applied = orders
                .iter()
                .map(|order| (tick, order.side().expect("a duel"), order.command.clone()));
            self.applied.extend(applied);
            self.stalled_now = false;
            self.lockstep
                .stepped(now, tick, self.world.hash(), self.world.outcome());
            self.trails.push(self.lockstep.status(now).trail);
            self.clock.stepped();
        }
        if let Some(frames) = self.lockstep.poll_frames() {
            assert!(frames.iter().all(|frame| frame.keyed));
            assert!(frames.is_sorted_by(|a, b| a.key < b.key));
            let capacity = self.air.capacity_bits();
            assert!(frames.iter().all(|frame| frame.bits.len() <= capacity));
            self.air.send(frames);
        }
    }

    /// Time spent waiting, milliseconds.
    pub fn stall_ms(&self) -> u64 {
        u64::from(self.stalled_calls) * FRAME_US / 1000
    }
}

/// Both phones.
pub struct Pair<P: Player> {
    pub config: DuelConfig,
    pub blue: Phone<P>,
    pub red: Phone<P>,
    now_us: u64,
}

impl<P: Player> Pair<P> {
    pub fn new(config: DuelConfig) -> Self {
        let clock_start = [LinkTime::from_ms(77), LinkTime::from_ms(7_654_321)];
        let air = AirConfig::default()
            .with_plan(config.plan)
            .with_latency(Duration::from_millis(config.latency_ms))
            .with_loss([config.loss; 2])
            .with_clock_start(clock_start);
        let key = SessionKey {
            host_nonce: 1,
            guest_nonce: 2,
        };
        let (mut host, mut guest) = PacketAir::pair(air, config.seed);
        for end in [&mut host, &mut guest] {
            end.set_session_key(key);
            end.set_mode(config.mode);
        }
        Self {
            config,
            blue: Phone::new(&config, Side::Blue, host, clock_start[0]),
            red: Phone::new(&config, Side::Red, guest, clock_start[1]),
            now_us: 0,
        }
    }

    pub fn phones(&mut self) -> [&mut Phone<P>; 2] {
        [&mut self.blue, &mut self.red]
    }

    pub fn set_loss(&mut self, loss: Loss) {
        for phone in self.phones() {
            phone.air.set_loss(loss);
        }
    }

    /// Lets one display frame pass on both phones.
    pub fn frame(&mut self) {
        self.now_us += FRAME_US;
        let now_us = self.now_us;
        for phone in self.phones() {
            let now = LinkTime::from_us(phone.clock_start_us + now_us);
            if phone.asleep_frames > 0 {
                phone.asleep_frames -= 1;
                continue;
            }
            phone.pump(now, Duration::from_micros(FRAME_US));
        }
    }

    pub fn run_ms(&mut self, ms: u64) {
        for _ in 0..ms * 1000 / FRAME_US {
            self.frame();
        }
    }

    /// Runs until `done`; fails after `limit_ms` of the match's own time.
    pub fn run_until(&mut self, limit_ms: u64, mut done: impl FnMut(&mut Self) -> bool) {
        let start_us = self.now_us;
        while !done(self) {
            assert!(
                self.now_us - start_us < limit_ms * 1000,
                "not within {limit_ms} ms: {:#?} {:#?} under {:?}",
                self.blue.status(),
                self.red.status(),
                self.config
            );
            self.frame();
        }
    }

    /// Until both have stepped `ticks`; fails if they are slower than `slowest_permille` of normal speed.
    pub fn play(&mut self, ticks: u32, limit_ms: u64) {
        self.run_until(limit_ms, |duel| {
            duel.blue.tick() >= Tick(ticks) && duel.red.tick() >= Tick(ticks)
        });
    }

    /// At every tick that both have stepped, both trails are the same, and so is what was applied.
    pub fn assert_same_trails(&self) {
        let common = self.blue.trails.len().min(self.red.trails.len());
        let differs = (0..common).find(|&at| self.blue.trails[at] != self.red.trails[at]);
        assert_eq!(differs, None, "trails differ under {:?}", self.config);
        let both = self.blue.applied.len().min(self.red.applied.len());
        assert_eq!(self.blue.applied[..both], self.red.applied[..both]);
    }
}
