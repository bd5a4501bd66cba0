//! Matches of many, and a guest who comes in late.

use super::{model::RATE, toy::Toy};
use match_feed::{Seat, SeatSet, TickRate};
use net_session::{Event, Outcome, Place, Request, Secret, Session, SessionConfig, StateRing};
use net_transport::{LinkConfig, Loss, NetAir, NetEnd, NetTime};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use std::{collections::BTreeMap, error::Error};

/// Virtual seconds of a match of many.
const MATCH_S: u64 = 10;
/// The share of its frames that a match must have stepped at its end; fewer is a hang. The first seconds are spent on greeting.
const LEAST_SHARE: u64 = 60;
/// Each end is polled twice a frame: half a frame later windows may go again.
const POLL_US: u64 = 1_000_000 / (2 * RATE);
/// How far apart the ends' frames begin.
const PHASE_US: u64 = 1_900;
/// Frames between the checks that this makes beside the session's own hashes.
const CHECK_EVERY: u32 = 60;

/// One end.
struct End {
    session: Session,
    air: NetEnd,
    me: usize,
    game: Toy,
    states: StateRing,
    ballast: usize,
    pads: Pcg32,
    inputs: u64,
    /// A digest of all confirmed inputs, by frame.
    checks: BTreeMap<u32, u64>,
    joined_at: Option<u32>,
}

impl End {
    fn new(
        config: SessionConfig,
        air: NetEnd,
        me: usize,
        seed: u64,
    ) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            session: Session::new(config)?,
            air,
            me,
            game: Toy::default(),
            states: StateRing::new(16, Toy::BYTES)?,
            ballast: 0,
            pads: Pcg32::seed_from_u64(seed ^ (me as u64) << 32),
            inputs: 0,
            checks: BTreeMap::new(),
            joined_at: None,
        })
    }

    fn poll(&mut self, now: NetTime) -> Result<(), Box<dyn Error>> {
        if self.pads.next_u32().is_multiple_of(24) {
            let pad = self.pads.next_u32() as u16;
            for seat in self.session.own_seats().iter() {
                self.session.set_input(seat, &pad.to_le_bytes())?;
            }
        }
        self.session.advance(now, &mut self.air);
        while let Some(request) = self.session.poll_request() {
            match request {
                Request::Save { frame } => self.states.save(frame, |slot| self.game.save(slot))?,
                Request::Load { frame } => {
                    let state = self.states.get(frame).ok_or("a state was not kept")?;
                    assert!(self.game.load(state));
                }
                Request::Step { inputs, .. } => {
                    self.game.step(
                        inputs
                            .iter()
                            .map(|(_, input)| input.try_into().map_or(0, u16::from_le_bytes)),
                    );
                }
                Request::Hash { frame } => {
                    let hash = self.game.hash();
                    self.session.put_hash(frame, hash, &[]);
                }
                Request::Snapshot { frame } => {
                    let mut state = vec![0; Toy::BYTES + self.ballast];
                    self.game.save(&mut state);
                    // What does not shrink.
                    Pcg32::seed_from_u64(frame.0.into()).fill_bytes(&mut state[Toy::BYTES..]);
                    self.session.put_snapshot(frame, &state);
                }
                Request::Restore { state, .. } if !self.game.load(state) => {
                    return Err("a snapshot came too short".into());
                }
                Request::Confirmed { frame, inputs } => {
                    for (_, input) in inputs.iter() {
                        let word = input
                            .iter()
                            .fold(1, |word: u64, byte| word << 8 | u64::from(*byte));
                        self.inputs = (self.inputs ^ word)
                            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                            .rotate_left(17);
                    }
                    if frame.0 % CHECK_EVERY == 0 {
                        self.checks.insert(frame.0, self.inputs);
                    }
                }
                _ => {}
            }
        }
        while let Some(event) = self.session.poll_event() {
            if let Event::Joined { member, frame, .. } = event
                && usize::from(member) == self.me
            {
                self.joined_at = Some(frame.0);
            }
        }
        Ok(())
    }
}

fn config(seats: u8, place: Place, nonce: u64) -> SessionConfig {
    let rate = TickRate::new(RATE as u8).expect("a rate");
    SessionConfig::new(seats, place, Secret::new([3; 16]), nonce, [nonce as u8; 16]).rate(rate)
}

fn seat(at: usize) -> SeatSet {
    Seat::all(at + 1)
        .next_back()
        .map_or(SeatSet::EMPTY, SeatSet::only)
}

/// How many of so many seeded matches of 3 to 8 seats, each link losing 0 to 25 %, came apart, hung or ended.
pub fn desyncs(matches: u64) -> Result<u64, Box<dyn Error>> {
    let mut bad = 0;
    for seed in 0..matches {
        bad += u64::from(!holds(seed)?);
    }
    Ok(bad)
}

fn holds(seed: u64) -> Result<bool, Box<dyn Error>> {
    let mut rng = Pcg32::seed_from_u64(seed);
    let seats = 3 + (seed % 6) as u8;
    // Half of them in lockstep.
    let (delay, prediction) = if (seed / 6).is_multiple_of(2) {
        (6, 0)
    } else {
        (2, 12)
    };
    let link = LinkConfig::default().latency_us(30_000).jitter_us(10_000);
    let count = usize::from(seats);
    let air = NetAir::new(count, link, seed);
    for from in 0..count {
        for to in 0..count {
            let share = f64::from(rng.next_u32() % 26) / 100.0;
            air.set_link(from, to, link.loss(Loss::Bernoulli(share)));
        }
    }
    let mut ends = (0..count)
        .map(|at| {
            let place = Place::Player(seat(at));
            let config = config(seats, place, 1 + at as u64)
                .input_delay(delay)
                .prediction(prediction);
            End::new(config, air.end(at), at, seed)
        })
        .collect::<Result<Vec<_>, _>>()?;
    run(&mut ends, 0, MATCH_S * 1_000_000)?;
    let least = (MATCH_S * RATE * LEAST_SHARE / 100) as u32;
    let go_on = ends
        .iter()
        .all(|end| end.session.outcome().is_none() && end.session.confirmed().0 >= least);
    let agree = ends.iter().all(|end| {
        end.checks.iter().all(|(frame, inputs)| {
            ends[0]
                .checks
                .get(frame)
                .is_none_or(|first| first == inputs)
        })
    });
    Ok(go_on && agree)
}

/// Polls every end, each a little later than the one before, from one true time to another.
fn run(ends: &mut [End], from_us: u64, to_us: u64) -> Result<(), Box<dyn Error>> {
    let mut start = from_us;
    while start < to_us {
        for (at, end) in ends.iter_mut().enumerate() {
            // Later than the one before, but before the next round.
            end.poll(NetTime::from_us(
                start + at as u64 * PHASE_US.min(POLL_US / 9),
            ))?;
        }
        start += POLL_US;
    }
    Ok(())
}

/// How a guest came in.
#[derive(Debug)]
pub struct Joined {
    /// From its first datagram to its first own frame that everybody confirmed, seconds.
    pub took_s: f64,
    /// How old the match was, seconds.
    pub after_s: u64,
    /// Frames in which the others could not go on, from the guest's first datagram on.
    pub stalled: u64,
}

/// Two play for `after_s` seconds, and a third comes in: 64 KiB of state over 1 Mbit/s, RTT 100 ms.
pub fn join(after_s: u64) -> Result<Joined, Box<dyn Error>> {
    const STATE_BYTES: usize = 64 << 10;
    let link = LinkConfig::default()
        .latency_us(50_000)
        .bandwidth(1_000_000, 200_000);
    let air = NetAir::apart(3, link, 1);
    air.connect(NetTime::ZERO, 0, 1);
    let config = |place, nonce| config(3, place, nonce).input_delay(6);
    let mut ends = (0..2)
        .map(|at| {
            let config = config(Place::Player(seat(at)), 1 + at as u64).open(seat(2));
            let mut end = End::new(config, air.end(at), at, 1)?;
            end.ballast = STATE_BYTES - Toy::BYTES;
            Ok(end)
        })
        .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let began_us = after_s * 1_000_000;
    run(&mut ends, 0, began_us)?;
    let stalls = |ends: &[End]| {
        ends.iter()
            .take(2)
            .map(|end| end.session.stats().stalled)
            .sum::<u64>()
    };
    let before = stalls(&ends);
    for at in 0..2 {
        air.connect(NetTime::from_us(began_us), at, 2);
    }
    let place = Place::Joiner {
        seats: seat(2),
        token: [0; 16],
    };
    ends.push(End::new(config(place, 9), air.end(2), 2, 1)?);
    let mut now_us = began_us;
    while now_us < began_us + 30_000_000 {
        run(&mut ends, now_us, now_us + POLL_US)?;
        now_us += POLL_US;
        let guest = &ends[2];
        if guest
            .joined_at
            .is_some_and(|first| guest.session.confirmed().0 > first)
        {
            let took_s = (now_us - began_us) as f64 / 1e6;
            return Ok(Joined {
                took_s,
                after_s,
                stalled: stalls(&ends) - before,
            });
        }
        if let Some(outcome @ (Outcome::Refused | Outcome::NoPath)) = guest.session.outcome() {
            return Err(format!("the guest did not come in: {outcome:?}").into());
        }
    }
    Err("the guest did not come in within 30 s".into())
}
