//! N sessions over a simulated internet, on virtual time: a toy game whose state is a hash of all inputs.
#![allow(dead_code, unused_imports)]

mod liar;

pub use liar::Liar;
use liar::Lying;
use match_feed::{Seat, SeatSet};
use net_session::{
    Event, Frame, Outcome, Part, Place, Request, Secret, Session, SessionConfig, StepInputs,
};
use net_transport::{LinkConfig, NetAir, NetEnd, NetTime, NetTransport};
use std::collections::BTreeMap;

/// A small generator, so that every run is told by its seed.
#[derive(Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

pub fn seats(bits: u8) -> SeatSet {
    SeatSet::from_bits(bits)
}

pub fn secret() -> Secret {
    Secret::new(*b"sixteen secrets!")
}

/// The game: everything that was ever input, mixed; and ballast for snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toy {
    pub frame: u32,
    pub mix: u64,
    pub ballast: usize,
}

impl Toy {
    pub fn step(&mut self, frame: Frame, inputs: &StepInputs) {
        assert_eq!(self.frame, frame.0, "frames are stepped in order");
        for (seat, input) in inputs.iter() {
            let mut word = 0xCBF2_9CE4_8422_2325u64 ^ seat.index() as u64;
            for &byte in input {
                word = (word ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
            }
            self.mix = (self.mix ^ word)
                .wrapping_mul(0x0100_0000_01B3)
                .rotate_left(7);
        }
        self.frame += 1;
    }
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = self.frame.to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.mix.to_le_bytes());
        let mut dice = Dice::new(self.mix);
        bytes.extend((0..self.ballast).map(|_| dice.next() as u8));
        bytes
    }
    pub fn load(bytes: &[u8]) -> Self {
        Self {
            frame: u32::from_le_bytes(bytes[..4].try_into().unwrap()),
            mix: u64::from_le_bytes(bytes[4..12].try_into().unwrap()),
            ballast: bytes.len() - 12,
        }
    }
}

/// One end: session, game, and what a host remembers.
pub struct Player {
    pub session: Session,
    pub end: NetEnd,
    pub index: usize,
    pub game: Toy,
    saves: BTreeMap<u32, Toy>,
    /// Every confirmed frame's inputs, by frame.
    pub log: BTreeMap<u32, Vec<Vec<u8>>>,
    pub events: Vec<Event>,
    pub steps: u64,
    pub new_frames: u64,
    pub polls: u64,
    pub stalls: u64,
    pub longest_stall: u64,
    stall: u64,
    pub depth: u64,
    dice: Dice,
    held: [u8; 8],
    pub hold: u64,
    /// The game ends here, if anywhere.
    pub last: Option<u32>,
    /// From this frame on the game goes wrong.
    pub broken: Option<u32>,
    pub restored: Option<(Frame, NetTime)>,
    pub first_own: Option<(Frame, NetTime)>,
    pub next_poll: u64,
    pub stopped: bool,
    /// Lies with the right key, from this many sent messages on.
    pub liar: Option<Liar>,
}

impl Player {
    pub fn new(config: SessionConfig, end: NetEnd, index: usize, seed: u64) -> Self {
        Self {
            session: Session::new(config).expect("a legal configuration"),
            end,
            index,
            game: Toy {
                frame: 0,
                mix: 1,
                ballast: 0,
            },
            saves: BTreeMap::new(),
            log: BTreeMap::new(),
            events: Vec::new(),
            steps: 0,
            new_frames: 0,
            polls: 0,
            stalls: 0,
            longest_stall: 0,
            stall: 0,
            depth: 0,
            dice: Dice::new(seed ^ (index as u64) << 32),
            held: [0; 8],
            hold: 12,
            last: None,
            broken: None,
            restored: None,
            first_own: None,
            next_poll: 0,
            stopped: false,
            liar: None,
        }
    }

    pub fn poll(&mut self, now: NetTime) {
        for seat in Seat::all(8) {
            if self.dice.below(self.hold) == 0 {
                self.held[seat.index()] = self.dice.next() as u8;
            }
            let pad = self.held[seat.index()];
            let _ = self.session.set_input(seat, &[pad, pad / 3]);
        }
        let before = self.session.position();
        match &mut self.liar {
            None => self.session.advance(now, &mut self.end),
            Some(liar) => self.session.advance(
                now,
                &mut Lying {
                    end: &mut self.end,
                    liar,
                },
            ),
        }
        self.drain(now);
        self.polls += 1;
        if self.session.position() == before
            && self.new_frames > 0
            && self.session.outcome().is_none()
        {
            self.stalls += 1;
            self.stall += 1;
            self.longest_stall = self.longest_stall.max(self.stall);
        } else {
            self.stall = 0;
        }
        while let Some(event) = self.session.poll_event() {
            self.events.push(event);
        }
    }

    fn drain(&mut self, now: NetTime) {
        enum Answer {
            None,
            Hash(Frame),
            Snapshot(Frame),
            Finish,
        }
        loop {
            let answer = match self.session.poll_request() {
                None => break,
                Some(Request::Save { frame }) => {
                    assert_eq!(frame.0, self.game.frame);
                    self.saves.insert(frame.0, self.game.clone());
                    if self.saves.len() > 70 {
                        self.saves.pop_first();
                    }
                    Answer::None
                }
                Some(Request::Load { frame }) => {
                    self.depth += u64::from(self.game.frame - frame.0);
                    self.game = self.saves[&frame.0].clone();
                    Answer::None
                }
                Some(Request::Step {
                    frame,
                    inputs,
                    flags,
                }) => {
                    assert_ne!(flags.predicted, flags.confirmed);
                    self.game.step(frame, inputs);
                    self.steps += 1;
                    self.new_frames += u64::from(!flags.resimulated);
                    if self.broken.is_some_and(|at| frame.0 >= at) {
                        self.game.mix ^= 1;
                    }
                    if self.last == Some(self.game.frame) {
                        Answer::Finish
                    } else {
                        Answer::None
                    }
                }
                Some(Request::Hash { frame }) => Answer::Hash(frame),
                Some(Request::Snapshot { frame }) => Answer::Snapshot(frame),
                Some(Request::Restore { frame, state }) => {
                    self.game = Toy::load(state);
                    assert_eq!(self.game.frame, frame.0);
                    self.saves.clear();
                    self.log.clear();
                    self.restored = Some((frame, now));
                    Answer::None
                }
                Some(Request::Confirmed { frame, inputs }) => {
                    let all = inputs.iter().map(|(_, input)| input.to_vec()).collect();
                    let had = self.log.insert(frame.0, all);
                    assert_eq!(had, None, "a confirmed frame comes once");
                    Answer::None
                }
                Some(other) => panic!("a request that this host does not know: {other:?}"),
            };
            match answer {
                Answer::None => {}
                Answer::Hash(frame) => {
                    let parts = [
                        Part {
                            name: "mix",
                            hash: self.game.mix,
                        },
                        Part {
                            name: "frame",
                            hash: u64::from(self.game.frame),
                        },
                    ];
                    self.session.put_hash(
                        frame,
                        self.game.mix ^ u64::from(self.game.frame),
                        &parts,
                    );
                }
                Answer::Snapshot(frame) => {
                    let state = self.game.save();
                    self.session.put_snapshot(frame, &state);
                }
                Answer::Finish => self.session.finish(),
            }
        }
        if self.first_own.is_none()
            && self.restored.is_some()
            && let Some(Event::Joined { frame, .. }) = self
                .events
                .iter()
                .find(|it| matches!(it, Event::Joined { .. }))
            && self.session.confirmed() > *frame
        {
            self.first_own = Some((*frame, now));
        }
    }

    pub fn fps_share(&self) -> f64 {
        self.new_frames as f64 / self.polls as f64
    }
}

/// How often ends are polled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Polls {
    /// Once a frame, end i by i × 8 ms later.
    OnceAFrame,
    /// When session or transport want it.
    AtWake,
}

pub struct World {
    pub air: NetAir,
    pub players: Vec<Player>,
    pub now: u64,
    pub polls: Polls,
    pub hz: u64,
}

pub fn config(seat_count: u8, place: Place, nonce: u64) -> SessionConfig {
    SessionConfig::new(seat_count, place, secret(), nonce, [nonce as u8 + 1; 16])
        .game(1, 2)
        .setup(nonce, b"toy")
}

impl World {
    /// One player a seat.
    pub fn new(
        seat_count: u8,
        link: LinkConfig,
        seed: u64,
        change: impl Fn(SessionConfig) -> SessionConfig,
    ) -> Self {
        let air = NetAir::new(usize::from(seat_count), link, seed);
        let players = (0..seat_count).map(|seat| {
            let config = change(config(
                seat_count,
                Place::Player(seats(1 << seat)),
                1_000 + u64::from(seat),
            ));
            Player::new(config, air.end(usize::from(seat)), usize::from(seat), seed)
        });
        let mut world = Self {
            players: players.collect(),
            air,
            now: 0,
            polls: Polls::AtWake,
            hz: 60,
        };
        for player in &mut world.players {
            player.next_poll = player.index as u64 * 8_000;
        }
        world
    }

    pub fn run_to(&mut self, us: u64) {
        loop {
            let next = self
                .players
                .iter()
                .enumerate()
                .filter(|(_, player)| !player.stopped)
                .min_by_key(|(_, player)| player.next_poll);
            let Some((at, player)) = next else { return };
            if player.next_poll > us {
                self.now = us;
                return;
            }
            self.now = player.next_poll;
            let local = self.air.local(player.index, NetTime::from_us(self.now));
            let player = &mut self.players[at];
            player.poll(local);
            player.next_poll = match self.polls {
                Polls::OnceAFrame => {
                    let phase = player.index as u64 * 8_000 % (1_000_000 / self.hz);
                    phase + player.polls * 1_000_000 / self.hz
                }
                Polls::AtWake => {
                    let wake = player.session.next_wake();
                    let wake = player.end.next_wake().map_or(wake, |other| wake.min(other));
                    // Clocks differ by little; a wake is a lower bound, and 1 ms is fine enough.
                    let wait = wake.since(local).clamp(200, 20_000);
                    self.now + wait
                }
            };
        }
    }

    pub fn run_for(&mut self, us: u64) {
        self.run_to(self.now + us);
    }

    /// All logs agree wherever two have the same frame. Who was cut off counts up to the last hash that all compared.
    pub fn check_logs(&self, seed: u64) {
        let until = |player: &Player| match player.session.outcome() {
            None | Some(Outcome::Ended { .. }) if !player.stopped => u32::MAX,
            _ => player.session.agreed().0,
        };
        for a in 0..self.players.len() {
            for b in a + 1..self.players.len() {
                let (one, other) = (&self.players[a], &self.players[b]);
                for (frame, inputs) in one.log.range(..until(one).min(until(other))) {
                    if let Some(others) = other.log.get(frame) {
                        assert_eq!(
                            inputs,
                            others,
                            "seed {seed}: frame {frame} differs between {a} and {b} {}",
                            self.tell()
                        );
                    }
                }
            }
        }
    }

    /// What everybody went through, for a failure's message.
    pub fn tell(&self) -> String {
        let tell = |player: &Player| {
            format!(
                "\n{}: at {} confirmed {} outcome {:?} live {:b} {:?}",
                player.index,
                player.session.position(),
                player.session.confirmed(),
                player.session.outcome(),
                player.session.live(),
                player
                    .events
                    .iter()
                    .filter(|it| !matches!(it, Event::HashesAgree { .. }))
                    .collect::<Vec<_>>()
            )
        };
        self.players.iter().map(tell).collect()
    }

    pub fn outcomes(&self) -> Vec<Option<Outcome>> {
        self.players
            .iter()
            .map(|player| player.session.outcome())
            .collect()
    }
}

/// A world of `players`, and ends that nobody sits at yet: one for each open seat, and one at least.
pub fn with_guest(
    players: u8,
    link: LinkConfig,
    seed: u64,
    open: u8,
    change: impl Fn(SessionConfig) -> SessionConfig,
) -> World {
    let mut world = World::new(players, link, seed, &change);
    world.air = NetAir::apart(
        usize::from(players + open.count_ones().max(1) as u8),
        link,
        seed,
    );
    let count = players + open.count_ones() as u8;
    world.players.clear();
    for seat in 0..players {
        for other in 0..seat {
            world
                .air
                .connect(NetTime::ZERO, usize::from(other), usize::from(seat));
        }
    }
    for seat in 0..players {
        let place = Place::Player(seats(1 << seat));
        let config = change(config(count, place, 1_000 + u64::from(seat))).open(seats(open));
        let at = usize::from(seat);
        world
            .players
            .push(Player::new(config, world.air.end(at), at, seed));
    }
    world
}

/// Somebody comes to the end that is free.
pub fn let_in(
    world: &mut World,
    seat_count: u8,
    place: Place,
    seed: u64,
    change: impl Fn(SessionConfig) -> SessionConfig,
) {
    let guest = world.players.len();
    for at in 0..guest {
        world.air.connect(NetTime::from_us(world.now), at, guest);
    }
    let config = change(config(seat_count, place, 5_000 + seed + 100 * guest as u64));
    let mut player = Player::new(config, world.air.end(guest), guest, seed);
    player.next_poll = world.now;
    world.players.push(player);
}
