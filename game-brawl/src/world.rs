//! The world and its step.

use crate::{
    Ball, BrawlSetup, Fighter, Fx, FxKind, Pad, SAVED_BYTES_MAX,
    canon::{self, Pass, Reading, Refused, Writing},
    dice::Dice,
    event::FX_MAX,
    round::Phase,
    rules::{BALLS_MAX, RATE_HZ, UNIT},
    strike::Impacts,
};
use core::fmt;
use match_feed::{
    Game, LoadError, Order, Outcome, SEATS_MAX, SaveError, Seat, TickRate, WorldHash,
};

/// The game's name.
pub const NAME: &str = "brawl";

/// Everything that decides the future.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) setup: BrawlSetup,
    /// Steps made.
    pub(crate) tick: u32,
    pub(crate) dice: Dice,
    pub(crate) phase: Phase,
    /// Ticks in this phase.
    pub(crate) clock: u16,
    /// Rounds that are over.
    pub(crate) round: u8,
    /// Of the last round that was decided.
    pub(crate) round_winner: Option<u8>,
    /// As many as the setup says; the rest as they are by default.
    pub(crate) fighters: [Fighter; SEATS_MAX],
    pub(crate) balls: [Option<Ball>; BALLS_MAX],
}

/// A brawl: see [`Game`]. Stepping, saving and loading allocate nothing.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) state: State,
    pub(crate) fx: heapless::Vec<Fx, FX_MAX>,
}

type Part = fn(&mut Writing<'_>, &mut State) -> Result<(), Refused>;

impl World {
    /// Ticks a second.
    pub const RATE: TickRate = TickRate::new(RATE_HZ).expect("1 to 240");

    /// The parts of the world by name, in the order in which they are saved.
    const PARTS: [(&str, Part); 4] = [
        ("setup", |pass, state| canon::setup(pass, &mut state.setup)),
        ("round", |pass, state| canon::course(pass, state)),
        ("fighters", |pass, state| canon::fighters(pass, state)),
        ("balls", |pass, state| canon::balls(pass, state)),
    ];

    /// A match before its first step.
    #[must_use]
    pub fn new(setup: BrawlSetup) -> Self {
        let mut world = Self {
            state: State {
                setup,
                tick: 0,
                dice: Dice(setup.seed()),
                phase: Phase::Ready,
                clock: 0,
                round: 0,
                round_winner: None,
                fighters: Default::default(),
                balls: Default::default(),
            },
            fx: heapless::Vec::new(),
        };
        world.begin_round();
        world
    }

    /// What it was set up with.
    #[must_use]
    pub const fn setup(&self) -> &BrawlSetup {
        &self.state.setup
    }

    /// Steps made.
    #[must_use]
    pub const fn tick(&self) -> u32 {
        self.state.tick
    }

    /// Where the round is.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.state.phase
    }

    /// Ticks that this phase has lasted.
    #[must_use]
    pub const fn clock(&self) -> u16 {
        self.state.clock
    }

    /// The round, from 0.
    #[must_use]
    pub const fn round(&self) -> u8 {
        self.state.round
    }

    /// The fighter who won the last round that was decided, if anybody did.
    #[must_use]
    pub const fn round_winner(&self) -> Option<u8> {
        self.state.round_winner
    }

    /// Every fighter: seat n plays fighter n.
    #[must_use]
    pub fn fighters(&self) -> &[Fighter] {
        &self.state.fighters[..self.state.setup.fighters()]
    }

    /// Every ball.
    pub fn balls(&self) -> impl Iterator<Item = &Ball> {
        self.state.balls.iter().flatten()
    }

    /// The ball that fighter `at` has in hand.
    #[must_use]
    pub fn ball_of(&self, at: usize) -> Option<&Ball> {
        self.balls()
            .find(|ball| ball.holder.map(usize::from) == Some(at))
    }

    /// What happened in the last step, for eyes and ears.
    #[must_use]
    pub fn fx(&self) -> &[Fx] {
        &self.fx
    }

    pub(crate) fn fighters_mut(&mut self) -> &mut [Fighter] {
        &mut self.state.fighters[..self.state.setup.fighters()]
    }

    /// Tells a host what happened at a place in parts of a unit; the least of many is left out.
    pub(crate) fn say(&mut self, kind: FxKind, fighter: Option<u8>, x: i32, y: i32) {
        let _ = self.fx.push(Fx {
            kind,
            fighter,
            x: x / UNIT,
            y: y / UNIT,
        });
    }

    /// What happened to fighter `at`, where they are.
    pub(crate) fn say_of(&mut self, kind: FxKind, at: usize) {
        let Fighter { x, y, .. } = self.state.fighters[at];
        self.say(kind, Some(at as u8), x, y + 70 * UNIT);
    }

    /// Runs one tick under a pad for each fighter.
    fn run(&mut self, mut pads: [Pad; SEATS_MAX]) {
        self.fx.clear();
        self.state.tick = self.state.tick.saturating_add(1);
        if !self.tick_round() {
            pads = Default::default();
        }
        let pressed = self.control(pads);
        self.move_fighters();
        self.fly_balls();
        let mut impacts = Impacts::default();
        self.strike(&mut impacts);
        self.hit_with_balls(&mut impacts);
        self.suffer(&impacts);
        self.grip(&pressed);
        if self.state.phase == Phase::Fight {
            self.drop_balls();
            self.wear_down();
        }
        self.drop_out();
        self.judge();
    }

    fn write(&self, buffer: &mut [u8], part: Part) -> usize {
        let mut writing = Writing { buffer, given: 0 };
        let written = part(&mut writing, &mut self.state.clone());
        debug_assert!(written.is_ok(), "the world leaves its own ranges");
        writing.given
    }

    fn write_all(&self, buffer: &mut [u8]) -> usize {
        self.write(buffer, |pass, state| {
            Self::PARTS
                .iter()
                .try_for_each(|(_, part)| part(pass, state))
        })
    }
}

fn read_all(pass: &mut impl Pass, state: &mut State) -> Result<(), Refused> {
    canon::setup(pass, &mut state.setup)?;
    canon::course(pass, state)?;
    canon::fighters(pass, state)?;
    canon::balls(pass, state)
}

impl Game for World {
    type Command = Pad;

    /// Of several pads of a seat the last one counts; a seat without one holds nothing down.
    fn step(&mut self, orders: &[Order<Pad>]) {
        if self.state.phase == Phase::Over {
            self.fx.clear();
            return;
        }
        let mut pads = [Pad::NEUTRAL; SEATS_MAX];
        let seats = self.state.setup.seats();
        for order in orders.iter().filter(|order| order.seat.index() < seats) {
            pads[order.seat.index()] = order.command;
        }
        self.run(pads);
    }

    fn hash(&self) -> WorldHash {
        let mut bytes = [0; SAVED_BYTES_MAX];
        let length = self.write_all(&mut bytes);
        WorldHash::of(&bytes[..length])
    }

    fn hash_parts(&self, part: &mut dyn FnMut(&'static str, WorldHash)) {
        for (name, write) in Self::PARTS {
            let mut bytes = [0; SAVED_BYTES_MAX];
            let length = self.write(&mut bytes, write);
            part(name, WorldHash::of(&bytes[..length]));
        }
    }

    fn describe_part(&self, part: &str, to: &mut dyn fmt::Write) -> fmt::Result {
        let state = &self.state;
        match part {
            "setup" => writeln!(to, "{:#?}", state.setup),
            "round" => writeln!(
                to,
                "tick {}\n{:?}\n{:?}, tick {} of it\nround {}, the last won by {:?}",
                state.tick, state.dice, state.phase, state.clock, state.round, state.round_winner
            ),
            "fighters" => writeln!(to, "{:#?}", self.fighters()),
            "balls" => writeln!(to, "{:#?}", state.balls),
            _ => Ok(()),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.result()
    }

    fn save_into(&self, buffer: &mut [u8]) -> Result<usize, SaveError> {
        let room = buffer.len();
        match self.write_all(buffer) {
            needed if needed > room => Err(SaveError::TooSmall { needed }),
            length => Ok(length),
        }
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), LoadError> {
        let mut state = self.state;
        let mut reading = Reading {
            bytes: saved,
            from: 0,
            at: 0,
        };
        if read_all(&mut reading, &mut state).is_err() {
            return Err(LoadError::Damaged { at: reading.from });
        }
        if reading.at != saved.len() {
            return Err(LoadError::Damaged { at: reading.at });
        }
        self.state = state;
        self.fx.clear();
        Ok(())
    }
}

/// A pad a seat, as orders: what a host has of a session's inputs. An input that is no pad is a pad at rest.
impl World {
    /// The orders that a tick's inputs stand for, the lowest seat's first.
    pub fn orders<'a>(
        inputs: impl IntoIterator<Item = &'a [u8]>,
    ) -> heapless::Vec<Order<Pad>, SEATS_MAX> {
        Seat::all(SEATS_MAX)
            .zip(inputs)
            .map(|(seat, input)| Order {
                seat,
                command: Pad::decode(input).unwrap_or_default(),
            })
            .collect()
    }
}
