//! What one seed switches on, and what goes wrong in a frame because of it.

use super::{FRAME_US, Pair, RESIGN, Setup, ToySession, another_match, busy, command, idle, third};
use link_transport::{AirConfig, LinkPacket, LinkTime, LinkTransport, Loss, Mode, Plan, hash32};
use match_feed::duel::Side;
use versus_lockstep::Leave;
use versus_pairing::{PairingPhase, StartMode};

/// Of so many packets delivered, one is damaged past the CRC's power where [`Faults::damage`] is on.
///
/// A CRC of 16 bits passes one garbage packet in 65,536. Even a link of nothing but garbage, none of which its decoder
/// throws out, would deliver one in so many; this is 65 times as many, in packets that are otherwise fine.
pub const DAMAGE_ONE_IN: u32 = 1_000;
/// How long a page takes to load again, at least and at most more.
const BOOT_US: [u32; 2] = [500_000, 3_000_000];

/// A stream of numbers from a seed.
#[derive(Clone, Debug)]
pub struct Dice(u32, u32);

impl Dice {
    pub fn new(seed: u32) -> Self {
        Self(seed, 0)
    }
    pub fn roll(&mut self, sides: u32) -> u32 {
        self.1 += 1;
        hash32(&[self.0, self.1, 0x5EED]) % sides
    }
    pub fn chance(&mut self, percent: u32) -> bool {
        self.roll(100) < percent
    }
    fn maybe(&mut self, percent: u32, sides: u32) -> Option<u32> {
        self.chance(percent).then(|| self.roll(sides))
    }
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len() as u32) as usize]
    }
}

fn loss(dice: &mut Dice) -> Loss {
    match dice.roll(4) {
        0 => Loss::None,
        1 => Loss::Bernoulli(f64::from(dice.roll(40)) / 100.0),
        2 => Loss::Bernoulli(0.05),
        _ => Loss::GilbertElliott {
            to_bad: 0.04,
            to_good: 0.15,
            lost_in_good: 0.01,
            lost_in_bad: 0.95,
        },
    }
}

/// What one seed switches on. Every kind is off in most matches, so that each is met alone as well as together.
#[derive(Clone, Debug)]
pub struct Faults {
    pub loss: [Loss; 2],
    /// All packets one way, now and then: both ways if both fall together.
    pub dropouts: bool,
    pub one_way: bool,
    /// Percent of packets that arrive twice, and that arrive after the next one.
    pub twice: u32,
    pub late: u32,
    /// Recordings of this match, and of another one between two phones of the same build.
    pub replays: bool,
    pub other_match: bool,
    /// A third phone tries to join in, sometimes hearing this one.
    pub third: bool,
    /// Frames damaged past the CRC's power: each delivery by itself, one in [`DAMAGE_ONE_IN`].
    pub damage: bool,
    /// How far the guest's clock runs off the host's, parts per million.
    pub drift_ppm: i32,
    /// How long each phone takes to build its game.
    pub load_ms: [u64; 2],
    /// Now and then one pause, or many of them, short.
    pub pauses: bool,
    pub pause_storm: bool,
    /// A phone does not pump at all for a while.
    pub sleeps: bool,
    /// A player taps retry in the middle of pairing.
    pub retries: bool,
    /// A page is loaded anew in the middle of pairing.
    pub reloads: bool,
    /// This machine of a phone's computes one tick wrongly: a true desync.
    pub broken: Option<(usize, u32)>,
    /// How soon an outage, a pause or a sleep passes, thousandths a frame.
    pub calm: u32,
    pub resign_at: [Option<u32>; 2],
    /// After this many frames a player leaves, or both do.
    pub leave: Option<u32>,
    pub leave_both: bool,
    pub length: u32,
}

impl Faults {
    pub fn draw(dice: &mut Dice, length: core::ops::Range<u32>) -> Self {
        let ticks = length.end - length.start;
        let length = length.start + dice.roll(ticks.max(1));
        let resign_at = [
            dice.maybe(25, 4 * length / 3),
            dice.maybe(25, 4 * length / 3),
        ];
        // Both sides at once, now and then.
        let resign_at = match dice.chance(5) {
            true => [resign_at[0]; 2],
            false => resign_at,
        };
        Self {
            loss: [loss(dice), loss(dice)],
            dropouts: dice.chance(40),
            one_way: dice.chance(30),
            twice: dice.pick(&[0, 0, 10, 50]),
            late: dice.pick(&[0, 0, 10, 40]),
            replays: dice.chance(40),
            other_match: dice.chance(20),
            third: dice.chance(25),
            damage: dice.chance(30),
            drift_ppm: dice.pick(&[0, 0, 600, -600, 3_000, -3_000]),
            load_ms: [0; 2].map(|_| dice.pick(&[0, 200, 200, 6_000, 12_000])),
            pauses: dice.chance(30),
            pause_storm: dice.chance(10),
            sleeps: dice.chance(30),
            retries: dice.chance(20),
            reloads: dice.chance(15),
            broken: dice
                .chance(10)
                .then(|| (dice.roll(2) as usize, dice.roll(length))),
            calm: dice.pick(&[3, 10, 30]),
            resign_at,
            leave: dice.maybe(15, 6 * length + 600),
            leave_both: dice.chance(10),
            length,
        }
    }
}

/// A pair under faults.
pub struct Faulty {
    pub pair: Pair,
    pub faults: Faults,
    dice: Dice,
    /// Frames of another pair of phones, in case its recording is played here.
    other: Vec<LinkPacket>,
    resigned: [bool; 2],
    /// When each phone's player left.
    pub left_at_us: [Option<u64>; 2],
    /// Every fault has passed by then; what follows is time to recover.
    faults_until_us: u64,
}

impl Faulty {
    /// `length` in ticks. Faults go on for `faults_ms`.
    pub fn new(seed: u32, length: core::ops::Range<u32>, faults_ms: u64) -> Self {
        let mut dice = Dice::new(seed);
        let faults = Faults::draw(&mut dice, length);
        let low = dice.chance(30);
        let air = AirConfig::default()
            .with_plan(if low { Plan::Low } else { Plan::High })
            .with_latency(std::time::Duration::from_millis(if low {
                440
            } else {
                200 + u64::from(dice.roll(150))
            }))
            .with_loss(faults.loss)
            .with_snr_db([dice.roll(30) as f32, dice.roll(30) as f32]);
        let mut pair = Pair::new(Setup {
            air,
            seed: seed.into(),
            length: faults.length,
            host_side: Side::BOTH[dice.roll(2) as usize],
            start_mode: dice.pick(&[
                StartMode::Measured,
                StartMode::Fixed(Mode::Fast),
                StartMode::Fixed(Mode::Robust),
            ]),
            ..Setup::default()
        });
        pair.guest.set_drift_ppm(faults.drift_ppm);
        for (at, phone) in pair.phones().into_iter().enumerate() {
            phone.load_ms = faults.load_ms[at];
            phone.player = if dice.chance(20) { idle } else { busy };
            phone.fault = faults
                .broken
                .filter(|broken| broken.0 == at)
                .map(|broken| broken.1);
            let link = phone.session.transport_mut();
            (link.twice, link.late) = (faults.twice, faults.late);
            link.damage_one_in = if faults.damage { DAMAGE_ONE_IN } else { 0 };
            phone.pick = dice.roll(3) as u8;
        }
        let other = if faults.other_match {
            another_match(seed)
        } else {
            Vec::new()
        };
        Self {
            pair,
            faults,
            dice,
            other,
            resigned: [false; 2],
            left_at_us: [None; 2],
            faults_until_us: faults_ms * 1000,
        }
    }

    pub fn frame(&mut self) {
        self.pair.frame();
        let active = self.pair.air_us < self.faults_until_us;
        let air_us = self.pair.air_us;
        for at in 0..2 {
            let phone = if at == 0 {
                &mut self.pair.host
            } else {
                &mut self.pair.guest
            };
            let now = phone.now(air_us);
            let (dice, faults) = (&mut self.dice, &self.faults);
            if !active || dice.roll(1_000) < faults.calm {
                phone.session.transport_mut().end.set_loss(faults.loss[at]);
                phone.awake = true;
                phone.session.set_paused(now, false);
            }
            if active {
                play_in(&mut phone.session, at, faults, &self.other, dice);
                if faults.dropouts && dice.roll(1_500) == 0 {
                    phone.session.transport_mut().end.set_loss(Loss::All);
                }
                let pauses = if faults.pause_storm { 40 } else { 600 };
                if (faults.pauses || faults.pause_storm) && dice.roll(pauses) == 0 {
                    phone.session.set_paused(now, true);
                }
                if faults.sleeps && dice.roll(900) == 0 {
                    phone.awake = false;
                }
                let pairs = phone.session.agreed().is_none() && self.left_at_us[at].is_none();
                if faults.retries && dice.roll(600) == 0 && pairs {
                    phone.session.retry(now);
                }
                if faults.reloads && dice.roll(600) == 0 && pairs {
                    let boot_us = BOOT_US[0] + dice.roll(BOOT_US[1]);
                    phone.reload(air_us, boot_us.into(), dice.roll(u32::MAX).into());
                }
            } else {
                let link = phone.session.transport_mut();
                (link.twice, link.late, link.damage_one_in) = (0, 0, 0);
            }
            if self.left_at_us[at].is_some() && phone.session.closable(now) {
                phone.session.close();
            }
            tap(&mut phone.session, now, dice);
            if let Some(tick) = faults.resign_at[at]
                && phone.session.tick().0 >= tick
                && !self.resigned[at]
                && phone.session.give(now, command(&[RESIGN])).is_ok()
            {
                self.resigned[at] = true;
            }
        }
        if active && self.faults.one_way && self.dice.roll(1_000) == 0 {
            let at = self.dice.roll(2) as usize;
            let link = self.pair.phones()[at].session.transport_mut();
            link.end.set_loss(Loss::All);
        }
        let leaves = self.faults.leave;
        if leaves.is_some_and(|frame| air_us / FRAME_US == u64::from(frame)) {
            let both = self.faults.leave_both;
            for (at, phone) in self.pair.phones().into_iter().enumerate() {
                if both || leaves.is_some_and(|frame| at == frame as usize % 2) {
                    phone.session.leave(phone.now(air_us), Leave::Left);
                    self.left_at_us[at] = Some(air_us);
                }
            }
        }
    }

    /// From when on, at `us` or later, all faults have passed and everybody is awake.
    pub fn calm_since(&self, us: u64) -> u64 {
        us.max(self.faults_until_us)
    }
}

/// Packets that nobody of this pair has just sent.
fn play_in(
    session: &mut ToySession,
    at: usize,
    faults: &Faults,
    other: &[LinkPacket],
    dice: &mut Dice,
) {
    let own = session.pairing().status().nonce;
    let link = session.transport_mut();
    if faults.replays && dice.chance(3) {
        let packet = link.recorded(dice);
        link.injected.extend(packet);
    }
    if faults.other_match && dice.chance(3) && !other.is_empty() {
        // A frame under another match's key fails its CRC here: what passes is unkeyed.
        let packet = other[dice.roll(other.len() as u32) as usize];
        link.injected
            .extend(Some(packet).filter(|packet| !packet.session));
    }
    if faults.third && dice.chance(2) {
        link.injected.push_back(third(at, own, dice));
    }
}

/// Whoever is stuck in the lobby taps to try again, sooner or later.
fn tap(session: &mut ToySession, now: LinkTime, dice: &mut Dice) {
    let phase = session.pairing().status().phase;
    let stuck = matches!(
        phase,
        PairingPhase::Failed(_) | PairingPhase::OtherVersion(_)
    );
    if stuck && dice.roll(120) == 0 {
        session.retry(now);
    }
}
