//! One end of a match: a session, the game, and what its host remembers. The game is a mix of every input ever given.

use crate::{dice::Dice, skirmish::Skirmish};
use match_feed::{Seat, SeatSet};
use net_session::{Event, Frame, Part, Request, Session, StepInputs};
use net_transport::{NetTime, NetTransport};
use std::collections::VecDeque;

/// The game: everything that was ever input, mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toy {
    pub frame: u32,
    pub mix: u64,
}

impl Toy {
    pub const NEW: Self = Self { frame: 0, mix: 1 };

    pub fn step(&mut self, inputs: &StepInputs) {
        for (seat, input) in inputs.iter() {
            let mut word = 0xCBF2_9CE4_8422_2325_u64 ^ seat.index() as u64;
            for byte in input {
                word = (word ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
            }
            self.mix = (self.mix ^ word)
                .wrapping_mul(0x0100_0000_01B3)
                .rotate_left(7);
        }
        self.frame += 1;
    }

    fn save(&self, ballast: usize) -> Vec<u8> {
        let mut bytes = self.frame.to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.mix.to_le_bytes());
        bytes.resize(12 + ballast, self.mix as u8);
        bytes
    }

    fn load(bytes: &[u8]) -> Option<Self> {
        let (frame, rest) = bytes.split_first_chunk()?;
        Some(Self {
            frame: u32::from_le_bytes(*frame),
            mix: u64::from_le_bytes(*rest.first_chunk()?),
        })
    }
}

/// A rule broken on purpose, to see that the soak notices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Canary {
    /// One end's game goes wrong, and its hash says so: a false desync.
    Game,
    /// One end's game goes wrong, and its hash hides it: an undetected desync.
    Hidden,
    /// One end's session stops being polled, while its process still speaks: a hang.
    Frozen,
}

pub struct Peer {
    pub session: Session,
    transport: Box<dyn NetTransport>,
    pub end: usize,
    pub game: Toy,
    saves: VecDeque<Toy>,
    /// The game beside the mix, where it is played: in lockstep only.
    pub skirmish: Option<Skirmish>,
    skirmish_hashes: VecDeque<u64>,
    /// The game stepped with confirmed inputs alone, and its mix after every frame since `log_from`.
    reference: Toy,
    pub log_from: u32,
    pub log: Vec<u64>,
    pub joined: bool,
    pub last: u32,
    pub ballast: usize,
    pub canary: Option<Canary>,
    pub lies_hash: bool,
    pub events: Vec<Event>,
    dice: Dice,
    held: [u8; 8],
    pub next_poll_us: u64,
    pub left_at_us: Option<u64>,
    /// How far it had confirmed when it last moved, and when that was.
    pub moved_to: u32,
    pub moved_us: u64,
    pub entered_us: u64,
    /// Whether this member ever gave it all seats' inputs, by member.
    pub fed_by: u8,
}

impl Peer {
    pub fn new(session: Session, transport: Box<dyn NetTransport>, end: usize, seed: u64) -> Self {
        Self {
            session,
            transport,
            end,
            game: Toy::NEW,
            saves: VecDeque::new(),
            skirmish: None,
            skirmish_hashes: VecDeque::new(),
            reference: Toy::NEW,
            log_from: 0,
            log: Vec::new(),
            joined: false,
            last: u32::MAX,
            ballast: 0,
            canary: None,
            lies_hash: false,
            events: Vec::new(),
            dice: Dice::new(seed ^ (end as u64) << 32),
            held: [0; 8],
            next_poll_us: 0,
            left_at_us: None,
            moved_to: 0,
            moved_us: 0,
            entered_us: 0,
            fed_by: 0,
        }
    }

    /// One visit of the host. Its error is a law broken.
    pub fn poll(&mut self, now: NetTime) -> Result<(), String> {
        self.give_inputs();
        self.session.advance(now, &mut *self.transport);
        if let Some(feeder) = self.session.feeder() {
            self.fed_by |= 1 << feeder;
        }
        self.requests()?;
        while let Some(event) = self.session.poll_event() {
            if !matches!(event, Event::HashesAgree { .. }) {
                self.events.push(event);
            }
        }
        Ok(())
    }

    fn give_inputs(&mut self) {
        if let Some(skirmish) = &mut self.skirmish {
            let own = Seat::new(self.end as u8);
            if let (Some(input), Some(seat)) = (skirmish.input(self.game.frame), own) {
                let _ = self.session.set_input(seat, &input);
            }
            return;
        }
        for seat in Seat::all(8) {
            if self.dice.once_in(12) {
                self.held[seat.index()] = self.dice.next() as u8;
            }
            let pad = self.held[seat.index()];
            let input = [pad, pad / 3];
            let length = usize::from(!pad.is_multiple_of(7)) + usize::from(pad.is_multiple_of(2));
            let _ = self.session.set_input(seat, &input[..length.min(2)]);
        }
    }

    /// When to be polled again, on its own clock.
    pub fn wait_us(&self, now: NetTime) -> u64 {
        let wake = self.session.next_wake();
        let wake = self
            .transport
            .next_wake()
            .map_or(wake, |other| wake.min(other));
        wake.since(now).clamp(1_000, 16_000)
    }

    fn requests(&mut self) -> Result<(), String> {
        loop {
            let Some(request) = self.session.poll_request() else {
                return Ok(());
            };
            match request {
                Request::Save { frame } => {
                    if frame.0 != self.game.frame {
                        return Err(format!("asked to save {frame} at {}", self.game.frame));
                    }
                    self.saves.retain(|saved| saved.frame != frame.0);
                    self.saves.push_back(self.game);
                    if self.saves.len() > 64 {
                        self.saves.pop_front();
                    }
                }
                Request::Load { frame } => {
                    let saved = self.saves.iter().find(|saved| saved.frame == frame.0);
                    self.game = *saved.ok_or(format!("asked for a state never saved: {frame}"))?;
                    if frame.0 < self.reference.frame {
                        return Err(format!(
                            "goes back behind confirmed {} to {frame}",
                            self.reference.frame
                        ));
                    }
                }
                Request::Step { frame, inputs, .. } => {
                    if frame.0 != self.game.frame {
                        return Err(format!("asked to step {frame} at {}", self.game.frame));
                    }
                    self.game.step(inputs);
                    if let Some(skirmish) = &mut self.skirmish {
                        skirmish.step(inputs);
                        self.skirmish_hashes.push_back(skirmish.hash());
                    }
                    if self.canary == Some(Canary::Game) && frame.0 == self.last / 2 {
                        self.game.mix ^= 1;
                    }
                    if self.game.frame == self.last {
                        self.session.finish();
                    }
                }
                Request::Hash { frame } => self.hash(frame),
                Request::Snapshot { frame } => {
                    let state = self.game.save(self.ballast);
                    self.session.put_snapshot(frame, &state);
                }
                Request::Restore { frame, state } => {
                    self.game = Toy::load(state).ok_or("a snapshot that is none")?;
                    // Only a liar's can be wrong, and then the match must end.
                    self.game.frame = frame.0;
                    self.saves.clear();
                    self.reference = self.game;
                    self.log_from = frame.0;
                    self.log.clear();
                    self.joined = true;
                }
                Request::Confirmed { frame, inputs } => {
                    if frame.0 != self.reference.frame {
                        return Err(format!("confirms {frame} after {}", self.reference.frame));
                    }
                    self.reference.step(inputs);
                    // What its player sees.
                    let seen =
                        u64::from(self.canary == Some(Canary::Hidden) && frame.0 >= self.last / 2);
                    let world = self.skirmish_hashes.pop_front().unwrap_or(0);
                    self.log.push(self.reference.mix ^ seen ^ world);
                    let same =
                        self.game.frame != self.reference.frame || self.game == self.reference;
                    if !same && self.canary.is_none() {
                        return Err(format!(
                            "the state after {frame} is not that of the confirmed inputs"
                        ));
                    }
                }
                other => return Err(format!("a request that no host knows: {other:?}")),
            }
        }
    }

    fn hash(&mut self, frame: Frame) {
        let mix = self.game.mix ^ u64::from(self.lies_hash && frame.0 > self.last / 3);
        let world = self.skirmish.as_ref().map_or(0, Skirmish::hash);
        let parts = [
            Part {
                name: "mix",
                hash: mix,
            },
            Part {
                name: "world",
                hash: world,
            },
        ];
        self.session.put_hash(frame, mix ^ world, &parts);
    }

    /// The mix after `frame`, if it was confirmed here.
    pub fn mix_after(&self, frame: u32) -> Option<u64> {
        let at = frame.checked_sub(self.log_from)?;
        self.log.get(at as usize).copied()
    }

    pub fn confirmed(&self) -> u32 {
        self.log_from + self.log.len() as u32
    }
}

pub fn seat(at: usize) -> SeatSet {
    SeatSet::from_bits(1 << at)
}
