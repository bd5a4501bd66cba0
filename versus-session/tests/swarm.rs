//! Many short duels, each with its own mix of faults from one seed. What must hold whatever happens: the worlds never
//! differ unseen, both phones end with the same story, and nothing hangs.
//!
//! A failure names its seed; `one(seed)` plays it again. `SWARM_SEEDS=20000` plays more than the tests' share.

mod common;

use common::*;
use link_transport::{AirConfig, FrameBits, LinkPacket, LinkTime, Loss, Plan, Role, hash32};
use match_feed::Side;
use versus_lockstep::Leave;
use versus_pairing::{LobbyFrame, LobbyHead, PROTO, PairingPhase};
use versus_session::{MatchEnd, SessionPhase, Sync};

const SEEDS: u32 = 240;
/// Every fault has passed by then; what follows is time to recover.
const FAULTS_MS: u64 = 45_000;
const HANG_MS: u64 = 240_000;

/// A stream of numbers from a seed.
struct Dice(u32, u32);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.1 += 1;
        hash32(&[self.0, self.1, 0x5EED]) % sides
    }
    fn chance(&mut self, percent: u32) -> bool {
        self.roll(100) < percent
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

/// A packet with one to three bits flipped, whose CRC happens to fit.
fn damage(packet: &LinkPacket, dice: &mut Dice) -> LinkPacket {
    let mut bytes = packet.bits.as_bytes().to_vec();
    for _ in 0..1 + dice.roll(3) {
        let bit = dice.roll(120);
        bytes[bit as usize / 8] ^= 1 << (bit % 8);
    }
    LinkPacket {
        bits: FrameBits::from_bytes(&bytes, packet.bits.len()),
        ..*packet
    }
}

/// A lobby frame of a phone of the friend's role that is not the friend.
fn third(phone: usize, own: u16, dice: &mut Dice) -> LinkPacket {
    let role = [Role::Guest, Role::Host][phone];
    let head = LobbyHead {
        role,
        proto: PROTO,
        build: if dice.chance(80) { BUILD } else { 1 },
    };
    let opener = Some(dice.roll(3) as u8);
    let frame = LobbyFrame {
        head,
        nonce: if dice.chance(95) {
            1 + dice.roll(3) as u16
        } else {
            0
        },
        heard: if dice.chance(50) {
            own
        } else {
            dice.roll(3) as u16
        },
        rxq: dice.roll(8) as u8,
        ping: dice.roll(256) as u8,
        echo: dice.roll(256) as u8,
        hold: dice.roll(128) as u8,
        config: None,
        conf_hash: dice.roll(65_536) as u16,
        pick: opener,
        picked: dice.chance(50),
        go: dice.chance(20).then_some(opener),
    };
    LinkPacket {
        bits: frame.encode().resized(188),
        snr_db: None,
        at: LinkTime::ZERO,
        session: false,
    }
}

/// What one seed switches on.
#[derive(Debug)]
struct Faults {
    dropouts: bool,
    one_way: bool,
    replays: bool,
    pauses: bool,
    sleeps: bool,
    retries: bool,
    /// A third phone tries to join in, sometimes hearing this one.
    third: bool,
    /// Frames damaged past the CRC's power, now and then.
    damage: bool,
    /// How soon a fault passes, percent a frame.
    calm: u32,
    resign_at: [Option<u32>; 2],
    leave: Option<u32>,
    length: u32,
}

fn faults(dice: &mut Dice) -> Faults {
    let maybe = |dice: &mut Dice, percent, sides| dice.chance(percent).then(|| dice.roll(sides));
    Faults {
        dropouts: dice.chance(40),
        one_way: dice.chance(30),
        replays: dice.chance(40),
        pauses: dice.chance(30),
        sleeps: dice.chance(30),
        retries: dice.chance(20),
        third: dice.chance(25),
        damage: dice.chance(15),
        calm: 1 + dice.roll(3),
        resign_at: [maybe(dice, 25, 300), maybe(dice, 25, 300)],
        leave: maybe(dice, 15, 2_000),
        length: 150 + dice.roll(350),
    }
}

struct Swarm {
    pair: Pair,
    dice: Dice,
    faults: Faults,
    resigned: [bool; 2],
    left: bool,
    losses: [Loss; 2],
}

impl Swarm {
    fn new(seed: u32) -> Self {
        let mut dice = Dice(seed, 0);
        let losses = [loss(&mut dice), loss(&mut dice)];
        let faults = faults(&mut dice);
        let low = dice.chance(30);
        let air = AirConfig {
            plan: if low { Plan::Low } else { Plan::High },
            latency: std::time::Duration::from_millis(if low {
                440
            } else {
                200 + u64::from(dice.roll(150))
            }),
            loss: losses,
            snr_db: [dice.roll(30) as f32, dice.roll(30) as f32],
            ..AirConfig::default()
        };
        let mut pair = Pair::new(Setup {
            air,
            seed: seed.into(),
            length: faults.length,
            host_side: Side::BOTH[dice.roll(2) as usize],
            ..Setup::default()
        });
        for phone in pair.phones() {
            phone.load_ms = if dice.chance(30) { 6_000 } else { 200 };
            phone.player = if dice.chance(20) { idle } else { busy };
        }
        Self {
            pair,
            dice,
            faults,
            resigned: [false; 2],
            left: false,
            losses,
        }
    }

    /// What goes wrong in this frame.
    fn disturb(&mut self) {
        let active = self.pair.air_us < FAULTS_MS * 1000;
        let (dice, faults, air_us) = (&mut self.dice, &self.faults, self.pair.air_us);
        let mut phones = self.pair.phones();
        for (at, phone) in phones.iter_mut().enumerate() {
            let now = phone.now(air_us);
            let calm = !active || dice.chance(faults.calm);
            let link = phone.session.transport_mut();
            if calm {
                link.end.set_loss(self.losses[at]);
                phone.awake = true;
                phone.session.set_paused(now, false);
            } else if faults.replays
                && dice.chance(3)
                && !phone.session.transport().heard.is_empty()
            {
                let heard = &phone.session.transport().heard;
                let stale = heard[dice.roll(heard.len() as u32) as usize];
                phone.session.transport_mut().injected.push_back(stale);
            }
            if active && faults.damage && dice.chance(1) {
                let heard = &phone.session.transport().heard;
                let damaged = heard.last().map(|packet| damage(packet, dice));
                phone.session.transport_mut().injected.extend(damaged);
            }
            if active && faults.third && dice.chance(2) {
                let own = phone.session.pairing().status().nonce;
                let stranger = third(at, own, dice);
                phone.session.transport_mut().injected.push_back(stranger);
            }
            if active && faults.dropouts && dice.roll(1_500) == 0 {
                phone.session.transport_mut().end.set_loss(Loss::All);
            }
            if active && faults.pauses && dice.roll(600) == 0 {
                phone.session.set_paused(now, true);
            }
            if active && faults.sleeps && dice.roll(900) == 0 {
                phone.awake = false;
            }
            let phase = phone.session.pairing().status().phase;
            let stuck = matches!(
                phase,
                PairingPhase::Failed(_) | PairingPhase::OtherVersion(_)
            );
            if stuck && dice.roll(120) == 0 {
                phone.session.retry(now); // its player taps
            }
            if active && faults.retries && dice.roll(600) == 0 && phone.session.agreed().is_none() {
                phone.session.retry(now);
            }
            if let Some(tick) = faults.resign_at[at]
                && phone.session.tick().0 >= tick
                && !self.resigned[at]
                && phone.session.give(now, command(&[RESIGN])).is_ok()
            {
                self.resigned[at] = true;
            }
        }
        if active && faults.one_way && dice.roll(1_000) == 0 {
            phones[0].session.transport_mut().end.set_loss(Loss::All);
        }
        if let Some(frame) = faults.leave
            && air_us / FRAME_US >= u64::from(frame)
            && !self.left
        {
            let at = (frame % 2) as usize;
            let now = phones[at].now(air_us);
            phones[at].session.leave(now, Leave::Left);
            self.left = true;
        }
    }

    fn settled(&self) -> bool {
        self.pair.ends().iter().all(|end| match end {
            // A poor link may take longer than the 10 s after which a match counts as not verified.
            Some(MatchEnd::Decided { sync, .. }) => *sync == Sync::InSync,
            other => other.is_some(),
        })
    }

    /// A phone that left before the match leaves its friend in the lobby, or waiting for it: the two generals.
    fn abandoned(&self) -> bool {
        let [host, guest] = self.pair.statuses().map(|status| status.phase);
        let gone = |phase| phase == SessionPhase::Leaving;
        let waits = |phase| !matches!(phase, SessionPhase::Over);
        self.left
            && self.pair.air_us > 60_000_000
            && (gone(host) && waits(guest) || gone(guest) && waits(host))
    }
}

/// One phone started on a GO whose sender then restarted: the stall overlay's Leave is the way out.
fn alone(pair: &Pair) -> bool {
    let [host, guest] = pair.statuses().map(|status| status.phase);
    (host == SessionPhase::Playing) != (guest == SessionPhase::Playing)
        && (host == SessionPhase::Lobby || guest == SessionPhase::Lobby)
}

/// A frame that lies under a good CRC can end a match, stall it or split it: but never unseen.
fn damaged(pair: &Pair, context: &str) -> &'static str {
    let ends = pair.ends();
    let in_sync = |end: &Option<MatchEnd>| {
        matches!(
            end,
            Some(MatchEnd::Decided {
                sync: Sync::InSync,
                ..
            })
        )
    };
    if ends.iter().all(in_sync) {
        pair.assert_same_worlds();
        pair.assert_equal_records();
        return "damaged, in sync";
    }
    let both = pair.host.hashes.len().min(pair.guest.hashes.len());
    if pair.host.hashes[..both] != pair.guest.hashes[..both] {
        let claims = ends.iter().filter(|end| in_sync(end)).count();
        assert_eq!(claims, 0, "{context}: {ends:?}");
        return "damaged, split and seen";
    }
    "damaged, ended"
}

/// Plays one seed; says how it ended.
fn one(seed: u32) -> &'static str {
    let mut swarm = Swarm::new(seed);
    while swarm.pair.air_us < HANG_MS * 1000 {
        swarm.pair.frame();
        swarm.disturb();
        if swarm.settled() || swarm.abandoned() {
            break;
        }
    }
    let context = format!("seed {seed}: {:?}", swarm.faults);
    let pair = &swarm.pair;
    let ends = pair.ends();
    if swarm.faults.damage {
        return damaged(pair, &context);
    }
    pair.assert_same_worlds();
    match ends {
        [Some(host), Some(guest)] => match (host, guest) {
            (
                MatchEnd::Decided {
                    outcome: a,
                    sync: Sync::InSync,
                },
                MatchEnd::Decided { outcome: b, sync },
            ) => {
                assert_eq!(a, b, "{context}");
                assert_eq!(sync, Sync::InSync, "{context}");
                pair.assert_equal_records();
                "in sync"
            }
            (MatchEnd::Left, MatchEnd::FriendLeft) | (MatchEnd::FriendLeft, MatchEnd::Left) => {
                "left"
            }
            // The friend decided the match before it heard of the leaving, or was told late.
            (MatchEnd::Left, MatchEnd::Decided { .. })
            | (MatchEnd::Decided { .. }, MatchEnd::Left) => "left",
            other => panic!("{context}: {other:?}"),
        },
        _ if swarm.left => "left early",
        _ if (swarm.faults.retries || swarm.faults.third) && alone(pair) => "two generals",
        _ => panic!("{context}: hangs: {:#?}", pair.statuses()),
    }
}

#[test]
fn a_swarm_of_faulty_duels_never_differs_unseen_and_never_hangs() {
    let mut count = std::collections::BTreeMap::new();
    let seeds = std::env::var("SWARM_SEEDS").map_or(SEEDS, |n| n.parse().expect("a number"));
    for seed in 0..seeds {
        *count.entry(one(seed)).or_insert(0) += 1;
    }
    println!("{count:?}");
    assert!(count["in sync"] > seeds as usize / 2, "{count:?}");
}

#[test]
fn the_same_seed_plays_the_same_duel() {
    let play = || {
        let mut swarm = Swarm::new(5);
        for _ in 0..2_000 {
            swarm.pair.frame();
            swarm.disturb();
        }
        let heard: Vec<LinkPacket> = swarm.pair.host.session.transport().heard.clone();
        (
            swarm.pair.host.hashes.clone(),
            swarm.pair.guest.events.clone(),
            heard,
        )
    };
    assert!(play() == play());
}
