//! Seeded matches of four over the simulated internet: what all confirmed, and every packet that went, must be the same on
//! every machine.

use match_feed::{Seat, SeatSet, TickRate, WorldHash};
use net_session::{Part, Place, Request, Secret, Session, SessionConfig, StateRing, StepInputs};
use net_transport::{
    Carrier, Lane, LinkConfig, Loss, NetAir, NetEnd, NetEvent, NetTime, NetTransport, PeerId,
    SendResult,
};
use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg32;

const SEATS: usize = 4;
const RATE_HZ: u64 = 60;
/// Virtual seconds of a match.
const SECONDS: u64 = 20;
/// How far apart the ends' frames begin.
const PHASE_US: u64 = 3_700;
const SAVED_BYTES: usize = 12;

/// A match, and what it must come to: the hash of all confirmed inputs and states, and that of all packets sent.
struct Golden {
    name: &'static str,
    input_delay: u8,
    prediction: u8,
    trail: u64,
    packets: u64,
}

const GOLDEN: [Golden; 2] = [
    Golden {
        name: "lockstep",
        input_delay: 6,
        prediction: 0,
        trail: 0x869b_4ba7_9a63_c167,
        packets: 0xa6b2_d335_5c6b_a789,
    },
    Golden {
        name: "rollback",
        input_delay: 2,
        prediction: 8,
        trail: 0x906a_bc2e_63e3_43da,
        packets: 0xb196_15fb_c91f_227b,
    },
];

/// Plays both, says what they came to, and holds it against what it must be.
///
/// # Errors
/// A match that did not start, ends that confirmed different inputs, or a hash that is not the committed one.
pub fn play(say: &mut dyn FnMut(String)) -> Result<(), String> {
    // Both are played whatever comes out of the first, so that every machine says the same lines.
    let played = GOLDEN.each_ref().map(|golden| {
        let name = golden.name;
        let (frames, trail, packets) =
            play_match(golden).map_err(|why| format!("{name}: {why}"))?;
        say(format!("session {name} trail {trail} of {frames} frames"));
        say(format!("session {name} packets {packets}"));
        if (trail.0, packets.0) == (golden.trail, golden.packets) {
            Ok(())
        } else {
            Err(format!(
                "session {name} is not the committed one: trail {trail}, packets {packets}"
            ))
        }
    });
    played.into_iter().collect()
}

/// All frames that every end confirmed, and the hashes of what they held and of what all ends sent.
fn play_match(golden: &Golden) -> Result<(u32, WorldHash, WorldHash), String> {
    let link = LinkConfig::default()
        .latency_us(45_000)
        .jitter_us(10_000)
        .duplicate(0.02)
        .damage(0.01);
    let air = NetAir::new(SEATS, link.loss(Loss::Bernoulli(0.1)), 15);
    // Bursts and reordering on one link, so that their draws are held too.
    let bursts = Loss::PacketBursts {
        share: 0.15,
        mean_packets: 4.0,
    };
    air.set_link(1, 2, link.loss(bursts).reorder(0.05, 60_000));
    air.set_clock(3, NetTime::from_ms(500), 1_200);
    let mut ends = Seat::all(SEATS)
        .map(|seat| End::new(&air, seat, golden))
        .collect::<Result<Vec<_>, _>>()?;
    let polls = SECONDS * RATE_HZ * 2;
    for poll in 0..polls {
        for (at, end) in ends.iter_mut().enumerate() {
            let true_us = poll * 1_000_000 / (RATE_HZ * 2) + at as u64 * PHASE_US / SEATS as u64;
            end.poll(air.local(at, NetTime::from_us(true_us)))?;
        }
    }
    let frames = ends.iter().map(|end| end.trail.len()).min().unwrap_or(0);
    if (frames as u64) < SECONDS * RATE_HZ / 2 {
        return Err(format!("only {frames} frames were confirmed"));
    }
    let trail = ends[0].trail[frames - 1];
    if let Some(end) = ends.iter().find(|end| end.trail[frames - 1] != trail) {
        return Err(format!("seat {} confirmed something else", end.seat));
    }
    let packets = ends.iter().map(|end| end.wire.sent);
    let packets = packets.fold(WorldHash(0), |all, sent| {
        chain(all, &[&sent.0.to_le_bytes()])
    });
    Ok((frames as u32, trail, packets))
}

/// The hash of what came before and of some more.
fn chain(before: WorldHash, more: &[&[u8]]) -> WorldHash {
    let mut bytes = before.0.to_le_bytes().to_vec();
    for part in more {
        bytes.extend_from_slice(&(part.len() as u32).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    WorldHash::of(&bytes)
}

/// An end's way to the internet, which remembers what was sent.
struct Wire {
    end: NetEnd,
    sent: WorldHash,
}

impl NetTransport for Wire {
    fn carrier(&self) -> Carrier {
        self.end.carrier()
    }

    fn poll(&mut self, now: NetTime) -> Option<NetEvent<'_>> {
        self.end.poll(now)
    }

    fn send(&mut self, now: NetTime, peer: PeerId, lane: Lane, bytes: &[u8]) -> SendResult {
        let head = [peer.0 as u8, u8::from(lane == Lane::Reliable)];
        let at = now.as_us().to_le_bytes();
        self.sent = chain(self.sent, &[&at, &head, bytes]);
        self.end.send(now, peer, lane, bytes)
    }

    fn disconnect(&mut self, now: NetTime, peer: PeerId) {
        self.end.disconnect(now, peer);
    }

    fn next_wake(&self) -> Option<NetTime> {
        self.end.next_wake()
    }

    fn is_up(&self, peer: PeerId) -> bool {
        self.end.is_up(peer)
    }
}

/// The game: a mix of every input ever given.
#[derive(Clone, Copy)]
struct Mix {
    frame: u32,
    value: u64,
}

impl Mix {
    fn step(&mut self, inputs: &StepInputs) {
        for (seat, input) in inputs.iter() {
            let seat = [u8::from(seat)];
            self.value = chain(WorldHash(self.value), &[&seat, input]).0;
        }
        self.frame += 1;
    }

    fn save(&self, slot: &mut [u8]) -> usize {
        slot[..4].copy_from_slice(&self.frame.to_le_bytes());
        slot[4..SAVED_BYTES].copy_from_slice(&self.value.to_le_bytes());
        SAVED_BYTES
    }

    fn load(saved: &[u8]) -> Option<Self> {
        let (frame, value) = saved.split_first_chunk()?;
        Some(Self {
            frame: u32::from_le_bytes(*frame),
            value: u64::from_le_bytes(*value.first_chunk()?),
        })
    }
}

/// One end: its session, its game, and a hash of all that it confirmed, after each frame.
struct End {
    seat: Seat,
    session: Session,
    wire: Wire,
    game: Mix,
    states: StateRing,
    pads: Pcg32,
    pad: u16,
    trail: Vec<WorldHash>,
}

impl End {
    fn new(air: &NetAir, seat: Seat, golden: &Golden) -> Result<Self, String> {
        let number = u64::from(u8::from(seat));
        let place = Place::Player(SeatSet::only(seat));
        let token = [number as u8 + 1; 16];
        let config =
            SessionConfig::new(SEATS as u8, place, Secret::new([7; 16]), 1 + number, token)
                .rate(TickRate::new(RATE_HZ as u8).ok_or("a rate")?)
                .input_delay(golden.input_delay)
                .prediction(golden.prediction);
        let session = Session::new(config).map_err(|why| why.to_string())?;
        let ring = StateRing::new(usize::from(golden.prediction) + 2, SAVED_BYTES);
        Ok(Self {
            seat,
            session,
            wire: Wire {
                end: air.end(seat.index()),
                sent: WorldHash(0),
            },
            game: Mix { frame: 0, value: 1 },
            states: ring.map_err(|why| why.to_string())?,
            pads: Pcg32::seed_from_u64(number),
            pad: 0,
            trail: Vec::new(),
        })
    }

    fn poll(&mut self, now: NetTime) -> Result<(), String> {
        let words = |why: &dyn core::fmt::Display| format!("seat {}: {why}", self.seat);
        if self.pads.next_u32().is_multiple_of(24) {
            self.pad = self.pads.next_u32() as u16;
        }
        let given = self.session.set_input(self.seat, &self.pad.to_le_bytes());
        given.map_err(|why| words(&why))?;
        self.session.advance(now, &mut self.wire);
        while let Some(request) = self.session.poll_request() {
            match request {
                Request::Save { frame } => {
                    let saved = self.states.save(frame, |slot| self.game.save(slot));
                    saved.map_err(|why| words(&why))?;
                }
                Request::Load { frame } => {
                    let saved = self.states.get(frame).and_then(Mix::load);
                    self.game = saved.ok_or_else(|| words(&"a state was not kept"))?;
                }
                Request::Step { inputs, .. } => self.game.step(inputs),
                Request::Hash { frame } => {
                    let hash = self.game.value;
                    let parts = [Part { name: "mix", hash }];
                    self.session.put_hash(frame, hash, &parts);
                }
                Request::Confirmed { frame, inputs } => {
                    let before = self.trail.last().copied().unwrap_or(WorldHash(0));
                    let mut now = chain(before, &[&frame.0.to_le_bytes()]);
                    for (seat, input) in inputs.iter() {
                        now = chain(now, &[&[u8::from(seat)], input]);
                    }
                    self.trail.push(now);
                }
                _ => {}
            }
        }
        while self.session.poll_event().is_some() {}
        match self.session.outcome() {
            None => Ok(()),
            Some(outcome) => Err(words(&format!("it ended: {outcome:?}"))),
        }
    }
}
